"""What units do, including everything they call.

Fixpoints over the call graph: which units can suspend, which can eliminate a player, which call each other in
cycles, and which derived values are read again after their source was emptied.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import Walk, Walks, children
from rulewright.ruleset.table import nodes as t

# ---- Memoised searches of nested code that is queried repeatedly, each time with another level around it

Found = TypeVar("Found", bound=Hashable)
_NOTHING: frozenset[Any] = frozenset()


class Inside(Generic[Found]):
    """The union of the results of a function for a node and all nodes in it. Each node is visited once."""

    def __init__(self, find: Callable[[Any], Iterable[Found]]) -> None:
        self._find = find
        self._known: dict[int, tuple[Any, frozenset[Found]]] = {}
        """By identity of nodes, which are kept alive so that their ids stay unique."""

    def of(self, node: Any) -> frozenset[Found]:
        """Return the results for a node and its contents."""
        known = self._known.get(id(node))
        return known[1] if known is not None else self._looked(node)

    def among(self, nodes: Iterable[Any]) -> frozenset[Found]:
        """Return the results for some nodes and their contents."""
        found = _NOTHING
        for node in nodes:
            found = _joined(found, self.of(node))
        return found

    def _looked(self, node: Any) -> frozenset[Found]:
        nodes: list[Any] = []
        arounds: list[int] = []  # for each node, the number of its parent
        found: list[frozenset[Found]] = []
        rest, outer = [node], [0]
        while rest:
            one, around = rest.pop(), outer.pop()
            known = self._known.get(id(one))
            if known is not None:
                found[around] = _joined(found[around], known[1])
                continue
            below = children(one)
            rest += below
            outer += [len(nodes)] * len(below)
            nodes.append(one)
            arounds.append(around)
            own = self._find(one)
            found.append(frozenset(own) if own else _NOTHING)
        for number in range(len(nodes) - 1, -1, -1):  # children come after their parent
            self._known[id(nodes[number])] = nodes[number], found[number]
            if number:
                found[arounds[number]] = _joined(found[arounds[number]], found[number])
        return found[0]


def labels_left(node: Any) -> tuple[int, ...]:
    """Return the label of the block that a node leaves, for use in `Inside`."""
    return (node.label,) if isinstance(node, p.Leave) else ()


def sources_announced(node: Any) -> tuple[int, ...]:
    """Return the source of the message that a node announces, for use in `Inside`."""
    return (node.at,) if isinstance(node, t.Emit) and node.kind == "announced" and node.at >= 0 else ()


def _joined(one: frozenset[Found], other: frozenset[Found]) -> frozenset[Found]:
    """Return the union, without a new object if one is empty or both are the same."""
    if not other or other is one:
        return one
    return one | other if one else other


# ---- Call effects

FUNCTION = "function/"
"""Prefix of a function's key where functions and other units share a mapping."""


def units_of(program: p.Program) -> dict[str, p.Unit]:
    """Return all code of a program by key."""
    units = {unit.key: unit for unit in (*program.units, program.main)}
    return units | {FUNCTION + f.unit.key: f.unit for f in program.functions}


_ASKING = (
    *(p.Choose, p.ChooseTogether, p.Menu, p.MenuTogether, p.EndGame, p.NextGameStatement, p.Forever),
    *(p.CallUnit, p.OpenWindow, p.GiveBack),
)
_DERIVING = (p.Invocation, p.InvocationList, t.MoveAll)
_CALLING = (
    *(p.CallVerb, p.CallUnit, p.OpenWindow, p.PerformField),
    *(p.Invocation, p.InvocationList, p.EndGame, p.Worth),
)


_INVOKING = (p.Invocation, p.InvocationList)


class _Mattering(dict[type, bool]):
    """Whether nodes of a class ask, call, leave, eliminate a player, or derive a value."""

    def __missing__(self, kind: type) -> bool:
        known = self[kind] = issubclass(kind, (*_ASKING, *_CALLING, *_DERIVING, p.Leave, p.Eliminate))
        return known


_MATTERS = _Mattering()


@frozen(repr=False)
class _Summary(Record):
    """The contents of a unit's body: whether it asks or eliminates by itself, and the units that it calls."""

    asks: bool
    removes: bool
    calls: frozenset[str]
    """All except those that end the game."""
    all_calls: frozenset[str]
    derives: tuple[Any, ...]
    """Nodes that derive values or empty zones, in order."""


class Effects:
    """The effects of all units of a program."""

    def __init__(self, program: p.Program, walks: Walks | None = None) -> None:
        self.program = program
        self.walks = walks or Walks()
        self.units = units_of(program)
        self._zones_read: dict[str, list[str]] = {}
        self._performed: dict[str, list[str]] = {}
        self._valued: dict[str, list[str]] = {}
        for definition in program.definitions:
            for field, keys in definition.effects:
                self._performed.setdefault(field, []).extend(keys)
            for field, key in definition.expressions:
                self._valued.setdefault(field, []).append(key)
        self._summaries = {key: self._summary(unit) for key, unit in self.units.items()}
        self.suspending = self._fixpoint({key for key, one in self._summaries.items() if one.asks})
        self.eliminating = self._fixpoint({key for key, one in self._summaries.items() if one.removes})
        self._with_some_out = self._after_exits()
        self._cutting = Inside(lambda node: (True,) if self.cuts(node) else ())
        self._removing = Inside(lambda node: (True,) if self._takes_out(node) else ())
        self._left = Inside(labels_left)

    def suspends(self, statement: t.Stmt) -> bool:
        """Whether a statement can suspend the game or leave the straight order of its unit."""
        return bool(self._cutting.of(statement))

    @staticmethod
    def matters(kind: type) -> bool:
        """Whether nodes of a class ask, call, leave, eliminate a player, or derive a value."""
        return _MATTERS[kind]

    def cuts(self, node: Any) -> bool:
        """Whether a node, without its children, can suspend the game or leave the straight order."""
        if not _MATTERS[type(node)]:
            return False
        return isinstance(node, p.Leave) or self._does(node, self._asks, self.suspending)

    def eliminates(self, statement: t.Stmt) -> bool:
        """Whether a statement can eliminate a player."""
        return bool(self._removing.of(statement))

    def somebody_out(self, key: str) -> bool:
        """Whether a player can be out of the game while a unit runs."""
        return key in self._with_some_out

    def _after_exits(self) -> set[str]:
        """Return the units that can run when players are out: all, or those at the end of the game, or none."""
        lists = (one for one in self.program.main.body if isinstance(one, p.SetStateList))
        some_out = any(one.list == "living" and one.items != p.Everyone() for one in lists)
        if "main" in self.eliminating or some_out:
            return set(self.units)
        found = {"finish"} & self.eliminating
        rest = list(found)
        while rest:
            new = self._summaries[rest.pop()].all_calls - found
            found |= new
            rest.extend(new)
        return found

    def left(self, code: Iterable[t.Stmt]) -> frozenset[int]:
        """Return the labels of the blocks that a piece of code leaves."""
        return self._left.among(code)

    def performed(self, field: str) -> list[str]:
        """Return the units that definitions have for an effect."""
        return self._performed.get(field, [])

    def within_itself(self, key: str) -> bool:
        """Whether a unit can be called while it runs."""
        seen: set[str] = set()
        rest = [key]
        while rest:
            called = self._summaries[rest.pop()].calls
            if key in called:
                return True
            rest += called - seen
            seen |= called
        return False

    def plain_calls(self, key: str) -> Iterator[str]:
        """Yield the called units that cannot suspend the game."""
        return (one for one in self._summaries[key].all_calls if one not in self.suspending)

    def calls(self, node: Any) -> Iterator[str]:
        """Yield the units that a node calls directly."""
        if isinstance(node, p.CallVerb):
            yield node.verb
        elif isinstance(node, p.CallUnit):
            yield node.unit
        elif isinstance(node, p.OpenWindow):
            yield f"window/{node.window}"
        elif isinstance(node, p.PerformField):
            yield from self.performed(node.field)
        elif isinstance(node, _INVOKING):
            yield FUNCTION + node.function
        elif isinstance(node, p.EndGame):
            yield "finish"
            if p.BETWEEN in self.units:
                yield p.BETWEEN
        elif isinstance(node, p.Worth):
            yield from self._valued.get(node.field, ())

    def _summary(self, unit: p.Unit) -> _Summary:
        asks = removes = False
        calls: set[str] = set()
        ends: set[str] = set()
        derives: list[Any] = []
        for node in self.walks.of(unit).nodes:
            if not _MATTERS[type(node)]:
                continue
            asks = asks or self._asks(node)
            removes = removes or self._removes(node)
            (ends if isinstance(node, p.EndGame) else calls).update(self.calls(node))
            if isinstance(node, _DERIVING):
                derives.append(node)
        return _Summary(asks, removes, frozenset(calls), frozenset(calls | ends), tuple(derives))

    def _fixpoint(self, found: set[str]) -> set[str]:
        """Return these units and all units that call them, directly or indirectly."""
        callers: dict[str, list[str]] = {}
        for key, one in self._summaries.items():
            for callee in one.calls:
                callers.setdefault(callee, []).append(key)
        rest = list(found)
        while rest:
            new = [key for key in callers.get(rest.pop(), ()) if key not in found]
            found.update(new)
            rest.extend(new)
        return found

    def _takes_out(self, node: Any) -> bool:
        """Whether a node, without its children, can eliminate a player."""
        return _MATTERS[type(node)] and self._does(node, self._removes, self.eliminating)

    def _does(self, node: Any, does: Callable[[Any], bool], found: set[str]) -> bool:
        return does(node) or any(key in found for key in self.calls(node) if not isinstance(node, p.EndGame))

    @staticmethod
    def _asks(node: Any) -> bool:
        if isinstance(node, p.Leave):
            return bool(node.label)
        return isinstance(node, _ASKING)

    @staticmethod
    def _removes(node: Any) -> bool:
        return isinstance(node, p.Eliminate)

    # -------------------------------------------------------------- findings

    def circles(self) -> Iterator[Diagnostic]:
        """Report units that call each other in a cycle without asking a player: they might never end."""
        graph = {
            key: sorted(one.all_calls - self.suspending)
            for key, one in self._summaries.items()
            if key not in self.suspending
        }
        reported: set[str] = set()
        for start in _in_circles(graph):
            path = _circle(start, graph) if start not in reported else []
            if path and not set(path) & reported:
                reported.update(path)
                span = self.program.sources[self.units[start].at].span
                told = [key for key in path if not p.is_field_reader(key.removeprefix(FUNCTION))]
                names = " -> ".join(key.removeprefix(FUNCTION) for key in told)
                hint = "break the cycle, or ask a player on the way"
                if len(told) < len(path):
                    hint = "write `result` in the modifier: reading the field itself runs the modifier again"
                labels = tuple(
                    Label(self.program.sources[self.units[key].at].span, "on the way") for key in told[1:-1]
                )
                yield Diagnostic("RW502", span, f"this calls itself without end: {names}", hint, labels)

    def stale(self) -> Iterator[Diagnostic]:
        """Report derived values that are read before and after the zone they depend on is emptied."""
        values = {value.key for value in self.program.values}
        for summary in self._summaries.values():
            seen: dict[str, int] = {}
            emptied: dict[str, int] = {}
            told: set[str] = set()
            for node in summary.derives:
                if isinstance(node, _INVOKING):
                    key = node.function
                    if p.is_field_reader(key) or key in values:  # for its readers this is no derived value
                        continue
                    first = seen.setdefault(key, node.at)
                    gone = [zone for zone in self._reads(key) if emptied.get(zone, -1) > first] if emptied else []
                    if gone and node.at > emptied[gone[0]] and key not in told:
                        told.add(key)
                        sources = self.program.sources
                        labels = (
                            Label(sources[first].span, "read here first"),
                            Label(sources[emptied[gone[0]]].span, f"`{gone[0]}` is emptied here"),
                        )
                        message = f"`{key}` is computed again here, after `{gone[0]}` was emptied"
                        hint = "to keep the first value, use `let` or a track"
                        yield Diagnostic("RW503", sources[node.at].span, message, hint, labels)
                elif isinstance(node, t.MoveAll) and isinstance(node.source, p.ZoneAt):
                    emptied[node.source.zone] = node.at

    def _reads(self, function: str) -> list[str]:
        """Return the zones that a function reads, directly or indirectly."""
        if function in self._zones_read:
            return self._zones_read[function]
        zones: dict[str, None] = {}
        todo, done = [FUNCTION + function], set()
        while todo:
            key = todo.pop()
            if key in done:
                continue
            done.add(key)
            for node in self.walks.of(self.units[key]).nodes:
                if isinstance(node, p.ZoneAt):
                    zones[node.zone] = None
                elif _MATTERS[type(node)]:
                    todo.extend(self.calls(node))
        self._zones_read[function] = list(zones)
        return self._zones_read[function]


def _in_circles(graph: dict[str, list[str]]) -> list[str]:
    """Return the units of a graph that are in a cycle or can reach one."""
    callers: dict[str, list[str]] = {}
    left = {key: sum(callee in graph for callee in callees) for key, callees in graph.items()}
    for key, callees in graph.items():
        for callee in callees:
            callers.setdefault(callee, []).append(key)
    ending = [key for key, count in left.items() if not count]
    while ending:
        for caller in callers.get(ending.pop(), ()):
            left[caller] -= 1
            if not left[caller]:
                ending.append(caller)
    return [key for key, count in left.items() if count]


def _circle(start: str, graph: dict[str, list[str]]) -> list[str]:
    """Return a path from a unit back to itself, or an empty list."""
    stack = [start]
    before: dict[str, str] = {}
    while stack:
        key = stack.pop()
        for callee in graph.get(key, ()):
            if callee == start:
                path = [key]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return [*reversed(path), start]
            if callee not in before:
                before[callee] = key
                stack.append(callee)
    return []


# ---- Bound the nesting of code, including what it calls, for all later passes and backends
#
# Lowering, canonical text, the walker, and the writer of C process nested expressions, blocks, and plain
# calls recursively. The parser bounds a single string, but functions that call functions, long lists of
# cases, and menus add up. Calls of units that can suspend the game do not count: they have frames in the
# state.

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


_NO_DEPTH = Depth()


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
                        called = depths.get(one, _NO_DEPTH)
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
