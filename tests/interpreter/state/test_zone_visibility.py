"""Visibility of zones: every copy of the rule agrees with one statement of it (`expected`).

The statement is taken from `docs/reference/language.md`, and compared for every combination of order, `seen-by`,
`top-seen-by`, and `size-seen-by`.

The masks stand for `nobody`, `owner` (seat 0 has all zones) and `all`. Combinations that the checker refuses are
tried as well, since a journal may bring them.
"""

from __future__ import annotations

from array import array
from itertools import product

import pytest
from attrs import evolve, frozen

from rulewright.interpreter.backends.factory import AUTO, make
from rulewright.interpreter.backends.policies import RankedPlayer
from rulewright.interpreter.backends.walker.expressions import Environment
from rulewright.interpreter.backends.walker.zones import WalkerZones
from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.game.seat_eyes import Hidden, SeatEyes
from rulewright.interpreter.search.determinise import possible_world, shuffle_hidden
from rulewright.interpreter.search.native_tree import native_grower
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import RawEvent
from rulewright.interpreter.views.knowledge import Folding, Knowledge, initial, zone_contents
from rulewright.interpreter.views.view import view
from rulewright.interpreter.views.visibility import SeatSight
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import UNRANKED, BotAnswer, BotInfo, Bots, Expr, Ranking, TableProgram
from tests.interpreter import compilers
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.programs_builder import Builder, c, numbers, tree

NOBODY, OWNER, ALL = 0, 0b01, 0b11
HELD = 3
"""Cards of each zone."""


@frozen
class Says:
    """What a zone declares."""

    order: str
    seen: int
    top: int
    size: int


SAYS = [Says(*one) for one in product(("bag", "row", "pile"), *[(NOBODY, OWNER, ALL)] * 3)]


@frozen
class Expected:
    """What a seat sees of a zone with `HELD` cards: the places of those in sight, and whether it sees how many."""

    places: frozenset[int]
    size: bool


def expected(says: Says, seat: int) -> Expected:
    """`seen-by`: all cards, and so their number. `top-seen-by`: the last of a pile. `size-seen-by`: the number."""
    if says.seen >> seat & 1:
        return Expected(frozenset(range(HELD)), True)
    top = says.order == "pile" and says.top >> seat & 1
    return Expected(frozenset({HELD - 1} if top else ()), bool(says.size >> seat & 1))


def build() -> TableProgram:
    """Two seats; one zone for each combination, and a hidden one from which cards come. Both seats choose among all
    cards; what they chose is kept."""
    b = Builder(2, range(HELD * len(SAYS) + 1), HELD * len(SAYS) + 1)
    for number, says in enumerate(SAYS):
        cards = range(HELD * number, HELD * number + HELD)
        b.zone(says.order, cards, sees=says.seen, top=says.top, capacity=HELD + 1)
    b.zone("bag", (HELD * len(SAYS),), sees=NOBODY)
    for number, says in enumerate(SAYS):
        b.zones[number] = evolve(b.zones[number], sizes=says.size)
    b.zones = [evolve(zone, accepts=()) for zone in b.zones]
    site = b.site("card")
    room = HELD * len(SAYS) + 1
    kept = b.state_list(room, 2)
    ask, have = b.reserve(2)
    everything = numbers(*range(room))
    trees = {
        ask: tree(table.Ask(site, numbers(0, 1), 0, everything, c(0), c(room), have, 0)),
        have: tree(
            table.SetCells(c(kept), table.Answer(c(0))),
            table.SetCells(c(kept + room + 1), table.Answer(c(1))),
            table.CloseDecisions(),
            table.Finish(),
        ),
    }
    program = b.build(b.procedure([0], trees, ask))
    ranking = Ranking(True, 0, (), UNRANKED - 1)  # whatever card the seat sees is as good as any other
    bot = BotInfo("eyes", (BotAnswer(site, -1, 0, "none"),), (ranking,))
    return evolve(program, bots=Bots((bot,), (), (), ()))


PROGRAM = build()
ROOM = HELD * len(SAYS)
KEPT = [PROGRAM.state_lists[0].address + seat * (ROOM + 2) for seat in (0, 1)]
BARE = Knowledge((0,) * len(PROGRAM.cards), ())


def start() -> array[int]:
    backend = make(PROGRAM)
    state = backend.start(1)
    backend.run(state)
    return state


STATE = start()
WANTED = [
    {HELD * number + place for number, says in enumerate(SAYS) for place in expected(says, seat).places}
    for seat in (0, 1)
]
seats = pytest.mark.parametrize("seat", [0, 1])


@seats
def test_views_and_options(seat: int) -> None:
    sight = SeatSight(PROGRAM, STATE, None, seat)
    assert {card for card in range(ROOM) if sight.sees(card)} == WANTED[seat]
    shown = view(PROGRAM, STATE, BARE, seat)
    for number, says in enumerate(SAYS):
        zone, seen = shown.zones[number], expected(says, seat)
        assert zone.size == (HELD if seen.size else None), says
        names = {f"card-{HELD * number + place}" for place in seen.places}
        assert {card for card in zone.cards if card is not None} == names, says
        assert len(zone.cards) == (HELD if seen.size else len(names)), says
    assert shown.decision is not None
    named = [option.key for option in shown.decision.options]
    for card in range(ROOM):
        assert any(key.startswith(f"card-{card}@") for key in named) == (card in WANTED[seat])


@seats
def test_bots_in_python(seat: int) -> None:
    player = RankedPlayer(PROGRAM, ("eyes", "eyes"))
    _, ranks, _ = player.ranks(STATE, seat, 0, range(ROOM), 1, Stream(1))
    assert {card for card, rank in enumerate(ranks) if rank != UNRANKED} == WANTED[seat]


@needs_compiler
def test_bots_in_native_code() -> None:
    addresses = range(KEPT[0], KEPT[1] + ROOM + 2)
    for many in (stepping_many(PROGRAM, addresses, AUTO, ("eyes", "eyes")),
                 native_many(PROGRAM, addresses, ("eyes", "eyes"), by=compilers.quick())):  # fmt: skip
        cells = [column[0] for column in many.play(1, 0, 1).cells]
        for seat in (0, 1):
            first = seat * (ROOM + 2)
            assert set(cells[first + 1 : first + 1 + cells[first]]) == WANTED[seat]


@seats
def test_worlds_in_python(seat: int) -> None:
    """In 20 deals each card that is hidden is elsewhere at least once; what is seen stays."""
    moved = set()
    for key in range(20):
        deal = shuffle_hidden(PROGRAM, STATE, BARE, seat, Stream(key))
        moved |= {card for card, taker in enumerate(deal) if card != taker}
    assert moved & set(range(ROOM)) == set(range(ROOM)) - WANTED[seat]


@needs_compiler
@seats
def test_worlds_in_native_code(seat: int) -> None:
    """The first deals of native code, before it asks anew, are those of the reference."""
    worlds = native_grower(PROGRAM, compilers.quick()).worlds
    backend = make(PROGRAM)
    for key in range(3):
        found = worlds.possible_world(STATE, BARE, seat, key)
        assert found == possible_world(backend, STATE, BARE, seat, Stream(key))
        assert found is not None and found.state != STATE


@seats
def test_knowledge(seat: int) -> None:
    """When a position begins, a seat knows the tops that it sees in zones that it does not; nothing else."""
    start = tuple((number, tuple(cards)) for number, cards in enumerate(zone_contents(PROGRAM, STATE)))
    masks = initial(evolve(PROGRAM, start=start, position=())).masks
    tops = {HELD * number + HELD - 1 for number, says in enumerate(SAYS) if not says.seen >> seat & 1}
    assert {card for card, mask in enumerate(masks) if mask >> seat & 1} == WANTED[seat] & tops


@seats
def test_events_and_what_is_learned_from_them(seat: int) -> None:
    """A card comes from a hidden bag: to the end of a zone, then under it; a seat is shown it where it sees it."""
    new = ROOM
    for number, says in enumerate(SAYS):
        for bottom in (False, True):
            state, events = STATE[:], list[RawEvent]()
            WalkerZones(PROGRAM).move(state, (new,), number, bottom, None, 0, events)
            ((_, _, _, _, sees, _),) = events
            top = says.order == "pile" and says.top >> seat & 1 and not bottom
            assert bool(sees >> seat & 1) == bool(says.seen >> seat & 1 or top), (says, bottom)
            folding = Folding(PROGRAM, zone_contents(PROGRAM, STATE), BARE)
            folding.add(events[0])
            sight = SeatSight(PROGRAM, state, folding.result(), seat)
            assert sight.sees(new) == bool(says.seen >> seat & 1 or top), (says, bottom)


@seats
def test_conditions_with_a_seats_eyes(seat: int) -> None:
    """What reasons may read: the number of cards, the top, the cards."""
    program = PROGRAM
    eyes = SeatEyes(program, SeatSight(program, STATE, BARE, seat))

    def reads(node: Expr) -> bool:
        try:
            eyes.number(node, Environment(STATE, None))
        except Hidden:
            return False
        return True

    for number, says in enumerate(SAYS):
        cards, seen = table.Cards(c(number)), expected(says, seat)
        assert reads(table.Count(cards)) == seen.size, says
        assert reads(table.Last(cards)) == (HELD - 1 in seen.places), says
        assert reads(table.First(cards)) == (len(seen.places) == HELD), says
