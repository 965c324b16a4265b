"""The properties that must hold for every table program, and a reducer for programs that fail."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from rulewright.interpreter.backends.native.module import NativeBackend
from rulewright.interpreter.backends.native.toolchain import Compiler
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.canonical import everything, transform
from rulewright.ruleset.table.nodes import Const, Expr, List, Segment, Stmt, TableProgram, Tree
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import same_many, same_played_on

GAMES = 3
"""Of each program, in lock-step; whole games are as many."""
MOST_SECONDS = 240.0
"""How long a failing program is tried with less in it."""


@frozen
class Tried:
    """What a program is tried on: native code of these compilers.

    A game in lock-step has so many answers at most.
    """

    compilers: tuple[Compiler, ...]
    answers: int = 40


def check(program: TableProgram, seed: int, on: Tried, games: int = GAMES) -> None:
    """Compares all backends in steps, in whole games, and in games played on. Raises what they raise."""
    native = [NativeBackend(program, by=compiler) for compiler in on.compilers]
    lockstep(program, games, seed, [Walker(program), *native], on.answers)
    for compiler in on.compilers:
        same_many(program, games, seed, by=compiler)
        same_played_on(program, 1, seed, compiler)


# ------------------------------------------------------------------ less of it

def smaller(
    program: TableProgram, fails: Callable[[TableProgram], bool], seconds: float = MOST_SECONDS
) -> TableProgram:
    """What is left of a failing program when what does not matter is taken out: statements, then branches and ways
    to go on, then parts of expressions. Large parts are tried first.
    """
    end = time.monotonic() + seconds
    for less in (_without_statements, _without_branches, _without_statements, _simpler):
        tried = 0
        while time.monotonic() < end:
            candidate = next(islice(less(program), tried, None), None)
            if candidate is None:
                break
            if fails(candidate):
                program = candidate
            else:
                tried += 1
    return program


def _without_statements(program: TableProgram) -> Iterator[TableProgram]:
    """Each time without all statements that stand together, or half of them, or one."""
    bodies = _bodies(program)
    for place in sorted(range(len(bodies)), key=lambda one: -sum(1 for _ in everything(bodies[one]))):
        body, middle = bodies[place], len(bodies[place]) // 2
        parts = [(0, len(body)), (0, middle), (middle, len(body)), *((at, at + 1) for at in range(len(body)))]
        for start, end in dict.fromkeys(part for part in parts if part[0] < part[1]):
            yield _with_body(program, place, (*body[:start], *body[end:]))


def _bodies(program: TableProgram) -> list[tuple[Stmt, ...]]:
    found: list[tuple[Stmt, ...]] = []
    _with_bodies(program, lambda body: found.append(body) or body)
    return found


def _with_body(program: TableProgram, place: int, instead: tuple[Stmt, ...]) -> TableProgram:
    numbers = iter(range(1 << 30))
    return _with_bodies(program, lambda body: instead if next(numbers) == place else body)


def _with_bodies(program: TableProgram, change: Callable[[tuple[Stmt, ...]], tuple[Stmt, ...]]) -> TableProgram:
    """The program with other bodies, always in the same order."""

    def changed(node: object) -> object:
        match node:
            case Tree():
                return evolve(node, body=change(node.body))
            case table.If():
                return evolve(node, then=change(node.then), otherwise=change(node.otherwise))
            case table.ForEach() | table.While():
                return evolve(node, body=change(node.body))
        return node

    functions = tuple(
        evolve(one, body=(*change(one.body[:-1]), *one.body[-1:])) for one in _each(program.functions, changed)
    )
    return evolve(program, functions=functions, segments=_each(program.segments, changed))


def _each(nodes: tuple[Any, ...], changed: Callable[[object], object]) -> tuple[Any, ...]:
    return tuple(transform(node, changed) for node in nodes)


def _without_branches(program: TableProgram) -> Iterator[TableProgram]:
    """Each time one segment goes only one way, or is the end of the game."""
    for number, segment in enumerate(program.segments):
        end = segment.tree.end
        ends: list[Tree] = []
        if isinstance(end, table.Branch):
            ends = [Tree((*segment.tree.body, *way.body), way.end) for way in (end.then, end.otherwise)]
        elif isinstance(end, table.Invoke | table.InvokeTable):
            ends = [Tree(segment.tree.body, table.Goto(end.resume))]
        elif isinstance(end, table.Goto):
            ends = [Tree(segment.tree.body, table.Return(None))]
        for tree in ends:
            yield _with_segment(program, number, evolve(segment, tree=tree))


def _with_segment(program: TableProgram, number: int, segment: Segment) -> TableProgram:
    segments = (*program.segments[:number], segment, *program.segments[number + 1 :])
    return evolve(program, segments=segments)


def _simpler(program: TableProgram) -> Iterator[TableProgram]:
    """Each time one part of an expression stands for the whole, or a constant does."""
    places = _expressions(program)
    for place, node in enumerate(places):
        for instead in _instead(node):
            yield _with_expression(program, place, instead)


def _instead(node: Expr | List) -> Iterator[Expr | List]:
    kind = Expr if isinstance(node, Expr) else List
    for name in node.__attrs_attrs__:
        part = getattr(node, name.name)
        if isinstance(part, kind) and name.name != "body":
            yield part
    if isinstance(node, List) and node != table.Items(()):
        yield table.Items(())
    if isinstance(node, Expr) and not isinstance(node, Const):
        yield Const(0)
        yield Const(1)


def _expressions(program: TableProgram) -> list[Expr | List]:
    found: list[Expr | List] = []
    _with_expressions(program, lambda node: found.append(node) or node)
    return found


def _with_expression(program: TableProgram, place: int, instead: Expr | List) -> TableProgram:
    numbers = iter(range(1 << 30))
    return _with_expressions(program, lambda node: instead if next(numbers) == place else node)


def _with_expressions(program: TableProgram, change: Callable[[Expr | List], Expr | List]) -> TableProgram:
    def changed(node: object) -> object:
        return change(node) if isinstance(node, Expr | List) else node

    return evolve(program, functions=_each(program.functions, changed), segments=_each(program.segments, changed))
