"""The properties that must hold for every pack, also for a broken one."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import RandomPlayer
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic, Span
from rulewright.ruleset.findings.causes import groups
from rulewright.ruleset.findings.render import FORMATS, render_report
from rulewright.ruleset.findings.report import PackReport, Report
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table.nodes import ASKED, ASKING, D_STATE, OVER, STATUS
from rulewright.tools.packs import findings_cache as cache

Files = tuple[tuple[str, bytes], ...]
MOST_STOPS = 60
"""How often a game may ask before the playout ends."""
TOP = "with-"
"""How the folders of packs begin that stand on top of a game; all other files are the game's."""


def check(files: Files) -> str:
    """Raises whatever is raised, or AssertionError; else a word for how far the pack came."""
    game, *more = packs_of(files)
    loaded = load_files(game, more=more)
    if more:
        _same(loaded, load_files(more[-1], more=[*more[-2::-1], game]))
    spans_lie_within(loaded, files)
    rendered(loaded, files)
    for finding in loaded.findings:
        assert cache._finding(json.loads(json.dumps(cache._data(finding)))) == finding
    if loaded.program is None:
        assert loaded.errors, "no program and no error"
        return "errors"
    return _played(loaded.program)


def packs_of(files: Files) -> list[PackFiles]:
    """The game, then the packs on top of it."""
    packs: dict[str, list[tuple[str, bytes]]] = {"": []}
    for name, data in files:
        folder = name.partition("/")[0]
        packs.setdefault(folder if folder.startswith(TOP) else "", []).append((name, data))
    return [PackFiles(Path(name), tuple(own)) for name, own in packs.items() if own or len(packs) == 1]


def _same(one: Loaded, other: Loaded) -> None:
    """The order in which packs are named means nothing, nor does what was loaded before."""
    assert one.findings == other.findings, "the order in which packs are named makes other findings"
    assert one.program == other.program, "the order in which packs are named makes another program"
    assert one.heads == other.heads and one.owners == other.owners


# ------------------------------------------------------------------ findings

def _spans(loaded: Loaded) -> Iterator[Span]:
    def of(finding: Diagnostic) -> Iterator[Span]:
        yield finding.span
        yield from (label.span for label in finding.labels)

    for finding in loaded.findings:
        yield from of(finding)
    for one in loaded.suppressed:
        yield from of(one.finding)
        yield one.comment


def spans_lie_within(loaded: Loaded, files: Files) -> None:
    """All places of findings are in the files."""
    for span in _spans(loaded):
        _lies_within(span, loaded.sources, dict(files))


def _lies_within(span: Span, sources: Mapping[str, str], files: Mapping[str, bytes]) -> None:
    if span == NOWHERE:
        return
    start, end = (span.line, span.column), (span.end_line, span.end_column)
    assert (1, 1) <= start <= end and min(*start, *end) >= 1, f"{span} ends before it begins"
    if span.path not in sources:
        assert span.path in files or not files, f"{span} is in no file"
        return
    lines = sources[span.path].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for line, column in (start, end):
        assert line <= len(lines), f"{span}: there are {len(lines)} lines"
        assert column <= len(lines[line - 1]) + 1, f"{span}: line {line} has {len(lines[line - 1])} columns"


def rendered(loaded: Loaded, files: Files) -> None:
    """Every format holds all findings."""
    names = tuple(name for name, _ in files)
    pack = PackReport(
        loaded.pack, names, loaded.findings, loaded.suppressed, loaded.sources,
        unchecked=loaded.unchecked, omitted=loaded.omitted,
    )  # fmt: skip
    report = Report((pack,))
    texts = {format: render_report(report, format) for format in FORMATS}
    told = json.loads(texts["json"])
    assert [item["code"] for item in told["findings"]] == [item.code for item in loaded.findings]
    results = json.loads(texts["sarif"])["runs"][0]["results"]
    assert len(results) == len(loaded.findings) + len(loaded.suppressed)
    root = ElementTree.fromstring(texts["junit"])
    assert int(root.get("tests", "")) == len(root.findall("testsuite/testcase"))
    grouped = groups(report.findings, report.sources)
    assert Counter(item for group in grouped for item in group) == Counter(report.findings)
    lines = len(grouped) + len(report.notes)
    assert texts["concise"].count("\n") == texts["github"].count("\n") == lines


# ------------------------------------------------------------------ playing

def _played(program: Program) -> str:
    try:
        table = lower(program, program.least_players)
    except TableError:
        return "no table"
    try:
        game = Game.start(table, 1)
        for seat in range(table.seats):
            game.view(seat)
    except RuleFault:
        return "rule fault"
    backend, player, stream = make(table), RandomPlayer(table), Stream(1)
    state = backend.start(1)
    for _ in range(MOST_STOPS):
        try:
            backend.run(state)
        except RuleError:
            return "rule fault"
        if state[STATUS] == OVER:
            return "result"
        assert state[STATUS] == ASKING
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                backend.answer(state, seat, player.choose(state, seat, stream))
    return "stopped"
