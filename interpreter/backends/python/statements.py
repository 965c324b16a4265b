"""Python source for statements and functions.

The two builds differ here alone: the fast build leaves out `Emit` and `Reveal` and uses the quick zone
operations; the narrating build hands the list of events `E` to the reference ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from interpreter.analysis.designated import lowest_moves
from interpreter.analysis.nodes import assigned_slots, interval, least_lengths, read_slots, walk
from interpreter.analysis.shapes import COMPARISONS, literal, plain, slot_name
from interpreter.backends.python.lines import INDENT, LineText
from interpreter.backends.python.lists import lists_first
from interpreter.state.arithmetic import HIGHEST, LOWEST
from ruleset.table import nodes as table
from ruleset.table.nodes import FUEL, Const, Expr, List, Stmt, TableProgram


class StatementText(LineText):
    """Adds statements and functions."""

    def __init__(self, program: TableProgram, narrating: bool) -> None:
        super().__init__(program, narrating)
        self.codes: list[str] = []
        """Codes of `Fail` statements; the text names them by number."""
        self.lowest = lowest_moves(program) if narrating else frozenset[int]()
        """The moves that are seen to begin at the bottom of a pile."""

    # -------------------------------------------------------------- lines

    def block(self, head: str, body: Sequence[Stmt], lengths: dict[int, int] | None = None) -> None:
        """A compound statement. In it, list slots have so many members at least."""
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
        """The lines of statements, none for those that this build leaves out."""
        for statement in body:
            rest = lists_first(self, statement)
            if isinstance(rest, table.ForEach | table.While):
                self.forget(rest)  # it may come back to where it is known
            _STATEMENTS[type(rest)](self, rest)
            self.forget(rest)

    def forget(self, statement: Stmt | table.Ask) -> None:
        """What was known of slots that a statement assigns holds no longer."""
        if not self.lengths and not self.addresses:
            return
        gone = {statement.slot} if isinstance(statement, table.Ask) else assigned_slots((statement,))
        if not gone.isdisjoint(self.lengths):
            self.lengths = {slot: length for slot, length in self.lengths.items() if slot not in gone}
        if any(read_slots(place) & gone for place in self.addresses):
            self.addresses = {k: name for k, name in self.addresses.items() if not read_slots(k) & gone}

    def function(self, number: int) -> None:
        """The lines of a function of the program."""
        function = self.program.functions[number]
        self.temporaries = 0
        self.lengths, self.addresses = {}, {}
        parameters = ["S", "E"] if self.narrating else ["S"]
        parameters += [slot_name(slot) for slot in range(function.parameters)]
        self.block(f"def f{number}({', '.join(parameters)}):", function.body)
        gives_list = any(
            isinstance(part, table.Give) and isinstance(part.value, List) for part in walk(function.body)
        )
        self.line(f"{INDENT}return {'()' if gives_list else '0'}")

    def assign(self, target: str, value: Expr) -> None:
        """The lines that give a variable an integer; what may fail on top is checked without a call."""
        match value:
            case table.Checked(op="+" | "-" | "*"):
                self.line(f"{target} = {plain(self._operation(value))}")
                self.line(f"if not {LOWEST} <= {target} <= {HIGHEST}: overflow({value.at})")
            case table.Present():
                self.line(f"{target} = {plain(self.number(value.operand))}")
                self.line(f"if {target} == -1: absent({value.at})")
            case _:
                self.line(f"{target} = {plain(self.number(value))}")

    def _checks(self, value: Expr) -> bool:
        """Whether `assign` would add a check."""
        return isinstance(value, table.Present) or (
            isinstance(value, table.Checked) and value.op not in (*COMPARISONS, "//", "%")
        )

    def ending(self) -> list[str]:
        """Lines at the end of a module: its constants and its functions by number."""
        functions = ", ".join(f"f{number}" for number in range(len(self.program.functions)))
        constants = (f"{name} = {text}" for text, name in self.constants.items())
        return [*constants, f"FUNCTIONS = [{functions}]"]

    def charge(self, at: int) -> None:
        """The lines that take one unit of fuel."""
        fuel = self.temporary()
        self.line(f"{fuel} = S[{FUEL}]")
        self.line(f"if {fuel} <= 0: no_fuel({at})")
        self.line(f"S[{FUEL}] = {fuel} - 1")

    def operation(self, name: str, *arguments: str) -> str:
        """The text of a call of a zone operation."""
        last = ["E"] if self.narrating else []
        return f"{name}({', '.join(['S', *arguments, *last])})"

    def options(self, node: table.Ask) -> str:
        """The text of a decision's options; rule error `full` comes before those of its bounds."""
        items = self.items(node.options)
        return f"fits({items}, {node.at})" if self.can_fail((node.least, node.most)) else items

    def ask(self, node: table.Ask) -> str:
        """The lines that fill the decision slots, which are all zero. Gives the variable of how many are open."""
        self.forget(node)
        asked = self.temporary()
        bounds = f"{self.text_of(node.least)}, {self.text_of(node.most)}"
        call = f"{slot_name(node.slot)}, {node.site}, {self.options(node)}, {bounds}, {node.at}"
        call += ", True" if node.always else ""
        if isinstance(node.seats, table.Items) and len(node.seats.values) == 1:
            self.line(f"{slot_name(node.slot)} = {self.text_of(node.seats.values[0])}")
            self.line(f"{asked} = ask(S, {call})")
        else:
            self.line(f"{asked} = 0")
            self.line(f"for {slot_name(node.slot)} in {self.items(node.seats)}: {asked} += ask(S, {call})")
        return asked


# ------------------------------------------------------------------ locals and cells


def _set_cell(text: StatementText, node: table.SetCell) -> None:
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


def _set_cells(text: StatementText, node: table.SetCells) -> None:
    address = text.address(node.address)
    if node.items == table.Items(()):
        test = f"if S[{address}]: " if isinstance(node.address, Const) else ""
        text.line(f"{test}clear(S, {address})")
        return
    if isinstance(node.items, table.LocalList) and isinstance(node.address, Const):
        items = text.items(node.items)
        text.line(f"if {items} or S[{address}]: write(S, {address}, {items})")
        return
    text.line(f"write(S, {text.address(node.address)}, {text.items(node.items)})")


# ------------------------------------------------------------------ flow


def _if(text: StatementText, node: table.If, word: str = "if") -> None:
    test = plain(text.condition(node.condition))
    text.block(f"{word} {test}:", node.then, least_lengths(node.condition, True))
    if not node.otherwise:
        return
    if len(node.otherwise) == 1 and isinstance(node.otherwise[0], table.If):
        _if(text, node.otherwise[0], "elif")
    else:
        text.block("else:", node.otherwise)


def _while(text: StatementText, node: table.While) -> None:
    text.line("while True:")
    text.indent += 1
    text.charge(node.at)
    text.line(f"if not {text.condition(node.condition)}: break")
    known, addresses = text.lengths, text.addresses
    text.lengths = known | least_lengths(node.condition, True)
    text.statements(node.body)
    text.lengths, text.addresses = known, addresses
    text.indent -= 1


def _do_table(text: StatementText, node: table.DoTable) -> None:
    name = text.temporary()
    text.line(f"{name} = T{node.table}[{text.text_of(node.index)}]")
    first = ["S", "E"] if text.narrating else ["S"]
    arguments = ", ".join([*first, *map(text.value, node.arguments)])
    text.line(f"if {name} != -1: FUNCTIONS[{name}]({arguments})")


# ------------------------------------------------------------------ zones and tracks


def _random(text: StatementText, node: table.Random) -> None:
    text.line(f"{slot_name(node.slot)} = random(S, {text.text_of(node.bound)}, {node.at})")


def _move(text: StatementText, node: table.Move) -> None:
    to = text.text_of(node.to)
    if node.place is not None and not text.narrating and (card := _only_card(text, node.cards)) is not None:
        place = text.text_of(node.place)
        text.line(text.operation("move_one", text.text_of(card), to, str(node.bottom), place, str(node.at)))
        return
    source = _only_source(node.cards) if node.place is None and not text.narrating else None
    cards = text.items(node.cards)
    if source is not None and not text.can_fail(source):  # it stands in the text twice
        operation = text.operation("move_from", cards, to, str(node.bottom), text.text_of(source), str(node.at))
    elif node.place is not None and not text.narrating:
        # From one place alone: all of them may go at once.
        operation = text.operation("move_from", cards, to, str(node.bottom), text.text_of(node.place), str(node.at))
    else:
        place = "None" if node.place is None else text.text_of(node.place)
        name = "move_lowest" if id(node) in text.lowest else "move"
        operation = text.operation(name, cards, to, str(node.bottom), place, str(node.at))
    text.line(operation)


def _only_source(cards: List) -> Expr | None:
    """The one zone in which all cards of a list lie when it is made, if its form tells."""
    while isinstance(cards, table.Filter | table.Take):
        cards = cards.items
    return cards.zone if isinstance(cards, table.Cards) else None


def _only_card(text: StatementText, cards: List) -> Expr | None:
    """The one card that a list has at most: it has none where the card is none."""
    match cards:
        case table.Items((card,)):
            return card
        case table.Choice(condition=condition) if text.can_fail(condition):
            return None  # the card is worked out twice
        case table.Choice(table.Binary("<", one, Const(0)), table.Items(()), table.Items((card,))) if one == card:
            return card
        case table.Choice(table.Binary(">=", one, Const(0)), table.Items((card,)), table.Items(())) if one == card:
            return card
    return None


def _move_all(text: StatementText, node: table.MoveAll) -> None:
    source, to = text.text_of(node.source), text.text_of(node.to)
    text.line(text.operation("move_all", source, to, str(node.bottom), str(node.at)))


def _send_home(text: StatementText, node: table.SendHome) -> None:
    homes = f"T{node.homes}"
    if isinstance(node.cards, table.Cards) and node.place is None and not text.narrating:
        text.line(text.operation("clear_home", text.text_of(node.cards.zone), homes, str(node.at)))
        return
    place = "None" if node.place is None else text.text_of(node.place)
    name = "send_lowest_home" if id(node) in text.lowest else "send_home"
    text.line(text.operation(name, text.items(node.cards), homes, place, str(node.at)))


def _draw(text: StatementText, node: table.Drawing) -> None:
    source, count, to = map(text.text_of, (node.source, node.count, node.to))
    lowest = isinstance(node, table.DrawBottom)
    if node.count == Const(1) and node.slot is None and not text.narrating and not lowest:
        text.line(text.operation("draw_one", source, to, str(node.bottom), str(node.at)))
        return
    call = text.operation("draw_bottom" if lowest else "draw", source, count, to, str(node.bottom), str(node.at))
    text.line(call if node.slot is None else f"{slot_name(node.slot)} = {call}")


def _shuffle(text: StatementText, node: table.Shuffle) -> None:
    text.line(text.operation("shuffle", text.text_of(node.zone), str(node.at)))


def _prepare(text: StatementText, node: table.Prepare) -> None:
    zone, count = text.text_of(node.zone), text.text_of(node.count)
    text.line(text.operation("prepare", zone, count, str(node.at)))


def _track(text: StatementText, node: table.Change | table.Assign) -> None:
    changes = isinstance(node, table.Change)
    operand = node.amount if isinstance(node, table.Change) else node.value
    if text.narrating:
        name = "change" if changes else "assign"
        arguments = (str(node.track), text.text_of(node.index), text.text_of(operand), str(node.at))
        text.line(text.operation(name, *arguments))
        return
    info = text.program.tracks[node.track]
    place = text.address(table.Binary("+", node.index, Const(info.address)))
    if isinstance(node.index, Const):
        place = str(node.index.value + info.address)
    elif info.arrival >= 0 or text.can_fail(node.index) or changes:
        name = text.temporary()
        text.line(f"{name} = {place}")
        place = name
    value = text.temporary()
    low, high = interval(operand, text.program)
    if isinstance(operand, Const) and changes:
        sign = "-" if operand.value < 0 else "+"
        text.line(f"{value} = S[{place}] {sign} {abs(operand.value)}")
    elif isinstance(operand, Const) and info.low <= operand.value <= info.high:
        value = literal(operand.value)
    else:
        sign, changed = ("-", operand.right) if changes and _is_less(operand) else ("+", operand)
        moved = f"S[{place}] {sign} {text.number(changed)}" if changes else text.text_of(operand)
        text.line(f"{value} = {moved}")
    # A track's value is within its bounds, so it can leave them only by what is added, or by what it becomes.
    if high > (0 if changes else info.high):
        beyond = f"{value} = {info.high}" if info.clamps else f"bounds({node.at})"
        text.line(f"if {value} > {info.high}: {beyond}")
    if low < (0 if changes else info.low):
        beyond = f"{value} = {info.low}" if info.clamps else f"bounds({node.at})"
        text.line(f"if {value} < {info.low}: {beyond}")
    if info.arrival >= 0:
        text.line(f"if {value} != S[{place}]:")
        text.indent += 1
        text.line(f"S[{place}] = {value}")
        arrival = text.temporary()
        text.line(f"S[{info.arrival - 1}] = {arrival} = S[{info.arrival - 1}] + 1")
        text.line(f"S[{place} + {info.arrival - info.address}] = {arrival}".replace("+ -", "- "))
        text.indent -= 1
    else:
        text.line(f"S[{place}] = {value}")


def _is_less(operand: Expr) -> TypeGuard[table.Binary]:
    """Whether an amount is another one taken away."""
    return isinstance(operand, table.Binary) and operand.op == "-" and operand.left == Const(0)


def _append(text: StatementText, node: table.Append) -> None:
    address, value = text.address(node.address), text.text_of(node.value)
    if not isinstance(node.value, Const | table.Local):
        text.line(f"append(S, {address}, {value}, {node.capacity}, {node.at})")
        return
    # The same without a call, since it is short and frequent.
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


def _remove(text: StatementText, node: table.Remove) -> None:
    text.line(f"remove(S, {text.address(node.address)}, {text.text_of(node.value)})")


# ------------------------------------------------------------------ narration and failure


def _reveal(text: StatementText, node: table.Reveal) -> None:
    if text.narrating:
        text.line(f"reveal(S, {text.items(node.cards)}, {text.text_of(node.seats)}, {node.at}, E)")


def _emit(text: StatementText, node: table.Emit) -> None:
    if text.narrating:
        numbers = text.items(table.Items(node.numbers))
        cards = "()" if node.cards is None else f"tuple({text.items(node.cards)})"
        audience, sees = text.text_of(node.audience), text.text_of(node.sees)
        kind = tuple(table.EVENTS).index(node.kind)
        text.line(f"E.append((EVENTS[{kind}], {numbers}, {cards}, {audience}, {sees}, {node.at}))")


def _fail(text: StatementText, node: table.Fail) -> None:
    text.codes.append(node.code)
    text.line(f"fail(CODES[{len(text.codes) - 1}], {node.at})")


_STATEMENTS: dict[type[Stmt], Callable[[StatementText, Any], None]] = {
    table.SetLocal: lambda text, node: text.assign(slot_name(node.slot), node.value),
    table.SetList: lambda text, node: text.line(f"{slot_name(node.slot)} = {text.items(node.items)}"),
    table.SetCell: _set_cell,
    table.SetCells: _set_cells,
    table.If: _if,
    table.ForEach: lambda text, node: text.block(
        f"for {slot_name(node.slot)} in {text.items(node.items)}:", node.body
    ),
    table.While: _while,
    table.Do: lambda text, node: text.line(text.call(node.function, node.arguments)),
    table.DoTable: _do_table,
    table.Give: lambda text, node: text.line(f"return {text.value(node.value)}"),
    table.Charge: lambda text, node: text.charge(node.at),
    table.Random: _random,
    table.Move: _move,
    table.MoveAll: _move_all,
    table.SendHome: _send_home,
    table.Draw: _draw,
    table.DrawBottom: _draw,
    table.Shuffle: _shuffle,
    table.Prepare: _prepare,
    table.Reveal: _reveal,
    table.Change: _track,
    table.Assign: _track,
    table.Append: _append,
    table.Remove: _remove,
    table.CloseDecisions: lambda text, node: text.line("close(S)"),
    table.Emit: _emit,
    table.Fail: _fail,
}
