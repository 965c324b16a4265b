"""`rulewright play`: one game in the terminal, begun or resumed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

from attrs import evolve, frozen

from interpreter.backends.policies.policies import bot_keys
from interpreter.game.game import Game, RuleFault
from interpreter.game.journal import Divergence, Play
from ruleset.common.nearest import nearest
from ruleset.program.nodes import Program
from ruleset.program.scenario import Scenario
from ruleset.source.pack_files import pack_root
from ruleset.table.nodes import TableProgram
from tools.common.errors import FINDINGS, Failure, Usage
from tools.common.seats import HUMAN, KINDS, RANDOM, parse, seated
from tools.common.untrusted import Budget, blamed, bounded
from tools.packs import loading as packs
from tools.packs.naming import naming, naming_to_go_on
from tools.packs.pack_set import names_of, with_more
from tools.playing.games_folder import is_ours, is_ours_alone, located
from tools.playing.keeping import Keeper, kept_at
from tools.playing.save_file import NotWritable, SaveFile, bytes_of
from tools.playing.saves import check_target
from tools.playing.session import Seating, Session


@frozen
class Wishes:
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
    without_names: bool = False


def play(wishes: Wishes) -> int:
    """Plays a game and gives the exit code."""
    if wishes.save is not None and not sys.stdin.isatty():
        check_target(wishes.save)  # at a terminal a person may name another file, once it is known who plays
    if wishes.pack is None and (wishes.more or wishes.resume is None) and (around := pack_root(Path())) is not None:
        wishes = evolve(wishes, pack=str(around))
    if wishes.pack is not None:
        wishes = evolve(wishes, pack=with_more(wishes.pack, wishes.more))
    elif wishes.watch and wishes.resume is not None:
        raise Usage("--watch needs the pack: name it before --resume")
    if wishes.without_names and (wishes.resume is None or wishes.pack is not None):
        raise Usage("--without-names is for --resume without a pack")
    if wishes.resume == "":
        from tools.playing.saved_games import list_games

        return list_games(wishes.lang)
    session = _begun(wishes) if wishes.resume is None else _resumed(wishes, wishes.resume)
    if wishes.watch:
        _watch(session, wishes)
    if wishes.resume is None:
        return session.run()
    with blamed(wishes.resume):
        return session.run()


def _begun(wishes: Wishes) -> Session:
    if wishes.pack is None:
        known = ", ".join(packs.shipped())
        raise Usage(f"which pack? Give the path of one, or the name of a shipped one ({known}), or --resume FILE")
    if wishes.scenario is not None:
        return _staged(wishes, wishes.pack, wishes.scenario)
    compiled = packs.compile_pack(wishes.pack)
    seats = parse(wishes.seats, (*KINDS, *(bot.key for bot in compiled.program.bots)))
    players = wishes.players if wishes.players is not None else len(seats) or compiled.program.least_players
    table, _ = packs.table_noted(compiled.program, players, wishes.options)
    seats = seated(seats, players, (HUMAN, RANDOM))
    seed = int.from_bytes(os.urandom(4), "little") if wishes.seed is None else wishes.seed
    try:
        game = Game.start(table, seed, game=wishes.game)
    except RuleFault as fault:
        raise Failure(f"the game cannot begin: {fault}", FINDINGS) from None
    return _seated(wishes, game, compiled, seats, seed)


def _seated(wishes: Wishes, game: Game, compiled: packs.Compiled, seats: tuple[str, ...], seed: int) -> Session:
    """The players at the table of a new game, and the file that it is saved in."""
    pack = _pack(wishes, compiled)
    seating = Seating(seats, wishes.lang, seed, wishes.game, pack)
    session = Session(game, seating, naming(game.program, compiled))
    play = Play(seats, wishes.lang, pack and "+".join(_whole(name) for name in names_of(pack)))
    _keep(session, wishes.save, play)
    return session


def _keep(session: Session, save: str | None, play: Play) -> None:
    """The file that a game is saved in; where it cannot be used, the session says so, or asks for another."""
    seating = session.seating
    session.keeper = Keeper(play)
    try:
        session.keeper = kept_at(save, session.game.program.pack, seating.seed, play, bool(seating.humans))
    except Usage as failure:
        if save is not None and not seating.person_there:
            raise
        session.unsaved, session.refused = failure.message, save or ""


def _whole(pack: str) -> str:
    """A pack as it can be named from elsewhere."""
    return os.path.abspath(pack) if os.path.exists(pack) else pack


def _staged(wishes: Wishes, pack: str, part: str) -> Session:
    """A game that begins in the position of a scenario."""
    from tools.scenarios.stage import entered

    compiled = packs.compile_pack(pack, scenarios=True)
    scenario = named(compiled.program.scenarios, part)
    if wishes.players not in (None, len(scenario.players)) or wishes.options:
        raise Usage("--players and --options cannot be given with --from: the scenario fixes them")
    table = _table_of(compiled.program, scenario)
    compiled = evolve(compiled, program=entered(compiled.program, scenario))
    seats = seated(parse(wishes.seats, (*KINDS, *bot_keys(table))), table.seats, (HUMAN, RANDOM))
    seed = scenario.seed if wishes.seed is None else wishes.seed
    try:
        game = Game.start(table, seed, game=wishes.game)
    except RuleFault as fault:
        raise Failure(f"the game cannot begin: {fault}", FINDINGS) from None
    return _seated(wishes, game, compiled, seats, seed)


def _table_of(program: Program, scenario: Scenario) -> TableProgram:
    """The table that begins in the position of a scenario."""
    from tools.scenarios.stage import StageError, Stages

    try:
        return Stages(program, (scenario,)).stage(scenario, bare=True).table
    except StageError as error:
        raise Failure(f"{error.span}: {error}", FINDINGS) from None


def _watch(session: Session, wishes: Wishes) -> None:
    """Lets the session look at its pack while a person plays."""
    from tools.playing.watch import Watch

    if not session.seating.humans:
        raise Usage("--watch is for a person who plays: bots would not wait for a save")
    assert wishes.pack is not None
    table = session.game.program
    options = tuple(f"{key}={value}" for key, value in table.options)

    def make(program: Program) -> TableProgram:
        if wishes.scenario is None:
            return packs.table(program, table.seats, options)
        return _table_of(program, named(program.scenarios, wishes.scenario))

    fresh = wishes.resume is None
    roots = tuple(packs.find(name) for name in names_of(wishes.pack))
    session.watch = Watch(roots, make, fresh, wishes.scenario is not None)


def _pack(wishes: Wishes, compiled: packs.Compiled) -> str | None:
    """The pack as it has to be named again; a shipped one is found by its name."""
    shipped = packs.shipped()
    named = all(name in shipped for name in names_of(wishes.pack or ""))
    return None if named or (compiled.root in shipped.values() and not compiled.owners) else wishes.pack


def named(scenarios: Sequence[Scenario], part: str) -> Scenario:
    """The scenario with this title, or the only one whose title or source holds these words."""
    exact = [one for one in scenarios if one.title == part]
    found = exact or [one for one in scenarios if one.matches(part)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Usage(f"{part!r} could be: " + "; ".join(one.title for one in found[:8]))
    near = nearest(part, [one.title for one in scenarios])
    raise Usage(f"no scenario is called {part!r}" + (f"; did you mean {near!r}?" if near else ""))


def _resumed(wishes: Wishes, file: str) -> Session:
    given = {
        "--players": wishes.players is not None,
        "--seed": wishes.seed is not None,
        "--game": wishes.game != 0,
        "--option": bool(wishes.options),
    }
    if extra := [name for name, is_given in given.items() if is_given]:
        raise Usage(f"{extra[0]} cannot be given with --resume: the journal fixes it")
    file = located(file)
    bytes_of(file)  # what cannot be read need not be locked
    source = SaveFile(file, private=is_ours(file))
    try:
        if wishes.save is None:
            with suppress(NotWritable):  # it may be read and not written: the player is asked for another place
                source.lock()
        with blamed(file):
            return _going_on(wishes, file, source)
    except BaseException:
        source.close()
        raise


def _going_on(wishes: Wishes, file: str, source: SaveFile) -> Session:
    budget = Budget(is_ours_alone(file))
    with budget.bounded():
        journal, torn = source.read()
    table, header = journal.program, journal.header
    known = (*KINDS, *bot_keys(table))
    sat = header.play.seats if header.play is not None and wishes.seats is None else ()
    named_seats = parse(",".join(sat), known) if sat else parse(wishes.seats, known)
    seats = seated(named_seats, table.seats, (HUMAN, RANDOM))
    # A program that comes from a file is never made into native code, which looks no address up before it writes.
    seating = Seating(seats, wishes.lang, header.seed, header.game, wishes.pack, "python")
    last = header.play.pack if header.play is not None and source.private else None
    if wishes.without_names:
        names = naming(table)
    else:
        names = naming_to_go_on(table, wishes.pack, last, quote(wishes.resume or file))
    try:
        with budget.bounded():
            session = Session(Game.start(table, header.seed, game=header.game), seating, names)
            session.recall(journal)
        session.limits = bounded
    except Divergence as divergence:
        raise Failure(f"{file} does not replay: {divergence}", FINDINGS) from None
    except RuleFault as fault:
        raise Failure(f"{file} does not replay: {fault}", FINDINGS) from None
    play = Play(seats, wishes.lang, last)
    if wishes.save is None:
        session.keeper = Keeper(play, source)
    else:
        _keep(session, wishes.save, play)
    session.torn = file if torn else ""
    return session
