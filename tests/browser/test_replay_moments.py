"""Every moment of a replay is what the table showed, for every reader, and nothing hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import define, evolve

from rulewright.interpreter.backends.walker.backend import walker_of
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.search.determinise import redeal
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.view import for_witness
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.browser.drawing.eyes import SPECTATOR, WITNESS
from rulewright.tools.browser.drawing.model import Offer, TableDrawing
from rulewright.tools.browser.host.replay import STRIDE, ReplayedGame
from rulewright.tools.browser.host.replay_requests import ReplayReader, fragment
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.playing.save_file import journal_of
from tests.browser.replays import GAMES, journal, replayed, table

LONGEST = pytest.param("rattus-cartus", marks=pytest.mark.slow)
PLAYED = [LONGEST if pack == "rattus-cartus" else pack for pack in GAMES]

ANSWERS = 45
"""Enough to go back from copies that are kept."""
assert ANSWERS > STRIDE


def shown(drawing: TableDrawing) -> TableDrawing:
    """A drawing without what depends on when somebody last looked: new lines, and the stamp of an open decision."""
    log = tuple(evolve(part, lines=tuple(evolve(line, new=False) for line in part.lines)) for part in drawing.log)
    dock = evolve(drawing.dock, stamp="") if drawing.dock is not None else None
    return evolve(drawing, moment=(), log=log, dock=dock)


def again(of: HostedTable) -> ReplayedGame:
    """The replay of a table's journal alone."""
    read, torn = journal_of(journal(of), "game")
    assert not torn
    return ReplayedGame(of.rules, Game.replay(read), of.spec.names, of.spec.kinds)


@pytest.mark.parametrize("pack", PLAYED)
def test_a_moment_is_what_the_table_showed(pack: str) -> None:
    live = table(pack, 0)
    seats = (*range(live.rules.program.seats), SPECTATOR)
    past = [[shown(live.draw(seat, whole=True)) for seat in seats]]
    while live.course.answers < ANSWERS and live.bots(1):
        past.append([shown(live.draw(seat, whole=True)) for seat in seats])
    replay = again(live)
    assert len(past) == len(replay.entries) + 1
    for answers in [*range(len(past))][::-3]:
        for number, seat in enumerate(seats):
            assert shown(replay.table(answers, seat, whole=True)) == past[answers][number]


@pytest.mark.parametrize("pack", PLAYED)
def test_every_moment_draws_in_all_views(pack: str) -> None:
    replay = replayed(table(pack, ANSWERS))
    views = (WITNESS, SPECTATOR, *range(replay.rules.program.seats))
    for answers in range(0, len(replay.entries) + 1, 2):
        for view in views:
            html = fragment(replay, ReplayReader("/x", "", views, view, answers, False, True, ()))
            assert f'data-step="{answers}"' in html


@pytest.mark.parametrize("pack", ["coup", "dominion", LONGEST])
def test_the_game_at_a_moment_is_that_of_the_journal_so_far(pack: str) -> None:
    live = table(pack, ANSWERS)
    read, _ = journal_of(journal(live), "game")
    replay = replayed(live)
    for answers in (0, 1, STRIDE - 1, STRIDE, STRIDE + 1, len(replay.entries)):
        if answers <= len(replay.entries):
            assert replay.at(answers).hash == Game.replay(read, answers).hash
    assert replay.game.hash == live.course.game.hash


@pytest.mark.parametrize("pack", PLAYED)
def test_a_witness_sees_everything(pack: str) -> None:
    replay = replayed(table(pack, 12))
    eyes = evolve(replay._reader(WITNESS).eyes, game=replay.at(len(replay.entries)))
    view = eyes.view()
    state = eyes.game.state
    for zone, info in zip(view.zones, eyes.program.zones, strict=True):
        assert zone.size == state[info.address] == len(zone.cards)
        assert None not in zone.cards
    assert all(None not in track.values for track in view.tracks)
    assert len(eyes.events()) == sum(1 for event in eyes.game.events() if for_witness(event) is not None)


def offers(thing: Any) -> list[Offer]:
    """All options in a drawing."""
    if isinstance(thing, Offer):
        return [thing]
    parts: tuple[Any, ...] = thing if isinstance(thing, tuple) else ()
    if hasattr(thing, "__attrs_attrs__") and type(thing).__module__ == Offer.__module__:
        parts = tuple(getattr(thing, one.name) for one in thing.__attrs_attrs__)
    return [offer for part in parts for offer in offers(part)]


@pytest.mark.slow
@pytest.mark.parametrize("pack", PLAYED)
def test_the_answer_of_a_decision_is_marked(pack: str) -> None:
    """To a witness the next answer; to a seat that is asked its own, also if others answer first."""
    replay = replayed(table(pack, ANSWERS))
    for answers, entry in enumerate(replay.entries):
        given = {one.seat: one.keys for one in reversed(replay.entries[answers:])}
        asked = {one.seat: given.get(one.seat, ()) for one in replay.at(answers).decisions}
        for view, keys in {WITNESS: entry.keys, **asked}.items():
            found = replay.draw(answers, view)
            drawn = offers(found.drawing)
            assert all(offer.taken is not None for offer in drawn)
            assert {offer.key for offer in drawn if offer.taken} == set(keys)
            assert len(found.chosen) == len(set(keys))


def test_answers_of_others_are_not_marked() -> None:
    replay = replayed(table("coup", ANSWERS, players=3))
    for answers, entry in enumerate(replay.entries):
        asked = {one.seat for one in replay.at(answers).decisions}
        for seat in {SPECTATOR, 0, 1, 2} - asked:
            found = replay.draw(answers, seat)
            assert found.chosen == () and offers(found.drawing) == [], entry


def test_what_the_last_answer_added_to_the_log_is_new() -> None:
    replay = replayed(table("coup", ANSWERS, players=3))
    for answers in range(1, len(replay.entries) + 1):
        reading, before = replay.reading(answers, WITNESS), replay.reading(answers - 1, WITNESS)
        assert [*reading.lines[: reading.seen]] == [*before.lines[: reading.seen]]
        assert reading.seen == len(reading.lines) or reading.lines[reading.seen] not in before.lines[reading.seen :]


def test_turns_are_where_the_log_has_their_headings() -> None:
    replay = replayed(table("coup", ANSWERS, players=3))
    turns = replay.turns()
    assert [turn.at for turn in turns] == sorted({turn.at for turn in turns})
    headings = [line.text for line in replay.reading(len(replay.entries), SPECTATOR).lines if line.sort == "round"]
    assert [turn.title for turn in turns] == [text for text in headings if text in {t.title for t in turns}]
    assert [turn.short for turn in turns][:3] == ["1", "2", "3"]


def test_reasons_name_the_rules_that_ran() -> None:
    replay = replayed(table("coup", ANSWERS, players=3))
    book = replay.rules.naming.book
    assert book is not None
    places = set()
    for answers in range(1, len(replay.entries) + 1):
        reasons = replay.because(answers, WITNESS).reasons
        assert reasons and all(reason.lines for reason in reasons)
        for reason in reasons:
            if not reason.place:  # the end of the game is no rule of a file
                assert answers == len(replay.entries)
                continue
            file, _, line = reason.place.rpartition(":")
            path = next(one for one in book.sources if one.endswith(file))
            text = book.sources[path].split("\n")[int(line) - 1 :]
            assert not reason.rule or reason.rule.split("\n")[0].strip() in "\n".join(text[:8])
            places.add(reason.place)
    assert len(places) > 10


def test_an_answer_that_the_log_leaves_out_is_told_to_its_seat_alone() -> None:
    replay = replayed(table("coup", ANSWERS, players=3))
    told = 0
    for answers, entry in enumerate(replay.entries, 1):
        first = {view: replay.because(answers, view).reasons[0].lines[0] for view in (WITNESS, SPECTATOR, 0, 1, 2)}
        if first[SPECTATOR] != f"Player {entry.seat + 1} has chosen.":
            continue
        told += 1
        chosen = replay.draw(answers - 1, WITNESS).chosen[0]
        assert first[WITNESS] == f"Player {entry.seat + 1} chooses {chosen}."
        assert first[entry.seat] == f"You choose {chosen}."
        assert {first[seat] for seat in {0, 1, 2} - {entry.seat}} == {first[SPECTATOR]}
    assert told > 3


# ------------------------------------------------------------------ secrecy

@define
class Twin(ReplayedGame):
    """A replay in which one moment is another game, with other events."""

    other: Game | None = None
    moment: int = -1

    def at(self, answers: int) -> Game:
        if answers == self.moment and self.other is not None:
            return self.other
        return ReplayedGame.at(self, answers)


def of_cards(program: TableProgram, event: Event) -> bool:
    """Whether the cards of an event are cards, and not options of a menu."""
    if event.kind == "answered":
        return program.sites[event.numbers[1]].of == "card"
    return event.kind in ("moved", "revealed")


def blinded(program: TableProgram, events: Sequence[Event], seat: int) -> list[Event]:
    """What follows an answer, with other cards in place of those that a seat does not see in any of it."""
    told = [event for event in events if of_cards(program, event)]
    seen = {card for event in told if event.audience & event.sees & 1 << seat for card in event.cards}
    unseen = [card for card in range(len(program.cards)) if card not in seen]
    others = dict(zip(unseen, unseen[1:] + unseen[:1], strict=True))
    return [
        evolve(event, cards=tuple(others.get(card, card) for card in event.cards)) if event in told else event
        for event in events
    ]


@pytest.mark.parametrize("pack", ["coup", "dominion", LONGEST])
def test_what_is_hidden_makes_no_difference(pack: str) -> None:
    """The page of a seat does not differ by a byte when only what is hidden from the seat differs."""
    live = table(pack, ANSWERS)
    plays, seats, stream = walker_of(live.rules.program), live.rules.program.seats, Stream(SEED_OF_TWINS)
    replay = replayed(live)
    differing = blind = 0
    for answers in range(1, len(replay.entries), 4):
        for seat in range(seats):
            real = replay.at(answers)
            world = redeal(plays, real.state, real.knowledge, seat, stream)
            differing += world.state != real.state
            twin = Twin(live.rules, live.course.game.clone(), live.spec.names, live.spec.kinds)
            twin.other, twin.moment = Game(plays, 0, 0, world.state, world.knowledge), answers
            parts = [blinded(live.rules.program, twin._after(n), seat) for n in range(len(twin.entries) + 1)]
            twin._events = tuple(event for part in parts for event in part)
            blind += twin._events != replay._events
            for view in (seat, SPECTATOR):
                watching = ReplayReader("/x", "", (seat, SPECTATOR), view, answers, True, False, ())
                assert fragment(twin, watching) == fragment(replay, watching), (answers, seat, view)
    assert differing > 6 and blind > 6


SEED_OF_TWINS = 11
