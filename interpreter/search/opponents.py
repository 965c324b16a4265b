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
from rulewright.interpreter.backends.policies.policies import bot_keys
from rulewright.interpreter.backends.policies.random_player import RandomPlayer, play_out
from rulewright.interpreter.backends.policies.ranking_player import RankedPlayer
from rulewright.interpreter.search.determinise import possible_world
from rulewright.interpreter.search.evaluation import DEPTH
from rulewright.interpreter.search.whole_numbers import logarithm, power
from rulewright.interpreter.state.backend_protocol import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import slot_address
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.menu_values import cards_of_answer, unfold
from rulewright.interpreter.views.view import result
from rulewright.interpreter.views.visibility import Sight
from rulewright.ruleset.table.nodes import D_LEAST, D_MOST, D_OPTIONS, D_SITE, TableProgram

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
        told = as_heard(Sight(program, heard.state, heard.knowledge, seat), site, heard.values)
        alike = [0] * len(self._players)
        try:
            for _ in range(WORLDS):
                world = possible_world(self._backend, heard.state, heard.knowledge, seat, stream)
                if world is None:
                    return None
                sight = Sight(program, world.state, world.knowledge, seat)
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


def as_heard(sight: Sight, site: int, values: Sequence[int]) -> tuple[tuple[str, ...], ...] | None:
    """Return an answer as a seat hears of it; None if it does not see all the cards that it names."""
    if not all(sight.sees(card) for card in cards_of_answer(sight.program.sites[site], values)):
        return None
    return tuple(sorted(_named(sight, site, value) for value in values))


def _named(sight: Sight, site: int, value: int) -> tuple[str, ...]:
    of_site = sight.program.sites[site]
    if of_site.of != "menu":
        return (sight.name(of_site.of, value),)
    branch, members = unfold(of_site, value)
    named = zip(of_site.branches[branch].members, members, strict=True)
    return (str(branch), *(sight.name(of, member) for of, member in named))
