"""Reasons why options are not offered: conditions, values, and no secrets.

What a reason says is worked out from the packs by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.game.seat_eyes import LeftOut, left_out, performed
from rulewright.interpreter.views.secret_slots import secret_slots
from rulewright.ruleset.lower.reasons import lower_reasons
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.ruleset.table.reasons import Reasons
from tests.positions import Table, hand, of, pack_of, program_of

ROOT = Path(__file__).parents[3]
BAZAAR = ROOT / "tests" / "packs" / "bazaar"
CONTENT = ROOT / "content" / "rattus-cartus"
WHISPERS = ROOT / "tests" / "tools" / "whispers"


def reasons_of(pack: Path, seats: int = 2) -> Reasons:
    return lower_reasons(pack_of(pack), seats)


def found(table: Table, pack: Path, seat: int = 0) -> list[LeftOut]:
    return list(left_out(reasons_of(pack), table.game.state, table.game.knowledge, seat))


def told(table: Table, pack: Path, seat: int = 0) -> dict[tuple[str, ...], tuple[int, tuple[str, ...], bool]]:
    """By branch and members: line of the condition, comparison that fails, whether something hidden decides."""
    site = table.program.sites[table.decision.site]
    shown = {}
    for one in found(table, pack, seat):
        key = (site.branches[one.branch].key, *one.members) if one.branch >= 0 else one.members
        assert one.span is not None
        compared = one.obstacle.compared if one.obstacle is not None else ()
        values = (*(" ".join(each.values) if each.values is not None else "?" for each in compared),)
        shown[key] = (one.span.line, (one.obstacle.op, *values) if one.obstacle is not None else (), one.hidden)
    return shown


def line_of(pack: Path, text: str) -> int:
    lines = (pack / "pack.yaml").read_text("utf-8").split("\n")
    (number,) = (number for number, line in enumerate(lines, 1) if text in line)
    return number


def bazaar() -> Table:
    table = Table.start(program_of(BAZAAR, 2))
    table.until("turn.act.choice", seat=0)
    table.arrange(
        zones={"shelf": ["1-red", "5-blue"], hand(0): ["1-red", "3-blue", "5-red"]},
        tracks={("coins", 0): 4, ("coins", 1): 5, ("turns",): 2},
    )
    return table


def test_options_whose_condition_fails() -> None:
    """Player 1 has 4 coins: `dear` holds (4 < 5), and a lamp for 5 is too dear."""
    reasons = told(bazaar(), BAZAAR)
    line = line_of(BAZAAR, "when: not dear(you)")
    assert reasons["boast",] == (line, (), False), "no words for a negated function"
    line = line_of(BAZAAR, "where cost <= coins")
    assert reasons["buy", "5-blue@shelf/place-2"] == (line, ("<=", "5", "4"), False)
    assert set(reasons) == {("boast",), ("buy", "5-blue@shelf/place-2")}


def test_members_that_a_second_condition_leaves_out() -> None:
    """Player 2 has 2 coins, and buying is from others who have more than 2."""
    table = bazaar()
    table.arrange(tracks={("coins", 1): 2})
    reasons = told(table, BAZAAR)
    line = line_of(BAZAAR, "where it's coins > 2")
    assert reasons["buy", "1-red@shelf/place-1", "seat-2"][:2] == (line, (">", "2", "2"))


def test_cards_that_a_choice_leaves_out() -> None:
    """Of a red lamp for 1, a blue one for 3 and a red one for 5 only the last costs more than 2 and is red."""
    table = bazaar()
    table.answer(0, "turn.act.choice", "sell")
    assert table.decision.choice == "turn.act.sell.sold"
    line = line_of(BAZAAR, "where cost > 2")
    assert told(table, BAZAAR) == {
        ("1-red",): (line, (">", "1", "2"), False),
        ("3-blue",): (line, ("is", "blue", "red"), False),
    }


def test_a_value_of_ones_own_secret_is_told() -> None:
    """`let least = debt`: the player sees the debt of 3 that the value was read from."""
    table = bazaar()
    table.arrange(tracks={("debt", 0): 3})
    table.answer(0, "turn.act.choice", "dearly")
    reasons = told(table, BAZAAR)
    assert reasons["1-red",] == (line_of(BAZAAR, "where cost > least"), (">", "1", "3"), False)
    assert set(reasons) == {("1-red",), ("3-blue",)}


def test_everything_is_offered() -> None:
    table = bazaar()
    table.arrange(zones={"shelf": ["1-red"]}, tracks={("coins", 0): 9})
    assert told(table, BAZAAR) == {}


def test_what_an_option_performs_is_known_before() -> None:
    """The step is about one building of the row; declining performs nothing."""
    table = Table.start(program_of(CONTENT, 2)).until("resolving.building.premium")
    state, knowledge, seat = table.game.state, table.game.knowledge, table.decision.seat
    (entry,) = performed(reasons_of(CONTENT), state, knowledge, seat).items()
    branch, ((effect, of, key),) = entry
    site = table.program.sites[table.decision.site]
    assert (site.branches[branch].key, effect, of) == ("perform", "premium", "card")
    card, _, place = key.partition("@row/place-")
    assert table.cards("row")[int(place) - 1] == card
    assert seat in table.listed("visitors", card)


# ------------------------------------------------------------------ secrets

def whispers(debt: int, chest: str, fame: int = 0) -> Table:
    table = Table.start(program_of(WHISPERS, 2))
    table.until("turn.act.choice", seat=0)
    table.arrange(
        zones={of(0, "chest"): [chest], hand(0): ["0", "2"]}, tracks={("debt", 1): debt, ("fame", 0): fame}
    )
    return table


@pytest.mark.parametrize("fame", [0, 1])
@pytest.mark.parametrize(
    ("choice", "chests"),
    [("turn.act.choice", ("0", "1")), ("guess-from.given", ("1", "2"))],
    ids=["menu", "choice"],
)
def test_states_that_are_equal_for_a_seat_give_equal_reasons(
    fame: int, choice: str, chests: tuple[str, str]
) -> None:
    """They differ in the debt of the other, and in the note in the chest: but not in what is offered."""
    states = [whispers(debt, chest, fame) for debt in (0, 1) for chest in chests]
    for table in states:
        if choice != "turn.act.choice":
            table.answer(0, "turn.act.choice", "guess")
        assert table.decision.choice == choice
    offered = {tuple(table.options) for table in states}
    assert len(offered) == 1
    reasons = {tuple(found(table, WHISPERS)) for table in states}
    assert len(reasons) == 1
    assert reasons != {()}


def test_what_a_seat_may_not_see_is_told_as_hidden() -> None:
    reasons = told(whispers(1, "1", fame=1), WHISPERS)
    assert reasons["feud", "seat-2"] == (line_of(WHISPERS, "where it's debt > 1"), (), True)
    assert reasons["steal",][2] and reasons["peep",][2]
    assert reasons["pry",] == (line_of(WHISPERS, "when: fame > 0"), (), True)


def test_what_decides_before_a_secret_is_told() -> None:
    """Without fame it does not matter what lies in the chest."""
    reasons = told(whispers(0, "3"), WHISPERS)
    assert reasons["pry",][1:] == ((">", "0", "0"), False)
    assert reasons["brag",] == (line_of(WHISPERS, "when: debt > 2"), (">", "0", "2"), False)
    assert ("peep",) not in reasons, "it is offered, since 3 is more than 1"


def secret_to_some(program: TableProgram, name: str) -> set[int]:
    """The slots of a procedure that hold something which not all know, anywhere in it."""
    return {
        slot
        for number, secrets in secret_slots(program).items()
        for slot in program.segments[number].live
        if program.procedures[program.segments[number].procedure].name == name and secrets.of.get(slot)
    }


def test_slots_that_hold_secrets() -> None:
    secret = secret_to_some(program_of(WHISPERS, 2), "guess-from")
    assert 1 in secret, "a total over the chest"
    assert 0 not in secret, "whose turn it is"


def test_arguments_of_effects_of_secret_cards_are_no_secrets() -> None:
    """A card from the hand decides which effect is performed; its arguments are the same for every card."""
    secret = secret_to_some(program_of(ROOT / "content" / "dominion", 2), "militia.attack")
    assert 0 not in secret, "whose turn it is"
    assert 3 not in secret, "the victim"
