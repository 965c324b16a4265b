"""Python source that plays whole games: the module that `playing.backend` runs.

Every procedure becomes one Python function with ordinary variables, since nothing needs to stop: where the rules
ask, the policy answers at once. A segment with one entrance is inlined where it is entered; the others are cases of
a loop, chosen by `pc`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from interpreter.analysis.control_flow import (
    Kept,
    Weights,
    before_closing,
    successors,
)
from interpreter.analysis.nodes import least_lengths
from interpreter.analysis.shapes import for_text, plain, slot_name
from interpreter.backends.python.lists import made
from interpreter.backends.python.playing.terminators import ENDS, binds_seat
from interpreter.backends.python.playing.writer import PlayingWriter
from interpreter.backends.python.segments import PythonSource
from ruleset.table import nodes as t
from ruleset.table.nodes import Stmt, TableProgram, Tree
from ruleset.table.traversal import everything


def generate_playing(program: TableProgram, seated: bool = False) -> tuple[PythonSource, int]:
    """Return the source, and the maximum number of call frames at once.

    The source needs the names from `python.runtime`, the functions of the policy, and `Finished`. The policy is
    that of `random_policy` or, with `seated`, that of `playing.bot_policy`, which gets the seat of each question.
    """
    return generated(PlayingText(for_text(program), seated))


def generated(text: PlayingText) -> tuple[PythonSource, int]:
    """Return the source that a new text writes, and the maximum number of call frames at once."""
    program = text.program
    for number in range(len(program.functions)):
        text.function(number)
    for number in range(len(program.procedures)):
        text.procedure(number)
    text.lines += text.ending()
    text.line(f"PROCEDURES = [{', '.join(f'p{number}' for number in range(len(program.procedures)))}]")
    for number in sorted(text.called_tables):
        called = (f"p{n}" if n >= 0 else "None" for n in program.tables[number])
        text.line(f"P{number} = [{', '.join(called)}]")
    begun = {"entry": program.entry}
    if program.next_game is not None:
        begun["next_entry"] = program.next_game.procedure
    for name, number in begun.items():
        text.line(f"{name} = p{number}" if text.nests else f"{name} = lambda S, fp: p{number}(S)")
    return PythonSource("\n".join(text.lines) + "\n", tuple(text.codes)), text.frames


class PlayingText(PlayingWriter):
    """Python source for procedures: functions `p3(S, ...)`."""

    def procedure(self, number: int) -> None:
        """Write the function of a procedure."""
        procedure = self.program.procedures[number]
        self.temporaries = 0
        first = ["S", "fp"] if self.nests else ["S"]
        self.line(f"def p{number}({', '.join([*first, *map(slot_name, range(procedure.parameters))])}):")
        self.indent += 1
        self.used = self._used(number)
        for slot in self.program.segments[procedure.entry].live:
            # Slots that may be read before they are assigned are zero or empty, as in a new frame.
            if slot >= procedure.parameters:
                self.line(f"{slot_name(slot)} = {'()' if procedure.slots[slot].capacity else 0}")
        heads = [n for n in self.segments_of[number] if n in self.regions]
        chain = self._chain(procedure.entry, heads)
        if chain:
            self.chained = True
            for head in chain:
                self._region(head, once=head != chain[-1])
            self.chained = False
        else:
            self.line(f"pc = {procedure.entry}")
            self.line("while True:")
            self.indent += 1
            self._cases(sorted(heads))
            self.indent -= 1
        self.indent -= 1
        self.used = None

    def _used(self, number: int) -> set[int]:
        """Return the slots that a procedure's text reads, except for finding an answer that the text keeps."""
        reads: Counter[int] = Counter()
        for place in self.segments_of[number]:
            tree = self.program.segments[place].tree
            reads.update(_reads(tree))
            end = tree.end
            if isinstance(end, t.Ask) and self.kept[place] is not Kept.CELLS:
                if not (binds_seat(end) or self.seated):
                    reads.subtract(_reads(end.seats))
                after = before_closing(self.program.segments[end.resume].tree.body)
                for part in everything(after):
                    if isinstance(part, t.Answer):
                        reads.subtract(_reads(part.seat))
        return {slot for slot, count in reads.items() if count > 0}

    def _cases(self, heads: Sequence[int]) -> None:
        """Write a choice between regions by bisection."""
        if len(heads) == 1:
            self._region(heads[0])
            return
        middle = len(heads) // 2
        for word, part in ((f"if pc < {heads[middle]}:", heads[:middle]), ("else:", heads[middle:])):
            self.line(word)
            self.indent += 1
            self._cases(part)
            self.indent -= 1

    def _chain(self, entry: int, heads: Sequence[int]) -> list[int]:
        """Return the regions of a procedure in order if each leads only to itself and the next; else []."""
        after: dict[int, set[int]] = {}
        for head in heads:
            leads = (n for segment in self.regions[head] for n in successors(self.program.segments[segment].tree))
            after[head] = {n for n in leads if n in heads} - {head}
        chain = [entry]
        while after[chain[-1]]:
            following = after[chain[-1]]
            if len(following) > 1 or following & set(chain):
                return []
            chain += following
        return chain if len(chain) == len(heads) else []

    def _region(self, head: int, once: bool = False) -> None:
        """Write a region: a segment with its inlined ones. One that leads back to itself is a loop of its own.

        Leaving the loop leads to the code after it. `once` writes a loop that never repeats.
        """
        region = self.regions[head]
        self.head = self.segment = head
        self.loops = any(head in successors(self.program.segments[n].tree) for n in region)
        self.weights = Weights(self.program, region, self.entered)
        self.lengths, self.addresses = {}, {}
        looping = self.loops or once
        if looping:
            self.line("while True:")
            self.indent += 1
        self.tree(self.program.segments[head].tree)
        if looping:
            self.indent -= 1

    def tree(self, tree: Tree) -> None:
        """Write a tree; every way through it returns, raises, or continues a loop.

        So no `else` is needed. Of two branches the smaller one is nested, so that the depth stays within Python's
        limit however long the text is.
        """
        while True:
            done, self.done = self.done, 0
            self._after_asking(tree.body[done:])
            end = tree.end
            if isinstance(end, t.Branch):
                tree = self._branch(end)
                continue
            after = ENDS[type(end)](self, end)
            if after is None:
                return
            if self.entered[after] != 1:
                self._jump(after)
                return
            self.segment, tree = after, self.program.segments[after].tree

    def _branch(self, end: t.Branch) -> Tree:
        """Write the smaller branch, and return the other."""
        assert self.weights is not None
        holds = self.weights.of(end.then) <= self.weights.of(end.otherwise)
        nested, rest = (end.then, end.otherwise) if holds else (end.otherwise, end.then)
        condition, affirmed = made(self, end.condition), holds
        while isinstance(condition, t.Not):
            condition, affirmed = condition.operand, not affirmed
        test = self.condition(condition)
        self.line(f"if {plain(test)}:" if affirmed else f"if not {test}:")
        lengths, addresses, segment = self.lengths, self.addresses, self.segment
        self.lengths = lengths | least_lengths(end.condition, holds)
        self.indent += 1
        self.tree(nested)
        self.indent -= 1
        self.lengths = lengths | least_lengths(end.condition, not holds)
        self.addresses, self.segment = addresses, segment
        return rest

    def _jump(self, segment: int) -> None:
        """Continue with a region, by way of its loop."""
        if segment == self.head:
            self.line("continue")
        elif self.chained:
            self.line("break")
        else:
            self.line(f"pc = {segment}")
            self.line("break" if self.loops else "continue")

    def _after_asking(self, body: Sequence[Stmt]) -> None:
        """Write a segment's statements, the first of which may read an answer that the text keeps."""
        reading = before_closing(body)
        if self.answer[0] is Kept.CELLS or reading is None:
            self.statements(body)
            return
        self.statements(reading)
        self.answer = (Kept.CELLS, "")
        self.statements(body[len(reading) + 1 :])


def _reads(node: object) -> list[int]:
    """Return the slots that a node reads, repeated for each read."""
    return [part.slot for part in everything(node) if isinstance(part, t.Local | t.LocalList)]
