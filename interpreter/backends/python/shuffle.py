"""Fast shuffles with a state's generator: the same order and the same generator as `chance.shuffled`.

Most of a shuffle's time would go into arithmetic on 64-bit numbers, which CPython does slowly, one at a time. Many
states of a linear generator can be computed at once: after i steps it is `g * powers[i] + sums[i]` modulo 2**64.
Here one long integer holds all of them side by side, in lanes of 128 bits, and a few operations on it give the
outputs of all steps; only the rotation, which differs from lane to lane, is left to the loop.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import repeat
from struct import Struct

from attrs import frozen

from interpreter.state import chance
from interpreter.state.chance import INCREMENT, MASK_32, MASK_64, MULTIPLIER

LANE = 128
"""Bits of a lane: a product of two 64-bit numbers and a sum fit, so no lane overflows into the next."""

FEW = 8
"""Up to this many cards are shuffled faster one at a time."""

MOST_LANES = 1024
"""Steps that are computed at once. More cards take several rounds: time stays linear, constants bounded."""


@frozen
class Lanes:
    """The constants for a number of steps, in lanes."""

    powers: int
    sums: int
    words: int
    """The low 64 bits of each lane."""
    halves: int
    """The low 32 bits of each lane."""
    fives: int
    """The low 5 bits of each lane."""
    size: int
    """Bytes of all lanes."""
    split: Struct


@cache
def _jumps() -> tuple[tuple[int, int], ...]:
    """Return the power and the sum that advance a generator by each number of steps up to `MOST_LANES`."""
    found = [(1, 0)]
    for _ in range(MOST_LANES):
        power, total = found[-1]
        found.append((power * MULTIPLIER & MASK_64, (total * MULTIPLIER + INCREMENT) & MASK_64))
    return tuple(found)


@cache
def _lanes(steps: int) -> Lanes:
    jumps = _jumps()[:steps]
    split = Struct(f"<{2 * steps}Q")

    def packed(values: Iterable[int]) -> int:
        return int.from_bytes(split.pack(*(half for value in values for half in (value, 0))), "little")

    return Lanes(
        packed(power for power, _ in jumps),
        packed(total for _, total in jumps),
        words=packed(repeat(MASK_64, steps)),
        halves=packed(repeat(MASK_32, steps)),
        fives=packed(repeat(31, steps)),
        size=steps * LANE // 8,
        split=split,
    )


def mix(state: list[int], cards: list[int]) -> None:
    """Shuffle cards that are in ascending order, in place, and advance the state's generator."""
    chance.store(state, mixed(chance.load(state), cards))


def mixed(generator: int, cards: list[int]) -> int:
    """Shuffle cards that are in ascending order, in place. Returns the generator after it."""
    count = len(cards)
    start = 0
    while count - start > FEW:
        steps = min(count - start - 1, MOST_LANES)
        lanes = _lanes(steps)
        states = (generator * lanes.powers + lanes.sums) & lanes.words
        # `chance.output` of every lane: the xorshift; its 32 bits twice, so that a shift is a rotation; and in the
        # upper half of the lane, the rotation. The masks remove bits that a shift brings in from the next lane.
        shifted = (states >> 18 ^ states) >> 27 & lanes.halves
        twice = shifted | shifted << 32 | (states >> 59 & lanes.fives) << 64
        words = lanes.split.unpack(twice.to_bytes(lanes.size, "little"))
        places, bounds = range(start, start + steps), range(count - start, count - start - steps, -1)
        for i, doubled, rotation, bound in zip(places, words[::2], words[1::2], bounds, strict=True):
            product = (doubled >> rotation & MASK_32) * bound
            if product & MASK_32 < bound:
                # This number may be rejected; then all later ones come one step later.
                power, total = _jumps()[i - start]
                return _mix_rest(cards, i, (generator * power + total) & MASK_64)
            j = i + (product >> 32)
            cards[i], cards[j] = cards[j], cards[i]
        power, total = _jumps()[steps]
        generator = (generator * power + total) & MASK_64
        start += steps
    return _mix_rest(cards, start, generator)


def _mix_rest(cards: list[int], start: int, generator: int) -> int:
    """Shuffle the cards from a place on, one number at a time. Returns the generator after it."""
    last = len(cards) - 1
    i = start
    while i < last:
        # `chance.bounded`, without calls.
        mixed = (generator >> 18 ^ generator) >> 27 & MASK_32
        rotation = generator >> 59
        generator = (generator * MULTIPLIER + INCREMENT) & MASK_64
        product = ((mixed >> rotation | mixed << 32 - rotation) & MASK_32) * (last + 1 - i)
        if product & MASK_32 < last + 1 - i and product & MASK_32 < (1 << 32) % (last + 1 - i):
            continue
        j = i + (product >> 32)
        cards[i], cards[j] = cards[j], cards[i]
        i += 1
    return generator
