"""SARIF against its schema and JUnit in an XML reader, both compared with the findings."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.validators import validator_for

from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic, Label, Span, Suppressed
from rulewright.ruleset.findings.catalogue import CATALOGUE
from rulewright.ruleset.findings.causes import ordered
from rulewright.ruleset.findings.render import FORMATS, render, render_report
from rulewright.ruleset.findings.report import PackReport, Report
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from tests.ruleset.test_chunks import BAD, BASE

SCHEMA = Path(__file__).parents[2] / "data" / "sarif-2.1.0-rtm.5.json"
TEXT = "verb: rest(s)\ndo: draw 1 #two\ntext: 𝄞 so #it\n"
LOST = Diagnostic("RW111", Span("packs/a pack/é#.yaml", 2, 12, 2, 16), "`#two` is lost", "quote the whole")
WRONG = Diagnostic(
    "RW425",
    Span("packs/a pack/é#.yaml", 2, 5, 2, 9),
    "no such sentence",
    None,
    (Label(Span("other.yaml", 3, 1, 3, 4), "declared here"), Label(NOWHERE, "by the kernel")),
)
ALLOWED = Suppressed(
    Diagnostic("RW111", Span("packs/a pack/é#.yaml", 3, 12, 3, 15), "`#it` is lost"),
    "a remark",
    Span("packs/a pack/é#.yaml", 3, 17, 3, 40),
)
SOURCES = {"packs/a pack/é#.yaml": TEXT}


def report(*findings: Diagnostic, strict: bool = False, suppressed: tuple[Suppressed, ...] = ()) -> Report:
    files, items = ("packs/a pack/é#.yaml", "clean.yaml"), ordered(findings, SOURCES)
    pack = PackReport("a pack", files, items, suppressed, SOURCES)
    return Report((pack,), strict, "1.2.3")


# ------------------------------------------------------------------ SARIF

@cache
def sarif_schema() -> Any:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    return validator_for(schema)(schema)


def sarif(told: Report) -> dict[str, Any]:
    """The one run, after the whole was checked against the schema."""
    text = render_report(told, "sarif")
    assert text.isascii()
    log = json.loads(text)
    assert [error.message for error in sarif_schema().iter_errors(log)] == []
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_the_schema_can_refuse() -> None:
    log = json.loads(render_report(report(WRONG), "sarif"))
    log["runs"][0]["results"][0]["level"] = "bad"
    assert list(sarif_schema().iter_errors(log))


def test_sarif_of_nothing() -> None:
    run = sarif(report())
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["tool"]["driver"]["version"] == "1.2.3"


def test_sarif_results() -> None:
    run = sarif(report(LOST, WRONG, suppressed=(ALLOWED,)))
    lost, wrong, allowed = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["RW111", "RW425"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert rules[result["ruleIndex"]]["defaultConfiguration"]["level"] == result["level"]
    assert (wrong["level"], lost["level"]) == ("error", "warning")
    assert lost["message"]["text"] == "`#two` is lost\nhint: quote the whole"
    place = lost["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "packs/a%20pack/%C3%A9%23.yaml"
    assert place["region"] == {"startLine": 2, "startColumn": 12, "endLine": 2, "endColumn": 16}
    said = [related["message"]["text"] for related in wrong["relatedLocations"]]
    assert said == ["declared here", "by the kernel"]
    assert [related["id"] for related in wrong["relatedLocations"]] == [0, 1]
    assert "physicalLocation" not in wrong["relatedLocations"][1]
    assert (wrong["suppressions"], lost["suppressions"]) == ([], [])
    (suppression,) = allowed["suppressions"]
    assert (suppression["kind"], suppression["justification"]) == ("inSource", "a remark")
    assert suppression["location"]["physicalLocation"]["region"]["startColumn"] == 17


@pytest.mark.parametrize(
    ("path", "uri"),
    [("/tmp/a b.yaml", "file:///tmp/a%20b.yaml"), ("C:/a.yaml", "file:///C:/a.yaml"), ("../a.yaml", "../a.yaml")],
)
def test_sarif_paths(path: str, uri: str) -> None:
    (result,) = sarif(report(Diagnostic("RW604", Span(path, 1, 1, 1, 2), "m")))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_sarif_without_a_place() -> None:
    (result,) = sarif(report(Diagnostic("RW602", NOWHERE, "the pack is too large")))["results"]
    assert result["locations"] == []


def test_fingerprints_stay_when_lines_move() -> None:
    def prints(text: str) -> list[str]:
        found = load_files(PackFiles(Path(), (("base.yaml", BASE), ("a.yaml", text.encode()))))
        pack = PackReport("base", ("a.yaml",), found.findings, (), found.sources)
        results = sarif(Report((pack,)))["results"]
        return [next(iter(result["partialFingerprints"].values())) for result in results]

    text = "verb: doze(s)\ndo: |\n  darw 1\n  darw 1\n  darw 2\n"
    before = prints(text)
    assert len(set(before)) == 3
    assert prints("# a remark\n\n" + text) == before
    assert prints(text.replace("  darw 1\n", "    darw 1\n").replace("  darw 2", "    darw 2")) == before
    assert prints(text.replace("darw 2", "darw 3"))[:2] == before[:2]
    assert prints(text.replace("darw 2", "darw 3"))[2] != before[2]


@pytest.mark.slow
def test_sarif_of_every_code() -> None:
    """What the rules say of each code fits the schema, and a whole report does for some bad sources."""
    run = sarif(report(*(Diagnostic(code, Span("a.yaml", 1, 1, 1, 2), "m") for code in CATALOGUE)))
    assert len(run["tool"]["driver"]["rules"]) == len(CATALOGUE)
    packs = []
    some = BAD[::5]
    for path in some:
        found = load_files(PackFiles(Path(), (("base.yaml", BASE), (path.name, path.read_bytes()))))
        packs.append(PackReport(path.stem, (path.name,), found.findings, found.suppressed, found.sources))
    assert len(sarif(Report(tuple(packs)))["results"]) >= len(some)


# ------------------------------------------------------------------ JUnit

def junit(told: Report) -> ElementTree.Element:
    text = render_report(told, "junit")
    assert text.isascii()
    root = ElementTree.fromstring(text)
    suites = root.findall("testsuite")
    for suite in suites:
        assert len(suite.findall("testcase")) == int(suite.get("tests", ""))
        assert len(suite.findall("testcase/failure")) == int(suite.get("failures", ""))
    for count in ("tests", "failures"):
        assert int(root.get(count, "")) == sum(int(suite.get(count, "")) for suite in suites)
    return root


def cases(root: ElementTree.Element) -> dict[str | None, ElementTree.Element]:
    return {case.get("name"): case for case in root.iter("testcase")}


def test_junit_of_no_pack() -> None:
    assert junit(Report(())).get("tests") == "0"


def test_junit_has_a_case_for_each_file() -> None:
    root = junit(report(LOST, WRONG, suppressed=(ALLOWED,)))
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    found = cases(root)
    assert list(found["clean.yaml"]) == []
    failure = found["packs/a pack/é#.yaml"].find("failure")
    assert failure is not None
    assert failure.get("message") == "1 error and 1 warning"
    assert failure.get("type") == "RW111, RW425"
    assert failure.text == (
        "packs/a pack/é#.yaml:2:12: warning RW111 text-lost-to-comment: `#two` is lost\nhint: quote the whole\n"
        "packs/a pack/é#.yaml:2:5: error RW425 no-such-sentence: no such sentence"
    )


@pytest.mark.parametrize(("strict", "failures"), [(False, "0"), (True, "1")])
def test_junit_of_warnings(strict: bool, failures: str) -> None:
    root = junit(report(LOST, strict=strict))
    assert root.get("failures") == failures
    assert (cases(root)["packs/a pack/é#.yaml"].find("system-out") is None) is strict


def test_junit_of_files_that_nobody_listed() -> None:
    outside = Diagnostic("RW601", Span("outside.yaml", 1, 1, 1, 1), "m")
    root = junit(report(outside, Diagnostic("RW602", NOWHERE, "m")))
    assert set(cases(root)) == {"packs/a pack/é#.yaml", "clean.yaml", "outside.yaml", "a pack"}


ANYTHING = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)


@given(ANYTHING, ANYTHING, ANYTHING, st.booleans())
def test_any_text_can_be_written(message: str, hint: str, path: str, strict: bool) -> None:
    items = [Diagnostic("RW425", Span(path, 1, 1, 1, 2), message, hint), Diagnostic("RW111", NOWHERE, message)]
    told = Report((PackReport(message, (path,), items, (Suppressed(items[1], hint, items[0].span),)),), strict)
    junit(told)
    sarif(told)
    for format in FORMATS:
        assert render_report(told, format).endswith("\n")


def test_formats_are_known_to_render() -> None:
    assert {format for format in FORMATS if render([], {}, format)} == {"json", "junit", "sarif"}


def test_a_format_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="there is no format 'xml'; the formats are full, concise, json, github"):
        render([], {}, "xml")
