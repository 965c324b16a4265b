"""Generate Python source for conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.analysis.shapes import plain, slot_name
from interpreter.analysis.tabulate import told_by_number
from interpreter.backends.python.expressions import ValueText
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr


def _not(text: ValueText, node: t.Not) -> str:
    if isinstance(node.operand, t.Not):
        return text.condition(node.operand.operand)
    test = text.condition(node.operand)
    inner = test.removeprefix("(not ").removesuffix(")")
    return inner if f"(not {inner})" == test and _is_atom(inner) else f"(not {test})"


def _is_atom(text: str) -> bool:
    """Return whether a text is atomic: a cell, a name or a text with its own parentheses."""
    return " " not in text or plain(text) != text


def _both(text: ValueText, node: t.And | t.Or) -> str:
    parts, first = [node.right], node.left
    while type(first) is type(node):
        parts.append(first.right)
        first = first.left
    texts = map(text.condition, (first, *reversed(parts)))
    return f"({(' and ' if isinstance(node, t.And) else ' or ').join(texts)})"


def _exists(text: ValueText, node: t.Exists) -> str:
    told = told_by_number(node, text.program)
    if told is not None:
        return f"({text.number(told[0])} in {text.constant(repr(told[1]))})"
    test = text.condition(node.body)
    if text.looked_up(node, node.body):
        return f"any(map({text.looked_up(node, node.body)}, {text.items(node.items)}))"
    if text.can_fail(node.body):
        return f"any({plain(test)} for {slot_name(node.slot)} in {text.items(node.items)})"
    return text.each("1", node, test)


def _contains(text: ValueText, node: t.Contains) -> str:
    if isinstance(node.items, t.TableList) and isinstance(node.value, Const):
        wanted = node.value.value
        holds = tuple(int(wanted in members) for members in text.program.lists[node.items.table])
        return f"{text.constant(repr(holds))}[{plain(text.number(node.items.index))}]"
    items, value = text.items(node.items), text.number(node.value)
    if text.can_fail(node.items) and text.can_fail(node.value):
        return f"contains({items}, {plain(value)})"
    return f"({value} in {items})"


def _same(text: ValueText, node: t.Same) -> str:
    return f"([*{text.items(node.left)}] == [*{text.items(node.right)}])"


CONDITIONS: dict[type[Expr], Callable[[ValueText, Any], str]] = {
    t.Not: _not,
    t.And: _both,
    t.Or: _both,
    t.Exists: _exists,
    t.Contains: _contains,
    t.Same: _same,
}
