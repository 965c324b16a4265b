"""A quick yes to the question whether a document fits its schema. Most documents do, and need nothing more.

`surely_fits` compiles a schema into plain functions over the keywords that schemas of kinds are made of. It answers
True only where the schema holds without doubt; at any other keyword, and at any mistake, it answers False, and the
whole validator (`shape`) has to tell. So it decides nothing but how long a check takes; a test compares both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Fits: TypeAlias = Callable[[Any], bool]

_SILENT = {"title", "description", "examples", "default", "$comment", "$schema", "$id", "$defs", "deprecated"}
"""Keywords that demand nothing; so do those that begin with `x-`."""
_ANY = {"type", "enum", "anyOf", "if", "then", "else"}
_STRING = {"minLength", "maxLength", "pattern"}
_NUMBER = {"minimum", "maximum"}
_LIST = {"items", "minItems", "maxItems", "uniqueItems"}
_MAPPING = {
    *("properties", "patternProperties", "additionalProperties", "propertyNames", "required"),
    *("minProperties", "maxProperties", "dependentRequired", "dependentSchemas"),
}
_KNOWN = _SILENT | _ANY | _STRING | _NUMBER | _LIST | _MAPPING


def surely_fits(schema: Any) -> Fits:
    """A function that is True for values that fit the schema; it may be False for some that do, too."""
    if schema is True:
        return _yes
    if not isinstance(schema, Mapping):
        return _unsure
    if any(key not in _KNOWN and not key.startswith("x-") for key in schema):
        return _unsure
    if "anyOf" in schema:
        rest = surely_fits({key: value for key, value in schema.items() if key != "anyOf"})
        branches = [surely_fits(branch) for branch in schema["anyOf"]]
        return lambda value: rest(value) and any(branch(value) for branch in branches)
    if "if" in schema:
        return _either(schema)
    types = schema.get("type", ())
    names = {types} if isinstance(types, str) else set(types)

    def allowed(*named: str) -> bool:
        return not names or bool(names.intersection(named))

    fits: dict[type, Fits] = {}
    if allowed("string"):
        fits[str] = _string(schema)
    if "enum" not in schema:
        if allowed("integer", "number"):
            fits[int] = _integer(schema)
        if allowed("boolean"):
            fits[bool] = _yes
        if allowed("null"):
            fits[type(None)] = _yes
        if allowed("array"):
            fits[list] = _later(lambda: _list(schema))
        if allowed("object"):
            fits[dict] = _later(lambda: _mapping(schema))
    return lambda value: fits.get(type(value), _unsure)(value)


def _yes(_: Any) -> bool:
    return True


def _unsure(_: Any) -> bool:
    return False


def _later(compile: Callable[[], Fits]) -> Fits:
    """Compiled when the first value comes: most parts of a schema meet none."""
    made: list[Fits] = []

    def fits(value: Any) -> bool:
        if not made:
            made.append(compile())
        return made[0](value)

    return fits


def _either(schema: Mapping[str, Any]) -> Fits:
    """A schema with `if`; only whether something is a list can be decided at sight."""
    if schema["if"] != {"type": "array"}:
        return _unsure
    rest = surely_fits({key: value for key, value in schema.items() if key not in ("if", "then", "else")})
    then, other = surely_fits(schema.get("then", True)), surely_fits(schema.get("else", True))
    return lambda value: rest(value) and (then if isinstance(value, list) else other)(value)


def _string(schema: Mapping[str, Any]) -> Fits:
    if "enum" in schema:
        members = frozenset(one for one in schema["enum"] if isinstance(one, str))
        return lambda value: value in members
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    pattern = re.compile(schema["pattern"]) if "pattern" in schema else None
    if pattern is None and most is None:
        return (lambda value: len(value) >= least) if least else _yes
    return lambda value: (
        len(value) >= least
        and (most is None or len(value) <= most)
        and (pattern is None or pattern.search(value) is not None)
    )


def _integer(schema: Mapping[str, Any]) -> Fits:
    least, most = schema.get("minimum"), schema.get("maximum")
    return lambda value: (least is None or value >= least) and (most is None or value <= most)


def _list(schema: Mapping[str, Any]) -> Fits:
    item = surely_fits(schema.get("items", True))
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    unique = schema.get("uniqueItems", False)

    def fits(value: list[Any]) -> bool:
        if len(value) < least or (most is not None and len(value) > most):
            return False
        if unique and not (all(isinstance(one, str) for one in value) and len(set(value)) == len(value)):
            return False
        return all(map(item, value))

    return fits


def _mapping(schema: Mapping[str, Any]) -> Fits:
    if "dependentRequired" in schema or "dependentSchemas" in schema:
        return _unsure
    known = {key: surely_fits(part) for key, part in schema.get("properties", {}).items()}
    patterns = [(re.compile(text), surely_fits(part)) for text, part in schema.get("patternProperties", {}).items()]
    other = surely_fits(schema.get("additionalProperties", True))
    name = surely_fits(schema.get("propertyNames", True))
    required = tuple(schema.get("required", ()))
    least, most = schema.get("minProperties", 0), schema.get("maxProperties")

    def fits(value: dict[str, Any]) -> bool:
        if len(value) < least or (most is not None and len(value) > most):
            return False
        if any(key not in value for key in required):
            return False
        for key, part in value.items():
            matching = [item for pattern, item in patterns if pattern.search(key)]
            own = known.get(key)
            if not name(key) or not all(item(part) for item in matching):
                return False
            if own is not None:
                if not own(part):
                    return False
            elif not matching and not other(part):
                return False
        return True

    return fits
