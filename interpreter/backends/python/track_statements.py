"""Python source for changes of tracks."""

from __future__ import annotations

from typing import TypeGuard

from interpreter.analysis.nodes import interval
from interpreter.analysis.shapes import literal
from interpreter.backends.python.lines import LineText
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr


def track(text: LineText, node: t.Change | t.Assign) -> None:
    """Write the lines that change a track's value or assign one, within its bounds."""
    changes = isinstance(node, t.Change)
    operand = node.amount if isinstance(node, t.Change) else node.value
    if text.narrating:
        name = "change" if changes else "assign"
        arguments = (str(node.track), text.text_of(node.index), text.text_of(operand), str(node.at))
        text.line(text.operation(name, *arguments))
        return
    info = text.program.tracks[node.track]
    place = text.address(t.Binary("+", node.index, Const(info.address)))
    if isinstance(node.index, Const):
        place = str(node.index.value + info.address)
    elif info.arrival >= 0 or text.can_fail(node.index) or changes:
        name = text.temporary()
        text.line(f"{name} = {place}")
        place = name
    value = text.temporary()
    low, high = interval(operand, text.program)
    if isinstance(operand, Const) and changes:
        sign = "-" if operand.value < 0 else "+"
        text.line(f"{value} = S[{place}] {sign} {abs(operand.value)}")
    elif isinstance(operand, Const) and info.low <= operand.value <= info.high:
        value = literal(operand.value)
    else:
        sign, changed = ("-", operand.right) if changes and _is_less(operand) else ("+", operand)
        moved = f"S[{place}] {sign} {text.number(changed)}" if changes else text.text_of(operand)
        text.line(f"{value} = {moved}")
    # A track's value is within its bounds. Only an added amount or an assigned value can exceed them.
    if high > (0 if changes else info.high):
        beyond = f"{value} = {info.high}" if info.clamps else f"bounds({node.at})"
        text.line(f"if {value} > {info.high}: {beyond}")
    if low < (0 if changes else info.low):
        beyond = f"{value} = {info.low}" if info.clamps else f"bounds({node.at})"
        text.line(f"if {value} < {info.low}: {beyond}")
    if info.arrival >= 0:
        text.line(f"if {value} != S[{place}]:")
        text.indent += 1
        text.line(f"S[{place}] = {value}")
        arrival = text.temporary()
        text.line(f"S[{info.arrival - 1}] = {arrival} = S[{info.arrival - 1}] + 1")
        text.line(f"S[{place} + {info.arrival - info.address}] = {arrival}".replace("+ -", "- "))
        text.indent -= 1
    else:
        text.line(f"S[{place}] = {value}")


def _is_less(operand: Expr) -> TypeGuard[t.Binary]:
    """Return whether an amount is the negative of another."""
    return isinstance(operand, t.Binary) and operand.op == "-" and operand.left == Const(0)
