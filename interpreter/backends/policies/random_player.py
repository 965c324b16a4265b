"""Random playouts: games between bots that answer at random.

The policy is fixed, so that counts and results can be compared between backends and with other programs. At each
open decision, in seat order, the number of chosen options is uniform from least to most (drawn only where they
differ). Then that many options are drawn without replacement: for i from 0, the options in places i and
`i+below(n-i)` change places. Equal cards of one bag are then replaced by the first of them among the options, so
that equivalent answers are equal. Where exactly one card is chosen, equal cards are one option from the beginning.
A single option needs no draw. The answer is in the order of the options.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.interpreter.state.backend_protocol import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import slot_address
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.limits import MOST_ANSWERS
from rulewright.ruleset.table.nodes import (
    ASKED,
    ASKING,
    D_LEAST,
    D_MOST,
    D_OPTIONS,
    D_SITE,
    D_STATE,
    STATUS,
    TableProgram,
)


class RandomPlayer:
    """The random policy for all seats of one program. It keeps nothing of a game."""

    def __init__(self, program: TableProgram) -> None:
        self.slots = tuple(slot_address(program.layout, seat) for seat in range(program.seats))
        self._places = program.layout.places
        self.faces: Sequence[int] = tuple(card.face for card in program.cards)
        self.bags = tuple(zone.order == "bag" for zone in program.zones)
        self._of_cards = tuple(site.of == "card" for site in program.sites)

    def choose(self, state: Sequence[int], seat: int, stream: Stream) -> Sequence[int]:
        """Return a random answer to the open decision of a seat."""
        slot = self.slots[seat]
        first = slot + D_OPTIONS + 1
        options = tuple(state[first : first + state[first - 1]])
        return self.among(
            state, seat, state[slot + D_SITE], options, state[slot + D_LEAST], state[slot + D_MOST], stream
        )

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
        """Return the answer of a seat that is asked at a site. The bounds must fit the options."""
        return self.drawn(state, site, options, least, most, stream)

    def drawn(
        self, state: Sequence[int], site: int, options: Sequence[int], least: int, most: int, stream: Stream
    ) -> Sequence[int]:
        """Return a random answer."""
        number, count, of_cards = least, len(options), self._of_cards[site]
        if number < most:
            number += stream.below(most - number + 1)
        if number == 1:
            if of_cards and least == most == 1:
                options = self.unlike(state, options)
            place = stream.below(len(options)) if len(options) > 1 else 0
            return (self.first_equal(state, place, options) if of_cards else options[place],)
        order = list(range(count))
        for i in range(number):
            j = i + stream.below(count - i)
            order[i], order[j] = order[j], order[i]
        chosen = sorted(order[:number])
        if number and of_cards:
            return self.canonical(state, options, chosen)
        return [options[place] for place in chosen]

    def decides(self, state: Sequence[int], seat: int) -> bool:
        """Return whether the open decision of a seat has several answers that differ."""
        slot = self.slots[seat]
        least, most, count = state[slot + D_LEAST], state[slot + D_MOST], state[slot + D_OPTIONS]
        if not most or least == count:
            return False
        options = state[slot + D_OPTIONS + 1 : slot + D_OPTIONS + 1 + count]
        return self.differ(state, state[slot + D_SITE], options, least, most)

    def differ(self, state: Sequence[int], site: int, options: Sequence[int], least: int, most: int) -> bool:
        """Do the same as `decides` for a decision at a site."""
        if not most or least == len(options):
            return False
        if least == most == 1 and self._of_cards[site]:
            return len(self.unlike(state, options)) > 1
        return True

    def unlike(self, state: Sequence[int], cards: Sequence[int]) -> Sequence[int]:
        """Return the cards without those that are equal to an earlier one in the same bag."""
        found: dict[tuple[int, int], int] = {}
        for key, card in zip(self.keys(state, cards), cards, strict=True):
            found.setdefault(key, card)
        return tuple(found.values())

    def zone_of(self, state: Sequence[int], card: int) -> int:
        """Return the zone of a card, or -1."""
        return state[self._places + card]

    def keys(self, state: Sequence[int], cards: Sequence[int]) -> list[tuple[int, int]]:
        """Return for each option what it has in common with equal ones only: those in the same bag."""
        places, bags, faces = self._places, self.bags, self.faces
        found = []
        for card in cards:
            zone = state[places + card]
            found.append((zone, faces[card]) if zone >= 0 and bags[zone] else (-1, card))
        return found

    def first_equal(self, state: Sequence[int], place: int, options: Sequence[int]) -> int:
        """Return the first option that is equal to the card at a place."""
        keys = self.keys(state, options[: place + 1])
        return options[keys.index(keys[place])]

    def canonical(self, state: Sequence[int], options: Sequence[int], chosen: Sequence[int]) -> list[int]:
        """Turn chosen places of card options into cards, with equal cards replaced by the first of them."""
        wanted: dict[tuple[int, int], int] = {}
        keys = self.keys(state, options)
        for place in chosen:
            wanted[keys[place]] = wanted.get(keys[place], 0) + 1
        answer: list[int] = []
        for card, key in zip(options, keys, strict=True):
            if wanted.get(key, 0):
                wanted[key] -= 1
                answer.append(card)
        return answer


def play_out(
    backend: Backend, state: array[int], stream: Stream, player: RandomPlayer | None = None, most: int | None = None
) -> int:
    """Play a game to its end with random answers. Returns the number of decisions: answers with an alternative.

    Passing a `player` saves the time of making one. With `most`, the game stops, unfinished, after that many
    questions, whether they had an alternative or not. Without it, a game that asks more than `MOST_ANSWERS` times
    raises the rule error `endless`. Raises RuleError.
    """
    player = player or RandomPlayer(backend.program)
    slots, choose, answer, run = player.slots, player.choose, backend.answer, backend.run
    answers = times = 0
    run(state)
    while state[STATUS] == ASKING and (most is None or times < most):
        if most is None and times == MOST_ANSWERS:
            raise RuleError("endless", asking_place(backend.program, state))
        times += 1
        for seat, slot in enumerate(slots):
            if state[slot + D_STATE] == ASKED:
                answers += player.decides(state, seat)
                answer(state, seat, choose(state, seat, stream))
        run(state)
    return answers


def asking_place(program: TableProgram, state: Sequence[int]) -> int:
    """Return the place of the rule whose decision is open: that of the first seat, if several are asked."""
    slots = (slot_address(program.layout, seat) for seat in range(program.seats))
    return next(program.sites[state[slot + D_SITE]].at for slot in slots if state[slot + D_STATE] == ASKED)


class AskCount:
    """The number of questions in one game between bots. `begin` starts a new game."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self._asked = 0

    def begin(self) -> None:
        """Start a new game."""
        self._asked = 0

    def more(self, state: Sequence[int]) -> None:
        """Count a question to one seat or several. Raises RuleError if the game is endless."""
        self._asked += 1
        if self._asked > MOST_ANSWERS:
            raise RuleError("endless", asking_place(self._program, state))
