"""C that plays whole games with cards kept by class (`interpreter.optimiser.kept_cards`)."""

from __future__ import annotations

from contextlib import AbstractContextManager

from attrs import evolve

from interpreter.backends.native.codegen.bit_sets import Bits, bits, only_first
from interpreter.backends.native.codegen.kept_lists import KeptListText
from interpreter.backends.native.codegen.kept_moves import KEPT_STATEMENTS
from interpreter.backends.native.codegen.lists import Use
from interpreter.optimiser.kept_cards import KeptCards
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, List, TableProgram


class KeptPlayingText(KeptListText):
    """Procedures as functions, with zones of classes. Questions about the members of a set are words of bits."""

    statement_writers = KEPT_STATEMENTS

    def __init__(self, program: TableProgram, kept: KeptCards, bots: bool, counts: bool = False) -> None:
        super().__init__(program, kept)
        self._bots, self._counts = bots, counts

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

    def append(self, node: List, buffer: str, count: str) -> None:
        found = self._set(node)
        if found is None or not found.once:
            super().append(node, buffer, count)
            return
        with self._either(found):
            self.items_of(found, lambda item: self.line(f"{buffer}[{count}++] = {item};"))
        if found.valid != "1":
            with self.block("else"):
                super().append(node, buffer, count)

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
        return super().count(node)

    # -------------------------------------------------------------- answers

    def answered(self, node: t.Ask, seat: str, number: bool) -> None:
        lines: list[str] = []
        chosen: list[str] = []
        with self.aside(lines), self.binding(node.slot, seat):
            parts = self._parts(node.options) if number and not self._counts else None
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
        """Write a random bot's choice of one option: its number, then the option. Returns whether it can."""
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
                lowest = only.item(f"rw_lowest({kinds})")
                one += f" && G->kept.counts[rw_spot[{only.zone}]].n[rw_card_of({lowest})] == 1"
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
