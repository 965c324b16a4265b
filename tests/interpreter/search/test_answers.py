"""Random answers to decisions."""

from __future__ import annotations

from collections import Counter

from rulewright.interpreter.search.determinise import random_keys
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.decision import Decision, Option


def decision(counts: dict[str, int], least: int, most: int) -> Decision:
    options, value = [], 0
    for key, count in counts.items():
        options.append(Option(key, tuple(range(value, value + count)), count))
        value += count
    return Decision(0, 0, "here.choice", least, most, tuple(options), 0)


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
