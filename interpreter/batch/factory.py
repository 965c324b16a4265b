"""The one place that makes what plays many games, by the name of a backend."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.policies.policies import Seated
from interpreter.batch.batch import ManyGames, python_many, stepping_many
from interpreter.batch.native_batch import NativeBuilder, native_many
from interpreter.batch.upgrade import UpgradingPlayer
from ruleset.table.nodes import TableProgram

AUTO = "auto"
"""The quickest backend that works here."""
MANY_NAMES: tuple[str, ...] = (AUTO, "native", "python", "walker")


def many_games(
    program: TableProgram, addresses: Sequence[int], backend: str = AUTO, seated: Seated = ()
) -> ManyGames:
    """What plays games of a table, and tells of each end the cells at these addresses.

    `seated` says which seats are bots of the pack; all others answer at random. Raises ValueError for an unknown
    backend, BotError for an unknown bot.
    """
    if not any(seated):
        seated = ()
    if backend == AUTO:
        builder = NativeBuilder(program, addresses, seated)
        return UpgradingPlayer(lambda: python_many(program, addresses, seated), builder)
    if backend == "native":
        return native_many(program, addresses, seated)
    if backend == "python":
        return python_many(program, addresses, seated)
    return stepping_many(program, addresses, backend, seated)
