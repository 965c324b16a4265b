"""Extra turns: `take another turn`, and what the turns of rounds and steps do for it.

A hidden list holds the players whose extra turns are still to come, and a hidden track tells whether the turn that
is going on is one. Both exist only in packs that say so (`Context.needed`).
"""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Unit
from rulewright.ruleset.check.statements.arguments import nobody_to, source_of
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall, verb
from rulewright.ruleset.language.types import BOOLEAN, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

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
