"""A sample of single mistakes is found, with few findings each, the first on the right line.

`python -m tests.recall` tries many more; the bars below hold for that as well. What it does not find:

- The only `set` or `add` of a house rule's change is left out, and another one stays: it is another house rule, and
  nothing says what the author wanted to change (`notary.yaml`: what the Notary adds to the Contessa, or her text).

What it does not count, since the game and its texts stay the same: the name of a loop's or filter's member, if
nothing reads it (`no card in hand where fits(it)`).
"""

from __future__ import annotations

from functools import cache

import pytest

from rulewright.ruleset.source.reader import read
from tests.recall.judge import judge
from tests.recall.mistakes import PLANTERS, Mistake, mistakes
from tests.recall.report import Tally, sample, tallies
from tests.recall.subjects import names, subject

PACKS = ("tutorial", "eight-coins")
"""The smallest game, and a house rule of a larger one."""
SAMPLES = {"keys": 5, "kinds": 20, "fields": 4}
"""Mistakes of one sort in a pack, where these are not 2: a class of few sorts needs more of each."""

FOUND, MEAN, ON_LINE, MOST = 0.98, 1.5, 0.95, 10
"""Of each class: the least share that is found, the largest mean number of findings of one mistake, and the least
share of those whose first finding is on the right line; and the most findings of any one mistake."""
LESS = {"fields": (0.9, 0.85), "traps": (0.97, 0.85)}
"""Classes with other bars for what is found and on the right line. Of the fields, those count whose loss changes
random games or a text; and what only the pack's scenarios tell is found, too."""


@cache
def _tallies() -> dict[str, Tally]:
    return tallies(one for klass in PLANTERS for one in sample([klass], PACKS, SAMPLES.get(klass, 2)))


@pytest.mark.slow
@pytest.mark.parametrize("klass", PLANTERS)
def test_mistakes_are_found(klass: str) -> None:
    tally = _tallies()[klass]
    told = "\n".join(str(one.mistake) for one in tally.missed)
    found, on_line = LESS.get(klass, (FOUND, ON_LINE))
    assert tally.recall >= found, told
    assert tally.mean <= MEAN, [(len(one.shown), str(one.mistake)) for one in tally.counted if len(one.shown) > 1]
    assert tally.most <= MOST, [
        (len(one.shown), str(one.mistake)) for one in tally.counted if len(one.shown) > MOST
    ]
    assert tally.on_line >= on_line, [str(one.mistake) for one in tally.counted if not one.first_right]


def test_every_class_has_mistakes_in_every_pack() -> None:
    planted = list(sample(PLANTERS, PACKS, 12))
    assert len(planted) * len(names()) / len(PACKS) >= 800
    for pack in PACKS:
        assert {one.klass for one in planted if one.pack == pack} == set(PLANTERS)


def test_the_same_seed_plants_the_same_mistakes() -> None:
    one, again = (list(sample(["names"], ["tutorial"], 3, 7)) for _ in range(2))
    assert one == again
    assert one != list(sample(["names"], ["tutorial"], 3, 8))


def test_a_mistake_is_one_small_edit() -> None:
    """A mistake changes one place of one file, and the lines that it names are lines of the changed file."""
    for klass in PLANTERS:
        for _, planted in mistakes(subject("tutorial"), klass):
            for one in planted[:40]:
                before = subject("tutorial").sources[one.path].text
                after = one.planted(before)
                assert after != before, one
                assert min(one.lines) <= after.count("\n") + 1, one


def test_a_change_without_effect_is_not_counted() -> None:
    """What leaves the game and its texts as they were is no mistake; an unseen change of a rule is one missed."""
    text = subject("tutorial").sources
    path, source = next((path, one) for path, one in text.items() if "hand-size: " in one.text)
    at = source.text.index("hand-size: ")
    assert read(path, source.text).documents

    def planted(start: int, end: int, new: str) -> Mistake:
        changes = ((start, end, new),)
        return Mistake("tutorial", "keys", "test", path, 1, changes, frozenset([1]), False, "", new)

    blank = judge(planted(at + len("hand-size:"), at + len("hand-size: "), "  "))
    assert (blank.found, blank.harmless) == (False, True)
    default = source.text.index("default: 5", at)
    other = judge(planted(default, default + len("default: 5"), "default: 4"))
    assert (other.found, other.harmless) == (False, False)
