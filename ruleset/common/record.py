"""The base of records: how they are shown to who debugs or reads a failed test."""

from __future__ import annotations

from attrs import fields


class Record:
    """A class made by attrs, with `repr=False`: making a `__repr__` for each takes time at every start."""

    __slots__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shown = (one.name for one in fields(type(self)) if one.repr)  # type: ignore[arg-type]  # attrs made it
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"
