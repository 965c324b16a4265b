"""Why an answer was refused: the one place that words it, in English and Spanish."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import frozen

from rulewright.interpreter.views.names import enumerated, parsed
from rulewright.ruleset.table.message import Value, format_message

# ---- Messages about failures in several languages, until the language of the reader is known

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


# ---- Refusals

REFUSALS: dict[str, dict[str, str]] = {
    "en": {
        "over": "The game is over",
        "no-seat": "there is no seat {given}; seats are 0 to {last}",
        "not-your-decision": "{seat} is not asked now; "
        "{n, plural, one {{asked} is asked} other {{asked} are asked}}",
        "malformed-answer": "an answer is a key, a list of keys, or a mapping from keys to counts, not {given}",
        "unknown-option": "{given} is not offered",
        "misspelt-option": "{given} is not offered; did you mean ''{option}''?",
        "too-many-of-option": "You chose {option} {n, plural, =2 {twice} other {# times}}, "
        "but there {count, plural, one {is only one} other {are only #}}",
        "negative": "''{option}'' cannot be chosen {n} times",
        "too-few": "Choose {exactly, select, yes {} other {at least }}{least}; "
        "{n, plural, =0 {you chose none} other {you chose #}}",
        "too-many": "Choose {exactly, select, yes {} other {at most }}{most}; you chose {n}",
    },
    "es": {
        "over": "La partida ha terminado",
        "no-seat": "no existe el asiento {given}; los asientos van de 0 a {last}",
        "not-your-decision": "Ahora no decide {seat}; {n, plural, one {decide {asked}} other {deciden {asked}}}",
        "malformed-answer": "una respuesta es una clave, una lista de claves o una tabla de claves y cantidades, "
        "no {given}",
        "unknown-option": "{given} no se ofrece",
        "misspelt-option": "{given} no se ofrece; ¿quieres decir «{option}»?",
        "too-many-of-option": "Has elegido {option} {n, plural, =2 {dos veces} other {# veces}}, "
        "pero solo hay {count, plural, one {una} other {#}}",
        "negative": "«{option}» no se puede elegir {n} veces",
        "too-few": "Elige {exactly, select, yes {} other {al menos }}{least}; "
        "{n, plural, =0 {no has elegido ninguna} other {has elegido #}}",
        "too-many": "Elige {exactly, select, yes {{most}} other {{most} como máximo}}; has elegido {n}",
    },
}
_OF_MESSAGES = {"no-seat": "not-your-decision", "misspelt-option": "unknown-option", "negative": "too-few"}
"""Reasons of the messages that are no reason of their own."""
_NAMED = ("option", "seat")


@frozen
class Refusal:
    """The reason why an answer was refused. A refusal changes nothing.

    `said` is the key of the message, and `values` are what it shows: options and seats by their keys. `nearest` is
    a suggested key; `at` the source that asks, or -1.
    """

    said: str
    seat: int
    values: tuple[tuple[str, Value | tuple[str, ...]], ...] = ()
    choice: str = ""
    nearest: str | None = None
    at: int = -1

    @property
    def reason(self) -> str:
        """One of `over`, `not-your-decision`, `malformed-answer`, `unknown-option`, `too-many-of-option`,
        `too-few`, `too-many`."""
        return _OF_MESSAGES.get(self.said, self.said)

    @property
    def message(self) -> str:
        """The message in English, with the keys of options and seats."""
        return str(self.spoken())

    def spoken(self, names: Mapping[str, str] | None = None) -> Spoken:
        """Return the message in all languages. `names` has what to show instead of keys, as labels of options."""
        known = names or {}
        return spoken(REFUSALS, self.said, **{name: _shown(name, value, known) for name, value in self.values})


def _shown(name: str, value: Value | tuple[str, ...], names: Mapping[str, str]) -> Value | Spoken:
    if isinstance(value, tuple):
        shown = [names.get(key, key) for key in value]
        return Spoken({language: enumerated(shown, language) for language in REFUSALS})
    return names.get(str(value), value) if name in _NAMED else value
