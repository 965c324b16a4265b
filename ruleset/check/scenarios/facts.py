"""Conditions of scenarios: each becomes a unit that no code of the game calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.hints.syntax_report import report_syntax
from rulewright.ruleset.check.scenarios.positions import Positions
from rulewright.ruleset.check.scope import Bound, Scope, Text, Unit
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.scenario import Fact, Side
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.table import nodes as t

COPY = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[0-9]+")


class FactChecker:
    """Checks the facts of the scenario with this number. `units` collects the units of its conditions."""

    def __init__(self, expressions: ExpressionChecker, positions: Positions, playable: bool, number: int) -> None:
        self.context = expressions.context
        self.expressions = expressions
        self.positions = positions
        self.playable = playable
        self.number = number
        self.units: list[p.Unit] = []

    def facts(self, scalar: Scalar) -> Iterator[Fact]:
        """Split a condition into facts, one for each part joined by `and`."""
        tree = parse_expression(scalar.text)
        if isinstance(tree, Mistake):
            report_syntax(self.context, tree, Text(scalar))
            return
        tree = self.context.declared.tree(tree, scalar.span)
        for part in _conjuncts(tree):
            fact = self._fact(part, scalar)
            if fact is not None:
                yield fact

    def _fact(self, tree: s.Expression, scalar: Scalar) -> Fact | None:
        text = Text(scalar)
        words = scalar.text[tree.start : tree.end]
        cards = tuple(sorted({word for word in COPY.findall(words) if self.positions.copy(word)}))
        key = f"scenario/{self.number}/{len(self.units)}"
        found = self._unit(key, tree, text, cards, BOOLEAN)
        if found is None:
            return None
        span = scalar.span_of(tree.start, tree.end)
        if not self.playable:
            return Fact(words, span, key, cards, ())
        sides: list[Side] = []
        for side in (tree.left, tree.right) if isinstance(tree, s.Comparison) else ():
            if side is None:
                continue
            given = self._unit(f"{key}.{len(sides)}", side, text, cards, None)
            if given is not None:
                sides.append(Side(scalar.text[side.start : side.end], f"{key}.{len(sides)}", given))
        return Fact(words, span, key, cards, tuple(sides))

    def _unit(
        self, key: str, tree: s.Expression, text: Text, cards: tuple[str, ...], of: Type | None
    ) -> Type | None:
        """Add the unit of an expression and return its type; None after a finding."""
        unit = Unit(key)
        names = {name: Bound(unit.variable(name, PLAYER), PLAYER) for name in self.positions.players}
        for name in cards:
            kind = self.context.declared.definitions[name.rpartition("-")[0]].kind
            type_ = Type("card", kind)
            variable, place = unit.variable(name, type_), unit.variable(f"{name} place", NUMBER)
            names[name] = Bound(variable, type_, False, place)
        parameters = len(unit.variables)
        before = len(self.context.found)
        # Facts only inspect piles, so the ends of a self-refilling pile may be read.
        value = self.expressions.check(tree, Scope(unit, names, reading=False), text, of)
        if value is None:
            if of is None:
                del self.context.found[before:]  # a side without a meaning of its own is not shown
            return None
        at = self.context.source(key, text.span(tree.start, tree.end))
        self.units.append(p.Unit(key, parameters, tuple(unit.variables), (t.Give(value.node),), at))
        return value.type


def _conjuncts(tree: s.Expression) -> Iterator[s.Expression]:
    if isinstance(tree, s.Logic) and tree.op == "and":
        yield from _conjuncts(tree.left)
        yield from _conjuncts(tree.right)
    else:
        yield tree
