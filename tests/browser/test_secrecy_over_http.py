"""What is sent to a reader does not differ by a byte when only what is hidden from the reader differs.

As in `tests/suites/secrecy.py`: at random moments of random games, everything that a reader cannot know is dealt
anew. Two servers have the two worlds at tables with the same addresses. Their replies are compared, then equal
answers are given at both over HTTP, and replies and streams compared again, until the rules disclose something.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import count
from typing import Any

import pytest
from attrs import define, evolve, frozen

from rulewright.interpreter.backends.walker.backend import walker_of
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.chance import Stream as Chance
from rulewright.interpreter.state.chance import load
from rulewright.interpreter.state.events import Event
from rulewright.interpreter.views.decision import resolve
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.refusals import Refusal
from rulewright.tools.browser.drawing.eyes import SPECTATOR
from rulewright.tools.browser.host import requests as states
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.server import tables
from rulewright.tools.browser.server.tables import ServerTable
from tests.browser.served import Served, Stream, serving, stream
from tests.browser.worlds import events_of, twin_of, view_of
from tests.suites.play import random_answer, random_decision, random_play
from tests.suites.secrecy import TRIES, alike, same_events, used_chance

PACKS = {"coup": 3, "dominion": 2, "rattus-cartus": 2, "tutorial": 3}
DEPTH = 6


class Leak(AssertionError):  # noqa: N818 - what it is
    """Two replies differ that must not."""


@frozen
class Coverage:
    """What was compared: pairs of worlds (and those that differ), replies, and bytes."""

    pairs: int = 0
    differing: int = 0
    answers: int = 0
    replies: int = 0
    size: int = 0


# ------------------------------------------------------------------ two servers

@define
class Side:
    """One of two servers, with its table and the stream of the reader."""

    served: Served
    table: ServerTable
    stream: Stream

    @property
    def hosted(self) -> HostedTable:
        return self.served.hosted(self.table)

    @property
    def game(self) -> Game:
        return self.hosted.course.game

    def put(self, state: array[int], knowledge: Knowledge, events: tuple[Event, ...]) -> None:
        """Let the table go on from a state."""
        hosted = self.hosted
        course = hosted.course
        course.game = Game(walker_of(hosted.rules.program), 0, 0, state[:], knowledge, events)
        course.answers = 0
        hosted._readers.clear()
        self.table.lines.clear()
        self.table.status = hosted.status()

    async def replies(self, token: str) -> Iterator[tuple[str, bytes]]:
        """All that a reader can fetch, with status and headers."""
        found = []
        definitions = [f"{one.kind}/{one.definition}" for one in self.hosted.rules.program.cards[:2]]
        looks = [f"/look?face={name}" for name in definitions]
        over = self.game.result is not None
        journal = () if over else ("/journal",)  # once a game is over, its journal shows everything
        for path in ("", "/state.json", "/why", "/result", "/links", *journal, *looks):
            reply = await self.served.client.get(f"/t/{token}{path}")
            headers = "\n".join(f"{key}: {value}" for key, value in reply.headers.items())
            found.append((path or "/", f"{reply.status_code}\n{headers}\n\n".encode() + reply.content))
        found.append(("/events", await self.stream.settled()))
        return iter(found)

    async def answer(self, seat: int, keys: Sequence[str]) -> None:
        token = next(one.token for one in self.table.readers.values() if one.seats == (seat,))
        told = await self.served.state(token)
        reply = await self.served.answer(token, told["decision"]["stamp"], keys)
        assert reply.json() == {"ok": True, "saved": False}, reply.text  # these servers keep nothing


async def compare(pack: str, seats: int, seed: int, one_in: int, patch: pytest.MonkeyPatch) -> Coverage:
    """Play a random game, and compare two worlds at random moments of it."""
    found = Coverage()
    async with AsyncExitStack() as stack:
        servers = []
        for _ in range(2):
            numbers = count(1)
            patch.setattr(tables, "new_token", lambda numbers=numbers: f"token-{next(numbers)}")
            served = await stack.enter_async_context(serving())
            table = await served.open(pack, [("human", "")] * seats, range(seats), speed=600)
            spectator = f"token-{next(numbers)}"
            table.readers[spectator] = tables.Reader(spectator, ())
            served.site.tables._add(table)
            servers.append((served, table))
        rules = servers[0][0].hosted(servers[0][1]).rules
        chance = Chance(seed, 0)
        for game in random_play(walker_of(rules.program), seed, 0, chance):
            if game.result is not None or chance.below(one_in):
                continue
            reader = chance.below(seats + 1)
            reader = SPECTATOR if reader == seats else reader
            if any(one.answered and one.seat == reader for one in view_of(game, rules, reader).asked):
                continue
            world = twin_of(game, rules, reader, chance)
            if world is None:
                continue
            seats_of = () if reader == SPECTATOR else (reader,)
            readers = servers[0][1].readers.values()
            token = next(one.token for one in readers if one.seats == seats_of and not one.owner)
            sides = []
            async with AsyncExitStack() as streams:
                for (served, table), (state, knowledge) in zip(
                    servers, ((game.state, game.knowledge), (world.state, world.knowledge)), strict=True
                ):
                    Side(served, table, Stream()).put(state, knowledge, game.events())
                    opened = await streams.enter_async_context(stream(served, f"/t/{token}/events"))
                    sides.append(Side(served, table, opened))
                found = await walk(sides[0], sides[1], reader, token, chance, found)
    return found


async def walk(real: Side, twin: Side, reader: int, token: str, chance: Chance, found: Coverage) -> Coverage:
    """Compare two tables, and again after each of some equal answers. Raises Leak."""
    rules = real.hosted.rules
    assert alike(view_of(real.game, rules, reader), view_of(twin.game, rules, reader)), "these are no twins"
    found = evolve(found, pairs=found.pairs + 1, differing=found.differing + (real.game.state != twin.game.state))
    drawn = False
    for _ in range(DEPTH):
        found = await same(real, twin, reader, token, found)
        if real.game.result is not None:
            return found
        decision = random_decision(real.game, chance)
        mirrored = next((one for one in twin.game.decisions if one.seat == decision.seat), None)
        assert mirrored is not None
        for _ in range(TRIES):
            keys = random_answer(decision, chance)
            if not isinstance(resolve(mirrored, keys), Refusal):
                break
        else:
            return found
        said, said_twin = len(real.game.events()), len(twin.game.events())
        before = load(real.game.state)
        await real.answer(decision.seat, keys)
        await twin.answer(decision.seat, keys)
        found = evolve(found, answers=found.answers + 1)
        drawn = drawn or used_chance(real.game, before, real.game.events()[said:])
        try:
            told, told_twin = events_of(real.game, reader, said), events_of(twin.game, reader, said_twin)
            views = view_of(real.game, rules, reader), view_of(twin.game, rules, reader)
            if not same_events(real.game.program, told, told_twin) or not alike(*views):
                return found
        except AssertionError:
            if drawn:
                return found
            raise
    return found


async def same(real: Side, twin: Side, reader: int, token: str, found: Coverage) -> Coverage:
    replies = size = 0
    for (path, one), (_, other) in zip(await real.replies(token), await twin.replies(token), strict=True):
        if one != other:
            place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
            around = slice(max(0, place - 80), place + 80)
            raise Leak(f"{path} for {reader}: {one[around]!r}; in the twin, {other[around]!r}")
        replies, size = replies + 1, size + len(one)
    return evolve(found, replies=found.replies + replies, size=found.size + size)


# ------------------------------------------------------------------ tests

@pytest.mark.parametrize("pack", PACKS)
def test_what_is_sent_does_not_depend_on_what_is_hidden(pack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one_in = {"dominion": 300, "rattus-cartus": 200}.get(pack, 15)
    found = asyncio.run(compare(pack, PACKS[pack], 21, one_in, monkeypatch))
    assert found.differing and found.answers and found.size > 100_000, found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pack", PACKS)
def test_at_many_moments(pack: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    one_in = {"dominion": 12, "rattus-cartus": 15}.get(pack, 2)
    found = asyncio.run(compare(pack, PACKS[pack] + seed % 2, 100 + seed, one_in, monkeypatch))
    assert found.differing >= 5, found


def test_a_card_number_in_the_json_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made = states.state

    def leaking(table: HostedTable, seat: int) -> dict[str, Any]:
        zones = table.rules.program.zones
        lowest = [table.course.game.state[zone.address + 1] for zone in zones]
        return {**made(table, seat), "lowest": lowest}

    monkeypatch.setattr("rulewright.tools.browser.host.requests.state", leaking)
    with pytest.raises(Leak, match=r"state\.json"):
        asyncio.run(compare("coup", 3, 21, 2, monkeypatch))


def test_the_view_of_a_player_for_spectators_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.tools.browser.drawing.eyes import Eyes

    honest = Eyes.view
    monkeypatch.setattr(Eyes, "view", lambda eyes: eyes.game.view(0) if eyes.spectates else honest(eyes))
    with pytest.raises(Leak, match="for -1"):
        asyncio.run(compare("coup", 3, 21, 2, monkeypatch))


def test_an_id_with_the_number_of_a_card_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.tools.browser.drawing.zones import ZoneDrawer

    honest = ZoneDrawer.draw

    def leaking(zones: ZoneDrawer, zone: Any, where: Any, form: str = "") -> Any:
        drawn = honest(zones, zone, where, form)
        first = zones.eyes.game.state[zones.info(zone).address + 1]
        cards = tuple(evolve(card, id=f"{card.id}.{first}") for card in drawn.cards)
        return evolve(drawn, cards=cards)

    monkeypatch.setattr(ZoneDrawer, "draw", leaking)
    with pytest.raises(Leak, match=r"^/ for"):
        asyncio.run(compare("coup", 3, 21, 2, monkeypatch))


async def _refusals() -> None:
    async with serving() as served:
        table = await served.open("coup", [("human", "")] * 3, range(3))
        spectator = tables.Reader("watching", ())
        table.readers["watching"] = spectator
        served.site.tables._add(table)
        tokens = {one.seats: one.token for one in table.readers.values() if one.seats}
        for seat in range(3):
            told = await served.state(tokens[seat,])
            hands = [zone for zone in told["zones"] if any(zone["cards"])]
            assert all(zone["owner"] in (seat, -1) for zone in hands)
            for other in {0, 1, 2} - {seat}:
                reply = await served.client.get(f"/t/{tokens[seat,]}/state.json", params={"seat": other})
                assert reply.status_code == 403
                asked = await served.answer(tokens[seat,], "", [], seat=str(other))
                assert asked.status_code == 403
        told = await served.state("watching")
        assert told["decision"] is None and told["seat"] is None
        assert not any(any(zone["cards"]) for zone in told["zones"])
        for path in ("why", "journal", "links"):
            assert (await served.client.get(f"/t/watching/{path}")).status_code == 403


def test_seats_of_others_are_refused() -> None:
    asyncio.run(_refusals())
