"""How deeply code is nested with all that it calls: bounds that every later pass and every backend can rely on.

Lowering, canonical text, the walker and generated Python follow expressions, blocks and plain calls inside each
other with calls of their own. One string is bounded by the parser, but functions that call functions, long lists of
cases and menus add up. Calls of units that can stop the game do not: they have frames in the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ruleset import program as p
from ruleset import table as t
from ruleset.diagnostic import Diagnostic
from ruleset.effects import FUNCTION, Effects
from ruleset.walk import children

MOST_LEVELS = 150
"""Nodes inside each other; a case adds one to those after it, an option of a menu to all of its menu."""
MOST_BLOCKS = 80
"""Conditions and loops inside each other: Python allows 100 levels of indentation."""
MOST_LOOPS = 16
"""Loops inside each other that no player stops: Python allows 20 blocks."""

_LOOPS = p.Loop | t.ForEach | t.While | p.Forever


@frozen
class Depth:
    """The levels, blocks and loops that a unit needs with all that it calls without stopping."""

    levels: int = 0
    blocks: int = 0
    loops: int = 0
    at: int = 0
    """Of a unit, where its deepest code is; 0 if only the unit has a place."""

    def within(self) -> bool:
        return self.levels <= MOST_LEVELS and self.blocks <= MOST_BLOCKS and self.loops <= MOST_LOOPS


def too_deep(effects: Effects) -> Iterator[Diagnostic]:
    """Findings about units that are nested too deeply, one for each cause. No plain calls may go in a circle."""
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
                depths[key] = Depth()  # units that call it are not to blame


def _depth(effects: Effects, key: str, depths: dict[str, Depth]) -> Depth:
    """The largest of each number over all paths into a unit."""
    levels = blocks = loops = at = 0
    nodes: list[tuple[Any, int]] = []
    """Each node after the node around it, whose number it has."""
    rest: list[tuple[Any, int]] = [(statement, -1) for statement in effects.units[key].body]
    while rest:
        node, around = rest.pop()
        rest.extend((child, len(nodes)) for child in children(node))
        nodes.append((node, around))
    cut = [effects.cuts(node) for node, _ in nodes]
    for number in range(len(nodes) - 1, -1, -1):
        if cut[number] and nodes[number][1] >= 0:
            cut[nodes[number][1]] = True
    depths_here: list[Depth] = []
    places: list[int] = []
    """The place of each node, or of the nearest one around it that has one."""
    for number, (node, around) in enumerate(nodes):
        above = depths_here[around] if around >= 0 else Depth()
        places.append(getattr(node, "at", 0) or (places[around] if around >= 0 else 0))
        outer = nodes[around][0] if around >= 0 else None
        chained = isinstance(node, t.If) and isinstance(outer, t.If) and _only(outer.otherwise, node)
        block = isinstance(node, t.If | _LOOPS) and not chained  # `elif` is no new block
        loop = isinstance(node, _LOOPS) and not cut[number]
        here = Depth(above.levels + 1 + _alternatives(effects, node), above.blocks + block, above.loops + loop)
        called = [depths.get(one, Depth()) for one in effects.calls(node) if one not in effects.suspending]
        below = max((one.levels + 1 for one in called), default=0)
        levels = max(levels, here.levels + below)
        blocks = max(blocks, here.blocks, *(here.blocks + one.blocks for one in called))
        loops = max(loops, here.loops, *(here.loops + one.loops for one in called))
        if isinstance(node, t.Expr | t.List):  # arguments may be copied to where they are used
            here = Depth(here.levels + below, here.blocks, here.loops)
        depths_here.append(here)
        if not at and not Depth(levels, blocks, loops).within():
            at = places[number]
    return Depth(levels, blocks, loops, at)


def _only(code: tuple[t.Stmt, ...], node: t.Stmt) -> bool:
    return len(code) == 1 and code[0] is node


def _alternatives(effects: Effects, node: Any) -> int:
    """Levels that the alternatives of a node add: they become a chain of conditions."""
    if isinstance(node, p.Menu | p.MenuTogether):
        return len(node.branches)
    return sum(1 for _ in effects.calls(node)) if isinstance(node, p.Worth) else 0


def _finding(effects: Effects, key: str, depth: Depth) -> Diagnostic:
    name = key.removeprefix(FUNCTION)
    if depth.loops > MOST_LOOPS:
        what, hint = f"{depth.loops} loops inside each other, at most {MOST_LOOPS}", "loop over fewer lists at once"
    elif depth.blocks > MOST_BLOCKS:
        what = f"{depth.blocks} conditions and loops inside each other, at most {MOST_BLOCKS}"
        hint = "join conditions with `and`"
    else:
        what = f"{depth.levels} levels of code inside each other, at most {MOST_LEVELS}"
        hint = "let fewer verbs and functions call each other, and write fewer cases or options in one list"
    message = f"`{name}` has, with all that it calls, {what} are possible"
    return Diagnostic("RW211", effects.program.sources[depth.at or effects.units[key].at].span, message, hint)
