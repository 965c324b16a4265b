"""What a change of the rules did, as data and in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.balance.estimates import Ends, Estimate, Numbers, Weighed, difference_of, mean_of, standing
from rulewright.tools.balance.interventions import LeaningPlayer
from rulewright.tools.balance.output.report import ReportNames
from rulewright.tools.balance.output.sentences import LISTED, amount, listed
from rulewright.tools.balance.study import Study
from rulewright.tools.balance.subjects import Subject

# ---- What a change of the rules did: the differences between the studies of two tables

PAIRED = 5000
"""Games that are played at both tables."""


@frozen
class DefinitionChange:
    """A definition before and after; None where it was not weighed, or is not in the game.

    `effects` are those of taking it, at the same choice, in the measure that ranks definitions after the change;
    `difference` is that of the two.
    """

    subject: Subject
    before: Weighed | None
    after: Weighed | None
    effects: tuple[Estimate | None, Estimate | None]
    difference: Estimate | None
    significant: bool


@frozen
class Changes:
    """What differs between two tables.

    `games` is the number of games that both tables played from the same numbers and seed. The estimates are over
    these pairs: of the decisions in a game, of how far the best score is ahead (None without scores), and of the
    share of games that each seat wins, in the order of the seats; empty with different numbers of seats.
    """

    games: int
    decisions: Estimate | None
    margin: Estimate | None
    wins: tuple[Estimate, ...]
    definitions: tuple[DefinitionChange, ...]


def changes(before: Study, after: Study) -> Changes:
    """Compare two studies, and play the same games at both tables."""
    first, second = (_as_is(study) for study in (before, after))
    kept = ~(first.failed | second.failed)
    margins = [_margins(found) for found in (first, second)]
    scored = any(margin is not None and margin.any() for margin in margins)
    difference = None
    if scored and margins[0] is not None and margins[1] is not None:
        difference = mean_of((margins[1] - margins[0])[kept])
    seats = range(first.seats) if first.seats == second.seats else ()
    wins = (mean_of((second.winners[seat] - first.winners[seat])[kept], 1) for seat in seats)
    return Changes(
        int(kept.sum()),
        mean_of((second.decisions - first.decisions)[kept]),
        difference,
        tuple(one for one in wins if one is not None),
        _changed_definitions(before, after),
    )


def _as_is(study: Study) -> Ends:
    request = study.request
    found = LeaningPlayer(request.program, request.bot, (), request.seed).as_is(0, PAIRED)
    assert found is not None  # nothing stops it
    return found


def _margins(found: Ends) -> Numbers | None:
    """Return by how much the best score is ahead of the second in each game; None with one seat."""
    if found.seats < 2:
        return None
    ordered = np.sort(found.scores, axis=0)
    return np.asarray(ordered[-1] - ordered[-2])


def _changed_definitions(before: Study, after: Study) -> tuple[DefinitionChange, ...]:
    """Return what happened to each definition: those that changed most surely first."""
    measure = after.measure
    then, now = ({one.subject: one for one in study.weighed} for study in (before, after))
    subjects = list(dict.fromkeys((*now, *then)))
    effects = []
    for subject in subjects:
        choice = (now.get(subject) or then[subject]).choice
        effects.append((_effect(before, subject, choice, measure), _effect(after, subject, choice, measure)))
    differences = [difference_of(was, now) if was and now else None for was, now in effects]
    stands = iter(standing([one.p for one in differences if one is not None]))
    found = [
        DefinitionChange(one, then.get(one), now.get(one), pair, each, each is not None and next(stands))
        for one, pair, each in zip(subjects, effects, differences, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: -abs(one.difference.mean) if one.difference else 0.0))


def _effect(study: Study, subject: Subject, choice: str, measure: str) -> Estimate | None:
    found = (one for one in study.compared if (one.subject, one.choice) == (subject, choice))
    return next((one.taken.by_measure.get(measure) for one in found), None)


Report = dict[str, Any]
_SAID = (
    ("decisions", "The number of decisions in a game is {}", "larger", "smaller"),
    ("margin", "The best score is {} points", "further ahead", "less far ahead"),
)


def change_report(changes: Changes, before: Study, after: Study, names: tuple[ReportNames, ReportNames]) -> Report:
    """Return the differences as data; `names` are those of both tables. What could not be estimated is null."""
    return {
        "from": _table(before),
        "to": _table(after),
        "games": changes.games,
        "decisions": _estimate(changes.decisions),
        "margin": _estimate(changes.margin),
        "wins": [_estimate(one) for one in changes.wins],
        "measure": after.measure,
        "definitions": [_definition(one, names) for one in changes.definitions],
        "interrupted": before.interrupted or after.interrupted,
    }


def _table(study: Study) -> Report:
    program = study.request.program
    return {
        "pack": program.pack,
        "version": program.version,
        "hash": program_hash(program),
        "options": dict(program.options),
    }


def _definition(one: DefinitionChange, names: tuple[ReportNames, ReportNames]) -> Report:
    named = names[1] if one.after is not None else names[0]
    return {
        "id": one.subject.name,
        "kind": one.subject.kind,
        "name": harmless(named.definition(one.subject)),
        "rank_before": one.before.rank if one.before is not None else None,
        "rank_after": one.after.rank if one.after is not None else None,
        "before": _estimate(one.effects[0]),
        "after": _estimate(one.effects[1]),
        "difference": _estimate(one.difference),
        "significant": one.significant,
    }


def _estimate(one: Estimate | None) -> Report | None:
    return None if one is None else attrs.asdict(one)


# ------------------------------------------------------------------ sentences

def change_sentences(report: Report) -> list[str]:
    """Return what changed, in sentences: only what chance does not explain."""
    found = [*_definitions(report), *_games(report)]
    return found or ["No difference was found that is larger than chance explains."]


def change_title(report: Report) -> str:
    """Return the heading of the section."""
    before, after = _side(report["from"]), _side(report["to"])
    return (
        f"What the change did: from {before} to {after}" if before != after else f"What the change of {after} did"
    )


def _side(table: Report) -> str:
    return f"{table['pack']} {table['version']}"


def change_rows(report: Report) -> list[Report]:
    """Return the rows of the table as text, with `significant`: those that changed most first."""
    measure = report["measure"]
    return [
        {
            "name": one["name"],
            "was": amount(one["before"], measure, unit=False),
            "is": amount(one["after"], measure, unit=False),
            "more": amount(one["difference"], measure, unit=False),
            "ranks": f"{one['rank_before'] or '–'} → {one['rank_after'] or '–'}",
            "significant": one["significant"],
        }
        for one in report["definitions"]
    ]


def _definitions(report: Report) -> Iterator[str]:
    measure = report["measure"]
    changed = [one for one in report["definitions"] if one["significant"]]
    for one in changed[:LISTED]:
        stronger = "stronger" if one["difference"]["mean"] > 0 else "weaker"
        ranks = one["rank_before"], one["rank_after"]
        place = f", from rank {ranks[0]} to {ranks[1]}" if None not in ranks and ranks[0] != ranks[1] else ""
        yield f"{one['name']} became {stronger}: {amount(one['difference'], measure)}{place}."
    if len(changed) > LISTED:
        yield f"{len(changed) - LISTED} more definitions changed; the table has them."
    for key, says in (("before", "weighed only after the change"), ("after", "weighed only before the change")):
        names = [one["name"] for one in report["definitions"] if one[key] is None]
        if names and len(names) < len(report["definitions"]):
            yield f"{says[0].upper()}{says[1:]}: {listed(names)}."


def _games(report: Report) -> Iterator[str]:
    first = report["wins"][0] if report["wins"] else None
    if first is not None and _sure(first):
        more = "more" if first["mean"] > 0 else "fewer"
        yield f"The first seat wins {more} games: {amount(first, 'win')}."
    for key, says, more, fewer in _SAID:
        one = report[key]
        if one is not None and _sure(one) and round(abs(one["mean"]), 1):  # 0.04 decisions matter to nobody
            low, high = sorted(abs(one[end]) for end in ("low", "high"))
            said = says.format(f"{abs(one['mean']):.1f} ({low:.1f} to {high:.1f})")
            yield f"{said} {more if one['mean'] > 0 else fewer}."


def _sure(one: Report) -> bool:
    return bool(one["low"] > 0 or one["high"] < 0)
