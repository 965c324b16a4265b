"""What cards look like, for any output: tones, emblems, pictures, and the texts on faces."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from zlib import crc32

from attrs import define, field, frozen

from rulewright.interpreter.views.names import Open, parsed, words
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.scenario import (
    COLOURS,
    NEUTRAL,
    SYMBOLS,
    CardFace,
    FaceColours,
    FaceCorner,
    Picture,
    Place,
)
from rulewright.ruleset.program.settled import compute
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.pictures import TYPES, Unfit, picture_bytes, suffix
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.message import format_message
from rulewright.tools.common.display_texts import KERNEL, PackTexts

# ---- Tones: colours of kinds and members, all of one weight and with enough contrast for text
#
# A tone is a hue in OKLCH (Ottosson 2020, "A perceptual color space for image processing"). Lightness and
# chroma are fixed for each role; lightness moves until every pair in `PAIRS` has its contrast (WCAG 2.2,
# 1.4.3 and 1.4.11).

HUES = (78.0, 148.0, 308.0, 252.0, 22.0, 195.0, 50.0, 280.0, 115.0, 350.0, 170.0, 240.0)
"""The hues of the tones 1 to 12, in degrees: neighbours differ clearly."""
TONES = len(HUES)
Role = tuple[float, float]
LIGHT: dict[str, Role] = {"ink": (0.43, 0.105), "fill": (0.48, 0.105), "wash": (0.95, 0.03), "line": (0.8, 0.07)}
DARK: dict[str, Role] = {"ink": (0.85, 0.085), "fill": (0.43, 0.08), "wash": (0.305, 0.04), "line": (0.48, 0.06)}
GROUNDS = {"light": "#fffdf9", "dark": "#25272c"}
"""The paper of cards."""
PAIRS = (("ink", "wash", 4.5), ("ink", "ground", 4.5), ("fill", "white", 4.9))
_STEP, _GREY, _GREY_HUE = 0.005, 0.12, 80.0
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def tone(hue: float | None, dark: bool = False) -> dict[str, str]:
    """Return the colours of a tone by role, as `#rrggbb`. Without a hue the tone is neutral."""
    ground = GROUNDS["dark" if dark else "light"]
    grey = _GREY if hue is None else 1.0
    values = {role: [light, chroma * grey] for role, (light, chroma) in (DARK if dark else LIGHT).items()}
    fixed = {"ground": ground, "white": "#ffffff"}

    def colour(role: str) -> str:
        return fixed.get(role) or _srgb(values[role][0], values[role][1], _GREY_HUE if hue is None else hue)

    for role, against, ratio in PAIRS:
        while contrast(colour(role), colour(against)) < ratio:
            lighter = _luminance(colour(role)) > _luminance(colour(against))
            values[role][0] += _STEP if lighter else -_STEP
    return {role: colour(role) for role in values}


def rules(hues: Mapping[str, float | None], scope: str = "", dark: bool = False, indent: str = "") -> Iterator[str]:
    """Yield a line of CSS for each tone. `scope` is a selector that precedes theirs."""
    for name, hue in hues.items():
        values = "; ".join(f"--tone-{role}: {value}" for role, value in tone(hue, dark).items())
        first = ":root, " if name == "0" and not scope else ""
        yield f'{indent}{first}{scope}[data-tone="{name}"] {{ {values}; }}'


def hue_of(colour: str) -> float | None:
    """Return the hue of `#rrggbb` in degrees; None for a grey. Raises ValueError for other texts."""
    if not _COLOUR.fullmatch(colour):
        raise ValueError(f"expected a colour such as #b8860b, found {colour!r}")
    red, green, blue = (_linear(channel) for channel in _channels(colour))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short
    return None if math.hypot(a, b) < 0.02 else math.degrees(math.atan2(b, a)) % 360


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2, "contrast ratio")."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _srgb(light: float, chroma: float, hue: float) -> str:
    """Convert OKLCH to `#rrggbb`, with less chroma if the colour would be outside of sRGB."""
    while True:
        a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
        long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
        middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
        short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
        rgb = (
            4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
        )
        if chroma <= 0 or all(-1e-4 <= channel <= 1.0001 for channel in rgb):
            break
        chroma -= 0.002
    return "#" + "".join(f"{round(_curve(min(max(channel, 0.0), 1.0)) * 255):02x}" for channel in rgb)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> Iterator[float]:
    return (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _curve(channel: float) -> float:
    return 12.92 * channel if channel <= 0.0031308 else float(1.055 * channel ** (1 / 2.4) - 0.055)


# ---- Emblems: ornaments of petals around a mark, in place of a picture
#
# The numbers come from the CRC of a definition's key, so that a card looks the same in every process and
# release.

SHAPES = 6
"""The number of petal shapes (`petal-1` to `petal-6` of the sprite)."""
COUNTS = (4, 5, 6, 8, 7, 3)


@frozen
class Emblem:
    """Petals of one shape over those of another, in a full circle each, and possibly a ring around them.

    The petals below are turned by half of the angle between two petals. `turns` are in degrees.
    """

    over: int
    under: int
    count: int
    ring: bool

    @property
    def name(self) -> str:
        """A name that only equal emblems have."""
        return f"{self.over}{self.under}{self.count}{'r' if self.ring else ''}"

    @property
    def turns(self) -> tuple[str, ...]:
        """The angles of the petals above."""
        return tuple(f"{360 * number / self.count:.4g}" for number in range(self.count))

    @property
    def turns_under(self) -> tuple[str, ...]:
        """The angles of the petals below."""
        return tuple(f"{360 * (number + 0.5) / self.count:.4g}" for number in range(self.count))


def emblem_of(key: str) -> Emblem:
    """Return the emblem of a definition."""
    number = crc32(key.encode())
    over, under = 1 + number % SHAPES, 1 + number // SHAPES % SHAPES
    if over == under:
        under = 1 + under % SHAPES
    return Emblem(over, under, COUNTS[number // 36 % len(COUNTS)], bool(number // 216 % 2))


# ---- What a pack says about the looks of its cards: tones, symbols, corners, sizes, and backs
#
# Named colours are the tones "1" to "12" and "0"; other colours of a pack are tones of its own, "p1", "p2",
# …, whose rules `pack_styles` gives.

SIZE = (63.0, 88.0)
"""Width and height of a card in millimetres, unless its face says otherwise."""


@frozen
class BackLook:
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
        face = self._faces.get(kind)
        return dict(face.pictures).get(definition) if face is not None else None

    def size(self, kind: str) -> tuple[float, float]:
        """Return the width and height of printed cards of a kind, in millimetres."""
        face = self._faces.get(kind)
        width, height = (face.size if face is not None else None) or (SIZE[0] * 10, SIZE[1] * 10)
        return width / 10, height / 10

    def back(self, kind: str) -> BackLook:
        """Return the back of the cards of a kind."""
        face = self._faces.get(kind)
        back = face.back if face is not None else ""
        if isinstance(back, Picture):
            return BackLook(picture=back)
        return BackLook(self._tones[back] if back else "")

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


# ---- The face of a card: what is printed on it, for any kind of any pack, in one language
#
# A `Face` is what templates for the screen and for print show; it has no markup.

NEUTRAL_TONE = "0"


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
            return NEUTRAL_TONE
        return self.looks.tone_of_member(enumeration, member) or _tone(members.index(member))

    def mark_of_member(self, enumeration: str, member: str) -> int:
        """Return the number of the mark of a member of an enumeration; 0 if there is none."""
        members = self._enumerations.get(enumeration, ())
        if member not in members:
            return 0
        given = self.looks.mark_of_member(enumeration, member)
        return given if given is not None else 1 + members.index(member) % TONES

    def tone_of(self, kind: str, definition: str) -> str:
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
            kind, definition, name[:1].upper() + name[1:], words(kind), NEUTRAL_TONE, 0, (), emblem_of(definition),
            (), (), (), (), (), "",
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
        return [NEUTRAL_TONE], 0

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
