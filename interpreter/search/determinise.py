"""Random worlds that a seat cannot tell from the true one, for search.

The cards that a seat does not see change places at random. Its knowledge stays true: cards that it knows
individually do not move, its bounds hold, and a zone gets no card that it does not accept. A card that takes
another's place takes it everywhere: in zones, in frames, in tracks and lists that point at cards, and in values
kept for the card (the place keeps its tokens; only the face there changes). Hidden tracks that are not about cards
stay as they are.

Then chance begins afresh, sealed answers of other seats are drawn again, and open questions are asked again, since
the options of other seats may depend on their cards. A deal is discarded if the seat would see other seats asked,
or other options. After `TRIES` such deals the cards stay where they are.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.interpreter.search.card_renaming import World, renamed
from rulewright.interpreter.search.deal import shuffle_hidden
from rulewright.interpreter.state.backend_protocol import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import ask_anew, slot_address
from rulewright.interpreter.views.decision import (
    Decision,
    asked,
    keys_of,
    offered,
    resolve,
    slot_answer,
    slot_values,
)
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.table.nodes import (
    ANSWERED,
    ASKING,
    D_LEAST,
    D_MOST,
    D_STATE,
    FUEL,
    RNG,
    SEGMENT,
    STATUS,
    TableProgram,
)

TRIES = 20


def determinise(
    backend: Backend, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> array[int]:
    """Return a random state that equals this one in everything that a seat sees and knows."""
    return redeal(backend, state, knowledge, seat, stream).state


def redeal(backend: Backend, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream) -> World:
    """Do the same as `determinise`, and return the world with the knowledge of all seats."""
    world = possible_world(backend, state, knowledge, seat, stream)
    if world is not None:
        return world
    same = World(array("i", state), knowledge)
    _fresh_chance(same.state, stream)
    _ask_anew(backend, state, knowledge, same, seat, stream)
    return same


def possible_world(
    backend: Backend, state: Sequence[int], knowledge: Knowledge, seat: int, stream: Stream
) -> World | None:
    """Return a world that the seat could be in, or None if none was found. Of all that is hidden from the seat, it
    depends only on tracks that are not about cards.

    Raises RuleError if a rule fails while questions are asked again.
    """
    program = backend.program
    for _ in range(TRIES):
        deal = shuffle_hidden(program, state, knowledge, seat, stream)
        world = renamed(program, state, knowledge, seat, deal)
        _fresh_chance(world.state, stream)
        if _ask_anew(backend, state, knowledge, world, seat, stream):
            return world
    return None


# ------------------------------------------------------------------ chance and decisions


def _fresh_chance(state: array[int], stream: Stream) -> None:
    for i in range(4):
        state[RNG + i] = stream.bits() >> 16


def _ask_anew(
    backend: Backend, before: Sequence[int], knowledge: Knowledge, world: World, seat: int, stream: Stream
) -> bool:
    """Ask again in the new world. Returns False if the seat would notice a difference from the old one."""
    program, state = backend.program, world.state
    if before[STATUS] != ASKING:
        return True
    chance, behind = state[RNG : RNG + 4], slot_address(program.layout, program.seats)
    rest = state[behind:]
    ask_anew(state, program)
    state[FUEL] = FUEL_PER_ANSWER
    backend.run(state)
    if state[STATUS] != ASKING or state[SEGMENT] != before[SEGMENT] or state[RNG : RNG + 4] != chance:
        return False
    if state[behind:] != rest:  # no seat was asked, the game went on, and came back here
        return False
    was = asked(program, before)
    if [(s, site) for s, site, _ in was] != [(s, site) for s, site, _ in asked(program, state)]:
        return False
    own: Decision | None = None
    if any(s == seat for s, _, _ in was):
        own = offered(program, before, seat, knowledge)
        if own != offered(program, state, seat, world.knowledge):
            return False
    for other, _, answered in was:
        if not answered or state[slot_address(program.layout, other) + D_STATE] == ANSWERED:
            continue
        if other == seat and own is not None:
            keys = keys_of(own, slot_answer(program, before, seat))
            values = resolve(offered(program, state, seat, world.knowledge), keys)
            assert isinstance(values, tuple), values
        else:
            values = _any_answer(program, state, other, stream)
        backend.answer(state, other, values)
    state[FUEL] = before[FUEL]
    return asked(program, state) == was


def _any_answer(program: TableProgram, state: Sequence[int], seat: int, stream: Stream) -> tuple[int, ...]:
    """Return a random answer: a uniform number of values, then the values."""
    slot = slot_address(program.layout, seat)
    left = list(slot_values(program, state, seat))
    count = state[slot + D_LEAST] + stream.below(state[slot + D_MOST] - state[slot + D_LEAST] + 1)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(left.pop(stream.below(len(left))))
    return tuple(sorted(chosen))
