"""The log of a reader does not depend on what the reader does not see.

Omitting a line or adding to one tells something, too. First what a reader does not read of events is replaced by
noise. Then two worlds that a reader cannot tell apart are played on with equal answers of the reader and any
answers of others; as long as the reader reads equal events, the logs must be equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.backends.walker.backend import walker_of
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.state.chance import Stream as Chance
from rulewright.interpreter.state.events import BACK, Event
from rulewright.interpreter.views.decision import Decision, resolve
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.browser.drawing.eyes import SPECTATOR, Eyes, eyes_of
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.packs import loading
from tests.browser.tables import SHIPPED, packs, played, seated
from tests.browser.worlds import events_of, twin_of
from tests.small_packs import pack_in
from tests.suites.play import random_answer, random_decision
from tests.suites.secrecy import same_events

SOME = (*SHIPPED, "tests/packs/sealed", "tests/packs/bluff", "tests/packs/orchard", "tests/packs/medals")
"""The packs of the quick test; the slow one takes all."""
DEPTH = 8


def eyes_at(table: HostedTable, seat: int) -> Eyes:
    rules = table.rules
    game, names = table.course.game, table.spec.names
    return eyes_of(game, rules.naming, rules.faces, rules.language, seat, names, rules.public)


def log_of(eyes: Eyes, events: Sequence[Event]) -> list[tuple[str, str]]:
    log = eyes.chronicle()
    return [(line.sort, line.text) for line in (*log.tell(eyes.readable(events)), *log.pending())]


# ------------------------------------------------------------------ noise

def scrambled(events: Sequence[Event], eyes: Eyes, random: Random) -> list[Event]:
    """Events with other things in place of those that a reader does not read."""
    program = eyes.game.program
    answers: dict[int, list[tuple[int, ...]]] = {}
    for event in events:
        if event.kind == "answered" and event.cards:
            answers.setdefault(event.numbers[1], []).append(event.cards)
    found = []
    for event in events:
        (read,) = eyes.redacted([event]) or (None,)
        if event.kind == "changed":  # the values of tracks are seen by other ways than events
            found.append(event)
        elif read is None:
            if random.random() < 0.5:
                found.append(event)
        elif BACK not in read.cards:
            found.append(event)
        elif event.kind == "answered" and program.sites[event.numbers[1]].of != "card":
            alike = [cards for cards in answers[event.numbers[1]] if len(cards) == len(event.cards)]
            found.append(evolve(event, cards=random.choice(alike)))
        else:
            found.append(evolve(event, cards=tuple(random.sample(range(len(program.cards)), len(event.cards)))))
    return found


@pytest.mark.parametrize("pack", SOME)
def test_noise_in_place_of_secrets_changes_no_line(pack: str) -> None:
    different = 0
    for seed in range(2):
        random = Random(f"{pack} {seed}")
        table = seated(pack, seed=seed + 1)
        for _ in played(table, 60, random):
            pass
        events = table.course.game.events()
        for seat in (*range(table.rules.program.seats), SPECTATOR):
            eyes = eyes_at(table, seat)
            expected = log_of(eyes, events)
            for _ in range(3):
                others = scrambled(events, eyes, random)
                different += others != list(events)
                assert log_of(eyes, others) == expected, (pack, seat)
    assert different, "there was nothing to hide"


# ------------------------------------------------------------------ other worlds

def walk(table: HostedTable, reader: int, chance: Chance) -> tuple[int, int]:
    """Compare two worlds from a moment; return how many logs were compared, and after how many other answers."""
    rules, game = table.rules, table.course.game
    world = twin_of(game, rules, reader, chance)
    if world is None or any(one.answered for one in game.view(max(reader, 0)).asked):
        return 0, 0
    marked = any("card" in track.scope for track in game.program.tracks)
    before = () if marked else game.events()  # cards have other numbers in the other world, also those with marks
    began = len(game.events()) if marked else 0
    real, twin = game.clone(), Game(walker_of(rules.program), 0, 0, world.state[:], world.knowledge)
    eyes = eyes_at(table, reader)
    compared = others = 0
    for _ in range(DEPTH):
        if real.result is not None:
            break
        decision = random_decision(real, chance)
        mirrored = next((one for one in twin.decisions if one.seat == decision.seat), None)
        if mirrored is None or mirrored.choice != decision.choice:
            break
        keys = random_answer(decision, chance)
        differs = decision.seat != reader and chance.below(2) == 1
        other = random_answer(mirrored, chance) if differs else keys
        if isinstance(resolve(mirrored, other), Refusal):
            break
        since = len(real.events()), len(twin.events())
        try:
            real.apply(decision.seat, keys)
            twin.apply(decision.seat, other)
            told = events_of(real, reader, since[0]), events_of(twin, reader, since[1])
            if not same_events(real.program, *told):
                break
        except (AssertionError, RuleFault):  # an answer that the reader sees, or the outcome of chance
            break
        one = log_of(eyes, real.events()[began:])
        assert log_of(eyes, (*before, *twin.events())) == one, (decision.seat, keys, other)
        compared, others = compared + 1, others + (keys != other)
    return compared, others


def compare(pack: str, seed: int, answers: int, one_in: int) -> tuple[int, int]:
    compared = others = 0
    chance, random = Chance(seed, 0), Random(seed)
    table = seated(pack, seed=seed)
    for _ in played(table, answers, random):
        if random.randrange(one_in) or table.course.game.result is not None:
            continue
        reader = random.randrange(-1, table.rules.program.seats)
        try:
            found = walk(table, reader, chance)
        except AssertionError as error:
            raise AssertionError(f"{pack}, seed {seed}, reader {reader}: {error}") from error
        compared, others = compared + found[0], others + found[1]
    return compared, others


@pytest.mark.parametrize("pack", SOME)
def test_worlds_that_look_equal_have_equal_logs(pack: str) -> None:
    compared = others = 0
    secret = pack in ("coup", "tests/packs/sealed")
    for seed in range(5, 25):
        if compared < 5 or (secret and not others):
            found = compare(pack, seed, 30, 3)
            compared, others = compared + found[0], others + found[1]
    assert compared >= 5
    assert others or not secret, "no answers that the reader does not see were compared"


@pytest.mark.slow
@pytest.mark.parametrize("pack", packs())
def test_worlds_of_all_packs(pack: str) -> None:
    for seed in range(2):
        compare(pack, 100 + seed, 80, 3)


# ------------------------------------------------------------------ by hand

SECRETS = """\
pack: dens
version: 0.1.0
format: 3
players: 2
languages: [en]
kinds: {gem: {fields: {worth: number}}}
components: {gems: {kind: gem, copies: 3, starts: box}}
zones:
  box: {order: bag, seen-by: all}
  den: {scope: player, order: bag, seen-by: owner}
  heap: {order: bag, seen-by: all}
tracks: {turns: number}
---
gem: opal
worth: 1
---
gem: ruby
worth: 2
---
setup: deal
steps:
  - id: deal
    do: |
      each p in players: move 1 card from box where it is opal to p's den
      each p in players: move 1 card from box where it is ruby to p's den
---
round: day
until: turns >= 2
steps:
  - id: guess
    together: players
    choose: {shown: {number: 1, from: den}}
    do: move shown to heap
  - id: count
    do: turns += 1
"""
"""Both choose a card in secret, then both are shown."""


def test_an_unrelated_move_of_the_chosen_card_says_no_more() -> None:
    """Player 2 chooses in secret; then a card of the heap is shown. Whether it is the chosen one is not told."""
    program, texts, cards, events = _guess()
    answered = next(one for one in events if one.kind == "answered" and one.numbers[0] == 1)
    moved = next(one for one in events if one.kind == "moved" and one.cards == answered.cards)
    box = next(n for n, zone in enumerate(program.zones) if zone.zone == "box")
    heap = next(n for n, zone in enumerate(program.zones) if zone.zone == "heap")
    logs = []
    for chosen in cards[:2]:  # an opal or a ruby: player 1 cannot know
        secret = evolve(answered, cards=(chosen,))
        shown = evolve(moved, numbers=(box, heap, *moved.numbers[2:]), cards=(cards[0],), sees=3)
        log = Chronicle(program, texts, "en", 0)
        logs.append([line.text for line in (*log.tell([secret, shown]), *log.rest())])
    assert logs[0] == logs[1]
    assert "Player 2 chooses a card" in " ".join(logs[0])


def _guess() -> tuple[TableProgram, PackTexts, list[int], Sequence[Event]]:
    compiled = pack_in(SECRETS)
    program = loading.table(compiled, 2, ())
    game = Game.start(program, 1)
    for seat in (0, 1):
        decision = next(one for one in game.decisions if one.seat == seat)
        game.apply(seat, [_first(decision)])
    opal = next(n for n, card in enumerate(program.cards) if card.definition == "opal")
    ruby = next(n for n, card in enumerate(program.cards) if card.definition == "ruby")
    return program, PackTexts(program, compiled), [opal, ruby], game.events()


def _first(decision: Decision) -> str:
    return decision.options[0].key


def test_comparing_what_is_hidden_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests above notice a log that looks at unredacted events."""
    honest = Chronicle._read

    def peeking(log: Chronicle, event: Event) -> Any:
        read = honest(log, event)
        return evolve(read, cards=event.cards) if read is not None and event.kind == "answered" else read

    monkeypatch.setattr(Chronicle, "_read", peeking)
    with pytest.raises(AssertionError):
        test_noise_in_place_of_secrets_changes_no_line("tests/packs/sealed")
