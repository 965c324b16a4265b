"""`why`: show which options a decision leaves out, and the condition for this."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.seat_eyes import LeftOut
from rulewright.interpreter.views.decision import Decision
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.display.left_out_texts import LeftOutTexts, Reason
from rulewright.tools.display.screen import Screen
from rulewright.tools.packs.naming import Naming
from rulewright.tools.playing.answer_parser import starts_word
from rulewright.tools.playing.numbering import numbers_of

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

    def _reason(self, reason: Reason, place: bool) -> None:
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
