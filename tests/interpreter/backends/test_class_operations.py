"""Operations on zones of classes do to classes what the reference operations do to cards."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import define

from interpreter.backends.python.playing.class_operations import names_of
from interpreter.backends.python.playing.class_zones import ClassZones, class_zones
from interpreter.backends.walker.zones import Zones
from interpreter.optimiser.kept_cards import Form, KeptCards
from interpreter.state.chance import load, store
from interpreter.state.frames import fresh_state
from interpreter.state.rule_errors import RuleError
from ruleset.table import nodes as t
from ruleset.table.nodes import RNG, TableProgram
from tests.interpreter.programs_builder import Builder, tree

FACES = (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 4, 4)
"""The faces of cards, which are their classes."""
OWN = (10, 11)
"""Cards that are classes of their own."""
ALIKE = (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 4, 4)
"""The same without such cards."""
DECK, DISCARDS, HAND, ROW, SUPPLY, STOCK, BOX = range(7)
FORMS = (Form.ORDER, Form.COUNTS, Form.COUNTS, Form.ORDER, Form.NUMBER, Form.NUMBER, Form.COUNTS)
FROM = (DECK, HAND, ROW, SUPPLY, BOX)
"""Zones of which the order is known: cards are drawn from them."""
HOMES = (ROW, HAND, -1, DISCARDS, BOX)
"""Of each class."""
TOKEN = 5


def program(room: int | None) -> TableProgram:
    """A small table. `room` is how many cards its box can hold; two other zones can then be full as well."""
    b = Builder(1, FACES)
    b.zone("pile", (0, 1, 6, 7, 10, 12), refill=DISCARDS, capacity=room and 7)
    b.zone("pile", (8, 9))
    b.zone("bag", (2, 11), refill=BOX)
    b.zone("row", (3,), refill=HAND, eager=True, capacity=room and 8)
    b.zone("pile", (4,), refill=STOCK, eager=True)
    b.zone("pile", (5,))
    b.zone("bag", (13,), capacity=room)
    (first,) = b.reserve(1)
    return b.build(b.procedure([], {first: tree(t.Finish())}, first))


def kept(table: TableProgram, faces: tuple[int, ...]) -> KeptCards:
    any_class = tuple(range(5))
    holds = tuple((0,) if form is Form.NUMBER else any_class for form in FORMS)
    first, copies = (0, 6, 10, 11, 12), tuple(faces.count(one) for one in any_class)
    nothing: Any = None
    flow: Any = SimpleNamespace(program=table)
    return KeptCards(faces, first, copies, FORMS, holds, {}, nothing, flow)


def result_of(work: Callable[[], object]) -> object:
    """What work gives, or the rule error that it raises."""
    try:
        return work()
    except RuleError as error:
        return error


@define
class Both:
    """A table whose cards are kept both ways."""

    chance: Random
    faces: tuple[int, ...]
    own: tuple[int, ...]
    """Cards that are classes of their own."""
    program: TableProgram
    reference: Zones
    state: list[int]
    classes: ClassZones
    names: dict[str, Any]
    other: list[int]
    over: bool = False
    """Whether a zone was full, so that the game has ended with a rule error."""

    def cards(self, zone: int) -> list[int]:
        return self.reference.cards(self.state, zone)

    def some_of(self, zone: int) -> tuple[list[int], list[int]]:
        """Some cards of a zone, and references to them: in an order, the last ones of their classes come first."""
        cards, refs = [], []
        for _ in range(self.chance.randrange(1, 4)):
            left = [card for card in self.cards(zone) if card not in cards]
            if left:
                wanted = self.faces[self.chance.choice(left)]
                cards.append([card for card in left if self.faces[card] == wanted][-1])
                refs.append(zone << self.classes.kept.shift | wanted)
        return cards, refs

    def target(self, source: int) -> int:
        """A zone that can hold the cards of another one."""
        return self.chance.choice([z for z in range(7) if FORMS[z] is not Form.NUMBER or source in (SUPPLY, STOCK)])

    def both(self, reference: Callable[[], object], classes: Callable[[], object]) -> tuple[object, object] | None:
        """Do something both ways. Returns what both gave, or None if both ended with the same rule error."""
        before = [bool(zone) for zone in self.classes.zones]
        self.classes.token[0] = TOKEN
        found, given = result_of(reference), result_of(classes)
        if isinstance(found, RuleError) or isinstance(given, RuleError):
            assert isinstance(found, RuleError) and isinstance(given, RuleError), (found, given)
            assert (given.code, given.at) == (found.code, found.at)
            self.over = True
            return None
        self.same()
        for zone, form in enumerate(FORMS):
            if form is Form.NUMBER and before[zone] != bool(self.classes.zones[zone]):
                assert self.classes.token[0] == -1
        return found, given

    def same(self) -> None:
        """All zones hold the same classes, and chance is the same."""
        for zone, form in enumerate(FORMS):
            cards = [self.faces[card] for card in self.cards(zone)]
            assert self.classes.in_order(zone) == (sorted(cards) if form is Form.COUNTS else cards), zone
        for card in self.own:
            ref = DECK << self.classes.kept.shift | self.faces[card]
            assert self.classes.zone_of(ref) == self.state[self.reference.places + card]
        assert load(self.state) == self.other[RNG]


def table(seed: int) -> Both:
    made = program(None if seed % 2 else 3)
    faces = FACES if seed % 3 else ALIKE
    classes = class_zones(made, kept(made, faces))
    classes.token[0] = TOKEN
    classes.begin(classes.dealt(made.start))
    assert classes.token[0] == -1
    state = fresh_state(made, seed)
    other = list(state)
    other[RNG] = load(other)
    return Both(
        Random(seed), faces, OWN if seed % 3 else (), made, Zones(made), state, classes, names_of(classes), other
    )


def move(both: Both) -> tuple[object, object] | None:
    source = both.chance.choice((HAND, ROW, DECK, SUPPLY, BOX))
    cards, refs = both.some_of(source)
    to, bottom = both.target(source), both.chance.random() < 0.3
    place = both.chance.choice((None, -1, source, HAND))
    if to == source and FORMS[source] is Form.ORDER:  # only cards of their own move within an order
        cards = [card for card in cards if card in both.own]
        refs = [source << both.classes.kept.shift | both.faces[card] for card in cards]
    if both.chance.random() < 0.2:
        cards, refs = [-1, *cards], [-1, *refs]
    shift = both.classes.kept.shift
    moved: Callable[[], object] = lambda: both.names["move"](both.other, refs, to, bottom, place, 3)  # noqa: E731
    if len(refs) == 1:
        moved = lambda: [both.names["move_one"](both.other, refs[0], to, bottom, place, 3)]  # noqa: E731
    found = both.both(lambda: both.reference.move(both.state, cards, to, bottom, place, 3), moved)
    if found is None:
        return None
    stays = place not in (None, -1, source)
    expected = [ref if ref < 0 or stays else to << shift | ref & both.classes.mask for ref in refs]
    assert found[1] == expected
    return None


def move_classes(both: Both) -> tuple[object, object] | None:
    source = both.chance.choice(FROM)
    gone = {one for one in range(5) if both.chance.random() < 0.5}
    cards = [card for card in both.cards(source) if both.faces[card] in gone]
    to, bottom = both.target(source), both.chance.random() < 0.3
    place = both.chance.choice((None, -1, source, HAND))
    if to == source and FORMS[source] is Form.ORDER:
        gone &= {both.faces[card] for card in both.own}
        cards = [card for card in cards if card in both.own]
    classes = [one for one in both.classes.in_order(source) if one in gone]
    return both.both(
        lambda: both.reference.move(both.state, cards, to, bottom, place, 3),
        lambda: both.names["move_classes"](both.other, source, classes, to, bottom, place, 3),
    )


def move_all(both: Both) -> tuple[object, object] | None:
    source = both.chance.choice((*FROM, DECK, STOCK))
    to, bottom = both.target(source), both.chance.random() < 0.3
    return both.both(
        lambda: both.reference.move_all(both.state, source, to, bottom, 4),
        lambda: both.names["move_all"](both.other, source, to, bottom, 4),
    )


def send_home(both: Both) -> tuple[object, object] | None:
    source = both.chance.choice((HAND, ROW, BOX, SUPPLY))
    by_class = [STOCK, *HOMES[1:]] if source == ROW or both.chance.random() < 0.3 else list(HOMES)
    homes = [by_class[face] for face in both.faces]
    if both.chance.random() < 0.5:
        cards = both.cards(source)
        return both.both(
            lambda: both.reference.send_home(both.state, cards, homes, None, 5),
            lambda: both.names["clear_home"](both.other, source, by_class, 5),
        )
    cards, refs = both.some_of(source)
    place = both.chance.choice((None, source, DECK))
    return both.both(
        lambda: both.reference.send_home(both.state, [-1, *cards], homes, place, 5),
        lambda: both.names["send_home"](both.other, [-1, *refs], by_class, place, 5),
    )


def draw(both: Both) -> tuple[object, object] | None:
    source, count = both.chance.choice(FROM), both.chance.randrange(-1, 6)
    to, bottom, lowest = both.target(source), both.chance.random() < 0.3, both.chance.random() < 0.3
    if count == 1 and not lowest:
        return both.both(
            lambda: both.reference.draw(both.state, source, 1, to, bottom, 6),
            lambda: both.names["draw_one"](both.other, source, to, bottom, 6),
        )
    name = "draw_bottom" if lowest else "draw"
    found = both.both(
        lambda: both.reference.draw(both.state, source, count, to, bottom, 6, lowest=lowest),
        lambda: both.names[name](both.other, source, count, to, bottom, 6),
    )
    if found is not None:
        drawn, classes = found
        assert isinstance(drawn, list | tuple) and isinstance(classes, list)
        assert [both.faces[card] for card in drawn] == classes
        assert both.names["refs_to"](classes, to) == [to << both.classes.kept.shift | one for one in classes]
    return found


def shuffle(both: Both) -> tuple[object, object] | None:
    zone = both.chance.choice((DECK, ROW, HAND, SUPPLY, DISCARDS))
    return both.both(
        lambda: both.reference.shuffle(both.state, zone, 7), lambda: both.names["shuffle"](both.other, zone, 7)
    )


def prepare(both: Both) -> tuple[object, object] | None:
    zone, count = both.chance.choice((DECK, ROW, HAND, SUPPLY)), both.chance.randrange(8)
    return both.both(
        lambda: both.reference.prepare(both.state, zone, count, 8),
        lambda: both.names["prepare"](both.other, zone, count, 8),
    )


def look(both: Both) -> tuple[object, object] | None:
    """References to what lies in a zone, and to its ends."""
    zone, shift = both.chance.choice((DECK, HAND, ROW, SUPPLY)), both.classes.kept.shift
    refs = [zone << shift | both.faces[card] for card in both.cards(zone)]
    assert both.names["refs_in"](zone) == refs
    assert [both.names["class_of"](ref) for ref in (*refs, -1)] == [*(ref & both.classes.mask for ref in refs), -1]
    assert both.names["first_ref"](zone) == (refs[0] if refs else -1)
    assert both.names["last_ref"](zone) == (refs[-1] if refs else -1)
    return both.both(lambda: None, lambda: None)


def random(both: Both) -> tuple[object, object] | None:
    """A number of the game's chance, now and then of a bound that rejects most numbers."""
    from interpreter.backends.python.runtime import random as of_state

    bound = both.chance.choice((*range(1, 20), 2**31 + 1, 3 * 2**30, 0))
    found = both.both(lambda: of_state(both.state, bound, 9), lambda: both.names["random"](both.other, bound, 9))
    assert found is None or found[0] == found[1]
    return found


OPERATIONS = (move, move, move_classes, move_all, send_home, draw, draw, shuffle, prepare, look, random)


def play(seed: int) -> None:
    both = table(seed)
    both.same()
    for _ in range(60):
        both.chance.choice(OPERATIONS)(both)
        if both.over:
            return
    both.classes.write(both.other)
    store(both.other, both.other[RNG])
    lying = [both.reference.cards(both.other, zone) for zone in range(7)]
    assert sorted(card for cards in lying for card in cards) == list(range(len(both.faces)))
    for zone, cards in enumerate(lying):
        assert [both.faces[card] for card in cards] == both.classes.in_order(zone)
        assert all(both.other[both.reference.places + card] == zone for card in cards)


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_they_leave_the_same_classes(first: int) -> None:
    for seed in range(first, first + 50):
        play(seed)
