"""A player who looks into a hidden bag chooses among its cards by name; others see nothing of it."""

from __future__ import annotations

from pathlib import Path

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.views.narration import narrate
from rulewright.tools.playing.kept_rules import table_of
from tests.positions import Table, hand
from tests.small_packs import started

PACK = """\
pack: sacks
players: 2
languages: [en]
kinds: {gem: {fields: {weight: 1 to 3}}}
components: {gems: {kind: gem, each: {weight: all}, copies: 4, starts: box, home: box, name: "gem {weight}"}}
zones:
  box: {order: pile}
  sack: {order: bag, seen-by: nobody}
  hand: {scope: player, order: bag, seen-by: owner}
  heap: {order: bag, seen-by: all}
tracks:
  rounds: number
  watched: {of: gem card, scope: player}
lists: {shown: {of: gem card}}
---
round: turn
turns-from: first of players
until: rounds > 3
steps:
  - id: act
    options:
      look: |
        look at cards in sack as seen
        choose 1 card from seen as taken
        move taken to hand
        choose 1 card from seen as left
        move left to heap
      light: |
        look at cards in sack as seen
        choose 1 card from (cards in seen where weight < 3) as taken
        move taken to hand
      peep: look at (first of others)'s hand
      secretly: |
        let p = first of others
        look at p's hand as seen
        p chooses 1 card from p's hand as hidden-one
        choose 1 card from seen as stolen
        move stolen to hand
      blind: choose 1 card from (first of others)'s hand as stolen then move stolen to hand
      show: |
        choose 1 card from hand as one
        reveal one
        add one to shown
        watched = one
      hide: |
        remove first of shown from shown
        watched = none
      show-all: |
        reveal cards in sack as seen
        choose 1 card from seen as taken
        move taken to hand
---
finish: end
---
winner: one
among: players
"""


def _asked(option: str, theirs: tuple[str, ...] = ()) -> Table:
    """Player 1 has chosen an option; two gems of weight 1 and one of 3 are in the sack, player 2 holds `theirs`."""
    table = started(PACK)
    table.arrange(zones={"sack": ["1", "1", "3"], hand(1): list(theirs)})
    table.answer(0, "turn.act.choice", option)
    return table


def _keys(table: Table) -> list[tuple[str, int]]:
    return [(option.key, option.count) for option in table.decision.options]


def test_the_cards_that_were_seen_are_offered_by_name() -> None:
    table = _asked("look")
    assert _keys(table) == [("1", 2), ("3", 1)]
    table.answer(0, "turn.act.look.taken", "1")
    assert _keys(table) == [("1@sack", 1), ("3@sack", 1), ("1@hand/1", 1)], "the player goes on looking"
    table.answer(0, "turn.act.look.left", "3@sack")
    assert (table.cards(hand(0)), table.cards("heap"), table.cards("sack")) == (["1"], ["3"], ["1"])


def test_only_the_cards_that_were_seen_have_names() -> None:
    """Every card of the sack is seen, and the lighter ones are offered."""
    assert _keys(_asked("light")) == [("1", 2)]


def test_others_see_nothing_of_it() -> None:
    table = _asked("look")
    read = {}
    for first in ("1", "3"):
        game = table.clone()
        game.answer(0, "turn.act.look.taken", first)
        told = [event for event in game.game.events(1) if event.kind in ("answered", "moved", "revealed")]
        read[first] = (tuple(narrate(game.program, told, "en", None, 1)), game.game.view(1))
        assert game.game.view(0).zone("sack").cards.count(None) == 0, "the player who looks sees the cards"
        assert all(key is None for key in game.game.view(1).zone("sack").cards)
    assert read["1"] == read["3"]


def test_a_look_ends_with_the_step() -> None:
    """Player 1 has looked at the hand of player 2, and chooses blindly from it in the next turn."""
    table = _asked("peep", theirs=("1", "3"))
    assert not any(table.game.knowledge.masks[card] for card in table.numbered(hand(1)))
    assert table.game.view(0).zone(hand(1)).known == (("1", 1), ("3", 1)), "what is there is still known"
    table.answer(1, "turn.act.choice", "peep")
    table.answer(0, "turn.act.choice", "blind")
    assert _keys(table) == [("unseen-1", 1), ("unseen-2", 1)]


def test_what_another_player_chooses_in_a_hand_is_not_seen() -> None:
    """Player 1 has seen the hand of player 2; which card player 2 chooses there stays hidden."""
    table = _asked("secretly", theirs=("1", "3"))
    views = set()
    for chosen in ("1", "3"):
        game = table.clone()
        game.answer(1, "turn.act.secretly.hidden-one", chosen)
        answered = [event for event in game.game.events(0) if event.kind == "answered"][-1]
        assert answered.cards == (-1,)
        views.add(game.game.view(0).digest)
        assert _keys(game) == [("unseen-1", 1), ("unseen-2", 1)]
    assert len(views) == 1


def test_cards_that_all_have_seen() -> None:
    """All see the cards; which of them player 1 chooses, only player 1 sees."""
    table = _asked("show-all")
    assert _keys(table) == [("1", 2), ("3", 1)]
    assert table.game.view(1).zone("sack").cards == ("1", "1", "3")
    table.answer(0, "turn.act.show-all.taken", "3")
    assert [event.cards for event in table.game.events(1) if event.kind == "answered"][-1] == (-1,)
    assert table.game.view(1).zone("sack").cards == (None, None)
    assert table.game.view(1).zone("sack").known == (("1", 1),), "three were there, and one has gone"


def test_a_saved_game_has_the_names(tmp_path: Path) -> None:
    table = started(PACK.replace("starts: box", "starts: sack"))
    table.answer(0, "turn.act.choice", "look")
    table.answer(0, "turn.act.look.taken", "2")
    table.game.save(tmp_path / "saved")
    again = Game.load(tmp_path / "saved", table_of)
    assert (again.state, again.knowledge, again.decisions) == (
        table.game.state, table.game.knowledge, table.game.decisions
    )  # fmt: skip
    assert table.options == ["1@sack"] * 4 + ["2@sack"] * 3 + ["3@sack"] * 4 + ["2@hand/1"]


def test_a_revealed_card_in_a_list_or_track_stays_known() -> None:
    """All see that the list points at the gem of weight 3 that was revealed, until it points there no longer."""
    table = started(PACK)
    table.arrange(zones={hand(0): ["1", "3"], hand(1): ["2"]})
    table.answer(0, "turn.act.choice", "show")
    table.answer(0, "turn.act.show.one", "3")
    for seat in (0, 1):
        view = table.game.view(seat)
        assert next(one.items for one in view.lists if one.key == "shown") == ((f"3@{hand(0)}",),)
        assert view.track("watched").values[0] == f"3@{hand(0)}"
    assert sorted(table.game.view(1).zone(hand(0)).cards, key=str) == ["3", None]
    table.answer(1, "turn.act.choice", "peep")
    table.answer(0, "turn.act.choice", "hide")
    view = table.game.view(1)
    assert (view.zone(hand(0)).cards, view.zone(hand(0)).known) == ((None, None), (("1", 1), ("3", 1)))
