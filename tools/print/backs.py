"""The backs of cards: kinds that can be hidden in one zone share a back, which reveals nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from rulewright.ruleset.program.faces import Picture
from rulewright.ruleset.program.nodes import Program
from rulewright.tools.faces.emblem import Emblem, emblem_of
from rulewright.tools.faces.looks import Looks
from rulewright.tools.faces.tones import TONES

FIRST_TONE = 4


@frozen
class Back:
    """A back: its label, its tone, and its emblem; or a picture."""

    label: str
    tone: str
    emblem: Emblem
    picture: Picture | None = None


def backs_of(looks: Looks, kinds: Iterable[str], game: str, names: Mapping[str, str]) -> dict[str, Back]:
    """Return the back of each kind: the pack's own, or one for the kinds that share it.

    `names` are those of kinds for players; several kinds show the game's name.
    """
    program = looks.program
    groups = _groups(program, list(dict.fromkeys(kinds)))
    found: dict[str, Back] = {}
    for number, group in enumerate(groups):
        alone = len(groups) > 1 and len(group) == 1
        tone = str(1 + (FIRST_TONE - 1 + 5 * number) % TONES)
        label = names.get(group[0], game) if alone else game
        back = Back(label[:1].upper() + label[1:], tone, emblem_of("+".join((program.pack, *group))))
        for kind in group:
            own = looks.back(kind)
            found[kind] = evolve(back, tone=own.tone or back.tone, picture=own.picture)
    return found


def _groups(program: Program, kinds: list[str]) -> list[list[str]]:
    """Group the kinds by the zones in which not everybody sees every card."""
    groups = [[kind] for kind in kinds]
    for zone in program.zones:
        if zone.seen_by == "all" or zone.own:
            continue
        together = [group for group in groups if not zone.accepts or set(group) & set(zone.accepts)]
        if len(together) > 1:
            joined = [kind for group in together for kind in group]
            at = groups.index(together[0])
            groups = [group for group in groups if group not in together]
            groups.insert(at, joined)
    return groups
