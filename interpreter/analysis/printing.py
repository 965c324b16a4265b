"""A table program as text, for people and tests: one statement a line, blocks indented."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from attrs import frozen

from rulewright.interpreter.analysis.metering import Others, plain
from rulewright.interpreter.analysis.nodes import Looked, Metered
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import (
    Const,
    End,
    Expr,
    Function,
    List,
    Procedure,
    Slot,
    Stmt,
    TableProgram,
    Tree,
)

_HEAD = {
    t.STATUS: "status",
    t.SEGMENT: "segment",
    t.FRAME: "frame",
    t.FUEL: "fuel",
    t.RESULT: "result",
    t.OPEN: "open",
}
"""Names of the fixed cells that code may read."""

# ---- Names of cells, zones and pieces of code

@frozen
class Family:
    """Cells that belong together: `count` entries from an address, each of `stride` cells."""

    name: str
    address: int
    count: int
    stride: int = 1


@frozen
class FoundAddress:
    """The place of an address in a family: a constant and other terms; `plain` if it is the only entry."""

    family: Family
    offset: int
    terms: tuple[Expr, ...]

    @property
    def plain(self) -> bool:
        return self.family.count == 1 and not self.terms and not self.offset


class PrintedNames:
    """The names in one program."""

    def __init__(self, program: TableProgram) -> None:
        self.program = program
        self.families = tuple(_families(program))
        self._functions = _unique(program.functions, "f")
        self._procedures = _unique(program.procedures, "p")

    def function(self, number: int) -> str:
        return self._functions[number]

    def procedure(self, number: int) -> str:
        return self._procedures[number]

    def site(self, number: int) -> str:
        """Return the key of a place that asks."""
        return self.program.sites[number].key

    def head(self, address: Expr) -> str | None:
        """Return the name of a cell of the fixed head."""
        return _HEAD.get(address.value) if isinstance(address, Const) else None

    def find(self, address: Expr) -> FoundAddress | None:
        """Return the family of cells in which an address lies, if its constant part lies there."""
        terms = sum_of(address)
        base = sum(one.value for one in terms if isinstance(one, Const))
        for family in self.families:
            if family.address <= base < family.address + family.count * family.stride:
                others = tuple(one for one in terms if not isinstance(one, Const))
                return FoundAddress(family, base - family.address, others)
        return None

    def zone(self, number: int) -> str | None:
        """Return the key of a zone."""
        return self.program.zones[number].key if 0 <= number < len(self.program.zones) else None

    def zones_from(self, number: int) -> str | None:
        """Return the name of the zones that are counted from one; None if it is not the first of them."""
        zones = self.program.zones
        if not 0 <= number < len(zones) or (number and zones[number - 1].zone == zones[number].zone):
            return None
        return zones[number].zone


def variable(slot: int) -> str:
    """Return the name of a slot that holds an integer."""
    return f"v{slot}"


def sum_of(node: Expr) -> tuple[Expr, ...]:
    """Return the terms of a sum."""
    if isinstance(node, t.Binary) and node.op == "+":
        return *sum_of(node.left), *sum_of(node.right)
    return (node,)


def _families(program: TableProgram) -> Iterator[Family]:
    for track in program.tracks:
        yield Family(track.key, track.address, track.count)
        if track.arrival >= 0:
            yield Family(f"arrivals of {track.key}", track.arrival - 1, 1)
            yield Family(f"arrival of {track.key}", track.arrival, track.count)
    for info in program.state_lists:
        yield Family(info.key, info.address, info.count, info.capacity + 1)
    yield Family("place", program.layout.places, len(program.cards))


def _unique(units: Sequence[Function | Procedure], letter: str) -> list[str]:
    """Return the names of functions or of procedures; equal ones get their number."""
    often = Counter(unit.name for unit in units)
    return [
        unit.name if unit.name and often[unit.name] == 1 else f"{unit.name}#{letter}{number}"
        for number, unit in enumerate(units)
    ]


# ---- Expressions and lists: each is one piece of text
#
# A slot is written `v3`, or `l3` if it holds a list; operations have parentheses, and lists brackets. A list
# filtered by a condition is `[v4 for v4 in l3 if v4 > 2]`. The place of the rule, `at`, is left out.

class PrintedValues:
    """Texts of the expressions of one program."""

    def __init__(self, names: PrintedNames) -> None:
        self.names = names

    def text(self, node: Expr | List) -> str:
        """Return the text of an expression, atomic or in parentheses."""
        return PRINTERS[type(node)](self, node)

    def plain(self, node: Expr | List) -> str:
        """Return the text of an expression that stands alone."""
        return plain(self.text(node))

    def joined(self, nodes: Iterable[Expr | List]) -> str:
        """Return the texts of several expressions, with commas."""
        return ", ".join(map(self.plain, nodes))

    # -------------------------------------------------------------- cells and zones

    def cell(self, address: Expr) -> str:
        """Return the name of a cell of the state, such as `coins[v0]`."""
        named, found = self.names.head(address), self.names.find(address)
        if found is not None and found.family.stride == 1:
            return self.entry(found)
        return named or f"S[{self.plain(address)}]"

    def cells(self, address: Expr) -> str:
        """Return the name of a list in the state, such as `piles`."""
        found = self.names.find(address)
        if found is None or found.family.stride == 1:
            return f"S[{self.plain(address)} ...]"
        return self.entry(found)

    def track(self, number: int, index: Expr) -> str:
        """Return the name of an entry of a track."""
        track = self.names.program.tracks[number]
        return track.key if track.count == 1 and index == Const(0) else f"{track.key}[{self.plain(index)}]"

    def entry(self, found: FoundAddress) -> str:
        """Return the name of an entry of a family of cells."""
        if found.plain:
            return found.family.name
        stride = found.family.stride
        parts = [self._divided(term, stride) for term in found.terms]
        offset, rest = divmod(found.offset, stride)
        if rest or None in parts:
            return f"{found.family.name}[cell {self._sum(found.terms, found.offset)}]"
        texts = [part for part in parts if part is not None]
        if offset or not texts:
            texts.append(str(offset))
        return f"{found.family.name}[{plain(texts[0]) if len(texts) == 1 else ' + '.join(texts)}]"

    def _divided(self, term: Expr, by: int) -> str | None:
        """Return the text of a term divided by a number of cells; None if it is no multiple of it."""
        if by == 1:
            return self.text(term)
        match term:
            case t.Binary("*", one, Const(value)) | t.Binary("*", Const(value), one) if value == by:
                return self.text(one)
        return None

    def _sum(self, terms: Sequence[Expr], offset: int) -> str:
        return " + ".join([*map(self.text, terms), *([str(offset)] if offset or not terms else [])])

    def zone(self, node: Expr) -> str:
        """Return the name of the zone that an expression gives, such as `hand[v0]`."""
        match node:
            case Const(-1):
                return "anywhere"
            case Const(value):
                return self.names.zone(value) or str(value)
            case t.IfElse(condition, then, otherwise):
                return f"({self.zone(then)} if {self.plain(condition)} else {self.zone(otherwise)})"
            case t.Present(operand):
                return f"present({self.zone(operand)})"
            case t.Binary("+"):
                terms = sum_of(node)
                base = sum(one.value for one in terms if isinstance(one, Const))
                family = self.names.zones_from(base)
                if family is not None:
                    index = [one for one in terms if not isinstance(one, Const)]
                    return f"{family}[{plain(self._sum(index, 0))}]"
        return self.text(node)

    # -------------------------------------------------------------- integers

    def binary(self, node: t.Binary) -> str:
        if node.op in ("==", "!=") and (self._is_zone(node.left) or self._is_zone(node.right)):
            return f"({self._place(node.left)} {node.op} {self._place(node.right)})"
        return f"({self.text(node.left)} {node.op} {self.text(node.right)})"

    def _is_zone(self, node: Expr) -> bool:
        """Whether an expression is the zone of a card."""
        if isinstance(node, t.Cell):
            found = self.names.find(node.address)
            return found is not None and found.family.address == self.names.program.layout.places
        return False

    def _place(self, node: Expr) -> str:
        return "none" if node == Const(-1) else self.zone(node)

    def call(self, node: t.Call | t.CallList) -> str:
        return f"{self.names.function(node.function)}({self.joined(node.arguments)})"

    def if_else(self, node: t.IfElse | t.Choice) -> str:
        return f"({self.text(node.then)} if {self.text(node.condition)} else {self.text(node.otherwise)})"

    def best(self, node: t.Highest) -> str:
        """Print the highest or lowest value of an expression over a list."""
        return f"{'lowest' if node.lowest else 'highest'}({self.loop(node)}; {node.empty} if empty)"

    def loop(self, node: Any) -> str:
        """Print an expression that is worked out for each item."""
        return f"{self.text(node.body)} for {variable(node.slot)} in {self.text(node.items)}"

    # -------------------------------------------------------------- lists

    def filtered(self, node: t.Filter) -> str:
        name = variable(node.slot)
        return f"[{name} for {name} in {self.text(node.items)} if {self.plain(node.condition)}]"

    def ranked(self, node: t.Ranked) -> str:
        return f"ranked({self.loop(node)}; {'descending' if node.descending else 'ascending'})"

    def looked(self, node: Looked) -> str:
        cases = [f"{value}: {[*members]}" for value, members in node.lists]
        return f"({self.plain(node.outer)} in {{{', '.join([*cases, f'other: {[*node.other]}'])}}})"


Printer = Callable[[PrintedValues, Any], str]


def _between(word: str) -> Printer:
    """A printer for an operation that is written between its operands."""
    return lambda text, node: f"({text.text(node.left)} {word} {text.text(node.right)})"


def _applied(word: str, *fields: str) -> Printer:
    """A printer for a word with operands."""
    return lambda text, node: f"{word}({text.joined(getattr(node, field) for field in fields)})"


def _looped(word: str) -> Printer:
    """A printer for a word with an expression that is worked out for each item."""
    return lambda text, node: f"{word}({text.loop(node)})"


PRINTERS: dict[type[Expr | List], Printer] = {
    Const: lambda _text, node: str(node.value),
    t.Local: lambda _text, node: variable(node.slot),
    t.Cell: lambda text, node: text.cell(node.address),
    t.Table: lambda text, node: f"T{node.table}[{text.plain(node.index)}]",
    t.Binary: PrintedValues.binary,
    t.Checked: lambda text, node: f"checked({text.text(node.left)} {node.op} {text.text(node.right)})",
    t.Not: lambda text, node: f"(not {text.text(node.operand)})",
    t.And: _between("and"),
    t.Or: _between("or"),
    t.IfElse: PrintedValues.if_else,
    t.Least: _applied("least", "left", "right"),
    t.Most: _applied("most", "left", "right"),
    t.Call: PrintedValues.call,
    t.Present: _applied("present", "operand"),
    t.Within: lambda text, node: f"within({text.plain(node.operand)}; {node.least} to {node.most})",
    t.Count: _applied("count", "items"),
    t.Total: _looped("total"),
    t.Exists: _looped("any"),
    t.Contains: lambda text, node: f"({text.text(node.value)} in {text.text(node.items)})",
    t.Same: _applied("same", "left", "right"),
    t.First: _applied("first", "items"),
    t.Last: _applied("last", "items"),
    t.Highest: PrintedValues.best,
    t.Items: lambda text, node: f"[{text.joined(node.values)}]",
    t.LocalList: lambda _text, node: f"l{node.slot}",
    t.CellList: lambda text, node: text.cells(node.address),
    t.Cards: lambda text, node: f"cards({plain(text.zone(node.zone))})",
    t.TableList: lambda text, node: f"L{node.table}[{text.plain(node.index)}]",
    t.Filter: PrintedValues.filtered,
    t.Map: lambda text, node: f"[{text.loop(node)}]",
    t.FlatMap: lambda text, node: f"[*{text.loop(node)}]",
    t.Concat: _between("++"),
    t.Take: lambda text, node: f"take-{'first' if node.first else 'last'}({text.joined((node.count, node.items))})",
    t.Extremes: lambda text, node: f"all-{'lowest' if node.lowest else 'highest'}({text.loop(node)})",
    t.Ranked: PrintedValues.ranked,
    t.Distinct: _looped("distinct"),
    t.Rotated: lambda text, node: f"rotated({text.plain(node.items)}; from {text.plain(node.start)})",
    t.Choice: PrintedValues.if_else,
    t.CallList: PrintedValues.call,
    t.Answer: _applied("answer", "seat"),
    Metered: lambda text, node: f"charged({text.plain(node.items)}; {node.each} each)",
    Others: lambda text, node: f"others({text.plain(node.items)}; after {text.plain(node.start)})",
    Looked: PrintedValues.looked,
}
"""How each expression and list is printed."""


# ---- The program: one statement a line
#
# Functions come first, then procedures with their segments, and the tables that they use. Every node has a
# printer, so a program can be printed before and after any pass.
# Values that only texts for players show (`Shown`) are left out, since no game depends on them.

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


class _Printing(PrintedValues):
    """Lines of the statements of one program."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(PrintedNames(program))
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
