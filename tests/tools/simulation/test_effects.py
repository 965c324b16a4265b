"""Estimates of what goes with a choice, against arithmetic and a regression with dummy variables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from rulewright.interpreter.counting import WIDTH, WIN, moments, row_number
from rulewright.ruleset.lower.lowering import lower
from rulewright.tools.packs import loading as packs
from rulewright.tools.simulation import effects
from rulewright.tools.simulation.effects import Effect, Observed, estimated, observed
from rulewright.tools.simulation.usage import CountedChoice, Stratum, UsageCounts

QUARRY = Path(__file__).parents[1] / "balance" / "quarry"
EVERY = ("win", "score", "rank")


def by_stone(games: int, seed: int = 1, players: int = 2) -> dict[str, Observed]:
    program = lower(packs.compile_pack(str(QUARRY)).program, players)
    found = observed(program, (), seed, games, "native")
    return {one.choice.what.removeprefix("stone/"): one for one in found}


def test_the_worth_of_stones_is_found() -> None:
    """In each of four shifts a seat breaks one of three stones, worth 0, 2, and 10.

    A stone replaces one that is worth the mean of the other two: so chalk costs 6, slate 3, and marble brings 9.
    """
    found = by_stone(3000)
    assert {*found} == {"chalk", "slate", "marble"}
    for name, worth in (("chalk", -6), ("slate", -3), ("marble", 9)):
        one, effect = found[name], found[name].by_measure["score"]
        assert one.choice == CountedChoice("shift.dig.broken", f"stone/{name}", True)
        assert one.offered == 3000 * 2 * 4
        assert effect.low - 0.1 < worth < effect.high + 0.1 and effect.high - effect.low < 0.5
        assert effect.significant
    assert sum(one.chosen for one in found.values()) == 3000 * 2 * 4
    marble = found["marble"].by_measure
    assert marble["win"].low > 0.2 and marble["rank"].high < -0.2


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Of 60 intervals of 95 %, at most 9 miss: more would happen once in 1,000 times."""
    missed = 0
    for seed in range(20):
        found = by_stone(200, seed)
        for name, worth in (("chalk", -6), ("slate", -3), ("marble", 9)):
            effect = found[name].by_measure["score"]
            missed += not effect.low <= worth <= effect.high
    assert missed <= 9


def synthetic(games: int) -> tuple[UsageCounts, list[list[float]]]:
    """Games whose score depends on what was chosen and offered, the seat, and chance; and all rows, one by one."""
    chance, usage, rows = np.random.default_rng(7), UsageCounts(games), []
    sums: dict[Stratum, list[int]] = {}
    for game in range(games):
        for seat in range(2):
            offered = int(chance.integers(9, 13))  # one stratum
            chosen = int(chance.binomial(offered, 0.2 + 0.02 * offered))
            score = 5 * chosen + 3 * offered + 20 * seat + int(chance.integers(-9, 10))
            number = row_number(0, offered)
            stratum = Stratum(game * 32 // games, 0, seat, number)
            more = moments(1, offered, chosen, (0, score, 1))
            known = sums.setdefault(stratum, [0] * WIDTH)
            sums[stratum] = [one + other for one, other in zip(known, more, strict=True)]
            rows.append([score, chosen, offered, seat, game])
    usage.rows[CountedChoice("site", "thing", True)] = sums
    return usage, rows


def test_the_slope_is_that_of_a_regression_with_dummies() -> None:
    usage, rows = synthetic(400)
    table = np.array(rows, dtype=float)
    design = np.column_stack([table[:, 1], table[:, 2], table[:, 3] == 0, table[:, 3] == 1])
    expected = np.linalg.lstsq(design, table[:, 0], rcond=None)[0][0]
    (one,) = estimated(usage)
    assert one.by_measure["score"].mean == pytest.approx(expected, abs=1e-9)
    assert one.by_measure["score"].low < 5 < one.by_measure["score"].high


def test_errors_are_those_of_whole_games() -> None:
    """Both seats of a game have the same luck, so twice as many rows do not make it surer.

    The score is the luck of the game and nothing else; seats chose alike. The error is that of one seat.
    """
    chance, twice, once = np.random.default_rng(3), UsageCounts(600), UsageCounts(600)
    for usage, seats in ((twice, 2), (once, 1)):
        chance, sums = np.random.default_rng(3), dict[Stratum, list[int]]()
        for game in range(600):
            chosen, score = int(chance.integers(0, 5)), int(chance.integers(0, 100))
            for seat in range(seats):
                stratum = Stratum(game * 32 // 600, 0, seat, row_number(0, 4))
                known = sums.setdefault(stratum, [0] * WIDTH)
                more = moments(1, 4, chosen, (0, score, 1))
                sums[stratum] = [one + other for one, other in zip(known, more, strict=True)]
        usage.rows[CountedChoice("site", "thing", True)] = sums
    (one,), (other,) = estimated(twice), estimated(once)
    assert one.by_measure["score"].low == pytest.approx(other.by_measure["score"].low)
    assert one.by_measure["score"].high == pytest.approx(other.by_measure["score"].high)


def test_many_comparisons_are_corrected() -> None:
    """Of twenty things without an effect, the p-values must pass the method of Benjamini and Hochberg."""
    values = [0.001, 0.004, 0.02, 0.03, 0.2]
    found = [
        Observed(CountedChoice("site", str(number), True), 99, 50, {"score": Effect(1, 0, 2, p)})
        for number, p in enumerate(values)
    ]
    marked = [one.by_measure["score"].significant for one in effects._corrected(found)]
    # The largest p of which rank / 5 * 0.05 is not below it: 0.03 <= 0.04.
    assert marked == [True, True, True, True, False]
    assert marked == [bool(p <= 0.05) for p in stats.false_discovery_control(values)]


def test_too_little_gives_no_estimate() -> None:
    assert all(not one.by_measure for one in by_stone(3).values())
    never = UsageCounts(100)
    never.rows[CountedChoice("site", "thing", True)] = {
        Stratum(group, 0, 0, row_number(0, 1)): moments(40, 1, 1, (WIN, 3, 40)) for group in range(32)
    }
    (one,) = estimated(never)
    assert one.by_measure == {}, "what is always chosen cannot be compared"
    assert estimated(UsageCounts()) == ()
