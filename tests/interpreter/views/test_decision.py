"""Decisions: stable option keys, answers and refusals, picks."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import comb

import pytest

from rulewright.interpreter.state import decision_slots as asking
from rulewright.interpreter.state.frames import fresh_state, write_list
from rulewright.interpreter.views.decision import Decision, Option, Picks, decision, keys_of, picks, resolve
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.table.nodes import ASKING, OPEN, STATUS
from tests.interpreter.cellar import ACT, BURY, CARDS, DECK, DISCARD, HANDS, VAULTS, cellar

RAT, SWORD, TOWER, CROWN = range(4)
"""The lowest card of each face; the next of the same face is 4 higher."""

NOTHING = Knowledge((0,) * CARDS, ())
PROGRAM = cellar()


def asked(
    zones: Mapping[int, Sequence[int]], seat: int, site: int, values: Sequence[int], least: int = 0, most: int = 9
) -> array[int]:
    """A state in which cards lie as told and a seat is asked."""
    state = fresh_state(PROGRAM, 1)
    write_list(state, PROGRAM.zones[DECK].address, ())
    for zone, cards in zones.items():
        write_list(state, PROGRAM.zones[zone].address, cards)
        for card in cards:
            state[PROGRAM.layout.places + card] = zone
    state[STATUS], state[OPEN] = ASKING, 1
    asking.ask(state, PROGRAM.layout, seat, site, values, least, most)
    return state


def keys(one: Decision | None) -> list[tuple[str, int]]:
    assert one is not None
    return [(option.key, option.count) for option in one.options]


def test_equal_cards_in_a_bag_are_one_option() -> None:
    hand = [RAT, SWORD, RAT + 4, RAT + 8]
    state = asked({HANDS[0]: sorted(hand)}, 0, BURY, sorted(hand))
    one = decision(PROGRAM, state, 0)
    assert keys(one) == [("rat", 3), ("sword", 1)]
    assert one is not None and one.options[0].values == (RAT, RAT + 4, RAT + 8)
    assert (one.choice, one.least, one.most) == ("turn.bury.cards", 0, 4 - 0)
    assert decision(PROGRAM, state, 1) is None
    token = next(track for track in PROGRAM.tracks if track.key == "token")
    state[token.address + RAT + 4] = 2
    assert keys(decision(PROGRAM, state, 0)) == [("rat", 2), ("rat+token=2", 1), ("sword", 1)]


@pytest.mark.parametrize(
    ("zones", "seat", "known", "names"),
    [
        ({VAULTS[1]: [CROWN, RAT, RAT + 4]}, 0, (), "place-1 place-2 place-3"),
        ({VAULTS[1]: [CROWN, RAT, RAT + 4]}, 0, (RAT,), "place-1 rat@place-2 place-3"),
        ({DISCARD: [CROWN, RAT]}, 2, (), "place-1 rat@place-2"),
        ({HANDS[0]: [RAT], HANDS[1]: [RAT + 4], VAULTS[0]: [CROWN]}, 0, (),
         "rat@hand.seat-1 unseen-1@hand.seat-2 place-1@vault.seat-1"),
    ],
    ids=["a row of backs", "a row with a known card", "the visible top of a pile", "several zones"],
)  # fmt: skip
def test_cards_are_named_by_what_the_seat_sees_and_by_their_place(
    zones: dict[int, list[int]], seat: int, known: tuple[int, ...], names: str
) -> None:
    state = asked(zones, seat, BURY, [card for cards in zones.values() for card in cards])
    knows = Knowledge(tuple(1 << seat if card in known else 0 for card in range(CARDS)), ())
    assert keys(decision(PROGRAM, state, seat, knows)) == [(name, 1) for name in names.split()]


def test_cards_of_a_hidden_bag_have_no_order_that_tells_anything() -> None:
    hand = [RAT, SWORD, TOWER, CROWN]
    behind: set[tuple[int, ...]] = set()
    for chance in range(40):
        state = asked({HANDS[1]: hand}, 0, BURY, hand, most=1)
        state[0] = chance
        one = decision(PROGRAM, state, 0)
        assert keys(one) == [("unseen-1", 1), ("unseen-2", 1), ("unseen-3", 1), ("unseen-4", 1)]
        assert one is not None
        behind.add(tuple(option.values[0] for option in one.options))
        assert one == decision(PROGRAM, state, 0)
    assert {order[0] for order in behind} == set(hand)


def test_menus() -> None:
    branches = len(PROGRAM.sites[ACT].branches)
    toss = [3 + branches * card for card in (RAT, RAT + 4, CROWN)]
    values = [0, 1, 2 + branches * 1, 2 + branches * 2, *toss, 4 + branches * TOWER]
    state = asked({HANDS[0]: [RAT, RAT + 4, CROWN], VAULTS[1]: [TOWER]}, 0, ACT, values, 1, 1)
    one = decision(PROGRAM, state, 0)
    single = ("pass", "peek", "steal:seat-2", "steal:seat-3")
    assert keys(one) == [*((key, 1) for key in single), ("toss:rat", 2), ("toss:crown", 1), ("pull:place-1", 1)]
    assert one is not None
    assert resolve(one, "toss:rat") == (toss[0],)
    assert keys_of(one, [toss[1]]) == ("toss:rat",)


# ------------------------------------------------------------------ answers

OFFER = Decision(
    1, 0, "step.choose", 1, 3,
    (Option("rat", (0, 4), 2), Option("tower", (2,), 1), Option("crown", (3, 7, 11), 3)), 0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        (["rat"], (0,)),
        ("rat", (0,)),
        (["crown", "rat"], (0, 3)),
        (["crown", "crown", "rat"], (0, 3, 7)),
        ({"crown": 2, "rat": 1, "tower": 0}, (0, 3, 7)),
        (("tower", "rat", "rat"), (0, 4, 2)),
    ],
)
def test_answers_become_canonical(answer: list[str], values: tuple[int, ...]) -> None:
    assert resolve(OFFER, answer) == values


@pytest.mark.parametrize(
    ("answer", "reason", "near", "english", "spanish"),
    [
        ([], "too-few", None, "Choose at least 1; you chose none", "Elige al menos 1; no has elegido ninguna"),
        (["rat", "rat", "tower", "crown"], "too-many", None,
         "Choose at most 3; you chose 4", "Elige 3 como máximo; has elegido 4"),
        (["rat", "rat", "rat"], "too-many-of-option", None,
         "You chose rat 3 times, but there are only 2", "Has elegido Rata 3 veces, pero solo hay 2"),
        (["tower", "tower"], "too-many-of-option", None,
         "You chose tower twice, but there is only one", "Has elegido Torre dos veces, pero solo hay una"),
        (["x" * 200], "unknown-option", None, f"'{'x' * 79} is not offered", f"'{'x' * 79} no se ofrece"),
        (["towr"], "unknown-option", "tower",
         "'towr' is not offered; did you mean 'tower'?", "'towr' no se ofrece; ¿quieres decir «Torre»?"),
        (["xyzzy"], "unknown-option", None, "'xyzzy' is not offered", "'xyzzy' no se ofrece"),
        ({"rat": -1, "crown": 2}, "too-few", None,
         "'rat' cannot be chosen -1 times", "«Rata» no se puede elegir -1 veces"),
    ],
)  # fmt: skip
def test_refusals(answer: list[str], reason: str, near: str | None, english: str, spanish: str) -> None:
    """They say keys, or the names of options where they are given, in either language."""
    refusal = resolve(OFFER, answer)
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.nearest) == (reason, near)
    assert (refusal.seat, refusal.choice, refusal.at) == (1, "step.choose", 0)
    assert refusal.message == english
    assert refusal.spoken({"rat": "Rata", "tower": "Torre"}).text("es") == spanish


def test_a_number_that_is_fixed_is_named_alone() -> None:
    refusals = [resolve(offer([2, 1, 3], 3, 3), keys) for keys in (["o0"], ["o0", "o0", "o1", "o2"])]
    said = [one.message for one in refusals if isinstance(one, Refusal)]
    assert said == ["Choose 3; you chose 1", "Choose 3; you chose 4"]


# ------------------------------------------------------------------ picks

def paths(one: Decision, partial: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """All answers that picks reach."""
    step: Picks = picks(one, partial)
    found = [partial] if step.may_stop else []
    for option in step.options:
        found += paths(one, (*partial, option.key))
    return found


def offer(counts: Sequence[int], least: int, most: int) -> Decision:
    options = tuple(Option(f"o{n}", tuple(range(count)), count) for n, count in enumerate(counts))
    return Decision(0, 0, "x", least, most, options, 0)


@pytest.mark.parametrize(("size", "chosen"), [(5, 0), (5, 1), (5, 2), (6, 3), (4, 4)])
def test_picks_reach_each_combination_once(size: int, chosen: int) -> None:
    found = paths(offer([1] * size, chosen, chosen))
    assert len(found) == len(set(found)) == comb(size, chosen)


def test_picks_see_equal_cards_once() -> None:
    # Of (2, 1, 3): one of size 0; 3 of size 1; of size 2: aa, ab, ac, bc, cc.
    found = paths(offer([2, 1, 3], 0, 2))
    assert len(found) == len(set(found)) == 1 + 3 + 5
    assert all(not isinstance(resolve(offer([2, 1, 3], 0, 2), path), Refusal) for path in found)


def test_picks_do_not_run_into_dead_ends() -> None:
    step = picks(offer([1, 1, 1], 2, 2))
    assert [option.key for option in step.options] == ["o0", "o1"]
    assert not step.may_stop
    assert picks(offer([1, 1, 1], 2, 2), ("o1",)).options[0].key == "o2"
    assert picks(offer([1, 1, 1], 2, 2), ("o1", "o2")) == Picks((), True)
