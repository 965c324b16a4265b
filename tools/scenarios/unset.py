"""Skip scenarios whose position cannot be set up because of unknown packs.

A pack that leaves a game only one card of a name, or changes the supply, is not wrong, and neither is the game's
scenario that needs two. As for removed names (`check.house_rules.strangers`), this is certain: without the unknown
packs the position can be set up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.findings.skipped import Skipped
from rulewright.ruleset.packs.resolve import Resolved, resolve
from rulewright.ruleset.pipeline import load_files
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.pack_set import head_in
from rulewright.tools.scenarios.outcome import Outcome
from rulewright.tools.scenarios.stage import StageError, Stages


def unset(outcomes: Sequence[Outcome], compiled: Compiled) -> tuple[tuple[Outcome, Skipped], ...]:
    """Return the outcomes that are caused by unknown packs, each with its report."""
    lost: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        pack = compiled.owners.get(outcome.scenario.span.path)
        if pack is not None and outcome.wrong and outcome.table is None:
            lost.setdefault(pack, []).append(outcome)
    if not lost:
        return ()
    files = {head.pack: one for one in compiled.packs.files if (head := head_in(one)) is not None}
    heads = [head for one in files.values() if (head := head_in(one)) is not None]
    resolved = resolve(heads, lambda name: None)
    found: list[tuple[Outcome, Skipped]] = []
    for pack, of_pack in lost.items():
        known = resolved.comes_after[pack] | {pack}
        first, *more = (files[head.pack] for head in resolved.order if head.pack in known)
        program = load_files(first, more=more).program
        if len(known) < len(resolved.order) and program is not None:
            alone = Stages(program, program.scenarios)
            found.extend((outcome, _skipped(outcome, pack, known, resolved)) for outcome in _staged(of_pack, alone))
    return tuple(found)


def _staged(outcomes: Sequence[Outcome], alone: Stages) -> Iterator[Outcome]:
    """Yield the outcomes whose scenarios can be set up in another program."""
    theirs = {one.span: one for one in alone.scenarios}
    for outcome in outcomes:
        scenario = theirs.get(outcome.scenario.span)
        if scenario is not None:
            try:
                alone.stage(scenario, bare=True)
            except StageError:
                continue
            yield outcome


def _skipped(outcome: Outcome, pack: str, known: frozenset[str], resolved: Resolved) -> Skipped:
    scenario, wrong = outcome.scenario, outcome.wrong[0]
    strangers = [head for head in resolved.order if head.pack not in known]
    names = [head.pack for head in strangers]
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    finding = Diagnostic("RW711", wrong.span, wrong.message)
    return Skipped(
        "scenario", scenario.title, scenario.source, scenario.span, pack, finding, tuple(names),
        f"with {listed}, {wrong.message.partition(': ')[0]}", strangers[0].span,
    )  # fmt: skip
