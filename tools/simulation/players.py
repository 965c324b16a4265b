"""Choose the fastest player that can count everything requested.

Whole games are played without stops if nothing is watched; otherwise `stepping_player` plays decision by decision.
The choice does not change any game.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.batch.factory import many_games
from tools.common.seats import bots_of, searches
from tools.simulation.player import Player, Table


def player(table: Table, addresses: Sequence[int]) -> Player:
    """Return the player of a table's games, which reports the cells at `addresses` at the end of each game."""
    if table.usage or any(map(searches, table.seats)):
        from tools.simulation.stepping_player import stepped  # needs much that whole games do not

        return stepped(table, addresses)
    return Player(many_games(table.program, addresses, table.backend, bots_of(table.seats)), table.seed)
