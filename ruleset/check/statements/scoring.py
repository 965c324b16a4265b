"""The end of a game: awards and the winner."""

from __future__ import annotations

from attrs import evolve, frozen

from ruleset.check.scope import Scope, Value
from ruleset.check.statements.steps import StepChecker
from ruleset.check.statements.verb_registry import Code
from ruleset.common.record import Record
from ruleset.documents.flow import Award, OtherWinner, Winner
from ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from ruleset.program import nodes as p
from ruleset.program.traversal import substitute
from ruleset.source.reader import Scalar
from ruleset.table import nodes as t


@frozen(repr=False)
class _Award(Record):
    """An award being checked: `seat` is the variable of the candidate, `number` that of the award."""

    says: Award
    number: int
    scope: Scope
    seat: int
    at: int


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
            return self.steps.statements.looped(
                each.key.text, base, scope, lambda inner: self._award(says, number, inner, at), at
            )
        return self._award(says, number, scope, at)

    def _award(self, says: Award, number: int, scope: Scope, at: int) -> Code:
        seat = scope.unit.variable("seat", PLAYER)
        award = _Award(says, number, scope, seat, at)
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

    def _score(self, award: _Award, points: t.Expr) -> Code:
        seat, at = p.Var(award.seat), award.at
        everybody = t.Const(-1)
        event = t.Emit("scored", (t.Const(award.number), seat, points), None, everybody, everybody, at)
        gain = p.ChangeTrack("score", (seat,), points, at)
        told = self.context.covered(self.context.sources[at].name.replace("/", " "), at)
        return (t.If(t.Binary("!=", points, t.Const(0)), (gain, event, *told), ()),)

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
            t.ForEach(award.seat, p.ListVar(best), self._score(award, p.Var(points))),
        )

    def _rank(self, award: _Award, value: Value, eligible: t.List) -> Code:
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
                code.append(t.If(enough, (p.SetVar(seat, one), *self._score(award, prize)), ()))
            return tuple(code)
        body = self._shared(award, value.node, prizes, order, rule == "split")
        return (p.SetListVar(order, eligible), t.ForEach(seat, p.ListVar(order), body))

    def _shared(self, award: _Award, value: t.Expr, prizes: tuple[t.Expr, ...], order: int, split: bool) -> Code:
        """Return the code that pays the member of `order` in `award.seat`.

        Equal players have equal places: each gets the prize of the place, or, with `split`, they share the prizes
        of all the places that they take.
        """
        scope, at = award.scope, award.at
        mine, points = scope.unit.variable("mine", NUMBER), scope.unit.variable("points", NUMBER)
        other = scope.unit.variable("other", PLAYER)
        theirs = _replace(value, award.seat, other)
        above = t.Count(t.Filter(p.ListVar(order), other, t.Binary(">", theirs, p.Var(mine))))
        equal = t.Count(t.Filter(p.ListVar(order), other, t.Binary("==", theirs, p.Var(mine))))
        amount: t.Expr = t.Const(0)
        for place, prize in enumerate(prizes):
            if split:
                takes = t.And(
                    t.Binary("<=", above, t.Const(place)),
                    t.Binary("<", t.Const(place), t.Checked("+", above, equal, at)),
                )
                amount = t.Checked("+", amount, t.IfElse(takes, prize, t.Const(0)), at)
            else:
                amount = t.IfElse(t.Binary("==", above, t.Const(place)), prize, amount)
        if split:
            amount = t.Checked("//", amount, equal, at)
        return (p.SetVar(mine, value), p.SetVar(points, amount), *self._score(award, p.Var(points)))

    def _keeps_arrival(self, track: str) -> bool:
        declared = self.context.declared.tracks.get(track)
        return declared is not None and declared[1].arrival

    def _prizes(self, given: Scalar | tuple[Scalar, ...] | None, scope: Scope) -> tuple[t.Expr, ...]:
        if isinstance(given, Scalar):
            found = self.context.declared.values.get(given.text)
            if found is not None:
                longest = max([len(found[1].default), *(len(numbers) for _, numbers in found[1].by_players)])
                return tuple(p.ValueOf(given.text, index) for index in range(longest))
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
        best, seat = scope.unit.variable("best", PLAYER, True), scope.unit.variable("seat", PLAYER)
        code: list[t.Stmt] = [p.SetListVar(best, base.node)]
        for item in says.order:
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
        if says.ties is not None and says.ties.text == "nobody":
            wins = (t.If(t.Binary("==", t.Count(p.ListVar(best)), t.Const(1)), wins, ()),)
        return (*code, *wins)


def _replace(node: t.Expr, old: int, new: int) -> t.Expr:
    """Replace a variable in an expression."""
    return substitute(node, {}, {old: new})
