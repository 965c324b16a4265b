"""Which definitions a table has: a pack may leave some out, or give them no cards."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.settled import Constants
from rulewright.ruleset.program.tables import option_numbers
from rulewright.ruleset.table.nodes import TableProgram


def present(program: Program, table: TableProgram) -> Callable[[str], bool]:
    """Return whether a table has a definition, given as `KIND/NAME`."""
    constants = Constants(program, table.seats, option_numbers(program, table.options))
    of = {one.key: one.kind for one in program.definitions}
    supplied = {of[one.definition] for one in program.supplies}
    cards = {(card.kind, card.definition) for card in table.cards}
    found = {
        f"{one.kind}/{one.key}"
        for number, one in enumerate(program.definitions)
        if constants.in_game(number) and (one.kind not in supplied or (one.kind, one.key) in cards)
    }
    return found.__contains__
