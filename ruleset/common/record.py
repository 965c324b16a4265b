"""The base class of records, which gives them a `repr` for debugging and test failures."""

from __future__ import annotations

from attrs import fields


class Record:
    """Base of attrs classes with `repr=False`: generating a `__repr__` for each would slow down every start."""

    __slots__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shown = (one.name for one in fields(type(self)) if one.repr)  # type: ignore[arg-type]  # attrs made it
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"
