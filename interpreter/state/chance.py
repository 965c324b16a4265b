"""Chance: PCG-XSH-RR 64/32, bounded draws without bias, shuffles and seeds.

A generator is one 64-bit number. A game keeps it in four cells of its state, 16 bits each, lowest first, and steps
it with the constant `INCREMENT`. Bots have a `Stream` of their own, so their choices never touch the game's chance.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache

from rulewright.ruleset.table.nodes import RNG

MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407
"""The increment of every game's generator (any odd number gives a stream of its own)."""

MASK_32 = 0xFFFFFFFF
MASK_64 = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
"""The step of splitmix64."""
FACTORS = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""The multipliers of splitmix64."""


def output(generator: int) -> int:
    """Return the 32 bits that a generator gives before its next step: xorshift high, random rotation."""
    mixed = (((generator >> 18) ^ generator) >> 27) & MASK_32
    rotation = generator >> 59
    return ((mixed >> rotation) | (mixed << (-rotation & 31))) & MASK_32


def advance(generator: int, increment: int = INCREMENT) -> int:
    """Return the generator after one step."""
    return (generator * MULTIPLIER + increment) & MASK_64


def bounded(generator: int, bound: int, increment: int = INCREMENT) -> tuple[int, int]:
    """Return a uniform number from 0 to `bound` - 1, and the generator after it. `bound` is from 1 to 2**32 - 1.

    Multiply and reject: the high half of `output * bound` is the number. If the low half is less than `2**32 %
    bound`, it draws again, because those values would make some numbers likelier. Each try is one step, also for a
    bound of 1.
    """
    product = output(generator) * bound
    generator = advance(generator, increment)
    if product & MASK_32 < bound:
        surplus = (1 << 32) % bound
        while product & MASK_32 < surplus:
            product = output(generator) * bound
            generator = advance(generator, increment)
    return product >> 32, generator


def shuffled(items: Sequence[int], generator: int) -> tuple[list[int], int]:
    """Return the items in random order, and the generator after it.

    Fisher-Yates from ascending order: for i in 0..n-2, elements i and i + bounded(n - i) change places.
    """
    order = sorted(items)
    for i in range(len(order) - 1):
        j, generator = bounded(generator, len(order) - i)
        order[i], order[i + j] = order[i + j], order[i]
    return order, generator


def load(state: Sequence[int]) -> int:
    """Read the generator from a state's four cells."""
    return state[RNG] | state[RNG + 1] << 16 | state[RNG + 2] << 32 | state[RNG + 3] << 48


def store(state: array[int], generator: int) -> None:
    """Write a generator to a state's four cells."""
    state[RNG] = generator & 0xFFFF
    state[RNG + 1] = generator >> 16 & 0xFFFF
    state[RNG + 2] = generator >> 32 & 0xFFFF
    state[RNG + 3] = generator >> 48


def splitmix(number: int) -> int:
    """Return the first number of splitmix64 for a seed. Each of its 64 bits depends on all bits of the seed."""
    one, other = FACTORS
    mixed = (number + GOLDEN) & MASK_64
    mixed = ((mixed ^ mixed >> 30) * one) & MASK_64
    mixed = ((mixed ^ mixed >> 27) * other) & MASK_64
    return mixed ^ mixed >> 31


def seed_state(run_seed: int, game_index: int = 0) -> int:
    """Return the generator of a new game: number `game_index` (from 0) of the splitmix64 sequence that begins at
    `splitmix(run_seed)`. Only the low 64 bits of a seed count.
    """
    return splitmix((_run(run_seed & MASK_64) + game_index * GOLDEN) & MASK_64)


@lru_cache(maxsize=16)
def _run(seed: int) -> int:
    """Return the start of a run's sequence."""
    return splitmix(seed)


class Stream:
    """Chance for bots, apart from the game's: a splitmix64 sequence, the upper 32 bits of each number.

    Number i of a stream, from 0, depends on the stream's key and on i alone: it is `splitmix(key + i * GOLDEN) >>
    32`, and the key is `seed_state(seed, sequence)`.
    """

    __slots__ = ("_key", "place")

    def __init__(self, seed: int, sequence: int = 0) -> None:
        self._key = seed_state(seed, sequence)
        self.place = 0
        """How many numbers the stream has given. Setting it moves the stream there."""

    def bits(self) -> int:
        """Return the next 32 bits."""
        number = splitmix(self._key + self.place * GOLDEN & MASK_64)
        self.place += 1
        return number >> 32

    def below(self, bound: int) -> int:
        """Return a uniform number from 0 to `bound` - 1, by multiply and reject like `bounded`. `bound` is >= 1."""
        product = self.bits() * bound
        if product & MASK_32 < bound:
            surplus = (1 << 32) % bound
            while product & MASK_32 < surplus:
                product = self.bits() * bound
        return product >> 32
