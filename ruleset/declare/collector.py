"""Shared parts of collecting declarations: names, types, and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.limits import empty_range, number_hint, too_large, whole
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.kinds import KIND_OF, SECTIONS, SINGLES
from rulewright.ruleset.language.syntax_errors import LOCAL_NOT_NAMES, NOT_NAMES, reserved
from rulewright.ruleset.language.types import (
    BOOLEAN,
    CARD,
    CHOICE,
    KERNEL_FUNCTIONS,
    NAME,
    NUMBER,
    PLAYER,
    RESERVED,
    ZONE,
    Type,
)
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, texts_of, words_of
from rulewright.ruleset.source.reader import Document

# ---- Names that a pack cannot declare, because uses of them would mean something built in
#
# `RESERVED` and `NOT_NAMES` are words that nothing can be called; these are taken only for some sorts of
# things.

_READ_ALONE = ("zones", "tracks", "lists", "values", "options", "enumerations", "function", "definitions")
"""Groups whose names can be used alone in effects."""
_SCORE = "`score` is built in: the points of each player"
_CARD = {
    "home": "`x's home` is built in: the zone to which a card goes home",
    "definition": "`x's definition` is built in: the definition that a card is a copy of",
}


def kernel_meaning(group: str, name: str, scope: tuple[str, ...] = ()) -> str | None:
    """Describe the built-in meaning of a declared name; None if it has none.

    `group` is the section, or the key of the document; `scope` that of a track or list.
    """
    if group == "function" and name in KERNEL_FUNCTIONS:
        return f"`{name}(…)` is a built-in function"
    if group in _READ_ALONE and name == "score":
        return _SCORE
    if group == "tracks" and name in ("in-game", "winner"):
        whose = "players who are still in the game" if name == "in-game" else "winners"
        return f"`{name}` is built in: the track of {whose}"
    if group == "lists" and name == "living":
        return "`living` is built in: the list of the players in the game"
    if group == "zones" and name == "home":
        return "`home` is built in: `move … to home` moves each card to its home"
    if group in ("tracks", "lists") and set(scope) - {"game", "player"}:
        return _CARD.get(name)
    if group in ("fields", "effects", "expressions"):
        return _CARD.get(name) or (f"`{name}` is a word of the language" if name in LOCAL_NOT_NAMES else None)
    return None


# ---- Read the ranges that declarations write: `0 to 9`

Report = Callable[[str, Span, str, str | None], None]


def range_of(report: Report, node: ScalarNode, text: str, span: Span | None = None) -> tuple[int, int] | None:
    """Return the range that a text, such as `0 to 9`, means, the smaller number first; None after a finding.

    `text` is a part of the node; `span` is its place if the node does not contain it.
    """
    place = node.text.find(text)
    low, _, high = text.partition(" to ")
    ends = [
        _end(report, word, span or node.span_of(start, start + len(word)))
        for word, start in ((low, place), (high, place + len(text) - len(high)))
    ]
    least, most = ends
    if least is None or most is None:
        return None
    if least > most:
        report("RW454", span or node.span_of(place, place + len(text)), *empty_range(least, most))
    return min(least, most), max(least, most)


def _end(report: Report, word: str, span: Span) -> int | None:
    """Return one number of a range, or None after a finding."""
    large, number = too_large(word), whole(word)
    if large is not None:
        report("RW413", span, large, None)
    elif number is None:
        hint = number_hint(word) or "a range is written, for example, `0 to 9`"
        report("RW414", span, f"`{word}` is not a whole number", hint)
    elif number < 0:
        message = f"a range cannot contain {word}: it begins at 0 or above"
        report("RW414", span, message, "for negative numbers, write `number`")
    else:
        return number
    return None


def bounds_of(text: str) -> tuple[int, int]:
    """Return the range that a text means, if it is a correct one."""
    low, high = (whole(word) or 0 for word in text.split(" to "))
    return min(low, high), max(low, high)


# ---- Collector

def broken(kind: str) -> str:
    """Return the poisoned name for documents of a kind, if one has findings: what they give is not known then."""
    return f"{kind}/"


class Collecting:
    """The declarations collected so far, and the findings."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.out = Declared()
        self.poisoned: set[str] = set()
        """Names whose declarations had findings; uses of them are not reported."""
        self.where: dict[str, tuple[Span, str]] = {}
        self.older: set[str] = set()
        """Files of packs in an older format."""
        self.files: dict[str, int] = {}
        self.refills: list[tuple[str, ScalarNode]] = []
        self.pack: tuple[str, str, tuple[int, int], tuple[str, ...]] = ("", "0", (2, 2), ("en",))

    def report(self, code: str, span: Span, message: str, hint: str | None = None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def _poison(self, document: Document) -> None:
        if document.kind in SECTIONS or document.kind == "pack":
            for entry in document.root.entries:
                if isinstance(entry.value, MappingNode):
                    self.poisoned.update(entry.value.keys())
                if entry.key.text in ("enumerations", "kinds") or entry.key.text not in SECTIONS:
                    self.poisoned.update((entry.key.text, *words_of(entry.value)))
        if document.kind in ("round", "finish"):
            self.poisoned.update(words_of(document.root))
        if document.kind in SINGLES:
            self.poisoned.add(broken(document.kind))
        first = document.root.entries[0].value
        if isinstance(first, ScalarNode) and document.kind != "face":  # its name is that of a kind
            self.poisoned.add(first.text)
            if document.kind == "verb":
                self._poison_verb(first.text)

    def _poison_verb(self, sentence: str) -> None:
        """Suppress findings about sentences that begin like this one."""
        word = re.match(r"([a-z-]+)(?:\(([a-z]+)\))?", sentence)
        stem, ending = (word[1], word[2] or "") if word else ("", "")
        self.poisoned.update((f"verb {stem}", f"verb {stem}{ending}"))

    def _name(self, group: str, key: ScalarNode, what: str = "") -> bool:
        """Whether a name is new and well-formed; otherwise report it. `what` is its key in `WHAT`; or the group."""
        kind = KIND_OF.get(group)
        among = kind.space if kind is not None else "name"
        space = group if among in ("own", "said") else among
        if group != "scenario" and not re.fullmatch(CHOICE if group == "prompts" else NAME, key.text):
            hint = "a name has lowercase letters, digits, and single hyphens: `draw-pile`"
            if group == "prompts":
                hint = "the id of a choice has the form `phase.step.name`; `rulewright play` shows it"
            self.report("RW301", key.span, f"`{key.text}` is not a name", hint)
            self.poisoned.add(key.text)
            return False
        own = space == "name" and key.text in RESERVED and (group, key.text) != ("kinds", "card")
        if own or (key.text in NOT_NAMES and among in ("name", "said")):
            self.reserved(key)
            return False
        if self.shadowed(group, key):
            return False
        full = f"{space}/{key.text}"
        clash = self.where.get(full)
        if clash is not None:
            pair = sorted((clash, (key.span, what or group)), key=lambda one: self._order(one[0]))
            (other, first), (span, second) = ((place, WHAT.get(one, f"a {one}")) for place, one in pair)
            twice, hint = f"`{key.text}` is declared twice", "rename or remove one of them"
            if first != second:
                twice = f"`{key.text}` is already {first}"
                hint = f"choose another name for the {second.removeprefix('an ').removeprefix('a ')}"
            if group == "face":
                twice, hint = f"the kind `{key.text}` has a face already", "merge the two"
            owners = self.out.owners
            if owners.get(span.path) != owners.get(other.path):
                hint = "change the other pack's with `change: …`, or choose another name"
            self.report("RW303", span, twice, hint, Label(other, "first declared here"))
            return False
        self.where[full] = (key.span, what or group)
        return True

    def shadowed(self, group: str, name: ScalarNode, scope: tuple[str, ...] = ()) -> bool:
        """Whether a name would mean something built in; then report it."""
        meaning = kernel_meaning(group, name.text, scope)
        if meaning is not None:
            self.report("RW372", name.span, f"{meaning}; it cannot be declared again", "choose another name")
            self.poisoned.add(name.text)
        return meaning is not None

    def reserved(self, name: ScalarNode) -> None:
        """Report a name that is a word of the language, and suppress findings about its uses."""
        self.report("RW302", name.span, *reserved(name.text))
        self.poisoned.add(name.text)

    def _order(self, span: Span) -> tuple[int, Span]:
        return self.files.get(span.path, 0), span

    def _declared(self, name: str) -> Span | None:
        """Return the place where a zone, track, list, value, or option of this name is declared."""
        out = self.out
        for group in (out.zones, out.tracks, out.lists, out.values, out.options):
            if name in group:
                return group[name][0]
        return None

    def _texts(self, key: str, node: Node | None) -> None:
        if node is not None and not isinstance(node, SequenceNode):
            self.out.texts[key] = texts_of(node)

    def type_of(self, node: ScalarNode, text: str | None = None, span: Span | None = None) -> Type | None:
        """Return the type that a declaration names, or None after a finding."""
        words = (text or node.text).strip()
        many = words.startswith("list of ")
        one = words.removeprefix("list of ").strip()
        found = self._one_type(one)
        if found is None and " to " in one:
            if range_of(self.report, node, one, span) is None:
                return None
            found = NUMBER
        if found is None:
            if not set(re.split(r"[ |]", one)) & self.poisoned:
                names = [*self.out.enumerations, *self.out.kinds, "number", "boolean", "player", "card", "zone"]
                near = nearest(one, names)
                hint = (
                    f"did you mean `{near}`?"
                    if near
                    else "types: `number`, `boolean`, `player`, `card`, `zone`, an enumeration, or a kind"
                )
                self.report("RW304", span or node.span, f"`{one}` is not a type", hint)
            return None
        return found.list if many else found

    def _one_type(self, one: str) -> Type | None:
        plain = {"number": NUMBER, "boolean": BOOLEAN, "player": PLAYER, "card": CARD, "zone": ZONE}
        if one in plain and one not in self.out.kinds:  # a kind may be called `card`
            return plain[one]
        if one in self.out.enumerations:
            return Type("enumeration", one)
        if one.endswith(" card") and one[:-5] in self.out.kinds:
            return Type("card", one[:-5])
        if one and all(part in self.out.kinds for part in one.split("|")):
            return Type("definition", one if "|" not in one else "|".join(sorted(one.split("|"))))
        return None


WHAT = {
    "enumerations": "an enumeration",
    "members": "a member of an enumeration",
    "choices": "a choice of an option",
    "options": "an option",
    "values": "a value",
    "kinds": "a kind",
    "components": "a component",
    "zones": "a zone",
    "tracks": "a track",
    "lists": "a list",
    "award": "an award",
    "messages": "a message",
    "prompts": "a prompt",
}


def near_hint(word: str, names: Iterable[str]) -> str | None:
    near = nearest(word, list(names))
    return f"did you mean `{near}`?" if near else None
