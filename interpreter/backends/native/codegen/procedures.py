"""C for procedures: every one becomes a function `rw_p3`, whose segments jump to each other.

A function can begin wherever its procedure goes on: it loads the live slots of its frame, and zeros the frame.
Where the rules ask, the bots answer at once, and an answer that only the following code reads is never stored
(`analysis.control_flow.Kept`). If the game stops there instead (`G->stops`), every active function stores the live
slots of its frame on its way out, as the walker has them. So a game can go on in any other executor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from rulewright.interpreter.analysis.control_flow import (
    CallGraph,
    Kept,
    answers_kept,
    before_closing,
    entrances,
    segments_of,
)
from rulewright.interpreter.backends.native.codegen.lists import CListView
from rulewright.interpreter.backends.native.codegen.statements import StatementText, parameters_of
from rulewright.interpreter.backends.native.codegen.writer import table
from rulewright.interpreter.state.decision_slots import answer_address
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import (
    ASKING,
    FRAME,
    OPEN,
    RESULT,
    SEGMENT,
    STATUS,
    End,
    List,
    Slot,
    Stmt,
    TableProgram,
    Tree,
)

FRAME_BYTES = 1024
"""Maximum bytes of C's own stack that a call takes besides its lists."""
LISTS_OF_OPTIONS, LISTS_OF_CARDS = 8, 2
"""Maximum number of such lists in the active functions of `runtime.c` and `bots.c`."""


class ProcedureText(StatementText):
    """Functions and procedures of a program."""

    end_writers: ClassVar[Mapping[type[End], Callable[[Any, Any], None]]]

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program)
        self._takes: list[int] = []
        """Bytes of C's stack that the function of each procedure takes."""
        self._graph = CallGraph(program)
        self.nests = self._graph.exceeds()
        """Whether calls could exceed the state's stack."""
        self.kept = answers_kept(program, entrances(program))
        self.opens = Kept.CELLS in self.kept.values()
        """Whether bots' answers are ever in decision slots; if not, there is nothing to close."""
        self._asks = {
            segment.tree.end.resume: (number, segment.tree.end)
            for number, segment in enumerate(program.segments)
            if isinstance(segment.tree.end, t.Ask) and self.kept[number] is not Kept.CELLS
        }
        """The segments that read an answer which is not stored: who asks."""
        self._segments_of = segments_of(program)
        self._points = _entrances(program)
        self._answer = Kept.CELLS
        """Where the current code finds the answer."""
        self._returns: dict[int, None] = {}
        """The segments of the current procedure at which it goes on after a call."""
        self.procedure_number = self.segment_number = 0

    def code(self) -> list[str]:
        """Write the code of the program's procedures. Returns declarations that must precede all functions."""
        for number, procedure in enumerate(self.program.procedures):
            before = self.room
            self._procedure(number)
            self._takes.append(4 * (self.room - before + len(procedure.slots)) + FRAME_BYTES)
        self._go()
        segments = self.program.segments
        resumed = [one.tree.end.resume if isinstance(one.tree.end, t.Ask) else -1 for one in segments]
        return [
            *(self._head(number) + ";" for number in range(len(self.program.procedures))),
            table("rw_procedure_of", [segment.procedure for segment in segments]),
            table("rw_resumed_at", resumed),
        ]

    def stack_bytes(self) -> int:
        """Return the maximum bytes of C's own stack that the text can take. All of it must be written."""
        program = self.program
        runtime = LISTS_OF_OPTIONS * (program.layout.options + 1) + LISTS_OF_CARDS * (len(program.cards) + 1)
        cells = runtime + len(program.zones)
        calls = self._graph.most(self._takes) + self._functions()
        return 4 * cells + FRAME_BYTES * LISTS_OF_OPTIONS + calls

    def _functions(self) -> int:
        """Return the maximum bytes of nested function calls, which form no cycle (RW502)."""
        calls = [
            {n for part in everything(function.body) for n in _called(self.program, part)}
            for function in self.program.functions
        ]
        own = [4 * room + FRAME_BYTES for room in self.rooms]
        found = own
        for _ in own:
            before = found
            inner = (max((found[n] for n in called), default=0) for called in calls)
            found = [room + more for room, more in zip(own, inner, strict=True)]
            if found == before:
                break
        return max(found, default=0)

    # -------------------------------------------------------------- procedures

    def _head(self, number: int) -> str:
        """Return the declaration of a procedure's function: its frame, and the segment to go on at, or -1."""
        procedure = self.program.procedures[number]
        parameters = ["rw_game *G", "int fp", "int at", *parameters_of(procedure.slots[: procedure.parameters])]
        return f"static int rw_p{number}({', '.join(parameters)})"

    def _procedure(self, number: int) -> None:
        procedure = self.program.procedures[number]
        self.slots, self.failed, self.procedure_number = procedure.slots, "return 0;", number
        own, self._returns = self._segments_of[number], {}
        kept = {self.kept.get(n) for n in own}
        with self.block(self._head(number)):
            self.begin_function()
            self.line("(void)fp;")
            self.declare(procedure.slots, procedure.parameters)
            if Kept.NUMBER in kept:
                self.line("int A = -1;")
            if Kept.LIST in kept:
                self.line(f"int lA[{self.more(self.program.layout.options)}], nA = 0;")
            points = [segment for segment in own if segment in self._points]
            if points:
                with self.block("if (RW_RARE(at >= 0)) switch (at)"):
                    for segment in points:
                        with self.block(f"case {segment}:"):
                            self._load(segment)
                            self.line(f"goto s{segment};")
            self.line(f"(void)at; goto s{procedure.entry};")
            for segment in own:
                self.line(f"s{segment}:;")
                with self.block():
                    self._segment(segment)
            for segment in self._returns:
                self.line(f"u{segment}:;")
                self.line("if (!RW_STOPS || G->fault != RW_STOPPED) return 0;")
                self.line(f"S[fp + {procedure.size}] = {segment}; S[fp + {procedure.size + 1}] = fp;")
                self._store(segment)
                self.line("return 0;")

    def _load(self, segment: int) -> None:
        """Write the lines that load the live slots of a frame, and an answer that is kept in a variable."""
        for number in self.program.segments[segment].live:
            slot = self.slots[number]
            if slot.capacity:
                self.line(f"n{number} = S[fp + {slot.offset}];")
                self.line(f"rw_copy(l{number}, S + fp + {slot.offset + 1}, n{number});")
            else:
                self.line(f"v{number} = S[fp + {slot.offset}];")
        self._drop([self.slots[number] for number in self.program.segments[segment].live])
        if segment in self._asks:
            asking, ask = self._asks[segment]
            assert isinstance(ask.seats, t.Items)
            self._take_answer(self.number(ask.seats.values[0]), self.kept[asking])

    def _take_answer(self, seat: str, kept: Kept) -> None:
        """Write the lines that move the answer of a seat from its slot to a variable, and close all decisions."""
        layout = self.program.layout
        self.line(f"const int *const given = S + {answer_address(layout, 0)} + {seat} * {layout.decision};")
        if kept is Kept.NUMBER:
            self.line("A = given[0] ? given[1] : -1;")
        else:
            self.line("nA = given[0]; rw_copy(lA, given + 1, nA);")
        self.line("rw_close(G);")

    def _store(self, segment: int) -> None:
        """Write the lines that store the live slots of a frame, which is zero."""
        for number in self.program.segments[segment].live:
            slot = self.slots[number]
            if slot.capacity:
                self.line(f"rw_write(G, fp + {slot.offset}, l{number}, n{number});")
            else:
                self.line(f"S[fp + {slot.offset}] = v{number};")

    def _drop(self, slots: Sequence[Slot]) -> None:
        """Write the lines that zero slots of a frame."""
        for slot in slots:
            self.line(f"rw_clear(G, fp + {slot.offset});" if slot.capacity else f"S[fp + {slot.offset}] = 0;")

    def _go(self) -> None:
        """Write the function that goes on at a segment, in its frame, until its procedure returns or stops."""
        head, choice = "static void rw_go(rw_game *G, int at, int fp)", "switch (rw_procedure_of[at])"
        with self.block(head), self.block(choice):
            for number, procedure in enumerate(self.program.procedures):
                entry, empty = procedure.entry, []
                for slot in procedure.slots[: procedure.parameters]:
                    empty += ["rw_none", "0"] if slot.capacity else ["0"]
                begins = f"at == {entry} ? -1 : at" if entry not in self._points else "at"
                self.line(f"case {number}: rw_p{number}({', '.join(['G', 'fp', begins, *empty])}); break;")

    # -------------------------------------------------------------- segments

    def _segment(self, number: int) -> None:
        self.segment_number = number
        tree = self.program.segments[number].tree
        reading = before_closing(tree.body) if number in self._asks else None
        if reading is not None:
            self._answer = self.kept[self._asks[number][0]]
            self.statements(reading)
            self._answer = Kept.CELLS
            tree = Tree(tree.body[len(reading) + 1 :], tree.end)
        self.tree(tree)

    def tree(self, tree: Tree) -> None:
        """Write a tree; every way through it ends in a jump or a return."""
        self.statements(tree.body)
        if isinstance(tree.end, t.Branch):
            with self.block(f"if ({self.number(tree.end.condition)})"):
                self.tree(tree.end.then)
            with self.block():
                self.tree(tree.end.otherwise)
            return
        with self.block():
            self.end_writers[type(tree.end)](self, tree.end)

    def end_of(self, node: t.First | t.Last) -> str:
        if self._answer is Kept.NUMBER and isinstance(node.items, t.Answer):
            return "A"
        return super().end_of(node)

    def view(self, node: List) -> CListView:
        if self._answer is Kept.LIST and isinstance(node, t.Answer):
            return CListView("lA", "nA")
        return super().view(node)

    def statements(self, body: Sequence[Stmt]) -> None:
        if not self.opens:
            body = [one for one in body if not isinstance(one, t.CloseDecisions)]
        super().statements(body)

    # -------------------------------------------------------------- decisions

    def ask_seats(self, node: t.Ask) -> None:
        """Write a question whose answers are stored."""
        self.line("rw_close(G);")
        seats, open_ = self.owned(node.seats), self.name()
        self.line(f"int {open_} = 0;")
        place, seat = self.name("i"), self.name("x")
        with self.block(f"for (int {place} = 0; {place} < {seats.count}; {place}++)"):
            self.line(f"const int {seat} = {seats.pointer}[{place}];")
            options, least, most = self._offered(node, seat)
            arguments = (
                f"{seat}, {node.site}, {options.pointer}, {options.count}, {least}, {most}, {int(node.always)}"
            )
            self.line(f"{open_} += rw_ask(G, {arguments});")
        with self.block(f"if ({open_})"):
            with self.block("if (RW_STOPS)"):
                self._stop(open_)
            self.line("rw_answer_all(G);")
            self.passed_on()

    def ask_seat(self, node: t.Ask, kept: Kept) -> None:
        """Write a question to one seat, whose answer is kept in a variable."""
        assert isinstance(node.seats, t.Items)
        seat = self.named(node.seats.values[0])
        if self.opens:
            self.line("rw_close(G);")
        options, least, most = self._offered(node, seat)
        arguments, always = f"{seat}, {node.site}, {options.pointer}, {options.count}", int(node.always)
        with self.block("if (RW_STOPS)"):
            with self.block(f"if (rw_ask(G, {arguments}, {least}, {most}, {always}))"):
                self._stop("1")
            self._take_answer(seat, kept)
        with self.block("else"):
            if kept is Kept.NUMBER:
                self.line(f"A = rw_pick(G, {arguments}, {always});")
            else:
                self.line(f"nA = rw_some(G, {arguments}, {least}, {most}, {always}, lA);")
            self.passed_on()

    def _stop(self, open_: str) -> None:
        """Write the lines that stop the game at the present segment, which asks."""
        self.line(f"S[{OPEN}] = {open_}; S[{STATUS}] = {ASKING}; S[{SEGMENT}] = {self.segment_number};")
        self.line(f"S[{FRAME}] = fp; G->fault = RW_STOPPED;")
        self._store(self.segment_number)
        self.line("return 0;")

    def _offered(self, node: t.Ask, seat: str) -> tuple[CListView, str, str]:
        """Return the options of a decision, and its bounds. Rule error `full` comes before errors of the bounds."""
        with self.binding(node.slot, seat):
            options = self.view(node.options)
            if self.bounds.most(node.options, self.slots) > self.program.layout.options:
                self.fault_if(f"{options.count} > {self.program.layout.options}", "full", node.at)
            return options, self.named(node.least), self.named(node.most)

    # -------------------------------------------------------------- calls

    def called_ones(self, number: int) -> list[int]:
        """Return the procedures in a table."""
        return sorted({one for one in self.program.tables[number] if one >= 0})

    def enter(self, called: Sequence[int], node: t.Invoke | t.InvokeTable, name: str) -> None:
        """Write a call of one of these procedures, whose number is in the variable `name`."""
        caller = self.program.procedures[self.procedure_number].size
        self.charge(node.at)
        if self.nests:
            size = f"rw_size[{name}]" if name else str(self.program.procedures[called[0]].size)
            self.fault_if(f"fp > {self.program.layout.cells - caller} - {size}", "stack", node.at)
        arguments = ", ".join(["G", f"fp + {caller}", "-1", *self.passed(node.arguments)])
        if name:
            with self.block(f"switch ({name})"):
                for number in called:
                    self.line(f"case {number}: rw_p{number}({arguments}); break;")
        else:
            self.line(f"rw_p{called[0]}({arguments});")
        self._returns[node.resume] = None
        self.line(f"if (RW_RARE(G->fault)) goto u{node.resume};")


def _entrances(program: TableProgram) -> set[int]:
    """Return the segments at which a game can go on: after an answer, after a return, or to ask again."""
    found = set()
    for number, segment in enumerate(program.segments):
        for end in everything(segment.tree):
            if isinstance(end, t.Ask):
                found |= {number, end.resume}
            elif isinstance(end, t.Invoke | t.InvokeTable):
                found.add(end.resume)
    return found


def _called(program: TableProgram, part: object) -> Iterable[int]:
    """Return the functions that a node calls directly."""
    match part:
        case t.Call(function) | t.CallList(function) | t.Do(function):
            return (function,)
        case t.DoTable(number):
            return (one for one in program.tables[number] if one >= 0)
    return ()


def _invoke(text: ProcedureText, node: t.Invoke) -> None:
    text.enter([node.procedure], node, "")
    text.line(f"goto s{node.resume};")


def _invoke_table(text: ProcedureText, node: t.InvokeTable) -> None:
    called = text.name()
    text.line(f"const int {called} = rw_T{node.table}[{text.number(node.index)}];")
    with text.block(f"if ({called} != -1)"):
        text.enter(text.called_ones(node.table), node, called)
    text.line(f"goto s{node.resume};")


def _return(text: ProcedureText, node: t.Return) -> None:
    value = "0" if node.value is None else text.number(node.value)
    text.line(f"S[{RESULT}] = {value}; return 0;")


def _ask(text: ProcedureText, node: t.Ask) -> None:
    kept = text.kept[text.segment_number]
    if kept is Kept.CELLS:
        text.ask_seats(node)
    else:
        text.ask_seat(node, kept)
    text.line(f"goto s{node.resume};")


def _restart(text: ProcedureText, node: t.Restart) -> None:
    text.charge(node.at)
    text.line("G->fault = RW_RESTARTED; return 0;")


ENDS: dict[type[End], Callable[[Any, Any], None]] = {
    t.Goto: lambda text, node: text.line(f"goto s{node.segment};"),
    t.Invoke: _invoke,
    t.InvokeTable: _invoke_table,
    t.Return: _return,
    t.Ask: _ask,
    t.Finish: lambda text, _node: text.line("G->fault = RW_FINISHED; return 0;"),
    t.Restart: _restart,
}

ProcedureText.end_writers = ENDS
