"""Decide whether two packs write the same: code as syntax trees, texts as texts.

Blanks, redundant parentheses, comments, `|` blocks, and the order of keys make no difference. The order of named
items does: options of a menu, parameters, members of an enumeration.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from rulewright.ruleset.compose.renaming import TEXTS, WORD
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_effect, parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.source.node_edit import Path
from rulewright.ruleset.source.nodes import Mapping as Block
from rulewright.ruleset.source.nodes import Node, Scalar, plain
from rulewright.ruleset.source.nodes import Sequence as List

_TEXTS = (*TEXTS, "plural", "messages", "prompts", "version", "languages")
"""Keys and sections whose values are not code."""
_ORDERED = ("options", "takes", "each", "for-each", "choose", "fields", "effects", "expressions")
"""Keys of mappings whose keys are names in a significant order."""
_DIGITS = re.compile("[0-9]+")
Words = Mapping[str, str]
"""New names of some words of an author's texts, when all packs are combined."""
SAME: Words = {}
"""No word is renamed."""


def alike(one: Node | None, two: Node | None, path: Path, mine: Words = SAME, yours: Words = SAME) -> bool:
    """Whether two nodes for one place mean the same.

    `path` leads there from the top of the document; `mine` and `yours` are the renamed words of the two authors.
    """
    if isinstance(one, Scalar) and isinstance(two, Scalar):
        return _same_scalar(one, two, path) and (_is_text(path) or _one_meaning(one.text, mine, yours))
    if isinstance(one, List) and isinstance(two, List):
        pairs = zip(one.items, two.items, strict=False)
        return len(one.items) == len(two.items) and all(alike(a, b, path, mine, yours) for a, b in pairs)
    if isinstance(one, Block) and isinstance(two, Block):
        if path[-1:] and (path[-1] in _ORDERED or path[0] == "enumerations"):
            same_keys = tuple(one.keys()) == tuple(two.keys())
        else:
            same_keys = set(one.keys()) == set(two.keys())
        keys = one.keys() if same_keys else ()
        return same_keys and all(alike(one.get(key), two.get(key), (*path, key), mine, yours) for key in keys)
    return one is None and two is None


def _is_text(path: Path) -> bool:
    return any(word in _TEXTS for word in path)


def _same_scalar(one: Scalar, two: Scalar, path: Path) -> bool:
    if plain(one) == plain(two) and type(one.value) is type(two.value):
        return True
    if _is_text(path):
        return isinstance(one.value, str) and isinstance(two.value, str) and _folded(one.text) == _folded(two.text)
    return _same_code(one.text, two.text)


def _folded(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=1024)
def _same_code(one: str, two: str) -> bool:
    if one.strip() == two.strip():
        return True
    if _DIGITS.fullmatch(one) and _DIGITS.fullmatch(two):  # leading zeros are reported where they are written
        return one.lstrip("0") == two.lstrip("0")
    first, second = parse_effect(one), parse_effect(two)
    if not isinstance(first, Mistake) and not isinstance(second, Mistake):
        return _tree(first) == _tree(second)
    left, right = parse_expression(one), parse_expression(two)
    if isinstance(left, Mistake) or isinstance(right, Mistake):
        return False
    return _tree(left) == _tree(right)


def _tree(node: s.Node | tuple[s.Node, ...]) -> str:
    """Return a form of a tree without places in the text."""
    return repr(node)


def _one_meaning(text: str, mine: Words, yours: Words) -> bool:
    """Whether all words of a text mean the same to two authors."""
    return all(mine.get(word, word) == yours.get(word, word) for word in WORD.findall(text))
