"""What games between bots are compared with, beside what the rules of the quarry give by calculation.

Both seats break four of three stones, worth 0, 2 and 10, at random: eight decisions a game, each of which offers
all stones, and both seats are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from attrs import evolve

from rulewright.interpreter.batch.batch import never
from rulewright.ruleset.program.scenario import Expectation, ExpectedBounds, What
from rulewright.tools.balance.checking import AllGames, Measured, Measurements, judged, verdicts
from rulewright.tools.balance.estimates import ComparedDefinition, Ends, Estimate, Estimates, weighed
from rulewright.tools.balance.sample import Choices, ChoiceTally, WatchedGames
from rulewright.tools.balance.subjects import StudyGrouping, Subject
from tests.tools.balance.test_study import inside, quarry, studied

# ------------------------------------------------------------------ one threshold

@pytest.mark.parametrize(
    ("low", "high", "interval", "result"),
    [
        (None, 0.55, (0.40, 0.54), "held"),
        (None, 0.55, (0.40, 0.55), "held"),
        (None, 0.55, (0.54, 0.56), "not decided"),
        (None, 0.55, (0.55, 0.60), "not decided"),
        (None, 0.55, (0.56, 0.60), "failed"),
        (0.05, None, (0.06, 0.10), "held"),
        (0.05, None, (0.04, 0.06), "not decided"),
        (0.05, None, (0.01, 0.04), "failed"),
        (0.45, 0.55, (0.46, 0.54), "held"),
        (0.45, 0.55, (0.40, 0.60), "not decided"),
        (0.45, 0.55, (0.30, 0.40), "failed"),
        (0.45, 0.55, (0.56, 0.60), "failed"),
    ],
)
def test_a_threshold_fails_only_with_its_whole_interval(
    low: float | None, high: float | None, interval: tuple[float, float], result: str
) -> None:
    assert judged(low, high, Measured(sum(interval) / 2, *interval, 100)) == result


def test_nothing_measured_decides_nothing() -> None:
    assert judged(0.1, None, None) == "not decided"
    assert judged(0.1, None, Measured(0.0, 0.0, 0.0, 0)) == "not decided"


# ------------------------------------------------------------------ whole games

def ends(winners: list[list[int]], decisions: list[int], failed: list[int] = ()) -> Ends:  # type: ignore[assignment]  # none
    """Ends of games: who wins, by seat and game."""
    won = np.array(winners, dtype=np.int64)
    lost = np.array([number in failed for number in range(won.shape[1])])
    return Ends(np.zeros_like(won), won, np.array(decisions, dtype=np.int64), lost)


def test_a_shared_win_counts_by_its_part() -> None:
    """Of four games that ended, the first seat wins one alone, a third of one, and half of one."""
    games = AllGames([ends([[1, 1, 1, 0, 1], [0, 1, 1, 0, 0], [0, 1, 0, 0, 0]], [4] * 5, failed=[4])])
    assert (games.count, games.failed) == (4, 1)
    assert games.first_seat().value == pytest.approx((1 + 1 / 3 + 1 / 2) / 4)
    assert games.no_winner().value == 1 / 4
    assert games.several_winners().value == 2 / 4


def test_lengths() -> None:
    """Of 10, 20, 30 and 40 decisions, the mean is 25, and half are 20 to 30. Their deviation is √(500/3)."""
    games = AllGames([ends([[1, 1], [0, 0]], [10, 20]), ends([[1, 1], [0, 0]], [30, 40])])
    mean = games.mean_length()
    half = 3.182446 * (500 / 3) ** 0.5 / 2
    assert (mean.value, mean.of) == (25, 4)
    assert (mean.low, mean.high) == pytest.approx((25 - half, 25 + half))
    shares = [games.share_of_lengths(*bounds).value for bounds in ((20, 30), (20, None), (None, 19), (50, None))]
    assert shares == [0.5, 0.75, 0.25, 0]


def of_games(what: What, low: int | None, high: int | None, games: AllGames) -> str:
    one = Expectation(what, "", (), ExpectedBounds(low, high))
    (found,) = verdicts([one], Measurements(games, None, None, "", False), lambda _: True)
    return found.result


def test_nine_of_ten_games_have_the_usual_length() -> None:
    """With 1,000 games, 85 % are clearly fewer than nine of ten, 95 % clearly more; 90 % may be either."""
    for many, result in ((850, "failed"), (900, "not decided"), (950, "held")):
        games = AllGames([ends([[1] * 1000, [0] * 1000], [10] * many + [30] * (1000 - many))])
        assert of_games("usual-length", 5, 20, games) == result


def test_percentages_are_compared_with_shares() -> None:
    games = AllGames([ends([[1] * 700 + [0] * 300, [0] * 700 + [1] * 300], [8] * 1000)])
    assert of_games("first-seat-wins", 60, 80, games) == "held"
    assert of_games("first-seat-wins", None, 60, games) == "failed"
    assert of_games("first-seat-wins", None, 70, games) == "not decided"
    assert of_games("mean-length", 8, 8, games) == "held"
    assert of_games("mean-length", None, 7, games) == "failed"


# ------------------------------------------------------------------ offered and chosen

@cache
def choices() -> Choices:
    return WatchedGames(quarry(), "", 1, 200).player().play(0, 200, never).counts


def test_each_stone_is_chosen_in_a_third_of_the_decisions() -> None:
    for stone in ("chalk", "slate", "marble"):
        share = choices().of(f"stone/{stone}").share()
        assert share.of == 200 * 8
        assert inside(Estimate(share.value, share.low, share.high, 0.0), 1 / 3)
        assert choices().offered_in(f"stone/{stone}").value == 1
    assert sum(choices().of(f"stone/{stone}").chosen for stone in ("chalk", "slate", "marble")) == 200 * 8


def test_independent_decisions_count_as_that_many() -> None:
    """Binomial: at 1/3 of 1,600 decisions an interval is about 2 · 1.96 · √(1/3 · 2/3 / 1,600) = 4.6 % wide."""
    share = choices().of("stone/slate").share()
    assert 0.04 < share.high - share.low < 0.053


def test_decisions_that_go_together_count_as_one() -> None:
    """Half of 100 games choose it in all ten decisions, the others in none: as wide as 100 decisions are."""
    together, apart = ChoiceTally(), ChoiceTally()
    for number in range(100):
        together.add(10, 10 * (number % 2))
        apart.add(1, number % 2)
    assert together.share().value == apart.share().value == 0.5
    assert together.share().low == pytest.approx(apart.share().low, abs=0.001)


def test_what_was_never_chosen_counts_its_games() -> None:
    """With 0 of 50 games, Wilson's upper bound is z² / (n + z²)."""
    tally = ChoiceTally()
    for _ in range(50):
        tally.add(20, 0)
    assert (tally.share().low, tally.share().high) == pytest.approx((0, 3.8415 / (50 + 3.8415)), abs=0.0001)


def test_what_was_never_offered_tells_nothing() -> None:
    share = choices().of("stone/granite").share()
    assert (share.low, share.high, share.of) == (0, 1, 0)
    assert choices().offered_in("stone/granite").value == 0


def test_choices_do_not_depend_on_how_the_work_is_divided() -> None:
    work, found = WatchedGames(quarry(), "", 1, 30), Choices()
    for first, end in ((20, 30), (0, 7), (7, 20)):
        found.merge(work.player().play(first, end, never).counts)
    assert found == work.player().play(0, 30, never).counts
    assert WatchedGames(quarry(), "", 1, 10, 20).player().play(0, 10, never).counts == (
        work.player().play(20, 30, never).counts
    )


# ------------------------------------------------------------------ groups

def compared(worths: dict[str, float]) -> list[ComparedDefinition]:
    """Definitions with these effects, known to 0.1 either way."""
    found = []
    for name, mean in worths.items():
        kind, _, key = name.partition("/")
        effect = Estimates(1000, 1.0, {"lead": Estimate(mean, mean - 0.1, mean + 0.1, 0.0)})
        found.append(ComparedDefinition(Subject(kind, key), "take", 10, 5, effect, effect, effect))
    return found


def stood_out(leads: Sequence[float], wins: Sequence[float], chosen: Sequence[int]) -> list[tuple[str, str]]:
    """The result and the unit for each of some stones, with narrow intervals, of 100 offers each."""
    nothing = Estimates(0, 0.0, {})
    own = [
        ComparedDefinition(Subject("stone", f"s{n}"), "dig", 100, taken, Estimates(1000, 1.0, {
            "lead": Estimate(lead, lead - 0.1, lead + 0.1, 0.0), "win": Estimate(win, win - 0.02, win + 0.02, 0.0),
        }), nothing, nothing)
        for n, (lead, win, taken) in enumerate(zip(leads, wins, chosen, strict=True))
    ]  # fmt: skip
    found = evolve(studied(), measure="lead", weighed=weighed(own, "lead"))
    ids = tuple(one.subject.name for one in own)
    one = Expectation("none-stands-out", "stone", ids, ExpectedBounds(None, None))
    return [
        (each.result, each.unit)
        for each in verdicts([one], Measurements(None, None, found, "", False), lambda _: True)
    ]


def test_what_a_report_names_fails() -> None:
    """Of points from 6 to -6 none is far off; but the first wins 19 percentage points more than each other."""
    found = stood_out((6, 2, -1, -4, -6), (0.31, 0.12, -0.02, -0.05, -0.1), (20,) * 5)
    assert found == [("failed", "wins"), *[("held", "points")] * 4]


def test_what_the_bot_hardly_ever_chooses_is_not_decided() -> None:
    leads, wins = (4, 3, 2, 1, -8), (0.02, 0.01, 0, -0.01, -0.02)
    assert stood_out(leads, wins, (20, 20, 20, 20, 5))[-1] == ("failed", "points")
    assert stood_out(leads, wins, (20, 20, 20, 20, 0))[-1] == ("not decided", "points")


WORTHS = {f"stone/s{number}": float(number) for number in range(6)} | {
    f"stone/g{number}": 100.0 + number for number in range(5)
}


def grouped(groups: dict[str, str]) -> StudyGrouping:
    """Stones whose names begin with a letter, by the key of their group."""
    from rulewright.ruleset.program.scenario import WeighedGroup

    made = [
        WeighedGroup(key, "stone", (("en", key),), tuple(one for one in WORTHS if one[6] == letter))
        for key, letter in groups.items()
    ]
    return StudyGrouping(tuple(made))


def test_ranks_and_outliers_are_within_the_group() -> None:
    """Of all, the five worth 100 stand out (the median is 5, the deviation 3). Among their own, none does."""
    alone = {one.subject.key: one for one in weighed(compared(WORTHS), "lead")}
    assert {key for key, one in alone.items() if one.stands_out} == {f"g{number}" for number in range(5)}
    found = weighed(compared(WORTHS), "lead", grouped({"gems": "g"}))
    assert [(one.group, one.subject.key, one.rank, one.of) for one in found] == [
        *(("gems", f"g{4 - number}", number + 1, 5) for number in range(5)),
        *(("", f"s{5 - number}", number + 1, 6) for number in range(6)),
    ]
    assert {one.stands_out for one in found} == {""}


def test_groups_come_in_their_order() -> None:
    found = weighed(compared(WORTHS), "lead", grouped({"plain": "s", "gems": "g"}))
    assert list(dict.fromkeys(one.group for one in found)) == ["plain", "gems"]
