"""The state of objects that an attempt writes to: taken before it and put back after it, so that nothing is left.

Every attribute belongs to the state, except those that can never be set again (`field(on_setattr=frozen)`). The
classes have slots, so no attribute can exist without being declared: one that is added is restored, too. Lists only
grow during an attempt; dictionaries and sets may change in any way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import fields
from attrs import frozen as frozen_record
from attrs.setters import frozen

from ruleset.common.record import Record

_PLAIN = (int, str, tuple, frozenset, type(None))


@frozen_record(repr=False)
class _Length(Record):
    """How long a list was: while something is tried, lists only grow, so nothing of them has to be copied."""

    of: list[Any]
    count: int


@contextmanager
def restored(*tried: Any) -> Iterator[None]:
    """Undo everything that is done to some objects inside the block.

    Raises TypeError before the block if an attribute cannot be copied.
    """
    before = [_state(one) for one in tried]
    try:
        yield
    finally:
        for one, state in zip(tried, before, strict=True):
            _restore(one, state)


def state_names(kind: type[Any]) -> tuple[str, ...]:
    """The attributes that make up the state of objects of a class."""
    return tuple(one.name for one in fields(kind) if one.on_setattr is not frozen)


def _state(one: Any) -> list[Any]:
    return [_copied(getattr(one, name)) for name in state_names(type(one))]


def _restore(one: Any, state: list[Any]) -> None:
    for name, value in zip(state_names(type(one)), state, strict=True):
        if isinstance(value, _Length):
            del value.of[value.count :]
            value = value.of
        setattr(one, name, value)


def _copied(value: Any) -> Any:
    """A shallow copy, of a list only its length: members are immutable values."""
    if isinstance(value, _PLAIN):
        return value
    if type(value) is list:
        return _Length(value, len(value))
    if type(value) in (dict, set):
        return value.copy()
    raise TypeError(f"{type(value).__name__} cannot be part of a state that is restored")
