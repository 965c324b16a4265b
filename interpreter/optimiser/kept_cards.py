"""How the cards of a table are kept while whole games are played.

Equal cards that no rule tells apart form a *class*; every other card is a class of its own. A zone without an
observed order keeps a count for each class, a zone in which only cards of one class ever lie keeps one number, and
the others keep a list of classes. A reference to a card is its class and its zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from attrs import frozen

from interpreter.analysis.bot_functions import with_conditions
from interpreter.analysis.shapes import for_text
from interpreter.optimiser.card_flow import CardFlow
from interpreter.optimiser.flow_facts import card_cells
from interpreter.optimiser.forwarding import forwarded
from interpreter.optimiser.inlining import inlined
from interpreter.optimiser.permutations import without_permutations
from interpreter.optimiser.playing_form import playing_form
from interpreter.optimiser.references import NotKeptError
from interpreter.optimiser.simplify import simplified
from interpreter.optimiser.zone_order import ZoneOrder
from interpreter.optimiser.zone_sets import Unit, ZoneSets
from interpreter.state.memo import once
from ruleset.table.nodes import Expr, TableProgram

MOST_REFERENCES = 1 << 16
"""Numbers for references to cards, so that numbers of options worked out from them stay small (`card_flow`)."""


class Form(Enum):
    """How a zone keeps its cards."""

    COUNTS = 0
    ORDER = 1
    NUMBER = 2


@frozen(eq=False)
class KeptCards:
    """The classes of a table's cards, numbered like the cards, and the forms of its zones.

    `individual` are the faces whose cards rules tell apart, each with the reason.
    """

    class_of: tuple[int, ...]
    first: tuple[int, ...]
    """The lowest card of each class."""
    copies: tuple[int, ...]
    forms: tuple[Form, ...]
    holds: tuple[tuple[int, ...], ...]
    """The classes that can ever be in each zone."""
    individual: dict[int, str]
    zones: ZoneSets
    flow: CardFlow

    @property
    def never_full(self) -> bool:
        """Whether every zone has room for all cards that can ever be in it."""
        rooms = zip(self.flow.program.zones, self.holds, strict=True)
        return all(zone.capacity >= sum(self.copies[one] for one in held) for zone, held in rooms)

    @property
    def shift(self) -> int:
        """The bits that the class takes in a reference."""
        return max(len(self.first) - 1, 1).bit_length()

    def form(self, zone: Expr, unit: Unit) -> Form | None:
        """Return the form of the zone that an expression gives, or None if it can be of several."""
        mask = self.zones.of(zone, unit)
        forms = {form for number, form in enumerate(self.forms) if mask >> number & 1}
        return forms.pop() if len(forms) == 1 else None

    def classes(self, zone: Expr, unit: Unit) -> set[int]:
        """Return the classes of the cards that can be in the zone that an expression gives."""
        mask = self.zones.of(zone, unit)
        return {one for number, held in enumerate(self.holds) if mask >> number & 1 for one in held}


@frozen(eq=False)
class Chosen:
    """A program for whole games, and how it keeps cards; `why_not` if each card is kept as itself.

    The program has the functions of its bots (`bot_functions.with_conditions`), and the form of `shapes.for_text`.
    """

    program: TableProgram
    kept: KeptCards | None
    why_not: str = ""


@once
def choose(program: TableProgram) -> Chosen:
    """Choose how a table keeps its cards while whole games are played."""
    bots = program.bots
    whole = inlined(simplified(for_text(with_conditions(program))))
    whole = playing_form(forwarded(playing_form(whole, bots)), bots)
    lying = [card for _, cards in program.start for card in cards]
    if not program.cards:
        return Chosen(whole, None, "there are no cards")
    if sorted(lying) != list(range(len(program.cards))):
        return Chosen(whole, None, "some cards are in no zone when the game begins")
    if _remembers_first(program):
        return Chosen(whole, None, "some cards are remembered when the game begins")
    zones, looked_at = ZoneSets(whole), 0
    while True:
        order = ZoneOrder(whole, zones, looked_at)
        reduced = without_permutations(whole, zones, order.kept)
        if reduced is not whole:
            reduced = playing_form(forwarded(playing_form(reduced, bots)), bots)
        try:
            flow = CardFlow(reduced, bots, zones, order.kept)
        except NotKeptError as reason:
            return Chosen(whole, None, str(reason))
        looked_at = _tops_looked_at(program, flow.facts.asked)
        if not looked_at & ~order.kept:
            break
    _tell_apart_on_top(flow, looked_at)
    kept = _kept(reduced, zones, order, flow)
    if len(reduced.zones) << kept.shift > MOST_REFERENCES:
        return Chosen(whole, None, "zones and different cards are too many together")
    return Chosen(reduced, kept)


def _remembers_first(program: TableProgram) -> bool:
    """Return whether a track or list refers to cards when a game begins."""
    starts = [[track.start for track in program.tracks]]
    if program.next_game is not None:
        starts.append([*program.next_game.tracks])
    cells = [
        number
        for start in starts
        for track, numbers in zip(program.tracks, start, strict=True)
        if track.of == "card"
        for number in numbers
    ]
    for first, end in card_cells(program):
        cells += [value for address, value in program.position or () if first <= address < end]
    return any(number >= 0 for number in cells)


def _tops_looked_at(program: TableProgram, asked: int) -> int:
    """Return the zones of options in which bots see one card and not the others."""
    if program.bots is None:
        return 0
    found = 0
    for number, zone in enumerate(program.zones):
        if asked >> number & 1 and zone.order != "bag" and zone.top != zone.sees:
            found |= 1 << number
    return found


def _tell_apart_on_top(flow: CardFlow, zones: int) -> None:
    """Make the cards individual that bots see on top of these zones."""
    flow.facts.unit, flow.facts.name = ("procedure", -1), "a player"
    for zone, faces in enumerate(flow.facts.held):
        if zones >> zone & 1:
            flow.facts.tell_apart(faces, "is asked about a pile and sees only its top card")


def _kept(program: TableProgram, zones: ZoneSets, order: ZoneOrder, flow: CardFlow) -> KeptCards:
    class_of: list[int] = []
    first: list[int] = []
    for number, card in enumerate(program.cards):
        before = program.cards[number - 1] if number else None
        if before is None or card.face != before.face or card.face in flow.facts.individual:
            first.append(number)
        class_of.append(len(first) - 1)
    holds = []
    for faces in flow.facts.held:
        holds.append(tuple(n for n, card in enumerate(first) if faces >> program.cards[card].face & 1))
    return KeptCards(
        tuple(class_of),
        tuple(first),
        tuple(class_of.count(number) for number in range(len(first))),
        tuple(_form(order.kept >> number & 1 != 0, held) for number, held in enumerate(holds)),
        tuple(holds),
        flow.facts.individual,
        zones,
        flow,
    )


def _form(ordered: bool, held: Sequence[int]) -> Form:
    if len(held) <= 1:
        return Form.NUMBER
    return Form.ORDER if ordered else Form.COUNTS
