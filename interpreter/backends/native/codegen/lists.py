"""C for lists, and loops over them.

A list that is in memory is accessed through a `View`, a pointer and a length. Others are generated item by item
(`each`), so that most are never stored. If the order of rule errors could be observed, or an error could be missed,
the list is made first: all items are evaluated before any of them is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import frozen

from rulewright.interpreter.analysis.nodes import interval
from rulewright.interpreter.analysis.tabulate import Looked
from rulewright.interpreter.backends.native.codegen.expressions import WORD, ValueText
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, List
from rulewright.ruleset.table.traversal import everything

Use = Callable[[str], None]
"""Writes the use of an item, given its text."""


@frozen
class View:
    """A list in memory: names or constants for its start and its length."""

    pointer: str
    count: str


class ListText(ValueText):
    """C for lists. Their writers are in tables, one for lists in memory, one for lists that must be made."""

    views: ClassVar[Mapping[type[List], Callable[[Any, Any], View | None]]]
    makers: ClassVar[Mapping[type[List], Callable[[Any, Any, str, str], None]]]

    # -------------------------------------------------------------- in memory

    def view(self, node: List) -> View:
        """Return the view of a list, made if not in memory. It is valid until the next change of memory."""
        maker = self.views.get(type(node))
        found = maker(self, node) if maker is not None else None
        return found if found is not None else self.made(node)

    def made(self, node: List) -> View:
        """Make a list in this function's memory."""
        buffer, count = self.buffer(self.bounds.most(node, self.slots))
        if isinstance(node, t.CallList):
            arguments = self.passed(node.arguments)
            self.line(f"{count} = rw_f{node.function}({', '.join(['G', *arguments, buffer])});")
            if node.function in self.fallible:
                self.passed_on()
        elif type(node) in self.makers:
            self.makers[type(node)](self, node, buffer, count)
        else:
            self.append(node, buffer, count)
        return View(buffer, count)

    def buffer(self, most: int) -> tuple[str, str]:
        """Declare a buffer for a list and one more item, and a variable for its length, initially 0."""
        buffer, count = self.name("b"), self.name("c")
        self.line(f"int {buffer}[{self.more(most + 1)}], {count} = 0;")
        return buffer, count

    def more(self, cells: int) -> int:
        """Add to the cells that the text stores, at least 1, since C has no empty arrays. Returns the number."""
        self.room += max(cells, 1)
        return max(cells, 1)

    def append(self, node: List, buffer: str, count: str) -> None:
        """Append a list to the contents of a buffer."""
        if self.lies(node):
            view = self.view(node)
            self.line(f"rw_copy({buffer} + {count}, {view.pointer}, {view.count}); {count} += {view.count};")
            return
        if isinstance(node, t.Concat):
            for part in (node.left, node.right):
                self.append(part, buffer, count)
            return
        if isinstance(node, t.Choice):
            with self.block(f"if ({self.number(node.condition)})"):
                self.append(node.then, buffer, count)
            with self.block("else"):
                self.append(node.otherwise, buffer, count)
            return
        self.select(node, lambda item, test: self.line(f"{buffer}[{count}] = {item}; {count} += {test};"))

    def lies(self, node: List) -> bool:
        """Return whether a list is in memory without being made."""
        if isinstance(node, t.Take):
            return self.lies(node.items)
        if isinstance(node, t.Choice):
            return self.lies(node.then) and self.lies(node.otherwise)
        if isinstance(node, t.Items):
            return all(isinstance(value, Const) for value in node.values)
        lying = (t.LocalList, t.CellList, t.Cards, t.TableList, t.Answer, Looked)
        return isinstance(node, lying)

    def cells_of(self, node: t.CellList | t.Cards) -> str:
        """Return the address of list cells."""
        if isinstance(node, t.CellList):
            return self.number(node.address)
        if isinstance(node.zone, Const):
            return str(self.program.zones[node.zone.value].address)
        if isinstance(node.zone, t.Table):
            return f"{self.addresses(node.zone.table)}[{self.number(node.zone.index)}]"
        return f"rw_address[{self.number(node.zone)}]"

    # -------------------------------------------------------------- walked through

    def each(self, node: List, use: Use, careful: bool) -> None:
        """Write the use of each item, in order.

        `careful` means that the use may fail, or may stop before the last item, so nothing of the list may fail in
        between.
        """
        if careful and not self.lies(node) and self.can_fail(node):
            self._loop(self.made(node), use)
            return
        match node:
            case t.Items((value,)):
                with self.block():
                    use(self.named(value))
            case t.Filter(items, slot, condition):

                def filtered(item: str) -> None:
                    with self.binding(slot, item):
                        test = self.number(condition)
                    with self.block(f"if ({test})"):
                        use(item)

                self.each(items, filtered, careful or self.can_fail(condition))
            case t.Map(items, slot, body):

                def mapped(item: str) -> None:
                    with self.binding(slot, item):
                        value = self.named(body)
                    use(value)

                self.each(items, mapped, careful or self.can_fail(body))
            case t.FlatMap(items, slot, inner):

                def flattened(item: str) -> None:
                    with self.binding(slot, item):
                        self.each(inner, use, careful)

                self.each(items, flattened, careful or self.can_fail(inner))
            case t.Concat() if all(map(self.lies, parts := parts_of(node))):
                self._loops([self.view(part) for part in parts], use)
            case _:
                self._loop(self.view(node), use)

    def select(self, node: List, put: Callable[[str, str], None]) -> None:
        """Write the use of each possible item, given its text and a test of whether it is in the list.

        A branch that the processor cannot predict costs more than storing an item where the next may replace it.
        """
        match node:
            case t.Filter(items, slot, condition):

                def test(item: str) -> None:
                    with self.binding(slot, item):
                        holds = self.number(condition)
                    put(item, f"({holds} != 0)")

                self.each(items, test, self.can_fail(condition))
            case t.Distinct(items, slot, body) if self.has_small_keys(node):
                seen = self.name()
                self.line(f"unsigned long long {seen} = 0;")

                def fresh(item: str, test: str) -> None:
                    with self.binding(slot, item):
                        key = self.named(body)
                    new = self.name()
                    self.line(f"const unsigned long long {new} = {test} & ~({seen} >> {key}) & 1;")
                    put(item, f"(int){new}")
                    self.line(f"{seen} |= {new} << {key};")

                if self._has_key(node):
                    self.select(items, fresh)
                else:
                    self.each(items, lambda item: fresh(item, "1ull"), self.can_fail(body))
            case t.Map(t.Filter() | t.Distinct() as items, slot, body) if _arithmetic(body):

                def change(item: str, test: str) -> None:
                    with self.binding(slot, item):
                        value = self.named(body)
                    put(value, test)

                self.select(items, change)
            case _:
                self.each(node, lambda item: put(item, "1"), False)

    def has_small_keys(self, node: t.Distinct) -> bool:
        """Return whether the keys of a list without repetitions fit as bits into one word."""
        low, high = interval(node.body, self.program)
        return low >= 0 and high < WORD

    def _has_key(self, node: t.Distinct) -> bool:
        """Return whether items that the filter leaves out have a key, too: the filter's table is not longer."""
        match node.items, node.body:
            case t.Filter(slot=slot, condition=condition), t.Table(number, index) if index == t.Local(node.slot):
                size = len(self.program.tables[number])
                return any(other == t.Local(slot) and most <= size for other, most in self.looked_up(condition))
        return False

    def _loop(self, view: View, use: Use) -> None:
        if view.count == "0":
            return
        place, item = self.name("i"), self.name("x")
        with self.block(f"for (int {place} = 0; {place} < {view.count}; {place}++)"):
            self.line(f"const int {item} = {view.pointer}[{place}];")
            use(item)

    def _loops(self, views: Sequence[View], use: Use) -> None:
        """Write one loop over several lists in memory."""
        pointers, counts, part = self.name("p"), self.name("c"), self.name("i")
        self.line(f"const int *const {pointers}[] = {{{', '.join(view.pointer for view in views)}}};")
        self.line(f"const int {counts}[] = {{{', '.join(view.count for view in views)}}};")
        with self.block(f"for (int {part} = 0; {part} < {len(views)}; {part}++)"):
            self._loop(View(f"{pointers}[{part}]", f"{counts}[{part}]"), use)

    def passed(self, arguments: Sequence[Expr | List]) -> list[str]:
        texts: list[str] = []
        for argument in arguments:
            if isinstance(argument, List):
                view = self.view(argument)
                texts += (view.pointer, view.count)
            else:
                texts.append(self.named(argument))
        return texts

    def owned(self, node: List) -> View:
        """Return the view of a list that later changes of slots and cells do not affect."""
        if not self.lies(node) or isinstance(node, t.Items | t.TableList | Looked):
            return self.view(node)
        buffer, count = self.buffer(self.bounds.most(node, self.slots))
        self.append(node, buffer, count)
        return View(buffer, count)


def _arithmetic(node: Expr) -> bool:
    """Return whether an expression may be evaluated for any item: it only computes."""
    return all(isinstance(part, Const | t.Local | t.Binary) for part in everything(node)) and not any(
        isinstance(part, t.Binary) and part.op in ("//", "%") for part in everything(node)
    )


def parts_of(node: List) -> list[List]:
    """Return the lists of a concatenation, in order."""
    return [*parts_of(node.left), *parts_of(node.right)] if isinstance(node, t.Concat) else [node]
