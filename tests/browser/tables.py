"""Tables of all packs in this process: games of random answers, and what their pages show."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from rulewright.interpreter.game.game import RuleFault
from rulewright.tools.browser.drawing.model import CardDrawing, Offer, Slip, TableDrawing, ZoneDrawing
from rulewright.tools.browser.host.packs import PackShelf
from rulewright.tools.browser.host.spec import SeatSpec, TableSpec
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.packs import loading

ROOT = Path(__file__).parents[2]
SHIPPED = ("coup", "dominion", "rattus-cartus", "tutorial")


@cache
def shelf() -> PackShelf:
    """The packs of this process, compiled once."""
    return PackShelf()


def packs() -> list[str]:
    """All packs that can be played on their own: shipped ones by name, others by folder."""
    found = (path for part in ("packs", "games") for path in (ROOT / "tests" / part).glob("*/pack.yaml"))
    return [*SHIPPED, *sorted(str(path.parent.relative_to(ROOT)) for path in found)]


def seated(pack: str, players: int = 0, seed: int = 1, language: str = "en") -> HostedTable:
    """A table of people; without a number of players, with the fewest."""
    folder = folder_of(pack)
    count = players or shelf().compiled(folder, ()).program.least_players
    spec = TableSpec(folder, seats=(SeatSpec("human"),) * count, seed=seed, language=language)
    return HostedTable(spec, shelf().rules(spec))


def folder_of(pack: str) -> str:
    """The folder of a shipped pack, by its name, or of one of the tests."""
    return str(ROOT / pack) if "/" in pack else str(loading.find(pack))


def random_answer(table: HostedTable, seat: int, random: Random) -> None:
    """Answer for a seat, at random, with as few options as are allowed but one if possible."""
    decision = table.course.asked(seat)
    assert decision is not None
    pool = [option.key for option in decision.options for _ in range(option.count)]
    keys = random.sample(pool, min(max(decision.least, min(1, decision.most)), len(pool)))
    assert table.answer(seat, table.stamp(seat), keys) == ""


def played(table: HostedTable, answers: int, random: Random) -> Iterator[tuple[int, ...]]:
    """Play on, and yield the seats that are asked before each answer."""
    for _ in range(answers):
        asked = tuple(sorted(decision.seat for decision in table.course.game.decisions))
        yield asked
        if not asked:
            return
        try:
            random_answer(table, random.choice(asked), random)
        except RuleFault:  # some packs of the tests have rules that fail
            return


# ------------------------------------------------------------------ what a page shows

def zones(drawing: TableDrawing) -> Iterator[ZoneDrawing]:
    """All zones of a page."""
    yield from (zone for part in drawing.board for zone in part.zones)
    yield from (zone for player in drawing.players for zone in player.zones)
    yield from drawing.own


def things(drawing: TableDrawing) -> Iterator[tuple[ZoneDrawing, CardDrawing | Slip]]:
    """All cards, piles, and slips of a page, with their zones."""
    for zone in zones(drawing):
        yield from ((zone, thing) for thing in (*zone.cards, *zone.slips))


def offers(drawing: TableDrawing) -> list[Offer]:
    """All options on a page: on the table and in the dock."""
    found = [card.offer for _, card in things(drawing) if isinstance(card, CardDrawing)]
    found += [player.offer for player in drawing.players]
    if drawing.dock is not None:
        for choice in (*drawing.dock.choices, *drawing.dock.beside):
            found += [choice.offer, *(target.offer for target in choice.targets)]
    return [offer for offer in found if offer is not None]
