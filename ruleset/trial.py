"""Objects whose whole state can be taken and put back, so that an attempt leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define, fields
from attrs.setters import frozen

_PLAIN = (int, str, tuple, frozenset, type(None))


@define(eq=False)
class Restorable:
    """Base of objects with a state. Every attribute belongs to the state, except those that can never be set again
    (`field(on_setattr=frozen)`). The classes have slots, so no attribute can exist without being declared."""

    def state(self) -> tuple[Any, ...]:
        """A copy of the state. Raises TypeError for an attribute that cannot be copied."""
        return tuple(_copied(getattr(self, name)) for name in state_names(type(self)))

    def restore(self, state: tuple[Any, ...]) -> None:
        """Put a state back. It must not be used again, since it is not copied."""
        for name, value in zip(state_names(type(self)), state, strict=True):
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
    """A shallow copy: members are immutable values."""
    if isinstance(value, _PLAIN):
        return value
    if type(value) in (list, dict, set):
        return value.copy()
    raise TypeError(f"{type(value).__name__} cannot be part of a state that is restored")
