"""The ends of turns, phases, and rounds: what lasts until such a moment ends is over then."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Unit
from rulewright.ruleset.check.statements.durations.absences import returning, set_absences_aside
from rulewright.ruleset.check.statements.durations.modifiers import tracks_until
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


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
