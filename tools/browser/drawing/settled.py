"""Draw a decision that was answered: nothing can be chosen any more, and what was chosen is marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from rulewright.tools.browser.drawing.model import (
    BoardPart,
    CardDrawing,
    Choice,
    Dock,
    Offer,
    Player,
    TableDrawing,
    Target,
    ZoneDrawing,
)

_PARTS: dict[type, tuple[str, ...]] = {
    TableDrawing: ("players", "board", "own", "dock"),
    Player: ("zones", "offer"),
    BoardPart: ("zones",),
    ZoneDrawing: ("cards",),
    CardDrawing: ("offer",),
    Dock: ("choices", "beside"),
    Choice: ("offer", "targets"),
    Target: ("offer",),
}
"""The parts of each drawing that may hold offers."""


@frozen
class Settled:
    """A table on which nothing can be chosen, and the labels of what was chosen in its decision."""

    drawing: TableDrawing
    chosen: tuple[str, ...]


def settled(drawing: TableDrawing, keys: Sequence[str]) -> Settled:
    """Return a drawing whose decision was answered with these keys."""
    labels: dict[str, str] = {}
    done = _settled(drawing, frozenset(keys), labels)
    counts = Counter(keys)
    chosen = [(counts[key], labels[key]) for key in counts if key in labels]
    return Settled(done, tuple(f"{count} × {label}" if count > 1 else label for count, label in chosen))


def _settled(thing: Any, keys: frozenset[str], labels: dict[str, str]) -> Any:
    if isinstance(thing, tuple):
        return tuple(_settled(one, keys, labels) for one in thing)
    if isinstance(thing, Offer):
        labels[thing.key] = thing.label
        return evolve(thing, taken=thing.key in keys)
    parts = _PARTS.get(type(thing))
    if parts is None:
        return thing
    changed = {name: _settled(getattr(thing, name), keys, labels) for name in parts}
    if isinstance(thing, CardDrawing) and thing.why:
        changed["why"] = ""
    return evolve(thing, **changed)
