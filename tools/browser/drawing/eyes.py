"""The eyes of one reader of a table: a seat, or a spectator, who sees only what all seats see."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from interpreter.game.game import Game
from interpreter.state.events import Event, redact
from interpreter.views.narration import Narrator
from interpreter.views.spectator import for_spectator, spectator_sight, spectator_view, with_spectator
from interpreter.views.view import View
from interpreter.views.visibility import Sight
from ruleset.table.nodes import TableProgram
from tools.common.display_texts import PackTexts
from tools.display.game_log import Chronicle
from tools.faces.face import Faces
from tools.packs.naming import Naming

SPECTATOR = -1
"""Stands for a spectator where a seat is asked for."""


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
    """A reader at a table whose program is `game.program`. `program` is that of the reader: see `views.spectator`.

    `seat` is the number by which masks are read: for a spectator, that of no seat.
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

    @property
    def spectates(self) -> bool:
        """Whether this is a spectator."""
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
        return Chronicle(self.program, self.texts, self.language, self.seat, self.naming.layout)

    def events(self) -> list[Event]:
        """Return all events so far, redacted for the reader."""
        read = (redact(event, self.seat) for event in self.readable(self.game.events()))
        return [event for event in read if event is not None]

    def readable(self, events: Sequence[Event]) -> list[Event]:
        """Return events for `chronicle`, which redacts them for the reader."""
        seats = self.game.program.seats
        return [for_spectator(event, seats) for event in events] if self.spectates else list(events)


def eyes_of(
    game: Game, naming: Naming, faces: Faces, language: str, seat: int, names: tuple[str, ...], public: TableProgram
) -> Eyes:
    """Return the eyes of a seat or, with `SPECTATOR`, of a spectator; `public` is the latter's program."""
    program = public if seat == SPECTATOR else game.program
    number = game.program.seats if seat == SPECTATOR else seat
    texts = SeatedTexts(naming.texts, names)
    narrator = Narrator(program, language, texts, number)
    known = tuple(str(narrator.who(one)["seat"]) for one in range(game.program.seats))
    return Eyes(game, naming, faces, language, program, number, texts, narrator, known)


def public_program(program: TableProgram) -> TableProgram:
    """Return the program for the eyes of spectators."""
    return with_spectator(program)
