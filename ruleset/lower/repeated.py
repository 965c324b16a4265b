"""Lists that may hold a member twice: a player is offered each member once."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ruleset.language.types import NUMBER, Type
from rulewright.ruleset.lower.state_layout import Layout
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t


def may_repeat(node: t.List, variables: Sequence[p.Variable], layout: Layout) -> bool:
    """Whether a list of the program may hold a member twice. Lists of cards do only if single cards are added."""
    match node:
        case p.ValueList():
            return True
        case p.ListAt(key, _):
            return layout.declared_lists[key].repeats
        case p.ListVar(variable):
            return _kept_twice(variables[variable].type, layout)
        case p.InvocationList(function):
            unit = layout.functions[function]
            given = (part.value for part in everything(unit.body) if isinstance(part, t.Give))
            return any(isinstance(one, t.List) and may_repeat(one, unit.variables, layout) for one in given)
        case p.FieldListOf(field, _, definition):
            values = layout.field(field, definition)
            return any(isinstance(one, tuple) and len(set(one)) < len(one) for one in values)
        case t.Items(values):
            return len(values) > 1
        case t.Concat(left, right):
            sides = (left, right)
            return any(_is_one(side) or may_repeat(side, variables, layout) for side in sides)
        case t.Choice(_, then, otherwise):
            return may_repeat(then, variables, layout) or may_repeat(otherwise, variables, layout)
        case t.Filter(items) | t.Take(items) | t.Extremes(items) | t.Ranked(items) | t.Rotated(items):
            return may_repeat(items, variables, layout)
        case _:
            return False


def _is_one(node: t.List) -> bool:
    """Whether a list is one thing of a sum, such as `starter` in `others + starter`."""
    return isinstance(node, t.Items) or (isinstance(node, t.Filter) and isinstance(node.items, t.Items))


def _kept_twice(type_: Type, layout: Layout) -> bool:
    """Whether a list of this type that has a name may hold a member twice."""
    if type_.name == "card":
        return False
    return type_ == NUMBER or any(one.repeats and one.of == type_ for one in layout.declared_lists.values())
