"""Find a moment of a game in which seat 1 can play a card that it has in hand.

The generic way: games between bots, under various seeds and options, are played until there is one. The search is
cut into slices, so that the worker serves others in between.

To play is to choose it in a step or window of the game, or in a claim. What verbs and effects ask for (what is
discarded, or given away) is not that. An option of a menu surely plays it; a step may also let players select cards
for another reason, so such a moment is the second best. A card that players can have must be in the hand of the
seat: choosing its pile is to buy it. A definition that no player can have, like an action or a place, only has to
be offered.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.game.journal import entry_line
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.views.decision import Decision, only_answer
from rulewright.interpreter.views.decision import Option as Choice
from rulewright.interpreter.views.decision import offered as offered_to
from rulewright.interpreter.views.refusals import Refusal
from rulewright.interpreter.views.visibility import value_key
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.program.nodes import DeclaredOption, Program
from rulewright.ruleset.table.nodes import Site, TableProgram
from rulewright.tools.browser.host.packs import PackShelf
from rulewright.tools.browser.host.spec import SeatSpec, TableSpec
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.common.errors import Failure
from rulewright.tools.common.seats import HUMAN, RANDOM
from rulewright.tools.common.untrusted import bounded
from rulewright.tools.display.game_log import WORDS
from rulewright.tools.packs import loading

SLICE = 0.7
"""Seconds of processor time of one slice."""
MOST_ANSWERS = 500
"""Answers of one game."""
LOOKING = 12
"""Games after which not only what happens is looked at, but also what could happen by other answers."""
AHEAD = 3
MOST_AHEAD = 100
"""Answers in a row, and of all tries, that are looked at from one decision."""
MOST_SETUPS = 10
MOST_TRIED = 24
"""Tables that are made to see whether a card is in them."""


@frozen
class WantedDefinition:
    """A definition that is looked for."""

    kind: str
    key: str


@frozen
class MomentSetup:
    """Seats and options under which a card is in the game."""

    players: int
    options: tuple[str, ...] = ()


@frozen
class PlayableMoment:
    """A moment: the lines of the journal up to it, and the keys of the options that play the card.

    `sure`: they are options of a menu.
    """

    setup: MomentSetup
    seed: int
    entries: tuple[str, ...]
    keys: tuple[str, ...]
    sure: bool


def setups(program: Program, wanted: WantedDefinition) -> list[MomentSetup]:
    """Return tables in which a card can come up, those with options that name it first.

    A card may be in the game and yet never be dealt, so the default is followed by other options.
    """
    least = program.least_players
    named = [
        MomentSetup(least, (chosen,)) for option in program.options if (chosen := _naming(program, option, wanted))
    ]
    found = [one for one in named if _has(program, one, wanted)]
    if _has(program, MomentSetup(least), wanted):
        return [*found, MomentSetup(least), *_others(program)][:MOST_SETUPS]
    for tried, one in enumerate(_others(program)):
        if tried >= MOST_TRIED or len(found) >= MOST_SETUPS:
            break
        if _has(program, one, wanted):
            found.append(one)
    return found


def _naming(program: Program, option: DeclaredOption, wanted: WantedDefinition) -> str:
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


def _others(program: Program) -> Iterator[MomentSetup]:
    """Yield tables with one other option, then those with other numbers of players."""
    for option in program.options:
        if option.some:
            continue
        numbers = range(len(option.members)) if option.members else {option.low, option.high}
        for number in sorted(numbers):
            if number != option.default:
                value = option.members[number] if option.members else str(number)
                yield MomentSetup(program.least_players, (f"{option.key}={value}",))
    for players in range(program.least_players + 1, program.most_players + 1):
        yield MomentSetup(players)


def _has(program: Program, setup: MomentSetup, wanted: WantedDefinition) -> bool:
    try:
        table = loading.table(program, setup.players, setup.options)
    except Failure:
        return False
    kinds = {card.kind for card in table.cards}
    if wanted.kind in kinds:
        return any((card.kind, card.definition) == (wanted.kind, wanted.key) for card in table.cards)
    return wanted.key in dict(table.definitions).get(wanted.kind, ())


def spec_of_setup(
    pack: str, more: Sequence[str], setup: MomentSetup, seed: int, language: str, bot: str
) -> TableSpec:
    """Return the table of a set-up: a person at the first seat, bots at the others."""
    seats = (SeatSpec(HUMAN), *[SeatSpec(bot)] * (setup.players - 1))
    return TableSpec(pack, tuple(more), setup.options, seats, seed, language)


@frozen
class MomentSearch:
    """A search in the games of some set-ups."""

    shelf: PackShelf
    pack: str
    more: tuple[str, ...]
    language: str
    wanted: WantedDefinition
    setups: tuple[MomentSetup, ...]
    bot: str
    program: Program

    def slice(self, first: int) -> tuple[PlayableMoment | None, int]:
        """Play games from number `first` for a while; return the best moment, and the number of the next game."""
        until = time.process_time() + SLICE
        best: PlayableMoment | None = None
        number = first
        while number == first or time.process_time() < until:
            found = self._game(number, until + SLICE)
            number += 1
            if found is not None and found.sure:
                return found, number
            best = best or found
        return best, number

    def _game(self, number: int, until: float) -> PlayableMoment | None:
        """Play one game, and return its first sure moment, else its first."""
        setup = self.setups[number // 2 % len(self.setups)]
        player = self.bot if number % 2 == 0 else RANDOM
        seed = 1 + number
        spec = spec_of_setup(self.pack, self.more, setup, seed, self.language, self.bot)
        try:
            rules = self.shelf.rules(spec)
        except Failure:  # options that do not go together
            return None
        playing = TableSpec(
            spec.pack, spec.more, spec.options, (SeatSpec(player), *spec.seats[1:]), seed, spec.language
        )
        plays, best = Plays(self.program, rules.program, self.wanted), None
        try:
            hosted = HostedTable(playing, rules)
            course = hosted.course
            while course.answers < MOST_ANSWERS and time.process_time() < until:
                decision = course.bot()
                if decision is None:
                    break
                own = course.asked(0)
                if own is not None and only_answer(own) is None:  # the table gives only answers by itself
                    sure = rules.program.sites[own.site].of == "menu"
                    keys = plays.keys(course.game) if sure or (best is None and _begun(hosted)) else ()
                    if keys:
                        lines = tuple(map(entry_line, course.game.journal.entries))
                        best = PlayableMoment(setup, seed, lines, keys, sure)
                        if sure:
                            return best
                if number >= LOOKING and decision.seat:
                    keys = _ahead(course.game, plays, [MOST_AHEAD], AHEAD)
                    if keys:
                        lines = tuple(map(entry_line, course.game.journal.entries))
                        return PlayableMoment(setup, seed, lines, keys, True)
                wish = plays.wish(course.game, decision)
                if wish:
                    course.answer(0, [wish], bounded(), given=True)
                else:
                    course.play_bot(decision, bounded())
        except RuleFault:
            return best
        return best


def _ahead(game: Game, plays: Plays, budget: list[int], depth: int) -> tuple[str, ...]:
    """Look for answers of all seats that lead to a moment: a window in which a card helps may open rarely.

    Returns the keys of the options that play the card, with the game at that moment; or nothing, with the game as
    it was. Each answer costs one of the budget, which is a list of one number.
    """
    if not plays.ready(game):
        return ()
    for own in game.decisions:
        menu = own.seat == 0 and game.program.sites[own.site].of == "menu" and only_answer(own) is None
        if menu and (keys := plays.keys(game)):
            return keys
    decision = next(iter(game.decisions), None)
    if decision is None or not depth or not decision.least <= 1 <= decision.most:
        return ()
    for option in decision.options:
        budget[0] -= 1
        if budget[0] < 0:
            return ()
        with bounded():
            refused = game.apply(decision.seat, [option.key])
        if isinstance(refused, Refusal):
            continue
        if keys := _ahead(game, plays, budget, depth - 1):
            return keys
        game.undo()
    return ()


def _begun(table: HostedTable) -> bool:
    """Whether the set-up is over: cards that are selected there are not played."""
    reader = table.reader(0)
    return reader.chronicle.position.title != WORDS[reader.eyes.language]["set-up"]


@define
class Plays:
    """Which options of seat 1 play a definition, at a table of a program."""

    program: Program
    table: TableProgram
    wanted: WantedDefinition
    _cards: frozenset[str] = field(init=False)
    """The keys of its cards."""
    _had: bool = field(init=False)
    """Whether players can have cards of its kind."""
    _units: tuple[str, ...] = field(init=False)
    """The beginnings of the choices that verbs and effects ask for."""
    _for: frozenset[tuple[str, str]] = field(init=False)
    """The definitions that need the wanted one: a field of theirs names it."""

    def __attrs_post_init__(self) -> None:
        program, kind = self.program, self.wanted.kind
        own = [zone for zone in program.zones if zone.scope == "player"]
        self._cards = frozenset(
            card.key for card in self.table.cards if (card.kind, card.definition) == (kind, self.wanted.key)
        )
        cards = any(card.kind == kind for card in self.table.cards)
        self._had = cards and any(not zone.accepts or kind in zone.accepts for zone in own)
        self._units = tuple(f"{unit.key}." for unit in program.units)
        fields = {
            (one.key, each.key)
            for one in program.kinds
            for each in one.fields
            if each.type == Type("definition", kind) and not (each.many or each.per or each.derived)
        }
        self._for = frozenset(
            (one.kind, one.key)
            for one in program.definitions
            for key, values in one.fields
            for value in (values if (one.kind, key) in fields else ())
            if isinstance(value, int) and self._is(kind, value)
        )

    def ready(self, game: Game) -> bool:
        """Whether the seat has such a card."""
        return self._had and bool(self._hand(game))

    def keys(self, game: Game) -> tuple[str, ...]:
        """Return the keys of the options, as far as the seat can tell what they are."""
        hand = self._hand(game) if self._had else frozenset()
        if self._had and not hand:
            return ()
        decision = offered_to(self.table, game.state, 0, game.knowledge)
        site = self.table.sites[decision.site]
        if site.key.startswith(self._units):
            return ()
        return tuple(option.key for option in decision.options if self._plays(site, option, hand))

    def _hand(self, game: Game) -> frozenset[str]:
        """Return the keys of the wanted cards that seat 1 alone sees; if all play openly, that it has and sees."""
        zones = [(n, zone) for n, zone in enumerate(self.table.zones) if zone.owner == 0 and zone.sees & 1]
        own = [n for n, zone in zones if zone.sees == 1] or [n for n, _ in zones]
        seen = game.view(0).zones
        return frozenset(key for n in own for key in seen[n].cards if key in self._cards)

    def wish(self, game: Game, decision: Decision) -> str:
        """Return the key of an option by which the seat gets such a card if it has none; empty without one."""
        if decision.seat or not self._had or not decision.least <= 1 <= decision.most or self._hand(game):
            return ""
        site = self.table.sites[decision.site]
        options = offered_to(self.table, game.state, 0, game.knowledge).options
        return next((option.key for option in options if self._brings(site, option)), "")

    def _brings(self, site: Site, option: Choice) -> bool:
        return any(
            self._is(of, value) if of == "definition" else of == "card" and self._card(option, value) in self._cards
            for of, value in _values(site, option)
        )

    def _plays(self, site: Site, option: Choice, hand: frozenset[str]) -> bool:
        for of, value in _values(site, option):
            if of == "card":
                if self._card(option, value) in (hand if self._had else self._cards):
                    return True
            elif of == "definition":  # one of a card that players can have is a pile of such cards
                if not self._had and self._is(of, value):
                    return True
            elif self._is(of, value) or (self._had and (of, value_key(self.table, of, value)) in self._for):
                return True
        return False

    def _card(self, option: Choice, value: int) -> str:
        """Return the key of a card that an option names; empty if the seat cannot tell which card it is."""
        key = self.table.cards[value].key
        return key if key in re.split(r"[:@,+ ]", option.key) else ""

    def _is(self, of: str, value: int) -> bool:
        """Whether a value of a kind, or of `definition`, is the wanted definition."""
        return of in (self.wanted.kind, "definition") and value_key(self.table, of, value) == self.wanted.key


def _values(site: Site, option: Choice) -> list[tuple[str, int]]:
    """Return the values that an option names, with their types."""
    if site.of != "menu":
        return [(site.of, value) for value in option.values[:1] if value >= 0]
    number, values = unfold(site, option.values[0])
    return [(of, value) for of, value in zip(site.branches[number].members, values, strict=False) if value >= 0]
