"""C for integers computed from lists: counts, tests, sums, extreme values, ends."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.interpreter.backends.native.codegen.expressions import WORD
from rulewright.interpreter.backends.native.codegen.list_views import VIEWS
from rulewright.interpreter.backends.native.codegen.lists import ListText, Use, parts_of
from rulewright.interpreter.backends.native.codegen.made_lists import MAKERS
from rulewright.interpreter.backends.native.codegen.writer import literal
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, List


class NumberText(ListText):
    """C for integers computed from lists."""

    views, makers = VIEWS, MAKERS

    def count(self, node: t.Count) -> str:
        if isinstance(node.items, t.Cards | t.CellList):
            return f"S[{self.cells_of(node.items)}]"
        if self.lies(node.items):
            return self.view(node.items).count
        count = self.name("c")
        self.line(f"int {count} = 0;")
        self.select(node.items, lambda _item, test: self.line(f"{count} += {test};"))
        return count

    def total(self, node: t.Total) -> str:
        total = self.name()
        self.line(f"long long {total} = 0;")

        def add(item: str) -> None:
            with self.binding(node.slot, item):
                self.line(f"{total} += {self.number(node.body)};")

        self.each(node.items, add, self.can_fail(node.body))
        self.fault_if(f"{total} != (int){total}", "overflow", node.at)
        return f"((int){total})"

    def exists(self, node: t.Exists) -> str:
        def holds(item: str) -> str:
            with self.binding(node.slot, item):
                return self.number(node.body)

        return self._found(node.items, holds)

    def contains(self, node: t.Contains) -> str:
        match node.items, node.value:
            case t.Items(values), _ if all(isinstance(one, Const) and 0 <= one.value < WORD for one in values):
                mask = sum(1 << value for value in {one.value for one in values if isinstance(one, Const)})
                value = self.named(node.value)
                return f"((unsigned){value} < {WORD} && ({mask}ull >> {value} & 1))"
            case t.TableList(number, index), Const(value):
                name = self.members.setdefault((number, value), f"rw_M{len(self.members)}")
                return f"{name}[{self.number(index)}]"
        if self.can_fail(node.items):
            view = self.view(node.items)  # the whole list before the value
            value = self.named(node.value)
            return self._search(lambda use: self._loop(view, use), lambda item: f"{item} == {value}")
        value = self.named(node.value)
        return self._found(node.items, lambda item: f"{item} == {value}")

    def _found(self, items: List, holds: Callable[[str], str]) -> str:
        """Write a test of whether a condition holds for any item; it stops at the first."""
        return self._search(lambda use: self.each(items, use, True), holds)

    def _search(self, through: Callable[[Use], None], holds: Callable[[str], str]) -> str:
        found, end = self.name(), self.name("L")
        self.line(f"int {found} = 0;")

        def check(item: str) -> None:
            self.line(f"if ({holds(item)}) {{ {found} = 1; goto {end}; }}")

        through(check)
        self.line(f"{end}:;")
        return found

    def same(self, node: t.Same) -> str:
        """Compare two lists in memory. The right one is made after the left, which nothing changes meanwhile."""
        left, right = self.view(node.left), self.view(node.right)
        same, item = self.name(), self.name("i")
        self.line(f"int {same} = {left.count} == {right.count};")
        test = f"{left.pointer}[{item}] == {right.pointer}[{item}]"
        self.line(f"for (int {item} = 0; {same} && {item} < {left.count}; {item}++) {same} = {test};")
        return same

    def end_of(self, node: t.First | t.Last) -> str:
        first = isinstance(node, t.First)
        items = node.items
        if isinstance(items, t.Items) and items.values:
            values = [self.named(value) for value in items.values]
            return values[0 if first else -1]
        if self.lies(items):
            view = self.view(items)
            place = "0" if first else f"{view.count} - 1"
            return f"({view.count} ? {view.pointer}[{place}] : -1)"
        value, end = self.name(), self.name("L")
        self.line(f"int {value} = -1;")

        def take(item: str) -> None:
            self.line(f"{value} = {item};" + (f" goto {end};" if first else ""))

        for part in [items] if self.can_fail(items) else parts_of(items):
            self.each(part, take, first)
        if first:
            self.line(f"{end}:;")
        return value

    def highest(self, node: t.Highest) -> str:
        found, some = self.name(), self.name()
        self.line(f"int {found} = {literal(node.empty)}, {some} = 0;")
        sign = "<" if node.lowest else ">"

        def compare(item: str) -> None:
            with self.binding(node.slot, item):
                value = self.named(node.body)
            self.line(f"if (!{some} || {value} {sign} {found}) {{ {found} = {value}; {some} = 1; }}")

        self.each(node.items, compare, self.can_fail(node.body))
        return found
