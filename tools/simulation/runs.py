"""Runs of `rulewright simulate`: one table, many tables, or two sets of rules compared."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from shlex import quote
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulewright.interpreter.backends.native.library import BuildError, load
from rulewright.interpreter.backends.native.library import key_of as library_key
from rulewright.interpreter.backends.native.module import playing_source
from rulewright.interpreter.backends.native.toolchain import NoCompiler, find_quick_compiler
from rulewright.interpreter.cache import cache_folder
from rulewright.interpreter.counting import with_starter
from rulewright.tools.common.bots import asked_for
from rulewright.tools.common.errors import CLEAN, FINDINGS, INTERRUPTED, Usage
from rulewright.tools.common.output import StyledText, many, warn
from rulewright.tools.common.progress import Progress
from rulewright.tools.common.seats import GREEDY, RANDOM, SEARCH, bots_of, parse, seated, words
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import PackSet
from rulewright.tools.packs.tables import TableCase, cases, numbers_of_players
from rulewright.tools.simulation import known_table
from rulewright.tools.simulation.columns import things
from rulewright.tools.simulation.execution.dispatch import handled
from rulewright.tools.simulation.execution.running import ADVICE, ExecutionPlace, FinishedRun, check_backend, run
from rulewright.tools.simulation.known_table import KnownTable, SimulateArguments
from rulewright.tools.simulation.output import rows
from rulewright.tools.simulation.output.simulate_report import (
    Report,
    heading,
    pace,
    rate,
    report,
    run_of,
    show,
    table_parts,
)
from rulewright.tools.simulation.players import Batch
from rulewright.tools.simulation.protocol import C, Reported
from rulewright.tools.simulation.statistics import ENDLESS
from rulewright.tools.simulation.sweep import Sweep

if TYPE_CHECKING:
    from rulewright.ruleset.program.nodes import Program
    from rulewright.ruleset.table.nodes import TableProgram



Replay = Callable[[int], str]


def simulate(arguments: SimulateArguments, together: PackSet, key: str) -> int:
    """Play the games and print the result; return 1 if a rule failed in some of them.

    `together` are the packs as read; `key` names the cache entry of a plain run, and is empty for other runs.
    """
    _check(arguments)
    program = _played(arguments, loading.compile_pack_set(together, arguments.pack).program)
    seats = _seats(arguments, program)
    players = numbers_of_players(arguments.players, program, len(seats))
    if seats:
        seated(seats, max(players), (RANDOM, RANDOM))
    many = arguments.every_option or len(players) > 1
    if arguments.versus is not None or arguments.versus_options:
        if many:
            given = "--versus" if arguments.versus is not None else "--versus-option"
            raise Usage(f"{given} requires a single number of --players, and excludes --every-option")
        return _versus(arguments, program, players[0], seats)
    if many:
        return _sweep(arguments, program, players, seats)
    return _table(arguments, program, key, players[0], seats)


def _played(arguments: SimulateArguments, program: Program) -> Program:
    """Return the program of single games, or that of the series."""
    return loading.in_series(program) if arguments.series else program


def _seats(arguments: SimulateArguments, program: Program) -> tuple[str, ...]:
    """Return the seats, which may name bots of the pack."""
    return parse(arguments.seats, (RANDOM, GREEDY, SEARCH, *(bot.key for bot in program.bots)))


def _check(arguments: SimulateArguments) -> None:
    """Raise Usage for requests that cannot be met, before anything is done."""
    if arguments.out is not None:
        file = rows.checked(arguments.out)
        if arguments.usage:
            from rulewright.tools.simulation.output.rows import check_definitions

            check_definitions(file)
    ExecutionPlace(arguments.jobs, arguments.cluster)  # raises Usage
    check_backend(arguments.backend)


# ------------------------------------------------------------------ one table, many, two

def _table(arguments: SimulateArguments, program: Program, key: str, players: int, seats: tuple[str, ...]) -> int:
    table, noted = loading.table_noted(program, players, arguments.options)
    batch = _batch(arguments, table, seats)
    replay = _replay(arguments, arguments.pack, lambda _: TableCase(players, arguments.options, 0, 0))
    finished = _finished(batch, arguments)
    tally = finished.counts
    result = {**report(batch.counted, seats, tally, replay), **_run(arguments, finished)}
    result["decisions_per_second"] = rate(tally.decisions.total, finished.seconds)
    _explain(batch, result)
    parts = [*heading(result), *table_parts(result)]
    if arguments.usage:
        from rulewright.tools.simulation.output.usage_report import usage_report, usage_tables

        result["usage"] = usage_report(tally.usage, things(batch.program))
        parts += [*_definitions(arguments, result, finished), *usage_tables(result["usage"])]
    code = _end(arguments, finished, result, parts, [*result["faults"], *result["endless"]])
    if code == CLEAN and key and not noted:
        _keep(key, batch)
    return code


def _keep(key: str, batch: Batch) -> None:
    """Note what the next run needs to know, if the library of the quickest compiler can be made and kept."""
    compiler = find_quick_compiler()
    if cache_folder() is None or isinstance(compiler, NoCompiler):
        return
    try:
        text = playing_source(with_starter(batch.program).program).text
        load(text, compiler)
    except BuildError:
        return
    known_table.keep(key, KnownTable(batch.counted, library_key(text, compiler)))


def _sweep(arguments: SimulateArguments, program: Program, players: Sequence[int], seats: tuple[str, ...]) -> int:
    from rulewright.tools.simulation.sweep import sweep_report, sweep_tables

    loading.table(program, players[0], arguments.options)  # raises Usage for an invalid option
    given, every = arguments.options, arguments.every_option
    chosen = cases(program, players, given, every, arguments.games, arguments.seed, arguments.tables)
    if given:
        from rulewright.tools.packs.idle_options import notices_of_cases

        for notice in notices_of_cases(program, chosen.played, loading.chosen(given)):
            warn(notice)
    sweep = Sweep(program, chosen, arguments.seed, arguments.backend, seats, arguments.usage)
    finished = _finished(sweep, arguments)
    swept = finished.counts
    replay = _replay(arguments, arguments.pack, sweep.case_of)
    about = {"pack": program.pack, "version": program.version}
    result = {**about, **_run(arguments, finished), **sweep_report(sweep, swept, replay)}
    parts = [f"{program.pack} {program.version}, seed {arguments.seed}", *pace(result), *sweep_tables(result)]
    if arguments.usage:
        from rulewright.tools.simulation.output.usage_report import usage_report, usage_tables
        from rulewright.tools.simulation.usage import UsageCounts as Used

        used = Used()
        for tally in swept.tallies.values():
            used.merge(tally.usage)
        result["usage"] = usage_report(used)
        parts += [*_definitions(arguments, result, finished), *usage_tables(result["usage"])]
    return _end(arguments, finished, result, parts, [*result["faults"], *result["endless"]])


def _definitions(arguments: SimulateArguments, result: Report, finished: FinishedRun[Any]) -> list[Any]:
    """Write the file about definitions, if there is a file of games; return a line about it."""
    if arguments.out is None or not finished.written:
        return []
    from rulewright.tools.simulation.output.rows import definitions_path, write_definitions

    path = rows.checked(arguments.out)
    write_definitions(path, result["usage"])
    result["out"]["definitions"] = str(definitions_path(path))
    return [StyledText(f"Wrote what was chosen and used to {definitions_path(path)}")]


def _versus(arguments: SimulateArguments, program: Program, players: int, seats: tuple[str, ...]) -> int:
    from rulewright.tools.simulation.sweep import Versus, differences, versus_parts, versus_report

    pack = arguments.versus or arguments.pack
    second = _played(arguments, loading.compile_pack(pack).program) if arguments.versus else program
    _seats(arguments, second)
    given = {option.partition("=")[0] for option in arguments.versus_options}
    kept = tuple(option for option in arguments.options if option.partition("=")[0] not in given)
    options = (*kept, *arguments.versus_options)
    one, noted = loading.table_noted(program, players, arguments.options)
    both = one, loading.table_noted(second, players, options, noted)[0]
    batch, second_batch = (_batch(arguments, table, seats) for table in both)
    versus = Versus(batch, second_batch)
    finished = _finished(versus, arguments)
    comparison = finished.counts
    sides: list[Report] = []
    names, chosen = (arguments.pack, pack), (arguments.options, options)
    for batch, tally, name, own in zip((versus.one, versus.other), comparison.tallies, names, chosen, strict=True):
        replay = _replay(arguments, name, lambda _, own=own: TableCase(players, own, 0, 0))  # type: ignore[misc]  # mypy: no default
        sides.append(report(batch.counted, batch.seats, tally, replay))
    compared = versus_report(comparison, differences(versus, comparison))
    result = {**_run(arguments, finished), "first": sides[0], "second": sides[1], **compared}
    first, other = _names(arguments, pack)
    parts = [
        *(_title(name, side) for name, side in zip((first, other), sides, strict=True)),
        *pace(result),
        *versus_parts(compared, first, other),
    ]
    faults = [fault for side in sides for fault in (*side["faults"], *side["endless"])]
    return _end(arguments, finished, result, parts, faults)


def _explain(batch: Batch, result: Report) -> None:
    """Add an explanation to the first game that ran out of fuel, and to the first that did not end."""
    faults = reversed([*result["endless"], *result["faults"]])
    first = {fault.get("code", ENDLESS): fault for fault in faults}
    told = [(code, fault) for code, fault in first.items() if code in (ENDLESS, "fuel")]
    if not told or result["interrupted"] or batch.slow:
        return
    from rulewright.interpreter.batch.batch import player_of
    from rulewright.interpreter.game.endless import why

    for code, fault in told:
        seats = bots_of(batch.seats)
        player = player_of(batch.program, seats if any(seats) else ())
        try:
            said = why(batch.program, code, batch.seed, fault["first"], player)
        except KeyboardInterrupt:  # the counts are still printed
            return
        if said:
            fault["why"] = said


def _batch(arguments: SimulateArguments, table: TableProgram, seats: tuple[str, ...]) -> Batch:
    return Batch(table, arguments.games, arguments.seed, arguments.backend, seats, arguments.usage)


def _names(arguments: SimulateArguments, pack: str) -> tuple[str, str]:
    """Name the two tables by what distinguishes them."""
    if arguments.versus is None:
        return " ".join(arguments.options) or "default", " ".join(arguments.versus_options)
    one, other = (name.rstrip("/").rpartition("/")[2] for name in (arguments.pack, pack))
    return (one, other) if one != other else (arguments.pack, pack)


def _title(name: str, side: Report) -> str:
    options = "".join(f", {key}={value}" for key, value in side["options"].items())
    failures = len(side["failed"]) + side.get("failed_left_out", 0)
    failed = f"; {many(failures, 'game')} failed" if failures else ""
    endless = sum(fault["games"] for fault in side["endless"])
    failed += f"; {many(endless, 'game')} did not end" if endless else ""
    return f"{name}: {side['pack']} {side['version']}, {many(side['players'], 'player')}{options}{failed}"


# ------------------------------------------------------------------ running and ending

def _finished(work: Reported[C], arguments: SimulateArguments) -> FinishedRun[C]:
    """Play the games. Raises Failure if nothing was counted."""
    place = ExecutionPlace(arguments.jobs, arguments.cluster)
    with ExitStack() as stack:
        # SIGTERM before or after the games must not leave an unfinished file.
        stack.enter_context(handled(signal.default_int_handler, signal.SIGTERM))
        file = None
        if arguments.out is not None:
            file = stack.enter_context(rows.Out(rows.checked(arguments.out), work.fields()))
            work = work.on(file.sheet)
        with asked_for(ADVICE):
            found = run(work, place, Progress(work.games, quicker=place.quicker(arguments.backend)), file)
    return found if file is None or file.there else evolve(found, written=0)


def _run(arguments: SimulateArguments, finished: FinishedRun[Any]) -> Report:
    """Return the data that all runs have."""
    written = {} if arguments.out is None else {"out": {"file": arguments.out, "games": finished.written}}
    backend, games = finished.backend or arguments.backend, finished.counts.games
    about = run_of(arguments.seed, backend, arguments.games, games, finished.seconds, finished.interrupted)
    return {**about, **written}


def _replay(arguments: SimulateArguments, pack: str, case_of: Callable[[int], TableCase]) -> Replay:
    """Return a function that gives the command to replay a game with the same bots."""

    def command(game: int) -> str:
        case = case_of(game)
        seats = ",".join(words(arguments.seats) or (RANDOM,) * case.players)
        options = "".join(f" --option {quote(option)}" for option in case.options)
        options += " --series" if arguments.series else ""
        return f"rulewright play {quote(pack)} --seats {seats}{options} --seed {arguments.seed} --game {game}"

    return command


def _end(
    arguments: SimulateArguments, finished: FinishedRun[Any], result: Report, parts: Sequence[Any],
    faults: Sequence[Report],
) -> int:  # fmt: skip
    """Print the result and return the exit code. Raises the failure that ended the run, if any."""
    show(result, parts, faults, arguments.as_json)
    if finished.failure is not None:
        raise finished.failure
    if finished.interrupted:
        return INTERRUPTED
    return FINDINGS if faults else CLEAN
