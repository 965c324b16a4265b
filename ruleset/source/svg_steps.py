"""Count the steps of drawing an SVG element, before anything is drawn.

A step takes about 10 microseconds. A renderer does what an element says each time that the element is drawn, and
parts of what it says (colours, lists of dashes, references) for each element inside. So attributes that apply
inside must be short, and references are counted as often as they are followed. Measured with WeasyPrint 66.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import field, frozen

from rulewright.ruleset.common.record import Record

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


class TooMuch(Exception):  # noqa: N818 - the file is at fault, not our code
    """Something that cannot be bounded; with a hint."""

    def __init__(self, wrong: str, hint: str) -> None:
        super().__init__(wrong)
        self.hint = hint


@frozen(repr=False)
class Sheet(Record):
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


def sheet_of(style: str) -> Sheet:
    """Read style sheets. Raises TooMuch for selectors or declarations that take long for each element."""
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
                raise TooMuch(f"its styles have the selector `{selector.strip()[:60]}`", hint)
            for name in _SIMPLE.findall(parts[-1]) or ["*"] if found else ():
                paints[name] = merged(paints.get(name, {}), found)
    return Sheet(selectors, paints)


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a style."""
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        yield name.strip().lower(), value


def paints_of(tag: str, attributes: Mapping[str, str]) -> Paints:
    """Return what an element and those inside refer to. Raises TooMuch for long values."""
    given = ((name, value) for name, value in attributes.items() if _applies_inside(tag, name))
    values = (*given, *_declarations(attributes.get("style", "")))
    found = [(name, _paints(name, value)) for name, value in values]
    return merged(*(paints for name, paints in found if _INSIDE.fullmatch(name)))


def _applies_inside(tag: str, name: str) -> bool:
    free = name in (_SHAPES.get(tag), "style") or name in _LISTS or name.startswith(_FREE)
    return not free


def _paints(name: str, value: str) -> Paints:
    """Return what a value refers to. Raises TooMuch if it is long."""
    if len(value) > LONGEST_VALUE:
        raise TooMuch(f"its `{name[:60]}` has more than {LONGEST_VALUE} characters", "make it shorter")
    if len(_NUMBER.findall(value)) > MOST_NUMBERS:
        raise TooMuch(f"its `{name[:60]}` has more than {MOST_NUMBERS} numbers", "make it shorter")
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
