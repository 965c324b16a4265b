"""Convert packs from one format to the next.

Each step is a module with the format it begins from and a pure function; what a pack of an older format means
meanwhile is in `ruleset.source.format_upgrade`. To change the format: a module here, its line in `MIGRATIONS`, what
it means in
`ruleset.source.format_upgrade`, and a folder with examples in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import frozen

from rulewright.tools.migrations import from_1, from_2
from rulewright.tools.migrations.outcome import MigrationNote, MigrationOutcome

__all__ = ["MIGRATIONS", "Migration", "MigrationNote", "MigrationOutcome", "migrated"]


@frozen
class Migration:
    """The step from one format to the next, and what it does, in a few words."""

    start: int
    about: str
    migrate: Callable[[Mapping[str, str]], MigrationOutcome]


MIGRATIONS = (
    Migration(from_1.FROM, "`state` became `tracks`", from_1.migrate),
    Migration(from_2.FROM, "scopes with one value for each card say so", from_2.migrate),
)


def migrated(texts: Mapping[str, str], start: int, end: int) -> MigrationOutcome:
    """Texts of a pack in format `start` as they are in format `end`, step by step."""
    outcome = MigrationOutcome(dict(texts))
    for step in MIGRATIONS:
        if start <= step.start < end:
            after = step.migrate(outcome.texts)
            outcome = MigrationOutcome(after.texts, (*outcome.done, *after.done), after.refused)
            if after.refused:
                break
    return outcome
