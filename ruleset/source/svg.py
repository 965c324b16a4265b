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
MAX_DRAWN = 200_000
"""Elements that are drawn, counting the target of each reference again."""
MAX_DEPTH = 100
_ROUNDS = 20
"""How deep references may be nested."""
_URL = re.compile(r"url\(\s*(['\"]?)\s*(.?)([^)'\"\s]*)", re.IGNORECASE)
_ACTIVE_STYLE = re.compile(r"\\|@|src\s*\(|image\s*\(|image-set\s*\(|expression\s*\(", re.IGNORECASE)
_EXPORT = "export it as plain SVG, or as PNG"
_OWN = "a picture may refer only to parts of itself, such as `#shape`"


class _Refused(Exception):  # noqa: N818 - the file is at fault, not our code
    """Something that is not allowed; with a hint."""

    def __init__(self, wrong: str, hint: str) -> None:
        super().__init__(wrong)
        self.hint = hint


def unsafe(data: bytes) -> Fault | None:
    """Return why a file cannot be used as an SVG picture; None if it can."""
    reading = _Reading()
    try:
        reading.run(data)
    except _Refused as error:
        return str(error), error.hint
    except expat.ExpatError as error:
        return f"it is not an SVG file: {expat.ErrorString(error.code)}, line {error.lineno}", _EXPORT
    except (LookupError, ValueError):  # an encoding that expat or Python does not know
        return "it is not an SVG file in UTF-8", "save it as UTF-8"
    return None


class _Reading:
    """One pass over a file."""

    def __init__(self) -> None:
        self.open: list[tuple[str, str]] = []
        """The open elements: name and id."""
        self.sizes: Counter[str] = Counter()
        """The number of elements in each element with an id; under `""`, all."""
        self.references: dict[str, Counter[str]] = {}
        """From an id to the ids that its elements refer to."""
        self.style: list[str] = []

    def run(self, data: bytes) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = self._doctype
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(data, True)
        if not self.sizes:
            raise _Refused("it is not an SVG file", _EXPORT)
        self._bounded()

    def _doctype(self, *_: object) -> None:
        raise _Refused("it has a document type declaration (`<!DOCTYPE …>`)", "remove that line")

    def _instruction(self, target: str, _: str) -> None:
        raise _Refused(f"it has a processing instruction (`<?{target} …?>`)", "remove it")

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if not self.open and (namespace, local) != (SVG, "svg"):
            message = f"it is not an SVG file: it begins with `<{local}>`"
            raise _Refused(message, f'begin with `<svg xmlns="{SVG}">`')
        if len(self.open) >= MAX_DEPTH:
            raise _Refused(f"its elements are nested more than {MAX_DEPTH} deep", _EXPORT)
        active = namespace.startswith(_W3C) and namespace not in (SVG, _DATA)
        if active or (namespace == SVG and local not in ELEMENTS):
            raise _Refused(f"it contains `<{local}>`, which is not allowed in a picture", _EXPORT)
        self.open.append((local if namespace == SVG else "", attributes.get("id", "")))
        self.sizes[""] += 1
        if self.sizes[""] > MAX_ELEMENTS:
            raise _Refused(f"it has more than {MAX_ELEMENTS:,} elements", _EXPORT)
        for inside in {id_ for _, id_ in self.open if id_}:
            self.sizes[inside] += 1
        for key, value in attributes.items() if namespace == SVG else ():
            of, _, attribute = key.rpartition(" ")
            if not of or of.startswith(_W3C):  # others are notes of editors
                self._attribute(attribute, value)

    def _end(self, name: str) -> None:
        self.open.pop()
        if name == f"{SVG} style":
            self._drawing("".join(self.style))
            self.style.clear()

    def _text(self, text: str) -> None:
        if self.open and self.open[-1][0] == "style":
            self.style.append(text)

    def _attribute(self, key: str, value: str) -> None:
        if key.lower().startswith("on"):
            raise _Refused(f"it has the attribute `{key}`, which runs a script", "remove the attribute")
        if key in ("href", "src", "base"):
            if not value.strip().startswith("#"):
                raise _Refused(f"it refers to something outside: `{key}`", _OWN)
            self._refers(value.strip()[1:])
        elif key == "style" or "(" in value:
            self._drawing(value)

    def _drawing(self, style: str) -> None:
        """Check a style or the value of an attribute, which may refer to something."""
        if _ACTIVE_STYLE.search(style):
            hint = "write styles without `@`, `\\`, and `src`"
            raise _Refused("its styles load something, or have escapes", hint)
        for found in _URL.finditer(style):
            if found[2] != "#":
                raise _Refused("its styles refer to something outside: `url(…)`", _OWN)
            self._refers(found[3])

    def _refers(self, target: str) -> None:
        for inside in {"", *(id_ for _, id_ in self.open)}:
            self.references.setdefault(inside, Counter())[target] += 1

    def _bounded(self) -> None:
        """Check how many elements are drawn if each reference draws its target again."""
        drawn = dict(self.sizes)
        for _ in range(_ROUNDS):
            before, drawn = (
                drawn,
                {
                    key: own + sum(many * drawn.get(to, 0) for to, many in self.references.get(key, {}).items())
                    for key, own in self.sizes.items()
                },
            )
            if drawn[""] > MAX_DRAWN:
                raise _Refused(f"it draws more than {MAX_DRAWN:,} elements, with repeated parts", _EXPORT)
            if drawn == before:
                return
        raise _Refused("its parts refer to each other, or to themselves", "remove these references")
