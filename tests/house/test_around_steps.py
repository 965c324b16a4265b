"""A step with another step around it keeps its id in choices, hooks, and changes of other packs."""

from __future__ import annotations

import re

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from tests.house.together import codes, together

AROUND = "change: step/market.buy\naround: {id: open, when: rounds < 9}\n"


def steps(loaded: Loaded) -> list[str]:
    """The steps of the phase, in the order in which they are reached."""
    assert loaded.program is not None
    named = [source.name for source in loaded.program.sources if source.name.startswith("step/market.")]
    return [name for name in dict.fromkeys(named) if re.fullmatch(r"step/market\.[a-z]+", name)]


def test_choices_keep_their_names() -> None:
    """Texts of the game for its questions go on to fit."""
    loaded = together(rules=AROUND + "---\nprompts:\n  market.buy.choice: What do you buy?\n")
    assert codes(loaded) == []
    assert loaded.program is not None
    asked = {site.key for site in lower(loaded.program, 2).sites}
    assert "market.buy.choice" in asked and not any("open" in key for key in asked)


def test_hooks_and_changes_of_others_find_the_step() -> None:
    inside = "change: step/market.buy.play\nset: {when: coins > 1}\n---\n"
    hook = "hook: bow\nbefore: step/market.buy\ndo: rounds += 1\n"
    loaded = together(first=AROUND, second=inside + hook)
    assert codes(loaded) == []


def test_two_packs_put_steps_around_one() -> None:
    """The later one is outside."""
    loaded = together(
        first=AROUND, second="after: [first]\n...\nchange: step/market.buy\naround: {id: late, when: rounds < 5}\n"
    )
    assert codes(loaded) == []
    assert steps(loaded)[:3] == ["step/market.late", "step/market.open", "step/market.buy"]


def test_what_comes_before_and_after_is_outside() -> None:
    """Whatever the order of the changes: the condition of `around` is for the step alone."""
    after = "change: step/market.buy\nafter: {id: rest, do: do nothing}\nbefore: {id: knock, do: do nothing}\n"
    for one, two in ((AROUND, after), (after, AROUND)):
        loaded = together(first=one, second=two)
        assert codes(loaded) == []
        assert loaded.program is not None
        document = next(one for one in loaded.composed.documents if one.kind == "phase")
        names = [item.get("id").text for item in document.root.get("steps").items]
        assert names[:3] == ["knock", "open", "rest"]


def test_in_a_phase_with_steps_around_all_of_them() -> None:
    """What is put before one step of it is inside as well."""
    around = "change: phase/market\naround: {id: open, when: rounds < 9}\n"
    loaded = together(first=around, second="change: step/market.buy\nbefore: {id: knock, do: do nothing}\n")
    assert codes(loaded) == []
    assert steps(loaded)[:3] == ["step/market.open", "step/market.knock", "step/market.buy"]


def test_names_differ_inside_and_outside() -> None:
    """Both would be called `step/market.buy`."""
    loaded = together(rules=AROUND + "after: {id: buy, do: do nothing}\n")
    assert set(codes(loaded)) == {"RW313"}


def test_two_packs_that_set_the_same_inside_conflict() -> None:
    """One of them did so before the step was put around it, one after."""
    change = "change: step/market.buy.play\nset: {when: coins > COINS}\n"
    loaded = together(first=change.replace("COINS", "1"), middle=AROUND, second=change.replace("COINS", "2"))
    assert codes(loaded) == ["RW623"]
