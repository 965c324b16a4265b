"""Read the values of a field that `each` of a component lists."""

from __future__ import annotations

from rulewright.ruleset.common.limits import HIGHEST, LOWEST, MOST_DEFINITIONS
from rulewright.ruleset.common.whole_numbers import number_hint
from rulewright.ruleset.declare.collector import Collecting, near_hint
from rulewright.ruleset.declare.declarations import KindDeclared
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.source.nodes import Node, Scalar, Sequence
from rulewright.ruleset.source.yaml_access import is_every, numbers_of

Domain = list[tuple[str, int, str]]
"""The values of a field: its name, the value, and the word for it in names of definitions."""


def too_many(what: str) -> tuple[str, str]:
    """Return the message and hint about more definitions than a pack can have."""
    return f"{what}; a pack has at most {MOST_DEFINITIONS:,} definitions", "list fewer values"


def values_of_each(to: Collecting, kind: KindDeclared, name: Scalar, node: Node) -> Domain | None:
    """Return the values of a field, or None after a finding that leaves none."""
    declared = kind.fields.get(name.text)
    if declared is None:
        if name.text not in to.poisoned:
            message = f"`{kind.key}` has no field `{name.text}`"
            to.report("RW311", name.span, message, near_hint(name.text, kind.fields))
        return None
    if declared.derived:
        message = f"`{name.text}` is worked out from other fields, so `each` cannot list its values"
        to.report("RW338", name.span, message, "remove it here")
        return None
    if declared.per:
        message = f"`{name.text}` has one value for each `{declared.per}`, so `each` cannot list its values"
        to.report("RW315", name.span, message, "write a document for each definition")
        return None
    if declared.type.name == "enumeration":
        return _members(to, declared.type, name, node)
    return _numbers(to, kind, name, node)


def _members(to: Collecting, type_: Type, name: Scalar, node: Node) -> Domain:
    """Return the members of an enumeration that a list names; report others."""
    members = to.out.enumerations[type_.of][1]
    if is_every(node):
        return [(name.text, number, word) for number, word in enumerate(members)]
    found = []
    for item in node.items if isinstance(node, Sequence) else (node,):
        word = item.text if isinstance(item, Scalar) else ""
        if word in members:
            found.append((name.text, members.index(word), word))
        elif word not in to.poisoned:
            hint = near_hint(word, members) or "one of: " + ", ".join(members)
            to.report("RW315", item.span, f"`{word}` is not a {type_.of}", hint)
    return found


def _numbers(to: Collecting, kind: KindDeclared, name: Scalar, node: Node) -> Domain | None:
    """Return the numbers that a list names, or all of the field's range."""
    low, high = kind.ranges.get(name.text, (LOWEST, HIGHEST))
    if is_every(node) and name.text in kind.ranges:
        if high - low >= MOST_DEFINITIONS:
            to.report("RW213", node.span, *too_many(f"`{name.text}` has {high - low + 1:,} values"))
            return None
        return [(name.text, number, str(number)) for number in range(low, high + 1)]
    for item in node.items if isinstance(node, Sequence) else ():
        value = item.value if isinstance(item, Scalar) else None
        if not isinstance(value, int) or not low <= value <= high:
            hint = number_hint(item.text) if isinstance(item, Scalar) and not isinstance(value, int) else None
            to.report("RW315", item.span, f"expected {low} to {high} for `{name.text}`, found {value}", hint)
    numbers = numbers_of(node)
    if not numbers:
        message = f"these are not values of `{name.text}`"
        hint = "write a list: `[1, 2, 3]`; `all` is for enumerations and ranges such as `1 to 9`"
        to.report("RW315", node.span, message, hint)
    return [(name.text, number, str(number)) for number in numbers]
