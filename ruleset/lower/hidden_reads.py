"""Which functions read cards that some seat does not see."""

from __future__ import annotations

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

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
