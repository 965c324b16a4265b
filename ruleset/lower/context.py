"""The interface of a whole lowering that the lowering of one unit or bot uses."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Protocol, TypeVar

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.lower.state_layout import StateLayout
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import FUNCTION, Effects
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

# ---- Segments before their slots are known, and generators that build them without recursion

Made = TypeVar("Made")
Work = Generator["Work[Any]", Any, Made]
"""A generator that yields work it depends on and receives the result."""
Next = Callable[[], Work[t.Tree]]


def worked(work: Work[Made]) -> Made:
    """Run a piece of work and everything it depends on."""
    waiting: list[Work[Any]] = [work]
    made: Any = None
    while waiting:
        try:
            wanted = waiting[-1].send(made)
        except StopIteration as done:
            waiting.pop()
            made = done.value
        else:
            waiting.append(wanted)
            made = None
    return made  # type: ignore[no-any-return]  # the result of the first piece of work, which ends last


def ready(tree: t.Tree) -> Next:
    """Return a continuation whose tree already exists."""

    def work() -> Work[t.Tree]:
        return tree
        yield

    return work


@frozen(repr=False)
class Draft(Record):
    """A segment before liveness analysis."""

    procedure: int
    tree: t.Tree


# ---- Decide which verbs and functions are inlined: short ones, unless nested copies add up

LONGEST_COPY = 40
"""Maximum number of nodes of an inlined verb."""
MOST_COPIED = 200
"""Limit of nodes of a copy with nested copies: `n` verbs that each call the next twice could have `2**n`."""


class InlineDecisions:
    """Memoised decisions for the units of a program. Plain calls have no cycles (RW502)."""

    def __init__(self, units: Mapping[str, p.Unit]) -> None:
        self._units = units
        self._sizes: dict[str, int] = {}

    def verb(self, key: str) -> bool:
        """Whether calls of a verb are inlined."""
        return self._size(key) <= MOST_COPIED

    def function(self, key: str) -> bool:
        """Whether calls of a function may be inlined if it is a single expression."""
        return self._size(FUNCTION + key) <= MOST_COPIED

    def _size(self, key: str) -> int:
        """Return the number of nodes of a copy; for a verb that is too long, more than the limit."""
        known = self._sizes.get(key)
        if known is None:
            unit = self._units[key]
            nodes = [node for statement in unit.body for node in everything(statement)]
            copied = key.startswith(FUNCTION) or _is_short(unit, nodes)
            known = self._sizes[key] = len(nodes) + sum(map(self._called, nodes)) if copied else MOST_COPIED + 1
        return known

    def _called(self, node: Any) -> int:
        """Return the number of nodes that a node adds by the copy of what it calls."""
        if isinstance(node, p.CallVerb):
            size = self._size(node.verb)
        elif isinstance(node, p.Invocation | p.InvocationList):
            size = self._size(FUNCTION + node.function)
        else:
            return 0
        return size if size <= MOST_COPIED else 0


def _is_short(unit: p.Unit, nodes: list[Any]) -> bool:
    """Whether a unit is short, has no early end, and does not assign its parameters."""
    ends = any(isinstance(node, p.Leave | t.Give) for node in nodes)
    assigned = {node.variable for node in nodes if isinstance(node, p.SetVar | p.SetListVar | p.Loop)}
    assigned |= {node.slot for node in nodes if isinstance(node, t.Drawing | t.Random) and node.slot is not None}
    return len(nodes) <= LONGEST_COPY and not ends and min(assigned, default=unit.parameters) >= unit.parameters


# ---- Which functions read cards that some seat does not see

Calling = p.Invocation | p.InvocationList | p.Worth


class HiddenReads:
    """Memoised answers for the units of a program."""

    def __init__(self, program: p.Program, effects: Effects) -> None:
        self._effects = effects
        self._zones = {zone.key for zone in program.zones if zone.seen_by != "all"}
        self._units: dict[str, bool] = {}

    def cards(self, node: t.Cards) -> bool:
        """Whether cards are in a zone that some seat does not see."""
        return isinstance(node.zone, p.ZoneAt) and node.zone.zone in self._zones

    def called(self, node: Calling) -> bool:
        """Whether a function or an expression of definitions reads such cards. Their number alone is no secret."""
        return any(self._unit(key) for key in self._effects.calls(node))

    def _unit(self, key: str) -> bool:
        if key not in self._units:
            self._units[key] = False  # for calls in a circle
            nodes = list(everything(self._effects.units[key].body))
            counted = {id(node.items) for node in nodes if isinstance(node, t.Count)}
            self._units[key] = any(
                self.cards(node) and id(node) not in counted if isinstance(node, t.Cards) else self.called(node)
                for node in nodes
                if isinstance(node, t.Cards | Calling)
            )
        return self._units[key]


# ---- Context

Calls = tuple[tuple[int, int], ...]
"""Numbers of definitions, ascending, each with the number of a function."""


class LoweringContext(Protocol):
    """Numbers of functions, procedures, segments, and sites, assigned on demand."""

    program: p.Program
    layout: StateLayout
    effects: Effects
    units: dict[str, p.Unit]
    hidden_reads: HiddenReads
    copies: InlineDecisions
    function_code: list[t.Function | None]
    sites: list[t.Site]
    by_definition: dict[str, tuple[int, Calls]]

    def suspends(self, statement: t.Stmt) -> bool: ...
    def left(self, code: tuple[t.Stmt, ...]) -> frozenset[int]: ...
    def unit_suspends(self, key: str) -> bool: ...
    def stays(self, code: tuple[t.Stmt, ...]) -> bool: ...
    def function(self, key: str) -> int: ...
    def made_function(self, key: str, like: int, value: Callable[[], t.Expr]) -> int: ...
    def procedure(self, key: str) -> Work[int]: ...
    def game(self) -> Work[int]: ...
    def function_table(self, field: str, definition: bool) -> int: ...
    def procedure_table(self, field: str, definition: bool) -> Work[int]: ...
    def reserve(self) -> int: ...
    def fill(self, number: int, draft: Draft) -> None: ...
    def add(self, draft: Draft) -> int: ...
    def site(
        self, prompt: p.Prompt, of: str, branches: tuple[t.OptionBranch, ...], sealed: bool, at: int, bound: int,
        shows: tuple[t.Shown, ...], private: bool = False,
    ) -> int: ...  # fmt: skip
    def asks(self, site: int, code: Any, node: t.Stmt) -> None: ...
    def sealed(self, key: str, of: str, bound: int) -> int: ...
    def zone_capacity(self, zone: t.Expr) -> int: ...
    def list_capacity(self, address: t.Expr) -> int: ...
