"""Generate C for lists that must be built as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.interpreter.analysis.shapes import Others
from rulewright.interpreter.backends.native.codegen.lists import ListText
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import List


def _extremes(text: ListText, node: t.Extremes, buffer: str, count: str) -> None:
    best, sign = text.name(), "<" if node.lowest else ">"
    text.line(f"int {best} = 0;")

    def compare(item: str) -> None:
        with text.binding(node.slot, item):
            key = text.named(node.body)
        text.line(f"if (!{count} || {key} {sign} {best}) {{ {best} = {key}; {count} = 0; }}")
        text.line(f"if ({key} == {best}) {buffer}[{count}++] = {item};")

    text.each(node.items, compare, text.can_fail(node.body))


def _ranked(text: ListText, node: t.Ranked, buffer: str, count: str) -> None:
    """Write a stable insertion sort: lists are short."""
    keys, place, sign = text.name("b"), text.name("i"), "<" if node.descending else ">"
    text.line(f"int {keys}[{text.more(text.bounds.most(node, text.slots))}];")

    def insert(item: str) -> None:
        with text.binding(node.slot, item):
            key = text.named(node.body)
        text.line(f"int {place} = {count}++;")
        with text.block(f"while ({place} && {keys}[{place} - 1] {sign} {key})"):
            text.line(
                f"{keys}[{place}] = {keys}[{place} - 1]; {buffer}[{place}] = {buffer}[{place} - 1]; {place}--;"
            )
        text.line(f"{keys}[{place}] = {key}; {buffer}[{place}] = {item};")

    text.each(node.items, insert, text.can_fail(node.body))


def _distinct(text: ListText, node: t.Distinct, buffer: str, count: str) -> None:
    if text.has_small_keys(node):
        text.append(node, buffer, count)
        return
    keys, place = text.name("b"), text.name("i")
    text.line(f"int {keys}[{text.more(text.bounds.most(node, text.slots))}];")

    def add(item: str) -> None:
        with text.binding(node.slot, item):
            key = text.named(node.body)
        text.line(f"int {place} = 0; while ({place} < {count} && {keys}[{place}] != {key}) {place}++;")
        text.line(f"if ({place} == {count}) {{ {keys}[{count}] = {key}; {buffer}[{count}++] = {item}; }}")

    text.each(node.items, add, text.can_fail(node.body))


def _others(text: ListText, node: Others, buffer: str, count: str) -> None:
    view = text.view(node.items)
    start = text.named(node.start)
    text.line(f"{count} = rw_others({buffer}, {view.pointer}, {view.count}, {start});")


def _rotated(text: ListText, node: t.Rotated, buffer: str, count: str) -> None:
    view = text.view(node.items)
    start = text.named(node.start)
    text.line(f"{count} = rw_rotate({buffer}, {view.pointer}, {view.count}, {start});")


MAKERS: dict[type[List], Callable[[ListText, Any, str, str], None]] = {
    t.Extremes: _extremes,
    t.Ranked: _ranked,
    t.Distinct: _distinct,
    t.Rotated: _rotated,
    Others: _others,
}
