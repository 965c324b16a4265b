"""`rulewright play`: play a game in the terminal, new or resumed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from attrs import evolve, frozen

from rulewright.interpreter.backends.policies import bot_keys
from rulewright.interpreter.game.game import Game, RuleFault, replaying
from rulewright.interpreter.game.journal import Divergence, Play
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.scenario import Scenario
from rulewright.ruleset.source.pack_files import pack_root
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.errors import FINDINGS, Failure, Usage
from rulewright.tools.common.player_messages import in_language, problem
from rulewright.tools.common.seats import HUMAN, KINDS, RANDOM, parse, seated
from rulewright.tools.common.untrusted import TimeBudget, blamed, bounded
from rulewright.tools.packs import loading
from rulewright.tools.packs.naming import naming
from rulewright.tools.packs.pack_set import names_of, with_more
from rulewright.tools.playing import kept_rules
from rulewright.tools.playing.save_file import (
    Keeper,
    NotWritable,
    SaveFile,
    bytes_of,
    check_target,
    is_ours,
    is_ours_alone,
    kept_at,
    located,
)
from rulewright.tools.playing.session import Seating, Session


@frozen
class PlayArguments:
    """The arguments of the command."""

    pack: str | None
    players: int | None
    seats: str | None
    seed: int | None
    game: int
    lang: str
    options: tuple[str, ...]
    save: str | None
    resume: str | None
    scenario: str | None = None
    watch: bool = False
    more: tuple[str, ...] = ()
    no_memory: bool = False
    series: bool = False
    overwrite: bool = False


def play(arguments: PlayArguments) -> int:
    """Play a game; return the exit code."""
    with in_language(arguments.lang):
        session = _session(arguments)
    if session is None:
        from rulewright.tools.playing.save_file import list_games

        return list_games(arguments.lang)
    blaming = nullcontext() if arguments.resume is None else blamed(arguments.resume)
    with in_language(session.seating.language), blaming:
        return session.run()


def _session(arguments: PlayArguments) -> Session | None:
    """Create the session; None for the list of saved games."""
    if arguments.overwrite and arguments.save is None:
        raise Usage("--overwrite requires --save FILE")
    if arguments.save is not None and not sys.stdin.isatty():
        check_target(arguments.save)  # at a terminal, another file can be named once the players are known
    beginning = arguments.more or arguments.resume is None
    if arguments.pack is None and beginning and (around := pack_root(Path())) is not None:
        arguments = evolve(arguments, pack=str(around))
    if arguments.pack is not None:
        arguments = evolve(arguments, pack=with_more(arguments.pack, arguments.more))
    elif arguments.watch and arguments.resume is not None:
        raise Usage("--watch with --resume requires the pack: rulewright play PACK --resume GAME --watch")
    if arguments.resume == "":
        return None
    session = _begun(arguments) if arguments.resume is None else _resumed(arguments, arguments.resume)
    if arguments.watch:
        _watch(session, arguments)
    return session


def _begun(arguments: PlayArguments) -> Session:
    if arguments.pack is None:
        known = ", ".join(loading.shipped())
        raise Usage(f"missing PACK: name a path or a shipped pack ({known}), or use --resume GAME")
    if arguments.scenario is not None:
        return _staged(arguments, arguments.pack, arguments.scenario)
    compiled = loading.compile_pack(arguments.pack)
    if arguments.series:
        compiled = evolve(compiled, program=loading.in_series(compiled.program))
    seats = parse(arguments.seats, (*KINDS, *(bot.key for bot in compiled.program.bots)))
    players = arguments.players if arguments.players is not None else len(seats) or compiled.program.least_players
    table, _ = loading.table_noted(compiled.program, players, arguments.options)
    seats = seated(seats, players, (HUMAN, RANDOM))
    seed = int.from_bytes(os.urandom(4), "little") if arguments.seed is None else arguments.seed
    try:
        game = Game.start(table, seed, game=arguments.game)
    except RuleFault as fault:
        raise Failure(problem("cannot-start", why=fault.spoken), FINDINGS) from None
    return _seated(arguments, game, compiled, seats, seed)


def _seated(
    arguments: PlayArguments, game: Game, compiled: loading.Compiled, seats: tuple[str, ...], seed: int
) -> Session:
    """Create the session of a new game, with its players and the file to which it is saved."""
    names = naming(game.program, compiled)
    language = names.language(arguments.lang)
    seating = Seating(seats, language, seed, arguments.game, memory=not arguments.no_memory)
    session = Session(game, seating, names)
    _keep(session, arguments, Play(seats, language))
    return session


def _keep(session: Session, arguments: PlayArguments, play: Play) -> None:
    """Open the file to which a game is saved; if that fails, the session reports it or asks for another file."""
    seating, save = session.seating, arguments.save
    session.keeper = Keeper(play)
    try:
        session.keeper = kept_at(save, session.game, seating.seed, play, bool(seating.humans), arguments.overwrite)
    except Usage as failure:
        if save is not None and not seating.person_there:
            raise
        session.unsaved, session.refused = failure.told(seating.language), save or ""


def _staged(arguments: PlayArguments, pack: str, part: str) -> Session:
    """Create a session that begins in the position of a scenario."""
    from rulewright.tools.scenarios.stage import entered

    compiled = loading.compile_pack(pack, scenarios=True)
    scenario = named(compiled.program.scenarios, part)
    if arguments.players not in (None, len(scenario.players)) or arguments.options or arguments.series:
        raise Usage("--players, --option, and --series cannot be used with --from, because the scenario sets them")
    table = _table_of(compiled.program, scenario)
    compiled = evolve(compiled, program=entered(compiled.program, scenario))
    seats = seated(parse(arguments.seats, (*KINDS, *bot_keys(table))), table.seats, (HUMAN, RANDOM))
    seed = scenario.seed if arguments.seed is None else arguments.seed
    try:
        game = Game.start(table, seed, game=arguments.game)
    except RuleFault as fault:
        raise Failure(problem("cannot-start", why=fault.spoken), FINDINGS) from None
    return _seated(arguments, game, compiled, seats, seed)


def _table_of(program: Program, scenario: Scenario) -> TableProgram:
    """Return the table that begins in the position of a scenario."""
    from rulewright.tools.scenarios.stage import StageError, Stages

    try:
        return Stages(program, (scenario,)).stage(scenario, bare=True).table
    except StageError as error:
        raise Failure(f"{error.span}: {error}", FINDINGS) from None


def _watch(session: Session, arguments: PlayArguments) -> None:
    """Let the session watch its pack for changes while a person plays."""
    from rulewright.tools.playing.watch import PackWatch

    if not session.seating.humans:
        raise Usage("--watch requires a human seat, because bots do not wait for changes")
    assert arguments.pack is not None
    table = session.game.program
    options = tuple(f"{key}={value}" for key, value in table.options)

    def make(program: Program) -> TableProgram:
        if arguments.scenario is None:
            if table.next_game is not None:
                program = loading.in_series(program)
            return loading.table(program, table.seats, options)
        return _table_of(program, named(program.scenarios, arguments.scenario))

    fresh = arguments.resume is None
    roots = tuple(loading.find(name) for name in names_of(arguments.pack))
    session.watch = PackWatch(roots, make, fresh, arguments.scenario is not None)


def named(scenarios: Sequence[Scenario], part: str) -> Scenario:
    """Return the scenario with this title, or the only one whose title or source contains these words."""
    exact = [one for one in scenarios if one.title == part]
    found = exact or [one for one in scenarios if one.matches(part)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Usage(f"several scenarios match {part!r}: " + "; ".join(one.title for one in found[:8]))
    near = nearest(part, [one.title for one in scenarios])
    raise Usage(f"no scenario matches {part!r}" + (f"; did you mean {near!r}?" if near else ""))


def _resumed(arguments: PlayArguments, file: str) -> Session:
    given = {
        "--players": arguments.players is not None,
        "--seed": arguments.seed is not None,
        "--game": arguments.game != 0,
        "--option": bool(arguments.options),
        "--series": arguments.series,
    }
    if extra := [name for name, is_given in given.items() if is_given]:
        raise Usage(f"{extra[0]} cannot be used with --resume, because the saved game sets it")
    file = located(file)
    bytes_of(file)  # an unreadable file need not be locked
    source = SaveFile(file, private=is_ours(file))
    try:
        if arguments.save is None:
            with suppress(NotWritable):  # the file may be read-only: the player is asked for another one
                source.lock()
        with blamed(file):
            return _going_on(arguments, file, source)
    except BaseException:
        source.close()
        raise


def _going_on(arguments: PlayArguments, file: str, source: SaveFile) -> Session:
    budget = TimeBudget(is_ours_alone(file))
    with budget.bounded():
        journal, torn = source.read()
    table, header = journal.program, journal.header
    known = (*KINDS, *bot_keys(table))
    sat = header.play.seats if header.play is not None and arguments.seats is None else ()
    named_seats = parse(",".join(sat), known) if sat else parse(arguments.seats, known)
    seats = seated(named_seats, table.seats, (HUMAN, RANDOM))
    names = kept_rules.names_of(table, arguments.pack)
    language = names.language(arguments.lang)
    seating = Seating(seats, language, header.seed, header.game, not arguments.no_memory)
    try:
        with budget.bounded():
            session = Session(Game.start(table, header.seed, game=header.game), seating, names)
            with replaying(session.game):
                session.recall(journal)
        session.limits = bounded
    except Divergence as divergence:
        raise Failure(problem("not-replayed", file=file, why=divergence.spoken), FINDINGS) from None
    except RuleFault as fault:
        raise Failure(problem("not-replayed", file=file, why=fault.spoken), FINDINGS) from None
    play = Play(seats, language)
    if arguments.save is None:
        session.keeper = Keeper(play, source)
    else:
        _keep(session, arguments, play)
    session.torn = file if torn else ""
    return session
