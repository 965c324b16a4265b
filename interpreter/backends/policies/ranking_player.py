"""Bots that rank options: the policy behind the documents `bot` of a pack (`ruleset.table.nodes.BotInfo`).

Of the answers for a site the first counts whose condition holds and that ranks an option. Options with a rank are
taken, the best first and equals in the order of the options, as many as may be. If that is too few, the random
policy chooses so many of the others as are missing. An answer that ranks nothing may say that the random policy
chooses of all (`any`), or so that it takes no more than it must (`none`). Where no answer counts, the seat answers
at random, exactly as `policies.random_player` says. Nothing else is drawn.

What a seat does not see has no rank: cards are looked at where they lie, by what the pack declares about zones.
What the seat remembers besides counts for nothing, so that builds which keep no knowledge choose the same.

Invariant: an answer is canonical as those of the random policy are, since cards that cannot be told apart have one
rank, and of these the first come first.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.policies.policies import OTHERWISE, SPARSE, Seated, policies, with_conditions
from interpreter.backends.policies.random_player import RandomPlayer
from interpreter.backends.walker.expressions import Scope
from interpreter.backends.walker.statements import Statements
from interpreter.state.chance import Stream
from interpreter.state.rule_errors import RuleError
from interpreter.state.zone_visibility import cards_seen, top_seen
from ruleset.table.nodes import FUEL, FUEL_PER_ANSWER, UNRANKED, TableProgram


class RankedPlayer(RandomPlayer):
    """Plays the seats of one program, each by its policy or at random. It keeps nothing of a game."""

    def __init__(self, program: TableProgram, seated: Seated = ()) -> None:
        super().__init__(program)
        self._policies = policies(program, seated)
        self._code = Statements(with_conditions(program))
        self._shown = tuple((zone.address, cards_seen(zone), top_seen(zone)) for zone in program.zones)

    def among(
        self,
        state: Sequence[int],
        seat: int,
        site: int,
        options: Sequence[int],
        least: int,
        most: int,
        stream: Stream,
    ) -> Sequence[int]:
        """See `RandomPlayer.among`."""
        policy = self._policies[seat] if self._policies else None
        if policy is None:
            return self.drawn(state, site, options, least, most, stream)
        ranks, otherwise = self.ranks(state, seat, site, options)
        order = sorted((-rank, option) for option, rank in enumerate(ranks) if rank != UNRANKED)
        if not order:
            return self.drawn(state, site, options, least, least if otherwise == "none" else most, stream)
        return self._filled(state, site, options, ranks, [option for _, option in order[:most]], least, stream)

    def ranks(
        self, state: Sequence[int], seat: int, site: int, options: Sequence[int]
    ) -> tuple[Sequence[int], str]:
        """The ranks of options by the answer that counts, for a seat with a policy, and what happens where none has
        one. Nothing where no answer counts.
        """
        policy = self._policies[seat]
        assert policy is not None
        first = policy[site]
        for place in range(first + 1, first + 1 + 3 * policy[first], 3) if first else ():
            condition, ranking, otherwise = policy[place : place + 3]
            if condition >= 0 and not self._holds(condition, state, seat):
                continue
            ranks = [self._rank(policy, ranking, state, seat, value) for value in options]
            if otherwise or any(rank != UNRANKED for rank in ranks):
                return ranks, OTHERWISE[otherwise]
        return (), ""

    def _filled(
        self,
        state: Sequence[int],
        site: int,
        options: Sequence[int],
        ranks: Sequence[int],
        chosen: list[int],
        least: int,
        stream: Stream,
    ) -> Sequence[int]:
        """Chosen options, by their places, with as many of those without a rank as are missing."""
        missing = least - len(chosen)
        if missing > 0:
            others = [option for option, rank in enumerate(ranks) if rank == UNRANKED]
            offered = [options[option] for option in others]
            values = self.drawn(state, site, offered, missing, missing, stream)
            chosen = [*chosen, *_found(offered, values, others)]
        return [options[option] for option in sorted(chosen)]

    def _holds(self, function: int, state: Sequence[int], seat: int) -> bool:
        """Whether a condition holds for a seat. It reads a copy, so it changes nothing and uses no fuel."""
        cells = list(state)
        cells[FUEL] = FUEL_PER_ANSWER
        try:
            return bool(self._code.call(function, [seat], Scope(cells, None)))
        except RuleError:
            return False

    def _rank(self, policy: Sequence[int], place: int, state: Sequence[int], seat: int, value: int) -> int:
        """What the ranking that begins at a place says of an option: UNRANKED, or lower for a rank."""
        while place >= 0:
            cards, radix, low, count = policy[place : place + 4]
            part = value
            if radix:
                value, part = divmod(value, radix)
            if cards:
                if part < 0 or not self._sees(state, seat, part):
                    return UNRANKED
                part = self._faces[part]
            place += 4
            if count == SPARSE:
                pairs = policy[place + 2 : place + 2 + 2 * policy[place + 1]]
                place = dict(zip(pairs[::2], pairs[1::2], strict=True)).get(part, policy[place])
            else:
                place = policy[place + 1 + part - low] if 0 <= part - low < count else policy[place]
        return place

    def _sees(self, state: Sequence[int], seat: int, card: int) -> bool:
        """Whether a seat sees a card where it lies, by what its zone declares."""
        number = state[self._places + card]
        if number < 0:
            return True
        address, cards, top = self._shown[number]
        if not top >> seat & 1:
            return False
        return bool(cards >> seat & 1) or state[address + state[address]] == card


def _found(values: Sequence[int], wanted: Sequence[int], places: Sequence[int]) -> list[int]:
    """The places of values that were chosen among others, in their order."""
    found, left = [], list(wanted)
    for value, place in zip(values, places, strict=True):
        if left and value == left[0]:
            found.append(place)
            del left[0]
    return found
