"""Whether rule errors or fuel depend on the order in which something is worked out for items."""

from __future__ import annotations

from attrs import frozen

from interpreter.analysis.metered import Metered
from interpreter.analysis.nodes import FAILING
from ruleset.table import nodes as t
from ruleset.table.nodes import Expr, List, TableProgram
from ruleset.table.traversal import children


@frozen
class _Effects:
    """Whether code may raise a rule error other than `fuel`, and the rules for which it charges fuel."""

    fails: bool = False
    fuel: frozenset[int] = frozenset()

    def with_those_of(self, other: _Effects) -> _Effects:
        return _Effects(self.fails or other.fails, self.fuel | other.fuel)


class FailingOrder:
    """The effects of one program's code. Each node is looked at once."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self._known: dict[int, tuple[object, _Effects]] = {}
        """By the identity of nodes, which are kept."""

    def shows(self, body: Expr | List, stops: bool) -> bool:
        """Return whether what a body does to one item after the other tells their order.

        It does if different items can raise different rule errors, or if a search `stops` in between and the items
        before have used fuel.
        """
        effects = self._of(body)
        return effects.fails or len(effects.fuel) > 1 or (stops and bool(effects.fuel))

    def _of(self, node: object) -> _Effects:
        known = self._known.get(id(node))
        if known is not None:
            return known[1]
        found = _Effects(isinstance(node, FAILING))
        if isinstance(node, t.Charge | Metered):
            found = _Effects(False, frozenset({node.at}))
        parts = list(children(node))
        if isinstance(node, t.Call | t.CallList | t.Do):
            parts += self._program.functions[node.function].body
        for part in parts:
            found = found.with_those_of(self._of(part))
        self._known[id(node)] = node, found
        return found
