"""The ends of turns, phases, and rounds: what lasts until such a moment ends is over then."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Unit
from rulewright.ruleset.check.statements.arguments import nobody_to, source_of
from rulewright.ruleset.check.statements.lasting import tracks_until
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall, verb
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

# ---- Players who are out of the game until a moment ends, and how they come back
#
# Each moment (turn, phase, round) has a hidden list of the players who are out until it ends. A player who is
# eliminated for good is removed from all these lists. The lists exist only where a sentence says so
# (`Context.needed`).

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


# ------------------------------------------------------------------ moments: the rest

def ending(context: Context, unit: Unit, moment: str, at: int) -> Code:
    """Return code for the end of a moment: modifiers are no longer active, and absent players come back."""
    ended = tuple(p.AssignTrack(track, (), t.Const(0), at) for track in tracks_until(context, moment))
    return (*ended, *returning(context, unit, moment, at))


def inner_turn(context: Context, unit: Unit, at: int) -> tuple[Code, Code]:
    """Return code that runs before the turns of a step within a turn, and at the end of each.

    They end only what was started in them; the rest lasts until the outer turn ends.
    """
    kept = [(track, unit.variable("kept", NUMBER)) for track in tracks_until(context, "turn")]
    begins = tuple(p.SetVar(variable, p.TrackAt(track, ())) for track, variable in kept)
    ends = tuple(p.AssignTrack(track, (), p.Var(variable), at) for track, variable in kept)
    before, after = set_absences_aside(context, unit, at)
    return (*begins, *before), (*ends, *after)


def with_ways_out(unit: Unit, code: Code, ways: Mapping[int, int], restored: Code) -> Code:
    """Let code that leaves turns for something around them, such as the phase, first restore what they set aside.

    For each label around the turns, `ways` has the label that the code leaves instead.
    """
    left, done = unit.left.among(code), unit.label()
    for outer, inner in ways.items():
        if inner in left:
            code = (p.Block(inner, (*code, p.Leave(done))), *restored, p.Leave(outer))
    return (p.Block(done, code),) if left.intersection(ways.values()) else code


# ---- Extra turns: `take another turn`, and what the turns of rounds and steps do for it
#
# A hidden list holds the players whose extra turns are still to come, and a hidden track tells whether the
# turn that is going on is one. Both exist only in packs that say so (`Context.needed`).

MOST = 16
"""The most extra turns that can wait at a time."""
WAITING = p.StateList(p.EXTRA_TURNS, "game", PLAYER, True, MOST)
IS_EXTRA = p.Track(p.EXTRA_TURN, (), BOOLEAN, 0, 1, False, t.Const(0), "all", "nobody", False)

_ALL = p.ListAt(p.EXTRA_TURNS, None)


@verb("another-turn")
def another_turn(expressions: ExpressionChecker, call: VerbCall) -> Done:
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("take a turn", "p takes another turn"))
        return (), call.outer
    expressions.context.need(p.EXTRA_TURNS, call.span())
    return (p.AppendTo(p.EXTRA_TURNS, None, call.seat, source_of(expressions, call)),), call.outer


def check_extra_turns(context: Context) -> None:
    """Report a sentence about extra turns in a game without turns."""
    if p.EXTRA_TURNS in context.needs_seen and p.EXTRA_TURNS not in context.needs_asked:
        hint = "give a round `turns-from: …`, or a step `turns: …`"
        context.report("RW422", context.needs_seen[p.EXTRA_TURNS], "nobody has a turn in this game", hint)


def without_extra_turns(context: Context) -> Code:
    """Return code that begins with no extra turns."""
    return _none_waiting() if context.needed(p.EXTRA_TURNS) else ()


def _none_waiting() -> Code:
    return p.SetStateList(p.EXTRA_TURNS, None, t.Items(())), p.AssignTrack(p.EXTRA_TURN, (), t.Const(0), 0)


def set_aside(context: Context, unit: Unit) -> tuple[Code, Code]:
    """Return code for before and after a step with turns: the extra turns of the turn around it wait meanwhile."""
    if not context.needed(p.EXTRA_TURNS):
        return (), ()
    turns, extra = unit.variable("waiting turns", PLAYER, True), unit.variable("extra turn", BOOLEAN)
    before = (p.SetListVar(turns, _ALL), p.SetVar(extra, p.TrackAt(p.EXTRA_TURN, ())), *_none_waiting())
    given_back = p.AssignTrack(p.EXTRA_TURN, (), p.Var(extra), 0)
    return before, (p.SetStateList(p.EXTRA_TURNS, None, p.ListVar(turns)), given_back)


def next_extra(unit: Unit, you: int) -> tuple[Code, t.Expr, Code]:
    """Return code that passes over players who are out, whether an extra turn waits, and code that begins it."""
    seat = unit.variable("seat", PLAYER)
    still_in = t.Filter(_ALL, seat, t.Contains(p.Living(), p.Var(seat)))
    left = t.Binary("-", t.Count(_ALL), t.Const(1))
    begin = (
        p.SetVar(you, t.First(_ALL)),
        p.SetStateList(p.EXTRA_TURNS, None, t.Take(_ALL, left, False)),
        p.AssignTrack(p.EXTRA_TURN, (), t.Const(1), 0),
    )
    return (p.SetStateList(p.EXTRA_TURNS, None, still_in),), t.Binary(">", t.Count(_ALL), t.Const(0)), begin


def with_extra_turns(context: Context, unit: Unit, you: int, turn: Code, at: int) -> Code:
    """Return the turn of the player `you`, and the extra turns that follow it."""
    if not context.needed(p.EXTRA_TURNS):
        return turn
    over = unit.label()
    dropped, waits, begin = next_extra(unit, you)
    ends = (p.AssignTrack(p.EXTRA_TURN, (), t.Const(0), 0), p.Leave(over))
    loop = p.Forever((*turn, *dropped, t.If(waits, begin, ends)), at)
    return (p.Block(over, (loop,)),)
