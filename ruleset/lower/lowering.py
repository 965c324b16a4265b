"""Lower a program to a table program, for a number of seats and a choice of options.

Only what the game can reach is lowered. Units that cannot suspend become functions, the others procedures; a unit
that is performed through the same table as a suspending one also becomes a procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import evolve

from rulewright.ruleset.common.limits import FRAMES_OF_RECURSION, MOST_CELLS, whole
from rulewright.ruleset.common.nearest import listed, players_between
from rulewright.ruleset.lower.bots import lower_bots
from rulewright.ruleset.lower.context import Calls, Draft, HiddenReads, InlineDecisions, Work, ready, worked
from rulewright.ruleset.lower.decisions import UnitCode
from rulewright.ruleset.lower.liveness import live_slots
from rulewright.ruleset.lower.state_layout import LayoutError, StateLayout, cells_of_track
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.tables import names_of, wrong_names
from rulewright.ruleset.program.traversal import NoSeries, everything, played, whole_series
from rulewright.ruleset.table import nodes as t

# ---- The size of the stack: the cells of the longest chain of calls, and room for recursion

def stack_cells(
    drafts: Sequence[Draft | None],
    tables: Sequence[tuple[int, ...]],
    procedures: Sequence[t.Procedure],
    beginnings: Sequence[int],
) -> int:
    """Return the cells needed for the deepest chain of calls that begins in one of some procedures."""
    calls: dict[int, set[int]] = {n: set() for n in range(len(procedures))}
    for draft in drafts:
        assert draft is not None
        for node in everything(draft.tree):
            if isinstance(node, t.Invoke):
                calls[draft.procedure].add(node.procedure)
            elif isinstance(node, t.InvokeTable):
                calls[draft.procedure].update(n for n in tables[node.table] if n >= 0)
    sizes = [procedure.size for procedure in procedures]
    found = [_deepest(root, calls, sizes) for root in beginnings]
    cells = max(depth for depth, _ in found)
    if any(circular for _, circular in found):
        cells += FRAMES_OF_RECURSION * max(sizes)
    return cells + 2


def _deepest(root: int, calls: dict[int, set[int]], sizes: list[int]) -> tuple[int, bool]:
    """Return the cells of the largest call chain from a procedure, and whether there is recursion."""
    depth: dict[int, int] = {}
    circular = False
    inner: dict[int, int] = {}
    """For each procedure on the current path, the largest chain below it so far."""
    way: list[tuple[int, Iterator[int]]] = []
    number: int | None = root
    while number is not None or way:
        if number is not None:
            inner[number] = 0
            way.append((number, iter(sorted(calls[number]))))
        here, callees = way[-1]
        number = None
        for callee in callees:
            if callee in inner:
                circular = True
            elif callee in depth:
                inner[here] = max(inner[here], depth[callee])
            else:
                number = callee
                break
        if number is None:
            way.pop()
            depth[here] = sizes[here] + inner.pop(here)
            if way:
                above = way[-1][0]
                inner[above] = max(inner[above], depth[here])
    return depth[root], circular


# ---- Lowering

SEMANTICS = 1
"""The version of the meaning of table programs; saves record it."""


class TableError(ValueError):
    """The table is impossible: invalid seats or options, too many cards, or a track starts out of bounds."""


def lower(
    program: p.Program,
    seats: int,
    options: dict[str, str] | None = None,
    kept: tuple[str, ...] = (),
    series: bool = False,
) -> t.TableProgram:
    """Lower a program. Raises `TableError` if the pack does not allow this table, TypeError for wrong types.

    `kept` are units that become functions although the game does not reach them, such as conditions about it. With
    `series`, it plays the series of the pack; else a single game.
    """
    lowering = prepared(program, seats, options, Lowering, series)
    lowering.reach()
    for key in kept:
        lowering.function(key)
    return lowering.run()


def prepared(
    program: p.Program, seats: int, options: dict[str, str] | None, make: type[Lowering], series: bool = False
) -> Lowering:
    """Return a lowering of class `make` that knows the most options that a decision can have."""
    _check_arguments(program, seats, options)
    try:
        program = played(whole_series(program) if series else program)
    except NoSeries as error:
        raise TableError(str(error)) from None
    if not program.least_players <= seats <= program.most_players:
        allowed = players_between(program.least_players, program.most_players)
        raise TableError(f"{program.pack} is for {allowed}, not {seats}")
    chosen: dict[str, int] = {option.key: option.default for option in program.options}
    known = {option.key: option for option in program.options}
    for key, word in (options or {}).items():
        if key not in known:
            names = ", ".join(known) or "none"
            raise TableError(f"{program.pack} has no option `{key}`; its options: {names}")
        chosen[key] = _some(program, known[key], word) if known[key].some else _option(known[key], word)
    effects = Effects(program)
    # Layout is done twice: the first run finds the most options of a decision, the second reserves space for them.
    try:
        first = Lowering(program, effects, seats, chosen, 1)
    except LayoutError as error:
        raise TableError(str(error)) from None
    first.reach()
    return make(program, effects, seats, chosen, first.most_options)


def _check_arguments(program: object, seats: object, options: object) -> None:
    """Raise TypeError for wrong arguments: callers may not use a type checker."""
    if program is None:
        raise TypeError("the pack has errors (see `Loaded.findings`), so there is no program")
    if not isinstance(program, p.Program):
        raise TypeError(f"expected a Program (`Loaded.program`), found {type(program).__name__}")
    if not isinstance(seats, int) or isinstance(seats, bool):
        raise TypeError(f"`seats` must be a whole number, not {type(seats).__name__}")
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"`options` must map names to values, both strings; found {type(options).__name__}")
    for key, word in (options or {}).items():
        if not isinstance(key, str) or not isinstance(word, str):
            raise TypeError(f"option {key!r:.80}: names and values must be strings; found {word!r:.80}")


def _some(program: p.Program, option: p.DeclaredOption, words: str) -> int:
    """Return the named definitions as a bit mask."""
    numbers = {d.key: number for number, d in enumerate(program.definitions) if d.kind == option.of}
    names = names_of(words)
    wrong = wrong_names(option, names, numbers)
    if wrong is not None:
        raise TableError(f"option `{option.key}`: {wrong[0]}; {wrong[1]}")
    return sum(1 << numbers[name] for name in names)


def _option(option: p.DeclaredOption, word: str) -> int:
    if option.members:
        if word in option.members:
            return option.members.index(word)
        raise TableError(f"option `{option.key}`: expected {listed(option.members, 'or')}, found `{word}`")
    number = whole(word)
    if number is not None and option.low <= number <= option.high:
        return number
    numbers = f"a number from {option.low} to {option.high}"
    raise TableError(f"option `{option.key}`: expected {numbers}, found `{word}`")


class Lowering:
    """One run of `lower`, with room for a given number of options per decision."""

    def __init__(
        self, program: p.Program, effects: Effects, seats: int, options: dict[str, int], room: int
    ) -> None:
        self.program = program
        self.options = options
        self.layout = StateLayout(program, seats, options)
        self.effects = effects
        self.units = self.effects.units
        self.copies = InlineDecisions(self.units)
        self.functions: dict[str, int] = {}
        self.function_code: list[t.Function | None] = []
        self.procedures: dict[str, int] = {}
        self.procedure_code: list[UnitCode | None] = []
        self.entries: list[int] = []
        self.drafts: list[Draft | None] = []
        self.sites: list[t.Site] = []
        self.by_definition: dict[str, tuple[int, Calls]] = {}
        """By expression: the table of its constant values, and the functions of other definitions."""
        self.most_options = 1
        self.decision = t.D_OPTIONS + 2 * (room + 1)
        self.layout.places = t.HEAD + seats * self.decision
        self.layout.place(self.layout.places + len(self.layout.cards))
        self.sealed_lists: list[t.ListInfo] = []
        self.hidden_reads = HiddenReads(program, effects)

    def run(self) -> t.TableProgram:
        """Lower the program, and build the table program."""
        self.reach()
        segments, procedures = self._finished()
        layout = self.layout
        stack = layout.next
        cells = stack + stack_cells(self.drafts, layout.tables, procedures, self._beginnings())
        if cells > MOST_CELLS:
            message = f"the table would hold {cells:,} numbers with those of decisions and running rules"
            raise TableError(f"{message}; the limit is {MOST_CELLS:,}")
        table = t.TableProgram(
            pack=self.program.pack,
            version=self.program.version,
            semantics=SEMANTICS,
            seats=layout.seats,
            options=self._named_options(),
            layout=t.Layout(cells, self.decision, self.most_options, layout.places, stack),
            cards=tuple(layout.cards),
            zones=tuple(layout.zones),
            tracks=tuple(info for _, info in layout.tracks.values()),
            state_lists=(*layout.state_lists.values(), *self.sealed_lists),
            enumerations=tuple(t.Enumeration(e.key, e.members) for e in self.program.enumerations),
            definitions=self._definitions(),
            tables=tuple(layout.tables),
            lists=tuple(layout.lists),
            functions=tuple(f for f in self.function_code if f is not None),
            procedures=procedures,
            segments=segments,
            sites=tuple(self.sites),
            sources=self.program.sources,
            start=self._start(),
            entry=self.procedures["main"],
            next_game=self._next_game(),
            origin=self.program.origin,
        )
        return evolve(table, bots=lower_bots(self))

    def _beginnings(self) -> tuple[int, ...]:
        """Return the procedures with which a game can begin."""
        keys = ("main", self.program.series.game) if self.program.series is not None else ("main",)
        return tuple(dict.fromkeys(self.procedures[key] for key in keys if key in self.procedures))

    def game(self) -> Work[int]:
        """Return the procedure that plays one game of the series; lower it on first use."""
        assert self.program.series is not None, "only a series has a next game"
        return self.procedure(self.program.series.game)

    def _next_game(self) -> t.NextGame | None:
        series, layout = self.program.series, self.layout
        if series is None or series.game not in self.procedures:
            return None
        tracks = (layout.tracks[track.key][1] for track in self.program.tracks if track.lasts == p.SERIES)
        lists = (layout.state_lists[one.key] for one in self.program.lists if one.lasts == p.SERIES)
        kept = [part for track in tracks for part in cells_of_track(track)]
        kept += [(one.address, one.count * (one.capacity + 1)) for one in lists]
        starts = tuple(info.start for _, info in layout.tracks.values())
        return t.NextGame(self.procedures[series.game], self._start(), starts, tuple(sorted(kept)))

    def reach(self) -> None:
        """Lower everything that the game can reach."""
        worked(self.procedure("main"))

    def _named_options(self) -> tuple[tuple[str, str], ...]:
        named = []
        for option in self.program.options:
            value = self.options[option.key]
            if option.some:
                names = [d.key for number, d in enumerate(self.program.definitions) if value >> number & 1]
                named.append((option.key, ", ".join(names) or "none"))
            else:
                named.append((option.key, option.members[value] if option.members else str(value)))
        return tuple(named)

    def _definitions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        everything = ("definition", tuple(d.key for d in self.program.definitions))
        kinds = (
            (kind.key, tuple(d.key for d in self.program.definitions if d.kind == kind.key))
            for kind in self.program.kinds
        )
        return (everything, *kinds)

    def _start(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        places: dict[int, list[int]] = {}
        for card, supply in enumerate(self.layout.card_supplies):
            definition = self.layout.card_definitions[card]
            zone = self.layout.supplied(supply.starts, supply.starts_index, supply.starts_by, definition, card)
            places.setdefault(zone, []).append(card)
        return tuple((zone, tuple(cards)) for zone, cards in sorted(places.items()))

    def suspends(self, statement: t.Stmt) -> bool:
        return self.effects.suspends(statement)

    def left(self, code: tuple[t.Stmt, ...]) -> frozenset[int]:
        return self.effects.left(code)

    def unit_suspends(self, key: str) -> bool:
        return key in self.effects.suspending

    def stays(self, code: tuple[t.Stmt, ...]) -> bool:
        """Whether no player can be eliminated by this code."""
        return not any(self.effects.eliminates(statement) for statement in code)

    # -------------------------------------------------------------- units on demand

    def function(self, key: str) -> int:
        """Return the number of a unit as a function; lower it on first use."""
        number = self.functions.get(key)
        if number is not None:
            return number
        number = self.functions[key] = len(self.function_code)
        self.function_code.append(None)
        unit = self.units[key]
        code = UnitCode(self, unit, None)
        body = code.plain(unit.body)
        self.function_code[number] = t.Function(key, unit.parameters, self._slots(code, None), body, unit.at)
        return number

    def made_function(self, key: str, like: int, value: Callable[[], t.Expr]) -> int:
        """Return the number of a function without a unit, which gives `value` and takes what `like` takes."""
        number = self.functions.get(key)
        if number is not None:
            return number
        model = self.function_code[like]
        assert model is not None, "only a function in a circle is not lowered yet, and there are none"
        number = self.functions[key] = len(self.function_code)
        slots = model.slots[: model.parameters]
        self.function_code.append(t.Function(key, model.parameters, slots, (t.Give(value()),), model.at))
        return number

    def procedure(self, key: str) -> Work[int]:
        """Return the number of a unit as a procedure; lower it on first use."""
        number = self.procedures.get(key)
        if number is not None:
            return number
        number = self.procedures[key] = len(self.procedure_code)
        self.procedure_code.append(None)
        self.entries.append(self.reserve())
        unit = self.units[key]
        code = UnitCode(self, unit, number)
        tree = yield code.tree(unit.body, ready(t.Tree((), t.Return(None))))
        self.fill(self.entries[number], Draft(number, tree))
        self.procedure_code[number] = code
        return number

    def function_table(self, field: str, definition: bool) -> int:
        """Return a table from cards (or definitions) to the functions of an effect; -1 for none."""
        keys = self._performing(field, definition)
        return self.layout.table(tuple(-1 if key is None else self.function(key) for key in keys))

    def procedure_table(self, field: str, definition: bool) -> Work[int]:
        """Return such a table of procedures; see `function_table`."""
        values: list[int] = []
        for key in self._performing(field, definition):
            values.append(-1 if key is None else (yield self.procedure(key)))
        return self.layout.table(tuple(values))

    def _performing(self, field: str, definition: bool) -> list[str | None]:
        """Return, for each card (or definition), the unit of an effect, or None."""
        definitions, layout = self.program.definitions, self.layout
        units = [dict(d.effects).get(field, ()) for d in definitions]
        if definition:
            return [
                keys[0] if keys and layout.in_game(d) else None for d, keys in zip(definitions, units, strict=True)
            ]
        cards = zip(layout.card_definitions, layout.copies, strict=True)
        return [units[number][copy % len(units[number])] if units[number] else None for number, copy in cards]

    def reserve(self) -> int:
        """Reserve the number of a segment that is filled in later."""
        self.drafts.append(None)
        return len(self.drafts) - 1

    def fill(self, number: int, draft: Draft) -> None:
        self.drafts[number] = draft

    def add(self, draft: Draft) -> int:
        number = self.reserve()
        self.fill(number, draft)
        return number

    def site(
        self, prompt: p.Prompt, of: str, branches: tuple[t.OptionBranch, ...], sealed: bool, at: int, bound: int,
        shows: tuple[t.Shown, ...], private: bool = False,
    ) -> int:  # fmt: skip
        """Add a site, and return its number; `bound` is the most options that it can have."""
        self.most_options = max(self.most_options, bound)
        self.sites.append(t.Site(prompt.key, of, branches, sealed, prompt.texts, at, shows, private))
        return len(self.sites) - 1

    def asks(self, site: int, code: UnitCode, node: t.Stmt) -> None:
        """Called for each site by the code that asks there; `lower.reasons` overrides it to record them."""

    def sealed(self, key: str, of: str, bound: int) -> int:
        """Reserve cells for the answers of a simultaneous choice until each has been carried out."""
        address = self.layout.take(self.layout.seats * (bound + 1))
        info = t.ListInfo(f"{t.SEALED}{key}", address, self.layout.seats, bound, "player", of)
        self.sealed_lists.append(info)
        return address

    def zone_capacity(self, zone: t.Expr) -> int:
        """Return the capacity of a zone; for a zone that is known only during play, that of the largest."""
        if isinstance(zone, t.Const):
            return self.layout.zones[zone.value].capacity
        if isinstance(zone, t.Binary) and isinstance(zone.left, t.Const):
            return self.layout.zones[zone.left.value].capacity
        return max((info.capacity for info in self.layout.zones), default=0)

    def list_capacity(self, address: t.Expr) -> int:
        """Return the capacity of a list in the state; for an unknown list, an upper bound."""
        base = address.left if isinstance(address, t.Binary) else address
        if isinstance(base, t.Const):
            for info in (*self.layout.state_lists.values(), *self.sealed_lists):
                if info.address <= base.value < info.address + info.count * (info.capacity + 1):
                    return info.capacity
        return max(len(self.layout.cards), self.layout.seats)

    # -------------------------------------------------------------- finishing

    def _slots(self, code: UnitCode, stored: frozenset[int] | None) -> tuple[t.Slot, ...]:
        """Return the slots of a unit; only those stored across segments have a place in the frame."""
        slots: list[t.Slot] = []
        offset = 2
        for number, variable in enumerate(code.variables):
            capacity = 0
            if variable.many:
                capacity = max(1, code.bounds.get(number, self.layout.most_held(variable.type)))
            kept = stored is not None and number in stored
            cards = variable.type.name == "card"
            slots.append(t.Slot(f"v{number}", capacity, cards, offset if kept else -1))
            if kept:
                offset += capacity + 1 if capacity else 1
        return tuple(slots)

    def _finished(self) -> tuple[tuple[t.Segment, ...], tuple[t.Procedure, ...]]:
        drafts = [draft for draft in self.drafts if draft is not None]
        assert len(drafts) == len(self.drafts)
        codes = [code for code in self.procedure_code if code is not None]
        entries = {self.entries[n]: frozenset(range(code.unit.parameters)) for n, code in enumerate(codes)}
        live = live_slots(drafts, entries, self.sites)
        segments = tuple(
            t.Segment(draft.procedure, tuple(sorted(needed)), draft.tree)
            for draft, needed in zip(drafts, live, strict=True)
        )
        kept = [set(range(code.unit.parameters)) for code in codes]
        for draft, needed in zip(drafts, live, strict=True):
            kept[draft.procedure] |= needed
        procedures = []
        for number, code in enumerate(codes):
            stored = frozenset(kept[number])
            slots = self._slots(code, stored)
            size = max([2, *(s.offset + (s.capacity + 1 if s.capacity else 1) for s in slots if s.offset >= 0)])
            procedures.append(
                t.Procedure(code.unit.key, code.unit.parameters, slots, size, self.entries[number], code.unit.at)
            )
        return segments, tuple(procedures)
