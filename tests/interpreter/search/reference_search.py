"""The reference of native search: trees grown step by step, and what the ends of games are worth."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import isqrt

from attrs import define, field

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import RandomPlayer, RankedPlayer, bot_keys, play_out
from rulewright.interpreter.search.determinise import DEPTH, LEAD, VICTORY, SearchMoment, World, possible_world
from rulewright.interpreter.search.opponents import Weights, logarithm, pack_bots
from rulewright.interpreter.search.tree_search import (
    DEEPEST,
    DRAWS,
    EXPLORED,
    EXPLORED_BELOW,
    KEYS,
    MOST_NODES,
    RIPE,
    RIVALS,
    WEIGHED,
    WIDENING,
    WIDENING_BELOW,
    TreeGrower,
    TriedAnswer,
)
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import MASK_64, Stream, splitmix
from rulewright.interpreter.state.decision_slots import slot_address, unfold
from rulewright.interpreter.state.events import cards_seen, top_seen
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import offered, resolve, slot_values
from rulewright.interpreter.views.view import result, scores_so_far
from rulewright.ruleset.table.nodes import ASKED, ASKING, D_LEAST, D_MOST, D_SITE, D_STATE, STATUS, TableProgram


def outcome(program: TableProgram, state: Sequence[int], seat: int) -> int:
    """Return the worth of a game's end to a seat: its share of the victory, and `LEAD` times its lead.

    The lead is the distance to the best other score, as a fraction of all points: from -1 to 1. In a game that was
    not played to its end, the share is that of a victory of all seats, and the scores are those so far.
    """
    ended = result(program, state)
    share, scores = VICTORY // program.seats, scores_so_far(program, state)
    if ended is not None:
        share = VICTORY // len(ended.winners) if seat in ended.winners else 0
    points = sum(map(abs, scores))
    others = [score for other, score in enumerate(scores) if other != seat]
    if not points or not others:
        return share
    return share + LEAD * (scores[seat] - max(others)) // points


# ------------------------------------------------------------------ trees

Sorted = tuple[int, ...]
"""The keys of what an answer chooses, sorted."""


@define(eq=False)
class Node:
    """An answer that a seat gave after those of the nodes above it."""

    seat: int
    site: int
    chosen: Sorted
    visits: int = 0
    offered: int = 1
    """How often it could have been chosen."""
    worth: int = 0
    """What the ends were worth to its seat."""
    below: dict[int, Node] = field(factory=dict)
    """By the keys of answers, in the order in which they were tried first."""


@define
class Asked:
    """A decision in a world: who is asked what, and the key of each option in the slot."""

    seat: int
    site: int
    least: int
    most: int
    values: list[int]
    keys: list[int]

    @property
    def forced(self) -> bool:
        """Whether there is only one answer: everything, nothing, or some of equal things."""
        alike = self.least == self.most and len(set(self.keys)) == 1
        return self.most == 0 or self.least == len(self.keys) or alike


class ReferenceGrower(TreeGrower):
    """The reference."""

    clock: Callable[[], float] = staticmethod(time.perf_counter)

    def __init__(
        self,
        program: TableProgram,
        backend: Backend | None = None,
        depth: int = DEPTH,
        nodes: int = MOST_NODES,
        flat: bool = False,
    ) -> None:
        self._program = program
        self._backend = backend or make(program)
        self.name = self._backend.name
        self._depth, self._most_nodes, self._flat = depth, nodes, flat
        self._bots = () if flat else bot_keys(program)
        self._slots = tuple(slot_address(program.layout, seat) for seat in range(program.seats))
        self._player = cache(lambda seated: RankedPlayer(program, seated) if any(seated) else RandomPlayer(program))
        self._moment: SearchMoment | None = None
        self._seed = self._grown = self._nodes = self._keys = 0
        self._root = Node(0, -1, ())
        self._weights = pack_bots(program)

    def plant(self, moment: SearchMoment, seed: int, weights: Weights | None = None) -> None:
        """See `TreeGrower.plant`."""
        self._moment, self._seed, self._grown, self._nodes, self._keys = moment, seed, 0, 1, 0
        self._root = Node(moment.decision.seat, -1, (), offered=0)
        self._weights = weights or pack_bots(self._program)

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        """See `TreeGrower.grow`."""
        if self._flat:
            return self._halve(worlds)
        end = None if seconds is None else self.clock() + seconds
        for _ in range(worlds):
            if not self._once():
                return False
            self._grown += 1
            if end is not None and self.clock() >= end:
                break
        return True

    def tried(self) -> tuple[TriedAnswer, ...]:
        """See `TreeGrower.tried`."""
        assert self._moment is not None
        options = self._moment.decision.options
        return tuple(
            TriedAnswer(tuple(options[one].key for one in node.chosen), node.visits, node.worth)
            for node in self._root.below.values()
        )

    # -------------------------------------------------------------- one world

    def _world(self, number: int) -> World | None:
        """Return the world of a stream of the seed, or None if none is found."""
        assert self._moment is not None
        moment, stream = self._moment, Stream(self._seed, number)
        try:
            return possible_world(self._backend, moment.state, moment.knowledge, moment.decision.seat, stream)
        except RuleError:
            return None

    def _once(self) -> bool:
        """Go down the tree in a world, add a node, and play on. Returns whether there was a world."""
        assert self._moment is not None
        program, number = self._program, 3 * self._grown
        own = self._moment.decision.seat
        world = self._world(number)
        if world is None:
            return False
        state, path, failed = world.state[:], [self._root], False
        stream, chance = Stream(self._seed, number + 1), Stream(self._seed, number + 2)
        bots = [self._drawn_bot(weights, chance) for weights in self._weights]
        mine = offered(program, world.state, own, world.knowledge)
        known = {value: place for place, option in enumerate(mine.options) for value in option.values}
        for turn in range(DEEPEST):
            seat = own if turn == 0 else self._first_asked(state)
            asked = self._asked(state, seat, known if turn == 0 else None)
            found = self._descend(path[-1], state, asked, bots, chance)
            if found is None:
                break
            node, places = found
            fresh = node is not path[-1] and not node.visits
            if node is not path[-1]:
                path.append(node)
            self._backend.answer(state, seat, [asked.values[place] for place in places])
            try:
                self._backend.run(state)
            except RuleError:
                failed = True
            if fresh or failed or state[STATUS] != ASKING:
                break
        if not failed and state[STATUS] == ASKING:
            try:
                play_out(self._backend, state, stream, self._player(tuple(bots)), self._depth)
            except RuleError:
                failed = True
        for node in path:
            node.visits += 1
            node.worth += VICTORY // program.seats if failed else outcome(program, state, node.seat)
        return True

    def _drawn_bot(self, weights: Sequence[int], chance: Stream) -> str:
        """Return the key of a seat's bot in one world; empty for a random one."""
        left = chance.below(sum(weights))
        for weight, bot in zip(weights, (*self._bots, ""), strict=True):
            left -= weight
            if left < 0:
                return bot
        raise AssertionError("the weights of a seat are all 0")

    def _first_asked(self, state: Sequence[int]) -> int:
        return next(seat for seat, slot in enumerate(self._slots) if state[slot + D_STATE] == ASKED)

    def _asked(self, state: Sequence[int], seat: int, known: dict[int, int] | None) -> Asked:
        """Return a seat's decision; `known` has the numbers of options in the decision that the search is about."""
        slot, values = self._slots[seat], slot_values(self._program, state, seat)
        site = state[slot + D_SITE]
        if known is not None:
            keys = [known[value] for value in values]
        else:
            keys = [option_key(self._program, state, seat, site, value) for value in values]
        return Asked(seat, site, state[slot + D_LEAST], state[slot + D_MOST], values, keys)

    # -------------------------------------------------------------- choosing an answer

    def _descend(
        self, parent: Node, state: Sequence[int], asked: Asked, bots: Sequence[str], chance: Stream
    ) -> tuple[Node, Sequence[int]] | None:
        """Return the node below, and the places of what its answer chooses.

        It is the same node if there is only one answer, and None if no node may be added.
        """
        root = parent is self._root
        if asked.forced:
            return parent, range(asked.least)
        if asked.seat != self._root.seat and chance.below(8) >= RIVALS:
            places = self._of_bot(state, asked, bots[asked.seat], chance)
            child = parent.below.get(answer_key(self._program, asked, places))
            if child is None and self._full:
                return None
            if child is not None:
                child.offered += 1
            return child or self._added(parent, asked, places), places
        return self._chosen(parent, state, asked, chance, root)

    def _chosen(
        self, parent: Node, state: Sequence[int], asked: Asked, chance: Stream, root: bool
    ) -> tuple[Node, Sequence[int]] | None:
        possible = [
            (node, places)
            for node in parent.below.values()
            if (node.seat, node.site) == (asked.seat, asked.site)
            and asked.least <= len(node.chosen) <= asked.most
            and (places := places_of(asked, node.chosen)) is not None
        ]
        for node, _ in possible:
            node.offered += 1
        explored = EXPLORED if root else EXPLORED_BELOW
        if not root and parent.visits < RIPE:
            return None
        best = max(possible, key=lambda one: promise(one[0], explored), default=None)
        widening = WIDENING if root else WIDENING_BELOW
        if self._full or len(possible) > isqrt(parent.visits * widening // 4):
            return best
        for more in self._more(parent, state, asked, chance):
            if answer_key(self._program, asked, more) not in parent.below:
                return self._added(parent, asked, more), more
        return best

    def _more(self, parent: Node, state: Sequence[int], asked: Asked, chance: Stream) -> Iterator[Sequence[int]]:
        """Iterate over the places of other answers: those of bots, everything, and some that are drawn."""
        for bot in self._bots:
            yield self._of_bot(state, asked, bot, chance)
        if asked.most > 1:
            yield range(asked.most)
            for _ in range(DRAWS):
                yield self._drawn(asked, chance)
            return
        first = {key: place for place, key in reversed([*enumerate(asked.keys)])}
        each: list[Sequence[int]] = [] if asked.least else [()]
        each += [(place,) for place in sorted(first.values())]
        fresh = [places for places in each if answer_key(self._program, asked, places) not in parent.below]
        if fresh:
            yield fresh[chance.below(len(fresh))]

    def _of_bot(self, state: Sequence[int], asked: Asked, bot: str, chance: Stream) -> Sequence[int]:
        player = self._player((bot,) * self._program.seats)
        wanted = Counter(player.choose(state, asked.seat, chance))
        return [place for place, value in enumerate(asked.values) if _taken(wanted, value)]

    def _drawn(self, asked: Asked, chance: Stream) -> Sequence[int]:
        """Return a random answer: a uniform number of things, then which."""
        count = asked.least
        if asked.least != asked.most:
            count += chance.below(asked.most - asked.least + 1)
        order = list(range(len(asked.keys)))
        for i in range(count):
            j = i + chance.below(len(order) - i)
            order[i], order[j] = order[j], order[i]
        places = places_of(asked, sorted(asked.keys[place] for place in order[:count]))
        assert places is not None
        return places

    def _added(self, parent: Node, asked: Asked, places: Sequence[int]) -> Node:
        chosen = tuple(sorted(asked.keys[place] for place in places))
        node = Node(asked.seat, asked.site, chosen)
        parent.below[answer_key(self._program, asked, places)] = node
        self._nodes += 1
        self._keys += len(chosen)
        return node

    @property
    def _full(self) -> bool:
        """Whether no node may be added."""
        return self._nodes == self._most_nodes or self._keys > KEYS * self._most_nodes

    # -------------------------------------------------------------- flat trees

    def _halve(self, each: int) -> bool:
        """Try all answers in the same worlds, and drop the worse half again and again."""
        self._add_answers()
        left, number = [*self._root.below.values()], 0
        playouts, rounds = each * len(left), (len(left) - 1).bit_length()
        while len(left) > 1:
            for _ in range(max(1, playouts // (rounds * len(left)))):
                world = self._world(1 + 2 * number)
                if world is None:
                    return False
                for node in left:
                    self._try(node, world, Stream(self._seed, 2 + 2 * number))
                number += 1
            left = sorted(left, key=lambda node: -node.worth)[: (len(left) + 1) // 2]
        return True

    def _add_answers(self) -> None:
        assert self._moment is not None
        own, root, chance = self._moment.decision, self._root, Stream(self._seed, 0)
        keys = [number for number, option in enumerate(own.options) for _ in option.values]
        asked = Asked(own.seat, own.site, own.least, own.most, [], keys)
        for _ in range(len(keys) + 1 if own.most == 1 else WEIGHED):
            if self._full:
                return
            for more in self._more(root, self._moment.state, asked, chance):
                if answer_key(self._program, asked, more) not in root.below:
                    self._added(root, asked, more)
                    break

    def _try(self, node: Node, world: World, stream: Stream) -> None:
        """Play on at random after an answer in a world."""
        assert self._moment is not None
        program, own, state = self._program, self._moment.decision, world.state[:]
        mine = offered(program, state, own.seat, world.knowledge)
        values = resolve(mine, [own.options[number].key for number in node.chosen])
        assert isinstance(values, tuple), values
        self._backend.answer(state, own.seat, values)
        node.visits += 1
        try:
            play_out(self._backend, state, stream, self._player(("",) * program.seats), self._depth)
            node.worth += outcome(program, state, own.seat)
        except RuleError:
            node.worth += VICTORY // program.seats


# ------------------------------------------------------------------ keys

def option_key(program: TableProgram, state: Sequence[int], seat: int, site: int, value: int) -> int:
    """Return the key of an option: the seat names cards by their face where it sees them, else by their place."""
    of_site = program.sites[site]
    branch, members = unfold(of_site, value) if of_site.of == "menu" else (0, (value,))
    kinds = of_site.branches[branch].members if of_site.of == "menu" else (of_site.of,)
    key = splitmix(branch)
    for of, member in zip(kinds, members, strict=True):
        zone, part = -1, _plain(of, member)
        if of == "card" and member >= 0:
            zone, part = _card(program, state, seat, member)
        key = splitmix(splitmix(key ^ (zone + 1)) ^ (part & MASK_64))
    return key


def _plain(of: str, value: int) -> int:
    """Return a value so that equal names are equal: negative ones are all none, except numbers."""
    if of == "number":
        return value
    return -1 if of == "card" or value < 0 else int(value != 0) if of == "boolean" else value


def _card(program: TableProgram, state: Sequence[int], seat: int, card: int) -> tuple[int, int]:
    """Return the zone of a card, and its face, or -2 less its place if the seat does not see it."""
    number = state[program.layout.places + card]
    if number < 0:
        return number, program.cards[card].face
    zone = program.zones[number]
    cards = state[zone.address + 1 : zone.address + 1 + state[zone.address]]
    seen = cards_seen(zone) >> seat & 1 or (top_seen(zone) >> seat & 1 and cards[-1] == card)
    place = 0 if zone.order == "bag" else 1 + cards.index(card)
    return number, program.cards[card].face if seen else -2 - place


def answer_key(program: TableProgram, asked: Asked, places: Sequence[int]) -> int:
    """Return the key of an answer: of its seat, its site, and what it chooses."""
    key = splitmix(asked.site * program.seats + asked.seat)
    for chosen in sorted(asked.keys[place] for place in places):
        key = splitmix(key ^ chosen)
    return key


def places_of(asked: Asked, chosen: Sequence[int]) -> list[int] | None:
    """Return the first places with these keys, or None if some are not there."""
    wanted = Counter(chosen)
    places = [place for place, key in enumerate(asked.keys) if _taken(wanted, key)]
    return places if len(places) == len(chosen) else None


def _taken(wanted: Counter[int], one: int) -> bool:
    """Take one of what is wanted, if it is."""
    if not wanted[one]:
        return False
    wanted[one] -= 1
    return True


# ------------------------------------------------------------------ how promising an answer is

def promise(node: Node, explored: int) -> int:
    """Return the worth of a node, and more if it was tried less often than it could have been (UCB1)."""
    return node.worth // node.visits + explored * isqrt((logarithm(node.offered) << 16) // node.visits) // 65536
