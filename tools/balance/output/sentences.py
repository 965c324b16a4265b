"""Headline sentences of a report, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

Report = dict[str, Any]
FEW_PAIRS = 3
"""Pairs that a sentence lists at most."""
LISTED = 6
"""Names that a sentence lists at most."""


def headlines(report: Report) -> list[str]:
    """Return the sentences, the most important first."""
    found = [*_stopped(report), *_outliers(report), *_kinds(report), *_harmful(report)]
    return [*found, *_pairs(report), *_games(report), *_never(report)]


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
    for one in report["definitions"]:
        if one["stands_out"] == "strong":
            yield f"{one['name']} is too strong: {_claim(one, measure)}. No other {one['kind_name']} comes near it."
        elif one["stands_out"] == "weak":
            yield f"{one['name']} is too weak: {_claim(one, measure)}, far from every other {one['kind_name']}."


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
    """Iterate over sentences about the kinds in which nothing stands out."""
    measure = report["ranked_by"]
    for _, group in by_group(report):
        own = list(group)
        if len(own) < 2 or any(one["stands_out"] for one in own):
            continue
        best, worst = own[0], own[-1]
        yield (
            f"No {best['kind_name']} stands out. The strongest is {best['name']}: {_claim(best, measure)}. The "
            f"weakest is {worst['name']}: {effect(worst['taken'], measure)}."
        )


def _harmful(report: Report) -> Iterator[str]:
    measure = report["ranked_by"]
    for _, group in by_group(report):
        own = list(group)
        bad = [one["name"] for one in own if one["significant"] and one["taken"][measure]["high"] < 0]
        if bad:
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
