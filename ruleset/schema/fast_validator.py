"""A quick yes to the question whether a document fits its schema. Most documents do, and need nothing more.

`surely_fits` compiles a schema into plain functions over the keywords that our schemas are made of. It answers
True only where the schema holds without doubt; at any other keyword, and at any mistake, it answers False, and the
whole validator (`shape`) has to tell. So it decides nothing but how long a check takes; a test compares both.

What stands behind `if` and `not` must be decided both ways, so it has a compiler of its own (`_decider`), which
knows few keywords and knows them exactly. References lead to the `$defs` of the schema itself, whose parts may
contain themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from ruleset.common.record import Record

Fits: TypeAlias = Callable[[Any], bool]

_SILENT = {"title", "description", "examples", "default", "$comment", "$schema", "$id", "$defs", "deprecated"}
"""Keywords that demand nothing; so do those that begin with `x-`."""
_ANY = {"type", "enum", "const", "anyOf", "not", "if", "then", "else", "$ref"}
_STRING = {"minLength", "maxLength", "pattern"}
_NUMBER = {"minimum", "maximum"}
_LIST = {"items", "minItems", "maxItems", "uniqueItems"}
_MAPPING = {
    *("properties", "patternProperties", "additionalProperties", "propertyNames", "required"),
    *("minProperties", "maxProperties", "dependentRequired", "dependentSchemas"),
}
_EXACT = {"string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}
"""Types that a value has or has not. Numbers are left out: whether 1.0 is an integer is not for us to say."""
_DECIDED = {"type", "enum", "pattern", "required", "anyOf", "not"}
_KNOWN = _SILENT | _ANY | _STRING | _NUMBER | _LIST | _MAPPING


def surely_fits(schema: Any) -> Fits:
    """A function that is True for values that fit the schema; it may be False for some that do, too."""
    return _Compiler(schema.get("$defs", {}) if isinstance(schema, Mapping) else {}).compiled(schema)


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


@frozen(repr=False)
class _Compiler(Record):
    """Compiles the parts of one schema; `definitions` are its `$defs`."""

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
        """The rest of a schema some of whose keywords are seen to."""
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
        test = _decider(schema["not"])
        if test is None:
            return _unsure
        rest = self._without(schema, "not")
        return lambda value: rest(value) and not test(value)

    def _either(self, schema: Mapping[str, Any]) -> Fits:
        test = _decider(schema["if"])
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
        """A schema with none but keywords that each speak about one type."""
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


def _decider(schema: Any) -> Fits | None:
    """True for the values that fit the schema, and for no others; None for a schema that is not that simple."""
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
    if "pattern" in schema:
        pattern = re.compile(schema["pattern"])
        tests.append(lambda value: not isinstance(value, str) or pattern.search(value) is not None)
    if "required" in schema:
        keys = schema["required"]
        tests.append(lambda value: not isinstance(value, dict) or all(key in value for key in keys))
    if "anyOf" in schema:
        branches = [test for part in schema["anyOf"] if (test := _decider(part)) is not None]
        if len(branches) < len(schema["anyOf"]):
            return None
        tests.append(lambda value: any(branch(value) for branch in branches))
    if "not" in schema:
        inner = _decider(schema["not"])
        if inner is None:
            return None
        tests.append(lambda value: not inner(value))
    return lambda value: all(test(value) for test in tests)
