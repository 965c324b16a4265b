"""C that plays whole games from any state: a procedure can begin wherever a game continues.

A state with individual cards is converted first (`playouts.c`): zones to classes, and slots, answers and lists
that refer to cards. The innermost frame then runs to its return, its caller from there, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.analysis.control_flow import Kept
from interpreter.backends.native.codegen.kept_playing import KeptPlayingText
from interpreter.backends.native.codegen.writer import literal, table
from interpreter.optimiser.kept_cards import KeptCards
from interpreter.optimiser.references import Coded, Ref
from interpreter.state.decision_slots import answer_address
from ruleset.table import nodes as t
from ruleset.table.nodes import Site, TableProgram
from ruleset.table.traversal import everything


class ResumingText(KeptPlayingText):
    """Procedures as functions with two more parameters: the segment to begin at, or -1, and its frame."""

    where = ("int at", "int frame")
    anew = ("-1", "0")

    def __init__(self, program: TableProgram, kept: KeptCards, bots: bool) -> None:
        super().__init__(program, kept, bots)
        self._asks = {
            segment.tree.end.resume: segment.tree.end
            for segment in program.segments
            if isinstance(segment.tree.end, t.Ask)
        }
        self._points = resume_points(program)

    def begin(self, number: int) -> None:
        with self.block("switch (at)"):
            for segment in self.segments_of[number]:
                if segment in self._points:
                    with self.block(f"case {segment}:"):
                        self._load(segment)
                        self.line(f"goto s{segment};")
        self.line("(void)frame;")
        super().begin(number)

    def _load(self, segment: int) -> None:
        """Load the live slots of the frame, and the answer if it is kept in a variable."""
        for number in self.program.segments[segment].live:
            slot = self.slots[number]
            if slot.capacity:
                self.line(f"n{number} = S[frame + {slot.offset}];")
                self.line(f"rw_copy(l{number}, S + frame + {slot.offset + 1}, n{number});")
            else:
                self.line(f"v{number} = S[frame + {slot.offset}];")
        kept = self.reads.get(segment)
        if kept is not None:
            seats = self._asks[segment].seats
            assert isinstance(seats, t.Items)
            layout = self.program.layout
            seat = self.number(seats.values[0])
            self.line(f"const int *const given = S + {answer_address(layout, 0)} + {seat} * {layout.decision};")
            if kept is Kept.NUMBER:
                self.line("A = given[0] ? given[1] : -1;")
            else:
                self.line("nA = given[0]; rw_copy(lA, given + 1, nA);")

    def code(self) -> list[str]:
        declarations = super().code()
        head, choice = "static void rw_resume(rw_game *G, int at, int frame)", "switch (rw_procedure_of[at])"
        with self.block(head), self.block(choice):
            for number, procedure in enumerate(self.program.procedures):
                frame = ["frame"] if self.nests else []
                empty = [
                    argument
                    for slot in procedure.slots[: procedure.parameters]
                    for argument in (("rw_none", "0") if slot.capacity else ("0",))
                ]
                arguments = ", ".join(["G", *frame, *empty, "at", "frame"])
                self.line(f"case {number}: rw_p{number}({arguments}); break;")
        procedures = [segment.procedure for segment in self.program.segments]
        return [*declarations, table("rw_procedure_of", procedures)]


def resume_points(program: TableProgram) -> set[int]:
    """Return the segments at which a game continues after an answer or a return."""
    ends = (part for segment in program.segments for part in everything(segment.tree))
    return {end.resume for end in ends if isinstance(end, t.Ask | t.Invoke | t.InvokeTable)}


def can_resume(program: TableProgram, kept: KeptCards) -> bool:
    """Return whether all that a state holds at such a segment can be converted."""
    live = (kept.flow.entered.get(segment, {}) for segment in resume_points(program))
    return not any(isinstance(value, Coded) for state in live for key, value in state.items() if key != "answer")


def resuming(program: TableProgram, kept: KeptCards) -> list[str]:
    """Return the tables that `playouts.c` reads: what of a state refers to cards."""
    slots: list[list[tuple[int, int]]] = []
    for number, segment in enumerate(program.segments):
        own, state = program.procedures[segment.procedure].slots, kept.flow.entered.get(number, {})
        found = [n for n in segment.live if isinstance(state.get(n), Ref)]
        slots.append([(own[n].offset, own[n].capacity) for n in found])
    return [
        "/* The slots that refer to cards when a game continues at each segment: offset, capacity. */",
        table("rw_cards_at", [sum(map(len, slots[:number])) for number in range(len(slots) + 1)]),
        _rows("rw_cards", [slot for own in slots for slot in own]),
        "/* Cells and lists of the state that refer to cards: address, capacity. */",
        _rows("rw_kept_cards", list(_remembered(program))),
        f"#define RW_REMEMBERED {len(list(_remembered(program)))}",
        "/* Of each site: the number of its branches, and where they begin; of each of these what its card is",
        "   multiplied by, or 0. */",
        table("rw_branches", [max(1, len(site.branches)) for site in program.sites]),
        table(
            "rw_branch_from",
            [sum(len(_factors(one)) for one in program.sites[:n]) for n in range(len(program.sites))],
        ),
        table("rw_factor", [factor for site in program.sites for factor in _factors(site)], "int"),
        table("rw_class_of", kept.class_of),
    ]


def _rows(name: str, rows: Sequence[tuple[int, int]]) -> str:
    text = ", ".join(f"{{{literal(first)}, {literal(second)}}}" for first, second in rows or [(0, 0)])
    return f"static const int {name}[][2] = {{{text}}};"


def _remembered(program: TableProgram) -> Iterator[tuple[int, int]]:
    for track in program.tracks:
        if track.of == "card":
            yield from ((track.address + number, 0) for number in range(track.count))
    for info in program.state_lists:
        if info.of == "card":
            yield from (
                (info.address + number * (info.capacity + 1), info.capacity) for number in range(info.count)
            )


def _factors(site: Site) -> list[int]:
    """Return for each branch what a card is multiplied by in an option's number: it is the last member."""
    if not site.branches:
        return [1 if site.of == "card" else 0]
    found = []
    for branch in site.branches:
        factor = len(site.branches)
        for radix in branch.radix[:-1]:
            factor *= radix
        found.append(factor if branch.members and branch.members[-1] == "card" else 0)
    return found
