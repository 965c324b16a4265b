"""Parse a typed answer to a decision into option keys, or explain why it is invalid."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from rich.text import Text

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.seat_eyes import LeftOut
from rulewright.interpreter.views.decision import Decision, Option, only_answer, resolve
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.display.decision_texts import LeftOutReason, LeftOutTexts
from rulewright.tools.display.screen import Screen
from rulewright.tools.packs.naming import Naming

# ---- The numbers that people type for options: their places, or the numbers that they offer

def numbers_of(options: Sequence[Option], labels: Sequence[str]) -> list[int]:
    """Return the number of each option.

    If each option offers a number and its label ends with it ("Bid 0", "Bid 1"), these are the numbers, so that
    nobody bids 1 by typing 2. Otherwise options are counted from 1.
    """
    offered = [option.key.rpartition(":")[2] for option in options]
    ends = all(
        key.isascii() and key.isdigit() and label.split()[-1:] == [key]
        for key, label in zip(offered, labels, strict=True)
    )
    if ends and len(set(offered)) == len(offered):
        return [int(key) for key in offered]
    return list(range(1, len(options) + 1))


# ---- Answer parser

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


# ---- `why`: show which options a decision leaves out, and the condition for this

_WORDS = {
    "en": {
        "not-here": "The pack of this game is not at hand as it was played, so its rules cannot be looked up.",
        "everything": "Nothing is left out: all options are offered.",
        "unknown": "{text}: this decision is not about that.",
        "is": "{text} is offered: it is number {n}.",
        "left-out": "Not offered:",
    },
    "es": {
        "not-here": "El paquete de la partida no está a mano tal como se jugó; sus reglas no se pueden consultar.",
        "everything": "No falta nada: se ofrecen todas las opciones.",
        "unknown": "{text}: esta decisión no trata de eso.",
        "is": "{text} se ofrece: es el número {n}.",
        "left-out": "No se ofrece:",
    },
}


class Why:
    """The reasons at one decision, for the person who decides."""

    def __init__(
        self, screen: Screen, naming: Naming, game: Game, decision: Decision, labels: Sequence[str]
    ) -> None:
        self.screen = screen
        self.told = LeftOutTexts(screen.narrator, naming, game, decision)
        self.decision = decision
        self.labels = labels
        self.words = _WORDS[screen.narrator.language]

    def show(self, name: str = "") -> None:
        """Print what is not offered; with a name, only matching items, or that it is offered."""
        found = self.told.found()
        if found is None:
            self._say(self.words["not-here"])
            return
        if name:
            numbered = zip(numbers_of(self.decision.options, self.labels), self.labels, strict=True)
            offered = [number for number, label in numbered if starts_word(name.lower(), label.lower())]
            found = [one for one in found if _fits(name, self.told.name(one), one)]
            if not found:
                text = self.words["is"].format(text=name, n=offered[0]) if offered else ""
                self._say(text or self.words["unknown"].format(text=name), "" if offered else "red")
                return
        if not found:
            self._say(self.words["everything"])
            return
        self._say(self.words["left-out"], "bold")
        for reason in self.told.reasons(found):
            self._reason(reason, bool(name))

    def refused(self, typed: str) -> bool:
        """Print the reason if the typed text names something that is not offered; return whether it does."""
        found = [one for one in self.told.found() or () if typed and _fits(typed, self.told.name(one), one)]
        if found:
            self.show(typed)
        return bool(found)

    # -------------------------------------------------------------- inside

    def _reason(self, reason: LeftOutReason, place: bool) -> None:
        """Print a reason and, if asked for, the place of its rule."""
        self.screen.hanging(f"  {'; '.join(reason.names)}", indent=4)
        if reason.text:
            self.screen.hanging(f"    {reason.text}", indent=6)
        if place and reason.place:
            self.screen.hanging(f"    ({reason.place})", indent=6, style="dim")

    def _say(self, text: str, style: str = "") -> None:
        self.screen.console.print(Text(harmless(text), style))


def _fits(typed: str, name: str, one: LeftOut) -> bool:
    wanted = typed.lower()
    keys = [key.partition("@")[0] for key in one.members]
    parts = [name, *name.split(": ")[1:]]
    return any(text.lower().startswith(wanted) for text in (*parts, *keys))
