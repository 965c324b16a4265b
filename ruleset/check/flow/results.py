"""The result of a game, named after the first `winner` document whose condition holds."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.flow.scoring import ScoringChecker
from rulewright.ruleset.check.scope import Scope
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.documents.flow import Winner
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]


def named(winners: Sequence[Winner]) -> bool:
    """Whether results have names: there are several documents, or one with a condition."""
    return len(winners) > 1 or any(winner.when is not None for winner in winners)


def outcome_tracks(winners: Sequence[Winner]) -> tuple[p.Track, ...]:
    """Return the track of the result, if results have names."""
    track = p.Track(p.OUTCOME, (), NUMBER, -1, len(winners), False, t.Const(-1), "all", "nobody", False)
    return (track,) if named(winners) else ()


def outcomes(winners: Sequence[Winner]) -> tuple[p.Enumeration, ...]:
    """Return the names of results, if they have names."""
    return (p.Enumeration(p.OUTCOME, tuple(winner.key for winner in winners)),) if named(winners) else ()


def check_winners(context: Context, winners: Sequence[Winner]) -> None:
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


def decided(context: Context, scoring: ScoringChecker, winners: Sequence[Winner], scope: Scope) -> Code:
    """Return the code that decides who wins and, where results have names, which result it is."""
    if not named(winners):
        return tuple(statement for winner in winners for statement in scoring.winner(winner, scope))
    code: Code = ()
    for number, winner in reversed(tuple(enumerate(winners))):
        at = context.source("winner", winner.span)
        own: Code = (p.AssignTrack(p.OUTCOME, (), t.Const(number), at), *scoring.winner(winner, scope))
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
