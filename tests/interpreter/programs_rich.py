"""Richer random programs: int32 limits, long lists, bags with refills, deep call stacks.

They add to `programs_random` what a generator writes in a form of its own, or keeps in memory of its own: lists
that lie somewhere, lists that tables tell, answers that need not be stored, keys of cards in several bags.
"""

# ruff: noqa: E731 - short names for what is drawn again and again

from __future__ import annotations

from collections.abc import Callable
from random import Random as Generator

from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import RESULT, Expr, List, OptionBranch, Stmt, TableProgram, Tree
from tests.interpreter.programs_builder import HIGH, LOW, c, numbers, op, tree, v, vs
from tests.interpreter.programs_random import NEWER, SEATS, AsyncBuilder, Code, Inside

LONG = 80
"""Room of the long lists, in slots and in cells."""
EDGES = (LOW, LOW + 1, -(1 << 16), -1, 0, 1, 1 << 16, (1 << 24) + 1, HIGH - 1, HIGH)
DEPTH = 12
"""Calls of a procedure by itself."""
COMPARISONS: tuple[table.Operator, ...] = ("<", "<=", ">", ">=", "==", "!=")


def rich_program(seed: int) -> TableProgram:
    """A program that depends on the seed alone."""
    return _Rich(Generator(f"rich {seed}"), seed >= NEWER).program()


class _Rich(AsyncBuilder):
    asking = 0.5

    def __init__(self, chance: Generator, newer: bool) -> None:
        super().__init__(chance, chance.choice((14, 16, 30, 70)), chance.choice((8, 24, 70)), newer)
        b, rest = self.b, self.order[13:]
        third = len(rest) // 3
        first = len(self.zones)
        self.bags = [3, 4, b.zone("bag", rest[:third], sees=0b010, refill=first + 1)]
        self.zones += [
            self.bags[-1],
            b.zone("row", rest[third : 2 * third]),
            b.zone("bag", rest[2 * third :], refill=first + 1, eager=True),
            b.zone("pile", capacity=chance.choice((3, 12, self.card_count)), refill=first, eager=True),
        ]
        self.bags.append(first + 2)
        self.edges = b.track(tuple(chance.choice(EDGES) for _ in range(3)), clamps=True, arrival=True)
        self.strict = b.track((chance.choice(EDGES),))
        self.rounds = b.track()
        self.long_cells = b.state_list(LONG)
        self.family = b.state_list(5, count=4)
        self.edge_table = b.table(*(chance.choice(EDGES) for _ in range(6)))
        self.places = b.table(*(chance.randrange(len(self.zones)) for _ in range(6)))
        self.small = b.table(*(chance.randrange(64) for _ in range(7)))
        self.all_homes = b.table(*(chance.randrange(len(self.zones)) for _ in range(self.card_count)))
        spread = tuple(chance.randrange(-100, 200) for _ in range(chance.choice((3, LONG))))
        self.long_rows = b.table_list(spread, tuple(range(LONG)), (7,) * 5, (-1, LOW, HIGH))
        self.members = b.table_list(*(tuple(chance.sample(range(5), chance.randrange(4))) for _ in range(5)))
        self.sites.append(b.site("card", sealed=True))
        branches = (
            OptionBranch("stay", (), (), ()),
            OptionBranch("go", ("seat",), ("x",), (SEATS,)),
            OptionBranch("take", ("card",), ("x",), (self.card_count,)),
        )
        self.sites.append(b.site("menu", branches=branches))
        self.asked: Expr | None = None
        """The one seat that the segment before asks."""

    def among(self, *values: Expr) -> Expr:
        return self.chance.choice(values)

    def likely(self, chance: float) -> bool:
        return self.chance.random() < chance

    # -------------------------------------------------------------- integers

    def edge(self, code: Code, depth: int) -> Expr:
        """Any int32."""
        constant = c(self.chance.choice(EDGES))
        cell = table.Cell(op(c(self.b.address(self.edges)), "+", self.index(code, depth, 3)))
        if depth <= 0:
            return self.among(constant, cell)
        one: Callable[[], Expr] = lambda: self.edge(code, depth - 1)
        small: Callable[[], Expr] = lambda: self.number(code, depth - 1)
        makers: list[Callable[[], Expr]] = [
            lambda: cell,
            lambda: table.Cell(c(self.b.address(self.strict))),
            lambda: table.Table(self.edge_table, self.index(code, depth, 6)),
            lambda: table.IfElse(self.truth(code, depth - 1), one(), one()),
            lambda: table.Least(one(), one()),
            lambda: table.Most(one(), small()),
            lambda: op(one(), "//", c(self.chance.choice((2, 3, -7, 1 << 20, HIGH, LOW)))),
            lambda: op(one(), "%", c(self.chance.choice((2, -3, 1000, 1 << 20, HIGH, LOW, -1)))),
            lambda: op(small(), "*", c(1 << 16)),
        ]
        if not code.safe and self.likely(0.3):
            makers += [
                lambda: table.Checked("+", one(), small(), self.place()),
                lambda: table.Checked("-", small(), one(), self.place()),
                lambda: table.Checked("*", small(), c(1 << 20), self.place()),
                lambda: table.Checked("//", one(), self.among(c(-1), c(3), small()), self.place()),
                lambda: table.Checked("%", one(), self.among(c(-1), c(7), small()), self.place()),
                *([lambda: self.within(one(), LOW, HIGH)] if self.newer else []),
                lambda: self.over(
                    code,
                    lambda *of: table.Total(*of, self.place()),
                    lambda: self.items(code, depth - 1),
                    lambda: op(op(self.number(code, 1), "%", 99), "*", 1 << 22),
                ),
            ]
        return self.pick(*makers)

    def number(self, code: Code, depth: int) -> Expr:
        if depth <= 0 or self.likely(0.7):
            return super().number(code, depth)
        some: Callable[[], List] = lambda: self.items(code, depth - 1)
        edge: Callable[[], Expr] = lambda: self.edge(code, depth - 1)
        return self.pick(
            lambda: op(self.edge(code, depth - 1), "%", c(self.chance.choice((2, 9, 100, -50)))),
            lambda: op(self.edge(code, depth - 1), "//", c(self.chance.choice((1 << 24, -(1 << 25), LOW, HIGH)))),
            lambda: table.Table(self.small, self.index(code, depth, 7)),
            lambda: op(table.Cell(c(RESULT)), "%", c(50)),
            lambda: op(self.over(code, lambda *of: table.Highest(*of, LOW, self.likely(0.5)), some, edge), "%", 77),
            lambda: table.Count(self.long(code, depth)),
            lambda: op(table.First(self.long(code, depth)), "%", c(90)),
            lambda: op(table.Last(table.Choice(self.truth(code, depth - 1), some(), some())), "%", c(90)),
            lambda: op(table.Last(self.lying(code, depth)), "%", c(90)),
            lambda: table.IfElse(super(_Rich, self).number(code, 1), self.number(code, 1), self.number(code, 1)),
        )

    def truth(self, code: Code, depth: int) -> Expr:
        if depth <= 0 or self.likely(0.7):
            return super().truth(code, depth)
        comparison = self.chance.choice(COMPARISONS)
        where = self.index(code, depth, 5)
        cards = table.Count(table.Cards(table.Table(self.places, self.index(code, 0, 6))))
        return self.pick(
            lambda: op(self.edge(code, depth - 1), comparison, self.edge(code, depth - 1)),
            lambda: table.And(
                op(table.Table(self.small, where), comparison, c(self.chance.randrange(64))),
                op(table.Table(self.edge_table, where), "<", self.number(code, 0)),
            ),
            lambda: table.Or(op(cards, ">", c(2)), op(cards, comparison, table.Count(table.Cards(c(1))))),
            lambda: table.Contains(self.long(code, depth), self.number(code, depth - 1)),
            lambda: table.Contains(table.TableList(self.members, where), c(self.chance.randrange(-1, 6))),
            lambda: table.Contains(
                numbers(*(self.chance.choice((0, 5, 31, 32, 63, 64, -1)) for _ in range(3))),
                self.among(self.number(code, depth - 1), self.edge(code, 0)),
            ),
            lambda: table.Contains(self.lying(code, depth), self.number(code, depth - 1)),
            *([lambda: self.same(code, depth)] if self.newer else []),
        )

    def same(self, code: Code, depth: int) -> Expr:
        """Whether a list is the same as itself, as a part of it that may be all of it, or as another one."""
        items = self.items(code, depth - 1)
        part = table.Take(items, self.number(code, 0), self.likely(0.5))
        other = self.long(code, depth), self.lying(code, depth)
        pair = self.chance.choice(((items, part), (part, items), (items, items), other))
        return table.Same(*pair)

    # -------------------------------------------------------------- lists

    def items(self, code: Code, depth: int) -> List:
        if depth <= 0 or self.likely(0.65):
            return super().items(code, depth)
        some: Callable[[], List] = lambda: self.items(code, depth - 1)
        true: Callable[[], Expr] = lambda: self.truth(code, depth - 1)
        b: Callable[[Callable[[int, Inside], List]], List] = lambda make: self.bound(code, make)
        flag = self.likely(0.5)
        start = self.number(code, depth - 1)
        seats = numbers(*self.chance.sample(range(5), 3))
        bound = c(self.chance.choice((1, 5, 12)))
        return self.pick(
            lambda: self.lying(code, depth),
            lambda: table.Take(self.long(code, depth), self.number(code, depth - 1), flag),
            lambda: b(lambda x, _: table.Filter(table.Rotated(some(), start), x, op(v(x), "!=", start))),
            lambda: b(lambda x, _: table.Filter(table.Rotated(seats, start), x, op(v(x), "!=", start))),
            lambda: self.told(code),
            lambda: b(lambda x, _: table.Map(self.told(code), x, table.Table(self.tables[0], op(v(x), "%", c(5))))),
            lambda: table.Concat(self.told(code), numbers(4, 4, 9)),
            lambda: table.Concat(self.lying(code, 1), table.Concat(self.lying(code, 1), self.lying(code, 1))),
            lambda: table.Concat(self.lying(code, 1), table.Take(some(), bound, flag)),
            lambda: b(
                lambda x, _: table.Map(
                    self.over(code, table.Filter, some, true), x, op(op(v(x), "*", 3), "-", self.number(code, 0))
                )
            ),
            lambda: self.over(
                code, table.Filter, lambda: b(lambda y, _: table.Filter(some(), y, op(v(y), "<", start))), true
            ),
            lambda: b(lambda x, _: table.Filter(some(), x, self.truth(code, 0))),
            lambda: b(lambda x, _: table.Filter(some(), x, table.And(self.truth(code, 0), op(v(x), ">", 1)))),
            lambda: b(lambda x, _: table.Distinct(some(), x, table.Table(self.small, op(v(x), "%", c(7))))),
            lambda: b(lambda x, _: table.Distinct(some(), x, op(v(x), "*", 1 << 16))),
            lambda: b(lambda x, _: table.Ranked(some(), x, op(op(v(x), "%", 3), "*", 1 << 28), flag)),
            lambda: self.over(code, table.FlatMap, lambda: table.Take(some(), c(4), flag), lambda: self.over(
                code,
                table.Filter,
                lambda: table.Take(self.items(code, depth - 2), c(5), True),
                lambda: self.truth(code, 1),
            )),
            lambda: b(
                lambda x, inside: table.Extremes(
                    self.long(code, 1), x, inside(lambda: op(v(x), "%", self.among(c(7), c(-7)))), flag
                )
            ),
        )  # fmt: skip

    def told(self, code: Code) -> List:
        """A list that tables tell by one number."""
        outer = v(self.chance.choice(code.numbers)) if code.numbers else c(3)
        name: table.Operator = self.chance.choice(("==", "!="))
        seats = numbers(*self.chance.sample(range(5), self.chance.randrange(1, 5)))
        number, x = self.chance.choice(self.tables), code.slot()
        compared = op(table.Table(number, v(x)), name, outer)
        member = table.Contains(table.TableList(self.members, v(x)), outer)
        both = table.And(compared, op(table.Table(self.tables[0], v(x)), "<", 4))
        return table.Filter(seats, x, self.among(compared, member, both))

    def lying(self, code: Code, depth: int) -> List:
        """A list that lies somewhere."""
        count = self.number(code, depth - 1)
        views: list[Callable[[], List]] = [
            lambda: table.CellList(c(self.long_cells)),
            lambda: table.CellList(op(c(self.family), "+", op(self.index(code, depth, 4), "*", c(6)))),
            lambda: table.Cards(table.Table(self.places, self.index(code, depth, 6))),
            lambda: table.TableList(self.long_rows, self.index(code, depth, 4)),
            lambda: table.TableList(self.members, self.index(code, depth, 5)),
            lambda: table.Answer(self.index(code, depth, SEATS)),
            *(lambda slot=slot: vs(slot) for slot in code.lists),
        ]
        if depth > 0:
            views += [
                lambda: table.Take(self.lying(code, depth - 1), count, self.likely(0.5)),
                lambda: table.Choice(
                    self.truth(code, depth - 1), self.lying(code, depth - 1), self.lying(code, depth - 1)
                ),
            ]
        return self.pick(*views)

    def long(self, code: Code, depth: int) -> List:
        """A list of up to some hundred members."""
        zone = table.Cards(self.index(code, 0, len(self.zones)))
        row = table.TableList(self.long_rows, self.index(code, 0, 4))
        return self.pick(
            lambda: row,
            lambda: table.CellList(c(self.long_cells)),
            lambda: table.Concat(row, zone),
            lambda: table.Concat(table.CellList(c(self.long_cells)), table.Concat(zone, zone)),
            lambda: self.bound(code, lambda x, _: table.Ranked(row, x, op(v(x), "%", 5), self.likely(0.5))),
            lambda: self.bound(code, lambda x, _: table.Distinct(row, x, op(v(x), "//", 3))),
            lambda: self.over(code, table.Filter, lambda: row, lambda: super(_Rich, self).truth(code, 0)),
            lambda: table.Rotated(row, self.number(code, 0)),
        )

    def cards(self, code: Code, depth: int) -> List:
        if depth <= 0 or self.likely(0.6):
            return super().cards(code, depth)
        zone: Callable[[], List] = lambda: table.Cards(self.index(code, depth + 1, len(self.zones)))
        same, one = zone(), op(op(self.number(code, depth), "%", self.card_count + 1), "-", 1)
        return self.pick(
            lambda: table.Concat(zone(), zone()),
            lambda: table.Concat(same, table.Concat(same, same)),
            lambda: table.Take(same, op(table.Count(same), "-", self.number(code, 0)), self.likely(0.5)),
            lambda: self.over(code, table.Filter, lambda: same, lambda: self.truth(code, depth - 1)),
            lambda: self.bound(code, lambda x, _: table.Ranked(same, x, op(v(x), "%", 4), True)),
            lambda: numbers(table.First(same), table.Last(zone())),
            lambda: numbers(table.First(same)),
            lambda: table.Choice(op(one, "<", 0), numbers(), numbers(one)),
            lambda: table.Choice(op(one, ">=", 0), numbers(one), numbers()),
            lambda: table.Choice(self.truth(code, 1), same, zone()),
        )

    # -------------------------------------------------------------- statements

    def effect(self, code: Code) -> list[Stmt]:
        if self.likely(0.55):
            return super().effect(code)
        n: Callable[[], Expr] = lambda: self.number(code, 2)
        zone: Callable[[], Expr] = lambda: self.index(code, 3, len(self.zones))
        bag: Callable[[], Expr] = lambda: c(self.chance.choice(self.bags))
        flag = self.likely(0.5)
        edges = self.b.address(self.edges)
        where = self.index(code, 2, 3)

        def chance() -> list[Stmt]:
            slot = code.slot()
            code.numbers.append(slot)
            bound = self.chance.choice((1, 2, 3 << 29, (1 << 30) + 1, HIGH))
            limited = table.SetLocal(slot, op(v(slot), "%", c(40)))
            return [table.Random(slot, c(bound), self.place()), limited]

        def over_cards() -> list[Stmt]:
            slot, own = code.slot(), self.index(code, 0, len(self.zones))
            before = code.numbers
            code.numbers = [*before, slot]
            body = self.nested(code, 0, 1)
            code.numbers = before
            move = table.Move(numbers(v(slot)), zone(), flag, own if self.likely(0.5) else None, self.place())
            return [table.ForEach(slot, table.Cards(own), (move, *body))]

        def over_slot() -> list[Stmt]:
            if not code.lists:
                return self.set_list(code, 1)
            own, slot = self.chance.choice(code.lists), code.slot()
            shorter = table.Take(vs(own), op(table.Count(vs(own)), "-", 1), flag)
            return [table.ForEach(slot, table.Take(vs(own), c(6), True), (table.SetList(own, shorter),))]

        def cut() -> list[Stmt]:
            if not code.lists:
                return self.set_list(code, 1)
            own = self.chance.choice(code.lists)
            return [table.SetList(own, table.Take(vs(own), n(), flag))]

        def family() -> Expr:
            return op(self.family, "+", op(self.index(code, 2, 4), "*", 6))

        def cut_cells() -> list[Stmt]:
            address = family()
            return [table.SetCells(address, table.Take(table.CellList(address), n(), flag))]

        def draw_many() -> list[Stmt]:
            source, count, to, at = bag(), op(n(), "%", c(20)), self.among(bag(), zone()), self.place()
            end = table.DrawBottom if at % 3 == 0 else table.Draw
            return [end(source, count, to, flag, None, at)]

        return self.pick(
            lambda: [table.SetCell(op(c(edges), "+", where), self.edge(code, 2))],
            lambda: [table.SetCell(c(self.b.address(self.strict)), self.edge(code, 2))],
            lambda: [table.Change(self.edges, where, self.edge(code, 2), self.place())],
            lambda: [table.Assign(self.edges, where, self.edge(code, 2), self.place())],
            lambda: [table.Change(self.strict, c(0), n(), self.place())],
            lambda: [table.SetCells(c(self.long_cells), table.Take(self.long(code, 1), c(LONG), flag))],
            lambda: [table.SetCells(c(self.long_cells), self.short(code, 2))],
            lambda: [table.SetCells(c(self.family), numbers())],
            lambda: [table.Append(family(), op(n(), "%", c(9)), 5, self.place())],
            cut_cells,
            cut,
            over_cards,
            over_slot,
            chance,
            lambda: [table.Draw(zone(), c(1), zone(), flag, None, self.place())],
            draw_many,
            lambda: [table.Move(self.cards(code, 2), bag(), flag, None, self.place())],
            lambda: [table.MoveAll(zone(), bag(), flag, self.place())],
            lambda: [table.MoveAll(bag(), zone(), flag, self.place())],
            lambda: [table.Prepare(bag(), n(), self.place())],
            lambda: [table.SendHome(self.cards(code, 2), self.all_homes, zone() if flag else None, self.place())],
            lambda: [table.Do(f, self.arguments(code, 2)) for f, gives_list in self.pure[-1:] if gives_list],
            lambda: [table.Shuffle(zone(), self.place())],
        )

    # -------------------------------------------------------------- procedures

    def tree(self, code: Code, later: list[int], returns: bool, depth: int) -> Tree:
        asked, self.asked = self.asked, None
        if asked is None or self.likely(0.2):
            return super().tree(code, later, returns, depth)
        answer = table.Answer(asked)
        kept, held = code.slot(), code.slot(self.b.options)
        ways: list[tuple[Stmt, Stmt]] = [
            (table.SetLocal(kept, table.First(answer)), table.SetList(held, numbers(v(kept)))),
            (table.SetList(held, answer), table.SetLocal(kept, table.Last(answer))),
            (table.SetLocal(kept, table.Count(answer)), table.SetList(held, answer)),
        ]
        reading = self.chance.choice(ways)
        before = list(code.numbers), list(code.lists)
        code.numbers, code.lists = [*code.numbers, kept], [*code.lists, held]
        made = super().tree(code, later, returns, depth)
        code.numbers, code.lists = before
        return Tree((*reading, table.CloseDecisions(), *made.body), made.end)

    def ask(self, code: Code, resume: int) -> table.Ask:
        if self.likely(0.4):
            return super().ask(code, resume)
        slot = code.slot()
        shared = code.numbers
        seat = c(self.chance.randrange(SEATS))
        seats: List = numbers(seat)
        if self.likely(0.3):
            seats = numbers(*self.chance.sample(range(SEATS), self.chance.randrange(2, SEATS + 1)))
        else:
            self.asked = seat
        code.numbers = [*shared, slot]
        site = self.chance.choice((0, 1, 2, 4, 4, 5))
        options: List
        if site in (0, 4):
            zones = self.chance.sample(range(len(self.zones)), 2)
            own = table.Cards(c(self.chance.choice((*self.bags, *zones))))
            other = table.Cards(c(next(zone for zone in zones if own != table.Cards(c(zone)))))
            room = c(self.b.options // 2)
            where: Callable[[], List] = lambda: self.over(
                code, table.Filter, lambda: own, lambda: self.truth(code, 1)
            )
            ranked: Callable[[int], List] = lambda x: table.Ranked(own, x, op(v(x), "%", 3), True)
            options = self.pick(
                lambda: own if self.likely(0.3) else table.Take(own, c(self.b.options), True),
                lambda: table.Concat(table.Take(own, room, True), table.Take(other, room, False)),
                lambda: table.Take(where(), room, self.likely(0.5)),
                lambda: table.Take(ranked(code.slot()), room, True),
            )
        elif site == 5:
            x = code.slot()
            taken = table.Map(table.Take(table.Cards(c(4)), c(6), True), x, op(op(v(x), "*", 3), "+", 2))
            options = table.Concat(numbers(0), taken)
        else:
            options = self.bound(code, lambda x, _: table.Distinct(self.short(code, 2, 8), x, v(x)))
        ones = (c(1), c(1)) if self.likely(0.5) else (self.number(code, 1), self.number(code, 1))
        least, most = ones if self.likely(0.8) else (c(0), c(1))
        return table.Ask(site, seats, slot, options, least, most, resume, self.place(), self.likely(0.3))

    def descending(self) -> int:
        """A procedure that calls itself."""
        number = self.b.reserve_procedure()
        code = Code([0, 9], [0], [1], effects=True)
        begin, down, after, over = self.b.reserve(4)
        limit = table.SetLocal(0, op(v(0), "%", c(DEPTH)))
        body = self.statements(code, 1, 1)
        code.numbers, code.lists = [0], [1]
        arguments = (op(v(0), "-", 1), table.Take(table.Concat(vs(1), numbers(v(0))), c(9), False))
        later = self.statements(code, 1, 1)
        given = op(op(table.Cell(c(RESULT)), "+", v(0)), "%", c(60))
        trees = {
            begin: tree(limit, table.Branch(op(v(0), ">", 0), tree(table.Goto(down)), tree(table.Goto(over)))),
            down: Tree(body, table.Invoke(number, arguments, after, self.place())),
            after: Tree(later, table.Goto(over)),
            over: tree(table.Return(given)),
        }
        return self.b.procedure(code.slots, trees, begin, 2, number)

    def procedure(self, number: int, parameters: bool, loops: int) -> int:
        """As it is, but what goes back comes to an end, though statements may assign the counter."""
        made = super().procedure(number, parameters, loops)
        last = self.b.segments[-1]
        if loops and last is not None and isinstance(end := last[1].end, table.Branch):
            left = op(table.Cell(c(self.b.address(self.rounds))), "<", loops)
            count = table.Change(self.rounds, c(0), c(1), self.place())
            ending = table.Branch(table.And(end.condition, left), end.then, end.otherwise)
            self.b.segments[-1] = number, Tree((*last[1].body, count), ending)
        return made

    def program(self) -> TableProgram:
        for _ in range(4):
            gives_list = self.likely(0.5)
            self.pure.append((self.function(gives_list, False), gives_list))
        for _ in range(2):
            made = self.function(False, True)
            self.doing.append(made)
            self.doing_table = self.b.table(made, -1, self.doing[0])
        self.callees.append(self.descending())
        self.called_table = self.b.table(self.callees[0], -1, self.callees[-1])
        for _ in range(2):
            self.callees.append(self.procedure(self.b.reserve_procedure(), True, 0))
            self.called_table = self.b.table(self.callees[0], -1, self.callees[-1])
        entry = self.procedure(self.b.reserve_procedure(), False, self.chance.choice((3, 6)))
        first = self.b.procedures[entry]
        assert first is not None
        return self.series(entry, first.size + self.chance.choice((80, 200, 400, *[4000] * 9)))
