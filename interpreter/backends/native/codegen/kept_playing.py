"""C that plays whole games with cards kept by class (`interpreter.optimiser.kept_cards`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from attrs import evolve

from interpreter.backends.native.codegen.bit_sets import Bits, bits, only_first
from interpreter.backends.native.codegen.expressions import NUMBERS
from interpreter.backends.native.codegen.lists import Use, View
from interpreter.backends.native.codegen.playing import PlayingText
from interpreter.backends.native.codegen.statements import STATEMENTS
from interpreter.optimiser.class_program import ClassAt, ClassOf, PlaceOf
from interpreter.optimiser.face_tests import holds as passes
from interpreter.optimiser.kept_cards import Form, KeptCards
from interpreter.optimiser.listed import listed
from interpreter.optimiser.zone_sets import Unit
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, Local, Stmt, TableProgram

_FORMS = {Form.COUNTS: "RW_COUNTS", Form.ORDER: "RW_ORDER", Form.NUMBER: "RW_NUMBER"}


class KeptPlayingText(PlayingText):
    """Procedures as functions, with zones of classes."""

    def __init__(self, program: TableProgram, kept: KeptCards, bots: bool) -> None:
        super().__init__(program)
        self.kept_cards, self._bots = kept, bots
        self.listed = listed(program)
        """The addresses of lists that are kept as sets, too."""
        self._function: int | None = None

    statement_writers: ClassVar[Mapping[type[Stmt], Callable[[Any, Any], None] | None]]
    number_writers: ClassVar[Mapping[type[Expr], Callable[[Any, Any], str]]]

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
        found = self._set(node)
        if found is not None and found.once:
            with self._either(found):
                self.items_of(found, lambda item: self.line(f"{buffer}[{count}++] = {item};"))
            if found.valid != "1":
                with self.block("else"):
                    super().append(node, buffer, count)
            return
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

    # -------------------------------------------------------------- sets

    def _set(self, node: List) -> Bits | None:
        """Return a filtered or mapped list as a set of bits, after the lines that work it out."""
        if not isinstance(node, t.Filter | t.Map | t.Distinct):
            return None
        lines: list[str] = []
        with self.aside(lines):
            found = bits(self, node)
        if found is not None:
            self.lines += lines
        return found

    def _either(self, found: Bits) -> AbstractContextManager[None]:
        return self.block(f"if ({found.valid})" if found.valid != "1" else "")

    def items_of(self, found: Bits, use: Use) -> None:
        """Write the use of each member of a set, in order."""
        item = self.name("x")
        if not found.listed:
            word = self.name("w")
            with self.block(f"RW_EACH_BIT({word}, {found.word})"):
                self.line(f"const int {item} = rw_lowest({word});")
                use(found.item(item))
            return
        place, start = self.name("i"), found.listed.split(", ")[1]
        with self.block(f"for (int {place} = 1; {place} <= S[{start}]; {place}++)"):
            self.line(f"const int {item} = S[{start} + {place}];")
            with self.block(f"if ({found.word} >> {item} & 1)"):
                use(found.item(item))

    def count(self, node: t.Count) -> str:
        if isinstance(node.items, t.Filter) and isinstance(node.items.items, t.CellList):
            found = self._set(node.items)
            if found is not None:
                number = self.name("c")
                self.line(f"int {number};")
                with self._either(found):
                    self.line(f"{number} = rw_number_of({found.word});")
                with self.block("else"):
                    self.line(f"{number} = {super().count(node)};")
                return number
        return self._count(node)

    def _count(self, node: t.Count) -> str:
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

    # -------------------------------------------------------------- answers

    def answered(self, node: t.Ask, seat: str, number: bool) -> None:
        lines: list[str] = []
        chosen: list[str] = []
        with self.aside(lines), self.binding(node.slot, seat):
            parts = self._parts(node.options) if number else None
        with self.aside(chosen):
            picked = parts is not None and self._kinds_apart(node, parts) and self._pick(node, parts)
        if parts is None or not picked:
            super().answered(node, seat, number)
            return
        tests = [part.valid for part in parts if isinstance(part, Bits) and part.valid != "1"]
        if self._bots:
            tests.append(f"!G->policy[{seat}]")
        self.lines += lines
        with self.block(f"if ({' && '.join(tests)})" if tests else ""):
            self.lines += chosen
        if tests:
            with self.block("else"):
                super().answered(node, seat, number)

    def _parts(self, node: List) -> list[Bits | int] | None:
        """Return the parts of a list of options, sets and constants, or None if it has others."""
        if isinstance(node, t.Concat):
            left = self._parts(node.left)
            right = None if left is None else self._parts(node.right)
            return None if left is None or right is None else [*left, *right]
        if isinstance(node, t.Items) and all(isinstance(value, Const) for value in node.values):
            return [value.value for value in node.values if isinstance(value, Const)]
        found = bits(self, node)
        return None if found is None else [found]

    def _kinds_apart(self, node: t.Ask, parts: list[Bits | int]) -> bool:
        """Return whether the parts are different options, or cards of one bag."""
        if self.program.sites[node.site].of != "card":
            return all(isinstance(part, int) or part.once for part in parts)
        return len(parts) == 1 and isinstance(parts[0], Bits) and parts[0].zone != ""

    def _pick(self, node: t.Ask, parts: list[Bits | int]) -> bool:
        """Write a random bot's choice of one option: the number of one, then the option. Returns whether it can."""
        counts: list[str] = []
        for part in parts:
            counts.append(self.name("c") if isinstance(part, Bits) else "1")
            if isinstance(part, Bits):
                self.line(f"const int {counts[-1]} = rw_number_of({part.word});")
        always, chosen = int(node.always), self.name("r")
        if self.program.sites[node.site].of == "card":
            (only,) = parts
            assert isinstance(only, Bits)
            faces = {one: self.program.cards[self.kept_cards.first[one]].face for one in only.classes}
            kinds = only_first(self, only, faces)
            if kinds is None:
                return False
            if kinds != only.word:
                counts = [self.name("c")]
                self.line(f"const int {counts[0]} = rw_number_of({kinds});")
            one = f"{counts[0]} == 1 && {kinds} == {only.word}"
            if not only.once:
                one += f" && G->kept.counts[rw_spot[{only.zone}]].n[rw_card_of({only.item(f'rw_lowest({kinds})')})] == 1"
            self.line(f"int {chosen} = rw_pick_kind(G, {node.site}, {counts[0]}, {one}, {always});")
            parts = [evolve(only, word=kinds)]
        else:
            self.line(f"int {chosen} = rw_pick_number(G, {node.site}, {' + '.join(counts) or '0'}, {always});")
        self.line(f"if ({chosen} < 0) A = -1;")
        for part, count in zip(parts, counts, strict=True):
            with self.block(f"else if ({chosen} < {count})"):
                if isinstance(part, Bits):
                    item = self.name("x")
                    lists = f"rw_listed(G, {part.listed}, {part.word}, {chosen})"
                    member = lists if part.listed else f"rw_member({part.word}, {chosen})"
                    self.line(f"const int {item} = {member};")
                    self.line(f"A = {part.item(item)};")
                else:
                    self.line(f"A = {part};")
            self.line(f"else if (({chosen} -= {count}) < 0) A = -1;")
        return True

    # -------------------------------------------------------------- moves

    def moved(self) -> None:
        """Write the line that ends this function if a move found a zone full."""
        if not self.kept_cards.never_full:
            self.passed_on()

    def movable(self, node: List) -> View:
        """Return the view of a list of cards that may be changed."""
        if isinstance(node, t.LocalList):
            return self.view(node)
        buffer, count = self.buffer(self.bounds.most(node, self.slots))
        self.append(node, buffer, count)
        return View(buffer, count)


def _move(text: KeptPlayingText, node: t.Move) -> None:
    to = text.named(node.to)
    place = "-1" if node.place is None else text.named(node.place)
    rest = f"{to}, {text.form(node.to, to)}, {int(node.bottom)}, {place}, {node.at}"
    if isinstance(node.cards, t.Items) and len(node.cards.values) == 1:
        card = node.cards.values[0]
        kept = f"{text.number(card)} = " if isinstance(card, Local) and card.slot not in text.bound else ""
        text.line(f"{kept}rw_move_one(G, {text.named(card)}, {rest});")
    elif (some := _whole_classes(text, node.cards)) is not None:
        zone, mask = some
        source = text.named(zone)
        text.line(f"rw_move_some(G, {source}, {text.form(zone, source)}, {mask}, {rest});")
    else:
        view = text.movable(node.cards)
        text.line(f"rw_move(G, {view.pointer}, {view.count}, {rest});")
    text.moved()


def _whole_classes(text: KeptPlayingText, cards: List) -> tuple[Expr, str] | None:
    """Return the zone and the set of classes of which a list has all cards, if it is such a list."""
    match cards:
        case t.Cards(zone):
            mask = text.mask(Const(1), -1)
        case t.Filter(t.Cards(zone), slot, condition):
            mask = text.mask(condition, slot)
        case _:
            return None
    return None if mask is None else (zone, mask)


def _set_cells(text: KeptPlayingText, node: t.SetCells | t.SetCell | t.Append | t.Remove) -> None:
    """Write to a list, and note its members if it is kept as a set, too."""
    writer = STATEMENTS[type(node)]
    assert writer is not None
    writer(text, node)
    if isinstance(node.address, Const) and node.address.value in text.listed:
        text.line(f"rw_note(G, {text.listed.index(node.address.value)}, {node.address.value});")


def _move_all(text: KeptPlayingText, node: t.MoveAll) -> None:
    source, to = text.named(node.source), text.named(node.to)
    zones = f"{source}, {text.form(node.source, source)}, {to}, {text.form(node.to, to)}"
    text.line(f"rw_move_all(G, {zones}, {int(node.bottom)}, {node.at});")
    text.moved()


def _send_home(text: KeptPlayingText, node: t.SendHome) -> None:
    view = text.movable(node.cards)
    place = "-1" if node.place is None else text.named(node.place)
    homes = text.array(text.program.tables[node.homes])
    text.line(f"rw_send_home(G, {view.pointer}, {view.count}, {homes}, {place}, {node.at});")
    text.moved()


def _draw(text: KeptPlayingText, node: t.Drawing) -> None:
    source, count, to = map(text.named, (node.source, node.count, node.to))
    kept = "" if node.slot is None else f"n{node.slot} = "
    out = "0" if node.slot is None else f"l{node.slot}"
    if isinstance(node, t.DrawBottom):
        text.line(f"{kept}rw_draw_bottom(G, {source}, {count}, {to}, {int(node.bottom)}, {out}, {node.at});")
    else:
        zones = f"{source}, {text.form(node.source, source)}, {count}, {to}, {text.form(node.to, to)}"
        text.line(f"{kept}rw_draw(G, {zones}, {int(node.bottom)}, {out}, {node.at});")
    text.moved()


KeptPlayingText.statement_writers = {
    **STATEMENTS,
    t.Move: _move,
    t.MoveAll: _move_all,
    t.SendHome: _send_home,
    t.Draw: _draw,
    t.DrawBottom: _draw,
    t.SetCell: _set_cells,
    t.SetCells: _set_cells,
    t.Append: _set_cells,
    t.Remove: _set_cells,
}

KeptPlayingText.number_writers = {
    **NUMBERS,
    ClassOf: lambda text, node: f"rw_same_as({text.number(node.card)})",
    ClassAt: lambda text, node: f"rw_card_of({text.number(node.card)})",
    PlaceOf: lambda text, node: f"rw_zone_of(G, {text.number(node.card)})",
}
