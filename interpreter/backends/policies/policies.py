"""The bots of a table program as int32 cells: their policies, as `policies.ranking_player` and native code read
them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from attrs import evolve

from interpreter.state.memo import once
from ruleset.table.nodes import BotInfo, Ranking, TableProgram

Seated = Sequence[str]
"""For each seat the key of the bot that sits there; empty for a random one. All are random where there are none."""

OTHERWISE = ("", "any", "none")
"""What happens where no option has a rank: see `table.BotAnswer`."""
SPARSE = -1
"""Instead of how many parts a ranking knows from its lowest on: how many there are is told behind it, in pairs."""
DENSEST = 4
"""A ranking whose cases lie at most so far apart, on average, is stored as a table."""


class BotError(ValueError):
    """There is no such bot, or a bot of a program that came from outside is none; the message says so."""


def bot_keys(program: TableProgram) -> tuple[str, ...]:
    """The bots that a table's pack brings."""
    return tuple(bot.key for bot in program.bots.bots) if program.bots is not None else ()


@once
def with_conditions(program: TableProgram) -> TableProgram:
    """The program with what the conditions of its bots need behind what it has, and without bots."""
    bots = program.bots
    if bots is None:
        return program
    return evolve(
        program,
        tables=(*program.tables, *bots.tables),
        lists=(*program.lists, *bots.lists),
        functions=(*program.functions, *bots.functions),
        bots=None,
    )


def policies(program: TableProgram, seated: Seated) -> tuple[array[int] | None, ...]:
    """The policy of each seat; None for those that answer at random. Raises BotError.

    A policy is int32 cells, for Python and for C. First, for each site, where its answers begin; 0 without any.
    There stand their number and, for each, its condition (a function, or -1), where its ranking begins, and what
    happens where nothing has a rank, by its place in OTHERWISE. A ranking is: whether the part is a card; the
    radix; then the lowest part that it knows, how many from there on, what follows for others, and for each of
    these. Or 0, SPARSE, what follows for others, the number of pairs, and these: a part and what follows. What
    follows is where another ranking begins, or a number below 0 as in `table.Ranking`.
    """
    known = {bot.key: bot for bot in program.bots.bots} if program.bots is not None else {}
    made: dict[str, array[int]] = {}
    for key in seated:
        if key and key not in known:
            raise BotError(f"there is no bot {key!r}; the bots of {program.pack}: {', '.join(known) or 'none'}")
        if key and key not in made:
            made[key] = _cells(program, known[key])
    if seated and len(seated) != program.seats:
        raise BotError(f"the table has {program.seats} seats, not {len(seated)}")
    found = tuple(made.get(key) for key in seated)
    return found if any(policy is not None for policy in found) else ()


def check_policies(program: TableProgram) -> None:
    """Looks through the bots of a program that came from outside. Raises BotError."""
    for bot in program.bots.bots if program.bots is not None else ():
        _cells(program, bot)


def _cells(program: TableProgram, bot: BotInfo) -> array[int]:
    """The cells of a bot's policy. Raises BotError where its numbers lead nowhere."""
    assert program.bots is not None
    functions = len(program.functions) + len(program.bots.functions)
    sites = len(program.sites)
    for answer in bot.answers:
        fits = 0 <= answer.site < sites and 0 <= answer.ranking < len(bot.rankings)
        if not fits or not -1 <= answer.condition < functions:
            raise BotError(f"the bot {bot.key!r} answers with what is not there")
    for number, ranking in enumerate(bot.rankings):
        following = (ranking.otherwise, *(after for _, after in ranking.cases))
        if any(after >= 0 and not number < after < len(bot.rankings) for after in following) or ranking.radix < 0:
            raise BotError(f"the bot {bot.key!r} ranks by what is not there")
    cells = [0] * sites
    behind: list[tuple[int, int]] = []
    for site in range(sites):
        answers = [answer for answer in bot.answers if answer.site == site]
        if answers:
            cells[site] = len(cells)
            cells.append(len(answers))
            for answer in answers:
                behind.append((len(cells) + 1, answer.ranking))
                cells += (answer.condition, answer.ranking, OTHERWISE.index(answer.otherwise))
    places: list[int] = []
    for ranking in bot.rankings:
        places.append(len(cells))
        _add(cells, behind, ranking)
    for address, number in behind:
        cells[address] = places[number]
    try:
        return array("i", cells)
    except OverflowError:
        raise BotError(f"the bot {bot.key!r} has numbers that are too large") from None


def _add(cells: list[int], behind: list[tuple[int, int]], ranking: Ranking) -> None:
    """Adds a ranking; notes in `behind` which cells are numbers of other rankings."""
    cases = dict(ranking.cases)

    def put(following: int) -> None:
        if following >= 0:
            behind.append((len(cells), following))
        cells.append(following)

    cells += (ranking.cards, ranking.radix)
    low, high = min(cases, default=0), max(cases, default=-1)
    if high - low < DENSEST * len(cases):
        cells += (low, high - low + 1)
        put(ranking.otherwise)
        for part in range(low, high + 1):
            put(cases.get(part, ranking.otherwise))
        return
    cells += (0, SPARSE)
    put(ranking.otherwise)
    cells.append(len(cases))
    for part, following in sorted(cases.items()):
        cells.append(part)
        put(following)
