"""A series of games: what follows each game, when the series ends, and who wins it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.flow.results import ended, outcomes
from rulewright.ruleset.check.flow.scoring import ScoringChecker
from rulewright.ruleset.check.scope import Bound, Scope, Unit
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.documents.flow import Series, Winner
from rulewright.ruleset.language.types import NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.series import own_places
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

WINNERS = "winners"
"""The name of the game's winners in `after-each-game`."""


def series_unit(scoring: ScoringChecker, says: Series) -> p.Unit:
    """Return the unit that follows the end of each game."""
    context, steps = scoring.context, scoring.steps
    context.needs_asked.add(f"lasts/{p.SERIES}")
    unit = Unit(p.BETWEEN)
    at = context.source(f"series/{says.key}", says.span)
    seat, winners = unit.variable("seat", PLAYER), unit.variable(WINNERS, PLAYER, True)
    scope = Scope(unit, reading=False, prefix=says.key).bind(WINNERS, Bound(winners, PLAYER.list))
    won = t.Filter(p.Everyone(), seat, p.TrackAt("winner", (p.Var(seat),)))
    back = p.AssignTrack("in-game", (p.Var(seat),), t.Const(1), at, True)
    begin: Code = (
        p.SetListVar(winners, won),
        t.ForEach(seat, p.Everyone(), (back,)),
        p.SetStateList("living", None, p.Everyone()),
    )
    after = steps.body(says.after_each_game, scope)
    until = steps.condition((says.until,) if says.until is not None else None, scope)
    next_one = (t.Emit("restarted", (), None, t.Const(-1), t.Const(-1), at), p.NextGame(at))
    over = t.If(until if until is not None else t.Const(1), _won(scoring, says, scope, at), next_one)
    return p.Unit(p.BETWEEN, 0, tuple(unit.variables), (*begin, *after, over), at)


def _won(scoring: ScoringChecker, says: Series, scope: Scope, at: int) -> Code:
    """Return the code that decides who wins the series, and tells it."""
    seat, scores = scope.unit.variable("seat", PLAYER), scope.unit.variable("scores", NUMBER, True)
    own = evolve(scope, you=p.Var(seat), reading=True)
    value = scoring.expressions.read(says.score, own, NUMBER) if says.score is not None else None
    points = value.node if value is not None and isinstance(value.node, t.Expr) else t.Const(0)
    rest = t.Take(p.ListVar(scores), t.Binary("-", t.Count(p.ListVar(scores)), t.Const(1)), False)
    counted = (
        p.AssignTrack("score", (p.Var(seat),), t.First(p.ListVar(scores)), at, True),
        p.SetListVar(scores, rest),
        p.AssignTrack("winner", (p.Var(seat),), t.Const(0), at, True),
    )
    named = scoring.context.declared.all_of(Winner).values()
    nameless = (p.AssignTrack(p.OUTCOME, (), t.Const(-1), at, True),) if outcomes(tuple(named)) else ()
    most: t.List = t.Extremes(p.Everyone(), seat, p.TrackAt("score", (p.Var(seat),)), False)
    return (
        p.SetListVar(scores, t.Map(p.Everyone(), seat, points)),  # all before any: one may depend on another's
        t.ForEach(seat, p.Everyone(), counted),
        *nameless,
        *scoring.best(p.Everyone() if says.order else most, says.order, says.ties, scope, at),
        ended((), scope, "series-ended"),
    )


def check_series(context: Context, units: Sequence[p.Unit]) -> None:
    """Report what is done after a game and lost at once, because the next game begins without it."""
    unit = next((unit for unit in units if unit.key == p.BETWEEN), None)
    if unit is None:
        return
    says = next(iter(context.declared.all_of(Series).values()))
    lasting = _lasting(context)
    for node in everything(unit.body):
        at = getattr(node, "at", -1)
        span = context.sources[at].span if at >= 0 else says.place("after-each-game")
        key = getattr(node, "track", "") or getattr(node, "list", "")
        if isinstance(node, _SETTING) and key not in lasting and _declared(context, key):
            message = f"`{key}` starts over with the next game, so this change is lost"
            context.report("RW507", span, message, f"add `lasts: series` to `{key}`")
        elif isinstance(node, _MOVING):
            message = "in the next game, all cards begin where they begin in a first one, so this is lost"
            context.report("RW507", span, message, "change tracks and lists with `lasts: series` instead")


_SETTING = (p.AssignTrack, p.ChangeTrack, p.AppendTo, p.RemoveFrom, p.SetStateList)
_MOVING = (t.Move, t.MoveAll, t.Drawing, t.Shuffle, p.SendHome)


def _declared(context: Context, key: str) -> bool:
    return key in context.declared.tracks or key in context.declared.lists


def series_of(context: Context, code: Sequence[p.Unit]) -> p.Series | None:
    """Return the series of the program, if the pack has one; `code` are all its units and functions."""
    if not context.declared.all_of(Series):
        return None
    others = [unit.body for unit in code if unit.key != p.BETWEEN]
    return p.Series("main", own_places(_lasting(context), others))


def _lasting(context: Context) -> tuple[str, ...]:
    d = context.declared
    tracks = (key for key, (_, track, _) in d.tracks.items() if track.lasts == p.SERIES)
    lists = (key for key, (_, list_) in d.lists.items() if list_.lasts == p.SERIES)
    return (*tracks, *lists)
