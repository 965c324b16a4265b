"""`rulewright simulate`: many games between bots, counted; two sets of rules compared; all options tried."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve, frozen

from tools import packs
from tools.batch import Batch
from tools.cases import Case, cases, numbers_of_players
from tools.failure import CLEAN, FINDINGS, INTERRUPTED, Usage
from tools.progress import Progress
from tools.seats import GREEDY, RANDOM, parse, seated
from tools.simulate_report import Report, fault_parts, heading, pace, report, table_parts
from tools.sweep import Sweep
from tools.together import with_more
from tools.usage import things
from tools.workers import Counts, Work, play_all

if TYPE_CHECKING:
    from ruleset.program import Program
    from ruleset.table import TableProgram

C = TypeVar("C", bound=Counts)
Replay = Callable[[int], str]


@frozen
class Wishes:
    """The arguments of the command."""

    pack: str
    games: int
    players: str | None
    seats: str | None
    seed: int
    backend: str
    jobs: int
    options: tuple[str, ...]
    every_option: bool
    tables: int
    versus: str | None
    versus_options: tuple[str, ...]
    usage: bool
    as_json: bool
    more: tuple[str, ...] = ()


def simulate(wishes: Wishes) -> int:
    """Plays the games and prints the result; 1 says that a rule failed in some of them."""
    wishes = evolve(wishes, pack=with_more(wishes.pack, wishes.more))
    program = packs.compile_pack(wishes.pack).program
    seats = parse(wishes.seats, (RANDOM, GREEDY))
    players = numbers_of_players(wishes.players, program, len(seats))
    if seats:
        seated(seats, max(players), (RANDOM, RANDOM))
    many = wishes.every_option or len(players) > 1
    if wishes.versus is not None or wishes.versus_options:
        if many:
            raise Usage("--versus compares two tables: give one number of --players, and no --every-option")
        return _versus(wishes, program, players[0], seats)
    return _sweep(wishes, program, players, seats) if many else _table(wishes, program, players[0], seats)


# ------------------------------------------------------------------ one table, many, two


def _table(wishes: Wishes, program: Program, players: int, seats: tuple[str, ...]) -> int:
    batch = _batch(wishes, packs.table(program, players, wishes.options), seats)
    replay = _replay(wishes, wishes.pack, lambda _: Case(players, wishes.options, 0, 0))
    with Progress(batch.games) as progress:
        tally, timing = _timed(batch, wishes.jobs, progress)
    tally.failed.sort()
    result = {**report(batch, tally, replay), **_run(wishes, timing, tally.games)}
    result["decisions_per_second"] = _rate(tally.decisions.total, timing)
    parts = [*heading(result), *table_parts(result)]
    if wishes.usage:
        from tools.usage_report import usage_report, usage_tables

        result["usage"] = usage_report(tally.usage, things(batch.program), _kinds(program))
        parts += usage_tables(result["usage"])
    return _end(wishes, result, parts, result["faults"])


def _sweep(wishes: Wishes, program: Program, players: Sequence[int], seats: tuple[str, ...]) -> int:
    from tools.sweep_report import sweep_report, sweep_tables

    packs.table(program, players[0], wishes.options)  # fails where an option is wrong
    given, every = wishes.options, wishes.every_option
    chosen = cases(program, players, given, every, wishes.games, wishes.seed, wishes.tables)
    sweep = Sweep(program, chosen, wishes.seed, wishes.backend, seats, wishes.usage)
    with Progress(sweep.games) as progress:
        swept, timing = _timed(sweep, wishes.jobs, progress)
    replay = _replay(wishes, wishes.pack, sweep.case_of)
    about = {"pack": program.pack, "version": program.version}
    result = {**about, **_run(wishes, timing, swept.games), **sweep_report(sweep, swept, replay)}
    parts = [f"{program.pack} {program.version}, seed {wishes.seed}", *pace(result), *sweep_tables(result)]
    if wishes.usage:
        from tools.usage import Usage as Used
        from tools.usage_report import usage_report, usage_tables

        used = Used()
        for tally in swept.tallies.values():
            used.merge(tally.usage)
        result["usage"] = usage_report(used, (), _kinds(program))
        parts += usage_tables(result["usage"])
    return _end(wishes, result, parts, result["faults"])


def _versus(wishes: Wishes, program: Program, players: int, seats: tuple[str, ...]) -> int:
    from tools.versus import Versus, differences
    from tools.versus_report import versus_parts, versus_report

    pack = wishes.versus or wishes.pack
    second = packs.compile_pack(pack).program if wishes.versus else program
    given = {option.partition("=")[0] for option in wishes.versus_options}
    kept = tuple(option for option in wishes.options if option.partition("=")[0] not in given)
    options = (*kept, *wishes.versus_options)
    tables = packs.table(program, players, wishes.options), packs.table(second, players, options)
    versus = Versus(*(_batch(wishes, table, seats) for table in tables))
    with Progress(versus.games) as progress:
        comparison, timing = _timed(versus, wishes.jobs, progress)
    sides: list[Report] = []
    for batch, tally, name, own in zip(
        (versus.one, versus.other), comparison.tallies, (wishes.pack, pack), (wishes.options, options), strict=True
    ):
        tally.failed.sort()
        replay = _replay(wishes, name, lambda _, own=own: Case(players, own, 0, 0))  # type: ignore[misc]
        sides.append(report(batch, tally, replay))
    compared = versus_report(comparison, differences(versus, comparison))
    result = {**_run(wishes, timing, comparison.games), "first": sides[0], "second": sides[1], **compared}
    first, other = _names(wishes, pack)
    parts = [
        *(_title(name, side) for name, side in zip((first, other), sides, strict=True)),
        *pace(result),
        *versus_parts(compared, first, other),
    ]
    return _end(wishes, result, parts, [fault for side in sides for fault in side["faults"]])


def _kinds(program: Program) -> set[str]:
    return {kind.key for kind in program.kinds}


def _batch(wishes: Wishes, table: TableProgram, seats: tuple[str, ...]) -> Batch:
    return Batch(table, wishes.games, wishes.seed, wishes.backend, seats, wishes.usage)


def _names(wishes: Wishes, pack: str) -> tuple[str, str]:
    """What the two tables are called: by what tells them apart."""
    if wishes.versus is None:
        return " ".join(wishes.options) or "as given", " ".join(wishes.versus_options)
    one, other = (name.rstrip("/").rpartition("/")[2] for name in (wishes.pack, pack))
    return (one, other) if one != other else (wishes.pack, pack)


def _title(name: str, side: Report) -> str:
    options = "".join(f", {key}={value}" for key, value in side["options"].items())
    failed = f"; {len(side['failed']):,} games failed" if side["failed"] else ""
    return f"{name}: {side['pack']} {side['version']}, {side['players']} players{options}{failed}"


# ------------------------------------------------------------------ running and ending


@frozen
class _Timing:
    seconds: float
    interrupted: bool


def _timed(work: Work[C], jobs: int, progress: Progress) -> tuple[C, _Timing]:
    began = time.perf_counter()
    counts, interrupted = play_all(work, jobs, lambda counts: progress.done(counts.games))
    return counts, _Timing(time.perf_counter() - began, interrupted)


def _run(wishes: Wishes, timing: _Timing, games: int) -> Report:
    """What is the same of all runs."""
    return {
        "seed": wishes.seed,
        "backend": wishes.backend,
        "asked": wishes.games,
        "interrupted": timing.interrupted,
        "games": games,
        "seconds": round(timing.seconds, 3),
        "games_per_second": _rate(games, timing),
    }


def _rate(count: int, timing: _Timing) -> float | None:
    return round(count / timing.seconds, 6) if timing.seconds else None


def _replay(wishes: Wishes, pack: str, case_of: Callable[[int], Case]) -> Replay:
    """Gives the command that shows a game with the same bots."""

    def command(game: int) -> str:
        case = case_of(game)
        seats = ",".join(parse(wishes.seats) or (RANDOM,) * case.players)
        options = "".join(f" --option {quote(option)}" for option in case.options)
        return f"rulewright play {quote(pack)} --seats {seats}{options} --seed {wishes.seed} --game {game}"

    return command


def _end(wishes: Wishes, result: Report, parts: Sequence[Any], faults: Sequence[Report]) -> int:
    if wishes.as_json:
        sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    else:
        from rich.console import Console

        console = Console(highlight=False, markup=False)
        for part in parts:
            console.print(part)
        for part in fault_parts(faults):
            console.print(part, soft_wrap=True)
    if result["interrupted"]:
        return INTERRUPTED
    return FINDINGS if faults else CLEAN
