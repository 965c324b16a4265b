"""`rulewright tournament`: let bots play all against all, and rate them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from shlex import quote
from typing import TYPE_CHECKING

from attrs import frozen

from rulewright.tools.common.bots import asked_for
from rulewright.tools.common.errors import CLEAN, FINDINGS, INTERRUPTED, Usage
from rulewright.tools.common.output import say, say_data
from rulewright.tools.common.progress import Progress
from rulewright.tools.common.seats import GREEDY, RANDOM, SEARCH, parse
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.packs.tables import numbers_of_players
from rulewright.tools.simulation.columns import columns_of
from rulewright.tools.simulation.execution.running import ADVICE, ExecutionPlace, check_backend, run
from rulewright.tools.tournament import Tournament, arrangements

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulewright.ruleset.program.nodes import Program
    from rulewright.tools.tournament import Report

NEEDED = ("numpy", "scipy", "choix")
"""Modules of the extra."""


@frozen
class TournamentArguments:
    """The arguments of the command. `games` is the least number of games of each pairing."""

    pack: str
    bots: str | None
    games: int
    players: int | None
    options: tuple[str, ...]
    seed: int
    backend: str
    jobs: int | None
    cluster: str | None
    form: str
    as_json: bool
    more: tuple[str, ...] = ()


def tournament(arguments: TournamentArguments) -> int:
    """Play the games and show the standings; return 1 if a rule failed in some of them, as `simulate` does."""
    _installed()
    place = ExecutionPlace(arguments.jobs, arguments.cluster)
    check_backend(arguments.backend)
    from rulewright.tools.tournament import report

    work = _work(arguments, loading.compile_pack(with_more(arguments.pack, arguments.more)).program)
    progress = Progress(work.games, quicker=None if work.slow else place.quicker(arguments.backend))
    with asked_for(ADVICE):
        played = run(work, place, progress)
    backend = played.backend or arguments.backend
    result = report(work, played.counts, _replay(arguments), backend, played.seconds, played.interrupted)
    _show(arguments, result)
    if played.failure is not None:
        raise played.failure
    if played.interrupted:
        return INTERRUPTED
    return FINDINGS if result["faults"] or result["endless"] else CLEAN


def _installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Usage(f"tournament requires the package {missing[0]}; install it with: pip install 'rulewright[lab]'")


def _work(arguments: TournamentArguments, program: Program) -> Tournament:
    """Return the games. Raises Usage where they make no sense."""
    bots = _bots(arguments.bots, program)
    text = None if arguments.players is None else str(arguments.players)
    players = numbers_of_players(text, program, max(2, program.least_players))[0]
    if players < 2:
        raise Usage("a tournament requires at least 2 players")
    table, _ = loading.table_noted(program, players, arguments.options)
    if not columns_of(table, tracks=False).winners:
        raise Usage(f"{program.pack} declares no winner, so that no bot can win more than another")
    worlds = -(-arguments.games // len(tuple(arrangements(players))))
    return Tournament(table, bots, worlds, arguments.seed, arguments.backend)


def _bots(given: str | None, program: Program) -> tuple[str, ...]:
    """Return the named bots; by default `random` and the bots of the pack, or `greedy` if it has none."""
    own = [bot.key for bot in program.bots]
    bots = parse(given, (RANDOM, GREEDY, SEARCH, *own)) or (RANDOM, *(own or [GREEDY]))
    if len(bots) < 2:
        raise Usage(
            f"--bots requires at least two bots, for example --bots {','.join((RANDOM, *(own or [GREEDY])))}"
        )
    twice = next((bot for number, bot in enumerate(bots) if bot in bots[:number]), None)
    if twice is not None:
        raise Usage(f"--bots names {twice} twice; name each bot once")
    return bots


def _replay(arguments: TournamentArguments) -> Callable[[Sequence[str], int], str]:
    """Return a function that gives the command to replay a game of these seats."""

    def command(seats: Sequence[str], game: int) -> str:
        options = "".join(f" --option {quote(option)}" for option in arguments.options)
        options += "".join(f" --with {quote(pack)}" for pack in arguments.more)
        start = f"rulewright play {quote(arguments.pack)} --seats {','.join(seats)}{options}"
        return f"{start} --seed {arguments.seed} --game {game}"

    return command


def _show(arguments: TournamentArguments, result: Report) -> None:
    if arguments.as_json:
        say_data(result)
        return
    if arguments.form == "markdown":
        from rulewright.tools.tournament import lines

        for line in lines(result):
            say(line)
        return
    from rulewright.tools.common import output
    from rulewright.tools.simulation.output.simulate_report import fault_parts
    from rulewright.tools.tournament import parts

    output.write(parts(result), sys.stdout)
    output.write_long(fault_parts([*result["faults"], *result["endless"]]), sys.stdout)
