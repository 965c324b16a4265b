"""Find misspelt keywords: `wher`, `tims`, `totl`.

A guess is verified: with the keyword instead of the word, the text must parse, at least up to the end of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.language.grammar import parse_text
from rulewright.ruleset.language.syntax_errors import KEYWORDS, Mistake, Start

_WORD = re.compile(r"(?<![\w-])[a-z][a-z-]*(?![\w-])")
_KEYWORDS = KEYWORDS | {"div", "mod"}


def meant_keyword(start: Start, text: str, begin: int, end: int) -> tuple[int, int, str] | None:
    """Return the last word of a range that must be a keyword, as its range and the keyword; None if none must."""
    for found in reversed(list(_WORD.finditer(text, begin, end))):
        for keyword in _near(found[0]):
            respelt = text[: found.start()] + keyword + text[found.end() :]
            tree = parse_text(start, respelt, as_source(start, respelt))
            line_end = respelt.find("\n", found.start())
            if not isinstance(tree, Mistake) or (0 <= line_end < tree.start):
                return found.start(), found.end(), keyword
    return None


def _near(word: str) -> Iterator[str]:
    """Yield the keywords that a word may be meant for, the nearest first; a keyword is meant as it is."""
    rest = set() if word in _KEYWORDS else set(_KEYWORDS)
    while (keyword := nearest(word, rest)) is not None:
        yield keyword
        rest.discard(keyword)


def with_keyword(start: Start, text: str, mistake: Mistake) -> Mistake:
    """Return the mistake, or one about a misspelt keyword that caused it, on the same line."""
    line = text.rfind("\n", 0, mistake.start) + 1
    found = meant_keyword(start, text, line, max(mistake.end, mistake.start + 1))
    if found is None:
        return mistake
    begin, end, near = found
    return Mistake("RW408", begin, end, f"`{text[begin:end]}` is not expected here", f"did you mean `{near}`?")


def as_source(start: Start, text: str) -> str:
    """Return a text as the grammar expects it: an effect ends with a line break, anything else has none."""
    return text + "\n" if start == "effect" else re.sub(r"\s", " ", text)
