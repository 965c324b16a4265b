"""What a decision and its options say to the seat that decides: question, labels, effects, and rules.

Used by the prompt of the terminal and by the table in the browser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from attrs import frozen

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.seat_eyes import (
    ComparedValue,
    LeftOut,
    Obstacle,
    Shown,
    ShownValue,
    ShownValues,
    left_out,
    performed,
)
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.views.decision import Decision, Option, offered
from rulewright.interpreter.views.names import Open, parsed, sentence, speaks_count, words
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.narration_messages import KERNEL_OPTIONS
from rulewright.interpreter.views.visibility import NONE
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.language.types import OWN_TEXT
from rulewright.ruleset.table.message import Value, format_message
from rulewright.ruleset.table.nodes import CardInfo, OptionBranch, Site
from rulewright.tools.common.display_texts import imperative, labels, shown_words, value_text
from rulewright.tools.packs.naming import Naming
from rulewright.tools.packs.source_excerpts import DefinitionPage

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

    def _text(self, page: DefinitionPage) -> str:
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

    def named(self, typed: str) -> list[DefinitionPage]:
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

    def page(self, page: DefinitionPage) -> list[str]:
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

    def _performs(self, option: Option) -> list[tuple[str, str, DefinitionPage]]:
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

    def pages(self, option: Option) -> list[DefinitionPage]:
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


# ---- What a decision does not offer, and why: in the words of the options, for the seat that decides
#
# A reason is a sentence for players. It is made of things that have names, and never of the text of a rule.

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_LEFT_OUT_WORDS = {
    "en": {
        "nothing": "there is nothing to choose from",
        "hidden": "something that you do not see decides",
        "none": "none",
        "place": "place {n}",
        "has": "{you, select, yes {you have} other {{seat} has}} {what}",
        "of": "{what}: {value}",
        "of-seat": "{what} ({seat}): {value}",
        ">=": "{what}; at least {value} needed",
        ">": "{what}; more than {value} needed",
        "<=": "{what}; at most {value} allowed",
        "<": "{what}; fewer than {value} allowed",
        "is": "{what}; exactly {value} needed",
        "is not": "{what}; any other number needed",
        "yes": "{you, select, yes {you are} other {{seat} is}} not {what}",
        "no": "{you, select, yes {you are} other {{seat} is}} {what}",
        "empty": "there are cards in {what}",
        "not empty": "there are no cards in {what}",
        "wanted": "needed: {value}",
        "otherwise": "something else is possible",
    },
    "es": {
        "nothing": "no hay nada que elegir",
        "hidden": "decide algo que no ves",
        "none": "ninguno",
        "place": "lugar {n}",
        "has": "{you, select, yes {tienes} other {{seat} tiene}} {what}",
        "of": "{what}: {value}",
        "of-seat": "{what} ({seat}): {value}",
        ">=": "{what}; se necesita un mínimo de {value}",
        ">": "{what}; se necesita más de {value}",
        "<=": "{what}; se permite un máximo de {value}",
        "<": "{what}; se permite menos de {value}",
        "is": "{what}; se necesita exactamente {value}",
        "is not": "{what}; se necesita otro número",
        "yes": "{you, select, yes {tú} other {{seat}}}: no {what}",
        "no": "{you, select, yes {tú} other {{seat}}}: {what}",
        "empty": "hay cartas en {what}",
        "not empty": "no hay cartas en {what}",
        "wanted": "se necesita: {value}",
        "otherwise": "hay otra posibilidad",
    },
}


@frozen
class LeftOutReason:
    """Why some things are not offered: a sentence, empty if there are no words for it.

    `place` is the condition's file and line, for authors of packs; without it there is nothing to choose from.
    """

    names: tuple[str, ...]
    text: str
    place: str


class LeftOutTexts:
    """The texts about what is left out of one open decision."""

    def __init__(self, narrator: Narrator, naming: Naming, game: Game, decision: Decision) -> None:
        self.narrator = narrator
        self.naming = naming
        self.game = game
        self.decision = decision
        self.words = _LEFT_OUT_WORDS[narrator.language]

    def found(self) -> list[LeftOut] | None:
        """Return what is left out; None if the available pack is not the one being played."""
        reasons = self.naming.reasons(self.game.program)
        if reasons is None:
            return None
        return list(left_out(reasons, self.game.state, self.game.knowledge, self.decision.seat))

    def reasons(self, found: Sequence[LeftOut]) -> list[LeftOutReason]:
        """Return the reasons, each once, with the names of everything that it leaves out."""
        groups: dict[tuple[str, str], dict[str, None]] = {}
        for one in found:
            place = f"{one.span.path}:{one.span.line}" if one.span is not None else ""
            groups.setdefault((self.text(one), place), {})[self.name(one)] = None
        return [LeftOutReason(tuple(names), *key) for key, names in groups.items()]

    def text(self, one: LeftOut) -> str:
        """Return why something is not offered, as a sentence; empty if there are no words for it."""
        if one.span is None:
            told = self.words["nothing"]
        elif one.hidden:
            told = self.words["hidden"]
        else:
            told = self._given(one) or (self._built(one.obstacle) if one.obstacle is not None else "")
        return sentence(told) if told.strip() else ""

    def name(self, one: LeftOut) -> str:
        """Name something that is not offered, in the words of the options."""
        narrator = self.narrator
        site = narrator.program.sites[self.decision.site]
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

    # -------------------------------------------------------------- inside

    @cached_property
    def _shown(self) -> ShownValues:
        return ShownValues(self.game.program, self.game.state, self.game.knowledge, self.decision.seat)

    def _member(self, of: str, key: str) -> str:
        if of != "card":
            return value_text(self.narrator, of, key)
        card, _, place = key.partition("@")
        name = self.narrator.several("card", card, 1)
        _, _, number = place.partition("/place-")
        return f"{name} ({self.words['place'].format(n=number)})" if number else name

    def _given(self, one: LeftOut) -> str:
        """Return the pack's own reason: that of the function that fails or else of the option or choice."""
        if one.obstacle is not None and one.obstacle.function:
            return self._filled(f"function/{one.obstacle.function}", one.obstacle.shown)
        site = self.narrator.program.sites[self.decision.site]
        if one.branch < 0:
            return self._filled(site.key, {**self._shown.question, **one.shown})
        branch = site.branches[one.branch]
        known = self._shown.members(one.branch, one.values)
        members = {
            name: ShownValue(of, (value,), False)
            for name, of, value in zip(branch.names, branch.members, one.values, strict=False)
        }
        return self._filled(f"{site.key}.{branch.key}", {**known, **one.shown, **members})

    def _filled(self, key: str, shown: Shown) -> str:
        """Fill in a reason of the pack; empty if it has none. Members of an option that are not known are "…"."""
        given = self.narrator.texts.name(self.narrator.language, "because", key)
        if given is None:
            return ""
        return format_message(parsed(given), Open(shown_words(self.narrator, shown)), self.narrator.language)

    def _built(self, obstacle: Obstacle) -> str:
        """Word the part of a condition that fails; empty without names for what decides."""
        if obstacle.op == "otherwise":
            return self.words["otherwise"]
        if not obstacle.compared:
            return ""
        op, (first, *more) = obstacle.op, obstacle.compared
        if first.values is None or any(one.values is None for one in more):
            return ""
        if op in ("empty", "not empty"):
            return self._emptiness(op, first)
        if op in ("yes", "no"):
            return self._truth(op, first)
        (second,) = more or (first,)
        if op == "has" or (op == "is" and not self._track(first) and not self._track(second)):
            return self._wanted(second)
        if op not in (*_FLIPPED, "is", "is not"):
            return ""
        if not self._track(first):
            op, first, second = _FLIPPED.get(op, op), second, first
        if not self._track(first):
            return ""
        if first.of != "number":
            return self._holds(first)
        return self._say(op, what=self._count(first), value=self._value(second))

    def _track(self, one: ComparedValue) -> str | None:
        """Return the pack's name for the track that holds a value."""
        return self.narrator.texts.name(self.narrator.language, "track", one.track) if one.track else None

    def _emptiness(self, op: str, zone: ComparedValue) -> str:
        if zone.of != "zone" or not zone.values:
            return ""
        number = int(zone.values[0])
        key = self.narrator.program.zones[number].zone
        named = self.narrator.texts.name(self.narrator.language, "zone", key) is not None
        return self._say(op, what=self.narrator.one_zone(number)) if named else ""

    def _truth(self, op: str, one: ComparedValue) -> str:
        if self._track(one) is None:
            return ""
        if one.owner < 0:
            return self._holds(one)
        return self._say(op, what=self.narrator.name("track", one.track, 1), **self.narrator.who(one.owner))

    def _wanted(self, one: ComparedValue) -> str:
        """Word the member of an enumeration, or the definition, that something must be or have."""
        language, texts = self.narrator.language, self.narrator.texts
        if one.of in ("number", "boolean", "card", "seat", "player", "zone") or len(one.values or ()) != 1:
            return ""
        named = texts.name(language, one.of, (one.values or ("",))[0]) is not None
        return self._say("wanted", value=self._value(one)) if named else ""

    def _holds(self, one: ComparedValue) -> str:
        """Say what a track holds."""
        what, value = self.narrator.name("track", one.track, 1), self._value(one)
        if one.owner < 0:
            return self._say("of", what=what, value=value)
        return self._say("of-seat", what=what, value=value, **self.narrator.who(one.owner))

    def _count(self, one: ComparedValue) -> str:
        """Say which number a track holds: `you have 3 coins`, or `turn: 3` for one of the game."""
        number, given = int((one.values or ("0",))[0]), self._track(one)
        name = self.narrator.name("track", one.track, number)
        counted = name if speaks_count(given) else f"{number} {name}"
        if one.owner >= 0:
            return self._say("has", what=counted, **self.narrator.who(one.owner))
        return counted if "{" in (given or "") else self._say("of", what=name, value=str(number))

    def _value(self, one: ComparedValue) -> str:
        names = [self.words["none"] if key == NONE else self._member(one.of, key) for key in one.values or ()]
        return self.narrator.join(names) or self.words["none"]

    def _say(self, key: str, **values: Value) -> str:
        return format_message(parsed(self.words[key]), values, self.narrator.language)
