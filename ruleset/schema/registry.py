"""Read the hand-written schemas, from a checkout or an installed wheel, and resolve their references.

A schema with references to other files validates slowly and does not list the keys that it knows. `inlined` removes
references, except in recursive parts; `bundled` gives a small schema for editors whose references are all internal.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from rulewright import schemas

SUFFIX = ".schema.json"
BASE = "https://rulewright.dev/schemas/"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_Place = tuple[str, str]
"""The name of a file without its suffix, and the key in its `$defs` ("" for the whole file)."""
_HEAD = ("$schema", "$id", "$defs")
_SAID_AGAIN = ("title", "description", "examples", "x-message", "x-hint")


@cache
def read_schema(name: str) -> dict[str, Any]:
    """Read a file: `read_schema("zones")`. Callers must not change the result."""
    text = Path(schemas.__path__[0], f"{name}{SUFFIX}").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def inlined(name: str) -> dict[str, Any]:
    """Inline a file's schema. Callers must not change it: validators are cached by its identity."""
    return inline(read_schema(name), name)


def inline(schema: dict[str, Any], name: str = "") -> dict[str, Any]:
    """Replace all references in a schema by their targets."""
    recursive: dict[str, _Place] = {}
    out = _within(schema, name, (), recursive)
    definitions: dict[str, Any] = {}
    while missing := [key for key in recursive if key not in definitions]:
        for key in missing:
            definitions[key], more = _expanded(recursive[key])
            recursive.update(more)
    return {**out, "$defs": definitions} if definitions else out


@cache
def _expanded(place: _Place) -> tuple[dict[str, Any], dict[str, _Place]]:
    """Inline a part, and return which of its parts are recursive."""
    recursive: dict[str, _Place] = {}
    return _within(_target(place), place[0], (place,), recursive), recursive


def _within(node: Any, name: str, inside: tuple[_Place, ...], recursive: dict[str, _Place]) -> Any:
    if isinstance(node, list):
        return [_within(item, name, inside, recursive) for item in node]
    if not isinstance(node, dict):
        return node
    own = {
        key: _within(value, name, inside, recursive)
        for key, value in node.items()
        if key != "$ref" and not (key in _HEAD and ("$id" in node or "$defs" in node))
    }
    reference = node.get("$ref")
    if not isinstance(reference, str):
        return own
    place = _place(reference, name)
    if place in inside:
        key = _key(place)
        recursive[key] = place
        return {"$ref": f"#/$defs/{key}", **own}
    if inside:
        target = _within(_target(place), place[0], (*inside, place), recursive)
    else:
        target, more = _expanded(place)
        recursive.update(more)
    clash = set(target).intersection(own).difference(_SAID_AGAIN)
    return {"allOf": [target], **own} if clash else {**target, **own}


def bundled(schema: dict[str, Any], name: str = "") -> dict[str, Any]:
    """Turn a schema's references to files into references to its own `$defs`."""
    definitions: dict[str, Any] = {}

    def moved(reference: str, here: str) -> str:
        place = _place(reference, here)
        key = _key(place)
        if key not in definitions:
            definitions[key] = {}
            definitions[key] = _moved(_target(place), place[0], moved)
        return f"#/$defs/{key}"

    out = _moved(schema, name, moved)
    return {**out, "$defs": dict(sorted(definitions.items()))}


def _moved(node: Any, name: str, moved: Callable[[str, str], str]) -> Any:
    if isinstance(node, list):
        return [_moved(item, name, moved) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: moved(value, name) if key == "$ref" else _moved(value, name, moved)
        for key, value in node.items()
        if not (key in _HEAD and ("$id" in node or "$defs" in node))
    }


def _place(reference: str, name: str) -> _Place:
    file, _, pointer = reference.partition("#")
    return file.removeprefix(BASE).removesuffix(SUFFIX) or name, pointer.removeprefix("/$defs/")


def _key(place: _Place) -> str:
    return ".".join(part for part in place if part)


def _target(place: _Place) -> dict[str, Any]:
    schema = read_schema(place[0])
    found: dict[str, Any] = schema["$defs"][place[1]] if place[1] else schema
    return found
