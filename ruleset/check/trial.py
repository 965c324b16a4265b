"""Objects whose whole state can be taken and put back, so that an attempt leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define, fields
from attrs import frozen as frozen_record
from attrs.setters import frozen

from ruleset.common.record import Record

_PLAIN = (int, str, tuple, frozenset, type(None))


@frozen_record(repr=False)
class _Length(Record):
    """How long a list was: while something is tried, lists only grow, so nothing of them has to be copied."""

    of: list[Any]
    count: int


@define(eq=False, repr=False)
class Restorable(Record):
    """Base of objects with a state. Every attribute belongs to the state, except those that can never be set again
    (`field(on_setattr=frozen)`). The classes have slots, so no attribute can exist without being declared.

    Lists only grow between `state` and `restore`; dictionaries and sets may change in any way.
    """

    def state(self) -> tuple[Any, ...]:
        """A copy of the state. Raises TypeError for an attribute that cannot be copied."""
        return tuple(_copied(getattr(self, name)) for name in state_names(type(self)))

    def restore(self, state: tuple[Any, ...]) -> None:
        """Put a state back. It must not be used again, since it is not copied."""
        for name, value in zip(state_names(type(self)), state, strict=True):
            if isinstance(value, _Length):
                del value.of[value.count :]
                value = value.of
            setattr(self, name, value)


def state_names(kind: type[Any]) -> tuple[str, ...]:
    """The attributes that make up the state of objects of a class."""
    return tuple(one.name for one in fields(kind) if one.on_setattr is not frozen)


@contextmanager
def trial(*tried: Restorable) -> Iterator[None]:
    """Undo everything that is done to some objects inside the block."""
    before = [one.state() for one in tried]
    try:
        yield
    finally:
        for one, state in zip(tried, before, strict=True):
            one.restore(state)


def _copied(value: Any) -> Any:
    """A shallow copy, of a list only its length: members are immutable values."""
    if isinstance(value, _PLAIN):
        return value
    if type(value) is list:
        return _Length(value, len(value))
    if type(value) in (dict, set):
        return value.copy()
    raise TypeError(f"{type(value).__name__} cannot be part of a state that is restored")
