"""C for statements and functions. Statements that only narrate (`Emit`, `Reveal`) are left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from rulewright.interpreter.analysis.nodes import interval
from rulewright.interpreter.backends.native.codegen.lists import NumberText
from rulewright.interpreter.backends.native.codegen.writer import literal
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything, transform
from rulewright.ruleset.table.nodes import Const, Expr, List, Slot, Stmt, TableProgram


class StatementText(NumberText):
    """C for statements and functions."""

    statement_writers: ClassVar[Mapping[type[Stmt], Callable[[Any, Any], None] | None]]

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program)
        self.rooms: list[int] = []
        """Cells of each function's lists."""
        self._giving: dict[int, bool] = {}

    def statements(self, body: Sequence[Stmt]) -> None:
        """Write statements, each in a block of its own, so that its names are local."""
        for statement in body:
            maker = self.statement_writers[type(statement)]
            if maker is None:
                continue
            lines: list[str] = []
            with self.aside(lines):
                maker(self, statement)
            if len(lines) > 1:
                self.line("{")
                self.lines += lines
                self.line("}")
            else:
                self.lines += lines

    def function(self, number: int) -> None:
        """Write the definition of a function of the program."""
        function = self.program.functions[number]
        self.slots, self.failed, before = function.slots, "return 0;", self.room
        with self.block(self.head(number)):
            self.begin_function()
            self.declare(function.slots, function.parameters)
            self.statements(function.body)
            self.line("return 0;")
        self.rooms.append(self.room - before)

    def head(self, number: int) -> str:
        """Return the declaration of a function: lists are passed as pointer and length, and returned in `out`."""
        function = self.program.functions[number]
        parameters = ["rw_game *G", *parameters_of(function.slots[: function.parameters])]
        if self.gives_list(number):
            parameters.append("int *out")
        return f"static int rw_f{number}({', '.join(parameters)})"

    def begin_function(self) -> None:
        """Write the line that all functions begin with: a pointer that stores to cells certainly do not change."""
        self.line("int *const S = G->cells; (void)S;")

    def declare(self, slots: Sequence[Slot], parameters: int) -> None:
        """Declare slots. List parameters are copied, since they may be assigned."""
        for number, slot in enumerate(slots):
            if slot.capacity:
                self.room += slot.capacity
                self.line(f"int l{number}[{slot.capacity}], n{number} = 0; (void)l{number}; (void)n{number};")
                if number < parameters:
                    self.line(f"rw_copy(l{number}, a{number}, m{number}); n{number} = m{number};")
            elif number >= parameters:
                self.line(f"int v{number} = 0; (void)v{number};")
            else:
                self.line(f"(void)v{number};")

    def gives_list(self, number: int) -> bool:
        """Return whether a function gives a list. Each function is examined once."""
        if number not in self._giving:
            body = self.program.functions[number].body
            gives = (part for part in everything(body) if isinstance(part, t.Give))
            self._giving[number] = any(isinstance(part.value, List) for part in gives)
        return self._giving[number]

    def charge(self, at: int) -> None:
        """Write the line that takes one unit of fuel."""
        self.line(f"if (rw_charge(G, {at})) {self.failed}")


def parameters_of(slots: Sequence[Slot]) -> list[str]:
    """Return the parameters of a C function for these slots."""
    found: list[str] = []
    for number, slot in enumerate(slots):
        found += [f"const int *a{number}", f"int m{number}"] if slot.capacity else [f"int v{number}"]
    return found


# ------------------------------------------------------------------ locals and cells

def _set_local(text: StatementText, node: t.SetLocal) -> None:
    text.line(f"v{node.slot} = {text.number(node.value)};")


def _set_list(text: StatementText, node: t.SetList) -> None:
    view = text.view(node.items)
    text.line(f"n{node.slot} = {view.count}; rw_copy(l{node.slot}, {view.pointer}, n{node.slot});")


def _set_cell(text: StatementText, node: t.SetCell) -> None:
    address = text.named(node.address)
    text.line(f"S[{address}] = {text.number(node.value)};")


def _set_cells(text: StatementText, node: t.SetCells) -> None:
    address = text.named(node.address)
    if node.items == t.Items(()):
        text.line(f"rw_clear(G, {address});")
        return
    view = text.view(node.items)
    text.line(f"rw_write(G, {address}, {view.pointer}, {view.count});")


# ------------------------------------------------------------------ flow

def _if(text: StatementText, node: t.If) -> None:
    with text.block(f"if ({text.number(node.condition)})"):
        text.statements(node.then)
    if node.otherwise:
        with text.block("else"):
            text.statements(node.otherwise)


def _for_each(text: StatementText, node: t.ForEach) -> None:
    view = text.owned(node.items)
    place = text.name("i")
    with text.block(f"for (int {place} = 0; {place} < {view.count}; {place}++)"):
        text.line(f"v{node.slot} = {view.pointer}[{place}];")
        text.statements(node.body)


def _while(text: StatementText, node: t.While) -> None:
    with text.block("for (;;)"):
        text.charge(node.at)
        text.line(f"if (!{text.number(node.condition)}) break;")
        text.statements(node.body)


def _do(text: StatementText, node: t.Do) -> None:
    _called(text, node.function, node.arguments)


def _called(text: StatementText, function: int, arguments: Sequence[Expr | List]) -> None:
    given = text.passed(arguments)
    extra = []
    if text.gives_list(function):
        extra.append(text.buffer(text.bounds.function(function))[0])
    text.line(f"rw_f{function}({', '.join(['G', *given, *extra])});")
    text.passed_on()


def _do_table(text: StatementText, node: t.DoTable) -> None:
    called = text.name()
    text.line(f"const int {called} = rw_T{node.table}[{text.number(node.index)}];")
    with text.block(f"if ({called} != -1)"):
        arguments = text.passed(node.arguments)
        with text.block(f"switch ({called})"):
            for number in sorted({one for one in text.program.tables[node.table] if one >= 0}):
                extra = []
                if text.gives_list(number):
                    extra.append(text.buffer(text.bounds.function(number))[0])
                text.line(f"case {number}: rw_f{number}({', '.join(['G', *arguments, *extra])}); break;")
        text.passed_on()


def _give(text: StatementText, node: t.Give) -> None:
    if isinstance(node.value, List):
        view = text.view(node.value)
        text.line(f"rw_copy(out, {view.pointer}, {view.count}); return {view.count};")
    else:
        text.line(f"return {text.number(node.value)};")


# ------------------------------------------------------------------ zones and tracks

def _random(text: StatementText, node: t.Random) -> None:
    bound = text.named(node.bound)
    text.fault_if(f"{bound} < 1", "absent", node.at)
    text.line(f"v{node.slot} = rw_bounded(G, {bound});")


def _flag(value: bool) -> str:
    return str(int(value))


def _move(text: StatementText, node: t.Move) -> None:
    bottom = _flag(node.bottom)
    if isinstance(node.cards, t.Items) and len(node.cards.values) == 1:
        card, to = text.named(node.cards.values[0]), text.named(node.to)
        place = "-1" if node.place is None else text.named(node.place)
        text.line(f"rw_move_one(G, {card}, {to}, {bottom}, {place}, {node.at});")
        text.passed_on()
        return
    source, whole = _source(node.cards)
    if source is not None and (text.can_fail(source) or node.place not in (None, source)):
        source = None  # code that uses fuel is evaluated once
    if source is not None and node.cards == t.Cards(source):
        from_, to = text.named(source), text.named(node.to)
        text.line(f"rw_move_all(G, {from_}, S + rw_address[{from_}] + 1, {to}, {bottom}, {node.at});")
        text.passed_on()
        return
    view = text.owned(node.cards)
    to = text.named(node.to)
    if source is None:
        place = "-1" if node.place is None else text.named(node.place)
        text.line(f"rw_move(G, {view.pointer}, {view.count}, {to}, {bottom}, {place}, {node.at});")
    elif whole:
        text.line(f"rw_move_all(G, {text.number(source)}, {view.pointer}, {to}, {bottom}, {node.at});")
    else:
        arguments = f"{view.pointer}, {view.count}, {to}, {bottom}, {node.at}"
        text.line(f"rw_move_from(G, {text.number(source)}, {arguments});")
    text.passed_on()


def _source(cards: List) -> tuple[Expr | None, bool]:
    """Return the one zone that has the cards of a list, if the list's form shows that: all of them in some order
    (True), or some in its order.
    """
    match cards:
        case t.Concat(t.Filter(t.Cards(zone) as items, slot, test), t.Filter(same, other, opposite)) if (
            items == same
        ):
            at, renamed = t.Local(other), t.Local(slot)
            opposite = transform(opposite, lambda part: renamed if part == at else part)
            return (zone, True) if t.Not(test) == opposite or t.Not(opposite) == test else (None, False)
    while isinstance(cards, t.Filter | t.Take):
        cards = cards.items
    return (cards.zone, False) if isinstance(cards, t.Cards) else (None, False)


def _move_all(text: StatementText, node: t.MoveAll) -> None:
    source, to = text.named(node.source), text.named(node.to)
    text.line(f"rw_move_all(G, {source}, S + rw_address[{source}] + 1, {to}, {_flag(node.bottom)}, {node.at});")
    text.passed_on()


def _send_home(text: StatementText, node: t.SendHome) -> None:
    view = text.owned(node.cards)
    place = "-1" if node.place is None else text.named(node.place)
    homes = text.array(text.program.tables[node.homes])
    text.line(f"rw_send_home(G, {view.pointer}, {view.count}, {homes}, {place}, {node.at});")
    text.passed_on()


def _draw(text: StatementText, node: t.Drawing) -> None:
    source, count, to = map(text.named, (node.source, node.count, node.to))
    arguments = f"{source}, {count}, {to}, {_flag(node.bottom)}"
    if isinstance(node, t.DrawBottom):
        kept = "" if node.slot is None else f"n{node.slot} = "
        out = "0" if node.slot is None else f"l{node.slot}"
        text.line(f"{kept}rw_draw_bottom(G, {arguments}, {out}, {node.at});")
    elif node.slot is None and node.count == Const(1):
        text.line(f"rw_draw_one(G, {source}, {to}, {_flag(node.bottom)}, {node.at});")
    elif node.slot is None:
        text.line(f"rw_draw(G, {arguments}, 0, {node.at});")
    else:
        text.line(f"n{node.slot} = rw_draw(G, {arguments}, l{node.slot}, {node.at});")
    text.passed_on()


def _shuffle(text: StatementText, node: t.Shuffle) -> None:
    text.line(f"rw_shuffle(G, {text.number(node.zone)});")


def _prepare(text: StatementText, node: t.Prepare) -> None:
    zone, count = text.named(node.zone), text.named(node.count)
    text.line(f"rw_prepare(G, {zone}, {count}, {node.at});")
    text.passed_on()


def _track(text: StatementText, node: t.Change | t.Assign) -> None:
    changes = isinstance(node, t.Change)
    operand = node.amount if isinstance(node, t.Change) else node.value
    info = text.program.tracks[node.track]
    place = text.name()
    text.line(f"const int {place} = {text.number(t.Binary('+', node.index, Const(info.address)))};")
    value = text.name()
    before = f"(long long)S[{place}] + " if changes else ""
    low, high = interval(operand, text.program)
    text.line(f"long long {value} = {before}{text.number(operand)};")
    # A track's value is within its bounds. Only an added amount or an assigned value can exceed them.
    if high > (0 if changes else info.high):
        _bound(text, f"{value} > {literal(info.high)}", value, info.high, info.clamps, node.at)
    if low < (0 if changes else info.low):
        _bound(text, f"{value} < {literal(info.low)}", value, info.low, info.clamps, node.at)
    if info.arrival < 0:
        text.line(f"S[{place}] = (int){value};")
        return
    with text.block(f"if ({value} != S[{place}])"):
        text.line(f"S[{place}] = (int){value};")
        text.line(f"S[{place} + {literal(info.arrival - info.address)}] = ++S[{info.arrival - 1}];")


def _bound(text: StatementText, test: str, value: str, bound: int, clamps: bool, at: int) -> None:
    if clamps:
        text.line(f"if ({test}) {value} = {literal(bound)};")
    else:
        text.fault_if(test, "bounds", at)


def _append(text: StatementText, node: t.Append) -> None:
    address, value = text.named(node.address), text.named(node.value)
    text.line(f"rw_append(G, {address}, {value}, {node.capacity}, {node.at});")
    text.passed_on()


def _remove(text: StatementText, node: t.Remove) -> None:
    address, value = text.named(node.address), text.named(node.value)
    text.line(f"rw_remove(G, {address}, {value});")


def _fail(text: StatementText, node: t.Fail) -> None:
    text.line(text.fault(node.code, node.at))


STATEMENTS: dict[type[Stmt], Callable[[Any, Any], None] | None] = {
    t.SetLocal: _set_local,
    t.SetList: _set_list,
    t.SetCell: _set_cell,
    t.SetCells: _set_cells,
    t.If: _if,
    t.ForEach: _for_each,
    t.While: _while,
    t.Do: _do,
    t.DoTable: _do_table,
    t.Give: _give,
    t.Charge: lambda text, node: text.charge(node.at),
    t.Random: _random,
    t.Move: _move,
    t.MoveAll: _move_all,
    t.SendHome: _send_home,
    t.Draw: _draw,
    t.DrawBottom: _draw,
    t.Shuffle: _shuffle,
    t.Prepare: _prepare,
    t.Reveal: None,
    t.Change: _track,
    t.Assign: _track,
    t.Append: _append,
    t.Remove: _remove,
    t.CloseDecisions: lambda text, _node: text.line("rw_close(G);"),
    t.Emit: None,
    t.Fail: _fail,
}

StatementText.statement_writers = STATEMENTS
