"""Build table programs by hand: computes addresses, frames, and liveness for given code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import evolve

from rulewright.ruleset.common.diagnostic import NOWHERE
from rulewright.ruleset.lower.context import Draft
from rulewright.ruleset.lower.liveness import live_slots
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import HEAD, Const, End, OptionBranch, Segment, Slot, Stmt, TableProgram, Tree

OPTIONS = 24
DECISION = 4 + 2 * (OPTIONS + 1)
LOW, HIGH = -(2**31), 2**31 - 1


class Builder:
    """Takes things in any order and gives numbers or addresses for them; `build` puts them together."""

    def __init__(self, seats: int, faces: Sequence[int] = (), options: int = OPTIONS) -> None:
        self.seats = seats
        self.options = options
        self.decision = 4 + 2 * (options + 1)
        self.everyone = (1 << seats) - 1
        self.faces = tuple(faces)
        self.cells = HEAD + seats * self.decision
        self.zones: list[table.ZoneInfo] = []
        self.tracks: list[table.TrackInfo] = []
        self.lists: list[table.ListInfo] = []
        self.tables: list[tuple[int, ...]] = []
        self.constant_lists: list[tuple[tuple[int, ...], ...]] = []
        self.functions: list[table.Function] = []
        self.procedures: list[table.Procedure | None] = []
        self.segments: list[tuple[int, Tree] | None] = []
        self.sites: list[table.Site] = []
        self.start: list[tuple[int, tuple[int, ...]]] = []
        self._places = -1

    @property
    def places(self) -> int:
        """Where the cells with the zones of the cards begin."""
        if self._places < 0:
            self._places = self._allocate(len(self.faces))
        return self._places

    def _allocate(self, cells: int) -> int:
        address = self.cells
        self.cells += cells
        return address

    def zone(
        self, order: Literal["bag", "row", "pile"], cards: Sequence[int] = (), *, sees: int | None = None,
        top: int = 0, refill: int = -1, eager: bool = False, capacity: int | None = None, owner: int = -1,
    ) -> int:  # fmt: skip
        """A zone's number."""
        number = len(self.zones)
        room = len(self.faces) if capacity is None else capacity
        seers = self.everyone if sees is None else sees
        address = self._allocate(room + 1)
        self.zones.append(
            table.ZoneInfo(
                f"zone-{number}", "zone", owner, order, address, room, (0,),
                seers, top, self.everyone, refill, eager,
            )
        )  # fmt: skip
        if cards:
            self.start.append((number, tuple(cards)))
        return number

    def track(
        self, start: Sequence[int] = (0,), *, low: int = LOW, high: int = HIGH, clamps: bool = False,
        arrival: bool = False, changes: Sequence[int] | None = None,
    ) -> int:  # fmt: skip
        """A track's number; its cells begin at `address(number)`."""
        count = len(start)
        address = self._allocate(count)
        order = self._allocate(count + 1) + 1 if arrival else -1
        seen = (self.everyone,) * count
        heard = seen if changes is None else tuple(changes)
        self.tracks.append(
            table.TrackInfo(
                f"track-{len(self.tracks)}", address, count, ("player",), low, high, clamps,
                tuple(start), seen, heard, order, "number",
            )
        )  # fmt: skip
        return len(self.tracks) - 1

    def address(self, track: int) -> int:
        """Where a track's cells begin."""
        return self.tracks[track].address

    def state_list(self, capacity: int, count: int = 1) -> int:
        """The address of list cells."""
        address = self._allocate((capacity + 1) * count)
        self.lists.append(table.ListInfo(f"list-{len(self.lists)}", address, count, capacity, "game", "number"))
        return address

    def table(self, *values: int) -> int:
        """A constant table's number."""
        self.tables.append(values)
        return len(self.tables) - 1

    def table_list(self, *values: tuple[int, ...]) -> int:
        """A constant table of lists: its number."""
        self.constant_lists.append(values)
        return len(self.constant_lists) - 1

    def site(self, of: str = "number", sealed: bool = False, branches: Sequence[OptionBranch] = ()) -> int:
        """A site's number."""
        number = len(self.sites)
        self.sites.append(table.Site(f"site-{number}", of, tuple(branches), sealed, (), number))
        return number

    def function(self, parameters: int, slots: Sequence[int], *body: Stmt) -> int:
        """A function's number; `slots` are the capacities of its slots, 0 for an integer."""
        name = f"function-{len(self.functions)}"
        self.functions.append(table.Function(name, parameters, _slots(slots)[0], body, 0))
        return len(self.functions) - 1

    def reserve(self, segments: int) -> range:
        """Numbers of segments to be defined."""
        first = len(self.segments)
        self.segments.extend([None] * segments)
        return range(first, first + segments)

    def reserve_procedure(self) -> int:
        """The number of a procedure to be defined."""
        self.procedures.append(None)
        return len(self.procedures) - 1

    def procedure(
        self, slots: Sequence[int], trees: dict[int, Tree], entry: int, parameters: int = 0, number: int = -1
    ) -> int:
        """A procedure's number. `trees` are its segments; `entry` is one of them."""
        if number < 0:
            number = self.reserve_procedure()
        infos, size = _slots(slots)
        self.procedures[number] = table.Procedure(f"procedure-{number}", parameters, infos, size, entry, 0)
        for segment, tree in trees.items():
            self.segments[segment] = (number, tree)
        return number

    def game(self, slots: Sequence[int], *trees: Tree, stack: int = 200) -> TableProgram:
        """The program that begins with one more procedure. Its segments are those that were reserved and are not
        yet defined, in their order; the first is its entry.
        """
        segments = [number for number, found in enumerate(self.segments) if found is None]
        return self.build(self.procedure(slots, dict(zip(segments, trees, strict=True)), segments[0]), stack)

    def build(self, entry: int, stack: int = 200) -> TableProgram:
        """The program; `stack` is the number of cells for frames."""
        places = self.places
        start = self._allocate(stack)
        procedures = tuple(procedure for procedure in self.procedures if procedure is not None)
        segments = tuple(Segment(found[0], (), found[1]) for found in self.segments if found is not None)
        assert len(procedures) == len(self.procedures) and len(segments) == len(self.segments)
        program = TableProgram(
            pack="hand-built", version="1", semantics=1, seats=self.seats, options=(),
            layout=table.Layout(self.cells, self.decision, self.options, places, start),
            cards=tuple(table.CardInfo(f"card-{face}", "card", f"card-{face}", face) for face in self.faces),
            zones=tuple(self.zones), tracks=tuple(self.tracks), state_lists=tuple(self.lists), enumerations=(),
            definitions=(), tables=tuple(self.tables), lists=tuple(self.constant_lists),
            functions=tuple(self.functions), procedures=procedures, segments=segments, sites=tuple(self.sites),
            sources=tuple(table.Source(f"source-{i}", NOWHERE) for i in range(1000)), start=tuple(self.start),
            entry=entry,
        )  # fmt: skip
        entries = {one.entry: frozenset(range(one.parameters)) for one in procedures}
        live = live_slots([Draft(one.procedure, one.tree) for one in segments], entries, program.sites)
        segments = tuple(evolve(one, live=tuple(sorted(slots))) for one, slots in zip(segments, live, strict=True))
        return evolve(program, segments=segments)


def _slots(capacities: Sequence[int]) -> tuple[tuple[Slot, ...], int]:
    """Slots one after the other behind the link cells, and the size of the frame."""
    offset, slots = 2, []
    for number, capacity in enumerate(capacities):
        slots.append(Slot(f"slot-{number}", capacity, False, offset))
        offset += capacity + 1 if capacity else 1
    return tuple(slots), offset


# ------------------------------------------------------------------ short names for code

def c(value: int) -> Const:
    return Const(value)


def v(slot: int) -> table.Local:
    return table.Local(slot)


def vs(slot: int) -> table.LocalList:
    return table.LocalList(slot)


def cell(address: int) -> table.Cell:
    return table.Cell(c(address))


def cards(zone: int) -> table.Cards:
    return table.Cards(c(zone))


def op(left: table.Expr | int, name: table.Operator, right: table.Expr | int) -> table.Binary:
    return table.Binary(
        name, c(left) if isinstance(left, int) else left, c(right) if isinstance(right, int) else right
    )


def numbers(*values: table.Expr | int) -> table.Items:
    return table.Items(tuple(c(value) if isinstance(value, int) else value for value in values))


def tree(*parts: Stmt | End) -> Tree:
    """Statements and, last, an end."""
    body = tuple(part for part in parts[:-1] if isinstance(part, Stmt))
    end = parts[-1]
    assert isinstance(end, End) and len(body) == len(parts) - 1
    return Tree(body, end)


def branch(condition: table.Expr, then: Tree, otherwise: Tree) -> Tree:
    return Tree((), table.Branch(condition, then, otherwise))
