"""Bots: their policies as int32 cells, and the players that follow them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import cast

from rulewright.interpreter.analysis.nodes import with_conditions
from rulewright.interpreter.backends.walker.expressions import Environment
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.counting import NO_USE, Counted, Uses
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import slot_address
from rulewright.interpreter.state.events import cards_seen, top_seen
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER, MOST_ANSWERS
from rulewright.ruleset.table.nodes import (
    ASKED,
    ASKING,
    D_LEAST,
    D_MOST,
    D_OPTIONS,
    D_SITE,
    D_STATE,
    FUEL,
    STATUS,
    UNRANKED,
    BotInfo,
    Ranking,
    Score,
    TableProgram,
)

# ---- Policies of bots as int32 cells, in the form that `backends.policies` and native code read

Seated = Sequence[str]
"""For each seat the key of its bot; empty for a random one. Without any keys, all seats are random."""

OTHERWISE = ("", "any", "none", "avoid")
"""What happens if no option has a rank: see `table.BotAnswer`."""
ANSWER = 5
"""The number of cells of an answer."""
SCORED = 2
"""Marks a score among the rankings; it replaces whether the part is a card."""
SPARSE = -1
"""Marks a ranking that is stored as pairs; it replaces the number of parts, and the number of pairs follows."""
DENSEST = 4
"""A ranking is stored as a table if the average distance of its cases is smaller than this."""


class BotError(ValueError):
    """An unknown bot, or an invalid bot. The message is the reason."""


def bot_keys(program: TableProgram) -> tuple[str, ...]:
    """Return the keys of the bots of a table's pack."""
    return tuple(bot.key for bot in program.bots.bots) if program.bots is not None else ()


def policies(program: TableProgram, seated: Seated) -> tuple[array[int] | None, ...]:
    """Return the policy of each seat; None for those that answer at random. Raises BotError.

    A policy is int32 cells, for Python and for C. It begins with a cell for each site: the address of its answers,
    or 0 without any. There are the number of answers and, for each, `ANSWER` cells: its condition (a function, or
    -1), the address of its ranking, an index of OTHERWISE, which applies if nothing has a rank (of `avoid`: if
    something has), its chance, and the address of the condition's constants; their number is in the cell before
    them. A ranking is: whether the part is a card; the radix; the lowest part of its table; the size of the table;
    the successor for other parts; and a successor for each part. A sparse ranking has, after the radix: 0, SPARSE,
    the successor for other parts, the number of pairs, and pairs of a part and its successor. A successor is the
    address of another ranking, or a number below 0 as in `table.Ranking`. A score is: SCORED, its function, the
    number of parts, the number of constants, for each part whether it is a card, and its radix, and the constants.
    """
    known = {bot.key: bot for bot in program.bots.bots} if program.bots is not None else {}
    made: dict[str, array[int]] = {}
    for key in seated:
        if key and key not in known:
            raise BotError(f"there is no bot {key!r}; the bots of {program.pack}: {', '.join(known) or 'none'}")
        if key and key not in made:
            made[key] = _cells(program, known[key])
    if seated and len(seated) != program.seats:
        raise BotError(f"the table has {program.seats} seats, not {len(seated)}")
    found = tuple(made.get(key) for key in seated)
    return found if any(policy is not None for policy in found) else ()


def _cells(program: TableProgram, bot: BotInfo) -> array[int]:
    """Return the cells of a bot's policy. Raises BotError if its numbers refer to nothing."""
    assert program.bots is not None
    functions = len(program.functions) + len(program.bots.functions)
    sites = len(program.sites)
    for answer in bot.answers:
        fits = 0 <= answer.site < sites and 0 <= answer.ranking < len(bot.rankings)
        if not fits or not -1 <= answer.condition < functions or answer.chance < 1:
            raise BotError(f"the bot {bot.key!r} answers with what is not there")
    for number, ranking in enumerate(bot.rankings):
        if isinstance(ranking, Score):
            if not 0 <= ranking.function < functions or any(radix < 0 for _, radix in ranking.parts):
                raise BotError(f"the bot {bot.key!r} scores by what is not there")
            continue
        following = (ranking.otherwise, *(after for _, after in ranking.cases))
        if any(after >= 0 and not number < after < len(bot.rankings) for after in following) or ranking.radix < 0:
            raise BotError(f"the bot {bot.key!r} ranks by what is not there")
    cells = [0] * sites
    behind: list[tuple[int, int]] = []
    conditions: list[tuple[int, tuple[int, ...]]] = []
    for site in range(sites):
        answers = [answer for answer in bot.answers if answer.site == site]
        if answers:
            cells[site] = len(cells)
            cells.append(len(answers))
            for answer in answers:
                behind.append((len(cells) + 1, answer.ranking))
                conditions.append((len(cells) + 4, answer.constants))
                cells += (answer.condition, answer.ranking, OTHERWISE.index(answer.otherwise), answer.chance, 0)
    places: list[int] = []
    for ranking in bot.rankings:
        places.append(len(cells))
        if isinstance(ranking, Score):
            cells += (SCORED, ranking.function, len(ranking.parts), len(ranking.constants))
            cells += (cell for part in ranking.parts for cell in part)
            cells += ranking.constants
        else:
            _add(cells, behind, ranking)
    for address, number in behind:
        cells[address] = places[number]
    for address, constants in conditions:
        cells += (len(constants), *constants)
        cells[address] = len(cells) - len(constants)
    try:
        return array("i", cells)
    except OverflowError:
        raise BotError(f"the bot {bot.key!r} has numbers that are too large") from None


def _add(cells: list[int], behind: list[tuple[int, int]], ranking: Ranking) -> None:
    """Append a ranking, and record in `behind` the cells that refer to other rankings."""
    cases = dict(ranking.cases)

    def put(following: int) -> None:
        if following >= 0:
            behind.append((len(cells), following))
        cells.append(following)

    cells += (ranking.cards, ranking.radix)
    low, high = min(cases, default=0), max(cases, default=-1)
    if high - low < DENSEST * len(cases):
        cells += (low, high - low + 1)
        put(ranking.otherwise)
        for part in range(low, high + 1):
            put(cases.get(part, ranking.otherwise))
        return
    cells += (0, SPARSE)
    put(ranking.otherwise)
    cells.append(len(cases))
    for part, following in sorted(cases.items()):
        cells.append(part)
        put(following)


# ---- Random playouts: games between bots that answer at random
#
# The policy is fixed, so that counts and results can be compared between backends and with other programs. At
# each open decision, in seat order, the number of chosen options is uniform from least to most (drawn only
# where they differ). Then that many options are drawn without replacement: for i from 0, the options in
# places i and `i+below(n-i)` change places. Equal cards of one bag are then replaced by the first of them
# among the options, so that equivalent answers are equal. Where exactly one card is chosen, equal cards are
# one option from the beginning. A single option needs no draw. The answer is in the order of the options.

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


# ---- Bots that rank options: the policy of a pack's documents `bot` (`ruleset.table.nodes.BotInfo`)
#
# Of the answers for a site, the first whose condition holds and that ranks an option is used. A rank is that
# of a preference, or a score above 0. Options with a rank are taken, the best first and equal ones in the
# order of the options, up to the maximum. If that is too few, the random policy chooses the missing number of
# other options. An answer that ranks nothing may let the random policy choose from all (`any`), or only as
# many as required (`none`). An answer that avoids leaves out the options that it ranks, if enough others
# remain, and the next answers choose among the others. If no answer applies, the seat answers at random,
# exactly as `backends.policies` does.
#
# Nothing else is drawn, except for answers with a chance above 1: one number each, before the condition.
#
# Cards that a seat does not see have no rank: only the declared visibility of their zones counts. Knowledge
# is ignored, so that builds that keep none choose the same.
#
# Invariant: an answer is canonical like those of the random policy: of equal cards in a bag, the first are
# taken.

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
            return int(self._code.call(function, arguments, Environment(cells, None)))  # type: ignore[arg-type]  # a number
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


# ---- A player that counts what its decisions offer and what it chooses
#
# The counts are in the cells of `interpreter.counting`. It answers like `RankedPlayer`.
# Only decisions whose answers differ count, and not those in which a seat must choose a given number of equal
# cards. Cards that the seat does not see are not counted: as for bots, only the declared visibility of zones
# matters.

class CountingPlayer(RankedPlayer):
    """A player for the seats of a program that counts. It keeps nothing of a game."""

    def __init__(self, counted: Counted, seated: Seated = ()) -> None:
        super().__init__(counted.program, seated)
        assert counted.uses is not None, "a program that counts decisions"
        self._uses: Uses = counted.uses
        self._counted = counted
        self._about: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}

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
        answer = super().among(state, seat, site, options, least, most, stream)
        if self.differ(state, site, options, least, most):
            self.count(state, seat, site, options, answer, least == most)
        return answer

    def count(
        self,
        state: Sequence[int],
        seat: int,
        site: int,
        options: Sequence[int],
        answer: Sequence[int],
        fixed: bool,
    ) -> None:
        """Count a decision. `fixed`: the number of chosen options was given."""
        if fixed and self._of_cards[site] and len(self.unlike(state, options)) == 1:
            return
        cells, counted = cast("array[int]", state), self._counted
        at = counted.uses_at + 2 * seat * len(self._uses.uses)
        for use in self.found(state, seat, site, options):
            cells[at + 2 * use] += 1
        for use in self.found(state, seat, site, answer):
            cells[at + 2 * use + 1] += 1
            cells[counted.things_at + self._uses.thing_of[use]] += 1

    def found(self, state: Sequence[int], seat: int, site: int, values: Sequence[int]) -> set[int]:
        """Return the uses that values are about, without those of cards that the seat does not see."""
        found: set[int] = set()
        for value in values:
            about = self._about.get((site, value))
            if about is None:
                about = self._about[site, value] = tuple(self._decoded(site, value))
            found.update(use for use, card in about if card < 0 or self._sees(state, seat, card))
        return found

    def _decoded(self, site: int, value: int) -> list[tuple[int, int]]:
        """Return the uses that a value is about, each with the card that must be seen, or -1."""
        branch, parts = self._uses.parts(site, value)
        found = [(branch.use, -1)]
        for part, this in parts:
            use = part.use(self.faces[this] if part.cards and this >= 0 else this)
            found.append((use, this if part.cards else -1))
        return [(use, card) for use, card in found if use != NO_USE]
