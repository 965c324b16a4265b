"""Estimates of what goes with a choice: how games end for seats that chose something more often.

For each choice, a linear regression on how often a seat chose it in a game. It compares seats within strata only:
the same table, the same seat, and about as many offers; within a stratum it is also adjusted for the number of
offers. The seats of one game depend on each other, so errors come from a jackknife that leaves out one group of
successive games at a time (`interpreter.counting`), which makes no assumption about games.

This is a correlation: a seat may choose something because it is ahead.

It needs numpy and scipy, from the extra `lab`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from attrs import frozen
from scipy import stats

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.batch.batch import never
from rulewright.interpreter.counting import MEASURES, MOMENTS, WIN
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.simulation.players import Batch
from rulewright.tools.simulation.usage import CHOSEN, OFFERED, CountedChoice, Stratum, UsageCounts

LEVEL = 0.05
FEWEST = 30
"""Decisions that chose it, and decisions that did not, for an estimate to be given."""
MOST = 50_000
"""Games that are played at a time, until a faster backend may take over."""
FEWEST_GROUPS = 8
"""Groups of games, for an interval to be given."""
UNITS = {"win": WIN, "score": 1, "rank": 1}
Sums = npt.NDArray[np.float64]


@frozen
class Effect:
    """By how much a measure is higher each time that it is chosen, with the 95 % interval and two-sided p-value.

    `significant`: also if all effects of the report are considered, with a false discovery rate of 5 %.
    """

    mean: float
    low: float
    high: float
    p: float
    significant: bool = False


@frozen
class Observed:
    """A choice: in how many decisions it was offered and chosen, and those of its effects that can be estimated."""

    choice: CountedChoice
    offered: int
    chosen: int
    by_measure: dict[str, Effect]


def observed(
    program: TableProgram, seats: Sequence[str], seed: int, games: int, backend: str = AUTO
) -> tuple[Observed, ...]:
    """Play games 0 to `games` - 1 of a seed in this process, and estimate what goes with each choice.

    `seats` has the bot of each seat, or `random`; empty: all are random. Choices that were never offered are left
    out. To share out the games, use `tools.simulation.players.Batch` with `usage`, and `estimated`.
    """
    batch = Batch(program, games, seed, backend, tuple(seats), usage=True)
    player = batch.player()
    player.prepare()
    tally = batch.empty()
    first, many = 0, FEWEST
    while first < games:
        part = player.play(first, min(games, first + many), never)
        tally.merge(part.counts)
        first, many = part.end, min(2 * many, MOST)
    return estimated(tally.usage)


def estimated(usage: UsageCounts) -> tuple[Observed, ...]:
    """Estimate what goes with each choice, in the order of their names."""
    groups = sorted({stratum.group for rows in usage.rows.values() for stratum in rows})
    found = [
        Observed(
            choice, usage.total(choice, OFFERED), usage.total(choice, CHOSEN), _effects(usage.rows[choice], groups)
        )
        for choice in sorted(usage.rows)
    ]
    return _corrected(found)


def _corrected(found: Sequence[Observed]) -> tuple[Observed, ...]:
    """Note which effects are significant among all (Benjamini and Hochberg, 1995)."""
    effects = [effect for one in found for effect in one.by_measure.values()]
    if not effects:
        return tuple(found)
    adjusted = iter(stats.false_discovery_control([effect.p for effect in effects], method="bh"))
    return tuple(
        Observed(
            one.choice,
            one.offered,
            one.chosen,
            {
                measure: Effect(effect.mean, effect.low, effect.high, effect.p, bool(next(adjusted) <= LEVEL))
                for measure, effect in one.by_measure.items()
            },
        )
        for one in found
    )


def _effects(rows: dict[Stratum, list[int]], groups: Sequence[int]) -> dict[str, Effect]:
    """Return the effects on measures that differ between games."""
    chosen = sum(row[CHOSEN] for row in rows.values())
    others = sum(row[OFFERED] for row in rows.values()) - chosen
    if min(chosen, others) < FEWEST or len(groups) < FEWEST_GROUPS:
        return {}
    sums = _without_groups(rows, groups)
    found = {}
    for number, measure in enumerate(MEASURES):
        slopes = _slopes(sums, len(MOMENTS) + 3 * number)
        if slopes is not None:
            found[measure] = _effect(slopes[0] / UNITS[measure], slopes[1:] / UNITS[measure])
    return found


def _without_groups(rows: dict[Stratum, list[int]], groups: Sequence[int]) -> Sums:
    """Return the sums by stratum: of all games, then of all but one group of games each.

    The axes are these sets of games, strata, and sums.
    """
    place = {group: number for number, group in enumerate(groups)}
    strata = {stratum: n for n, stratum in enumerate(sorted({(one.table, one.seat, one.offers) for one in rows}))}
    apart = np.zeros((len(groups), len(strata), len(next(iter(rows.values())))))
    for one, row in rows.items():
        apart[place[one.group], strata[one.table, one.seat, one.offers]] = row
    whole = apart.sum(axis=0)
    return np.concatenate([whole[None], whole[None] - apart])


def _slopes(sums: Sums, first: int) -> Sums | None:
    """Return the slope of a measure for each set of games; None if some have none. `first` is its first sum.

    The measure and its products with chosen and offered are at `first` and after it.
    """
    games, chosen, chosen_2, offered, offered_2, both = (sums[:, :, number] for number in range(len(MOMENTS)))
    total, with_chosen, with_offered = (sums[:, :, number] for number in range(first, first + 3))
    size = np.maximum(games, 1)

    def within(products: Sums, one: Sums, other: Sums) -> Sums:
        return np.asarray((products - one * other / size).sum(axis=1))

    cc, oo, co = (
        within(chosen_2, chosen, chosen),
        within(offered_2, offered, offered),
        within(both, chosen, offered),
    )
    cy, oy = within(with_chosen, chosen, total), within(with_offered, offered, total)
    spread = oo > 1e-9 * (1 + offered_2.sum(axis=1))
    safe = np.where(spread, oo, 1.0)
    own = cc - np.where(spread, co * co / safe, 0.0)  # of chosen that offered does not explain
    if (own <= 1e-9 * (1 + chosen_2.sum(axis=1))).any():
        return None
    return np.asarray((cy - np.where(spread, co * oy / safe, 0.0)) / own)


def _effect(mean: float, others: Sums) -> Effect:
    """Return an effect from that of all games, and those without one group of games each (jackknife)."""
    groups = len(others)
    error = math.sqrt((groups - 1) / groups * float(((others - others.mean()) ** 2).sum()))
    if error <= 1e-9 * max(1e-9, abs(mean)):
        return Effect(mean, mean, mean, 0.0 if abs(mean) > 1e-12 else 1.0)
    half = float(stats.t.ppf(1 - LEVEL / 2, groups - 1)) * error
    return Effect(mean, mean - half, mean + half, float(2 * stats.t.sf(abs(mean) / error, groups - 1)))
