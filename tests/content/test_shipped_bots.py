"""The bots of the shipped games play by their texts, and win far more often than random players.

Each is watched in whole games: what it answers is held against what its text promises, by what its seat sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.view import View
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.bots import SeatedBots
from rulewright.tools.packs import loading as packs
from rulewright.tools.simulation.columns import columns_of
from tests.interpreter import compilers
from tests.interpreter.compilers import needs_compiler

RANDOM = "random"


@cache
def table(pack: str, seats: int, **options: str) -> TableProgram:
    return lower(packs.compile_pack(pack).program, seats, options)


def watched(pack: str, seats: tuple[str, ...], games: int, **options: str) -> Iterator[tuple[View, Decision, str]]:
    """What the bot of the first seat sees at each decision, what it is asked, and its answer (the keys, joined)."""
    program = table(pack, len(seats), **options)
    bots = SeatedBots(program, seats)
    for number in range(games):
        game, given = Game.start(program, 5, game=number), 0
        bots.sit(5, number)
        while game.result is None:
            decision = game.decisions[0]
            keys = bots.answer(game, decision, given)
            if decision.seat == 0:
                yield game.view(0), decision, " ".join(keys)
            game.apply(decision.seat, keys)
            given += 1


def number(view: View, track: str, seat: int = -1) -> int:
    found = next(one for one in view.tracks if one.key == track)
    return int(found.values[seat] if seat >= 0 else found.values[0])


def held(view: View, zone: str) -> list[str]:
    """The names of the cards that the seat sees in a zone."""
    found = next(one for one in view.zones if one.key == zone)
    return [card.partition("+")[0] for card in found.cards]


# ------------------------------------------------------------------ how they play

@pytest.mark.slow
@pytest.mark.parametrize("bot", ["big-money", "smithy-money"])
def test_money_buys_the_best_that_it_can_pay(bot: str) -> None:
    bought: Counter[str] = Counter()
    for view, decision, answer in watched("dominion", (bot, RANDOM), 4):
        if decision.choice != "buy.buy.choice":
            continue
        coins, left = (
            number(view, "coins"),
            {key: len(held(view, f"supply/{key}")) for key in ("province", "smithy")},
        )
        prices = [("province", 8)]
        prices += [("duchy", 5)] if left["province"] <= 4 else []
        prices += [("estate", 2)] if left["province"] <= 2 else []
        prices += [("gold", 6)]
        prices += [("smithy", 4)] if bot == "smithy-money" and left["smithy"] >= 9 else []
        prices += [("silver", 3)]
        offered = {option.key for option in decision.options}
        wanted = next((key for key, price in prices if coins >= price and f"buy:{key}" in offered), None)
        assert answer == (f"buy:{wanted}" if wanted else "done"), (coins, left)
        bought[answer] += 1
    assert len(bought) >= 5, bought
    assert (bought["buy:smithy"] > 0) == (bot == "smithy-money")


@pytest.mark.slow
def test_truthful_claims_only_what_it_has() -> None:
    claims = {"act:tax": "duke", **{f"block:{role}": role for role in
              ("duke", "contessa", "captain", "ambassador", "inquisitor")}}  # fmt: skip
    said: Counter[str] = Counter()
    for view, decision, answer in (
        *watched("coup", ("truthful", RANDOM, RANDOM), 25),
        *watched("coup", ("truthful", RANDOM), 15, **{"with-inquisitor": "true"}),
    ):
        own = held(view, "influence/1")
        if answer in claims:
            assert claims[answer] in own
        if decision.choice == "turn.act.choice" and number(view, "coins", 0) >= 7:
            assert answer.startswith("act-against:coup,")
        elif decision.choice == "turn.act.choice":
            assert answer == ("act:tax" if "duke" in own else "act:foreign-aid")
        elif decision.choice == "character.challenge":
            assert answer == "pass"
        elif decision.choice == "attempt.reaction":
            could = {f"block:{role}" for role in own} & {option.key for option in decision.options}
            assert answer in could if could else answer == "pass"
        said[answer] += 1
    assert {"act:tax", "block:duke", "block:contessa", "block:captain", "pass"} <= {*said}


BUILDINGS = {
    "farm": "peasantry", "brewery": "peasantry", "market": "bourgeoisie", "office": "bourgeoisie",
    "monastery": "church", "hospital": "church", "castle": "chivalry", "watchtower": "chivalry",
    "tent": "magic", "pipers-hut": "magic", "palace": "royalty", "treasury": "royalty",
}  # fmt: skip


@pytest.mark.slow
def test_townsman_plays_people_of_one_class_and_fights_rats() -> None:
    entered, answered = "", Counter[str]()
    for view, decision, answer in watched("rattus-cartus", ("townsman", RANDOM, RANDOM), 4):
        answered[decision.choice] += 1
        rats = number(view, "rats", 0)
        if decision.choice == "entering.enter.choice":
            entered = BUILDINGS[answer.removeprefix("enter:").partition("@")[0].rpartition("-")[0]]
        elif decision.choice == "entering.enter.enter.played":
            mine = [card for card in held(view, "hand/1") if card.startswith(f"{entered}-")]
            played = [key.partition("+")[0] for key in answer.split()]
            people = [card for card in played if card not in ("joker", "sword", "flute")]
            assert sorted(people) == sorted(mine), "all of its class, and nobody else"
        elif decision.choice == "supplies.supply.source":
            copies = {key: option.key.partition("@")[0].rpartition("-")[2] for key, option in
                      ((option.key, option) for option in decision.options)}  # fmt: skip
            order = "425" if rats > 5 else "123"
            best = next((copy for copy in order if copy in copies.values()), None)
            assert best is None or copies[answer] == best, (rats, copies)
    assert answered["entering.enter.choice"] > 10 < answered["supplies.supply.source"]


# ------------------------------------------------------------------ how they do

TABLES: list[tuple[str, tuple[str, ...], float]] = [
    ("dominion", ("big-money", RANDOM), 0.95),
    ("dominion", (RANDOM, "smithy-money", RANDOM), 0.95),
    ("dominion", ("big-money", "smithy-money"), 0.65),
    ("coup", ("truthful", RANDOM), 0.65),
    ("coup", (RANDOM, RANDOM, RANDOM, "truthful"), 0.65),
    ("rattus-cartus", ("townsman", RANDOM), 0.9),
    ("rattus-cartus", (RANDOM, "townsman", RANDOM, RANDOM), 0.9),
]
"""A table, and the share of games that its last bot wins at least; each of them wins 8 of 100 more in long runs."""


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(("pack", "seats", "share"), TABLES, ids=str)
def test_they_win(pack: str, seats: tuple[str, ...], share: float) -> None:
    program, games = table(pack, len(seats)), 400
    columns = columns_of(program)
    seated = tuple("" if seat == RANDOM else seat for seat in seats)
    results = native_many(program, columns.addresses, seated, by=compilers.quick()).play(2, 0, games)
    assert not any(results.faults)
    best = max(seat for seat, name in enumerate(seats) if name != RANDOM)
    assert sum(columns.ended(results).winners[best]) >= share * games


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("pack", ["dominion", "coup", "rattus-cartus"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_among_them_end(pack: str, seats: int) -> None:
    """They do not go in circles."""
    program = table(pack, seats)
    assert program.bots is not None
    for bot in program.bots.bots:
        results = native_many(program, (), (bot.key,) * seats, by=compilers.quick()).play(3, 0, 300)
        assert not any(results.faults)
        assert max(results.decisions) < 2_000
