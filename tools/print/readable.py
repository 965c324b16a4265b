"""Questions and options of a pack as sentences of a rule book, without a game's values.

What has a name is named, and a player is "a player". A sentence or an aside that needs another value is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulewright.interpreter.views.names import parsed
from rulewright.ruleset.table.message import Argument, LiteralText, Message, MessageError, Number, Pick

_OPEN = "\ue000"
"""Stands for a value that is not known."""
_LINK = "for|to|as|of|with|from|against|por|para|a|como|de|con|contra|in|en"
_CAPTION = re.compile(r"^\{[^{},]+\}:\s*")
"""What a question is about, before it."""
_ASIDE = re.compile(rf"\s*\([^()]*{_OPEN}[^()]*\)")
_LINKED = re.compile(rf",?\s+(?:{_LINK})\s+{_OPEN}(?=[\s,.;:?!]|\Z)")
_LEAD = re.compile(rf"^(?:{_OPEN}[\s,]*)+:\s*")
_REPEATED = re.compile(f"{_OPEN}+")
_AFTER_WORD = re.compile(rf"(?<=\w){_OPEN}")
_ARTICLES = re.compile(r"\b(the|an?) an? ", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=\S)")


def sentences(text: str, known: Mapping[str, str]) -> str:
    """Return the sentences of a text that can be said without a game. `known` names values."""
    text = _CAPTION.sub("", text)
    kept = (_LEAD.sub("", _ASIDE.sub("", part)) for part in _SENTENCE.split(_filled(text, known)))
    return " ".join(_capital(part.strip()) for part in kept if part.strip() and _OPEN not in part)


def label(text: str, known: Mapping[str, str]) -> str:
    """Return the label of an option, without what only a game knows; "" if nothing is left."""
    return _capital(phrase(text, known).removeprefix("to "))


def phrase(text: str, known: Mapping[str, str]) -> str:
    """Return a name without what only a game knows, beginning as the pack writes it."""
    shown = _LEAD.sub("", _LINKED.sub("", _ASIDE.sub("", _filled(text, known))))
    shown = " ".join(shown.replace(_OPEN, "…").split())
    return "" if shown.strip("… :,") == "" else shown


def _filled(text: str, known: Mapping[str, str]) -> str:
    if "{" not in text and "'" not in text:
        return text
    try:
        filled = "".join(_parts(parsed(text), known))
    except MessageError:
        return _OPEN
    return _ARTICLES.sub(r"\1 ", _AFTER_WORD.sub("", _REPEATED.sub(_OPEN, filled)))


def _parts(message: Message, known: Mapping[str, str]) -> Iterator[str]:
    for part in message:
        if isinstance(part, LiteralText):
            yield part.text
        elif isinstance(part, Argument):
            yield known.get(part.name, _OPEN)
        elif isinstance(part, Number):
            yield _OPEN
        elif isinstance(part, Pick):
            yield from _picked(part, known)


def _picked(part: Pick, known: Mapping[str, str]) -> Iterator[str]:
    """Yield the usual case of a choice; a number stands for itself if it is known."""
    value = known.get(part.name, "")
    branches = dict(part.branches)
    if part.sort == "plural" and value.isdigit():
        cases = (f"={value}", "one" if value == "1" else "other", "other")
        usual = next(branches[case] for case in cases if case in branches)
        yield "".join(value if one == _OPEN else one for one in _parts(usual, known))
        return
    shown = "".join(_parts(branches["other"], known))
    yield _OPEN if _OPEN in shown and part.sort == "plural" else shown


def _capital(text: str) -> str:
    start = 1 if text[:1] in ("¿", "¡") else 0
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]
