"""Bound the nesting of code, including what it calls, for all later passes and backends.

Lowering, canonical text, the walker, and the writer of C process nested expressions, blocks, and plain calls
recursively. The parser bounds a single string, but functions that call functions, long lists of cases, and menus
add up. Calls of units that can suspend the game do not count: they have frames in the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import FUNCTION, Effects
from rulewright.ruleset.program.traversal import Walk
from rulewright.ruleset.table import nodes as t

MOST_LEVELS = 150
"""Limit of nested nodes; a case adds a level to all later cases, and an option to its whole menu."""
MOST_BLOCKS = 80
"""Limit of nested conditions and loops: Python allows 100 levels of indentation."""
MOST_LOOPS = 16
"""Limit of nested loops in which no player is asked: Python allows 20 blocks."""

_LOOPS = (p.Loop, t.ForEach, t.While, p.Forever)
_BLOCKS = (t.If, *_LOOPS)
_VALUES = (t.Expr, t.List)
_MENUS = (p.Menu, p.MenuTogether)


class _Counting(dict[type, bool]):
    """Whether nodes of a class add more than one level."""

    def __missing__(self, kind: type) -> bool:
        known = self[kind] = issubclass(kind, _BLOCKS) or Effects.matters(kind)
        return known


_COUNTS = _Counting()


@frozen(repr=False)
class Depth(Record):
    """The levels, blocks, and loops of a unit with all that it calls without suspending."""

    levels: int = 0
    blocks: int = 0
    loops: int = 0
    at: int = 0
    """The place of the unit's deepest code; 0 if only the unit has a place."""

    def within(self) -> bool:
        """Whether all limits are met."""
        return self.levels <= MOST_LEVELS and self.blocks <= MOST_BLOCKS and self.loops <= MOST_LOOPS


_NOTHING = Depth()


def too_deep(effects: Effects) -> Iterator[Diagnostic]:
    """Report units that are nested too deeply, once per cause. Plain calls must have no cycles."""
    depths: dict[str, Depth] = {}
    for start in effects.units:
        waiting = [start]
        while waiting:
            key = waiting[-1]
            missing = [] if key in depths else [one for one in effects.plain_calls(key) if one not in depths]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            if key in depths:
                continue
            depths[key] = _depth(effects, key, depths)
            if not depths[key].within():
                yield _finding(effects, key, depths[key])
                depths[key] = Depth()  # do not blame the callers


def _depth(effects: Effects, key: str, depths: dict[str, Depth]) -> Depth:
    """Return the maximum of each number over all paths into a unit."""
    walk = effects.walks.of(effects.units[key])
    nodes, arounds = walk.nodes, walk.arounds
    levels = blocks = loops = 0
    over: set[int] = set()
    """The nodes at which a limit is exceeded."""
    cut: list[bool] | None = None
    # The numbers of each node. The last entry belongs to the unit itself, as node -1.
    levels_here, blocks_here, loops_here = ([0] * (len(nodes) + 1) for _ in range(3))
    for number, node in enumerate(nodes):
        around = arounds[number]
        level, block, loop = levels_here[around] + 1, blocks_here[around], loops_here[around]
        if _COUNTS[type(node)]:
            if isinstance(node, _BLOCKS):
                outer = nodes[around] if around >= 0 else None
                chained = isinstance(node, t.If) and isinstance(outer, t.If) and _only(outer.otherwise, node)
                block += not chained  # `elif` is not a new block
            if isinstance(node, _LOOPS):
                cut = _cut(effects, walk) if cut is None else cut
                loop += not cut[number]
            below, blocks_below, loops_below = 0, block, loop
            if effects.matters(type(node)):
                level += _alternatives(effects, node)
                for one in effects.calls(node):
                    if one not in effects.suspending:
                        called = depths.get(one, _NOTHING)
                        below = max(below, called.levels + 1)
                        blocks_below = max(blocks_below, block + called.blocks)
                        loops_below = max(loops_below, loop + called.loops)
            deepest = level + below
            blocks, loops = max(blocks, blocks_below), max(loops, loops_below)
            if blocks_below > MOST_BLOCKS or loops_below > MOST_LOOPS:
                over.add(number)
            if below and isinstance(node, _VALUES):  # arguments may be inlined where they are used
                level += below
        else:
            deepest = level
        if deepest > levels:
            levels = deepest
        if deepest > MOST_LEVELS:
            over.add(number)
        levels_here[number], blocks_here[number], loops_here[number] = level, block, loop
    return Depth(levels, blocks, loops, _place(walk, over) if over else 0)


def _place(walk: Walk, over: set[int]) -> int:
    """Return the place of the last of some nodes; if it has none, the place before it."""
    inside: list[list[int]] = [[] for _ in range(len(walk.nodes) + 1)]
    places = [0] * (len(walk.nodes) + 1)  # the last entry, with number -1, belongs to the unit itself
    for number, (node, around) in enumerate(zip(walk.nodes, walk.arounds, strict=True)):
        inside[around].append(number)
        places[number] = getattr(node, "at", 0) or places[around]
    found = False
    rest = inside[-1]
    while rest:
        number = rest.pop()
        found = found or number in over
        if found and places[number]:
            return places[number]
        rest.extend(inside[number])
    return 0


def _cut(effects: Effects, walk: Walk) -> list[bool]:
    """Return, for each node, whether a player can be asked in it, or it can be left."""
    cut = [effects.cuts(node) for node in walk.nodes]
    for number in range(len(cut) - 1, -1, -1):
        if cut[number] and walk.arounds[number] >= 0:
            cut[walk.arounds[number]] = True
    return cut


def _only(code: tuple[t.Stmt, ...], node: t.Stmt) -> bool:
    return len(code) == 1 and code[0] is node


def _alternatives(effects: Effects, node: Any) -> int:
    """Return the levels that a node's alternatives add.

    Those of a menu become a chain of conditions; the expressions of definitions are found by bisection.
    """
    if isinstance(node, _MENUS):
        return len(node.branches)
    return sum(1 for _ in effects.calls(node)).bit_length() if isinstance(node, p.Worth) else 0


def _finding(effects: Effects, key: str, depth: Depth) -> Diagnostic:
    name = key.removeprefix(FUNCTION)
    if depth.loops > MOST_LOOPS:
        what = f"{depth.loops} loops inside each other; the limit is {MOST_LOOPS}"
        hint = "loop over fewer lists at once"
    elif depth.blocks > MOST_BLOCKS:
        what = f"{depth.blocks} conditions and loops inside each other; the limit is {MOST_BLOCKS}"
        hint = "join conditions with `and`"
    else:
        what = f"{depth.levels} levels of code inside each other; the limit is {MOST_LEVELS}"
        hint = "let fewer verbs and functions call each other, and write fewer cases or options in one list"
    message = f"`{name}`, with everything that it calls, has {what}"
    return Diagnostic("RW211", effects.program.sources[depth.at or effects.units[key].at].span, message, hint)
