"""Policies of bots as int32 cells, in the form that `policies.players` and native code read."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.ruleset.table.nodes import BotInfo, Ranking, Score, TableProgram

Seated = Sequence[str]
"""For each seat the key of its bot; empty for a random one. Without any keys, all seats are random."""

OTHERWISE = ("", "any", "none", "avoid")
"""What happens if no option has a rank: see `table.BotAnswer`."""
ANSWER = 5
"""The number of cells of an answer."""
SCORED = 2
"""Marks a score among the rankings; it replaces whether the part is a card."""
SPARSE = -1
"""Marks a ranking that is stored as pairs; it replaces the number of parts, and the number of pairs follows."""
DENSEST = 4
"""A ranking is stored as a table if the average distance of its cases is smaller than this."""


class BotError(ValueError):
    """An unknown bot, or an invalid bot. The message is the reason."""


def bot_keys(program: TableProgram) -> tuple[str, ...]:
    """Return the keys of the bots of a table's pack."""
    return tuple(bot.key for bot in program.bots.bots) if program.bots is not None else ()


def policies(program: TableProgram, seated: Seated) -> tuple[array[int] | None, ...]:
    """Return the policy of each seat; None for those that answer at random. Raises BotError.

    A policy is int32 cells, for Python and for C. It begins with a cell for each site: the address of its answers,
    or 0 without any. There are the number of answers and, for each, `ANSWER` cells: its condition (a function, or
    -1), the address of its ranking, an index of OTHERWISE, which applies if nothing has a rank (of `avoid`: if
    something has), its chance, and the address of the condition's constants; their number is in the cell before
    them. A ranking is: whether the part is a card; the radix; the lowest part of its table; the size of the table;
    the successor for other parts; and a successor for each part. A sparse ranking has, after the radix: 0, SPARSE,
    the successor for other parts, the number of pairs, and pairs of a part and its successor. A successor is the
    address of another ranking, or a number below 0 as in `table.Ranking`. A score is: SCORED, its function, the
    number of parts, the number of constants, for each part whether it is a card, and its radix, and the constants.
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


def _cells(program: TableProgram, bot: BotInfo) -> array[int]:
    """Return the cells of a bot's policy. Raises BotError if its numbers refer to nothing."""
    assert program.bots is not None
    functions = len(program.functions) + len(program.bots.functions)
    sites = len(program.sites)
    for answer in bot.answers:
        fits = 0 <= answer.site < sites and 0 <= answer.ranking < len(bot.rankings)
        if not fits or not -1 <= answer.condition < functions or answer.chance < 1:
            raise BotError(f"the bot {bot.key!r} answers with what is not there")
    for number, ranking in enumerate(bot.rankings):
        if isinstance(ranking, Score):
            if not 0 <= ranking.function < functions or any(radix < 0 for _, radix in ranking.parts):
                raise BotError(f"the bot {bot.key!r} scores by what is not there")
            continue
        following = (ranking.otherwise, *(after for _, after in ranking.cases))
        if any(after >= 0 and not number < after < len(bot.rankings) for after in following) or ranking.radix < 0:
            raise BotError(f"the bot {bot.key!r} ranks by what is not there")
    cells = [0] * sites
    behind: list[tuple[int, int]] = []
    conditions: list[tuple[int, tuple[int, ...]]] = []
    for site in range(sites):
        answers = [answer for answer in bot.answers if answer.site == site]
        if answers:
            cells[site] = len(cells)
            cells.append(len(answers))
            for answer in answers:
                behind.append((len(cells) + 1, answer.ranking))
                conditions.append((len(cells) + 4, answer.constants))
                cells += (answer.condition, answer.ranking, OTHERWISE.index(answer.otherwise), answer.chance, 0)
    places: list[int] = []
    for ranking in bot.rankings:
        places.append(len(cells))
        if isinstance(ranking, Score):
            cells += (SCORED, ranking.function, len(ranking.parts), len(ranking.constants))
            cells += (cell for part in ranking.parts for cell in part)
            cells += ranking.constants
        else:
            _add(cells, behind, ranking)
    for address, number in behind:
        cells[address] = places[number]
    for address, constants in conditions:
        cells += (len(constants), *constants)
        cells[address] = len(cells) - len(constants)
    try:
        return array("i", cells)
    except OverflowError:
        raise BotError(f"the bot {bot.key!r} has numbers that are too large") from None


def _add(cells: list[int], behind: list[tuple[int, int]], ranking: Ranking) -> None:
    """Append a ranking, and record in `behind` the cells that refer to other rankings."""
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
