"""Tracks of a pack with their starts, counters for modifiers and hooks, and built-in tracks."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker, settled
from rulewright.ruleset.check.scope import Scope, Unit
from rulewright.ruleset.check.statements.lasting import first_value
from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.limits import HIGHEST, LOWEST, TRACK_BOUND
from rulewright.ruleset.common.nearest import players_between
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.rules import Hook, Modifier
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import Constants
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t

# ------------------------------------------------------------------ Check that tracks start within their bounds
#
# All backends rely on it: generated code compares a changed value only with the bound that the change moves
# towards.

@frozen(repr=False)
class _Declared(Record):
    """The declarations that a track's start can depend on; definitions are not among them."""

    values: tuple[p.Value, ...]
    definitions: tuple[p.Definition, ...] = ()
    kinds: tuple[p.Kind, ...] = ()
    enumerations: tuple[p.Enumeration, ...] = ()


@frozen(repr=False)
class Starts(Record):
    """The starts of a pack's tracks, for each number of players (least, most) and the default of every option.

    For other options, `ruleset.lower.lowering` finds a start out of bounds when the table is made.
    """

    values: tuple[p.Value, ...]
    players: tuple[int, int]
    options: Mapping[str, p.Option]
    enumerations: Mapping[str, tuple[str, ...]]

    def fault(self, track: p.Track, key: Span, given: ScalarNode | None) -> Diagnostic | None:
        """Return the finding about a track, or None. `key` is the place of its name, `given` its `starts`."""
        if track.low > track.high:
            message = f"`{track.key}` can hold no number: none is at least {track.low} and at most {track.high}"
            return Diagnostic("RW212", key, message, "declare both bounds, the smaller one as `at-least`")
        starts = self._starts(track)
        wrong = [seats for seats, value in starts.items() if not track.low <= value <= track.high]
        if not wrong:
            return None
        value = starts[wrong[0]]
        when = "" if len(set(starts.values())) == 1 else f" with {players_between(wrong[0], wrong[0])}"
        default = "" if given is not None else ", because it has no `starts`"
        shown = self._shown(value, track)
        message = f"`{track.key}` starts at {shown}{when}{default}; expected {_within(track)}"
        return Diagnostic("RW212", key if given is None else given.span, message, _advice(track, value, given))

    def _starts(self, track: p.Track) -> dict[int, int]:
        """Return the start for each number of players."""
        options = {key: option.default for key, option in self.options.items()}
        declared = _Declared(values=self.values)
        seats = range(self.players[0], self.players[1] + 1)
        return {count: Constants(declared, count, options).number(track.start) for count in seats}

    def _shown(self, value: int, track: p.Track) -> str:
        """Format a start as the pack writes it. Words are followed by their numbers, to which bounds apply."""
        of, members = track.of, self.enumerations.get(track.of.of, ())
        if of == NUMBER:
            return str(value)
        if of.name == "boolean":
            return f"`{'true' if value else 'false'}` ({value})"
        if of.name == "enumeration" and 0 <= value < len(members):
            return f"`{members[value]}` ({value})"
        return f"`none` ({value})" if value < 0 else str(value)


def _within(track: p.Track) -> str:
    """Describe the range of a track, leaving out bounds that the pack does not declare."""
    if track.high == TRACK_BOUND and track.low != -TRACK_BOUND:
        return f"{track.low} or more"
    if track.low == -TRACK_BOUND and track.high != TRACK_BOUND:
        return f"{track.high} or less"
    return f"{track.low} to {track.high}"


def _advice(track: p.Track, value: int, given: ScalarNode | None) -> str:
    low = value < track.low
    bound, word = (track.low, "at-least") if low else (track.high, "at-most")
    if track.of != NUMBER:
        return f"bounds are for numbers: remove `{word}`"
    if abs(bound) == TRACK_BOUND:
        return f"write `{word}: {value}`: without `{word}` the bound is {bound}"
    start = f"write `starts: {bound}`" if given is None else f"start it at {bound}"
    return f"{start}, or {'lower' if low else 'raise'} `{word}`"


# ------------------------------------------------------------------ tracks: the rest

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
