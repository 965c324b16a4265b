"""Headline sentences of a report, in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.balance.estimates import (
    HARDLY,
    Ends,
    Estimate,
    Numbers,
    Weighed,
    difference_of,
    mean_of,
    standing,
)
from rulewright.tools.balance.interventions import LeaningPlayer
from rulewright.tools.balance.output.report import ReportNames
from rulewright.tools.balance.study import Study
from rulewright.tools.balance.subjects import Subject
from rulewright.tools.common.output import many
from rulewright.tools.simulation.statistics import ENDLESS

Report = dict[str, Any]
FEW_PAIRS = 3
"""Pairs that a sentence lists at most."""
FEW_REASONS = 3
"""Reasons for games without an end that a sentence lists at most."""
LISTED = 6
"""Names that a sentence lists at most."""


def headlines(report: Report) -> list[str]:
    """Return the sentences, the most important first."""
    found = [*_stopped(report), *_unplayed(report), *_faults(report), *_outliers(report), *_kinds(report)]
    return [*found, *_harmful(report), *_pairs(report), *_games(report), *_never(report)]


def _unplayed(report: Report) -> Iterator[str]:
    """Iterate over the kinds that the bot hardly ever chooses, so that it cannot judge them."""
    for _, group in by_group(report):
        own = list(group)
        if unplayed(own):
            offered, chosen = (sum(one[key] for one in own) for key in ("offered", "chosen"))
            yield (
                f"{report['bot']} hardly ever chooses a {own[0]['kind_name']} ({chosen:,} of {offered:,} offers), "
                "so what it makes of them means little: use a bot that plays them (--bot), or teach this one."
            )


def unplayed(own: Sequence[Report]) -> bool:
    """Return whether the definitions of a kind were hardly ever chosen."""
    offered, chosen = (sum(one[key] for one in own) for key in ("offered", "chosen"))
    return len(own) > 1 and chosen < HARDLY * offered


def _faults(report: Report) -> Iterator[str]:
    """Iterate over the games that do not count: those that did not end, and those with a rule error."""
    for endless, says in ((True, "did not end"), (False, "ended with a rule error")):
        own = [one for one in report["faults"] if (one["code"] == ENDLESS) == endless]
        if not own:
            continue
        reasons = Counter[str]()
        for one in own:
            reasons[_reason(one)] += one["games"]
        games, most = reasons.total(), reasons.most_common(FEW_REASONS)
        parts = [f"{number:,} {reason}" for reason, number in most]
        if len(reasons) > FEW_REASONS:
            parts.append(f"{games - sum(number for _, number in most):,} for other reasons")
        few = " and does" if games == 1 else " and do"
        yield f"{many(games, 'game')} {says}{few} not count: {'; '.join(parts)}."


def _reason(one: Report) -> str:
    """Return what was played in games that do not count, and the rule that failed."""
    how = {
        "taken": f"in which a seat takes {one['name']}",
        "avoided": f"in which a seat avoids {one['name']}",
        "nobody": f"in which no player takes {one['name']}",
        "as they are": "as all bots play them",
    }.get(one["how"], "in which pairs were compared")
    if one["code"] == ENDLESS:
        return how
    return f"{how}, {one['code']}" + (f" in {one['rule']}" if one["rule"] else "")


def _stopped(report: Report) -> Iterator[str]:
    """Iterate over what a run that was stopped early means for its numbers."""
    if not report["interrupted"]:
        return
    if not report["definitions"]:
        yield "The run was stopped before definitions were compared: there are no estimates yet."
    elif report["preliminary"]:
        yield (
            "The run was stopped early, so the estimates are preliminary: they come from the worlds in which the "
            "best way to take each definition was chosen, and are a little too high."
        )
    else:
        yield "The run was stopped early: this is what was played until then."


def by_group(report: Report) -> Iterator[tuple[object, Iterator[Report]]]:
    """Iterate over the definitions that are weighed against each other."""
    return groupby(report["definitions"], lambda one: (one["kind"], one["group"]))


def effect(one: Report, measure: str, unit: bool = True) -> str:
    """Return one of several estimates with its interval; `–` for none."""
    return amount(one.get(measure), measure, unit)


def amount(one: Report | None, measure: str, unit: bool = True) -> str:
    """Return an estimate with its interval: `+4.1 points (+3.6 to +4.6)`; `–` for none."""
    if one is None:
        return "–"
    scale, name = (100, " percentage points") if measure == "win" else (1, " points")
    mean, low, high = (one[key] * scale for key in ("mean", "low", "high"))
    return f"{mean:+.1f}{name if unit else ''} ({low:+.1f} to {high:+.1f})"


def _outliers(report: Report) -> Iterator[str]:
    measure = report["ranked_by"]
    for _, group in by_group(report):
        own = list(group)
        for says, others in (("strong", own), ("weak", own[::-1])):
            following = next((one for one in others if one["stands_out"] != says), None)
            for one in own:
                if one["stands_out"] == says:
                    yield f"{one['name']} is too {says}: {_claim(one, measure)}.{_next(following, measure)}"
        for one in own:
            if one["stands_out"] == "unplayed":
                yield (
                    f"{one['name']} is far behind each other {one['kind_name']}: {_claim(one, measure)}. But "
                    f"{report['bot']} hardly ever chooses it ({one['chosen']:,} of {one['offered']:,} offers), so "
                    "this may say more of the bot."
                )


def _next(one: Report | None, measure: str) -> str:
    """Return a sentence about the definition that comes next in a ranking."""
    if one is None:
        return ""
    wins = f", {effect(one['taken'], 'win')}" if measure != "win" and "win" in one["taken"] else ""
    return f" The next {one['kind_name']} is {one['name']}: {effect(one['taken'], measure)}{wins}."


def _claim(one: Report, measure: str) -> str:
    """Return a clause about a seat that takes a definition."""
    found = one["taken"]
    more = found[measure]["mean"] >= 0
    scale = 100 if measure == "win" else 1
    sign = 1 if more else -1
    low, high = sorted(sign * scale * found[measure][key] for key in ("low", "high"))
    number = f"{sign * scale * found[measure]['mean']:.1f}"
    interval = f"({low:.1f} to {high:.1f})"
    if measure == "win":
        return (
            f"a seat that takes it wins {number} {interval} percentage points {'more' if more else 'fewer'} games"
        )
    where = "further ahead" if more else "further behind"
    wins = ""
    if "win" in found and (found["win"]["low"] > 0 or found["win"]["high"] < 0):
        share = 100 * found["win"]["mean"]
        wins = f", and wins {abs(share):.0f} percentage points {'more' if share > 0 else 'fewer'} games"
    return f"a seat that takes it ends {number} points {interval} {where}{wins} than one that avoids it"


def _kinds(report: Report) -> Iterator[str]:
    """Iterate over the strongest and the weakest of each kind in which none is too strong or too weak."""
    measure = report["ranked_by"]
    for _, group in by_group(report):
        own = list(group)
        if len(own) < 2 or any(one["stands_out"] in ("strong", "weak") for one in own):
            continue
        best, worst = own[0], own[-1]
        yield (
            f"Strongest {best['kind_name']}: {best['name']}; {_claim(best, measure)}. "
            f"{_after(own[1], measure)} Weakest: {worst['name']}, {effect(worst['taken'], measure)}. "
            f"{_after(own[-2], measure) if len(own) > 2 else ''}".rstrip()
        )


def _after(one: Report, measure: str) -> str:
    return f"Next: {one['name']}, {effect(one['taken'], measure)}."


def _harmful(report: Report) -> Iterator[str]:
    measure = report["ranked_by"]
    for _, group in by_group(report):
        own = list(group)
        bad = [one["name"] for one in own if one["significant"] and one["taken"][measure]["high"] < 0]
        if bad and not unplayed(own):
            among = f" ({own[0]['kind_name']})" if own[0]["kind_name"] else ""
            yield f"Better left alone by this player{among}: {listed(bad)}."


def _pairs(report: Report) -> Iterator[str]:
    """Iterate over sentences about pairs, in the order of the groups of definitions."""
    places = {one["id"]: place for place, (_, group) in enumerate(by_group(report)) for one in group}
    for says, what in (("together", "Belong together"), ("apart", "Get in each other's way")):
        own = [one for one in report["pairs"] if one["says"] == says]
        own.sort(key=lambda one: (places[one["ids"][0]], -abs(one["beyond"]["mean"])))
        if own:
            yield f"{what}: {'; '.join(' and '.join(one['names']) for one in own[:FEW_PAIRS])}."


def _games(report: Report) -> Iterator[str]:
    """Iterate over sentences about the games as they are."""
    if report["seats"]:
        yield _seats(report)
        yield _length(report)
    elif not report["interrupted"]:
        yield "No game came to an end."


def _seats(report: Report) -> str:
    first, even = report["seats"][0], _even(report)
    share = f"The first seat wins {first['share']:.1%} of games ({first['low']:.1%} to {first['high']:.1%})"
    if first["low"] > even:
        return f"{share}: it is better to start."
    if first["high"] < even:
        return f"{share}: it is worse to start."
    return f"{share}, no more and no less than the others as far as this can tell."


def _even(report: Report) -> float:
    """Return the share of a seat if all were equal: some games may have no winner."""
    return float(sum(one["share"] for one in report["seats"]) / len(report["seats"]))


def _length(report: Report) -> str:
    length = report["length"]
    said = f"A game takes {length['mean']:.0f} decisions"
    if length["low"] != length["high"]:
        said += f"; nine of ten take {length['low']} to {length['high']}"
    said += "."
    if report["margin"] is not None:
        said += f" The best score is {report['margin']:.1f} points ahead on average."
    return said


def _never(report: Report) -> Iterator[str]:
    names = [one["name"] for one in report["never_offered"]]
    if names:
        yield f"Never a choice in these games: {listed(names)}."


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence; a long one is cut short."""
    if len(names) > LISTED:
        return f"{', '.join(names[: LISTED - 1])} and {len(names) - LISTED + 1} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


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
    found = [*_definitions(report), *_games_of_change(report)]
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


def _games_of_change(report: Report) -> Iterator[str]:
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
