"""The face of a card: what is printed on it, for any kind of any pack, in one language.

A `Face` is what templates for the screen and for print show; it has no markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath

from attrs import define, field, frozen

from rulewright.interpreter.views.names import Open, parsed, words
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.scenario import SYMBOLS, Picture, Place
from rulewright.ruleset.table.message import format_message
from rulewright.tools.common.display_texts import KERNEL, PackTexts
from rulewright.tools.faces.looks import TONES, Emblem, Looks, emblem_of

# ---- Small texts on cards: names for one thing, paragraphs, and the values of copies

Value = int | tuple[int, ...]
"""The value of a field: a number, or several for a list."""


def of_copy(values: Sequence[Value], copy: int) -> Value:
    """Return the value for a copy (from 1), or for all copies."""
    return values[(copy - 1) % len(values)] if copy else values[0]


def single(given: str, language: str) -> str:
    """Return a name for one thing."""
    return format_message(parsed(given), Open(count=1), language) if "{" in given else given


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def paragraphs_of(text: str | None) -> tuple[str, ...]:
    """Return the paragraphs of a text, each on one line."""
    return tuple(" ".join(harmless(line).split()) for line in (text or "").split("\n\n") if line.strip())


NEUTRAL = "0"


@frozen
class FaceFact:
    """A value, and what it is."""

    value: str
    label: str


@frozen
class Corner:
    """A value in a corner of a card, and what it is; beside it a mark or a picture.

    With `symbol_only` the mark is shown in place of the value.
    """

    value: str
    label: str
    place: Place = "top-left"
    mark: int | None = None
    picture: Picture | None = None
    symbol_only: bool = False


@frozen
class Face:
    """One card, or a definition.

    `tone` and `stripes` are names of tones ("0" is neutral), `mark` the number of a mark. A `picture` is shown in
    place of the emblem; without either, the mark is shown alone. `paragraphs` are texts; `notes` say what this copy
    has that others have not. `members` are the names of the members of its enumerations; `facts` all fields with a
    value.
    """

    kind: str
    definition: str
    name: str
    kind_name: str
    tone: str
    mark: int
    stripes: tuple[str, ...]
    emblem: Emblem | None
    corners: tuple[Corner, ...]
    paragraphs: tuple[str, ...]
    notes: tuple[str, ...]
    members: tuple[str, ...]
    facts: tuple[FaceFact, ...]
    place: str
    picture: Picture | None = None


@define
class Faces:
    """The faces of a pack's definitions, and of their copies, in one language.

    `notes` are by card (`tools.common.display_texts.copy_notes`). `near` shortens the path of a file for
    readers who may not know the folders of this computer.
    """

    program: p.Program
    texts: PackTexts
    language: str
    notes: Mapping[str, str] = field(factory=dict)
    near: Callable[[str], str] = lambda path: PurePath(path).name
    looks: Looks = field(init=False)
    """What the pack's faces say; sizes and backs are found there."""
    _known: dict[tuple[str, str, int], Face] = field(init=False, factory=dict)
    _definitions: dict[tuple[str, str], tuple[int, p.Definition]] = field(init=False)
    _kinds: dict[str, p.Kind] = field(init=False)
    _enumerations: dict[str, tuple[str, ...]] = field(init=False)
    _places: dict[tuple[str, int, int], int] = field(init=False, factory=dict)
    """How many definitions are made at a place: several by `each`."""
    _in_kind: dict[str, list[str]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.looks = Looks(self.program)
        self._definitions = {(one.kind, one.key): (n, one) for n, one in enumerate(self.program.definitions)}
        self._kinds = {kind.key: kind for kind in self.program.kinds}
        self._enumerations = {one.key: one.members for one in self.program.enumerations}
        for one in self.program.definitions:
            place = _place(one)
            self._places[place] = self._places.get(place, 0) + 1
            self._in_kind.setdefault(one.kind, []).append(one.key)

    def of_card(self, kind: str, definition: str, key: str) -> Face:
        """Return the face of a card: `key` is `DEFINITION-2` for the second of copies that differ."""
        _, dash, number = key.removeprefix(definition).partition("-")
        return self.of(kind, definition, int(number) if dash and number.isdigit() and key != definition else 0)

    def of(self, kind: str, definition: str, copy: int = 0) -> Face:
        """Return the face of a definition, or of one of its copies (from 1)."""
        known = self._known.get((kind, definition, copy))
        if known is None:
            known = self._known[kind, definition, copy] = self._made(kind, definition, copy)
        return known

    def tone_of_member(self, enumeration: str, member: str) -> str:
        """Return the tone of a member of an enumeration; neutral if there is none."""
        members = self._enumerations.get(enumeration, ())
        if member not in members:
            return NEUTRAL
        return self.looks.tone_of_member(enumeration, member) or _tone(members.index(member))

    def mark_of_member(self, enumeration: str, member: str) -> int:
        """Return the number of the mark of a member of an enumeration; 0 if there is none."""
        members = self._enumerations.get(enumeration, ())
        if member not in members:
            return 0
        given = self.looks.mark_of_member(enumeration, member)
        return given if given is not None else 1 + members.index(member) % TONES

    def tone_of(self, kind: str, definition: str) -> str:
        """Return the tone of a definition."""
        return self.of(kind, definition).tone

    # -------------------------------------------------------------- inside

    def _made(self, kind: str, definition: str, copy: int) -> Face:
        found = self._definitions.get((kind, definition))
        if found is None:
            return self._unknown(kind, definition)
        number, one = found
        values = [*one.fields, *self.texts.worked_out.get(number, ())]
        fields = {known.key: known for known in self._kinds[kind].fields}
        valued = [(fields[name], of_copy(given, copy)) for name, given in values if name in fields and given]
        tones, mark = self._tones(one, valued)
        text = self.texts.text(self.language, f"{kind}/{definition}.text")
        note = self.notes.get(f"{definition}-{copy}") if copy else None
        span = one.span
        return Face(
            kind,
            definition,
            self._name(kind, definition),
            self._named("kind", kind),
            tones[0],
            mark,
            tuple(tones[1:]),
            emblem_of(definition) if self._places[_place(one)] == 1 else None,
            tuple(self._corners(one, valued)),
            paragraphs_of(text),
            paragraphs_of(note),
            tuple(self._members(valued)),
            tuple(self._facts(valued)),
            f"{self.near(span.path)}:{span.line}" if span.path else "",
            self.looks.picture(kind, definition),
        )

    def _unknown(self, kind: str, definition: str) -> Face:
        """Return the face of something whose pack is not there: only its key."""
        name = words(definition)
        return Face(
            kind, definition, name[:1].upper() + name[1:], words(kind), NEUTRAL, 0, (), emblem_of(definition), (),
            (), (), (), (), "",
        )  # fmt: skip

    def _tones(self, one: p.Definition, valued: Sequence[tuple[p.Field, Value]]) -> tuple[list[str], int]:
        """Return tones and the number of the mark: by the first enumeration, or by the place in the kind.

        Fields that the face colours come first; a colour of the definition or the kind replaces all tones.
        """
        tones, mark = self._by_member(one.kind, valued) or self._by_place(one)
        own = self.looks.tone(one.kind, one.key)
        return [own] if own else tones, mark

    def _by_member(self, kind: str, valued: Sequence[tuple[p.Field, Value]]) -> tuple[list[str], int] | None:
        first = self.looks.colouring(kind)
        order = sorted(valued, key=lambda pair: first.index(pair[0].key) if pair[0].key in first else len(first))
        for known, value in order:
            if known.type.of in self._enumerations and known.type.name == "enumeration" and not known.per:
                numbers = [n for n in (value if isinstance(value, tuple) else (value,)) if n >= 0]
                if numbers:
                    members = self._enumerations[known.type.of]
                    where = [(known.type.of, members[n], kind, known.key) for n in numbers]
                    tones = [
                        self.looks.tone_of_member(*one) or _tone(n) for n, one in zip(numbers, where, strict=True)
                    ]
                    mark = self.looks.mark_of_member(*where[0])
                    return [*dict.fromkeys(tones)], mark if mark is not None else 1 + numbers[0] % TONES
        return None

    def _by_place(self, one: p.Definition) -> tuple[list[str], int]:
        siblings = self._in_kind[one.kind]
        if not self._has_enumeration(one.kind) and 2 <= len(siblings) <= TONES:
            number = siblings.index(one.key)
            return [_tone(number)], 1 + number % TONES
        return [NEUTRAL], 0

    def _has_enumeration(self, kind: str) -> bool:
        return any(known.type.name == "enumeration" for known in self._kinds[kind].fields)

    def _corners(self, one: p.Definition, valued: Sequence[tuple[p.Field, Value]]) -> Iterator[Corner]:
        """Yield the corners that the face says, or else the first number that every definition writes."""
        said = self.looks.corners(one.kind)
        if said is None:
            for known, value in valued:
                plain = not known.per and not known.many and not known.default
                if plain and known.type.name == "number" and isinstance(value, int):
                    yield Corner(str(value), self.field_name(one.kind, known.key))
                    return
        fields = {known.key: (known, value) for known, value in valued}
        for corner in said or ():
            symbol = SYMBOLS.index(corner.symbol) if corner.symbol else None
            text, only = "", False
            if corner.field in fields:
                known, value = fields[corner.field]
                text = self._told(known, value)
                if known.type.name == "enumeration" and isinstance(value, int) and value >= 0:
                    member = self._enumerations[known.type.of][value]
                    own = self.looks.mark_of_member(known.type.of, member, one.kind, known.key)
                    symbol, only = (own, True) if own is not None else (symbol, False)
            else:
                text = str(self.looks.number(one, corner.field) or "").replace("-", "−")
            if text:
                label = self.field_name(one.kind, corner.field)
                yield Corner(text, label, corner.place, symbol, corner.picture, only)

    def field_name(self, kind: str, key: str) -> str:
        """Return the name of a field or expression for players; without one, its key."""
        return self.texts.text(self.language, f"field/{kind}.{key}") or words(key)

    def _members(self, valued: Sequence[tuple[p.Field, Value]]) -> list[str]:
        """Name the members of the first enumeration field."""
        for known, value in valued:
            if known.type.name == "enumeration" and not known.per:
                members = self._enumerations[known.type.of]
                numbers = [n for n in (value if isinstance(value, tuple) else (value,)) if n >= 0]
                if numbers:
                    return [capital(self._named(known.type.of, members[n])) for n in numbers]
        return []

    def _facts(self, valued: Sequence[tuple[p.Field, Value]]) -> list[FaceFact]:
        told = [(known, self._told(known, value)) for known, value in valued]
        return [FaceFact(text, words(known.key)) for known, text in told if text]

    def _told(self, known: p.Field, value: Value) -> str:
        """Return a field's value in words; empty for nothing, and for what a default usually is."""
        if known.per:
            members = self._enumerations.get(known.per, ())
            row = value if isinstance(value, tuple) else ()
            pairs = [(n, self._named(known.per, member)) for n, member in zip(row, members, strict=False) if n]
            return ", ".join(f"{n} {name}" for n, name in pairs)
        items = value if isinstance(value, tuple) else (value,)
        if known.default and not any(n > 0 for n in items):
            return ""
        return ", ".join(filter(None, (self._one(known, n) for n in items)))

    def _one(self, known: p.Field, number: int) -> str:
        of = known.type
        if of.name == "number":
            return str(number)
        if of.name == "boolean":
            return KERNEL[self.language if self.language in KERNEL else "en"][
                f"boolean/{'yes' if number else 'no'}"
            ]
        members = self._enumerations.get(of.of, ())
        if of.name == "enumeration" and 0 <= number < len(members):
            return self._named(of.of, members[number])
        if of.name == "definition" and 0 <= number < len(self.program.definitions):
            one = self.program.definitions[number]
            return self._name(one.kind, one.key)
        return ""

    def _name(self, kind: str, definition: str) -> str:
        given = self.texts.definition(self.language, kind, definition)
        return capital(single(given, self.language) if given is not None else words(definition))

    def _named(self, thing: str, key: str) -> str:
        given = self.texts.name(self.language, thing, key)
        return words(key) if given is None else single(given, self.language)


def _place(one: p.Definition) -> tuple[str, int, int]:
    return one.span.path, one.span.line, one.span.column


def _tone(number: int) -> str:
    return str(1 + number % TONES)
