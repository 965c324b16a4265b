"""Check the faces of kinds: what they name must exist and fit, and colours and sizes must be some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import get_args

from rulewright.ruleset.check.declarations.face_pictures import Pictures, is_file
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.declare.declarations import Declared, KindDeclared
from rulewright.ruleset.documents.play import Face
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.faces import (
    COLOURS,
    NEUTRAL,
    SYMBOLS,
    CardFace,
    FaceColours,
    FaceCorner,
    Picture,
    Place,
)
from rulewright.ruleset.source.nodes import Mapping, Node, Scalar

LEAST, MOST = 30, 150
"""Width and height of a card, in millimetres."""
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_SIZE = re.compile(r"(\d{1,4}(?:\.\d)?) ?[x×] ?(\d{1,4}(?:\.\d)?) ?mm")
_INCHES = re.compile(r"(\d{1,2}(?:\.\d{1,4})?) ?[x×] ?(\d{1,2}(?:\.\d{1,4})?) ?(?:in|inch|inches|\")")
_IN_A_CORNER = "a corner shows one number, one member of an enumeration, or an expression that gives a number"


def card_faces(
    declared: Declared, poisoned: frozenset[str], definitions: Sequence[p.Definition]
) -> tuple[tuple[CardFace, ...], tuple[Diagnostic, ...]]:
    """Return the faces of a pack, and the findings."""
    faces: list[CardFace] = []
    found: list[Diagnostic] = []
    for face in declared.all_of(Face).values():
        kind = declared.kinds.get(face.key)
        if kind is not None:
            own = [one for one in definitions if one.kind == kind.key]
            faces.append(_Reading(declared, poisoned, kind, own, found).face(face))
        elif face.key not in poisoned:
            hint = meant(face.key, declared.kinds, "kinds")
            found.append(Diagnostic("RW390", face.span, f"there is no kind `{face.key}`", hint))
    return tuple(faces), tuple(found)


class _Reading:
    """One face."""

    def __init__(
        self,
        declared: Declared,
        poisoned: frozenset[str],
        kind: KindDeclared,
        definitions: Sequence[p.Definition],
        found: list[Diagnostic],
    ) -> None:
        self.declared = declared
        self.poisoned = poisoned
        self.kind = kind
        self.definitions = definitions
        self.found = found
        self.pictures = Pictures(declared, kind, definitions, self.report)

    def report(self, code: str, span: Span, message: str, hint: str | None) -> None:
        self.found.append(Diagnostic(code, span, message, hint))

    def face(self, face: Face) -> CardFace:
        symbols = {one.key.text: one.value for one in face.symbols if isinstance(one.value, Scalar)}
        corners = self._corners(face.corners, symbols)
        marks = {
            one.key.text: dict(self._members(one.key, one.value, self._mark))
            for one in face.symbols
            if isinstance(one.value, Mapping)
        }
        shown = {one.field for one in corners or ()}
        for one in face.symbols:
            if isinstance(one.value, Scalar) and self._for_corner(one.key) and one.key.text not in shown:
                hint = "show it in one of the `corners`, or remove its symbol"
                message = f"`{one.key.text}` is in no corner, so its symbol is not shown"
                self.report("RW391", one.key.span, message, hint)
        colours, of_definitions = self._colours(face.colours)
        fields = dict.fromkeys((*colours, *marks))
        members = tuple(
            FaceColours(one, tuple(colours.get(one, {}).items()), tuple(marks.get(one, {}).items()))
            for one in fields
        )
        whole = self._colour(face.colours) if isinstance(face.colours, Scalar) else ""
        return CardFace(
            self.kind.key, corners, members, whole, of_definitions, self._pictures(face.picture),
            self._size(face.size), self._back(face.back),
        )  # fmt: skip

    # -------------------------------------------------------------- corners and symbols

    def _corners(self, node: Node | None, symbols: dict[str, Scalar]) -> tuple[FaceCorner, ...] | None:
        if not isinstance(node, Mapping):
            first = self._first_number()
            return (self._corner("top-left", first, symbols),) if first in symbols else None
        written = {one.key.text: one.value for one in node.entries}
        places: tuple[Place, ...] = get_args(Place)
        return tuple(
            self._corner(place, field.text, symbols)
            for place in places
            if isinstance(field := written.get(place), Scalar) and self._for_corner(field)
        )

    def _first_number(self) -> str:
        """Return the field that is in the corner of a card without a face."""
        plain = (
            key
            for key, one in self.kind.fields.items()
            if one.type == NUMBER and not (one.many or one.per or one.default)
        )
        return next(plain, "")

    def _corner(self, place: Place, field: str, symbols: dict[str, Scalar]) -> FaceCorner:
        symbol = symbols.get(field)
        if symbol is None:
            return FaceCorner(place, field)
        if is_file(symbol.text):
            return FaceCorner(place, field, picture=self.pictures.named(symbol))
        return FaceCorner(place, field, self._mark(symbol))

    def _for_corner(self, name: Scalar) -> bool:
        """Whether a field or expression has one value that fits into a corner; otherwise report it."""
        word = name.text
        if word in self.kind.expressions:
            if self.kind.expressions[word] != NUMBER:
                self.report("RW391", name.span, f"`{word}` does not give a number", _IN_A_CORNER)
            return self.kind.expressions[word] == NUMBER
        field = self._field(name)
        if field is None:
            return False
        why = (
            "is a list"
            if field.many
            else f"has a value for each `{field.per}`"
            if field.per
            else f"is a {field.type}"
            if field.type != NUMBER and field.type.name != "enumeration"
            else ""
        )
        if why:
            self.report("RW391", name.span, f"`{word}` {why}, which does not fit into a corner", _IN_A_CORNER)
        return not why

    def _mark(self, name: Scalar) -> str:
        """Return the name of a symbol, or "" after a finding."""
        if name.text in SYMBOLS:
            return name.text
        if is_file(name.text):
            hint = "name a symbol; a picture for each member is `picture: pictures/{FIELD}.svg`"
            self.report("RW394", name.span, "a picture file cannot be the symbol of a member", hint)
            return ""
        near = nearest(name.text, SYMBOLS)
        hint = f"did you mean `{near}`?" if near else f"symbols: {', '.join(SYMBOLS)}; or a picture file"
        self.report("RW394", name.span, f"there is no symbol `{name.text}`", hint)
        return ""

    # -------------------------------------------------------------- fields, members, and definitions

    def _field(self, name: Scalar) -> p.Field | None:
        """Return a field of the kind, or None after a finding."""
        field = self.kind.fields.get(name.text)
        if field is None and name.text not in self.poisoned:
            known = (*self.kind.fields, *(k for k, type_ in self.kind.expressions.items() if type_ == NUMBER))
            hint = meant(name.text, known, "it has") or "a face shows the fields of its kind"
            self.report("RW391", name.span, f"the kind `{self.kind.key}` has no field `{name.text}`", hint)
        return field

    def _members(self, key: Scalar, node: Mapping, read: Callable[[Scalar], str]) -> Iterator[tuple[str, str]]:
        """Yield the members of a field that are named, each with its value; report others."""
        field = self._field(key)
        if field is None:
            return
        if field.type.name != "enumeration" or field.per:
            message = f"`{key.text}` has no members of an enumeration"
            self.report("RW391", key.span, message, "name a field whose type is an enumeration, or a list of one")
            return
        members = self.declared.enumerations[field.type.of][1]
        for one in node.entries:
            if one.key.text not in members:
                if one.key.text not in self.poisoned:
                    message = f"`{field.type.of}` has no member `{one.key.text}`"
                    self.report("RW392", one.key.span, message, meant(one.key.text, members, "members"))
            elif isinstance(one.value, Scalar) and (value := read(one.value)):
                yield one.key.text, value

    def _colours(self, node: Node | None) -> tuple[dict[str, dict[str, str]], tuple[tuple[str, str], ...]]:
        """Return colours by field and member, and those of definitions."""
        by_field: dict[str, dict[str, str]] = {}
        single: list[tuple[str, str]] = []
        for one in node.entries if isinstance(node, Mapping) else ():
            if isinstance(one.value, Mapping):
                by_field[one.key.text] = dict(self._members(one.key, one.value, self._colour))
            elif isinstance(one.value, Scalar) and self._definition(one.key, fielded=True):
                single.append((one.key.text, self._colour(one.value)))
        return by_field, tuple(pair for pair in single if pair[1])

    def _definition(self, name: Scalar, fielded: bool = False) -> bool:
        """Whether a name is a definition of the kind; otherwise report it. `fielded`: fields may be named, too."""
        word, known = name.text, [one.key for one in self.definitions]
        fields = self.kind.fields if fielded else {}
        if word in known or word in self.poisoned:
            return word in known
        if word in fields:
            members = self.kind.fields[word].type.name == "enumeration"
            message = f"`{word}` is a field, not a definition"
            hint = f"write `{word}: {{MEMBER: …}}`" if members else "name definitions, or members of an enumeration"
        else:
            message = f"the kind `{self.kind.key}` has no definition `{word}`"
            hint = meant(word, (*known, *fields), "it has") or "create it, or remove this line"
        self.report("RW392", name.span, message, hint)
        return False

    # -------------------------------------------------------------- single values

    def _colour(self, name: Scalar) -> str:
        """Return a colour, or "" after a finding."""
        if name.text in (*COLOURS, NEUTRAL):
            return name.text
        if _COLOUR.fullmatch(name.text):
            return name.text.lower()
        if name.text.startswith("#"):
            hint = 'write six hexadecimal digits: `"#a02020"`'
        else:
            near = nearest(name.text, (*COLOURS, NEUTRAL))
            names = ", ".join((*COLOURS, NEUTRAL))
            hint = f"did you mean `{near}`?" if near else f'`"#rrggbb"`, or one of {names}'
        self.report("RW393", name.span, f"`{name.text}` is not a colour", hint)
        return ""

    def _size(self, node: Scalar | None) -> tuple[int, int] | None:
        """Return a size in tenths of a millimetre."""
        if node is None:
            return None
        found = _SIZE.fullmatch(node.text)
        if found is None:
            message = f"`{node.text}` is not the size of a card"
            inches = _INCHES.fullmatch(node.text)
            sides = [f"{float(side) * 25.4:.1f}" for side in inches.groups()] if inches else ["63", "88"]
            hint = f"write `WIDTH x HEIGHT mm`, such as `{' x '.join(sides)} mm`"
            self.report("RW395", node.span, message, hint)
            return None
        width, height = float(found[1]), float(found[2])
        if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
            message = f"a card cannot have {found[1]} × {found[2]} mm"
            self.report("RW395", node.span, message, f"width and height are {LEAST} to {MOST} mm")
            return None
        return round(width * 10), round(height * 10)

    def _back(self, node: Scalar | None) -> str | Picture:
        if node is None:
            return ""
        return (self.pictures.named(node) or "") if is_file(node.text) else self._colour(node)

    def _pictures(self, node: Node | None) -> tuple[tuple[str, Picture], ...]:
        if isinstance(node, Scalar):
            return self.pictures.of_all(node)
        entries = node.entries if isinstance(node, Mapping) else ()
        given = ((one.key, one.value) for one in entries if isinstance(one.value, Scalar))
        named = [(key.text, self.pictures.named(value)) for key, value in given if self._definition(key)]
        return tuple((key, picture) for key, picture in named if picture is not None)
