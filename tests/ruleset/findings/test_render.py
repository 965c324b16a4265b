"""Findings as text, for people and programs; the snapshots are meant to be read."""

from __future__ import annotations

import json

import pytest
from syrupy.assertion import SnapshotAssertion

from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic, Findings, Label, Span
from rulewright.ruleset.findings.render import KINDS, counts, render
from rulewright.ruleset.source.reader import read_documents

FILE = """\
gadget: lantern
do: if hand is empty: draw 1
---
gadget: Ñandú 灯火 torch
cost: 3
cost: 4
text: the giver's #2 choice
---
tool: saw
text: 'it's mine'
"""
OTHER = "verb: polish <n: number> things\ndo: |\n\tdraw 1\r\n  lose 1\r\n\r\n  if x:\r\n    draw 2\r\n    draw 3\n"
SOURCES = {"pack/one.yaml": FILE, "pack/two.yaml": OTHER}


def at(path: str, line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span(path, line, column, end_line, end_column)


FINDINGS: dict[str, list[Diagnostic]] = {
    "nothing": [],
    "a file": list(read_documents("pack/one.yaml", FILE)[1]),
    "wide letters and accents": [
        Diagnostic("RW205", at("pack/one.yaml", 4, 9, 4, 14), "below the accented word"),
        Diagnostic("RW205", at("pack/one.yaml", 4, 15, 4, 17), "below both wide letters"),
        Diagnostic("RW205", at("pack/one.yaml", 4, 18, 4, 23), "below the word behind them"),
    ],
    "a tab": [Diagnostic("RW105", at("pack/two.yaml", 3, 1, 3, 2), "below the four columns of the tab")],
    "behind the end": [
        Diagnostic("RW103", at("pack/one.yaml", 1, 16, 1, 16), "one caret behind the line"),
        Diagnostic("RW103", at("pack/one.yaml", 40, 1, 40, 1), "a line that is not there"),
    ],
    "several lines": [
        Diagnostic("RW203", at("pack/one.yaml", 5, 1, 6, 8), "two lines"),
        Diagnostic("RW203", at("pack/one.yaml", 5, 1, 7, 1), "the last line is not part of it"),
        Diagnostic("RW203", at("pack/two.yaml", 2, 5, 8, 11), "many lines, shown in part"),
    ],
    "labels": [
        Diagnostic(
            "RW110",
            at("pack/one.yaml", 6, 1, 6, 5),
            "the key `cost` stands twice",
            "remove one of them",
            (
                Label(at("pack/one.yaml", 5, 1, 5, 5), "the first `cost`"),
                Label(at("pack/two.yaml", 6, 3, 8, 11), "over several lines"),
                Label(at("elsewhere.yaml", 7, 2, 7, 3), "in a file whose text is not at hand"),
                Label(NOWHERE, "declared by the kernel"),
            ),
        )
    ],
    "no place": [Diagnostic("RW119", NOWHERE, "the pack is too large\nfar too large", "first\nsecond")],
    "escapes": [
        Diagnostic("RW101", at("a,b:c%.yaml", 1, 2, 3, 4), "100% of\r\nall: these, too", "write `a: b`"),
        Diagnostic("RW120", at("pack/\x1b[31m.yaml", 1, 1, 1, 2), "looks \x1b[31mred\u202e"),
    ],
}


@pytest.mark.parametrize("format", ["full", "concise", "json", "github"])
@pytest.mark.parametrize("name", FINDINGS)
def test_snapshots(name: str, format: str, snapshot: SnapshotAssertion) -> None:
    assert render(FINDINGS[name], SOURCES, format) == snapshot


def test_a_style_sees_every_piece() -> None:
    kinds: set[str] = set()

    def style(kind: str, text: str) -> str:
        kinds.add(kind)
        assert "\n" not in text
        return f"<{kind}>{text}</{kind}>" if text else ""

    items = [*FINDINGS["labels"], *FINDINGS["a file"]]
    text = render(items, SOURCES, "full", style)
    assert kinds == set(KINDS)
    for kind in KINDS:
        text = text.replace(f"<{kind}>", "").replace(f"</{kind}>", "")
    plain = render(items, SOURCES, "full")
    assert [line.rstrip() for line in text.split("\n")] == plain.split("\n")
    assert "<error>error RW110</error> <message>" in render(items, SOURCES, "concise", style)


def test_carets_stand_below_the_range() -> None:
    lines = render([Diagnostic("RW203", at("f", 1, 6, 1, 10), "m")], {"f": "key: word\n"}, "full").split("\n")
    assert lines[3:5] == ["1 | key: word", "  |      ^^^^"]


def test_json_is_json() -> None:
    report = json.loads(render(FINDINGS["labels"], {}, "json"))
    assert report["version"] == 1
    assert report["summary"] == {"errors": 1, "warnings": 0, "suppressed": 0, "skipped": 0}
    (finding,) = report["findings"]
    assert finding["location"] == {
        "path": "pack/one.yaml",
        "start": {"line": 6, "column": 1},
        "end": {"line": 6, "column": 5},
    }
    assert finding["related"][3] == {"location": None, "message": "declared by the kernel"}


def test_findings_are_sorted_and_told_once() -> None:
    items = FINDINGS["several lines"]
    assert render([*reversed(items), *items], SOURCES) == render(Findings(tuple(items)), SOURCES)
    assert counts(FINDINGS["a file"]) == (3, 1)


@pytest.mark.parametrize("column", [1, 500_001, 999_996])
def test_of_a_very_long_line_the_part_with_the_mark_is_shown(column: int) -> None:
    line = "o" * (column - 1) + "WRONG" + "o" * (1_000_000 - column - 4)
    finding = Diagnostic("RW205", at("pack/one.yaml", 1, column, 1, column + 5), "here")
    shown = render([finding], {"pack/one.yaml": line}).splitlines()
    source, marks = next((one, shown[n + 1]) for n, one in enumerate(shown) if "WRONG" in one)
    assert source.index("WRONG") == marks.index("^")
    assert marks.count("^") == len("WRONG")
    assert max(map(len, shown)) < 500
