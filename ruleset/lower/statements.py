"""Lower the statements of a unit that cannot suspend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.ruleset.common.limits import HIGHEST
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type, sort_named
from rulewright.ruleset.lower.context import LoweringContext
from rulewright.ruleset.lower.expressions import ExpressionLowering, Ranges, SeatsInGame
from rulewright.ruleset.lower.liveness import reads
from rulewright.ruleset.lower.state_layout import StateLayout
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything, rebuild, substitute
from rulewright.ruleset.table import nodes as t

# ---- Lists that may hold a member twice: a player is offered each member once

def may_repeat(node: t.List, variables: Sequence[p.Variable], layout: StateLayout) -> bool:
    """Whether a list of the program may hold a member twice. Lists of cards do only if single cards are added."""
    match node:
        case p.ValueList():
            return True
        case p.ListAt(key, _):
            return layout.declared_lists[key].repeats
        case p.ListVar(variable):
            return _kept_twice(variables[variable].type, layout)
        case p.InvocationList(function):
            unit = layout.functions[function]
            given = (part.value for part in everything(unit.body) if isinstance(part, t.Give))
            return any(isinstance(one, t.List) and may_repeat(one, unit.variables, layout) for one in given)
        case p.FieldListOf(field, _, definition):
            values = layout.field(field, definition)
            return any(isinstance(one, tuple) and len(set(one)) < len(one) for one in values)
        case t.Items(values):
            return len(values) > 1
        case t.Concat(left, right):
            sides = (left, right)
            return any(_is_one(side) or may_repeat(side, variables, layout) for side in sides)
        case t.Choice(_, then, otherwise):
            return may_repeat(then, variables, layout) or may_repeat(otherwise, variables, layout)
        case t.Filter(items) | t.Take(items) | t.Extremes(items) | t.Ranked(items) | t.Rotated(items):
            return may_repeat(items, variables, layout)
        case _:
            return False


def _is_one(node: t.List) -> bool:
    """Whether a list is one thing of a sum, such as `starter` in `others + starter`."""
    return isinstance(node, t.Items) or (isinstance(node, t.Filter) and isinstance(node.items, t.Items))


def _kept_twice(type_: Type, layout: StateLayout) -> bool:
    """Whether a list of this type that has a name may hold a member twice."""
    if type_.name == "card":
        return False
    return type_ == NUMBER or any(one.repeats and one.of == type_ for one in layout.declared_lists.values())


# ---- Statements

Code = tuple[t.Stmt, ...]
_FAILING = (t.Present, t.Within, t.Checked, t.Total, t.Call, t.CallList)
"""Expressions that can raise a rule error, or call code that can."""
_MASKS = ("ended", "series-ended")
"""Events whose number is a mask of winners, which is a sum."""


class PlainCode(SeatsInGame):
    """Lowers the plain code of one unit. May add variables, which become further slots."""

    def __init__(self, lowering: LoweringContext, unit: p.Unit, procedure: int | None) -> None:
        self.lowering = lowering
        self.layout = lowering.layout
        self.unit = unit
        self.procedure = procedure
        self.variables = list(unit.variables)
        self.ranges = Ranges(self.layout, unit)
        self.values: ExpressionLowering = ExpressionLowering(lowering, self.ranges, self._inlined)
        self.values.fitted = self.fitted
        self.labels: dict[int, int] = {}
        self.bounds: dict[int, int] = {}
        self._note_bounds()

    def plain(self, code: Code) -> Code:
        """Lower code that cannot suspend."""
        return tuple(lowered for statement in code for lowered in self._plain(statement))

    def _plain(self, node: t.Stmt) -> Code:
        special = _PLAIN.get(type(node))
        if special is not None:
            return special(self, node)
        if isinstance(node, t.Emit):
            return self._emit(node)
        lowered = rebuild(node, self._inside)
        return (lowered,)

    def _inside(self, node: Any) -> Any:
        return self.values.argument(node) if isinstance(node, t.Expr | t.List) else node

    def _emit(self, node: t.Emit) -> Code:
        def mask(given: t.Expr) -> t.Expr:
            return t.Const(self.layout.everyone) if given == t.Const(-1) else self.values.expr(given)

        cards = self.values.items(node.cards) if node.cards is not None else None
        numbers = tuple(self.values.expr(n) for n in node.numbers)
        members = self.values.items(node.members) if node.members is not None else None
        event = t.Emit(node.kind, numbers, cards, mask(node.audience), mask(node.sees), node.at, members)
        return (event,) if node.kind in _MASKS else self._narrated(event)  # a sum of masks cannot fail

    def _reveal(self, node: t.Reveal) -> Code:
        all_seats = node.seats == t.Const(-1)
        seats = t.Const(self.layout.everyone) if all_seats else self.values.expr(node.seats)
        return self._narrated(t.Reveal(self.values.items(node.cards), seats, node.at, node.secret))

    def _narrated(self, node: t.Emit | t.Reveal) -> Code:
        """Return a narrating statement, preceded by the code that computes those of its parts that can fail."""
        before: list[t.Stmt] = []
        names = (name for name in node.__slots__ if name != "__weakref__")
        changed = {name: self._sound(getattr(node, name), before) for name in names}
        return (*before, type(node)(**changed)) if before else (node,)

    def _sound(self, part: Any, before: list[t.Stmt]) -> Any:
        """Return a part that only narration reads; what can fail in it is computed by code added to `before`.

        Builds without narration leave such a part out, and must raise the same rule errors.
        """
        if isinstance(part, tuple):
            return tuple(self._sound(one, before) for one in part)
        if not isinstance(part, t.Expr | t.List) or not any(isinstance(n, _FAILING) for n in everything(part)):
            return part
        number = self.variable("told", NUMBER, isinstance(part, t.List))
        if isinstance(part, t.Expr):
            before.append(t.SetLocal(number, part))
            return t.Local(number)
        before.append(t.SetList(number, part))
        self.bounds[number] = self.bound(part)
        return t.LocalList(number)

    def _move(self, node: t.Move) -> Code:
        place = node.place
        if place is not None and (place == t.Const(-1) or isinstance(place, p.ZoneAt)):
            place = None
        lowered = self.values.expr(place) if place is not None else None
        cards, to = self.values.items(node.cards), self.values.expr(node.to)
        chooser = self.values.expr(node.chooser) if node.chooser is not None else None
        before: list[t.Stmt] = []
        chooser = self._sound(chooser, before)  # only narration reads it
        return (*before, t.Move(cards, to, node.bottom, lowered, node.at, chooser))

    def _send_home(self, node: p.SendCardsHome) -> Code:
        """Move cards home, as simply as the homes that these cards can have allow."""
        cards = self.values.items(node.cards)
        can_be: tuple[int, ...] = tuple(range(len(self.layout.cards)))
        if isinstance(node.cards, t.Cards) and isinstance(node.cards.zone, p.ZoneAt):
            of = node.cards.zone.zone
            can_be = tuple(n for zone in self.layout.zones if zone.zone == of for n in zone.accepts)
        homes = self.values.homes()
        goals = {homes[card] for card in can_be}
        if len(goals) == 1 and min(goals) >= 0 and isinstance(cards, t.Cards):
            return (t.MoveAll(cards.zone, t.Const(goals.pop()), False, node.at),)
        place = None
        if node.place is not None and node.place != t.Const(-1) and not isinstance(node.place, p.ZoneAt):
            place = self.values.expr(node.place)
        return (t.SendHome(cards, self.layout.table(homes), place, node.at),)

    def _if(self, node: t.If) -> Code:
        condition = self.values.expr(node.condition)
        if isinstance(condition, t.Const):
            return self.plain(node.then if condition.value else node.otherwise)
        return (t.If(condition, self.plain(node.then), self.plain(node.otherwise)),)

    def _for_each(self, node: t.ForEach) -> Code:
        before, items = self.hoisted(self.values.items(node.items))
        return (*before, t.ForEach(node.slot, items, self.plain(node.body)))

    def _while(self, node: t.While) -> Code:
        return (t.While(self.values.expr(node.condition), self.plain(node.body), node.at),)

    def _loop(self, node: p.Loop) -> Code:
        body = self.plain(node.body)
        noted, there = self.still_there(node)
        if there is not None:
            body = (t.If(there, body, ()),)
        before, items = self.hoisted(self.values.items(node.items))
        return (*before, *noted, t.ForEach(node.variable, items, body))

    def _if_in(self, node: p.IfIn) -> Code:
        return self.plain(self.still_in(node))

    def _block(self, node: p.Block) -> Code:
        return self.plain(node.body)

    def _change(self, node: p.ChangeTrack) -> Code:
        number, _ = self.layout.tracks[node.track]
        index = self.values.track_index(node.track, node.indices)
        return (t.Change(number, index, self.values.expr(node.amount), node.at),)

    def _assign(self, node: p.AssignTrack) -> Code:
        number, info = self.layout.tracks[node.track]
        index = self.values.track_index(node.track, node.indices)
        if node.silent:
            address = t.Binary("+", t.Const(info.address), index)
            value, nobody = self.values.expr(node.value), t.Const(0)
            amount = t.Binary("-", value, t.Cell(address))  # only told in Python, where it cannot overflow
            event = t.Emit("changed", (t.Const(number), index, amount), None, nobody, nobody, node.at)
            return event, t.SetCell(address, value)
        return (t.Assign(number, index, self.values.expr(node.value), node.at),)

    def _append(self, node: p.AppendTo) -> Code:
        info = self.layout.state_lists[node.list]
        address = self.values.list_address(node.list, node.index)
        if self.layout.declared_lists[node.list].repeats:
            held = t.CellList(address)
            room = t.Within(t.Count(held), 0, info.capacity - 1, node.at)
            more = t.Items((self.values.expr(node.value),))
            return (t.SetCells(address, t.Concat(t.Take(held, room, True), more)),)
        return (t.Append(address, self.values.expr(node.value), info.capacity, node.at),)

    def _remove(self, node: p.RemoveFrom) -> Code:
        return (t.Remove(self.values.list_address(node.list, node.index), self.values.expr(node.value)),)

    def _set_list(self, node: p.SetStateList) -> Code:
        address, items = self.values.list_address(node.list, node.index), self.values.items(node.items)
        declared = self.layout.declared_lists[node.list]
        if not declared.repeats and may_repeat(node.items, self.variables, self.layout):
            one = self.variable("one", declared.of)
            items = t.Distinct(items, one, t.Local(one))
        capacity = self.layout.state_lists[node.list].capacity
        if self.bound(items) > capacity:
            items = t.Take(items, t.Within(t.Count(items), 0, capacity, node.at), True)
        return (t.SetCells(address, items),)

    def _eliminate(self, node: p.Eliminate) -> Code:
        before: Code = ()
        seat = self.values.expr(node.seat)
        if not isinstance(seat, t.Local | t.Const):  # `first of players` changes once the first is gone
            gone_seat = self.variable("gone", PLAYER)
            before, seat = (t.SetLocal(gone_seat, seat),), t.Local(gone_seat)
        number, info = self.layout.tracks["in-game"]
        living = t.Const(self.layout.state_lists["living"].address)
        everybody = t.Const(self.layout.everyone)
        is_in = t.Cell(t.Binary("+", t.Const(info.address), seat))
        lasts = (t.Const(p.MOMENTS.index(node.until)),) if node.until else ()
        gone = (
            t.Assign(number, seat, t.Const(0), node.at),
            t.Remove(living, seat),
            t.Emit("eliminated", (seat, *lasts), None, everybody, everybody, node.at),
        )
        return (*before, *self._noted_away(node.until, seat, is_in), t.If(is_in, gone, ()))

    def _noted_away(self, until: str, seat: t.Expr, is_in: t.Expr) -> Code:
        """Return code that notes how long a seat is out; for good also if it is already out for a while."""
        known = {one: self.layout.state_lists.get(p.away_list(one)) for one in p.MOMENTS}
        lists = {one: t.CellList(t.Const(info.address)) for one, info in known.items() if info is not None}
        if not until:
            return tuple(t.Remove(away.address, seat) for away in lists.values())
        can_return = is_in
        for away in lists.values():
            can_return = t.Or(can_return, t.Contains(away, seat))
        own = known[until]
        assert own is not None
        return (t.If(can_return, (t.Append(t.Const(own.address), seat, own.capacity, 0),), ()),)

    def _call(self, node: p.CallVerb) -> Code:
        unit = self.lowering.units[node.verb]
        if self.lowering.copies.verb(node.verb):
            return self._copied(unit, node.arguments)
        arguments = self.passed(node.arguments, unit, node.at)
        return (t.Do(self.lowering.function(node.verb), arguments),)

    def passed(self, arguments: tuple[t.Expr | t.List, ...], unit: p.Unit, at: int) -> tuple[t.Expr | t.List, ...]:
        """Lower arguments; a list with more members than a parameter can hold is the rule error `full`."""
        lowered = (self.values.argument(argument) for argument in arguments)
        return tuple(self.fitted(one, unit.variables[n].type, at) for n, one in enumerate(lowered))

    def fitted(self, value: t.Expr | t.List, type_: Type, at: int) -> t.Expr | t.List:
        """Return an argument that fits into a parameter whose members have this type."""
        most = self.layout.most_held(type_)
        if not isinstance(value, t.List) or self.bound(value) <= most:
            return value
        return t.Take(value, t.Within(t.Count(value), 0, most, at), True)

    def _copied(self, unit: p.Unit, arguments: tuple[t.Expr | t.List, ...]) -> Code:
        """Inline the body of a short verb, with variables of its own."""
        before: list[t.Stmt] = []
        values: dict[int, t.Expr | t.List] = {}
        for number, argument in enumerate(arguments):
            values[number] = argument
            if not isinstance(argument, p.Var | p.ListVar | t.Const):
                kept = self._inlined(unit.variables[number])
                many = unit.variables[number].many
                values[number] = p.ListVar(kept) if many else p.Var(kept)
                if isinstance(argument, t.List):
                    before.append(p.SetListVar(kept, argument))
                    self.bounds[kept] = self.bound(self.values.items(argument))
                else:
                    before.append(p.SetVar(kept, argument))
                    self.ranges.note(kept, self.ranges.of(argument))
        slots = {
            number: self._inlined(variable)
            for number, variable in enumerate(unit.variables)
            if number >= unit.parameters
        }
        body = tuple(substitute(statement, values, slots) for statement in unit.body)
        for statement in body:  # each variable of a short verb is assigned once
            if isinstance(statement, p.SetVar) and statement.variable in slots.values():
                self.ranges.note(statement.variable, self.ranges.of(statement.value))
        return self.plain((*before, *body))

    def _perform(self, node: p.PerformField) -> Code:
        table = self.lowering.function_table(node.field, node.definition)
        arguments = self.performing(node)
        return (t.DoTable(table, self.values.expr(node.item), arguments),)

    def performing(self, node: p.PerformField) -> tuple[t.Expr | t.List, ...]:
        """Lower the arguments of an effect, all of whose units have the same parameters."""
        definitions = self.layout.program.definitions
        effects = (keys for one in definitions for key, keys in one.effects if key == node.field)
        first = next((key for keys in effects for key in keys), None)
        if first is None:
            return tuple(map(self.values.argument, node.arguments))
        return self.passed(node.arguments, self.lowering.units[first], node.at)

    def _leave(self, node: p.Leave) -> Code:
        return (t.Give(t.Const(0)),)

    # -------------------------------------------------------------- variables

    @property
    def number(self) -> int:
        """The number of the procedure."""
        assert self.procedure is not None
        return self.procedure

    def _inlined(self, variable: p.Variable) -> int:
        """Add a variable of an inlined unit to this one."""
        number = self.variable(variable.name, variable.type, variable.many)
        if variable.type.name != "number" and not variable.many:
            self.ranges.note(number, (-2, 2**20))
        return number

    def hoisted(self, items: t.List) -> tuple[Code, t.List]:
        """Move parts of a filter's condition that are the same for all members out of the loop."""
        if not isinstance(items, t.Filter):
            return (), items
        code: list[t.Stmt] = []

        def once(node: Any) -> Any:
            costly = isinstance(node, t.First | t.Last | t.Count | t.Highest) and items.slot not in reads(node)
            failing = _FAILING
            if costly and not any(isinstance(n, failing) for n in everything(node)):
                variable = self.variable("once", NUMBER)
                code.append(t.SetLocal(variable, node))
                return t.Local(variable)
            return rebuild(node, once) if isinstance(node, t.Expr) else node

        condition = once(items.condition)
        return tuple(code), t.Filter(items.items, items.slot, condition)

    def variable(self, name: str, type_: Type, many: bool = False) -> int:
        """Add a variable to the unit, and return its number."""
        self.variables.append(p.Variable(name, type_, many))
        return len(self.variables) - 1

    def sort_of(self, type_: Type) -> str:
        """Name the type of an option or value, as `Site.of` does."""
        return "number" if type_ == BOOLEAN else sort_named(type_)

    def _note_bounds(self) -> None:
        """Record the most members that each list variable can have."""
        for _ in range(2):
            for statement in self.unit.body:
                for node in everything(statement):
                    if isinstance(node, p.SetListVar):
                        size = self.bound(self.values.items(node.items))
                        self.bounds[node.variable] = max(self.bounds.get(node.variable, 0), size)

    def bound(self, items: t.List) -> int:
        """Return the most members that a lowered list can have."""
        if isinstance(items, t.Items):
            return len(items.values)
        if isinstance(items, t.LocalList):
            variable = self.variables[items.slot]
            return self.bounds.get(items.slot, self.layout.most_held(variable.type))
        if isinstance(items, t.Cards):
            return self.lowering.zone_capacity(items.zone)
        if isinstance(items, t.Filter | t.Map | t.Extremes | t.Ranked | t.Distinct | t.Rotated):
            return self.bound(items.items)
        if isinstance(items, t.FlatMap):
            return self.bound(items.items) * self.bound(items.body)
        if isinstance(items, t.Concat):
            return self.bound(items.left) + self.bound(items.right)
        if isinstance(items, t.Take):
            limit = items.count.value if isinstance(items.count, t.Const) else HIGHEST
            return min(self.bound(items.items), limit)
        if isinstance(items, t.Choice):
            return max(self.bound(items.then), self.bound(items.otherwise))
        if isinstance(items, t.CellList):
            return self.lowering.list_capacity(items.address)
        most = max(len(self.layout.cards), self.layout.seats, len(self.layout.program.definitions))
        return max(most, *map(len, self.layout.lists[items.table])) if isinstance(items, t.TableList) else most


_PLAIN: dict[type, Callable[[PlainCode, Any], Code]] = {
    p.SetVar: lambda self, node: (t.SetLocal(node.variable, self.values.expr(node.value)),),
    p.SetListVar: lambda self, node: (t.SetList(node.variable, self.values.items(node.items)),),
    t.If: PlainCode._if,
    t.ForEach: PlainCode._for_each,
    t.While: PlainCode._while,
    t.Move: PlainCode._move,
    t.Reveal: PlainCode._reveal,
    p.SendCardsHome: PlainCode._send_home,
    p.Loop: PlainCode._loop,
    p.Block: PlainCode._block,
    p.IfIn: PlainCode._if_in,
    p.Leave: PlainCode._leave,
    p.ChangeTrack: PlainCode._change,
    p.AssignTrack: PlainCode._assign,
    p.AppendTo: PlainCode._append,
    p.RemoveFrom: PlainCode._remove,
    p.SetStateList: PlainCode._set_list,
    p.Eliminate: PlainCode._eliminate,
    p.CallVerb: PlainCode._call,
    p.PerformField: PlainCode._perform,
}
