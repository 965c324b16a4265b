"""Parameters of units: variables in the order in which calls pass them."""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Bound, Scope
from rulewright.ruleset.language.types import NUMBER, Type


def with_parameters(
    context: Context, scope: Scope, taker: str, parameters: tuple[tuple[str, Type], ...], places: bool = True
) -> Scope:
    """Return the scope with the parameters of `taker`. With `places`, each card is followed by its place."""
    for name, type_ in parameters:
        variable = scope.unit.variable(name, type_.one, type_.many)
        place = scope.unit.variable(f"{name} place", NUMBER) if places and type_.name == "card" else None
        maybe = (taker, name) in context.maybe_none
        scope = scope.bind(name, Bound(variable, type_, maybe, place))
    return scope
