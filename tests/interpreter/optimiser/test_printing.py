"""Table programs as text: every node has a printer, and a whole game reads like its rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from rulewright.interpreter.analysis import metering, nodes
from rulewright.interpreter.analysis.metering import Others
from rulewright.interpreter.analysis.nodes import Looked, Metered
from rulewright.interpreter.analysis.playing_form import reduced
from rulewright.interpreter.analysis.printing import (
    ENDS,
    PRINTERS,
    STATEMENTS,
    PrintedNames,
    PrintedValues,
    printed,
)
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Binary, Cell, Const, End, Expr, Items, List, Local, LocalList, Node, Stmt
from rulewright.tools.packs import loading
from tests.interpreter.programs_random import NEWER, random_program
from tests.interpreter.programs_rich import rich_program
from tests.interpreter.programs_shaped import beside

MODULES = (t, nodes, metering, nodes)
SORTS = (Expr, List, Stmt, End)


def classes() -> Iterator[type[Node]]:
    """The nodes of programs, without their bases."""
    for module in MODULES:
        for one in vars(module).values():
            own = isinstance(one, type) and issubclass(one, SORTS) and one.__module__ == module.__name__
            if own and one not in (*SORTS, t.Drawing):
                yield one


def first_game() -> t.TableProgram:
    options = ["kingdom=first-games", "treasures=all"]
    return loading.table(loading.compile_pack("dominion").program, 2, options)


def test_every_node_has_a_printer() -> None:
    found = {*classes()}
    assert {Const, t.TableList, t.Within, t.Emit, t.Restart, Metered, Others, Looked} <= found
    assert found == {*PRINTERS, *STATEMENTS, *ENDS}


@pytest.mark.parametrize("seed", range(NEWER, NEWER + 4))
def test_programs_with_every_node_are_printed(seed: int) -> None:
    for program in (random_program(seed), rich_program(seed)):
        lines = [*printed(program)]
        assert all(line.isprintable() for line in lines)
        assert sum(line.startswith("function ") for line in lines) == len(program.functions)


def test_shaped_programs_are_printed() -> None:
    assert all([*printed(program)] for program in beside())


VALUES = {
    Binary("-", Const(1), Binary("*", Local(2), Const(3))): "1 - (v2 * 3)",
    t.Checked("+", Local(0), Const(1), 0): "checked(v0 + 1)",
    t.And(t.Not(Local(0)), t.Or(Local(1), Local(2))): "(not v0) and (v1 or v2)",
    t.IfElse(Local(0), Const(1), Const(2)): "1 if v0 else 2",
    t.Within(Local(0), 1, 5, 0): "within(v0; 1 to 5)",
    t.Highest(LocalList(1), 2, Local(2), -1, True): "lowest(v2 for v2 in l1; -1 if empty)",
    t.Filter(LocalList(1), 2, t.Contains(LocalList(3), Local(2))): "[v2 for v2 in l1 if v2 in l3]",
    t.Take(LocalList(1), Const(2), True): "take-first(2, l1)",
    t.Ranked(LocalList(1), 2, Local(2), True): "ranked(v2 for v2 in l1; descending)",
    t.FlatMap(LocalList(1), 2, Items((Local(2), Const(7)))): "[*[v2, 7] for v2 in l1]",
    Looked(Local(0), ((2, (5, 6)),), ()): "v0 in {2: [5, 6], other: []}",
    Cell(Const(t.FUEL)): "fuel",
    Cell(Local(3)): "S[v3]",
}


def test_values() -> None:
    text = PrintedValues(PrintedNames(first_game()))
    assert {value: text.plain(value) for value in VALUES} == VALUES


def test_cells_and_zones_have_names() -> None:
    program = first_game()
    text = PrintedValues(PrintedNames(program))
    tracks = {track.key: track.address for track in program.tracks}
    turns, coins = tracks["turns-taken"], tracks["coins"]
    [piles] = [one.address for one in program.state_lists if one.key == "piles"]
    hand = next(number for number, zone in enumerate(program.zones) if zone.zone == "hand")
    cells = (Const(coins), Const(turns + 1), Binary("+", Const(turns), Local(4)))
    assert [*map(text.cell, cells)] == ["coins", "turns-taken[1]", "turns-taken[v4]"]
    assert [text.cells(Const(one)) for one in (piles, coins)] == ["piles", f"S[{coins} ...]"]
    assert text.zone(Const(hand + 1)) == "hand/2"
    assert text.zone(Binary("+", Local(0), Const(hand))) == "hand[v0]"
    place = Cell(Binary("+", Const(program.layout.places), Local(1)))
    assert text.plain(Binary("==", place, Const(hand))) == "place[v1] == hand/1"


def test_a_list_of_a_family_is_named_by_its_number() -> None:
    program = loading.table(loading.compile_pack("rattus-cartus").program, 2, [])
    [visitors] = [one for one in program.state_lists if one.key == "visitors"]
    stride = visitors.capacity + 1
    text = PrintedValues(PrintedNames(program))
    assert visitors.count > 1
    address = Binary("+", Const(visitors.address), Binary("*", Local(2), Const(stride)))
    assert text.cells(address) == "visitors[v2]"
    assert text.cells(Const(visitors.address + 3 * stride)) == "visitors[3]"
    assert text.cells(Const(visitors.address + 1)) == "visitors[cell 1]"


def test_a_whole_game(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(printed(reduced(first_game()))) == snapshot
