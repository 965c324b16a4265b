"""The result of a study as data: what `--json` prints, and what the other formats show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import attrs
from attrs import frozen

from rulewright.interpreter.views.names import Open, parsed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.scenario import WeighedGroup
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.message import format_message
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools import VERSION
from rulewright.tools.balance.estimates import ComparedDefinition, Estimates, Weighed
from rulewright.tools.balance.interventions import Pair
from rulewright.tools.balance.study import SEEN, Study, StudyFaults
from rulewright.tools.balance.subjects import StudyGrouping, Subject, subjects
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import RANDOM

Report = dict[str, Any]


@frozen
class ReportNames:
    """Names for people: `definition` of a definition, `kind` of a kind, `group` of a group.

    `text` is a text of the pack by its key; empty if there is none.
    """

    definition: Callable[[Subject], str]
    kind: Callable[[str], str]
    group: Callable[[WeighedGroup], str] = lambda group: group.key
    text: Callable[[str], str] = lambda _: ""

    def of(self, kind: str, group: str, grouping: StudyGrouping) -> str:
        """Return the name of one of a group or, without one, of its kind."""
        named = next((one for one in grouping.groups if one.key == group), None)
        return self.kind(kind) if named is None else self.group(named)


def report(study: Study, names: ReportNames) -> Report:
    """Return the result; what could not be estimated is null."""
    program, request, summary = study.request.program, study.request, study.summary
    best = {(one.subject, one.choice): one for one in study.weighed}
    seen = {name for (_, name), count in study.sample.offered.items() if count >= SEEN}
    return {
        "pack": program.pack,
        "version": program.version,
        "hash": program_hash(program),
        "rulewright": VERSION,
        "players": program.seats,
        "options": dict(program.options),
        "bot": request.bot or RANDOM,
        "seed": request.seed,
        "backend": study.backend,
        "interrupted": study.interrupted,
        "preliminary": study.preliminary,
        "games": {
            "watched": study.sample.games,
            "summed_up": summary.games,
            "screening_each": study.screened,
            "comparison_each": study.worlds,
            "pairs_each": study.paired,
            "failed": study.failed,
        },
        "faults": [_faults(one, names) for one in study.faults],
        "seats": [
            {"seat": n, "wins": s.wins, "share": s.share, "low": s.low, "high": s.high, "score": s.score}
            for n, s in enumerate(summary.seats, 1)
        ],
        "no_winner": summary.no_winner,
        "shared_wins": summary.shared,
        "length": {
            "mean": summary.mean_length,
            **dict(zip(("low", "median", "high"), summary.lengths, strict=True)),
        },
        "margin": summary.margin,
        "lead_changes": _per_game(study.sample.lead_changes, study.sample.games),
        "ranked_by": study.measure,
        "definitions": [_definition(one, study, names) for one in study.weighed],
        "choices": [_choice(one, (one.subject, one.choice) in best, names) for one in study.compared],
        "pairs": [_pair(one, names) for one in study.pairs],
        "free": None,
        "change": None,
        "never_offered": [
            {"id": one.name, "kind": one.kind, "name": harmless(names.definition(one))}
            for one in subjects(program, request.kinds)
            if one.name not in seen
        ],
    }


def _faults(one: StudyFaults, names: ReportNames) -> Report:
    return {
        "games": one.games,
        "how": one.how,
        "id": one.subject.name if one.subject else None,
        "name": harmless(names.definition(one.subject)) if one.subject else None,
        "code": one.why.code if one.why else None,
        "rule": (one.why.rule or None) if one.why else None,
        "place": (one.why.place or None) if one.why else None,
    }


def _definition(one: Weighed, study: Study, names: ReportNames) -> Report:
    compared = next(c for c in study.compared if (c.subject, c.choice) == (one.subject, one.choice))
    return {
        "id": one.subject.name,
        "kind": one.subject.kind,
        "group": one.group or None,
        "kind_name": harmless(names.of(one.subject.kind, one.group, study.request.grouping)),
        "name": harmless(names.definition(one.subject)),
        "choice": one.choice,
        "rank": one.rank,
        "of": one.of,
        "stands_out": one.stands_out or None,
        "significant": one.significant,
        "offered": compared.offered,
        "chosen": compared.chosen,
        "taken": _estimates(one.taken),
        "as_is": _estimates(one.as_is),
        "nobody": _estimates(one.nobody),
        "observed": {
            name: {"mean": effect.mean, "low": effect.low, "high": effect.high, "p": effect.p}
            for name, effect in (study.observed.get((one.subject.name, one.choice)) or {}).items()
        },
    }


def _choice(one: ComparedDefinition, matters_most: bool, names: ReportNames) -> Report:
    return {
        "id": one.subject.name,
        "name": harmless(names.definition(one.subject)),
        "choice": one.choice,
        "offered": one.offered,
        "chosen": one.chosen,
        "matters_most": matters_most,
        "taken": _estimates(one.taken),
        "as_is": _estimates(one.as_is),
        "nobody": _estimates(one.nobody),
    }


def free_report(field: str, found: dict[Subject, Estimates]) -> Report:
    """Return what definitions are worth where a field of them is 0."""
    return {"field": field, "definitions": {one.name: _estimates(taken) for one, taken in found.items()}}


def _pair(one: Pair, names: ReportNames) -> Report:
    return {
        "ids": [subject.name for subject in one.subjects],
        "names": [harmless(names.definition(subject)) for subject in one.subjects],
        "choice": one.choice,
        "worlds": one.worlds,
        "beyond": attrs.asdict(one.beyond),
        "says": one.says or None,
    }


def _estimates(found: Estimates) -> Report:
    measures = {
        name: {"mean": one.mean, "low": one.low, "high": one.high, "p": one.p}
        for name, one in found.by_measure.items()
    }
    return {"worlds": found.worlds, "changed": found.share, **measures}


def _per_game(number: int | None, games: int) -> float | None:
    return None if number is None or not games else number / games


# ---- What people ask a study for: bot, kinds, and names in its report. It works without the extra

NEEDED = ("numpy", "scipy", "altair", "vl_convert")
"""Modules of the extra."""
EXTRA = "rulewright[lab]"


def missing_package() -> str | None:
    """Return a package that studies need and that is not installed; None if all are."""
    return next((name for name in NEEDED if find_spec(name) is None), None)


def seated_bot(given: str | None, program: Program) -> str:
    """Return the bot in all seats: the named one, else the first of the pack, else empty for random players.

    Raises Usage for an unknown one.
    """
    known = [bot.key for bot in program.bots]
    if given is None:
        return known[0] if known else ""
    if given == RANDOM:
        return ""
    if given not in known:
        near = nearest(given, (RANDOM, *known))
        hint = (
            f"did you mean {near}?"
            if near
            else "balance needs thousands of games, so bots that search are too slow"
        )
        raise Usage(f"unknown bot {given!r}: expected {', '.join((RANDOM, *known))}; {hint}")
    return given


def chosen_kinds(given: Sequence[str], program: Program) -> tuple[str, ...]:
    """Return the kinds that are weighed, none for all. Raises Usage for an unknown one."""
    known = [kind.key for kind in program.kinds]
    for kind in given:
        if kind not in known:
            near = nearest(kind, known)
            hint = f"; did you mean {near}?" if near else ""
            raise Usage(f"unknown kind {kind!r}: expected {', '.join(known)}{hint}")
    return tuple(given)


def number_fields(program: Program) -> tuple[str, ...]:
    """Return the fields with one number, of kinds that have definitions: a price, say."""
    defined = {one.kind for one in program.definitions}
    kinds = (kind for kind in program.kinds if kind.key in defined)
    found = (one.key for kind in kinds for one in kind.fields if one.type.name == "number" and not one.many)
    return tuple(sorted({*found}))


def chosen_field(given: str, program: Program) -> str:
    """Return the number that is 0 where definitions are weighed at no cost. Raises Usage for an unknown one."""
    known = number_fields(program)
    if given not in known:
        near = nearest(given, known)
        hint = f"; did you mean {near}?" if near else ""
        raise Usage(f"--free requires a field with a number: {', '.join(known) or 'no kind has one'}{hint}")
    return given


def names_of(table: TableProgram, program: Program) -> ReportNames:
    """Return the names of a report, in English if the pack has it."""
    texts = PackTexts(table, program)
    language = program.languages[0] if "en" not in program.languages and program.languages else "en"

    def name(one: Subject) -> str:
        """Return the name of a definition, of one where it depends on their number."""
        text = texts.definition(language, one.kind, one.key) or one.key
        return format_message(parsed(text), Open(count=1), language) if "{" in text else text

    return ReportNames(
        name,
        lambda kind: texts.text(language, f"kind/{kind}") or kind,
        lambda group: dict(group.names).get(language) or next((name for _, name in group.names), group.key),
        lambda key: texts.text(language, key) or "",
    )
