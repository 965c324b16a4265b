"""The parts of the table that are shown beside a question, even if they have not changed.

These are the zones of the cards among the options; the piles of definitions among them; the numbers that decide
what is offered; the players' numbers if players are among the options; and the reader's own hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.zone_visibility import cards_seen
from rulewright.interpreter.views.decision import Decision
from rulewright.ruleset.table.canonical import everything
from rulewright.ruleset.table.nodes import Ask, Cell, Const, Site, TableProgram


def needed(game: Game, decision: Decision) -> frozenset[str]:
    """Return keys of parts (`table_content.Part.key`), or of the zones and tracks all of whose parts are needed.

    `decision` contains the raw values of its options.
    """
    program, site = game.program, game.program.sites[decision.site]
    found = set(_own(program, decision.seat))
    found.update(_tracks_read(program, decision.site))
    places, state = program.layout.places, game.state
    for of, value in _members(site, decision):
        if of == "card":
            zone = state[places + value] if value >= 0 else -1
            found.update({f"line/{program.zones[zone].key}"} if zone >= 0 else ())
        elif of in ("seat", "player"):
            found.update(track.key for track in program.tracks if track.scope == ("player",))
            found.update(f"row/{zone.zone}" for zone in program.zones if zone.owner >= 0)
        else:
            found.update(track.key for track in program.tracks if of in track.scope)
            found.update(zone.zone for zone in program.zones if _is_of(program, zone.key, zone.zone, of))
    return frozenset(found)


def _members(site: Site, decision: Decision) -> Iterator[tuple[str, int]]:
    """Yield the type and raw value of everything among the options."""
    for option in decision.options:
        for value in option.values:
            if site.of != "menu":
                yield site.of, value
                continue
            branch, members = unfold(site, value)
            yield from zip(site.branches[branch].members, members, strict=True)


def _own(program: TableProgram, seat: int) -> Iterable[str]:
    """Return the lines of the seat's zones that it alone sees."""
    return (f"line/{zone.key}" for zone in program.zones if zone.owner == seat and cards_seen(zone) == 1 << seat)


def _is_of(program: TableProgram, key: str, zone: str, kind: str) -> bool:
    """Whether a zone belongs to a definition of this kind."""
    member = key.removeprefix(f"{zone}/")
    return member != key and any(card.definition == member and card.kind == kind for card in program.cards)


def _tracks_read(program: TableProgram, site: int) -> Iterable[str]:
    """Return the tracks that decide what is offered at a site, and how many of it may be chosen."""
    asks = [one.tree.end for one in program.segments]
    reads = {
        constant.value
        for ask in asks
        if isinstance(ask, Ask) and ask.site == site
        for part in (ask.options, ask.least, ask.most)
        for cell in everything(part)
        if isinstance(cell, Cell)
        for constant in everything(cell.address)
        if isinstance(constant, Const)
    }
    return (
        track.key
        for track in program.tracks
        if any(track.address <= address < track.address + track.count for address in reads)
    )
