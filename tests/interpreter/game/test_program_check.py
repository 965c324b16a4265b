"""Invalid programs in journals are rejected before they run, and valid ones are accepted."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from interpreter.game.code_check import ProgramError
from interpreter.game.game import Game
from interpreter.game.journal import Journal, JournalError, header_of, read, write
from interpreter.game.program_check import MAX_CELLS, check_program
from ruleset.lower.lowering import lower
from ruleset.pipeline import load
from ruleset.table import nodes as t
from ruleset.table.canonical import program_hash
from ruleset.table.nodes import TableProgram
from tests.interpreter.cellar import cellar

ROOT = Path(__file__).parents[3]
AT = 0
"""A source that is there."""
FOREVER = t.Const(1)


@cache
def program() -> TableProgram:
    loaded = load(ROOT / "tests" / "packs" / "bazaar").program
    assert loaded is not None
    return lower(loaded, 2, {})


NEW = len(program().tables)
"""The number of one more table."""


def test_good_programs_are_accepted() -> None:
    check_program(program())
    check_program(cellar())


def main_with(tree: t.Tree) -> TableProgram:
    """The game whose first segment is another."""
    own = program()
    first = own.procedures[own.entry].entry
    segments = [*own.segments]
    segments[first] = evolve(segments[first], tree=tree)
    return evolve(own, segments=tuple(segments))


def stmt(*statements: t.Stmt) -> Callable[[], TableProgram]:
    return lambda: main_with(t.Tree(statements, t.Finish()))


def end(make: Callable[[int], t.End]) -> Callable[[], TableProgram]:
    """The first segment ends otherwise; `make` is given its number."""
    own = program()
    return lambda: main_with(t.Tree((), make(own.procedures[own.entry].entry)))


def changed(**fields: Any) -> Callable[[], TableProgram]:
    return lambda: evolve(program(), **fields)


def layout(**fields: int) -> Callable[[], TableProgram]:
    return lambda: evolve(program(), layout=evolve(program().layout, **fields))


def first(field: str, **fields: Any) -> Callable[[], TableProgram]:
    """The first of some things is otherwise."""

    def make() -> TableProgram:
        things = getattr(program(), field)
        return evolve(program(), **{field: (evolve(things[0], **fields), *things[1:])})

    return make


def functions(*bodies: tuple[t.Stmt, ...]) -> Callable[[], TableProgram]:
    """Functions without parameters, instead of those that there are, called by the first segment."""

    def make() -> TableProgram:
        made = tuple(t.Function(f"f{number}", 0, (), body, AT) for number, body in enumerate(bodies))
        return evolve(main_with(t.Tree((t.Do(0, ()),), t.Finish())), functions=made, bots=None)

    return make


def with_table(make: Callable[[], TableProgram], *row: int) -> Callable[[], TableProgram]:
    """One more table."""
    return lambda: evolve(make(), tables=(*program().tables, row))


def deep(levels: int) -> t.Expr:
    node: t.Expr = t.Const(1)
    for _ in range(levels):
        node = t.Not(node)
    return node


def growing(items: t.List, *more: t.Stmt) -> Callable[[], TableProgram]:
    """A function that sets its list of at most 10 members; another one takes such a list and gives it twice."""
    slots = (t.Slot("list", 10, False, -1), t.Slot("other", 10, False, -1), t.Slot("number", 0, False, -1))
    own = t.Function("hostile", 0, slots, (t.SetList(0, items), *more), AT)
    twice = t.Function("twice", 1, slots, (t.Give(t.Concat(LIST, LIST)),), AT)
    return lambda: evolve(stmt(t.Do(0, ()))(), functions=(own, twice), bots=None)


LIST, OTHER, ONE = t.LocalList(0), t.LocalList(1), t.Items((FOREVER,))
DRAWN = FOREVER, FOREVER, FOREVER, False
ROOM = "exceed its room of 10 members"
HOSTILE: dict[str, tuple[Callable[[], TableProgram], str]] = {
    "jump to nowhere": (end(lambda own: t.Goto(9999)), "no segment 9999"),
    "jump below": (end(lambda own: t.Goto(-1)), "no segment -1"),
    "jump to itself": (end(t.Goto), "endless loop"),
    "question": (end(lambda own: t.Ask(99, t.Items(()), 0, t.Items(()), FOREVER, FOREVER, own, AT)), "no site 99"),
    "call of nothing": (stmt(t.Do(77, ())), "no function 77"),
    "call with too much": (functions((t.Do(1, (FOREVER,)),), ()), "other arguments"),
    "recursion": (functions((t.Do(1, ()),), (t.Do(0, ()),)), "call each other in a cycle"),
    "self-recursion": (functions((t.Do(0, ()),)), "call each other in a cycle"),
    "recursion by a table": (
        with_table(functions((t.DoTable(NEW, t.Const(0), ()),), (t.Do(0, ()),)), -1, 1),
        "call each other in a cycle",
    ),
    "no value": (functions((t.Do(1, ()),), (t.Change(0, t.Const(0), t.Call(2, ()), AT),), ()), "gives no value"),
    "table": (stmt(t.SetCell(t.Const(8), t.Table(99, FOREVER))), "no table 99"),
    "lists": (stmt(t.Reveal(t.TableList(99, FOREVER), FOREVER, AT)), "no table of lists 99"),
    "homes": (stmt(t.SendHome(t.Items(()), 99, None, AT)), "no table 99"),
    "slot": (stmt(t.SetLocal(99, FOREVER)), "no slot 99"),
    "slot of a draw": (stmt(t.Draw(*DRAWN, 99, AT)), "no slot 99"),
    "slot of a draw from the bottom": (stmt(t.DrawBottom(*DRAWN, 99, AT)), "no slot 99"),
    "track": (stmt(t.Change(99, FOREVER, FOREVER, AT)), "no track 99"),
    "source": (stmt(t.Charge(99_999)), "no source 99999"),
    "event": (stmt(t.Emit("nonsense", (), None, FOREVER, FOREVER, AT)), "no event"),
    "points without a reason": (stmt(t.Emit("scored", (FOREVER,) * 2, None, FOREVER, FOREVER, AT)), "lacks values"),
    "too many reasons": (stmt(t.Emit("scored", (FOREVER,) * 4, None, FOREVER, FOREVER, AT)), "lacks values"),
    "give in a segment": (stmt(t.Give(FOREVER)), "gives a value"),
    "fuel": (stmt(t.SetCell(t.Const(7), t.Const(9))), "belongs to the engine"),
    "segment": (stmt(t.SetCells(t.Const(4), t.Items(()))), "belongs to the engine"),
    "depth": (stmt(t.SetCell(t.Const(8), deep(150))), "nested too deeply"),
    "number": (stmt(t.SetCell(t.Const(8), t.Const(2**40))), "too large"),
    "cells": (layout(cells=MAX_CELLS + 1), "a state has"),
    "options": (layout(options=10**6), "layout of decisions"),
    "stack": (layout(stack=10**9), "layout of the program"),
    "seats": (changed(seats=65), "1 to 64 seats"),
    "entry": (changed(entry=-1), "no procedure -1"),
    "no procedures": (changed(procedures=()), "no procedure"),
    "zone out of the state": (first("zones", address=10**6), "uses cells of something else"),
    "zone too large": (first("zones", capacity=10**6), "uses cells of something else"),
    "zone of nobody": (first("zones", owner=9), "seat that does not exist"),
    "zone refilled by itself": (first("zones", refill=0), "refilled from a zone that does not exist"),
    "cards elsewhere": (first("zones", accepts=(10**4,)), "accepts cards"),
    "face": (first("cards", face=10**6), "impossible face"),
    "track out of the state": (first("tracks", address=0), "uses cells of something else"),
    "track below its bounds": (first("tracks", low=9), "starts outside its bounds"),
    "track above its bounds": (first("tracks", high=-9), "starts outside its bounds"),
    "track without numbers": (first("tracks", start=()), "different lengths"),
    "lists out of the state": (first("state_lists", capacity=10**6), "uses cells of something else"),
    "frame": (first("procedures", size=1), "frame|size"),
    "start": (changed(start=((0, (0, 0)),)), "two places"),
    "start nowhere": (changed(start=((99, ()),)), "no zone 99"),
    "a list twice": (growing(t.Concat(LIST, LIST)), ROOM),
    "two lists": (growing(t.Concat(t.Filter(LIST, 2, FOREVER), t.Concat(ONE, OTHER))), ROOM),
    "a list for each of another": (growing(t.FlatMap(t.Items((FOREVER,) * 2), 2, LIST)), ROOM),
    "a list for each of its own": (growing(t.FlatMap(LIST, 2, t.Items((FOREVER,) * 2))), ROOM),
    "a list that a call doubles": (growing(t.CallList(1, (LIST,))), ROOM),
    "a list given twice": (growing(t.Take(t.CallList(1, (t.Concat(LIST, LIST),)), FOREVER, True)), ROOM),
    "position": (changed(position=((7, 1),)), "outside"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_is_refused(name: str) -> None:
    make, words = HOSTILE[name]
    with pytest.raises(ProgramError, match=words):
        check_program(make())


def test_lists_that_gain_members_are_accepted() -> None:
    """One by one; and two that have room together."""
    for items in (t.Concat(LIST, ONE), t.Choice(FOREVER, LIST, OTHER), t.Concat(t.Take(LIST, t.Const(5), True),
                  t.Take(OTHER, t.Const(5), True))):  # fmt: skip
        check_program(growing(items)())


def test_a_list_that_would_take_all_memory_is_refused_at_once(tmp_path: Path) -> None:
    """In the process that loads it, where nothing bounds its memory."""
    doubled = [t.SetList(0, t.Concat(LIST, LIST))] * 40
    table = growing(ONE, *doubled)()
    path = tmp_path / "x"
    path.write_text(write(Journal(header_of(table, 1), table, ())), "utf-8")
    began = time.process_time()
    with pytest.raises(JournalError, match=ROOM):
        Game.load(path)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("pack", ["bluff", "orchard", "sealed", "tides", "wards"])
def test_programs_of_packs_are_accepted(pack: str) -> None:
    """With bots, windows, loops that ask, and answers at the same time."""
    loaded = load(ROOT / "tests" / "packs" / pack).program
    assert loaded is not None
    for seats in (loaded.least_players, loaded.most_players):
        check_program(lower(loaded, seats, {}))


def test_a_hostile_program_with_a_right_hash_is_refused() -> None:
    """A hash in the header proves nothing: who writes a program can also write its hash."""
    hostile = HOSTILE["jump to itself"][0]()
    good = Game.start(program(), 1).journal
    header = evolve(good.header, program=program_hash(hostile))
    with pytest.raises(JournalError, match="endless loop"):
        read(write(evolve(good, header=header, program=hostile)))
    assert read(write(good)).header == good.header
