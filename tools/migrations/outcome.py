"""What a migration makes of the files of a pack."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen


@frozen(order=True)
class MigrationNote:
    """What was done at a place, or why nothing can be."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@frozen
class MigrationOutcome:
    """The texts of all files after a migration, what it did, and what it cannot do.

    When anything is refused the texts are not to be used: half a migrated pack is in no format.
    """

    texts: Mapping[str, str]
    done: tuple[MigrationNote, ...] = ()
    refused: tuple[MigrationNote, ...] = ()
