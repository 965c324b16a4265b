"""Whether what was measured keeps to what a pack expects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from attrs import frozen

from rulewright.ruleset.program.scenario import Bounds, Expectation
from rulewright.tools.balance.checking.measurements import GAMES, USUAL, Measured, Measurements
from rulewright.tools.balance.conclusions import Weighed, usual, usual_wins

Result = Literal["held", "failed", "not decided"]
Unit = Literal["share", "decisions", "points", "wins"]
"""Shares and wins are fractions of 1."""


@frozen
class Verdict:
    """The result of one expectation, for one definition (`id`: `KIND/NAME`) or, with an empty `id`, for all games.

    It failed if the whole interval is beyond the bounds (`low`, `high`), and held if all of it is within them.
    `why` says why nothing was measured.
    """

    expectation: Expectation
    id: str
    result: Result
    unit: Unit
    low: float | None
    high: float | None
    measured: Measured | None
    why: str = ""


def judged(low: float | None, high: float | None, measured: Measured | None) -> Result:
    """Return the result for bounds (None: no bound) and a measured number with its interval."""
    if measured is None or not measured.of:
        return "not decided"
    if (low is not None and measured.high < low) or (high is not None and measured.low > high):
        return "failed"
    if (low is None or measured.low >= low) and (high is None or measured.high <= high):
        return "held"
    return "not decided"


def verdicts(
    expectations: Sequence[Expectation], found: Measurements, there: Callable[[str], bool]
) -> tuple[Verdict, ...]:
    """Return the results. Definitions that are not `there`, since the table does not have them, are left out."""
    return tuple(verdict for one in expectations for verdict in _verdicts(one, found, there))


def _verdicts(one: Expectation, found: Measurements, there: Callable[[str], bool]) -> Iterator[Verdict]:
    if one.what in GAMES:
        yield _of_games(one, found)
        return
    ids = [name for name in one.ids if there(name)]
    if not ids:
        yield Verdict(one, "", "not decided", "share", None, None, None, "this table has no such definition")
    elif one.what == "none-stands-out":
        yield from _standing_out(one, ids, found)
    else:
        low, high = _shares(one.bounds)
        for name in ids:
            if found.choices is None:
                yield Verdict(one, name, "not decided", "share", low, high, None, "no game was watched")
                continue
            offered = one.what == "offered-in-games"
            measured = found.choices.offered_in(name) if offered else found.choices.of(name).share()
            why = "" if measured.of else "never offered"
            result = judged(low, high, measured)
            yield Verdict(one, name, result, "share", low, high, measured if measured.of else None, why)


def _shares(bounds: Bounds) -> tuple[float | None, float | None]:
    """Return bounds in percent as fractions."""
    return tuple(None if one is None else one / 100 for one in (bounds.low, bounds.high))  # type: ignore[return-value]  # two of them


def _of_games(one: Expectation, found: Measurements) -> Verdict:
    games = found.games
    if games is None or not games.count:
        return Verdict(one, "", "not decided", "share", None, None, None, "no game came to an end")
    if one.what == "mean-length":
        low, high = one.bounds.low, one.bounds.high
        mean = games.mean_length()
        return Verdict(one, "", judged(low, high, mean), "decisions", low, high, mean)
    if one.what == "usual-length":
        inside = games.share_of_lengths(one.bounds.low, one.bounds.high)
        return Verdict(one, "", judged(USUAL, None, inside), "share", USUAL, None, inside)
    measured = {
        "first-seat-wins": games.first_seat,
        "no-winner": games.no_winner,
        "several-winners": games.several_winners,
    }[one.what]()
    low_share, high_share = _shares(one.bounds)
    result = judged(low_share, high_share, measured)
    return Verdict(one, "", result, "share", low_share, high_share, measured)


def _standing_out(one: Expectation, ids: Sequence[str], found: Measurements) -> Iterator[Verdict]:
    """Iterate over the verdicts: each definition is compared with those of its group, ignored ones included."""
    study = found.study
    if study is None:
        why = found.nothing or "nothing was weighed"
        yield Verdict(one, "", "not decided", "points", None, None, None, why)
        return
    unit: Unit = "wins" if study.measure == "win" else "points"
    together: dict[tuple[str, str], list[Weighed]] = {}
    for each in study.weighed:
        together.setdefault((each.subject.kind, each.group), []).append(each)
    of = {each.subject.name: (each, group) for group in together.values() for each in group}
    for name in ids:
        if name not in of:
            yield Verdict(one, name, "not decided", unit, None, None, None, "too rarely offered to be weighed")
            continue
        each, group = of[name]
        bounds = usual([other.taken.by_measure[study.measure] for other in group])
        if bounds is None:
            why = f"only {len(group)} could be weighed"
            yield Verdict(one, name, "not decided", unit, None, None, None, why)
            continue
        measured = _effect(each, study.measure)
        result = judged(*bounds, measured)
        if each.stands_out in ("strong", "weak") and result != "failed":  # it is apart in wins
            wins = [other.taken.by_measure["win"] for other in group if "win" in other.taken.by_measure]
            low, high = usual_wins(wins, study.request.program.seats)
            yield Verdict(one, name, "failed", "wins", low, high, _effect(each, "win"))
            continue
        if each.stands_out not in ("strong", "weak") and result == "failed":  # as one of so many, or unplayed
            result = "not decided"
        yield Verdict(one, name, result, unit, *bounds, measured)


def _effect(one: Weighed, measure: str) -> Measured:
    found = one.taken.by_measure[measure]
    return Measured(found.mean, found.low, found.high, one.taken.worlds)
