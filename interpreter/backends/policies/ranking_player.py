"""Bots that rank options: the policy of a pack's documents `bot` (`ruleset.table.nodes.BotInfo`).

Of the answers for a site, the first whose condition holds and that ranks an option is used. A rank is that of a
preference, or a score above 0. Options with a rank are taken, the best first and equal ones in the order of the
options, up to the maximum. If that is too few, the random
policy chooses the missing number of other options. An answer that ranks nothing may let the random policy choose
from all (`any`), or only as many as required (`none`). An answer that avoids leaves out the options that it ranks,
if enough others remain, and the next answers choose among the others. If no answer applies, the seat answers at
random, exactly as `policies.random_player` does.

Nothing else is drawn, except for answers with a chance above 1: one number each, before the condition.

Cards that a seat does not see have no rank: only the declared visibility of their zones counts. Knowledge is
ignored, so that builds that keep none choose the same.

Invariant: an answer is canonical like those of the random policy: of equal cards in a bag, the first are taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.analysis.bot_functions import with_conditions
from rulewright.interpreter.backends.policies.policies import ANSWER, OTHERWISE, SCORED, SPARSE, Seated, policies
from rulewright.interpreter.backends.policies.random_player import RandomPlayer
from rulewright.interpreter.backends.walker.expressions import Scope
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.state.zone_visibility import cards_seen, top_seen
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.table.nodes import FUEL, UNRANKED, TableProgram


class RankedPlayer(RandomPlayer):
    """A player for the seats of one program, each with its policy or at random. It keeps nothing of a game."""

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
        options, ranks, otherwise = self.ranks(state, seat, site, options, least, stream)
        most = min(most, len(options))
        order = sorted((-rank, option) for option, rank in enumerate(ranks) if rank != UNRANKED)
        if not order:
            return self.drawn(state, site, options, least, least if otherwise == "none" else most, stream)
        return self._filled(state, site, options, ranks, [option for _, option in order[:most]], least, stream)

    def ranks(
        self, state: Sequence[int], seat: int, site: int, options: Sequence[int], least: int, stream: Stream
    ) -> tuple[Sequence[int], Sequence[int], str]:
        """Return the options that the seat does not avoid, their ranks by the answer that applies, and what happens
        if none has one. The ranks are empty if no answer applies. The seat must have a policy.
        """
        policy = self._policies[seat]
        assert policy is not None
        first = policy[site]
        for place in range(first + 1, first + 1 + ANSWER * policy[first], ANSWER) if first else ():
            condition, ranking, number, chance, constants = policy[place : place + ANSWER]
            if chance > 1 and stream.below(chance):
                continue
            given = policy[constants : constants + policy[constants - 1]]
            if condition >= 0 and not self._holds(condition, state, seat, given):
                continue
            ranks, otherwise = [self._rank(policy, ranking, state, seat, one) for one in options], OTHERWISE[number]
            if otherwise == "avoid":
                others = [one for one, rank in zip(options, ranks, strict=True) if rank == UNRANKED]
                options = others if others and len(others) >= least else options
            elif otherwise or any(rank != UNRANKED for rank in ranks):
                return options, ranks, otherwise
        return options, (), ""

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
        """Return the values of chosen options, adding as many unranked ones as are missing."""
        missing = least - len(chosen)
        if missing > 0:
            others = [option for option, rank in enumerate(ranks) if rank == UNRANKED]
            offered = [options[option] for option in others]
            values = self.drawn(state, site, offered, missing, missing, stream)
            chosen = [*chosen, *_found(offered, values, others)]
        if self._of_cards[site]:
            return self.canonical(state, options, sorted(chosen))
        return [options[option] for option in sorted(chosen)]

    def _holds(self, function: int, state: Sequence[int], seat: int, constants: Sequence[int] = ()) -> bool:
        """Return whether a condition holds for a seat; one that raises a rule error does not."""
        return self._result(function, state, [seat, *constants]) > 0

    def _result(self, function: int, state: Sequence[int], arguments: Sequence[int]) -> int:
        """Return what a function gives, or 0 for a rule error. It runs on a copy, which leaves the game alone."""
        cells = list(state)
        cells[FUEL] = FUEL_PER_ANSWER
        try:
            return int(self._code.call(function, arguments, Scope(cells, None)))  # type: ignore[arg-type]  # a number
        except RuleError:
            return 0

    def _score(self, policy: Sequence[int], place: int, state: Sequence[int], seat: int, value: int) -> int:
        """Return the rank of an option by the score at an address: UNRANKED, or a number above 0."""
        function, count, constants = policy[place + 1 : place + 4]
        arguments, behind = [seat], place + 4 + 2 * count
        for number in range(place + 4, behind, 2):
            cards, radix = policy[number : number + 2]
            part = value
            if radix:
                value, part = divmod(value, radix)
            if cards and (part < 0 or not self._sees(state, seat, part)):
                return UNRANKED
            arguments.append(part)
        arguments += policy[behind : behind + constants]
        result = self._result(function, state, arguments)
        return result if result > 0 else UNRANKED

    def _rank(self, policy: Sequence[int], place: int, state: Sequence[int], seat: int, value: int) -> int:
        """Return the rank of an option in the ranking at an address: UNRANKED, or a number; more is better."""
        while place >= 0:
            if policy[place] == SCORED:
                return self._score(policy, place, state, seat, value)
            cards, radix, low, count = policy[place : place + 4]
            part = value
            if radix:
                value, part = divmod(value, radix)
            if cards:
                if part < 0 or not self._sees(state, seat, part):
                    return UNRANKED
                part = self.faces[part]
            place += 4
            if count == SPARSE:
                pairs = policy[place + 2 : place + 2 + 2 * policy[place + 1]]
                place = dict(zip(pairs[::2], pairs[1::2], strict=True)).get(part, policy[place])
            else:
                place = policy[place + 1 + part - low] if 0 <= part - low < count else policy[place]
        return place

    def _sees(self, state: Sequence[int], seat: int, card: int) -> bool:
        """Return whether a seat sees a card in its place, by the visibility that its zone declares."""
        number = state[self._places + card]
        if number < 0:
            return True
        address, cards, top = self._shown[number]
        if not top >> seat & 1:
            return False
        return bool(cards >> seat & 1) or state[address + state[address]] == card


def _found(values: Sequence[int], wanted: Sequence[int], places: Sequence[int]) -> list[int]:
    """Return the places of chosen values among others, in order."""
    found, left = [], list(wanted)
    for value, place in zip(values, places, strict=True):
        if left and value == left[0]:
            found.append(place)
            del left[0]
    return found
