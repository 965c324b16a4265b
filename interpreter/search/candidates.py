"""The answers that a search weighs: all answers of a decision if there are few, else a sample.

An answer is a tuple of option keys in the order of the options, so that equivalent answers are equal. A sample
contains simple answers (nothing, everything, each option alone) and random ones in the manner of the random policy:
a uniform number of things, drawn without replacement.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from interpreter.state.chance import Stream
from interpreter.views.decision import Decision, picks

MOST = 24
"""Maximum number of answers weighed if several things can be chosen at once; if only one, all are."""
_TRIES = 4
"""Random draws for each place of a sample: equal ones count once."""

Keys = tuple[str, ...]


def candidates(decision: Decision, stream: Stream, most: int = MOST) -> tuple[Keys, ...]:
    """Return different legal answers in canonical form, ordered by the decision and the stream alone."""
    if decision.most == 1:
        none: tuple[Keys, ...] = () if decision.least else ((),)
        return (*none, *((option.key,) for option in decision.options))
    if decision.most > most:
        return _sample(decision, stream, most)
    found = tuple(islice(_all(decision, ()), most + 1))
    return found if len(found) <= most else _sample(decision, stream, most)


def random_keys(decision: Decision, stream: Stream) -> Keys:
    """Return an answer of the random policy."""
    things = [number for number, option in enumerate(decision.options) for _ in range(option.count)]
    count = decision.least + stream.below(decision.most - decision.least + 1)
    chosen = sorted(things.pop(stream.below(len(things))) for _ in range(count))
    return tuple(decision.options[number].key for number in chosen)


def _all(decision: Decision, partial: Keys) -> Iterator[Keys]:
    follow = picks(decision, partial)
    if follow.may_stop:
        yield partial
    for option in follow.options:
        yield from _all(decision, (*partial, option.key))


def _sample(decision: Decision, stream: Stream, most: int) -> tuple[Keys, ...]:
    """Return at most `most` answers; at least half of them are random."""
    things = tuple(option.key for option in decision.options for _ in range(option.count))
    plain: list[Keys] = [(), things, *((option.key,) for option in decision.options)]
    fitting = (keys for keys in plain if decision.least <= len(keys) <= decision.most)
    found: dict[Keys, None] = dict.fromkeys(islice(fitting, most // 2))
    for _ in range(_TRIES * most):
        if len(found) == most:
            break
        found[random_keys(decision, stream)] = None
    return tuple(found)
