"""Tracks of a pack with their starts, counters for modifiers and hooks, and built-in tracks."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.declarations.track_starts import Starts
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.settled import settled
from rulewright.ruleset.check.scope import Scope, Unit
from rulewright.ruleset.check.statements.durations.lasting import first_value
from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.rules import Hook, Modifier
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

_SEAT = ("player",)
KERNEL_TRACKS = (
    p.Track("score", _SEAT, NUMBER, LOWEST, HIGHEST, False, t.Const(0), "all", "all", False),
    p.Track("in-game", _SEAT, BOOLEAN, 0, 1, False, t.Const(1), "all", "nobody", False),
    p.Track("winner", _SEAT, BOOLEAN, 0, 1, False, t.Const(0), "all", "nobody", False),
)
"""Tracks that every game has: points, whether a player is in the game, and whether a player has won."""

LIVING = p.StateList("living", "game", PLAYER)
"""The state list of seats still in the game."""


def tracks_of(expressions: ExpressionChecker) -> tuple[p.Track, ...]:
    """Return the tracks that the pack declares, and report invalid starts."""
    d, tracks = expressions.context.declared, []
    starts = Starts(
        tuple(value for _, value in d.values.values()),
        d.players,
        expressions.context.options,
        {key: members for key, (_, members) in d.enumerations.items()},
    )
    for span, track, start in d.tracks.values():
        default = -1 if track.of.name in ("player", "card", "definition") else 0
        of = None if track.can_be_none and start is not None and start.text == "none" else track.of
        known = (
            first_value(expressions.context, track, start, None)
            if track.lasts not in ("", p.SERIES)
            else settled(expressions, start, of, Scope(Unit(track.key)))
        )
        node = known if known is not None else t.Const(default)
        tracks.append(evolve(track, start=node))
        fault = starts.fault(tracks[-1], span, start) if start is None or known is not None else None
        if fault is not None:
            expressions.context.found.append(fault)
    return tuple(tracks)


def counting_tracks(d: Declared) -> tuple[p.Track, ...]:
    """Return counters: how often each modifier was started, and how often each player has awaited each hook."""
    started = [one.key for one in d.all_of(Modifier).values() if one.while_ is None]
    modifiers = [p.modifier_track(key, moment) for key in started for moment in p.MOMENTS]
    hooks = [p.hook_track(hook.key) for hook in d.all_of(Hook).values() if hook.waits]
    moving = [p.hook_track(hook.key) for hook in d.all_of(Hook).values() if hook.on_movement]
    return (*(_counter(key, ()) for key in (*modifiers, *moving)), *(_counter(key, ("player",)) for key in hooks))


def _counter(key: str, scope: tuple[str, ...]) -> p.Track:
    return p.Track(key, scope, NUMBER, 0, 1000, False, t.Const(0), "all", "nobody", False)
