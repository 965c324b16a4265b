"""`why`: show which options a decision leaves out, and the condition for this."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rich.text import Text

from interpreter.game.game import Game
from interpreter.game.shown_values import ShownValues
from interpreter.game.why_not_offered import Fact, LeftOut, left_out
from interpreter.views.decision import Decision
from interpreter.views.visibility import NONE
from ruleset.common.span import Span
from ruleset.common.terminal_text import harmless
from tools.common.option_labels import imperative, shown_words
from tools.display.screen import Screen
from tools.display.value_names import value_text
from tools.packs.naming import Naming
from tools.playing.answer_parser import starts_word
from tools.playing.numbering import numbers_of

_WORDS = {
    "en": {
        "not-here": "The pack of this game is not at hand as it was played, so its rules cannot be looked up.",
        "everything": "Nothing is left out: all options are offered.",
        "unknown": "{text}: this decision is not about that.",
        "is": "{text} is offered: it is number {n}.",
        "left-out": "Not offered:",
        "nothing": "there is nothing to choose from",
        "hidden": "a hidden fact decides",
        "unseen": "hidden",
        "none": "none",
        "place": "place {n}",
    },
    "es": {
        "not-here": "El paquete de la partida no está a mano tal como se jugó; sus reglas no se pueden consultar.",
        "everything": "No falta nada: se ofrecen todas las opciones.",
        "unknown": "{text}: esta decisión no trata de eso.",
        "is": "{text} se ofrece: es el número {n}.",
        "left-out": "No se ofrece:",
        "nothing": "no hay nada que elegir",
        "hidden": "decide un hecho oculto",
        "unseen": "oculto",
        "none": "ninguno",
        "place": "lugar {n}",
    },
}


class Why:
    """The reasons at one decision, for the person who decides."""

    def __init__(
        self, screen: Screen, naming: Naming, game: Game, decision: Decision, labels: Sequence[str]
    ) -> None:
        self.screen = screen
        self.naming = naming
        self.game = game
        self.decision = decision
        self.labels = labels
        self.words = _WORDS[screen.narrator.language]

    def show(self, name: str = "") -> None:
        """Print what is not offered; with a name, only matching items, or that it is offered."""
        found = self._found()
        if found is None:
            self._say(self.words["not-here"])
            return
        if name:
            numbered = zip(numbers_of(self.decision.options, self.labels), self.labels, strict=True)
            offered = [number for number, label in numbered if starts_word(name.lower(), label.lower())]
            found = [one for one in found if _fits(name, self.name(one), one)]
            if not found:
                text = self.words["is"].format(text=name, n=offered[0]) if offered else ""
                self._say(text or self.words["unknown"].format(text=name), "" if offered else "red")
                return
        if not found:
            self._say(self.words["everything"])
            return
        self._say(self.words["left-out"], "bold")
        groups: dict[tuple[Span | None, bool, tuple[Fact, ...]], list[str]] = {}
        for one in found:
            groups.setdefault((one.span, one.hidden, one.facts), []).append(self.name(one))
        for (span, hidden, facts), names in groups.items():
            self._reason("; ".join(dict.fromkeys(names)), span, hidden, facts)

    def refused(self, typed: str) -> bool:
        """Print the reason if the typed text names something that is not offered; return whether it does."""
        found = [one for one in self._found() or () if typed and _fits(typed, self.name(one), one)]
        if found:
            self.show(typed)
        return bool(found)

    # -------------------------------------------------------------- inside

    def _found(self) -> list[LeftOut] | None:
        reasons = self.naming.reasons(self.game.program)
        if reasons is None:
            return None
        return list(left_out(reasons, self.game.state, self.game.knowledge, self.decision.seat))

    @cached_property
    def _shown(self) -> ShownValues:
        return ShownValues(self.game.program, self.game.state, self.game.knowledge, self.decision.seat)

    def name(self, one: LeftOut) -> str:
        """Name something that is not offered, in the words of the options."""
        narrator = self.screen.narrator
        site = self.screen.program.sites[self.decision.site]
        members = [self._member(of, key) for of, key in zip(one.sorts, one.members, strict=True)]
        if one.branch < 0:
            name = ", ".join(members)
        else:
            branch = site.branches[one.branch]
            key = f"{site.key}.{branch.key}"
            more = shown_words(narrator, self._shown.members(one.branch, one.values))
            told = narrator.option_with(key, {**more, **dict(zip(branch.names, members, strict=False))})
            label = imperative(told or narrator.name("option", key, 1), narrator.language)
            name = f"{label}: {', '.join(members)}" if members and told is None else label
        return name[:1].upper() + name[1:]

    def _member(self, of: str, key: str) -> str:
        if of != "card":
            return value_text(self.screen.narrator, of, key)
        card, _, place = key.partition("@")
        name = self.screen.narrator.several("card", card, 1)
        _, _, number = place.partition("/place-")
        return f"{name} ({self.words['place'].format(n=number)})" if number else name

    def _reason(self, names: str, span: Span | None, hidden: bool, facts: Sequence[Fact]) -> None:
        self.screen.hanging(f"  {names}", indent=4)
        if span is None:
            self.screen.hanging(f"    {self.words['nothing']}", indent=6)
            return
        book = self.naming.book
        written = " ".join(book.excerpt(span).split()) if book else ""
        self.screen.hanging(f"    {written}   ({span.path}:{span.line})" if written else f"    {span}", indent=6)
        told = [f"{self._written(fact.span)} = {self._value(fact)}" for fact in facts]
        told = list(dict.fromkeys(told)) + ([self.words["hidden"]] if hidden else [])
        if told:
            self.screen.hanging(f"    {'; '.join(told)}", indent=6, style="dim")

    def _written(self, span: Span) -> str:
        return " ".join(self.naming.book.excerpt(span).split()) if self.naming.book else "?"

    def _value(self, fact: Fact) -> str:
        if fact.values is None:
            return self.words["unseen"]
        if not fact.values:
            return self.words["none"]
        return ", ".join(self.words["none"] if one == NONE else self._member(fact.of, one) for one in fact.values)

    def _say(self, text: str, style: str = "") -> None:
        self.screen.console.print(Text(harmless(text), style))


def _fits(typed: str, name: str, one: LeftOut) -> bool:
    wanted = typed.lower()
    keys = [key.partition("@")[0] for key in one.members]
    parts = [name, *name.split(": ")[1:]]
    return any(text.lower().startswith(wanted) for text in (*parts, *keys))
