"""Names of things and their forms in a sentence: articles, commas, counts, capitals and full stops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from rulewright.interpreter.views.narration_messages import AND
from rulewright.ruleset.table.message import Message, Value, argument_names, parse


class Texts(Protocol):
    """Names of things. `thing` is one of `seat` (key `seat-1`), `card`, `inline` (a card's name, with `COMMA` for
    the commas of its values), `zone` (the zone's name, in Spanish with its article), `plural` (not None if the
    zone's name is a plural), `track`, `change` (the line for a change of a track, or with `/VALUE` for a change to
    this value), `arrival` (the line for cards that come into a zone), `step` (a source's name), `option` and `log`
    (`choice id.branch`), `award` (a source's name), `message` (a source's name), a kind or an enumeration (a
    member's key), or `phrase` (a key of `interpreter.views.narration_messages`).
    """

    def name(self, language: str, thing: str, key: str) -> str | None:
        """Return the name, or None to show the key."""


class KeyTexts:
    """No names: everything is shown by its key."""

    def name(self, language: str, thing: str, key: str) -> str | None:
        return None


class Open(dict[str, Value]):
    """Members chosen with an option; "…" replaces those still open."""

    def __missing__(self, name: str) -> Value:
        return "…"


COMMA = "\ue000"
"""Stands for a comma of a value until a name is part of a sentence: `2 red, 1 blue` stays as it is there."""


@lru_cache(maxsize=1024)
def parsed(text: str) -> Message:
    """Parse a name that is a message."""
    return parse(text)


@lru_cache(maxsize=1024)
def arguments(text: str) -> frozenset[str]:
    """Return the names of the values that a text shows."""
    return argument_names(parsed(text)) if "{" in text else frozenset()


def sentence(text: str) -> str:
    """Begin a line with a capital and end it with a full stop. Contracts Spanish `de el` and `a el`."""
    text = text.replace(" de el ", " del ").replace(" a el ", " al ") if text else text
    first = text[:1].upper() + text[1:]
    return first if first[-1] in ".!?:" else first + "."


def speaks_count(name: str | None) -> bool:
    """Return whether a name is a message that includes its count."""
    return name is not None and "{" in name and "#" in name


def inline(name: str) -> str:
    """Write a name for use within a sentence, where a comma inside it would look like one between names.

    A comma between parentheses does not, and one of a value belongs to the value.

    >>> inline("Knight, two horses"), inline("Knight, lame (1 oat, 2 hay)"), inline("Knight (1 oat, 2 hay)")
    ('Knight (two horses)', 'Knight (lame) (1 oat, 2 hay)', 'Knight (1 oat, 2 hay)')
    """
    first, comma, rest = name.partition(", ")
    if comma and first.count("(") == first.count(")"):
        rest, opening, more = rest.partition(" (")
        name = f"{first} ({rest}){opening}{more}"
    return name.replace(COMMA, ",")


def words(key: str) -> str:
    """Turn a key into words: its last part, with spaces for hyphens."""
    return key.rsplit("/", 1)[-1].rsplit(".", 1)[-1].replace("-", " ")


def without_article(name: str) -> tuple[str, str]:
    """Remove the article of a Spanish zone's name, for use after `tu` or `tus`. Also returns "yes" for a plural."""
    first, _, rest = name.partition(" ")
    if not rest or first not in ("el", "la", "los", "las"):
        return name, "no"
    return rest, "yes" if first in ("los", "las") else "no"


def enumerated(parts: Sequence[str], language: str) -> str:
    """Join parts of a sentence with commas, and with "and" before the last."""
    if len(parts) < 2:
        return "".join(parts)
    word = AND[language]
    if language == "es" and _begins_with_i(parts[-1]):
        word = "e"
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def _begins_with_i(word: str) -> bool:
    """Return whether Spanish uses `e` instead of `y` before a word."""
    word = word.lower().lstrip("¡¿")
    return word.startswith(("i", "í")) or (word.startswith("hi") and not word.startswith("hie"))
