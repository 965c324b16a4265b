"""A text that a pack changes in one of its languages, and not in the others, is reported."""

from __future__ import annotations

import pytest

from tests.house.together import codes, together

NIGHTFALL = "change: message/nightfall\nset: "
BOTH = "languages: [en, es]\n...\n"
HALF = {
    "one of two": "{en: Fog falls.}",
    "the other": "{es: Cae la niebla.}",
    "with the old text": "{en: {was: Night falls., to: Fog falls.}}",
}
WHOLE = {
    "both": "{en: Fog falls., es: Cae la niebla.}",
    "both, with the old text": "{en: {was: Night falls., to: Fog falls.}, es: {was: Cae la noche., to: Niebla.}}",
    "in two changes": "{en: Fog falls.}\n---\nchange: message/nightfall\nset: {es: Cae la niebla.}",
}


@pytest.mark.parametrize("case", HALF)
def test_half(case: str) -> None:
    assert "RW327" in codes(together(fog=BOTH + NIGHTFALL + HALF[case])), "declared by the pack"
    assert "RW327" in codes(together(fog=NIGHTFALL + HALF[case])), "the game's"


@pytest.mark.parametrize("case", WHOLE)
def test_whole(case: str) -> None:
    assert "RW327" not in codes(together(fog=BOTH + NIGHTFALL + WHOLE[case]))


def test_a_pack_of_one_language() -> None:
    """It changes what it speaks."""
    assert codes(together(fog=f"languages: [es]\n...\n{NIGHTFALL}{{es: Cae la niebla.}}")) == []
