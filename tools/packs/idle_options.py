"""Find options without an effect at a table, such as one for other numbers of players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import children
from rulewright.ruleset.table import nodes as t
from rulewright.tools.common.output import many
from rulewright.tools.packs.tables import TableCase

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


def notices_of_cases(program: p.Program, cases: Sequence[TableCase], given: Mapping[str, str]) -> list[str]:
    """Return a message for each given option without an effect at any table with some number of players.

    `given` are the options that are the same at all tables. Tables whose options exclude each other are ignored.
    """
    by_players: dict[int, list[TableCase]] = defaultdict(list)
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


def _same_at_all(program: p.Program, tables: Sequence[TableCase], key: str) -> bool:
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
    others = [value for value in _values(program, option) if value != here[key]]
    plain = evolve(table, options=())
    for value in others:
        try:
            other = lower(program, table.seats, {**given, key: value})
        except TableError:
            return False
        if evolve(other, options=()) != plain:
            return False
    return bool(others)


def _values(program: p.Program, option: p.DeclaredOption) -> list[str]:
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
