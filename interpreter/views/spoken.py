"""Messages about failures in several languages, until the language of the reader is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import frozen

from rulewright.interpreter.views.names import parsed
from rulewright.ruleset.table.message import Value, format_message

Messages = Mapping[str, Mapping[str, str]]
"""By language and key: messages of `ruleset.table.message`."""


@frozen
class Spoken:
    """A message in each language of its table. `str` gives the English one."""

    texts: Mapping[str, str]

    def text(self, language: str) -> str:
        """Return the message in a language; in English if it is not in that language."""
        return self.texts.get(language, self.texts["en"])

    def changed(self, change: Callable[[str], str]) -> Spoken:
        """Return the message with each text changed."""
        return Spoken({language: change(text) for language, text in self.texts.items()})

    def __str__(self) -> str:
        return self.texts["en"]


def spoken(messages: Messages, key: str, /, **values: Value | Spoken) -> Spoken:
    """Fill in a message in all languages. Values that are messages themselves are in the same language."""
    return Spoken({language: said(messages, language, key, **values) for language in messages})


def said(messages: Messages, language: str, key: str, /, **values: Value | Spoken) -> str:
    """Fill in a message in one language."""
    own = {name: value.text(language) if isinstance(value, Spoken) else value for name, value in values.items()}
    return format_message(parsed(messages[language][key]), own, language)


def grouped(number: int) -> Spoken:
    """Write a number with its digits in groups of three: `20,000`; in Spanish, from five digits, `20 000`."""
    english = f"{number:,}"
    return Spoken({"en": english, "es": english.replace(",", "\u00a0") if abs(number) > 9999 else str(number)})
