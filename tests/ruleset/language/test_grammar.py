"""Lark parses texts of effects with the shipped tables as with those that it makes of the grammar."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from rulewright.ruleset.language import parser as grammar
from rulewright.ruleset.language.parser import MAX_DEPTH, as_source, parse_effect, parse_expression, parse_text
from rulewright.ruleset.language.syntax_errors import Mistake, Start
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import Document, read
from rulewright.tools.generate.__main__ import grammar_tables
from tests.docs.listings import ROOT

STARTS: tuple[Start, ...] = ("effect", "expression", "pattern")


def texts_of(node: Node) -> set[str]:
    if isinstance(node, ScalarNode):
        return {node.text} if node.text.strip() else set()
    parts = node.items if isinstance(node, SequenceNode) else [entry.value for entry in node.entries]
    return set().union(*map(texts_of, parts))


def documents_in(folder: Path) -> list[Document]:
    return [one for path in sorted(folder.rglob("*.yaml")) for one in read("a", path.read_text("utf-8")).documents]


@cache
def texts() -> list[str]:
    return sorted(
        {
            text
            for place in ("content", "tests/chunks", "tests/packs")
            for document in documents_in(ROOT / place)
            for text in texts_of(MappingNode(document.root.entries, document.span))
        }
    )


def test_the_shipped_tables_belong_to_the_grammar() -> None:
    """They have its digest, and are numbered as in each run. If not: `python -m rulewright.tools.generate grammar`.

    What Lark says of terminals depends on the version of Python, too, and is not compared.
    """
    shipped, made = (json.loads(text) for text in (grammar.TABLES.read_text("utf-8"), grammar_tables()))
    parts = [(one["digest"], one["data"]["parser"]["parser"]) for one in (shipped, made)]
    assert (parts[0] == parts[1]) is True, "run `python -m rulewright.tools.generate grammar`"


@pytest.mark.slow
def test_they_give_what_the_grammar_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [(start, text) for start in STARTS for text in texts()]
    shipped = {(start, text): parse_text(start, text, as_source(start, text)) for start, text in both}
    assert {start for (start, _), found in shipped.items() if not isinstance(found, Mistake)} == set(STARTS)
    parser = grammar.made()
    monkeypatch.setattr(grammar, "_parser", lambda: parser)
    for (start, text), found in shipped.items():
        assert parse_text(start, text, as_source(start, text)) == found


def test_other_tables_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with another version of Lark."""
    other = tmp_path / "effect.json"
    other.write_text(grammar.TABLES.read_text("utf-8").replace(grammar.digest(), "0" * 32), "utf-8")
    monkeypatch.setattr(grammar, "TABLES", other)
    monkeypatch.setattr(grammar, "made", lambda: "made anew")
    assert grammar._parser.__wrapped__() == "made anew"


def test_threads_may_share_the_parser() -> None:
    """Each in a block of its own depth: the levels of one must not be those of another."""
    levels = [[f"{'  ' * deep}if coins:\n" for deep in range(most)] for most in range(1, 9)]
    effects = [f"{''.join(lines)}{'  ' * len(lines)}draw 1" for lines in levels] * 40
    alone = [parse_text("effect", text, f"{text}\n") for text in effects]
    assert not any(isinstance(found, Mistake) for found in alone)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda text: parse_text("effect", text, f"{text}\n"), effects)) == alone


def test_the_deepest() -> None:
    assert not isinstance(parse_expression("+".join(["1"] * MAX_DEPTH)), Mistake)
    assert isinstance(parse_expression("+".join(["1"] * (MAX_DEPTH + 1))), Mistake)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [("\t", " " * 8, True), (" \t", " " * 9, True), ("  ", "\t", False), ("\t", "\t\t", False), ("\t", " ", False)],
)
def test_a_tab_counts_as_eight_spaces(first: str, second: str, same: bool) -> None:
    for one, other in ((first, second), (second, first)):
        found = parse_effect(f"if ready:\n{one}draw 1\n{other}draw 2")
        assert isinstance(found, Mistake) is not same


@pytest.mark.parametrize("text", ["99999999999", "draw 1 then", "if coins: \n  a 1\n b 1", "draw %"])
def test_mistakes_are_told(text: str) -> None:
    assert isinstance(parse_effect(text), Mistake)
    assert isinstance(parse_expression(f"{text} %"), Mistake)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("coins += 99999999999", "RW413"),
        ("coins += 99999999999 then draw 1,", "RW403"),
        ("coins += 99999999999 then coins += " + "+".join(["1"] * MAX_DEPTH), "RW401"),
    ],
)
def test_a_word_that_cannot_follow_comes_before_a_number_that_is_too_large(text: str, code: str) -> None:
    found = parse_effect(text)
    assert isinstance(found, Mistake) and found.code == code
