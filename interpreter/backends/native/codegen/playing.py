"""C that plays without stopping: every procedure becomes a function `rw_p3`.

Where the rules ask, the bots answer at once. An answer that only the following code reads is never stored
(`analysis.control_flow.Kept`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from interpreter.analysis.control_flow import (
    CallGraph,
    Kept,
    answers_kept,
    before_closing,
    entrances,
    segments_of,
)
from interpreter.backends.native.codegen.lists import View
from interpreter.backends.native.codegen.procedures import ProcedureText
from interpreter.backends.native.codegen.statements import parameters_of
from ruleset.table import nodes as t
from ruleset.table.nodes import RESULT, End, List, Stmt, TableProgram, Tree


class PlayingText(ProcedureText):
    """Procedures as functions."""

    end_writers: ClassVar[Mapping[type[End], Callable[[Any, Any], None]]]
    where: ClassVar[tuple[str, ...]] = ()
    """Parameters of procedures that say where they begin, if they can begin anywhere."""
    anew: ClassVar[tuple[str, ...]] = ()
    """Their arguments for the beginning."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program)
        self._graph = CallGraph(program)
        self.nests = self._graph.exceeds()
        """Whether calls could exceed the state's stack."""
        entered = entrances(program)
        self.kept = answers_kept(program, entered)
        self.opens = Kept.CELLS in self.kept.values()
        """Whether decision slots are used; if not, there is nothing to close."""
        self.reads = {
            segment.tree.end.resume: self.kept[number]
            for number, segment in enumerate(program.segments)
            if isinstance(segment.tree.end, t.Ask) and self.kept[number] is not Kept.CELLS
        }
        """The segments that read an answer which is not stored."""
        self.segments_of = segments_of(program)
        self.answer = Kept.CELLS
        """Where the current code finds the answer."""
        self.procedure_number = self.segment_number = 0

    def code(self) -> list[str]:
        for number in range(len(self.program.procedures)):
            self.measured(self.procedure, number)
        frame = [str(self.program.layout.stack)] if self.nests else []
        call = ", ".join(["G", *frame, *self.anew])
        self.line(f"static void rw_enter(rw_game *G) {{ rw_p{self.program.entry}({call}); }}")
        if (following := self.program.next_game) is not None:
            self.line(f"static void rw_enter_next(rw_game *G) {{ rw_p{following.procedure}({call}); }}")
        return [self.head_of(number) + ";" for number in range(len(self.program.procedures))]

    def nested(self) -> int:
        return self._graph.most(self.takes)

    def end_of(self, node: t.First | t.Last) -> str:
        if self.answer is Kept.NUMBER and isinstance(node.items, t.Answer):
            return "A"
        return super().end_of(node)

    def view(self, node: List) -> View:
        if self.answer is Kept.LIST and isinstance(node, t.Answer):
            return View("lA", "nA")
        return super().view(node)

    def statements(self, body: Sequence[Stmt]) -> None:
        if not self.opens:
            body = [one for one in body if not isinstance(one, t.CloseDecisions)]
        super().statements(body)

    def head_of(self, number: int) -> str:
        """Return the declaration of a procedure's function."""
        procedure = self.program.procedures[number]
        first = ["rw_game *G", "int fp"] if self.nests else ["rw_game *G"]
        parameters = [*first, *parameters_of(procedure.slots[: procedure.parameters]), *self.where]
        return f"static int rw_p{number}({', '.join(parameters)})"

    def procedure(self, number: int) -> None:
        """Write the function of a procedure."""
        procedure = self.program.procedures[number]
        self.slots, self.failed, self.procedure_number = procedure.slots, "return 0;", number
        own = self.segments_of[number]
        kept = {self.kept.get(n) for n in own}
        with self.block(self.head_of(number)):
            self.declare(procedure.slots, procedure.parameters)
            if Kept.NUMBER in kept:
                self.line("int A = -1;")
            if Kept.LIST in kept:
                self.line(f"int lA[{self.more(self.program.layout.options)}], nA = 0;")
            self.begin(number)
            for segment in own:
                self.line(f"s{segment}:;")
                with self.block():
                    self._segment(segment)

    def begin(self, number: int) -> None:
        """Write the jump to a procedure's first segment."""
        self.line(f"goto s{self.program.procedures[number].entry};")

    def _segment(self, number: int) -> None:
        self.segment_number = number
        tree, kept = self.program.segments[number].tree, self.reads.get(number)
        reading = before_closing(tree.body) if kept is not None else None
        if kept is not None and reading is not None:
            self.answer = kept
            self.statements(reading)
            self.answer = Kept.CELLS
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

    def answered(self, node: t.Ask, seat: str, number: bool) -> None:
        """Write the lines that let the bot at a seat answer with one option, or with any number."""
        options, least, most = self.offered(node, seat)
        arguments = f"{seat}, {node.site}, {options.pointer}, {options.count}"
        if number:
            self.line(f"A = rw_pick(G, {arguments}, {int(node.always)});")
        else:
            self.line(f"nA = rw_some(G, {arguments}, {least}, {most}, {int(node.always)}, lA);")

    def enter(self, called: Sequence[int], node: t.Invoke | t.InvokeTable, name: str) -> None:
        """Write a call of one of these procedures, whose number is in the variable `name`."""
        caller = self.program.procedures[self.procedure_number].size
        self.charge(node.at)
        if self.nests:
            size = f"rw_size[{name}]" if name else str(self.program.procedures[called[0]].size)
            self.fault_if(f"fp > {self.program.layout.cells - caller} - {size}", "stack", node.at)
        first = ["G", f"fp + {caller}"] if self.nests else ["G"]
        arguments = ", ".join([*first, *self.passed(node.arguments), *self.anew])
        if name:
            with self.block(f"switch ({name})"):
                for number in called:
                    self.line(f"case {number}: rw_p{number}({arguments}); break;")
        else:
            self.line(f"rw_p{called[0]}({arguments});")
        self.passed_on()


def _play_invoke(text: PlayingText, node: t.Invoke) -> None:
    text.enter([node.procedure], node, "")
    text.line(f"goto s{node.resume};")


def _play_invoke_table(text: PlayingText, node: t.InvokeTable) -> None:
    called = text.name()
    text.line(f"const int {called} = rw_T{node.table}[{text.number(node.index)}];")
    with text.block(f"if ({called} != -1)"):
        text.enter(text.called_ones(node.table), node, called)
    text.line(f"goto s{node.resume};")


def _play_return(text: PlayingText, node: t.Return) -> None:
    value = "0" if node.value is None else text.number(node.value)
    text.line(f"S[{RESULT}] = {value}; return 0;")


def _play_ask(text: PlayingText, node: t.Ask) -> None:
    kept = text.kept[text.segment_number]
    if text.opens:
        text.line("rw_close(G);")
    if kept is Kept.CELLS:
        text.line(f"if ({text.asked(node)}) rw_answer_all(G);")
    else:
        assert isinstance(node.seats, t.Items)
        text.answered(node, text.number(node.seats.values[0]), kept is Kept.NUMBER)
    text.passed_on()
    text.line(f"goto s{node.resume};")


def _play_restart(text: PlayingText, node: t.Restart) -> None:
    text.charge(node.at)
    text.line("G->fault = RW_RESTARTED; return 0;")


ENDS: dict[type[End], Callable[[Any, Any], None]] = {
    t.Goto: lambda text, node: text.line(f"goto s{node.segment};"),
    t.Invoke: _play_invoke,
    t.InvokeTable: _play_invoke_table,
    t.Return: _play_return,
    t.Ask: _play_ask,
    t.Finish: lambda text, _node: text.line("G->fault = RW_FINISHED; return 0;"),
    t.Restart: _play_restart,
}

PlayingText.end_writers = ENDS
