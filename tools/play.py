"""`rulewright play`: one game in the terminal, begun or resumed."""

from __future__ import annotations

import os

from attrs import frozen

from interpreter.game import Game, RuleFault
from interpreter.journal import Divergence
from tools import packs
from tools.failure import FINDINGS, Failure, Usage
from tools.naming import naming, naming_of
from tools.saves import check_target, read_journal
from tools.session import Seating, Session

KINDS = ("human", "bot")


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


def play(wishes: Wishes) -> int:
    """Plays a game and gives the exit code."""
    if wishes.save is not None:
        check_target(wishes.save)
    session = _begun(wishes) if wishes.resume is None else _resumed(wishes, wishes.resume)
    return session.run()


def _begun(wishes: Wishes) -> Session:
    if wishes.pack is None:
        known = ", ".join(packs.shipped())
        raise Usage(f"which pack? Give the path of one, or the name of a shipped one ({known}), or --resume FILE")
    seats = _kinds(wishes.seats)
    compiled = packs.compile_pack(wishes.pack)
    players = wishes.players if wishes.players is not None else len(seats) or compiled.program.least_players
    table = packs.table(compiled.program, players, wishes.options)
    seats = _seated(seats, players)
    seed = int.from_bytes(os.urandom(4), "little") if wishes.seed is None else wishes.seed
    try:
        game = Game.start(table, seed, game=wishes.game)
    except RuleFault as fault:
        raise Failure(f"the game cannot begin: {fault}", FINDINGS) from None
    pack = None if compiled.root in packs.shipped().values() else wishes.pack
    seating = Seating(seats, wishes.lang, seed, wishes.game, wishes.save, pack)
    return Session(game, seating, naming(table, compiled))


def _resumed(wishes: Wishes, file: str) -> Session:
    given = {
        "--players": wishes.players is not None,
        "--seed": wishes.seed is not None,
        "--game": wishes.game != 0,
        "--option": bool(wishes.options),
    }
    if extra := [name for name, is_given in given.items() if is_given]:
        raise Usage(f"{extra[0]} cannot be given with --resume: the journal fixes it")
    journal = read_journal(file)
    table, header = journal.program, journal.header
    seats = _seated(_kinds(wishes.seats), table.seats)
    seating = Seating(seats, wishes.lang, header.seed, header.game, wishes.save or file, wishes.pack)
    names = naming_of(table, wishes.pack)
    try:
        session = Session(Game.start(table, header.seed, game=header.game), seating, names)
        session.recall(journal)
    except Divergence as divergence:
        raise Failure(f"{file} does not replay: {divergence}", FINDINGS) from None
    except RuleFault as fault:
        raise Failure(f"{file} does not replay: {fault}", FINDINGS) from None
    return session


def _kinds(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    kinds = tuple(part.strip() for part in text.split(","))
    for kind in kinds:
        if kind not in KINDS:
            raise Usage(f"a seat is {' or '.join(KINDS)}, not {kind!r}; write --seats human,bot,bot")
    return kinds


def _seated(kinds: tuple[str, ...], players: int) -> tuple[str, ...]:
    """Who sits where; without a wish a person and bots."""
    if not kinds:
        return ("human", *("bot",) * (players - 1))
    if len(kinds) != players:
        raise Usage(f"--seats names {len(kinds)} seats, but {players} play")
    return kinds
