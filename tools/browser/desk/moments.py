"""Find a moment of a game in which seat 1 can play a card, or at least has it in hand.

The generic way: games between bots, under various seeds and options, are played until there is one. The search is
cut into slices, so that the worker serves others in between.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence

from attrs import frozen

from interpreter.game.game import Game, RuleFault
from interpreter.game.journal import entry_line
from interpreter.views.decision import Decision, only_answer
from interpreter.views.decision import offered as offered_to
from interpreter.views.options import Option as Choice
from interpreter.views.options import unfold
from interpreter.views.visibility import value_key
from ruleset.program.nodes import Option, Program
from ruleset.table.nodes import TableProgram
from tools.browser.host.packs import PackShelf
from tools.browser.host.spec import SeatSpec, TableSpec
from tools.browser.host.table import HostedTable
from tools.common.errors import Failure
from tools.common.seats import HUMAN, RANDOM
from tools.common.untrusted import bounded
from tools.packs import loading

SLICE = 0.7
"""Seconds of one slice."""
MOST_ANSWERS = 500
"""Answers of one game."""
MOST_SETUPS = 10
MOST_TRIED = 24
"""Tables that are made to see whether a card is in them."""


@frozen
class Wanted:
    """A definition that is looked for."""

    kind: str
    key: str


@frozen
class Setup:
    """Seats and options under which a card is in the game."""

    players: int
    options: tuple[str, ...] = ()


@frozen
class Moment:
    """A moment: the lines of the journal up to it. `offered`: the card is among the options, not only in hand."""

    setup: Setup
    seed: int
    entries: tuple[str, ...]
    offered: bool


def setups(program: Program, wanted: Wanted) -> list[Setup]:
    """Return tables in which a card can come up, those with options that name it first.

    A card may be in the game and yet never be dealt, so the default is followed by other options.
    """
    least = program.least_players
    named = [Setup(least, (chosen,)) for option in program.options if (chosen := _naming(program, option, wanted))]
    found = [one for one in named if _has(program, one, wanted)]
    if _has(program, Setup(least), wanted):
        return [*found, Setup(least), *_others(program)][:MOST_SETUPS]
    for tried, one in enumerate(_others(program)):
        if tried >= MOST_TRIED or len(found) >= MOST_SETUPS:
            break
        if _has(program, one, wanted):
            found.append(one)
    return found


def _naming(program: Program, option: Option, wanted: Wanted) -> str:
    """Return an option's value that names the definition, with others up to the number it needs; empty if none."""
    if not option.some or option.of != wanted.kind:
        return ""
    among = [one.key for one in program.definitions if one.kind == option.of]
    if option.among is not None:
        among = [key for key in among if key in option.among]
    if wanted.key not in among or option.high > len(among):
        return ""
    others = [key for key in among if key != wanted.key]
    return f"{option.key}={', '.join([wanted.key, *others[: option.high - 1]])}"


def _others(program: Program) -> Iterator[Setup]:
    """Yield tables with one other option, then those with other numbers of players."""
    for option in program.options:
        if option.some:
            continue
        numbers = range(len(option.members)) if option.members else {option.low, option.high}
        for number in sorted(numbers):
            if number != option.default:
                value = option.members[number] if option.members else str(number)
                yield Setup(program.least_players, (f"{option.key}={value}",))
    for players in range(program.least_players + 1, program.most_players + 1):
        yield Setup(players)


def _has(program: Program, setup: Setup, wanted: Wanted) -> bool:
    try:
        table = loading.table(program, setup.players, setup.options)
    except Failure:
        return False
    kinds = {card.kind for card in table.cards}
    if wanted.kind in kinds:
        return any((card.kind, card.definition) == (wanted.kind, wanted.key) for card in table.cards)
    return wanted.key in dict(table.definitions).get(wanted.kind, ())


def spec_of_setup(pack: str, more: Sequence[str], setup: Setup, seed: int, language: str, bot: str) -> TableSpec:
    """Return the table of a set-up: a person at the first seat, bots at the others."""
    seats = (SeatSpec(HUMAN), *[SeatSpec(bot)] * (setup.players - 1))
    return TableSpec(pack, tuple(more), setup.options, seats, seed, language)


@frozen
class Search:
    """A search in the games of some set-ups."""

    shelf: PackShelf
    pack: str
    more: tuple[str, ...]
    language: str
    wanted: Wanted
    setups: tuple[Setup, ...]
    bot: str

    def slice(self, first: int) -> tuple[Moment | None, int]:
        """Play games from number `first` for a while; return the best moment, and the number of the next game."""
        until = time.monotonic() + SLICE
        held: Moment | None = None
        number = first
        while number == first or time.monotonic() < until:
            found = self._game(number, until + SLICE)
            number += 1
            if found is not None and found.offered:
                return found, number
            held = held or found
        return held, number

    def _game(self, number: int, until: float) -> Moment | None:
        """Play one game, and return its first moment with the card on offer, else the first with it in hand."""
        setup = self.setups[number % len(self.setups)]
        player = self.bot if number // len(self.setups) % 2 == 0 else RANDOM
        seed = 1 + number
        spec = spec_of_setup(self.pack, self.more, setup, seed, self.language, self.bot)
        try:
            rules = self.shelf.rules(spec)
        except Failure:  # options that do not go together
            return None
        playing = TableSpec(
            spec.pack, spec.more, spec.options, (SeatSpec(player), *spec.seats[1:]), seed, spec.language
        )
        keys = _keys(rules.program, self.wanted)
        held: Moment | None = None
        try:
            course = HostedTable(playing, rules).course
            while course.answers < MOST_ANSWERS and time.monotonic() < until:
                decision = course.bot()
                if decision is None:
                    break
                own = course.asked(0)
                if own is not None and only_answer(own) is None:  # the table gives only answers by itself
                    whole = offered_to(rules.program, course.game.state, 0, course.game.knowledge)
                    offered = offers(rules.program, whole, self.wanted)
                    if offered or (held is None and holds(course.game, keys)):
                        lines = tuple(map(entry_line, course.game.journal.entries))
                        held = Moment(setup, seed, lines, offered)
                    if offered:
                        return held
                course.play_bot(decision, bounded())
        except RuleFault:
            return held
        return held


def holds(game: Game, keys: frozenset[str]) -> bool:
    """Whether a card of these keys is in a zone of seat 1 that only it sees; if all play openly, that it sees."""
    zones = [(n, zone) for n, zone in enumerate(game.program.zones) if zone.owner == 0 and zone.sees & 1]
    own = [n for n, zone in zones if zone.sees == 1] or [n for n, _ in zones]
    seen = game.view(0).zones
    return any(key in keys for n in own for key in seen[n].cards)


def offers(program: TableProgram, decision: Decision, wanted: Wanted) -> bool:
    """Whether a decision has an option that names the definition, as far as the seat can tell."""
    return any(_names(program, decision, option, wanted) for option in decision.options)


def _names(program: TableProgram, decision: Decision, option: Choice, wanted: Wanted) -> bool:
    site = program.sites[decision.site]
    types: tuple[str, ...] = (site.of,)
    values: tuple[int, ...] = option.values[:1]
    if site.of == "menu":
        number, values = unfold(site, option.values[0])
        types = tuple(site.branches[number].members)
    words = set(re.split(r"[:@,+ ]", option.key))
    for of, value in zip(types, values, strict=False):
        if of == "card" and value >= 0:
            card = program.cards[value]
            if (card.kind, card.definition) == (wanted.kind, wanted.key) and card.key in words:
                return True
        elif of in (wanted.kind, "definition") and value >= 0 and value_key(program, of, value) == wanted.key:
            return True
    return False


def _keys(program: TableProgram, wanted: Wanted) -> frozenset[str]:
    return frozenset(
        card.key for card in program.cards if (card.kind, card.definition) == (wanted.kind, wanted.key)
    )
