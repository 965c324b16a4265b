"""Progress without a terminal: an occasional line, and none in short runs."""

from __future__ import annotations

import pytest

from rulewright.tools.common.progress import Progress, duration


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_short_run_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with Progress(100, clock) as progress:
        for games in range(100):
            clock.now += 0.09
            progress.done(games)
    assert capsys.readouterr() == ("", "")


def test_a_long_run_says_every_ten_seconds_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """2,500 games in the first 10 seconds and 5,000 in the next: 12,500 are left, at 500 a second."""
    clock = Clock()
    with Progress(20_000, clock) as progress:
        for second in range(1, 26):
            clock.now += 1
            progress.done(250 * second if second <= 10 else 2500 + 500 * (second - 10))
    assert capsys.readouterr() == (
        "",
        "2,500 of 20,000 games, 250 games/s, about 1 min 10 s left\n"
        "7,500 of 20,000 games, 500 games/s, about 25 s left\n",
    )


def test_one_game_that_takes_long(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with Progress(3, clock) as progress:
        clock.now += 30
        progress.tick()
        clock.now += 20
        progress.done(1)
        clock.now += 1
        progress.tick()
    assert capsys.readouterr().err == "1 of 3 games, 0.02 games/s, about 1 min 40 s left\n"


def test_there_is_no_estimate_before_the_quicker_backend_plays(capsys: pytest.CaptureFixture[str]) -> None:
    """10 games a second until second 15, then 1,000; 11,000 are played in the 10 seconds after the change."""
    clock = Clock()
    with Progress(100_000, clock, quicker="native") as progress:
        for second in range(1, 27):
            clock.now += 1
            progress.played("walker" if second <= 15 else "native")
            progress.done(10 * second if second <= 15 else 150 + 1000 * (second - 15))
    assert capsys.readouterr().err == (
        "100 of 100,000 games\n11,150 of 100,000 games, 1,100 games/s, about 1 min 21 s left\n"
    )


def test_what_never_gets_quicker_is_estimated_in_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    """130 seconds at 10 games a second; 870 of 2,170 games are left after them."""
    clock = Clock()
    with Progress(2170, clock, quicker="native") as progress:
        for second in range(1, 131):
            clock.now += 1
            progress.played("walker")
            progress.done(10 * second)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:11] == [f"{100 * number:,} of 2,170 games" for number in range(1, 12)]
    assert lines[-1] == "1,300 of 2,170 games, 10 games/s, about 1 min 27 s left"


def test_nothing_is_printed_before_the_first_game_ends(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with Progress(1, clock) as progress:
        clock.now += 10
        progress.tick()
    assert capsys.readouterr().err == ""


def test_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(3) as progress:
        progress.note("a process was [killed]")
    assert capsys.readouterr() == ("", "rulewright: a process was [killed]\n")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
        (3.6e7, "10,000 h 0 min"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
