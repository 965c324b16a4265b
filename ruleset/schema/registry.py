"""Read the hand-written schemas, from a checkout or an installed wheel, and resolve their references.

A schema with references to other files validates slowly and does not list the keys that it knows. `inlined` removes
references, except in recursive parts; `bundled` gives a small schema for editors whose references are all internal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator, ValidationError, validators

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


# ------------------------------------------------------------------ Compile JSON Schemas once, and query them

Schema: TypeAlias = Mapping[str, Any]

_KEPT = 64
_compiled: dict[tuple[int, int], tuple[Any, Any, Any]] = {}


def validator_of(schema: Schema, registry: Any) -> Any:
    """Return the compiled validator of a schema object; the most recent ones are cached."""
    key = (id(schema), id(registry))
    known = _compiled.pop(key, None)
    if known is None:
        compiled = _DIALECT(schema) if registry is None else _DIALECT(schema, registry=registry)
        known = (schema, registry, compiled)  # holding references keeps the ids unique
        while len(_compiled) >= _KEPT:
            del _compiled[next(iter(_compiled))]
    _compiled[key] = known
    return known[2]


def _properties(validator: Any, known: Schema, instance: Any, schema: Any) -> Iterator[Any]:
    """Validate `properties`, and give a path also to errors of keys whose schema is `false`."""
    if not isinstance(instance, dict):
        return
    for name, part in known.items():
        if name not in instance:
            continue
        if part is False:
            value = instance[name]
            yield ValidationError("", validator="false", path=(name,), instance=value, schema=schema)
        else:
            yield from validator.descend(instance[name], part, path=name, schema_path=name)


def _is_integer(_: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_extend: Any = validators.extend
_DIALECT: Any = _extend(
    Draft202012Validator,
    {"properties": _properties},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),  # 3.0 is not an integer
)


def properties(schema: Any, instance: Any, validator: Any) -> dict[str, Any]:
    """Return the keys that a schema knows for an instance, including those in `allOf`, `if`, `$ref`, etc."""
    found: dict[str, Any] = {}
    for part in _applying(schema, instance, validator, 0):
        for key, value in part.get("properties", {}).items():
            if value is not False:
                found.setdefault(key, value)
    return found


def _applying(schema: Any, instance: Any, validator: Any, depth: int) -> Iterator[Schema]:
    """Yield the schema and its subschemas that apply to the instance itself."""
    if not isinstance(schema, Mapping) or depth > 8:
        return
    yield schema

    def fits(part: Any) -> bool:
        return bool(validator.evolve(schema=part).is_valid(instance))

    inner: list[Any] = [*schema.get("allOf", ())]
    for name in ("anyOf", "oneOf"):
        inner += [part for part in schema.get(name, ()) if fits(part)]
    if "if" in schema:
        inner.append(schema.get("then" if fits(schema["if"]) else "else"))
    inner += [part for key, part in schema.get("dependentSchemas", {}).items() if key in instance]
    reference = schema.get("$ref", "")
    if reference.startswith("#/"):
        target: Any = validator.schema
        for name in reference[2:].split("/"):
            name = name.replace("~1", "/").replace("~0", "~")
            target = target.get(name) if isinstance(target, Mapping) else None
        inner.append(target)
    for part in inner:
        yield from _applying(part, instance, validator, depth + 1)


def is_unknown(error: Any) -> bool:
    """Whether an error is about unknown keys."""
    return error.validator in ("additionalProperties", "unevaluatedProperties") and error.validator_value is False


def own_text(error: Any, name: str, keyword: str | None) -> str | None:
    """Return the schema's own `x-message` or `x-hint` for errors of a keyword."""
    text = error.schema.get(name) if isinstance(error.schema, Mapping) else None
    if isinstance(text, Mapping):
        text = text.get(keyword)
    elif keyword in ("required", "additionalProperties", "unevaluatedProperties"):
        text = None
    return text if isinstance(text, str) else None


def branches(error: Any) -> dict[int, list[Any]]:
    """Return the errors of an `anyOf` or `oneOf`, by branch."""
    found: dict[int, list[Any]] = {}
    for inner in error.context:
        found.setdefault(inner.schema_path[0], []).append(inner)
    return found
