"""The work queue: each game is counted once, also after partial or lost results."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.tools.common.errors import OURS, Failure
from rulewright.tools.simulation.execution.dispatch import PIECES, TRIES, Interval, WorkQueue, pieces

GAMES = 500


def book(games: int = GAMES, most_losses: int = 10**6) -> WorkQueue:
    return WorkQueue(games, lambda first, most: min(first + most, games), most_losses)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.integers(1, 90)),
        st.tuples(st.just("done"), st.integers(0, 9)),
        st.tuples(st.just("part"), st.integers(0, 9)),
        st.tuples(st.just("lost"), st.integers(0, 9)),
    ),
    max_size=60,
)


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(STEPS)
def test_each_game_is_counted_once(steps: list[tuple[str, int]]) -> None:
    queue, out = book(), list[Interval]()
    counted = [0] * GAMES

    def back(interval: Interval, end: int) -> None:
        queue.done(interval, end)
        for game in range(interval.first, end):
            counted[game] += 1
        assert queue.played == sum(counted)

    for step, number in steps:
        if step == "take":
            interval = queue.take(number)
            out += [interval] if interval else []
        elif out:
            interval = out.pop(number % len(out))
            if step == "lost":
                try:
                    queue.lost(interval, "was killed")
                except Failure as error:
                    assert f"who plays game {interval.first} dies" in error.message
                    assert interval.end - interval.first == 1 and interval.losses + 1 >= TRIES
            else:
                size = interval.end - interval.first
                back(interval, interval.end if step == "done" else interval.first + size * number // 10)
        assert queue.over == (0 not in counted)
    for interval in out:
        back(interval, interval.end)
    while interval := queue.take(7):
        back(interval, interval.end)
    assert counted == [1] * GAMES
    assert queue.over and queue.left == 0


def test_who_was_not_given_an_interval_cannot_bring_it_back() -> None:
    queue = book()
    interval = queue.take(10)
    assert interval == Interval(0, 10)
    queue.done(interval, 10)
    with pytest.raises(KeyError):
        queue.done(interval, 10)
    with pytest.raises(KeyError):
        queue.done(Interval(10, 20), 20)


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 2), (15, 15), (16, 16), (17, 16), (65_536, 16)])
def test_pieces_are_the_whole(size: int, count: int) -> None:
    found = pieces(Interval(100, 100 + size))
    assert len(found) == count <= PIECES
    games = [game for piece in found for game in range(piece.first, piece.end)]
    assert games == list(range(100, 100 + size))
    assert {piece.losses for piece in found} == {int(size == 1)}


@pytest.mark.parametrize("deadly", [0, 77, 499])
@pytest.mark.parametrize("most", [1, 30, 500])
def test_a_deadly_game_is_found(deadly: int, most: int) -> None:
    """Whoever has it dies; all others come back. It takes few losses to be left with this one."""
    queue, losses, done = book(), 0, 0
    with pytest.raises(Failure, match=f"keep crashing on game {deadly}; the last one was killed") as caught:
        while interval := queue.take(most):
            if interval.first <= deadly < interval.end:
                losses += 1
                queue.lost(interval, "was killed")
            else:
                done += interval.end - interval.first
                queue.done(interval, interval.end)
    assert caught.value.code == OURS
    assert TRIES <= losses <= 3 + TRIES
    assert done >= deadly


def test_where_all_die_it_ends() -> None:
    queue = book(10**9, most_losses=25)
    losses = 0
    with pytest.raises(Failure, match="worker processes keep crashing"):
        while True:
            interval = queue.take(10**6)
            losses += 1
            queue.lost(interval if losses % 2 else None, "was killed")
            if interval and not losses % 2:
                queue.done(interval, interval.first)  # nothing of it
    assert losses <= 26


def test_lost_games_go_first_and_alone() -> None:
    queue = book()
    one, other = queue.take(4), queue.take(4)
    assert one and other
    queue.lost(one, "was killed")
    assert [queue.take(99, ahead=False) for _ in range(5)] == [
        *(Interval(game, game + 1) for game in range(4)),
        None,
    ]
    assert queue.take(99) == Interval(8, 107)
    assert str(Interval(8, 107)) == "games 8–106"
