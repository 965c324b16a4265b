"""Check that an SVG file is a plain drawing: no scripts, no other files, bounded work.

The rule lists what is allowed: the elements that draw, and references to parts of the same file. Elements of
editors (other namespaces) do nothing in a picture and are allowed; those of HTML and MathML are not. Parsing uses
expat without entities: a document type declaration is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from xml.parsers import expat

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.svg_steps import (
    CHARACTER,
    ELEMENT,
    MOST_PAINTS,
    Paints,
    Sheet,
    TooMuch,
    merged,
    own_steps,
    paints_of,
    segments_of,
    sheet_of,
)

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
"""Steps of drawing (`svg_steps`), counting the target of each reference again."""
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
    except TooMuch as error:
        return str(error), error.hint
    except expat.ExpatError as error:
        return f"it is not an SVG file: {expat.ErrorString(error.code)}, line {error.lineno}", _EXPORT
    except (LookupError, ValueError):  # an encoding that expat or Python does not know
        return "it is not an SVG file in UTF-8", "save it as UTF-8"
    return None


def steps_of(data: bytes) -> int:
    """Return how many steps it takes to draw a file. Raises TooMuch, ExpatError, LookupError, or ValueError."""
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
    raise TooMuch("it has a document type declaration (`<!DOCTYPE …>`)", "remove that line")


@frozen(repr=False)
class _Open(Record):
    """An open element: its name and id, and what also applies to the elements inside."""

    tag: str
    id: str
    paints: Paints


class _Reading:
    """One pass over a file."""

    def __init__(self, sheet: Sheet) -> None:
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
            raise TooMuch("it is not an SVG file", _EXPORT)
        return self._bounded()

    def _instruction(self, target: str, _: str) -> None:
        raise TooMuch(f"it has a processing instruction (`<?{target} …?>`)", "remove it")

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if not self.open and (namespace, local) != (SVG, "svg"):
            message = f"it is not an SVG file: it begins with `<{local}>`"
            raise TooMuch(message, f'begin with `<svg xmlns="{SVG}">`')
        if len(self.open) >= MAX_DEPTH:
            raise TooMuch(f"its elements are nested more than {MAX_DEPTH} deep", _EXPORT)
        active = namespace.startswith(_W3C) and namespace not in (SVG, _DATA)
        if active or (namespace == SVG and local not in ELEMENTS):
            raise TooMuch(f"it contains `<{local}>`, which is not allowed in a picture", _EXPORT)
        self._weigh(local if namespace == SVG else "", attributes)
        for key, value in attributes.items() if namespace == SVG else ():
            of, _, attribute = key.rpartition(" ")
            if not of or of.startswith(_W3C):  # others are notes of editors
                self._attribute(attribute, value)

    def _weigh(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Count the steps of an element, and collect what applies inside it."""
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise TooMuch(f"it has more than {MAX_ELEMENTS:,} elements", _EXPORT)
        own = {key: value for key, value in attributes.items() if " " not in key} if tag else {}
        paints = merged(
            self.open[-1].paints if self.open else {},
            self.sheet.of(tag, own),
            paints_of(tag, own),
        )
        if len(paints) > MOST_PAINTS:
            raise TooMuch(f"an element has more than {MOST_PAINTS} references, with those around it", _EXPORT)
        if own.get("spreadMethod", "pad") != "pad":
            hint = "draw it as a pattern, or save it as PNG"
            raise TooMuch("it has a gradient that repeats (`spreadMethod`)", hint)
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
            raise TooMuch(f"it has the attribute `{key}`, which runs a script", "remove the attribute")
        if key in ("href", "src", "base"):
            if not value.strip().startswith("#"):
                raise TooMuch(f"it refers to something outside: `{key}`", _OWN)
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
            raise TooMuch("its styles load something, or have escapes", hint)
        found = [(one[2], one[3]) for one in _URL.finditer(style)]
        if any(mark != "#" for mark, _ in found):
            raise TooMuch("its styles refer to something outside: `url(…)`", _OWN)
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
                raise TooMuch(
                    f"drawing it takes more than {MAX_STEPS:,} steps, with repeated parts",
                    f"simplify it, or save it as PNG; {costs}",
                )
            if taken == before:
                return taken[""] + searching
        raise TooMuch("its parts refer to each other, or to themselves", "remove these references")

    def _referred(self, key: str, taken: Mapping[str, int]) -> int:
        """Return the steps of what the elements of a part refer to."""
        direct = sum(many * taken.get(to, 0) for to, many in self.references.get(key, {}).items())
        return direct + sum(
            many * taken.get(paint, 0) * (taken.get(to, 0) if each else taken.get(to, 0) // ELEMENT)
            for (to, paint, each), many in self.painted.get(key, {}).items()
        )
