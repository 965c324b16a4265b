"""Tables and functions of C that count decisions: what each value that can be chosen at a site is about."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.native.codegen.writer import Text, table
from interpreter.counting.counted_program import Counted
from interpreter.counting.counts import STRATA, WIDTH, definitions_of_cards, end_of, win_unit
from interpreter.counting.uses import NO_USE, Branch, Part, Uses
from ruleset.table.nodes import TableProgram


def counting_numbers(counted: Counted) -> dict[str, int]:
    """Return the constants of `counting.c`."""
    program, uses, end = counted.program, _uses(counted), end_of(counted.program)
    return {
        "USES": len(uses.uses),
        "USES_AT": counted.uses_at,
        "THINGS_AT": counted.things_at,
        "DONE": len(counted.done),
        "DONE_AT": counted.done_at,
        "POINTS": len(counted.awards) * program.seats,
        "POINTS_AT": counted.points_at,
        "DEFINED": len(definitions_of_cards(program)),
        "STRATA": len(STRATA),
        "ROW": WIDTH,
        "WIN_UNIT": win_unit(program.seats),
        "WINNERS": int(bool(end.winners)),
        "SCORES": int(bool(end.scores)),
    }


def counting_tables(counted: Counted, cards: Sequence[int]) -> list[str]:
    """Return the tables of `counting.c`. `cards` is a card of each class, or all cards."""
    program, uses, end = counted.program, _uses(counted), end_of(counted.program)
    numbers = {name: number for number, name in enumerate(definitions_of_cards(program))}
    infos = (program.cards[card] for card in cards)
    return [
        table("rw_thing_of", uses.thing_of),
        table("rw_strata", STRATA),
        table("rw_winner_at", end.winners, "int"),
        table("rw_score_at", end.scores, "int"),
        table("rw_owner", [zone.owner for zone in program.zones]),
        table("rw_defined", [numbers[f"{info.kind}/{info.definition}"] for info in infos]),
    ]


def counting_functions(counted: Counted) -> list[str]:
    """Return the functions that count the values of a site."""
    return _Writer(counted.program, _uses(counted)).written()


def _uses(counted: Counted) -> Uses:
    assert counted.uses is not None, "a program that counts decisions"
    return counted.uses


class _Writer(Text):
    """The text of the functions."""

    def __init__(self, program: TableProgram, uses: Uses) -> None:
        super().__init__()
        self._program, self._uses = program, uses
        self._tables: dict[tuple[int, ...], str] = {}

    def written(self) -> list[str]:
        for name, counts in (("rw_offers", "rw_offer"), ("rw_choices", "rw_choose")):
            head = f"static void {name}(rw_game *G, int seat, int site, const int *values, int count)"
            with self.block(head), self.block("switch (site)"):
                for site, branches in enumerate(self._uses.branches):
                    if any(branch.use != NO_USE or any(p.counted for p in branch.parts) for branch in branches):
                        self._site(site, branches, counts)
        return [*(table(name, uses) for uses, name in self._tables.items()), *self.lines]

    def _table(self, uses: tuple[int, ...]) -> str:
        """Return the name of a table of uses."""
        return self._tables.setdefault(uses, f"rw_U{len(self._tables)}")

    def _site(self, site: int, branches: Sequence[Branch], counts: str) -> None:
        self.line(f"case {site}:")
        with self.block("for (int i = 0; i < count; i++)"):
            self.line("int v = values[i];")
            if not self._uses.menus[site]:
                self._parts(branches[0].parts, counts)
            elif len(branches) == 1:
                self._branch(branches[0], counts)
            else:
                self.line(f"const int branch = v % {len(branches)};")
                self.line(f"v /= {len(branches)};")
                with self.block("switch (branch)"):
                    for number, branch in enumerate(branches):
                        self.line(f"case {number}:")
                        with self.block():
                            self._branch(branch, counts)
                        self.line("break;")
        self.line("break;")

    def _branch(self, branch: Branch, counts: str) -> None:
        self.line(f"{counts}(G, {branch.use}, seat);")
        self._parts(branch.parts, counts)

    def _parts(self, parts: Sequence[Part], counts: str) -> None:
        for part in parts:
            this = self.name("p")
            # With cards kept by class, a reference to a card is the highest part.
            whole = (
                "v" if not part.radix else f"RW_KEPT ? v : v % {part.radix}" if part.cards else f"v % {part.radix}"
            )
            self.line(f"const int {this} = {whole};")
            if part.radix:
                self.line(f"v /= {part.radix};")
            if part.counted:
                self._part(part, this, counts)

    def _part(self, part: Part, this: str, counts: str) -> None:
        sight = f" && rw_in_sight(G, seat, {this})" if part.cards else ""
        with self.block(f"if ({this} >= 0{sight})"):
            value = f"rw_face[rw_card_of({this})]" if part.cards else this
            use = self.name("u")
            found = f"{self._table(part.uses)}[{value}]" if part.uses else str(NO_USE)
            if not part.cards:
                found = f"{value} < {len(part.uses)} ? {found} : {part.other}"
            self.line(f"const int {use} = {found};")
            self.line(f"if ({use} >= 0) {counts}(G, {use}, seat);")
