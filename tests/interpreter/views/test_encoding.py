"""States as bytes, and their hash."""

from __future__ import annotations

from array import array

import pytest
from attrs import evolve

from interpreter.game.game import Game
from interpreter.views.encoding import EncodingError, decode_state, encode, state_hash
from tests.interpreter.cellar import cellar

PROGRAM = cellar()


def test_cells_are_little_endian() -> None:
    state = array("i", [1, -2, *[0] * (PROGRAM.layout.cells - 2)])
    data = encode(PROGRAM, state)
    assert data[36:44] == b"\x01\0\0\0\xfe\xff\xff\xff", "after a header of 36 bytes"
    assert decode_state(PROGRAM, data) == (state, None)


@pytest.mark.parametrize(
    ("cut", "words"),
    [(slice(0, 10), "too few"), (slice(1, None), "not a state"), (slice(0, -4), "wrong length")],
)
def test_other_bytes_are_refused(cut: slice, words: str) -> None:
    game = Game.start(PROGRAM, 4)
    with pytest.raises(EncodingError, match=words):
        decode_state(PROGRAM, encode(PROGRAM, game.state, game.knowledge)[cut])


def test_other_programs_are_refused() -> None:
    data = encode(PROGRAM, Game.start(PROGRAM, 4).state)
    with pytest.raises(EncodingError, match="belongs to program"):
        decode_state(evolve(PROGRAM, entry=PROGRAM.entry + 1), data)
    with pytest.raises(EncodingError, match="semantics version 1"):
        decode_state(evolve(PROGRAM, semantics=2), data)


def test_the_hash_is_of_every_cell() -> None:
    state = Game.start(PROGRAM, 4).state
    hashes = {state_hash(state)}
    for cell in range(len(state)):
        state[cell] += 1
        hashes.add(state_hash(state))
        state[cell] -= 1
    assert len(hashes) == len(state) + 1
