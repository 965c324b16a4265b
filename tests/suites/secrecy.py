"""Secrecy: states that look equal to a seat give it equal options and equal observations.

Equal means equal in the seat's view and knowledge. The observations follow equal answers, until a declared
disclosure.

At random moments of random games, what a seat cannot know is dealt anew (`determinise`), keeping the chance
cells. From there the game and its twin are played with equal answers (by option keys) and compared through
the eyes of that seat, until

- a *disclosure*: an event that moves or reveals cards, or a zone in the view, shows the seat different cards;
- they differ after *chance* was used: a random card of a hidden hand; a shuffle only where cards
  can be traced through it (by a token on them, or because a list points at them);
- another seat cannot give the same answer in the twin.

Anything else that differs is a leak. So is a difference in why something is not offered to the seat, and in what
the bots of the pack prefer there.
"""

from __future__ import annotations

from array import array
from typing import Any

from attrs import evolve, fields, frozen

from rulewright.interpreter.backends.policies import RankedPlayer, bot_keys
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.seat_eyes import left_out
from rulewright.interpreter.search.determinise import redeal
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream, advance, load
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.events import BACK, Event
from rulewright.interpreter.views.decision import decision, resolve
from rulewright.interpreter.views.refusals import Refusal
from rulewright.interpreter.views.view import View
from rulewright.ruleset.table.nodes import RNG, Site, TableProgram
from rulewright.ruleset.table.reasons import Reasons
from tests.suites.play import (
    answer,
    check_cards,
    check_knowledge,
    engine,
    random_answer,
    random_decision,
    random_play,
)

DEPTH = 15
ONE_IN = 4
TRIES = 10
DISCLOSING = ("moved", "revealed")


@frozen
class Coverage:
    """What a run of the suite compared: twins (and those in which cards had moved), steps, and how walks
    ended.
    """

    twins: int = 0
    differing: int = 0
    steps: int = 0
    disclosed: int = 0
    chance: int = 0
    incomparable: int = 0
    reasons: int = 0
    preferences: int = 0


def secrecy(program: TableProgram, games: int, seed: int, backend: str, reasons: Reasons | None = None) -> Coverage:
    """Plays random games with twins. Raises AssertionError with details of the first leak.

    With `reasons` what decisions leave out is compared, too.
    """
    coverage = Coverage()
    plays = engine(program, backend)
    for index in range(games):
        stream = Stream(seed, index)
        for number, game in enumerate(random_play(plays, seed, index, stream)):
            if stream.below(ONE_IN) or game.result is not None:
                continue
            seat = stream.below(program.seats)
            if any(one.answered for one in game.view(seat).asked):
                continue
            try:
                coverage = _compare(game, seat, plays, stream, coverage, reasons)
            except AssertionError as error:
                where = f"game {index} of seed {seed}, answer {number}, seat {seat}"
                raise AssertionError(f"{where}: {error}") from error
    return coverage


def _compare(
    game: Game, seat: int, plays: Backend, stream: Stream, coverage: Coverage, reasons: Reasons | None
) -> Coverage:
    world = redeal(plays, game.state, game.knowledge, seat, stream)
    world.state[RNG : RNG + 4] = game.state[RNG : RNG + 4]
    check_cards(game.program, world.state)
    check_knowledge(game.program, world.state, world.knowledge)
    real, twin = game.clone(), Game(plays, 0, 0, world.state, world.knowledge)
    assert same_view(real, twin, seat), "the seat sees cards that it cannot know"
    moved = real.state != twin.state
    coverage = evolve(coverage, twins=coverage.twins + 1, differing=coverage.differing + moved)
    drawn = False
    for _ in range(DEPTH):
        if real.result is not None:
            break
        coverage = evolve(coverage, reasons=coverage.reasons + same_reasons(reasons, real, twin, seat))
        coverage = evolve(coverage, preferences=coverage.preferences + same_preferences(real, twin, seat))
        end, drawn = _step(real, twin, seat, stream, drawn)
        if end == "incomparable":
            return evolve(coverage, incomparable=coverage.incomparable + 1)
        coverage = evolve(coverage, steps=coverage.steps + 1)
        if end == "disclosed":
            return evolve(coverage, disclosed=coverage.disclosed + 1)
        if end == "chance":
            return evolve(coverage, chance=coverage.chance + 1)
    return coverage


def _step(real: Game, twin: Game, seat: int, stream: Stream, drawn: bool) -> tuple[str, bool]:
    """One answer in both games: how the walk ends (`same` when it goes on), and whether lots were drawn so
    far.
    """
    decision = random_decision(real, stream)
    mirrored = next((one for one in twin.decisions if one.seat == decision.seat), None)
    assert mirrored is not None, f"seat {decision.seat} is asked {decision.choice}, in the twin it is not"
    assert mirrored.choice == decision.choice, f"{decision.choice} is {mirrored.choice} in the twin"
    for _ in range(TRIES):
        keys = random_answer(decision, stream)
        if not isinstance(resolve(mirrored, keys), Refusal):
            break
        assert decision.seat != seat, f"{keys} is legal for the seat, in the twin it is not"
    else:
        return "incomparable", drawn
    said, said_twin = len(real.events()), len(twin.events())
    before = load(real.state)
    answer(real, decision, keys)
    answer(twin, mirrored, keys)
    drawn = drawn or used_chance(real, before, real.events()[said:])
    step = f"after {decision.choice} of seat {decision.seat} = {list(keys)}"
    try:
        told, told_twin = real.events(seat, said), twin.events(seat, said_twin)
        if not same_events(real.program, told, told_twin) or not same_view(real, twin, seat):
            return "disclosed", drawn
    except AssertionError as error:
        if drawn:
            return "chance", drawn
        raise AssertionError(f"{step}: {error}") from error
    return "same", drawn


# ------------------------------------------------------------------ comparing

def same_events(program: TableProgram, one: tuple[Event, ...], other: tuple[Event, ...]) -> bool:
    """Whether a seat was told the same; False from the first disclosure on. Raises AssertionError at a leak."""
    for first, second in zip(one, other, strict=False):
        told, told_twin = readable(program, first), readable(program, second)
        if told == told_twin:
            continue
        alike = (first.kind, first.numbers, first.at) == (second.kind, second.numbers, second.at)
        if alike and first.kind in DISCLOSING and BACK not in (*first.cards, *second.cards):
            return False
        if first.kind == second.kind == "proven" and first.numbers[:2] == second.numbers[:2]:
            return False
        raise AssertionError(f"the seat is told {told}; in the twin, {told_twin}")
    assert len(one) == len(other), (
        f"the seat is told {len(one)} events, in the twin {len(other)}: "
        f"{[event.kind for event in one]}, {[event.kind for event in other]}"
    )
    return True


def readable(program: TableProgram, event: Event) -> tuple[Any, ...]:
    """An event with keys of cards instead of their numbers."""
    numbers: tuple[Any, ...] = event.numbers
    if event.kind == "changed" and event.cards:
        numbers = (numbers[0], *numbers[2:])
    site = program.sites[event.numbers[1]] if event.kind == "answered" else None
    if site is not None and site.of == "menu":
        keys = tuple(_menu_key(site, program, value) for value in event.cards)
    elif site is not None and site.of != "card":
        keys = tuple(str(value) for value in event.cards)
    else:
        keys = tuple("?" if card == BACK else program.cards[card].key for card in event.cards)
    return event.kind, numbers, keys, event.audience, event.at


def _menu_key(site: Site, program: TableProgram, value: int) -> str:
    if value == BACK:
        return "?"
    number, members = unfold(site, value)
    branch = site.branches[number]
    named = (
        program.cards[member].key if of == "card" else str(member)
        for of, member in zip(branch.members, members, strict=True)
    )
    return ":".join((branch.key, *named))


def same_view(real: Game, twin: Game, seat: int) -> bool:
    """Whether a seat sees the same; False when a zone shows it other cards. Raises AssertionError at a leak."""
    return alike(real.view(seat), twin.view(seat))


def alike(one: View, other: View) -> bool:
    """Whether two views are the same; False when a zone shows other cards. Raises AssertionError at a leak."""
    if one == other:
        assert one.digest == other.digest
        return True
    for zone, zone_twin in zip(one.zones, other.zones, strict=True):
        shown = zip(zone.cards, zone_twin.cards, strict=False)
        if any(a != b and a is not None and b is not None for a, b in shown):
            return False
    raise AssertionError("the seat sees " + "; ".join(differences(one, other)))


def same_reasons(reasons: Reasons | None, real: Game, twin: Game, seat: int) -> int:
    """How many things were left out for the same reasons. Raises AssertionError at a leak."""
    if reasons is None or not any(one.seat == seat for one in real.decisions):
        return 0
    told, told_twin = (left_out(reasons, game.state, game.knowledge, seat) for game in (real, twin))
    assert told == told_twin, f"the seat is given the reasons {told}; in the twin, {told_twin}"
    return len(told)


def same_preferences(real: Game, twin: Game, seat: int) -> int:
    """How many options the bots of the pack rank alike. Raises AssertionError at a leak."""
    open_ = next((one for one in real.decisions if one.seat == seat), None)
    if open_ is None:
        return 0
    told = 0
    for bot in bot_keys(real.program):
        found, found_twin = (preferences(bot, game, seat) for game in (real, twin))
        assert found == found_twin, f"{bot} ranks {open_.choice} by {found}; in the twin, by {found_twin}"
        told += len(found)
    return told


def preferences(bot: str, game: Game, seat: int) -> list[tuple[str, int]]:
    """The ranks of a seat's options, by their keys; first what happens without any."""
    program = game.program
    if (id(program), bot) not in _PLAYERS:
        _PLAYERS[id(program), bot] = program, RankedPlayer(program, (bot,) * program.seats)
    _, player = _PLAYERS[id(program), bot]
    open_ = decision(program, game.state, seat, game.knowledge)  # with the values behind its options
    assert open_ is not None
    named = [(option.key, value) for option in open_.options for value in option.values]
    values = [value for _, value in named]
    _, ranks, otherwise = player.ranks(game.state, seat, open_.site, values, 0, Stream(1))
    return [(otherwise, 0), *((key, rank) for (key, _), rank in zip(named, ranks, strict=bool(ranks)))]


_PLAYERS: dict[tuple[int, str], tuple[TableProgram, RankedPlayer]] = {}
"""By the identity of a program, which is kept, and bot."""


def differences(one: View, other: View) -> list[str]:
    """What differs between two views, in words."""
    found: list[str] = []
    for field in fields(View):
        first, second = getattr(one, field.name), getattr(other, field.name)
        if first == second:
            continue
        if isinstance(first, tuple) and len(first) == len(second):
            pairs = zip(first, second, strict=True)
            found.extend(f"{a}, in the twin {b}" for a, b in pairs if a != b)
        else:
            found.append(f"{field.name} {first}, in the twin {second}")
    return found


def used_chance(game: Game, before: int, events: tuple[Event, ...]) -> bool:
    """Whether chance was used whose outcome can be seen: more than the shuffles took, or on traceable cards."""
    after = load(game.state)
    if before != after and traceable(game.program, game.state):
        return True
    shuffles = sum(max(0, len(event.cards) - 1) for event in events if event.kind == "shuffled")
    for _ in range(shuffles):
        before = advance(before)
    return before != after


def traceable(program: TableProgram, state: array[int]) -> bool:
    """Whether any card carries a mark, or is pointed at by a track or a list."""
    for track in program.tracks:
        cells = state[track.address : track.address + track.count]
        if ("card" in track.scope and tuple(cells) != track.start) or (track.of == "card" and max(cells) >= 0):
            return True
    infos = [info for info in program.state_lists if "card" in (info.of, info.scope)]
    return any(state[info.address + n * (info.capacity + 1)] for info in infos for n in range(info.count))
