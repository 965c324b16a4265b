"""Why shipped games do not offer something: sentences in both languages, never the text of rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.lower.reasons import lower_reasons
from rulewright.ruleset.table.reasons import ReasonClause
from rulewright.tools.display.decision_texts import LeftOutTexts
from rulewright.tools.packs import loading
from rulewright.tools.packs.naming import naming
from tests.house.shipped import is_game
from tests.positions import Table

CONTENT = Path(__file__).parents[2] / "content"
GAMES = sorted(path.parent for path in CONTENT.glob("*/pack.yaml") if is_game(path.parent))
LANGUAGES = ("en", "es")
DIVIDED = ("turn.act.choice.act", "turn.act.choice.act-against")
"""Options whose filters divide actions between them: one of them offers an action, or has the reason why not."""


def reasons(pack: Path, answers: int) -> Iterator[tuple[str, str, str, str]]:
    """The choice, the condition as written, and the reason in English and Spanish, along a random game."""
    compiled = loading.compile_pack(str(pack))
    program = lower(compiled.program, compiled.program.least_players, {})
    names = naming(program, compiled)
    assert names.book is not None
    table, stream = Table.start(program, seed=4), Stream(4, 1)
    for _ in range(answers):
        if table.game.result is not None:
            return
        for one in table.game.decisions:
            told = [
                LeftOutTexts(Narrator(program, language, names.texts, one.seat), names, table.game, one)
                for language in LANGUAGES
            ]
            for left in told[0].found() or ():
                written = names.book.excerpt(left.span) if left.span is not None else ""
                yield one.choice, written, told[0].text(left), told[1].text(left)
        table.step(stream)


@pytest.mark.parametrize("pack", GAMES, ids=lambda pack: pack.name)
def test_reasons_are_sentences_in_both_languages(pack: Path) -> None:
    found = set(reasons(pack, 60))
    assert found
    for choice, written, english, spanish in found:
        assert english and spanish and english != spanish, f"{choice} has no reason for `{written}`"
        for text in (english, spanish):
            assert text[0] == text[0].upper() and text.endswith("."), text
            assert "…" not in text, f"{choice}: {text}"
            assert not written or written not in text, f"{choice} shows the text of a rule: {text}"


def test_every_condition_of_a_shipped_choice_has_a_reason_of_its_pack() -> None:
    """Those of the hands and piles that a random game rarely shows, too."""
    for pack in GAMES:
        program = loading.compile_pack(str(pack)).program
        texts = {key.removeprefix("because/") for key, _ in program.texts if key.startswith("because/")}
        for seats in {program.least_players, program.most_players}:
            found = lower_reasons(program, seats)
            for site, ways in zip(found.table.sites, found.sites, strict=True):
                for way in ways:
                    key = f"{site.key}.{site.branches[way.branch].key}" if way.branch >= 0 else site.key
                    filters = [test for domain in way.domains for test in domain.tests]
                    tests = [*way.tests, *(filters if key not in DIVIDED else ())]
                    if key not in texts:
                        assert all(_has_reason(clause, texts) for test in tests for clause in test.clauses), key


def _has_reason(clause: ReasonClause, texts: set[str]) -> bool:
    called = clause.called
    if called is None:
        return False
    return f"function/{called.function}" in texts or all(_has_reason(one, texts) for one in called.clauses)
