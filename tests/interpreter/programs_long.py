"""Programs with long loops, for tests of fuel."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import Expr, List, Stmt, TableProgram
from tests.interpreter.programs_builder import Builder, c, cell, numbers, op, tree, v, vs

SLOTS = 30
"""Numbers of the slots that code here may bind."""


def running(b: Builder, *body: Stmt, lists: int = 0) -> TableProgram:
    """A game that does this and is over; its last slots, so many, are lists."""
    b.reserve(1)
    return b.game([0] * SLOTS + [40] * lists, tree(*body, table.Finish()))


def long_loops() -> TableProgram:
    """Lists that are short, or so long that loops over them are metered: the fuel shows how long they were."""
    b = Builder(1, (0,) * 60)
    told = b.track()
    pile, kept = b.zone("pile", range(60)), b.state_list(40)
    # One that is never taken: so the bound of the work is far above the work.
    lists = b.table_list((), tuple(range(25)), tuple(range(90)), tuple(range(300)))

    def tell(value: Expr) -> Stmt:
        sum_ = op(op(table.Cell(c(b.address(told))), "*", 5), "+", value)
        return table.SetCell(c(b.address(told)), op(sum_, "%", 10_007))

    def long(more: int = 0) -> List:
        return table.TableList(lists, op(op(v(0), "+", more), "%", 3))

    def inner(slot: int) -> Expr:
        """Whether a number is behind all in a list: this takes some hundred steps."""
        return table.Not(table.Exists(long(1), slot + 1, op(v(slot + 1), ">=", v(slot))))

    small = b.function(1, [0, 0], table.Give(table.Total(long(), 1, op(v(0), "+", v(1)), 1)))
    eight = table.Total(numbers(*range(8)), 1, table.Call(small, (v(1),)), 2)
    large = b.function(1, [0, 0], table.SetLocal(0, op(v(0), "+", 1)), table.Give(eight))
    whole = b.function(
        1,
        [0, 0, 0],
        table.SetLocal(1, table.Call(large, (v(0),))),
        table.SetLocal(2, table.Call(large, (v(1),))),
        *(table.SetLocal(1, op(table.Call(large, (v(2),)), "%", 1 + n)) for n in range(8)),
        table.Give(op(v(1), "+", v(2))),
    )
    doubled = b.function(1, [0], table.Give(table.Concat(*[table.Take(long(), op(v(0), "*", 100), True)] * 2)))
    again = table.FlatMap(table.Take(long(), c(40), False), 8, table.CallList(doubled, (c(2),)))
    under = table.Move(numbers(v(1)), c(pile), True, None, 6)
    body: list[Stmt] = [
        table.Random(0, c(3), 1),
        table.ForEach(1, long(), (table.If(inner(1), (tell(v(1)),), (tell(c(1)),)),)),
        tell(table.Total(long(), 1, table.IfElse(inner(1), v(1), c(2)), 3)),
        tell(table.Count(table.Filter(long(), 1, inner(1)))),
        tell(table.Count(table.Map(long(2), 1, inner(1)))),
        tell(table.Exists(long(2), 1, table.And(op(v(1), ">", 20), inner(1)))),
        tell(table.Highest(long(), 1, table.Total(long(1), 2, op(v(1), "*", v(2)), 4), 7)),
        tell(table.First(table.Extremes(long(), 1, table.Total(long(1), 2, op(v(1), "*", v(2)), 5), True))),
        tell(table.Last(table.Ranked(long(), 1, inner(1), False))),
        tell(table.Count(table.Distinct(long(), 1, inner(1)))),
        tell(table.Count(again)),
        tell(table.Call(whole, (c(1),))),
        table.ForEach(1, table.Cards(c(pile)), (table.If(inner(1), (under,), ()),)),
        table.SetCells(c(kept), table.Take(table.Filter(table.Cards(c(pile)), 1, inner(1)), c(40), True)),
        table.ForEach(2, table.CellList(c(kept)), (tell(v(2)), table.Remove(c(kept), v(2)))),
    ]
    turn = (table.SetLocal(9, op(v(9), "+", 1)), *body)
    return running(b, table.SetLocal(9, c(0)), table.While(op(v(9), "<", 2), turn, 7))


def nested(levels: int, members: int, loop: Callable[[int, List, Expr | None], Expr]) -> TableProgram:
    """An expression of loops within each other; `loop` makes each, of a list and what is inside of it."""
    b = Builder(1)
    lists = b.table_list(tuple(range(members)))
    body: Expr | None = None
    for level in range(levels):
        body = loop(level, table.TableList(lists, c(0)), body)
    assert body is not None
    told = b.track()
    return running(b, table.SetCell(c(b.address(told)), body))


def nested_statements(levels: int, members: int) -> TableProgram:
    """`ForEach` within each other."""
    b = Builder(1)
    told, lists = b.track(), b.table_list(tuple(range(members)))
    body: tuple[Stmt, ...] = (table.SetCell(c(b.address(told)), op(table.Cell(c(b.address(told))), "+", 1)),)
    for level in range(levels):
        body = (table.ForEach(level, table.TableList(lists, c(0)), body),)
    return running(b, *body)


LOOPS: dict[str, Callable[[int, List, Expr | None], Expr]] = {
    "any": lambda slot, items, body: table.Exists(items, slot, body or op(v(slot), "<", 0)),
    "total": lambda slot, items, body: table.Total(items, slot, body or v(slot), 1),
    "where": lambda slot, items, body: table.Count(table.Filter(items, slot, op(body or v(slot), "<", 0))),
    "map": lambda slot, items, body: table.Count(table.Map(items, slot, body or v(slot))),
    "highest": lambda slot, items, body: table.Highest(items, slot, body or v(slot), 0),
    "best": lambda slot, items, body: table.Count(table.Extremes(items, slot, body or v(slot), False)),
    "ranked": lambda slot, items, body: table.First(table.Ranked(items, slot, body or v(slot), True)),
    "distinct": lambda slot, items, body: table.Count(table.Distinct(items, slot, body or v(slot))),
}
"""Expressions that go through a list."""


def doubling(functions: int, lists: bool = False) -> TableProgram:
    """Functions that each call the one before twice: the last one would run for ever without a single loop."""
    b = Builder(1)
    told = b.address(b.track())
    before = b.function(0, [], table.Give(numbers(1, 2) if lists else cell(told)))
    for _ in range(functions):
        number, some = table.Call(before, ()), table.CallList(before, ())
        twice = table.Concat(some, some) if lists else op(op(number, "+", number), "%", 1000)
        before = b.function(0, [], table.Give(twice))
    value = table.Count(table.CallList(before, ())) if lists else table.Call(before, ())
    return running(b, table.SetCell(c(told), value))


def product(levels: int, members: int) -> TableProgram:
    """A list that is as long as the product of others: it would take all memory there is."""
    b = Builder(1)
    told, lists = b.track(), b.table_list(tuple(range(members)))
    items: List = table.TableList(lists, c(0))
    for level in range(levels):
        items = table.FlatMap(table.TableList(lists, c(0)), level, items)
    return running(b, table.SetCell(c(b.address(told)), table.Count(items)))


def shrinking() -> TableProgram:
    """A long loop over a list that becomes shorter in its first turn; the other lists have room and no members."""
    b = Builder(1)
    seen = b.track()
    own, inner = SLOTS, (SLOTS + 1, SLOTS + 2)
    total: Expr = c(0)
    for slot in inner:
        total = table.Total(vs(slot), slot - SLOTS, total, 1)
    digit = op(op(table.Cell(c(b.address(seen))), "*", 7), "+", v(0))
    body = (
        table.SetList(own, table.Take(vs(own), c(2), False)),
        table.SetCell(c(b.address(seen)), op(op(digit, "+", table.Binary("%", total, c(2))), "%", 1009)),
    )
    setting = [table.SetList(own, numbers(*range(1, 9)))]
    setting += [table.SetList(slot, numbers()) for slot in inner]
    return running(b, *setting, table.ForEach(0, vs(own), body), lists=3)
