"""Positions in a game: the round or turn, and the phase."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.table.nodes import TableProgram


@frozen
class Position:
    """A position in a game: the heading of the round, and the source names of the phase and the round."""

    title: str
    phase: str = ""
    round: str = ""
    seat: int = -1
    """The seat whose turn it is, or -1."""


def phases_of(program: TableProgram, round_: str) -> list[str]:
    """Return the phases of a round, in order: the sources between its own and the next round's."""
    found: list[str] = []
    inside = False
    for source in program.sources:
        if source.name.startswith("round/"):
            inside = source.name == round_
        elif inside and source.name.startswith("phase/") and source.name not in found:
            found.append(source.name)
    return found
