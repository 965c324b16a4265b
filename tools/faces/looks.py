"""What a pack says about the looks of its cards: tones, symbols, corners, sizes, and backs.

Named colours are the tones "1" to "12" and "0"; other colours of a pack are tones of its own, "p1", "p2", …, whose
rules `pack_styles` gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import define, field, frozen

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.faces import COLOURS, NEUTRAL, SYMBOLS, CardFace, FaceColours, FaceCorner, Picture
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.settled import compute
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.pictures import TYPES, Unfit, picture_bytes, suffix
from rulewright.ruleset.table import nodes as t
from rulewright.tools.faces.tones import hue_of, rules

SIZE = (63.0, 88.0)
"""Width and height of a card in millimetres, unless its face says otherwise."""


@frozen
class Back:
    """The back of cards: a picture, or a tone, or neither."""

    tone: str = ""
    picture: Picture | None = None


@define
class Looks:
    """The faces of a program, by kind."""

    program: p.Program
    _faces: dict[str, CardFace] = field(init=False)
    _tones: dict[str, str] = field(init=False)
    _enumerations: dict[tuple[str, str], str] = field(init=False)
    _constants: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._faces = {face.kind: face for face in self.program.faces}
        self._tones = _names(self.program)
        self._enumerations = {
            (kind.key, known.key): known.type.of for kind in self.program.kinds for known in kind.fields
        }
        units = (*self.program.units, *(one.unit for one in self.program.functions))
        self._constants = {unit.key: value for unit in units if (value := _given(unit)) is not None}

    def tone(self, kind: str, definition: str) -> str:
        """Return the tone that a definition has by its name or its kind; empty for none."""
        face = self._faces.get(kind)
        colour = dict(face.definitions).get(definition, face.colour) if face is not None else ""
        return self._tones[colour] if colour else ""

    def tone_of_member(self, enumeration: str, member: str, kind: str = "", field: str = "") -> str:
        """Return the tone of a member: in a field, by the face of the kind, else by any face. Empty for none."""
        for one in self._members(enumeration, kind, field):
            colour = dict(one.colours).get(member)
            if colour is not None:
                return self._tones[colour]
        return ""

    def mark_of_member(self, enumeration: str, member: str, kind: str = "", field: str = "") -> int | None:
        """Return the number of the mark of a member, found as its tone is; None if no face gives it one."""
        for one in self._members(enumeration, kind, field):
            symbol = dict(one.symbols).get(member)
            if symbol is not None:
                return SYMBOLS.index(symbol)
        return None

    def colouring(self, kind: str) -> tuple[str, ...]:
        """Return the fields whose members a face gives colours or symbols, in its order."""
        face = self._faces.get(kind)
        return tuple(one.field for one in face.members) if face is not None else ()

    def corners(self, kind: str) -> tuple[FaceCorner, ...] | None:
        """Return the corners that a face says; None for the usual one."""
        face = self._faces.get(kind)
        return face.corners if face is not None else None

    def picture(self, kind: str, definition: str) -> Picture | None:
        """Return the picture of a definition."""
        face = self._faces.get(kind)
        return dict(face.pictures).get(definition) if face is not None else None

    def size(self, kind: str) -> tuple[float, float]:
        """Return the width and height of printed cards of a kind, in millimetres."""
        face = self._faces.get(kind)
        width, height = (face.size if face is not None else None) or (SIZE[0] * 10, SIZE[1] * 10)
        return width / 10, height / 10

    def back(self, kind: str) -> Back:
        """Return the back of the cards of a kind."""
        face = self._faces.get(kind)
        back = face.back if face is not None else ""
        if isinstance(back, Picture):
            return Back(picture=back)
        return Back(self._tones[back] if back else "")

    def number(self, one: p.Definition, expression: str) -> int | None:
        """Return the value of a definition's expression if it is the same in all positions."""
        return self._constants.get(dict(one.expressions).get(expression, ""))

    # -------------------------------------------------------------- inside

    def _members(self, enumeration: str, kind: str, field: str) -> Iterator[FaceColours]:
        """Yield what faces say about the members of an enumeration: the field of the kind first."""
        own = self._faces.get(kind)
        if own is not None:
            yield from (one for one in own.members if one.field == field)
        for face in self.program.faces:
            yield from (one for one in face.members if self._enumerations[face.kind, one.field] == enumeration)


def pack_styles(program: p.Program) -> str:
    """Return the style sheet with a pack's own tones; empty if it has none."""
    own = {name: hue_of(colour) for colour, name in _names(program).items() if colour.startswith("#")}
    if not own:
        return ""
    scope = f'[data-pack="{program.pack}"] '
    lines = (
        *rules(own, scope),
        "@media screen and (prefers-color-scheme: dark) {",
        *rules(own, scope, dark=True, indent="  "),
        "}",
    )
    return "\n".join(lines) + "\n"


def _names(program: p.Program) -> dict[str, str]:
    """Return the tones of all colours: those with names, and the pack's own in their order."""
    names = {NEUTRAL: "0", **{colour: str(number) for number, colour in enumerate(COLOURS, 1)}}
    own = dict.fromkeys(colour for face in program.faces for colour in _colours(face) if colour.startswith("#"))
    return {**names, **{colour: f"p{number}" for number, colour in enumerate(own, 1)}}


def _colours(face: CardFace) -> Iterator[str]:
    yield face.colour
    yield from (colour for _, colour in face.definitions)
    yield from (colour for one in face.members for _, colour in one.colours)
    if isinstance(face.back, str):
        yield face.back


def _given(unit: p.Unit) -> int | None:
    """Return the number that a function gives without looking at anything."""
    match unit.body:
        case (t.Give(value=t.Expr() as value),):
            return _constant(value)
    return None


def _constant(node: t.Expr) -> int | None:
    match node:
        case t.Const(value=value):
            return value
        case t.Binary(op=op, left=left, right=right) | t.Checked(op=op, left=left, right=right):
            one, other = _constant(left), _constant(right)
            return compute(op, one, other) if one is not None and other is not None else None
    return None


# ---- Read the pictures that the faces of a program show: only these, and checked again each time

@frozen
class PictureFiles:
    """The pictures of a program, with the folders of its packs."""

    folders: Mapping[str, Path]
    known: frozenset[Picture]

    def read(self, picture: Picture) -> tuple[bytes, str] | None:
        """Return the contents and the media type of a picture; None if it is unknown, or unusable by now."""
        if picture not in self.known:
            return None
        try:
            return picture_bytes(self.folders[picture.pack], picture.path), TYPES[suffix(picture.path)]
        except Unfit:
            return None


def picture_files(program: Program, packs: Sequence[PackFiles], owners: Mapping[str, str]) -> PictureFiles:
    """Return the pictures of a program made of these packs. `owners` is from a file to its pack, if several."""
    folders = {owners.get(files.files[0][0], program.pack): files.root for files in packs if files.files}
    return PictureFiles(folders, frozenset(one for face in program.faces for one in _pictures(face)))


def _pictures(face: CardFace) -> Iterator[Picture]:
    yield from (picture for _, picture in face.pictures)
    yield from (corner.picture for corner in face.corners or () if corner.picture is not None)
    if isinstance(face.back, Picture):
        yield face.back
