"""Flow in YAML: steps, turns, queues, menus, and comparisons. Each becomes code of its unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext, opposite
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.fitting import cards_of
from rulewright.ruleset.check.expressions.names import new_name
from rulewright.ruleset.check.scope import Bound, CheckedExpression, Scope, UnitDraft
from rulewright.ruleset.check.statements import durations
from rulewright.ruleset.check.statements.checker import StatementChecker
from rulewright.ruleset.check.statements.durations import (
    OWN_TURN,
    beginning,
    ending,
    extra_turns_aside,
    inner_turn,
    presume,
    with_extra_turns,
    with_ways_out,
)
from rulewright.ruleset.check.statements.hooks import Hooks, Weaver
from rulewright.ruleset.check.statements.sentences import OTHERWISE, with_last_resort
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.check.texts import (
    choice_values,
    described,
    event_values,
    naming,
    naming_options,
    prompt_values,
    shown_values,
)
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.limits import HIGHEST, empty_range, whole
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.documents.reading import Keyed, Several
from rulewright.ruleset.documents.rules import Body, Conditions, Menu, MenuOption, Pole, Step, Steps
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import all_in
from rulewright.ruleset.source.nodes import ScalarNode, texts_of
from rulewright.ruleset.table import nodes as t

# ---- Forms of steps: turns that go round, queues, simultaneous choices, and comparisons of players

Act = Callable[[Scope], Code]
"""Checks the body of a step for one player, in a scope with the acting player."""
CheckBody = Callable[[Body | None, Scope], Code]


def take_turns_until(
    context: CheckContext, value: CheckedExpression, over: t.Expr, scope: Scope, act: Act, ends: Code, at: int
) -> Code:  # fmt: skip
    """Let the seats take turns round and round until `over` holds before a turn, or none of them is left.

    The order is read once. Seats that are out are passed over; those that come back take part again.
    """
    assert isinstance(value.node, t.List)
    unit = scope.unit
    order, you = unit.variable("order", PLAYER, True), unit.variable("you", PLAYER)
    seat, turn, done = unit.variable("seat", PLAYER), unit.label(), unit.label()
    inner = evolve(scope, you=p.Var(you), exits={**scope.exits, "turn": turn, "leave-step": done})
    begins = beginning(context, unit, "turn", p.Var(you), at)
    acted: Code = (*begins, p.Block(turn, act(inner)), *ends)
    tested = (t.If(over, (p.Leave(done),), ()), *acted)
    tested = with_extra_turns(context, unit, you, tested, at)
    anybody = t.Exists(p.ListVar(order), seat, t.Contains(p.Living(), p.Var(seat)))
    loop = t.While(anybody, (p.Loop(you, p.ListVar(order), tested, "acting", at),), at)
    early = ends if done in unit.left.among(acted) else ()
    return (p.SetListVar(order, value.node), p.Block(done, (loop,)), *early)


def ask_in_queue(
    context: CheckContext, value: CheckedExpression, over: t.Expr | None, scope: Scope, act: Act, ends: Code,
    at: int,
) -> Code:  # fmt: skip
    """Ask the front seat, which leaves the queue unless an option sends it to the end; at most until `over`."""
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
    begins = beginning(context, unit, "turn", p.Var(you), at)
    acted: Code = (*begins, p.Block(turn, act(inner)), *ends)
    if requeue in unit.left.among(acted):
        again = p.SetListVar(queue, t.Concat(p.ListVar(queue), t.Items((p.Var(you),))))
        acted = (
            p.SetVar(back, t.Const(1)),
            p.Block(requeue, (*acted, p.SetVar(back, t.Const(0)))),
            t.If(p.Var(back), (again,), ()),
        )
    acted = (p.IfIn(p.Var(you), acted, all_in(value.node)),)
    body: Code = (p.SetVar(you, t.First(p.ListVar(queue))), p.SetListVar(queue, rest), *acted)
    waiting: t.Expr = t.Binary(">", t.Count(p.ListVar(queue)), t.Const(0))
    loop = t.While(waiting if over is None else t.And(waiting, t.Not(over)), body, at)
    early = ends if done in unit.left.among(acted) else ()
    return (p.SetListVar(queue, value.node), p.Block(done, (loop,)), *early)


def ask_together(
    expressions: ExpressionChecker, value: CheckedExpression, step: Step, scope: Scope, key: str, act: Act,
    ends: Code, at: int,
) -> Code:  # fmt: skip
    """Let all seats choose in secret; then run the body for each in order."""
    assert isinstance(value.node, t.List)
    if len(step.choose) != 1:
        presume(expressions.context, "turn", OWN_TURN)
        return ()
    entry = step.choose[0]
    new_name(expressions.context, entry.key.text, entry.key.span, scope)
    seat = scope.unit.variable("you", PLAYER)
    inner = evolve(scope, you=p.Var(seat), reading=True)
    source = entry.value.from_
    pool = expressions.read(source, inner) if source is not None else None
    if pool is not None and pool.type.name == "zone":
        pool = cards_of(pool)
    least, most = _amounts(expressions, entry.value.number, inner)
    if pool is None or not isinstance(pool.node, t.List):
        presume(expressions.context, "turn", OWN_TURN)
        return ()
    single = least == most == t.Const(1)
    result = scope.unit.variable(entry.key.text, pool.type.one, not single)
    place = scope.unit.variable(f"{entry.key.text} place", NUMBER) if pool.type.name == "card" else None
    label = scope.unit.label()
    type_ = pool.type.one if single else pool.type
    bound = Bound(result, type_, single, place)
    expressions.context.introduce(scope.unit.key, bound, entry.key.text, entry.key.span, True)
    body: Code = ()
    if place is not None:
        body = (p.SetVar(place, pool.place if pool.place is not None else t.Const(-1)),)
    after = evolve(scope.bind(entry.key.text, bound), you=p.Var(seat), exits={**scope.exits, "turn": label})
    begins = beginning(expressions.context, scope.unit, "turn", p.Var(seat), at)
    body = (*body, *begins, p.Block(label, act(after)), *ends)
    prompt = expressions.context.prompt(f"{key}.{entry.key.text}")
    (shows, because), of = choice_values(expressions, prompt, pool, inner), pool.type.one
    asked = p.ChooseTogether(prompt, value.node, seat, pool.node, of, least, most, result, single, body, at, shows)
    return (evolve(asked, because=because),)


def _amounts(expressions: ExpressionChecker, node: ScalarNode | None, scope: Scope) -> tuple[t.Expr, t.Expr]:
    """Return the least and the most of `1`, `0 to 3`, `any`, or `1 to picks(you)`."""
    if node is not None:
        if node.text == "any":
            return t.Const(0), t.Const(HIGHEST)
        low, _, high = node.text.partition(" to ")
        least, most = whole(low), whole(high or low)
        if least is not None and most is not None:
            if least > most:
                expressions.context.report("RW454", node.span, *empty_range(least, most))
            return t.Const(least), t.Const(most)
        if isinstance(parse_expression(node.text), s.RangeNode):
            ends = expressions.read(node, scope)
            if ends is not None and isinstance(ends.node, p.Range):
                return ends.node.low, ends.node.high
            return t.Const(1), t.Const(1)
        value = expressions.read(node, scope, NUMBER)
        if value is not None and isinstance(value.node, t.Expr):
            return value.node, value.node
    return t.Const(1), t.Const(1)


def compare_players(
    expressions: ExpressionChecker, name: ScalarNode, step: Step, scope: Scope, body: CheckBody, at: int
) -> Code:
    """Find the players with most and fewest, breaking ties, and run what follows; nothing if all are equal."""
    among, by = step.among, step.by
    if among is None or by is None:
        return ()
    base = expressions.read(among, evolve(scope, reading=True), PLAYER.list)
    if base is None or not isinstance(base.node, t.List):
        return ()
    unit = scope.unit
    members = unit.variable("among", PLAYER, True)
    new_name(expressions.context, name.text, name.span, scope)
    one = unit.variable(name.text, PLAYER)
    inner = scope.bind(name.text, Bound(one, PLAYER))
    value = expressions.read(by, evolve(inner, reading=True), NUMBER)
    if value is None or not isinstance(value.node, t.Expr):
        return ()
    poles = {pole: unit.variable(pole, PLAYER, True) for pole in ("most", "fewest")}
    extremes = [t.Extremes(p.ListVar(members), one, value.node, pole == "fewest") for pole in poles]
    code: list[t.Stmt] = [p.SetListVar(poles["fewest"], extremes[1])]
    after = scope
    for tied, declared in zip(poles.values(), (step.most, step.fewest), strict=True):
        if declared is not None:
            more, after = _pole(expressions, declared, tied, base.node, after, at)
            code.extend(more)
    code.extend(body(step.then, after))
    differ = t.Binary("<", t.Count(p.ListVar(poles["most"])), t.Count(p.ListVar(members)))
    return (
        p.SetListVar(members, base.node),
        p.SetListVar(poles["most"], extremes[0]),
        t.If(differ, tuple(code), ()),
    )


def _pole(
    expressions: ExpressionChecker, pole: Pole, tied: int, members: t.List, scope: Scope, at: int
) -> tuple[Code, Scope]:
    """Return code that sets the player with most or fewest, and the scope that knows the name."""
    name, tie = pole.as_, pole.tie
    if name is None:
        return (), scope
    new_name(expressions.context, name.text, name.span, scope)
    winner = scope.unit.variable(name.text, PLAYER)
    after = scope.bind(name.text, Bound(winner, PLAYER))
    first, chooser = (tie.first_in, tie.chosen_by) if tie is not None else (None, None)
    if first is not None:
        order = expressions.read(first, evolve(scope, reading=True), PLAYER.list)
        if order is None or not isinstance(order.node, t.List):
            return (), after
        other = scope.unit.variable("other", PLAYER)
        among = t.Filter(order.node, other, t.Contains(p.ListVar(tied), p.Var(other)))
        after = scope.bind(name.text, Bound(winner, PLAYER, not _has_all(order.node, members)))
        return (p.SetVar(winner, t.First(among)),), after
    if chooser is not None:
        seat = expressions.read(chooser, evolve(scope, reading=True), PLAYER)
        if seat is None:
            return (), after
        chosen_by = expressions.context.present(seat, chooser.span)
        prompt = expressions.context.prompt(scope.unit.choice(name.text, scope.prefix))
        source = expressions.context.source(scope.unit.key, name.span)
        one = t.Const(1)
        shows = prompt_values(expressions, prompt, evolve(scope, you=chosen_by))
        return (p.Choose(prompt, chosen_by, p.ListVar(tied), PLAYER, one, one, winner, True, source, shows),), after
    return (p.SetVar(winner, t.First(p.ListVar(tied))),), after


def _has_all(order: t.List, members: t.List) -> bool:
    """Whether all members are certainly in an order."""
    while isinstance(order, t.Rotated):
        order = order.items
    while isinstance(members, t.Rotated | t.Filter) and members != order:
        members = members.items
    return order == members or isinstance(order, p.Everyone)


# ---- Steps

_GOES_ON = ("main", "finish", p.BETWEEN)
"""The units in which more than one effect is carried out."""
EXITS = {"leave the queue": "leave", "go to the end of the queue": "requeue", "leave the step": "leave-step"}


class StepChecker:
    """Checks the steps of phases, set-ups, and effects."""

    def __init__(self, statements: StatementChecker) -> None:
        self.context = statements.context
        self.expressions = statements.expressions
        self.statements = statements
        self.hooks = Hooks(self.context, self.body, self.condition)
        self.weaver = Weaver(self.context, self.plain_body)
        self.statements.weave_part = self.weaver.part

    def body(self, node: Body | None, scope: Scope) -> Code:
        """Check an effect: text, a step, or a list of steps, with what packs put around it."""
        if node is None:
            return ()
        label = 0
        if scope.unit.key in _GOES_ON and "stop" not in scope.exits:  # elsewhere `stop` leaves the unit
            label = scope.unit.label()
            scope = evolve(scope, exits={**scope.exits, "stop": label})
        inner = scope if scope.original is None else evolve(scope, original=None)
        code = self.weaver.woven(node, lambda: self.plain_body(node, scope), inner)
        return (p.Block(label, code),) if label and label in scope.unit.left.among(code) else code

    def plain_body(self, node: Body, scope: Scope) -> tuple[Code, Scope]:
        """Check an effect without what packs put around it; return the code and the scope. Steps give no names."""
        if isinstance(node, ScalarNode):
            return self.statements.effect(node, scope)
        return self.step(node, scope) if isinstance(node, Step) else self.steps(node, scope), scope

    def steps(self, steps: Steps | None, scope: Scope) -> Code:
        """Check steps in sequence; ids are unique among them."""
        code: list[t.Stmt] = []
        seen: dict[str, Span] = {}
        for name in _names(steps):
            if name.text in seen:
                self._two_steps(name.text, seen[name.text], name.span)
            seen[name.text] = name.span
        for step in steps.items if steps is not None else ():
            code.extend(self.step(step, scope))
        return tuple(code)

    def _two_steps(self, name: str, first: Span, second: Span) -> None:
        """Report two steps with one id, at the newer one, in the pack that knows the other."""
        newer, other = (first, second) if self.context.declared.builds_on(first, second) else (second, first)
        label = Label(other, "the other step")
        self.context.report("RW313", newer, f"two steps are called `{name}`", "rename one", label)

    def step(self, step: Step, scope: Scope) -> Code:
        """Check one step, with its conditions, turns, and body."""
        name = step.id.text if step.id is not None else None
        key = f"{scope.prefix or scope.unit.key}.{name}" if name else scope.prefix or scope.unit.key
        span = step.place("id")
        at = self.context.source(f"step/{key}" if name else scope.unit.key, span)
        label = scope.unit.label()
        turned = step.turns is not None or step.queue is not None or step.together is not None
        nested = turned and _in_a_turn(scope)
        begins, ends = self._turn_ends(scope, at) if turned else ((), ())
        ways = self._ways_out(step, scope, nested, at) if turned else {}
        exits = {name: ways.get(outer, outer) for name, outer in scope.exits.items()}
        if 0 in ways and scope.unit.key not in _GOES_ON:
            exits.setdefault("stop", ways[0])
        inner = evolve(scope, prefix=key, exits={**exits, "step": label})
        code = self._ranged(step, inner, key, ends, at)
        idle = _says_nothing(step)
        if name:
            if step.name is not None:
                self.context.texts[f"step/{key}"] = texts_of(step.name)
            code = (self._reached(step, scope, at), *self.context.covered(f"step {key}", at), *code)
            hooked = self.hooks.hooked(f"step/{key}", code, inner)
            idle, code = idle and hooked == code, hooked
        if idle:
            what = f"the step `{name}`" if name else "this step"
            hint = "add `do: …`; if only house rules fill the step, use `do: do nothing`"
            self.context.report("RW329", span, f"{what} does nothing", hint)
        early = ends if label in scope.unit.left.among(code) else ()
        before, after = extra_turns_aside(self.context, scope.unit) if step.turns is not None else ((), ())
        if nested:
            outer, given_back = durations.set_aside(self.context, scope.unit, "turn", at)
            before, after = (*outer, *before), (*after, *given_back)
        code = (*begins, p.Block(label, code), *early)
        code = (*before, *with_ways_out(scope.unit, code, ways, (*(ends if nested else ()), *after)), *after)
        for given, holds in ((step.when, True), (step.unless, False)):
            condition = self.condition(given, scope)
            if condition is not None:
                code = (t.If(condition if holds else t.Not(condition), code, ()),)
        if step.span in self.context.insert_places:
            self.context.inserted_code[step.span] = code
        return code

    def _reached(self, step: Step, scope: Scope, at: int) -> t.Emit:
        """Return the event of a step that begins, with the values that its name shows."""
        you, everybody = scope.you if scope.you is not None else t.Const(-1), t.Const(-1)
        values = event_values(shown_values(self.expressions, step.name, scope, ("seat", "you")))
        self.context.give_values(at, values.types)
        return t.Emit("reached", (you, *values.numbers), values.cards, everybody, everybody, at, values.members)

    def condition(self, conditions: Conditions | None, scope: Scope) -> t.Expr | None:
        """Combine conditions that must all hold."""
        whole: t.Expr | None = None
        for condition in conditions or ():
            value = self.expressions.read(condition, evolve(scope, reading=True), BOOLEAN)
            if value is not None and isinstance(value.node, t.Expr):
                whole = value.node if whole is None else t.And(whole, value.node)
        return whole

    def _ranged(self, step: Step, scope: Scope, key: str, ends: Code, at: int) -> Code:
        """Return the code for each seat or member, `while`, or once. `ends` runs at the end of each turn."""

        def inside(inner: Scope) -> Code:
            return self._acted(step, inner, at)

        if step.turns is not None:
            value = self._among(step.turns, scope)
            if value is None:
                return self._aside(scope, inside)
            over = self._over(step, scope)
            if over is None:
                return self._turns(value, scope, inside, ends, at)
            return take_turns_until(self.context, value, over, scope, inside, ends, at)
        if step.for_each:
            return self._for_each(step.for_each[0], scope, inside, at)
        if step.queue is not None:
            value = self._among(step.queue, scope)
            if value is None:
                return self._aside(scope, inside)
            return ask_in_queue(self.context, value, self._over(step, scope), scope, inside, ends, at)
        if step.together is not None:
            value = self._among(step.together, scope)
            if value is None:
                return ()
            return ask_together(self.expressions, value, step, scope, key, inside, ends, at)
        if step.while_ is not None:
            condition = self.expressions.read(step.while_, evolve(scope, reading=True), BOOLEAN)
            label = scope.unit.label()
            inner = evolve(scope, exits={**scope.exits, "leave-step": label})
            body = inside(inner)
            if condition is None or not isinstance(condition.node, t.Expr):
                return ()
            return (p.Block(label, (t.While(condition.node, body, at),)),)
        return inside(scope)

    def _over(self, step: Step, scope: Scope) -> t.Expr | None:
        """Return the condition that ends turns; None without `until`."""
        return None if step.until is None else self.condition((step.until,), scope) or t.Const(0)

    @staticmethod
    def _aside(scope: Scope, inside: Callable[[Scope], Code]) -> Code:
        """Check a step whose seats or members are unknown, only for findings inside it."""
        exits = dict.fromkeys(("turn", "leave", "requeue", "leave-step"), 0)
        you = scope.you if scope.you is not None else t.Const(0)
        inside(evolve(scope, you=you, exits={**exits, **scope.exits}))
        return ()

    def _among(self, node: ScalarNode, scope: Scope) -> CheckedExpression | None:
        value = self.expressions.read(node, evolve(scope, reading=True), PLAYER.list)
        if value is None:
            durations.presume(self.context, "turn", durations.OWN_TURN)
        return value

    def _turns(
        self, value: CheckedExpression, scope: Scope, inside: Callable[[Scope], Code], ends: Code, at: int
    ) -> Code:
        assert isinstance(value.node, t.List)
        variable = scope.unit.variable("you", PLAYER)
        label = scope.unit.label()
        inner = evolve(scope, you=p.Var(variable), exits={**scope.exits, "turn": label})
        begins = beginning(self.context, scope.unit, "turn", p.Var(variable), at)
        turn = (*begins, p.Block(label, inside(inner)), *ends)
        body = with_extra_turns(self.context, scope.unit, variable, turn, at)
        return (p.Loop(variable, value.node, body, "acting", at),)

    def _turn_ends(self, scope: Scope, at: int) -> tuple[Code, Code]:
        """Return code that runs before the turns of a step, and at the end of each."""
        if not _in_a_turn(scope):
            return (), ending(self.context, scope.unit, "turn", at)
        return inner_turn(self.context, scope.unit, at)

    def _ways_out(self, step: Step, scope: Scope, nested: bool, at: int) -> dict[int, int]:
        """Return a label for each exit of the code around turns, if something is to be done on the way out."""
        unit = UnitDraft("")  # only whether there is any code counts
        kept = extra_turns_aside(self.context, unit)[1] if step.turns is not None else ()
        if nested:
            outer_turn = durations.set_aside(self.context, unit, "turn", at)[1]
            kept = (*kept, *inner_turn(self.context, unit, at)[1], *outer_turn)
        outer = dict.fromkeys((0, *scope.exits.values())) if kept else {}
        return {label: scope.unit.label() for label in outer}

    def _for_each(self, entry: Keyed[ScalarNode], scope: Scope, inside: Callable[[Scope], Code], at: int) -> Code:
        base = self.members(entry, scope)
        if base is None:
            return self._aside(scope.losing(entry.key.text), inside)
        new_name(self.context, entry.key.text, entry.key.span, scope)
        return self.statements.looped(entry.key.text, base, scope, inside, at)

    def members(self, entry: Keyed[ScalarNode], scope: Scope) -> CheckedExpression | None:
        """Return the list that a name runs over, `name: list`; an enumeration or kind means its members."""
        value = self.expressions.read(entry.value, evolve(scope, reading=True))
        if value is None:
            return None
        if value.type.name == "zone":
            return cards_of(value)
        if not value.type.many:
            hint = "write a zone, a list, an enumeration, or `every KIND`"
            self.context.report("RW427", entry.value.span, f"expected a list, found a {value.type}", hint)
            return None
        return value

    # -------------------------------------------------------------- bodies

    def _acted(self, step: Step, scope: Scope, at: int) -> Code:
        """Check the body of a step: optional or not, a menu, an effect, a comparison, or further steps."""
        code: Code = ()
        if step.options is not None:
            code = self.menu(step.options, scope, at)
        elif step.steps is not None:
            if step.around is not None:  # anchors of the surrounded steps stay the same
                scope = evolve(scope, prefix=(scope.prefix or "").rpartition(".")[0])
            code = self.steps(step.steps, scope)
            if step.around is not None:
                self.context.proceeded_code[step.span] = code
        elif step.compare is not None:
            code = compare_players(self.expressions, step.compare, step, scope, self.body, at)
        elif step.do is not None:
            code = self.body(step.do, scope)
        if step.optional:
            if scope.you is None:
                span = step.place("optional")
                message = "no player acts or has the turn here, so no player can decline"
                self.context.report("RW422", span, message, "add `turns: …` to the step")
                return ()
            perform = p.Branching("perform", (), (), (), (), None, code, at)
            decline = p.Branching(p.DECLINE, (), (), (), (), None, (), at)
            prompt = self.context.prompt(scope.prefix, (perform, decline))
            branches = naming_options(self.expressions, prompt, (perform, decline), scope)
            shows = prompt_values(self.expressions, prompt, scope)
            return (p.Menu(prompt, scope.you, branches, at, shows),)
        return code

    def menu(self, options: Menu, scope: Scope, at: int) -> Code:
        """Check a menu of options with `each`, `when`, `do`, and `then`."""
        if scope.you is None:
            hint = "add `turns: …`, `queue: …` or `for-each: …` to the step"
            message = "no player acts or has the turn here, so no player can choose"
            self.context.report("RW422", options.span, message, hint)
            return ()
        branches: list[p.Branching] = []
        last: dict[str, Span] = {}
        lost: list[str] = []
        for entry in options.items:
            if isinstance(entry.value, MenuOption):
                for condition in entry.value.when or ():
                    if condition.text == OTHERWISE:
                        last[entry.key.text] = condition.span
                branch = self.option(entry.key, entry.value, scope)
                lost += [each.key.text for each in entry.value.each if each.key.text not in branch.names]
                branches.append(branch)
            else:
                source = self.context.source(f"step/{scope.prefix}", entry.key.span)
                body = self.body(entry.value, evolve(scope, prefix=f"{scope.prefix}.{entry.key.text}"))
                body = (*self.context.covered(f"option {scope.prefix}.{entry.key.text}", source), *body)
                branches.append(p.Branching(entry.key.text, (), (), (), (), None, body, source))
        prompt = self.context.prompt(scope.unit.choice("choice", scope.prefix), branches)
        self.name_options(options, prompt.key)
        settled = with_last_resort(self.context, branches, last)
        named = naming_options(self.expressions, prompt, settled, scope.losing(*lost))
        return (p.Menu(prompt, scope.you, named, at, prompt_values(self.expressions, prompt, scope)),)

    def name_options(self, options: Menu, choice: str) -> None:
        """Record the texts of the options of a choice."""
        for entry in options.items:
            if isinstance(entry.value, MenuOption):
                option = entry.value
                said = {"choice": option.name, "log": option.log, "option-text": option.text}
                said["because"] = option.because
                for thing, text in said.items():
                    if text is not None:
                        self.context.texts[f"{thing}/{choice}.{entry.key.text}"] = texts_of(text)

    def option(self, key: ScalarNode, option: MenuOption, scope: Scope) -> p.Branching:
        """Check an option of a menu with `each`, conditions, and effects."""
        source = self.context.source(f"step/{scope.prefix}", key.span)
        inner = evolve(scope, prefix=f"{scope.prefix}.{key.text}")
        names: list[str] = []
        variables: list[int] = []
        members: list[t.List] = []
        types = []
        for entry in option.each:
            base = self.members(entry, inner)
            if base is None or not isinstance(base.node, t.List):
                inner = inner.losing(entry.key.text)
                continue
            new_name(self.context, entry.key.text, entry.key.span, inner)
            variable = scope.unit.variable(entry.key.text, base.type.one)
            names.append(entry.key.text)
            variables.append(variable)
            members.append(base.node)
            types.append(base.type.one)
            place = None
            if base.type.name == "card":
                place = scope.unit.variable(f"{entry.key.text} place", NUMBER)
            inner = inner.bind(entry.key.text, Bound(variable, base.type.one, False, place))
        condition = self.condition(tuple(one for one in option.when or () if one.text != OTHERWISE), inner)
        unless = self.condition(option.unless, inner)
        if unless is not None:
            refused = t.Not(unless)
            condition = refused if condition is None else t.And(condition, refused)
            self._record_unless(option, unless, refused)
        places = [
            p.SetVar(bound.place, p.PlaceOf(p.Var(bound.variable)))
            for name in names
            if (bound := inner.names[name]).place is not None
        ]
        if option.each and option.do is None and option.then is None and option.log is None:
            chosen = option.each[-1].key
            hint = "say under `do` what happens with it"
            self.context.doubts.append(Diagnostic("RW451", chosen.span, f"nothing uses `{chosen.text}`", hint))
        told = self.context.covered(f"option {inner.prefix}", source)
        body = (*told, *places, *self.body(option.do, inner))
        if option.then is not None:
            body = (*body, *self._then(option.then, inner))
        branch = p.Branching(
            key.text, tuple(names), tuple(variables), tuple(members), tuple(types), condition, tuple(body), source
        )
        scope = scope.losing(*inner.lost)
        named = naming(self.expressions, branch, option.name, option.log, scope)
        if option.because is not None and not (option.each or option.when or option.unless):
            message = f"`{key.text}` is always offered, so no player reads its `because`"
            hint = "add a condition with `when`, or remove it"
            self.context.report("RW456", option.place("because"), message, hint)
        return described(self.expressions, named, option.text, option.because, scope)

    def _record_unless(self, option: MenuOption, unless: t.Expr, refused: t.Expr) -> None:
        """Record that an `unless` must not hold, with its key: `unless: coins > 2` explains a missing option."""
        recorded = next((one for one in reversed(self.context.conditions) if one.node is unless), None)
        if recorded is not None:
            key = option.place("unless")
            span = evolve(recorded.span, line=key.line, column=key.column)
            self.context.conditions.append(p.Condition(refused, span, opposite(recorded)))

    def _then(self, node: ScalarNode, scope: Scope) -> Code:
        exit_ = EXITS.get(node.text)
        if exit_ is None or exit_ not in scope.exits:
            known = [text for text, name in EXITS.items() if name in scope.exits]
            near = nearest(node.text, known)
            hint = f"write {listed(known, 'or')}" if known else "`then` needs a step with `queue` or `while`"
            hint = f"did you mean `{near}`?" if near else hint
            self.context.report("RW434", node.span, f"`{node.text}` is not possible here", hint)
            return ()
        return (p.Leave(scope.exits[exit_]),)


def _in_a_turn(scope: Scope) -> bool:
    """Whether a step may be within a player's turn. What verbs and effects do may be in one."""
    return scope.unit.key != "main" or "turn" in scope.exits


def _says_nothing(step: Step) -> bool:
    """Whether a step has no body; empty lists count as none."""
    doing = (step.do, step.steps)
    empty = all(one is None or (isinstance(one, Several) and not one.items) for one in doing)
    return empty and step.options is None and step.compare is None and not step.choose


def _names(steps: Steps | None) -> Iterator[ScalarNode]:
    """Yield the ids of a list's steps and of steps that a house rule put others around: all must differ."""
    for step in steps.items if steps is not None else ():
        if step.id is not None:
            yield step.id
        if step.around is not None:
            yield from _names(step.steps)
