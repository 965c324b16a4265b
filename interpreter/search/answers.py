"""Answers as a search sees them: how many a decision has, and random ones.

An answer is a tuple of option keys in the order of the options, so that equivalent answers are equal.
"""

from __future__ import annotations

from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.decision import Decision

Keys = tuple[str, ...]


def how_many(decision: Decision) -> int:
    """Return the number of different answers."""
    ways = [1] + [0] * decision.most
    for option in decision.options:
        ways = [sum(ways[max(0, size - option.count) : size + 1]) for size in range(decision.most + 1)]
    return sum(ways[decision.least :])


def random_keys(decision: Decision, stream: Stream) -> Keys:
    """Return an answer of the random policy."""
    things = [number for number, option in enumerate(decision.options) for _ in range(option.count)]
    count = decision.least + stream.below(decision.most - decision.least + 1)
    chosen = sorted(things.pop(stream.below(len(things))) for _ in range(count))
    return tuple(decision.options[number].key for number in chosen)
