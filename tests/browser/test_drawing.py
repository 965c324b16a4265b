"""What a page shows: each option once, and to a spectator only what all seats see."""

from __future__ import annotations

import re
from random import Random

import pytest

from rulewright.tools.browser.drawing.eyes import SPECTATOR
from rulewright.tools.browser.drawing.model import CardDrawing, DockOption, TableDrawing
from rulewright.tools.browser.host import requests
from rulewright.tools.browser.host.table import HostedTable
from tests.browser.tables import SHIPPED, offers, packs, played, seated, things

ANSWERS = 12
"""Answers of each random game."""
LONGER = dict.fromkeys(SHIPPED, 40)


def told(table: HostedTable, seat: int) -> set[tuple[str, int]]:
    """The options of a seat's decision, and how often each can be chosen."""
    decision = table.course.asked(seat)
    return {(option.key, option.count) for option in decision.options} if decision is not None else set()


@pytest.mark.parametrize("pack", packs())
@pytest.mark.parametrize("seed", (1, pytest.param(2, marks=pytest.mark.slow)))
def test_every_option_is_once_on_the_page(pack: str, seed: int) -> None:
    table = seated(pack, seed=seed, language=("en", "es")[seed % 2])
    for asked in played(table, LONGER.get(pack, ANSWERS), Random(seed)):
        for seat in asked:
            shown = [(offer.key, offer.most) for offer in offers(table.draw(seat))]
            assert len(shown) == len(set(shown))
            assert set(shown) == told(table, seat)
            html = requests.fragment(table, seat, requests.PageSetting("/t/x"))
            assert html.count(" data-option=") == len(shown)


@pytest.mark.parametrize("pack", packs())
def test_elements_have_different_ids(pack: str) -> None:
    table = seated(pack, seed=3)
    for asked in played(table, ANSWERS, Random(3)):
        for seat in (*asked[:1], SPECTATOR):
            ids = re.findall(r'\bid="([^"]+)"', requests.fragment(table, seat, requests.PageSetting("/t/x")))
            assert len(ids) == len(set(ids)), sorted({one for one in ids if ids.count(one) > 1})


@pytest.mark.parametrize("pack", packs())
def test_a_spectator_sees_only_what_all_seats_see(pack: str) -> None:
    table = seated(pack, seed=4)
    definitions = {card.key: card.definition for card in table.rules.program.cards}
    for _ in played(table, LONGER.get(pack, ANSWERS), Random(4)):
        views = [table.course.game.view(seat) for seat in range(table.rules.program.seats)]
        seen = [
            {(zone.key, definitions[card]) for zone in view.zones
             for card in (*zone.cards, *(known for known, _ in zone.known)) if card is not None}
            for view in views
        ]  # fmt: skip
        keys = sorted((zone.key for zone in views[0].zones), key=len, reverse=True)
        for zone, thing in things(table.draw(SPECTATOR)):
            if thing.face is not None and zone.order != "grid":
                key = next(key for key in keys if thing.id.startswith(f"{key}."))
                assert all((key, thing.face.definition) in one for one in seen), thing.id
        assert not offers(table.draw(SPECTATOR))


# ------------------------------------------------------------------ positions known from the rules

def choices(drawing: TableDrawing) -> dict[str, DockOption]:
    """The choices of the dock by name."""
    assert drawing.dock is not None
    return {choice.name: choice for choice in (*drawing.dock.choices, *drawing.dock.beside)}


def chosen_on_table(drawing: TableDrawing) -> dict[str, CardDrawing]:
    """The cards and piles of a page that can be chosen, by their names."""
    found = (card for _, card in things(drawing) if isinstance(card, CardDrawing) and card.offer is not None)
    return {card.face.name if card.face else card.label: card for card in found}


def answered(table: HostedTable, seat: int, *keys: str) -> None:
    """Give an answer that is allowed."""
    assert table.answer(seat, table.stamp(seat), keys) == ""


def test_options_that_differ_in_a_player_are_one_row_of_targets() -> None:
    """With two coins nothing can be paid for: what is aimed at others is only to steal, from each of three."""
    drawing = seated("coup", 4).draw(0)
    found = choices(drawing)
    rows = {name: [target.seat for target in choice.targets] for name, choice in found.items() if choice.targets}
    assert list(rows.values()) == [[2, 3, 4]]
    assert next(iter(rows)).startswith("Steal as Captain")
    assert {"Income", "Foreign Aid", "Tax as Duke", "Exchange as Ambassador"} <= set(found)
    assert not chosen_on_table(drawing)


def test_cards_are_chosen_where_they_lie_and_only_those_that_fit() -> None:
    """A card follows the suit or the rank of the last one, or is an eight."""
    for seed in range(1, 6):
        drawing = seated("tutorial", 2, seed=seed).draw(0)
        hand = next(zone for zone in drawing.own if zone.secret)
        top = next(card for part in drawing.board for zone in part.zones for card in zone.cards if card.face)
        assert top.face is not None
        for card in hand.cards:
            assert card.face is not None
            suit, rank = words(card.face.name)
            fits = rank == "8" or {suit, rank} & set(words(top.face.name))
            assert bool(card.offer) == bool(fits), (card.face.name, top.face.name)


def words(name: str) -> tuple[str, str]:
    """The suit and the rank in the name of a card."""
    found = set(re.findall(r"\w+", name.lower())) - {"of"}
    suit = next(one for one in found if one.rstrip("s") in ("club", "diamond", "heart", "spade"))
    return suit, next(iter(found - {suit}))


def test_the_page_of_what_is_not_offered_has_sentences_in_the_language_of_the_table() -> None:
    """A Coup costs 7, and nobody begins with as many; the page shows no rule and no file."""
    for language, said in (("en", "It costs 7, and you have"), ("es", "Cuesta 7 y tienes")):
        table = seated("coup", language=language)
        (asked,) = {decision.seat for decision in table.course.game.decisions}
        page = requests.why(table, asked)
        assert said in page
        assert not any(word in page for word in ("can-take", "can-afford", ".yaml")), page


def test_piles_that_cost_nothing_are_offered_without_coins_and_others_say_why() -> None:
    table = seated("dominion", 2)
    first = table.course.game.decisions[0].seat
    answered(table, first, "done")  # no Action
    answered(table, first)  # no Treasure
    drawing = table.draw(first)
    supply = next(zone for part in drawing.board for zone in part.zones if zone.order == "grid")
    offered = {card.face.name for card in supply.cards if card.offer and card.face}
    assert offered == {"Copper", "Curse"}
    silver = next(card for card in supply.cards if card.face and card.face.name == "Silver")
    assert silver.why == "It costs 3, and you have 0 coins."
    assert all(bool(card.why) == (card.offer is None) for card in supply.cards)
    assert not any(card.why for zone in drawing.own for card in zone.cards)


def test_piles_of_others_are_slips_in_their_panels() -> None:
    """After its first turn everything that a player has had in hand is on the discard pile: five cards."""
    table = seated("dominion", 2)
    first = table.course.game.decisions[0].seat
    for asked in played(table, 30, Random(7)):
        if asked != (first,):
            break
    panel = table.draw(1 - first).players[first]
    assert not any(zone.cards for zone in panel.zones)
    assert [len(zone.slips) for zone in panel.zones] == [1]


def test_piles_of_one_zone_each_are_one_group_with_their_names() -> None:
    drawing = seated("rattus-cartus", 3).draw(0)
    groups = [zone for part in drawing.board for zone in part.zones if any(card.caption for card in zone.cards)]
    assert len(groups) == 1
    assert {"Population deck", "Building deck", "Reserve deck", "Discard pile"} <= {
        card.caption for card in groups[0].cards
    }
    assert all(card.zone for card in groups[0].cards)


def test_the_log_is_cut_to_its_last_rounds_unless_all_of_it_is_asked_for() -> None:
    table = seated("tutorial", 2)
    for _ in played(table, 30, Random(1)):
        pass
    part, whole = table.draw(0), table.draw(0, whole=True)
    assert part.log_cut
    assert sum(one.level == 3 for one in part.log) == 3
    lines = [line.text for one in whole.log for line in one.lines]
    recent = [line.text for one in part.log for line in one.lines]
    assert lines[-len(recent) :] == recent
    assert len(lines) > len(recent)


@pytest.mark.parametrize(("players", "cards"), [(5, 1), (7, 0)])
def test_backs_are_drawn_as_cards_only_where_all_panels_are_in_one_row(players: int, cards: int) -> None:
    """Each player has one card, face down; panels of more than six players are in two rows."""
    others = seated("tests/games/wreckers", players).draw(0).players[1:]
    assert {sum(len(zone.cards) for zone in player.zones) for player in others} == {cards}
