"""Tables of a pack: each number of players with each combination of options, or a sample of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.common.nearest import players_between
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.nodes import Option, Program
from rulewright.ruleset.program.traversal import children
from rulewright.ruleset.table import nodes as t
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.output import many

MOST = 400
"""Default limit of tables that are played: each has to be compiled."""
FEW = 8
"""A number option with at most this many values is tried with all of them; else with least, default, and most."""


@frozen
class Case:
    """A table with its number of players and options, and the range of games played there."""

    players: int
    options: tuple[str, ...]
    first: int
    end: int


@frozen
class Cases:
    """The cases to play, in order, and the number of possible ones."""

    played: tuple[Case, ...]
    possible: int


def cases(
    program: Program,
    players: Sequence[int],
    options: Sequence[str],
    every_option: bool,
    games: int,
    seed: int,
    most: int = MOST,
) -> Cases:
    """Share games out evenly among tables; each gets the next numbers of games.

    `options` (`key=value`) hold at all tables; with `every_option`, all others vary. If there are more tables than
    `most` or than games, a sample is drawn at random, from the seed.
    """
    fixed = {option.partition("=")[0] for option in options}
    free = [option for option in program.options if option.key not in fixed] if every_option else []
    axes: list[list[str]] = [[str(number) for number in players]]
    axes += [[f"{option.key}={value}" for value in _values(option)] for option in free]
    possible, wanted = prod(map(len, axes)), min(games, most)
    tables = list(product(*axes)) if possible <= wanted else _drawn(axes, wanted, Random(seed))
    ends = [games * (place + 1) // len(tables) for place in range(len(tables))]
    return Cases(
        tuple(
            Case(int(number), (*options, *chosen), first, end)
            for (number, *chosen), first, end in zip(tables, (0, *ends), ends, strict=False)
        ),
        possible,
    )


def _drawn(axes: Sequence[Sequence[str]], count: int, chance: Random) -> list[tuple[str, ...]]:
    """Draw `count` combinations in which each value of an axis occurs equally often, give or take one."""
    columns = []
    for axis in axes:
        column = [axis[place % len(axis)] for place in range(count)]
        chance.shuffle(column)
        columns.append(column)
    return sorted(zip(*columns, strict=True))


def _values(option: Option) -> list[str]:
    if option.some:
        return ["none"]
    if option.members:
        return list(option.members)
    numbers = range(option.low, option.high + 1)
    few = numbers if len(numbers) <= FEW else sorted({option.low, option.default, option.high})
    return [str(value) for value in few]


def numbers_of_players(text: str | None, program: Program, seats: int) -> tuple[int, ...]:
    """Parse `3`, `2-5`, or `2,4` as numbers of players; None means the number of seats, or else the fewest."""
    found: list[int] = []
    for part in (str(seats or program.least_players) if text is None else text).split(","):
        low, dash, high = part.strip().partition("-")
        words = (low, high) if dash else (low,)
        if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
            raise Usage(f"--players takes a number (3), a range (2-5), or a list (2,4), not {text!r}")
        found += range(int(low), int(high if dash else low) + 1)
    if not found:
        raise Usage(f"--players {text} is an empty range")
    for number in found:
        if not program.least_players <= number <= program.most_players:
            allowed = players_between(program.least_players, program.most_players)
            raise Usage(f"{program.pack} is for {allowed}, not {number}")
    return tuple(dict.fromkeys(found))


# ---- Find options without an effect at a table, such as one for other numbers of players

MOST_VALUES = 12
"""Limit of values of an option that are tried; of a larger range, only the least, the greatest, and the default."""
MOST_TABLES = 16
"""Limit of compared tables with the same number of players. If there are more, no option is reported."""


def idle_options(program: p.Program, table: t.TableProgram, given: Mapping[str, str]) -> list[str]:
    """Return the keys of given options for which every value makes the same table program."""
    return [key for key in given if not _direct(program, key) and _same(program, table, key, given)]


def notices(program: p.Program, table: t.TableProgram, given: Mapping[str, str]) -> list[str]:
    """Return a message for each idle option."""
    players = many(table.seats, "player")
    idle = idle_options(program, table, given)
    return [f"option {key}={given[key]} has no effect in a game of {players}" for key in idle]


def notices_of_cases(program: p.Program, cases: Sequence[Case], given: Mapping[str, str]) -> list[str]:
    """Return a message for each given option without an effect at any table with some number of players.

    `given` are the options that are the same at all tables. Tables whose options exclude each other are ignored.
    """
    by_players: dict[int, list[Case]] = defaultdict(list)
    for case in cases:
        by_players[case.players].append(case)
    found: dict[str, list[str]] = {key: [] for key in given if not _direct(program, key)}
    for players, tables in sorted(by_players.items()):
        for key, idle in found.items():
            if len(tables) <= MOST_TABLES and _same_at_all(program, tables, key):
                idle.append(str(players))
    return [
        f"option {key}={given[key]} has no effect in games of {_numbers(idle)}"
        for key, idle in found.items()
        if idle
    ]


def _numbers(idle: Sequence[str]) -> str:
    *first, last = idle
    return f"{', '.join(first)} and {last} players" if first else f"{last} player{'' if last == '1' else 's'}"


def _same_at_all(program: p.Program, tables: Sequence[Case], key: str) -> bool:
    """Whether at least one of these tables is possible, and an option changes nothing at any of them."""
    there = False
    for case in tables:
        chosen = dict(option.split("=", 1) for option in case.options)
        try:
            table = lower(program, case.players, chosen)
        except TableError:
            continue
        if not _same(program, table, key, chosen):
            return False
        there = True
    return there


def _same(program: p.Program, table: t.TableProgram, key: str, given: Mapping[str, str]) -> bool:
    option = next(one for one in program.options if one.key == key)
    here = dict(table.options)
    others = [value for value in _option_values(program, option) if value != here[key]]
    plain = evolve(table, options=())
    for value in others:
        try:
            other = lower(program, table.seats, {**given, key: value})
        except TableError:
            return False
        if evolve(other, options=()) != plain:
            return False
    return bool(others)


def _option_values(program: p.Program, option: p.Option) -> list[str]:
    """Return the values to compare: all of them, if they are few."""
    if option.some:
        of_kind = [one.key for one in program.definitions if one.kind == option.of]
        names = list(option.among) if option.among is not None else of_kind
        chosen = [", ".join(names[: option.high]), ", ".join(names[-option.high :])]
        return ["none", *(dict.fromkeys(chosen) if len(names) >= option.high else ())]
    if option.members:
        return list(option.members)
    numbers = range(option.low, option.high + 1)
    if len(numbers) > MOST_VALUES:
        return [str(number) for number in dict.fromkeys((option.low, option.high, option.default))]
    return [str(number) for number in numbers]


# ------------------------------------------------------------------ options that certainly matter

def _direct(program: p.Program, key: str) -> bool:
    """Whether an option is read regardless of the number of players and of other options.

    Then it has an effect, and no other table has to be compiled.
    """
    functions = {one.unit.key: one.unit.body for one in program.functions}
    rest = list(_roots(program))
    while rest:
        node = rest.pop()
        if isinstance(node, p.OptionOf | p.OptionList) and node.option == key:
            return True
        tested = node.condition if isinstance(node, t.If) else node
        if isinstance(tested, t.Expr | t.List) and _mixed(tested, key):
            continue
        if isinstance(node, p.Invocation | p.InvocationList):
            rest.extend(functions.pop(node.function, ()))
        rest.extend(children(node))
    return False


def _roots(program: p.Program) -> Iterator[Any]:
    """Yield all code of a program except functions, which are searched at their calls."""
    for unit in (*program.units, program.main):
        yield from unit.body
    yield from (one.when for one in program.definitions if one.when is not None)
    yield from (supply.copies for supply in program.supplies)
    yield from (track.start for track in program.tracks)


def _mixed(node: Any, key: str) -> bool:
    """Whether a value depends on something else that a table fixes: the number of players, or another option."""
    rest = [node]
    while rest:
        one = rest.pop()
        if isinstance(one, p.SeatCount | p.Everyone | p.ValueOf | p.ValueList):
            return True
        if isinstance(one, p.OptionOf | p.OptionList) and one.option != key:
            return True
        rest.extend(children(one))
    return False
