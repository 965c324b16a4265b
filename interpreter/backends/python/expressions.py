"""Generate Python source for expressions: entry points, and what all types share.

Each method returns the text of one Python expression. An integer's text is atomic or in parentheses and evaluates
to an `int`, never a `bool`; a condition's text to any true or false value; a list's text to a list or tuple that is
never changed. In the text, `S` is the state, `E` the list of events (narrating builds) and `v3` slot 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from interpreter.analysis.nodes import Failing, fallible_functions, interval
from interpreter.analysis.shapes import Others, as_test, plain, slot_name
from interpreter.analysis.tabulate import Looked, tabulate
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, Local, TableProgram


def slice_from(first: str) -> str:
    """Return the text of a copy of list cells, given a variable with the address of the first element."""
    return f"S[{first}:{first} + S[{first} - 1]]"


class ValueText:
    """Texts of the expressions of one program. Functions of `narrating` builds also take the list of events.

    The three entry points find the writer of each node in tables, which `python.lines` sets.
    """

    numbers: ClassVar[Mapping[type[Expr], Callable[[Any, Any], str]]]
    conditions: ClassVar[Mapping[type[Expr], Callable[[Any, Any], str]]]
    lists: ClassVar[Mapping[type[List], Callable[[Any, Any], str]]]

    def __init__(self, program: TableProgram, narrating: bool) -> None:
        self.program = program
        self.narrating = narrating
        self.fallible = fallible_functions(program)
        self._failing = Failing(self.fallible)
        self.constants: dict[str, str] = {}
        """Names of the constants of the generated text, by their texts."""
        self.lengths: dict[int, int] = {}
        """Least lengths of list slots, as far as conditions imply them."""
        self.addresses: dict[Expr | List, str] = {}
        """Variables that hold the address of a list's first element, by address of list cells or zone's cards."""

    def can_fail(self, node: object) -> bool:
        """Return whether evaluating a node may raise a rule error or use fuel."""
        return self._failing.can_fail(node)

    # -------------------------------------------------------------- entry points

    def number(self, node: Expr) -> str:
        """Return the text of an integer."""
        if type(node) in self.conditions:
            return f"(1 if {plain(self.condition(node))} else 0)"
        return self.numbers[type(node)](self, node)

    def condition(self, node: Expr) -> str:
        """Return the text of a condition."""
        maker = self.conditions.get(type(node))
        if maker is not None:
            return maker(self, node)
        if isinstance(node, t.Binary | t.Checked) and node.op in t.COMPARISONS:
            return self._emptiness(node) or self.arithmetic(node)
        if isinstance(node, t.IfElse):
            test, then, otherwise = map(self.condition, (node.condition, node.then, node.otherwise))
            return f"({then} if {test} else {otherwise})"
        return self.number(node)

    def items(self, node: List) -> str:
        """Return the text of a list."""
        return self.lists[type(node)](self, node)

    def value(self, node: Expr | List) -> str:
        """Return the text of an integer or a list."""
        return self.items(node) if isinstance(node, List) else plain(self.number(node))

    def cell(self, address: Expr, more: int = 0) -> str:
        """Return the text of the state's cell at an address plus `more`."""
        return f"S[{self.address(address, more)}]"

    def address(self, address: Expr, more: int = 0) -> str:
        """Return the text of an address plus `more`, without parentheses."""
        if isinstance(address, Const):
            return str(address.value + more)
        if isinstance(address, t.Binary) and address.op == "+" and isinstance(address.right, Const):
            return self._plus(self.number(address.left), address.right.value + more)
        return self._plus(self.number(address), more)

    def call(self, function: int, arguments: Sequence[Expr | List]) -> str:
        """Return the text of a call of a generated function."""
        first = ["S", "E"] if self.narrating else ["S"]
        return f"f{function}({', '.join([*first, *map(self.value, arguments)])})"

    # -------------------------------------------------------------- parts

    def present(self, node: t.Present) -> str:
        """Return the text of a number that must not be none, without a call if it is short."""
        operand = self.number(node.operand)
        if isinstance(node.operand, Local):
            return f"({operand} if {operand} != -1 else absent({node.at}))"
        return f"present({plain(operand)}, {node.at})"

    def _emptiness(self, node: t.Binary | t.Checked) -> str:
        """Return the text of a comparison that tests whether a list is empty, without counting; "" for others."""
        if not isinstance(node.left, t.Count) or not isinstance(node.right, Const):
            return ""
        some = (node.op, node.right.value) in ((">", 0), (">=", 1), ("!=", 0))
        if not some and (node.op, node.right.value) not in (("==", 0), ("<", 1), ("<=", 0)):
            return ""
        items = node.left.items
        if isinstance(items, t.CellList | t.Cards | t.Answer):
            test = self.number(node.left)  # it is a cell
        else:
            test = self.items(items)
        return test if some else f"(not {test})"

    @staticmethod
    def _plus(text: str, more: int) -> str:
        return f"{text} + {more}" if more > 0 else f"{text} - {-more}" if more < 0 else plain(text)

    def arithmetic(self, node: t.Binary | t.Checked) -> str:
        """Return the text of two operands with their operator between them."""
        op = node.op
        right = node.right
        if op == "+" and isinstance(right, Const) and right.value < 0:
            return f"({self.number(node.left)} - {-right.value})"
        return f"({self.number(node.left)} {op} {self.number(right)})"

    def place_of(self, node: t.CellList | t.Cards) -> Expr | List:
        """Return the key of a list in `addresses`; a constant if the address is one."""
        if isinstance(node, t.CellList):
            return node.address
        return self.zone_address(node.zone) or node

    def first_at(self, node: t.CellList | t.Cards) -> str:
        """Return the text of the address of a list's first element."""
        if isinstance(node, t.CellList):
            return self.address(node.address, 1)
        return f"FIRST[{plain(self.number(node.zone))}]"

    def count_of(self, node: t.CellList | t.Cards) -> str:
        """Return the text of the cell with a list's number of members."""
        place = self.place_of(node)
        if place in self.addresses:
            return f"S[{self.addresses[place]} - 1]"
        if isinstance(place, Expr):
            return self.cell(place)
        assert isinstance(node, t.Cards)
        zone = node.zone
        zones = self.program.tables[zone.table] if isinstance(zone, t.Table) else ()
        if isinstance(zone, t.Table) and zones and min(zones) >= 0:
            addresses = self.constant(repr(tuple(self.program.zones[number].address for number in zones)))
            return f"S[{addresses}[{plain(self.number(zone.index))}]]"
        return f"S[ADDRESS[{plain(self.number(zone))}]]"

    def list_at(self, address: Expr) -> str:
        """Return the text of a copy of list cells."""
        if address in self.addresses:
            return slice_from(self.addresses[address])
        if isinstance(address, Const):
            first = address.value + 1
            return f"S[{first}:{first} + S[{address.value}]]"
        if self.cheap(address):
            start = self.address(address, 1)
            return f"S[{start}:{start} + {self.cell(address)}]"
        return f"read(S, {self.address(address)})"

    def cheap(self, node: Expr) -> bool:
        """Return whether a text may occur twice: it is short and cannot fail."""
        return isinstance(node, Const | Local) or (
            isinstance(node, t.Binary) and isinstance(node.left, Local) and isinstance(node.right, Const)
        )

    def zone_address(self, zone: Expr) -> Expr | None:
        """Return the address of a zone's cells if it is constant."""
        return Const(self.program.zones[zone.value].address) if isinstance(zone, Const) else None

    def each(self, result: str, node: Any, condition: str = "") -> str:
        """Return the text of a list comprehension over a node's items."""
        test = f" if {as_test(condition)}" if condition else ""
        return f"[{plain(result)} for {slot_name(node.slot)} in {self.items(node.items)}{test}]"

    def key(self, node: Any) -> str:
        """Return the text of a function from an item of a node to the value of its body."""
        return self.looked_up(node, node.body) or (
            f"lambda {slot_name(node.slot)}: {plain(self.number(node.body))}"
        )

    def looked_up(self, node: Any, body: Expr) -> str:
        """Return the text of a table's function from each item of a node to a body's value; "" if there is none.

        `map` and `filter` run it without a frame for each item.
        """
        if isinstance(body, t.Table) and body.index == Local(node.slot):
            return f"H{body.table}"
        tabulated = tabulate(body, node.slot, self.program)
        if tabulated is None:
            return ""
        by_value = {value: f"{results}.__getitem__" for value, results in tabulated.results.items()}
        other = self.constant(by_value.pop(None))
        if tabulated.outer is None:
            return other
        entries = ", ".join(f"{value}: {results}" for value, results in by_value.items())
        return f"{self.constant(f'{{{entries}}}')}.get({plain(self.number(tabulated.outer))}, {other})"

    def looked(self, node: Looked) -> str:
        """Return the text of a list that is looked up by a number."""
        entries = self.constant(repr(dict(node.lists)))
        return f"{entries}.get({plain(self.number(node.outer))}, {self.constant(repr(node.other))})"

    def others(self, node: Others) -> str:
        """Return the text of `Others`: a look-up if the items are constants."""
        items, start = self.items(node.items), plain(self.number(node.start))
        members = node.items.values if isinstance(node.items, t.Items) else ()
        known = [one.value for one in members if isinstance(one, Const)]
        if not known or len({*known}) < len(members):  # not all are constants, or one occurs twice
            return f"others({items}, {start})"
        after = {one: tuple(known[place + 1 :] + known[:place]) for place, one in enumerate(known)}
        return f"{self.constant(repr(after))}.get({start}, {items})"

    def constant(self, text: str) -> str:
        """Return the name of a constant, which is worked out once, when the module is made."""
        return self.constants.setdefault(text, f"K{len(self.constants)}")

    def tells(self, node: t.Filter) -> bool:
        """Return whether the result of `looked_up` for a filter's condition is 0 or 1, so that a sum counts."""
        least, most = interval(node.condition, self.program)
        return 0 <= least <= most <= 1
