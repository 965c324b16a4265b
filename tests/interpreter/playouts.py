"""Compare whole games on the playing build with stepping: end, decisions, and rule error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from interpreter.backends.policies.random_player import play_out
from interpreter.backends.python.backend import PythonBackend
from interpreter.backends.python.playing.backend import PlayingBackend
from interpreter.optimiser.canonical_states import CanonicalStates
from interpreter.state.chance import Stream
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import TableProgram

Outcome = int | tuple[str, int]
"""How many decisions there were, or the rule error; an endless game stops after so many numbers of chance."""


class EnoughError(Exception):
    """A game has drawn so many numbers that it may never end."""


def limited(seed: int, most: int = 1000) -> Stream:
    """A stream that gives out."""
    stream, left = Stream(seed, 1), most
    bits = stream.bits

    def counted() -> int:
        nonlocal left
        left -= 1
        if left < 0:
            raise EnoughError
        return bits()

    stream.bits = counted
    return stream


def outcome(play: Callable[[], int]) -> Outcome:
    try:
        return play()
    except RuleError as error:
        return error.code, error.at
    except EnoughError:
        return "endless", 0


def same_playouts(
    program: TableProgram, games: int, seed: int, playing: PlayingBackend | None = None
) -> Counter[str]:
    """Plays games both ways. Gives how they ended; raises AssertionError where they differ."""
    stepping, playing = PythonBackend(program), playing or PlayingBackend(program)
    states = CanonicalStates(program)
    ends: Counter[str] = Counter()
    for game in range(games):
        state, other = stepping.start(seed, game), playing.start(seed, game)
        expected = outcome(lambda state=state, game=game: play_out(stepping, state, limited(game)))
        found = outcome(lambda other=other, game=game: playing.play(other, limited(game)))
        assert found == expected, f"seed {seed}, game {game}: {found} instead of {expected}"
        if isinstance(expected, int):
            pairs = zip(states.of(state), states.of(other), strict=True)
            cells = [i for i, pair in enumerate(pairs) if len({*pair}) > 1]
            assert not cells, f"seed {seed}, game {game}: cells {cells} differ"
        ends[expected[0] if isinstance(expected, tuple) else "over"] += 1
    return ends
