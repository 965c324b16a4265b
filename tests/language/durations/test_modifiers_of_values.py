"""Modifiers of declared values: numbers of a game that are different for a while.

Expected values come from the pack `edicts`, by hand: the allowance is 3 for three players (2 for two), 4 more where
it was started twice, and less the ashes where these are more than one.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.pipeline import load
from tests.positions import Table, hand, program_of

EDICTS = Path(__file__).parents[2] / "packs" / "edicts"
ACT, PLEA = "turn.act.choice", "plea.reaction"


def test_a_start_reads_the_plain_value() -> None:
    assert Table.start(program_of(EDICTS, 3)).number("grain") == 2 * 3
    assert Table.start(program_of(EDICTS, 2)).number("grain") == 2 * 2


def test_a_value_is_changed_until_the_turn_ends() -> None:
    """Six grain; the first harvest adds 3 + 2 * 2, of which the second player's turn sees nothing: it eats 3."""
    table = Table.start(program_of(EDICTS, 3))
    table.answer(0, ACT, "harvest")
    assert table.number("grain") == 6 + 3 + 4
    table.answer(1, ACT, "eat")
    assert table.number("grain") == 6 + 3 + 4 - 3


def test_a_value_is_changed_while_a_condition_holds() -> None:
    """With two cards in the ashes the allowance is 3 - 2, and one more harvest gives 3 + 4 - 2."""
    table = Table.start(program_of(EDICTS, 3))
    zones = {hand(0): [], hand(1): ["oath", "charter"], hand(2): []}
    table = table.arrange(zones=zones, rest={"deed": "archive"})
    table.answer(0, ACT, "plead")
    for answer in ("show:oath", "show:charter", "pass"):
        table.answer(1, PLEA, answer)
    table.answer(2, PLEA, "pass")
    table.answer(1, ACT, "eat")
    assert table.number("grain") == 6 - (3 - 2)
    table.answer(2, ACT, "harvest")
    assert table.number("grain") == 6 - 1 + (3 + 4 - 2)


def test_where_a_changed_value_is_used_is_known() -> None:
    """Reading it through a function is still a use of the value."""
    program = load(EDICTS).program
    assert program is not None
    used = {reference.what for reference in program.references}
    assert "value/allowance" in used and "function/allowance" not in used
