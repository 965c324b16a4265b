"""Save the state of objects before a trial and restore it afterwards.

Every attribute belongs to the state, except those that can never be set again (`field(on_setattr=frozen)`). The
classes have slots, so every attribute is declared, and new ones are restored, too. Lists only grow during a trial;
dictionaries and sets may change in any way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import fields, frozen
from attrs.setters import frozen as frozen_attribute

from rulewright.ruleset.common.record import Record

_PLAIN = (int, str, tuple, frozenset, type(None))


@frozen(repr=False)
class _Length(Record):
    """The length of a list. Lists only grow during a trial, so their contents need no copy."""

    of: list[Any]
    count: int


@contextmanager
def restored(*tried: Any) -> Iterator[None]:
    """Undo every change made to these objects inside the block.

    Raises TypeError before the block if an attribute cannot be copied.
    """
    before = [_state(one) for one in tried]
    try:
        yield
    finally:
        for one, state in zip(tried, before, strict=True):
            _restore(one, state)


def state_names(kind: type[Any]) -> tuple[str, ...]:
    """Return the names of the attributes that make up the state of a class."""
    return tuple(one.name for one in fields(kind) if one.on_setattr is not frozen_attribute)


def _state(one: Any) -> list[Any]:
    return [_copied(getattr(one, name)) for name in state_names(type(one))]


def _restore(one: Any, state: list[Any]) -> None:
    for name, value in zip(state_names(type(one)), state, strict=True):
        if isinstance(value, _Length):
            del value.of[value.count :]
            value = value.of
        setattr(one, name, value)


def _copied(value: Any) -> Any:
    """Return a shallow copy, or the length of a list: members are immutable values."""
    if isinstance(value, _PLAIN):
        return value
    if type(value) is list:
        return _Length(value, len(value))
    if type(value) in (dict, set):
        return value.copy()
    raise TypeError(f"{type(value).__name__} cannot be part of a state that is restored")
