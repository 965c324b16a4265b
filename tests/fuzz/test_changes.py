"""A few fixed rounds of fuzzing house rules; the parts of random changes are valid."""

from __future__ import annotations

import pytest

from tests.fuzz.changes import LANTERNS, SOUND, changed, ids, mutated_rules, shipped
from tests.fuzz.oracle import TOP, Files, check
from tests.fuzz.run import Tally, fuzz
from tests.house.together import codes, together

HEAD = b'pack: fog\nversion: 1.0.0\nextends: {lanterns: "*"}\n'


def on_top(rules: bytes) -> Files:
    """The little game with one pack."""
    game = ("lanterns.yaml", LANTERNS.read_bytes())
    return (game, (f"{TOP}fog/pack.yaml", HEAD), (f"{TOP}fog/rules.yaml", rules))


@pytest.mark.slow
def test_random_changes() -> None:
    tally = Tally()
    done: list[int] = []
    for number in fuzz(tally, 1, lambda: not done, 60, changed()):
        done.append(number)
    assert {place: failing.report for place, failing in tally.failures.items()} == {}
    assert set(tally.ends) >= {"errors", "result"}


@pytest.mark.slow
def test_mutated_house_rules() -> None:
    assert len(shipped()) >= 8
    tally = Tally()
    done: list[int] = []
    for number in fuzz(tally, 1, lambda: not done, 4, mutated_rules()):
        done.append(number)
    assert {place: failing.report for place, failing in tally.failures.items()} == {}
    assert tally.packs >= 4


@pytest.mark.parametrize("text", SOUND)
def test_what_is_mutated_is_sound(text: str) -> None:
    assert codes(together(fog=text)) == []


def test_a_good_pack_is_played_to_its_result() -> None:
    assert check(on_top(b"change: charm/bell\nset: {cost: 5}\n")) == "result"


def test_ids_are_there() -> None:
    """Nearly all ids that are drawn from name something: a change of them has other findings than that."""
    known = ids()
    assert len(known) > 300
    for id_ in ("charm/bell.play", "step/market.buy.pass", "zone/hand.seen-by", "pack/lanterns.players"):
        assert id_ in known
        assert "RW620" not in codes(together(fog=f"change: {id_}\nset: 1\n"))


ODD = {
    "a change without a game": ((f"{TOP}fog/rules.yaml", b"change: charm/bell\nset: {cost: 4}\n"),),
    "a change in the game itself": (
        ("lanterns.yaml", LANTERNS.read_bytes() + b"---\nchange: charm/bell\nset: {cost: 4}\n"),
    ),
    "a change and no pack": (("rules.yaml", b"change: charm/bell\nset: {cost: 4}\n"),),
    "a pack on top whose document is broken": (
        ("lanterns.yaml", LANTERNS.read_bytes()),
        (f"{TOP}fog/pack.yaml", HEAD + b"name: [\n"),
    ),
    "a list compared with a mapping": on_top(b"change: every lantern where it in play\nset: {cost: 1}\n"),
    "the only round is removed": on_top(b"change: round/night\nremove: true\n"),
    "a kind is removed": on_top(b"change: kind/charm\nremove: true\n"),
    "a step around which another stands is removed": on_top(
        b"change: step/market.buy\naround: {id: gate, when: rounds < 9}\n---\n"
        b"change: step/market.buy\nremove: true\n"
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_packs(case: str) -> None:
    assert check(ODD[case]) in ("errors", "result")
