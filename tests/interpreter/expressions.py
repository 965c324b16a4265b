"""Expressions of every kind, each with what it gives by arithmetic, for `programs.calculator`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from ruleset.table import nodes as table
from ruleset.table.nodes import SEGMENT, Expr, List
from tests.interpreter.programs_builder import c, numbers, op, v, vs


def _found(operators: str, *results: int) -> Iterator[tuple[table.Operator, int]]:
    """Operators, each with what it gives."""
    names = cast(list[table.Operator], operators.split())
    return zip(names, results, strict=True)


# In what follows: v(0) is 5, v(1) is -3, v(2) is 0, v(3) is 12, vs(4) is [4, 8, 15, 16, 23, 42], vs(5) is empty.
VALUES: list[tuple[Expr | List, list[int]]] = [
    (c(-7), [-7]),
    (table.Cell(c(SEGMENT)), [0]),
    (table.Table(0, op(v(0), "-", 2)), [9]),
    *((op(v(0), name, v(1)), [found]) for name, found in _found("+ - * // %", 2, 8, -15, -2, -1)),
    *((op(v(1), name, v(0)), [found]) for name, found in _found("// % < > ==", -1, 2, 1, 0, 0)),
    *((op(v(0), name, c(5)), [found]) for name, found in _found("< <= > >= !=", 0, 1, 0, 1, 0)),
    *((table.Checked(n, v(1), v(0), 1), [found]) for n, found in _found("+ - * // % <=", 2, -8, -15, -1, 2, 1)),
    (op(v(0), "+", op(v(1), "+", -2)), [0]),
    (op(op(v(0), "+", 3), "+", 4), [12]),
    (op(op(v(0), "-", 9), "-", op(v(1), "-", 4)), [3]),
    (table.Not(v(2)), [1]),
    (table.Not(op(v(0), ">", 1)), [0]),
    (table.And(op(v(0), ">", 1), op(v(0), "<", 9)), [1]),
    (table.And(op(v(2), "!=", 0), op(op(v(0), "//", v(2)), "==", 1)), [0]),
    (table.Or(op(v(0), ">", 1), op(op(v(0), "//", v(2)), "==", 1)), [1]),
    (table.Or(op(v(0), "<", 1), op(v(0), ">", 9)), [0]),
    (table.IfElse(op(v(0), ">", 1), v(3), v(1)), [12]),
    (table.IfElse(v(2), v(3), v(1)), [-3]),
    (table.Least(v(0), v(1)), [-3]),
    (table.Most(op(v(0), "*", 2), v(3)), [12]),
    (table.Call(0, (v(3),)), [24]),
    (table.Present(v(3), 1), [12]),
    (op(table.Present(v(1), 1), "*", 2), [-6]),
    (table.Count(vs(4)), [6]),
    (table.Count(table.Cards(v(2))), [3]),
    (table.Count(table.Filter(vs(4), 6, op(v(6), "%", 2))), [2]),
    (table.Total(vs(4), 6, op(v(6), "*", 2), 1), [216]),
    (table.Total(vs(5), 6, v(6), 1), [0]),
    (table.Exists(vs(4), 6, op(v(6), ">", 30)), [1]),
    (table.Exists(vs(4), 6, op(v(6), ">", 42)), [0]),
    (table.Exists(vs(4), 6, op(table.Checked("//", c(8), op(v(6), "-", 8), 1), "==", -2)), [1]),
    (table.Exists(vs(4), 6, op(table.Call(2, (v(6),)), "==", -2)), [1]),
    (table.Contains(vs(4), op(v(0), "+", 3)), [1]),
    (table.Contains(vs(5), v(0)), [0]),
    (table.First(vs(4)), [4]),
    (table.First(vs(5)), [-1]),
    (table.First(table.Cards(c(0))), [3]),
    (table.Last(vs(4)), [42]),
    (table.Last(table.Filter(vs(4), 6, op(v(6), "<", 0))), [-1]),
    (table.Last(table.Cards(c(0))), [2]),
    (table.Highest(vs(4), 6, op(v(6), "%", 10), 99), [8]),
    (table.Highest(vs(4), 6, op(v(6), "%", 10), 99, lowest=True), [2]),
    (table.Highest(vs(5), 6, v(6), 99), [99]),
    (numbers(v(0), 7, v(1)), [5, 7, -3]),
    (vs(4), [4, 8, 15, 16, 23, 42]),
    (table.Cards(c(0)), [3, 1, 2]),
    (table.Cards(v(2)), [3, 1, 2]),
    (table.TableList(0, c(2)), [1, 2, 3]),
    (table.Filter(vs(4), 6, op(v(6), ">", 15)), [16, 23, 42]),
    (table.Map(vs(4), 6, op(v(6), "-", v(0))), [-1, 3, 10, 11, 18, 37]),
    (table.Map(vs(4), 6, op(v(6), ">", 15)), [0, 0, 0, 1, 1, 1]),
    (table.FlatMap(table.TableList(0, c(2)), 6, table.Take(vs(4), v(6), True)), [4, 4, 8, 4, 8, 15]),
    (table.Concat(table.TableList(0, c(1)), table.Cards(c(0))), [7, 7, 3, 1, 2]),
    *((table.Take(vs(4), c(n), False), found) for n, found in ((2, [23, 42]), (0, []), (-1, []))),
    (table.Take(vs(4), c(9), False), [4, 8, 15, 16, 23, 42]),
    *((table.Take(vs(4), c(n), True), found) for n, found in ((2, [4, 8]), (0, []), (-1, []))),
    (table.Take(vs(4), v(0), False), [8, 15, 16, 23, 42]),
    (table.Take(vs(4), v(1), False), []),
    (table.Take(vs(4), v(1), True), []),
    (table.Take(vs(4), v(2), False), []),
    (table.Extremes(vs(4), 6, op(v(6), "%", 2), False), [15, 23]),
    (table.Extremes(vs(4), 6, op(v(6), "%", 2), True), [4, 8, 16, 42]),
    (table.Extremes(vs(5), 6, v(6), True), []),
    (table.Ranked(vs(4), 6, op(v(6), "%", 4), False), [4, 8, 16, 42, 15, 23]),
    (table.Ranked(vs(4), 6, op(v(6), "%", 4), True), [15, 23, 42, 4, 8, 16]),
    (table.Distinct(vs(4), 6, op(v(6), "%", 4)), [4, 15, 42]),
    (table.Rotated(vs(4), c(16)), [16, 23, 42, 4, 8, 15]),
    (table.Rotated(vs(4), c(4)), [4, 8, 15, 16, 23, 42]),
    (table.Rotated(vs(4), c(17)), [4, 8, 15, 16, 23, 42]),
    (table.Rotated(vs(5), c(17)), []),
    (table.Choice(op(v(0), ">", 1), table.TableList(0, c(1)), vs(4)), [7, 7]),
    (table.Choice(v(2), table.TableList(0, c(1)), vs(5)), []),
    (table.CallList(1, (vs(4),)), [42, 23, 16, 15, 8, 4]),
    (table.Answer(c(1)), []),
    (table.Map(vs(4), 6, table.Count(table.Filter(vs(4), 7, op(v(7), "<", v(6))))), [0, 1, 2, 3, 4, 5]),
    # what leaves the numbers from 0 to 63, or the list
    *((table.Count(table.Take(vs(4), v(1), first)), [0]) for first in (True, False)),
    (table.Contains(numbers(3, 70), op(v(0), "*", 14)), [1]),
    (table.Contains(numbers(0, 5), op(v(3), "+", 57)), [0]),
    (table.Contains(numbers(61), v(1)), [0]),
    (table.First(numbers(v(0), v(3))), [5]),
    (table.Last(numbers(v(0), v(3))), [12]),
    (table.Distinct(vs(4), 6, table.IfElse(op(v(6), ">", 10), c(-62), c(2))), [4, 15]),
    (table.Distinct(vs(4), 6, table.IfElse(op(v(6), ">", 10), c(66), c(2))), [4, 15]),
    (table.Distinct(vs(4), 6, table.IfElse(op(v(6), ">", 10), c(63), c(0))), [4, 15]),
    (table.Count(table.Filter(vs(4), 6, op(v(6), "-", 8))), [5]),
    (table.Count(table.Cards(op(v(2), "+", 1))), [0]),
    (table.Count(table.Cards(table.Table(1, v(2)))), [3]),
    (table.Count(table.Cards(table.Table(1, op(v(2), "+", 1)))), [0]),
    *((table.Table(number, op(v(2), "+", 1)), [found]) for number, found in ((2, 40_000), (3, -200))),
    (table.Map(table.Filter(vs(4), 6, op(v(6), "!=", 8)), 7, op(c(8), "//", op(v(7), "-", 8))), [-2, 1, 1, 0, 0]),
    (table.Total(numbers(2**31 - 1, 2**31 - 1, -(2**31), -(2**31), v(0)), 6, v(6), 1), [3]),
]  # fmt: skip
