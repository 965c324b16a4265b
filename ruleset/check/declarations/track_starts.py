"""Check that tracks start within their bounds.

All backends rely on it: generated code compares a changed value only with the bound that the change moves towards.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.limits import TRACK_BOUND
from rulewright.ruleset.common.listing import players_between
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import Constants
from rulewright.ruleset.source.nodes import Scalar


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

    def fault(self, track: p.Track, key: Span, given: Scalar | None) -> Diagnostic | None:
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


def _advice(track: p.Track, value: int, given: Scalar | None) -> str:
    low = value < track.low
    bound, word = (track.low, "at-least") if low else (track.high, "at-most")
    if track.of != NUMBER:
        return f"bounds are for numbers: remove `{word}`"
    if abs(bound) == TRACK_BOUND:
        return f"write `{word}: {value}`: without `{word}` the bound is {bound}"
    start = f"write `starts: {bound}`" if given is None else f"start it at {bound}"
    return f"{start}, or {'lower' if low else 'raise'} `{word}`"
