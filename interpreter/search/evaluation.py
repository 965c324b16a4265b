"""What a search is about, and what the ends of its playouts are worth.

Packs need not define what is good: an end is worth the seat's share of the victory and, much less, its lead in
points. So if nobody wins, or all playouts are won, scores decide; without scores, chance does. Worth is in whole
numbers, whose sums are equal on every machine and backend.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.knowledge import Knowledge

DEPTH = 1_000
"""Maximum number of questions in a playout, since a game need not end."""
VICTORY = 1_000_000_000
"""The worth of a victory."""
LEAD = VICTORY // 4
"""The most that the lead in points counts."""


@frozen
class Moment:
    """A state, the knowledge of its seats, and the open decision of one of them as that seat sees it."""

    state: Sequence[int]
    knowledge: Knowledge
    decision: Decision


# ---- Answers as a search sees them: how many a decision has, and random ones
#
# An answer is a tuple of option keys in the order of the options, so that equivalent answers are equal.

Keys = tuple[str, ...]


def random_keys(decision: Decision, stream: Stream) -> Keys:
    """Return an answer of the random policy."""
    things = [number for number, option in enumerate(decision.options) for _ in range(option.count)]
    count = decision.least + stream.below(decision.most - decision.least + 1)
    chosen = sorted(things.pop(stream.below(len(things))) for _ in range(count))
    return tuple(decision.options[number].key for number in chosen)
