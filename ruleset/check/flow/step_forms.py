"""Forms of steps: turns that go round, queues, simultaneous choices, and comparisons of players."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.new_names import new_name
from rulewright.ruleset.check.expressions.values import cards_of
from rulewright.ruleset.check.scope import Bound, Scope, Value
from rulewright.ruleset.check.shown_values import choice_values, prompt_values
from rulewright.ruleset.check.statements.durations.extra_turns import with_extra_turns
from rulewright.ruleset.check.statements.durations.lasting import OWN_TURN, beginning, presume
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.common.limits import HIGHEST
from rulewright.ruleset.common.whole_numbers import empty_range, whole
from rulewright.ruleset.documents.steps import Body, Pole, Step
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.in_game import all_in
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.table import nodes as t

Act = Callable[[Scope], Code]
"""Checks the body of a step for one player, in a scope with the acting player."""
CheckBody = Callable[[Body | None, Scope], Code]


def take_turns_until(
    context: Context, value: Value, over: t.Expr, scope: Scope, act: Act, ends: Code, at: int
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
    context: Context, value: Value, over: t.Expr | None, scope: Scope, act: Act, ends: Code, at: int
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
    expressions: ExpressionChecker, value: Value, step: Step, scope: Scope, key: str, act: Act, ends: Code, at: int
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


def _amounts(expressions: ExpressionChecker, node: Scalar | None, scope: Scope) -> tuple[t.Expr, t.Expr]:
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
        if isinstance(parse_expression(node.text), s.Range):
            ends = expressions.read(node, scope)
            if ends is not None and isinstance(ends.node, p.Range):
                return ends.node.low, ends.node.high
            return t.Const(1), t.Const(1)
        value = expressions.read(node, scope, NUMBER)
        if value is not None and isinstance(value.node, t.Expr):
            return value.node, value.node
    return t.Const(1), t.Const(1)


def compare_players(
    expressions: ExpressionChecker, name: Scalar, step: Step, scope: Scope, body: CheckBody, at: int
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
