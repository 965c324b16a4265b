"""Players who are out of the game until a moment ends, and how they come back.

Each moment (turn, phase, round) has a hidden list of the players who are out until it ends. A player who is
eliminated for good is removed from all these lists. The lists exist only where a sentence says so
(`Context.needed`).
"""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Unit
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.language.types import PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

EVERYBODY = t.Const(-1)


def absence_lists(context: Context) -> tuple[p.StateList, ...]:
    """Return the lists of absent players that the pack needs."""
    return tuple(p.StateList(p.away_list(one), "game", PLAYER) for one in _moments(context))


def check_absences(context: Context) -> None:
    """Report absences until the end of a moment that the game does not have."""
    for moment in p.MOMENTS:
        away = p.away_list(moment)
        if away in context.needs_seen and away not in context.needs_asked:
            message = f"this game has no {moment}s, so the player would never come back"
            hint = "to remove a player for good, write `eliminate p`"
            context.report("RW434", context.needs_seen[away], message, hint)


def _moments(context: Context) -> tuple[str, ...]:
    return tuple(one for one in p.MOMENTS if p.away_list(one) in context.needs)


def returning(context: Context, unit: Unit, moment: str, at: int) -> Code:
    """Return code that brings back the players on the list of this moment who are on no other list."""
    if not context.needed(p.away_list(moment)):
        return ()
    return _back(context, unit, (moment,), t.Items(()), at)


def set_absences_aside(context: Context, unit: Unit, at: int) -> tuple[Code, Code]:
    """Return code for before and after a turn within a turn: those already out stay out, the others come back."""
    away = p.away_list("turn")
    if not context.needed(away):
        return (), ()
    kept = unit.variable("kept out", PLAYER, True)
    before = (p.SetListVar(kept, p.ListAt(away, None)),)
    return before, _back(context, unit, ("turn",), p.ListVar(kept), at)


def all_back(context: Context, unit: Unit, at: int) -> Code:
    """Return code that brings back everybody who is out for a while: the game has ended."""
    moments = _moments(context)
    return _back(context, unit, moments, t.Items(()), at) if moments else ()


def _back(context: Context, unit: Unit, moments: tuple[str, ...], rest: t.List, at: int) -> Code:
    """Return code that sets the lists of these moments to `rest`, and brings back players who are then on none."""
    back, seat, one = (unit.variable(name, PLAYER, name == "back") for name in ("back", "seat", "one"))
    lists = [p.ListAt(p.away_list(moment), None) for moment in moments]
    were: t.List = lists[0]
    for more in lists[1:]:
        were = t.Concat(were, more)
    free: t.Expr = t.Const(1)
    for moment in _moments(context):
        elsewhere = t.Contains(p.ListAt(p.away_list(moment), None), p.Var(seat))
        free = t.Not(elsewhere) if free == t.Const(1) else t.And(free, t.Not(elsewhere))
    returned = (
        p.AssignTrack("in-game", (p.Var(seat),), t.Const(1), at),
        t.Emit("returned", (p.Var(seat),), None, EVERYBODY, EVERYBODY, at),
    )
    in_game = t.Filter(p.Everyone(), one, p.TrackAt("in-game", (p.Var(one),)))
    came = t.Binary(">", t.Count(p.ListVar(back)), t.Const(0))
    return (
        p.SetListVar(back, t.Distinct(were, seat, p.Var(seat))),
        *(p.SetStateList(p.away_list(moment), None, rest) for moment in moments),
        p.SetListVar(back, t.Filter(p.ListVar(back), seat, free)),
        t.If(came, (t.ForEach(seat, p.ListVar(back), returned), p.SetStateList("living", None, in_game)), ()),
    )
