"""Show a decision to a person: the question, the numbered options, and their effects."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.views.decision import Decision, only_answer
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.display.decision_texts import DecisionTexts
from rulewright.tools.display.screen import Screen
from rulewright.tools.packs.naming import Naming
from rulewright.tools.playing.numbering import numbers_of

FEW = 4
"""In longer lists a text that the person has already seen is cut to one line."""
BRIEF = 12
"""In longer lists the text of an option is shown only the first time."""
_WORDS = {
    "en": {
        "one": "Choose one",
        "optional": "Choose one, or none with Enter",
        "several": "Choose {least}",
        "range": "Choose {least} to {most}",
        "any": "Choose up to {most}{such}, or none with Enter",
        "all": "Choose up to {most}{such}, all with “all”, or none with Enter",
        "such": " (such as {numbers})",
        "empty": "There is nothing to choose. Press Enter.",
        "single": "There is only one answer. Press Enter.",
        "only": "The only option: {options}.",
        "nothing-there": "There is nothing to choose.",
    },
    "es": {
        "one": "Elige una opción",
        "optional": "Elige una opción, o ninguna con Intro",
        "several": "Elige {least}",
        "range": "Elige de {least} a {most}",
        "any": "Elige hasta {most}{such}, o ninguna con Intro",
        "all": "Elige hasta {most}{such}, todas con «todas», o ninguna con Intro",
        "such": " (por ejemplo, {numbers})",
        "empty": "No hay nada que elegir. Pulsa Intro.",
        "single": "Solo hay una respuesta. Pulsa Intro.",
        "only": "La única opción: {options}.",
        "nothing-there": "No hay nada que elegir.",
    },
}


class DecisionPrompt:
    """One decision, as shown to a person."""

    def __init__(
        self, screen: Screen, naming: Naming, game: Game, decision: Decision, texts: set[str] | None = None
    ) -> None:
        self.texts = texts if texts is not None else set()
        """The texts of options that this person has already seen in full."""
        self.screen = screen
        self.told = DecisionTexts(screen.narrator, naming, game, decision)
        self.decision = self.told.decision
        self.labels = self.told.labels
        self.words = _WORDS[self.told.language]
        self.numbers = numbers_of(self.decision.options, self.labels)

    def show(self, hint: str) -> None:
        """Print the question and its options."""
        console = self.screen.console
        question, bounds = harmless(self.told.question()), self._bounds()
        if question and only_answer(self.decision) is not None:
            bounds = f"{question[:1].upper()}{question[1:]} {bounds}"
        elif question:
            bounds = (
                f"{question[:1].upper()}{question[1:]} {self.screen.glyphs.dot} {bounds[:1].lower()}{bounds[1:]}"
            )
        console.print()
        if len(bounds) + len(hint) + 4 <= console.width:
            console.print(Text.assemble((bounds, "bold"), (f"  ({hint})", "dim")))
        else:
            self.screen.hanging(bounds, indent=2, style="bold")
            self.screen.hanging(f"  ({hint})", indent=2, style="dim")
        width = max((len(str(number)) for number in self.numbers), default=1)
        brief, before = len(self.labels) <= BRIEF, ""
        for number, option, label in zip(self.numbers, self.decision.options, self.labels, strict=True):
            times = f"  {self.screen.glyphs.times}{option.count}" if option.count > 1 else ""
            console.print(Text.assemble((f"  {number:>{width}} ", "bold cyan"), label, (times, "dim")))
            does = self.told.brief(option)
            if does and does != before and (does not in self.texts or len(self.labels) <= FEW):
                self.texts.add(does)
                self.screen.hanging(" " * (width + 5) + does, width + 5, "dim")
            elif does and does != before and brief:
                line = Text(" " * (width + 5) + does, "dim")
                line.truncate(console.width, overflow="ellipsis" if self.screen.glyphs.times == "×" else "crop")
                console.print(line, no_wrap=True)
            before = does

    def only(self, answer: Sequence[str]) -> str:
        """Say that the question has been answered with the only answer that it has.

        Empty if the pack wants no line about this option, or if it has no words for a question without options.
        """
        branches = [self.told.branch(option) for option in self.decision.options if option.key in answer]
        texts = self.screen.narrator.texts
        logs = [texts.name(self.told.language, "log", f"{self.told.site.key}.{one.key}") for one in branches if one]
        if logs == [""]:
            return ""
        question = harmless(self.told.question())
        if not answer and self.told.site.prompt and not question.strip():
            return ""
        chosen = [
            label for option, label in zip(self.decision.options, self.labels, strict=True) if option.key in answer
        ]
        told = self.words["only" if chosen else "nothing-there"].format(options=", ".join(chosen))
        return f"{question[:1].upper()}{question[1:]} {told}" if question else told

    def full(self, number: int) -> list[str]:
        """Return everything known of the option with a number."""
        return self.told.full(self.numbers.index(number))

    def _bounds(self) -> str:
        least, most = self.decision.least, self.decision.most
        only = only_answer(self.decision)
        if only is not None:
            return self.words["single" if only else "empty"]
        if most == 1:
            return self.words["one" if least else "optional"]
        counts = [option.count for option in self.decision.options]
        every = "all" if most == sum(counts) else "any"
        copies = next((number for number, count in zip(self.numbers, counts, strict=True) if count > 1), None)
        such = "" if copies is None else self.words["such"].format(numbers=f"{copies} {copies}")
        kind = "several" if least == most else "range" if least else every
        return self.words[kind].format(least=least, most=most, such=such)
