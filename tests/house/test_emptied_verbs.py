"""A pack uses a verb that an independent pack has emptied: the finding is at the use."""

from __future__ import annotations

import pytest

from tests.house.strangers import FLIPPED, renamed
from tests.house.together import codes, together

EMPTY = "change: verb/draw\nset: {do: do nothing}"
USES = {
    "an effect that is set": "change: charm/bell\nset: {play: draw 2}",
    "an effect of its own card": (
        "charm: crow\nname: {en: Crow, es: Cuervo}\ncost: 2\nplay: draw 3\ntext: {en: Draw., es: Roba.}"
    ),
    "through a verb of its own": (
        "change: charm/bell\nset: {play: draw two}\n---\nverb: draw(s) two\ndo: draw 2"
    ),
    "an insert": "change: verb/discard-card\nafter: draw 1",
    "around": "change: verb/discard-card\naround: |\n  draw 1\n  proceed",
    "a hook": "hook: dew\nafter: step/market.count\ndo: |\n  each p in players: p draws 1",
}  # fmt: skip
OTHERWISE = {
    "something else besides": "change: charm/bell\nset: {play: draw 2 then coins += 1}",
    "sometimes in the place of what it is around": (
        "change: verb/discard-card\naround: |\n  draw 1\n  if rounds > 0: proceed"
    ),
    "telling something": "change: charm/bell\nset: {play: draw 2 then announce nightfall}",
    "not that verb": "change: charm/bell\nset: {play: coins += 2}",
}


def found(fog: str, rain: str, flip: bool, head: str = "") -> list[str]:
    names = FLIPPED if flip else {"fog": "fog", "rain": "rain"}
    texts = {names["fog"]: renamed(fog, names), names["rain"]: renamed(f"{head}{rain}", names)}
    loaded = together(**texts)
    for finding in loaded.findings:
        assert f"does nothing, because `{names['rain']}` changes `verb/draw`" in finding.message
        assert finding.span.path == f"{names['fog']}/rules.yaml"
        assert [label.span.path for label in finding.labels] == [f"{names['rain']}/rules.yaml"]
    return codes(loaded)


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("case", USES)
def test_emptied(case: str, flip: bool) -> None:
    assert found(USES[case], EMPTY, flip) == ["RW636"]
    assert found(USES[case], EMPTY, flip, "after: [fog]\n...\n") == []  # as the hint says


@pytest.mark.parametrize("case", USES)
def test_not_emptied(case: str) -> None:
    """The verb does something else."""
    assert found(USES[case], "change: verb/draw\nset: {do: coins += 1}", False) == []


@pytest.mark.parametrize("case", OTHERWISE)
def test_more_than_the_verb(case: str) -> None:
    assert found(OTHERWISE[case], EMPTY, False) == []


def test_instead_of_the_verb() -> None:
    rain = "hook: dew\ninstead-of: verb/draw\ndo: do nothing"
    assert found(USES["an effect that is set"], rain, False) == ["RW636"]
