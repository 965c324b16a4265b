"""The rule book: readable sentences, rulings, and everything that the pack says to players."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tools.common.errors import Usage
from rulewright.tools.print.rule_documents import label, phrase, sentences
from rulewright.tools.print.rule_parts import WORDS, Ruling, plain, rulings_of
from tests.tools.harness import CONTENT, Run
from tests.tools.print.pdfs import sizes, texts


@pytest.mark.parametrize(
    ("text", "known", "shown"),
    [
        ("Which card do you show?", {}, "Which card do you show?"),
        ("You have {n, plural, one {# coin} other {# coins}}. What do you buy?", {}, "What do you buy?"),
        ("{tower}: do you enter?", {"tower": "a tower"}, "Do you enter?"),
        ("{p} attacks. Do you block?", {"p": "a player"}, "A player attacks. Do you block?"),
        ("Give it to {p} ({n} left)?", {"p": "a player"}, "Give it to a player?"),
        ("{p} claims the {c}. Do you doubt it?", {"p": "a player", "c": "a card"}, None),
        ("Take {n}.", {}, ""),
        ("{tower}: ¿entras?", {"tower": "una torre"}, "¿Entras?"),
        ("broken {", {}, ""),
    ],
)
def test_questions(text: str, known: dict[str, str], shown: str | None) -> None:
    assert sentences(text, known) == ("A player claims the card. Do you doubt it?" if shown is None else shown)


@pytest.mark.parametrize(
    ("text", "known", "shown"),
    [
        ("buy {card} for {card's cost, plural, one {# coin} other {# coins}}", {"card": "a gem"}, "Buy a gem"),
        ("to pass", {}, "Pass"),
        ("{act}{x, select, none {} other { as {x}}}{n, plural, =0 {} other { (#)}}", {"act": "an act"}, "An act"),
        ("{card}", {}, ""),
    ],
)
def test_options(text: str, known: dict[str, str], shown: str) -> None:
    assert label(text, known) == shown


def test_names_of_what_is_counted() -> None:
    rats = "{count, plural, one {rat} other {rats}}"
    assert [phrase(rats, {"count": n}) for n in ("1", "2")] == ["rat", "rats"]
    assert phrase("{count, plural, one {# point} other {# points}}", {"count": "3"}) == "3 points"


def test_rulings(tmp_path: Path) -> None:
    (tmp_path / "rulings.md").write_text(
        "# Rulings\n\nWords for authors.\n\n| | Question | Here | Why |\n|---|---|---|---|\n"
        "| A1 | *Which* one? | The `red` one (see `x.yaml`) | **Chance** |\n| A2 | A \\| B? | Both |\n"
        "| A3 | | x |\n\n| not | a | table |\n",
        encoding="utf-8",
    )
    assert rulings_of(tmp_path, "en") == (
        Ruling("A1", "Which one?", "The red one", "Chance"),
        Ruling("A2", "A | B?", "Both", ""),
    )
    (tmp_path / "rulings.es.md").write_text("| | P | R |\n|---|---|---|\n| 1 | ¿Qué? | Eso |\n", encoding="utf-8")
    assert rulings_of(tmp_path, "es") == (Ruling("1", "¿Qué?", "Eso", ""),)
    assert len(rulings_of(tmp_path, "en")) == 2


@pytest.mark.parametrize("pack", ["tutorial", "coup", "dominion", "rattus-cartus"])
def test_the_rulings_of_a_shipped_game_are_the_same_in_both_languages(pack: str) -> None:
    root = CONTENT.parent / pack
    english, spanish = rulings_of(root, "en"), rulings_of(root, "es")
    assert [one.number for one in spanish] == [one.number for one in english] != []
    assert not {one.answer for one in spanish} & {one.answer for one in english} - {"No", "1"}


def test_rulings_outside_of_the_folder_are_not_read(tmp_path: Path) -> None:
    inside = tmp_path / "pack"
    inside.mkdir()
    (tmp_path / "other.md").write_text("| | Q | A |\n|---|---|---|\n| 1 | a | b |\n", encoding="utf-8")
    (inside / "rulings.md").symlink_to(tmp_path / "other.md")
    assert rulings_of(inside, "en") == ()


HEAD = "| | Q | A |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "| 1 | " + "*a " * 1_334 + "| b |\n", "rulings.md:3: a cell has 4,003 characters (at most 4,000)"),
        (HEAD + "| 1 | a | b |\n" * 1_001, "rulings.md: 1,001 rulings are too many (at most 1,000)"),
        (HEAD + "x" * 300_001, "rulings.md: the file is larger than 300,000 bytes"),
    ],
    ids=["cell", "rulings", "file"],
)
def test_rulings_beyond_a_limit_are_refused_where_they_are(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "rulings.md").write_text(text, encoding="utf-8")
    with pytest.raises(Usage) as raised:
        rulings_of(tmp_path, "en")
    assert str(raised.value).startswith(f"{message}; ")


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("**a *b* c** `d_e`", "a b c d_e"),
        ("*a **b*", "a **b"),
        ("a * b * c", "a * b * c"),
        ("3 * 4 and *5*", "3 * 4 and 5"),
        ("_a_ can_draw_more __b__", "a can_draw_more b"),
        ("`a` (see `b`), (c) d (`e` (f))", "a, (c) d (e (f))"),
        ("*a **b* c**", "a **b c**"),
    ],
)
def test_marks_of_a_cell(tmp_path: Path, cell: str, words: str) -> None:
    (tmp_path / "rulings.md").write_text(f"{HEAD}| 1 | Q | {cell} |\n", encoding="utf-8")
    assert rulings_of(tmp_path, "en")[0].answer == words


def test_each_mark_is_looked_at_once() -> None:
    """To look for the partner of each of so many marks would take minutes."""
    assert plain("*a " * 90_000) == ("*a " * 90_000).strip()
    assert plain("(`a" * 90_000) == "(a" * 90_000
    assert plain("a" + " " * 270_000 + "(b") == "a (b"


def test_both_languages_have_the_same_words() -> None:
    assert list(WORDS["en"]) == list(WORDS["es"])


@pytest.mark.slow
def test_a_book(run: Run) -> None:
    ran = run("print", "coup", "--rules", "--paper", "letter", "-o", "rules.pdf")
    assert ran.out == "rules.pdf: rules of Coup\n"
    pages = texts(Path("rules.pdf"))
    assert set(sizes(Path("rules.pdf"))) == {(215.9, 279.4)}
    whole = " ".join(pages)
    headings = (
        "What is in the box", "Set-up", "The table", "Course of the game", "End of the game and winner",
        "The cards", "Options", "Rulings",
    )  # fmt: skip
    assert f"Contents {' '.join(headings)}" in pages[0]
    on = [next(number for number, page in enumerate(pages[1:], 2) if heading in page) for heading in headings]
    assert pages[0].startswith(" ".join(map(str, on)))  # they float, so they come first
    for said in (
        "2 to 6 players",
        "be the last player with influence",
        "15 × character 3 cards of each: Duke, Assassin, Captain, Ambassador, Contessa",
        "Each player takes 2 coins from the Treasury",
        "Which action do you take?",
        "The last player in the game wins.",
        "Take 3 coins from the Treasury. Nobody can block it.",
        "Whether the Inquisitor replaces the Ambassador.",
        "With how many coins is a Coup forced?",
    ):
        assert said in whole.replace("\ufffe", "-"), said
    assert "{" not in whole


@pytest.mark.slow
@pytest.mark.parametrize("pack", ["coup", "dominion", "rattus-cartus", "tutorial"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_books_of_all_games_have_no_raw_texts(run: Run, pack: str, language: str) -> None:
    assert run("print", pack, "--rules", "--lang", language, "-o", "rules.pdf").code == 0
    whole = " ".join(texts(Path("rules.pdf")))
    assert not {"{", "}", "\ue000", "`"} & set(whole)
    assert ("Preparación" if language == "es" else "Set-up") in whole
