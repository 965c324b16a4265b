"""Quickly accept documents that fit their schema. Most documents do, and need no further check.

`surely_fits` compiles a schema into plain functions for the keywords that our schemas use. It returns True only if
the schema is certainly satisfied; for any other keyword and any mistake it returns False, and the full validator
(`explain`) decides. So it affects only the speed of a check; a test compares both.

Conditions in `if` and `not` must be decided both ways, so they have their own compiler (`_decider`), which supports
few keywords, but exactly. References lead to the schema's own `$defs`, which may be recursive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from ruleset.common.record import Record

Fits: TypeAlias = Callable[[Any], bool]

_SILENT = {"title", "description", "examples", "default", "$comment", "$schema", "$id", "$defs", "deprecated"}
"""Keywords without constraints; those that begin with `x-` have none either."""
_ANY = {"type", "enum", "const", "allOf", "anyOf", "not", "if", "then", "else", "$ref"}
_STRING = {"minLength", "maxLength", "pattern"}
_NUMBER = {"minimum", "maximum"}
_LIST = {"items", "minItems", "maxItems", "uniqueItems"}
_MAPPING = {
    *("properties", "patternProperties", "additionalProperties", "propertyNames", "required"),
    *("minProperties", "maxProperties", "dependentRequired", "dependentSchemas"),
}
_EXACT = {"string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}
"""Types that can be decided exactly. Numbers are left out: it is not decided here whether 1.0 is an integer."""
_DECIDED = {"type", "enum", "const", "pattern", "required", "properties", "anyOf", "not"}
_KNOWN = _SILENT | _ANY | _STRING | _NUMBER | _LIST | _MAPPING


def surely_fits(schema: Any) -> Fits:
    """Return a predicate that is True only for values that fit the schema; it may reject some that fit."""
    return _Compiler(schema.get("$defs", {}) if isinstance(schema, Mapping) else {}).compiled(schema)


def _yes(_: Any) -> bool:
    return True


def _unsure(_: Any) -> bool:
    return False


def _later(compile: Callable[[], Fits]) -> Fits:
    """Compile on first use: most parts of a schema are never used."""
    made: list[Fits] = []

    def fits(value: Any) -> bool:
        if not made:
            made.append(compile())
        return made[0](value)

    return fits


@frozen(repr=False)
class _Compiler(Record):
    """Compiles the parts of a schema; `definitions` are its `$defs`."""

    definitions: Mapping[str, Any]
    _referred: dict[str, Fits] = field(factory=dict, init=False)

    def compiled(self, schema: Any) -> Fits:
        if schema is True:
            return _yes
        if not isinstance(schema, Mapping):
            return _unsure
        if any(key not in _KNOWN and not key.startswith("x-") for key in schema):
            return _unsure
        if "$ref" in schema:
            return self._reference(schema)
        if "allOf" in schema:
            rest = self._without(schema, "allOf")
            parts = [self.compiled(part) for part in schema["allOf"]]
            return lambda value: rest(value) and all(part(value) for part in parts)
        if "anyOf" in schema:
            rest = self._without(schema, "anyOf")
            branches = [self.compiled(branch) for branch in schema["anyOf"]]
            return lambda value: rest(value) and any(branch(value) for branch in branches)
        if "not" in schema:
            return self._negation(schema)
        if "if" in schema:
            return self._either(schema)
        if "const" in schema:
            return self._constant(schema)
        return self._typed(schema)

    def _without(self, schema: Mapping[str, Any], *keys: str) -> Fits:
        """Compile the rest of a schema, without keywords that are handled elsewhere."""
        return self.compiled({key: value for key, value in schema.items() if key not in keys})

    def _reference(self, schema: Mapping[str, Any]) -> Fits:
        name = schema["$ref"].removeprefix("#/$defs/")
        if name not in self.definitions:
            return _unsure
        if name not in self._referred:
            self._referred[name] = _later(lambda: self.compiled(self.definitions[name]))
        rest, target = self._without(schema, "$ref"), self._referred[name]
        return lambda value: rest(value) and target(value)

    def _negation(self, schema: Mapping[str, Any]) -> Fits:
        test = _decider(schema["not"], self.definitions)
        if test is None:
            return _unsure
        rest = self._without(schema, "not")
        return lambda value: rest(value) and not test(value)

    def _either(self, schema: Mapping[str, Any]) -> Fits:
        test = _decider(schema["if"], self.definitions)
        if test is None:
            return _unsure
        rest = self._without(schema, "if", "then", "else")
        then, other = self.compiled(schema.get("then", True)), self.compiled(schema.get("else", True))
        return lambda value: rest(value) and (then if test(value) else other)(value)

    def _constant(self, schema: Mapping[str, Any]) -> Fits:
        wanted, rest = schema["const"], self._without(schema, "const")
        if type(wanted) not in (str, int):
            return _unsure
        return lambda value: type(value) is type(wanted) and value == wanted and rest(value)

    def _typed(self, schema: Mapping[str, Any]) -> Fits:
        """Compile a schema all of whose keywords apply to a single type each."""
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
                fits[list] = _later(lambda: self._list(schema))
            if allowed("object"):
                fits[dict] = _later(lambda: self._mapping(schema))
        return lambda value: fits.get(type(value), _unsure)(value)

    def _list(self, schema: Mapping[str, Any]) -> Fits:
        item = self.compiled(schema.get("items", True))
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        unique = schema.get("uniqueItems", False)

        def fits(value: list[Any]) -> bool:
            if len(value) < least or (most is not None and len(value) > most):
                return False
            if unique and not (all(type(one) in (str, int) for one in value) and len(set(value)) == len(value)):
                return False
            return all(map(item, value))

        return fits

    def _mapping(self, schema: Mapping[str, Any]) -> Fits:
        known = {key: self.compiled(part) for key, part in schema.get("properties", {}).items()}
        named = schema.get("patternProperties", {}).items()
        patterns = [(re.compile(text), self.compiled(part)) for text, part in named]
        other = self.compiled(schema.get("additionalProperties", True))
        name = self.compiled(schema.get("propertyNames", True))
        required = tuple(schema.get("required", ()))
        beside = schema.get("dependentRequired", {}).items()
        depending = [(key, self.compiled(part)) for key, part in schema.get("dependentSchemas", {}).items()]
        least, most = schema.get("minProperties", 0), schema.get("maxProperties")

        def fits(value: dict[str, Any]) -> bool:
            if len(value) < least or (most is not None and len(value) > most):
                return False
            if any(key not in value for key in required):
                return False
            if any(key in value and any(one not in value for one in needed) for key, needed in beside):
                return False
            if any(key in value and not part(value) for key, part in depending):
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


def _string(schema: Mapping[str, Any]) -> Fits:
    if "enum" in schema:
        rest = _string({key: value for key, value in schema.items() if key != "enum"})
        members = frozenset(one for one in schema["enum"] if isinstance(one, str) and rest(one))
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


def _decider(schema: Any, definitions: Mapping[str, Any]) -> Fits | None:
    """Return an exact predicate for a schema, or None if the schema has other keywords."""
    if isinstance(schema, Mapping) and set(schema) == {"$ref"}:
        return _decider(definitions.get(schema["$ref"].removeprefix("#/$defs/")), definitions)
    if not isinstance(schema, Mapping) or not _DECIDED.issuperset(schema):
        return None
    tests: list[Fits] = []
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not all(name in _EXACT for name in names):
            return None
        types = tuple(_EXACT[name] for name in names)
        tests.append(lambda value: isinstance(value, types))
    if "enum" in schema:
        members = schema["enum"]
        if not all(isinstance(member, str) for member in members):
            return None
        tests.append(lambda value: isinstance(value, str) and value in members)
    if "const" in schema:
        only = schema["const"]
        if not isinstance(only, str):
            return None
        tests.append(lambda value: isinstance(value, str) and value == only)
    if "properties" in schema:
        inside = {key: _decider(part, definitions) for key, part in schema["properties"].items()}
        known = {key: test for key, test in inside.items() if test is not None}
        if len(known) < len(inside):
            return None
        tests.append(lambda value: not isinstance(value, dict) or _holds(known, value))
    if "pattern" in schema:
        pattern = re.compile(schema["pattern"])
        tests.append(lambda value: not isinstance(value, str) or pattern.search(value) is not None)
    if "required" in schema:
        keys = schema["required"]
        tests.append(lambda value: not isinstance(value, dict) or all(key in value for key in keys))
    if "anyOf" in schema:
        branches = [test for part in schema["anyOf"] if (test := _decider(part, definitions)) is not None]
        if len(branches) < len(schema["anyOf"]):
            return None
        tests.append(lambda value: any(branch(value) for branch in branches))
    if "not" in schema:
        inner = _decider(schema["not"], definitions)
        if inner is None:
            return None
        tests.append(lambda value: not inner(value))
    return lambda value: all(test(value) for test in tests)


def _holds(tests: Mapping[str, Fits], value: dict[str, Any]) -> bool:
    """Whether all entries of a mapping that have a test pass it."""
    return all(key not in value or test(value[key]) for key, test in tests.items())
