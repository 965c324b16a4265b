"""Generate the random policy as functions, with the draws and answers of `RandomPlayer`.

If the text keeps an answer for itself, it never goes through the state's decision slots; the policy gets the
options and the bounds instead. Other effects of a decision on the state happen here: fuel, rule error `full`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.backends.policies.random_player import RandomPlayer, asking_place
from interpreter.optimiser.class_views import Refs, are_whole
from interpreter.state.chance import MASK_32, Stream
from interpreter.state.rule_errors import MOST_ANSWERS, RuleError
from ruleset.table import nodes as t
from ruleset.table.nodes import (
    ANSWERED,
    ASKED,
    D_OPTIONS,
    D_STATE,
    FUEL,
    FUEL_PER_ANSWER,
    TableProgram,
)

NONE = -1
_Functions = tuple[Callable[..., Any], ...]


class _Game:
    """The game in play: the stream of its answers, and counts of them."""

    __slots__ = ("asked", "bits", "stream", "undecided")

    def __init__(self) -> None:
        self.begin(Stream(0))

    def begin(self, stream: Stream) -> None:
        """Start a new game."""
        self.stream, self.bits = stream, stream.bits
        self.asked = 0
        self.undecided = 0
        """Questions that were no decisions, minus the decisions beyond the first of questions to several seats."""

    def ask(self, at: int) -> None:
        """Count a question to one seat or several."""
        self.asked += 1
        if self.asked > MOST_ANSWERS:
            raise RuleError("endless", at)

    def again(self, product: int, bound: int) -> int:
        """Finish `Stream.below`, whose start is inlined where numbers are drawn: draw again while rejected."""
        surplus = (1 << 32) % bound
        while product & MASK_32 < surplus:
            product = self.bits() * bound
        return product

    def below(self, bound: int) -> int:
        """Return a number below a bound."""
        product = self.bits() * bound
        if product & MASK_32 < bound:
            product = self.again(product, bound)
        return product >> 32


class RandomPolicy:
    """The random answers of one program; `functions` are for generated text. It plays one game at a time."""

    def __init__(self, program: TableProgram, player: RandomPlayer | None = None) -> None:
        self.player = player or RandomPlayer(program)
        self._game = game = _Game()
        single = _choosing_one(game, self.player, program)
        several = _choosing_some(game, self.player, program, single)
        functions = (*single, *several, _answering_slots(game, self.player, program))
        self.functions = {function.__name__: function for function in functions}

    def begin(self, stream: Stream) -> None:
        """Start a game whose answers are drawn from a stream."""
        self._game.begin(stream)

    def answers(self) -> int:
        """Return the number of decisions in the game: answers with an alternative."""
        return self._game.asked - self._game.undecided


def in_order(program: TableProgram, options: t.List) -> bool:
    """Return whether options are cards of a zone with an order, so that no two of them are equal."""
    zone = _zone(options)
    return isinstance(zone, t.Const) and program.zones[zone.value].order != "bag"


def side_by_side(program: TableProgram, options: t.List) -> bool:
    """Return whether options are cards of one zone in which equal ones are adjacent if it is a bag."""
    faces = [card.face for card in program.cards]
    changes = sum(face != before for face, before in zip(faces[1:], faces, strict=False))
    return _zone(options) is not None and changes == len({*faces}) - 1


def _zone(options: t.List) -> t.Expr | None:
    """Return the zone if options are some of its cards, in order."""
    while isinstance(options, t.Filter):
        options = options.items
    if isinstance(options, Refs):
        return options.zone if are_whole(options.classes) else None
    return options.zone if isinstance(options, t.Cards) else None


def _choosing_one(game: _Game, player: RandomPlayer, program: TableProgram) -> _Functions:
    """Make the functions that choose exactly one option."""
    room, unlike = program.layout.options, player.unlike

    def pick(state: list[int], options: Sequence[int], at: int) -> int:
        count = len(options)
        if count > room:
            raise RuleError("full", at)
        if count < 2:
            return options[0] if count else NONE
        game.asked += 1
        if game.asked > MOST_ANSWERS:
            raise RuleError("endless", at)
        state[FUEL] = FUEL_PER_ANSWER
        product = game.bits() * count
        if product & MASK_32 < count:
            product = game.again(product, count)
        return options[product >> 32]

    def pick_card(state: list[int], options: Sequence[int], at: int) -> int:
        if len(options) > room:
            raise RuleError("full", at)
        return one_of(state, unlike(state, options), at) if len(options) > 1 else options[0] if options else NONE

    def one_of(state: list[int], options: Sequence[int], at: int) -> int:
        """Do the same as `pick`, but ask the player even without an alternative."""
        if len(options) > 1:
            return pick(state, options, at)
        game.ask(at)
        game.undecided += 1
        state[FUEL] = FUEL_PER_ANSWER
        return options[0] if options else NONE

    def toss(state: list[int], at: int) -> int:
        """Choose between two options that always exist, like `pick`. Returns the place of one."""
        game.asked += 1
        if game.asked > MOST_ANSWERS:
            raise RuleError("endless", at)
        state[FUEL] = FUEL_PER_ANSWER
        return game.bits() >> 31

    def pick_always(state: list[int], options: Sequence[int], at: int) -> int:
        return pick(state, options, at) if len(options) > 1 else one_of(state, options, at)

    def pick_card_always(state: list[int], options: Sequence[int], at: int) -> int:
        if len(options) > room:
            raise RuleError("full", at)
        return one_of(state, unlike(state, options) if len(options) > 1 else options, at)

    return pick, pick_card, pick_always, pick_card_always, toss


def _among_equal(player: RandomPlayer) -> _Functions:
    """Make the functions that replace chosen cards by the first ones that are equal to them."""
    faces, bags, zone_of = player.faces, player.bags, player.zone_of

    def first_equal(state: list[int], place: int, options: Sequence[int]) -> int:
        chosen = options[place]
        zone = zone_of(state, chosen)
        if zone >= 0 and bags[zone]:
            face = faces[chosen]
            for option in options:
                if faces[option] == face and zone_of(state, option) == zone:
                    return option
        return chosen

    def first_together(state: list[int], options: Sequence[int], chosen: Sequence[int]) -> list[int]:
        """Do the same as `RandomPlayer.canonical` if equal cards are adjacent: each becomes the first one left."""
        if not bags[zone_of(state, options[0])]:
            return [options[place] for place in chosen]
        last = -1
        answer = []
        for place in chosen:
            face = faces[options[place]]
            while place - 1 > last and faces[options[place - 1]] == face:
                place -= 1
            last = place
            answer.append(options[place])
        return answer

    return first_equal, first_together


def _choosing_some(game: _Game, player: RandomPlayer, program: TableProgram, single: _Functions) -> _Functions:
    """Make the functions that choose any number of options."""
    _, pick_card, _, pick_card_always, _ = single
    amount, chosen_places = _numbers(game, program.layout.options)
    first_equal, first_together = _among_equal(player)

    def some(
        state: list[int], options: Sequence[int], least: int, most: int, at: int, always: bool = False
    ) -> Sequence[int]:
        count = len(options)
        number = amount(state, count, least, most, at, always)
        if number < 1:
            return options if number else ()
        if number == 1:
            return (options[game.below(count) if count > 1 else 0],)
        return [options[place] for place in chosen_places(count, number)]

    def some_cards(
        state: list[int], options: Sequence[int], least: int, most: int, at: int, together: bool,
        always: bool = False,
    ) -> Sequence[int]:  # fmt: skip
        if most == 1 <= least:
            card = (pick_card_always if always else pick_card)(state, options, at)
            return (card,) if card != NONE else ()
        count = len(options)
        number = amount(state, count, least, most, at, always)
        if number < 1:
            return options if number else ()
        if number == 1:
            return (first_equal(state, game.below(count) if count > 1 else 0, options),)
        chosen = chosen_places(count, number)
        if not together:
            return player.canonical(state, options, chosen)
        answer: Sequence[int] = first_together(state, options, chosen)
        return answer

    return some, some_cards


def _numbers(game: _Game, room: int) -> _Functions:
    """Make the functions that choose the number of options, and their places."""

    def amount(state: list[int], count: int, least: int, most: int, at: int, always: bool) -> int:
        """Return the number of options to choose; -1 means all of them, without a decision."""
        if count > room:
            raise RuleError("full", at)
        most = 0 if most < 0 else most if most < count else count
        least = 0 if least < 0 else least if least < most else most
        if not most or least == count:
            if not always:
                return -1 if most else 0
            game.undecided += 1
        game.ask(at)
        state[FUEL] = FUEL_PER_ANSWER
        if least == most:
            return least
        bound = most - least + 1
        product = game.bits() * bound
        if product & MASK_32 < bound:
            product = game.again(product, bound)
        return least + (product >> 32)

    def chosen_places(count: int, number: int) -> list[int]:
        order = list(range(count))
        chosen = []
        for i in range(number):
            bound = count - i
            product = game.bits() * bound
            if product & MASK_32 < bound:
                product = game.again(product, bound)
            j = i + (product >> 32)
            chosen.append(order[j])
            order[j] = order[i]
        chosen.sort()
        return chosen

    return amount, chosen_places


def _answering_slots(game: _Game, player: RandomPlayer, program: TableProgram) -> Callable[[list[int]], None]:
    """Make the function that answers decisions in their slots."""
    room = program.layout.options

    def answer_all(state: list[int]) -> None:
        """Answer every open decision in the slots, in seat order."""
        game.ask(asking_place(program, state))
        game.undecided += 1
        for seat, slot in enumerate(player.slots):
            if state[slot + D_STATE] == ASKED:
                game.undecided -= player.decides(state, seat)
                values = player.choose(state, seat, game.stream)
                start = slot + D_OPTIONS + room + 1
                state[start] = len(values)
                state[start + 1 : start + 1 + len(values)] = values
                state[slot + D_STATE] = ANSWERED
        state[FUEL] = FUEL_PER_ANSWER

    return answer_all
