"""Tables and logs of Coup and Dominion at a few prepared moments.

What stands in the snapshots can be told from the position: who has what, what was claimed, what the supply holds.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from syrupy.assertion import SnapshotAssertion

from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.packs.naming import Naming
from tests.positions import Table, hand, of, pack_of, program_of
from tests.tools.display.test_table import naming_of, seen
from tests.tools.harness import ROOT

COUP = ROOT / "content" / "coup"
DOMINION = ROOT / "content" / "dominion"
LOOKS = [(80, "en"), (120, "es")]


def coup() -> Table:
    """With this seed Player 1 holds Ambassador and Captain, Player 2 Assassin and Contessa."""
    table = Table.start(program_of(COUP, 3), seed=18)
    dealt = [[card.rstrip("-123") for card in table.cards(of(seat, "influence"))] for seat in (0, 1)]
    assert dealt == [["ambassador", "captain"], ["assassin", "contessa"]]
    return table


def dominion() -> Table:
    """Player 3 begins with two Villages, a Gold, a Copper and an Estate in hand; the Moats are sold out."""
    table = Table.start(program_of(DOMINION, 3))
    assert table.decision.seat == 2
    cards = ["village", "village", "gold", "copper", "estate"]
    return table.arrange(
        zones={hand(2): cards, "supply/moat": [], "trash": ["moat"] * 10},
        top={of(2, "deck"): ["silver", "smithy", "copper"]},
    )


def log(table: Table, naming: Naming, reader: int | None, language: str = "en", since: int = 0) -> list[str]:
    """The log from an event on, for a reader."""
    chronicle = Chronicle(table.program, naming.texts, language, reader, naming.layout)
    chronicle.tell(table.game.events()[:since])
    chronicle.rest()
    lines = [*chronicle.tell(table.game.events()[since:]), *chronicle.rest()]
    return [line.text for line in lines if line.sort == "text"]


@pytest.mark.parametrize(("width", "language"), LOOKS)
def test_a_claim_that_may_be_doubted(width: int, language: str, snapshot: SnapshotAssertion) -> None:
    table = coup()
    table.answer(0, "turn.act.choice", "act-against:steal,seat-2")
    assert table.asked == [(1, "character.challenge")]
    assert seen(table, COUP, 1, width, language) == snapshot


@pytest.mark.parametrize(("width", "language"), LOOKS)
def test_an_action_that_may_be_blocked(width: int, language: str, snapshot: SnapshotAssertion) -> None:
    table = coup()
    table.answer(0, "turn.act.choice", "act-against:steal,seat-2")
    table.answer(1, "character.challenge", "challenge")
    table.answer(1, "lose-an-influence.given-up", "assassin")
    assert table.asked == [(1, "attempt.reaction")], "the Captain was there, and Player 2 has the Contessa left"
    assert seen(table, COUP, 1, width, language) == snapshot


def test_the_log_tells_who_claims_what() -> None:
    """Player 2 doubts the Captain, wrongly; then says to have one, and Player 1 finds out."""
    table, naming = coup(), naming_of(COUP, 3)
    since = len(table.game.events())
    table.answer(0, "turn.act.choice", "act-against:steal,seat-2")
    table.answer(1, "character.challenge", "challenge")
    table.answer(1, "lose-an-influence.given-up", "assassin")
    table.answer(1, "attempt.reaction", "block:captain")
    table.answer(2, "character.challenge", "pass")
    table.answer(0, "character.challenge", "challenge")
    told = log(table, naming, 2, "en", since)
    assert told == [
        "Player 1 claims the Captain, to steal from Player 2.",
        "Player 2 challenges.",
        "Player 1 proves it · shows Captain from their influence · puts the Captain back into the Court deck.",
        "The Court deck is shuffled.",
        "Player 1 draws a card from the Court deck.",
        "Player 2 loses the Assassin, which is turned face up.",
        "Player 2 claims the Captain, to block.",
        "You do not challenge.",
        "Player 1 challenges.",
        "Player 2 cannot prove it.",
        "Player 2 loses the Contessa, which is turned face up · is out of the game.",
        "Player 1 takes 2 coins from Player 2.",
    ]
    assert log(table, naming, 0, "es", since)[2:4] == [
        "Lo demuestras · muestras Capitán de tu influencia · devuelves el Capitán al mazo de la Corte.",
        "Se baraja el mazo de la Corte.",
    ]
    assert log(table, naming, 1, "es", since)[6:11] == [
        "Declaras que tienes al Capitán, para bloquear.",
        "Jugador 3 no desafía.",
        "Jugador 1 desafía.",
        "No puedes demostrarlo.",
        "Pierdes la Condesa, que queda boca arriba · quedas fuera de la partida.",
    ]


def test_the_log_tells_where_coins_go() -> None:
    """A refuted Assassin: the cost comes back; who is out puts all coins into the Treasury."""
    table, naming = coup(), naming_of(COUP, 3)
    table.arrange(tracks={("coins", 0): 5})
    since = len(table.game.events())
    table.answer(0, "turn.act.choice", "act-against:assassinate,seat-2")
    table.answer(1, "character.challenge", "challenge")
    lost = log(table, naming, 0, "en", since)
    assert lost[0] == "You claim the Assassin, to assassinate Player 2 · pay 3 coins."
    assert log(table, naming, 2, "es", since)[0].endswith("· paga 3 monedas.")
    table.answer(0, "lose-an-influence.given-up", table.options[0])
    assert any("get 3 coins back" in line for line in log(table, naming, 0, "en", since))


def test_those_who_pass_are_told_in_one_sentence() -> None:
    table, naming = coup(), naming_of(COUP, 3)
    since = len(table.game.events())
    table.answer(0, "turn.act.choice", "act:tax")
    table.answer(1, "character.challenge", "pass")
    table.answer(2, "character.challenge", "pass")
    assert log(table, naming, 0, "en", since)[:3] == [
        "You claim the Duke, to take 3 coins.",
        "Player 2 and Player 3 do not challenge.",
        "You take 3 coins.",
    ]
    assert log(table, naming, 1, "en", since)[1] == "You and Player 3 do not challenge."
    assert log(table, naming, 2, "es", since)[1] == "Tú y Jugador 2 no desafiáis."


@pytest.mark.parametrize(("width", "language"), LOOKS)
def test_the_supply(width: int, language: str, snapshot: SnapshotAssertion) -> None:
    table = dominion()
    table.answer(2, "action.play.choice", "play:village")
    assert seen(table, DOMINION, 2, width, language) == snapshot


@pytest.mark.parametrize(("width", "language"), LOOKS)
def test_buying(width: int, language: str, snapshot: SnapshotAssertion) -> None:
    table = dominion()
    table.answer(2, "action.play.choice", "done")
    table.answer(2, "buy.treasures.played", "gold")
    assert seen(table, DOMINION, 2, width, language) == snapshot


def test_a_turn_in_the_log() -> None:
    table, naming = dominion(), naming_of(DOMINION, 3)
    since = len(table.game.events())
    table.answer(2, "action.play.choice", "play:village")
    table.answer(2, "action.play.choice", "done")
    table.answer(2, "buy.treasures.played", "gold")
    table.answer(2, "buy.buy.choice", "buy:silver")
    assert log(table, naming, 0, "en", since)[:4] == [
        "Player 3 plays Village · draws a card from their deck.",
        "Player 3 plays Gold.",
        "Player 3 buys Silver.",
        "Player 3 discards 4 cards · draws 4 cards from their deck.",
    ]
    told = log(table, naming, 2, "es", since)
    assert told[0] == "Juegas Aldea · robas Plata de tu mazo."


def test_a_question_about_a_revealed_card_names_its_owner() -> None:
    """The card that asks came from a hand; whose deck it looks at is no secret."""
    table = Table.start(program_of(DOMINION, 3, ("kingdom", "interaction")))
    seat = table.decision.seat
    table.arrange(zones={hand(seat): ["spy", "copper"]})
    since = len(table.game.events())
    table.answer(seat, "action.play.choice", "play:spy")
    for other in ((seat + 1) % 3, (seat + 2) % 3):
        table.answer(other, "attack.reaction", "pass")
    assert "Top card of your deck: " in seen(table, DOMINION, seat, 80, "en")
    table.answer(seat, "spy-on.discard", "discard")
    assert f"Top card of Player {(seat + 1) % 3 + 1}'s deck: " in seen(table, DOMINION, seat, 80, "en")
    told = log(table, naming_of(DOMINION, 3), seat, "en", since)
    assert sum("spy" in line for line in told) == 1, "its attack is part of the same use"


def test_a_question_about_a_gained_card_has_the_limit() -> None:
    """The Estate, which costs 2, came from the hand, and now lies in the trash; a Village went there before."""
    table = dominion()
    table.arrange(zones={hand(2): ["remodel", "estate", "gold"], "trash": ["village"]})
    table.answer(2, "action.play.choice", "play:remodel")
    table.answer(2, "remodel.play.spent", "estate")
    assert "It may cost up to 4 coins." in seen(table, DOMINION, 2, 80, "en")


def test_an_answer_stays_unless_all_of_it_is_announced() -> None:
    table, naming = dominion(), naming_of(DOMINION, 3)
    since = len(table.game.events())
    table.answer(2, "action.play.choice", "done")
    table.answer(2, "buy.treasures.played", "gold")
    copper = next(number for number, card in enumerate(table.program.cards) if card.key == "copper")
    events = table.game.events()[since:]
    other = [evolve(event, cards=(copper,)) if event.kind == "announced" else event for event in events]
    mine = [evolve(event, numbers=(0, *event.numbers[1:])) if event.kind == "announced" else event
            for event in events]  # fmt: skip
    for told, lines in (
        (events, ["You play Gold."]),
        (other, ["You choose Gold · play Copper."]),
        (mine, ["You choose Gold.", "Player 1 plays Gold."]),
    ):
        chronicle = Chronicle(table.program, naming.texts, "en", 2, naming.layout)
        assert [line.text for line in (*chronicle.tell(told), *chronicle.rest()) if line.sort == "text"] == lines


def test_a_card_that_was_just_played_is_not_said_to_be_used() -> None:
    """The Militia attacks two players; the Moat that Player 1 shows has not been named before."""
    table, naming = dominion(), naming_of(DOMINION, 3)
    cards = ["militia", "village", "gold", "copper", "estate"]
    table.arrange(zones={hand(2): cards, hand(0): ["copper"] * 3, hand(1): ["moat", *["copper"] * 4]})
    since = len(table.game.events())
    table.answer(2, "action.play.choice", "play:militia")
    while table.game.decisions[0].seat != 2:
        table.step()
    told = log(table, naming, 2, "en", since)
    assert told[0] == "You play Militia."
    assert not [line for line in told if "Militia" in line and line != told[0]]
    assert not [line for line in log(table, naming, 2, "es", since) if "usas" in line.lower()]


@pytest.mark.slow
def test_what_is_hidden_is_neither_shown_nor_told() -> None:
    for path, words in ((COUP, ("Turns taken", "Doubted", "First player")), (DOMINION, ("Box", "Turns", "Loot"))):
        table = Table.start(program_of(path, 2))
        for _ in range(30):
            seat = table.game.decisions[0].seat
            text = seen(table, path, seat) + "\n".join(log(table, naming_of(path, 2), None))
            assert not [word for word in words if word.lower() in text.lower()]
            table.step()
            if table.game.result is not None:
                break


@pytest.mark.slow
@pytest.mark.parametrize("pack", [COUP, DOMINION], ids=["coup", "dominion"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_no_line_is_too_long_and_no_brace_is_left(pack: Path, language: str) -> None:
    table = Table.start(program_of(pack, pack_of(pack).most_players))
    for _ in range(24):
        seat = table.game.decisions[0].seat
        for width in (60, 80, 120):
            text = seen(table, pack, seat, width, language)
            assert max(len(line) for line in text.split("\n")) <= width
            assert "{" not in text
        table.step()
