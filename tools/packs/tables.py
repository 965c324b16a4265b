"""Tables of a pack: each number of players with each combination of options, or a sample of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random

from attrs import frozen

from rulewright.ruleset.common.nearest import players_between
from rulewright.ruleset.program.nodes import DeclaredOption, Program
from rulewright.tools.common.errors import Usage

MOST = 400
"""Default limit of tables that are played: each has to be compiled."""
FEW = 8
"""A number option with at most this many values is tried with all of them; else with least, default, and most."""


@frozen
class TableCase:
    """A table with its number of players and options, and the range of games played there."""

    players: int
    options: tuple[str, ...]
    first: int
    end: int


@frozen
class Cases:
    """The cases to play, in order, and the number of possible ones."""

    played: tuple[TableCase, ...]
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
            TableCase(int(number), (*options, *chosen), first, end)
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


def _values(option: DeclaredOption) -> list[str]:
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
