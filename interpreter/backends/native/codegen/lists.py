"""C for lists, and for what integers ask of them.

A list that lies somewhere in memory is seen through a `View`, a pointer and a length; others are walked through as
they come to be (`each`), so that most never exist as a whole. Where an order of rule errors could be told apart, or
one would be left out, the list is made first: all items are worked out before anything is done with one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from interpreter.analysis.metered import Metered
from interpreter.analysis.nodes import interval, walk
from interpreter.analysis.shapes import Others
from interpreter.analysis.tabulate import Looked
from interpreter.backends.native.codegen.expressions import WORD, ValueText
from interpreter.state.decision_slots import answer_address
from ruleset.table import nodes as table
from ruleset.table.nodes import Const, Expr, List, Local

Use = Callable[[str], None]
"""Writes what is done with an item, by its text."""


@frozen
class View:
    """A list in memory: names or constants for where it begins and how long it is."""

    pointer: str
    count: str


class ListText(ValueText):
    """Adds lists."""

    # -------------------------------------------------------------- in memory

    def view(self, node: List) -> View:
        """Where a list lies; what lies nowhere is made. It holds until the next statement changes something."""
        maker = _VIEWS.get(type(node))
        found = maker(self, node) if maker is not None else None
        return found if found is not None else self.made(node)

    def made(self, node: List) -> View:
        """A list of its own, in this function's memory."""
        buffer, count = self.buffer(self.bounds.most(node, self.slots))
        if isinstance(node, table.CallList):
            arguments = self.passed(node.arguments)
            self.line(f"{count} = rw_f{node.function}({', '.join(['G', *arguments, buffer])});")
            if node.function in self.fallible:
                self.passed_on()
        elif type(node) in _MAKERS:
            _MAKERS[type(node)](self, node, buffer, count)
        else:
            self.append(node, buffer, count)
        return View(buffer, count)

    def buffer(self, most: int) -> tuple[str, str]:
        """Room for a list and one more, and a variable for its length, which is 0."""
        buffer, count = self.name("b"), self.name("c")
        self.line(f"int {buffer}[{self.more(most + 1)}], {count} = 0;")
        return buffer, count

    def more(self, cells: int) -> int:
        """Notes that the text keeps so many cells, and gives how many; C knows no array of none."""
        self.room += max(cells, 1)
        return max(cells, 1)

    def append(self, node: List, buffer: str, count: str) -> None:
        """Writes a list behind what a buffer holds."""
        if self.lies(node):
            view = self.view(node)
            self.line(f"rw_copy({buffer} + {count}, {view.pointer}, {view.count}); {count} += {view.count};")
            return
        if isinstance(node, table.Concat):
            for part in (node.left, node.right):
                self.append(part, buffer, count)
            return
        if isinstance(node, table.Choice):
            with self.block(f"if ({self.number(node.condition)})"):
                self.append(node.then, buffer, count)
            with self.block("else"):
                self.append(node.otherwise, buffer, count)
            return
        self.select(node, lambda item, test: self.line(f"{buffer}[{count}] = {item}; {count} += {test};"))

    def lies(self, node: List) -> bool:
        """Whether a list need not be made to be seen."""
        if isinstance(node, table.Take):
            return self.lies(node.items)
        if isinstance(node, table.Choice):
            return self.lies(node.then) and self.lies(node.otherwise)
        if isinstance(node, table.Items):
            return all(isinstance(value, Const) for value in node.values)
        lying = (table.LocalList, table.CellList, table.Cards, table.TableList, table.Answer, Looked)
        return isinstance(node, lying)

    def _cells(self, node: table.CellList | table.Cards) -> str:
        """The address of list cells."""
        if isinstance(node, table.CellList):
            return self.number(node.address)
        if isinstance(node.zone, Const):
            return str(self.program.zones[node.zone.value].address)
        if isinstance(node.zone, table.Table):
            return f"{self.addresses(node.zone.table)}[{self.number(node.zone.index)}]"
        return f"rw_address[{self.number(node.zone)}]"

    # -------------------------------------------------------------- walked through

    def each(self, node: List, use: Use, careful: bool) -> None:
        """Writes what is done with each item, in order.

        `careful`: that may fail, or may stop before the last item, so nothing of the list may fail in between.
        """
        if careful and not self.lies(node) and self.can_fail(node):
            self._loop(self.made(node), use)
            return
        match node:
            case table.Items((value,)):
                with self.block():
                    use(self.named(value))
            case table.Filter(items, slot, condition):

                def filtered(item: str) -> None:
                    with self.binding(slot, item):
                        test = self.number(condition)
                    with self.block(f"if ({test})"):
                        use(item)

                self.each(items, filtered, careful or self.can_fail(condition))
            case table.Map(items, slot, body):

                def mapped(item: str) -> None:
                    with self.binding(slot, item):
                        value = self.named(body)
                    use(value)

                self.each(items, mapped, careful or self.can_fail(body))
            case table.FlatMap(items, slot, inner):

                def flattened(item: str) -> None:
                    with self.binding(slot, item):
                        self.each(inner, use, careful)

                self.each(items, flattened, careful or self.can_fail(inner))
            case table.Concat() if all(map(self.lies, parts := _parts(node))):
                self._loops([self.view(part) for part in parts], use)
            case _:
                self._loop(self.view(node), use)

    def select(self, node: List, put: Callable[[str, str], None]) -> None:
        """Writes what is done with an item and whether it is in the list, for all that could be.

        A branch that the processor cannot foresee costs more than putting an item where the next may replace it.
        """
        match node:
            case table.Filter(items, slot, condition):

                def test(item: str) -> None:
                    with self.binding(slot, item):
                        holds = self.number(condition)
                    put(item, f"({holds} != 0)")

                self.each(items, test, self.can_fail(condition))
            case table.Map(table.Filter() as items, slot, body) if _arithmetic(body):

                def change(item: str, test: str) -> None:
                    with self.binding(slot, item):
                        value = self.named(body)
                    put(value, test)

                self.select(items, change)
            case _:
                self.each(node, lambda item: put(item, "1"), False)

    def _loop(self, view: View, use: Use) -> None:
        if view.count == "0":
            return
        place, item = self.name("i"), self.name("x")
        with self.block(f"for (int {place} = 0; {place} < {view.count}; {place}++)"):
            self.line(f"const int {item} = {view.pointer}[{place}];")
            use(item)

    def _loops(self, views: Sequence[View], use: Use) -> None:
        """One loop over several lists in memory."""
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
        """A list that stays as it is, whatever happens to the slots and cells where it lies."""
        if not self.lies(node) or isinstance(node, table.Items | table.TableList | Looked):
            return self.view(node)
        buffer, count = self.buffer(self.bounds.most(node, self.slots))
        self.append(node, buffer, count)
        return View(buffer, count)


def _arithmetic(node: Expr) -> bool:
    """Whether an expression may be evaluated for any item: it only computes."""
    return all(isinstance(part, Const | table.Local | table.Binary) for part in walk(node)) and not any(
        isinstance(part, table.Binary) and part.op in ("//", "%") for part in walk(node)
    )


def _parts(node: List) -> list[List]:
    """The lists that are put together, in order."""
    return [*_parts(node.left), *_parts(node.right)] if isinstance(node, table.Concat) else [node]


# ------------------------------------------------------------------ lists that lie somewhere


def _items(text: ListText, node: table.Items) -> View:
    if all(isinstance(value, Const) for value in node.values):
        if not node.values:
            return View("rw_none", "0")
        constants = [value.value for value in node.values if isinstance(value, Const)]
        return View(text.array(constants), str(len(constants)))
    values = [text.named(value) for value in node.values]
    name = text.name("b")
    text.line(f"const int {name}[] = {{{', '.join(values)}}};")
    return View(name, str(len(values)))


def _at(text: ListText, address: str) -> View:
    """List cells at an address."""
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *const {pointer} = S + {address} + 1; const int {count} = {pointer}[-1];")
    return View(pointer, count)


def _table_list(text: ListText, node: table.TableList) -> View:
    index, pointer, count = text.named(node.index), text.name("p"), text.name("c")
    offsets = f"rw_O{node.table}"
    text.line(f"const int *const {pointer} = rw_L{node.table} + {offsets}[{index}];")
    text.line(f"const int {count} = {offsets}[{index} + 1] - {offsets}[{index}];")
    return View(pointer, count)


def _metered(text: ListText, node: Metered) -> View:
    """What is metered stays as it is while a loop goes through it, which may be that of a statement."""
    view = text.owned(node.items)
    text.line(f"rw_spend(G, {view.count}, {node.each}, {node.at});")
    text.passed_on()
    return view


def _take(text: ListText, node: table.Take) -> View:
    view = text.view(node.items)
    wanted, count = text.named(node.count), text.name("c")
    text.line(f"const int {count} = {wanted} < 0 ? 0 : {wanted} < {view.count} ? {wanted} : {view.count};")
    if node.first:
        return View(view.pointer, count)
    pointer = text.name("p")
    text.line(f"const int *const {pointer} = {view.pointer} + {view.count} - {count};")
    return View(pointer, count)


def _choice(text: ListText, node: table.Choice) -> View | None:
    """One of two lists that lie somewhere; only the chosen one is looked up."""
    if not text.lies(node.then) or not text.lies(node.otherwise):
        return None
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *{pointer}; int {count};")
    test = text.number(node.condition)
    for head, part in ((f"if ({test})", node.then), ("else", node.otherwise)):
        with text.block(head):
            view = text.view(part)
            text.line(f"{pointer} = {view.pointer}; {count} = {view.count};")
    return View(pointer, count)


def _looked(text: ListText, node: Looked) -> View:
    """One of some constant lists, by a number."""
    pointer, count = text.name("p"), text.name("c")
    text.line(f"const int *{pointer}; int {count};")
    with text.block(f"switch ({text.number(node.outer)})"):
        for value, members in node.lists:
            text.line(f"case {value}: {pointer} = {text.array(members)}; {count} = {len(members)}; break;")
        text.line(f"default: {pointer} = {text.array(node.other)}; {count} = {len(node.other)};")
    return View(pointer, count)


_VIEWS: dict[type[List], Callable[[ListText, Any], View | None]] = {
    table.Items: _items,
    table.LocalList: lambda _text, node: View(f"l{node.slot}", f"n{node.slot}"),
    table.CellList: lambda text, node: _at(text, text._cells(node)),
    table.Cards: lambda text, node: _at(text, text._cells(node)),
    table.TableList: _table_list,
    table.Take: _take,
    table.Choice: _choice,
    Looked: _looked,
    Metered: _metered,
    table.Answer: lambda text, node: _at(text, _answer(text, node.seat)),
}


def _answer(text: ListText, seat: Expr) -> str:
    layout = text.program.layout
    return f"{answer_address(layout, 0)} + {text.number(seat)} * {layout.decision}"


# ------------------------------------------------------------------ lists that are made


def _extremes(text: ListText, node: table.Extremes, buffer: str, count: str) -> None:
    best, sign = text.name(), "<" if node.lowest else ">"
    text.line(f"int {best} = 0;")

    def compare(item: str) -> None:
        with text.binding(node.slot, item):
            key = text.named(node.body)
        text.line(f"if (!{count} || {key} {sign} {best}) {{ {best} = {key}; {count} = 0; }}")
        text.line(f"if ({key} == {best}) {buffer}[{count}++] = {item};")

    text.each(node.items, compare, text.can_fail(node.body))


def _ranked(text: ListText, node: table.Ranked, buffer: str, count: str) -> None:
    """A stable insertion sort: lists are short."""
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


def _distinct(text: ListText, node: table.Distinct, buffer: str, count: str) -> None:
    low, high = interval(node.body, text.program)
    if low >= 0 and high < WORD:
        _distinct_small(text, node, buffer, count)
        return
    keys, place = text.name("b"), text.name("i")
    text.line(f"int {keys}[{text.more(text.bounds.most(node, text.slots))}];")

    def add(item: str) -> None:
        with text.binding(node.slot, item):
            key = text.named(node.body)
        text.line(f"int {place} = 0; while ({place} < {count} && {keys}[{place}] != {key}) {place}++;")
        text.line(f"if ({place} == {count}) {{ {keys}[{count}] = {key}; {buffer}[{count}++] = {item}; }}")

    text.each(node.items, add, text.can_fail(node.body))


def _distinct_small(text: ListText, node: table.Distinct, buffer: str, count: str) -> None:
    """Keys that are bits of one word."""
    seen = text.name()
    text.line(f"unsigned long long {seen} = 0;")

    def add(item: str, test: str) -> None:
        with text.binding(node.slot, item):
            key = text.named(node.body)
        fresh = text.name()
        text.line(f"const unsigned long long {fresh} = {test} & ~({seen} >> {key});")
        text.line(f"{buffer}[{count}] = {item}; {count} += (int){fresh} & 1; {seen} |= ({fresh} & 1) << {key};")

    if _has_key(text, node):
        text.select(node.items, add)
    else:
        text.each(node.items, lambda item: add(item, "1ull"), text.can_fail(node.body))


def _has_key(text: ListText, node: table.Distinct) -> bool:
    """Whether also an item that a filter leaves out has a key: the filter looks it up in no longer a table."""
    match node.items, node.body:
        case table.Filter(slot=slot, condition=condition), table.Table(number, index) if index == Local(node.slot):
            size = len(text.program.tables[number])
            return any(other == Local(slot) and most <= size for other, most in text.looked_up(condition))
    return False


def _others(text: ListText, node: Others, buffer: str, count: str) -> None:
    view = text.view(node.items)
    start = text.named(node.start)
    text.line(f"{count} = rw_others({buffer}, {view.pointer}, {view.count}, {start});")


def _rotated(text: ListText, node: table.Rotated, buffer: str, count: str) -> None:
    view = text.view(node.items)
    start = text.named(node.start)
    text.line(f"{count} = rw_rotate({buffer}, {view.pointer}, {view.count}, {start});")


_MAKERS: dict[type[List], Callable[[ListText, Any, str, str], None]] = {
    table.Extremes: _extremes,
    table.Ranked: _ranked,
    table.Distinct: _distinct,
    table.Rotated: _rotated,
    Others: _others,
}
