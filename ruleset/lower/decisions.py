"""Lower the decisions of a unit: choices, menus, and simultaneous answers.

Each asks in a segment of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.ruleset.common.limits import HIGHEST, MOST_OF_THREE, MOST_OFFERED
from rulewright.ruleset.language.types import NUMBER, PLAYER, Type, sort_named
from rulewright.ruleset.lower.context import Calling, Draft, Next, Work, ready
from rulewright.ruleset.lower.statements import Code, PlainCode, may_repeat
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import children, everything
from rulewright.ruleset.table import nodes as t

# ---- Lower a unit to a function, or to a procedure cut into segments where the game can stop
#
# A continuation (`Next`) builds the tree of what follows a statement. It is called once; code shared by two
# paths becomes a segment of its own.
#
# Trees are built by generators that yield the work they depend on (`draft.worked` runs them). So hundreds of
# questions in sequence, or of verbs that call each other, need no deep Python stack.

class SuspendingCode(PlainCode):
    """Adds the code that cuts a unit into segments."""

    def tree(self, code: Code, then: Next, start: int = 0) -> Work[t.Tree]:
        """Build straight-line code up to the first statement that can suspend, and what follows."""
        end = start
        while end < len(code) and not self.lowering.suspends(code[end]):
            end += 1
        before = self.plain(code[start:end])
        if end == len(code):
            after = yield then()
        else:
            after = yield CUTS[type(code[end])](self, code[end], lambda: self.tree(code, then, end + 1))
        return t.Tree((*before, *after.body), after.end)

    def segment(self, tree: t.Tree) -> int:
        """Return a new segment, or the target if the tree is only a jump."""
        if not tree.body and isinstance(tree.end, t.Goto):
            return tree.end.segment
        assert self.procedure is not None
        return self.lowering.add(Draft(self.procedure, tree))

    def _shared(self, then: Next) -> Work[t.Tree]:
        """Build what follows as a tree that several paths can use."""
        tree: t.Tree = yield then()
        if (not tree.body and isinstance(tree.end, t.Goto | t.Finish)) or tree == t.Tree((), t.Return(None)):
            return tree
        return t.Tree((), t.Goto(self.segment(tree)))

    def _cut_if(self, node: t.If, then: Next) -> Work[t.Tree]:
        condition = self.values.expr(node.condition)
        if isinstance(condition, t.Const):
            only: t.Tree = yield self.tree(node.then if condition.value else node.otherwise, then)
            return only
        after = ready((yield self._shared(then)))
        yes = yield self.tree(node.then, after)
        no = yield self.tree(node.otherwise, after)
        return t.Tree((), t.Branch(condition, yes, no))

    def _cut_loop(self, node: p.Loop | t.ForEach, then: Next) -> Work[t.Tree]:
        variable = node.variable if isinstance(node, p.Loop) else node.slot
        left = self.variable("left", self.variables[variable].type, True)
        before, items = self.hoisted(self.values.items(node.items))
        self.bounds[left] = self.bound(items)
        head = self.lowering.reserve()
        body = yield self.tree(node.body, ready(t.Tree((), t.Goto(head))))
        noted, there = self.still_there(node) if isinstance(node, p.Loop) else ((), None)
        if there is not None:
            body = t.Tree((), t.Branch(there, body, t.Tree((), t.Goto(head))))
        rest = t.Take(t.LocalList(left), t.Binary("-", t.Count(t.LocalList(left)), t.Const(1)), False)
        setting: Code = (t.SetLocal(variable, t.First(t.LocalList(left))), t.SetList(left, rest))
        some = t.Binary(">", t.Count(t.LocalList(left)), t.Const(0))
        after = yield then()
        tree = t.Tree((), t.Branch(some, t.Tree((*setting, *body.body), body.end), after))
        self.lowering.fill(head, Draft(self.number, tree))
        return t.Tree((*before, *noted, t.SetList(left, items)), t.Goto(head))

    def _cut_while(self, node: t.While, then: Next) -> Work[t.Tree]:
        head = self.lowering.reserve()
        body = yield self.tree(node.body, ready(t.Tree((), t.Goto(head))))
        after = yield then()
        tree = t.Tree((t.Charge(node.at),), t.Branch(self.values.expr(node.condition), body, after))
        self.lowering.fill(head, Draft(self.number, tree))
        return t.Tree((), t.Goto(head))

    def _cut_forever(self, node: p.Forever, then: Next) -> Work[t.Tree]:
        head = self.lowering.reserve()
        body = yield self.tree(node.body, ready(t.Tree((), t.Goto(head))))
        self.lowering.fill(head, Draft(self.number, t.Tree((t.Charge(node.at), *body.body), body.end)))
        return t.Tree((), t.Goto(head))

    def _cut_block(self, node: p.Block, then: Next) -> Work[t.Tree]:
        if node.label not in self.lowering.left(node.body):
            all_: t.Tree = yield self.tree(node.body, then)
            return all_
        after = yield self._shared(then)
        if isinstance(after.end, t.Goto):
            self.labels[node.label] = after.end.segment
        else:
            self.labels[node.label] = self.lowering.add(Draft(self.number, after))
        tree: t.Tree = yield self.tree(node.body, ready(after))
        return tree

    def _cut_if_in(self, node: p.IfIn, then: Next) -> Work[t.Tree]:
        tree: t.Tree = yield self.tree(self.still_in(node), then)
        return tree

    def _cut_leave(self, node: p.Leave, then: Next) -> Work[t.Tree]:
        if node.label == 0:
            return t.Tree((), t.Return(None))
        return t.Tree((), t.Goto(self.labels[node.label]))
        yield

    def _cut_call(self, node: p.CallVerb, then: Next) -> Work[t.Tree]:
        arguments = self.passed(node.arguments, self.lowering.units[node.verb], node.at)
        resume = self.segment((yield then()))
        return t.Tree((), t.Invoke((yield self.lowering.procedure(node.verb)), arguments, resume, node.at))

    def _cut_unit(self, node: p.CallUnit, then: Next) -> Work[t.Tree]:
        arguments = self.passed(node.arguments, self.lowering.units[node.unit], node.at)
        after = yield then()
        take: Code = (t.SetLocal(node.result, t.Cell(t.Const(t.RESULT))), t.SetCell(t.Const(t.RESULT), t.Const(0)))
        resume = self.lowering.add(Draft(self.number, t.Tree((*take, *after.body), after.end)))
        return t.Tree((), t.Invoke((yield self.lowering.procedure(node.unit)), arguments, resume, node.at))

    def _cut_open(self, node: p.OpenWindow, then: Next) -> Work[t.Tree]:
        """Open a window. Its list's previous content is kept only if the window can be opened recursively."""
        unit, marks = f"window/{node.window}", p.cancelled_list(node.window)
        nests = self.lowering.effects.within_itself(unit)
        kept = (p.SetListVar(node.before, p.ListAt(marks, None)),) if nests else ()
        after = p.ListVar(node.before) if nests else t.Items(())
        opened = (
            *kept,
            p.SetStateList(marks, None, t.Items(())),  # an effect may cancel the window while it is closed
            p.CallVerb(unit, node.arguments, node.at),
            p.SetListVar(node.cancelled, p.ListAt(marks, None)),
            p.SetStateList(marks, None, after),
        )
        tree: t.Tree = yield self.tree(opened, then)
        return tree

    def _cut_give_back(self, node: p.GiveBack, then: Next) -> Work[t.Tree]:
        return t.Tree((), t.Return(self.values.expr(node.value)))
        yield

    def _cut_perform(self, node: p.PerformField, then: Next) -> Work[t.Tree]:
        table = yield self.lowering.procedure_table(node.field, node.definition)
        arguments = self.performing(node)
        resume = self.segment((yield then()))
        return t.Tree((), t.InvokeTable(table, self.values.expr(node.item), arguments, resume, node.at))

    def _cut_end_game(self, node: p.EndGame, then: Next) -> Work[t.Tree]:
        over = t.Tree((), t.Finish())
        if self.lowering.program.series is not None:
            last = self.lowering.add(Draft(self.number, over))
            over = t.Tree((), t.Invoke((yield self.lowering.procedure(p.BETWEEN)), (), last, 0))
        if not self.lowering.unit_suspends("finish"):
            return t.Tree((t.Do(self.lowering.function("finish"), ()),), over.end)
        after = self.lowering.add(Draft(self.number, over))
        return t.Tree((), t.Invoke((yield self.lowering.procedure("finish")), (), after, 0))

    def _cut_next_game(self, node: p.NextGameStatement, then: Next) -> Work[t.Tree]:
        yield self.lowering.game()
        return t.Tree((), t.Restart(node.at))


CUTS: dict[type, Callable[[Any, Any, Next], Work[t.Tree]]] = {
    t.If: SuspendingCode._cut_if,
    t.ForEach: SuspendingCode._cut_loop,
    t.While: SuspendingCode._cut_while,
    p.Loop: SuspendingCode._cut_loop,
    p.Forever: SuspendingCode._cut_forever,
    p.Block: SuspendingCode._cut_block,
    p.IfIn: SuspendingCode._cut_if_in,
    p.Leave: SuspendingCode._cut_leave,
    p.CallVerb: SuspendingCode._cut_call,
    p.PerformField: SuspendingCode._cut_perform,
    p.CallUnit: SuspendingCode._cut_unit,
    p.OpenWindow: SuspendingCode._cut_open,
    p.GiveBack: SuspendingCode._cut_give_back,
    p.EndGame: SuspendingCode._cut_end_game,
    p.NextGameStatement: SuspendingCode._cut_next_game,
}


# ---- Decisions

_UNCERTAIN = (t.Checked, t.Present, t.Within, t.Total, t.Call, t.CallList)
"""Nodes that may raise a rule error: they are evaluated exactly where and as often as the rules say."""


class UnitCode(SuspendingCode):
    """Lowers one unit, including its decisions."""

    def _cut_choose(self, node: p.Choose, then: Next) -> Work[t.Tree]:
        asker, asked = self.variable("asker", PLAYER), self.variable("asked", PLAYER)
        pool = self._each_once(self.values.items(node.pool), node.pool, node.of)
        most = self.values.expr(node.most)
        of, shows = self.sort_of(node.of), self.shown(node.shows)
        site = self.lowering.site(node.prompt, of, (), False, node.at, self.bound(pool), shows, node.private)
        self.lowering.asks(site, self, node)
        answer = t.Answer(t.Local(asker))
        always = self._secret(node.pool, node.least, node.most)
        if node.single:
            keep: t.Stmt = t.SetLocal(node.result, t.First(answer))
        else:
            keep = t.SetList(node.result, answer)
            self.bounds[node.result] = min(self.bound(pool), most.value if isinstance(most, t.Const) else HIGHEST)
        after = yield then()
        resume = self.lowering.add(Draft(self.number, t.Tree((keep, t.CloseDecisions(), *after.body), after.end)))
        ask = t.Ask(
            site,
            t.Items((t.Local(asker),)),
            asked,
            pool,
            self.values.expr(node.least),
            most,
            resume,
            node.at,
            always,
        )
        asking = self.lowering.add(Draft(self.number, t.Tree((), ask)))
        return t.Tree((t.SetLocal(asker, self.values.expr(node.seat)),), t.Goto(asking))

    def _cut_menu(self, node: p.Menu, then: Next) -> Work[t.Tree]:
        asker, asked = self.variable("asker", PLAYER), self.variable("asked", PLAYER)
        choice = self.variable("choice", NUMBER)
        options, site = self._menu(node, False)
        after = yield self._shared(then)
        tree = yield self._dispatch(node.branches, choice, after)
        keep = t.SetLocal(choice, t.First(t.Answer(t.Local(asker))))
        resume = self.lowering.add(Draft(self.number, t.Tree((keep, t.CloseDecisions(), *tree.body), tree.end)))
        one = t.Const(1)
        ask = t.Ask(
            site,
            t.Items((t.Local(asker),)),
            asked,
            options,
            one,
            one,
            resume,
            node.at,
            self._secret(*node.branches),
        )
        asking = self.lowering.add(Draft(self.number, t.Tree((), ask)))
        return t.Tree((t.SetLocal(asker, self.values.expr(node.seat)),), t.Goto(asking))

    def shown(self, shows: tuple[p.ValueShown, ...]) -> tuple[t.Shown, ...]:
        """Lower the values that a text shows."""
        return tuple(t.Shown(one.name, sort_named(one.type), self.values.argument(one.value)) for one in shows)

    def _menu(self, node: p.Menu | p.MenuTogether, sealed: bool) -> tuple[t.List, int]:
        """Return all options of a menu, and its site."""
        options: t.List = t.Items(())
        infos = []
        for number, branch in enumerate(node.branches):
            own, info = self._options(branch, number, len(node.branches))
            infos.append(info)
            if isinstance(own, t.Items) and isinstance(options, t.Items):
                options = t.Items((*options.values, *own.values))
            else:
                options = own if options == t.Items(()) else t.Concat(options, own)
        shows = self.shown(node.shows)
        site = self.lowering.site(node.prompt, "menu", tuple(infos), sealed, node.at, self.bound(options), shows)
        self.lowering.asks(site, self, node)
        return options, site

    def _dispatch(self, branches: tuple[p.Branching, ...], choice: int, after: t.Tree) -> Work[t.Tree]:
        """Branch to the body of the chosen option; without options nothing happens."""
        radix = len(branches)
        simple = not any(branch.members for branch in branches)
        surely = any(not branch.members and branch.condition is None for branch in branches)
        tree = after
        for number, branch in reversed(tuple(enumerate(branches))):
            body = yield self.tree(branch.body, ready(after))
            if body == after == tree:
                continue
            chosen = t.Tree((*self._decode(branch, choice, radix), *body.body), body.end)
            if surely and number == radix - 1:  # some option is chosen, and none of the earlier ones
                tree = chosen
                continue
            some = t.Binary(">=", t.Local(choice), t.Const(0))
            test: t.Expr = t.Binary("==", t.Local(choice), t.Const(number))
            if radix == 1:
                test = some
            elif not simple:
                test = t.Binary("==", t.Binary("%", t.Local(choice), t.Const(radix)), t.Const(number))
                test = test if surely else t.And(some, test)
            tree = t.Tree((), t.Branch(test, chosen, tree))
        return tree

    def _radices(self, branch: p.Branching) -> tuple[int, ...]:
        """Return, for each member of an option, one more than its greatest number."""
        return tuple(
            max(1, min(self.values.ranges.of_members(members)[1], _most_number(branch)) + 1)
            if type_ == NUMBER
            else max(1, self.layout.size.capacity_of(type_.name, type_.of))
            for members, type_ in zip(branch.members, branch.member_types, strict=True)
        )

    def _numbers_fit(self, members: t.List, branch: p.Branching) -> bool:
        low, high = self.values.ranges.of_members(members)
        return low >= 0 and high <= _most_number(branch)

    def _options(self, branch: p.Branching, number: int, radix: int) -> tuple[t.List, t.OptionBranch]:
        """Return the options of one entry of a menu: `number + radix * members`."""
        kinds = tuple(self.sort_of(type_) for type_ in branch.member_types)
        radices = self._radices(branch)
        shows = self.shown(branch.shows)
        slots = branch.variables if shows else ()
        info = t.OptionBranch(branch.key, kinds, branch.names, radices, shows, slots)
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
        tests = self._tests(condition, branch.variables)
        for variable, members, type_ in reversed(
            list(zip(branch.variables, branch.members, branch.member_types, strict=True))
        ):
            pool = self._distinct(self.values.items(members), members, variable, type_)
            if type_ == NUMBER and not self._numbers_fit(members, branch):
                pool = t.Map(pool, variable, t.Within(t.Local(variable), 0, _most_number(branch), branch.at))
            for test in tests[variable]:
                pool = t.Filter(pool, variable, test)
            if options is None:
                options = pool if code == t.Local(variable) else t.Map(pool, variable, code)
            else:
                options = t.FlatMap(pool, variable, options)
        assert options is not None
        return options, info

    @staticmethod
    def _tests(condition: t.Expr | None, variables: tuple[int, ...]) -> dict[int, list[t.Expr]]:
        """Assign the parts of a condition to members: a part that cannot fail is tested as early as possible."""
        tests: dict[int, list[t.Expr]] = {variable: [] for variable in variables}
        parts = [condition] if condition is not None else []
        while parts:
            part = parts.pop()
            certain = not any(isinstance(node, _UNCERTAIN) for node in everything(part))
            if isinstance(part, t.And) and certain:
                parts += [part.right, part.left]
                continue
            read = [variable for variable in variables if t.Local(variable) in everything(part)]
            tests[read[-1] if certain and read else variables[0] if certain else variables[-1]].append(part)
        return tests

    def _distinct(self, pool: t.List, members: t.List, variable: int, type_: Type) -> t.List:
        """Merge equal cards of bags into one option, and equal members of other lists.

        Where something can distinguish equal cards, views merge those that look the same to the player.
        """
        if may_repeat(members, self.variables, self.layout):
            return t.Distinct(pool, variable, t.Local(variable))
        zones = [n.zone for n in everything(members) if isinstance(n, p.ZoneAt)]
        orders = {zone.key: zone.order for zone in self.layout.program.zones}
        if type_.name != "card" or not zones or any(orders[zone] != "bag" for zone in zones) or self._marked(zones):
            return pool
        faces = self.layout.table(tuple(card.face for card in self.layout.cards))
        return t.Distinct(pool, variable, t.Table(faces, t.Local(variable)))

    def _marked(self, zones: Sequence[str]) -> bool:
        """Whether a track or list can distinguish equal cards of zones: of single cards, or holding cards."""
        program = self.layout.program
        places = [(one.of, one.scope) for one in program.tracks if not one.key.startswith(t.SEALED)]
        places += [(one.of, (one.scope,)) for one in program.lists if not one.key.startswith(t.SEALED)]
        kinds = {of.of for of, _ in places if of.name == "card"}
        kinds |= {p.scope_kind(one) for _, scope in places for one in scope if one.endswith(p.EACH_CARD)}
        accepts = [zone.accepts for zone in program.zones if zone.key in zones]
        return any(kind not in self.layout.kinds or not of or kind in of for kind in kinds for of in accepts)

    def _each_once(self, pool: t.List, members: t.List, type_: Type) -> t.List:
        """Return the things that a player can choose from, each once."""
        if not may_repeat(members, self.variables, self.layout):
            return pool
        variable = self.variable("one", type_)
        return t.Distinct(pool, variable, t.Local(variable))

    def _decode(self, branch: p.Branching, choice: int, radix: int) -> Code:
        code: list[t.Stmt] = []
        rest: t.Expr = t.Local(choice) if radix == 1 else t.Binary("//", t.Local(choice), t.Const(radix))
        for number, (variable, size) in enumerate(zip(branch.variables, self._radices(branch), strict=True)):
            last = number == len(branch.variables) - 1
            code.append(t.SetLocal(variable, rest if last else t.Binary("%", rest, t.Const(size))))
            rest = t.Binary("//", rest, t.Const(size))
        return tuple(code)

    def _secret(self, *nodes: t.Expr | t.List | p.Branching) -> bool:
        """Whether the number of options depends on cards in a zone that some seat does not see."""
        return any(self._reads_hidden(one) and not isinstance(one, t.Cards | p.ListVar) for one in nodes)

    def _reads_hidden(self, node: Any) -> bool:
        """Whether an expression reads cards that some seat does not see, in functions that it calls, too."""
        if isinstance(node, t.Stmt | p.ValueShown):
            return False
        if isinstance(node, t.Cards):
            return self.lowering.hidden_reads.cards(node)
        if isinstance(node, p.ListVar):  # wherever the cards are
            return self.variables[node.variable].type.name == "card"
        if isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            return False
        if isinstance(node, Calling) and self.lowering.hidden_reads.called(node):
            return True
        return any(self._reads_hidden(child) for child in children(node))

    def _cut_together(self, node: p.ChooseTogether, then: Next) -> Work[t.Tree]:
        pool, most = self._each_once(self.values.items(node.pool), node.pool, node.of), self.values.expr(node.most)
        bound = min(self.bound(pool), most.value if isinstance(most, t.Const) else HIGHEST)
        of = self.sort_of(node.of)
        shows = self.shown(node.shows)
        site = self.lowering.site(node.prompt, of, (), True, node.at, self.bound(pool), shows)
        self.lowering.asks(site, self, node)
        if not node.single:
            self.bounds[node.result] = bound

        def take(mine: t.List) -> t.Stmt:
            return t.SetLocal(node.result, t.First(mine)) if node.single else t.SetList(node.result, mine)

        def ask(seats: t.List, resume: int) -> t.Ask:
            always = self._secret(node.pool, node.least, node.most)
            return t.Ask(site, seats, node.seat, pool, self.values.expr(node.least), most, resume, node.at, always)

        def carry_out(end: Next) -> Work[t.Tree]:
            return self.tree(node.body, end)

        tree: t.Tree = yield self._sealed(node, of, bound, take, node.body, carry_out, ask, then)
        return tree

    def _cut_menu_together(self, node: p.MenuTogether, then: Next) -> Work[t.Tree]:
        choice = self.variable("choice", NUMBER)
        options, site = self._menu(node, True)
        one = t.Const(1)

        def ask(seats: t.List, resume: int) -> t.Ask:
            return t.Ask(site, seats, node.seat, options, one, one, resume, node.at, self._secret(*node.branches))

        def body(end: Next) -> Work[t.Tree]:
            tree: t.Tree = yield self._dispatch(node.branches, choice, (yield end()))
            return tree

        def take(mine: t.List) -> t.Stmt:
            return t.SetLocal(choice, t.First(mine))

        carried_out = tuple(one for branch in node.branches for one in branch.body)
        tree: t.Tree = yield self._sealed(node, "number", 1, take, carried_out, body, ask, then)
        return tree

    def _sealed(
        self, node: p.ChooseTogether | p.MenuTogether, of: str, bound: int, take: Callable[[t.List], t.Stmt],
        code: Code, body: Callable[[Next], Work[t.Tree]], ask: Callable[[t.List, int], t.Ask], then: Next,
    ) -> Work[t.Tree]:  # fmt: skip
        """Ask all seats; store the answers in the state; then carry them out one by one, in order.

        `code` is all code that `body` lowers. If it can eliminate a player, that player's answer does nothing.
        """
        seat, asked = node.seat, self.asked_in_secret(node.seats)
        seats = self.variable("seats", PLAYER, True)
        self.bounds[seats] = self.layout.seats
        address = self.lowering.sealed(node.prompt.key, of, bound)
        mine = t.Binary("+", t.Const(address), t.Binary("*", t.Local(seat), t.Const(bound + 1)))
        store: Code = (
            t.ForEach(seat, t.LocalList(seats), (t.SetCells(mine, t.Answer(t.Local(seat))),)),
            t.CloseDecisions(),
        )
        head = self.lowering.reserve()
        carried = yield body(ready(t.Tree((), t.Goto(head))))
        if not self.lowering.stays(code):
            carried = t.Tree((), t.Branch(self.in_game(seat), carried, t.Tree((), t.Goto(head))))
        rest = t.Take(t.LocalList(seats), t.Binary("-", t.Count(t.LocalList(seats)), t.Const(1)), False)
        one: Code = (
            t.SetLocal(seat, t.First(t.LocalList(seats))),
            t.SetList(seats, rest),
            take(t.CellList(mine)),
            t.SetCells(mine, t.Items(())),
        )
        some = t.Binary(">", t.Count(t.LocalList(seats)), t.Const(0))
        after = yield then()
        looping = t.Tree((), t.Branch(some, t.Tree((*one, *carried.body), carried.end), after))
        self.lowering.fill(head, Draft(self.number, looping))
        resume = self.lowering.add(Draft(self.number, t.Tree(store, t.Goto(head))))
        asking = self.lowering.add(Draft(self.number, t.Tree((), ask(t.LocalList(seats), resume))))
        return t.Tree((t.SetList(seats, asked),), t.Goto(asking))


CUTS.update(
    {
        p.Choose: UnitCode._cut_choose,
        p.Menu: UnitCode._cut_menu,
        p.MenuTogether: UnitCode._cut_menu_together,
        p.ChooseTogether: UnitCode._cut_together,
    }
)


def _most_number(branch: p.Branching) -> int:
    """Return the greatest number that an option can offer as a member: all members together fit into int32."""
    numbers = sum(type_ == NUMBER for type_ in branch.member_types)
    return MOST_OFFERED if numbers < 3 else MOST_OF_THREE
