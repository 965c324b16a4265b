"""The factory of players of many games, by the name of a backend."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.native.backend import NoNativeError, compiler, quick_compiler
from rulewright.interpreter.backends.native.compiler.library import BuildError, key_of, loaded
from rulewright.interpreter.backends.native.module import counting_source, playing_source
from rulewright.interpreter.backends.policies.policies import Seated
from rulewright.interpreter.batch.batch import ManyGames, stepping_many
from rulewright.interpreter.batch.native_batch import native_many
from rulewright.interpreter.batch.upgrade import UpgradingPlayer
from rulewright.interpreter.counting.counts import Folder
from rulewright.ruleset.table.nodes import TableProgram


def many_games(
    program: TableProgram,
    addresses: Sequence[int],
    backend: str = AUTO,
    seated: Seated = (),
    folder: Folder | None = None,
) -> ManyGames:
    """Make a player of many games of a table, which reports the cells at `addresses` at the end of each game.

    `seated` names the bot of the pack for each seat; seats without one answer at random. Raises ValueError for an
    unknown backend, BotError for an unknown bot. With `folder`, it plays its program instead, and counts.
    """
    if not any(seated):
        seated = ()
    if backend == AUTO:
        try:
            return _fastest(program, addresses, seated, folder)
        except (NoNativeError, BuildError):
            backend = "walker"
    if backend == "native":
        return native_many(program, addresses, seated, folder=folder)
    return stepping_many(program, addresses, backend, seated, folder)


def _fastest(program: TableProgram, addresses: Sequence[int], seated: Seated, folder: Folder | None) -> ManyGames:
    """Make a native player: with the library of the machine's compiler if that is there; else with that of the
    quickest one, and change over when many games follow. Raises NoNativeError or BuildError.
    """
    best, quick = compiler(), quick_compiler()
    source = playing_source(program) if folder is None else counting_source(folder.counted)
    if best == quick or loaded(key_of(source.text, best)) is not None:
        return native_many(program, addresses, seated, source, best, folder)
    at_hand = native_many(program, addresses, seated, source, quick, folder)
    return UpgradingPlayer(at_hand, lambda: native_many(program, addresses, seated, source, best, folder))
