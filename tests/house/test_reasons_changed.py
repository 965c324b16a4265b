"""House rules add and change the reasons why something is not offered."""

from __future__ import annotations

from tests.house.together import codes, together

BUY = "change: step/market.buy.lantern\nset: {because: {en: Too dear., es: Demasiado caro.}}\n"
RICH = """\
change: function/rich
set: {because: {en: You are poor., es: Eres pobre.}}
---
change: step/market.buy.play
set: {when: charm has play and rich(you)}
"""
GIVEN_UP = """\
prompts:
  discard-card.given-up.because: {en: Not this one., es: Esta no.}
"""


def reasons(**packs: str) -> dict[str, dict[str, str]]:
    loaded = together(**packs)
    assert loaded.program is not None and codes(loaded) == []
    return {key: dict(texts) for key, texts in loaded.program.texts if key.startswith("because/")}


def test_reasons_that_a_pack_adds() -> None:
    assert reasons(poor=RICH, dear=BUY, kept=GIVEN_UP) == {
        "because/function/rich": {"en": "You are poor.", "es": "Eres pobre."},
        "because/market.buy.choice.lantern": {"en": "Too dear.", "es": "Demasiado caro."},
        "because/discard-card.given-up": {"en": "Not this one.", "es": "Esta no."},
    }


def test_one_language_of_a_reason_of_another_pack() -> None:
    head = "languages: [en]\nafter: [poor]\n...\n"
    later = f"{head}change: function/rich\nset: {{because.en: {{was: You are poor., to: Save more.}}}}\n"
    assert reasons(poor=RICH, later=later) == {"because/function/rich": {"en": "Save more.", "es": "Eres pobre."}}


def test_two_packs_that_give_different_reasons_conflict() -> None:
    other = RICH.replace("You are poor.", "Save more.")
    assert "RW623" in codes(together(poor=RICH, other=other))
