"""Causes come first, consequences are left out with a note, and lists of findings are limited."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.documents.play import ScenarioDocument
from rulewright.ruleset.findings.causes import MOST_IN_ALL, MOST_IN_FILE, bounded, groups, ordered
from rulewright.ruleset.findings.render import FORMATS, render_report
from rulewright.ruleset.findings.report import PackReport, Report
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.reader import read
from rulewright.ruleset.source.yaml_errors import MOST_PROBLEMS
from rulewright.tools.packs import loading as packs
from tests.recall.subjects import subject

LANTERNS = (Path(__file__).parents[2] / "docs" / "lanterns.yaml").read_text("utf-8")
SCENARIO = """
scenario: A coin
players: [ann, ben]
then: [count(ann's hnad) is 0]
"""


def loaded(*texts: str) -> Loaded:
    """A pack of several files; the first is the little game."""
    names = ("pack.yaml", "zzz.yaml", "bots/a.yaml", "scenarios/a.yaml")
    return load_files(PackFiles(Path(), tuple(zip(names, (text.encode() for text in texts), strict=False))))


def report_of(result: Loaded) -> Report:
    files = tuple(result.sources)
    pack = PackReport(
        result.pack, files, result.findings, (), result.sources, (), {}, result.unchecked, result.omitted
    )
    return Report((pack,))


def codes(result: Loaded) -> list[str]:
    return [finding.code for finding in result.findings]


# ------------------------------------------------------------------ what waits for the rules

def test_a_misspelt_section_of_a_shipped_pack_is_one_finding() -> None:
    """It was 1,196 findings, with the cause at line 340 of the output."""
    whole = subject("dominion")
    path = next(path for path, one in whole.sources.items() if "\nzones:" in one.text)
    first = whole.together.asked[0]
    files = tuple(
        (name, data.replace(b"\nzones:", b"\nzoness:") if name == path else data) for name, data in first.files
    )
    found = packs.load_pack_set(packs.pack_set_of([PackFiles(first.root, files)]), playable=False)
    (finding,) = found.findings
    assert (finding.code, finding.span.path) == ("RW310", path)
    assert finding.hint == "did you mean `zones`?"
    assert found.unchecked[0] == ("scenario", len(whole.loaded.declared.all_of(ScenarioDocument)))


def test_scenarios_wait_for_rules() -> None:
    assert codes(loaded(LANTERNS, "", "", SCENARIO)) == ["RW423"]
    wrong = LANTERNS.replace("move top n of deck to hand", "move top n of dekc to hand", 1)
    assert wrong != LANTERNS
    found = loaded(wrong, "", "", SCENARIO)
    assert [(finding.code, finding.span.path) for finding in found.findings] == [("RW420", "pack.yaml")]
    assert ("scenario", 1) in found.unchecked
    told = render_report(report_of(found), "full")
    assert "1 scenario was not checked" in told
    assert "not checked because the rules have errors" in told


def test_scenarios_that_cannot_be_read_are_reported_beside_errors_of_rules() -> None:
    wrong = LANTERNS.replace("move top n of deck to hand", "move top n of dekc to hand", 1)
    found = loaded(wrong, "", "", "scenario: A coin\nplayers: [ann, ben\n")
    assert [finding.span.path for finding in found.findings] == ["pack.yaml", "scenarios/a.yaml"]


def test_two_mistakes_in_the_rules_are_both_reported() -> None:
    wrong = LANTERNS.replace("zones:", "zoness:", 1)
    assert codes(loaded(wrong)) == ["RW201"]
    both = wrong.replace("move top n of deck to hand", "move top n of dekc to hand", 1)
    assert codes(loaded(both)) == ["RW201", "RW420"]
    nested = wrong.replace("order: pile", "ordre: pile", 1)
    assert codes(loaded(nested)) == ["RW201", "RW201"]


def test_what_is_in_a_misspelt_key_is_checked() -> None:
    found = loaded(LANTERNS, "verb: doze(s)\ndoo: coinss += 1\n---\nhook: yawn\naffter: verb/doze\ndo: rest\n")
    assert [(one.code, one.span.line) for one in found.findings] == [("RW201", 2), ("RW201", 5), ("RW420", 2)]


# ------------------------------------------------------------------ misspelt declarations

def spoilt(*changes: tuple[str, str]) -> Loaded:
    text = LANTERNS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return loaded(text)


def test_a_misspelt_declaration_is_reported_where_it_is() -> None:
    """It was one finding for each use, and none at the declaration."""
    (found,) = spoilt(("\n  hand: ", "\n  hadn: ")).findings
    assert (found.code, found.hint) == ("RW126", "did you mean `hand`?")
    assert LANTERNS.split("\n")[found.span.line - 1].startswith("  hand: ")
    assert found.message.startswith("`hadn` is declared here and never used; `hand` is used ")
    assert [label.text for label in found.labels] == ["used here", "used here"]


def test_a_misspelt_verb_is_reported_where_it_is() -> None:
    (found,) = spoilt(("verb: draw(s) <n>", "verb: drawe(s) <n>")).findings
    assert (found.code, found.hint) == ("RW126", "did you mean `draw`?")


def test_another_mistake_is_reported_beside_a_misspelt_declaration() -> None:
    both = spoilt(("\n  hand: ", "\n  hadn: "), ("move top n of deck", "move top n of dekc"))
    assert codes(both) == ["RW126", "RW420"]


def test_of_one_use_the_use_is_reported() -> None:
    text = "lists: {ringers: {of: player}}\n---\nverb: toll(s)\ndo: remove you from rinners\n"
    (found,) = [one for one in loaded(LANTERNS, text).findings if one.code == "RW420"]
    assert (found.span.line, found.hint) == (4, "did you mean `ringers`?")


# ------------------------------------------------------------------ order

def test_causes_come_first_for_all_names_of_files() -> None:
    sources = {"a.yaml": "verb: x\ndo: y\n", "bots/a.yaml": "bot: b\n", "z.yaml": "zones:\n  a: {}\n"}
    unknown = Diagnostic("RW420", Span("a.yaml", 2, 1, 2, 2), "m")
    bot = Diagnostic("RW203", Span("bots/a.yaml", 1, 1, 1, 2), "m")
    declared = Diagnostic("RW303", Span("z.yaml", 2, 1, 2, 2), "m")
    shape = Diagnostic("RW201", Span("z.yaml", 2, 3, 2, 4), "m")
    syntax = Diagnostic("RW110", Span("z.yaml", 9, 1, 9, 2), "m")
    found = ordered([bot, unknown, declared, shape, syntax, unknown], sources)
    assert found == (syntax, shape, declared, unknown, bot)


# ------------------------------------------------------------------ groups

def finding(line: int, message: str = "nothing is called `gem` here", path: str = "a.yaml") -> Diagnostic:
    return Diagnostic("RW420", Span(path, line, 1, line, 2), message)


def test_equal_findings_are_shown_once_with_all_places_counted() -> None:
    items = tuple(finding(line, path=f"{line % 3}.yaml") for line in range(1, 9))
    assert [len(group) for group in groups(items, {})] == [8]
    told = render_report(Report((PackReport("p", (), items),)), "concise")
    assert told.count("\n") == 1
    assert "and 7 more like this: 2.yaml:2:1, 0.yaml:3:1" in told


def test_lists_of_what_is_known_may_differ() -> None:
    """They leave out what a document has already."""
    span = Span("a.yaml", 1, 1, 1, 2)
    known = [Diagnostic("RW201", evolve(span, line=line), "m", f"known keys: `k{line}`") for line in (1, 2)]
    assert [len(group) for group in groups(known, {})] == [2]
    near = [Diagnostic("RW201", evolve(span, line=line), "m", f"did you mean `k{line}`?") for line in (1, 2)]
    assert [len(group) for group in groups(near, {})] == [1, 1]


def test_findings_in_other_words_stay_apart_unless_they_are_many() -> None:
    few = tuple(finding(line, f"nothing is called `gem-{line}` here") for line in range(1, 10))
    assert len(groups(few, {})) == 9
    many = (*few, finding(10, "nothing is called `lamp` here"))
    assert [len(group) for group in groups(many, {})] == [10]
    over_files = (*few, finding(10, "nothing is called `lamp` here", "b.yaml"))
    assert len(groups(over_files, {})) == 10
    documents = {"a.yaml": "verb: x\ndo: |\n" + "  y\n" * 6 + "---\nverb: z\ndo: y\n"}
    assert [len(group) for group in groups(many, documents)] == [1] * 10


# ------------------------------------------------------------------ bounds

def test_consequences_in_many_scenarios_are_one_finding() -> None:
    """A component that makes no cards any more is one mistake, wherever scenarios name one of its cards."""
    found = [
        Diagnostic("RW704", Span(f"s{n}.yaml", 1, 1, 1, 2), f"there is no card `gem-{n}`", "known cards: none")
        for n in range(10)
    ]
    assert [len(group) for group in groups(found, {})] == [10]
    assert [len(group) for group in groups(found[:9], {})] == [1] * 9
    of_rules = [evolve(item, code="RW420") for item in found]
    assert [len(group) for group in groups(of_rules, {})] == [1] * 10
    in_bots = {f"s{n}.yaml": "bot: one\n" for n in range(10)}
    assert [len(group) for group in groups(of_rules, in_bots)] == [10]


def test_findings_of_a_file_are_bounded_and_counted() -> None:
    text = "".join(f"a{line}: \x01\n" for line in range(5_000))
    reading = read("a.yaml", text)
    assert len(reading.diagnostics) == MOST_PROBLEMS
    assert len(reading.diagnostics) + reading.more == 5_000
    found = loaded(LANTERNS, text)
    assert len(found.findings) == MOST_IN_FILE
    assert found.errors == 5_000
    assert found.program is None


def test_findings_of_all_files_are_bounded() -> None:
    items = [finding(line, path=f"{line % 50}.yaml") for line in range(1, 4_001)]
    kept, omitted = bounded(items)
    assert len(kept) == MOST_IN_ALL
    assert sum(errors + warnings for _, errors, warnings in omitted) == 3_000
    assert {sum(one.span.path == f"{number}.yaml" for one in kept) for number in range(50)} <= {0, *range(81)}


def test_errors_and_warnings_that_are_left_out_are_counted_apart() -> None:
    warnings = [Diagnostic("RW336", Span("a.yaml", line, 1, line, 2), "m") for line in range(1, 4)]
    items = [*(finding(line) for line in range(1, MOST_IN_FILE + 3)), *warnings]
    assert bounded(items)[1] == (("a.yaml", 2, 3),)


def test_the_work_is_linear_in_the_size_of_a_bad_file() -> None:
    """Twice as much text takes less than 2.5 times the calls, from reading to the report."""
    numbers = [
        _calls(lambda size=size: report_of(loaded(LANTERNS, "---\na: \x01\n" * size))) for size in (500, 1_000)
    ]
    assert numbers[1] < 2.5 * numbers[0]


def _calls(work: Callable[[], Report]) -> int:
    """How many functions are called, generators that go on included."""
    number = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        report = work()
        for form in FORMATS:
            render_report(report, form)
    finally:
        sys.setprofile(None)
    return number


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_what_is_left_out(form: Any) -> None:
    found = loaded(LANTERNS, "".join(f"a{line}: \x01\n" for line in range(450)), "", SCENARIO)
    text = render_report(report_of(found), form)
    if form == "json":
        data = json.loads(text)
        assert data["omitted"] == [{"path": "zzz.yaml", "errors": 350, "warnings": 0}]
        assert data["summary"]["errors"] == 450
        assert data["unchecked"]["scenario"] == 1
    elif form == "sarif":
        (run,) = json.loads(text)["runs"]
        told = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
        assert told[0] == "…and 350 more findings in zzz.yaml; fix these first"
        assert told[1].startswith("1 scenario")
        assert len(run["results"]) == MOST_IN_FILE
    elif form == "junit":
        out = ElementTree.fromstring(text).findtext("testsuite/system-out")
        assert out is not None
        assert out.startswith("…and 350 more findings in zzz.yaml")
    else:
        assert "…and 350 more findings in zzz.yaml; fix these first" in text
        assert "not checked because the rules have errors" in text
