"""Random table programs with unusual combinations of all nodes.

Integers are kept small, lists short, control goes forward save for one counted loop, so that games end. Some
expressions fail on purpose.
"""

# ruff: noqa: E731 - short names for what is drawn again and again

from __future__ import annotations

from collections.abc import Callable
from random import Random as Generator
from typing import Any, TypeAlias, TypeVar

from attrs import define, field

from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import EVENTS, Expr, List, OptionBranch, Restart, Stmt, TableProgram, Tree
from tests.interpreter.programs_builder import OPTIONS, Builder, c, numbers, op, v, vs
from tests.interpreter.programs_series import in_series

CARDS, SEATS, LISTS = 14, 3, 9
_SERIES = ("restarted", "series-ended")
KINDS = [kind for kind in EVENTS if kind not in _SERIES], [kind for kind in EVENTS if kind != "restarted"]
"""Kinds of events in programs of small and of large seeds; of a game that begins again only its code tells."""
T = TypeVar("T")
Inside: TypeAlias = Callable[[Callable[[], Any]], Any]


@define
class Code:
    """A function or procedure in the making: its slots' capacities, and the slots that may be read now."""

    slots: list[int] = field(factory=list)
    numbers: list[int] = field(factory=list)
    lists: list[int] = field(factory=list)
    effects: bool = False
    safe: bool = False
    """Whether nothing may fail."""

    def slot(self, capacity: int = 0) -> int:
        self.slots.append(capacity)
        return len(self.slots) - 1


NEWER = 1000
"""Programs of seeds from here on can contain all nodes.

Those below stay as they are, so that tests can choose some of them by what happens in them.
"""


def random_program(seed: int) -> TableProgram:
    """A program that depends on the seed alone."""
    return AsyncBuilder(Generator(seed), newer=seed >= NEWER).program()


class AsyncBuilder:
    """Makes one program. `programs_rich` adds to what it can do."""

    asking = 0.35
    """How likely it is that a segment asks."""

    def __init__(self, chance: Generator, cards: int = CARDS, options: int = OPTIONS, newer: bool = False) -> None:
        self.chance, self.newer = chance, newer
        self.at = 0
        self.card_count = cards
        self.b = b = Builder(SEATS, [chance.randrange(5) for _ in range(cards)], options)
        self.order = order = list(range(cards))
        chance.shuffle(order)
        self.zones = [
            b.zone("pile", order[:5], sees=0, top=0b010, refill=1),
            b.zone("pile"),
            b.zone("pile", order[5:7], sees=0, refill=3, eager=True),
            b.zone("bag", order[7:9], sees=0b001),
            b.zone("bag", order[9:11], sees=0b100, capacity=cards - chance.randrange(4)),
            b.zone("row", order[11:13]),
        ]
        self.tracks = [
            b.track((3, 0, -2), low=-5, high=12, clamps=True),
            b.track((0, 0, 1), low=-40, high=60, clamps=True, arrival=True, changes=(0b001, 0b010, 0b111)),
            b.track((1,), low=-300, high=300),
        ]
        self.games = b.track() if newer else -1
        """How many games of a series are over; statements leave it alone."""
        self.list_addresses = [b.state_list(6) for _ in range(2)]
        self.tables = [b.table(*(chance.randrange(-3, 9) for _ in range(5))) for _ in range(2)]
        self.homes = b.table(*(chance.randrange(-1, len(self.zones)) for _ in range(cards)))
        self.rows = b.table_list((), (1, 2), (2, 5, 7, 2), (0,))
        self.sites = [
            b.site("card"),
            b.site("number", sealed=True),
            b.site("seat"),
            b.site(
                "menu",
                branches=(
                    OptionBranch("pass", (), (), ()),
                    OptionBranch("use", ("card", "seat"), ("x", "y"), (cards, SEATS)),
                ),
            ),
        ]
        self.pure: list[tuple[int, bool]] = []  # number, gives a list
        self.doing: list[int] = []
        self.callees: list[int] = []

    def place(self) -> int:
        """The number of a source, a new one each time."""
        self.at = (self.at + 1) % 1000
        return self.at

    def pick(self, *makers: Callable[[], T]) -> T:
        return self.chance.choice(makers)()

    # -------------------------------------------------------------- integers

    def number(self, code: Code, depth: int) -> Expr:
        """An integer of at most a few thousand."""
        if depth <= 0:
            constants = c(self.chance.randrange(-4, 12)), c(0), c(1)
            return self.chance.choice((*constants, *(v(slot) for slot in code.numbers * 3)))
        n: Callable[[], Expr] = lambda: self.number(code, depth - 1)
        some: Callable[[], List] = lambda: self.items(code, depth - 1)
        makers: list[Callable[[], Expr]] = [
            lambda: table.Cell(op(c(self.b.address(self.chance.randrange(2))), "+", self.index(code, depth, 3))),
            lambda: table.Cell(c(self.b.address(2))),
            lambda: table.Table(self.chance.choice(self.tables), self.index(code, depth, 5)),
            lambda: op(n(), self.chance.choice(("+", "-")), n()),
            lambda: op(op(n(), "*", n()), "%", c(self.chance.choice((7, 30, -11)))),
            lambda: op(n(), "//", c(self.chance.choice((2, 3, -4)))),
            lambda: self.truth(code, depth),
            lambda: table.IfElse(self.truth(code, depth - 1), n(), n()),
            lambda: table.Least(n(), n()),
            lambda: table.Most(n(), n()),
            lambda: table.Count(some()),
            lambda: table.First(some()),
            lambda: table.Last(some()),
            lambda: self.over(code, lambda *of: table.Highest(*of, 3, self.chance.random() < 0.5), some, n),
        ]
        if not code.safe:
            makers += [
                lambda: table.Checked("+", n(), n(), self.place()),
                lambda: table.Checked("-", n(), n(), self.place()),
                lambda: table.Binary("%", table.Checked("*", n(), n(), self.place()), c(50)),
                lambda: table.Checked(
                    self.chance.choice(("//", "%")),
                    n(),
                    op(op(n(), "*", 7), "+", self.chance.choice((1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 0))),
                    self.place(),
                ),
                lambda: table.Present(op(n(), "*", c(2)), self.place()),
                lambda: self.over(code, lambda *of: op(table.Total(*of, self.place()), "%", 60), some, n),
            ]
            if self.newer:
                makers.append(lambda: self.within(op(n(), "%", c(50)), 0, 49))
            if self.chance.random() < 0.002:
                operator: table.Operator = self.chance.choice(("*", "+", "-"))
                large = [op(op(n(), "%", 30), "*", 1 << 26) for _ in range(2)]  # less than 2**31
                return op(table.Checked(operator, large[0], large[1], self.place()), "%", 9)
            makers += [
                lambda f=f: table.Call(f, self.arguments(code, depth))
                for f, gives_list in self.pure
                if not gives_list
            ]
        return self.chance.choice(makers)()

    def within(self, value: Expr, least: int, most: int) -> Expr:
        """The value, which is from least to most; with bounds that leave out one of the two, now and then."""
        above, below = self.chance.choice((*[(0, 0)] * 10, (1, 0), (0, 1)))
        return table.Within(value, least + above, most - below, self.place())

    def truth(self, code: Code, depth: int) -> Expr:
        """0 or 1."""
        n: Callable[[], Expr] = lambda: self.number(code, depth - 1)
        t: Callable[[], Expr] = lambda: self.truth(code, depth - 1)
        some: Callable[[], List] = lambda: self.items(code, depth - 1)
        comparison: table.Operator = self.chance.choice(("<", "<=", ">", ">=", "==", "!="))
        if depth <= 0:
            return op(n(), comparison, n())
        return self.pick(
            lambda: op(n(), comparison, n()),
            lambda: op(n(), comparison, n()) if code.safe else table.Checked(comparison, n(), n(), self.place()),
            lambda: table.Not(t()),
            lambda: table.And(t(), t()),
            lambda: table.Or(t(), t()),
            lambda: self.over(code, table.Exists, some, t),
            lambda: table.Contains(some(), n()),
            lambda: table.Same(some(), some()),
        )

    def index(self, code: Code, depth: int, size: int) -> Expr:
        """An integer from 0 to size - 1."""
        if self.chance.random() < 0.4:
            return c(self.chance.randrange(size))
        return op(self.number(code, depth - 2), "%", c(size))

    def bound(self, code: Code, make: Callable[[int, Inside], T]) -> T:
        """Makes a node that binds a slot; `inside` makes the part of it that may read the slot."""
        slot = code.slot()

        def inside(part: Callable[[], Any]) -> Any:
            before = code.numbers
            code.numbers = [*before, slot, slot]
            made = part()
            code.numbers = before
            return made

        return make(slot, inside)

    def over(self, code: Code, node: Callable[..., T], some: Callable[[], List], part: Callable[[], Any]) -> T:
        """Makes a node that goes through a list: of the list, a slot, and what is worked out for each member."""
        return self.bound(code, lambda slot, inside: node(some(), slot, inside(part)))

    def arguments(self, code: Code, depth: int) -> tuple[Expr | List, ...]:
        """For all functions: an integer and a list."""
        return (self.number(code, depth - 1), self.short(code, depth - 1))

    # -------------------------------------------------------------- lists

    def items(self, code: Code, depth: int) -> List:
        """A list of small integers, not too long."""
        if depth <= 0:
            leaf: list[List] = [
                numbers(*(self.number(code, 0) for _ in range(self.chance.randrange(4)))),
                *(vs(slot) for slot in code.lists * 2),
                table.Cards(c(self.chance.choice(self.zones))),
                table.CellList(c(self.chance.choice(self.list_addresses))),
            ]
            return self.chance.choice(leaf)
        some: Callable[[], List] = lambda: self.items(code, depth - 1)
        n: Callable[[], Expr] = lambda: self.number(code, depth - 1)
        t: Callable[[], Expr] = lambda: self.truth(code, depth - 1)
        flag = self.chance.random() < 0.5
        first = self.list_addresses[0]
        makers: list[Callable[[], List]] = [
            lambda: numbers(n(), n()),
            lambda: table.CellList(op(c(first), "+", op(self.index(code, depth, 2), "*", c(7)))),
            lambda: table.Cards(self.index(code, depth, len(self.zones))),
            lambda: table.TableList(self.rows, self.index(code, depth, 4)),
            lambda: self.over(code, table.Filter, some, t),
            lambda: self.over(code, table.Map, some, n),
            lambda: self.over(
                code, table.FlatMap, lambda: table.Take(some(), c(3), flag), lambda: table.Take(some(), c(4), True)
            ),
            lambda: table.Concat(table.Take(some(), c(6), True), table.Take(some(), c(6), False)),
            lambda: table.Take(some(), n(), flag),
            lambda: table.Take(some(), c(self.chance.randrange(-1, 4)), flag),
            lambda: self.over(code, lambda *of: table.Extremes(*of, flag), some, n),
            lambda: self.over(code, lambda *of: table.Ranked(*of, flag), some, n),
            lambda: self.over(code, table.Distinct, some, n),
            lambda: table.Rotated(some(), n()),
            lambda: table.Choice(self.truth(code, depth - 1), some(), some()),
            lambda: table.Answer(self.index(code, depth, SEATS)),
        ]
        if not code.safe:
            makers += [
                lambda f=f: table.CallList(f, self.arguments(code, depth))
                for f, gives_list in self.pure
                if gives_list
            ]
        return self.chance.choice(makers)()

    def short(self, code: Code, depth: int, length: int = LISTS) -> List:
        """A list that fits a slot."""
        return table.Take(self.items(code, depth), c(length), self.chance.random() < 0.5)

    def cards(self, code: Code, depth: int) -> List:
        """Cards, sometimes one of them twice, sometimes none among them."""
        zone = table.Cards(self.index(code, depth, len(self.zones)))
        return self.pick(
            lambda: zone,
            lambda: table.Take(zone, self.number(code, 0), False),
            lambda: self.over(code, table.Filter, lambda: zone, lambda: self.truth(code, 1)),
            lambda: self.over(
                code,
                table.Map,
                lambda: self.short(code, depth - 1, 4),
                lambda: op(op(self.number(code, 1), "%", self.card_count + 1), "-", 1),
            ),
            lambda: numbers(op(self.number(code, 1), "%", c(self.card_count))),
        )

    # -------------------------------------------------------------- statements

    def statements(self, code: Code, depth: int, count: int) -> tuple[Stmt, ...]:
        return tuple(part for _ in range(count) for part in self.statement(code, depth))

    def nested(self, code: Code, depth: int, count: int) -> tuple[Stmt, ...]:
        """Statements of a block: what they assign anew is not read outside."""
        before = list(code.numbers), list(code.lists)
        body = self.statements(code, depth, count)
        code.numbers, code.lists = before
        return body

    def target(self, code: Code, lists: bool) -> int:
        """A slot to assign: one in use, or a new one."""
        known = code.lists if lists else code.numbers
        if known and self.chance.random() < 0.6:
            return self.chance.choice(known)
        return code.slot(LISTS if lists else 0)

    def set_number(self, code: Code, depth: int) -> list[Stmt]:
        value = self.number(code, depth)
        slot = self.target(code, False)
        if slot not in code.numbers:
            code.numbers.append(slot)
        limited = value if self.chance.random() < 0.5 and depth < 2 else op(value, "%", c(40))
        if isinstance(value, (table.Checked, table.Present)):
            return [table.SetLocal(slot, value), table.SetLocal(slot, op(v(slot), "%", c(40)))]
        return [table.SetLocal(slot, limited)]

    def set_list(self, code: Code, depth: int) -> list[Stmt]:
        value = self.short(code, depth)
        slot = self.target(code, True)
        if slot not in code.lists:
            code.lists.append(slot)
        return [table.SetList(slot, value)]

    def each(self, code: Code, depth: int) -> list[Stmt]:
        items = self.short(code, depth, 5)
        slot = code.slot()
        before = list(code.numbers)
        code.numbers = [*before, slot]
        body = self.nested(code, depth - 1, 2)
        code.numbers = before
        return [table.ForEach(slot, items, body)]

    def loop(self, code: Code, depth: int) -> list[Stmt]:
        slot = code.slot()
        step = table.SetLocal(slot, op(v(slot), "+", c(1)))
        test = table.And(op(v(slot), "<", c(3)), self.truth(code, 1))
        body = (step, *self.nested(code, depth - 1, 2))
        return [table.SetLocal(slot, c(0)), table.While(test, body, self.place())]

    def statement(self, code: Code, depth: int) -> list[Stmt]:
        makers: list[Callable[[], list[Stmt]]] = [lambda: self.set_number(code, 3), lambda: self.set_list(code, 3)]
        if depth > 0:
            some: Callable[[int], tuple[Stmt, ...]] = lambda count: self.nested(code, depth - 1, count)
            makers += [
                lambda: [table.If(self.truth(code, 2), some(2), some(self.chance.randrange(3)))],
                lambda: self.each(code, depth),
                lambda: self.loop(code, depth),
                lambda: [table.Charge(self.place())],
            ]
        if code.effects:
            makers += [lambda: self.effect(code)] * 6
        return self.chance.choice(makers)()

    def effect(self, code: Code) -> list[Stmt]:
        n: Callable[[], Expr] = lambda: self.number(code, 2)
        zone: Callable[[], Expr] = lambda: self.index(code, 2, len(self.zones))
        flag = self.chance.random() < 0.5
        track = self.chance.randrange(3)
        index = self.index(code, 2, 3) if track < 2 else c(0)

        def entry() -> Expr:
            return op(c(self.list_addresses[0]), "+", op(self.index(code, 2, 2), "*", c(7)))

        def draw() -> list[Stmt]:
            slot = code.slot(self.card_count) if self.chance.random() < 0.7 else None
            source, count, to, at = zone(), op(n(), "%", c(8)), zone(), self.place()
            end = table.DrawBottom if at % 3 == 0 else table.Draw
            statement = end(source, count, to, flag, slot, at)
            if slot is not None:
                code.lists.append(slot)
            return [statement]

        def chance() -> list[Stmt]:
            slot = code.slot()
            bound = op(op(n(), "%", c(30)), "+", c(0 if self.chance.random() < 0.1 else 1))
            code.numbers.append(slot)
            return [table.Random(slot, bound, self.place())]

        def emit() -> list[Stmt]:
            code.safe = True
            kind = self.chance.choice(KINDS[self.newer])
            cards = self.cards(code, 1) if flag else None
            values = tuple(n() for _ in range(self.chance.randrange(3)))
            statement = table.Emit(kind, values, cards, n(), n(), self.place(), cards)
            shown = table.Reveal(self.cards(code, 1), n(), self.place(), self.newer and self.chance.random() < 0.3)
            code.safe = False
            return [statement, shown]

        def in_chosen_order() -> list[Stmt]:
            cards, to, place = self.cards(code, 2), zone(), zone() if flag else None
            code.safe = True
            chooser = op(op(n(), "%", c(SEATS + 2)), "-", c(1))
            code.safe = False
            return [table.Move(cards, to, self.chance.random() < 0.5, place, self.place(), chooser)]

        first, second = self.b.address(0), self.b.address(2)
        return self.pick(
            lambda: [table.SetCell(op(c(first), "+", self.index(code, 2, 3)), op(n(), "%", c(5)))],
            lambda: [
                table.SetCell(c(second), table.Checked("+", op(n(), "%", c(20)), n(), self.place())),
                table.Assign(2, c(0), c(4), self.place()),
            ],
            lambda: [table.SetCells(entry(), self.short(code, 2, 6))],
            lambda: [table.Move(self.cards(code, 2), zone(), flag, None, self.place())],
            lambda: [table.Move(self.cards(code, 2), zone(), flag, zone(), self.place())],
            *([in_chosen_order] if self.newer else []),
            lambda: [table.MoveAll(zone(), zone(), flag, self.place())],
            lambda: [table.SendHome(self.cards(code, 2), self.homes, zone() if flag else None, self.place())],
            draw,
            draw,
            lambda: [table.Shuffle(zone(), self.place())],
            lambda: [table.Prepare(zone(), op(n(), "%", c(9)), self.place())],
            lambda: [table.Change(track, index, c(self.chance.randrange(-4, 5)), self.place())],
            lambda: [table.Change(track, index, n(), self.place())],
            lambda: [table.Assign(track, index, n(), self.place())],
            lambda: [table.Append(entry(), op(n(), "%", c(11)), 6, self.place())],
            lambda: [table.Remove(entry(), n())],
            chance,
            emit,
            lambda: [table.CloseDecisions()],
            lambda: [table.Do(f, self.arguments(code, 2)) for f in self.doing[-1:]],
            lambda: [
                table.DoTable(self.doing_table, self.index(code, 2, 3), self.arguments(code, 2))
                for _ in self.doing[:1]
            ],
            lambda: [table.If(op(n(), "==", c(77)), (table.Fail("bounds", self.place()),), ())],
        )

    # -------------------------------------------------------------- functions and procedures

    def function(self, gives_list: bool, effects: bool) -> int:
        code = Code([0, LISTS], [0], [1], effects=effects)
        early: tuple[Stmt, ...] = ()
        if self.chance.random() < 0.3:
            early = (table.If(self.truth(code, 1), (self.give(code, gives_list),), ()),)
        body = self.statements(code, 2, self.chance.randrange(1, 4))
        return self.b.function(2, code.slots, *early, *body, self.give(code, gives_list))

    def give(self, code: Code, gives_list: bool) -> table.Give:
        if gives_list:
            return table.Give(table.Take(self.items(code, 2), c(8), True))
        return table.Give(op(self.number(code, 2), "%", c(100)))

    def procedure(self, number: int, parameters: bool, loops: int) -> int:
        """A procedure of several segments; with `loops`, its last one goes back so often, then the game ends."""
        code = Code([0, LISTS] if parameters else [], effects=True)
        code.numbers, code.lists = ([0], [1]) if parameters else ([], [])
        counter = code.slot()
        kept, kept_lists = [code.slot() for _ in range(3)], [code.slot(LISTS) for _ in range(2)]
        segments = self.b.reserve(self.chance.randrange(6, 11))
        trees: dict[int, Tree] = {}
        setup: list[Stmt] = [table.SetLocal(counter, c(0))]
        for slot in kept:
            setup += [table.SetLocal(slot, op(self.number(code, 1), "%", c(40)))]
        for slot in kept_lists:
            setup += [table.SetList(slot, self.short(code, 1))]
        trees[segments[0]] = Tree(tuple(setup), table.Goto(segments[1]))
        shared = ([*code.numbers, *kept, counter], [*code.lists, *kept_lists])
        for place in range(1, len(segments) - 1):
            code.numbers, code.lists = list(shared[0]), list(shared[1])
            later = segments[place + 1 :]
            if self.chance.random() < self.asking:
                trees[segments[place]] = Tree((), self.ask(code, later[0]))
            else:
                trees[segments[place]] = self.tree(code, list(later), parameters, 2)
        code.numbers, code.lists = list(shared[0]), list(shared[1])
        body = self.statements(code, 1, 2)
        if loops:
            step = (table.SetLocal(counter, op(v(counter), "+", c(1))), table.Charge(self.place()))
            again = Tree((), table.Goto(segments[1]))
            over = self.pick(
                lambda: Tree((), table.Finish()),
                lambda: Tree((), table.Return(v(counter))),
                *([self.next_game] if self.newer else []),
            )
            end: table.End = table.Branch(op(v(counter), "<", c(loops)), again, over)
            trees[segments[-1]] = Tree((*body, *step), end)
        else:
            trees[segments[-1]] = Tree(body, table.Return(op(self.number(code, 2), "%", c(100))))
        return self.b.procedure(code.slots, trees, segments[0], 2 if parameters else 0, number)

    def next_game(self) -> Tree:
        """The next game of a series of two or three."""
        count = table.Cell(c(self.b.address(self.games)))
        everyone = c(self.b.everyone)
        told = table.Emit("restarted", (), None, everyone, everyone, self.place())
        again = Tree((told,), Restart(self.place()))
        end = table.Branch(op(count, "<", c(self.chance.choice((2, 3)))), again, Tree((), table.Finish()))
        return Tree((table.Change(self.games, c(0), c(1), self.place()),), end)

    def tree(self, code: Code, later: list[int], returns: bool, depth: int) -> Tree:
        before = list(code.numbers), list(code.lists)
        body = self.statements(code, 2, self.chance.randrange(1, 4))
        target = self.chance.choice(later[:2])
        ends: list[Callable[[], table.End]] = [lambda: table.Goto(target)]
        if depth:
            way: Callable[[], Tree] = lambda: self.tree(code, later, returns, depth - 1)
            ends += [lambda: table.Branch(self.truth(code, 2), way(), way())] * 2
        if self.callees:
            called = self.chance.choice(self.callees)
            ends += [
                lambda: table.Invoke(called, self.arguments(code, 2), target, self.place()),
                lambda: table.InvokeTable(
                    self.called_table, self.index(code, 2, 3), self.arguments(code, 2), target, self.place()
                ),
            ]
        if returns and self.chance.random() < 0.2:
            ends = [lambda: table.Return(None)]
        made = Tree(body, self.chance.choice(ends)())
        code.numbers, code.lists = before
        return made

    def ask(self, code: Code, resume: int) -> table.Ask:
        slot, site = code.slot(), self.chance.randrange(4)
        seats: List = numbers(*self.chance.sample(range(SEATS), self.chance.randrange(4)))
        if self.chance.random() < 0.5:
            seats = numbers(self.index(code, 2, SEATS))
        code.numbers = [*code.numbers, slot]
        options: List
        if site == 0:
            options = table.Cards(self.index(code, 2, len(self.zones)))
        elif site == 3:
            x = code.slot()
            card_and_seat = op(v(x), "+", op(v(slot), "*", self.card_count))
            used = table.Map(table.Cards(c(4)), x, op(1, "+", op(card_and_seat, "*", 2)))
            options = table.Concat(numbers(0), used)
        else:
            options = self.bound(code, lambda x, _inside: table.Distinct(self.short(code, 2, 8), x, v(x)))
        least, most = self.number(code, 1), self.number(code, 1)
        if site == 3:
            least, most = c(1), c(1)
        return table.Ask(site, seats, slot, options, least, most, resume, self.place())

    def program(self) -> TableProgram:
        for _ in range(4):
            gives_list = self.chance.random() < 0.5
            self.pure.append((self.function(gives_list, False), gives_list))
        for _ in range(2):
            made = self.function(False, True)
            self.doing.append(made)
            self.doing_table = self.b.table(made, -1, self.doing[0])
        for _ in range(2):
            self.callees.append(self.procedure(self.b.reserve_procedure(), True, 0))
            self.called_table = self.b.table(self.callees[0], -1, self.callees[-1])
        entry = self.procedure(self.b.reserve_procedure(), False, 4)
        return self.series(entry, 4000)

    def series(self, entry: int, stack: int) -> TableProgram:
        """The program; a series if it begins a next game. Later games begin with this procedure or another."""
        if not any(isinstance(part, Restart) for one in self.b.segments if one for part in everything(one[1])):
            return self.b.build(entry, stack)
        later = self.procedure(self.b.reserve_procedure(), False, 2) if self.chance.random() < 0.5 else entry
        room = max(one.size for one in self.b.procedures if one is not None)
        program = self.b.build(entry, stack + room)
        tracks = {self.games, self.chance.randrange(len(program.tracks))}
        return in_series(program, later, tracks, self.chance)
