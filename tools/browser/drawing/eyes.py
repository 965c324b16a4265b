"""The eyes of one reader of a table: a seat, a spectator, or a witness.

A spectator sees only what all seats see, a witness sees everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from attrs import define, field, frozen

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.events import Event, hidden, redact
from rulewright.interpreter.views.decision import Option
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import (
    View,
    for_spectator,
    for_witness,
    spectator_sight,
    spectator_view,
    with_witness,
)
from rulewright.interpreter.views.visibility import SeatSight, value_key
from rulewright.ruleset.table.nodes import OptionBranch, TableProgram
from rulewright.tools.browser.drawing.model import Offer
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.decision_texts import DecisionTexts
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.faces import Faces
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

    def sight(self) -> SeatSight:
        """Return the reader's sight of the present state."""
        if self.spectates:
            return spectator_sight(self.program, self.game.state, self.game.knowledge)
        return SeatSight(self.program, self.game.state, self.game.knowledge, self.seat)

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


# ---- Which options of a decision are chosen on the table: cards, piles of definitions, and players
#
# All others are buttons in the dock. Options are found by what the seat can tell apart, never by card
# numbers.

@define
class OfferedThings:
    """The options of a decision by what they name. `rest` are those that name nothing on the table.

    `taken` collects the keys of the options that were drawn; all others must be in the dock.
    """

    at: dict[Hashable, Offer] = field(factory=dict)
    zones: set[int] = field(factory=set)
    """Numbers of the zones that have cards among the options."""
    taken: set[str] = field(factory=set)

    def take(self, where: Hashable) -> Offer | None:
        """Return the option at a card, pile, or player, and note that it is drawn."""
        found = self.at.get(where)
        if found is not None:
            self.taken.add(found.key)
        return found


def card_place(sight: SeatSight, card: int, unseen: int = 0) -> Hashable:
    """Return where a card is, as far as the seat can tell: its place or, in a bag, its face and marks.

    `unseen` is the number of an option for a card of a bag that the seat does not see.
    """
    zone = sight.zone_of(card)
    info = sight.program.zones[zone]
    if info.order != "bag":
        return zone, sight.cards(zone).index(card)
    if hidden(info, sight.seat) and not sight.sees(card):
        return zone, "unseen", unseen
    return zone, sight.program.cards[card].key if sight.sees(card) else None, sight.marks(card)


def offers_of(sight: SeatSight, told: DecisionTexts) -> OfferedThings:
    """Return the options of a decision that are drawn on the table, unless two of them name the same thing."""
    found = OfferedThings()
    places = [(place, option, label) for option, label in zip(told.decision.options, told.labels, strict=True)
              for place in _places(sight, told, option)]  # fmt: skip
    times = Counter(place for place, _, _ in places)
    if any(count > 1 for count in times.values()):
        return found
    for place, option, label in places:
        found.at[place] = Offer(option.key, option.count, label, told.brief(option))
        if isinstance(place, tuple) and isinstance(place[0], int):
            found.zones.add(place[0])
    return found


def _places(sight: SeatSight, told: DecisionTexts, option: Option) -> Iterator[Hashable]:
    """Yield the thing that an option names, if it is one; equal cards to be ordered may be in several places."""
    site = told.site
    if site.of == "menu":
        number, values = unfold(site, option.values[0])
        branch: OptionBranch = site.branches[number]
        if len(branch.members) != 1:
            return
        of, raw = branch.members[0], values[:1]
    else:
        of, raw = site.of, option.values
    if of == "card":
        if raw[0] < 0:
            return
        if sight.zone_of(raw[0]) >= 0:
            unseen = _number(option.key)
            yield from dict.fromkeys(card_place(sight, card, unseen) for card in raw)
    elif of in ("seat", "player"):
        if site.of != "menu":
            yield "seat", raw[0]
    elif any(kind == of for kind, _ in sight.program.definitions):
        yield "definition", value_key(sight.program, of, raw[0])


def _number(key: str) -> int:
    """Return the number of an option such as `unseen-3`; 0 for others."""
    name = key.rpartition(":")[2].partition("@")[0].partition("+")[0]
    sort, _, number = name.partition("-")
    return int(number) if sort == "unseen" and number.isdigit() else 0
