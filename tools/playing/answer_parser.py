"""Parse a typed answer to a decision into option keys, or explain why it is invalid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from interpreter.views.decision import Decision

WORDS = {
    "en": {
        "number": "{text}: there are options 1 to {n}",
        "range": "{text}: a range goes from a smaller number to a greater one",
        "unclear": "{text}: that could be {options}",
        "unknown": "{text}: type the number of an option, or ? for help",
        "one": "choose one of the options",
        "all": ("all", "*"),
        "none": ("none", "-"),
    },
    "es": {
        "number": "{text}: hay opciones de la 1 a la {n}",
        "range": "{text}: un intervalo va de un número menor a uno mayor",
        "unclear": "{text}: podría ser {options}",
        "unknown": "{text}: escribe el número de una opción, o ? para ver la ayuda",
        "one": "elige una de las opciones",
        "all": ("all", "todas", "todos", "*"),
        "none": ("none", "ninguna", "ninguno", "-"),
    },
}
_RANGE = re.compile(r"(\d+)\s*-\s*(\d+)")


class Unclear(Exception):  # noqa: N818 - a person may type what they like
    """The typed text has no meaning here; the message says why."""


def understand(text: str, decision: Decision, labels: Sequence[str], language: str) -> list[str]:
    """Parse numbers and ranges (`1 3 3`, `2-4`), `all`, nothing, or the start of a label or key. Raises Unclear."""
    words = WORDS[language]
    typed = text.strip().lower()
    if not typed or typed in words["none"]:
        if decision.least > 0:
            raise Unclear(str(words["one"]))
        return []
    if typed in words["all"]:
        return [option.key for option in decision.options for _ in range(option.count)]
    if re.fullmatch(r"[\d\s,-]+", typed):
        return [decision.options[number - 1].key for number in _numbers(typed, len(decision.options), words)]
    return [_named(typed, decision, labels, words)]


def _numbers(typed: str, count: int, words: Mapping[str, object]) -> list[int]:
    numbers: list[int] = []
    for part in _RANGE.sub(r"\1-\2", typed).replace(",", " ").split():
        first, dash, last = part.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise Unclear(str(words["unknown"]).format(text=part))
        ends = (int(first), int(last) if dash else int(first))
        if ends[0] > ends[1]:
            raise Unclear(str(words["range"]).format(text=part))
        if not (ends[0] >= 1 and ends[1] <= count):
            raise Unclear(str(words["number"]).format(text=part, n=count))
        numbers.extend(range(ends[0], ends[1] + 1))
    return numbers


def _named(typed: str, decision: Decision, labels: Sequence[str], words: Mapping[str, object]) -> str:
    found = [
        (option.key, label)
        for option, label in zip(decision.options, labels, strict=True)
        if typed in (option.key.lower(), label.lower())
    ] or [
        (option.key, label)
        for option, label in zip(decision.options, labels, strict=True)
        if label.lower().startswith(typed) or option.key.lower().startswith(typed)
    ]
    if not found:
        raise Unclear(str(words["unknown"]).format(text=typed))
    if len(found) > 1:
        raise Unclear(str(words["unclear"]).format(text=typed, options=", ".join(label for _, label in found)))
    return found[0][0]
