"""Play this card: a moment of a game for every definition of the shipped packs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from attrs import evolve

from interpreter.views.decision import offered
from tests.browser.long import LONG
from tests.browser.ponds import serving
from tools.browser.desk.moments import Wanted, holds, offers, setups
from tools.browser.host.requests import Host
from tools.browser.host.worker import answered
from tools.packs.loading import compile_pack, shipped

SHIPPED = sorted(shipped())
MOST_GAMES = 2_000
"""Games until a card must have come up; the bound of the server is one of time."""


def _ask(host: Host, do: str, **more: Any) -> Any:
    reply = answered(host, {"do": do, "packs": [], "more": [], "language": "en", "asked": {}, **more})
    assert "result" in reply, reply
    return reply["result"]


def _moment(host: Host, pack: str, card: str) -> Any:
    """Search as the server does, but with a bound of games instead of time."""
    found = _ask(host, "moment", pack=pack, card=card)
    tables, held = found["setups"], None
    while tables and found["next"] < MOST_GAMES:
        found = _ask(host, "moment", pack=pack, card=card, setups=tables, next=found["next"])
        if found["moment"] is not None and found["moment"]["offered"]:
            return found["moment"]
        held = held or found["moment"]
        if held and found["next"] > 20:
            break
    return held


def _check(host: Host, card: str, moment: Any) -> None:
    """The table of a moment opens, and its person is asked with the card among the options or in hand."""
    _ask(host, "open", table="1", spec=moment["spec"], entries=moment["entries"])
    table = host.tables["1"]
    kinds = [kind for kind, _ in moment["spec"]["seats"]]
    assert kinds[0] == "human" and "human" not in kinds[1:]
    game = table.course.game
    assert any(one.seat == 0 for one in game.decisions)
    kind, _, key = card.partition("/")
    if moment["offered"]:
        decision = offered(game.program, game.state, 0, game.knowledge)
        assert offers(game.program, decision, Wanted(kind, key))
        assert any(re.search(rf"\b{key}\b", option.key) for option in decision.options), "its key says so"
    else:
        keys = frozenset(one.key for one in game.program.cards if (one.kind, one.definition) == (kind, key))
        assert holds(game, keys)
    assert table.draw(0).dock is not None


@pytest.mark.parametrize("card", ["playing-card/hearts-8", "playing-card/clubs-2"])
def test_a_card_in_hand_is_played(card: str) -> None:
    host = Host()
    moment = _moment(host, "tutorial", card)
    assert moment is not None
    _check(host, card, moment)


@LONG
@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_every_definition_of_the_shipped_packs(name: str) -> None:
    host, missing = Host(), []
    for one in compile_pack(str(shipped()[name])).program.definitions:
        card = f"{one.kind}/{one.key}"
        moment = _moment(host, name, card)
        if moment is None:
            missing.append(card)
        else:
            _check(host, card, moment)
    assert missing == []


def test_a_card_that_the_seat_does_not_know_is_not_on_offer() -> None:
    """Its key names no card then, though the value is that card's."""
    host = Host()
    moment = _moment(host, "tutorial", "playing-card/hearts-8")
    _ask(host, "open", table="1", spec=moment["spec"], entries=moment["entries"])
    game = host.tables["1"].course.game
    decision = offered(game.program, game.state, 0, game.knowledge)
    wanted = Wanted("playing-card", "hearts-8")
    assert offers(game.program, decision, wanted)
    covered = [evolve(one, key=f"play:unseen-{n}@hand") for n, one in enumerate(decision.options)]
    assert not offers(game.program, evolve(decision, options=tuple(covered)), wanted)


def test_options_that_bring_a_card_in_come_first() -> None:
    """The kingdom of a game has ten cards; the one that is looked for is chosen, with nine others."""
    program = compile_pack("dominion").program
    first = setups(program, Wanted("card", "witch"))[0]
    (option,) = first.options
    chosen = option.partition("=")[2].split(", ")
    assert chosen[0] == "witch" and len({*chosen}) == 10


def test_a_card_of_no_game() -> None:
    assert setups(compile_pack("tutorial").program, Wanted("playing-card", "joker")) == []


def test_a_table_is_opened_over_http() -> None:
    with serving() as client:
        form = {"pack": "tutorial", "card": "playing-card/hearts-8", "lang": "en"}
        reply = client.post("/gallery/play", data=form, follow_redirects=False)
        assert reply.status_code == 303
        page = client.get(reply.headers["location"])
        dock = page.text[page.text.index('id="decision"') :]
        assert "8 of hearts" in dock and "Your turn" in dock
        journal = client.get(reply.headers["location"] + "/journal").text
        again = client.get(reply.headers["location"] + "/journal").text
        assert journal == again


@pytest.mark.slow
def test_the_reason_is_told_and_a_plain_game_is_offered() -> None:
    with serving() as client:
        form = {"pack": "tutorial", "card": "playing-card/joker", "lang": "en"}
        reply = client.post("/gallery/play", data=form)
        assert reply.status_code == 422 and "No game has this card" in reply.text
        plain = client.post("/gallery/plain", data=form, follow_redirects=True)
        assert plain.status_code == 200 and "Crazy Eights" in plain.text


@pytest.mark.slow
def test_where_all_play_openly_a_card_in_front_of_a_seat_is_in_hand() -> None:
    """With open hands no zone is a seat's secret, so what the seat has and sees counts."""
    host = Host()
    moment = _moment(host, "open-hands", "token/point")
    assert moment is not None
    assert not moment["offered"]
    _check(host, "token/point", moment)
