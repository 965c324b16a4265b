"""A small program for each way to observe which of equal cards is meant, or an order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest
from attrs import evolve

from interpreter.optimiser.kept_cards import Form, KeptCards, choose
from ruleset.table import nodes as t
from ruleset.table.nodes import OptionBranch, Stmt, TableProgram
from tests.interpreter import compilers
from tests.interpreter.many_beside import same_many
from tests.interpreter.programs_builder import Builder, c, numbers, op, tree, v, vs
from tests.interpreter.programs_cards import card_program

pytestmark = compilers.needs_compiler

FACES = (0, 0, 0, 0, 1, 1, 1, 2)
A, B, OTHER, CARDS, MORE = 0, 1, 2, 3, 4
"""Slots: three numbers or cards, two lists of cards."""
SLOTS = (0, 0, 0, 20, 20)


class Table:
    """A shuffled deck from which three cards were drawn into a hand, and places for cards to go."""

    def __init__(self, faces: Sequence[int] = FACES, refill: bool = False, eager: bool = False) -> None:
        self.b = b = Builder(2, faces)
        self.deck = b.zone("pile", range(len(faces)), refill=2 if refill else -1, eager=eager)
        self.hand, self.discards, self.trash = b.zone("bag"), b.zone("pile"), b.zone("bag")
        self.row = b.zone("row")
        self.score = b.track(low=-999, high=999)
        self.by_card = b.track((0,) * len(faces))
        self.track = b.track((-1,), of="card")
        self.noted = b.state_list(8, of="card")
        self.lists = b.state_list(2, count=len(faces))
        self.values = b.table(*(3 * face for face in faces))
        self.own_values = b.table(*range(len(faces)))
        self.site = b.site("card")

    def last(self, slot: int, zone: int) -> Stmt:
        return t.SetLocal(slot, t.Last(t.Cards(c(zone))))

    def move(self, cards: t.Expr | t.List | int, to: int, bottom: bool = False) -> Stmt:
        one = v(cards) if isinstance(cards, int) else cards
        return t.Move(one if isinstance(one, t.List) else t.Items((one,)), c(to), bottom, None, 1)

    def add(self, amount: t.Expr) -> Stmt:
        return t.Change(self.score, c(0), amount, 2)

    def place(self, slot: int) -> t.Expr:
        return t.Cell(op(v(slot), "+", c(self.b.places)))

    def draw(self, count: int, to: int, slot: int | None = None, source: t.Expr | int | None = None) -> Stmt:
        zone = source if isinstance(source, t.Expr) else c(self.deck if source is None else source)
        return t.Draw(zone, c(count), c(to), False, slot, 3)

    def dear(self, zone: int, value: int = 0) -> t.List:
        slot = 20 + self.b.cells
        return t.Filter(t.Cards(c(zone)), slot, op(t.Table(self.values, v(slot)), "==", c(value)))

    def do(self, *body: Stmt) -> Stmt:
        """A call that is not inlined."""
        return t.DoTable(self.b.table(self.b.function(0, (), *body)), c(0), ())

    def if_card(self, condition: t.Expr, *body: Stmt) -> list[Stmt]:
        """Use the card of an option, if it is one."""
        return [t.If(condition, (t.SetLocal(B, op(v(A), "//", c(2))), *body), ())]

    def failing(self, card: t.Expr) -> t.Expr:
        """A number that cannot be worked out for a card of face 0, nor, for another reason, for one of face 1."""
        value = t.Table(self.values, card)
        return op(t.Checked("//", c(12), value, 20), "+", t.Checked("//", c(12), op(value, "-", c(3)), 21))

    def call_failing(self) -> t.Expr:
        number = self.b.function(1, (0,), t.Give(self.failing(v(0))))
        return t.Total(t.Cards(c(self.row)), 21, t.Call(number, (v(21),)), 7)

    def charging(self) -> int:
        """A function that uses fuel."""
        return self.b.function(1, (0,), t.Charge(22), t.Give(op(t.Table(self.values, v(0)), ">", c(0))))

    def sorted_by(self, zone: int, first: t.Expr, then: t.Expr) -> t.List:
        """Cards of a zone that pass a test, then those that pass another."""
        cards = t.Cards(c(zone))
        return t.Concat(t.Filter(cards, 21, first), t.Filter(cards, 21, then))

    def by_face(self, card: t.Expr, *body: Stmt) -> Stmt:
        """The effect of a card, which is the same for all faces."""
        functions = [self.b.function(1, (0,), *body) for _ in range(3)]
        return t.DoTable(self.b.table(*(functions[face] for face in FACES)), card, (card,))

    def leaving(self, one: int, other: int) -> list[Stmt]:
        """All cards leave two zones, those of face 0 first."""
        cards = t.Concat(t.Cards(c(one)), t.Cards(c(other)))
        both = t.Concat(t.Filter(cards, 21, t.Not(self.above(0))), t.Filter(cards, 21, self.above(0)))
        drawn = [self.draw(1, zone) for zone in (one, other, self.discards)]
        return [*drawn, t.Move(both, c(self.trash), False, None, 5)]

    def of_one_face(self, zone: int) -> list[Stmt]:
        """Only cards of face 0 go to a zone; others are looked for there."""
        moved = t.Move(self.dear(self.hand), c(zone), False, None, 5)
        others = t.Filter(t.Cards(c(zone)), 21, self.above(0))
        return [moved, self.add(t.Count(others)), self.add(t.Count(t.Cards(c(zone))))]

    def with_list(self, count: int, address: Callable[[int], t.Expr]) -> list[Stmt]:
        """Members of a list are asked for before and after one is added."""
        known = self.b.state_list(3, count=count)
        worth = self.b.table(0, 1, 1)
        some = t.Count(t.Filter(t.CellList(c(known)), 21, op(t.Table(worth, v(21)), ">", c(0))))
        return [
            t.SetCells(c(known), t.Items((c(2), c(0)))),
            self.add(some),
            t.SetLocal(OTHER, op(t.Count(t.Cards(c(self.row))), "*", c(4))),
            t.Append(address(known), c(1), 3, 5),
            self.add(op(some, "*", c(10))),
        ]

    def above(self, value: int) -> t.Expr:
        return op(t.Table(self.values, v(21)), ">", c(value))

    def total(self, table: int, zone: int) -> t.Expr:
        return t.Total(t.Cards(c(zone)), 21, t.Table(table, v(21)), 4)

    def program(self, *body: Stmt) -> TableProgram:
        first = self.b.reserve(1)[0]
        begin = (t.Shuffle(c(self.deck), 0), self.draw(3, self.hand))
        return self.b.build(self.b.procedure(SLOTS, {first: tree(*begin, *body, t.Finish())}, first))


def kept(program: TableProgram) -> KeptCards:
    """How the cards of a program are kept, which plays the same games either way."""
    chosen = choose(program)
    assert chosen.kept is not None, chosen.why_not
    ends = same_many(program, 40, 7)
    assert ends["over"], ends
    return chosen.kept


Body = Callable[[Table], list[Stmt]]


def inverse(slot: int) -> t.Expr:
    """A number that cannot be worked out where that in a slot is 0."""
    return t.Checked("//", c(1), v(slot), 20)


OBSERVED: dict[str, tuple[str, Body]] = {
    "cards put in order in vain by a test that may fail": (
        "may move a card twice",
        lambda g: [
            t.Random(OTHER, c(2), 5),
            t.Move(g.sorted_by(g.hand, t.Not(inverse(OTHER)), inverse(OTHER)), c(g.trash), False, None, 5),
        ],
    ),
    "the place of a card that another reference moved": (
        "asks where a card is",
        lambda g: [g.last(A, g.hand), g.last(B, g.hand), g.move(A, g.trash), g.add(g.place(B))],
    ),
    "a card moved that another reference moved": (
        "moves a card that may have left",
        lambda g: [g.last(A, g.hand), g.last(B, g.hand), g.move(A, g.trash), g.move(B, g.discards)],
    ),
    "the same card in two variables": (
        "moves a card that may have left",
        lambda g: [
            g.last(A, g.hand),
            t.SetLocal(B, t.IfElse(op(t.Count(t.Cards(c(g.row))), "==", c(0)), v(A), v(A))),
            g.move(A, g.trash),
            g.move(B, g.discards),
        ],
    ),
    "two cards compared": (
        "compares one card with another",
        lambda g: [
            t.SetLocal(A, t.First(t.Cards(c(g.hand)))),
            g.last(B, g.hand),
            g.add(op(v(A), "==", v(B))),
        ],
    ),
    "a card searched in a list": (
        "looks for one card in a list of cards",
        lambda g: [
            t.SetLocal(A, t.First(t.Cards(c(g.hand)))),
            g.move(t.Last(t.Cards(c(g.hand))), g.trash),
            g.add(t.Contains(t.Cards(c(g.hand)), v(A))),
        ],
    ),
    "two lists compared": (
        "looks for one card in a list of cards",
        lambda g: [
            t.SetList(CARDS, t.Cards(c(g.hand))),
            g.draw(1, g.hand),
            g.add(t.Same(vs(CARDS), t.Take(t.Cards(c(g.hand)), c(3), False))),
        ],
    ),
    "a track of a card": (
        "keeps a value for each card",
        lambda g: [g.last(A, g.hand), t.Change(g.by_card, v(A), c(1), 5)],
    ),
    "a list of a card": (
        "keeps a value for each card",
        lambda g: [g.last(A, g.hand), t.Append(op(c(g.lists), "+", op(v(A), "*", c(3))), c(5), 2, 5)],
    ),
    "a card remembered in a track": (
        "remembers which card is meant",
        lambda g: [
            g.last(A, g.hand),
            t.Assign(g.track, c(0), v(A), 5),
            t.MoveAll(c(g.hand), c(g.row), False, 6),
            g.move(t.Cell(c(g.b.address(g.track))), g.discards),
        ],
    ),
    "cards remembered in a list": (
        "remembers which card is meant",
        lambda g: [
            g.last(A, g.hand),
            t.Append(c(g.noted), v(A), 8, 5),
            t.MoveAll(c(g.hand), c(g.row), False, 6),
            t.Move(t.CellList(c(g.noted)), c(g.discards), False, None, 7),
        ],
    ),
    "a card remembered again after it has moved": (
        "remembers which card is meant",
        lambda g: [
            g.last(A, g.hand),
            t.Append(c(g.noted), v(A), 8, 5),
            g.move(A, g.trash),
            t.Append(c(g.noted), v(A), 8, 6),
            g.add(t.Count(t.CellList(c(g.noted)))),
        ],
    ),
    "a list with a card twice": (
        "may move a card twice",
        lambda g: [
            t.Move(t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.hand))), c(g.discards), False, None, 5),
            g.draw(2, g.trash, None, g.discards),
        ],
    ),
    "a list with a card twice, one by one": (
        "goes through a list that may hold a card twice",
        lambda g: [
            t.SetList(CARDS, t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.hand)))),
            t.ForEach(A, vs(CARDS), (g.move(A, g.discards),)),
        ],
    ),
    "a card out of the middle of an order": (
        "may take a card that is not on top of its pile or row",
        lambda g: [g.move(t.Last(t.Take(t.Cards(c(g.deck)), c(3), True)), g.trash), g.draw(4, g.row)],
    ),
    "the second card from the top": (
        "may take a card that is not on top of its pile or row",
        lambda g: [g.move(t.First(t.Take(t.Cards(c(g.deck)), c(2), False)), g.trash), g.draw(4, g.row)],
    ),
    "a card that was on top": (
        "may take a card that is not on top of its pile or row",
        lambda g: [
            g.last(A, g.deck),
            g.move(t.Last(t.Cards(c(g.hand))), g.deck),
            g.move(A, g.trash),
            g.draw(2, g.row),
        ],
    ),
    "a table that tells equal cards apart": (
        "looks up what differs",
        lambda g: [g.add(g.total(g.own_values, g.hand))],
    ),
    "equal cards moved within an order": (
        "may take a card that is not on top of its pile or row",
        lambda g: [t.Move(g.dear(g.deck), c(g.deck), False, None, 5), g.draw(2, g.trash)],
    ),
    "a whole order turned round": (
        "may take a card that is not on top of its pile or row",
        lambda g: [t.Move(t.Cards(c(g.deck)), c(g.deck), True, None, 5), g.draw(2, g.trash)],
    ),
    "a card that one branch moved": (
        "moves a card that may have left",
        lambda g: [
            g.last(A, g.hand),
            g.last(B, g.hand),
            t.If(op(t.Count(t.Cards(c(g.row))), ">", c(0)), (), (g.move(A, g.trash),)),
            g.move(B, g.discards),
        ],
    ),
    "a card that is moved again the next time round": (
        "moves a card that may have left",
        lambda g: [
            g.last(A, g.hand),
            g.last(B, g.hand),
            t.While(
                op(t.Cell(c(g.b.address(g.score))), "<", c(2)),
                (g.move(B, g.trash), t.SetLocal(B, v(A)), g.add(c(1))),
                5,
            ),
        ],
    ),
    "a card put below others": (
        "may take a card that is not on top of its pile or row",
        lambda g: [g.last(A, g.hand), g.move(A, g.deck, True), g.move(A, g.trash), g.draw(2, g.row)],
    ),
    "a card on top of a pile that is shuffled": (
        "may take a card that is not on top of its pile or row",
        lambda g: [g.last(A, g.deck), t.Shuffle(c(g.deck), 5), g.move(A, g.trash), g.draw(2, g.row)],
    ),
    "a card on top of a pile that an effect covers": (
        "may take a card that is not on top of its pile or row",
        lambda g: [
            g.last(A, g.deck),
            g.do(t.Move(t.Cards(c(g.hand)), c(g.deck), False, None, 5)),
            g.move(A, g.trash),
            g.draw(2, g.row),
        ],
    ),
    "cards of a list that may have left, of one face": (
        "moves a card that may have left",
        lambda g: [
            t.SetList(CARDS, t.Cards(c(g.hand))),
            g.last(A, g.hand),
            g.move(A, g.trash),
            t.Move(
                t.Filter(vs(CARDS), 21, op(t.Table(g.values, v(21)), "==", c(0))), c(g.discards), False, None, 5
            ),
        ],
    ),
    "cards that are in a list": (
        "looks for one card in a list of cards",
        lambda g: [
            t.SetList(CARDS, t.Take(t.Cards(c(g.hand)), c(2), False)),
            t.Move(t.Filter(t.Cards(c(g.hand)), 21, t.Contains(vs(CARDS), v(21))), c(g.trash), False, None, 5),
        ],
    ),
    "different cards": (
        "compares one card with another",
        lambda g: [
            g.add(t.Count(t.Distinct(t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.hand))), 21, v(21)))),
        ],
    ),
    "a list that holds a card twice, or not": (
        "may move a card twice",
        lambda g: [
            t.If(
                op(t.Count(t.Cards(c(g.row))), ">", c(0)),
                (t.SetList(CARDS, t.Cards(c(g.hand))),),
                (t.SetList(CARDS, t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.hand)))),),
            ),
            t.Move(vs(CARDS), c(g.discards), False, None, 5),
        ],
    ),
    "the card on top, or that at the bottom": (
        "may take a card that is not on top of its pile or row",
        lambda g: [
            t.SetLocal(
                A,
                t.IfElse(
                    op(t.Count(t.Cards(c(g.row))), ">", c(0)),
                    t.Last(t.Cards(c(g.deck))),
                    t.First(t.Cards(c(g.deck))),
                ),
            ),
            g.move(A, g.trash),
            g.draw(2, g.row),
        ],
    ),
    "a card of one zone or another": (
        "asks where a card is",
        lambda g: [
            g.draw(3, g.trash),
            t.SetLocal(
                A,
                t.IfElse(
                    op(t.Count(t.Cards(c(g.row))), ">", c(0)),
                    t.Last(t.Cards(c(g.hand))),
                    t.Last(t.Cards(c(g.trash))),
                ),
            ),
            t.MoveAll(c(g.trash), c(g.row), False, 5),
            g.add(g.place(A)),
        ],
    ),
    "the card at the bottom": (
        "may take a card that is not on top of its pile or row",
        lambda g: [t.SetLocal(A, t.First(t.Cards(c(g.deck)))), g.move(A, g.trash), g.draw(2, g.row)],
    ),
    "the card at the bottom of a list": (
        "may take a card that is not on top of its pile or row",
        lambda g: [
            t.SetLocal(A, t.Last(t.Take(t.Cards(c(g.deck)), c(2), True))),
            g.move(A, g.trash),
            g.draw(2, g.row),
        ],
    ),
    "one card in two variables, moved together": (
        "may move a card twice",
        lambda g: [
            g.last(A, g.hand),
            g.last(B, g.hand),
            t.Move(t.Items((v(A), v(B))), c(g.discards), False, None, 5),
        ],
    ),
    "one card for each card": (
        "may move a card twice",
        lambda g: [
            g.last(A, g.hand),
            t.Move(t.Map(t.Cards(c(g.hand)), 21, v(A)), c(g.discards), False, None, 5),
        ],
    ),
    "a list for each card": (
        "may move a card twice",
        lambda g: [
            t.Move(t.FlatMap(t.Cards(c(g.row)), 21, t.Cards(c(g.hand))), c(g.discards), False, None, 5),
        ],
    ),
    "a list with a card twice, and others": (
        "may move a card twice",
        lambda g: [
            g.draw(1, g.trash),
            t.SetList(CARDS, t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.hand)))),
            t.Move(t.Concat(vs(CARDS), t.Cards(c(g.trash))), c(g.discards), False, None, 5),
        ],
    ),
    "a card compared with itself after it has moved": (
        "compares one card with another",
        lambda g: [
            g.last(A, g.hand),
            g.last(B, g.hand),
            g.move(A, g.trash),
            g.add(op(v(A), "==", v(B))),
        ],
    ),
    "an effect of one face": (
        "keeps a value for each card",
        lambda g: [
            g.last(A, g.hand),
            t.DoTable(
                g.b.table(*(4 * [g.b.function(1, (0,), t.Change(g.by_card, v(0), c(1), 5))]), -1, -1, -1, -1),
                v(A),
                (v(A),),
            ),
        ],
    ),
    "an effect of the face of a card that may have left": (
        "asks where a card is",
        lambda g: [
            g.last(A, g.hand),
            g.last(B, g.hand),
            g.move(B, g.trash),
            g.by_face(v(A), g.add(g.place(0))),
        ],
    ),
    "different cards, one of which has moved": (
        "compares one card with another",
        lambda g: [
            g.last(A, g.hand),
            g.last(B, g.hand),
            g.move(A, g.trash),
            g.add(t.Count(t.Distinct(t.Items((v(A), v(B))), 21, v(21)))),
        ],
    ),
    "a card that is no longer remembered": (
        "remembers which card is meant",
        lambda g: [
            t.SetCells(c(g.noted), t.Cards(c(g.hand))),
            t.MoveAll(c(g.hand), c(g.row), False, 6),
            t.Remove(c(g.noted), t.Last(t.Cards(c(g.row)))),
            g.add(t.Count(t.CellList(c(g.noted)))),
        ],
    ),
    "a card that stays where it is": (
        "asks where a card is",
        lambda g: [
            g.last(A, g.hand),
            t.Move(t.Items((v(A),)), c(g.trash), False, c(g.discards), 5),
            g.last(B, g.hand),
            g.move(B, g.row),
            g.add(g.place(A)),
        ],
    ),
    "the place of a card that was moved with all others": (
        "asks where a card is",
        lambda g: [g.last(A, g.hand), t.MoveAll(c(g.hand), c(g.discards), False, 5), g.add(g.place(A))],
    ),
    "an effect that moves cards of several faces": (
        "asks where a card is",
        lambda g: [
            t.SetLocal(A, t.Last(g.dear(g.hand, 3))),
            g.do(
                t.Move(g.dear(g.hand), c(g.trash), False, None, 5),
                t.Move(g.dear(g.hand, 3), c(g.trash), False, None, 6),
            ),
            t.If(op(v(A), "!=", c(-1)), (g.add(g.place(A)),), ()),
        ],
    ),
    "homes that differ": (
        "looks up what differs",
        lambda g: [t.SendHome(t.Cards(c(g.hand)), g.b.table(*(4 * [g.trash, g.row])), None, 5)],
    ),
    "a draw from a bag to itself": (
        "moves a card that may have left",
        lambda g: [g.draw(5, g.hand, CARDS, g.hand), t.Move(vs(CARDS), c(g.trash), False, None, 5)],
    ),
    "a table that tells equal cards apart, for another face before": (
        "looks up what differs",
        lambda g: [
            t.SetLocal(A, t.Last(g.dear(g.hand, 6))),
            t.If(op(v(A), "!=", c(-1)), (g.add(t.Table(g.own_values, v(A))),), ()),
            g.add(g.total(g.own_values, g.hand)),
        ],
    ),
    "a draw that returns to its source": (
        "moves a card that may have left",
        lambda g: [g.draw(9, g.deck, CARDS), t.Move(vs(CARDS), c(g.trash), False, None, 5)],
    ),
}

HIDDEN: dict[str, Body] = {
    "a card moved once": lambda g: [g.last(A, g.hand), g.move(A, g.trash)],
    "a card moved twice by one reference": lambda g: [g.last(A, g.hand), g.move(A, g.trash), g.move(A, g.hand)],
    "a place asked at once": lambda g: [g.last(A, g.hand), g.add(g.place(A))],
    "a place asked of a moved card": lambda g: [g.last(A, g.hand), g.move(A, g.trash), g.add(g.place(A))],
    "a value of a card that has left": lambda g: [
        g.last(A, g.hand),
        t.MoveAll(c(g.hand), c(g.trash), False, 5),
        g.add(t.Table(g.values, v(A))),
    ],
    "values of all cards": lambda g: [g.add(g.total(g.values, g.hand))],
    "the top card": lambda g: [g.move(t.Last(t.Cards(c(g.deck))), g.hand), g.draw(2, g.trash)],
    "the top card put back": lambda g: [
        g.last(A, g.deck),
        g.move(A, g.hand),
        g.move(A, g.deck),
        g.draw(2, g.trash),
    ],
    "drawn cards": lambda g: [g.draw(3, g.row, CARDS), t.Move(vs(CARDS), c(g.trash), False, None, 5)],
    "all cards of a face": lambda g: [t.Move(g.dear(g.deck), c(g.trash), False, None, 5), g.draw(2, g.row)],
    "cards that pass two tests": lambda g: [
        t.Move(t.Filter(t.Cards(c(g.hand)), 21, t.And(g.above(0), t.Not(g.above(3)))), c(g.trash), False, None, 5)
    ],
    "cards that pass one of two tests": lambda g: [
        t.Move(t.Filter(t.Cards(c(g.hand)), 21, t.Or(g.above(3), t.Not(g.above(0)))), c(g.trash), False, None, 5)
    ],
    "a card compared with none": lambda g: [g.last(A, g.hand), g.add(op(v(A), "!=", c(-1)))],
    "an argument that may fail": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.DoTable(g.b.table(g.b.function(1, (0,), g.add(c(1)))), c(0), (inverse(OTHER),)),
    ],
    "a value that may fail": lambda g: [t.Random(OTHER, c(2), 5), t.SetLocal(B, inverse(OTHER))],
    "a condition that may fail": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.If(inverse(OTHER), (t.Emit("announced", (), None, c(3), c(3), 5),), ()),
    ],
    "a list that may fail": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.ForEach(
            A,
            t.Filter(t.Cards(c(g.hand)), 21, inverse(OTHER)),
            (t.Emit("announced", (), None, c(3), c(3), 5),),
        ),
    ],
    "a value from before a loop": lambda g: [
        t.SetLocal(B, c(5)),
        t.ForEach(A, t.Cards(c(g.row)), (t.SetLocal(B, t.Count(t.Cards(c(g.deck)))),)),
        g.add(v(B)),
    ],
    "a loop that counts": lambda g: [
        t.SetLocal(B, t.Count(t.Cards(c(g.row)))),
        t.While(op(v(B), "<", c(3)), (t.SetLocal(B, op(v(B), "+", c(1))),), 5),
    ],
    "a value from the last time round": lambda g: [
        t.SetLocal(B, t.Count(t.Cards(c(g.hand)))),
        t.ForEach(A, t.Cards(c(g.hand)), (g.add(v(B)), t.SetLocal(B, t.Table(g.values, v(A))))),
    ],
    "a name for a value that changes": lambda g: [
        t.SetLocal(OTHER, t.Count(t.Cards(c(g.hand)))),
        t.SetLocal(B, v(OTHER)),
        t.SetLocal(OTHER, t.Count(t.Cards(c(g.deck)))),
        g.add(op(v(B), "+", op(v(OTHER), "*", c(10)))),
    ],
    "a name for cards that move": lambda g: [
        t.SetList(CARDS, t.Cards(c(g.hand))),
        g.draw(1, g.hand),
        g.add(t.Count(vs(CARDS))),
    ],
    "a value of the other branch": lambda g: [
        t.SetLocal(B, t.Count(t.Cards(c(g.hand)))),
        t.If(op(t.Count(t.Cards(c(g.row))), ">", c(0)), (t.SetLocal(B, c(9)), g.add(v(B))), (g.add(v(B)),)),
    ],
    "a value that a loop changes": lambda g: [
        t.SetLocal(B, c(1)),
        t.ForEach(A, t.Cards(c(g.hand)), (g.add(v(B)), t.SetLocal(B, c(2)))),
    ],
    "a value that a longer loop changes": lambda g: [
        t.SetLocal(B, c(1)),
        t.While(op(t.Cell(c(g.b.address(g.score))), "<", c(6)), (g.add(v(B)), t.SetLocal(B, c(2))), 5),
    ],
    "an effect that ends early": lambda g: [
        t.Do(
            g.b.function(
                0, (), t.If(op(t.Count(g.dear(g.hand)), ">", c(0)), (t.Give(c(1)),), ()), g.add(c(1)), t.Give(c(0))
            ),
            (),
        ),
        g.draw(2, g.row),
    ],
    "cards of two piles that fill themselves": lambda g: g.leaving(
        *(g.b.zone("pile", refill=g.discards, eager=True) for _ in range(2))
    ),
    "cards that are drawn to the bottom": lambda g: [
        t.Draw(c(g.deck), c(2), c(g.discards), False, None, 5),
        t.Draw(c(g.deck), c(2), c(g.discards), True, None, 5),
        g.draw(1, g.row, None, g.discards),
    ],
    "values that differ": lambda g: [
        g.add(t.Count(t.Distinct(t.Cards(c(g.hand)), 21, t.Table(g.values, v(21))))),
    ],
    "a zone with one face only": lambda g: g.of_one_face(g.b.zone("bag")),
    "a sum that is too large": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.If(v(OTHER), (g.add(g.total(g.b.table(*(2**30 for _ in FACES)), g.hand)),), ()),
    ],
    "a zone that is full, and another error": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.If(
            op(v(OTHER), "==", c(0)),
            (t.Move(t.Cards(c(g.hand)), c(g.b.zone("bag", capacity=2)), False, None, 5), g.add(inverse(OTHER))),
            (),
        ),
    ],
    "a zone that is full, and a card": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.If(
            op(v(OTHER), "==", c(0)),
            (
                t.Move(t.Items((t.Last(t.Cards(c(g.hand))),)), c(g.b.zone("bag", capacity=0)), False, None, 5),
                g.add(inverse(OTHER)),
            ),
            (),
        ),
    ],
    "a loop that uses fuel": lambda g: [
        g.draw(3, g.hand),
        t.ForEach(
            A,
            t.Filter(t.Cards(c(g.hand)), 21, t.Call(g.charging(), (v(21),))),
            (g.add(t.Table(g.values, v(A))),),
        ),
    ],
    "members of a list": lambda g: g.with_list(1, lambda known: c(known)),
    "members of a list that is worked out": lambda g: g.with_list(1, lambda known: op(v(OTHER), "+", c(known))),
    "members of one of two lists": lambda g: g.with_list(2, lambda known: op(v(OTHER), "+", c(known))),
    "cards that are put in order in vain": lambda g: [
        t.Move(g.sorted_by(g.hand, t.Not(g.above(0)), g.above(0)), c(g.trash), False, None, 5),
    ],
    "cards that are put in order": lambda g: [
        t.Move(g.sorted_by(g.hand, g.above(0), t.Not(g.above(0))), c(g.discards), False, None, 5),
        g.draw(1, g.trash, None, g.discards),
    ],
    "some cards and others": lambda g: [
        t.Move(g.sorted_by(g.hand, t.Not(g.above(0)), g.above(3)), c(g.trash), False, None, 5),
    ],
    "a comparison that only narrates": lambda g: [
        g.last(A, g.hand),
        g.last(B, g.deck),
        t.Emit("announced", (op(v(A), "==", v(B)),), None, c(3), c(3), 5),
    ],
}


REFILLED: dict[str, tuple[str, Body]] = {
    "a card that the last card's leaving puts back": (
        "asks where a card is",
        lambda g: [
            g.draw(4, g.row),
            t.MoveAll(c(g.hand), c(g.discards), False, 5),
            g.last(A, g.discards),
            g.move(t.Last(t.Cards(c(g.deck))), g.trash),
            g.add(g.place(A)),
        ],
    ),
    "a card that a draw puts back": (
        "asks where a card is",
        lambda g: [
            g.draw(4, g.row),
            t.MoveAll(c(g.hand), c(g.discards), False, 5),
            g.last(A, g.discards),
            g.draw(1, g.trash),
            g.add(g.place(A)),
        ],
    ),
    "a card that is put back in time": (
        "asks where a card is",
        lambda g: [
            t.MoveAll(c(g.hand), c(g.discards), False, 5),
            g.last(A, g.discards),
            t.Prepare(c(g.deck), c(9), 6),
            g.add(g.place(A)),
        ],
    ),
    "a card of a pile that has only what is put back": (
        "asks where a card is",
        lambda g: [
            g.draw(3, g.discards),
            g.draw(2, g.row, None, g.b.zone("pile", refill=g.discards)),
            g.last(A, g.row),
            t.MoveAll(c(g.row), c(g.trash), False, 5),
            g.add(g.place(A)),
        ],
    ),
}


@pytest.mark.parametrize("name", [*OBSERVED, *REFILLED])
def test_identity_is_observed(name: str) -> None:
    why, body = (OBSERVED | REFILLED)[name]
    game = Table(refill=name in REFILLED, eager=name in REFILLED)
    found = kept(game.program(*body(game)))
    assert found.individual and any(why in reason for reason in found.individual.values()), found.individual


@pytest.mark.parametrize("name", HIDDEN)
def test_identity_is_not_observed(name: str) -> None:
    game = Table()
    found = kept(game.program(*HIDDEN[name](game)))
    assert not found.individual
    assert found.copies == (4, 3, 1)


def remembering_first() -> tuple[TableProgram, TableProgram]:
    """Programs that remember a card from the start: in a track, and in a position."""
    program = Table().program()
    (track,) = (track for track in program.tracks if track.of == "card")
    tracks = tuple(evolve(one, start=(3,)) if one is track else one for one in program.tracks)
    return evolve(program, tracks=tracks), evolve(program, position=((track.address, 3),))


def test_a_card_remembered_from_the_start_is_a_number() -> None:
    """Before a game it is the card itself, not a reference to one of a class."""
    for begun in remembering_first():
        assert choose(begun).why_not == "some cards are remembered when the game begins"
        same_many(begun, 5, 7)


def lying_nowhere() -> TableProgram:
    """A program in which a card is in no zone when a game begins."""
    game = Table()
    program = game.program(game.last(A, game.hand), game.move(A, game.trash))
    return evolve(program, start=tuple((zone, cards[:-1]) for zone, cards in program.start))


def test_a_card_that_lies_nowhere_is_not_kept_by_class() -> None:
    assert choose(lying_nowhere()).why_not == "some cards are in no zone when the game begins"
    same_many(lying_nowhere(), 10, 7)


# ------------------------------------------------------------------ orders

ORDERS: dict[str, Body] = {
    "drawn": lambda g: [g.draw(1, g.hand, None, g.row)],
    "its first card": lambda g: [g.add(t.Table(g.values, t.First(t.Cards(c(g.row)))))],
    "its last card": lambda g: [g.add(t.Table(g.values, t.Last(t.Cards(c(g.row)))))],
    "its last two": lambda g: [
        g.add(t.Total(t.Take(t.Cards(c(g.row)), c(2), False), 21, t.Table(g.values, v(21)), 5))
    ],
    "one by one": lambda g: [
        t.ForEach(A, t.Cards(c(g.row)), (t.Assign(g.score, c(0), t.Table(g.values, v(A)), 5),))
    ],
    "as a list of values": lambda g: [
        t.SetCells(c(g.lists), t.Map(t.Take(t.Cards(c(g.row)), c(2), True), 21, t.Table(g.values, v(21))))
    ],
    "moved to an order": lambda g: [
        t.MoveAll(c(g.row), c(g.discards), False, 5),
        g.draw(1, g.trash, None, g.discards),
    ],
}
ORDERS |= {
    "a variable": lambda g: [
        t.SetList(CARDS, t.Cards(c(g.row))),
        g.draw(1, g.hand),
        g.add(t.Table(g.values, t.Last(vs(CARDS)))),
    ],
    "given to an effect": lambda g: [
        t.DoTable(
            g.b.table(g.b.function(1, (20,), g.add(t.Table(g.values, t.Last(vs(0)))))), c(0), (t.Cards(c(g.row)),)
        )
    ],
    "given by a function": lambda g: [
        g.add(t.Table(g.values, t.Last(t.CallList(g.b.function(0, (), t.Give(t.Cards(c(g.row)))), ()))))
    ],
    "a choice": lambda g: [
        g.add(t.Table(g.values, t.Last(t.Choice(op(v(A), "==", c(0)), t.Cards(c(g.hand)), t.Cards(c(g.row))))))
    ],
    "behind others": lambda g: [g.add(t.Table(g.values, t.Last(t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.row))))))],
    "again and again": lambda g: [
        g.add(t.Table(g.values, t.Last(t.FlatMap(t.Cards(c(g.hand)), 21, t.Cards(c(g.row))))))
    ],
    "sent home to an order": lambda g: [
        t.SendHome(t.Cards(c(g.row)), g.b.table(*(g.discards for _ in FACES)), None, 5),
        g.draw(1, g.trash, None, g.discards),
    ],
    "moved one after the other": lambda g: [
        t.Move(t.Cards(c(g.row)), c(g.discards), False, None, 5),
        g.draw(1, g.trash, None, g.discards),
    ],
    "a search that uses fuel": lambda g: [
        g.add(t.Exists(t.Cards(c(g.row)), 21, t.Call(g.charging(), (v(21),)))),
    ],
    "drawn from one zone or another": lambda g: [
        g.draw(1, g.hand, None, t.IfElse(op(t.Count(t.Cards(c(g.hand))), "<", c(0)), c(g.discards), c(g.row))),
    ],
    "drawn from a zone in a variable": lambda g: [
        t.If(op(v(OTHER), "==", c(0)), (t.SetLocal(A, c(g.row)),), (t.SetLocal(A, c(g.discards)),)),
        g.draw(1, g.hand, None, v(A)),
    ],
    "drawn from each": lambda g: [
        t.ForEach(A, t.Items((c(g.row), c(g.discards))), (g.draw(1, g.hand, None, v(A)),)),
    ],
    "drawn from a zone that is worked out": lambda g: [
        g.draw(1, g.hand, None, op(c(g.row + 1), "-", t.Count(t.Items((c(1),))))),
    ],
    "shuffled": lambda g: [t.Shuffle(c(g.row), 5)],
    "added up, which may fail": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.If(op(v(OTHER), "==", c(0)), (g.add(t.Total(t.Cards(c(g.row)), 21, g.failing(v(21)), 7)),), ()),
    ],
    "added up by a function, which may fail": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.If(op(v(OTHER), "==", c(0)), (g.add(g.call_failing()),), ()),
    ],
    "a list of values, which may fail": lambda g: [
        t.Random(OTHER, c(2), 5),
        t.If(
            op(v(OTHER), "==", c(0)),
            (g.add(t.Count(t.Filter(t.Cards(c(g.row)), 21, op(g.failing(v(21)), ">", c(0))))),),
            (),
        ),
    ],
}
UNORDERED: dict[str, Body] = {
    "counted": lambda g: [g.add(t.Count(t.Cards(c(g.row))))],
    "added up": lambda g: [g.add(g.total(g.values, g.row))],
    "searched": lambda g: [g.add(t.Exists(t.Cards(c(g.row)), 21, op(t.Table(g.values, v(21)), ">", c(3))))],
    "moved to a bag": lambda g: [t.MoveAll(c(g.row), c(g.hand), False, 5)],
}


@pytest.mark.parametrize("name", [*ORDERS, *UNORDERED])
def test_order_is_observed_or_not(name: str) -> None:
    game = Table()
    body = (ORDERS | UNORDERED)[name](game)
    found = kept(game.program(game.draw(4, game.row), *body))
    assert found.forms[game.row] is (Form.ORDER if name in ORDERS else Form.COUNTS)
    assert not found.individual


def list_given() -> tuple[Table, TableProgram]:
    """A procedure that gets the cards of the row, and looks at the last one."""
    game = Table()
    effect, (looks, start, after) = game.b.reserve_procedure(), game.b.reserve(3)
    looked = game.add(t.Table(game.values, t.Last(vs(0))))
    game.b.procedure((20,), {looks: tree(looked, t.Return(None))}, looks, 1, effect)
    begin = (t.Shuffle(c(game.deck), 0), game.draw(4, game.row))
    trees = {start: tree(*begin, t.Invoke(effect, (t.Cards(c(game.row)),), after, 5)), after: tree(t.Finish())}
    return game, game.b.build(game.b.procedure(SLOTS, trees, start))


def test_a_procedure_observes_the_order_of_a_list() -> None:
    game, program = list_given()
    assert kept(program).forms[game.row] is Form.ORDER


def asking(zone: str, moves: bool) -> tuple[Table, TableProgram]:
    """A program that asks for one of the cards of a zone, and moves it or adds its value."""
    game = Table()
    start, asks, answered = game.b.reserve(3)
    drawn = game.draw(4, game.row)
    options = t.Cards(c(getattr(game, zone)))
    begin = tree(t.Shuffle(c(game.deck), 0), game.draw(3, game.hand), drawn, t.Goto(asks))
    ask = tree(t.Ask(game.site, numbers(0), B, options, c(1), c(1), answered, 9))
    then = game.move(A, game.trash) if moves else game.add(t.Table(game.values, v(A)))
    after = tree(t.SetLocal(A, t.First(t.Answer(c(0)))), t.CloseDecisions(), then, t.Finish())
    trees = {start: begin, asks: ask, answered: after}
    return game, game.b.build(game.b.procedure(SLOTS, trees, start))


def test_a_choice_observes_an_order() -> None:
    game, program = asking("row", moves=False)
    found = kept(program)
    assert found.forms[game.row] is Form.ORDER and not found.individual
    found = kept(asking("row", moves=True)[1])
    assert (
        all("may take a card that is not on top of its pile or row" in why for why in found.individual.values())
        and found.individual
    )
    assert not kept(asking("hand", moves=True)[1]).individual


def offering(twice: bool) -> TableProgram:
    """A program that offers a card twice, or one that may have left its place."""
    game = Table()
    start, answered = game.b.reserve(2)
    begin = [t.Shuffle(c(game.deck), 0), game.draw(3, game.hand)]
    hand = t.Cards(c(game.hand))
    options: t.List = t.Concat(hand, hand) if twice else t.Items((v(A),))
    if not twice:
        begin += [game.last(A, game.hand), game.last(OTHER, game.hand), game.move(OTHER, game.trash)]
    ask = t.Ask(game.site, numbers(0), B, options, c(1), c(1), answered, 9)
    trees = {start: tree(*begin, ask), answered: tree(t.CloseDecisions(), t.Finish())}
    return game.b.build(game.b.procedure(SLOTS, trees, start))


@pytest.mark.parametrize("twice", [False, True])
def test_options_observe_identity(twice: bool) -> None:
    why = "may offer a card twice" if twice else "offers a card that may have left"
    found = kept(offering(twice)).individual
    assert found and all(why in reason for reason in found.values())


def coded(cards: t.List) -> t.List:
    """The numbers of the options of a menu that offers cards."""
    return t.Map(cards, 22, op(op(v(22), "*", c(2)), "+", c(1)))


IS_CARD = op(op(v(A), "%", c(2)), "==", c(1))
MENUS: dict[str, tuple[str, Callable[[Table], tuple[t.List, list[Stmt]]]]] = {
    "moves it": ("", lambda g: (coded(t.Cards(c(g.hand))), g.if_card(IS_CARD, g.move(B, g.trash)))),
    "unless it is something else": (
        "",
        lambda g: (coded(t.Cards(c(g.hand))), g.if_card(t.Not(op(op(v(A), "%", c(2)), "==", c(0))))),
    ),
    "and has room": (
        "",
        lambda g: (
            coded(t.Cards(c(g.hand))),
            g.if_card(t.And(IS_CARD, op(t.Count(t.Cards(c(g.row))), "==", c(0))), g.move(B, g.trash)),
        ),
    ),
    "offers a card twice": (
        "may offer a card twice",
        lambda g: (coded(t.Concat(t.Cards(c(g.hand)), t.Cards(c(g.hand)))), []),
    ),
    "offers a card in two lists": (
        "may offer a card twice",
        lambda g: (t.Concat(coded(t.Cards(c(g.hand))), coded(t.Cards(c(g.hand)))), []),
    ),
    "offers all cards again and again": (
        "may offer a card twice",
        lambda g: (t.FlatMap(t.Cards(c(g.hand)), 21, coded(t.Cards(c(g.hand)))), []),
    ),
    "offers cards of one zone or another": (
        "asks where a card is",
        lambda g: (
            t.Choice(
                op(t.Count(t.Cards(c(g.row))), "==", c(0)), coded(t.Cards(c(g.hand))), coded(t.Cards(c(g.row)))
            ),
            [t.MoveAll(c(g.hand), c(g.trash), False, 5), *g.if_card(IS_CARD, g.add(g.place(B)))],
        ),
    ),
    "another moves in between": (
        "asks where a card is",
        lambda g: (
            coded(t.Cards(c(g.hand))),
            [g.last(OTHER, g.hand), g.move(OTHER, g.row), *g.if_card(IS_CARD, g.add(g.place(B)))],
        ),
    ),
}


NO_CARD = op(op(v(A), "%", c(2)), "==", c(0))
IN_ROW = op(t.Count(t.Cards(c(4))), ">", c(0))
UNCLEAR: dict[str, Callable[[Table], tuple[t.List, list[Stmt]]]] = {
    "the number of a card as well": lambda g: (
        t.Concat(coded(t.Cards(c(g.hand))), t.Items((c(3),))),
        g.if_card(IS_CARD, g.move(B, g.trash)),
    ),
    "numbers and cards alike": lambda g: (
        t.Concat(
            t.Map(t.Cards(c(g.hand)), 23, op(v(23), "*", c(2))),
            t.Map(t.Items((c(1), c(2))), 22, op(v(22), "*", c(2))),
        ),
        g.if_card(NO_CARD, g.move(B, g.trash)),
    ),
    "unless it is a card and something else": lambda g: (
        coded(t.Cards(c(g.hand))),
        [t.If(t.And(IS_CARD, IN_ROW), (), (*g.if_card(c(1), g.move(B, g.trash)),))],
    ),
    "if it is no card or something else": lambda g: (
        coded(t.Cards(c(g.hand))),
        g.if_card(t.Or(NO_CARD, IN_ROW), g.move(B, g.trash)),
    ),
    "unless it is not no card": lambda g: (
        coded(t.Cards(c(g.hand))),
        [t.If(t.Not(NO_CARD), (), (*g.if_card(c(1), g.move(B, g.trash)),))],
    ),
}


def menu(name: str) -> TableProgram:
    """A program that offers nothing or a card, as numbers."""
    game = Table()
    ways = (OptionBranch("stay", (), (), ()), OptionBranch("use", ("card",), ("x",), (len(FACES),)))
    site = game.b.site("menu", branches=ways)
    cards, then = UNCLEAR[name](game) if name in UNCLEAR else MENUS[name][1](game)
    start, answered = game.b.reserve(2)
    stay = 1 if name == "numbers and cards alike" else 0
    options = t.Concat(t.Items((c(stay),)), cards)
    ask = t.Ask(site, numbers(0), B, options, c(1), c(1), answered, 9)
    body = (t.SetLocal(A, t.First(t.Answer(c(0)))), t.CloseDecisions(), *then, t.Finish())
    trees = {start: tree(t.Shuffle(c(game.deck), 0), game.draw(3, game.hand), ask), answered: tree(*body)}
    return game.b.build(game.b.procedure(SLOTS, trees, start))


@pytest.mark.parametrize("name", MENUS)
def test_a_menu_observes_identity_or_not(name: str) -> None:
    why, found = MENUS[name][0], kept(menu(name)).individual
    assert bool(found) is bool(why) and all(why in reason for reason in found.values())


@pytest.mark.parametrize("name", UNCLEAR)
def test_a_number_that_may_be_a_card_or_not(name: str) -> None:
    program = menu(name)
    assert choose(program).kept is None
    same_many(program, 40, 7)


MEMBERS = {"ascending": (0, 1, 2), "in another order": (2, 1), "one of them twice": (1, 2, 1)}


def score(game: Table) -> t.Expr:
    return t.Cell(c(game.b.address(game.score)))


def worth(game: Table) -> t.Expr:
    return t.Table(game.b.table(0, 1, 1), v(21))


def empty(game: Table, *zones: int) -> t.Expr:
    return op(t.Count(t.Cards(t.Table(game.b.table(*zones), v(21)))), "==", c(0))


TESTS: dict[str, tuple[int, Callable[[Table], t.Expr]]] = {
    "worth more than none": (0, lambda g: op(worth(g), ">", c(0))),
    "worth more than a number below all": (-3, lambda g: op(worth(g), ">", score(g))),
    "worth less than a number above all": (5, lambda g: op(worth(g), "<", score(g))),
    "a number less than what it is worth": (0, lambda g: op(score(g), "<", worth(g))),
    "whose zone is empty": (0, lambda g: empty(g, *(g.b.zone("pile") for _ in range(3)))),
    "whose zone is empty, in another order": (0, lambda g: empty(g, g.b.zone("pile"), g.deck, g.b.zone("pile"))),
    "whose zone of counts is empty": (0, lambda g: empty(g, g.deck, g.hand, g.discards)),
}


def members(name: str, test: str = "worth more than none") -> TableProgram:
    """A program that asks for a member of a list, and makes other lists of its members."""
    game = Table()
    known, site = game.b.state_list(4), game.b.site()
    number, passes = TESTS[test]
    some = t.Filter(t.CellList(c(known)), 21, passes(game))
    start, answered = game.b.reserve(2)
    listed = t.SetCells(c(known), t.Items(tuple(map(c, MEMBERS[name]))))
    drawn = (t.Shuffle(c(game.deck), 0), game.draw(3, game.hand), game.add(c(number)))
    begin = (*drawn, listed, t.SetCells(c(game.lists), t.Take(t.Concat(some, t.Items(())), c(2), True)))
    ask = t.Ask(site, numbers(0), B, some, c(1), c(1), answered, 9)
    body = (t.SetLocal(A, t.First(t.Answer(c(0)))), t.CloseDecisions(), game.add(v(A)), t.Finish())
    return game.b.build(game.b.procedure(SLOTS, {start: tree(*begin, ask), answered: tree(*body)}, start))


def equal_options(cards: int, faces: tuple[int, ...]) -> TableProgram:
    """A program that has used fuel, and asks for a card of a hand in which several may be equal."""
    game = Table(faces)
    start, answered = game.b.reserve(2)
    fuel = game.add(t.Exists(t.Cards(c(game.deck)), 21, t.Call(game.charging(), (v(21),))))
    begin = (t.Shuffle(c(game.deck), 0), game.draw(cards, game.hand), fuel)
    ask = t.Ask(game.site, numbers(0), B, t.Cards(c(game.hand)), c(1), c(1), answered, 9)
    then = (t.SetLocal(A, t.First(t.Answer(c(0)))), t.CloseDecisions(), game.move(A, game.trash), t.Finish())
    return game.b.build(game.b.procedure(SLOTS, {start: tree(*begin, ask), answered: tree(*then)}, start))


def options() -> Iterator[tuple[str, TableProgram]]:
    """Iterate over programs that ask for one of several things, each with a name."""
    yield from ((f"members, {name}", members(name)) for name in MEMBERS)
    yield from ((f"members {test}", members("ascending", test)) for test in TESTS)
    for cards, faces in product((1, 2, 4), (FACES, (0, 1, 0, 0, 1, 2, 0, 0), (0, 0, 0, 0))):
        yield f"{cards} options of {faces}", equal_options(cards, faces)


@pytest.mark.parametrize(("name", "program"), [*options()], ids=[name for name, _ in options()])
def test_one_of_several(name: str, program: TableProgram) -> None:
    assert not kept(program).individual, name


# ------------------------------------------------------------------ faces, effects


def with_one_face_counted() -> TableProgram:
    game = Table()
    cards = game.dear(game.hand)
    body = (t.SetLocal(A, t.First(cards)), t.Change(game.by_card, v(A), c(1), 5))
    return game.program(t.If(op(t.Count(game.dear(game.hand)), ">", c(0)), body, ()))


def test_only_the_faces_concerned_are_told_apart() -> None:
    assert {*kept(with_one_face_counted()).individual} == {0}


def with_gaps() -> TableProgram:
    game = Table((0, 1, 0, 0, 1, 2, 0, 0))
    return game.program(game.last(A, game.hand), game.move(A, game.deck), game.draw(3, game.row))


def test_equal_cards_with_gaps_in_their_numbers() -> None:
    """They form several classes, but are not told apart."""
    found = kept(with_gaps())
    assert not found.individual and found.copies == (1, 1, 2, 1, 1, 2)


def played_card(times: int) -> TableProgram:
    """A played card whose effect moves that card; the effect is run once or several times."""
    game = Table()
    effect, (moves, *played) = game.b.reserve_procedure(), game.b.reserve(times + 2)
    moved = (game.move(0, game.trash), game.draw(1, game.hand))
    game.b.procedure((0,), {moves: tree(*moved, t.Return(None))}, moves, 1, effect)
    begin = (t.Shuffle(c(game.deck), 0), game.draw(3, game.hand), t.SetLocal(A, t.Last(t.Cards(c(game.hand)))))
    trees = {played[0]: tree(*begin, t.Invoke(effect, (v(A),), played[1], 5)), played[-1]: tree(t.Finish())}
    if times == 2:
        trees[played[1]] = tree(t.Invoke(effect, (v(A),), played[2], 6))
    return game.b.build(game.b.procedure(SLOTS, trees, played[0]))


@pytest.mark.parametrize("times", [1, 2])
def test_an_effect_that_moves_the_card_played(times: int) -> None:
    """Once, any of the equal cards will do; a second time it is moved from where it is by then."""
    assert bool(kept(played_card(times)).individual) is (times == 2)


# ------------------------------------------------------------------ refills


def moved_into_a_refill() -> TableProgram:
    game = Table((0, 0, 0, 0, 1, 1, 1), refill=True, eager=True)
    body = (
        t.MoveAll(c(game.hand), c(game.discards), False, 5),
        game.draw(3, game.hand),
        game.last(A, game.deck),
        game.move(A, game.discards),
        game.move(A, game.trash),
    )
    return game.program(*body)


def test_a_card_moved_to_the_source_of_a_refill_goes_with_it() -> None:
    assert kept(moved_into_a_refill()).individual


def refilled_under() -> TableProgram:
    game = Table((0, 0, 0, 0, 1, 1, 1, 2), refill=True)
    body = (
        game.draw(3, game.discards),
        t.Prepare(c(game.deck), c(4), 5),
        game.draw(2, game.trash),
        game.draw(1, game.row),
    )
    return game.program(*body)


def test_a_refill_goes_under_the_cards_that_lie_there() -> None:
    """A discard pile that only refills has no observed order."""
    assert not kept(refilled_under()).individual


def drawn_to_the_source() -> tuple[Table, TableProgram]:
    game = Table(refill=True)
    return game, game.program(game.draw(7, game.discards), game.draw(3, game.hand), game.draw(9, game.discards))


def test_a_draw_to_the_source_of_its_refill() -> None:
    game, program = drawn_to_the_source()
    found = kept(program)
    assert not found.individual and found.forms[game.discards] is Form.COUNTS


def zone_of_a_known_seat() -> tuple[int, TableProgram]:
    game = Table()
    ordered = game.b.zone("pile", family="ordered")
    hidden = game.b.zone("row", family="hidden")
    game.b.zone("row", family="hidden")
    body = (
        t.SetLocal(OTHER, c(0)),
        game.draw(3, hidden),
        t.SetLocal(
            A,
            t.Last(t.Filter(t.Cards(op(v(OTHER), "+", c(hidden))), 21, op(t.Count(t.Cards(v(OTHER))), ">", c(0)))),
        ),
        t.If(op(v(A), "!=", c(-1)), (game.add(t.Table(game.values, v(A))),), ()),
        game.draw(1, ordered),
    )
    return hidden, game.program(*body)


def test_a_zone_of_a_seat_that_is_known() -> None:
    """The number of a seat can be that of the first zone of another family."""
    hidden, program = zone_of_a_known_seat()
    assert kept(program).forms[hidden] is Form.ORDER


def by_hand() -> Iterator[tuple[str, TableProgram]]:
    """Iterate over the programs of this module, each with a name."""
    bodies = {name: body for name, (_, body) in OBSERVED.items()} | HIDDEN
    for name, body in bodies.items():
        game = Table()
        yield name, game.program(*body(game))
    for name, body in (ORDERS | UNORDERED).items():
        game = Table()
        yield name, game.program(game.draw(4, game.row), *body(game))
    for name, (_, body) in REFILLED.items():
        game = Table(refill=True, eager=True)
        yield name, game.program(*body(game))
    for zone, moves in product(("row", "hand"), (False, True)):
        yield f"asking for a card of the {zone}", asking(zone, moves)[1]
    yield from ((f"a menu, {name}", menu(name)) for name in (*MENUS, *UNCLEAR))
    yield from ((f"offering, {twice}", offering(twice)) for twice in (False, True))
    yield from (("remembered first", program) for program in remembering_first())
    yield "one face counted", with_one_face_counted()
    yield "a card that lies nowhere", lying_nowhere()
    yield from options()
    yield "a list given", list_given()[1]
    yield "gaps", with_gaps()
    yield from ((f"a card played, {times}", played_card(times)) for times in (1, 2))
    yield "moved into a refill", moved_into_a_refill()
    yield "refilled under", refilled_under()
    yield "drawn to the source", drawn_to_the_source()[1]
    yield "a zone of a known seat", zone_of_a_known_seat()[1]


# ------------------------------------------------------------------ random programs


def play(seeds: range) -> int:
    """Play random programs. Returns how many of them keep equal cards as one class."""
    equal = 0
    for seed in seeds:
        program = card_program(seed)
        found = choose(program).kept
        equal += found is not None and max(found.copies) > 1
        same_many(program, 20, seed)
    return equal


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_random_programs_about_cards(first: int) -> None:
    assert play(range(first, first + 10))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(20, 20 + int(os.environ.get("CARD_PROGRAMS", "50")), 50))
def test_more_random_programs_about_cards(first: int) -> None:
    assert play(range(first, first + 50)) >= 20
