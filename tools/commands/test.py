"""`rulewright test`: run the scenarios of packs, and report which branches of their rules are reached.

A failed scenario is reported like a finding: the place of the wrong expectation, and the rule that caused the
actual value.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Suppressed
from rulewright.ruleset.findings.render import render_report
from rulewright.ruleset.findings.render.json_format import location_data, report_data
from rulewright.ruleset.findings.report import PackReport, Report
from rulewright.ruleset.program.nodes import Program
from rulewright.tools import VERSION
from rulewright.tools.common.errors import CLEAN, FINDINGS, Usage
from rulewright.tools.common.output import many, say, say_data, style_for
from rulewright.tools.common.progress import Progress
from rulewright.tools.packs import discovery, loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.scenarios.coverage import Coverage, Point, findings
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import ScenarioOutcome, Stages, Wrong, unset


@frozen
class TestArguments:
    """The arguments of the command. Without `packs`, the enclosing pack or those below."""

    packs: tuple[str, ...]
    only: str | None
    form: str
    coverage: bool
    games: int
    seed: int
    verbose: bool
    strict: bool
    more: tuple[str, ...] = ()
    compare: bool = False
    shipped: bool = False


@frozen
class _Tested:
    """The result for one pack."""

    name: str
    outcomes: tuple[ScenarioOutcome, ...]
    report: PackReport
    points: tuple[Point, ...] = ()
    refused: bool = False
    """Whether it has errors, so that no scenario was played."""


def test(arguments: TestArguments) -> int:
    """Play the scenarios; return 1 if one fails or, with `strict`, if there are warnings."""
    asked = _asked(arguments)
    if arguments.compare:
        return _compare(asked, arguments)
    tested = [_tried(with_more(pack, arguments.more), arguments, len(asked) == 1) for pack in asked]
    report = Report(tuple(one.report for one in tested), arguments.strict, VERSION)
    style = style_for(sys.stdout)
    if arguments.form == "full" and arguments.verbose:
        for one in tested:
            _list(one)
    if arguments.form == "json":
        say_data(_data(report, tested))
    else:
        sys.stdout.write(render_report(report, arguments.form, style))
    if arguments.form == "full":
        for one in tested:
            _summary(one)
    if arguments.only and not any(one.outcomes or one.refused or one.report.skipped for one in tested):
        raise Usage(f"no scenario has {arguments.only!r} in its title or source; rulewright test -v lists them all")
    errors, warnings = report.counts
    return FINDINGS if errors or (arguments.strict and warnings) else CLEAN


def _compare(asked: tuple[str, ...], arguments: TestArguments) -> int:
    from rulewright.tools.scenarios.compare_outcomes import compare

    if not arguments.more or len(asked) != 1 or arguments.form not in ("full", "json"):
        raise Usage("--compare requires one PACK, house rules (--with PACK), and --format full or json")
    return compare(asked[0], arguments.more, arguments.only, arguments.form == "json")


def _asked(arguments: TestArguments) -> tuple[str, ...]:
    """Return the packs to test, each as a path or a name."""
    shipped = [str(root) for root in loading.shipped().values()] if arguments.shipped else []
    named = [pack for text in arguments.packs for pack in loading.whole(text)]
    asked = tuple(dict.fromkeys([*shipped, *named])) or tuple(map(str, loading.here()))
    discovery.report(map(Path, asked))
    return asked


def _tried(pack: str, arguments: TestArguments, alone: bool) -> _Tested:
    """Test one pack. Errors in one pack do not prevent tests of others, or reports.

    If it is `alone` and the report is text, its errors are the failure of the command.
    """
    try:
        return _tested(pack, arguments)
    except loading.PacksRefused as failure:
        if alone and arguments.form == "full":
            raise
        return _Tested(failure.found.name or pack, (), failure.found, refused=True)


def _tested(pack: str, arguments: TestArguments) -> _Tested:
    compiled = loading.compile_pack(pack, scenarios=True, covering=arguments.coverage)
    program = compiled.program
    chosen = tuple(one for one in program.scenarios if arguments.only is None or one.matches(arguments.only))
    stages = Stages(program, chosen)
    played = tuple(perform(stages, one) for one in chosen)
    not_set = unset(played, compiled)
    lost = {outcome.scenario.span for outcome, _ in not_set}
    outcomes = tuple(one for one in played if one.scenario.span not in lost)
    cases = [(one.scenario, tuple(diagnostic(wrong, one) for wrong in one.wrong)) for one in outcomes]
    found = [item for _, items in cases for item in items]
    suppressed: tuple[Suppressed, ...] = ()
    points: tuple[Point, ...] = ()
    if arguments.coverage:
        points = _covered(program, outcomes, arguments)
        warnings, suppressed = findings(points, compiled.sources)
        found += warnings
    left_out = tuple(
        one
        for one in (*compiled.skipped, *(one for _, one in not_set))
        if one.category == "scenario" and (arguments.only is None or one.matches(arguments.only))
    )
    files = tuple(path for path in compiled.sources if any(one.span.path == path for one in chosen))
    if arguments.coverage:
        files = tuple(compiled.sources)
    named = tuple((scenario.title, scenario.span.path, items) for scenario, items in cases)
    if points:
        named = (*named, ("every branch is reached", "", tuple(item for item in found if item.code == "RW721")))
    report = PackReport(
        program.pack, files, tuple(found), suppressed, compiled.sources, named, compiled.owners, (), (), left_out
    )
    return _Tested(program.pack, outcomes, report, points)


def _covered(program: Program, outcomes: Sequence[ScenarioOutcome], arguments: TestArguments) -> tuple[Point, ...]:
    coverage = Coverage(program)
    for outcome in outcomes:
        coverage.add(outcome)
    with Progress(arguments.games) as progress:
        coverage.play(arguments.games, arguments.seed, progress.done)
    return coverage.points()


def diagnostic(wrong: Wrong, outcome: ScenarioOutcome) -> Diagnostic:
    """Turn a failed expectation into a finding."""
    labels: tuple[Label, ...] = ()
    if wrong.rule is not None and wrong.rule.span.path:
        labels = (Label(wrong.rule.span, wrong.part),)
    hint = "; ".join(wrong.details) or None
    return Diagnostic("RW711", wrong.span, wrong.message, hint, labels)


def _list(tested: _Tested) -> None:
    for outcome in tested.outcomes:
        say(f"{'failed' if outcome.wrong else 'passed':<7}  {outcome.scenario.title}")
    for skipped in tested.report.skipped:
        say(f"skipped  {skipped.name} ({skipped.reason})")
    for point in tested.points:
        reached = f"{point.scenarios} in scenarios, {point.games} in games"
        say(f"{reached:>34}  {point.name}  ({point.source.span})")


def _data(report: Report, tested: Sequence[_Tested]) -> dict[str, Any]:
    """Return the report as data for JSON, with every scenario and how many there are of each outcome."""
    data = report_data(report)
    scenarios = [one for pack in tested for one in _scenarios(pack)]
    data["scenarios"] = scenarios
    data["summary"]["scenarios"] = {
        outcome: sum(1 for one in scenarios if one["outcome"] == outcome)
        for outcome in ("passed", "failed", "skipped")
    }
    data["summary"]["not-tested"] = [pack.name for pack in tested if pack.refused]
    return data


def _scenarios(tested: _Tested) -> Iterator[dict[str, Any]]:
    """Yield the scenarios of a pack: those that were played, then those that were skipped, each in their order."""
    owners = tested.report.owners
    for outcome in tested.outcomes:
        one = outcome.scenario
        yield {
            "pack": tested.name, "title": one.title, "source": one.source or None,
            "location": location_data(one.span, owners), "outcome": "failed" if outcome.wrong else "passed",
            "messages": [wrong.message for wrong in outcome.wrong],
        }  # fmt: skip
    for skipped in tested.report.skipped:
        yield {
            "pack": tested.name, "title": skipped.name, "source": skipped.source or None,
            "location": location_data(skipped.span, owners), "outcome": "skipped", "messages": [skipped.reason],
        }  # fmt: skip


def _summary(tested: _Tested) -> None:
    if tested.refused:
        say(f"{tested.name}: not tested, because it has errors")
        return
    failed = sum(1 for outcome in tested.outcomes if outcome.wrong)
    passed, skipped = len(tested.outcomes) - failed, len(tested.report.skipped)
    counts = ((failed, "failed"), (passed, "passed"), (skipped, "skipped"))
    said = ", ".join(f"{count:,} {result}" for count, result in counts if count)
    say(f"{tested.name}: {said or 'no scenarios'}")
    if tested.points:
        _reached(tested)


def _reached(tested: _Tested) -> None:
    """Print the counts of a coverage report, and the unreached branches that comments allow."""
    reached = sum(1 for point in tested.points if point.reached)
    by_scenarios = sum(1 for point in tested.points if point.scenarios)
    allowed = tested.report.suppressed
    line = f"{reached:,} of {many(len(tested.points), 'branch', 'branches')} reached, {by_scenarios:,} by scenarios"
    if allowed:
        line += f"; {many(len(allowed), 'unreached branch is', 'unreached branches are')} allowed by comments:"
    say(line)
    for item in allowed:
        say(f"  {item.finding.span}: {item.finding.message}: {item.reason}")
