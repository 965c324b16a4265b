"""Check the picture files of a pack: inside its folder, of a known format, and bounded.

Nothing is decoded: the first bytes tell the format and the size in pixels. SVG files are read in full
(`source.pictures`). Pages and print show only pictures that passed, and read them again with `picture_bytes`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.parsers import expat

from attrs import field, frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.regular_files import TooLarge, read_regular

# ---- Count the steps of drawing an SVG element, before anything is drawn
#
# A step takes about 10 microseconds. A renderer does what an element says each time that the element is
# drawn, and parts of what it says (colours, lists of dashes, references) for each element inside. So
# attributes that apply inside must be short, and references are counted as often as they are followed.
# Measured with WeasyPrint 66.

ELEMENT, CHARACTER = 10, 5
"""Steps of an element, and of a character of a text. A segment of a path takes one."""
LONGEST_VALUE = 300
"""Limit of characters of an attribute or a declaration, except lists of numbers that apply to one element."""
MOST_NUMBERS = 32
"""Limit of numbers in an attribute or a declaration that may apply inside, such as `stroke-dasharray`."""
MOST_PAINTS = 50
"""Limit of references of an element, with those around it."""

_ARGUMENTS = {"h": 1, "v": 1, "m": 2, "l": 2, "t": 2, "q": 4, "s": 4, "c": 6, "a": 5}
"""Numbers of a segment, by its command (SVG 2, 9.3). Arcs have 7, but their two flags may be written in one."""
_COMMANDS = re.compile("([achlmqstvz])([^achlmqstvz]*)", re.IGNORECASE)
_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_COPIED = 1_000_000
"""Bytes that are copied in a step. A renderer copies what is left of a command for each of its segments."""
_SHAPES = {"path": "d", "polygon": "points", "polyline": "points"}
_LISTS = frozenset(("x", "y", "dx", "dy", "rotate", "transform", "gradientTransform", "patternTransform"))
_FREE = ("data-", "aria-")
_INSIDE = re.compile("fill|stroke|marker(-start|-mid|-end)?")
_TARGET = re.compile(r"url\(\s*['\"]?\s*#([^)'\"\s]*)", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SIMPLE = re.compile(r"[.#]?[\w-]+|\*")

Paints = Mapping[str, bool]
"""Parts that an element and those inside refer to by `fill`, `stroke`, or a marker; True: once for each vertex."""


class UnboundedDrawing(Exception):  # noqa: N818 - the file is at fault, not our code
    """Something that cannot be bounded; with a hint."""

    def __init__(self, wrong: str, hint: str) -> None:
        super().__init__(wrong)
        self.hint = hint


@frozen(repr=False)
class StyleSheet(Record):
    """The style sheets of a file: how many selectors, and what they refer to, by `.class`, `#id`, tag, or `*`."""

    selectors: int = 0
    paints: Mapping[str, Paints] = field(factory=dict)

    def of(self, tag: str, attributes: Mapping[str, str]) -> Paints:
        """Return what may apply to an element."""
        if not self.paints:
            return {}
        classes = (f".{one}" for one in attributes.get("class", "").split())
        names = ("*", tag, f"#{attributes.get('id', '')}", *classes)
        return merged(*(self.paints.get(name, {}) for name in names))


def sheet_of(style: str) -> StyleSheet:
    """Read style sheets. Raises UnboundedDrawing for selectors or declarations that take long for each element."""
    if "'" not in style and '"' not in style:  # in a string, `/*` begins no comment
        style = _COMMENT.sub("", style)
    selectors, paints = 0, dict[str, Paints]()
    for rule in style.split("}"):
        names, _, body = rule.partition("{")
        found = merged(*(_paints(name, value) for name, value in _declarations(body)))
        for selector in names.split(","):
            selectors += 1
            parts = re.split(r"[\s>+~]+", selector.strip())
            if len(parts) > 2 or "(" in selector:
                hint = "write selectors with one or two parts, such as `.dark path`, and without `(…)`"
                raise UnboundedDrawing(f"its styles have the selector `{selector.strip()[:60]}`", hint)
            for name in _SIMPLE.findall(parts[-1]) or ["*"] if found else ():
                paints[name] = merged(paints.get(name, {}), found)
    return StyleSheet(selectors, paints)


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a style."""
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        yield name.strip().lower(), value


def paints_of(tag: str, attributes: Mapping[str, str]) -> Paints:
    """Return what an element and those inside refer to. Raises UnboundedDrawing for long values."""
    given = ((name, value) for name, value in attributes.items() if _applies_inside(tag, name))
    values = (*given, *_declarations(attributes.get("style", "")))
    found = [(name, _paints(name, value)) for name, value in values]
    return merged(*(paints for name, paints in found if _INSIDE.fullmatch(name)))


def _applies_inside(tag: str, name: str) -> bool:
    free = name in (_SHAPES.get(tag), "style") or name in _LISTS or name.startswith(_FREE)
    return not free


def _paints(name: str, value: str) -> Paints:
    """Return what a value refers to. Raises UnboundedDrawing if it is long."""
    if len(value) > LONGEST_VALUE:
        raise UnboundedDrawing(f"its `{name[:60]}` has more than {LONGEST_VALUE} characters", "make it shorter")
    if len(_NUMBER.findall(value)) > MOST_NUMBERS:
        raise UnboundedDrawing(f"its `{name[:60]}` has more than {MOST_NUMBERS} numbers", "make it shorter")
    return dict.fromkeys(_TARGET.findall(value), name in ("marker", "marker-mid"))


def merged(*some: Paints) -> Paints:
    """Return several as one."""
    found: dict[str, bool] = {}
    for one in some:
        for target, each in one.items():
            found[target] = found.get(target, False) or each
    return found


def segments_of(tag: str, attributes: Mapping[str, str]) -> int:
    """Return the number of segments of a shape; 0 for other elements."""
    value = attributes.get(_SHAPES.get(tag, ""), "")
    if tag != "path":
        numbers = len(_NUMBER.findall(value))
        return numbers // 2 + numbers * len(value) // _COPIED
    return sum(_of_command(*found.groups()) for found in _COMMANDS.finditer(value))


def _of_command(letter: str, rest: str) -> int:
    count = max(1, len(_NUMBER.findall(rest)) // _ARGUMENTS.get(letter.lower(), 1))
    return count + count * len(rest) // _COPIED


def own_steps(attributes: Mapping[str, str]) -> int:
    """Return the steps of the lists and styles of an element, without its shape."""
    lists = sum(len(_NUMBER.findall(attributes[name])) for name in _LISTS if name in attributes)
    return lists + len(attributes.get("style", "")) // ELEMENT


# ---- Check that an SVG file is a plain drawing: no scripts, no other files, bounded work
#
# The rule lists what is allowed: the elements that draw, and references to parts of the same file. Elements
# of editors (other namespaces) do nothing in a picture and are allowed; those of HTML and MathML are not.
# Parsing uses expat without entities: a document type declaration is refused.

Fault = tuple[str, str]
"""What is wrong, and what to do."""

SVG = "http://www.w3.org/2000/svg"
_W3C, _DATA = "http://www.w3.org/", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
"""Namespaces of active content begin with the former. The latter is used in metadata."""
ELEMENTS = frozenset((
    "circle", "clipPath", "defs", "desc", "ellipse", "g", "line", "linearGradient", "marker", "mask", "metadata",
    "path", "pattern", "polygon", "polyline", "radialGradient", "rect", "stop", "style", "svg", "switch", "symbol",
    "text", "textPath", "title", "tspan", "use", "view",
))  # fmt: skip
MAX_ELEMENTS = 20_000
MAX_STEPS = 200_000
"""Steps of drawing, counting the target of each reference again."""
MAX_DEPTH = 100
_ROUNDS = 20
"""How deep references may be nested."""
_URL = re.compile(r"url\(\s*(['\"]?)\s*(.?)([^)'\"\s]*)", re.IGNORECASE)
_ACTIVE_STYLE = re.compile(r"\\|@|src\s*\(|image\s*\(|image-set\s*\(|expression\s*\(", re.IGNORECASE)
_TEXTS = frozenset(("text", "textPath", "tspan"))
_SELECTORS, _SEARCHED = 200, 50
"""Selectors that are tried, and elements that are searched for an id, in the time of an element and of a step."""
_EXPORT = "export it as plain SVG, or as PNG"
_OWN = "a picture may refer only to parts of itself, such as `#shape`"


def unsafe(data: bytes) -> Fault | None:
    """Return why a file cannot be used as an SVG picture; None if it can."""
    try:
        steps_of(data)
    except UnboundedDrawing as error:
        return str(error), error.hint
    except expat.ExpatError as error:
        return f"it is not an SVG file: {expat.ErrorString(error.code)}, line {error.lineno}", _EXPORT
    except (LookupError, ValueError):  # an encoding that expat or Python does not know
        return "it is not an SVG file in UTF-8", "save it as UTF-8"
    return None


def steps_of(data: bytes) -> int:
    """Return the steps of drawing a file. Raises UnboundedDrawing, ExpatError, LookupError, or ValueError."""
    styles = _Styles()
    styles.run(data)
    return _Reading(sheet_of("".join(styles.found))).run(data)


class _Styles:
    """A first pass over a file: its style sheets, which may come after what they are about."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._inside = False

    def run(self, data: bytes) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = _doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._start
        parser.CharacterDataHandler = self._text
        parser.Parse(data, True)

    def _start(self, name: str, attributes: object = None) -> None:
        self._inside = name == f"{SVG} style" and attributes is not None

    def _text(self, text: str) -> None:
        if self._inside:
            self.found.append(text)


def _doctype(*_: object) -> None:
    raise UnboundedDrawing("it has a document type declaration (`<!DOCTYPE …>`)", "remove that line")


@frozen(repr=False)
class _Open(Record):
    """An open element: its name and id, and what also applies to the elements inside."""

    tag: str
    id: str
    paints: Paints


class _Reading:
    """One pass over a file."""

    def __init__(self, sheet: StyleSheet) -> None:
        self.sheet = sheet
        self.open: list[_Open] = []
        self.elements = 0
        self.sizes: Counter[str] = Counter()
        """The steps of each element with an id, with those inside; under `""`, all."""
        self.references: dict[str, Counter[str]] = {}
        """From an id to the ids that its elements refer to."""
        self.painted: dict[str, Counter[tuple[str, str, bool]]] = {}
        """From an id to what its `use` elements draw, with a paint that applies there, too."""
        self.style: list[str] = []

    def run(self, data: bytes) -> int:
        """Return the steps of drawing the file."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = _doctype
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(data, True)
        if not self.sizes:
            raise UnboundedDrawing("it is not an SVG file", _EXPORT)
        return self._bounded()

    def _instruction(self, target: str, _: str) -> None:
        raise UnboundedDrawing(f"it has a processing instruction (`<?{target} …?>`)", "remove it")

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if not self.open and (namespace, local) != (SVG, "svg"):
            message = f"it is not an SVG file: it begins with `<{local}>`"
            raise UnboundedDrawing(message, f'begin with `<svg xmlns="{SVG}">`')
        if len(self.open) >= MAX_DEPTH:
            raise UnboundedDrawing(f"its elements are nested more than {MAX_DEPTH} deep", _EXPORT)
        active = namespace.startswith(_W3C) and namespace not in (SVG, _DATA)
        if active or (namespace == SVG and local not in ELEMENTS):
            raise UnboundedDrawing(f"it contains `<{local}>`, which is not allowed in a picture", _EXPORT)
        self._weigh(local if namespace == SVG else "", attributes)
        for key, value in attributes.items() if namespace == SVG else ():
            of, _, attribute = key.rpartition(" ")
            if not of or of.startswith(_W3C):  # others are notes of editors
                self._attribute(attribute, value)

    def _weigh(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Count the steps of an element, and collect what applies inside it."""
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise UnboundedDrawing(f"it has more than {MAX_ELEMENTS:,} elements", _EXPORT)
        own = {key: value for key, value in attributes.items() if " " not in key} if tag else {}
        paints = merged(
            self.open[-1].paints if self.open else {},
            self.sheet.of(tag, own),
            paints_of(tag, own),
        )
        if len(paints) > MOST_PAINTS:
            raise UnboundedDrawing(
                f"an element has more than {MOST_PAINTS} references, with those around it", _EXPORT
            )
        if own.get("spreadMethod", "pad") != "pad":
            hint = "draw it as a pattern, or save it as PNG"
            raise UnboundedDrawing("it has a gradient that repeats (`spreadMethod`)", hint)
        self.open.append(_Open(tag, own.get("id", ""), paints))
        segments = segments_of(tag, own)
        element = (ELEMENT + len(self.open)) * (1 + self.sheet.selectors // _SELECTORS)
        self._add(element + segments + own_steps(own))
        for target, each in paints.items():
            self._refers(target, segments + 1 if each else 1)

    def _add(self, steps: int) -> None:
        for inside in {"", *(one.id for one in self.open)}:
            self.sizes[inside] += steps

    def _end(self, name: str) -> None:
        self.open.pop()
        if name == f"{SVG} style":
            self._drawing("".join(self.style))
            self.style.clear()

    def _text(self, text: str) -> None:
        if self.open and self.open[-1].tag == "style":
            self.style.append(text)
        elif any(one.tag in _TEXTS for one in self.open):
            self._add(CHARACTER * len(text))

    def _attribute(self, key: str, value: str) -> None:
        if key.lower().startswith("on"):
            raise UnboundedDrawing(f"it has the attribute `{key}`, which runs a script", "remove the attribute")
        if key in ("href", "src", "base"):
            if not value.strip().startswith("#"):
                raise UnboundedDrawing(f"it refers to something outside: `{key}`", _OWN)
            target = value.strip()[1:]
            self._refers(target, 1)
            for inside in {"", *(one.id for one in self.open)} if self.open[-1].tag == "use" else ():
                painted = self.painted.setdefault(inside, Counter())
                painted.update((target, paint, each) for paint, each in self.open[-1].paints.items())
        elif key == "style" or "(" in value:
            for target in self._drawing(value):
                if target not in self.open[-1].paints:
                    self._refers(target, 1)

    def _drawing(self, style: str) -> list[str]:
        """Check a style or the value of an attribute. Return what it refers to."""
        if _ACTIVE_STYLE.search(style):
            hint = "write styles without `@`, `\\`, and `src`"
            raise UnboundedDrawing("its styles load something, or have escapes", hint)
        found = [(one[2], one[3]) for one in _URL.finditer(style)]
        if any(mark != "#" for mark, _ in found):
            raise UnboundedDrawing("its styles refer to something outside: `url(…)`", _OWN)
        return [target for _, target in found]

    def _refers(self, target: str, times: int) -> None:
        for inside in {"", *(one.id for one in self.open)}:
            self.references.setdefault(inside, Counter())[target] += times

    def _bounded(self) -> int:
        """Return how many steps are taken if each reference draws its target again."""
        asked: Mapping[str, int] = self.references.get("", {})
        missing = sum(many for target, many in asked.items() if target not in self.sizes)
        searching = (len(asked) + missing) * self.elements // _SEARCHED
        taken: Mapping[str, int] = dict(self.sizes)
        for _ in range(_ROUNDS):
            before, taken = taken, {key: own + self._referred(key, taken) for key, own in self.sizes.items()}
            if taken[""] + searching > MAX_STEPS:
                costs = (
                    f"an element takes {ELEMENT} or more, a character of a text {CHARACTER}, a segment of a path 1"
                )
                raise UnboundedDrawing(
                    f"drawing it takes more than {MAX_STEPS:,} steps, with repeated parts",
                    f"simplify it, or save it as PNG; {costs}",
                )
            if taken == before:
                return taken[""] + searching
        raise UnboundedDrawing("its parts refer to each other, or to themselves", "remove these references")

    def _referred(self, key: str, taken: Mapping[str, int]) -> int:
        """Return the steps of what the elements of a part refer to."""
        direct = sum(many * taken.get(to, 0) for to, many in self.references.get(key, {}).items())
        return direct + sum(
            many * taken.get(paint, 0) * (taken.get(to, 0) if each else taken.get(to, 0) // ELEMENT)
            for (to, paint, each), many in self.painted.get(key, {}).items()
        )


# ---- Pictures

TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
"""Suffixes of pictures in lower case, with their media types."""
MAX_BYTES = 2 * 1024 * 1024
MAX_SIDE = 4_096
"""Width and height of a PNG or JPEG, in pixels."""
MAX_PICTURES = 2_000
MAX_ALL_BYTES = 128 * 1024 * 1024
"""For all pictures of a pack together."""

_PIXELS = 100
"""Pixels of a PNG, which is compressed again, in the time of a step."""
_CONVERT = "save it again in an image editor"
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of segments with the size of the picture (ISO/IEC 10918-1, table B.1: start of frame)."""
_JPEG_ALONE = frozenset((0x01, *range(0xD0, 0xD8)))
"""Markers without a segment."""


@frozen(repr=False)
class PictureFile(Record):
    """A picture in a pack's folder: its path there, and what is wrong with it; empty if nothing is.

    A path that ends in `/` is a link to a folder, whose pictures cannot be used.
    """

    path: str
    wrong: str = ""
    hint: str = ""


class Unfit(Exception):  # noqa: N818 - the file is at fault, not our code
    """A file that is no picture, or may not be used; with a hint."""

    def __init__(self, wrong: str, hint: str) -> None:
        super().__init__(wrong)
        self.hint = hint


def suffix(name: str) -> str:
    """Return the suffix of a file name, in lower case."""
    return os.path.splitext(name)[1].lower()


def checked(root: Path, paths: Iterable[str]) -> Iterator[PictureFile]:
    """Check pictures of a pack, given by their paths in its folder."""
    left = MAX_ALL_BYTES
    for number, path in enumerate(paths):
        if path.endswith("/"):
            hint = "copy the pictures into the pack; links to folders are not followed"
            yield PictureFile(path, f"`{path}` is a link to another folder", hint)
            continue
        try:
            if number >= MAX_PICTURES or left <= 0:
                limit = f"{MAX_PICTURES} pictures or {MAX_ALL_BYTES // 1024 // 1024} MiB"
                raise Unfit(f"the pack has more than {limit}", "remove some, or make them smaller")
            left -= len(picture_bytes(root, path))
        except Unfit as error:
            yield PictureFile(path, str(error), error.hint)
        else:
            yield PictureFile(path)


def picture_bytes(root: Path, path: str) -> bytes:
    """Return the contents of a picture of a pack, after all checks. Raises Unfit."""
    if path.startswith("/") or "\\" in path or {"", ".", ".."} & set(path.split("/")):
        raise Unfit("its path leads out of the pack", "write its path in the pack's folder")
    try:
        target = (root / path).resolve()
        if not target.is_relative_to(root.resolve()):
            raise Unfit("it is a link to a file outside the pack's folder", "copy the file into the pack")
        data = read_regular(target, MAX_BYTES)
    except TooLarge:
        raise Unfit(f"it is larger than {MAX_BYTES // 1024 // 1024} MiB", "make it smaller") from None
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Unfit(f"it cannot be read: {why}", "replace it with a regular, readable file") from None
    _check(data, suffix(path))
    return data


def drawing_steps(data: bytes, path: str) -> int:
    """Return how many steps of drawing the contents of a picture take, after all checks."""
    of = suffix(path)
    if of == ".svg":
        return steps_of(data)
    width, height = (_png_size(data) if of == ".png" else None) or (0, 0)  # a JPEG is taken over as it is
    return width * height // _PIXELS


def _check(data: bytes, of: str) -> None:
    """Raise Unfit unless the contents are a picture of the type that the suffix says."""
    if of == ".svg":
        wrong = unsafe(data)
        if wrong is not None:
            raise Unfit(*wrong)
        return
    size = _png_size(data) if of == ".png" else _jpeg_size(data)
    if size is None:
        raise Unfit(f"it is not a {'PNG' if of == '.png' else 'JPEG'} file", _CONVERT)
    width, height = size
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise Unfit(f"it has {width} × {height} pixels", f"at most {MAX_SIDE} × {MAX_SIDE} are allowed")


def _png_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height (PNG specification, 5.2 and 11.2.2)."""
    if data[:16] != b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" or len(data) < 33:
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height from the first start of frame (ISO/IEC 10918-1, B.2.2)."""
    if data[:3] != b"\xff\xd8\xff":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in _JPEG_ALONE:  # fill bytes
            at += 1 if marker == 0xFF else 2
        elif marker in _JPEG_SIZES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
