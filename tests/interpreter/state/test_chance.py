"""Chance: published test vectors, unbiased bounds, and the exact shuffle.

All is compared with exact definitions. That they give uniform numbers is known of them, and needs no sample.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice, product

import pytest

from rulewright.interpreter.state import chance
from rulewright.ruleset.table.nodes import RNG


def test_pcg32_demo_vector() -> None:
    """The first round of pcg32-demo (pcg-random.org), seed 42, sequence 54."""
    increment = 54 << 1 | 1
    generator = chance.advance((chance.advance(0, increment) + 42) & chance.MASK_64, increment)
    drawn = []
    for _ in range(6):
        drawn.append(chance.output(generator))
        generator = chance.advance(generator, increment)
    assert drawn == [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]


def test_games_of_a_run_have_different_seeds() -> None:
    seeds = {chance.seed_state(run, game) for run in range(30) for game in range(30)}
    assert len(seeds) == 900
    assert chance.seed_state(5) == chance.seed_state(5, 0) == chance.seed_state(5 + 2**64)


@pytest.mark.parametrize("generator", [0, 1, 0x123456789ABCDEF0, chance.MASK_64])
def test_cells_hold_16_bits_each(generator: int) -> None:
    state = array("i", [7] * 6)
    chance.store(state, generator)
    assert all(0 <= cell < 1 << 16 for cell in state[RNG : RNG + 4])
    assert list(state[4:]) == [7, 7]
    assert chance.load(state) == generator


def test_bounded_is_multiply_and_reject() -> None:
    """By the definition, with exact fractions of 2**32 and an explicit list of tries."""
    bound = 3 << 30  # a quarter of all tries is rejected
    generator, rejected = 99, 0
    for _ in range(200):
        expected = generator
        while (chance.output(expected) * bound) % 2**32 < 2**32 % bound:
            expected = chance.advance(expected)
            rejected += 1
        number = chance.output(expected) * bound // 2**32
        assert chance.bounded(generator, bound) == (number, chance.advance(expected))
        generator = chance.advance(expected)
    assert 30 < rejected < 120


def test_a_bound_of_one_takes_a_step() -> None:
    assert chance.bounded(77, 1) == (0, chance.advance(77))


def test_shuffle_is_fisher_yates_from_ascending_order() -> None:
    generator = chance.seed_state(8)
    order, after = chance.shuffled([9, 4, 7, 1], generator)
    expected = [1, 4, 7, 9]
    for i, n in ((0, 4), (1, 3), (2, 2)):
        j, generator = chance.bounded(generator, n)
        expected[i], expected[i + j] = expected[i + j], expected[i]
    assert (order, after) == (expected, generator)
    assert chance.shuffled([4, 9, 1, 7], chance.seed_state(8))[0] == expected


def splitmix64(seed: int) -> Iterator[int]:
    """What splitmix64.c gives for a seed, written down from it."""
    x = seed
    while True:
        x = (x + 0x9E3779B97F4A7C15) % 2**64
        z = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) % 2**64
        yield z ^ z >> 31


def test_splitmix64_vector() -> None:
    """The first five numbers for seed 1234567, as published with splitmix64.c."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    published.append(16408922859458223821)
    assert [*islice(splitmix64(1234567), 5)] == published
    assert [chance.splitmix(1234567 + i * chance.GOLDEN & chance.MASK_64) for i in range(5)] == published


@pytest.mark.parametrize(
    ("seed", "sequence"), [(0, 0), (7, 3), (-1, 5), (2**64 + 7, 3), (7, 2**64 + 3), (2**63, 2**63)]
)
def test_the_key_of_a_stream_is_a_number_of_the_run(seed: int, sequence: int) -> None:
    """Number `sequence` of splitmix64 from what it gives first for the seed: both count modulo 2**64. The stream is
    splitmix64 from its key.
    """
    run = next(splitmix64(seed % 2**64))
    key = next(splitmix64((run + sequence * 0x9E3779B97F4A7C15) % 2**64))
    stream = chance.Stream(seed, sequence)
    assert [stream.bits() for _ in range(101)] == [number >> 32 for number in islice(splitmix64(key), 101)]


def test_a_stream_goes_back_to_any_place() -> None:
    """From each place to each: what comes then is what came there before."""
    stream = chance.Stream(5, 8)
    length = 42
    places, numbers = [], []
    for _ in range(length):
        places.append(stream.place)
        numbers.append(stream.bits())
    assert len({*map(repr, places)}) == length
    for start, end in product(range(length), repeat=2):
        for place in (start, end):
            stream.place = places[place]
            assert stream.place == places[place]
            assert stream.bits() == numbers[place]


def test_a_bound_of_a_stream_is_multiply_and_reject() -> None:
    bound = 3 << 30  # a quarter of all tries is rejected
    stream, tries = chance.Stream(9), iter(chance.Stream(9).bits, -1)
    taken = 0
    for _ in range(200):
        multiplied = next(tries) * bound
        taken += 1
        while multiplied % 2**32 < 2**32 % bound:
            multiplied = next(tries) * bound
            taken += 1
        assert stream.below(bound) == multiplied // 2**32
    assert 230 < taken < 320
    assert stream.below(1) == 0
    next(tries)
    assert stream.bits() == next(tries)
