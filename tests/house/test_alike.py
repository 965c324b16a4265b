"""Equal edits by two packs: rules are compared by meaning, texts for players literally."""

from __future__ import annotations

import pytest

from rulewright.ruleset.compose.conflicts import alike
from rulewright.ruleset.source.reader import read
from tests.house.strangers import FLIPPED, renamed, verdict
from tests.house.together import codes, together

SAME = {
    "blanks": ("coins += 1", "coins  +=  1"),
    "a comment": ("coins += 1", "coins += 1   # alms"),
    "a block": ("coins += 1", "|\n  coins += 1\n"),
    "a comment on a line of its own": ("coins += 1", "|\n  # alms\n  coins += 1\n"),
    "brackets": ("coins += coins * 2 + 1", "coins += ((coins * 2) + 1)"),
    "lines": ("coins += 1 then draw 1", "|\n  coins += 1\n  draw 1\n"),
    "a text in quotes": ("coins += 1", '"coins += 1"'),
}
OTHER = {
    "a number": ("coins += 1", "coins += 2"),
    "brackets that count": ("coins += 3 - (2 - 1)", "coins += 3 - 2 - 1"),
    "an order": ("coins += 1 then draw 1", "draw 1 then coins += 1"),
    "a line behind a comment": ("|\n  draw 1 # one\n  coins += 1\n", "draw 1"),
}


def packs(first: str, second: str) -> tuple[list[str], list[str]]:
    """The codes of two strangers, under their names and under others in another order."""
    one = together(fog=first, rain=second)
    other = together(zephyr=renamed(first, FLIPPED), breeze=renamed(second, FLIPPED))
    assert "before: " in first or verdict(one) == verdict(other)  # two steps at one place stand in some order
    return codes(one), codes(other)


@pytest.mark.parametrize("case", SAME)
def test_the_same_effect(case: str) -> None:
    one, two = SAME[case]
    assert packs(f"change: charm/bell.play\nset: {one}", f"change: charm/bell.play\nset: {two}") == ([], [])
    was, to = f"change: charm/bell.play\nset: {one}", f"change: charm/bell.play\nset:\n  was: {two}\n  to: draw 3"
    assert codes(together(fog=was, rain=f'requires: {{fog: "*"}}\n...\n{to}'.replace("\n  coins", "\n    coins")
                          .replace("\n  draw 1", "\n    draw 1").replace("\n  #", "\n    #"))) == []  # fmt: skip


@pytest.mark.parametrize("case", OTHER)
def test_another_effect(case: str) -> None:
    one, two = OTHER[case]
    both = packs(f"change: charm/bell.play\nset: {one}", f"change: charm/bell.play\nset: {two}")
    assert both == (["RW623"], ["RW623"])


def test_conditions_and_steps() -> None:
    """Keys in another order, brackets in a condition."""
    one = "change: phase/market\nset: {steps: [{id: only, when: rounds > 2, do: rounds += 1}]}"
    two = 'change: phase/market\nset: {steps: [{do: "rounds += 1 # on", id: only, when: (rounds > (2))}]}'
    first, second = packs(one, two)
    assert "RW623" not in (*first, *second)


def test_options_in_another_order_are_another_menu() -> None:
    one = "change: window/refusal\nset: {options: {refuse: coins -= 1, yield: do nothing}}"
    two = "change: window/refusal\nset: {options: {yield: do nothing, refuse: coins -= 1}}"
    first, second = packs(one, two)
    assert "RW623" in first and "RW623" in second


def test_was_is_compared_by_what_it_means() -> None:
    was = "change: charm/bell\nset: {play: {was: '%s', to: draw 3}}"
    assert codes(together(fog=was % "draw  (1)  # one card")) == []
    assert codes(together(fog=was % "draw 2")) == ["RW622"]


@pytest.mark.parametrize("text", ["gold # 1", "gold (1)"])
def test_texts_for_players_are_no_code(text: str) -> None:
    """What stands behind `#` in a text is read by players."""
    other = text.replace("1", "2").replace("(", "((").replace(")", "))")
    message = "change: verb/rest\nset: {{source: '{0}'}}\n---\n"
    message += "change: charm/bell\nset: {{name: {{en: '{0}', es: x}}}}"
    assert packs(message.format(text), message.format(other)) == (["RW623"] * 2, ["RW623"] * 2)
    assert packs(message.format(text), message.format(text)) == ([], [])


def test_one_word_that_means_two_things() -> None:
    """Each pack's `dusk` is its own, so the same words are not the same effect."""
    text = "values: {dusk: %d}\n---\nchange: verb/rest\nset: {do: coins += dusk}"
    assert packs(text % 1, text % 2) == (["RW623"], ["RW623"])


def test_twice_the_same_addition() -> None:
    one = "change: kind/charm\nadd: {fields: {weight: {type: 0 to 9, default: 1}}}"
    two = "change: kind/charm\nadd:\n  fields:\n    weight:\n      default: 1\n      type: 0 to 9\n"
    assert packs(one, two) == ([], [])


def test_conditions_that_exclude_each_other() -> None:
    """However they are written, no order of the two matters."""
    step = "change: step/market.count\nbefore: {id: %s, turns: players, when: %s, do: %s}"
    one = step % ("dusk", "rounds is 1", "coins += 1")
    assert packs(one, step % ("dawn", "((rounds) > (1))", "coins = 0")) == ([], [])
    assert packs(one, step % ("dawn", "((rounds) > (0))", "coins = 0")) == (["RW626"], ["RW626"])


def node(text: str) -> object:
    return read("x.yaml", f"phase: x\nit: {text}\n").documents[0].root.get("it")


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("{a: 1, b: 2}", "{b: 2, a: 1}", True),
        ("[a, b]", "[b, a]", False),
        ("[a, b]", "[a]", False),
        ("3", "(3)", True),
        ("'3'", "3", True),
        ("0x10", "16", True),
        ("true", "1", False),
        ("{a: 1}", "[a]", False),
        ("hand where cost > 3", "(hand where (cost > 3))", True),
        ("not a is b", "not (a is b)", True),
        ("a and b or c", "a and (b or c)", False),
    ],
)
def test_nodes(one: str, two: str, same: bool) -> None:
    assert alike(node(one), node(two), ("it",)) is same
    assert alike(node(two), node(one), ("it",)) is same


@pytest.mark.parametrize("other", ["05", '"5"', "(5)"])
def test_a_text_where_a_number_must_be_is_found_whatever_the_names(other: str) -> None:
    """It must not hide behind the equal number of a pack that comes later by name."""
    first, second = packs("change: charm/bell\nset: {cost: 5}", f"change: charm/bell\nset: {{cost: {other}}}")
    assert first == second == ["RW203"]
