"""The pack's own lines about tracks and zones: by value, with numbers, and for cards that come.

Expected lines come from the texts of `tests/packs/gallery` and from `docs/reference/language.md`.
"""

from __future__ import annotations

import pytest

from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from tests.language.gallery import ACT, GALLERY, gallery
from tests.positions import Table, of, pack_of


def log(table: Table, language: str, *answers: tuple[int, str, list[str]]) -> list[str]:
    """Gives answers, and returns the lines of the log about them for seat 0."""
    texts = PackTexts(table.program, pack_of(GALLERY))
    chronicle = Chronicle(table.program, texts, language, 0)
    chronicle.tell(table.game.events())
    chronicle.rest()
    told = len(table.game.events())
    for seat, choice, keys in answers:
        table.answer(seat, choice, *keys)
    lines = [*chronicle.tell(table.game.events()[told:]), *chronicle.rest()]
    return [line.text for line in lines if line.sort == "text"]


def follow(table: Table, language: str, *colours: str) -> list[str]:
    """The lines about the fashion: seat 0 and seat 1 take turns."""
    answers: list[tuple[int, str, list[str]]] = []
    for number, colour in enumerate(colours):
        seat, liked = number % 2, [colour] if colour else []
        answers += [(seat, ACT, ["follow"]), (seat, "turn.act.follow.liked", liked)]
    return [line for line in log(table, language, *answers) if "fashion" in line or "moda" in line]


def test_lines_by_value() -> None:
    lines = follow(gallery(), "en", "red", "gold", "")
    for line, expected in zip(
        lines, ("Red is in fashion", "After red, gold is in fashion!", "Nothing is in fashion."), strict=True
    ):
        assert expected in line


def test_lines_by_value_in_another_language() -> None:
    lines = follow(gallery(), "es", "blue", "gold")
    for line, expected in zip(lines, ("azul está de moda", "Tras azul, ¡el dorado está de moda!"), strict=True):
        assert expected in line.lower() or expected in line


def test_an_empty_line_for_one_value() -> None:
    table = gallery()
    said = log(table, "en", (0, ACT, ["stay"]), (1, ACT, ["stay"]), (0, ACT, ["stay"]))
    assert sum("stays open" in line for line in said) == 2
    assert not any("open late" in line for line in said)


@pytest.mark.parametrize(
    ("language", "line"), [("en", "0 plus 3 is 3 points of fame"), ("es", "0 más 3 son 3 puntos de fama")]
)
def test_numbers_before_and_after(language: str, line: str) -> None:
    table = gallery(mine=["blue-3", "red-1"])
    said = log(table, language, (0, ACT, ["sell"]), (0, "turn.act.sell.sold", ["blue-3"]))
    assert any(line in one for one in said), said


@pytest.mark.parametrize(
    ("language", "line"),
    [("en", "You hang blue 3 from the crate on the wall"), ("es", "Cuelgas azul 3 de la caja en la pared")],
)
def test_cards_that_come_into_a_zone(language: str, line: str) -> None:
    table = gallery(crate=["red-1", "blue-3"])
    table.answer(0, ACT, "unpack")
    said = log(table, language, (0, "turn.act.unpack.hung", [table.options[0]]))
    assert any(line in one for one in said), said
    assert table.cards(of(0, "wall")) == ["blue-3"]
