"""Expressions and lists of a printed table program (`printing`): each is one piece of text.

A slot is written `v3`, or `l3` if it holds a list; operations have parentheses, and lists brackets. A list filtered
by a condition is `[v4 for v4 in l3 if v4 > 2]`. The place of the rule, `at`, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright.interpreter.analysis.metered import Metered
from rulewright.interpreter.analysis.shapes import Others, plain
from rulewright.interpreter.analysis.tabulate import Looked
from rulewright.interpreter.optimiser.printed_names import Found, Names, sum_of, variable
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, List


class Values:
    """Texts of the expressions of one program."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def text(self, node: Expr | List) -> str:
        """Return the text of an expression, atomic or in parentheses."""
        return PRINTERS[type(node)](self, node)

    def plain(self, node: Expr | List) -> str:
        """Return the text of an expression that stands alone."""
        return plain(self.text(node))

    def joined(self, nodes: Iterable[Expr | List]) -> str:
        """Return the texts of several expressions, with commas."""
        return ", ".join(map(self.plain, nodes))

    # -------------------------------------------------------------- cells and zones

    def cell(self, address: Expr) -> str:
        """Return the name of a cell of the state, such as `coins[v0]`."""
        named, found = self.names.head(address), self.names.find(address)
        if found is not None and found.family.stride == 1:
            return self.entry(found)
        return named or f"S[{self.plain(address)}]"

    def cells(self, address: Expr) -> str:
        """Return the name of a list in the state, such as `piles`."""
        found = self.names.find(address)
        if found is None or found.family.stride == 1:
            return f"S[{self.plain(address)} ...]"
        return self.entry(found)

    def track(self, number: int, index: Expr) -> str:
        """Return the name of an entry of a track."""
        track = self.names.program.tracks[number]
        return track.key if track.count == 1 and index == Const(0) else f"{track.key}[{self.plain(index)}]"

    def entry(self, found: Found) -> str:
        """Return the name of an entry of a family of cells."""
        if found.plain:
            return found.family.name
        stride = found.family.stride
        parts = [self._divided(term, stride) for term in found.terms]
        offset, rest = divmod(found.offset, stride)
        if rest or None in parts:
            return f"{found.family.name}[cell {self._sum(found.terms, found.offset)}]"
        texts = [part for part in parts if part is not None]
        if offset or not texts:
            texts.append(str(offset))
        return f"{found.family.name}[{plain(texts[0]) if len(texts) == 1 else ' + '.join(texts)}]"

    def _divided(self, term: Expr, by: int) -> str | None:
        """Return the text of a term divided by a number of cells; None if it is no multiple of it."""
        if by == 1:
            return self.text(term)
        match term:
            case t.Binary("*", one, Const(value)) | t.Binary("*", Const(value), one) if value == by:
                return self.text(one)
        return None

    def _sum(self, terms: Sequence[Expr], offset: int) -> str:
        return " + ".join([*map(self.text, terms), *([str(offset)] if offset or not terms else [])])

    def zone(self, node: Expr) -> str:
        """Return the name of the zone that an expression gives, such as `hand[v0]`."""
        match node:
            case Const(-1):
                return "anywhere"
            case Const(value):
                return self.names.zone(value) or str(value)
            case t.IfElse(condition, then, otherwise):
                return f"({self.zone(then)} if {self.plain(condition)} else {self.zone(otherwise)})"
            case t.Present(operand):
                return f"present({self.zone(operand)})"
            case t.Binary("+"):
                terms = sum_of(node)
                base = sum(one.value for one in terms if isinstance(one, Const))
                family = self.names.zones_from(base)
                if family is not None:
                    index = [one for one in terms if not isinstance(one, Const)]
                    return f"{family}[{plain(self._sum(index, 0))}]"
        return self.text(node)

    # -------------------------------------------------------------- integers

    def binary(self, node: t.Binary) -> str:
        if node.op in ("==", "!=") and (self._is_zone(node.left) or self._is_zone(node.right)):
            return f"({self._place(node.left)} {node.op} {self._place(node.right)})"
        return f"({self.text(node.left)} {node.op} {self.text(node.right)})"

    def _is_zone(self, node: Expr) -> bool:
        """Whether an expression is the zone of a card."""
        if isinstance(node, t.Cell):
            found = self.names.find(node.address)
            return found is not None and found.family.address == self.names.program.layout.places
        return False

    def _place(self, node: Expr) -> str:
        return "none" if node == Const(-1) else self.zone(node)

    def call(self, node: t.Call | t.CallList) -> str:
        return f"{self.names.function(node.function)}({self.joined(node.arguments)})"

    def if_else(self, node: t.IfElse | t.Choice) -> str:
        return f"({self.text(node.then)} if {self.text(node.condition)} else {self.text(node.otherwise)})"

    def best(self, node: t.Highest) -> str:
        """Print the highest or lowest value of an expression over a list."""
        return f"{'lowest' if node.lowest else 'highest'}({self.loop(node)}; {node.empty} if empty)"

    def loop(self, node: Any) -> str:
        """Print an expression that is worked out for each item."""
        return f"{self.text(node.body)} for {variable(node.slot)} in {self.text(node.items)}"

    # -------------------------------------------------------------- lists

    def filtered(self, node: t.Filter) -> str:
        name = variable(node.slot)
        return f"[{name} for {name} in {self.text(node.items)} if {self.plain(node.condition)}]"

    def ranked(self, node: t.Ranked) -> str:
        return f"ranked({self.loop(node)}; {'descending' if node.descending else 'ascending'})"

    def looked(self, node: Looked) -> str:
        cases = [f"{value}: {[*members]}" for value, members in node.lists]
        return f"({self.plain(node.outer)} in {{{', '.join([*cases, f'other: {[*node.other]}'])}}})"


Printer = Callable[[Values, Any], str]


def _between(word: str) -> Printer:
    """A printer for an operation that is written between its operands."""
    return lambda text, node: f"({text.text(node.left)} {word} {text.text(node.right)})"


def _applied(word: str, *fields: str) -> Printer:
    """A printer for a word with operands."""
    return lambda text, node: f"{word}({text.joined(getattr(node, field) for field in fields)})"


def _looped(word: str) -> Printer:
    """A printer for a word with an expression that is worked out for each item."""
    return lambda text, node: f"{word}({text.loop(node)})"


PRINTERS: dict[type[Expr | List], Printer] = {
    Const: lambda _text, node: str(node.value),
    t.Local: lambda _text, node: variable(node.slot),
    t.Cell: lambda text, node: text.cell(node.address),
    t.Table: lambda text, node: f"T{node.table}[{text.plain(node.index)}]",
    t.Binary: Values.binary,
    t.Checked: lambda text, node: f"checked({text.text(node.left)} {node.op} {text.text(node.right)})",
    t.Not: lambda text, node: f"(not {text.text(node.operand)})",
    t.And: _between("and"),
    t.Or: _between("or"),
    t.IfElse: Values.if_else,
    t.Least: _applied("least", "left", "right"),
    t.Most: _applied("most", "left", "right"),
    t.Call: Values.call,
    t.Present: _applied("present", "operand"),
    t.Within: lambda text, node: f"within({text.plain(node.operand)}; {node.least} to {node.most})",
    t.Count: _applied("count", "items"),
    t.Total: _looped("total"),
    t.Exists: _looped("any"),
    t.Contains: lambda text, node: f"({text.text(node.value)} in {text.text(node.items)})",
    t.Same: _applied("same", "left", "right"),
    t.First: _applied("first", "items"),
    t.Last: _applied("last", "items"),
    t.Highest: Values.best,
    t.Items: lambda text, node: f"[{text.joined(node.values)}]",
    t.LocalList: lambda _text, node: f"l{node.slot}",
    t.CellList: lambda text, node: text.cells(node.address),
    t.Cards: lambda text, node: f"cards({plain(text.zone(node.zone))})",
    t.TableList: lambda text, node: f"L{node.table}[{text.plain(node.index)}]",
    t.Filter: Values.filtered,
    t.Map: lambda text, node: f"[{text.loop(node)}]",
    t.FlatMap: lambda text, node: f"[*{text.loop(node)}]",
    t.Concat: _between("++"),
    t.Take: lambda text, node: f"take-{'first' if node.first else 'last'}({text.joined((node.count, node.items))})",
    t.Extremes: lambda text, node: f"all-{'lowest' if node.lowest else 'highest'}({text.loop(node)})",
    t.Ranked: Values.ranked,
    t.Distinct: _looped("distinct"),
    t.Rotated: lambda text, node: f"rotated({text.plain(node.items)}; from {text.plain(node.start)})",
    t.Choice: Values.if_else,
    t.CallList: Values.call,
    t.Answer: _applied("answer", "seat"),
    Metered: lambda text, node: f"charged({text.plain(node.items)}; {node.each} each)",
    Others: lambda text, node: f"others({text.plain(node.items)}; after {text.plain(node.start)})",
    Looked: Values.looked,
}
"""How each expression and list is printed."""
