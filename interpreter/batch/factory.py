"""The factory of players of many games, by the name of a backend."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.policies.policies import Seated
from interpreter.batch.batch import ManyGames, python_many, stepping_many
from interpreter.batch.native_batch import NativeBuilder, native_many
from interpreter.batch.upgrade import UpgradingPlayer
from interpreter.counting.counts import Folder
from ruleset.table.nodes import TableProgram

AUTO = "auto"
"""The fastest backend that works here."""
MANY_NAMES: tuple[str, ...] = (AUTO, "native", "python", "walker")


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
        builder = NativeBuilder(program, addresses, seated, folder)
        return UpgradingPlayer(lambda: python_many(program, addresses, seated, folder), builder)
    if backend == "native":
        return native_many(program, addresses, seated, folder=folder)
    if backend == "python":
        return python_many(program, addresses, seated, folder)
    return stepping_many(program, addresses, backend, seated, folder)
