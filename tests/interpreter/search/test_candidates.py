"""The answers that a search evaluates."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from interpreter.search.candidates import MOST, candidates, random_keys
from interpreter.state.chance import Stream
from interpreter.views.decision import Decision, resolve
from interpreter.views.options import Option


def decision(counts: dict[str, int], least: int, most: int) -> Decision:
    options, value = [], 0
    for key, count in counts.items():
        options.append(Option(key, tuple(range(value, value + count)), count))
        value += count
    return Decision(0, 0, "here.choice", least, most, tuple(options), 0)


COUNTS = ({"a": 1, "b": 1, "c": 1}, {"a": 3, "b": 1}, {"a": 2, "b": 2, "c": 1}, {})


@pytest.mark.parametrize("counts", COUNTS)
def test_few_answers_are_all_weighed(counts: dict[str, int]) -> None:
    """All subsets of the things, equal ones once."""
    things = [key for key, count in counts.items() for _ in range(count)]
    for least in range(len(things) + 1):
        for most in range(least, len(things) + 1):
            expected = {keys for size in range(least, most + 1) for keys in combinations(things, size)}
            found = candidates(decision(counts, least, most), Stream(1))
            assert len(found) == len(set(found))
            assert set(found) == expected


def test_of_one_thing_all_are_weighed() -> None:
    many = decision({f"place-{n}": 1 for n in range(100)}, 1, 1)
    assert candidates(many, Stream(1)) == tuple((option.key,) for option in many.options)
    assert len(candidates(decision({f"place-{n}": 1 for n in range(100)}, 0, 1), Stream(1))) == 101


def test_of_many_answers_a_sample_is_weighed() -> None:
    counts = {f"gem-{n}": 1 + n % 3 for n in range(10)}
    things = sum(counts.values())
    many = decision(counts, 0, things)
    for seed in range(20):
        found = candidates(many, Stream(seed))
        assert len(found) == len(set(found)) == MOST
        assert {(), *((key,) for key in counts)} <= set(found), "nothing, and each alone"
        assert tuple(option.key for option in many.options for _ in range(option.count)) in found, "everything"
        assert all(isinstance(resolve(many, keys), tuple) for keys in found)
        assert found == candidates(many, Stream(seed))
    assert candidates(many, Stream(1)) != candidates(many, Stream(2))


def test_a_sample_keeps_to_the_bounds() -> None:
    many = decision({f"gem-{n}": 2 for n in range(9)}, 3, 5)
    found = candidates(many, Stream(4))
    assert {len(keys) for keys in found} == {3, 4, 5}
    assert all(isinstance(resolve(many, keys), tuple) for keys in found)


def test_random_answers_are_those_of_the_random_policy() -> None:
    """Three things, two of them equal: sizes 0 to 3 are equally likely, 900 of 3600 each (four deviations: 104);
    alone, an `a` comes twice as often as the `b`.
    """
    stream = Stream(3)
    found = Counter(random_keys(decision({"a": 2, "b": 1}, 0, 3), stream) for _ in range(3600))
    sizes = Counter(len(keys) for keys, count in found.items() for _ in range(count))
    assert set(found) == {(), ("a",), ("b",), ("a", "a"), ("a", "b"), ("a", "a", "b")}
    assert all(abs(sizes[size] - 900) < 104 for size in range(4))
    assert abs(found[("a",)] - 600) < 89
    assert abs(found[("a", "b")] - 600) < 89
