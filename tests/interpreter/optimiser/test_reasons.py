"""Reasons why equal cards are kept one by one name the rule as its pack does."""

from __future__ import annotations

import pytest

from interpreter.optimiser.kept_cards import Chosen, choose
from tests.tools.harness import ROOT
from tools.packs import loading


def chosen(pack: str, *options: str) -> Chosen:
    program = loading.compile_pack(pack).program
    return choose(loading.table(program, program.least_players, options))


def of_tests(pack: str) -> str:
    return str(ROOT / "tests" / "packs" / pack)


def reasons(found: Chosen) -> set[str]:
    assert found.kept is not None
    return {*found.kept.individual.values()}


def test_an_effect_is_named() -> None:
    assert reasons(chosen("dominion", "kingdom=random")) == {
        "thief.attack may take a card that is not on top of its pile or row",
        "feast.play moves a card that may have left its place",
    }


def test_a_step_is_named_and_not_the_whole_game() -> None:
    assert reasons(chosen(of_tests("scry"))) == {"turn.act keeps a value for each card"}


def test_a_step_without_a_place_is_a_step() -> None:
    assert reasons(chosen(of_tests("gallery"))) == {"a step looks for one card in a list of cards"}


@pytest.mark.parametrize(
    ("pack", "why_not"),
    [
        ("medals", "day.trade.take uses a card as a number"),
        ("verdict", "there are no cards"),
    ],
)
def test_a_table_that_is_not_kept_says_why(pack: str, why_not: str) -> None:
    found = chosen(of_tests(pack))
    assert (found.kept, found.why_not) == (None, why_not)


def test_a_menu_of_cards_and_definitions_is_not_mixed_up() -> None:
    """An option that is a definition was looked up as if it were a card; its branch tells them apart."""
    assert reasons(chosen(of_tests("stalls"))) == set()
    assert reasons(chosen("rattus-cartus")) == set()
