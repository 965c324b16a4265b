"""A table program in which the numbers of a bot are data: other numbers need no new code.

The numbers become parameters of the bot's functions, and their values constants of its answers and scores. So a
library that was compiled once plays every candidate. To find the numbers in the checked program, the pack is
compiled with marks in their places: numbers that nothing else in the bot has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import rebuild, substitute
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import BotInfo, Score, TableProgram

MARK = 1_000_000_007
"""The first mark."""
_AROUND = (t.Binary, t.Checked, t.Least, t.Most, t.IfElse, t.Give)
"""What may be around a number that can change. An index, or how many cards of a pile are looked at, cannot."""

Places = dict[str, tuple[int, ...]]
"""For units with numbers, the places of these among all numbers of the bot, in the order of the parameters."""


@frozen
class OpenBot:
    """A table with a bot whose numbers are constants.

    `uses` has the places of a function's constants in the list of all numbers; `free` are the places of all numbers
    that any function uses.
    """

    program: TableProgram
    bot: str
    uses: dict[int, tuple[int, ...]]
    original: tuple[int, ...]

    @property
    def free(self) -> tuple[int, ...]:
        return tuple(sorted({place for places in self.uses.values() for place in places}))

    def with_values(self, key: str, values: Sequence[int]) -> BotInfo:
        """Return the bot under another key, with other values of all numbers."""
        assert self.program.bots is not None
        info = next(one for one in self.program.bots.bots if one.key == self.bot)
        return _given(info, key, self.uses, values)


def opened(marked: p.Program, bot: str, values: Sequence[int]) -> tuple[p.Program, Places]:
    """Return a program, in which number n of a bot is `MARK + n`, with variables for the numbers of the bot.

    The variables come right after the parameters of a unit, and are to become parameters. Numbers that cannot
    change get their `values` back.
    """
    units, places = list[p.Unit](), dict[str, tuple[int, ...]]()
    for unit in marked.units:
        if unit.key.startswith(f"bot/{bot}/"):
            unit, found = _opened(unit, values)
            if found:
                places[unit.key] = found
        units.append(unit)
    return evolve(marked, units=tuple(units)), places


def with_constants(table: TableProgram, bot: str, values: Sequence[int], places: Places) -> OpenBot:
    """Return the table of an opened program, with the variables of numbers as parameters."""
    bots, first = table.bots, len(table.functions)
    assert bots is not None
    uses = {first + n: places[one.name] for n, one in enumerate(bots.functions) if one.name in places}
    functions = tuple(
        evolve(one, parameters=one.parameters + len(places.get(one.name, ()))) for one in bots.functions
    )
    infos = tuple(_given(info, info.key, uses, values) if info.key == bot else info for info in bots.bots)
    made = evolve(table, bots=evolve(bots, bots=infos, functions=functions))
    return OpenBot(made, bot, uses, tuple(values))


def _opened(unit: p.Unit, values: Sequence[int]) -> tuple[p.Unit, tuple[int, ...]]:
    """Return a unit with variables for its numbers, and the places of these among all numbers."""
    marks = range(MARK, MARK + len(values))
    found: dict[int, int] = {}

    def variables(node: Any, around: bool) -> Any:
        if isinstance(node, t.Const) and node.value in marks:
            place = node.value - MARK
            if not around:
                return t.Const(values[place])
            return p.Var(found.setdefault(place, len(unit.variables) + len(found)))
        inside = isinstance(node, _AROUND)
        return rebuild(node, lambda child: variables(child, inside))

    body = tuple(variables(statement, False) for statement in unit.body)
    kept, count = unit.parameters, len(found)
    moved = {number: number + count for number in range(kept, len(unit.variables))}
    moved |= {variable: kept + number for number, variable in enumerate(found.values())}
    numbers = tuple(p.Variable(f"number-{number}", NUMBER, False) for number in range(count))
    return evolve(
        unit,
        variables=(*unit.variables[:kept], *numbers, *unit.variables[kept:]),
        body=tuple(substitute(statement, {}, moved) for statement in body),
    ), tuple(found)


def _given(info: BotInfo, key: str, uses: dict[int, tuple[int, ...]], values: Sequence[int]) -> BotInfo:
    """Return a bot under a key, with these values of its numbers."""

    def constants(function: int) -> tuple[int, ...]:
        return tuple(values[place] for place in uses.get(function, ()))

    answers = tuple(evolve(one, constants=constants(one.condition)) for one in info.answers)
    rankings = tuple(
        evolve(one, constants=constants(one.function)) if isinstance(one, Score) else one for one in info.rankings
    )
    return BotInfo(key, answers, rankings)
