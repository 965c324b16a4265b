"""What a stone of the quarry is worth, beside the sums that its rules give.

Both seats break four of three stones, worth 0, 2 and 10, at random. So a seat that always takes marble scores 40,
and one that avoids it 4 on average: it is 36 behind. A seat that takes chalk in one decision of four scores 3 a
turn on average ((0 + 2 + 10) / 3 in the other three), and one that avoids it 6.
"""

from __future__ import annotations

import os
import signal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.batch.batch import never
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.estimates import (
    ComparedDefinition,
    Estimate,
    Estimates,
    PairedDifferences,
    apart,
    estimates,
    gateways,
    outliers,
    standing,
    usual,
    usual_wins,
    weighed,
)
from rulewright.tools.balance.interventions import (
    BLOCK,
    CHANCES,
    Blocks,
    DefinitionUse,
    LeaningPlayer,
    avoiding,
    taking,
)
from rulewright.tools.balance.output.report import ReportNames, report
from rulewright.tools.balance.sample import Sample, watched
from rulewright.tools.balance.study import (
    WATCHED,
    NothingToWeighError,
    Study,
    StudyRequest,
    StudyRunner,
    _Clock,
    study,
)
from rulewright.tools.balance.subjects import DefinitionTrial, Subject
from rulewright.tools.packs import loading
from rulewright.tools.simulation.protocol import C, Work

QUARRY = Path(__file__).parent / "quarry"
WORLDS = 400


@cache
def quarry(players: int = 2) -> TableProgram:
    return loading.table(loading.compile_pack(str(QUARRY)).program, players, ())


def whole(work: Work[C], _: str) -> tuple[C, bool]:
    """Plays all work at once."""
    return work.player().play(0, work.games, never).counts, False


def request(players: int = 2, worlds: int = WORLDS, kinds: tuple[str, ...] = ()) -> StudyRequest:
    return StudyRequest(quarry(players), "", kinds, 1, 60.0, 1, worlds)


@cache
def studied(players: int = 2) -> Study:
    return study(request(players), whole)


def inside(estimate: Estimate, expected: float) -> bool:
    """Whether an expectation is in an interval twice as wide: by chance it is not, once in 10,000 times."""
    wide = estimate.high - estimate.low
    return estimate.mean - wide <= expected <= estimate.mean + wide


def leads(players: int = 2) -> dict[str, Estimate]:
    return {one.subject.key: one.taken.by_measure["lead"] for one in studied(players).weighed}


def test_stones_are_ranked_by_what_they_are_worth() -> None:
    assert [(one.subject.key, one.rank, one.of) for one in studied().weighed] == [
        ("marble", 1, 3), ("slate", 2, 3), ("chalk", 3, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(("stone", "expected"), [("marble", 40 - 4), ("slate", 14 - 20), ("chalk", 12 - 24)])
def test_points_are_those_that_the_rules_give(stone: str, expected: float) -> None:
    """Over the games that end differently; of slate and chalk some do not, in which all draws are the same."""
    found = next(one.taken for one in studied().weighed if one.subject.key == stone)
    estimate = found.by_measure["lead"]
    over_all = Estimate(*(value * found.share for value in (estimate.mean, estimate.low, estimate.high)), 0.0)
    assert inside(over_all, expected)


def test_as_others_play_means_a_third_of_all_stones() -> None:
    found = next(one.as_is for one in studied().weighed if one.subject.key == "marble")
    estimate = found.by_measure["score"]
    over_all = Estimate(*(value * found.share for value in (estimate.mean, estimate.low, estimate.high)), 0.0)
    assert inside(over_all, 16 - 4)


def test_the_lead_is_over_the_mean_of_the_others() -> None:
    """With three players, too: the others score as before."""
    found = leads(3)["marble"]
    assert inside(found, 36)
    scores = next(one.taken for one in studied(3).weighed if one.subject.key == "marble").by_measure["score"]
    assert inside(scores, 36)


def test_whoever_always_takes_marble_wins() -> None:
    """It has 40 points, and loses to nobody; it wins a third, or half, less often with random stones."""
    found = next(one.taken for one in studied().weighed if one.subject.key == "marble").by_measure
    assert found["win"].mean > 0.8
    assert found["rank"].mean < -0.8


def test_the_games_as_they_are() -> None:
    """Eight decisions; 16 points each on average; both seats are equal, so half the games, and shared wins."""
    summary = studied().summary
    assert (summary.games, summary.failed, summary.lengths, summary.mean_length) == (5000, 0, (8, 8, 8), 8.0)
    assert sum(seat.wins for seat in summary.seats) == summary.games + summary.shared
    for seat in summary.seats:
        assert abs(seat.score - 16) < 0.5
        assert seat.low < summary.seats[0].share < seat.high or seat.low < summary.seats[1].share < seat.high


def test_without_marble_nobody_scores_more_than_eight() -> None:
    trial = DefinitionTrial(Subject("stone", "marble"), 0)
    player = LeaningPlayer(quarry(), "", [avoiding(quarry(), "", "away", trial)], 1)
    found = player.play(("away", "away"), 0, 200)
    assert found is not None
    assert {int(score) for score in found.scores.flat} == {0, 2, 4, 6, 8}


def test_a_seat_that_takes_marble_has_forty() -> None:
    trial = DefinitionTrial(Subject("stone", "marble"), 0)
    player = LeaningPlayer(quarry(), "", [taking(quarry(), "", "taken", trial, DefinitionUse(0, 1))], 1)
    for seat in (0, 1):
        found = player.one_leaning("taken", seat, 0, 50)
        assert found is not None
        assert set(found.scores[seat]) == {40}
        assert len(set(found.scores[1 - seat])) > 5


def test_the_sample_counts_what_is_offered_and_chosen() -> None:
    """Each of eight decisions offers all three stones."""
    sample = watched(quarry(), "", 1, 10, lambda _: False)
    stones = ("chalk", "slate", "marble")
    assert [sample.offered[0, f"stone/{key}"] for key in stones] == [80] * 3
    assert sum(sample.chosen[0, f"stone/{key}"] for key in stones) == 80
    assert sample.lead_changes is None  # scores are counted at the end


def test_few_games_are_watched_for_longer() -> None:
    """A tenth of the time is for watching, three tenths as long as fewer than twenty games were watched."""
    now = [0.0]
    clock = _Clock(StudyRequest(quarry(), "", (), 1, 100.0, 1), 0.0, lambda: now[0])
    for passed, few, many in ((9.0, False, False), (11.0, False, True), (31.0, True, True)):
        now[0] = passed
        assert (clock.hurried(19), clock.hurried(20), clock.hurried(WATCHED)) == (few, many, False)
    assert not _Clock(request(), 0.0, lambda: 59.0).hurried(0), "a given number of worlds depends on no clock"


@pytest.mark.slow
def test_the_result_does_not_depend_on_how_the_work_is_divided() -> None:
    def in_pieces(size: int) -> StudyRunner:
        def run(work: Work[C], _: str) -> tuple[C, bool]:
            counts, player, first = work.empty(), work.player(), 0
            while first < work.games:
                part = player.play(first, min(work.games, first + size), never)
                counts.merge(part.counts)
                first = part.end
            return counts, False

        return run

    expected = study(request(worlds=60), whole)
    for size in (7, 60, 1000):
        found = study(request(worlds=60), in_pieces(size))
        assert (found.compared, found.weighed, found.summary) == (
            expected.compared, expected.weighed, expected.summary,
        )  # fmt: skip


def test_an_interrupted_run_keeps_what_was_played() -> None:
    """The comparison stops after 50 worlds of the first trial: those in which the first seat leans."""

    def stopped(work: Work[C], what: str) -> tuple[C, bool]:
        if what == "screening":
            return whole(work, what)
        return work.player().play(0, 50, never).counts, True

    found = study(request(worlds=100), stopped)
    assert found.interrupted
    first, *others = found.compared
    assert first.taken.worlds == 50
    assert [one.taken.worlds for one in others] == [0, 0]
    assert [one.subject for one in found.weighed] == [first.subject]


def test_a_run_that_is_stopped_during_the_screening_has_preliminary_estimates() -> None:
    """All uses of the first stone are screened where the first seat leans, and 50 worlds of the next."""

    def stopped(work: Work[C], what: str) -> tuple[C, bool]:
        assert what == "screening", "nothing is compared after a stop"
        return work.player().play(0, 3 * WORLDS // 2 + 50, never).counts, True

    found = study(request(), stopped)
    assert (found.interrupted, found.preliminary, found.worlds) == (True, True, 0)
    chalk, slate = found.compared
    assert (chalk.subject.key, chalk.taken.worlds) == ("chalk", WORLDS // 2)
    assert (chalk.as_is.worlds, chalk.nobody.worlds) == (0, 0)
    assert (slate.subject.key, slate.taken.worlds) == ("slate", 50)
    best = max(one.mean for one in chalk_uses())
    assert chalk.taken.by_measure["lead"].mean == pytest.approx(best)
    assert not studied().preliminary


def chalk_uses() -> list[Estimate]:
    """What each way to take chalk is worth in the worlds of the screening."""
    trial = DefinitionTrial(Subject("stone", "chalk"), 0)
    bots = [taking(quarry(), "", str(chance), trial, DefinitionUse(0, chance)) for chance in CHANCES]
    player = LeaningPlayer(quarry(), "", [avoiding(quarry(), "", "away", trial), *bots], 1)
    found = []
    for bot in bots:
        differences = PairedDifferences()
        taken, away = (player.one_leaning(key, 0, 0, WORLDS // 2) for key in (bot.key, "away"))
        assert taken is not None and away is not None
        differences.add(taken, away, 0)
        found.append(estimates(differences, 2).by_measure["lead"])
    return found


@pytest.mark.parametrize(("worlds", "seats"), [(2, 2), (100, 2), (400, 3), (1200, 2), (2000, 4), (12_001, 5)])
def test_each_seat_leans_as_often(worlds: int, seats: int) -> None:
    """However few worlds there are; else who is weighed has only the chances of the first seat."""
    often = dict.fromkeys(range(seats), 0)
    for part in Blocks(3, worlds, seats).parts(0, 3 * worlds):
        often[part.seat] += part.end - part.first
        assert part.end - part.first <= BLOCK
    assert sum(often.values()) == 3 * worlds
    assert max(often.values()) - min(often.values()) <= 0.01 * 3 * worlds + 3 * seats, "what a division leaves"


def unplayed(work: Work[C], what: str) -> tuple[C, bool]:
    raise AssertionError(f"{what} begins after a stop")


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_before_anything_is_compared_keeps_what_was_watched(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def then_stopped(*given: Any) -> Sample:
        found = watched(*given)
        signal.raise_signal(number)
        return found

    monkeypatch.setattr("rulewright.tools.balance.study.watched", then_stopped)
    found = study(request(), unplayed)
    assert (found.interrupted, found.summary.games, found.sample.games, found.weighed) == (True, 0, 60, ())
    assert report(found, ReportNames(str, str))["never_offered"] == [], (
        "all stones were offered in the watched games"
    )


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_stop_in_the_first_game_is_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*given: Any) -> Sample:
        signal.raise_signal(signal.SIGINT)
        return watched(*given)

    monkeypatch.setattr("rulewright.tools.balance.study.watched", stopped)
    with pytest.raises(KeyboardInterrupt):
        study(request(), unplayed)


def test_a_kind_without_choices_has_nothing_to_weigh() -> None:
    with pytest.raises(NothingToWeighError, match="no definition can be chosen"):
        study(evolve(request(), kinds=("gem",)), whole)


def test_too_little_time_to_watch_games_is_said() -> None:
    with pytest.raises(NothingToWeighError, match="try a longer --budget") as caught:
        study(StudyRequest(quarry(), "", (), 1, 1e-6, 1), whole)
    assert caught.value.hurried


# ------------------------------------------------------------------ conclusions

def estimate(mean: float, half: float = 0.1, p: float = 0.0) -> Estimate:
    return Estimate(mean, mean - half, mean + half, p)


def test_what_is_far_from_all_others_stands_out() -> None:
    """The median is 2 and the median deviation 1, so that 2 ± 3.5 · 1.4826 bound what is usual: -3.2 to 7.2."""
    assert outliers([estimate(one) for one in (0, 1, 2, 3, 8)]) == ["", "", "", "", "strong"]
    assert outliers([estimate(one) for one in (-4, 1, 2, 3, 4)]) == ["weak", "", "", "", ""]
    assert outliers([estimate(one) for one in (0, 1, 2, 3, 7)]) == [""] * 5


def test_the_whole_interval_must_be_far_off() -> None:
    assert outliers([*(estimate(one) for one in (0, 1, 2, 3)), estimate(8, half=1)]) == [""] * 5


def test_among_many_one_is_a_little_off_by_chance() -> None:
    """It is 2 beyond what is usual, three standard errors (p = 0.003): of 6 that is something, of 51 it is not."""

    def said(many: int) -> list[str]:
        small = [estimate(one) for one in (-0.5, -0.25, 0, 0.25, 0.5) for _ in range(many // 5)]
        bounds = usual([*small, estimate(99)])
        assert bounds is not None
        return outliers([*small, estimate(bounds[1] + 2, half=1.96 * 2 / 3)])

    assert said(5) == [*[""] * 5, "strong"]
    assert said(50) == [""] * 51


def test_what_the_bot_hardly_ever_chooses_is_not_weak_beside_what_it_chooses() -> None:
    """Of 100 offers each: if it chose nothing of the kind, all have the same chances."""

    def said(chosen: int, of_the_last: int = 0) -> list[str]:
        taken = [Estimates(100, 1.0, {"lead": one}) for one in (*map(estimate, (4, 3, 2, 1)), estimate(-8))]
        nothing = Estimates(0, 0.0, {})
        own = [
            ComparedDefinition(
                Subject("stone", str(n)), "dig", 100, chosen if n < 4 else of_the_last, one, nothing, nothing
            )
            for n, one in enumerate(taken)
        ]
        return [one.stands_out for one in weighed(own, "lead")]

    assert said(0) == ["", "", "", "", "weak"]
    assert said(20) == ["", "", "", "", "unplayed"]
    assert said(20, of_the_last=5) == ["", "", "", "", "weak"]


def test_of_fewer_than_five_none_stands_out() -> None:
    assert outliers([estimate(one) for one in (0, 1, 2, 100)]) == [""] * 4


def wins(*means: float, half: float = 0.02) -> list[Estimate]:
    return [Estimate(mean, mean - half, mean + half, 0.0) for mean in means]


def test_what_wins_far_more_than_the_next_is_apart_whatever_the_spread() -> None:
    """At two seats: 20 percentage points by itself, and 10 beyond the next; intervals of 2 give 2.8 for both."""
    usual_ones = (0.12, -0.02, -0.22, -0.25)
    assert apart(wins(0.31, *usual_ones), 2) == ["strong", "", "", "", ""]
    assert apart(wins(-0.44, *usual_ones), 2) == ["weak", "", "", "", ""]
    assert apart(wins(0.24, *usual_ones), 2) == [""] * 5, "12 beyond the next, but perhaps only 9"
    assert apart(wins(0.19, 0.02, -0.02, -0.05, -0.15), 2) == [""] * 5, "17 beyond the next, but not 20 by itself"
    assert apart(wins(0.31, 0.30, *usual_ones), 2) == [""] * 6
    assert apart(wins(0.24, *usual_ones), 4) == ["strong", "", "", "", ""], "an even share is half as much"
    assert apart(wins(0.9, 0, 0, 0), 2) == [""] * 4
    assert apart([None, *wins(0.31, *usual_ones)], 2) == ["", "strong", "", "", "", ""]


def test_none_has_to_cost_20_points_of_wins() -> None:
    """One must be the strongest; so the last one needs to be only 2 behind the next: here 6, less 2.8."""
    assert apart(wins(0.13, -0.02, -0.2, -0.25, -0.31), 2) == ["", "", "", "", "weak"]
    assert apart(wins(0.13, -0.02, -0.2, -0.27, -0.31), 2) == [""] * 5
    assert apart(wins(0.31, 0.25, 0.2, 0.02, -0.13), 2) == [""] * 5


def test_bounds_of_wins_are_those_beyond_which_one_is_apart() -> None:
    """20 by itself, and 10 ahead of the next one, or 2 behind it."""
    for means, low, high in (
        ((0.5, 0.12, 0, -0.1, -0.5), -0.2, 0.22),
        ((0.5, -0.04, -0.06, -0.25, -0.5), -0.27, 0.2),
        ((0.5, 0.3, 0.2, 0.1, -0.5), -0.2, 0.4),
    ):
        assert usual_wins(wins(*means), 2) == pytest.approx((low, high))


def test_significance_is_corrected_for_the_number_of_comparisons() -> None:
    """Benjamini and Hochberg: of m sorted values, the k-th may be k/m · 5 % (here 0.0125, 0.025, 0.0375, 0.05)."""
    assert standing([0.01, 0.024, 0.04, 0.9]) == [True, True, False, False]
    assert standing([0.04, 0.9]) == [False, False]
    assert standing([]) == []


def test_a_choice_at_which_everything_is_taken_is_no_question() -> None:
    """At the second choice the effect is larger, but 96 of 100 are taken anyway; 94 would leave a question."""

    def at(choice: str, chosen: int, mean: float) -> ComparedDefinition:
        taken = Estimates(100, 1.0, {"lead": estimate(mean)})
        return ComparedDefinition(Subject("stone", "marble"), choice, 100, chosen, taken, taken, taken)

    assert gateways([at("break", 40, 5), at("carry", 96, 50)], "lead") == {("stone", ""): "break"}
    assert gateways([at("break", 40, 5), at("carry", 94, 50)], "lead") == {("stone", ""): "carry"}
    assert gateways([at("break", 96, 5), at("carry", 100, 50)], "lead") == {("stone", ""): "carry"}


def test_what_goes_with_a_choice_is_beside_what_it_brings_about() -> None:
    """A seat that breaks marble once more, of four times, breaks slate or chalk once less: 10 - (0 + 2) / 2 = 9."""
    effects = studied().observed["stone/marble", "shift.dig.broken"]
    assert inside(Estimate(*(getattr(effects["score"], key) for key in ("mean", "low", "high", "p"))), 9)
    shown = report(studied(), ReportNames(lambda one: one.key, lambda kind: kind))["definitions"][0]
    assert shown["observed"]["score"]["mean"] == effects["score"].mean
