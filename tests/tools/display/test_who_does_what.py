"""The log of the shipped games says who does what with whose cards, and who does not react."""

from __future__ import annotations

from tests.positions import Table, hand, of, program_of
from tests.tools.display.test_table import naming_of
from tests.tools.display.test_table_of_packs import COUP, DOMINION, coup, log
from tests.tools.harness import ROOT, Run

TUTORIAL = ROOT / "content" / "tutorial"
ATTACKS = ("kingdom", "interaction")


def thief() -> tuple[Table, int, int, int]:
    """The first player holds a Thief, the second a Silver and a Copper on the deck, the third two Estates."""
    table = Table.start(program_of(DOMINION, 3, ATTACKS))
    seat = table.decision.seat
    second, third = (seat + 1) % 3, (seat + 2) % 3
    cards = ["thief", "estate", "estate"]
    zones = {hand(seat): cards, hand(second): ["copper"], hand(third): ["moat"]}
    top = {of(second, "deck"): ["silver", "copper"], of(third, "deck"): ["estate", "estate"]}
    return table.arrange(zones=zones, top=top), seat, second, third


def test_a_thief_trashes_the_cards_of_others() -> None:
    table, seat, second, third = thief()
    naming, since = naming_of(DOMINION, 3, ATTACKS), len(table.game.events())
    table.answer(seat, "action.play.choice", "play:thief")
    table.answer(second, "attack.reaction", "pass")
    table.answer(third, "attack.reaction", "pass")
    table.answer(seat, "thief.attack.stolen", next(one for one in table.options if one.startswith("silver")))
    own, other = f"Player {seat + 1}", f"Player {second + 1}"
    assert f"You trash {other}'s Silver." in log(table, naming, seat, "en", since)
    assert f"{own} trashes your Silver." in log(table, naming, second, "en", since)
    assert f"Eliminas Plata de Jugador {second + 1}." in log(table, naming, seat, "es", since)
    names = " and ".join(f"Player {one + 1}" for one in (second, third))
    assert f"{names} reveal no Reaction." in log(table, naming, seat, "en", since)
    assert f"You and {other} reveal no Reaction." in log(table, naming, third, "en", since)
    assert f"Tú y Jugador {third + 1} no reveláis ninguna Reacción." in log(table, naming, second, "es", since)


def test_a_revealed_reaction_is_one_line() -> None:
    """The choice is secret until the card is shown; then the card says it all."""
    table, seat, second, third = thief()
    naming, since = naming_of(DOMINION, 3, ATTACKS), len(table.game.events())
    table.answer(seat, "action.play.choice", "play:thief")
    table.answer(second, "attack.reaction", "pass")
    table.answer(third, "attack.reaction", next(one for one in table.options if one.startswith("react")))
    told = log(table, naming, seat, "en", since)
    assert f"Player {third + 1} shows Moat from their hand." in told
    assert not any("has chosen" in line or "uses" in line for line in told)


def test_things_that_the_layout_hides_are_not_mentioned_beside_cards(run: Run) -> None:
    game = ("play", str(DOMINION), "--seats", "human,random,random,random", "--seed", "5")
    out = run(*game, "--from", "The Thief takes a Treasure", typed="1\n1\nv\nv trash\nq").out
    assert "Trash pile                  1. Silver\n" in out
    assert "Trash pile  1. Silver\n" in out
    assert "trashed by the Thief" not in out


def test_own_cards_that_are_trashed(run: Run) -> None:
    """A card that is gained from the supply is not drawn."""
    game = ("play", str(DOMINION), "--seats", "human,random", "--seed", "5", "--lang", "en")
    out = run(*game, "--from", "In the Mine a Copper becomes", typed="1\n2\nq").out
    assert "You trash Copper." in out
    assert "take Silver from the supply into your hand." in out


def test_a_library_is_silent_about_cards_that_cannot_be_set_aside(run: Run) -> None:
    game = ("play", str(DOMINION), "--seats", "human,random", "--seed", "5")
    out = run(*game, "--from", "In the Library one draws up", typed="1\n\nq").out
    assert "You have drawn Village. Do you set it aside?" in out
    assert "  You draw Copper from your deck.\n  You draw Market from your deck.\n" in out
    assert "nothing to choose" not in out


def test_those_who_do_not_block() -> None:
    table, naming = coup(), naming_of(COUP, 3)
    since = len(table.game.events())
    table.answer(0, "turn.act.choice", "act:foreign-aid")
    table.answer(1, "attempt.reaction", "pass")
    table.answer(2, "attempt.reaction", "pass")
    assert log(table, naming, 0, "en", since)[1] == "Player 2 and Player 3 do not block."
    assert log(table, naming, 1, "en", since)[1] == "You and Player 3 do not block."
    assert log(table, naming, 2, "es", since)[1] == "Tú y Jugador 2 no bloqueáis."


def test_passes_of_different_questions_are_two_lines() -> None:
    table, naming = coup(), naming_of(COUP, 3)
    since = len(table.game.events())
    table.answer(0, "turn.act.choice", "act-against:steal,seat-2")
    for seat in (1, 2):
        table.answer(seat, "character.challenge", "pass")
    table.answer(1, "attempt.reaction", "pass")
    assert log(table, naming, 0, "en", since)[1:3] == [
        "Player 2 and Player 3 do not challenge.",
        "Player 2 does not block.",
    ]


def test_drawing_and_naming_a_suit_are_one_line_each(run: Run) -> None:
    out = run("play", str(TUTORIAL), "--seats", "random,random", "--seed", "4", "--lang", "es").out
    assert "elige Robar" not in out
    assert "Palo en juego:" not in out
    assert " roba " in out
