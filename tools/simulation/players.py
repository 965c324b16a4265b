"""How the games of a simulation are played, as quickly as what is asked of them allows.

Where nothing is watched, whole games are played without stopping; else `stepping_player` goes from decision to
decision. Which of them it is changes nothing about a game.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.batch.factory import many_games
from tools.common.seats import bots_of, searches
from tools.simulation.player import Player, Table


def player(table: Table, addresses: Sequence[int]) -> Player:
    """What plays the games of a table and tells of each end the cells at these addresses."""
    if table.usage or any(map(searches, table.seats)):
        from tools.simulation.stepping_player import stepped  # needs much that whole games do not

        return stepped(table, addresses)
    return Player(many_games(table.program, addresses, table.backend, bots_of(table.seats)), table.seed)
