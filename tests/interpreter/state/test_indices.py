"""Indices of tracks and lists, also for tracks of single cards."""

from __future__ import annotations

from array import array

from attrs import evolve

from rulewright.interpreter.search.determinise import renamed, shuffle_hidden
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.decision_slots import fold_option, unfold
from rulewright.interpreter.state.frames import (
    Axis,
    axes,
    card_axis,
    fresh_state,
    index_of,
    player_of,
    track_scopes,
)
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.view import view
from rulewright.interpreter.views.visibility import value_key
from rulewright.ruleset.table.nodes import Enumeration, ListInfo, OptionBranch, TableProgram, TrackInfo
from tests.interpreter.cellar import ACT, CARDS, DECK, EVERYONE, cellar

NOTHING = Knowledge((0,) * CARDS, ())
SMALL = 10
"""How many cards are of the first kind; the others are of the second."""


def two_kinds(*tracks: TrackInfo) -> TableProgram:
    """The cellar, whose first ten cards are chaff and whose others are grain, with these tracks and lists."""
    program = cellar()
    named = ["chaff"] * SMALL + ["grain"] * (CARDS - SMALL)
    cards = tuple(evolve(card, kind=kind) for card, kind in zip(program.cards, named, strict=True))
    colours, kinds = Enumeration("colour", ("red", "blue")), (("chaff", ("husk",)), ("grain", ("rye", "oat")))
    return evolve(program, cards=cards, tracks=tracks, state_lists=(), enumerations=(colours,), definitions=kinds)


def track(key: str, scope: tuple[str, ...], count: int, of: str = "number") -> TrackInfo:
    token = next(one for one in cellar().tracks if one.key == "token")
    masks = (EVERYONE,) * count
    return evolve(token, key=key, scope=scope, count=count, start=(0,) * count, of=of, seen=masks, changes=masks)


def test_the_first_scope_is_the_major_one() -> None:
    both = track("both", ("player", "colour"), 6)
    program = two_kinds(both)
    assert axes(program, both) == (Axis("player", 0, 3, 2, False), Axis("colour", 0, 2, 1, False))
    assert [index_of(program, both, "player", index) for index in range(6)] == [0, 0, 1, 1, 2, 2]
    assert [index_of(program, both, "colour", index) for index in range(6)] == [0, 1, 0, 1, 0, 1]
    assert index_of(program, both, "card", 3) == -1
    assert player_of(program, both, 4) == 2
    assert track_scopes(program, both) == (("player", 3, 2), ("colour", 2, 1))
    sorts = track("sorts", ("grain",), 2)
    assert axes(program, sorts) == (Axis("grain", 0, 2, 1, False),), "a kind as a scope has its definitions"
    assert card_axis(program, sorts) is None


def test_cards_of_a_kind_begin_where_the_kind_begins() -> None:
    grain = track("grain", ("card",), CARDS - SMALL)
    every = track("every", ("card",), CARDS)
    program = two_kinds(grain)
    axis = card_axis(program, grain)
    assert axis is not None
    assert (axis.first, axis.size, axis.member(0), axis.member(13)) == (SMALL, 14, SMALL, CARDS - 1)
    assert not axis.holds(SMALL - 1) and axis.holds(SMALL) and not axis.holds(CARDS)
    whole = card_axis(program, every)
    assert whole is not None and (whole.first, whole.size) == (0, CARDS)
    assert card_axis(program, track("game", (), 1)) is None
    assert axes(program, track("game", ("game",), 1)) == ()


def test_players_and_cards_together() -> None:
    seen = track("seen", ("player", "card"), 3 * CARDS)
    program = two_kinds(seen)
    axis = card_axis(program, seen)
    assert axis == Axis("card", 0, CARDS, 1, True)
    state = fresh_state(program, 1)
    state[seen.address : seen.address + seen.count] = array("i", [0] * seen.count)
    state[seen.address + 1 * CARDS + 5] = 7  # of seat 1, on card 5, which lies sixth in the deck
    shown = view(program, state, NOTHING, 0)
    marks = shown.zone("deck").marks
    assert marks[5] == (("seen/seat-2", 7),)
    assert sum(map(len, marks)) == 1
    assert not shown.tracks, "by card number it would tell which card it is"


def test_what_is_on_a_card_of_one_kind_keeps_the_place_for_that_kind() -> None:
    grain = track("grain", ("card",), CARDS - SMALL)
    program = two_kinds(grain)
    state = fresh_state(program, 1)
    state[grain.address : grain.address + grain.count] = array("i", [0] * grain.count)
    marked = 17
    state[grain.address + marked - SMALL] = 4
    kinds: set[str] = set()
    for number in range(60):
        deal = shuffle_hidden(program, state, NOTHING, 0, Stream(number))
        assert program.cards[deal[marked]].kind == "grain"
        kinds.add(program.cards[deal[marked - 1]].kind)
        world = renamed(program, state, NOTHING, 0, deal).state
        address = program.zones[DECK].address
        assert world[address + 1 + marked] == deal[marked]
        cells = world[grain.address : grain.address + grain.count]
        assert [SMALL + index for index, cell in enumerate(cells) if cell] == [deal[marked]]
        assert view(program, world, NOTHING, 0) == view(program, state, NOTHING, 0)
    assert kinds == {"chaff", "grain"}


def test_sealed_answers_that_wait_are_secret_and_follow_their_cards() -> None:
    program = cellar()
    site = program.sites[ACT]
    address = program.state_lists[0].address
    sealed = ListInfo(f"sealed/{site.key}", address, 3, 1, "player", "number")
    program = evolve(program, state_lists=(sealed,))
    state = fresh_state(program, 1)
    state[address : address + 6] = array("i", [1, fold_option(site, 3, [5]), 1, fold_option(site, 2, [1]), 0, 0])
    assert view(program, state, NOTHING, 1).lists == ()
    deal = list(range(CARDS))
    deal[5], deal[8] = 8, 5
    world = renamed(program, state, NOTHING, 0, deal).state
    assert unfold(site, world[address + 1]) == (3, (8,))
    assert unfold(site, world[address + 3]) == (2, (1,))


def test_menu_values_with_several_members_fold_and_unfold() -> None:
    swap = OptionBranch("swap", ("card", "seat"), ("card", "victim"), (CARDS, 3))
    site = evolve(cellar().sites[ACT], branches=(OptionBranch("pass", (), (), ()), swap))
    assert unfold(site, fold_option(site, 1, (7, 2))) == (1, (7, 2))


def test_definitions_are_named_through_the_list_of_all_if_there_is_one() -> None:
    program = two_kinds()
    assert value_key(program, "grain", 1) == "oat"
    together = evolve(program, definitions=(*program.definitions, ("definition", ("rye", "husk", "oat"))))
    assert value_key(together, "grain", 1) == "husk"
    assert value_key(together, "definition", 2) == "oat"
    assert value_key(together, "colour", 1) == "blue"
    assert value_key(together, "seat", 1) == "seat-2"
    assert value_key(together, "grain", -1) == "none"
