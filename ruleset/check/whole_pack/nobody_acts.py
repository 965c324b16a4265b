"""Report verbs, effects, expressions, and messages that need an acting player where there is none.

A sentence of a pack may also be used where no player has the turn, for example in a set-up. Whether its verb needs
a player depends on the verb's code and on the verbs that it calls: a fixpoint over calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.message import MessageError, argument_names, parse

NOBODY = t.Const(-1)
YOU = p.Var(0)
"""The acting player, in the unit of a verb or an effect: its first parameter."""

_LOOKED_AT = frozenset([p.Var, t.Emit, t.Choice, p.CallVerb, p.PerformField, p.Worth])
_WITHOUT = t.Binary("<", YOU, t.Const(0))
"""The test that hooks with `waits` use to handle the absence of an acting player."""


def without_actor(effects: Effects, sources: list[t.Source], texts: Mapping[str, p.Texts]) -> Iterator[Diagnostic]:
    """Report calls without an acting player of code that needs one."""
    speaking = {key for key, said in texts.items() if key.startswith("message/") and _speaks(said)}
    acting = _Acting(effects, sources, speaking)
    for node in acting.alone:
        span = node.span if isinstance(node, p.Worth) else sources[node.at].span
        if isinstance(node, t.Emit):
            what = sources[node.at].name.partition("/")[2]
            message = f"the message `{what}` names the acting player, but no player acts or has the turn here"
            yield Diagnostic("RW422", span, message, _HINT)
        elif any(key in acting.needing for key in effects.calls(node)):
            message = "this needs an acting player, but no player acts or has the turn here"
            yield Diagnostic("RW422", span, message, _HINT)


_HINT = "name a player: `p …`, where `p` is a player, or give the step `turns: …`"


class _Acting:
    """How units use the acting player: whether they read it, and to which units they pass it."""

    def __init__(self, effects: Effects, sources: list[t.Source], speaking: set[str]) -> None:
        self.effects = effects
        self.sources = sources
        self.speaking = speaking
        self.alone: list[Any] = []
        """Nodes that call, read, or announce without an acting player."""
        self.needing: set[str] = set()
        passing: dict[str, list[str]] = {}
        """For each unit, the units that pass it the acting player."""
        for key, unit in effects.units.items():
            takes = unit.parameters > 0 and unit.variables[0].name == "you"
            reads, passed = self._read(unit, takes)
            if reads:
                self.needing.add(key)
            for called in passed:
                passing.setdefault(called, []).append(key)
        more = list(self.needing)
        while more:
            new = {key for key in passing.get(more.pop(), ()) if key not in self.needing}
            self.needing |= new
            more.extend(new)

    def _read(self, unit: p.Unit, takes: bool) -> tuple[bool, set[str]]:
        """Return whether a unit itself reads the acting player, and the units to which it passes it."""
        reads, passed = False, set[str]()
        walk = self.effects.walks.of(unit)
        nodes = walk.nodes
        skipped = -1
        """Nodes before this number are done or irrelevant."""
        given: set[int] = set()
        """The nodes that pass the acting player to a unit."""
        for number in [number for number, node in enumerate(nodes) if type(node) in _LOOKED_AT]:
            if number < skipped:
                continue
            node = nodes[number]
            if isinstance(node, p.Var):
                reads = reads or (takes and node.variable == 0 and number not in given)
            elif isinstance(node, t.Emit):
                told = node.kind == "announced" and self.sources[node.at].name in self.speaking
                if told and node.numbers[0] == NOBODY:
                    self.alone.append(node)
                reads = reads or (told and takes and node.numbers[0] == YOU)
                # The actor is the first of the numbers of an announcement; the others are values of its text.
                skipped = walk.end(number + 1 if node.kind == "announced" else number)
            elif isinstance(node, t.Choice):
                if node.condition == _WITHOUT:
                    skipped = walk.end(number)
            else:
                actor = node.you if isinstance(node, p.Worth) else node.arguments[0]
                if actor == NOBODY:
                    self.alone.append(node)
                elif takes and actor == YOU:
                    passed.update(self.effects.calls(node))
                    first = number + 1
                    while walk.arounds[first] != number or nodes[first] != YOU:
                        first += 1
                    given.add(first)
        return reads, passed


def _speaks(said: p.Texts) -> bool:
    """Whether a message names the acting player, in any language; its other values are in scope."""
    for _, text in said:
        try:
            if argument_names(parse(text)) & {"seat", "you"}:
                return True
        except MessageError:
            continue
    return False
