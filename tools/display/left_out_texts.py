"""What a decision does not offer, and why: in the words of the options, for the seat that decides.

A reason is a sentence for players. It is made of things that have names, and never of the text of a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from attrs import frozen

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.seat_eyes import (
    Compared,
    LeftOut,
    Obstacle,
    Shown,
    ShownValue,
    ShownValues,
    left_out,
)
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.names import Open, parsed, sentence, speaks_count
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.visibility import NONE
from rulewright.ruleset.table.message import Value, format_message
from rulewright.tools.common.option_labels import imperative, shown_words
from rulewright.tools.common.value_names import value_text
from rulewright.tools.packs.naming import Naming

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WORDS = {
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
class Reason:
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
        self.words = _WORDS[narrator.language]

    def found(self) -> list[LeftOut] | None:
        """Return what is left out; None if the available pack is not the one being played."""
        reasons = self.naming.reasons(self.game.program)
        if reasons is None:
            return None
        return list(left_out(reasons, self.game.state, self.game.knowledge, self.decision.seat))

    def reasons(self, found: Sequence[LeftOut]) -> list[Reason]:
        """Return the reasons, each once, with the names of everything that it leaves out."""
        groups: dict[tuple[str, str], dict[str, None]] = {}
        for one in found:
            place = f"{one.span.path}:{one.span.line}" if one.span is not None else ""
            groups.setdefault((self.text(one), place), {})[self.name(one)] = None
        return [Reason(tuple(names), *key) for key, names in groups.items()]

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

    def _track(self, one: Compared) -> str | None:
        """Return the pack's name for the track that holds a value."""
        return self.narrator.texts.name(self.narrator.language, "track", one.track) if one.track else None

    def _emptiness(self, op: str, zone: Compared) -> str:
        if zone.of != "zone" or not zone.values:
            return ""
        number = int(zone.values[0])
        key = self.narrator.program.zones[number].zone
        named = self.narrator.texts.name(self.narrator.language, "zone", key) is not None
        return self._say(op, what=self.narrator.one_zone(number)) if named else ""

    def _truth(self, op: str, one: Compared) -> str:
        if self._track(one) is None:
            return ""
        if one.owner < 0:
            return self._holds(one)
        return self._say(op, what=self.narrator.name("track", one.track, 1), **self.narrator.who(one.owner))

    def _wanted(self, one: Compared) -> str:
        """Word the member of an enumeration, or the definition, that something must be or have."""
        language, texts = self.narrator.language, self.narrator.texts
        if one.of in ("number", "boolean", "card", "seat", "player", "zone") or len(one.values or ()) != 1:
            return ""
        named = texts.name(language, one.of, (one.values or ("",))[0]) is not None
        return self._say("wanted", value=self._value(one)) if named else ""

    def _holds(self, one: Compared) -> str:
        """Say what a track holds."""
        what, value = self.narrator.name("track", one.track, 1), self._value(one)
        if one.owner < 0:
            return self._say("of", what=what, value=value)
        return self._say("of-seat", what=what, value=value, **self.narrator.who(one.owner))

    def _count(self, one: Compared) -> str:
        """Say which number a track holds: `you have 3 coins`, or `turn: 3` for one of the game."""
        number, given = int((one.values or ("0",))[0]), self._track(one)
        name = self.narrator.name("track", one.track, number)
        counted = name if speaks_count(given) else f"{number} {name}"
        if one.owner >= 0:
            return self._say("has", what=counted, **self.narrator.who(one.owner))
        return counted if "{" in (given or "") else self._say("of", what=name, value=str(number))

    def _value(self, one: Compared) -> str:
        names = [self.words["none"] if key == NONE else self._member(one.of, key) for key in one.values or ()]
        return self.narrator.join(names) or self.words["none"]

    def _say(self, key: str, **values: Value) -> str:
        return format_message(parsed(self.words[key]), values, self.narrator.language)
