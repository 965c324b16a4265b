"""Python source for expressions.

Each method gives the text of one Python expression. An integer's text is atomic or parenthesised and gives
an `int`, never a `bool`; a condition's text gives anything that is true or false; a list's text gives a list
or a tuple that nobody changes. In the text, `S` is the state, `E` the list of events (narrating builds) and
`v3` slot 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.analysis.metered import Metered
from interpreter.analysis.nodes import Failing, fallible_functions, interval, most_members
from interpreter.analysis.shapes import COMPARISONS, Made, MadeNumber, Others, as_test, literal, plain, slot_name
from interpreter.analysis.tabulate import Looked, tabulate, told_by_number
from interpreter.state.arithmetic import HIGHEST, LOWEST
from interpreter.state.decision_slots import answer_address
from ruleset.table import nodes as table
from ruleset.table.nodes import Const, Expr, List, Local, TableProgram

CHECKED_NAMES = {"+": "add", "-": "subtract", "*": "multiply", "//": "divide", "%": "modulo"}


def _slice(first: str) -> str:
    """The text of a copy of list cells, where a variable holds the address of the first element."""
    return f"S[{first}:{first} + S[{first} - 1]]"


class ValueText:
    """Texts of the expressions of one program; `narrating` functions take the list of events too."""

    def __init__(self, program: TableProgram, narrating: bool) -> None:
        self.program = program
        self.narrating = narrating
        self.fallible = fallible_functions(program)
        self._failing = Failing(self.fallible)
        self.constants: dict[str, str] = {}
        """Names of the constants that the text makes for itself, by their texts."""
        self.lengths: dict[int, int] = {}
        """How many members list slots have at least, as far as conditions told."""
        self.addresses: dict[Expr | List, str] = {}
        """Variables that hold where a list's first element is: by the address of list cells, by a zone's cards."""

    def can_fail(self, node: object) -> bool:
        """Whether evaluating a node may raise a rule error or use fuel."""
        return self._failing.can_fail(node)

    # -------------------------------------------------------------- entry points

    def number(self, node: Expr) -> str:
        """The text of an integer."""
        if type(node) in _CONDITIONS:
            return f"(1 if {plain(self.condition(node))} else 0)"
        return _NUMBERS[type(node)](self, node)

    def condition(self, node: Expr) -> str:
        """The text of a condition."""
        maker = _CONDITIONS.get(type(node))
        if maker is not None:
            return maker(self, node)
        if isinstance(node, table.Binary | table.Checked) and node.op in COMPARISONS:
            return self._emptiness(node) or self._operation(node)
        if isinstance(node, table.IfElse):
            test, then, otherwise = map(self.condition, (node.condition, node.then, node.otherwise))
            return f"({then} if {test} else {otherwise})"
        return self.number(node)

    def items(self, node: List) -> str:
        """The text of a list."""
        return _LISTS[type(node)](self, node)

    def value(self, node: Expr | List) -> str:
        """The text of an expression of either sort."""
        return self.items(node) if isinstance(node, List) else plain(self.number(node))

    def cell(self, address: Expr, more: int = 0) -> str:
        """The text of a state's cell at an address, some cells further on."""
        return f"S[{self.address(address, more)}]"

    def address(self, address: Expr, more: int = 0) -> str:
        """The text of an address, some cells further on, without parentheses."""
        if isinstance(address, Const):
            return str(address.value + more)
        if isinstance(address, table.Binary) and address.op == "+" and isinstance(address.right, Const):
            return self._plus(self.number(address.left), address.right.value + more)
        return self._plus(self.number(address), more)

    def call(self, function: int, arguments: Sequence[Expr | List]) -> str:
        """The text of a call of a generated function."""
        first = ["S", "E"] if self.narrating else ["S"]
        return f"f{function}({', '.join([*first, *map(self.value, arguments)])})"

    # -------------------------------------------------------------- parts

    def present(self, node: table.Present) -> str:
        """The text of a number that must not be none: without a call where it is short."""
        operand = self.number(node.operand)
        if isinstance(node.operand, Local):
            return f"({operand} if {operand} != -1 else absent({node.at}))"
        return f"present({plain(operand)}, {node.at})"

    def _emptiness(self, node: table.Binary | table.Checked) -> str:
        """The text of a comparison that asks whether a list has members, without counting them; "" for others."""
        if not isinstance(node.left, table.Count) or not isinstance(node.right, Const):
            return ""
        some = (node.op, node.right.value) in ((">", 0), (">=", 1), ("!=", 0))
        if not some and (node.op, node.right.value) not in (("==", 0), ("<", 1), ("<=", 0)):
            return ""
        items = node.left.items
        if isinstance(items, table.CellList | table.Cards | table.Answer):
            test = self.number(node.left)  # it is a cell
        else:
            test = self.items(items)
        return test if some else f"(not {test})"

    @staticmethod
    def _plus(text: str, more: int) -> str:
        return f"{text} + {more}" if more > 0 else f"{text} - {-more}" if more < 0 else plain(text)

    def _operation(self, node: table.Binary | table.Checked) -> str:
        op = node.op
        right = node.right
        if op == "+" and isinstance(right, Const) and right.value < 0:
            return f"({self.number(node.left)} - {-right.value})"
        return f"({self.number(node.left)} {op} {self.number(right)})"

    def place_of(self, node: table.CellList | table.Cards) -> Expr | List:
        """What `addresses` knows a list by; a constant when the address is one."""
        if isinstance(node, table.CellList):
            return node.address
        return self.zone_address(node.zone) or node

    def first_at(self, node: table.CellList | table.Cards) -> str:
        """The text of the address of a list's first element."""
        if isinstance(node, table.CellList):
            return self.address(node.address, 1)
        return f"FIRST[{plain(self.number(node.zone))}]"

    def count_of(self, node: table.CellList | table.Cards) -> str:
        """The text of the cell that holds how many members a list has."""
        place = self.place_of(node)
        if place in self.addresses:
            return f"S[{self.addresses[place]} - 1]"
        if isinstance(place, Expr):
            return self.cell(place)
        assert isinstance(node, table.Cards)
        zone = node.zone
        zones = self.program.tables[zone.table] if isinstance(zone, table.Table) else ()
        if isinstance(zone, table.Table) and zones and min(zones) >= 0:
            addresses = self._constant(repr(tuple(self.program.zones[number].address for number in zones)))
            return f"S[{addresses}[{plain(self.number(zone.index))}]]"
        return f"S[ADDRESS[{plain(self.number(zone))}]]"

    def list_at(self, address: Expr) -> str:
        """The text of a copy of list cells."""
        if address in self.addresses:
            return _slice(self.addresses[address])
        if isinstance(address, Const):
            first = address.value + 1
            return f"S[{first}:{first} + S[{address.value}]]"
        if self._cheap(address):
            start = self.address(address, 1)
            return f"S[{start}:{start} + {self.cell(address)}]"
        return f"read(S, {self.address(address)})"

    def _cheap(self, node: Expr) -> bool:
        """Whether a text may stand twice: it is short and cannot fail."""
        return isinstance(node, Const | Local) or (
            isinstance(node, table.Binary) and isinstance(node.left, Local) and isinstance(node.right, Const)
        )

    def zone_address(self, zone: Expr) -> Expr | None:
        """The address of a zone's cells when it is constant."""
        return Const(self.program.zones[zone.value].address) if isinstance(zone, Const) else None

    def each(self, result: str, node: Any, condition: str = "") -> str:
        """The text of a list comprehension over a node's items."""
        test = f" if {as_test(condition)}" if condition else ""
        return f"[{plain(result)} for {slot_name(node.slot)} in {self.items(node.items)}{test}]"

    def key(self, node: Any) -> str:
        """The text of a function from an item of a node to the value of its body."""
        return self.looked_up(node, node.body) or (
            f"lambda {slot_name(node.slot)}: {plain(self.number(node.body))}"
        )

    def looked_up(self, node: Any, body: Expr) -> str:
        """The text of a table's function, which gives a body's value for each item of a node; "" if there is none.

        `map` and `filter` with it run without a frame for each item.
        """
        if isinstance(body, table.Table) and body.index == Local(node.slot):
            return f"H{body.table}"
        tabulated = tabulate(body, node.slot, self.program)
        if tabulated is None:
            return ""
        by_value = {value: f"{results}.__getitem__" for value, results in tabulated.results.items()}
        other = self._constant(by_value.pop(None))
        if tabulated.outer is None:
            return other
        entries = ", ".join(f"{value}: {results}" for value, results in by_value.items())
        return f"{self._constant(f'{{{entries}}}')}.get({plain(self.number(tabulated.outer))}, {other})"

    def looked(self, node: Looked) -> str:
        """The text of a list that is looked up by a number."""
        entries = self._constant(repr(dict(node.lists)))
        return f"{entries}.get({plain(self.number(node.outer))}, {self._constant(repr(node.other))})"

    def others(self, node: Others) -> str:
        """The text of a list from behind a member on: looked up where it goes through constants."""
        items, start = self.items(node.items), plain(self.number(node.start))
        members = node.items.values if isinstance(node.items, table.Items) else ()
        known = [one.value for one in members if isinstance(one, Const)]
        if not known or len({*known}) < len(members):  # not all are constants, or one is there twice
            return f"others({items}, {start})"
        after = {one: tuple(known[place + 1 :] + known[:place]) for place, one in enumerate(known)}
        return f"{self._constant(repr(after))}.get({start}, {items})"

    def _constant(self, text: str) -> str:
        """The name of a constant, which is worked out once, when the module is made."""
        return self.constants.setdefault(text, f"K{len(self.constants)}")

    def tells(self, node: table.Filter) -> bool:
        """Whether what `looked_up` gives for a filter's condition is 0 or 1, so that a sum counts."""
        least, most = interval(node.condition, self.program)
        return 0 <= least <= most <= 1


# ------------------------------------------------------------------ integers


def _binary(text: ValueText, node: table.Binary) -> str:
    result = text._operation(node)
    return f"(1 if {plain(result)} else 0)" if node.op in COMPARISONS else result


def _checked(text: ValueText, node: table.Checked) -> str:
    if node.op in COMPARISONS:
        return f"(1 if {plain(text._operation(node))} else 0)"
    left, right = plain(text.number(node.left)), plain(text.number(node.right))
    return f"{CHECKED_NAMES[node.op]}({left}, {right}, {node.at})"


def _if_else(text: ValueText, node: table.IfElse) -> str:
    test = as_test(text.condition(node.condition))
    return f"({text.number(node.then)} if {test} else {text.number(node.otherwise)})"


def _least(text: ValueText, node: table.Least | table.Most) -> str:
    left, right = text.number(node.left), text.number(node.right)
    least = isinstance(node, table.Least)
    if text._cheap(node.left) and text._cheap(node.right):
        return f"({left} if {left} {'<' if least else '>'} {right} else {right})"
    return f"{'min' if least else 'max'}({plain(left)}, {plain(right)})"


def _count(text: ValueText, node: table.Count) -> str:
    match node.items:
        case table.CellList() | table.Cards() as cells:
            return text.count_of(cells)
        case table.Answer(Const(seat)):
            return f"S[{answer_address(text.program.layout, seat)}]"
        case table.Filter() as kept:
            look_up = text.looked_up(kept, kept.condition)
            if look_up and text.tells(kept):
                return f"sum(map({look_up}, {text.items(kept.items)}))"
            if look_up:
                return f"len({text.items(kept)})"
            return f"len({text.each('1', kept, text.condition(kept.condition))})"
        case items:
            return f"len({text.items(items)})"


def _total(text: ValueText, node: table.Total) -> str:
    look_up = text.looked_up(node, node.body)
    total = f"sum(map({look_up}, {text.items(node.items)}))" if look_up else f"sum({_map(text, node)})"
    (low, high), most = interval(node.body, text.program), most_members(node.items, text.program)
    if most is not None and low * most >= LOWEST and high * most <= HIGHEST:
        return total
    return f"fitting({total}, {node.at})"


def _first(text: ValueText, node: table.First | table.Last) -> str:
    first = isinstance(node, table.First)
    address: Expr | None = None
    if isinstance(node.items, table.CellList) and isinstance(node.items.address, Const):
        address = node.items.address
    elif isinstance(node.items, table.Cards):
        address = text.zone_address(node.items.zone)
    if isinstance(address, Const):
        start = address.value
        found = f"S[{start + 1}]" if first else f"S[{start} + S[{start}]]"
        return f"({found} if S[{start}] else (-1))"
    if first and isinstance(node.items, table.Extremes):
        # Of items that tie, `max` and `min` give the first.
        found = "min" if node.items.lowest else "max"
        return f"{found}({text.items(node.items.items)}, key={text.key(node.items)}, default=-1)"
    at = _member(text, node.items, 0 if first else -1)
    return at or f"({text.items(node.items)} or NONE)[{0 if first else -1}]"


def _member(text: ValueText, items: List, place: int) -> str:
    """The text of a list slot's first (0) or last (-1) member where it is known to have one; else ""."""
    match items:
        case table.LocalList(slot) if text.lengths.get(slot, 0) > 0:
            return f"{slot_name(slot)}[{place}]"
        case table.Take(table.LocalList(slot), Const(count), True) if text.lengths.get(slot, 0) >= count > 0:
            return f"{slot_name(slot)}[{place if place == 0 else count - 1}]"
        case _:
            return ""


def _highest(text: ValueText, node: table.Highest) -> str:
    return f"{'min' if node.lowest else 'max'}({_map(text, node)}, default={node.empty})"


_NUMBERS: dict[type[Expr], Callable[[ValueText, Any], str]] = {
    table.Const: lambda text, node: literal(node.value),
    table.Local: lambda text, node: slot_name(node.slot),
    MadeNumber: lambda text, node: node.name,
    table.Cell: lambda text, node: text.cell(node.address),
    table.Table: lambda text, node: f"T{node.table}[{plain(text.number(node.index))}]",
    table.Binary: _binary,
    table.Checked: _checked,
    table.IfElse: _if_else,
    table.Least: _least,
    table.Most: _least,
    table.Call: lambda text, node: text.call(node.function, node.arguments),
    table.Present: lambda text, node: text.present(node),
    table.Count: _count,
    table.Total: _total,
    table.First: _first,
    table.Last: _first,
    table.Highest: _highest,
}

# ------------------------------------------------------------------ conditions


def _not(text: ValueText, node: table.Not) -> str:
    if isinstance(node.operand, table.Not):
        return text.condition(node.operand.operand)
    inner = (test := text.condition(node.operand)).removeprefix("(not ").removesuffix(")")
    return inner if f"(not {inner})" == test and _is_atom(inner) else f"(not {test})"


def _is_atom(text: str) -> bool:
    """Whether a text stands by itself: a cell, a name or what has parentheses of its own."""
    return " " not in text or plain(text) != text


def _both(text: ValueText, node: table.And | table.Or) -> str:
    parts, first = [node.right], node.left
    while type(first) is type(node):
        parts.append(first.right)
        first = first.left
    texts = map(text.condition, (first, *reversed(parts)))
    return f"({(' and ' if isinstance(node, table.And) else ' or ').join(texts)})"


def _exists(text: ValueText, node: table.Exists) -> str:
    told = told_by_number(node, text.program)
    if told is not None:
        return f"({text.number(told[0])} in {text._constant(repr(told[1]))})"
    test = text.condition(node.body)
    if text.looked_up(node, node.body):
        return f"any(map({text.looked_up(node, node.body)}, {text.items(node.items)}))"
    if text.can_fail(node.body):
        return f"any({plain(test)} for {slot_name(node.slot)} in {text.items(node.items)})"
    return text.each("1", node, test)


def _contains(text: ValueText, node: table.Contains) -> str:
    if isinstance(node.items, table.TableList) and isinstance(node.value, Const):
        wanted = node.value.value
        holds = tuple(int(wanted in members) for members in text.program.lists[node.items.table])
        return f"{text._constant(repr(holds))}[{plain(text.number(node.items.index))}]"
    items, value = text.items(node.items), text.number(node.value)
    if text.can_fail(node.items) and text.can_fail(node.value):
        return f"contains({items}, {plain(value)})"
    return f"({value} in {items})"


_CONDITIONS: dict[type[Expr], Callable[[ValueText, Any], str]] = {
    table.Not: _not,
    table.And: _both,
    table.Or: _both,
    table.Exists: _exists,
    table.Contains: _contains,
}

# ------------------------------------------------------------------ lists


def _items(text: ValueText, node: table.Items) -> str:
    values = [plain(text.number(value)) for value in node.values]
    return f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"


def _cards(text: ValueText, node: table.Cards) -> str:
    address = text.zone_address(node.zone)
    if address is not None:
        return text.list_at(address)
    if node in text.addresses:
        return _slice(text.addresses[node])
    zone = plain(text.number(node.zone))
    if text._cheap(node.zone):
        return f"S[FIRST[{zone}]:FIRST[{zone}] + S[ADDRESS[{zone}]]]"
    return f"read(S, ADDRESS[{zone}])"


def _filter(text: ValueText, node: table.Filter) -> str:
    look_up = text.looked_up(node, node.condition)
    if look_up:
        return f"[*filter({look_up}, {text.items(node.items)})]"
    return text.each(slot_name(node.slot), node, text.condition(node.condition))


def _map(text: ValueText, node: table.Map | table.Total | table.Highest) -> str:
    look_up = text.looked_up(node, node.body)
    return f"[*map({look_up}, {text.items(node.items)})]" if look_up else text.each(text.number(node.body), node)


def _flat_map(text: ValueText, node: table.FlatMap) -> str:
    inner = f"x{node.slot}"
    outer = f"for {slot_name(node.slot)} in {text.items(node.items)}"
    return f"[{inner} {outer} for {inner} in {text.items(node.body)}]"


def _take(text: ValueText, node: table.Take) -> str:
    items = text.items(node.items)
    counted = table.Count(node.items)
    all_but_one = (table.Binary("+", counted, Const(-1)), table.Binary("-", counted, Const(1)))
    if not node.first and node.count in all_but_one and not text.can_fail(node.items):
        return f"{items}[1:]"
    if isinstance(node.count, Const):
        count = node.count.value
        if count > 0 and node.first and isinstance(node.items, table.Filter):
            look_up = text.looked_up(node.items, node.items.condition)
            if look_up and not text.can_fail(node.items.items):
                return f"[*first_few(filter({look_up}, {text.items(node.items.items)}), {count})]"
        if count > 0:
            return f"{items}[:{count}]" if node.first else f"{items}[-{count}:]"
        return f"{items}[:0]"
    return f"{'first_of' if node.first else 'last_of'}({items}, {plain(text.number(node.count))})"


def _extremes(text: ValueText, node: table.Extremes) -> str:
    name = "lowest_of" if node.lowest else "highest_of"
    return f"{name}({text.items(node.items)}, {text.key(node)}, {not text.can_fail(node.body)})"


def _ranked(text: ValueText, node: table.Ranked) -> str:
    order = ", reverse=True" if node.descending else ""
    return f"sorted({text.items(node.items)}, key={text.key(node)}{order})"


def _distinct(text: ValueText, node: table.Distinct) -> str:
    name = "told_apart" if text.can_fail(node.body) else "distinct"
    return f"{name}({text.items(node.items)}, {text.key(node)})"


def _choice(text: ValueText, node: table.Choice) -> str:
    test = as_test(text.condition(node.condition))
    return f"({text.items(node.then)} if {test} else {text.items(node.otherwise)})"


def _answer(text: ValueText, node: table.Answer) -> str:
    layout = text.program.layout
    if isinstance(node.seat, Const):
        return text.list_at(Const(answer_address(layout, node.seat.value)))
    start = answer_address(layout, 0)
    return f"read(S, {start} + {text.number(node.seat)} * {layout.decision})"


_LISTS: dict[type[List], Callable[[ValueText, Any], str]] = {
    table.Items: _items,
    table.LocalList: lambda text, node: slot_name(node.slot),
    Made: lambda text, node: node.name,
    table.CellList: lambda text, node: text.list_at(node.address),
    table.Cards: _cards,
    table.TableList: lambda text, node: f"L{node.table}[{plain(text.number(node.index))}]",
    table.Filter: _filter,
    table.Map: _map,
    table.FlatMap: _flat_map,
    table.Concat: lambda text, node: f"[*{text.items(node.left)}, *{text.items(node.right)}]",
    table.Take: _take,
    table.Extremes: _extremes,
    table.Ranked: _ranked,
    table.Distinct: _distinct,
    Looked: lambda text, node: text.looked(node),
    Others: lambda text, node: text.others(node),
    table.Rotated: lambda text, node: f"rotated({text.items(node.items)}, {plain(text.number(node.start))})",
    table.Choice: _choice,
    table.CallList: lambda text, node: text.call(node.function, node.arguments),
    Metered: lambda text, node: f"metered(S, {text.items(node.items)}, {node.each}, {node.at})",
    table.Answer: _answer,
}
