"""Compile JSON Schemas once, and query them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator, ValidationError, validators

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


def all_properties(schema: Any) -> set[str]:
    """Return every key that occurs anywhere in the schema."""
    names: set[str] = set()
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, Mapping):
            known = part.get("properties")
            if isinstance(known, Mapping):
                names.update(known)
            stack += part.values()
        elif isinstance(part, list):
            stack += part
    return names


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
