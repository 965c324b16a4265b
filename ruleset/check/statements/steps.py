"""Flow written as YAML: steps, turns, queues, menus, comparisons. Each becomes code of the unit it stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import evolve

from ruleset.check.expressions.values import cards_of
from ruleset.check.scope import Bound, Scope, Value
from ruleset.check.statements.checker import Code
from ruleset.check.statements.woven import Weaving
from ruleset.common.diagnostic import Label
from ruleset.common.nearest import nearest
from ruleset.common.span import Span
from ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from ruleset.program import nodes as p
from ruleset.source.nodes import Around
from ruleset.source.reader import Entry, Mapping, Node, Scalar, Sequence
from ruleset.source.yaml_access import text_of, texts_of
from ruleset.table import nodes as t

EXITS = {"leave the queue": "leave", "go to the end of the queue": "requeue", "leave the step": "leave-step"}


_DOING = ("do", "options", "steps", "compare", "choose")
"""Keys that say what a step does."""


class Flow(Weaving):
    """Checks the steps of phases, set-ups, effects."""

    def body(self, node: Node | None, scope: Scope) -> Code:
        """An effect: text, a step, or a list of steps; with what packs put around it."""
        if node is None:
            return ()
        inner = scope if scope.original is None else evolve(scope, original=None)
        return self.woven(node, lambda: self.plain_body(node, scope), inner)

    def plain_body(self, node: Node, scope: Scope) -> tuple[Code, Scope]:
        """An effect without what packs put around it, and the scope after it. Steps give no names."""
        if isinstance(node, Scalar):
            return self.effect(node, scope)
        return self.step(node, scope) if isinstance(node, Mapping) else self.steps(node, scope), scope

    def steps(self, node: Node | None, scope: Scope) -> Code:
        """Steps one after the other; ids are unique among them."""
        code: list[t.Stmt] = []
        seen: dict[str, Span] = {}
        for name in _names(node):
            if name.text in seen:
                self._two_steps(name.text, seen[name.text], name.span)
            seen[name.text] = name.span
        for item in node.items if isinstance(node, Sequence) else ():
            if isinstance(item, Mapping):
                code.extend(self.step(item, scope))
        return tuple(code)

    def _two_steps(self, name: str, first: Span, second: Span) -> None:
        """Two steps of one name: reported where the newer one is, in the pack that knows the other's."""
        newer, other = (first, second) if self.context.declared.builds_on(first, second) else (second, first)
        label = Label(other, "the other step")
        self.context.report("RW313", newer, f"two steps are called `{name}`", "rename one", label)

    def step(self, node: Mapping, scope: Scope) -> Code:
        """One step, with its conditions, its turns and its body."""
        name = text_of(node, "id")
        key = f"{scope.prefix or scope.unit.key}.{name}" if name else scope.prefix or scope.unit.key
        span = node.span_of("id")
        at = self.context.source(f"step/{key}" if name else scope.unit.key, span)
        label = scope.unit.label()
        inner = evolve(scope, prefix=key, exits={**scope.exits, "step": label})
        turned = any(isinstance(node.get(word), Scalar) for word in ("turns", "queue"))
        begins, ends = self._turn_ends(scope, at) if turned else ((), ())
        code = self._ranged(node, inner, key, ends, at)
        idle = all(_says_nothing(node.get(word)) for word in _DOING)
        if name:
            named = node.get("name")
            if isinstance(named, Mapping):
                texts = tuple((e.key.text, e.value.text) for e in named.entries if isinstance(e.value, Scalar))
                self.context.texts[f"step/{key}"] = texts
            you = scope.you if scope.you is not None else t.Const(-1)
            told = t.Emit("reached", (you,), None, t.Const(-1), t.Const(-1), at)
            code = (told, *self.context.covered(f"step {key}", at), *code)
            hooked = self.hooked(f"step/{key}", code, inner)
            idle, code = idle and hooked == code, hooked
        if idle:
            what = f"the step `{name}`" if name else "this step"
            hint = "say what happens: `do: …`; a step that only house rules fill says `do: do nothing`"
            self.context.report("RW329", span, f"{what} does nothing", hint)
        early = ends if label in scope.unit.left.among(code) else ()
        code = (*begins, p.Block(label, code), *early)
        for word in ("when", "unless"):
            condition = self.condition(node.get(word), scope)
            if condition is not None:
                code = (t.If(condition if word == "when" else t.Not(condition), code, ()),)
        if node.span in self.context.insert_places:
            self.context.inserted_code[node.span] = code
        return code

    def condition(self, node: Node | None, scope: Scope) -> t.Expr | None:
        """A condition, or a list of conditions that must all hold."""
        if isinstance(node, Scalar):
            value = self.expressions.read(node, evolve(scope, reading=True), BOOLEAN)
            return value.node if value is not None and isinstance(value.node, t.Expr) else None
        whole: t.Expr | None = None
        for item in node.items if isinstance(node, Sequence) else ():
            part = self.condition(item, scope)
            if part is not None:
                whole = part if whole is None else t.And(whole, part)
        return whole

    def _ranged(self, node: Mapping, scope: Scope, key: str, ends: Code, at: int) -> Code:
        """What runs for each seat, for each member, while, or once. `ends` is what ends with each turn."""

        def inside(inner: Scope) -> Code:
            return self._acted(node, inner, at)

        turns, each, queue, together = (node.get(w) for w in ("turns", "for-each", "queue", "together"))
        if isinstance(turns, Scalar):
            value = self._among(turns, scope)
            return self._turns(value, scope, inside, ends, at) if value is not None else self._aside(scope, inside)
        if isinstance(each, Mapping):
            return self._for_each(each.entries[0], scope, inside, at)
        if isinstance(queue, Scalar):
            value = self._among(queue, scope)
            return self._queue(value, node, scope, ends, at) if value is not None else self._aside(scope, inside)
        if isinstance(together, Scalar):
            value = self._among(together, scope)
            return self._together(value, node, scope, key, at) if value is not None else ()
        loop = node.get("while")
        if isinstance(loop, Scalar):
            condition = self.expressions.read(loop, evolve(scope, reading=True), BOOLEAN)
            label = scope.unit.label()
            inner = evolve(scope, exits={**scope.exits, "leave-step": label})
            body = inside(inner)
            if condition is None or not isinstance(condition.node, t.Expr):
                return ()
            return (p.Block(label, (t.While(condition.node, body, at),)),)
        return inside(scope)

    @staticmethod
    def _aside(scope: Scope, inside: Callable[[Scope], Code]) -> Code:
        """No code, but the findings inside of a step whose seats or members are not known."""
        exits = dict.fromkeys(("turn", "leave", "requeue", "leave-step"), 0)
        you = scope.you if scope.you is not None else t.Const(0)
        inside(evolve(scope, you=you, exits={**exits, **scope.exits}))
        return ()

    def _among(self, node: Scalar, scope: Scope) -> Value | None:
        return self.expressions.read(node, evolve(scope, reading=True), PLAYER.list)

    def _turns(self, value: Value, scope: Scope, inside: Callable[[Scope], Code], ends: Code, at: int) -> Code:
        assert isinstance(value.node, t.List)
        variable = scope.unit.variable("you", PLAYER)
        label = scope.unit.label()
        inner = evolve(scope, you=p.Var(variable), exits={**scope.exits, "turn": label})
        body = (p.Block(label, inside(inner)), *ends)
        return (p.Loop(variable, value.node, body, "seats", at),)

    def ends(self, moment: str, at: int) -> Code:
        """What ends with a moment: the modifiers that were started until then."""
        return tuple(p.AssignTrack(track, (), t.Const(0), at) for track in self._until(moment))

    def _until(self, moment: str) -> tuple[str, ...]:
        return tuple(p.modifier_track(key, moment) for key in self.context.declared.modifiers)

    def _turn_ends(self, scope: Scope, at: int) -> tuple[Code, Code]:
        """What goes before the turns of a step, and what ends with each. Turns within a turn end only the modifiers
        that were started in them: the others go on until the turn around them ends."""
        if scope.unit.key == "main" and "turn" not in scope.exits:
            return (), self.ends("turn", at)
        kept = [(track, scope.unit.variable("kept", NUMBER)) for track in self._until("turn")]
        begins = tuple(p.SetVar(variable, p.TrackAt(track, ())) for track, variable in kept)
        return begins, tuple(p.AssignTrack(track, (), p.Var(variable), at) for track, variable in kept)

    def _for_each(self, entry: Entry, scope: Scope, inside: Callable[[Scope], Code], at: int) -> Code:
        if not isinstance(entry.value, Scalar):
            return ()
        base = self.members(entry, scope)
        if base is None:
            return self._aside(scope.losing(entry.key.text), inside)
        self.new_name(entry.key.text, entry.key.span, scope)
        return self.looped(entry.key.text, base, scope, inside, at)

    def members(self, entry: Entry, scope: Scope) -> Value | None:
        """The list that a name runs over: `name: list`; an enumeration or kind stands for its members."""
        assert isinstance(entry.value, Scalar)
        value = self.expressions.read(entry.value, evolve(scope, reading=True))
        if value is None:
            return None
        if value.type.name == "zone":
            return cards_of(value)
        if not value.type.many:
            hint = "such as `row`, `every special`, or an enumeration"
            self.context.report("RW427", entry.value.span, f"a {value.type} is not a list", hint)
            return None
        return value

    # -------------------------------------------------------------- what is done

    def _acted(self, node: Mapping, scope: Scope, at: int) -> Code:
        """The body of a step: optional or not, a menu, an effect, a comparison, or further steps."""
        code: Code = ()
        options, steps, compare = node.get("options"), node.get("steps"), node.get("compare")
        if isinstance(options, Mapping):
            code = self.menu(options, scope, at)
        elif isinstance(steps, Sequence):
            if isinstance(node, Around):  # what it is around is called as if it were not there
                scope = evolve(scope, prefix=(scope.prefix or "").rpartition(".")[0])
            code = self.steps(steps, scope)
            if isinstance(node, Around):
                self.context.proceeded_code[node.span] = code
        elif isinstance(compare, Scalar):
            code = self._compare(compare, node, scope, at)
        elif node.get("do") is not None:
            code = self.body(node.get("do"), scope)
        if text_of(node, "optional") == "true":
            if scope.you is None:
                span = node.span_of("optional")
                self.context.report(
                    "RW422", span, "nobody's turn says who may decline", "add `turns: …` to the step"
                )
                return ()
            perform = p.Branching("perform", (), (), (), (), None, code, at)
            decline = p.Branching(p.DECLINE, (), (), (), (), None, (), at)
            prompt = self.context.prompt(scope.prefix, (perform, decline))
            return (p.Menu(prompt, scope.you, (perform, decline), at),)
        return code

    def menu(self, options: Mapping, scope: Scope, at: int) -> Code:
        """A menu of options: each `each`, `when`, `do`, `then`."""
        if scope.you is None:
            hint = "add `turns: …`, `queue: …` or `for-each: …` to the step"
            self.context.report("RW422", options.span, "nobody's turn says who chooses", hint)
            return ()
        branches = []
        for entry in options.entries:
            if isinstance(entry.value, Mapping):
                branches.append(self._option(entry.key, entry.value, scope))
            elif isinstance(entry.value, Scalar):
                source = self.context.source(f"step/{scope.prefix}", entry.key.span)
                body = self.body(entry.value, evolve(scope, prefix=f"{scope.prefix}.{entry.key.text}"))
                body = (*self.context.covered(f"option {scope.prefix}.{entry.key.text}", source), *body)
                branches.append(p.Branching(entry.key.text, (), (), (), (), None, body, source))
        prompt = self.context.prompt(scope.unit.choice("choice", scope.prefix), branches)
        self.named(options, prompt.key)
        return (p.Menu(prompt, scope.you, tuple(branches), at),)

    def named(self, options: Mapping, choice: str) -> None:
        """Remembers what players call the options of a choice."""
        for entry in options.entries:
            name = entry.value.get("name") if isinstance(entry.value, Mapping) else None
            if name is not None:
                self.context.texts[f"choice/{choice}.{entry.key.text}"] = texts_of(name)

    def _option(self, key: Scalar, node: Mapping, scope: Scope) -> p.Branching:
        source = self.context.source(f"step/{scope.prefix}", key.span)
        inner = evolve(scope, prefix=f"{scope.prefix}.{key.text}")
        names: list[str] = []
        variables: list[int] = []
        members: list[t.List] = []
        types = []
        each = node.get("each")
        for entry in each.entries if isinstance(each, Mapping) else ():
            base = self.members(entry, inner) if isinstance(entry.value, Scalar) else None
            if base is None or not isinstance(base.node, t.List):
                inner = inner.losing(entry.key.text)
                continue
            self.new_name(entry.key.text, entry.key.span, inner)
            variable = scope.unit.variable(entry.key.text, base.type.one)
            names.append(entry.key.text)
            variables.append(variable)
            members.append(base.node)
            types.append(base.type.one)
            place = None
            if base.type.name == "card":
                place = scope.unit.variable(f"{entry.key.text} place", NUMBER)
            inner = inner.bind(entry.key.text, Bound(variable, base.type.one, False, place))
        condition = self.condition(node.get("when"), inner)
        unless = self.condition(node.get("unless"), inner)
        if unless is not None:
            refused = t.Not(unless)
            condition = refused if condition is None else t.And(condition, refused)
            self._noted_unless(node, unless, refused)
        places = [
            p.SetVar(bound.place, p.PlaceOf(p.Var(bound.variable)))
            for name in names
            if (bound := inner.names[name]).place is not None
        ]
        told = self.context.covered(f"option {inner.prefix}", source)
        body = (*told, *places, *self.body(node.get("do"), inner))
        then = node.get("then")
        if isinstance(then, Scalar):
            body = (*body, *self._then(then, inner))
        return p.Branching(
            key.text, tuple(names), tuple(variables), tuple(members), tuple(types), condition, tuple(body), source
        )

    def _noted_unless(self, node: Mapping, unless: t.Expr, refused: t.Expr) -> None:
        """Notes that what `unless` says must not hold, with its key: `unless: coins > 2` is why it is left out."""
        key = node.key("unless")
        noted = next((one for one in reversed(self.context.conditions) if one.node is unless), None)
        if key is not None and noted is not None:
            span = evolve(noted.span, line=key.span.line, column=key.span.column)
            self.context.conditions.append(evolve(noted, node=refused, span=span))

    def _then(self, node: Scalar, scope: Scope) -> Code:
        exit_ = EXITS.get(node.text)
        if exit_ is None or exit_ not in scope.exits:
            known = [text for text, name in EXITS.items() if name in scope.exits]
            near = nearest(node.text, known)
            hint = (
                f"did you mean `{near}`?"
                if near
                else "; ".join(known) or "only a step with `queue` or `while` knows `then`"
            )
            self.context.report("RW434", node.span, f"`{node.text}` is not known here", hint)
            return ()
        return (p.Leave(scope.exits[exit_]),)

    # -------------------------------------------------------------- queues, simultaneous choices, comparisons

    def _queue(self, value: Value, node: Mapping, scope: Scope, ends: Code, at: int) -> Code:
        """The front seat is asked; it leaves the queue unless an option sends it to the end."""
        unit = scope.unit
        queue = unit.variable("queue", PLAYER, True)
        you = unit.variable("you", PLAYER)
        other = unit.variable("other", PLAYER)
        back = unit.variable("goes to the end", BOOLEAN)
        done, turn, requeue = unit.label(), unit.label(), unit.label()
        exits = {**scope.exits, "turn": turn, "leave": turn, "requeue": requeue, "leave-step": done}
        inner = evolve(scope, you=p.Var(you), exits=exits)
        assert isinstance(value.node, t.List)
        rest = t.Filter(p.ListVar(queue), other, t.Binary("!=", p.Var(other), p.Var(you)))
        acted: Code = (p.Block(turn, self._acted(node, inner, at)), *ends)
        if requeue in unit.left.among(acted):
            again = p.SetListVar(queue, t.Concat(p.ListVar(queue), t.Items((p.Var(you),))))
            acted = (
                p.SetVar(back, t.Const(1)),
                p.Block(requeue, (*acted, p.SetVar(back, t.Const(0)))),
                t.If(p.Var(back), (again,), ()),
            )
        body: Code = (p.SetVar(you, t.First(p.ListVar(queue))), p.SetListVar(queue, rest), *acted)
        loop = t.While(t.Binary(">", t.Count(p.ListVar(queue)), t.Const(0)), body, at)
        early = ends if done in unit.left.among(acted) else ()
        return (p.SetListVar(queue, value.node), p.Block(done, (loop,)), *early)

    def _together(self, value: Value, node: Mapping, scope: Scope, key: str, at: int) -> Code:
        """All seats choose, sealed; then the body runs for each in order."""
        choose = node.get("choose")
        assert isinstance(value.node, t.List)
        if not isinstance(choose, Mapping) or len(choose.entries) != 1:
            return ()
        entry = choose.entries[0]
        self.new_name(entry.key.text, entry.key.span, scope)
        seat = scope.unit.variable("you", PLAYER)
        inner = evolve(scope, you=p.Var(seat), reading=True)
        if not isinstance(entry.value, Mapping):
            return ()
        amount, source = entry.value.get("number"), entry.value.get("from")
        pool = self.expressions.read(source, inner) if isinstance(source, Scalar) else None
        if pool is not None and pool.type.name == "zone":
            pool = cards_of(pool)
        least, most = self._amounts(amount, inner)
        if pool is None or not isinstance(pool.node, t.List):
            return ()
        single = least == most == t.Const(1)
        result = scope.unit.variable(entry.key.text, pool.type.one, not single)
        place = scope.unit.variable(f"{entry.key.text} place", NUMBER) if pool.type.name == "card" else None
        label = scope.unit.label()
        type_ = pool.type.one if single else pool.type
        bound = Bound(result, type_, single, place)
        self.context.introduce(scope.unit.key, bound, entry.key.text, entry.key.span, True)
        body: Code = ()
        if place is not None:
            body = (p.SetVar(place, pool.place if pool.place is not None else t.Const(-1)),)
        after = evolve(scope.bind(entry.key.text, bound), you=p.Var(seat), exits={**scope.exits, "turn": label})
        body = (*body, p.Block(label, self._acted(node, after, at)), *self.ends("turn", at))
        prompt = self.context.prompt(f"{key}.{entry.key.text}")
        return (
            p.ChooseTogether(
                prompt, value.node, seat, pool.node, pool.type.one, least, most, result, single, body, at
            ),
        )

    def _amounts(self, node: Node | None, scope: Scope) -> tuple[t.Expr, t.Expr]:
        """`1`, `0 to 3`, `any`: the least and the most."""
        if isinstance(node, Scalar):
            if node.text == "any":
                return t.Const(0), t.Const(2**31 - 1)
            low, _, high = node.text.partition(" to ")
            if low.isdigit() and (not high or high.isdigit()):
                return t.Const(int(low)), t.Const(int(high or low))
            value = self.expressions.read(node, scope, NUMBER)
            if value is not None and isinstance(value.node, t.Expr):
                return value.node, value.node
        return t.Const(1), t.Const(1)

    def _compare(self, name: Scalar, node: Mapping, scope: Scope, at: int) -> Code:
        """Most and fewest among some: with a tie rule for each, and what follows. All equal: nothing."""
        among, by = node.get("among"), node.get("by")
        if not isinstance(among, Scalar) or not isinstance(by, Scalar):
            return ()
        base = self.expressions.read(among, evolve(scope, reading=True), PLAYER.list)
        if base is None or not isinstance(base.node, t.List):
            return ()
        unit = scope.unit
        members = unit.variable("among", PLAYER, True)
        self.new_name(name.text, name.span, scope)
        one = unit.variable(name.text, PLAYER)
        inner = scope.bind(name.text, Bound(one, PLAYER))
        value = self.expressions.read(by, evolve(inner, reading=True), NUMBER)
        if value is None or not isinstance(value.node, t.Expr):
            return ()
        poles = {pole: unit.variable(pole, PLAYER, True) for pole in ("most", "fewest")}
        extremes = [t.Extremes(p.ListVar(members), one, value.node, pole == "fewest") for pole in poles]
        code: list[t.Stmt] = [p.SetListVar(poles["fewest"], extremes[1])]
        after = scope
        for pole, tied in poles.items():
            declared = node.get(pole)
            if isinstance(declared, Mapping):
                more, after = self._pole(declared, tied, base.node, after, at)
                code.extend(more)
        code.extend(self.body(node.get("then"), after))
        differ = t.Binary("<", t.Count(p.ListVar(poles["most"])), t.Count(p.ListVar(members)))
        return (
            p.SetListVar(members, base.node),
            p.SetListVar(poles["most"], extremes[0]),
            t.If(differ, tuple(code), ()),
        )

    def _pole(self, node: Mapping, tied: int, members: t.List, scope: Scope, at: int) -> tuple[Code, Scope]:
        """Who has most or fewest of the members, and the scope that knows them."""
        name, tie = node.get("as"), node.get("tie")
        if not isinstance(name, Scalar):
            return (), scope
        self.new_name(name.text, name.span, scope)
        winner = scope.unit.variable(name.text, PLAYER)
        after = scope.bind(name.text, Bound(winner, PLAYER))
        first, chooser = (tie.get("first-in"), tie.get("chosen-by")) if isinstance(tie, Mapping) else (None, None)
        if isinstance(first, Scalar):
            order = self.expressions.read(first, evolve(scope, reading=True), PLAYER.list)
            if order is None or not isinstance(order.node, t.List):
                return (), after
            other = scope.unit.variable("other", PLAYER)
            among = t.Filter(order.node, other, t.Contains(p.ListVar(tied), p.Var(other)))
            after = scope.bind(name.text, Bound(winner, PLAYER, not _has_all(order.node, members)))
            return (p.SetVar(winner, t.First(among)),), after
        if isinstance(chooser, Scalar):
            seat = self.expressions.read(chooser, evolve(scope, reading=True), PLAYER)
            if seat is None:
                return (), after
            chosen_by = self.context.present(seat, chooser.span)
            prompt = self.context.prompt(scope.unit.choice(name.text, scope.prefix))
            source = self.context.source(scope.unit.key, name.span)
            one = t.Const(1)
            return (p.Choose(prompt, chosen_by, p.ListVar(tied), PLAYER, one, one, winner, True, source),), after
        return (p.SetVar(winner, t.First(p.ListVar(tied))),), after


def _says_nothing(node: Node | None) -> bool:
    """Whether a key of a step is missing, or an empty list."""
    return node is None or (isinstance(node, Sequence) and not node.items)


def _has_all(order: t.List, members: t.List) -> bool:
    """Whether all of some players are certainly in an order."""
    while isinstance(order, t.Rotated):
        order = order.items
    while isinstance(members, t.Rotated | t.Filter) and members != order:
        members = members.items
    return order == members or isinstance(order, p.Everyone)


def _names(steps: Node | None) -> Iterator[Scalar]:
    """The ids of steps of a list, and of those around which a house rule put another: all that must differ."""
    for item in steps.items if isinstance(steps, Sequence) else ():
        name = item.get("id") if isinstance(item, Mapping) else None
        if isinstance(name, Scalar):
            yield name
        if isinstance(item, Around):
            yield from _names(item.get("steps"))
