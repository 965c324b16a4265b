"""Check the arguments that callers pass to a game."""

from __future__ import annotations


def is_whole(value: object) -> bool:
    """Return whether a value is an int and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_whole(name: str, value: object, end: int) -> None:
    """Raise TypeError or ValueError unless a value is a whole number from 0 to `end` - 1."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be a whole number, not {kind_of(value)}")
    if not 0 <= value < end:
        raise ValueError(f"`{name}` must be from 0 to {end - 1}, not {value}")


def kind_of(value: object) -> str:
    """Describe the type of a value in words."""
    return "None" if value is None else f"a {type(value).__name__}"
