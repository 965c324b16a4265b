"""A spectator sees what all seats see, and nothing else."""

from __future__ import annotations

import pytest

from interpreter.game.game import Game
from interpreter.state.chance import Stream
from interpreter.state.events import Event, redact
from interpreter.views.spectator import for_spectator, spectator_view, with_spectator
from interpreter.views.view import View
from ruleset.table.nodes import ORDERED, TableProgram
from tests.suites.play import engine, random_play
from tools.packs import loading

PACKS = ("coup", "dominion", "rattus-cartus", "tutorial")


def table(pack: str, seats: int = 3) -> TableProgram:
    return loading.table(loading.compile_pack(pack).program, seats, [])


def public(game: Game) -> View:
    return spectator_view(with_spectator(game.program), game.state, game.knowledge)


@pytest.mark.parametrize("pack", PACKS)
def test_all_that_a_spectator_sees_is_seen_by_every_seat(pack: str) -> None:
    program = table(pack)
    for moment, game in enumerate(random_play(engine(program, "walker"), 3, 0, Stream(3, 0))):
        if moment % 7:
            continue
        seen, views = public(game), [game.view(seat) for seat in range(program.seats)]
        assert seen.decision is None
        for number, zone in enumerate(seen.zones):
            others = [view.zones[number] for view in views]
            if zone.size is not None:
                assert {other.size for other in others} == {zone.size}
            known = [set(filter(None, other.cards)) | {key for key, _ in other.known} for other in others]
            assert all(set(filter(None, zone.cards)) <= each for each in known), zone.key
        for number, track in enumerate(seen.tracks):
            for index, value in enumerate(track.values):
                if value is not None:
                    assert all(view.tracks[number].values[index] == value for view in views), track.key


@pytest.mark.parametrize(
    ("event", "cards"),
    [
        (Event("moved", (0, 1, 2), (7, 3), audience=0b111, sees=0b011, at=0), (-1, -1)),
        (Event("moved", (0, 1, 2), (7, 3), audience=0b111, sees=0b111, at=0), (7, 3)),
        (Event("moved", (0, 1, 2, ORDERED, 0, 0b001), (7, 3), audience=0b111, sees=0b111, at=0), (3, 7)),
        (Event("announced", (0,), (), 0b011, 0b011, 0), None),
    ],
    ids=["only some see the cards", "all see them", "not all learn their order", "not all hear of it"],
)
def test_an_event_is_told_to_a_spectator_as_far_as_all_seats_read_it(
    event: Event, cards: tuple[int, ...] | None
) -> None:
    read = redact(for_spectator(event, 3), 3)
    assert (read.cards if read is not None else None) == cards
