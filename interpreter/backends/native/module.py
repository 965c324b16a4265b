"""Assemble the C module of a table program."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from attrs import frozen

from rulewright.interpreter.analysis import nodes
from rulewright.interpreter.analysis.metering import for_text
from rulewright.interpreter.analysis.nodes import with_conditions
from rulewright.interpreter.analysis.playing_form import reduced
from rulewright.interpreter.backends.native.codegen.counting import (
    counting_functions,
    counting_numbers,
    counting_tables,
)
from rulewright.interpreter.backends.native.codegen.procedures import ProcedureText
from rulewright.interpreter.backends.native.codegen.writer import table
from rulewright.interpreter.backends.native.library import BuildError, load
from rulewright.interpreter.backends.native.toolchain import (
    Compiler,
    NoCompiler,
    find_compiler,
    find_quick_compiler,
)
from rulewright.interpreter.counting import Counted
from rulewright.interpreter.state.backend import TableBackend
from rulewright.interpreter.state.events import RawEvent, cards_seen, top_seen
from rulewright.interpreter.state.frames import fresh_state, next_game
from rulewright.interpreter.state.memo import once
from rulewright.interpreter.state.rule_errors import CODES, RuleError
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER, MOST_ANSWERS
from rulewright.ruleset.table.nodes import FRAME, FUEL, HEAD, OPEN, SEGMENT, STATUS, Bots, Score, TableProgram

VERSION = 1
"""Version of a library's interface. It is part of the text, and so of the key in the cache."""

MOST_STACK = 3 * 2**18
"""Maximum bytes of C's own stack that a game may take; threads have at least 1 MiB on all usual systems."""

SPARSE = 40
"""Lists with more room than this are copied as far as they are filled; shorter ones as part of a range."""


@frozen
class CSource:
    """A C module. `codes` are its rule errors, numbered from 1 on."""

    text: str
    codes: tuple[str, ...]


def generate_stepping(program: TableProgram, counted: Counted | None = None) -> CSource:
    """Generate the module that runs states from decision to decision, as the walker does. Raises BuildError."""
    return _module(for_text(with_conditions(program)), program.bots, counted)


def generate_playing(program: TableProgram, counted: Counted | None = None) -> CSource:
    """Generate the module that plays whole games. Raises BuildError.

    With `counted`, whose program it is, it counts decisions, and adds up what was counted.
    """
    return _module(reduced(program), program.bots, counted, PLAYING=1)


def generate_playing_on(program: TableProgram) -> CSource:
    """Generate the module that plays whole games, and plays on in any state. Raises BuildError."""
    return _module(reduced(program), program.bots)


@once
def playing_source(program: TableProgram) -> CSource:
    """Do the same as `generate_playing`, but remember the result, since players and caches both need it."""
    return generate_playing(program)


@once
def counting_source(counted: Counted) -> CSource:
    """Generate the module that plays whole games and counts, and remember it. Raises BuildError."""
    return generate_playing(counted.program, counted)


def _module(program: TableProgram, bots: Bots | None, counted: Counted | None = None, **more: int) -> CSource:
    text = ProcedureText(program)
    for number in range(len(program.functions)):
        text.function(number)
    declarations = [text.head(number) + ";" for number in range(len(program.functions))]
    declarations += text.code()
    if text.stack_bytes() > MOST_STACK:
        raise BuildError(
            f"the longest decisions and lists of this table take {text.stack_bytes() // 1024} KiB of the stack, "
            f"and native code may take {MOST_STACK // 1024}; fewer options make them shorter"
        )
    more |= {"BOTS": int(bots is not None), "SERIES": int(program.next_game is not None)}
    more["COUNTING"] = int(counted is not None)
    if counted is not None:
        more |= counting_numbers(counted)
    lines = [
        *_numbers(program, more, counted),
        *_tables(program, counted),
        _text("runtime.c"),
        _text("zones.c"),
        _text("choices.c"),
        *(_series(program) if program.next_game is not None else ()),
        *(table(name, values, "int") for values, name in text.arrays.items()),
        *(_addresses(program, number) for number in sorted(text.zone_tables)),
        *(_members(program, *key, name) for key, name in text.members.items()),
        *declarations,
        "#undef S",
        *text.lines,
        "#define S (G->cells)",
        *(_bots(program, bots) if bots is not None else ()),
        *(_counting(program, counted) if counted is not None else ()),
        _text("games.c"),
    ]
    return CSource("\n".join(lines) + "\n", tuple(text.codes))


def _bots(program: TableProgram, bots: Bots) -> list[str]:
    """Return the tables and functions that `bots.c` needs, and that text."""
    answers = (one for bot in bots.bots for one in bot.answers if one.condition >= 0)
    arity = {answer.condition: len(answer.constants) for answer in answers}
    scores = (one for bot in bots.bots for one in bot.rankings if isinstance(one, Score))
    arity |= {score.function: len(score.parts) + len(score.constants) for score in scores}
    return [
        f"#define RW_PARTS {max([1, *arity.values()])}",
        table("rw_all_seen", [cards_seen(zone) for zone in program.zones]),
        table("rw_top_seen", [top_seen(zone) for zone in program.zones]),
        "static int rw_bot_function(rw_game *G, int function, int seat, const int *parts) {",
        "  switch (function) {",
        *(
            f"  case {number}: return rw_f{number}(G, seat{''.join(f', parts[{part}]' for part in range(count))});"
            for number, count in sorted(arity.items())
        ),
        "  }",
        "  (void)G; (void)seat; (void)parts;",
        "  return 0;",
        "}",
        _text("bots.c"),
    ]


def _counting(program: TableProgram, counted: Counted) -> list[str]:
    """Return the tables and functions that `counting.c` needs, and that text."""
    cards = range(len(program.cards))
    return [*counting_tables(counted, cards), *counting_functions(counted, cards), _text("counting.c")]


def _series(program: TableProgram) -> list[str]:
    """Return what `series.c` needs to begin the next game of a series, and that text."""
    fresh, ranges = next_game(program)
    return [
        f"#define RW_AGAIN {len(ranges)}",
        table("rw_next", fresh, "int"),
        _pairs("rw_again", [(start, end - start) for start, end in ranges]),
        _text("series.c"),
    ]


def _pairs(name: str, pairs: Sequence[tuple[int, int]]) -> str:
    members = ", ".join(f"{{{first}, {second}}}" for first, second in pairs)
    return f"static const int {name}[][2] = {{{members}}};"


@cache
def _text(name: str) -> str:
    return (files("rulewright.interpreter.backends.native") / "c" / name).read_text(encoding="utf-8")


def _numbers(program: TableProgram, more: Mapping[str, int], counted: Counted | None) -> list[str]:
    """Return the constants of `runtime.c`."""
    layout, bags = program.layout, sum(zone.order == "bag" for zone in program.zones)
    faces = max((card.face for card in program.cards), default=0) + 1
    ranges, lists = _extents(program, counted)
    values = {
        "CELLS": layout.cells,
        "CARDS": len(program.cards),
        "ZONES": len(program.zones),
        "FACES": faces,
        "KEYS": len(program.cards) + layout.options + bags * faces + 2,
        "MOST": max(len(program.cards), layout.options) + 1,
        "PLACES": layout.places,
        "SEATS": program.seats,
        "HEAD": HEAD,
        "DECISION": layout.decision,
        "OPTIONS": layout.options,
        "STACK": layout.stack,
        "STATUS": STATUS,
        "SEGMENT": SEGMENT,
        "FRAME": FRAME,
        "OPEN": OPEN,
        "FUEL_CELL": FUEL,
        "FUEL": FUEL_PER_ANSWER,
        "FULL": CODES.index("full") + 1,
        "NO_FUEL": CODES.index("fuel") + 1,
        "WORK": nodes.WORK,
        "ENDLESS": CODES.index("endless") + 1,
        "MOST_ANSWERS": MOST_ANSWERS,
        "PLAIN": len(ranges),
        "LISTS": len(lists),
        "VERSION": VERSION,
        **more,
    }
    return [
        *(f"#define RW_{name} {value}" for name, value in values.items()),
        "#if defined(_WIN32)",
        "#define RW_PUBLIC __declspec(dllexport)",
        "#else",
        '#define RW_PUBLIC __attribute__((visibility("default")))',
        "#endif",
    ]


def _tables(program: TableProgram, counted: Counted | None) -> list[str]:
    """Return the program's tables and lists, and the tables of zones, cards and sites that `runtime.c` reads."""
    zones, count = program.zones, 0
    bags = []
    for zone in zones:
        count += zone.order == "bag"
        bags.append(count if zone.order == "bag" else 0)
    lines = [
        table("rw_address", [zone.address for zone in zones]),
        table("rw_capacity", [zone.capacity for zone in zones]),
        "/* From 1 on, a bag's number; 0 for what is ordered. */",
        table("rw_bag", bags),
        table("rw_from", [zone.refill for zone in zones]),
        table("rw_eager", [int(zone.eager) for zone in zones]),
        table("rw_face", [card.face for card in program.cards]),
        table("rw_of_cards", [int(site.of == "card") for site in program.sites]),
        table("rw_asks_at", [site.at for site in program.sites], "int"),
        table("rw_size", [procedure.size for procedure in program.procedures]),
        table("rw_fresh", [*fresh_state(program, 0), *[0] * 8], "int"),
    ]
    lines += [table(f"rw_T{number}", values) for number, values in enumerate(program.tables)]
    for number, lists in enumerate(program.lists):
        offsets = [sum(map(len, lists[:place])) for place in range(len(lists) + 1)]
        lines.append(table(f"rw_O{number}", offsets))
        lines.append(table(f"rw_L{number}", [value for members in lists for value in members], "int"))
    ranges, sparse = _extents(program, counted)
    lines.append("/* What a copy of a game copies: so many cells from an address; lists. */")
    lines.append(_pairs("rw_plain", [(start, end - start) for start, end in ranges]))
    lines.append(table("rw_lists", sparse, "int"))
    return lines


def _extents(program: TableProgram, counted: Counted | None) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the ranges of cells that are copied whole, and the addresses of lists copied as far as filled.

    The cells that count uses are not copied at all.
    """
    layout = program.layout
    lists = [(zone.address, zone.capacity) for zone in program.zones]
    left_out = {}
    if counted is not None and counted.uses_at < counted.end:
        left_out[counted.uses_at] = counted.end - counted.uses_at - 1
    for info in program.state_lists:
        lists += [(info.address + number * (info.capacity + 1), info.capacity) for number in range(info.count)]
    for seat in range(program.seats):
        options = HEAD + seat * layout.decision + 4
        lists += [(options, layout.options), (options + layout.options + 1, layout.options)]
    sparse = sorted({(address, room) for address, room in lists if room > SPARSE} | {*left_out.items()})
    ranges, start = [], 0
    for address, room in [*sparse, (layout.cells, 0)]:
        if address > start:
            ranges.append((start, address))
        start = address + room + 1
    return ranges, [address for address, _ in sparse if address not in left_out]


def _addresses(program: TableProgram, number: int) -> str:
    """Write a table of zones' addresses. Entries that are not zones get 0: a wrong read stays inside the state."""
    zones = program.zones
    return table(f"rw_A{number}", [zones[one].address if one >= 0 else 0 for one in program.tables[number]])


def _members(program: TableProgram, number: int, value: int, name: str) -> str:
    return table(name, [int(value in members) for members in program.lists[number]])


# ---- The native backend: C generated for a table program, compiled, and loaded by ctypes
#
# `NativeBackend` runs a state where it is: the library gets the address of its cells.

class NoNativeError(Exception):
    """Native code cannot be made here; the message is the reason."""


def compiler() -> Compiler:
    """Return the compiler of this machine, which optimises. Raises NoNativeError."""
    return _found(find_compiler())


def quick_compiler() -> Compiler:
    """Return the compiler that takes the least time. Raises NoNativeError."""
    return _found(find_quick_compiler())


def _found(found: Compiler | NoCompiler) -> Compiler:
    if isinstance(found, NoCompiler):
        raise NoNativeError(found.reason)
    return found


class NativeBackend(TableBackend):
    """A backend of native code. Raises NoNativeError or `library.BuildError` if it cannot be made.

    Tests pass another compiler or another source text.
    """

    name = "native"

    def __init__(self, program: TableProgram, source: CSource | None = None, by: Compiler | None = None) -> None:
        super().__init__(program)
        self.source = source or generate_stepping(program)
        self.library = load(self.source.text, by or quick_compiler())
        self.game = ctypes.create_string_buffer(self.library.rw_size_of_game())
        self._run, self._at = self.library.rw_run, ctypes.addressof(self.game)
        self._run.argtypes = ctypes.c_void_p, ctypes.c_void_p

    def run(self, state: array[int], events: list[RawEvent] | None = None) -> None:
        """See `Backend.run`. It does not narrate."""
        if events is not None:
            raise ValueError("native code does not narrate")
        fault = self._run(self._at, state.buffer_info()[0])
        if fault:
            raise RuleError(self.source.codes[fault - 1], self.library.rw_fault_at(self.game))
