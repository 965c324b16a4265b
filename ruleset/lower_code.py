"""Statements of one unit -> a function, or a procedure cut into segments where the game can stop.

A continuation (`Next`) builds the tree of what follows a statement. It is called once; what two paths share becomes
a segment of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ruleset import program as p
from ruleset import table as t
from ruleset.lower_values import Values
from ruleset.ranges import Ranges
from ruleset.slots import reads
from ruleset.types import NUMBER, PLAYER, Type
from ruleset.walk import everything, rebuild

if TYPE_CHECKING:
    from ruleset.lower import Lowering

Next = Callable[[], t.Tree]
Code = tuple[t.Stmt, ...]


@frozen
class Draft:
    """A segment before liveness is known."""

    procedure: int
    tree: t.Tree


class UnitCode:
    """Lowers one unit. New variables may be added; they become further slots."""

    def __init__(self, lowering: Lowering, unit: p.Unit, procedure: int | None) -> None:
        self.lowering = lowering
        self.layout = lowering.layout
        self.unit = unit
        self.procedure = procedure
        self.variables = list(unit.variables)
        self.ranges = Ranges(self.layout, unit)
        self.values: Values = Values(self.layout, lowering.function, self.ranges, self._inlined)
        self.labels: dict[int, int] = {}
        self.bounds: dict[int, int] = {}
        self._note_bounds()

    # -------------------------------------------------------------- plain code

    def plain(self, code: Code) -> Code:
        """Code that cannot suspend."""
        return tuple(lowered for statement in code for lowered in self._plain(statement))

    def _plain(self, node: t.Stmt) -> Code:
        special = _PLAIN.get(type(node))
        if special is not None:
            return special(self, node)
        if isinstance(node, t.Emit):
            return (self._emit(node),)
        lowered = rebuild(node, self._inside)
        return (lowered,)

    def _inside(self, node: Any) -> Any:
        return self.values.argument(node) if isinstance(node, t.Expr | t.List) else node

    def _emit(self, node: t.Emit) -> t.Emit:
        def mask(given: t.Expr) -> t.Expr:
            return t.Const(self.layout.everyone) if given == t.Const(-1) else self.values.expr(given)

        cards = self.values.items(node.cards) if node.cards is not None else None
        numbers = tuple(self.values.expr(n) for n in node.numbers)
        return t.Emit(node.kind, numbers, cards, mask(node.audience), mask(node.sees), node.at)

    def _reveal(self, node: t.Reveal) -> Code:
        all_seats = node.seats == t.Const(-1)
        seats = t.Const(self.layout.everyone) if all_seats else self.values.expr(node.seats)
        return (t.Reveal(self.values.items(node.cards), seats, node.at),)

    def _move(self, node: t.Move) -> Code:
        place = node.place
        if place is not None and (place == t.Const(-1) or isinstance(place, p.ZoneAt)):
            place = None
        lowered = self.values.expr(place) if place is not None else None
        return (t.Move(self.values.items(node.cards), self.values.expr(node.to), node.bottom, lowered, node.at),)

    def _send_home(self, node: p.SendHome) -> Code:
        """One move for each of the homes that these cards can have."""
        cards = self.values.items(node.cards)
        can_be: tuple[int, ...] = tuple(range(len(self.layout.cards)))
        if isinstance(node.cards, t.Cards) and isinstance(node.cards.zone, p.ZoneAt):
            can_be = self.layout.zones[self.layout.zone_base[node.cards.zone.zone]].accepts
        homes = self.values.homes()
        goals = {homes[card] for card in can_be if homes[card] >= 0}
        if len(goals) == 1 and isinstance(cards, t.Cards):
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
        if node.still == "seats" and not self._everybody_stays(node):
            living = t.CellList(t.Const(self.layout.state_lists["living"].address))
            body = (t.If(t.Contains(living, t.Local(node.variable)), body, ()),)
        before, items = self.hoisted(self.values.items(node.items))
        return (*before, t.ForEach(node.variable, items, body))

    def _everybody_stays(self, node: p.Loop) -> bool:
        return self.lowering.stays(node.body)

    def _block(self, node: p.Block) -> Code:
        return self.plain(node.body)

    def _change(self, node: p.ChangeTrack) -> Code:
        number, _ = self.layout.tracks[node.track]
        index = self.values.track_index(node.track, node.indices)
        return (t.Change(number, index, self.values.expr(node.amount), node.at),)

    def _assign(self, node: p.AssignTrack) -> Code:
        number, _ = self.layout.tracks[node.track]
        index = self.values.track_index(node.track, node.indices)
        return (t.Assign(number, index, self.values.expr(node.value), node.at),)

    def _append(self, node: p.AppendTo) -> Code:
        info = self.layout.state_lists[node.list]
        address = self.values.list_address(node.list, node.index)
        return (t.Append(address, self.values.expr(node.value), info.capacity, node.at),)

    def _remove(self, node: p.RemoveFrom) -> Code:
        return (t.Remove(self.values.list_address(node.list, node.index), self.values.expr(node.value)),)

    def _set_list(self, node: p.SetStateList) -> Code:
        return (t.SetCells(self.values.list_address(node.list, node.index), self.values.items(node.items)),)

    def _eliminate(self, node: p.Eliminate) -> Code:
        seat = self.values.expr(node.seat)
        number, info = self.layout.tracks["in-game"]
        living = t.Const(self.layout.state_lists["living"].address)
        everybody = t.Const(self.layout.everyone)
        is_in = t.Cell(t.Binary("+", t.Const(info.address), seat))
        gone = (
            t.Assign(number, seat, t.Const(0), node.at),
            t.Remove(living, seat),
            t.Emit("eliminated", (seat,), None, everybody, everybody, node.at),
        )
        return (t.If(is_in, gone, ()),)

    def _call(self, node: p.CallVerb) -> Code:
        arguments = tuple(self.values.argument(a) for a in node.arguments)
        return (t.Do(self.lowering.function(node.verb), arguments),)

    def _perform(self, node: p.PerformField) -> Code:
        table = self.lowering.effect_table(node.field, node.definition, False)
        arguments = tuple(self.values.argument(a) for a in node.arguments)
        return (t.DoTable(table, self.values.expr(node.item), arguments),)

    def _leave(self, node: p.Leave) -> Code:
        return (t.Give(t.Const(0)),)

    # -------------------------------------------------------------- code that can suspend

    def tree(self, code: Code, then: Next) -> t.Tree:
        """Straight code up to the first statement that can suspend, and what follows."""
        before: list[t.Stmt] = []
        for number, statement in enumerate(code):
            if not self.lowering.suspends(statement):
                before.extend(self._plain(statement))
                continue
            rest = code[number + 1 :]
            after = self._cut(statement, lambda: self.tree(rest, then))
            return t.Tree((*before, *after.body), after.end)
        after = then()
        return t.Tree((*before, *after.body), after.end)

    def _cut(self, node: t.Stmt, then: Next) -> t.Tree:
        return _CUT[type(node)](self, node, then)

    def segment(self, tree: t.Tree) -> int:
        """A new segment, or the one that a bare jump leads to."""
        if not tree.body and isinstance(tree.end, t.Goto):
            return tree.end.segment
        assert self.procedure is not None
        return self.lowering.add(Draft(self.procedure, tree))

    def _shared(self, then: Next) -> t.Tree:
        """What follows, so that several paths may lead there."""
        tree = then()
        if (not tree.body and isinstance(tree.end, t.Goto | t.Finish)) or tree == t.Tree((), t.Return(None)):
            return tree
        return t.Tree((), t.Goto(self.segment(tree)))

    def _cut_if(self, node: t.If, then: Next) -> t.Tree:
        condition = self.values.expr(node.condition)
        if isinstance(condition, t.Const):
            return self.tree(node.then if condition.value else node.otherwise, then)
        after = self._shared(then)
        return t.Tree(
            (),
            t.Branch(condition, self.tree(node.then, lambda: after), self.tree(node.otherwise, lambda: after)),
        )

    def _cut_loop(self, node: p.Loop | t.ForEach, then: Next) -> t.Tree:
        variable = node.variable if isinstance(node, p.Loop) else node.slot
        left = self.variable("left", self.variables[variable].type, True)
        before, items = self.hoisted(self.values.items(node.items))
        self.bounds[left] = self.bound(items)
        head = self.lowering.reserve()
        body = self.tree(node.body, lambda: t.Tree((), t.Goto(head)))
        if isinstance(node, p.Loop) and node.still == "seats" and not self._everybody_stays(node):
            living = t.CellList(t.Const(self.layout.state_lists["living"].address))
            there = t.Contains(living, t.Local(variable))
            body = t.Tree((), t.Branch(there, body, t.Tree((), t.Goto(head))))
        rest = t.Take(t.LocalList(left), t.Binary("-", t.Count(t.LocalList(left)), t.Const(1)), False)
        setting: Code = (t.SetLocal(variable, t.First(t.LocalList(left))), t.SetList(left, rest))
        some = t.Binary(">", t.Count(t.LocalList(left)), t.Const(0))
        tree = t.Tree((), t.Branch(some, t.Tree((*setting, *body.body), body.end), then()))
        self.lowering.fill(head, Draft(self.number, tree))
        return t.Tree((*before, t.SetList(left, items)), t.Goto(head))

    def _cut_while(self, node: t.While, then: Next) -> t.Tree:
        head = self.lowering.reserve()
        body = self.tree(node.body, lambda: t.Tree((), t.Goto(head)))
        after = then()
        tree = t.Tree((t.Charge(node.at),), t.Branch(self.values.expr(node.condition), body, after))
        self.lowering.fill(head, Draft(self.number, tree))
        return t.Tree((), t.Goto(head))

    def _cut_forever(self, node: p.Forever, then: Next) -> t.Tree:
        head = self.lowering.reserve()
        body = self.tree(node.body, lambda: t.Tree((), t.Goto(head)))
        self.lowering.fill(head, Draft(self.number, t.Tree((t.Charge(node.at), *body.body), body.end)))
        return t.Tree((), t.Goto(head))

    def _cut_block(self, node: p.Block, then: Next) -> t.Tree:
        if not any(isinstance(n, p.Leave) and n.label == node.label for s in node.body for n in everything(s)):
            return self.tree(node.body, then)
        after = self._shared(then)
        if isinstance(after.end, t.Goto):
            self.labels[node.label] = after.end.segment
        else:
            self.labels[node.label] = self.lowering.add(Draft(self.number, after))
        return self.tree(node.body, lambda: after)

    def _cut_leave(self, node: p.Leave, then: Next) -> t.Tree:
        if node.label == 0:
            return t.Tree((), t.Return(None))
        return t.Tree((), t.Goto(self.labels[node.label]))

    def _cut_call(self, node: p.CallVerb, then: Next) -> t.Tree:
        arguments = tuple(self.values.argument(a) for a in node.arguments)
        resume = self.segment(then())
        return t.Tree((), t.Invoke(self.lowering.procedure(node.verb), arguments, resume, node.at))

    def _cut_unit(self, node: p.CallUnit, then: Next) -> t.Tree:
        arguments = tuple(self.values.argument(a) for a in node.arguments)
        after = then()
        take: Code = (t.SetLocal(node.result, t.Cell(t.Const(t.RESULT))), t.SetCell(t.Const(t.RESULT), t.Const(0)))
        resume = self.lowering.add(Draft(self.number, t.Tree((*take, *after.body), after.end)))
        return t.Tree((), t.Invoke(self.lowering.procedure(node.unit), arguments, resume, node.at))

    def _cut_give_back(self, node: p.GiveBack, then: Next) -> t.Tree:
        return t.Tree((), t.Return(self.values.expr(node.value)))

    def _cut_perform(self, node: p.PerformField, then: Next) -> t.Tree:
        table = self.lowering.effect_table(node.field, node.definition, True)
        arguments = tuple(self.values.argument(a) for a in node.arguments)
        resume = self.segment(then())
        return t.Tree((), t.InvokeTable(table, self.values.expr(node.item), arguments, resume, node.at))

    def _cut_end_game(self, node: p.EndGame, then: Next) -> t.Tree:
        if not self.lowering.unit_suspends("finish"):
            return t.Tree((t.Do(self.lowering.function("finish"), ()),), t.Finish())
        over = self.lowering.add(Draft(self.number, t.Tree((), t.Finish())))
        return t.Tree((), t.Invoke(self.lowering.procedure("finish"), (), over, 0))

    # -------------------------------------------------------------- asking

    def _cut_choose(self, node: p.Choose, then: Next) -> t.Tree:
        asker, asked = self.variable("asker", PLAYER), self.variable("asked", PLAYER)
        pool = self.values.items(node.pool)
        most = self.values.expr(node.most)
        site = self.lowering.site(node.prompt, self._of(node.of), (), False, node.at, self.bound(pool))
        answer = t.Answer(t.Local(asker))
        if node.single:
            keep: t.Stmt = t.SetLocal(node.result, t.First(answer))
        else:
            keep = t.SetList(node.result, answer)
            self.bounds[node.result] = min(self.bound(pool), most.value if isinstance(most, t.Const) else 2**31)
        after = then()
        resume = self.lowering.add(Draft(self.number, t.Tree((keep, t.CloseDecisions(), *after.body), after.end)))
        ask = t.Ask(
            site, t.Items((t.Local(asker),)), asked, pool, self.values.expr(node.least), most, resume, node.at
        )
        asking = self.lowering.add(Draft(self.number, t.Tree((), ask)))
        return t.Tree((t.SetLocal(asker, self.values.expr(node.seat)),), t.Goto(asking))

    def _cut_menu(self, node: p.Menu, then: Next) -> t.Tree:
        asker, asked = self.variable("asker", PLAYER), self.variable("asked", PLAYER)
        choice = self.variable("choice", NUMBER)
        options, site = self._menu(node, False)
        tree = self._dispatch(node.branches, choice, self._shared(then))
        keep = t.SetLocal(choice, t.First(t.Answer(t.Local(asker))))
        resume = self.lowering.add(Draft(self.number, t.Tree((keep, t.CloseDecisions(), *tree.body), tree.end)))
        one = t.Const(1)
        ask = t.Ask(site, t.Items((t.Local(asker),)), asked, options, one, one, resume, node.at)
        asking = self.lowering.add(Draft(self.number, t.Tree((), ask)))
        return t.Tree((t.SetLocal(asker, self.values.expr(node.seat)),), t.Goto(asking))

    def _menu(self, node: p.Menu | p.MenuTogether, sealed: bool) -> tuple[t.List, int]:
        """All options of a menu, and its site."""
        options: t.List = t.Items(())
        infos = []
        for number, branch in enumerate(node.branches):
            own, info = self._options(branch, number, len(node.branches))
            infos.append(info)
            if isinstance(own, t.Items) and isinstance(options, t.Items):
                options = t.Items((*options.values, *own.values))
            else:
                options = own if options == t.Items(()) else t.Concat(options, own)
        site = self.lowering.site(node.prompt, "menu", tuple(infos), sealed, node.at, self.bound(options))
        return options, site

    def _dispatch(self, branches: tuple[p.Branching, ...], choice: int, after: t.Tree) -> t.Tree:
        """The body of the option that was chosen; without any option nothing."""
        radix = len(branches)
        simple = not any(branch.members for branch in branches)
        tree = after
        for number, branch in reversed(tuple(enumerate(branches))):
            body = self.tree(branch.body, lambda: after)
            if body == after == tree:
                continue
            chosen = t.Tree((*self._decode(branch, choice, radix), *body.body), body.end)
            some = t.Binary(">=", t.Local(choice), t.Const(0))
            test: t.Expr = t.Binary("==", t.Local(choice), t.Const(number))
            if radix == 1:
                test = some
            elif not simple:
                test = t.Binary("==", t.Binary("%", t.Local(choice), t.Const(radix)), t.Const(number))
                test = t.And(some, test)
            tree = t.Tree((), t.Branch(test, chosen, tree))
        return tree

    def _options(self, branch: p.Branching, number: int, radix: int) -> tuple[t.List, t.OptionBranch]:
        """The options of one entry of a menu: `number + radix * members`."""
        kinds = tuple(self._of(type_) for type_ in branch.member_types)
        radices = tuple(self._radix(type_) for type_ in branch.member_types)
        info = t.OptionBranch(branch.key, kinds, branch.names, radices)
        condition = self.values.expr(branch.condition) if branch.condition is not None else None
        if not branch.members:
            one = t.Items((t.Const(number),))
            if condition is None or condition == t.Const(1):
                return one, info
            return t.Choice(condition, one, t.Items(())), info
        code: t.Expr = t.Const(0)
        scale = 1
        for variable, size in zip(branch.variables, radices, strict=True):
            part: t.Expr = t.Local(variable)
            part = part if scale == 1 else t.Binary("*", part, t.Const(scale))
            code = part if code == t.Const(0) else t.Binary("+", code, part)
            scale *= size
        if radix > 1:
            code = t.Binary("+", t.Binary("*", code, t.Const(radix)), t.Const(number))
        elif number:
            code = t.Binary("+", code, t.Const(number))
        options: t.List | None = None
        for variable, members, type_ in reversed(
            list(zip(branch.variables, branch.members, branch.member_types, strict=True))
        ):
            pool = self._distinct(self.values.items(members), members, variable, type_)
            if options is None:
                if condition is not None:
                    pool = t.Filter(pool, variable, condition)
                options = pool if code == t.Local(variable) else t.Map(pool, variable, code)
            else:
                options = t.FlatMap(pool, variable, options)
        assert options is not None
        return options, info

    def _distinct(self, pool: t.List, members: t.List, variable: int, type_: Type) -> t.List:
        """Equal cards of bags are one option."""
        zones = [n.zone for n in everything(members) if isinstance(n, p.ZoneAt)]
        orders = {zone.key: zone.order for zone in self.layout.program.zones}
        if type_.name != "card" or not zones or any(orders[zone] != "bag" for zone in zones):
            return pool
        faces = self.layout.table(tuple(card.face for card in self.layout.cards))
        return t.Distinct(pool, variable, t.Table(faces, t.Local(variable)))

    def _decode(self, branch: p.Branching, choice: int, radix: int) -> Code:
        code: list[t.Stmt] = []
        rest: t.Expr = t.Local(choice) if radix == 1 else t.Binary("//", t.Local(choice), t.Const(radix))
        for number, variable in enumerate(branch.variables):
            size = self._radix(branch.member_types[number])
            last = number == len(branch.variables) - 1
            code.append(t.SetLocal(variable, rest if last else t.Binary("%", rest, t.Const(size))))
            rest = t.Binary("//", rest, t.Const(size))
        return tuple(code)

    def _cut_together(self, node: p.ChooseTogether, then: Next) -> t.Tree:
        pool, most = self.values.items(node.pool), self.values.expr(node.most)
        bound = min(self.bound(pool), most.value if isinstance(most, t.Const) else 2**31)
        of = self._of(node.of)
        site = self.lowering.site(node.prompt, of, (), True, node.at, self.bound(pool))
        if not node.single:
            self.bounds[node.result] = bound

        def take(mine: t.List) -> t.Stmt:
            return t.SetLocal(node.result, t.First(mine)) if node.single else t.SetList(node.result, mine)

        def ask(seats: t.List, resume: int) -> t.Ask:
            return t.Ask(site, seats, node.seat, pool, self.values.expr(node.least), most, resume, node.at)

        seats = self.values.items(node.seats)
        return self._sealed(
            node.prompt.key, of, bound, seats, node.seat, take, lambda end: self.tree(node.body, end), ask, then
        )

    def _cut_menu_together(self, node: p.MenuTogether, then: Next) -> t.Tree:
        choice = self.variable("choice", NUMBER)
        options, site = self._menu(node, True)
        one = t.Const(1)

        def ask(seats: t.List, resume: int) -> t.Ask:
            return t.Ask(site, seats, node.seat, options, one, one, resume, node.at)

        return self._sealed(
            node.prompt.key, "number", 1, self.values.items(node.seats), node.seat,
            lambda mine: t.SetLocal(choice, t.First(mine)),
            lambda end: self._dispatch(node.branches, choice, end()), ask, then,
        )  # fmt: skip

    def _sealed(
        self, key: str, of: str, bound: int, asked: t.List, seat: int, take: Callable[[t.List], t.Stmt],
        body: Callable[[Next], t.Tree], ask: Callable[[t.List, int], t.Ask], then: Next,
    ) -> t.Tree:  # fmt: skip
        """Everybody answers; the answers are kept in the state; then each is carried out, in order."""
        seats = self.variable("seats", PLAYER, True)
        self.bounds[seats] = self.layout.seats
        address = self.lowering.sealed(key, of, bound)
        mine = t.Binary("+", t.Const(address), t.Binary("*", t.Local(seat), t.Const(bound + 1)))
        store: Code = (
            t.ForEach(seat, t.LocalList(seats), (t.SetCells(mine, t.Answer(t.Local(seat))),)),
            t.CloseDecisions(),
        )
        head = self.lowering.reserve()
        carried = body(lambda: t.Tree((), t.Goto(head)))
        rest = t.Take(t.LocalList(seats), t.Binary("-", t.Count(t.LocalList(seats)), t.Const(1)), False)
        one: Code = (
            t.SetLocal(seat, t.First(t.LocalList(seats))),
            t.SetList(seats, rest),
            take(t.CellList(mine)),
            t.SetCells(mine, t.Items(())),
        )
        some = t.Binary(">", t.Count(t.LocalList(seats)), t.Const(0))
        looping = t.Tree((), t.Branch(some, t.Tree((*one, *carried.body), carried.end), then()))
        self.lowering.fill(head, Draft(self.number, looping))
        resume = self.lowering.add(Draft(self.number, t.Tree(store, t.Goto(head))))
        asking = self.lowering.add(Draft(self.number, t.Tree((), ask(t.LocalList(seats), resume))))
        return t.Tree((t.SetList(seats, asked),), t.Goto(asking))

    # -------------------------------------------------------------- variables

    @property
    def number(self) -> int:
        assert self.procedure is not None
        return self.procedure

    def _inlined(self, variable: p.Variable) -> int:
        """A variable of an inlined function, as one of this unit."""
        number = self.variable(variable.name, variable.type, variable.many)
        if variable.type.name != "number" and not variable.many:
            self.ranges.known[number] = (-2, 2**20)
        return number

    def hoisted(self, items: t.List) -> tuple[Code, t.List]:
        """What a filter's condition computes anew for each member though it is the same for all, computed once."""
        if not isinstance(items, t.Filter):
            return (), items
        code: list[t.Stmt] = []

        def once(node: Any) -> Any:
            if isinstance(node, t.First | t.Last | t.Count | t.Call | t.Highest) and items.slot not in reads(node):
                if not any(isinstance(n, t.Present | t.Checked | t.Call | t.CallList) for n in everything(node)):
                    variable = self.variable("once", NUMBER)
                    code.append(t.SetLocal(variable, node))
                    return t.Local(variable)
            return rebuild(node, once) if isinstance(node, t.Expr) else node

        condition = once(items.condition)
        return tuple(code), t.Filter(items.items, items.slot, condition)

    def variable(self, name: str, type_: Type, many: bool = False) -> int:
        self.variables.append(p.Variable(name, type_, many))
        return len(self.variables) - 1

    def _of(self, type_: Type) -> str:
        words = {"player": "seat", "card": "card", "number": "number", "boolean": "number"}
        return words.get(type_.name, type_.of or "definition")

    def _radix(self, type_: Type) -> int:
        return max(1, self.layout.capacity_of(type_.name, type_.of))

    def _note_bounds(self) -> None:
        """The most that each list variable can hold."""
        for _ in range(2):
            for statement in self.unit.body:
                for node in everything(statement):
                    if isinstance(node, p.SetListVar):
                        size = self.bound(self.values.items(node.items))
                        self.bounds[node.variable] = max(self.bounds.get(node.variable, 0), size)

    def bound(self, items: t.List) -> int:
        """The most members that a lowered list can have."""
        if isinstance(items, t.Items):
            return len(items.values)
        if isinstance(items, t.LocalList):
            variable = self.variables[items.slot]
            return self.bounds.get(items.slot, self.layout.capacity_of(variable.type.name, variable.type.of))
        if isinstance(items, t.Cards):
            return self.lowering.zone_capacity(items.zone)
        if isinstance(items, t.Filter | t.Map | t.Extremes | t.Ranked | t.Distinct | t.Rotated):
            return self.bound(items.items)
        if isinstance(items, t.FlatMap):
            return self.bound(items.items) * self.bound(items.body)
        if isinstance(items, t.Concat):
            return self.bound(items.left) + self.bound(items.right)
        if isinstance(items, t.Take):
            limit = items.count.value if isinstance(items.count, t.Const) else 2**31
            return min(self.bound(items.items), limit)
        if isinstance(items, t.Choice):
            return max(self.bound(items.then), self.bound(items.otherwise))
        if isinstance(items, t.CellList):
            return self.lowering.list_capacity(items.address)
        return max(len(self.layout.cards), self.layout.seats, len(self.layout.program.definitions))


_PLAIN: dict[type, Callable[[UnitCode, Any], Code]] = {
    p.SetVar: lambda self, node: (t.SetLocal(node.variable, self.values.expr(node.value)),),
    p.SetListVar: lambda self, node: (t.SetList(node.variable, self.values.items(node.items)),),
    t.If: UnitCode._if,
    t.ForEach: UnitCode._for_each,
    t.While: UnitCode._while,
    t.Move: UnitCode._move,
    t.Reveal: UnitCode._reveal,
    p.SendHome: UnitCode._send_home,
    p.Loop: UnitCode._loop,
    p.Block: UnitCode._block,
    p.Leave: UnitCode._leave,
    p.ChangeTrack: UnitCode._change,
    p.AssignTrack: UnitCode._assign,
    p.AppendTo: UnitCode._append,
    p.RemoveFrom: UnitCode._remove,
    p.SetStateList: UnitCode._set_list,
    p.Eliminate: UnitCode._eliminate,
    p.CallVerb: UnitCode._call,
    p.PerformField: UnitCode._perform,
}

_CUT: dict[type, Callable[[UnitCode, Any, Next], t.Tree]] = {
    t.If: UnitCode._cut_if,
    t.ForEach: UnitCode._cut_loop,
    t.While: UnitCode._cut_while,
    p.Loop: UnitCode._cut_loop,
    p.Forever: UnitCode._cut_forever,
    p.Block: UnitCode._cut_block,
    p.Leave: UnitCode._cut_leave,
    p.CallVerb: UnitCode._cut_call,
    p.PerformField: UnitCode._cut_perform,
    p.CallUnit: UnitCode._cut_unit,
    p.GiveBack: UnitCode._cut_give_back,
    p.MenuTogether: UnitCode._cut_menu_together,
    p.EndGame: UnitCode._cut_end_game,
    p.Choose: UnitCode._cut_choose,
    p.Menu: UnitCode._cut_menu,
    p.ChooseTogether: UnitCode._cut_together,
}
