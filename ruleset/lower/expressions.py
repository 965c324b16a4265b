"""Lower expressions to the table program, replacing names by addresses and constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.ruleset.common.limits import HIGHEST, LOWEST, MOST_IN_RANGE
from rulewright.ruleset.language.types import PLAYER, Type
from rulewright.ruleset.lower.context import Calls, LoweringContext
from rulewright.ruleset.lower.state_layout import StateLayout
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import compute
from rulewright.ruleset.program.traversal import all_in, everything, rebuild, substitute
from rulewright.ruleset.table import nodes as t

# ---- Ranges of expressions: intervals that show which arithmetic cannot overflow and needs no check
#
# They come from declarations, which a table program no longer has. `interpreter.analysis.nodes.interval`
# computes what its nodes alone show.

Interval = tuple[int, int]
INT: Interval = (LOWEST, HIGHEST)


class Ranges:
    """Intervals of a unit's expressions; a variable has one if it is assigned once."""

    def __init__(self, layout: StateLayout, unit: p.Unit) -> None:
        self.layout = layout
        self.known: dict[int, Interval] = {}
        """Intervals of variables."""
        self._found: dict[int, tuple[t.Expr, Interval]] = {}
        """Intervals of operations, by identity: nested operations are queried one by one. Cleared by `note`."""
        assigned: dict[int, list[t.Expr]] = {}
        for statement in unit.body:
            for node in everything(statement):
                if isinstance(node, p.SetVar):
                    assigned.setdefault(node.variable, []).append(node.value)
        for number, variable in enumerate(unit.variables):
            if variable.type.name in ("player", "card", "definition", "enumeration", "boolean"):
                self.known[number] = (-2, 2**20)
        for variable_number, values in assigned.items():
            if variable_number >= unit.parameters and len(values) == 1 and variable_number not in self.known:
                self.note(variable_number, self.of(values[0]))

    def note(self, variable: int, interval: Interval) -> None:
        """Record the interval of a variable."""
        self.known[variable] = interval
        self._found.clear()

    def safe(self, node: t.Binary | t.Checked) -> bool:
        """Whether an operation stays within int32 and never divides by zero."""
        low, high = self._operation(node)
        if node.op in ("//", "%"):
            divisor = self.of(node.right)
            if divisor[0] <= 0 <= divisor[1]:
                return False
        return INT[0] <= low and high <= INT[1]

    def of(self, node: t.Expr) -> Interval:
        """Return the interval of an expression, within int32."""
        found = _RANGES.get(type(node))
        interval = found(self, node) if found is not None else INT
        return max(interval[0], INT[0]), min(interval[1], INT[1])

    def of_members(self, items: t.List) -> Interval:
        """Return the interval of the members of a list of numbers, which is not empty."""
        match items:
            case p.Range(low, high):
                interval = self.of(low)[0], self.of(high)[1]
            case p.ValueList(value):
                numbers = self.layout.constants.numbers(value)
                interval = min(numbers, default=0), max(numbers, default=0)
            case t.Filter(inner) | t.Take(inner) | t.Extremes(inner) | t.Ranked(inner):
                interval = self.of_members(inner)
            case _:
                interval = INT
        return max(interval[0], INT[0]), min(interval[1], INT[1])

    def _operation(self, node: Any) -> Interval:
        known = self._found.get(id(node))
        if known is None:
            known = self._found[id(node)] = node, self._calculated(node)
        return known[1]

    def _calculated(self, node: Any) -> Interval:
        if node.op in t.COMPARISONS:
            return 0, 1
        (a, b), (c, d) = self.of(node.left), self.of(node.right)
        if node.op == "+":
            return a + c, b + d
        if node.op == "-":
            return a - d, b - c
        if node.op == "*":
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        if node.op == "%":
            return (0, max(d - 1, 0)) if c > 0 else (-(max(abs(c), abs(d))), max(abs(c), abs(d)))
        return (min(a, -abs(a)), max(b, abs(a), abs(b))) if c <= 0 else (min(a // c, a // d), max(b // c, b // d))

    def _field(self, node: p.FieldOf) -> Interval:
        values = [v for v in self.layout.field(node.field, node.definition) if isinstance(v, int)]
        return (min(values), max(values)) if values else (0, 0)

    def _field_at(self, node: p.FieldAt) -> Interval:
        size = len(self.layout.enumerations[node.of])
        values = [value for row in self.layout.field_per(node.field, node.definition, size) for value in row]
        return (min(values), max(values)) if values else (0, 0)

    def _track(self, node: p.TrackAt) -> Interval:
        track = self.layout.declared_tracks[node.track]
        return (track.low, track.high) if track.of.name == "number" else (-1, 2**20)

    def _value(self, node: p.ValueOf) -> Interval:
        value = self.layout.constants.value(node.value, node.index)
        return value, value

    def _option(self, node: p.OptionOf) -> Interval:
        value = self.layout.constants.options[node.option]
        return value, value

    def _each(self, pick: Callable[[int, int], int], node: t.Least | t.Most) -> Interval:
        (a, b), (c, d) = self.of(node.left), self.of(node.right)
        return pick(a, c), pick(b, d)

    def _both(self, left: t.Expr, right: t.Expr) -> Interval:
        (a, b), (c, d) = self.of(left), self.of(right)
        return min(a, c), max(b, d)


def _truth(ranges: Ranges, node: Any) -> Interval:
    return 0, 1


_RANGES: dict[type, Callable[[Ranges, Any], Interval]] = {
    t.Const: lambda ranges, node: (node.value, node.value),
    t.Binary: Ranges._operation,
    t.Checked: Ranges._operation,
    t.Count: lambda ranges, node: (0, 2**20),
    t.Not: _truth,
    t.And: _truth,
    t.Or: _truth,
    t.Exists: _truth,
    t.Contains: _truth,
    t.Same: _truth,
    t.IfElse: lambda ranges, node: ranges._both(node.then, node.otherwise),
    t.Least: lambda ranges, node: ranges._each(min, node),
    t.Most: lambda ranges, node: ranges._each(max, node),
    p.Var: lambda ranges, node: ranges.known.get(node.variable, INT),
    p.FieldOf: Ranges._field,
    p.FieldAt: Ranges._field_at,
    p.TrackAt: Ranges._track,
    p.ArrivalAt: lambda ranges, node: (0, HIGHEST),
    p.ValueOf: Ranges._value,
    p.SeatCount: lambda ranges, node: (ranges.layout.seats, ranges.layout.seats),
    p.OptionOf: Ranges._option,
    p.ZoneAt: lambda ranges, node: (0, 2**20),
}


# ---- Expressions

_SIMPLE = (t.Table, t.Local, t.Const, t.Binary, t.And, t.Or, t.Not, t.IfElse)
"""Nodes that can be tabulated, if all their operands are in tables."""


class ExpressionLowering:
    """Lowers the expressions of one unit. Variables keep their numbers, which become slots."""

    def __init__(
        self,
        lowering: LoweringContext,
        ranges: Ranges,
        variable: Callable[[p.Variable], int],
    ) -> None:
        self.lowering = lowering
        self.layout = layout = lowering.layout
        self.call = lowering.function
        self.ranges = ranges
        self.variable = variable
        self.fitted: Callable[[t.Expr | t.List, Type, int], t.Expr | t.List] = lambda value, type_, at: value
        """Makes a list fit into a parameter; `PlainCode` knows how."""
        self.functions = layout.functions
        self.units = layout.units

    def expr(self, node: t.Expr) -> t.Expr:
        lowered = self._lower(node)
        assert isinstance(lowered, t.Expr), node
        return lowered

    def items(self, node: t.List) -> t.List:
        lowered = self._lower(node)
        assert isinstance(lowered, t.List), node
        return lowered

    def argument(self, node: t.Expr | t.List) -> t.Expr | t.List:
        return self.expr(node) if isinstance(node, t.Expr) else self.items(node)

    def _lower(self, node: Any) -> Any:
        special = _SPECIAL.get(type(node))
        return special(self, node) if special is not None else self._fold(rebuild(node, self._lower), node)

    def _tabulated(self, node: t.Expr, slot: int) -> t.Expr:
        """Turn a condition or amount that depends only on constant tables of one member into a single table."""
        if isinstance(node, t.Table):
            return node
        parts = []
        for part in everything(node):
            if not isinstance(part, _SIMPLE):
                return node
            parts.append(part)
        found = [part for part in parts if isinstance(part, t.Table)]
        if not found:
            return node
        sizes = {len(self.layout.tables[one.table]) for one in found}
        locals_ = sum(isinstance(part, t.Local) for part in parts)
        if len(sizes) != 1 or any(one.index != t.Local(slot) for one in found) or locals_ != len(found):
            return node
        known = self.layout.tabulated.get(node)
        if known is None:
            values = tuple(_evaluate(node, self.layout.tables, member) for member in range(sizes.pop()))
            known = self.layout.tabulated[node] = self.layout.table(values)
        return t.Table(known, t.Local(slot))

    def _folded(self, node: t.Expr, original: Any) -> t.Expr:
        """Fold an expression; see `_fold`."""
        folded = self._fold(node, original)
        assert isinstance(folded, t.Expr), node
        return folded

    def _fold(self, node: Any, original: Any) -> Any:
        """Compute constants, and remove the check from arithmetic that cannot leave its range."""
        if isinstance(node, t.Filter):
            node = t.Filter(node.items, node.slot, self._tabulated(node.condition, node.slot))
        elif isinstance(node, t.Exists):
            node = t.Exists(node.items, node.slot, self._tabulated(node.body, node.slot))
        if isinstance(node, t.Binary | t.Checked):
            left, right = node.left, node.right
            if isinstance(left, t.Const) and isinstance(right, t.Const):
                zero = node.op in ("//", "%") and right.value == 0
                value = 0 if zero else compute(node.op, left.value, right.value)
                if not zero and LOWEST <= value <= HIGHEST:
                    return t.Const(value)
            if isinstance(node, t.Checked):
                if self.ranges.safe(original):
                    return t.Binary(node.op, left, right)
                return node
        elif isinstance(node, t.Not) and isinstance(node.operand, t.Const):
            return t.Const(int(not node.operand.value))
        elif isinstance(node, t.And):
            if isinstance(node.left, t.Const):
                return node.right if node.left.value else t.Const(0)
            if node.right == t.Const(1):
                return node.left
        elif isinstance(node, t.Or):
            if isinstance(node.left, t.Const):
                return t.Const(1) if node.left.value else node.right
            if node.right == t.Const(0):
                return node.left
        elif (isinstance(node, t.IfElse) and isinstance(node.condition, t.Const)) or (
            isinstance(node, t.Choice) and isinstance(node.condition, t.Const)
        ):
            return node.then if node.condition.value else node.otherwise
        elif isinstance(node, t.Filter) and node.condition == t.Const(1):
            return node.items
        elif isinstance(node, t.Count) and isinstance(node.items, t.Items):
            return t.Const(len(node.items.values))
        return node

    # -------------------------------------------------------------- symbols

    def _field(self, node: p.FieldOf) -> t.Expr:
        values = self.layout.field(node.field, node.definition)
        return t.Table(self.layout.table(tuple(v for v in values if isinstance(v, int))), self.expr(node.item))

    def _field_at(self, node: p.FieldAt) -> t.Expr:
        """Return the value for a member: a table for a constant one, else a place in a table of all values."""
        size = len(self.layout.enumerations[node.of])
        rows = self.layout.field_per(node.field, node.definition, size)
        item, index = self.expr(node.item), self.expr(node.index)
        if isinstance(index, t.Const):
            return t.Table(self.layout.table(tuple(row[index.value] for row in rows)), item)
        scaled = self._fold(t.Binary("*", item, t.Const(size)), None)
        place = self._folded(t.Binary("+", scaled, index), None)
        return t.Table(self.layout.table(tuple(value for row in rows for value in row)), place)

    def _field_list(self, node: p.FieldListOf) -> t.List:
        values = self.layout.field(node.field, node.definition)
        return t.TableList(
            self.layout.list_table(tuple(v if isinstance(v, tuple) else () for v in values)), self.expr(node.item)
        )

    def _by_definition(self, values: list[int], item: t.Expr, definition: bool) -> t.Expr:
        if not definition:
            values = [values[number] for number in self.layout.card_definitions]
        return t.Table(self.layout.table(tuple(values)), self.expr(item))

    def _has_effect(self, node: p.HasEffect) -> t.Expr:
        has = [int(node.field in dict(d.effects)) for d in self.layout.program.definitions]
        return self._by_definition(has, node.item, node.definition)

    def _kind(self, node: p.KindOf) -> t.Expr:
        kinds = [self.layout.kinds[d.kind] for d in self.layout.program.definitions]
        return self._by_definition(kinds, node.item, node.definition)

    def _definition(self, node: p.DefinitionOf) -> t.Expr:
        return t.Table(self.layout.table(tuple(self.layout.card_definitions)), self.expr(node.card))

    def _home(self, node: p.HomeOf) -> t.Expr:
        homes = self._homes_of_definitions() if node.definition else self.homes()
        home = t.Table(self.layout.table(homes), self.expr(node.card))
        return t.Present(home, node.at) if node.at >= 0 and -1 in homes else home

    def homes(self) -> tuple[int, ...]:
        """Return the home zone of each card; -1 if its component declares none."""
        definitions = self.layout.card_definitions
        supplies = enumerate(self.layout.card_supplies)
        return tuple(self._home_zone(supply, definitions[card], card) for card, supply in supplies)

    def _homes_of_definitions(self) -> tuple[int, ...]:
        """Return the home zone of each definition; of several supplies the first counts."""
        homes = [-1] * len(self.layout.program.definitions)
        for supply in reversed(self.layout.program.supplies):
            definition = self.layout.definitions[supply.definition]
            homes[definition] = self._home_zone(supply, definition)
        return tuple(homes)

    def _home_zone(self, supply: p.Supply, definition: int, card: int = -1) -> int:
        return self.layout.supplied(supply.home, supply.home_index, supply.home_by, definition, card)

    def zone(self, node: p.ZoneAt) -> t.Expr:
        base = self.layout.zone_base[node.zone]
        if node.index is None:
            return t.Const(base)
        zone = self.layout.declared_zones[node.zone]
        index = self.expr(node.index)
        if zone.scope == "definition" and zone.of in self.layout.kinds:
            index = t.Table(self.layout.table(self.layout.ranks), index)
        return self._folded(t.Binary("+", t.Const(base), index), node)

    def index(self, scope: tuple[str, ...], indices: tuple[t.Expr, ...]) -> t.Expr:
        """Combine several indices into one number."""
        number: t.Expr = t.Const(0)
        for name, given in zip(scope, indices, strict=True):
            index = self.expr(given)
            if name in self.layout.kinds:
                index = t.Table(self.layout.table(self.layout.ranks), index)
            extent = self.layout.size.extent(name)
            if number != t.Const(0):
                scaled = self._fold(t.Binary("*", number, t.Const(extent)), None)
                index = self._fold(t.Binary("+", scaled, index), None)
            number = index
        return number

    def track_index(self, key: str, indices: tuple[t.Expr, ...]) -> t.Expr:
        declared = self.layout.declared_tracks[key]
        return self.index(declared.scope, indices)

    def _track(self, node: p.TrackAt) -> t.Expr:
        _, info = self.layout.tracks[node.track]
        return t.Cell(
            self._fold(t.Binary("+", t.Const(info.address), self.track_index(node.track, node.indices)), None)
        )

    def _arrival(self, node: p.ArrivalAt) -> t.Expr:
        _, info = self.layout.tracks[node.track]
        return t.Cell(
            self._fold(t.Binary("+", t.Const(info.arrival), self.track_index(node.track, node.indices)), None)
        )

    def list_address(self, key: str, index: t.Expr | None) -> t.Expr:
        info = self.layout.state_lists[key]
        if index is None:
            return t.Const(info.address)
        declared = self.layout.declared_lists[key]
        number = self.index((declared.scope,), (index,))
        offset = self._fold(t.Binary("*", number, t.Const(info.capacity + 1)), None)
        return self._folded(t.Binary("+", t.Const(info.address), offset), None)

    def _list_at(self, node: p.ListAt) -> t.List:
        return t.CellList(self.list_address(node.list, node.index))

    def _invocation(self, node: p.Invocation | p.InvocationList) -> t.Expr | t.List:
        inlined = self._inlined(node)
        if inlined is not None:
            return self.argument(inlined)
        build = t.Call if isinstance(node, p.Invocation) else t.CallList
        number, variables = self.call(f"function/{node.function}"), self.functions[node.function].variables
        arguments = (self.argument(argument) for argument in node.arguments)
        return build(number, tuple(self.fitted(one, variables[n].type, node.at) for n, one in enumerate(arguments)))

    def _inlined(self, node: p.Invocation | p.InvocationList) -> t.Expr | t.List | None:
        """Return the body of a function that is one expression, unless an argument would be computed twice."""
        unit = self.functions[node.function]
        result = self._result(unit.body) if self.lowering.copies.function(node.function) else None
        if result is None:
            return None
        for number, argument in enumerate(node.arguments):
            uses = sum(1 for n in everything(result) if isinstance(n, p.Var | p.ListVar) and n.variable == number)
            if uses > 1 and not isinstance(argument, p.Var | p.ListVar | t.Const):
                return None
        slots = {
            number: self.variable(variable)
            for number, variable in enumerate(unit.variables)
            if number >= unit.parameters
        }
        return substitute(result, dict(enumerate(node.arguments)), slots)

    def _result(self, body: tuple[t.Stmt, ...]) -> t.Expr | t.List | None:
        """Return a function's result as one expression; None if its body does more than select a case."""
        only = body[0] if len(body) == 1 else None
        if isinstance(only, t.Give):
            return only.value
        if not isinstance(only, t.If):
            return None
        variables = any(isinstance(n, p.Var | p.ListVar) for n in everything(only.condition))
        test = None if variables else self._lower(only.condition)
        if isinstance(test, t.Const):
            return self._result(only.then if test.value else only.otherwise)
        then, otherwise = self._result(only.then), self._result(only.otherwise)
        if isinstance(then, t.Expr) and isinstance(otherwise, t.Expr):
            return t.IfElse(only.condition, then, otherwise)
        if isinstance(then, t.List) and isinstance(otherwise, t.List):
            return t.Choice(only.condition, then, otherwise)
        return None

    def _worth(self, node: p.Worth) -> t.Expr:
        item, you = self.expr(node.item), self.expr(node.you)
        constants, calls = self._expressions_of(node.field)

        def chosen(you: t.Expr, item: t.Expr) -> t.Expr:
            which = item if node.definition else self._definition(p.DefinitionOf(item))
            return _bisected(calls, which, (you, item), t.Table(constants, which))

        if len(calls) <= 1:
            return chosen(you, item)
        name = f"{node.field} of a {'definition' if node.definition else 'card'}"
        function = self.lowering.made_function(name, calls[0][1], lambda: chosen(t.Local(0), t.Local(1)))
        return t.Call(function, (you, item))

    def _expressions_of(self, field: str) -> tuple[int, Calls]:
        """Return the table of an expression's constant values by definition, and the functions of the others."""
        known = self.lowering.by_definition.get(field)
        if known is not None:
            return known
        numbers, calls = [], []
        for number, d in enumerate(self.layout.program.definitions):
            unit = dict(d.expressions).get(field)
            given = self._lower(self._result(self.units[unit].body)) if unit is not None else t.Const(0)
            numbers.append(given.value if isinstance(given, t.Const) else 0)
            if unit is not None and not isinstance(given, t.Const):
                calls.append((number, self.call(unit)))
        found = self.lowering.by_definition[field] = self.layout.table(tuple(numbers)), tuple(calls)
        return found

    def _everyone(self, node: p.Everyone) -> t.List:
        return t.Items(tuple(t.Const(seat) for seat in range(self.layout.seats)))

    def _living(self, node: p.Living) -> t.List:
        return t.CellList(t.Const(self.layout.state_lists["living"].address))

    def _definitions(self, node: p.DefinitionsOf) -> t.List:
        definitions = self.layout.program.definitions
        in_game = self.layout.in_game
        return t.Items(tuple(t.Const(n) for n, d in enumerate(definitions) if d.kind == node.kind and in_game(d)))

    def _members(self, node: p.MembersOf) -> t.List:
        return t.Items(tuple(t.Const(n) for n in range(len(self.layout.enumerations[node.enumeration]))))

    def _range(self, node: p.Range) -> t.List:
        """Return a part of a constant list; it begins at `low` if that is constant, else at 0, and is shifted."""
        (a, b), (c, d) = self.ranges.of(node.low), self.ranges.of(node.high)
        size = min(d - a + 1, MOST_IN_RANGE)
        if size <= 0:
            return t.Items(())
        first = a if a == b else 0
        whole = t.TableList(self.layout.list_table((tuple(range(first, first + size)),)), t.Const(0))
        if a == b and c == d and size == d - a + 1:
            return whole
        length = t.Checked("+", t.Checked("-", node.high, node.low, node.at), t.Const(1), node.at)
        count = self.expr(length)
        if d - a + 1 > MOST_IN_RANGE:
            count = t.Within(count, INT[0], MOST_IN_RANGE, node.at)
        numbers = t.Take(whole, count, True)
        if a == b:
            return numbers
        return t.Map(numbers, node.slot, t.Binary("+", self.expr(node.low), t.Local(node.slot)))

    def _mask(self, node: p.MaskOf) -> t.Expr:
        masks = tuple(1 << seat for seat in range(self.layout.seats))
        return self._folded(t.Table(self.layout.table(masks), self.expr(node.seat)), node)


def _bisected(calls: Calls, which: t.Expr, arguments: tuple[t.Expr, ...], otherwise: t.Expr) -> t.Expr:
    """Call the function of a definition, found by bisection: a chain of conditions would nest them all."""
    if not calls:
        return otherwise
    if len(calls) == 1:
        [(number, function)] = calls
        return t.IfElse(t.Binary("==", which, t.Const(number)), t.Call(function, arguments), otherwise)
    middle = len(calls) // 2
    below, above = (_bisected(half, which, arguments, otherwise) for half in (calls[:middle], calls[middle:]))
    return t.IfElse(t.Binary("<", which, t.Const(calls[middle][0])), below, above)


def _evaluate(node: t.Expr, tables: Sequence[tuple[int, ...]], member: int) -> int:
    """Evaluate an expression of constants, tables, and one member."""
    if isinstance(node, t.Const):
        return node.value
    if isinstance(node, t.Local):
        return member
    if isinstance(node, t.Table):
        return tables[node.table][member]
    if isinstance(node, t.Not):
        return int(not _evaluate(node.operand, tables, member))
    if isinstance(node, t.IfElse):
        chosen = node.then if _evaluate(node.condition, tables, member) else node.otherwise
        return _evaluate(chosen, tables, member)
    assert isinstance(node, t.Binary | t.And | t.Or)
    left, right = _evaluate(node.left, tables, member), _evaluate(node.right, tables, member)
    if isinstance(node, t.And):
        return int(left and right)
    if isinstance(node, t.Or):
        return int(left or right)
    return compute(node.op, left, right)


_SPECIAL: dict[type, Callable[[ExpressionLowering, Any], Any]] = {
    p.Var: lambda self, node: t.Local(node.variable),
    p.ListVar: lambda self, node: t.LocalList(node.variable),
    p.OptionList: lambda self, node: t.Items(tuple(map(t.Const, self.layout.constants.chosen(node.option)))),
    p.OptionOf: lambda self, node: t.Const(self.layout.constants.options[node.option]),
    p.ValueOf: lambda self, node: t.Const(self.layout.constants.value(node.value, node.index)),
    p.ValueList: lambda self, node: t.TableList(
        self.layout.list_table((self.layout.constants.numbers(node.value),)), t.Const(0)
    ),
    p.SeatCount: lambda self, node: t.Const(self.layout.seats),
    p.FieldOf: ExpressionLowering._field,
    p.FieldListOf: ExpressionLowering._field_list,
    p.FieldAt: ExpressionLowering._field_at,
    p.HasEffect: ExpressionLowering._has_effect,
    p.KindOf: ExpressionLowering._kind,
    p.DefinitionOf: ExpressionLowering._definition,
    p.HomeOf: ExpressionLowering._home,
    p.PlaceOf: lambda self, node: t.Cell(t.Binary("+", t.Const(self.layout.places), self.expr(node.card))),
    p.ZoneAt: ExpressionLowering.zone,
    p.TrackAt: ExpressionLowering._track,
    p.ArrivalAt: ExpressionLowering._arrival,
    p.ListAt: ExpressionLowering._list_at,
    p.Invocation: ExpressionLowering._invocation,
    p.InvocationList: ExpressionLowering._invocation,
    p.Worth: ExpressionLowering._worth,
    p.Everyone: ExpressionLowering._everyone,
    p.Living: ExpressionLowering._living,
    p.DefinitionsOf: ExpressionLowering._definitions,
    p.MembersOf: ExpressionLowering._members,
    p.Range: ExpressionLowering._range,
    p.MaskOf: ExpressionLowering._mask,
}


# ---- Tests of whether seats are in the game, where loops and queues give seats a turn

Code = tuple[t.Stmt, ...]


class SeatsInGame:
    """The part of lowering that leaves out tests that no table needs."""

    lowering: LoweringContext
    layout: StateLayout
    unit: p.Unit
    values: ExpressionLowering
    bounds: dict[int, int]

    def variable(self, name: str, type_: Type, many: bool = False) -> int:
        """Add a variable to the unit, and return its number."""
        raise NotImplementedError

    def in_game(self, seat: int) -> t.Expr:
        """Return whether the seat of a variable is in the game."""
        return t.Contains(self.values.items(p.Living()), t.Local(seat))

    def asked_in_secret(self, seats: t.List) -> t.List:
        """Return the seats of a list that are in the game: no others are asked."""
        asked = self.values.items(seats)
        if not self.can_be_out(all_in(seats)):
            return asked
        seat = self.variable("seat", PLAYER)
        return t.Filter(asked, seat, self.in_game(seat))

    def still_there(self, node: p.Loop) -> tuple[Code, t.Expr | None]:
        """Return code for before a loop, and the condition for each seat; None if no seat is skipped."""
        began_in, stays = all_in(node.items), self.lowering.stays(node.body)
        there = self.in_game(node.variable)
        if node.still == "acting":
            return (), there if self.can_be_out(began_in and stays) else None
        if node.still != "seats" or stays:
            return (), None
        if began_in:
            return (), there
        began = self.variable("began", PLAYER, True)
        self.bounds[began] = self.layout.seats
        was_out = t.Not(t.Contains(t.LocalList(began), t.Local(node.variable)))
        return (t.SetList(began, self.values.items(p.Living())),), t.Or(there, was_out)

    def can_be_out(self, stays: bool) -> bool:
        """Whether a player can be out here, unless all who are asked were in the game and stay."""
        return not stays and self.lowering.effects.somebody_out(self.unit.key)

    def still_in(self, node: p.IfIn) -> Code:
        """Return the body of the node, with a test only if the player can be out when it runs."""
        if not self.can_be_out(node.began_in and self.lowering.stays(node.body)):
            return node.body
        return (t.If(t.Contains(p.Living(), node.seat), node.body, ()),)
