"""Lists of the state that are also kept as sets of bits, to ask about all members at once.

That is done for lists of definitions of which a rule filters members by their tables, if all code that writes to
the state says which list it means.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.optimiser.flow_facts import base_of
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, Local, TableProgram
from ruleset.table.traversal import everything

MOST = 64
"""Members of a set of bits."""


def listed(program: TableProgram) -> tuple[int, ...]:
    """Return the addresses of the lists that are kept as sets, too."""
    code = [*(function.body for function in program.functions), *(segment.tree for segment in program.segments)]
    ranges, filtered = list(_families(program)), set()
    for node in everything(tuple(code)):
        match node:
            case t.SetCell() | t.SetCells() | t.Append() | t.Remove():
                if not isinstance(node.address, Const) and not _within(node.address, ranges):
                    return ()
            case t.Filter(t.CellList(Const(address)), slot, condition):
                looking = (part for part in everything(condition) if isinstance(part, t.Table))
                if any(Local(slot) in everything(part.index) for part in looking):
                    filtered.add(address)
    return tuple(info.address for info in program.state_lists if info.count == 1 and info.address in filtered)


def _families(program: TableProgram) -> Iterator[tuple[int, int]]:
    """Iterate over the ranges of cells of tracks and of lists of which there are several."""
    for track in program.tracks:
        yield track.address, track.address + track.count
        if track.arrival >= 0:
            yield track.arrival - 1, track.arrival + track.count
    for info in program.state_lists:
        if info.count > 1:
            yield info.address, info.address + info.count * (info.capacity + 1)


def _within(address: Expr, ranges: list[tuple[int, int]]) -> bool:
    """Return whether an address is worked out from the start of one of these ranges."""
    base = base_of(address)
    return base is not None and any(start <= base < end for start, end in ranges)
