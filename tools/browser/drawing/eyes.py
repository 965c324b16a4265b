"""The eyes of one reader of a table: a seat, a spectator, or a witness.

A spectator sees only what all seats see, a witness sees everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.events import Event, redact
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import (
    View,
    for_spectator,
    for_witness,
    spectator_sight,
    spectator_view,
    with_witness,
)
from rulewright.interpreter.views.visibility import Sight
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.faces.face import Faces
from rulewright.tools.packs.naming import Naming

SPECTATOR = -1
"""Stands for a spectator where a seat is asked for."""
WITNESS = -2
"""Stands for somebody who sees everything: a reader of a replay."""


@frozen
class SeatedTexts:
    """The texts of a pack, with the names that people have given to their seats."""

    texts: PackTexts
    names: tuple[str, ...]

    def name(self, language: str, thing: str, key: str) -> str | None:
        """Name a thing; see `interpreter.views.names.Texts`."""
        if thing == "seat" and key.startswith("seat-"):
            return self.names[int(key.removeprefix("seat-")) - 1] or None
        return self.texts.name(language, thing, key)


@frozen
class Eyes:
    """A reader at a table whose program is `game.program`. `program` is that of the reader: see `views.view`.

    `seat` is the number by which masks are read: for a spectator and a witness, that of no seat.
    """

    game: Game
    naming: Naming
    faces: Faces
    language: str
    program: TableProgram
    seat: int
    texts: SeatedTexts
    narrator: Narrator
    names: tuple[str, ...] = field()
    sees_all: bool = False
    """Whether this is a witness."""

    @property
    def spectates(self) -> bool:
        """Whether this is no seat."""
        return self.seat == self.game.program.seats

    def view(self) -> View:
        """Return what the reader sees."""
        if self.spectates:
            return spectator_view(self.program, self.game.state, self.game.knowledge)
        return self.game.view(self.seat)

    def sight(self) -> Sight:
        """Return the reader's sight of the present state."""
        if self.spectates:
            return spectator_sight(self.program, self.game.state, self.game.knowledge)
        return Sight(self.program, self.game.state, self.game.knowledge, self.seat)

    def chronicle(self) -> Chronicle:
        """Return a new log for this reader."""
        reader = None if self.sees_all else self.seat
        program = self.game.program if self.sees_all else self.program
        return Chronicle(program, self.texts, self.language, reader, self.naming.layout)

    def events(self) -> list[Event]:
        """Return all events so far, redacted for the reader."""
        return self.redacted(self.game.events())

    def redacted(self, events: Sequence[Event]) -> list[Event]:
        """Return what the reader may read of events."""
        if self.sees_all:
            return [read for event in events if (read := for_witness(event)) is not None]
        return [read for event in self.readable(events) if (read := redact(event, self.seat)) is not None]

    def readable(self, events: Sequence[Event]) -> list[Event]:
        """Return events for `chronicle`, which redacts them for the reader."""
        seats, public = self.game.program.seats, self.spectates and not self.sees_all
        return [for_spectator(event, seats) for event in events] if public else list(events)


def eyes_of(
    game: Game, naming: Naming, faces: Faces, language: str, seat: int, names: tuple[str, ...], public: TableProgram
) -> Eyes:
    """Return the eyes of a seat, of a `SPECTATOR`, whose program is `public`, or of a `WITNESS`."""
    sees_all = seat == WITNESS
    program = with_witness(game.program) if sees_all else public if seat == SPECTATOR else game.program
    number = seat if seat >= 0 else game.program.seats
    texts = SeatedTexts(naming.texts, names)
    narrator = Narrator(program, language, texts, None if sees_all else number)
    known = tuple(str(narrator.who(one)["seat"]) for one in range(game.program.seats))
    return Eyes(game, naming, faces, language, program, number, texts, narrator, known, sees_all)
