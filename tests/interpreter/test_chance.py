"""Chance: published test vectors, unbiased bounds, and the exact shuffle."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter import chance
from ruleset.table import RNG


def test_pcg32_demo_vector() -> None:
    """The first round of pcg32-demo (pcg-random.org), seed 42, sequence 54."""
    increment = 54 << 1 | 1
    generator = chance.advance((chance.advance(0, increment) + 42) & chance.MASK_64, increment)
    drawn = []
    for _ in range(6):
        drawn.append(chance.output(generator))
        generator = chance.advance(generator, increment)
    assert drawn == [
        0xA15C02B7,
        0x7B47F409,
        0xBA1D3330,
        0x83D2F293,
        0xBFA4784B,
        0xCBED606E,
    ]


def test_splitmix64_vector() -> None:
    """The first five numbers for seed 1234567, as published with splitmix64.c."""
    numbers = [chance.splitmix(1234567 + i * chance.GOLDEN & chance.MASK_64) for i in range(5)]
    assert numbers == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_games_of_a_run_have_different_seeds() -> None:
    seeds = {chance.seed_state(run, game) for run in range(30) for game in range(30)}
    assert len(seeds) == 900
    assert chance.seed_state(5) == chance.seed_state(5, 0) == chance.seed_state(5 + 2**64)


@pytest.mark.parametrize("generator", [0, 1, 0x123456789ABCDEF0, chance.MASK_64])
def test_cells_hold_16_bits_each(generator: int) -> None:
    state = [7] * 6
    chance.store(state, generator)
    assert all(0 <= cell < 1 << 16 for cell in state[RNG : RNG + 4])
    assert state[4:] == [7, 7]
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


def test_bounded_is_uniform() -> None:
    stream = chance.Stream(1)
    counts = Counter(stream.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 20.5  # chi square, 5 degrees, p = 0.001


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


def test_all_orders_are_equally_likely() -> None:
    generator = chance.seed_state(3)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(4800):
        order, generator = chance.shuffled([0, 1, 2, 3], generator)
        counts[tuple(order)] += 1
    assert len(counts) == 24
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 49.7  # chi square, 23 degrees, p = 0.001
