"""A pack is saved while a table runs: the worker's replies, and what becomes of the table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.tools.browser.host.packs import PackShelf
from rulewright.tools.browser.host.requests import Host
from rulewright.tools.browser.host.worker import answered
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.errors import Usage
from tests.browser.ponds import POND


class Table:
    """A table of the pond in a worker, with two people, and the pack's file."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "pack.yaml"
        self.file.write_text(POND, encoding="utf-8")
        self.host = Host()
        self.opened = self.ask("open", spec={
            "pack": str(folder), "seats": [["human", "Ann"], ["human", "Ben"]], "seed": 1, "language": "en",
        })  # fmt: skip

    def ask(self, do: str, **more: Any) -> Any:
        reply = answered(self.host, {"do": do, "table": "1", "language": "en", **more})
        return reply["result"]

    def answer(self, seat: int, key: str) -> None:
        table = self.host.tables["1"]
        reply = self.ask("answer", seat=seat, stamp=table.stamp(seat), keys=[key])
        assert "refused" not in reply

    def save(self, old: str, new: str) -> None:
        text = self.file.read_text(encoding="utf-8")
        assert old in text
        self.file.write_text(text.replace(old, new), encoding="utf-8")

    def renew(self, known: tuple[int, ...] = (0, 1), program: str = "") -> Any:
        return self.ask("renew", known=[*known], program=program)

    def coins(self, seat: int) -> int:
        """What the seat's track says, as the table shows it."""
        view = self.host.tables["1"].course.game.view(0)
        track = next(one for one in view.tracks if one.key == "coins")
        return int(track.values[seat] or 0)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table after two answers: Ann and Ben work."""
    made = Table(tmp_path)
    made.answer(0, "work")
    made.answer(1, "work")
    return made


def test_the_folder_of_the_pack_is_told(table: Table, tmp_path: Path) -> None:
    assert table.opened["folders"] == [str(tmp_path.resolve())]


def test_nothing_was_changed(table: Table) -> None:
    assert table.renew() == {**table.renew(), "state": "unchanged", "lines": []}


def test_texts_change_and_the_open_decision_stays(table: Table) -> None:
    stamp = table.host.tables["1"].stamp(0)
    table.save("en: Pond", "en: Lake")
    assert table.renew()["state"] == "same"
    assert table.host.tables["1"].title == "Lake"
    assert table.host.tables["1"].stamp(0) == stamp


def test_rules_change_and_all_answers_fit(table: Table) -> None:
    table.save("gain 2 coins", "gain 5 coins")
    reply = table.renew()
    assert (reply["state"], reply["status"]["answers"]) == ("fits", 2)
    assert reply["lines"] == ["The same game goes on by the new rules: all answers so far (2) fit them."]
    assert (table.coins(0), table.coins(1)) == (5, 5), "both have worked once, for five coins now"
    assert reply["program"] != table.opened["program"]


def test_undo_goes_on_after_new_rules(table: Table) -> None:
    table.save("gain 2 coins", "gain 5 coins")
    table.renew()
    table.answer(0, "work")
    assert table.coins(0) == 10
    assert table.ask("undo", seat=0)["undone"]
    assert table.coins(0) == 5
    assert table.ask("undo", seat=1)["undone"], "also the answers from before the save"
    assert table.coins(1) == 0


def test_undo_without_an_answer_leaves_those_of_others(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.answer(0, "work")
    assert not table.ask("undo", seat=1)["undone"], "Ben has not answered yet"
    assert table.ask("undo", seat=0)["undone"]
    assert table.coins(0) == 0


def test_an_answer_differs(table: Table) -> None:
    table.answer(0, "angle")
    table.save("      angle: fish += 1\n", "")
    reply = table.renew()
    assert reply["state"] == "differs"
    assert reply["fitting"] == 0, "the first decision has one option less"
    told = " ".join(reply["lines"])
    assert "answer 1 of 3" in told and "Ann" in told and "chose work" in told
    assert "No longer offered: angle." in told
    assert "pond/pack.yaml:14" in told and str(table.file) not in told, "the rule that asks"
    assert table.coins(0) == 2 and table.ask("status")["answers"] == 3, "the old rules stay in force"


def test_the_game_goes_on_from_the_answer_that_differs(table: Table) -> None:
    table.save("    options:\n", "    when: turns is not 1\n    options:\n")
    reply = table.renew()
    assert (reply["state"], reply["fitting"]) == ("differs", 1), "the second player is not asked any more"
    epoch = table.ask("status")["epoch"]
    reply = table.renew(program=reply["program"])
    assert (reply["state"], reply["status"]["answers"]) == ("gone-on", 1)
    assert reply["status"]["epoch"] > epoch, "answers to old pages are recognised"
    assert table.coins(0) == 2 and table.coins(1) == 0
    assert table.ask("status")["asked"] == [0], "the third turn is Ann's again"


def test_agreeing_to_other_rules_than_those_shown_asks_again(table: Table) -> None:
    table.save("    options:\n", "    when: turns is not 1\n    options:\n")
    shown = table.renew()["program"]
    table.save("turns is not 1", "turns is not 0")
    reply = table.renew(program=shown)
    assert (reply["state"], reply["fitting"]) == ("differs", 0)


def test_hidden_answers_of_others_are_not_told(table: Table) -> None:
    table.save("      angle: fish += 1\n", "")
    told = " ".join(table.renew(known=(1,))["lines"])
    assert "answer 1 of 2" in told and "Ann" in told
    assert "work" not in told and "angle" not in told


def test_a_mistake_and_its_repair(table: Table) -> None:
    table.save("fish += 1", "fsh += 1")
    reply = table.renew()
    assert reply["state"] == "broken"
    found = reply["findings"]["items"]
    assert [(one["name"], one["warning"]) for one in found] == [("unknown-name", False)]
    lines = found[0]["excerpts"][0]["lines"]
    marked = [(line["number"], line["before"], line["marked"]) for line in lines if line["marked"]]
    assert marked == [(17, "      angle: ", "fsh")]
    assert any("fish" in text for text, _ in found[0]["hint"])
    table.answer(0, "angle")
    table.save("fsh += 1", "fish += 1")
    assert table.renew()["state"] == "unchanged"
    assert table.ask("status")["answers"] == 3


def test_a_pack_that_disappears_and_returns(table: Table) -> None:
    text = table.file.read_text(encoding="utf-8")
    table.file.unlink()
    reply = table.renew()
    assert reply["state"] == "unread" and "goes on by the rules as they were" in reply["lines"][0]
    table.answer(0, "rest")
    table.file.write_text(text, encoding="utf-8")
    assert table.renew()["state"] == "unchanged"


def test_rules_that_this_table_cannot_have(table: Table) -> None:
    table.save("players: 2", "players: 3")
    reply = table.renew()
    assert reply["state"] == "no-table"
    assert "3" in reply["lines"][0]
    table.answer(0, "rest")


def test_rules_that_fail_at_an_answer(table: Table) -> None:
    table.answer(0, "work")
    table.save("gain 2 coins", "gain 900000 coins")
    reply = table.renew()
    assert (reply["state"], reply["fitting"]) == ("differs", 2), "twice 900,000 is more than a track holds"
    assert "answer 3 of 3" in reply["lines"][0] and "cannot be carried out" in reply["lines"][0]
    assert table.renew(program=reply["program"])["status"]["answers"] == 2
    assert table.coins(0) == 900000


def test_bots_play_on_under_new_rules(tmp_path: Path) -> None:
    made = Table(tmp_path)
    seats = [["human", ""], ["random", ""]]
    made.ask("open", spec={"pack": str(tmp_path), "seats": seats, "seed": 1, "language": "en"})
    made.answer(0, "work")
    made.ask("bots", most=5)
    made.save("gain 2 coins", "gain 5 coins")
    assert made.renew()["state"] == "fits"
    made.answer(0, "work")
    assert len(made.ask("bots", most=5)["entries"]) == 1
    assert made.coins(0) == 10


# ------------------------------------------------------------------ in Spanish

@pytest.fixture
def mesa(tmp_path: Path) -> Table:
    """A table of a Spanish session after an answer."""
    made = Table(tmp_path)
    seats = [["human", "Ann"], ["human", "Ben"]]
    made.ask("open", spec={"pack": str(tmp_path), "seats": seats, "seed": 1, "language": "es"})
    made.answer(0, "angle")
    return made


def test_a_missing_file_is_told_in_spanish(mesa: Table, tmp_path: Path) -> None:
    mesa.file.unlink()
    assert mesa.renew()["lines"] == [
        f"No se puede leer el paquete: no hay ningún pack.yaml en {tmp_path}. "
        "La partida sigue con las reglas de antes."
    ]


def test_another_number_of_players_is_told_in_spanish(mesa: Table) -> None:
    mesa.save("players: 2", "players: 3 to 4")
    assert mesa.renew()["lines"] == [
        "Esta partida no se puede jugar con las reglas nuevas: es para 3 a 4 jugadores, y juegan 2. "
        "Sigue con las de antes."
    ]


def test_what_is_only_known_in_english_is_quoted(mesa: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise Usage("pond has no option rich")

    monkeypatch.setattr(PackShelf, "rules", refused)
    assert mesa.renew()["lines"] == [
        "Esta partida no se puede jugar con las reglas nuevas: «pond has no option rich» (mensaje en inglés). "
        "Sigue con las de antes."
    ]


def test_an_answer_that_differs_is_told_in_spanish(mesa: Table) -> None:
    mesa.save("      angle: fish += 1\n", "")
    lines = mesa.renew()["lines"]
    assert lines[0].startswith("Con las reglas nuevas la respuesta 1 de 1 es otra: Ann, en ")
    assert "Ya no se ofrece: angle." in lines
    assert not {"the", "answer", "rule", "The", "rules"} & set(" ".join(lines).replace(".", " ").split())


def test_an_answer_that_fails_is_told_in_spanish(mesa: Table) -> None:
    mesa.save("fish += 1", "fish += 2000000000 + 2000000000")
    lines = mesa.renew()["lines"]
    assert lines[0].startswith("Con las reglas nuevas la respuesta 1 de 1 (Ann, en ")
    assert not {"the", "is", "more", "than", "number"} & set(" ".join(lines).replace(".", " ").split())


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("en: Pond", "en: Lake", "Las reglas son las mismas; puede que cambien los textos."),
        (
            "gain 2 coins",
            "gain 3 coins",
            "La misma partida sigue con las reglas nuevas: todas las respuestas dadas (1) encajan.",
        ),
    ],
)
def test_new_rules_are_told_in_spanish(mesa: Table, old: str, new: str, line: str) -> None:
    mesa.save(old, new)
    assert mesa.renew()["lines"] == [line]


def test_around_findings_everything_is_spanish(mesa: Table) -> None:
    mesa.save("fish += 1", "fsh += 1")
    saved = mesa.renew()
    page = mesa.ask("page", seat=0, setting={"at": "/t/x", "owner": True, "saved": saved})
    dialog = page[page.index('id="saved"') : page.index("<main")]
    words = words_of("es")
    assert saved["lines"] == ["La partida sigue con las reglas de antes."]
    for key in ("mistake", "saved-old-rules", "saved-repair", "saved-waiting", "saved-hide"):
        assert words[key] in dialog, key
    around = dialog.replace(dialog[dialog.index("<article") : dialog.rindex("</article>")], "")
    assert not {"the", "rules", "mistake", "save", "pack"} & set(re.sub(r"<[^>]*>", " ", around).lower().split())
