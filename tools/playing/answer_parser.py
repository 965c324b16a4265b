"""Parse a typed answer to a decision into option keys, or explain why it is invalid."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from rulewright.interpreter.views.decision import Decision, only_answer, resolve
from rulewright.interpreter.views.refusals import Refusal
from rulewright.tools.playing.numbering import numbers_of

WORDS = {
    "en": {
        "number": "{text} is not an option; type {least} to {most}",
        "gap": "{text} is not an option; type one of the numbers shown",
        "range": "{text}: in a range the smaller number comes first",
        "or": "or",
        "unclear": "{text} could be {options}; type the number",
        "unknown": "{text} is not an option; type the number of one, or ? for help",
        "all": ("all", "*"),
        "none": ("none", "-"),
    },
    "es": {
        "number": "{text} no es una opción; escribe de {least} a {most}",
        "gap": "{text} no es una opción; escribe uno de los números de la lista",
        "range": "{text}: en un intervalo va primero el número menor",
        "or": "o",
        "unclear": "{text} podría ser {options}; escribe el número",
        "unknown": "{text} no es una opción; escribe el número de una, o ? para ver la ayuda",
        "all": ("all", "todas", "todos", "*"),
        "none": ("none", "ninguna", "ninguno", "-"),
    },
}
_RANGE = re.compile(r"(\d+)\s*-\s*(\d+)")


class Unclear(Exception):  # noqa: N818 - a person may type what they like
    """The typed text has no meaning here; the message says why."""


def understand(text: str, decision: Decision, labels: Sequence[str], language: str) -> list[str]:
    """Parse numbers and ranges (`1 3 3`, `2-4`), `all`, nothing, or the start of a label, a key, or a word
    of a label. Raises Unclear. The numbers are those of `numbers_of`.

    If no label or key starts with the text, it may be the start of any word of a label. Nothing means the only
    answer, if there is only one.
    """
    words = WORDS[language]
    typed = text.strip().lower()
    only = only_answer(decision)
    if not typed and only is not None:
        return only
    if not typed or typed in words["none"]:
        numbers = []
    elif typed in words["all"]:
        numbers = [number for number, option in enumerate(decision.options, 1) for _ in range(option.count)]
    elif re.fullmatch(r"[\d\s,-]+", typed):
        numbers = _numbers(typed, numbers_of(decision.options, labels), words)
    else:
        numbers = [_named(typed, decision, labels, words)]
    keys = [decision.options[number - 1].key for number in numbers]
    refusal = resolve(decision, keys)
    if isinstance(refusal, Refusal):
        names = {option.key: label for option, label in zip(decision.options, labels, strict=True)}
        raise Unclear(refusal.spoken(names).text(language))
    return keys


def _numbers(typed: str, known: Sequence[int], words: Mapping[str, object]) -> list[int]:
    """Return the places of the options, from 1, whose numbers (`known`) are typed."""
    numbers: list[int] = []
    least, most = min(known, default=1), max(known, default=0)
    for part in _RANGE.sub(r"\1-\2", typed).replace(",", " ").split():
        first, dash, last = part.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise Unclear(str(words["unknown"]).format(text=part))
        ends = (int(first), int(last) if dash else int(first))
        if ends[0] > ends[1]:
            raise Unclear(str(words["range"]).format(text=part))
        whole = len(known) == most - least + 1
        if not (ends[0] >= least and ends[1] <= most) or not {*range(ends[0], ends[1] + 1)} <= {*known}:
            raise Unclear(str(words["number" if whole else "gap"]).format(text=part, least=least, most=most))
        numbers.extend(range(ends[0], ends[1] + 1))
    return [known.index(number) + 1 for number in numbers]


def starts_word(typed: str, label: str) -> bool:
    """Return whether a word of a label starts with the typed text. Both are in lower case.

    >>> starts_word("red", "buy red lamp"), starts_word("ed", "buy red lamp")
    (True, False)
    """
    return re.search(rf"(?<!\w){re.escape(typed)}", label) is not None


def _named(typed: str, decision: Decision, labels: Sequence[str], words: Mapping[str, object]) -> int:
    named = [
        (number, option.key.lower(), label)
        for number, (option, label) in enumerate(zip(decision.options, labels, strict=True), 1)
    ]
    fits: tuple[Callable[[str, str], bool], ...] = (
        lambda key, label: typed in (key, label),
        lambda key, label: label.startswith(typed) or key.startswith(typed),
        lambda key, label: starts_word(typed, label),
    )
    found: list[tuple[int, str]] = []
    for fit in fits:
        found = found or [(number, label) for number, key, label in named if fit(key, label.lower())]
    if not found:
        inner = re.compile(rf"\b{re.escape(typed)}")
        found = [(number, label) for number, _, label in named if inner.search(label.lower())]
    if not found:
        raise Unclear(str(words["unknown"]).format(text=typed))
    if len(found) > 1:
        shown = numbers_of(decision.options, labels)
        *numbered, last = [f"{shown[number - 1]} ({label})" for number, label in found]
        options = f"{', '.join(numbered)} {words['or']} {last}"
        raise Unclear(str(words["unclear"]).format(text=typed, options=options))
    return found[0][0]
