"""Random programs about cards in which a card is never a number, as in the rules of real games.

They use a card again after something may have moved it, keep cards in slots across decisions and calls, refer
to one card twice, and ask for places and orders. Each program has its own habits: some never look at which of
several equal cards is meant, others often do. So the analysis of cards (`interpreter.optimiser`) has something to
find in each.
"""

# ruff: noqa: E731 - short names for what is drawn again and again

from __future__ import annotations

from collections.abc import Callable
from random import Random as Generator
from typing import TypeVar

from attrs import define, evolve, field

from ruleset.table import nodes as t
from ruleset.table.nodes import Expr, List, OptionBranch, Stmt, TableProgram, Tree
from tests.interpreter.programs_builder import Builder, c, numbers, op, v, vs

T = TypeVar("T")
RISKS = (0.0, 0.0, 0.0, 0.0, 0.0, 0.03, 0.3)
"""How often a program does what tells equal cards apart."""
TYPES = 3


def card_program(seed: int) -> TableProgram:
    """A program that depends on the seed alone."""
    return _Cards(Generator(f"cards {seed}")).program()


@define
class Code:
    """A function or procedure in the making: the capacities of its slots, and those that may be read now."""

    slots: list[int] = field(factory=list)
    seats: list[int] = field(factory=list)
    cards: list[int] = field(factory=list)
    """Slots with a card or none."""
    lists: list[int] = field(factory=list)
    places: list[int] = field(factory=list)
    """Slots with a zone or none."""
    sure: list[int] = field(factory=list)
    """Slots with a card that is not none."""

    def slot(self, capacity: int = 0) -> int:
        self.slots.append(capacity)
        return len(self.slots) - 1

    def readable(self) -> Code:
        """The same slots; what becomes readable in it is not readable here."""
        return evolve(
            self,
            slots=self.slots,
            seats=[*self.seats],
            cards=[*self.cards],
            lists=[*self.lists],
            places=[*self.places],
            sure=[*self.sure],
        )


class _Cards:
    def __init__(self, chance: Generator) -> None:
        self.chance = chance
        self.seats = chance.choice((2, 3))
        self.kinds = chance.randrange(3, 7)
        count = chance.randrange(max(10, 2 * self.kinds), 31)
        self.count, self.room = count, 2 * count
        self.faces = self._faces()
        self.b = Builder(self.seats, self.faces, 2 * self.room + 4)
        self.at = 0
        self.risk = chance.choice(RISKS)
        self.careful = self.likely(0.9)
        """Whether single cards are only taken from bags, from tops, and by draws."""
        self.habits: dict[str, bool] = {}
        self._zones()
        self._tables()
        b = self.b
        self.remembering = b.track((-1,), of="card")
        self.score = b.track((0,) * self.seats, low=-500, high=500, clamps=True)
        self.by_card = b.track((0,) * count, low=-50, high=50, clamps=True)
        self.noted = b.state_list(count, of="card")
        self.known = b.state_list(self.kinds)
        stay = OptionBranch("stay", (), (), ())
        use = OptionBranch("use", ("card",), ("x",), (count,))
        use_of_seat = OptionBranch("use", ("seat", "card"), ("s", "x"), (self.seats, count))
        self.card_sites = [b.site("card"), b.site("card", sealed=True)]
        self.menus = [b.site("menu", branches=(stay, used)) for used in (use, use_of_seat)]
        """The numbers of their options are those of a card, or those of a seat and a card."""
        self.value_functions: list[int] = []
        self.list_functions: list[int] = []
        self.doing: list[int] = []
        self.callees: list[int] = []
        self.by_face: list[int] = []
        self.called_by_face: list[int] = []

    def _faces(self) -> list[int]:
        """Mostly equal cards are neighbours; sometimes not, or all cards are different."""
        chance, count = self.chance, self.count
        faces = sorted([*range(self.kinds), *(chance.randrange(self.kinds) for _ in range(count - self.kinds))])
        form = chance.random()
        if form < 0.15:
            for _ in range(3):
                one, other = chance.randrange(count), chance.randrange(count)
                faces[one], faces[other] = faces[other], faces[one]
        elif form < 0.18:
            self.kinds = count
            faces = list(range(count))
        return faces

    def _zones(self) -> None:
        b, chance, seats = self.b, self.chance, self.seats
        cards = list(range(self.count))
        chance.shuffle(cards)
        stocked = {face for face in range(self.kinds) if chance.random() < 0.4} if self.likely(0.6) else set()
        supply = [
            [card for card in cards if self.faces[card] == face and face in stocked] for face in range(self.kinds)
        ]
        rest = [card for card in cards if self.faces[card] not in stocked]
        share = max(1, len(rest) // (2 * seats + 2))

        def some(number: int) -> list[int]:
            taken, rest[:] = rest[:number], rest[number:]
            return taken

        def room() -> int | None:
            return chance.randrange(max(4, self.count // 3), self.count + 1) if self.likely(0.15) else None

        refills, eager = self.likely(0.7), self.likely(0.3)
        hand_order = "bag" if self.careful else chance.choice(("bag", "row", "pile"))
        pile_order = chance.choice(("pile", "pile", "bag", "row"))
        first = len(b.zones)
        self.families: list[int] = [first, first + seats, first + 2 * seats]
        self.decks = first
        for seat in range(seats):
            mine = some(share)
            source = first + seats + seat if refills else -1
            b.zone("pile", mine, sees=0, refill=source, eager=eager, family="deck", owner=seat)
        for seat in range(seats):
            b.zone(pile_order, self.ordered(pile_order, some(share // 2)), family="discards", owner=seat)
        for seat in range(seats):
            hand = self.ordered(hand_order, some(share))
            b.zone(
                hand_order, hand, sees=1 << seat, family="hand", owner=seat, capacity=room() if not hand else None
            )
        self.single: list[int] = []
        for _ in range(chance.randrange(1, 4)):
            order, lying = chance.choice(("bag", "row", "pile")), some(share if self.likely(0.8) else 0)
            most = None if lying else chance.randrange(3, 8)
            self.single.append(
                b.zone(order, self.ordered(order, lying), family=f"open {len(b.zones)}", capacity=most)
            )
        if self.likely(0.4):
            here, order = len(b.zones), chance.choice(("row", "bag", "pile"))
            lying = self.ordered(order, some(share))
            b.zone(order, lying, refill=here + 1, eager=self.likely(0.6), family="market")
            b.zone(chance.choice(("pile", "bag")), family="stock")
            self.single += [here, here + 1]
        order = chance.choice(("bag", "row", "pile"))
        self.single.append(b.zone(order, self.ordered(order, some(len(rest))), family="box"))
        self.supply = -1
        if stocked:
            self.supply = len(b.zones)
            for face in range(self.kinds):
                kind = "pile" if self.likely(0.7) else "bag"
                b.zone(kind, self.ordered(kind, supply[face]), family="supply")

    def ordered(self, order: str, cards: list[int]) -> list[int]:
        return sorted(cards) if order == "bag" else cards

    def _tables(self) -> None:
        b, chance = self.b, self.chance
        by_face = lambda most: [chance.randrange(most) for _ in range(self.kinds)]
        self.value_tables = []
        for _ in range(2):
            values = by_face(6)
            entries = [values[face] for face in self.faces]
            if chance.random() < self.risk:
                entries[chance.randrange(self.count)] += 1
            self.value_tables.append(b.table(*entries))
        self.face_table = b.table(*self.faces)
        kinds = [tuple(sorted(chance.sample(range(TYPES), chance.randrange(TYPES)))) for _ in range(self.kinds)]
        self.type_table = b.table_list(*(kinds[face] for face in self.faces))
        zones = [chance.choice((-1, *self.single)) for _ in range(self.kinds)]
        if self.supply >= 0 and self.likely(0.5):
            zones = [self.supply + face for face in range(self.kinds)]
        self.homes = b.table(*(zones[face] for face in self.faces))

    # -------------------------------------------------------------- chance

    def likely(self, chance: float) -> bool:
        return self.chance.random() < chance

    def place(self) -> int:
        self.at = (self.at + 1) % 1000
        return self.at

    def pick(self, *makers: tuple[str, Callable[[], T]]) -> T:
        """Makes one of several things. Those named with `!` tell cards apart; of the others some are never made."""
        risky = [maker for name, maker in makers if name.startswith("!") and self._does(name)]
        if risky and self.chance.random() < self.risk:
            return self.chance.choice(risky)()
        usual = [maker for name, maker in makers if not name.startswith("!") and self._does(name)]
        return self.chance.choice(usual or [makers[0][1]])()

    def _does(self, name: str) -> bool:
        if name not in self.habits:
            self.habits[name] = self.chance.random() < 0.7
        return self.habits[name]

    # -------------------------------------------------------------- zones

    def seat(self, code: Code) -> Expr:
        return (
            v(self.chance.choice(code.seats))
            if code.seats and self.likely(0.8)
            else c(self.chance.randrange(self.seats))
        )

    def zone(self, code: Code) -> Expr:
        if self.likely(0.55):
            return self.of_seat(code, self.chance.choice(self.families))
        return c(self.chance.choice(self.single))

    def of_seat(self, code: Code, first: int) -> Expr:
        seat = self.seat(code)
        if isinstance(seat, t.Const):
            return c(first + seat.value)
        return op(seat, "+", c(first)) if self.likely(0.5) else op(c(first), "+", seat)

    def source(self, code: Code) -> Expr:
        """A zone to take from: one of which no card is above another, if the program is careful."""
        if self.careful:
            bags = [zone for zone in self.single if self.b.zones[zone].order == "bag"]
            families = [first for first in self.families if self.b.zones[first].order == "bag"]
            if bags and self.likely(0.4):
                return c(self.chance.choice(bags))
            return self.of_seat(code, self.chance.choice(families))
        return self.any_source(code)

    def any_source(self, code: Code) -> Expr:
        """A zone to take from; the supply, now and then."""
        if self.supply >= 0 and self.likely(0.2):
            sure = code.sure
            if sure and self.likely(0.5):
                return op(c(self.supply), "+", t.Table(self.face_table, v(self.chance.choice(sure))))
            return c(self.supply + self.chance.randrange(self.kinds))
        return self.zone(code)

    # -------------------------------------------------------------- numbers

    def number(self, code: Code, depth: int) -> Expr:
        """A number from 0 to some hundreds."""
        some = lambda: self.cards(code, depth - 1)
        makers: list[tuple[str, Callable[[], Expr]]] = [
            ("constant", lambda: c(self.chance.randrange(5))),
            ("count", lambda: t.Count(some())),
            ("size", lambda: t.Count(t.Cards(self.any_source(code)))),
        ]
        if depth > 0:
            makers += [
                (
                    "value",
                    lambda: self.if_card(code, lambda card: t.Table(self.chance.choice(self.value_tables), card)),
                ),
                (
                    "total",
                    lambda: self.over(
                        code,
                        lambda slot, inside: t.Total(
                            some(), slot, t.Table(self.chance.choice(self.value_tables), v(slot)), self.place()
                        ),
                    ),
                ),
                (
                    "highest",
                    lambda: self.over(
                        code,
                        lambda slot, inside: t.Highest(
                            some(),
                            slot,
                            t.Table(self.chance.choice(self.value_tables), v(slot)),
                            0,
                            self.likely(0.5),
                        ),
                    ),
                ),
                ("number of faces", lambda: t.Count(t.CellList(c(self.known)))),
                ("score", lambda: t.Most(c(0), t.Cell(op(self.seat(code), "+", c(self.b.address(self.score)))))),
                (
                    "!for the card",
                    lambda: self.if_card(
                        code, lambda card: t.Most(c(0), t.Cell(op(card, "+", c(self.b.address(self.by_card)))))
                    ),
                ),
                *(("call", lambda f=f: t.Call(f, self.arguments(code))) for f in self.value_functions),
            ]
        return self.pick(*makers)

    def if_card(self, code: Code, make: Callable[[Expr], Expr], otherwise: int = 0) -> Expr:
        """A number about a card, or another one if there is none."""
        if code.sure and self.likely(0.5):
            return make(v(self.chance.choice(code.sure)))
        if not code.cards:
            return c(otherwise)
        slot = self.chance.choice(code.cards)
        return t.IfElse(op(v(slot), ">=", c(0)), make(v(slot)), c(otherwise))

    def over(self, code: Code, make: Callable[[int, Code], T]) -> T:
        """A node that binds a card to a slot of its own."""
        slot = code.slot()
        inside = code.readable()
        inside.sure.append(slot)
        inside.sure.append(slot)
        return make(slot, inside)

    def truth(self, code: Code, depth: int) -> Expr:
        """0 or 1."""
        makers: list[tuple[str, Callable[[], Expr]]] = [
            (
                "compared",
                lambda: op(
                    self.number(code, depth - 1),
                    self.chance.choice(("<", ">", "==", "!=", ">=")),
                    c(self.chance.randrange(5)),
                ),
            ),
            (
                "of a type",
                lambda: self.if_card(
                    code,
                    lambda card: t.Contains(t.TableList(self.type_table, card), c(self.chance.randrange(TYPES))),
                ),
            ),
            ("is a card", lambda: op(self.one(code, depth - 1), self.chance.choice(("==", "!=")), c(-1))),
            (
                "worth",
                lambda: self.if_card(
                    code,
                    lambda card: op(
                        t.Table(self.chance.choice(self.value_tables), card),
                        self.chance.choice(("<", ">=", "==")),
                        c(self.chance.randrange(6)),
                    ),
                ),
            ),
            (
                "of a face",
                lambda: self.if_card(
                    code, lambda card: t.Contains(t.CellList(c(self.known)), t.Table(self.face_table, card))
                ),
            ),
            (
                "in place",
                lambda: self.if_card(
                    code, lambda card: op(t.Cell(op(card, "+", c(self.b.places))), "==", self.zone(code))
                ),
            ),
            ("!same card", lambda: op(self.one(code, 1), self.chance.choice(("==", "!=")), self.one(code, 1))),
            ("!in a list", lambda: t.Contains(self.cards(code, 1), self.one(code, 1))),
            ("!same list", lambda: t.Same(self.cards(code, 1), self.cards(code, 1))),
        ]
        if depth > 0:
            makers += [
                ("not", lambda: t.Not(self.truth(code, depth - 1))),
                ("and", lambda: t.And(self.truth(code, depth - 1), self.truth(code, depth - 1))),
                ("or", lambda: t.Or(self.truth(code, depth - 1), self.truth(code, depth - 1))),
                (
                    "exists",
                    lambda: self.over(
                        code,
                        lambda slot, inside: t.Exists(
                            self.cards(code, depth - 1), slot, self.face_test(inside, slot)
                        ),
                    ),
                ),
            ]
        return self.pick(*makers)

    def face_test(self, code: Code, slot: int) -> Expr:
        """A test of a card's face."""
        return self.pick(
            (
                "type test",
                lambda: t.Contains(t.TableList(self.type_table, v(slot)), c(self.chance.randrange(TYPES))),
            ),
            (
                "value test",
                lambda: op(
                    t.Table(self.chance.choice(self.value_tables), v(slot)),
                    self.chance.choice((">", "<=", "!=")),
                    c(self.chance.randrange(6)),
                ),
            ),
            ("dear", lambda: op(t.Table(self.value_tables[0], v(slot)), "<=", self.number(code, 0))),
            (
                "other test",
                lambda: t.Not(op(t.Table(self.face_table, v(slot)), "==", c(self.chance.randrange(self.kinds)))),
            ),
            ("any test", lambda: self.truth(code, 0)),
        )

    # -------------------------------------------------------------- cards

    def one(self, code: Code, depth: int) -> Expr:
        """A card or none."""
        if code.cards and self.likely(0.5):
            return v(self.chance.choice(code.cards))
        if code.sure and self.likely(0.3):
            return v(self.chance.choice(code.sure))
        return self.pick(
            ("top", lambda: t.Last(t.Cards(self.source(code)))),
            ("first", lambda: t.First(t.Cards(self.source(code)))),
            ("last of", lambda: t.Last(self.cards(code, depth))),
            ("first of", lambda: t.First(self.cards(code, depth))),
            ("second", lambda: t.First(t.Take(t.Cards(self.source(code)), c(2), False))),
            ("!remembered", lambda: t.Cell(c(self.b.address(self.remembering)))),
            *(
                [("either", lambda: t.IfElse(self.truth(code, 0), self.one(code, 0), self.one(code, 0)))]
                * (depth > 0)
            ),
        )

    def cards(self, code: Code, depth: int) -> List:
        """A list of as many cards as there are, at most; no none among them."""
        whole = lambda: t.Cards(self.source(code))
        if depth <= 0:
            return (
                t.Take(vs(self.chance.choice(code.lists)), c(self.count), True)
                if code.lists and self.likely(0.3)
                else whole()
            )
        some = lambda: self.cards(code, depth - 1)
        over = lambda make: self.over(code, make)
        table = self.chance.choice(self.value_tables)
        flag = self.likely(0.5)
        makers: list[tuple[str, Callable[[], List]]] = [
            ("whole", whole),
            ("filter", lambda: over(lambda slot, inside: t.Filter(some(), slot, self.face_test(inside, slot)))),
            (
                "whole filter",
                lambda: over(lambda slot, inside: t.Filter(whole(), slot, self.face_test(inside, slot))),
            ),
            ("take", lambda: t.Take(some(), c(self.chance.randrange(4)), flag)),
            (
                "extremes",
                lambda: over(lambda slot, inside: t.Extremes(some(), slot, t.Table(table, v(slot)), flag)),
            ),
            ("ranked", lambda: over(lambda slot, inside: t.Ranked(some(), slot, t.Table(table, v(slot)), flag))),
            (
                "distinct",
                lambda: over(
                    lambda slot, inside: t.Distinct(
                        some(), slot, t.Table(self.chance.choice((table, self.face_table)), v(slot))
                    )
                ),
            ),
            ("concat", lambda: t.Take(t.Concat(whole(), whole()), c(self.count), True)),
            ("!permuted" if self.careful else "permuted", lambda: self.permuted(code)),
            (
                "!others",
                lambda: over(lambda slot, inside: t.Filter(some(), slot, op(v(slot), "!=", self.one(code, 0)))),
            ),
            ("!noted", lambda: t.CellList(c(self.noted))),
            ("!twice", lambda: t.Take(t.Concat(some(), some()), c(self.count), True)),
            ("!items", lambda: self.two(code)),
            (
                "!all hands",
                lambda: over(
                    lambda slot, inside: t.FlatMap(
                        numbers(*range(self.seats)), slot, t.Cards(op(v(slot), "+", c(self.families[2])))
                    )
                ),
            ),
            *(("call list", lambda f=f: t.CallList(f, self.arguments(code))) for f in self.list_functions),
        ]
        if code.lists:
            makers.append(("named", lambda: t.Take(vs(self.chance.choice(code.lists)), c(self.count), True)))
        return self.pick(*makers)

    def permuted(self, code: Code) -> List:
        zone, slot, other = self.chance.choice(self.single), code.slot(), code.slot()
        table, value = self.chance.choice(self.value_tables), self.chance.randrange(5)
        test = lambda one: op(t.Table(table, v(one)), ">", c(value))
        return t.Concat(
            t.Filter(t.Cards(c(zone)), slot, t.Not(test(slot))), t.Filter(t.Cards(c(zone)), other, test(other))
        )

    def two(self, code: Code) -> List:
        """Up to two cards, perhaps the same one."""
        if len(code.cards) < 2:
            return t.Cards(self.source(code))
        one = lambda slot: t.Choice(op(v(slot), "<", c(0)), t.Items(()), t.Items((v(slot),)))
        return t.Concat(one(self.chance.choice(code.cards)), one(self.chance.choice(code.cards)))

    def arguments(self, code: Code) -> tuple[Expr | List, ...]:
        """For all functions and procedures: a card or none, cards, a seat."""
        items: List = vs(self.chance.choice(code.lists)) if code.lists and self.likely(0.4) else self.cards(code, 1)
        return self.one(code, 1), items, self.seat(code)

    # -------------------------------------------------------------- statements

    def statements(self, code: Code, depth: int, count: int) -> tuple[Stmt, ...]:
        return tuple(part for _ in range(count) for part in self.statement(code, depth))

    def nested(self, code: Code, depth: int, count: int) -> tuple[Stmt, ...]:
        return self.statements(code.readable(), depth, count)

    def target(self, code: Code, known: list[int], capacity: int = 0) -> int:
        """A slot to assign: one in use, or a new one."""
        if known and self.likely(0.4):
            return self.chance.choice(known)
        known.append(code.slot(capacity))
        return known[-1]

    def set_card(self, code: Code) -> list[Stmt]:
        value = self.one(code, 2)
        return [t.SetLocal(self.target(code, code.cards), value)]

    def set_list(self, code: Code) -> list[Stmt]:
        value = self.cards(code, 2)
        return [t.SetList(self.target(code, code.lists, self.room), value)]

    def pick_one(self, code: Code) -> list[Stmt]:
        """A card at a random place of a list."""
        items = self.cards(code, 1)
        chosen, number = self.target(code, code.lists, self.room), code.slot()
        known = list(code.cards)
        card = self.target(code, code.cards)
        body = (
            t.Random(number, t.Count(vs(chosen)), self.place()),
            t.SetLocal(card, t.Last(t.Take(vs(chosen), op(v(number), "+", c(1)), True))),
        )
        nothing: tuple[Stmt, ...] = () if card in known else (t.SetLocal(card, c(-1)),)
        return [t.SetList(chosen, items), t.If(op(t.Count(vs(chosen)), ">", c(0)), body, nothing)]

    def note_place(self, code: Code) -> list[Stmt]:
        value = self.if_card(code, lambda card: t.Cell(op(card, "+", c(self.b.places))), -1)
        return [t.SetLocal(self.target(code, code.places), value)]

    def from_place(self, code: Code) -> Expr | None:
        return self.pick(
            ("from anywhere", lambda: None),
            ("from a place", lambda: v(self.chance.choice(code.places)) if code.places else None),
            ("from a zone", lambda: self.zone(code)),
        )

    def move_card(self, code: Code) -> list[Stmt]:
        value = v(self.chance.choice(code.cards)) if code.cards and self.likely(0.7) else self.one(code, 1)
        return [t.Move(t.Items((value,)), self.zone(code), self.likely(0.25), self.from_place(code), self.place())]

    def top_moves(self, code: Code) -> list[Stmt]:
        """Looks at the top of a zone, may do something, and moves that card, perhaps twice."""
        slot = code.slot()
        look = t.SetLocal(slot, t.Last(t.Cards(self.any_source(code))))
        between = () if self.careful else self.nested(code, 0, self.chance.randrange(2))
        code.cards.append(slot)
        moved = [
            t.Move(t.Items((v(slot),)), self.zone(code), self.likely(0.2), None, self.place())
            for _ in range(1 if self.careful else self.chance.randrange(1, 3))
        ]
        return [look, *between, *moved]

    def move_list(self, code: Code) -> list[Stmt]:
        items: List = vs(self.chance.choice(code.lists)) if code.lists and self.likely(0.5) else self.cards(code, 1)
        return [t.Move(items, self.zone(code), self.likely(0.25), self.from_place(code), self.place())]

    def move_part(self, code: Code) -> list[Stmt]:
        """All cards of a zone move that pass a test of their faces, or do not; perhaps the others before them."""
        source, to = self.chance.choice([*self.single, *self.families]), self.zone(code)
        table, value = self.chance.choice(self.value_tables), self.chance.randrange(5)
        slot, other = code.slot(), code.slot()
        test = lambda one: op(t.Table(table, v(one)), ">", c(value))
        cards: List = t.Filter(t.Cards(c(source)), slot, test(slot))
        if self.likely(0.02 if self.careful else 0.3):
            cards = t.Concat(cards, t.Filter(t.Cards(c(source)), other, t.Not(test(other))))
        return [t.Move(cards, to, self.likely(0.2), self.from_place(code), self.place())]

    def move_within(self, code: Code) -> list[Stmt]:
        """Cards of a zone go to its top or bottom."""
        zone = self.chance.choice(
            [*self.single, *(first + self.chance.randrange(self.seats) for first in self.families)]
        )
        items = self.over(code, lambda slot, inside: t.Filter(t.Cards(c(zone)), slot, self.face_test(inside, slot)))
        return [
            t.Move(self.chance.choice((items, t.Cards(c(zone)))), c(zone), self.likely(0.5), None, self.place())
        ]

    def draw(self, code: Code) -> list[Stmt]:
        source, to, kept = self.any_source(code), self.zone(code), self.likely(0.6)
        if self.likely(0.4):
            source = self.of_seat(code, self.decks)
        count = self.number(code, 1) if self.likely(0.3) else c(self.chance.randrange(1, 6))
        slot = code.slot(self.room) if kept else None
        end = t.Draw if self.likely(0.75) else t.DrawBottom
        statement = end(source, count, to, self.likely(0.2), slot, self.place())
        if slot is not None:
            code.lists.append(slot)
        return [statement]

    def each(self, code: Code, depth: int) -> list[Stmt]:
        items: List = vs(self.chance.choice(code.lists)) if code.lists and self.likely(0.4) else self.cards(code, 1)
        slot = code.slot()
        inside = code.readable()
        inside.cards += [slot, slot]
        inside.sure.append(slot)
        return [t.ForEach(slot, items, self.statements(inside, depth - 1, self.chance.randrange(1, 3)))]

    def loop(self, code: Code, depth: int) -> list[Stmt]:
        slot = code.slot()
        step = t.SetLocal(slot, op(v(slot), "+", c(1)))
        test = t.And(op(v(slot), "<", c(3)), self.truth(code, 1))
        return [t.SetLocal(slot, c(0)), t.While(test, (step, *self.nested(code, depth - 1, 2)), self.place())]

    def remember(self, code: Code) -> list[Stmt]:
        slot = code.slot()
        one = t.SetLocal(slot, self.one(code, 1))
        return self.pick(
            ("a track", lambda: [one, t.Assign(self.remembering, c(0), v(slot), self.place())]),
            (
                "a list",
                lambda: [
                    one,
                    t.If(
                        op(v(slot), ">=", c(0)), (t.Append(c(self.noted), v(slot), self.count, self.place()),), ()
                    ),
                ],
            ),
            ("forget", lambda: [one, t.Remove(c(self.noted), v(slot))]),
            (
                "all of them",
                lambda: [
                    t.SetCells(
                        c(self.noted), self.over(code, lambda x, inside: t.Distinct(self.cards(code, 1), x, v(x)))
                    )
                ],
            ),
            (
                "a number for it",
                lambda: [
                    one,
                    t.If(op(v(slot), ">=", c(0)), (t.Change(self.by_card, v(slot), c(1), self.place()),), ()),
                ],
            ),
        )

    def note_face(self, code: Code) -> list[Stmt]:
        if not code.cards:
            return []
        slot = self.chance.choice(code.cards)
        note = t.Append(c(self.known), t.Table(self.face_table, v(slot)), self.kinds, self.place())
        return [t.If(op(v(slot), ">=", c(0)), (note,), ())]

    def guarded_by_face(self, code: Code) -> list[Stmt]:
        slot = code.slot()
        arguments = (v(slot), self.cards(code, 1), self.seat(code))
        call = t.DoTable(self.chance.choice(self.by_face), v(slot), arguments)
        return [t.SetLocal(slot, self.one(code, 1)), t.If(op(v(slot), ">=", c(0)), (call,), ())]

    def statement(self, code: Code, depth: int) -> list[Stmt]:
        makers: list[tuple[str, Callable[[], list[Stmt]]]] = [
            ("set card", lambda: self.set_card(code)),
            ("set list", lambda: self.set_list(code)),
            ("pick", lambda: self.pick_one(code)),
            ("note place", lambda: self.note_place(code)),
            ("move card", lambda: self.move_card(code)),
            ("move card", lambda: self.move_card(code)),
            ("top moves", lambda: self.top_moves(code)),
            ("move list", lambda: self.move_list(code)),
            ("move part", lambda: self.move_part(code)),
            ("!move within" if self.careful else "move within", lambda: self.move_within(code)),
            (
                "move all",
                lambda: [t.MoveAll(self.any_source(code), self.zone(code), self.likely(0.3), self.place())],
            ),
            ("draw", lambda: self.draw(code)),
            ("draw", lambda: self.draw(code)),
            ("shuffle", lambda: [t.Shuffle(self.zone(code), self.place())]),
            (
                "prepare",
                lambda: [t.Prepare(self.of_seat(code, self.decks), c(self.chance.randrange(4)), self.place())],
            ),
            (
                "send home",
                lambda: [t.SendHome(self.cards(code, 1), self.homes, self.from_place(code), self.place())],
            ),
            ("score", lambda: [t.Change(self.score, self.seat(code), self.number(code, 2), self.place())]),
            ("note face", lambda: self.note_face(code)),
            ("!remember", lambda: self.remember(code)),
        ]
        if depth > 0:
            makers += [
                (
                    "if",
                    lambda: [
                        t.If(self.truth(code, 1), self.nested(code, depth - 1, 2), self.nested(code, depth - 1, 1))
                    ],
                ),
                ("each", lambda: self.each(code, depth)),
                ("while", lambda: self.loop(code, depth)),
                *(("do", lambda f=f: [t.Do(f, self.arguments(code))]) for f in self.doing),
            ]
            if self.by_face:
                makers.append(("by face", lambda: self.guarded_by_face(code)))
        return self.pick(*makers)

    # -------------------------------------------------------------- functions

    def parameters(self) -> Code:
        return Code([0, self.room, 0], seats=[2], cards=[0], lists=[1])

    def function(self, gives: str) -> int:
        code = self.parameters()
        if gives == "number":
            return self.b.function(3, code.slots, t.Give(self.number(code, 2)))
        if gives == "cards":
            return self.b.function(3, code.slots, t.Give(self.cards(code, 2)))
        body = self.statements(code, 1, self.chance.randrange(1, 4))
        return self.b.function(3, code.slots, *body)

    # -------------------------------------------------------------- procedures

    def procedure(self, turns: int) -> int:
        """A procedure of several steps; with `turns` it is the game's, and goes round as often."""
        code = self.parameters() if not turns else Code()
        number = self.b.reserve_procedure()
        counter = code.slot()
        seat = code.slot() if turns else 2
        code.seats = [seat]
        for known, capacity in ((code.cards, 0), (code.cards, 0), (code.lists, self.room), (code.places, 0)):
            known.append(code.slot(capacity))
        cards, lists, places = list(code.cards), list(code.lists), list(code.places)
        start: list[Stmt] = [t.SetLocal(counter, c(0))]
        if turns:
            start.append(t.SetLocal(seat, c(0)))
            start += [t.SetLocal(slot, c(-1)) for slot in cards]
        start += [t.SetLocal(slot, c(-1)) for slot in (cards[-2:] if not turns else []) + places]
        start += [t.SetList(slot, t.Items(())) for slot in (lists if turns else lists[-1:])]
        trees: dict[int, Tree] = {}
        entry = self.b.reserve(1)[0]
        here = again = self.b.reserve(1)[0]
        trees[entry] = Tree(tuple(start), t.Goto(here))
        for _ in range(self.chance.randrange(2, 5) if turns else self.chance.randrange(1, 3)):
            after = self.b.reserve(1)[0]
            self.step(code.readable(), here, after, trees)
            here = after
        body = self.nested(code, 1, 1)
        if turns:
            step = (
                t.SetLocal(counter, op(v(counter), "+", c(1))),
                t.SetLocal(seat, op(v(counter), "%", c(self.seats))),
                t.Charge(self.place()),
            )
            more = Tree((), t.Goto(again))
            trees[here] = Tree((*body, *step), t.Branch(op(v(counter), "<", c(turns)), more, Tree((), t.Finish())))
        else:
            trees[here] = Tree(body, t.Return(None))
        return self.b.procedure(code.slots, trees, entry, 0 if turns else 3, number)

    def step(self, code: Code, here: int, after: int, trees: dict[int, Tree]) -> None:
        """Fills a segment, and further ones, that lead to another."""
        kinds = ["code", "card", "some", "menu", "seats", *(["call"] * 2 if self.callees else [])]
        kind = self.chance.choice(kinds)
        body = self.statements(code, 2, self.chance.randrange(1, 4))
        if kind == "code":
            way = Tree(self.nested(code, 1, 1), t.Goto(after))
            trees[here] = Tree(body, t.Branch(self.truth(code, 1), way, Tree((), t.Goto(after))))
        elif kind == "call":
            trees[here] = Tree(body, self.invoke(code, after, trees))
        else:
            asking, answered = self.b.reserve(2)
            trees[here] = Tree(body, t.Goto(asking))
            trees[asking], answer = self.ask(code, kind, answered)
            then = self.nested(code, 1, self.chance.randrange(1, 4))
            if self.callees and self.likely(0.4):
                trees[answered] = Tree((*answer, *then), self.invoke(code, after, trees))
            else:
                trees[answered] = Tree((*answer, *then), t.Goto(after))

    def invoke(self, code: Code, after: int, trees: dict[int, Tree]) -> t.End:
        called, arguments = self.chance.choice(self.callees), self.arguments(code)
        if self.called_by_face and code.cards and self.likely(0.4):
            slot = self.chance.choice(code.cards)
            by_face = t.InvokeTable(
                self.chance.choice(self.called_by_face), v(slot), (v(slot), *arguments[1:]), after, self.place()
            )
            return t.Branch(op(v(slot), "<", c(0)), Tree((), t.Goto(after)), Tree((), by_face))
        return t.Invoke(called, arguments, after, self.place())

    def options(self, code: Code) -> List:
        """Cards to choose from, mostly those of a zone."""
        zone: Callable[[], List] = lambda: t.Cards(self.source(code))
        return self.pick(
            ("options", zone),
            (
                "some options",
                lambda: self.over(code, lambda x, inside: t.Filter(zone(), x, self.face_test(inside, x))),
            ),
            (
                "different options",
                lambda: self.over(code, lambda x, inside: t.Distinct(zone(), x, t.Table(self.face_table, v(x)))),
            ),
            ("top options", lambda: t.Take(zone(), c(self.chance.randrange(1, 4)), False)),
            ("!any options", lambda: self.cards(code, 2)),
        )

    def ask(self, code: Code, kind: str, resume: int) -> tuple[Tree, list[Stmt]]:
        """A decision, and what reads its answer."""
        asked, bound = code.seats[0], code.slot()
        one_seat, site = t.Items((v(asked),)), self.chance.choice(self.card_sites)
        ask = lambda *rest: Tree((), t.Ask(*rest, resume, self.place(), self.likely(0.2)))
        if kind == "card":
            options, card = self.options(code), code.slot()
            code.cards += [card, card]
            tree = ask(site, one_seat, bound, options, c(self.chance.choice((0, 1, 1))), c(1))
            return tree, [t.SetLocal(card, t.First(t.Answer(v(asked)))), t.CloseDecisions()]
        if kind == "some":
            options, chosen = self.options(code), code.slot(self.room)
            code.lists += [chosen, chosen]
            tree = ask(
                site,
                one_seat,
                bound,
                options,
                c(self.chance.choice((0, 0, 1, 2))),
                c(self.chance.choice((1, 2, 3, 9))),
            )
            return tree, [t.SetList(chosen, t.Answer(v(asked))), t.CloseDecisions()]
        if kind == "menu":
            x, value, card = code.slot(), code.slot(), code.slot()
            items = self.options(code)
            seats = self.likely(0.1)
            code_of = op(op(v(x), "*", c(self.seats)), "+", self.seat(code)) if seats else v(x)
            options = t.Concat(numbers(0), t.Map(items, x, op(op(code_of, "*", c(2)), "+", c(1))))
            member = op(op(v(value), "//", c(2)), "//", c(self.seats)) if seats else op(v(value), "//", c(2))
            code.cards += [card, card]
            use = t.If(
                op(op(v(value), "%", c(2)), "==", c(1)), (t.SetLocal(card, member),), (t.SetLocal(card, c(-1)),)
            )
            answer = t.SetLocal(value, t.First(t.Answer(v(asked))))
            return ask(self.menus[seats], one_seat, bound, options, c(1), c(1)), [
                answer,
                t.CloseDecisions(),
                use,
            ]
        inside = code.readable()
        inside.seats = [bound] * 3
        options = self.options(inside)
        found: list[Stmt] = []
        for number in range(self.seats):
            slot = code.slot(self.room)
            found.append(t.SetList(slot, t.Answer(c(number))))
            code.lists.append(slot)
        tree = ask(
            site,
            numbers(*range(self.seats)),
            bound,
            options,
            c(self.chance.choice((0, 1))),
            c(self.chance.choice((1, 2))),
        )
        return tree, [*found, t.CloseDecisions()]

    def program(self) -> TableProgram:
        self.value_functions = [self.function("number")]
        self.list_functions = [self.function("cards")]
        doing: list[int] = []
        for _ in range(self.chance.randrange(1, 4)):
            doing.append(self.function("nothing"))
            self.doing = list(doing)
        choice = [self.chance.choice((-1, *doing)) for _ in range(self.kinds)]
        self.by_face = [self.b.table(*(choice[face] for face in self.faces))]
        for _ in range(self.chance.randrange(1, 4)):
            self.callees = [*self.callees, self.procedure(0)]
        called = [self.chance.choice((-1, *self.callees)) for _ in range(self.kinds)]
        self.called_by_face = [self.b.table(*(called[face] for face in self.faces))]
        return self.b.build(self.procedure(self.chance.randrange(3, 9)), 3000 + 60 * self.room)
