"""Python source for statements and functions.

The two builds differ only here, in `zone_statements` and in `track_statements`: the fast build leaves out `Emit`
and `Reveal` and uses the fast zone operations; the narrating build passes the list of events `E` to the reference
operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from interpreter.analysis.nodes import assigned_slots, least_lengths, read_slots
from interpreter.analysis.shapes import plain, slot_name
from interpreter.backends.python.lines import INDENT, LineText
from interpreter.backends.python.lists import lists_first
from interpreter.backends.python.track_statements import track
from interpreter.backends.python.zone_statements import ZONE_STATEMENTS
from interpreter.state.arithmetic import HIGHEST, LOWEST
from ruleset.table import nodes as t
from ruleset.table.nodes import FUEL, Const, Expr, List, Stmt, TableProgram
from ruleset.table.traversal import everything


class StatementText(LineText):
    """Python source for statements and functions."""

    statement_writers: ClassVar[Mapping[type[Stmt], Callable[[Any, Any], None]]]

    def __init__(self, program: TableProgram, narrating: bool) -> None:
        super().__init__(program, narrating)
        self.codes: list[str] = []
        """Codes of `Fail` statements; the text refers to them by number."""

    # -------------------------------------------------------------- lines

    def block(self, head: str, body: Sequence[Stmt], lengths: dict[int, int] | None = None) -> None:
        """Write a compound statement. `lengths` are least lengths of list slots inside it."""
        self.line(head)
        self.indent += 1
        before, known, addresses = len(self.lines), self.lengths, self.addresses
        self.lengths = known | (lengths or {})
        self.statements(body)
        self.lengths, self.addresses = known, addresses
        if len(self.lines) == before:
            self.line("pass")
        self.indent -= 1

    # -------------------------------------------------------------- statements

    def statements(self, body: Sequence[Stmt]) -> None:
        """Write statements, except those that this build leaves out."""
        for statement in body:
            rest = lists_first(self, statement)
            if isinstance(rest, t.ForEach | t.While):
                self.forget(rest)  # the loop may come back to where something is known
            self.statement_writers[type(rest)](self, rest)
            self.forget(rest)

    def forget(self, statement: Stmt | t.Ask) -> None:
        """Discard facts about slots that a statement assigns."""
        if not self.lengths and not self.addresses:
            return
        gone = {statement.slot} if isinstance(statement, t.Ask) else assigned_slots((statement,))
        if not gone.isdisjoint(self.lengths):
            self.lengths = {slot: length for slot, length in self.lengths.items() if slot not in gone}
        if any(read_slots(place) & gone for place in self.addresses):
            self.addresses = {k: name for k, name in self.addresses.items() if not read_slots(k) & gone}

    def function(self, number: int) -> None:
        """Write a function of the program."""
        function = self.program.functions[number]
        self.temporaries = 0
        self.lengths, self.addresses = {}, {}
        parameters = ["S", "E"] if self.narrating else ["S"]
        parameters += [slot_name(slot) for slot in range(function.parameters)]
        self.block(f"def f{number}({', '.join(parameters)}):", function.body)
        gives_list = any(
            isinstance(part, t.Give) and isinstance(part.value, List) for part in everything(function.body)
        )
        self.line(f"{INDENT}return {'()' if gives_list else '0'}")

    def assign(self, target: str, value: Expr) -> None:
        """Write the assignment of an integer to a variable. An outermost check is written without a call."""
        match value:
            case t.Checked(op="+" | "-" | "*"):
                self.line(f"{target} = {plain(self.arithmetic(value))}")
                self.line(f"if not {LOWEST} <= {target} <= {HIGHEST}: overflow({value.at})")
            case t.Present():
                self.line(f"{target} = {plain(self.number(value.operand))}")
                self.line(f"if {target} == -1: absent({value.at})")
            case _:
                self.line(f"{target} = {plain(self.number(value))}")

    def _checks(self, value: Expr) -> bool:
        """Return whether `assign` would add a check."""
        return isinstance(value, t.Present) or (
            isinstance(value, t.Checked) and value.op not in (*t.COMPARISONS, "//", "%")
        )

    def ending(self) -> list[str]:
        """Return the lines at the end of a module: its constants and its functions by number."""
        functions = ", ".join(f"f{number}" for number in range(len(self.program.functions)))
        constants = (f"{name} = {text}" for text, name in self.constants.items())
        return [*constants, f"FUNCTIONS = [{functions}]"]

    def charge(self, at: int) -> None:
        """Write the lines that take one unit of fuel."""
        fuel = self.temporary()
        self.line(f"{fuel} = S[{FUEL}]")
        self.line(f"if {fuel} <= 0: no_fuel({at})")
        self.line(f"S[{FUEL}] = {fuel} - 1")

    def options(self, node: t.Ask) -> str:
        """Return the text of a decision's options. Rule error `full` comes before errors of its bounds."""
        items = self.items(node.options)
        return f"fits({items}, {node.at})" if self.can_fail((node.least, node.most)) else items

    def ask(self, node: t.Ask) -> str:
        """Write the lines that fill all-zero decision slots. Returns the variable of the number of open ones."""
        self.forget(node)
        asked = self.temporary()
        bounds = f"{self.text_of(node.least)}, {self.text_of(node.most)}"
        call = f"{slot_name(node.slot)}, {node.site}, {self.options(node)}, {bounds}, {node.at}"
        call += ", True" if node.always else ""
        if isinstance(node.seats, t.Items) and len(node.seats.values) == 1:
            self.line(f"{slot_name(node.slot)} = {self.text_of(node.seats.values[0])}")
            self.line(f"{asked} = ask(S, {call})")
        else:
            self.line(f"{asked} = 0")
            self.line(f"for {slot_name(node.slot)} in {self.items(node.seats)}: {asked} += ask(S, {call})")
        return asked


# ------------------------------------------------------------------ locals and cells


def _set_cell(text: StatementText, node: t.SetCell) -> None:
    ordered = text.can_fail(node.address) and text.can_fail(node.value)
    address = text.address(node.address)
    if ordered:
        name = text.temporary()
        text.line(f"{name} = {address}")
        address = name
    if text._checks(node.value):
        value = text.temporary()
        text.assign(value, node.value)
    else:
        value = text.text_of(node.value)
    text.line(f"S[{address}] = {value}")


def _set_cells(text: StatementText, node: t.SetCells) -> None:
    address = text.address(node.address)
    if node.items == t.Items(()):
        test = f"if S[{address}]: " if isinstance(node.address, Const) else ""
        text.line(f"{test}clear(S, {address})")
        return
    if isinstance(node.items, t.LocalList) and isinstance(node.address, Const):
        items = text.items(node.items)
        text.line(f"if {items} or S[{address}]: write(S, {address}, {items})")
        return
    text.line(f"write(S, {text.address(node.address)}, {text.items(node.items)})")


def _append(text: StatementText, node: t.Append) -> None:
    address, value = text.address(node.address), text.text_of(node.value)
    if not isinstance(node.value, Const | t.Local):
        text.line(f"append(S, {address}, {value}, {node.capacity}, {node.at})")
        return
    # Inlined, since it is short and frequent.
    count = text.temporary()
    if not isinstance(node.address, Const):
        name = text.temporary()
        text.line(f"{name} = {address}")
        address = name
    text.line(f"{count} = S[{address}] + 1")
    text.line(f"if {value} not in S[{address} + 1:{address} + {count}]:")
    text.indent += 1
    text.line(f"if {count} > {node.capacity}: full({node.at})")
    text.line(f"S[{address} + {count}] = {value}")
    text.line(f"S[{address}] = {count}")
    text.indent -= 1


def _remove(text: StatementText, node: t.Remove) -> None:
    text.line(f"remove(S, {text.address(node.address)}, {text.text_of(node.value)})")


# ------------------------------------------------------------------ flow


def _if(text: StatementText, node: t.If, word: str = "if") -> None:
    test = plain(text.condition(node.condition))
    text.block(f"{word} {test}:", node.then, least_lengths(node.condition, True))
    if not node.otherwise:
        return
    if len(node.otherwise) == 1 and isinstance(node.otherwise[0], t.If):
        _if(text, node.otherwise[0], "elif")
    else:
        text.block("else:", node.otherwise)


def _while(text: StatementText, node: t.While) -> None:
    text.line("while True:")
    text.indent += 1
    text.charge(node.at)
    text.line(f"if not {text.condition(node.condition)}: break")
    known, addresses = text.lengths, text.addresses
    text.lengths = known | least_lengths(node.condition, True)
    text.statements(node.body)
    text.lengths, text.addresses = known, addresses
    text.indent -= 1


def _do_table(text: StatementText, node: t.DoTable) -> None:
    name = text.temporary()
    text.line(f"{name} = T{node.table}[{text.text_of(node.index)}]")
    first = ["S", "E"] if text.narrating else ["S"]
    arguments = ", ".join([*first, *map(text.value, node.arguments)])
    text.line(f"if {name} != -1: FUNCTIONS[{name}]({arguments})")


# ------------------------------------------------------------------ chance, narration and failure


def _random(text: StatementText, node: t.Random) -> None:
    text.line(f"{slot_name(node.slot)} = random(S, {text.text_of(node.bound)}, {node.at})")


def _emit(text: StatementText, node: t.Emit) -> None:
    if text.narrating:
        numbers = text.items(t.Items(node.numbers))
        if node.members is not None:
            numbers = f"(*{numbers}, *{text.items(node.members)})"
        cards = "()" if node.cards is None else f"tuple({text.items(node.cards)})"
        audience, sees = text.text_of(node.audience), text.text_of(node.sees)
        kind = tuple(t.EVENTS).index(node.kind)
        text.line(f"E.append((EVENTS[{kind}], {numbers}, {cards}, {audience}, {sees}, {node.at}))")


def _fail(text: StatementText, node: t.Fail) -> None:
    text.codes.append(node.code)
    text.line(f"fail(CODES[{len(text.codes) - 1}], {node.at})")


STATEMENTS: dict[type[Stmt], Callable[[StatementText, Any], None]] = {
    t.SetLocal: lambda text, node: text.assign(slot_name(node.slot), node.value),
    t.SetList: lambda text, node: text.line(f"{slot_name(node.slot)} = {text.items(node.items)}"),
    t.SetCell: _set_cell,
    t.SetCells: _set_cells,
    t.If: _if,
    t.ForEach: lambda text, node: text.block(f"for {slot_name(node.slot)} in {text.items(node.items)}:", node.body),
    t.While: _while,
    t.Do: lambda text, node: text.line(text.call(node.function, node.arguments)),
    t.DoTable: _do_table,
    t.Give: lambda text, node: text.line(f"return {text.value(node.value)}"),
    t.Charge: lambda text, node: text.charge(node.at),
    t.Random: _random,
    **ZONE_STATEMENTS,
    t.Change: track,
    t.Assign: track,
    t.Append: _append,
    t.Remove: _remove,
    t.CloseDecisions: lambda text, node: text.line("close(S)"),
    t.Emit: _emit,
    t.Fail: _fail,
}
StatementText.statement_writers = STATEMENTS
