"""A table program as text, for people and tests: one statement a line, blocks indented.

Functions come first, then procedures with their segments, and the tables that they use. Every node has a printer
(`printed_values` has those of expressions), so a program can be printed before and after any pass. Values that only
texts for players show (`Shown`) are left out, since no game depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rulewright.interpreter.optimiser.printed_names import Names, variable
from rulewright.interpreter.optimiser.printed_values import Values
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import End, Slot, Stmt, TableProgram, Tree
from rulewright.ruleset.table.traversal import everything

Lines = Iterator[str]
STEP = "  "
_SHOWN = 40
"""Most entries of a table that are printed."""


def printed(program: TableProgram) -> Lines:
    """Iterate over the lines of a program."""
    text = _Printing(program)
    yield from text.units()
    yield from text.tables()


def indented(lines: Iterable[str]) -> Lines:
    """Indent lines by one step."""
    return (STEP + line for line in lines)


class _Printing(Values):
    """Lines of the statements of one program."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(Names(program))
        self._program = program

    def units(self) -> Lines:
        """Print all functions and procedures."""
        for number, function in enumerate(self._program.functions):
            yield f"function {self.names.function(number)}({_parameters(function)})"
            yield from indented(self.body(function.body))
            yield ""
        for number, procedure in enumerate(self._program.procedures):
            first = " (the game begins here)" if number == self._program.entry else ""
            head = f"procedure {self.names.procedure(number)}({_parameters(procedure)})"
            yield f"{head}, from s{procedure.entry}{first}"
            for place, segment in enumerate(self._program.segments):
                if segment.procedure == number:
                    live = ", ".join(_variable(procedure.slots, slot) for slot in segment.live)
                    yield f"{STEP}s{place}({live})"
                    yield from indented(indented(self.tree(segment.tree)))
            yield ""

    def tree(self, tree: Tree) -> Lines:
        """Print straight-line code and its end."""
        yield from self.body(tree.body)
        yield from ENDS[type(tree.end)](self, tree.end)

    def body(self, body: Sequence[Stmt]) -> Lines:
        """Print a block of statements."""
        for statement in body:
            yield from STATEMENTS[type(statement)](self, statement)

    def block(self, body: Sequence[Stmt]) -> Lines:
        """Print statements that may be none: the test before them can fail."""
        yield from self.body(body)
        if not body:
            yield "nothing"

    def tables(self) -> Lines:
        """Print the constant tables and lists that code uses; of calls the units, each with its index."""
        code = (self._program.functions, self._program.segments)
        used: dict[str, str] = {}
        for node in everything(code):
            match node:
                case t.DoTable(number):
                    used[f"T{number}"] = self._called(number, self.names.function)
                case t.InvokeTable(number):
                    used[f"T{number}"] = self._called(number, self.names.procedure)
                case t.Table(number):
                    used[f"T{number}"] = _shortened(self._program.tables[number])
                case t.SendHome():
                    used[f"T{node.homes}"] = _shortened(self._program.tables[node.homes])
                case t.TableList(number):
                    used[f"L{number}"] = _shortened([[*one] for one in self._program.lists[number]])
        if used:
            yield "tables"
            yield from (
                f"{STEP}{name}: {used[name]}" for name in sorted(used, key=lambda one: (one[0], int(one[1:])))
            )
            yield ""

    def _called(self, table: int, name: Callable[[int], str]) -> str:
        entries = enumerate(self._program.tables[table])
        return ", ".join(f"{name(one)} at {index}" for index, one in entries if one >= 0) or "no calls"

    # -------------------------------------------------------------- statements

    def conditional(self, node: t.If) -> Lines:
        yield f"if {self.plain(node.condition)}"
        yield from indented(self.block(node.then))
        if node.otherwise:
            yield "else"
            yield from indented(self.body(node.otherwise))

    def for_each(self, node: t.ForEach) -> Lines:
        yield f"each {variable(node.slot)} in {self.plain(node.items)}"
        yield from indented(self.body(node.body))

    def repeat(self, node: t.While) -> Lines:
        yield f"while {self.plain(node.condition)}"
        yield from indented(self.body(node.body))

    def by_table(self, node: t.DoTable | t.InvokeTable) -> str:
        """Return the text of a call through a table."""
        return f"T{node.table}[{self.plain(node.index)}]({self.joined(node.arguments)})"

    def place(self, node: t.Move | t.SendHome) -> str:
        """Return the text of the zone in which cards must still be."""
        return "" if node.place is None else f" if still in {self.zone(node.place)}"

    def move(self, node: t.Move) -> str:
        under = "under" if node.bottom else "to"
        chooser = "" if node.chooser is None else f", in the order of seat {self.plain(node.chooser)}"
        return f"move {self.text(node.cards)} {under} {self.zone(node.to)}{self.place(node)}{chooser}"

    def move_all(self, node: t.MoveAll) -> str:
        return f"move all of {self.zone(node.source)} {'under' if node.bottom else 'to'} {self.zone(node.to)}"

    def draw(self, node: t.Drawing) -> str:
        into = "" if node.slot is None else f"l{node.slot} := "
        source = ("the bottom of " if isinstance(node, t.DrawBottom) else "") + self.zone(node.source)
        under = "under" if node.bottom else "to"
        return f"{into}draw {self.text(node.count)} from {source} {under} {self.zone(node.to)}"

    def reveal(self, node: t.Reveal) -> str:
        secret = ", in secret" if node.secret else ""
        return f"reveal {self.text(node.cards)} to seats {self.plain(node.seats)}{secret}"

    def append(self, node: t.Append) -> str:
        return f"append {self.text(node.value)} to {self.cells(node.address)}, at most {node.capacity}"

    def emit(self, node: t.Emit) -> str:
        parts = [self.joined(node.numbers)]
        parts += [] if node.cards is None else [f"cards {self.plain(node.cards)}"]
        parts += [] if node.members is None else [f"members {self.plain(node.members)}"]
        parts += [f"to {self.plain(node.audience)}", f"seen by {self.plain(node.sees)}"]
        return f"emit {node.kind}({'; '.join(parts)})"

    # -------------------------------------------------------------- ends

    def branch(self, node: t.Branch) -> Lines:
        yield f"if {self.plain(node.condition)}"
        yield from indented(self.tree(node.then))
        yield "else"
        yield from indented(self.tree(node.otherwise))

    def ask(self, node: t.Ask) -> Lines:
        always = ", always" if node.always else ""
        yield f"ask {self.names.site(node.site)} of each {variable(node.slot)} in {self.plain(node.seats)}{always}"
        yield f"{STEP}from {self.plain(node.options)}"
        yield f"{STEP}at least {self.plain(node.least)}, at most {self.plain(node.most)}"
        yield f"then s{node.resume}"


def _shortened(entries: Sequence[object]) -> str:
    """Return the entries of a table; of long ones the first."""
    more = f" and {len(entries) - _SHOWN} more" if len(entries) > _SHOWN else ""
    return " ".join(map(str, entries[:_SHOWN])) + more


def _line(write: Callable[[_Printing, Any], str]) -> Callable[[_Printing, Any], Lines]:
    """A printer for a node that is one line."""

    def lines(text: _Printing, node: Any) -> Lines:
        yield write(text, node)

    return lines


STATEMENTS: dict[type[Stmt], Callable[[_Printing, Any], Lines]] = {
    t.SetLocal: _line(lambda text, node: f"{variable(node.slot)} := {text.plain(node.value)}"),
    t.SetList: _line(lambda text, node: f"l{node.slot} := {text.plain(node.items)}"),
    t.SetCell: _line(lambda text, node: f"{text.cell(node.address)} := {text.plain(node.value)}"),
    t.SetCells: _line(lambda text, node: f"{text.cells(node.address)} := {text.plain(node.items)}"),
    t.If: _Printing.conditional,
    t.ForEach: _Printing.for_each,
    t.While: _Printing.repeat,
    t.Do: _line(lambda text, node: f"do {text.names.function(node.function)}({text.joined(node.arguments)})"),
    t.DoTable: _line(lambda text, node: f"do {text.by_table(node)}"),
    t.Give: _line(lambda text, node: f"give {text.plain(node.value)}"),
    t.Charge: _line(lambda _text, _node: "charge"),
    t.Random: _line(lambda text, node: f"{variable(node.slot)} := random below {text.plain(node.bound)}"),
    t.Move: _line(_Printing.move),
    t.MoveAll: _line(_Printing.move_all),
    t.SendHome: _line(
        lambda text, node: f"send {text.text(node.cards)} home to T{node.homes}[card]{text.place(node)}"
    ),
    t.Draw: _line(_Printing.draw),
    t.DrawBottom: _line(_Printing.draw),
    t.Shuffle: _line(lambda text, node: f"shuffle {text.zone(node.zone)}"),
    t.Prepare: _line(lambda text, node: f"prepare {text.text(node.count)} cards of {text.zone(node.zone)}"),
    t.Reveal: _line(_Printing.reveal),
    t.Change: _line(lambda text, node: f"change {text.track(node.track, node.index)} by {text.plain(node.amount)}"),
    t.Assign: _line(lambda text, node: f"set {text.track(node.track, node.index)} to {text.plain(node.value)}"),
    t.Append: _line(_Printing.append),
    t.Remove: _line(lambda text, node: f"remove {text.text(node.value)} from {text.cells(node.address)}"),
    t.CloseDecisions: _line(lambda _text, _node: "close decisions"),
    t.Emit: _line(_Printing.emit),
    t.Fail: _line(lambda _text, node: f"fail {node.code}"),
}
"""How each statement is printed."""

ENDS: dict[type[End], Callable[[_Printing, Any], Lines]] = {
    t.Goto: _line(lambda _text, node: f"go to s{node.segment}"),
    t.Branch: _Printing.branch,
    t.Invoke: _line(
        lambda text, node: (
            f"call {text.names.procedure(node.procedure)}({text.joined(node.arguments)}), then s{node.resume}"
        )
    ),
    t.InvokeTable: _line(lambda text, node: f"call {text.by_table(node)}, then s{node.resume}"),
    t.Return: _line(lambda text, node: "return" + ("" if node.value is None else f" {text.plain(node.value)}")),
    t.Ask: _Printing.ask,
    t.Finish: _line(lambda _text, _node: "finish the game"),
    t.Restart: _line(lambda _text, _node: "begin the next game of the series"),
}
"""How each end of a segment is printed."""


# ------------------------------------------------------------------ slots


def _variable(slots: Sequence[Slot], number: int) -> str:
    return f"l{number}" if slots[number].capacity else variable(number)


def _parameters(unit: t.Function | t.Procedure) -> str:
    """Return the parameters of a unit; those that hold cards are marked."""
    return ", ".join(
        ("card " if unit.slots[number].cards else "") + _variable(unit.slots, number)
        for number in range(unit.parameters)
    )
