"""Evaluate `every KIND where CONDITION` in changes against the documents of definitions.

The condition is an expression of the effect language over the fields of the kind. It is evaluated before anything
is declared: names are fields, and other words are members of enumerations, definitions, or tags.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.source.nodes import Scalar

Fields = Mapping[str, Any]
"""The entries of a definition as plain values; `it` is its name."""


class _WrongError(Exception):
    """The condition cannot be decided: place, message, and hint."""

    def __init__(self, node: s.Node, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint


@frozen(repr=False)
class Condition(Record):
    """A parsed condition: `scalar` holds it from `offset` on."""

    scalar: Scalar
    offset: int
    tree: s.Expression
    known: tuple[str, ...]
    """The fields of the kind."""
    added: Mapping[str, str] = field(factory=dict)
    """Fields that the author does not know, each with the pack that adds it."""

    def holds(self, fields: Fields) -> bool | Diagnostic:
        """Whether it holds for a definition; a finding if it cannot be decided."""
        try:
            return bool(_value(self.tree, fields, self.known))
        except _WrongError as wrong:
            span = self.scalar.span_of(wrong.node.start + self.offset, wrong.node.end + self.offset)
            pack = self.added.get(wrong.node.text) if isinstance(wrong.node, s.Name) else None
            later = f"`{pack}` adds this field: add `after: [{pack}]` to the pack.yaml of this pack"
            hint = later if pack else wrong.hint
            return Diagnostic("RW627", span, wrong.message, hint)


def read_condition(
    scalar: Scalar, offset: int, known: tuple[str, ...], added: Mapping[str, str]
) -> Condition | Diagnostic:
    """Parse the condition in a scalar, from an offset. `known` and `added` are as in `Condition`."""
    tree = parse_expression(scalar.text[offset:])
    if isinstance(tree, Mistake):
        span = scalar.span_of(tree.start + offset, tree.end + offset)
        return Diagnostic(tree.code, span, tree.message, tree.hint)
    return Condition(scalar, offset, tree, known, added)


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def _value(node: s.Expression, fields: Fields, known: tuple[str, ...], must: bool = True) -> Any:
    """Return the value of an expression. With `must`, a word must be a field; otherwise it may stand for itself."""
    if isinstance(node, s.Number):
        return node.value
    if isinstance(node, s.Name):
        return _word(node, fields, known, must)
    if isinstance(node, s.Of) and isinstance(node.owner, s.Name) and node.owner.text == "it":
        return _word(node.name, fields, known, True)
    if isinstance(node, s.Negation):
        return not _value(node.operand, fields, known)
    if isinstance(node, s.Logic):
        left = bool(_value(node.left, fields, known))
        if node.op == "and":
            return left and bool(_value(node.right, fields, known))
        return left or bool(_value(node.right, fields, known))
    if isinstance(node, s.Comparison):
        return _compared(node, fields, known) != node.negated
    hint = "use fields of the kind with `is`, `has`, `<`, `>`, `and`, `or`, and `not`"
    raise _WrongError(node, "targets are determined before a game, when this is not known", hint)


def _word(node: s.Name, fields: Fields, known: tuple[str, ...], must: bool) -> Any:
    word = node.text
    if word in ("true", "false"):
        return word == "true"
    if word == "none":
        return None
    if word == "it" or word in known:
        return fields.get(word)
    if not must:
        return word
    near = nearest(word, known)
    has = "known fields: " + ", ".join(known) if known else None
    raise _WrongError(node, f"the kind has no field `{word}`", f"did you mean `{near}`?" if near else has)


def _compared(node: s.Comparison, fields: Fields, known: tuple[str, ...]) -> bool:
    backwards = node.op == "in"
    left = _value(node.left, fields, known, not backwards)
    if node.op == "empty" or node.right is None:
        return not left
    right = _value(node.right, fields, known, backwards)
    if node.op == "is":
        return bool(left == right)
    if node.op in ("has", "in"):
        one, many = (left, right) if backwards else (right, left)
        return isinstance(many, list | dict) and any(one == item for item in many)
    if not isinstance(left, int) or not isinstance(right, int):
        return False  # without a number, the comparison does not hold
    return _COMPARED[node.op](left, right)
