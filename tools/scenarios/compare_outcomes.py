"""`rulewright test PACK --with RULES --compare`: find scenarios of a game that house rules change.

A changed outcome is not a failure: a scenario describes the game without the house rules. The report shows what
happens instead. A scenario is skipped if it no longer applies, because it names something that the
house rules remove, or because its position cannot be set up any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.findings.causes import Skipped
from rulewright.ruleset.program.scenario import Scenario
from rulewright.tools.common.errors import CLEAN
from rulewright.tools.common.output import say, say_data
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import ScenarioOutcome, Stages, Wrong, unset


@frozen
class Changed:
    """A scenario with another outcome: its errors without the house rules, and with them."""

    title: str
    span: Span
    before: tuple[str, ...]
    after: tuple[str, ...]
    rule: Span | None = None
    pack: str = ""
    """The rule that caused the new outcome, if known, and its pack."""


@frozen
class ComparedScenarios:
    """The scenarios of a pack under house rules."""

    pack: str
    more: tuple[str, ...]
    whole: int
    changed: tuple[Changed, ...]
    skipped: tuple[Skipped, ...] = ()
    """Scenarios that no longer apply; they are counted in `whole`, too."""


def compare(pack: str, more: Sequence[str], only: str | None, as_json: bool) -> int:
    """Print the changed outcomes. They do not affect the exit code."""
    found = compared(pack, more, only)
    if as_json:
        say_data(_data(found))
    else:
        for line in _text(found):
            say(line)
    return CLEAN


def compared(pack: str, more: Sequence[str], only: str | None = None) -> ComparedScenarios:
    """Play the scenarios of a pack without and with house rules."""
    base = loading.compile_pack(pack, scenarios=True)
    chosen = [one for one in base.program.scenarios if only is None or one.matches(only)]
    before = _outcomes(base.program, chosen)
    under = loading.compile_pack(with_more(pack, more), scenarios=True)
    titled = {one.span for one in chosen}
    still = [one for one in under.program.scenarios if one.span in titled]
    played = _outcomes(under.program, still)
    gone = tuple(one for one in under.skipped if one.category == "scenario" and one.span in titled)
    not_set = unset(tuple(played.values()), under)
    skipped = (*gone, *(why for _, why in not_set))
    left_out = {*(one.span for one in gone), *(one.scenario.span for one, _ in not_set)}
    changed: list[Changed] = []
    for one in chosen:
        if one.span in left_out:
            continue
        was, now = before[one.span].wrong, played[one.span].wrong
        old, new = tuple(map(_told, was)), tuple(map(_told, now))
        if new != old:
            rule = next((wrong.rule for wrong in now if wrong.rule is not None), None)
            place, by = (rule.span, rule.pack) if rule is not None and rule.span.path else (None, "")
            changed.append(Changed(one.title, one.span, old, new, place, by))
    return ComparedScenarios(base.program.pack, tuple(more), len(chosen), tuple(changed), skipped)


def _outcomes(program: Any, scenarios: Sequence[Scenario]) -> dict[Span, ScenarioOutcome]:
    stages = Stages(program, tuple(scenarios))
    return {one.span: perform(stages, one) for one in scenarios}


def _told(wrong: Wrong) -> str:
    return "; ".join((wrong.message, *wrong.details))


# ------------------------------------------------------------------ output

def _text(found: ComparedScenarios) -> list[str]:
    lines = []
    for one in found.changed:
        lines.append(f"changed: {one.title}")
        lines.append(f"  {one.span}")
        lines.append(f"  before: {one.before[0] if one.before else 'passed'}")
        lines += [f"          {line}" for line in one.before[1:]]
        lines.append(f"  after:  {one.after[0] if one.after else 'passed'}")
        lines += [f"          {line}" for line in one.after[1:]]
        if one.rule is not None:
            lines.append(f"  rule:   {one.rule}{f' ({one.pack})' if one.pack else ''}")
        lines.append("")
    for skipped in found.skipped:
        lines += [f"skipped: {skipped.name}", f"  {skipped.span}", f"  reason: {skipped.reason}", ""]
    more = " and ".join(found.more)
    count = len(found.changed)
    same = found.whole - count - len(found.skipped)
    skips = f", {len(found.skipped)} skipped" if found.skipped else ""
    lines.append(f"{found.pack} with {more}: {count} changed, {same} unchanged{skips}")
    return lines


def _data(found: ComparedScenarios) -> dict[str, Any]:
    return {
        "version": 1,
        "pack": found.pack,
        "with": list(found.more),
        "scenarios": found.whole,
        "changed": [
            {
                "scenario": one.title,
                "file": one.span.path,
                "line": one.span.line,
                "before": list(one.before),
                "after": list(one.after),
                "rule": {"file": one.rule.path, "line": one.rule.line, "pack": one.pack} if one.rule else None,
            }
            for one in found.changed
        ],
        "skipped": [
            {
                "scenario": one.name,
                "file": one.span.path,
                "line": one.span.line,
                "by": list(one.by),
                "reason": one.reason,
                "at": {"file": one.at.path, "line": one.at.line},
            }
            for one in found.skipped
        ],
    }
