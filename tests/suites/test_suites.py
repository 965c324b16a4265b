"""The suites pass on a made-up game, and detect planted errors."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.views import decision as options
from rulewright.interpreter.views import view as views
from rulewright.interpreter.views.visibility import SeatSight
from rulewright.ruleset.table.nodes import Fail, Goto, TableProgram, Tree
from tests.interpreter.cellar import cellar
from tests.suites.contract import contract
from tests.suites.secrecy import secrecy

PLAIN = cellar(tokens=False)


@pytest.mark.parametrize("tokens", [True, False])
def test_contract(tokens: bool) -> None:
    contract(cellar(tokens=tokens), games=4, seed=1, backend="together")


@pytest.mark.slow
@pytest.mark.parametrize("tokens", [True, False])
def test_secrecy(tokens: bool) -> None:
    coverage = secrecy(cellar(tokens=tokens), games=8, seed=1, backend="together")
    assert coverage.differing > 30
    assert coverage.steps > 100
    assert coverage.disclosed > 10
    assert coverage.chance < coverage.twins / 10


def replaced(program: TableProgram, number: int, tree: Tree) -> TableProgram:
    segments = list(program.segments)
    segments[number] = evolve(segments[number], tree=tree)
    return evolve(program, segments=tuple(segments))


@pytest.mark.parametrize("leak", ["public-peek", "crown-menu"])
def test_secrecy_finds_rules_that_leak(leak: str) -> None:
    with pytest.raises(AssertionError, match=r"game .* seat .*: after .*: the seat is told"):
        secrecy(cellar(leak, False), games=30, seed=1, backend="walker")


def test_secrecy_finds_views_that_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_bag_rank", lambda sight, card, seen: (False, sight.program.cards[card].face, ""))
    monkeypatch.setattr(views, "_keys", lambda sight, cards, seen: tuple(str(card) for card in cards))
    with pytest.raises(AssertionError):
        secrecy(PLAIN, games=5, seed=1, backend="walker")


def test_secrecy_finds_options_that_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options of hidden cards by their face."""
    monkeypatch.setattr(options, "_place_key", lambda sight, card, place: sight.program.cards[card].key)
    with pytest.raises(AssertionError, match=r"decision|legal for the seat"):
        secrecy(PLAIN, games=10, seed=1, backend="walker")


def test_secrecy_finds_knowledge_that_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that knows every card of the deck, in a game whose twin has others there."""
    monkeypatch.setattr(SeatSight, "sees", lambda self, card: self.zone_of(card) == 0 or card % 5 == 0)
    with pytest.raises(AssertionError):
        secrecy(PLAIN, games=10, seed=1, backend="walker")


def test_contract_finds_games_that_do_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.suites.play.MAX_ANSWERS", 10)
    with pytest.raises(AssertionError, match="not ended"):
        contract(PLAIN, games=1, seed=1, backend="walker")


def test_contract_finds_rule_faults() -> None:
    broken = replaced(PLAIN, 3, Tree((Fail("absent", 2),), Goto(4)))
    with pytest.raises(AssertionError, match="rule error absent in turn/bury"):
        contract(broken, games=1, seed=1, backend="walker")


def test_contract_finds_an_undo_that_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "undo", lambda self: True)
    with pytest.raises(AssertionError, match="undo does not restore"):
        contract(PLAIN, games=2, seed=1, backend="walker")


def test_contract_finds_clones_that_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "clone", lambda self: self)
    with pytest.raises(AssertionError, match="clone is not independent"):
        contract(PLAIN, games=2, seed=1, backend="walker")


def test_contract_finds_answers_that_are_taken_though_illegal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rulewright.interpreter.game.game.resolve",
        lambda decision, answer: tuple(decision.options[0].values[:1]) * decision.least,
    )
    with pytest.raises(AssertionError, match="was taken"):
        contract(PLAIN, games=2, seed=1, backend="walker")


def test_contract_finds_cards_where_they_may_not_lie() -> None:
    zones = list(PLAIN.zones)
    zones[0] = evolve(zones[0], accepts=(0, 1))
    with pytest.raises(AssertionError, match="does not accept"):
        contract(evolve(PLAIN, zones=tuple(zones)), games=1, seed=1, backend="walker")
