"""What is weighed: definitions, each at a choice that offers it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulewright.interpreter.views.visibility import ALL_DEFINITIONS
from rulewright.ruleset.table.nodes import TableProgram


@frozen
class Subject:
    """A definition of a kind."""

    kind: str
    key: str

    @property
    def name(self) -> str:
        """Its name among all things: `lantern/tall`."""
        return f"{self.kind}/{self.key}"


@frozen
class Trial:
    """A definition at a site that offers it."""

    subject: Subject
    site: int


def subjects(program: TableProgram, kinds: Sequence[str] = ()) -> tuple[Subject, ...]:
    """Return all definitions of a table, or those of some kinds, in the order of the pack."""
    return tuple(
        Subject(kind, key)
        for kind, keys in program.definitions
        if kind != ALL_DEFINITIONS and (not kinds or kind in kinds)
        for key in keys
    )
