"""What is weighed: definitions, each at a choice that offers it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulewright.interpreter.views.visibility import ALL_DEFINITIONS
from rulewright.ruleset.program.scenario import ExpectedTable, WeighedGroup
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
class DefinitionTrial:
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


# ---- Groups of definitions that are weighed against each other, instead of all definitions of a kind

@frozen
class StudyGrouping:
    """The groups of a study. Definitions of a kind that are in no group are weighed together."""

    groups: tuple[WeighedGroup, ...] = ()

    def of(self, subject: Subject) -> str:
        """Return the group of a definition; empty if it is in none."""
        return next((one.key for one in self.groups if subject.name in one.ids), "")

    def place(self, group: str) -> int:
        """Return the place of a group, in the order of their declaration; definitions in none come last."""
        keys = [one.key for one in self.groups]
        return keys.index(group) if group in keys else len(keys)


NO_GROUPS = StudyGrouping()


def first_groups(expected: Sequence[ExpectedTable]) -> StudyGrouping:
    """Return, for each kind, the groups of the first document that divides it."""
    found: dict[str, tuple[WeighedGroup, ...]] = {}
    for table in expected:
        for kind in dict.fromkeys(one.kind for one in table.groups):
            found.setdefault(kind, tuple(one for one in table.groups if one.kind == kind))
    return StudyGrouping(tuple(one for groups in found.values() for one in groups))
