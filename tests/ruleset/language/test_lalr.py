"""Our parser gives the tree that Lark gives, and reports an error at the same place."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleset.language.lalr import MAX_DEPTH, parse_text
from ruleset.language.parser import parse_effect, parse_expression
from ruleset.language.syntax_errors import Mistake, Start
from ruleset.source.reader import Document, Mapping, Node, Scalar, Sequence, read
from tests.docs.listings import ROOT
from tests.ruleset.language.lark_reference import parse_by_lark

STARTS: tuple[Start, ...] = ("effect", "expression", "pattern")


def texts_of(node: Node) -> set[str]:
    if isinstance(node, Scalar):
        return {node.text} if node.text.strip() else set()
    parts = node.items if isinstance(node, Sequence) else [entry.value for entry in node.entries]
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
            for text in texts_of(Mapping(document.root.entries, document.span))
        }
    )


@cache
def words() -> list[str]:
    return sorted({word for text in texts() for word in re.findall(r"[\w-]+|[^\w\s]", text) if len(word) < 12})


def assert_same(start: Start, text: str) -> bool:
    """Whether the text is good, once both have said the same of it."""
    source = text + "\n" if start == "effect" else re.sub(r"\s", " ", text)
    found = parse_text(start, text, source)
    assert found == parse_by_lark(start, text, source)
    return not isinstance(found, Mistake)


@pytest.mark.slow
def test_they_agree_on_all_texts_of_packs() -> None:
    good = {start: sum(assert_same(start, text) for text in texts()) for start in STARTS}
    assert all(good.values()), good


SPACES = [" ", "\n", "\n  ", "\n    ", "\n\t", "  # said\n", "\r\n", ""]


@given(
    st.sampled_from(STARTS),
    st.deferred(lambda: st.sampled_from(texts())),
    st.lists(
        st.tuples(
            st.integers(0, 40),
            st.integers(0, 2),
            st.deferred(lambda: st.sampled_from(words())) | st.sampled_from(SPACES),
        ),
        max_size=3,
    ),
)
def test_they_agree_on_texts_with_changes(start: Start, text: str, changes: list[tuple[int, int, str]]) -> None:
    parts = re.findall(r"[\w-]+|\s+|[^\w\s]", text)
    for place, removed, word in changes:
        parts[place : place + removed] = [word, " "]
    if "".join(parts).strip():
        assert_same(start, "".join(parts))


@pytest.mark.parametrize("terms", range(MAX_DEPTH - 5, MAX_DEPTH + 2))
def test_they_agree_on_what_is_too_deep(terms: int) -> None:
    assert_same("expression", "+".join(["1"] * terms))
    assert_same("effect", "coins += " + "+".join(["1"] * terms))


def test_the_deepest() -> None:
    assert not isinstance(parse_expression("+".join(["1"] * MAX_DEPTH)), Mistake)
    assert isinstance(parse_expression("+".join(["1"] * (MAX_DEPTH + 1))), Mistake)


@pytest.mark.parametrize(
    "indents", [("  ", "\t"), ("\t", "        "), (" \t", "         "), ("\t", "\t\t"), ("\t", " ")]
)
def test_they_agree_on_tabs(indents: tuple[str, str]) -> None:
    for first, second in (indents, indents[::-1]):
        assert_same("effect", f"if ready:\n{first}draw 1\n{second}draw 2")
        assert_same("effect", f"if ready:\n{first}may:\n{second}draw 2\n{first}draw 3")


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
    assert_same("effect", text)


def test_nothing_needs_lark() -> None:
    """It takes half a second to import and to build its parser."""
    code = (
        "import sys\nfrom ruleset.language.parser import parse_effect\n"
        "for text in ('draw 1', 'draw 1,', 'draw %'):\n  parse_effect(text)\n  print('lark' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (told.stdout, told.stderr) == ("False\n" * 3, "")
