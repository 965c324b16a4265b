"""What a decision does not offer, and why: in the words of the options, for the seat that decides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from attrs import frozen

from interpreter.game.game import Game
from interpreter.game.shown_values import ShownValues
from interpreter.game.why_not_offered import Fact, LeftOut, left_out
from interpreter.views.decision import Decision
from interpreter.views.narration import Narrator
from interpreter.views.visibility import NONE
from ruleset.common.span import Span
from tools.common.option_labels import imperative, shown_words
from tools.display.value_names import value_text
from tools.packs.naming import Naming

_WORDS = {
    "en": {
        "nothing": "there is nothing to choose from",
        "hidden": "a hidden fact decides",
        "unseen": "hidden",
        "none": "none",
        "place": "place {n}",
    },
    "es": {
        "nothing": "no hay nada que elegir",
        "hidden": "decide un hecho oculto",
        "unseen": "oculto",
        "none": "ninguno",
        "place": "lugar {n}",
    },
}


@frozen
class Reason:
    """Why some things are not offered: the condition as written, its place, and the values that it reads.

    Without a `rule` there is nothing to choose from, and `place` is empty.
    """

    names: tuple[str, ...]
    rule: str
    place: str
    facts: tuple[str, ...]


class LeftOutTexts:
    """The texts about what is left out of one open decision."""

    def __init__(self, narrator: Narrator, naming: Naming, game: Game, decision: Decision) -> None:
        self.narrator = narrator
        self.naming = naming
        self.game = game
        self.decision = decision
        self.words = _WORDS[narrator.language]

    def found(self) -> list[LeftOut] | None:
        """Return what is left out; None if the available pack is not the one being played."""
        reasons = self.naming.reasons(self.game.program)
        if reasons is None:
            return None
        return list(left_out(reasons, self.game.state, self.game.knowledge, self.decision.seat))

    def reasons(self, found: Sequence[LeftOut]) -> list[Reason]:
        """Return the reasons, each once, with the names of everything that it leaves out."""
        groups: dict[tuple[Span | None, bool, tuple[Fact, ...]], list[str]] = {}
        for one in found:
            groups.setdefault((one.span, one.hidden, one.facts), []).append(self.name(one))
        return [self._reason(names, *key) for key, names in groups.items()]

    def reason(self, one: LeftOut) -> Reason:
        """Return the reason for one thing."""
        return self._reason([self.name(one)], one.span, one.hidden, one.facts)

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

    def _reason(self, names: Sequence[str], span: Span | None, hidden: bool, facts: Sequence[Fact]) -> Reason:
        names = tuple(dict.fromkeys(names))
        if span is None:
            return Reason(names, self.words["nothing"], "", ())
        book = self.naming.book
        written = " ".join(book.excerpt(span).split()) if book else ""
        told = dict.fromkeys(f"{self._written(fact.span)} = {self._value(fact)}" for fact in facts)
        more = [self.words["hidden"]] if hidden else []
        return Reason(names, written, f"{span.path}:{span.line}" if written else str(span), (*told, *more))

    def _written(self, span: Span) -> str:
        return " ".join(self.naming.book.excerpt(span).split()) if self.naming.book else "?"

    def _value(self, fact: Fact) -> str:
        if fact.values is None:
            return self.words["unseen"]
        if not fact.values:
            return self.words["none"]
        return ", ".join(self.words["none"] if one == NONE else self._member(fact.of, one) for one in fact.values)
