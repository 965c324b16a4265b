"""Parse strings of the effect language into trees of `language.ast`.

The parser is permissive; a rejected string is a mistake of form, with a message that says what to write.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.grammar import parse_text
from rulewright.ruleset.language.near_keywords import as_source, with_keyword
from rulewright.ruleset.language.number_mistakes import number_mistake
from rulewright.ruleset.language.syntax_errors import EXPECTED, Mistake, Start

MAX_LENGTH = 20_000
"""Maximum length of a string of the effect language, in characters."""
MAX_NESTING = 40
"""Maximum nesting of brackets and blocks."""
MOST_KEPT = 4096
"""Size of the cache of trees: packs repeat the same strings. Trees are frozen, and independent of files."""


def parse_effect(text: str) -> tuple[s.Statement, ...] | Mistake:
    """Parse an effect into its statements; blank text is a mistake."""
    found = _parse("effect", text)
    return found if isinstance(found, Mistake) else tuple(found)


def parse_expression(text: str) -> s.Expression | Mistake:
    """Parse one expression: a condition, an amount, or a reference."""
    return _parse("expression", text)  # type: ignore[no-any-return]  # as this start gives


def parse_pattern(text: str) -> tuple[s.Part, ...] | Mistake:
    """Parse the sentence of a verb as written in its declaration."""
    found = _parse("pattern", text)
    return found if isinstance(found, Mistake) else tuple(found)


@lru_cache(maxsize=MOST_KEPT)
def _parse(start: Start, text: str) -> Any:
    if len(text) > MAX_LENGTH:
        return Mistake("RW401", 0, len(text), f"this text has {len(text)} characters; the limit is {MAX_LENGTH}")
    if _nesting(text) > MAX_NESTING:
        return Mistake("RW401", 0, len(text), f"brackets or blocks are nested more than {MAX_NESTING} levels deep")
    if not text.strip():
        return Mistake("RW402", 0, len(text), "this text is empty; expected " + EXPECTED[start])
    found = parse_text(start, text, as_source(start, text))
    if not isinstance(found, Mistake):
        return found
    return number_mistake(text, found) or with_keyword(start, text, found)


def _nesting(text: str) -> int:
    depth = deepest = 0
    for character in text:
        if character in "([":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]":
            depth -= 1
    indents = {len(line) - len(line.lstrip()) for line in text.splitlines() if line.strip()}
    return max(deepest, len(indents))
