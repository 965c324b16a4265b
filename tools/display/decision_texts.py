"""What a decision and its options say to the seat that decides: question, labels, effects, and rules.

Used by the prompt of the terminal and by the table in the browser.
"""

from __future__ import annotations

import re

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.seat_eyes import ShownValues, performed
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.views.decision import Decision, offered
from rulewright.interpreter.views.names import Open, parsed, words
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.narration_messages import KERNEL_OPTIONS
from rulewright.interpreter.views.options import Option
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.language.names import OWN_TEXT
from rulewright.ruleset.table.message import format_message
from rulewright.ruleset.table.nodes import CardInfo, OptionBranch, Site
from rulewright.tools.common.option_labels import labels, shown_words
from rulewright.tools.packs.naming import Naming
from rulewright.tools.packs.source_excerpts import Page

_WORDS = {
    "en": {
        "order": "Which card goes next?",
        "unseen": "You cannot see which card this is.",
        "nothing": "The pack tells nothing more about it.",
        "source": "in {place}",
    },
    "es": {
        "order": "¿Qué carta va ahora?",
        "unseen": "No puedes ver qué carta es.",
        "nothing": "El paquete no dice nada más sobre ello.",
        "source": "en {place}",
    },
}
_VALUES = {"es": {"true": "sí", "false": "no", "none": "ninguno"}}


class DecisionTexts:
    """The texts of one open decision. `decision` has the raw values of its options, which no seat may see."""

    def __init__(self, narrator: Narrator, naming: Naming, game: Game, decision: Decision) -> None:
        self.narrator = narrator
        self.naming = naming
        self.game = game
        self.program = narrator.program
        self.decision = offered(game.program, game.state, decision.seat, game.knowledge)
        self.language = narrator.language
        self.words = _WORDS[self.language]
        self.site: Site = self.program.sites[decision.site]
        self.shown = ShownValues(game.program, game.state, game.knowledge, decision.seat)
        notes = naming.notes.get(narrator.language, {})
        self.labels = [*map(harmless, labels(self.decision, narrator, notes, self.shown))]
        self._performed: dict[int, tuple[tuple[str, str, str], ...]] | None = None
        self._cards = {card.key: card for card in self.program.cards}

    def question(self) -> str:
        """Return the pack's question, the name of the step that asks, or the definition whose effect asks."""
        narrator, texts = self.narrator, dict(self.site.prompt)
        asked = texts.get(self.language) or next(iter(texts.values()), None)
        if asked is not None:
            values = Open(shown_words(narrator, self.shown.question))
            return format_message(parsed(asked), values, self.language)
        if self.site.private:
            return self.words["order"]
        source = self.program.sources[self.decision.at].name
        return self.naming.texts.text(self.language, source) or self._asking(source)

    def _asking(self, source: str) -> str:
        """Return the name and the text of the definition whose effect asks; empty if no effect does."""
        definition, _, effect = source.removeprefix("effect/").partition(".")
        page = self.naming.book.page(definition) if self.naming.book else None
        if page is None or not any(effect.startswith(name.split()[0]) for name, _ in page.effects):
            return ""
        return ": ".join(filter(None, (self._title(page.key, page.kind), self._text(page))))

    def brief(self, option: Option) -> str:
        """Describe an option's effect in one line, in the pack's words; empty without any.

        This is the pack's own text below the option; else that of its card, or of the definitions that it performs.
        """
        branch, text = self.branch(option), self._printed(option)
        key = self.site.key if branch is None else f"{self.site.key}.{branch.key}"
        given = self.naming.texts.name(self.language, "option-text", key)
        if given is None or "{" not in given:
            return text if given is None else given
        shown = {**self.shown.question, **(self.shown.option(option.values[0]) if branch is not None else {})}
        values = Open({**shown_words(self.narrator, shown), OWN_TEXT: text})
        return format_message(parsed(given), values, self.language).strip()

    def _printed(self, option: Option) -> str:
        """Return the text of an option's card, or of the definitions that it performs."""
        for page in self.pages(option):
            text = self._text(page)
            if text:
                return text
        told = dict.fromkeys(
            f"{name}: {text}" for name, _, page in self._performs(option) if (text := self._text(page))
        )
        return "; ".join(told)

    def _text(self, page: Page) -> str:
        """Return the printed text of a definition in one line."""
        text = dict(page.text)
        return " ".join((text.get(self.language) or next(iter(text.values()), "")).split())

    def full(self, place: int) -> list[str]:
        """Return everything known of the option at an index: its label, its rule, and its cards."""
        option, lines = self.decision.options[place], [self.labels[place]]
        rule, at = self._rule(option), self._at(option)
        if rule:
            lines += ["", *(f"    {line}" for line in rule.split("\n"))]
            if self.naming.book and self.naming.book.place(at):
                lines.append(f"  {self.words['source'].format(place=self.naming.book.place(at))}")
        pages = [*self.pages(option), *(page for *_, page in self._performs(option))]
        for page in pages:
            lines += ["", *self.page(page)]
        if len(lines) == 1:
            unseen = self.site.of == "card" and option.key.split("@")[0].split("-")[0] in ("place", "unseen")
            lines.append(self.words["unseen" if unseen else "nothing"])
        return lines

    def named(self, typed: str) -> list[Page]:
        """Return the definitions whose name or key starts with `typed`."""
        book, wanted = self.naming.book, typed.lower()
        if book is None or not wanted:
            return []
        found = []
        for definition in book.program.definitions:
            name = self._title(definition.key, definition.kind)
            page = book.page(definition.key)
            if page is not None and (name.lower().startswith(wanted) or definition.key.startswith(wanted)):
                found.append(page)
        return found

    def page(self, page: Page) -> list[str]:
        """Return a definition in full."""
        name = self._title(page.key, page.kind)
        kind = self.narrator.name("kind", page.kind, 1)
        lines = [f"{name[:1].upper()}{name[1:]} ({kind})"]
        text = dict(page.text)
        if text:
            said = text.get(self.language) or next(iter(text.values()))
            lines += [f"  {line}".rstrip() for line in said.splitlines()]
        for field, value in page.fields:
            lines.append(f"  {words(field)}: {self._members(value)}")
        for effect, written in page.effects:
            if "\n" in written:
                lines += [f"  {words(effect)}:", *(f"    {line}" for line in written.split("\n"))]
            elif written:
                lines.append(f"  {words(effect)}: {written}")
        if page.place:
            lines.append(f"  {self.words['source'].format(place=page.place)}")
        return lines

    def _members(self, value: str) -> str:
        """Name the members of enumerations and the definitions in a field's value."""
        return re.sub(r"[\w-]+", lambda found: self._member(found[0]), value)

    def _member(self, value: str) -> str:
        enumerations = [one.key for one in self.program.enumerations if value in one.members]
        page = self.naming.book.page(value) if self.naming.book else None
        if enumerations:
            return self.narrator.name(enumerations[0], value, 1)
        if page is not None:
            return self._title(page.key, page.kind)
        return _VALUES.get(self.language, {}).get(value, value)

    # -------------------------------------------------------------- inside

    def _title(self, definition: str, kind: str) -> str:
        card = next((card.key for card in self._cards.values() if card.definition == definition), None)
        thing, key = (kind, definition) if card is None else ("card", card)
        return self.narrator.name(thing, key, 1)

    def branch(self, option: Option) -> OptionBranch | None:
        return self.site.branches[unfold(self.site, option.values[0])[0]] if self.site.of == "menu" else None

    def _at(self, option: Option) -> int:
        branch, book = self.branch(option), self.naming.book
        return book.branch(self.site.key, branch.key) if branch is not None and book is not None else -1

    def _performs(self, option: Option) -> list[tuple[str, str, Page]]:
        """Return the effects of already known cards that an option performs: card, rule, and page."""
        book = self.naming.book
        if self.site.of != "menu" or book is None or "perform" not in self._rule(option):
            return []
        if self._performed is None:
            reasons = self.naming.reasons(self.program)
            game, seat = self.game, self.decision.seat
            self._performed = performed(reasons, game.state, game.knowledge, seat) if reasons else {}
        found = []
        for effect, of, key in self._performed.get(unfold(self.site, option.values[0])[0], ()):
            card = self._cards.get(key.partition("@")[0]) if of == "card" else None
            page = book.page(card.definition, _copy(card)) if card else book.page(key)
            if page is None:
                continue
            name = self._title(page.key, page.kind)
            written = dict(page.effects).get(effect)
            if written:
                found.append((f"{name[:1].upper()}{name[1:]}", written, page))
        return found

    def _rule(self, option: Option) -> str:
        """Return the rule of a menu's option, as written in the pack."""
        branch, book = self.branch(option), self.naming.book
        if branch is None or book is None or branch.key in KERNEL_OPTIONS[1:]:
            return ""
        return re.sub(rf"^{branch.key}( when [^\n]*?)?:\s+", "", book.rule(self._at(option)))

    def pages(self, option: Option) -> list[Page]:
        """Return the definitions named by an option, as far as the seat can identify them."""
        book = self.naming.book
        if book is None:
            return []
        found = []
        for part in option.key.replace(":", ",").split(","):
            card: CardInfo | None = self._cards.get(part.split("@")[0].split("+")[0])
            page = book.page(card.definition, _copy(card)) if card else book.page(part)
            if page is not None and page not in found:
                found.append(page)
        return found


def _copy(card: CardInfo) -> int:
    """Return the copy number of a card if copies of its definition differ; else 0."""
    tail = card.key.removeprefix(f"{card.definition}-")
    return int(tail) if card.key != card.definition and tail.isdigit() else 0
