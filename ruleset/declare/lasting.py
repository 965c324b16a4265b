"""What lasts a moment: tracks and lists, and what the effects of a definition remember."""

from __future__ import annotations

from rulewright.ruleset.common.limits import HIGHEST, LOWEST, TRACK_BOUND
from rulewright.ruleset.declare.collector import Collecting
from rulewright.ruleset.declare.declarations import Remembered
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.table import nodes as t


def lasts_of(collector: Collecting, lasts: Scalar | None, scope: tuple[str, ...], of: Type) -> str:
    """Return the moment with which a track or list starts over; empty if there is none, or after a finding."""
    if lasts is None or lasts.text == p.SERIES:
        return lasts.text if lasts is not None else ""
    wrong = [one for one in scope if one != "player" and one not in collector.out.enumerations]
    if wrong:
        message = f"a track or list with the scope `{wrong[0]}` cannot start over"
        hint = "only the scopes `game`, `player`, and enumerations can; remove `lasts`"
    elif scope and of.name == "card":
        message, hint = "a track of cards with a scope cannot start over", "use a list, or remove `lasts`"
    elif lasts.text == "own-turn" and "player" not in scope:
        message = "`own-turn` is the turn of each player, and this does not belong to players"
        hint = "add `scope: player`"
    else:
        return lasts.text
    collector.report("RW361", lasts.span, message, hint)
    return ""


def remembered(
    definition: str, verb: str, values: tuple[tuple[str, Type], ...], said: tuple[Keyed[Scalar], ...]
) -> dict[str, Remembered]:
    """Return the hidden tracks and lists for what a definition remembers during a verb (`verb/NAME`)."""
    places = {one.key.text: one.key.span for one in said}
    found: dict[str, Remembered] = {}
    for name, type_ in values:
        key = p.remembered(definition, name)
        if type_.many:
            list_ = p.StateList(key, "game", type_.one, lasts=verb)
            found[name] = Remembered(places[name], None, list_)
        else:
            high = TRACK_BOUND if type_.name == "number" else HIGHEST
            low = -high if type_.name == "number" else LOWEST
            start = t.Const(-1 if type_.can_be_none else 0)
            track = p.Track(
                key, (), type_, low, high, False, start, "nobody", "nobody", False, type_.can_be_none, verb
            )
            found[name] = Remembered(places[name], track, None)
    return found
