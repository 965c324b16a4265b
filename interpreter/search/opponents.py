"""What a seat takes the others for, by their answers: bots of the pack, or random players.

For each answer that the seat has heard of, worlds are dealt that it could have been in before (`determinise`), and
each kind of player answers there. The more often its answer sounds the same, the likelier it plays the seat: Bayes'
rule over types of players (S. Albrecht, J. Crandall and S. Ramamoorthy, "Belief and Truth in Hypothesised
Behaviours", 2016). Only what the seat sees and hears counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from attrs import define, field, frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import RandomPlayer, RankedPlayer, bot_keys, play_out
from rulewright.interpreter.game.game import Game, GameTurn
from rulewright.interpreter.search.determinise import DEPTH, possible_world
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import cards_of_answer, slot_address, unfold
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.view import result
from rulewright.interpreter.views.visibility import SeatSight
from rulewright.ruleset.table.nodes import D_LEAST, D_MOST, D_OPTIONS, D_SITE, TableProgram

# ---- Logarithms and powers of 2 in 65536ths, by whole numbers: the same on every machine

def logarithm(number: int) -> int:
    """Return the logarithm of a number from 1 on to the base 2, linear between powers of 2."""
    power = number.bit_length() - 1
    return (power << 16) + (number << 16 >> power) - 65536


def power(exponent: int, most: int) -> int:
    """Return 2 to the power of an exponent of at most 0, as a part of `most`, linear between powers of 2."""
    halvings, rest = divmod(-exponent, 65536)
    return most * (2 * 65536 - rest) >> 17 + halvings


# ---- Opponents

WORLDS = 32
"""Worlds in which each kind of player answers, for each answer that is heard."""
SURE = 8
"""An answer that a player gives in none of the worlds is `SURE` x `WORLDS` + 1 times less likely than in all."""
PRIOR = 2 << 16
"""How likely a random player is before anything is heard, compared with each bot: a logarithm, in 65536ths.

Until a seat is known to play like a bot of the pack, it is better not to rely on that, above all in deception.
"""
WHOLE = 1 << 12
"""The weight of what is likelier: that a seat plays like a bot of the pack, or at random."""
CUT = 4
"""If one of these is less likely than the other by more than this factor, it has no weight."""

TRIALS, LOST = 40, 2
"""Games of a bot against random players, and how many it loses at most where these are no match for it.

There nobody is taken for a random player: who does not answer like a bot, but plays to win, is better than that.
"""

Weights: TypeAlias = tuple[tuple[int, ...], ...]
"""For each seat, how often it is taken for each bot of the pack, and, last, for a random player."""
Likelihoods: TypeAlias = tuple[int, ...]
"""The logarithm, in 65536ths, of how likely each bot and a random player would answer so, up to a summand."""


@frozen
class Heard:
    """An answer of a seat that another one has heard of in full, with the state and the knowledge before it."""

    state: Sequence[int]
    knowledge: Knowledge
    seat: int
    values: Sequence[int]


def pack_bots(program: TableProgram) -> Weights:
    """Return the weights of seats that play as the pack's bots do, equally often; at random if it has none."""
    bots = len(bot_keys(program))
    return ((*(WHOLE for _ in range(bots)), 0 if bots else WHOLE),) * program.seats


@define(slots=False)
class Opponents:
    """The kinds of players that a seat can be. All seats of a table share them."""

    program: TableProgram
    _players: tuple[RandomPlayer, ...] = field(init=False)
    _backend: Backend = field(init=False)

    def __attrs_post_init__(self) -> None:
        program = self.program
        bots = (RankedPlayer(program, (bot,) * program.seats) for bot in bot_keys(program))
        self._players, self._backend = (*bots, RandomPlayer(program)), make(program)

    def likelihoods(self, heard: Heard, seat: int, stream: Stream) -> Likelihoods | None:
        """Return how likely each kind of player is to answer so, as far as `seat` can tell; None if it cannot."""
        program, slot = self.program, slot_address(self.program.layout, heard.seat)
        if heard.state[slot + D_MOST] == 0 or heard.state[slot + D_LEAST] == heard.state[slot + D_OPTIONS]:
            return None  # there is only one answer
        site = heard.state[slot + D_SITE]
        told = as_heard(SeatSight(program, heard.state, heard.knowledge, seat), site, heard.values)
        alike = [0] * len(self._players)
        try:
            for _ in range(WORLDS):
                world = possible_world(self._backend, heard.state, heard.knowledge, seat, stream)
                if world is None:
                    return None
                sight = SeatSight(program, world.state, world.knowledge, seat)
                for number, player in enumerate(self._players):
                    chosen = player.choose(world.state, heard.seat, stream)
                    alike[number] += as_heard(sight, site, chosen) == told
        except RuleError:
            return None
        return tuple(logarithm(SURE * count + 1) for count in alike)

    @cached_property
    def random_is_no_match(self) -> bool:
        """Whether random players lose nearly all of some games to the first bot of the pack."""
        program, (bot, *_), lost = self.program, bot_keys(self.program), 0
        for game in range(TRIALS):
            own, state = game % program.seats, self._backend.start(0, game)
            player = RankedPlayer(program, [bot if seat == own else "" for seat in range(program.seats)])
            try:
                play_out(self._backend, state, Stream(0, game), player, DEPTH)
            except RuleError:
                return False
            ended = result(program, state)
            lost += ended is None or own not in ended.winners
            if lost > LOST:
                return False
        return True

    def weights(self, seat: int, evidence: Mapping[int, Iterable[Likelihoods]]) -> Weights:
        """Return what a seat takes the others for, by the likelihoods of the answers of each that it has heard.

        Who plays like one of the pack's bots is taken for any of them: to be sure of one made the search no
        stronger. The seat itself is one of them, too, where games are played on.
        """
        usual = pack_bots(self.program)
        return tuple(
            usual[one] if one == seat else self._believed(evidence.get(one, ()))
            for one in range(self.program.seats)
        )

    def _believed(self, evidence: Iterable[Likelihoods]) -> tuple[int, ...]:
        sums = [*(0 for _ in self._players[1:]), PRIOR]
        for more in evidence:
            sums = [belief + one for belief, one in zip(sums, more, strict=True)]
        bots, at_random = max(sums[:-1]), sums[-1]
        weights = [power(one - max(bots, at_random), WHOLE) for one in (bots, at_random)]
        bot, chance = (weight if weight * CUT >= WHOLE else 0 for weight in weights)
        return (*(bot for _ in self._players[1:]), chance)


def as_heard(sight: SeatSight, site: int, values: Sequence[int]) -> tuple[tuple[str, ...], ...] | None:
    """Return an answer as a seat hears of it; None if it does not see all the cards that it names."""
    if not all(sight.sees(card) for card in cards_of_answer(sight.program.sites[site], values)):
        return None
    return tuple(sorted(_named(sight, site, value) for value in values))


def _named(sight: SeatSight, site: int, value: int) -> tuple[str, ...]:
    of_site = sight.program.sites[site]
    if of_site.of != "menu":
        return (sight.name(of_site.of, value),)
    branch, members = unfold(of_site, value)
    named = zip(of_site.branches[branch].members, members, strict=True)
    return (str(branch), *(sight.name(of, member) for of, member in named))


# ---- What a seat that searches hears of in a game, and what it takes the other seats for

MEMORY = 32
"""How many answers of each other seat count, the last ones."""


@frozen
class _Understood:
    """A turn, and how likely each kind of player is to give its answer."""

    turn: GameTurn
    likelihoods: Likelihoods | None
    """None if it tells nothing."""


@define
class Listener:
    """One seat in a game. What it takes others for depends only on the game's answers and a seed.

    It follows the game by itself, also if answers are taken back, and keeps what it has understood.
    """

    opponents: Opponents
    seat: int
    _understood: dict[int, _Understood] = field(init=False, factory=dict)
    """By the identity of the turn."""

    def weights(self, game: Game, seed: int) -> Weights:
        """Return what the seat takes the others for."""
        if self.opponents.random_is_no_match:
            return pack_bots(game.program)
        evidence: dict[int, list[Likelihoods]] = {
            other: [] for other in range(game.program.seats) if other != self.seat
        }
        kept = {}
        for turn in game.turns:
            found = kept[id(turn)] = self._understood.get(id(turn)) or self._understand(turn, seed)
            other = turn.entry.seat
            if found.likelihoods is not None and len(evidence[other]) < MEMORY:
                evidence[other].append(found.likelihoods)
            if all(len(one) == MEMORY for one in evidence.values()):
                break
        self._understood = kept
        return self.opponents.weights(self.seat, evidence)

    def _understand(self, turn: GameTurn, seed: int) -> _Understood:
        heard = heard_in(turn, self.seat)
        if heard is None:
            return _Understood(turn, None)
        return _Understood(turn, self.opponents.likelihoods(heard, self.seat, Stream(seed, turn.first)))


def heard_in(turn: GameTurn, seat: int) -> Heard | None:
    """Return the answer of a turn, if it is another seat's, and a seat has heard of it in full.

    What seats choose at the same time, nobody hears: only what follows from it is seen.
    """
    other = turn.entry.seat
    if other == seat:
        return None
    # Questions that have no answer, or only one, may follow in the same turn: they are answered at once.
    event = next((one for one in turn.events if one.kind == "answered" and one.numbers[0] == other), None)
    if event is None or not event.audience & event.sees & 1 << seat:
        return None
    return Heard(turn.state, turn.knowledge, other, event.cards)
