"""The log: how it groups events, and that a seat reads nothing secret in it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from attrs import evolve

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.events import BACK, Event, redact
from rulewright.interpreter.views.refusals import Refusal
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.packs import loading as packs
from rulewright.tools.packs.loading import Compiled
from tests.suites.play import random_answer
from tests.tools.harness import CONTENT


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    return packs.compile_pack(str(CONTENT))


@pytest.fixture(scope="module")
def played(compiled: Compiled) -> Game:
    return random_game(compiled, 3, 11)


def random_game(compiled: Compiled, players: int, seed: int) -> Game:
    """A game of random answers to its end."""
    game, stream = Game.start(packs.table(compiled.program, players, ()), seed), Stream(seed, 0)
    while game.decisions:
        for decision in game.decisions:
            outcome = game.apply(decision.seat, random_answer(decision, stream))
            assert not isinstance(outcome, Refusal), outcome
    return game


def told(played: Game, compiled: Compiled, reader: int | None, step: int = 0) -> list[tuple[str, str]]:
    chronicle = Chronicle(played.program, PackTexts(played.program, compiled.program), "en", reader)
    events, lines = played.events(), []
    for start in range(0, len(events), step or len(events)):
        lines += chronicle.tell(events[start : start + (step or len(events))])
    lines += chronicle.rest()
    return [(line.sort, line.text) for line in lines]


def test_headings_stand_only_where_something_happens(played: Game, compiled: Compiled) -> None:
    lines = told(played, compiled, None)
    assert lines[0] == ("round", "Set-up")
    assert lines[-1][0] == "text"
    levels = {"round": 0, "phase": 1, "step": 2, "text": 3}
    for (before, _), (after, _) in pairwise(lines):
        assert before == "text" or levels[after] > levels[before]


def test_what_one_seat_does_in_one_go_is_one_line(played: Game, compiled: Compiled) -> None:
    texts = [text for _, text in told(played, compiled, None)]
    assert any(" · draws " in text for text in texts)
    assert not any(text.count("Player 1 chooses") > 1 for text in texts)


@pytest.mark.parametrize("reader", [None, 0, 1, 2])
def test_a_seat_is_told_of_no_card_that_it_may_not_read(
    played: Game, compiled: Compiled, reader: int | None
) -> None:
    """With names that tell each definition apart, up to the first card that everybody sees of each kind."""
    names = PackTexts(played.program, compiled.program)
    readable: set[str] = set()
    chronicle = Chronicle(played.program, names, "en", reader)
    for event in played.events():
        read = event if reader is None else redact(event, reader)
        if read is not None:
            readable |= {names.name("en", "card", key) or key for key in _keys(played, read)}
        lines = chronicle.tell([event])
        for name in {names.name("en", "card", card.key) or card.key for card in played.program.cards} - readable:
            first, _, rest = name.partition(", ")
            shown = f"{first} ({rest})" if rest else name
            assert not any(shown in line.text for line in lines), (event, shown)


def sections(played: Game, compiled: Compiled, language: str) -> list[tuple[str, str]]:
    """The lines of a log, each with the heading of its step."""
    chronicle = Chronicle(played.program, PackTexts(played.program, compiled.program), language)
    lines, heading = [*chronicle.tell(played.events()), *chronicle.rest()], ""
    found = []
    for line in lines:
        heading = heading if line.sort == "text" else line.text
        found.append((heading, line.text))
    return found


@pytest.mark.parametrize(("language", "own", "taken"), [
    ("en", "Sword", "passes from"),
    ("es", "Espada", "pasa de la mano"),
])  # fmt: skip
def test_showdowns_stand_under_their_own_names(
    played: Game, compiled: Compiled, language: str, own: str, taken: str
) -> None:
    """Cards that a Sword takes are not told as a part of the action of the building before."""
    lines = sections(played, compiled, language)
    assert {heading for heading, text in lines if taken in text} == {own}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_with_two_players_cards_are_shown_once_a_round(compiled: Compiled, seed: int) -> None:
    """Both show what they have committed when the buildings are resolved, and not again at each building (A17)."""
    game = random_game(compiled, 2, seed)
    shown: Counter[tuple[int, ...]] = Counter()
    rounds = 0
    for event in game.events():
        name = game.program.sources[event.at].name
        if event.kind == "reached" and name == "phase/resolving":
            rounds += 1
            shown.clear()
        elif event.kind == "revealed" and event.sees == 0b11:
            shown[tuple(event.cards)] += 1
            assert max(shown.values()) == 1, (rounds, event)
    assert rounds == 10


def _keys(played: Game, event: Event) -> set[str]:
    program = played.program
    if event.kind == "answered":
        site = program.sites[event.numbers[1]]
        if site.of == "menu":
            return {card.key for card in program.cards if card.kind == "building"}
        if site.of != "card":
            return set()
    return {program.cards[card].key for card in event.cards if card != BACK}


def test_somebody_who_watches_sees_what_a_seat_sees(played: Game, compiled: Compiled) -> None:
    texts = " ".join(text for _, text in told(played, compiled, None))
    assert "cards go from the population deck to the Nun row" in texts, "nobody sees these"
    assert "Player 2 draws 5 cards" not in texts
    own = " ".join(text for _, text in told(played, compiled, 0))
    assert "Player 2 draws 5 cards" in own
    assert "You draw" in own


def test_awards_are_a_line_each(played: Game, compiled: Compiled) -> None:
    texts = [text for _, text in told(played, compiled, None)]
    lines = [text for text in texts if text.startswith("Influence in the classes (")]
    assert lines and len({text.partition(":")[0] for text in lines}) == len(lines), "a line for each class"
    assert all("(first with " in text for text in lines)
    assert not any("score" in text for text in texts)


def test_changes_of_one_number_by_one_rule_are_one(played: Game, compiled: Compiled) -> None:
    """Three times one is three; another number, another direction and another rule stay apart."""
    rats = next(number for number, track in enumerate(played.program.tracks) if track.key == "rats")
    at = next(event.at for event in played.events() if event.kind == "changed" and event.numbers[0] == rats)

    def changed(amount: int, index: int = 0, rule: int = at) -> Event:
        return Event("changed", (rats, index, amount), (), 0b111, 0b111, rule)

    chronicle = Chronicle(played.program, PackTexts(played.program, compiled.program), "en", 0)
    events = [changed(1), changed(1), changed(1), changed(-1), changed(1, 1), changed(1, 1, at + 1)]
    lines = [line.text for line in (*chronicle.tell(events), *chronicle.rest()) if line.sort == "text"]
    assert lines == ["You get 3 rats · get rid of 1 rat.", "Player 2 gets 1 rat · gets 1 rat."]


@pytest.mark.parametrize("reader", [None, 1])
def test_each_change_is_told_with_what_it_led_to(played: Game, compiled: Compiled, reader: int | None) -> None:
    """The line about a change says the value after it, whatever changed later."""
    track = next(number for number, track in enumerate(played.program.tracks) if track.key == "final-round")
    events = [Event("changed", (track, 0, amount), (), 0b111, 0b111, at) for at, amount in enumerate((1, -1, 1))]
    chronicle = Chronicle(played.program, PackTexts(played.program, compiled.program), "en", reader)
    lines = [line.text for line in (*chronicle.tell(events), *chronicle.rest()) if line.sort == "text"]
    assert lines[0] == lines[2] != lines[1]
    assert lines[0].startswith("The building deck is empty: this is the final round.")
    assert lines[1] == "This is not the final round after all."


def test_a_game_that_begins_in_its_middle_is_told_from_its_values(played: Game, compiled: Compiled) -> None:
    number, track = next(
        (number, track) for number, track in enumerate(played.program.tracks) if track.key == "starting-player"
    )
    program = evolve(played.program, position=((track.address, 2),))
    event = Event("changed", (number, 0, -1), (), 0b111, 0b111, 0)
    chronicle = Chronicle(program, PackTexts(program, compiled.program), "en")
    lines = [line.text for line in (*chronicle.tell([event]), *chronicle.rest()) if line.sort == "text"]
    assert lines == ["Player 2 is the starting player."]


def test_a_card_that_the_heading_names_is_not_named_again(played: Game, compiled: Compiled) -> None:
    lines = sections(played, compiled, "en")
    acts = [(heading, text) for heading, text in lines if "action" in heading and text != heading]
    assert any(text.startswith("Player 1 ") for _, text in acts)
    assert not any(" uses " in text for _, text in acts)
