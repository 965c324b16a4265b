"""Programs for the special forms: fused loops, single cards, tosses."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import HEAD, Expr, List, Stmt, TableProgram
from tests.interpreter.programs_builder import DECISION, Builder, c, cell, numbers, op, tree, v, vs

SOME = HEAD + 2 * DECISION
"""Where a list of the state is that holds 2, 5, 2 and 1."""
ITEMS = tuple(range(7))
WEIGHTS = (3, 1, 3, 0, 0, 3, 1)
COLOURS = (0, 1, 2, 0, 1, 2, 0)
MEMBERS = ((0, 1), (), (2,), (1, 2), (0,), (5,), (1,))
IT = v(3)


def weight(of: Expr = IT) -> Expr:
    return table.Table(0, of)


def colour(of: Expr = IT) -> Expr:
    return table.Table(1, of)


def has(value: Expr) -> Expr:
    return table.Contains(table.TableList(0, IT), value)


def where(items: List, condition: Expr) -> List:
    return table.Filter(items, 3, condition)


def _with_tables(seats: int) -> Builder:
    b = Builder(seats, COLOURS)
    b.table(*WEIGHTS)
    b.table(*COLOURS)
    b.table_list(*MEMBERS)
    return b


def over(*lists: List) -> TableProgram:
    """Works out each list for each value of slot 0, and adds it to the state with its order."""
    b = _with_tables(2)
    some = b.state_list(6)
    assert some == SOME
    kept = [b.state_list(60) for _ in lists]
    sums = b.address(b.track())
    b.zone("row", (4, 0, 5, 2, 6))
    _, after = b.reserve(2)
    seen: list[Stmt] = [table.SetCells(c(some), numbers(2, 5, 2, 1))]
    added = op(op(op(cell(sums), "*", 3), "+", v(4)), "+", 2)
    adding = table.ForEach(4, vs(5), (table.SetCell(c(sums), op(added, "%", 10_007)),))
    for address, items in zip(kept, lists, strict=True):
        seen += [table.SetList(5, items), table.SetCells(c(address), vs(5)), adding]
    loop = table.ForEach(0, numbers(*range(-1, 8)), tuple(seen))
    return b.game([0, 0, 0, 0, 0, 60], tree(loop, table.Goto(after)), tree(table.Finish()))


def plain_program() -> TableProgram:
    """A program with the tables, to shape lists for."""
    b = _with_tables(1)
    b.reserve(1)
    return b.game([0, 0, 0, 0], tree(table.Finish()))


ALL = numbers(*ITEMS)


ROTATED = table.Rotated(numbers(4, 0, 2, 5), v(0))
LISTS: dict[str, List] = {
    "constant": where(ALL, op(weight(), "==", 3)),
    "constant, by lists": where(ALL, has(c(1))),
    "constant, mapped": table.Map(numbers(0, 3, 6, 2), 3, colour()),
    "looked up": where(ALL, op(weight(), "==", v(0))),
    "looked up, mapped": table.Map(where(ALL, has(v(0))), 3, op(colour(), "+", 1)),
    "looked up otherwise, mapped": table.Map(where(ALL, op(weight(), "!=", v(0))), 3, op(colour(), "+", 1)),
    "looked up, longer": table.Concat(where(ALL, op(weight(), "==", v(0))), numbers(9)),
    "others": where(ROTATED, op(IT, "!=", v(0))),
    "others, twice": where(table.Rotated(numbers(4, 2, 0, 2), v(0)), op(IT, "!=", v(0))),
    "others of cells": where(table.Rotated(table.CellList(c(SOME)), v(0)), op(IT, "!=", v(0))),
    "no others": where(ROTATED, op(IT, "!=", 2)),
}


CARDS = table.Cards(c(0))
FUSED: dict[str, List] = {
    "filter and map": table.Map(where(CARDS, op(IT, "!=", v(0))), 3, op(IT, "*", 2)),
    "map and filter": where(table.Map(CARDS, 4, op(v(4), "+", v(0))), op(IT, ">", 3)),
    "nested filters": where(where(CARDS, op(IT, ">", v(0))), op(IT, "!=", 5)),
    "for each, two": table.FlatMap(where(CARDS, op(IT, "!=", v(0))), 4, numbers(v(4), op(v(4), "+", v(0)))),
    "for each, a filter": table.FlatMap(CARDS, 4, where(CARDS, op(IT, "<", op(v(4), "-", v(0))))),
    "for each, a map of a filter": table.FlatMap(
        where(CARDS, op(IT, ">", 0)),
        4,
        table.Map(where(CARDS, op(IT, "!=", v(4))), 3, op(op(v(4), "*", 10), "+", IT)),
    ),
    "one behind the other": table.Concat(
        table.Map(where(CARDS, op(IT, ">", v(0))), 3, op(IT, "+", 1)), table.Concat(numbers(7, v(0)), CARDS)
    ),
    "cells outside": where(CARDS, op(IT, ">", table.Cell(op(op(v(0), "%", 3), "+", SOME + 1)))),
    "cells inside": where(CARDS, op(IT, ">", table.Cell(op(op(IT, "%", 3), "+", SOME + 1)))),
    "a search for each": table.FlatMap(
        CARDS, 4, where(CARDS, table.Contains(table.CellList(op(op(v(4), "*", 0), "+", SOME)), IT))
    ),
    "a search outside": where(CARDS, table.Contains(CARDS, op(IT, "+", op(v(0), "%", 3)))),
    "a search inside": where(
        CARDS, table.Exists(where(CARDS, op(IT, ">", v(0))), 4, op(v(4), "==", op(v(3), "-", 1)))
    ),
    "others outside": table.FlatMap(
        where(table.Rotated(numbers(0, 1, 2), v(0)), op(IT, "!=", v(0))), 4, numbers(v(4), op(v(4), "*", 2))
    ),
    "extremes": table.Extremes(table.Take(CARDS, c(2), True), 3, op(IT, "*", op(v(0), "-", 3)), False),
    "the first extreme": numbers(
        table.First(table.Extremes(CARDS, 3, op(op(IT, "-", 3), "*", op(v(0), "-", 3)), True)), v(0)
    ),
    "long constants": table.Map(numbers(3, 1, v(0), 2), 3, op(IT, "*", IT)),
}


def shuffling(*statements: Stmt, turns: int = 40) -> TableProgram:
    """Zones of each order, some that refill or are small; a card and zones at random, then the statements.

    Slots: 1 a card or none (card 8 lies nowhere at first), 2 and 3 zones, 4 a zone or none.
    """
    b = Builder(1, (0, 1, 2, 0, 1, 2, 0, 1, 2))
    waste = b.zone("pile")
    b.zone("bag", (0, 1, 2))
    b.zone("row", (4, 3))
    b.zone("pile", (5, 6), refill=waste)
    b.zone("pile", (7,), refill=waste, eager=True)
    b.zone("bag", capacity=6)
    b.zone("row", refill=b.zone("pile"), eager=True)
    _, again, after = b.reserve(3)
    draw = [table.Random(slot, c(bound), 1) for slot, bound in ((1, 10), (2, 8), (3, 8), (4, 9))]
    less = [table.SetLocal(slot, op(v(slot), "-", 1)) for slot in (1, 4)]
    more = table.Branch(op(v(0), "<", turns), tree(table.Goto(again)), tree(table.Goto(after)))
    return b.game(
        [0, 0, 0, 0, 0, 0],
        tree(table.SetLocal(0, c(0)), table.Goto(again)),
        tree(*draw, *less, *statements, table.SetLocal(0, op(v(0), "+", 1)), more),
        tree(table.Finish()),
    )


CARD = v(1)
ONE = numbers(CARD)
IF_ANY = table.Choice(op(CARD, "<", 0), numbers(), ONE)
IF_THERE = table.Choice(op(CARD, ">=", 0), ONE, numbers())


def tossing(options: List, always: bool = False) -> TableProgram:
    b = Builder(1)
    kept = b.address(b.track())
    _, ask, after = b.reserve(3)
    told = op(op(op(cell(kept), "*", 3), "+", v(1)), "%", 10_007)
    more = table.Branch(op(v(0), "<", 12), tree(table.Charge(2), table.Goto(ask)), tree(table.Finish()))
    return b.game(
        [0, 0, 0],
        tree(table.SetLocal(0, c(0)), table.Charge(1), table.Goto(ask)),
        tree(table.Ask(b.site(), numbers(0), 2, options, c(1), c(1), after, 3, always)),
        tree(
            table.SetLocal(1, table.First(table.Answer(c(0)))),
            table.CloseDecisions(),
            table.SetCell(c(kept), told),
            table.SetLocal(0, op(v(0), "+", 1)),
            more,
        ),
    )


def beside() -> Iterator[TableProgram]:
    """All of them that are played in lock-step."""
    yield over(*LISTS.values())
    yield over(*FUSED.values())
    for bottom in (False, True):
        yield shuffling(table.Move(ONE, v(2), bottom, v(4), 5))
        yield shuffling(table.Draw(v(2), c(1), v(3), bottom, None, 5))
