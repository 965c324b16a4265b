"""Read the values that definitions write for their fields."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.whole_numbers import number_hint
from rulewright.ruleset.declare.declarations import KindDeclared
from rulewright.ruleset.language.types import BOOLEAN, NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Mapping, Node, Scalar, Sequence

Values = tuple[int | tuple[int, ...], ...]
"""Values of a field: one, or one per copy. The value of a list, or for members, is a tuple."""


class FieldValues:
    """Reads values of fields, and reports those that their types do not allow."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def read(self, node: Node, field: p.Field, kind: KindDeclared) -> Values:
        """Return the values of a field: one, or one per copy. The value of a list is a tuple."""
        if field.per_copy and isinstance(node, Sequence):
            return tuple(v for item in node.items for v in self.read(item, evolve(field, per_copy=False), kind))
        if field.per:
            values = self._per_member(node, field, kind)
            return (values,) if values is not None else ()
        if field.many:
            items = node.items if isinstance(node, Sequence) else (node,)
            numbers = [self._value(item, field, kind) for item in items if isinstance(item, Scalar)]
            return (tuple(n for n in numbers if n is not None),)
        if not isinstance(node, Scalar):
            self.context.report("RW315", node.span, f"`{field.key}` takes one {field.type}, not a list")
            return ()
        number = self._value(node, field, kind)
        return () if number is None else (number,)

    def _per_member(self, node: Node, field: p.Field, kind: KindDeclared) -> tuple[int, ...] | None:
        """Return the values of a field for the members of its enumeration; missing ones have the default."""
        members, default = self.context.declared.enumerations[field.per][1], kind.defaults.get(field.key)
        if isinstance(node, Mapping):
            self._no_members(node, members, field)
        if isinstance(node, Sequence):
            hint = f"write `{field.key}: {{{members[0]}: …}}`"
            message = f"`{field.key}` takes one {field.type} for each `{field.per}`, not a list"
            self.context.report("RW315", node.span, message, hint)
            return None
        values = []
        for one in members:
            given = _of_member(node, one)
            if given is None and node is default:
                message = f"the default of `{field.key}` has no value for `{one}`"
                self.context.report("RW315", node.span, message, f"add `{one}: …`")
                return None
            given = _of_member(default, one) if given is None else given
            none = given is not None and given.text == "none" and field.type.name == "definition"
            number = -1 if none else self._value(given, field, kind) if given is not None else None
            if number is None:
                return None
            values.append(number)
        return tuple(values)

    def _no_members(self, node: Mapping, members: tuple[str, ...], field: p.Field) -> None:
        """Report keys that are no members. Definitions lose theirs before, with a finding of their schema."""
        for entry in node.entries:
            if entry.key.text not in members and entry.key.text not in self.context.poisoned:
                near = nearest(entry.key.text, members)
                hint = f"did you mean `{near}`?" if near else f"expected {listed(members, 'or')}"
                self.context.report("RW315", entry.key.span, f"`{entry.key.text}` is not a {field.per}", hint)

    def _value(self, node: Scalar, field: p.Field, kind: KindDeclared) -> int | None:
        type_, d = field.type, self.context.declared
        if type_ == NUMBER:
            low, high = kind.ranges.get(field.key, (LOWEST, HIGHEST))
            if isinstance(node.value, bool) or not isinstance(node.value, int):
                message = f"`{field.key}` must be a whole number, not `{node.text}`"
                self.context.report("RW315", node.span, message, number_hint(node.text))
                return None
            if not low <= node.value <= high:
                self.context.report("RW315", node.span, f"`{field.key}` must be {low} to {high}, not {node.value}")
                return None
            return node.value
        if type_ == BOOLEAN:
            if not isinstance(node.value, bool):
                message = f"`{field.key}` must be `true` or `false`, not `{node.text}`"
                self.context.report("RW315", node.span, message)
                return None
            return int(node.value)
        names: list[str] = []
        if type_.name == "enumeration":
            names = list(d.enumerations[type_.of][1])
            if node.text in names:
                return names.index(node.text)
        elif type_.name == "definition":
            names = [key for key, other in d.definitions.items() if other.kind in type_.of.split("|")]
            if node.text in names:
                return list(d.definitions).index(node.text)
        if node.text in self.context.poisoned:
            return None
        near = nearest(node.text, names)
        hint = f"did you mean `{near}`?" if near else (f"expected {listed(names, 'or')}" if names else None)
        self.context.report("RW315", node.span, f"`{node.text}` is not a {type_}", hint)
        return None


def _of_member(node: Node | None, member: str) -> Scalar | None:
    """Return what is written for a member: a value of its own, or one for all members."""
    given = node.get(member) if isinstance(node, Mapping) else node
    return given if isinstance(given, Scalar) else None
