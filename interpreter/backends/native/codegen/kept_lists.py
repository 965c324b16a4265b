"""C for lists and numbers of cards that are kept by class (`interpreter.optimiser.kept_cards`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from interpreter.backends.native.codegen.expressions import NUMBERS
from interpreter.backends.native.codegen.lists import Use, View
from interpreter.backends.native.codegen.playing import PlayingText
from interpreter.optimiser.class_program import ClassAt, ClassOf, PlaceOf
from interpreter.optimiser.face_tests import holds as passes
from interpreter.optimiser.kept_cards import Form, KeptCards
from interpreter.optimiser.listed import listed
from interpreter.optimiser.zone_sets import Unit
from ruleset.table import nodes as t
from ruleset.table.nodes import Expr, List, Local, TableProgram

_FORMS = {Form.COUNTS: "RW_COUNTS", Form.ORDER: "RW_ORDER", Form.NUMBER: "RW_NUMBER"}


class KeptListText(PlayingText):
    """Lists of references to cards. A list of a zone that keeps counts is gone through class by class."""

    number_writers: ClassVar[Mapping[type[Expr], Callable[[Any, Any], str]]]

    def __init__(self, program: TableProgram, kept: KeptCards) -> None:
        super().__init__(program)
        self.kept_cards = kept
        self.listed = listed(program)
        """The addresses of lists that are kept as sets, too."""
        self._function: int | None = None

    # -------------------------------------------------------------- zones

    @property
    def unit(self) -> Unit:
        """The function or procedure that is being written."""
        return ("procedure", self.procedure_number) if self._function is None else ("function", self._function)

    def function(self, number: int) -> None:
        self._function = number
        super().function(number)
        self._function = None

    def form(self, zone: Expr, name: str) -> str:
        """Return the text of the form of a zone, whose number is `name`."""
        form = self.kept_cards.form(zone, self.unit)
        return _FORMS[form] if form is not None else f"rw_form[{name}]"

    # -------------------------------------------------------------- lists

    def lies(self, node: List) -> bool:
        if isinstance(node, t.Cards):
            return False
        return super().lies(node)

    def view(self, node: List) -> View:
        if isinstance(node, t.Cards):
            buffer, count = self.buffer(self.bounds.most(node, self.slots))
            zone = self.named(node.zone)
            self.line(f"{count} = rw_refs(G, {zone}, {self.form(node.zone, zone)}, {buffer});")
            return View(buffer, count)
        return super().view(node)

    def append(self, node: List, buffer: str, count: str) -> None:
        if isinstance(node, t.Cards):
            zone = self.named(node.zone)
            form = self.form(node.zone, zone)
            self.line(f"{count} += rw_refs(G, {zone}, {form}, {buffer} + {count});")
            return
        super().append(node, buffer, count)

    def each(self, node: List, use: Use, careful: bool) -> None:
        if (careful and self.can_fail(node)) or not self._by_class(node):
            super().each(node, use, careful)
            return

        def copies(item: str, number: str) -> None:
            if number == "1":
                use(item)
                return
            place = self.name("i")
            with self.block(f"for (int {place} = {number}; {place}; {place}--)"):
                use(item)

        self.each_class(node, copies)

    def _by_class(self, node: List) -> bool:
        """Return whether the items of a list can be given class by class, each with its number."""
        match node:
            case t.Cards(zone):
                return self.kept_cards.form(zone, self.unit) in (Form.COUNTS, Form.NUMBER)
            case t.Filter(items, _, condition):
                return not self.can_fail(condition) and self._by_class(items)
            case t.Distinct(items, slot, t.Table(number, ClassAt(Local(same)))) if slot == same:
                return self._by_class(items) and len({*self.program.tables[number]}) == len(
                    self.program.tables[number]
                )
        return False

    def each_class(self, node: List, use: Callable[[str, str], None]) -> None:
        """Write the use of an item of each class in a list, and of their number."""
        match node:
            case t.Cards(zone):
                self._each_of_zone(zone, "", use)
            case t.Filter(t.Cards(zone), slot, condition) if (mask := self.mask(condition, slot)) is not None:
                self._each_of_zone(zone, mask, use)
            case t.Filter(items, slot, condition):

                def filtered(item: str, number: str) -> None:
                    with self.binding(slot, item):
                        test = self.number(condition)
                    with self.block(f"if ({test})"):
                        use(item, number)

                self.each_class(items, filtered)
            case t.Distinct(items):
                self.each_class(items, lambda item, _number: use(item, "1"))

    def _each_of_zone(self, zone: Expr, mask: str, use: Callable[[str, str], None]) -> None:
        name, item = self.named(zone), self.name("x")
        if self.kept_cards.form(zone, self.unit) is Form.NUMBER:
            size = self.name("c")
            self.line(f"const int {size} = G->kept.size[{name}];")
            test = f"{size} && ({mask}[rw_spot[{name}] / 64] >> (rw_spot[{name}] & 63) & 1)" if mask else size
            with self.block(f"if ({test})"):
                self.line(f"const int {item} = RW_REF({name}, rw_spot[{name}]);")
                use(item, size)
            return
        counts, word, bits, number = self.name("p"), self.name("i"), self.name("m"), self.name("c")
        self.line(f"const rw_counts *const {counts} = &G->kept.counts[rw_spot[{name}]];")
        held = f"{counts}->held[{word}]" + (f" & {mask}[{word}]" if mask else "")
        self.line(f"for (int {word} = 0; {word} < RW_WORDS; {word}++)")
        with self.block(f"  RW_EACH_BIT({bits}, {held})"):
            self.line(f"const int {item} = RW_REF({name}, {word} * 64 + rw_lowest({bits}));")
            self.line(f"const int {number} = {counts}->n[rw_card_of({item})]; (void){number};")
            use(item, number)

    def mask(self, condition: Expr, slot: int) -> str | None:
        """Return the name of a constant set of classes: those that pass a test that only reads tables."""
        passing = []
        for number in range(len(self.kept_cards.first)):
            holds = passes(condition, slot, number, self.program)
            if holds is None:
                return None
            passing.append(holds)
        words = [
            sum(1 << bit for bit, holds in enumerate(passing[start : start + 64]) if holds)
            for start in range(0, len(passing), 64)
        ]
        return self.bit_set(words)

    def count(self, node: t.Count) -> str:
        if isinstance(node.items, t.Cards):
            return f"G->kept.size[{self.number(node.items.zone)}]"
        if not self.can_fail(node.items) and self._by_class(node.items):
            count = self.name("c")
            self.line(f"int {count} = 0;")
            self.each_class(node.items, lambda _item, number: self.line(f"{count} += {number};"))
            return count
        return super().count(node)

    def total(self, node: t.Total) -> str:
        if self.can_fail(node.items) or self.can_fail(node.body) or not self._by_class(node.items):
            return super().total(node)
        total = self.name()
        self.line(f"long long {total} = 0;")

        def add(item: str, number: str) -> None:
            with self.binding(node.slot, item):
                self.line(f"{total} += (long long){number} * {self.number(node.body)};")

        self.each_class(node.items, add)
        self.fault_if(f"{total} != (int){total}", "overflow", node.at)
        return f"((int){total})"

    def end_of(self, node: t.First | t.Last) -> str:
        if isinstance(node.items, t.Cards):
            zone, end = self.named(node.items.zone), "first" if isinstance(node, t.First) else "last"
            return f"rw_{end}_ref(G, {zone}, {self.form(node.items.zone, zone)})"
        return super().end_of(node)


KeptListText.number_writers = {
    **NUMBERS,
    ClassOf: lambda text, node: f"rw_same_as({text.number(node.card)})",
    ClassAt: lambda text, node: f"rw_card_of({text.number(node.card)})",
    PlaceOf: lambda text, node: f"rw_zone_of(G, {text.number(node.card)})",
}
