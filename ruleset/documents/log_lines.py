"""Lines of the log about a track: one for all its values, or one for each value."""

from __future__ import annotations

from collections.abc import Collection

from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.source.nodes import Mapping, Node

OTHER, NONE = "other", "none"
TRUTH = {"true": "yes", "false": "no"}
"""The values of a boolean, and their keys in events."""


def lines_by_value(node: Node | None, of: str, members: Collection[str]) -> tuple[Keyed[Node], ...]:
    """Return the lines for single values; none if a text is for all values, perhaps in several languages.

    `of` is the type of the track, `members` are those of its enumeration.
    """
    if not isinstance(node, Mapping):
        return ()
    alone = any(is_value(entry.key.text, of, members) or isinstance(entry.value, Mapping) for entry in node.entries)
    return tuple(Keyed(entry.key, entry.value) for entry in node.entries) if alone else ()


def is_value(word: str, of: str, members: Collection[str]) -> bool:
    """Whether a word is a value of such a track, or stands for all others."""
    if word == OTHER:
        return True
    if of == "boolean":
        return word in TRUTH
    if of == "number":
        return word.removeprefix("-").isdecimal()
    return word == NONE or word in members
