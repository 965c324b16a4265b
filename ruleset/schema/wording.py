"""Word what a schema expects and what was found, for designers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as Table
from collections.abc import Sequence as Items
from typing import Any

from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.common.whole_numbers import number_hint
from rulewright.ruleset.schema.registry import Schema, branches
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "`key: value` lines",
    "null": "nothing",
}
_LONGEST = 40


def expected_types(types: Iterable[str]) -> str:
    """Describe JSON types: `text or a list`."""
    names = list(types)
    if "number" in names and "integer" in names:
        names.remove("integer")
    return listed([_TYPES.get(name, name) for name in names], "or", quoted=False)


def describe(node: Node) -> str:
    """Describe a node: `the text "x"`, `the number 3`, `a list`."""
    if isinstance(node, MappingNode):
        return "`key: value` lines"
    if isinstance(node, SequenceNode):
        return "a list"
    value = node.value
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"`{node.text}`"
    if isinstance(value, int | float):
        return f"the number {node.text}"
    if not value:
        return "an empty text"
    line, *more = node.text.split("\n")
    short = len(line) > _LONGEST or any(more)
    return f'the text "{line[:_LONGEST].rstrip()}{"..." if short else ""}"'


def type_hint(types: Items[str], node: Node) -> str | None:
    """Suggest what to write so that the value has one of the types."""
    if not isinstance(node, ScalarNode):
        if isinstance(node, SequenceNode) and "string" in types and node.items:
            return "write one text, without `[`, `]`, or `- `"
        return "begin each item with `- `" if isinstance(node, MappingNode) and list(types) == ["array"] else None
    value = node.value
    if value is None:
        return "write a value after the `:`, or remove the key"
    if "integer" in types and (not isinstance(value, str) or "string" not in types):
        return number_hint(node.text)
    if "string" in types and not isinstance(value, str):
        return f'put it in quotes: `"{node.text}"`'
    if "array" in types:
        return f"write a list: `[{node.text}]`" if "\n" not in node.text else "begin each item with `- `"
    if "boolean" in types and isinstance(value, str) and value.casefold() in ("yes", "on", "no", "off"):
        return f"write `{'true' if value.casefold() in ('yes', 'on') else 'false'}`"
    return None


def of_value(error: Any, place: str, node: Node) -> tuple[str, str, str | None]:
    """Return the code, message, and hint of an error about one value."""
    keyword, wanted, schema, value = error.validator, error.validator_value, error.schema, error.instance
    if keyword == "type":
        types = [wanted] if isinstance(wanted, str) else list(wanted)
        return (
            "RW203",
            f"expected {expected_types(types)} for {place}, found {describe(node)}",
            type_hint(types, node),
        )
    if keyword in ("enum", "const"):
        choices = [written(one) for one in (wanted if keyword == "enum" else [wanted])]
        near = nearest(value, [one for one in choices if isinstance(one, str)]) if isinstance(value, str) else None
        hint = f"did you mean `{near}`?" if near else None
        return "RW204", f"expected {listed(choices, 'or')} for {place}, found {describe(node)}", hint
    if keyword == "pattern":
        hint = example_of(schema, None) or f"it must match the regular expression `{wanted}`"
        message = f"{describe(node)} is not a valid value for {place}"
        return "RW205", message.replace("value for this key", "key"), hint
    if keyword in _BOUNDS:
        return "RW206", f"expected {_range(schema)} for {place}, found {describe(node)}", None
    if keyword in _LENGTHS:
        unit = {"Items": "item", "Length": "character", "Properties": "entry"}[keyword[3:]]
        return (
            "RW207",
            f"{place} has {_many(len(value), unit)}; expected {_length(schema, keyword, unit)}",
            None,
        )
    if keyword in ("items", "unevaluatedItems") and isinstance(node, SequenceNode):
        most = len(schema.get("prefixItems", ()))
        return "RW207", f"{place} has {_many(len(value), 'item')}; expected at most {_many(most, 'item')}", None
    if keyword == "contains":
        return "RW207", f"{place} lacks a required item", example_of(wanted, None)
    if keyword == "not":
        together = wanted.get("required") if isinstance(wanted, Table) else None
        if together and len(together) > 1:
            return "RW209", f"{listed(together, 'and')} cannot be used together", "keep one of them"
        if together:
            return "RW209", f"`{together[0]}` is not allowed here", "remove it"
        if wanted == {}:
            return "RW209", f"{place} is not allowed here", "remove it"
    return "RW210", f"{describe(node)} is not allowed for {place}", None


_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_LENGTHS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")


def _range(schema: Schema) -> str:
    low = schema.get("minimum")
    high = schema.get("maximum")
    if "exclusiveMinimum" in schema:
        low = f"more than {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema:
        high = f"less than {schema['exclusiveMaximum']}"
    step = f"a multiple of {schema['multipleOf']}" if "multipleOf" in schema else None
    if low is not None and high is not None and not isinstance(low, str) and not isinstance(high, str):
        words: list[str | None] = [f"{low} to {high}", step]
    else:
        words = [
            f"at least {low}" if isinstance(low, int | float) else low,
            f"at most {high}" if isinstance(high, int | float) else high,
            step,
        ]
    return ", ".join(word for word in words if word)


def _length(schema: Schema, keyword: str, unit: str) -> str:
    low, high = schema.get(f"min{keyword[3:]}"), schema.get(f"max{keyword[3:]}")
    if low is not None and high is not None:
        return _many(low, unit) if low == high else f"{low} to {_many(high, unit)}"
    if low is not None:
        return f"at least {_many(low, unit)}"
    return f"at most {_many(high or 0, unit)}"


def _many(number: int, unit: str) -> str:
    plural = "entries" if unit == "entry" else f"{unit}s"
    return f"{number or 'no'} {unit if number == 1 else plural}"


def written(value: Any) -> str:
    """Write a schema's constant as in YAML."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def filled(text: str, key: str, value: Any) -> str:
    """Fill in `{key}`, `{value}`, and `{version}` (the value with three numbers) in a schema's own text."""
    if "{version}" in text:
        text = text.replace("{version}", ".".join([*re.findall(r"[0-9]+", str(value)), "0", "0", "0"][:3]))
    shown = "this" if isinstance(value, dict | list) else "nothing" if value is None else written(value)
    return text.replace("{key}", key).replace("{value}", shown)


def example_of(schema: Any, key: str | None) -> str | None:
    """Return a hint from the schema's `x-hint` or examples."""
    if not isinstance(schema, Table):
        return None
    hint = schema.get("x-hint")
    if isinstance(hint, str):
        return hint
    examples = schema.get("examples")
    if isinstance(examples, list) and examples and isinstance(examples[0], str | int | bool):
        shown = written(examples[0])
        return f"for example `{key}: {shown}`" if key else f"for example `{shown}`"
    return None


def expected_kind(errors: list[Any]) -> list[str] | None:
    """Return what a branch expects if the value has the wrong type or is not in its enumeration; else None."""
    for error in errors:
        if error.relative_path:
            continue
        if error.validator == "type":
            types = error.validator_value
            return [expected_types([types] if isinstance(types, str) else types)]
        if error.validator in ("enum", "const"):
            values = error.validator_value if error.validator == "enum" else [error.validator_value]
            return [f"`{written(one)}`" for one in values]
        if error.validator in ("anyOf", "oneOf"):
            kinds = [expected_kind(inner) for inner in branches(error).values()]
            if all(kind is not None for kind in kinds):
                return [word for kind in kinds if kind for word in kind]
    return None
