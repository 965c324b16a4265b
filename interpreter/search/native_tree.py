"""Trees grown in native code: one call goes down the tree in many worlds, and plays them out."""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from rulewright.interpreter.backends.native.codegen.writer import literal, table
from rulewright.interpreter.backends.native.library import beside, load
from rulewright.interpreter.backends.native.module import CSource, compiler, generate_playing_on, quick_compiler
from rulewright.interpreter.backends.native.toolchain import Compiler
from rulewright.interpreter.backends.policies import bot_keys, policies
from rulewright.interpreter.batch.factory import Upgrade
from rulewright.interpreter.batch.native_calls import PATIENCE
from rulewright.interpreter.search.determinise import DEPTH, LEAD, PASSES, TRIES, VICTORY, SearchMoment, World
from rulewright.interpreter.search.opponents import Weights, pack_bots
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
from rulewright.interpreter.state.chance import seed_state
from rulewright.interpreter.state.decision_slots import slot_address
from rulewright.interpreter.state.events import cards_seen, top_seen
from rulewright.interpreter.state.frames import card_axis, entries
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import Decision, offered, slot_values
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.table.nodes import (
    ASKING,
    D_STATE,
    NOT_ASKED,
    SEALED,
    STATUS,
    ListInfo,
    Site,
    TableProgram,
    TrackInfo,
)

# ------------------------------------------------------------------ Assemble the C module for search
#
# This file writes the constants of these texts: visibility, places that may hold cards, and cells that point
# at cards.

NUMBER, CARD, BOOLEAN, NAMED = range(4)
"""The type of a value, as `views.visibility.value_key` distinguishes them."""


def generate_searching(program: TableProgram) -> CSource:
    """Generate the module that finds worlds of a table and grows trees in them; playouts are those of its bots."""
    playing = generate_playing_on(program)
    folder = files("rulewright.interpreter.backends.native") / "c"
    texts = ((folder / name).read_text(encoding="utf-8") for name in ("deal.c", "worlds.c", "tree.c"))
    return CSource("\n".join([playing.text, *_tables(program), *_growing(), *texts]), playing.codes)


def _growing() -> list[str]:
    numbers = {
        "EXPLORED": EXPLORED,
        "EXPLORED_BELOW": EXPLORED_BELOW,
        "WIDENING": WIDENING,
        "WIDENING_BELOW": WIDENING_BELOW,
        "RIPE": RIPE,
        "RIVALS": RIVALS,
        "DRAWS": DRAWS,
        "DEEPEST": DEEPEST,
        "WEIGHED": WEIGHED,
    }
    return [f"#define RW_{name} ({value})" for name, value in numbers.items()]


def _tables(program: TableProgram) -> list[str]:
    branches = [len(_branches(site)) for site in program.sites]
    columns = max((len(members) for site in program.sites for members in _branches(site)), default=0)
    numbers = {
        "NUMBER": NUMBER,
        "CARD": CARD,
        "BOOLEAN": BOOLEAN,
        "INFOS": len(program.tracks) + len(program.state_lists),
        "SEALED": len(list(_sealed(program))),
        "COLUMNS": max(columns, 1),
        "TRIES": TRIES,
        "PASSES": PASSES,
        "VICTORY": VICTORY,
        "LEAD": LEAD,
        "SCORE": _per_seat(program, "score"),
        "WINNER": _per_seat(program, "winner"),
    }
    return [
        *(f"#define RW_{name} ({value})" for name, value in numbers.items()),
        table("rw_shows", [cards_seen(zone) for zone in program.zones]),
        table("rw_top", [top_seen(zone) for zone in program.zones]),
        table("rw_by_face", sorted(range(len(program.cards)), key=lambda card: (program.cards[card].face, card))),
        *_runs(program),
        *_infos(program),
        *_live(program),
        _records("rw_sealed", ("address", "width", "count", "site"), list(_sealed(program))),
        table("rw_menu", [int(site.of == "menu") for site in program.sites]),
        table("rw_branch_at", _offsets(branches)),
        table("rw_member_at", _offsets([len(members) for site in program.sites for members in _branches(site)])),
        _records(
            "rw_member",
            ("of", "radix"),
            [member for site in program.sites for members in _branches(site) for member in members],
        ),
    ]


def _records(name: str, fields: Sequence[str], rows: Sequence[Sequence[int]]) -> str:
    """Write a constant table of records of int; an empty one gets a row of zeros."""
    rows = rows or [[0] * len(fields)]
    text = ", ".join("{" + ", ".join(map(literal, row)) + "}" for row in rows)
    return f"static const struct {{ int {', '.join(fields)}; }} {name}[] = {{{text}}};"


def _offsets(counts: Sequence[int]) -> list[int]:
    """Return the offset of each of several runs, and the end of the last one."""
    offsets = [0]
    for count in counts:
        offsets.append(offsets[-1] + count)
    return offsets


def _runs(program: TableProgram) -> list[str]:
    """Write the cards that zones accept, as runs of consecutive numbers. Without `accepts`, they are all cards."""
    runs = [list(_consecutive(zone.accepts or range(len(program.cards)))) for zone in program.zones]
    return [
        table("rw_range_at", _offsets([len(own) for own in runs])),
        _records("rw_range", ("first", "end"), [run for own in runs for run in own]),
    ]


def _consecutive(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = end = -1
    for number in sorted({*numbers}):
        if number != end:
            if end > first:
                yield first, end
            first = number
        end = number + 1
    if end > first:
        yield first, end


def _infos(program: TableProgram) -> list[str]:
    """Write tracks, then lists: their cells and axis of cards; of tracks also start values and visibility."""
    rows: list[list[int]] = []
    starts: list[int] = []
    seers: list[int] = []
    for info in entries(program):
        axis, of = card_axis(program, info), _value(info.of)
        first, cards, stride = (axis.first, axis.size, axis.stride) if axis is not None else (0, 0, 1)
        secret = isinstance(info, ListInfo) and info.key.startswith(SEALED)
        marks = int(not secret and (axis is not None or of == CARD))
        width, start, arrival = _shape(info, len(starts))
        rows.append([info.address, width, info.count, first, cards, stride, arrival, start, of, marks])
        if isinstance(info, TrackInfo):
            starts += info.start
            seers += info.seen
    fields = ("address", "width", "count", "first", "cards", "stride", "arrival", "start", "of", "marks")
    return [_records("rw_infos", fields, rows), table("rw_starts", starts), table("rw_seers", seers)]


def _shape(info: TrackInfo | ListInfo, start: int) -> tuple[int, int, int]:
    """Return an entry's cells, the index of its start values (-1: a list), and the address of arrivals or -1."""
    if isinstance(info, ListInfo):
        return info.capacity + 1, -1, -1
    return 1, start, info.arrival


def _live(program: TableProgram) -> list[str]:
    """Write for each segment the live slots of its frame that hold cards."""
    found: list[list[tuple[int, int]]] = []
    for segment in program.segments:
        slots = program.procedures[segment.procedure].slots
        found.append([(slots[n].offset, slots[n].capacity) for n in segment.live if slots[n].cards])
    return [
        table("rw_live_at", _offsets([len(own) for own in found])),
        _records("rw_live", ("offset", "capacity"), [slot for own in found for slot in own]),
    ]


def _sealed(program: TableProgram) -> Iterator[tuple[int, int, int, int]]:
    """Iterate over the lists of sealed answers to menus, with the numbers of their sites."""
    sites = {SEALED + site.key: number for number, site in enumerate(program.sites) if site.of == "menu"}
    for info in program.state_lists:
        if info.key in sites:
            yield info.address, info.capacity + 1, info.count, sites[info.key]


def _branches(site: Site) -> list[list[tuple[int, int]]]:
    """Return type and number of values of the members of each branch. A site that is not a menu has one branch."""
    if site.of != "menu":
        return [[(_value(site.of), 1)]]
    return [
        [(_value(of), max(radix, 1)) for of, radix in zip(branch.members, branch.radix, strict=True)]
        for branch in site.branches
    ]


def _value(of: str) -> int:
    return {"number": NUMBER, "card": CARD, "boolean": BOOLEAN}.get(of, NAMED)


def _per_seat(program: TableProgram, key: str) -> int:
    """Return the address of a track of the result (see `view.result`), or -1."""
    return next((t.address for t in program.tracks if t.key == key and t.count == program.seats), -1)


# ---- Worlds that a seat cannot tell from the true one, in native code

class NativeWorlds:
    """Finds worlds with a library of the searching module."""

    def __init__(self, program: TableProgram, library: Any, codes: Sequence[str]) -> None:
        self._program = program
        self._library = library
        self._codes = tuple(codes)
        self.memory = ctypes.create_string_buffer(library.rw_size_of_search())
        self._moment: SearchMoment | None = None
        """The moment loaded into the library."""

    def look(self, moment: SearchMoment) -> None:
        """Load a moment into the library, unless it is there."""
        if moment is not self._moment:
            self._look(moment.state, moment.knowledge, moment.decision.seat, moment.decision)
            self._moment = moment

    def possible_world(
        self, state: Sequence[int], knowledge: Knowledge, seat: int, seed: int, sequence: int = 0
    ) -> World | None:
        """See `determinise.possible_world`, with `Stream(seed, sequence)`. Raises RuleError."""
        self._look(state, knowledge, seat, self._decision(state, knowledge, seat))
        found = self._library.rw_imagine(self.memory, ctypes.c_uint64(seed_state(seed, sequence)))
        if found < 0:
            code = self._codes[self._library.rw_imagined_fault(self.memory) - 1]
            raise RuleError(code, self._library.rw_imagined_fault_at(self.memory))
        if not found:
            return None
        cells, masks = array("i", state), array("i", knowledge.masks)
        bounds = _bounds(knowledge)
        left = array("i", bounds)
        self._library.rw_imagined(self.memory, _address(cells), _address(masks))
        kept = self._library.rw_imagined_bounds(
            self.memory, _address(bounds), len(knowledge.bounds), _address(left)
        )
        rows = tuple(zip(*(left[column : 4 * kept : 4] for column in range(4)), strict=True))
        return World(cells, Knowledge(tuple(masks), rows))

    def _decision(self, state: Sequence[int], knowledge: Knowledge, seat: int) -> Decision | None:
        """Return the decision of a seat, even if it has answered."""
        if state[STATUS] != ASKING or state[slot_address(self._program.layout, seat) + D_STATE] == NOT_ASKED:
            return None
        return offered(self._program, state, seat, knowledge)

    def _look(self, state: Sequence[int], knowledge: Knowledge, seat: int, own: Decision | None) -> None:
        """Start searching for a seat. Raises ValueError for knowledge that no game leads to."""
        self._moment = None
        options = () if own is None else own.options
        numbers = {value: number for number, option in enumerate(options) for value in option.values}
        own_values = slot_values(self._program, state, seat) if options else ()
        option_of = _ints(numbers[value] for value in own_values)
        cells, masks, bounds = array("i", state), array("i", knowledge.masks), _bounds(knowledge)
        if not self._library.rw_look(
            self.memory,
            _address(cells),
            _address(masks),
            _address(bounds),
            len(knowledge.bounds),
            seat,
            _address(option_of),
            len(options),
        ):
            raise ValueError("no game leads to this knowledge")


def _bounds(knowledge: Knowledge) -> array[int]:
    return _ints(number for bound in knowledge.bounds for number in bound)


def _ints(numbers: Iterable[int]) -> array[int]:
    return array("i", numbers)


def _address(numbers: array[int]) -> ctypes.c_void_p:
    """Return the address of the numbers, valid until they are changed."""
    return ctypes.c_void_p(numbers.buffer_info()[0])


MASK_64 = 2**64 - 1
SHORT_SECONDS = 0.02
"""A call that is probably shorter is made by this thread, with little patience."""


class NativeGrower(TreeGrower):
    """A grower on a library of the searching module. In flat trees, all players are random."""

    name = "native"

    def __init__(
        self,
        program: TableProgram,
        library: Any,
        codes: Sequence[str],
        depth: int = DEPTH,
        nodes: int = MOST_NODES,
        flat: bool = False,
    ) -> None:
        self._program = program
        self.worlds = NativeWorlds(program, library, codes)
        self._library, self._depth, self._flat = library, depth, flat
        self._tree = ctypes.create_string_buffer(library.rw_size_of_tree())
        self._node_memory = ctypes.create_string_buffer(nodes * library.rw_size_of_node())
        self._nodes = nodes
        self._keys = (ctypes.c_uint64 * (KEYS * nodes + program.layout.options))()
        bots = () if flat else bot_keys(program)
        found = (policies(program, (key,) * program.seats)[0] for key in bots)
        self._kept = [(ctypes.c_int * len(policy)).from_buffer(policy) for policy in found if policy is not None]
        self._policies = (ctypes.c_void_p * max(1, len(self._kept)))(*map(ctypes.addressof, self._kept))
        self._weights = self._as_numbers(None)
        self._moment: SearchMoment | None = None
        self._seed = self._grown = 0
        self._pace = SHORT_SECONDS
        """Seconds per world in the last call."""

    def plant(self, moment: SearchMoment, seed: int, weights: Weights | None = None) -> None:
        """See `TreeGrower.plant`."""
        self._weights = self._as_numbers(weights)
        self._moment, self._seed = moment, seed & MASK_64
        self.worlds.look(moment)
        self._begin()

    def _begin(self) -> None:
        """Begin the tree, or begin it again."""
        self._grown = 0
        self._library.rw_plant(
            self.worlds.memory,
            self._tree,
            self._node_memory,
            self._nodes,
            self._keys,
            len(self._keys),
            self._policies,
            len(self._kept),
            self._weights,
        )

    def _as_numbers(self, weights: Weights | None) -> ctypes.Array[ctypes.c_int]:
        numbers = [number for seat in weights or pack_bots(self._program) for number in seat]
        return (ctypes.c_int * len(numbers))(*numbers)

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        """See `TreeGrower.grow`. Long calls are made in another thread, while this one handles signals."""
        wanted = self._grown + worlds
        if seconds is None and self._pace * worlds < SHORT_SECONDS:
            if not self._call(worlds):
                return False
            if self._grown == wanted:
                return True
            self._begin()  # it ended in the middle of a world

        def call(halt: Any) -> bool:
            return self._call(wanted - self._grown, halt)

        return beside(call) if seconds is None else beside(call, seconds=seconds)

    def _call(self, worlds: int, halt: Any = None) -> bool:
        """Grow with one call; without `halt`, it may end early. Returns False if there is no world."""
        began = time.perf_counter()
        grown = int(
            self._library.rw_grow(
                self.worlds.memory,
                self._tree,
                ctypes.c_uint64(self._seed),
                ctypes.c_uint64(self._grown),
                worlds,
                self._depth,
                int(self._flat),
                ctypes.c_longlong(PATIENCE),
                None if halt is None else ctypes.byref(halt),
            )
        )
        self._pace = (time.perf_counter() - began) / max(grown, 1)
        self._grown += max(grown, 0)
        return grown >= 0

    def tried(self) -> tuple[TriedAnswer, ...]:
        """See `TreeGrower.tried`."""
        assert self._moment is not None
        options = self._moment.decision.options
        width = self._library.rw_width(self._tree)
        visits, totals, picks = (array(size, bytes(8 * width)) for size in "iqi")
        count = self._library.rw_tried(self._tree, *(_address(numbers) for numbers in (visits, totals, picks)))
        found, at = [], 0
        for number in range(count):
            end = at + 1 + picks[at]
            keys = tuple(options[one].key for one in picks[at + 1 : end])
            found.append(TriedAnswer(keys, visits[number], totals[number]))
            at = end
        return tuple(found)


def native_grower(
    program: TableProgram,
    by: Compiler | None = None,
    depth: int = DEPTH,
    nodes: int = MOST_NODES,
    flat: bool = False,
) -> NativeGrower:
    """Make a native grower with this machine's compiler; wait for it. Raises NoNativeError or BuildError.

    Tests pass another compiler.
    """
    source, maker = generate_searching(program), by or compiler()
    return NativeGrower(program, load(source.text, maker), source.codes, depth, nodes, flat)


# ---- Growers of trees for a table, which change over to faster code when it is ready

class UpgradingGrower(TreeGrower):
    """A grower that changes over to a faster one, checked before each tree."""

    def __init__(self, upgrade: Upgrade[TreeGrower], clock: Callable[[], float] = time.perf_counter) -> None:
        self._upgrade, self._clock = upgrade, clock
        self._growing = upgrade.now()

    @property
    def name(self) -> str:  # type: ignore[override]  # it changes, and is never set
        """Name of the backend in use now."""
        return self._growing.name

    def plant(self, moment: SearchMoment, seed: int, weights: Weights | None = None) -> None:
        """See `TreeGrower.plant`."""
        self._growing = self._upgrade.now()
        self._growing.plant(moment, seed, weights)

    def grow(self, worlds: int, seconds: float | None = None) -> bool:
        """See `TreeGrower.grow`."""
        since = self._clock()
        grown = self._growing.grow(worlds, seconds)
        self._upgrade.spent += self._clock() - since
        return grown

    def tried(self) -> tuple[TriedAnswer, ...]:
        """See `TreeGrower.tried`."""
        return self._growing.tried()

    def prepare(self) -> bool:
        """See `TreeGrower.prepare`."""
        return self._upgrade.begin()


def grower(program: TableProgram, flat: bool = False) -> TreeGrower:
    """Make a grower for a table, of flat trees or of others. Raises NoNativeError or BuildError."""
    best, quick = compiler(), quick_compiler()
    at_hand = native_grower(program, quick, flat=flat)
    if best == quick:
        return at_hand
    return UpgradingGrower(Upgrade(at_hand, lambda: native_grower(program, best, flat=flat)))
