"""Check the conditions and scores of bots, and turn each into a unit of its own."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.ruleset.check.bots.visibility import Sight
from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, Member, Scope, Unit, Value
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.bot_options import Part
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.table import nodes as t


class Reading:
    """Reads what bots work out; `units` are the results. What a seat does not see is a finding."""

    def __init__(self, context: Context, expressions: ExpressionChecker, sight: Sight) -> None:
        self.context = context
        self.units: list[p.Unit] = []
        self._expressions = expressions
        self._sight = sight

    def unit(self, text: Scalar, key: str, expected: Type | None, parts: Sequence[Part] = ()) -> str | None:
        """Add the unit of an expression about the seat and the parts of an option, and return its key.

        Without an `expected` type it is an amount or a condition. None after a finding.
        """
        unit, context = Unit(key), self.context
        you = unit.variable("you", PLAYER)
        scope = _with_parts(Scope(unit, you=p.Var(you), reading=True), parts)
        noticed, before = len(context.found), set(context.maybe_none_seen)
        context.silent = True
        value = self._value(text, scope, expected)
        context.silent = False
        nothing = sorted(context.maybe_none_seen - before - context.maybe_none)
        context.maybe_none_seen -= set(nothing)
        if value is None or not isinstance(value.node, t.Expr) or len(context.found) > noticed:
            return None
        if nothing:
            function, name = nothing[0][0].partition("/")[2], nothing[0][1]
            message = f"this may be `none`, but `{function}` does not expect `none` as `{name}`"
            context.report("RW345", text.span, message, "pass a value that is never `none`, such as `you`")
            return None
        unseen = self._sight.unseen(value.node, you)
        if unseen is not None:
            message = f"a bot cannot use {unseen}: its seat cannot see this"
            context.report("RW344", text.span, message, "use only what the seat can see")
            return None
        self.units.append(p.Unit(key, 1 + len(parts), tuple(unit.variables), (t.Give(value.node),), -1))
        return key

    def _value(self, text: Scalar, scope: Scope, expected: Type | None) -> Value | None:
        if expected is None:
            value = self._expressions.read(text, scope)
            if value is None or (value.type in (NUMBER, BOOLEAN) and not value.maybe):
                return value
            expected = BOOLEAN if value.type == BOOLEAN else NUMBER
        return self._expressions.read(text, scope, expected)


def _with_parts(scope: Scope, parts: Sequence[Part]) -> Scope:
    """Add the parts of an option as parameters; `it` is the member, as in a filter."""
    for part in parts:
        variable = scope.unit.variable(part.name, part.type)
        if part.name == "it":
            scope = evolve(scope, member=Member(variable, part.type, part.kinds))
        else:
            scope = scope.bind(part.name, Bound(variable, part.type))
    return scope
