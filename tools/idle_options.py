"""Options that are given for a table at which they change nothing, such as one for other numbers of players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve

from ruleset import program as p
from ruleset import table as t
from ruleset.lower import TableError, lower
from ruleset.walk import children

MOST_VALUES = 12
"""Values of an option that are tried; of a number with more, the least, the greatest and the default."""


def idle_options(program: p.Program, table: t.TableProgram, given: Mapping[str, str]) -> list[str]:
    """The keys of those given options for which every value makes the same table program."""
    return [key for key in given if not _direct(program, key) and _same(program, table, key, given)]


def notices(program: p.Program, table: t.TableProgram, given: Mapping[str, str]) -> list[str]:
    """A message for each of them."""
    players = "1 player" if table.seats == 1 else f"{table.seats} players"
    idle = idle_options(program, table, given)
    return [f"option {key}={given[key]} has no effect at this table with {players}" for key in idle]


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


def _values(program: p.Program, option: p.Option) -> list[str]:
    """Values to compare: all of them, if they are few."""
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


# ------------------------------------------------------------------ options that surely matter


def _direct(program: p.Program, key: str) -> bool:
    """Whether an option is read somewhere whatever the number of players and the other options are.

    Then it has an effect, and no other table has to be compiled to know that.
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
    """All code of a program, except functions, which are read where something calls them."""
    for unit in (*program.units, program.main):
        yield from unit.body
    yield from (one.when for one in program.definitions if one.when is not None)
    yield from (supply.copies for supply in program.supplies)
    yield from (track.start for track in program.tracks)


def _mixed(node: Any, key: str) -> bool:
    """Whether a value depends on something else that a table settles: the number of players, or another option."""
    rest = [node]
    while rest:
        one = rest.pop()
        if isinstance(one, p.SeatCount | p.Everyone | p.ValueOf):
            return True
        if isinstance(one, p.OptionOf | p.OptionList) and one.option != key:
            return True
        rest.extend(children(one))
    return False
