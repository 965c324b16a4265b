"""C for lists, and loops over them.

A list that is in memory is accessed through a `CListView`, a pointer and a length. Others are generated item by
item (`each`), so that most are never stored. If the order of rule errors could be observed, or an error could be
missed, the list is made first: all items are evaluated before any of them is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import frozen

from rulewright.interpreter.analysis.metering import Others
from rulewright.interpreter.analysis.nodes import Looked, Metered, interval
from rulewright.interpreter.backends.native.codegen.expressions import WORD, ValueText
from rulewright.interpreter.backends.native.codegen.writer import literal
from rulewright.interpreter.state.decision_slots import answer_address
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import Const, Expr, List

Use = Callable[[str], None]
"""Writes the use of an item, given its text."""


@frozen
class CListView:
    """A list in memory: names or constants for its start and its length."""

    pointer: str
    count: str


class ListText(ValueText):
    """C for lists. Their writers are in tables, one for lists in memory, one for lists that must be made."""

    views: ClassVar[Mapping[type[List], Callable[[Any, Any], CListView | None]]]
    makers: ClassVar[Mapping[type[List], Callable[[Any, Any, str, str], None]]]

    # -------------------------------------------------------------- in memory

    def view(self, node: List) -> CListView:
        """Return the view of a list, made if not in memory. It is valid until the next change of memory."""
        maker = self.views.get(type(node))
        found = maker(self, node) if maker is not None else None
        return found if found is not None else self.made(node)

    def made(self, node: List) -> CListView:
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
        return CListView(buffer, count)

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

    def _loop(self, view: CListView, use: Use) -> None:
        if view.count == "0":
            return
        place, item = self.name("i"), self.name("x")
        with self.block(f"for (int {place} = 0; {place} < {view.count}; {place}++)"):
            self.line(f"const int {item} = {view.pointer}[{place}];")
            use(item)

    def _loops(self, views: Sequence[CListView], use: Use) -> None:
        """Write one loop over several lists in memory."""
        pointers, counts, part = self.name("p"), self.name("c"), self.name("i")
        self.line(f"const int *const {pointers}[] = {{{', '.join(view.pointer for view in views)}}};")
        self.line(f"const int {counts}[] = {{{', '.join(view.count for view in views)}}};")
        with self.block(f"for (int {part} = 0; {part} < {len(views)}; {part}++)"):
            self._loop(CListView(f"{pointers}[{part}]", f"{counts}[{part}]"), use)

    def passed(self, arguments: Sequence[Expr | List]) -> list[str]:
        texts: list[str] = []
        for argument in arguments:
            if isinstance(argument, List):
                view = self.view(argument)
                texts += (view.pointer, view.count)
            else:
                texts.append(self.named(argument))
        return texts

    def owned(self, node: List) -> CListView:
        """Return the view of a list that later changes of slots and cells do not affect."""
        if not self.lies(node) or isinstance(node, t.Items | t.TableList | Looked):
            return self.view(node)
        buffer, count = self.buffer(self.bounds.most(node, self.slots))
        self.append(node, buffer, count)
        return CListView(buffer, count)


def _arithmetic(node: Expr) -> bool:
    """Return whether an expression may be evaluated for any item: it only computes."""
    return all(isinstance(part, Const | t.Local | t.Binary) for part in everything(node)) and not any(
        isinstance(part, t.Binary) and part.op in ("//", "%") for part in everything(node)
    )


def parts_of(node: List) -> list[List]:
    """Return the lists of a concatenation, in order."""
    return [*parts_of(node.left), *parts_of(node.right)] if isinstance(node, t.Concat) else [node]


# ---- C for lists that are in memory, or of which a part is: their start and their length

def _items(text: ListText, node: t.Items) -> CListView:
    if all(isinstance(value, Const) for value in node.values):
        if not node.values:
            return CListView("rw_none", "0")
        constants = [value.value for value in node.values if isinstance(value, Const)]
        return CListView(text.array(constants), str(len(constants)))
    values = [text.named(value) for value in node.values]
    name = text.name("b")
    text.line(f"const int {name}[] = {{{', '.join(values)}}};")
    return CListView(name, str(len(values)))


def _at(text: ListText, address: str) -> CListView:
    """View list cells at an address."""
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *const {pointer} = S + {address} + 1; const int {count} = {pointer}[-1];")
    return CListView(pointer, count)


def _table_list(text: ListText, node: t.TableList) -> CListView:
    index, pointer, count = text.named(node.index), text.name("p"), text.name("c")
    offsets = f"rw_O{node.table}"
    text.line(f"const int *const {pointer} = rw_L{node.table} + {offsets}[{index}];")
    text.line(f"const int {count} = {offsets}[{index} + 1] - {offsets}[{index}];")
    return CListView(pointer, count)


def _metered(text: ListText, node: Metered) -> CListView:
    """View a metered list, which stays unchanged during the loop over it, even that of a statement."""
    view = text.owned(node.items)
    text.line(f"rw_spend(G, {view.count}, {node.each}, {node.at});")
    text.passed_on()
    return view


def _take(text: ListText, node: t.Take) -> CListView:
    view = text.view(node.items)
    wanted, count = text.named(node.count), text.name("c")
    text.line(f"const int {count} = {wanted} < 0 ? 0 : {wanted} < {view.count} ? {wanted} : {view.count};")
    if node.first:
        return CListView(view.pointer, count)
    pointer = text.name("p")
    text.line(f"const int *const {pointer} = {view.pointer} + {view.count} - {count};")
    return CListView(pointer, count)


def _choice(text: ListText, node: t.Choice) -> CListView | None:
    """View one of two lists in memory; only the chosen one is evaluated."""
    if not text.lies(node.then) or not text.lies(node.otherwise):
        return None
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *{pointer}; int {count};")
    test = text.number(node.condition)
    for head, part in ((f"if ({test})", node.then), ("else", node.otherwise)):
        with text.block(head):
            view = text.view(part)
            text.line(f"{pointer} = {view.pointer}; {count} = {view.count};")
    return CListView(pointer, count)


def _looked(text: ListText, node: Looked) -> CListView:
    """View one of some constant lists, chosen by a number."""
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *{pointer}; int {count};")
    with text.block(f"switch ({text.number(node.outer)})"):
        for value, members in node.lists:
            text.line(f"case {value}: {pointer} = {text.array(members)}; {count} = {len(members)}; break;")
        text.line(f"default: {pointer} = {text.array(node.other)}; {count} = {len(node.other)};")
    return CListView(pointer, count)


def _answer(text: ListText, seat: Expr) -> str:
    layout = text.program.layout
    return f"{answer_address(layout, 0)} + {text.number(seat)} * {layout.decision}"


VIEWS: dict[type[List], Callable[[ListText, Any], CListView | None]] = {
    t.Items: _items,
    t.LocalList: lambda _text, node: CListView(f"l{node.slot}", f"n{node.slot}"),
    t.CellList: lambda text, node: _at(text, text.cells_of(node)),
    t.Cards: lambda text, node: _at(text, text.cells_of(node)),
    t.TableList: _table_list,
    t.Take: _take,
    t.Choice: _choice,
    Looked: _looked,
    Metered: _metered,
    t.Answer: lambda text, node: _at(text, _answer(text, node.seat)),
}


# ---- Generate C for lists that must be built as a whole

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


# ---- C for integers computed from lists: counts, tests, sums, extreme values, ends

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
