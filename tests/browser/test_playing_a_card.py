"""Play this card: a moment of a game for every definition of the shipped packs."""

from __future__ import annotations

import asyncio
import html
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.views.decision import offered
from rulewright.tools.browser.desk.moments import Plays, WantedDefinition, setups
from rulewright.tools.browser.host.pages import request_data
from rulewright.tools.browser.host.requests import Host, PageSetting, fragment
from rulewright.tools.browser.host.worker import answered
from rulewright.tools.browser.words import words_of
from rulewright.tools.packs.loading import compile_pack
from tests.browser.served import Served, serving

KINDS = ("population", "wild", "special")
PLAYED: dict[str, dict[str, tuple[set[str], str]]] = {
    "tutorial": {"playing-card": ({"turn.play.choice"}, "hand/1")},
    "coup": {
        "action": ({"turn.act.choice"}, ""),
        "role": ({"turn.act.choice", "attempt.reaction"}, "influence/1"),
    },
    "dominion": {"card": ({"action.play.choice", "buy.treasures.played", "attack.reaction"}, "hand/1")},
    "rattus-cartus": {
        "building": ({"entering.enter.choice"}, ""),
        **{kind: ({"entering.enter.choice", "entering.enter.enter.played"}, "hand/1") for kind in KINDS},
    },
}
"""By kinds: the choices in which such a card is played, and the zone that is the hand; none of what nobody has."""
UNPLAYABLE: dict[str, set[str]] = {
    "tutorial": set(),
    "coup": set(),
    "dominion": {f"card/{one}" for one in ("estate", "duchy", "province", "curse", "gardens")},
    "rattus-cartus": {"special/gold", "token/point"},
}
"""By the rules nobody plays them: Victory cards and Curses, gold and point tokens."""
MOST_GAMES = 2_000
"""Games until a card must have come up; the bound of the server is one of time."""


def _ask(host: Host, do: str, **more: Any) -> Any:
    reply = answered(host, {"do": do, **more})
    assert "result" in reply, reply
    return reply["result"]


def _ask_desk(host: Host, do: str, pack: str, card: str, **known: Any) -> Any:
    return _ask(host, do, **request_data([("pack", pack), ("card", card)], (), "en", "here", known))


def _moment(host: Host, pack: str, card: str, games: int = MOST_GAMES) -> Any:
    """Search as the server does, but with a bound of games instead of time."""
    found = _ask_desk(host, "moment", pack, card)
    tables, best = found["setups"], None
    while tables and found["next"] < games:
        found = _ask_desk(host, "moment", pack, card, setups=tables, next=found["next"])
        best = best or found["moment"]
        if found["moment"] is not None and found["moment"]["sure"]:
            return found["moment"]
        if best and found["next"] > 3:
            break
    return best


def _check(host: Host, pack: str, card: str, moment: Any) -> None:
    """The table of a moment opens, and its person is asked where the card is played, with the card in hand."""
    _ask(host, "open", table="1", spec=moment["spec"], entries=moment["entries"])
    table = host.tables["1"]
    kinds = [kind for kind, _ in moment["spec"]["seats"]]
    assert kinds[0] == "human" and "human" not in kinds[1:]
    game = table.course.game
    kind, _, key = card.partition("/")
    sites, zone = PLAYED[pack][kind]
    (decision,) = (one for one in game.decisions if one.seat == 0)
    assert decision.choice in sites, f"{card} at {decision.choice}"
    if zone:
        number = next(n for n, one in enumerate(game.program.zones) if one.key == zone)
        copies = {one.key for one in game.program.cards if (one.kind, one.definition) == (kind, key)}
        assert copies & {*game.view(0).zones[number].cards}, f"{card} is not in {zone}"
    offered_keys = {option.key for option in offered(game.program, game.state, 0, game.knowledge).options}
    assert moment["keys"] and {*moment["keys"]} <= offered_keys
    if (pack, kind) != ("coup", "role"):  # an action is chosen, and the role is claimed by it
        assert all(re.search(rf"\b{key}\b", one) for one in moment["keys"])
    page = fragment(table, 0, PageSetting("/t/x", sought=tuple(moment["keys"])))
    assert all(f'data-option="{one}"' in page for one in moment["keys"])
    assert f"data-sought='{json.dumps(moment['keys'])}'" in page


CASES = (
    ("tutorial", "playing-card/hearts-8"),
    ("tutorial", "playing-card/clubs-2"),
    ("coup", "role/duke"),
    ("coup", "action/coup"),
    ("dominion", "card/smithy"),
)


@pytest.mark.parametrize(("pack", "card"), CASES)
def test_a_card_in_hand_is_played(pack: str, card: str) -> None:
    host = Host()
    moment = _moment(host, pack, card)
    assert moment is not None
    _check(host, pack, card, moment)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "card"), [("rattus-cartus", "building/castle"), ("rattus-cartus", "special/sword")]
)
def test_a_building_is_entered_and_a_card_is_played_into_it(pack: str, card: str) -> None:
    host = Host()
    _check(host, pack, card, _moment(host, pack, card))


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "card"), [("dominion", "card/estate"), ("rattus-cartus", "special/gold")])
def test_what_cannot_be_played_has_no_moment(pack: str, card: str) -> None:
    """Estates are bought and gold is held, and by the rules nobody can play them."""
    assert card in UNPLAYABLE[pack]
    assert _moment(Host(), pack, card, 12) is None


@pytest.mark.slow
@pytest.mark.timeout(2400)
@pytest.mark.parametrize("name", sorted(PLAYED))
def test_every_definition_of_the_games(name: str) -> None:
    host, missing = Host(), set()
    for one in compile_pack(name).program.definitions:
        card = f"{one.kind}/{one.key}"
        moment = _moment(host, name, card, 60 if card in UNPLAYABLE[name] else MOST_GAMES)
        if moment is None:
            missing.add(card)
        else:
            _check(host, name, card, moment)
    assert missing == UNPLAYABLE[name]


def test_a_card_that_the_seat_does_not_know_is_not_played() -> None:
    """Its key names no card then, though the value is that card's."""
    host = Host()
    moment = _moment(host, "tutorial", "playing-card/hearts-8")
    _ask(host, "open", table="1", spec=moment["spec"], entries=moment["entries"])
    table = host.tables["1"]
    program, game = table.rules.program, table.course.game
    plays = Plays(compile_pack("tutorial").program, program, WantedDefinition("playing-card", "hearts-8"))
    assert plays.keys(game) == tuple(moment["keys"])
    (own,) = moment["keys"]
    decision = offered(program, game.state, 0, game.knowledge)
    site = program.sites[decision.site]
    option = next(one for one in decision.options if one.key == own)
    hand = frozenset({"hearts-8"})
    assert plays._plays(site, option, hand)
    assert not plays._plays(site, evolve(option, key="play:unseen-1@hand"), hand)


def test_options_that_bring_a_card_in_come_first() -> None:
    """The kingdom of a game has ten cards; the one that is looked for is chosen, with nine others."""
    program = compile_pack("dominion").program
    first = setups(program, WantedDefinition("card", "witch"))[0]
    (option,) = first.options
    chosen = option.partition("=")[2].split(", ")
    assert chosen[0] == "witch" and len({*chosen}) == 10


def test_a_card_of_no_game() -> None:
    assert setups(compile_pack("tutorial").program, WantedDefinition("playing-card", "joker")) == []


def at_the_desk(case: Callable[[Served], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with serving() as served:
            await case(served)

    asyncio.run(whole())


async def _opened(served: Served) -> None:
    form = {"pack": "tutorial", "card": "playing-card/hearts-8", "lang": "en"}
    reply = await served.client.post("/gallery/play", data=form)
    assert reply.status_code == 303
    page = await served.client.get(reply.headers["location"])
    dock = page.text[page.text.index('id="decision"') :]
    assert "8 of hearts" in dock and "Your turn" in dock


def test_a_table_is_opened_over_http() -> None:
    at_the_desk(_opened)


async def _told(served: Served) -> None:
    form = {"pack": "tutorial", "card": "playing-card/joker", "lang": "en"}
    reply = await served.client.post("/gallery/play", data=form)
    assert reply.status_code == 422 and "No game has this card" in reply.text
    plain = await served.client.post("/gallery/plain", data=form, follow_redirects=True)
    assert plain.status_code == 200 and "Crazy Eights" in plain.text


def test_the_reason_is_told_and_a_plain_game_is_offered() -> None:
    at_the_desk(_told)


async def _marked(served: Served) -> None:
    """The page names the card and marks it, until it is answered, and again if that is taken back."""
    form = {"pack": "tutorial", "card": "playing-card/hearts-8", "lang": "en"}
    opened = (await served.client.post("/gallery/play", data=form)).headers["location"]
    told = html.escape(words_of("en")["play-here"].format(name="8 of hearts"))
    page = (await served.client.get(opened)).text
    assert told in page and "data-sought='[\"play:hearts-8\"]'" in page
    token = opened.removeprefix("/t/")
    decision = (await served.state(token))["decision"]
    await served.answer(token, decision["stamp"], ["play:hearts-8"])
    page = (await served.client.get(opened)).text
    assert told not in page and "data-sought='[]'" in page
    await served.client.post(f"{opened}/undo")
    page = (await served.client.get(opened)).text
    assert told in page and "data-sought='[\"play:hearts-8\"]'" in page


def test_the_card_is_marked_as_long_as_it_can_be_played() -> None:
    at_the_desk(_marked)
