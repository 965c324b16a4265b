"""A few hundred random games of the engine agree with those of the games written by hand.

`python -m tests.yardsticks.compare` takes 20,000 at all tables. The seeds are fixed, so the test gives the same
answer every time; five standard errors leave chance out.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.yardsticks import compare as command
from tests.yardsticks import coup
from tests.yardsticks.compare import GAMES, Comparison, Row, compare, contest_of, verdict
from tests.yardsticks.engine import finished, watched

WATCHED = 80


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "table", "players", "games", "seen"),
    [
        pytest.param("rattus-cartus", "first-game", 2, 400, 0, marks=pytest.mark.long),
        ("rattus-cartus", "first-game", 5, 400, 0),
        ("rattus-cartus", "listed", 3, 400, WATCHED),
        pytest.param("rattus-cartus", "second-set", 2, 400, 0, marks=pytest.mark.long),
        ("rattus-cartus", "second-set", 4, 400, WATCHED),
        pytest.param("rattus-cartus", "agreed", 3, 400, 0, marks=pytest.mark.long),
        pytest.param("rattus-cartus", "types-drawn", 5, 400, 0, marks=pytest.mark.long),
        pytest.param("rattus-cartus", "cards-drawn", 4, 400, 0, marks=pytest.mark.long),
        pytest.param("coup", "basic", 2, 2000, 1000, marks=pytest.mark.long),
        pytest.param("coup", "basic", 4, 2000, 1000, marks=pytest.mark.long),
        pytest.param("coup", "basic", 6, 1000, 0, marks=pytest.mark.long),
        ("coup", "basic", 3, 600, 300),
        ("dominion", "first-games", 2, 300, WATCHED),
        pytest.param("dominion", "first-games", 4, 100, 0, marks=pytest.mark.long),
    ],
)
def test_statistics_agree(game: str, table: str, players: int, games: int, seen: int) -> None:
    comparison = compare(contest_of(game).tables[table](players), games, 1, seen)
    assert not [row for row in comparison.rows if abs(row.distance) > 5]
    assert not comparison.faults


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_watching_plays_the_same_games(game: str) -> None:
    contest = contest_of(game)
    match = list(contest.tables.values())[-1](contest.players[-1])
    for (state, decisions), (same, as_many, seen) in zip(
        finished(match.program, 3, 5), watched(match.program, 3, 5), strict=True
    ):
        read, with_events = match.read(state, decisions, None), match.read(same, as_many, seen)
        assert {name for name in read if read[name] != with_events[name]} <= set(match.unseen)
        assert any(with_events[name] for name in match.unseen)


@pytest.mark.slow
def test_a_rule_that_differs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(coup.PRICE, "assassinate", 2)
    comparison = compare(contest_of("coup").tables["basic"](3), 500, 1, 500)
    assert "chosen_assassinate" in {row.name for row in comparison.rows if row.distance < -5}


def test_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    near, same, far = Row("rats", 10.0, 10.1, -2.5), Row("rounds", 9.0, 9.0, 0.0), Row("score", 20.0, 30.0, -9.0)
    assert verdict([Comparison((near, same), Counter())])
    assert (
        "1 statistics: the furthest 2.50 standard errors apart (bound 2.58), 0 beyond 3" in capsys.readouterr().out
    )
    assert not verdict([Comparison((near, same), Counter()), Comparison((far,), Counter())])
    assert not verdict([Comparison((near,), Counter({"winners": 1}))])


@pytest.mark.slow
def test_the_command_shows_what_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["dominion", "-n", "60", "--watched", "20", "--players", "3", "--no-speed"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("dominion, first-games, 3 players, 60 games each (20 watched): engine, plain Python")
    assert any(line.split()[:1] == ["played_moat"] for line in said)
    assert said[-1].split(":")[0].endswith("statistics")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess"], "there is no game chess; there are coup, dominion, rattus-cartus"),
        (["dominion", "-n", "1"], "at least 2 games"),
        (["dominion", "--watched", "1"], "at least 2 games"),
        (["dominion", "--players", "7"], "there is no such table"),
        (["coup", "--tables", "second-set"], "there is no such table"),
    ],
)
def test_the_command_says_what_it_cannot_compare(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main(arguments)
    assert stopped.value.code == 2
    assert told in capsys.readouterr().err
