"""The end of a game: awards and the winner."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.scope import CheckedExpression, Scope
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.check.texts import can_show, event_values
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.documents.rules import Award, OtherWinner, Winner
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import substitute
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t


@frozen(repr=False)
class _Award(Record):
    """An award being checked: `number` is the number of the award, `seat` the variable of the candidate.

    `member` is the member of `for-each`, whose name for players its event gives.
    """

    says: Award
    number: int
    scope: Scope
    seat: int
    at: int
    member: p.ValueShown | None


class ScoringChecker:
    """Checks awards and the winner."""

    def __init__(self, steps: StepChecker) -> None:
        self.context = steps.context
        self.expressions = steps.expressions
        self.steps = steps

    def award(self, says: Award, number: int, scope: Scope) -> Code:
        """Return the code of one award."""
        at = self.context.source(f"award/{says.key}", says.span)
        if says.when is not None:
            holds = self.expressions.read(says.when, evolve(scope, reading=True), BOOLEAN)
            code = self._awarded(says, number, scope, at)
            return (t.If(holds.node, code, ()),) if holds is not None and isinstance(holds.node, t.Expr) else ()
        return self._awarded(says, number, scope, at)

    def _awarded(self, says: Award, number: int, scope: Scope, at: int) -> Code:
        if says.for_each:
            each = says.for_each[0]
            base = self.steps.members(each, scope)
            if base is None:
                return ()
            one = base.type.one
            told = can_show(one) and one.name != "card"

            def body(inner: Scope) -> Code:
                member = p.ValueShown(each.key.text, one, p.Var(inner.names[each.key.text].variable))
                return self._award(says, number, inner, at, member if told else None)

            return self.steps.statements.looped(each.key.text, base, scope, body, at)
        return self._award(says, number, scope, at, None)

    def _award(self, says: Award, number: int, scope: Scope, at: int, member: p.ValueShown | None) -> Code:
        seat = scope.unit.variable("seat", PLAYER)
        award = _Award(says, number, scope, seat, at, member)
        own = evolve(scope, you=p.Var(seat), reading=True)
        for word, given in (("sum", says.sum), ("majority", says.majority), ("rank", says.rank)):
            if given is not None:
                value = self.expressions.read(given, own, NUMBER)
                if value is None or not isinstance(value.node, t.Expr):
                    return ()
                if word == "sum":
                    points = scope.unit.variable("points", NUMBER)
                    body = (p.SetVar(points, value.node), *self._score(award, p.Var(points)))
                    return (t.ForEach(seat, p.Everyone(), body),)
                eligible: t.List = p.Everyone()
                if says.at_least is not None:
                    least = self.expressions.read(says.at_least, own, NUMBER)
                    if least is None or not isinstance(least.node, t.Expr):
                        return ()
                    eligible = t.Filter(eligible, seat, t.Binary(">=", value.node, least.node))
                if word == "majority":
                    return self._majority(award, value.node, eligible)
                return self._rank(award, value, eligible)
        return ()

    def _score(
        self, award: _Award, points: t.Expr, counted: t.Expr | None = None, place: t.Expr | None = None
    ) -> Code:
        """Return the code that gives points to `award.seat`.

        The event tells what they are for: the member of `for-each`, the number that was counted, and the place. The
        numbers are kept before the points are added, since an award may count points.
        """
        seat, at, everybody = p.Var(award.seat), award.at, t.Const(-1)
        kept: list[t.Stmt] = []
        shows = [award.member] if award.member is not None else []
        for name, value in (("counted", counted), ("place", place)):
            if value is not None:
                variable = award.scope.unit.variable(name, NUMBER)
                kept.append(p.SetVar(variable, value))
                shows.append(p.ValueShown(name, NUMBER, p.Var(variable)))
        values = event_values(shows)
        self.context.give_values(at, values.types)
        numbers = (t.Const(award.number), seat, points, *values.numbers)
        event = t.Emit("scored", numbers, None, everybody, everybody, at)
        gain = p.ChangeTrack("score", (seat,), points, at)
        told = self.context.covered(self.context.sources[at].name.replace("/", " "), at)
        return (t.If(t.Binary("!=", points, t.Const(0)), (*kept, gain, event, *told), ()),)

    def _majority(self, award: _Award, value: t.Expr, eligible: t.List) -> Code:
        prize, scope = award.says.prize, award.scope
        if prize is None:
            return ()
        amounts: list[t.Expr] = []
        for given in (prize.alone, prize.shared):
            amount = self.expressions.read_node(given, scope, NUMBER)
            amounts.append(amount.node if amount is not None and isinstance(amount.node, t.Expr) else t.Const(0))
        best = scope.unit.variable("best", PLAYER, True)
        points = scope.unit.variable("points", NUMBER)
        one = t.Binary("==", t.Count(p.ListVar(best)), t.Const(1))
        return (
            p.SetListVar(best, t.Extremes(eligible, award.seat, value, False)),
            p.SetVar(points, t.IfElse(one, amounts[0], amounts[1])),
            t.ForEach(award.seat, p.ListVar(best), self._score(award, p.Var(points), value)),
        )

    def _rank(self, award: _Award, value: CheckedExpression, eligible: t.List) -> Code:
        scope, seat = award.scope, award.seat
        prizes = self._prizes(award.says.prizes, scope)
        assert isinstance(value.node, t.Expr)
        ties = award.says.ties
        rule = ties.text if ties is not None else "each"
        order = scope.unit.variable("order", PLAYER, True)
        if rule == "earlier arrival":
            target = value.target
            if target is None or target.category != "track" or not self._keeps_arrival(target.key):
                assert ties is not None
                hint = "`rank` must be a track with `arrival: kept`, such as `fame[colour]`"
                message = "`earlier arrival` needs a track that records the order of arrival"
                self.context.report("RW440", ties.span, message, hint)
                return ()
            first = t.Ranked(eligible, seat, p.ArrivalAt(target.key, target.indices), False)
            code: list[t.Stmt] = [p.SetListVar(order, t.Ranked(first, seat, value.node, True))]
            for place, prize in enumerate(prizes):
                one = t.Last(t.Take(p.ListVar(order), t.Const(place + 1), True))
                enough = t.Binary(">", t.Count(p.ListVar(order)), t.Const(place))
                scored = self._score(award, prize, value.node, t.Const(place + 1))
                code.append(t.If(enough, (p.SetVar(seat, one), *scored), ()))
            return tuple(code)
        ranked = t.Ranked(eligible, seat, value.node, True)
        return (p.SetListVar(order, ranked), *self._paid(award, value.node, prizes, order, rule == "split"))

    def _paid(self, award: _Award, value: t.Expr, prizes: tuple[t.Expr, ...], order: int, split: bool) -> Code:
        """Return the code that pays the members of `order`, who are ranked.

        Equal players have equal places: each gets the prize of the place, or, with `split`, they share the prizes
        of all the places that they take. Payments change no place, even where the award counts points: each number
        is read before its player is paid, and who is equal is counted before the first of them is.
        """
        unit, at = award.scope.unit, award.at
        mine, before, number, place, equal, points = (
            unit.variable(name, NUMBER) for name in ("mine", "before", "number", "place", "equal", "points")
        )
        other = unit.variable("other", PLAYER)
        theirs = _replace(value, award.seat, other)
        alike = t.Count(t.Filter(p.ListVar(order), other, t.Binary("==", theirs, p.Var(mine))))
        amount: t.Expr = t.Const(0)
        for first, prize in enumerate(prizes, 1):
            here: t.Expr = t.Binary("==", p.Var(place), t.Const(first))
            if split:
                end = t.Checked("+", p.Var(place), p.Var(equal), at)
                reached = t.Binary("<=", p.Var(place), t.Const(first))
                here = t.And(reached, t.Binary("<", t.Const(first), end))
                amount = t.Checked("+", amount, t.IfElse(here, prize, t.Const(0)), at)
            else:
                amount = t.IfElse(here, prize, amount)
        if split:
            amount = t.Checked("//", amount, p.Var(equal), at)
        counts = (p.SetVar(equal, alike),) if split else ()
        first_of_equals = t.Or(
            t.Binary("==", p.Var(number), t.Const(1)), t.Binary("!=", p.Var(mine), p.Var(before))
        )
        body = (
            p.SetVar(mine, value),
            p.SetVar(number, t.Binary("+", p.Var(number), t.Const(1))),
            t.If(
                first_of_equals,
                (p.SetVar(place, p.Var(number)), p.SetVar(before, p.Var(mine)), *counts),
                (),
            ),
            p.SetVar(points, amount),
            *self._score(award, p.Var(points), p.Var(mine), p.Var(place)),
        )
        zero = (before, number, place, *((equal,) if split else ()))
        starts = tuple(p.SetVar(one, t.Const(0)) for one in zero)
        return (*starts, t.ForEach(award.seat, p.ListVar(order), body))

    def _keeps_arrival(self, track: str) -> bool:
        declared = self.context.declared.tracks.get(track)
        return declared is not None and declared[1].arrival

    def _prizes(self, given: ScalarNode | tuple[ScalarNode, ...] | None, scope: Scope) -> tuple[t.Expr, ...]:
        if isinstance(given, ScalarNode):
            found = self.context.declared.values.get(given.text)
            if found is not None:
                longest = max([len(found[1].default), *(len(numbers) for _, numbers in found[1].by_players)])
                return tuple(p.ValueOf(given.text, index) for index in range(longest))
            if given.text not in self.context.poisoned:
                self.expressions.names.hints.unknown(given.text, scope, given.span)
            return ()
        return tuple(t.Const(one.value) for one in given or () if isinstance(one.value, int))

    def winner(self, says: Winner, scope: Scope) -> Code:
        """Return the code that decides who wins: candidates, criteria, and the case without a winner."""
        code: list[t.Stmt] = [*self._winner(says, scope)]
        other = says.if_nobody
        if other is not None:
            nobody = t.Not(
                t.Exists(p.Everyone(), (v := scope.unit.variable("seat", PLAYER)), p.TrackAt("winner", (p.Var(v),)))
            )
            test: t.Expr = nobody
            if other.when is not None:
                value = self.expressions.read(other.when, evolve(scope, reading=True), BOOLEAN)
                if value is not None and isinstance(value.node, t.Expr):
                    test = t.And(nobody, value.node)
            code.append(t.If(test, self._winner(other, scope), ()))
        return tuple(code)

    def _winner(self, says: Winner | OtherWinner, scope: Scope) -> Code:
        among = says.among
        if among is None:
            return ()
        base = self.expressions.read(among, evolve(scope, reading=True), PLAYER.list)
        if base is None or not isinstance(base.node, t.List):
            return ()
        at = self.context.source("winner", among.span)
        return self.best(base.node, says.order, says.ties, scope, at)

    def best(
        self, among: t.List, order: Sequence[ScalarNode], ties: ScalarNode | None, scope: Scope, at: int
    ) -> Code:
        """Return the code that marks the best of some players, by these criteria, as winners."""
        best, seat = scope.unit.variable("best", PLAYER, True), scope.unit.variable("seat", PLAYER)
        code: list[t.Stmt] = [p.SetListVar(best, among)]
        for item in order:
            word = item.text.split(" ", 1)[0]
            tail = item.text[len(word) :]
            if word not in ("most", "fewest", "least") or not tail.strip():
                by = tail.strip() if word in ("more", "less", "highest", "lowest") else item.text.strip()
                hint = f"write `most {by}` or `fewest {by}`"
                self.context.report("RW442", item.span, "a criterion begins with `most` or `fewest`", hint)
                continue
            own = evolve(scope, you=p.Var(seat), reading=True)
            value = self.expressions.part(item, len(word) + 1, own, NUMBER)
            if value is not None and isinstance(value.node, t.Expr):
                extremes = t.Extremes(p.ListVar(best), seat, value.node, word != "most")
                code.append(p.SetListVar(best, extremes))
        body = (p.AssignTrack("winner", (p.Var(seat),), t.Const(1), at),)
        wins: Code = (t.ForEach(seat, p.ListVar(best), body),)
        if ties is not None and ties.text == "nobody":
            wins = (t.If(t.Binary("==", t.Count(p.ListVar(best)), t.Const(1)), wins, ()),)
        return (*code, *wins)


def _replace(node: t.Expr, old: int, new: int) -> t.Expr:
    """Replace a variable in an expression."""
    return substitute(node, {}, {old: new})


# ---- The result of a game, named after the first `winner` document whose condition holds

Statements = tuple[t.Stmt, ...]


def named(winners: Sequence[Winner]) -> bool:
    """Whether results have names: there are several documents, or one with a condition."""
    return len(winners) > 1 or any(winner.when is not None for winner in winners)


def outcome_tracks(winners: Sequence[Winner]) -> tuple[p.Track, ...]:
    """Return the track of the result, if results have names."""
    track = p.Track(p.OUTCOME, (), NUMBER, -1, len(winners), False, t.Const(-1), "all", "nobody", False)
    return (track,) if named(winners) else ()


def outcomes(winners: Sequence[Winner]) -> tuple[p.EnumerationDeclared, ...]:
    """Return the names of results, if they have names."""
    return (p.EnumerationDeclared(p.OUTCOME, tuple(winner.key for winner in winners)),) if named(winners) else ()


def check_winners(context: CheckContext, winners: Sequence[Winner]) -> None:
    """Report winners in several files, whose order is not defined, and those that can never decide."""
    for other in winners[1:]:
        first = winners[0]
        if other.span.path != first.span.path:
            hint = f"put them into one file in their order, or change the other with `change: winner/{first.key}`"
            message = "the `winner` documents of a game are in one file, and this is in another"
            context.report("RW335", other.span, message, hint, Label(first.span, "the first one"))
    winners = [winner for winner in winners if winner.span.path == winners[0].span.path]
    always = next((number for number, winner in enumerate(winners) if winner.when is None), len(winners))
    for later in winners[always + 1 :]:
        label = Label(winners[always].span, "this one has no `when`")
        message = f"`{later.key}` never decides, since `{winners[always].key}` comes before it and always decides"
        hint = f"give `{winners[always].key}` a `when`, or put it last"
        context.report("RW505", later.span, message, hint, label)


def decided(context: CheckContext, scoring: ScoringChecker, winners: Sequence[Winner], scope: Scope) -> Statements:
    """Return the code that decides who wins and, where results have names, which result it is."""
    if not named(winners):
        return tuple(statement for winner in winners for statement in scoring.winner(winner, scope))
    code: Statements = ()
    for number, winner in reversed(tuple(enumerate(winners))):
        at = context.source("winner", winner.span)
        own: Statements = (p.AssignTrack(p.OUTCOME, (), t.Const(number), at), *scoring.winner(winner, scope))
        if winner.when is None:
            code = own
            continue
        value = scoring.expressions.read(winner.when, evolve(scope, reading=True), BOOLEAN)
        if value is not None and isinstance(value.node, t.Expr):
            code = (t.If(value.node, own, code),)
    return code


def ended(winners: Sequence[Winner], scope: Scope, kind: str = "ended") -> t.Stmt:
    """Return the event of the end: the winners and, where results have names, the result."""
    seat = scope.unit.variable("seat", PLAYER)
    won = t.IfElse(p.TrackAt("winner", (p.Var(seat),)), p.MaskOf(p.Var(seat)), t.Const(0))
    numbers: tuple[t.Expr, ...] = (t.Total(p.Everyone(), seat, won, 0),)
    if named(winners):
        numbers = (*numbers, p.TrackAt(p.OUTCOME, ()))
    return t.Emit(kind, numbers, None, t.Const(-1), t.Const(-1), 0)
