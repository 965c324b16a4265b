"""Choose the fastest player that can count everything requested.

Whole games are played without stops; only if a seat searches, `stepping_player` plays decision by decision. The
choice does not change any game. All play a program that notes who began.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.batch.factory import many_games
from rulewright.interpreter.counting.counted_program import counted, with_starter
from rulewright.interpreter.counting.counts import Folder
from rulewright.tools.common.seats import bots_of, searches
from rulewright.tools.simulation.player import Player, Table


def player(table: Table, addresses: Sequence[int]) -> Player:
    """Return the player of a table's games, which reports the cells at `addresses` at the end of each game."""
    program = table.program
    folder = None if table.grouping is None else Folder(counted(program), table.grouping)
    if any(map(searches, table.seats)):
        from rulewright.tools.simulation.stepping_player import stepped  # needs much that whole games do not

        return stepped(table, addresses, folder)
    seated = bots_of(table.seats)
    return Player(many_games(with_starter(program).program, addresses, table.backend, seated, folder), table.seed)
