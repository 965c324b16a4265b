"""Python source that plays whole games: what `python_playing` runs.

Every procedure becomes one Python function with ordinary variables, since nothing needs to stop: where the rules
ask, the policy answers at once. A segment with one entrance stands in the text of what leads to it; the others are
cases of a loop, chosen by `pc`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.python_control import (
    Kept,
    answers_kept,
    before_closing,
    entrances,
    most_frames,
    regions,
    successors,
    tree_weight,
    weights,
)
from interpreter.python_nodes import folded, least_lengths, read_slots, rewritten, walk
from interpreter.python_segments import PythonSource
from interpreter.python_statements import StatementText
from interpreter.python_values import plain, slot_name
from interpreter.random_policy import in_order, side_by_side
from ruleset import table
from ruleset.table import RESULT, Expr, List, Stmt, TableProgram, Tree


def generate_playing(program: TableProgram) -> tuple[PythonSource, int]:
    """The source, and how many frames of calls there can be at once.

    It needs the names that `python_runtime` gives, the functions of the policy, and `Finished`.
    """
    text = PlayingText(folded(program))
    for number in range(len(program.functions)):
        text.function(number)
    for number in range(len(program.procedures)):
        text.procedure(number)
    text.lines += text.ending()
    text.line(f"PROCEDURES = [{', '.join(f'p{number}' for number in range(len(program.procedures)))}]")
    for number in sorted(text.called_tables):
        called = (f"p{n}" if n >= 0 else "None" for n in program.tables[number])
        text.line(f"P{number} = [{', '.join(called)}]")
    text.line(f"entry = p{program.entry}" if text.nests else f"entry = lambda S, fp: p{program.entry}(S)")
    return PythonSource("\n".join(text.lines) + "\n", tuple(text.codes)), text.frames


class PlayingText(StatementText):
    """Lines of a module with one function for each procedure: `p3(S, ...)`."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program, False)
        self.entered = entrances(program)
        self.regions = regions(program, self.entered)
        self.frames, self.nests = most_frames(program)
        """Only where calls may need more stack than there is do functions take `fp`, the frame's address."""
        self.kept = answers_kept(program, self.entered)
        self.opens = Kept.CELLS in self.kept.values()
        """Whether decision slots are used: else there is nothing to close."""
        self.called_tables: set[int] = set()
        self.used: set[int] | None = None
        """The slots that the present procedure's text reads; None in functions."""
        self.head = self.segment = -1
        """The present region and the present segment in it."""
        self.loops = False
        """Whether the present region is a loop of its own."""
        self.weights: dict[int, int] = {}
        self.answer: tuple[Kept, str] = (Kept.CELLS, "")
        """Where the present code finds the answer, and its text."""

    # -------------------------------------------------------------- answers

    def number(self, node: Expr) -> str:
        """The text of an integer."""
        kept, answer = self.answer
        if isinstance(node, table.First | table.Last) and isinstance(node.items, table.Answer):
            if kept is Kept.NUMBER:
                return answer
        elif isinstance(node, table.Count) and isinstance(node.items, table.Answer) and kept is Kept.LIST:
            return f"len({answer})"
        return super().number(node)

    def items(self, node: List) -> str:
        """The text of a list."""
        if isinstance(node, table.Answer) and self.answer[0] is Kept.LIST:
            return self.answer[1]
        return super().items(node)

    # -------------------------------------------------------------- statements

    def statements(self, body: Sequence[Stmt]) -> None:
        """The lines of statements, without those that nothing depends on."""
        super().statements([statement for statement in body if not self._idle(statement)])

    def _idle(self, node: Stmt) -> bool:
        if isinstance(node, table.CloseDecisions):
            return not self.opens
        if self.used is None or not isinstance(node, table.SetLocal | table.SetList) or node.slot in self.used:
            return False
        return not self.can_fail(node) and not any(isinstance(part, table.Answer) for part in walk(node))

    def _after_asking(self, body: Sequence[Stmt]) -> None:
        """The lines of a segment's statements, the first of which may read an answer that the text keeps."""
        reading = before_closing(body)
        if self.answer[0] is Kept.CELLS or reading is None:
            self.statements(body)
            return
        self.statements(reading)
        self.answer = (Kept.CELLS, "")
        self.statements(body[len(reading) + 1 :])

    # -------------------------------------------------------------- procedures

    def procedure(self, number: int) -> None:
        """The function of a procedure."""
        procedure = self.program.procedures[number]
        self.temporaries = 0
        first = ["S", "fp"] if self.nests else ["S"]
        self.line(f"def p{number}({', '.join([*first, *map(slot_name, range(procedure.parameters))])}):")
        self.indent += 1
        self.used = self._used(number)
        for slot in self.program.segments[procedure.entry].live:
            # What may be read before it is assigned is zero or empty, as in a new frame.
            if slot >= procedure.parameters:
                self.line(f"{slot_name(slot)} = {'()' if procedure.slots[slot].capacity else 0}")
        heads = [n for n in self.regions if self.program.segments[n].procedure == number]
        if heads == [procedure.entry]:
            self._region(procedure.entry)
        else:
            self.line(f"pc = {procedure.entry}")
            self.line("while True:")
            self.indent += 1
            self._cases(sorted(heads))
            self.indent -= 1
        self.indent -= 1
        self.used = None

    def _used(self, number: int) -> set[int]:
        """The slots that a procedure's text reads: not those that only tell whose answer the text keeps."""
        reads: Counter[int] = Counter()
        for place, segment in enumerate(self.program.segments):
            if segment.procedure == number:
                reads.update(_reads(segment.tree))
                end = segment.tree.end
                if isinstance(end, table.Ask) and self.kept[place] is not Kept.CELLS:
                    if not binds_seat(end):
                        reads.subtract(_reads(end.seats))
                    after = before_closing(self.program.segments[end.resume].tree.body)
                    for part in walk(after):
                        if isinstance(part, table.Answer):
                            reads.subtract(_reads(part.seat))
        return {slot for slot, count in reads.items() if count > 0}

    def _cases(self, heads: Sequence[int]) -> None:
        """A choice between regions by halving."""
        if len(heads) == 1:
            self._region(heads[0])
            return
        middle = len(heads) // 2
        for word, part in ((f"if pc < {heads[middle]}:", heads[:middle]), ("else:", heads[middle:])):
            self.line(word)
            self.indent += 1
            self._cases(part)
            self.indent -= 1

    def _region(self, head: int) -> None:
        """A segment with all that stands in its text; one that leads back to itself is a loop of its own."""
        region = self.regions[head]
        self.head = self.segment = head
        self.loops = any(head in successors(self.program.segments[n].tree) for n in region)
        self.weights = weights(self.program, region, self.entered)
        self.lengths = {}
        if self.loops:
            self.line("while True:")
            self.indent += 1
        self.tree(self.program.segments[head].tree)
        if self.loops:
            self.indent -= 1

    def tree(self, tree: Tree) -> None:
        """The lines of a tree; every way through it returns, raises, or goes on with a loop.

        So nothing needs an `else`. Of two branches the smaller one is nested: however long the text, its depth is
        then within what Python allows.
        """
        while True:
            self._after_asking(tree.body)
            end = tree.end
            if isinstance(end, table.Branch):
                tree = self._branch(end)
                continue
            after = _ENDS[type(end)](self, end)
            if after is None:
                return
            if self.entered[after] != 1:
                self._jump(after)
                return
            self.segment, tree = after, self.program.segments[after].tree

    def _branch(self, end: table.Branch) -> Tree:
        """The lines of the smaller branch; gives the other."""
        weigh = [tree_weight(tree, self.weights, self.entered) for tree in (end.then, end.otherwise)]
        holds = weigh[0] <= weigh[1]
        nested, rest = (end.then, end.otherwise) if holds else (end.otherwise, end.then)
        test = self.condition(end.condition)
        self.line(f"if {plain(test)}:" if holds else f"if not {test}:")
        lengths, segment = self.lengths, self.segment
        self.lengths = lengths | least_lengths(end.condition, holds)
        self.indent += 1
        self.tree(nested)
        self.indent -= 1
        self.lengths, self.segment = lengths | least_lengths(end.condition, not holds), segment
        return rest

    def _jump(self, segment: int) -> None:
        """Goes on with a region, by way of its loop."""
        if segment == self.head:
            self.line("continue")
        else:
            self.line(f"pc = {segment}")
            self.line("break" if self.loops else "continue")

    # -------------------------------------------------------------- calls

    def passed(self, arguments: Sequence[Expr | List]) -> str:
        """Arguments of a call."""
        caller = self.program.procedures[self.program.segments[self.head].procedure]
        first = ["S", f"fp + {caller.size}"] if self.nests else ["S"]
        return ", ".join([*first, *map(self.value, arguments)])

    def check_stack(self, size: str, at: int) -> None:
        """The line that checks whether a frame of some size fits behind this one."""
        if self.nests:
            caller = self.program.procedures[self.program.segments[self.head].procedure]
            self.line(f"if fp + {size} > {self.program.layout.cells - caller.size}: no_stack({at})")


def binds_seat(ask: table.Ask) -> bool:
    """Whether a decision's options or bounds read who is asked."""
    return ask.slot in read_slots((ask.options, ask.least, ask.most))


def _reads(node: object) -> list[int]:
    """The slots that a node reads, once for each time."""
    return [part.slot for part in walk(node) if isinstance(part, table.Local | table.LocalList)]


# ------------------------------------------------------------------ ends: each gives the segment that follows


def _goto(_text: PlayingText, node: table.Goto) -> int:
    return node.segment


def _invoke(text: PlayingText, node: table.Invoke) -> int:
    text.charge(node.at)
    text.check_stack(str(text.program.procedures[node.procedure].size), node.at)
    text.line(f"S[{RESULT}] = p{node.procedure}({text.passed(node.arguments)})")
    return node.resume


def _invoke_table(text: PlayingText, node: table.InvokeTable) -> int:
    arguments = node.arguments
    if isinstance(node.index, table.Present):
        # It was checked for the look-up.
        checked = node.index
        arguments = rewritten(arguments, lambda part: checked.operand if part == checked else part)
    called = text.temporary()
    if text.nests:
        text.line(f"{called} = T{node.table}[{text.text_of(node.index)}]")
        text.line(f"if {called} != -1:")
    else:
        text.called_tables.add(node.table)
        text.line(f"{called} = P{node.table}[{text.text_of(node.index)}]")
        text.line(f"if {called}:")
    text.indent += 1
    text.charge(node.at)
    text.check_stack(f"SIZES[{called}]", node.at)
    function = f"PROCEDURES[{called}]" if text.nests else called
    text.line(f"S[{RESULT}] = {function}({text.passed(arguments)})")
    text.indent -= 1
    return node.resume


def _return(text: PlayingText, node: table.Return) -> None:
    text.line(f"return {0 if node.value is None else text.text_of(node.value)}")


def _finish(text: PlayingText, _node: table.Finish) -> None:
    text.line("raise Finished")


def _ask(text: PlayingText, node: table.Ask) -> int:
    kept = text.kept[text.segment]
    if text.opens:
        text.line("close(S)")
    before = ""
    if node.slot in text.program.segments[node.resume].live:
        before = text.temporary()
        text.line(f"{before} = {slot_name(node.slot)}")
    if kept is Kept.CELLS:
        asked = text.ask(node)
        text.line(f"if {asked}: answer_all(S)")
    else:
        assert isinstance(node.seats, table.Items)
        if binds_seat(node):
            text.line(f"{slot_name(node.slot)} = {text.text_of(node.seats.values[0])}")
        text.answer = (kept, _answer(text, node, kept))
        if before or not _reads_at_once(text, node.resume):
            text.line(f"A = {text.answer[1]}")
            text.answer = (kept, "A")
    if before:
        text.line(f"{slot_name(node.slot)} = {before}")
    return node.resume


def _answer(text: PlayingText, node: table.Ask, kept: Kept) -> str:
    """The text of the call that chooses an answer."""
    cards = text.program.sites[node.site].of == "card" and not in_order(text.program, node.options)
    options = text.options(node)
    if kept is Kept.NUMBER:
        return f"{'pick_card' if cards else 'pick'}(S, {options}, {node.at})"
    arguments = [options, text.text_of(node.least), text.text_of(node.most), str(node.at)]
    if cards:
        arguments.append(str(side_by_side(text.program, node.options)))
    if node.always:
        arguments.append("True")
    return f"{'some_cards' if cards else 'some'}(S, {', '.join(arguments)})"


def _reads_at_once(text: PlayingText, resume: int) -> bool:
    """Whether the first statement after an answer is the only one to read it, and does nothing else."""
    body = text.program.segments[resume].tree.body
    first = body[0]
    match first:
        case table.SetLocal(_, table.First(table.Answer()) | table.Last(table.Answer())):
            pass
        case table.SetList(_, table.Answer()):
            pass
        case _:
            return False
    return sum(isinstance(part, table.Answer) for part in walk(before_closing(body))) == 1


_ENDS: dict[type[table.End], Callable[[PlayingText, Any], int | None]] = {
    table.Goto: _goto,
    table.Invoke: _invoke,
    table.InvokeTable: _invoke_table,
    table.Return: _return,
    table.Ask: _ask,
    table.Finish: _finish,
}
