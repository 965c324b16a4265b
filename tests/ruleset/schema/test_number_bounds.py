"""Every key that takes a number has bounds in its schema, which are in the table of limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rulewright.ruleset.common import limits
from rulewright.ruleset.schema.registry import inlined
from tests.ruleset.schema.test_schemas import NAMES

READ_AS_EXPRESSIONS = ("string", "object")
"""With one of these types, a number is read as an expression, or checked with what it belongs to."""
TABLE = {
    limits.LOWEST, limits.HIGHEST, limits.MOST_CARDS, limits.MOST_SEED, limits.MOST_SEATS, limits.MOST_CHOSEN,
    limits.MOST_LISTED, limits.MOST_DEFINITIONS,
}  # fmt: skip


def numeric(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, list):
        for place, part in enumerate(schema):
            yield from numeric(part, f"{path}/{place}")
    if isinstance(schema, dict):
        types = schema.get("type", ())
        if "integer" in ([types] if isinstance(types, str) else types):
            yield path, schema
        for key, part in schema.items():
            yield from numeric(part, f"{path}/{key}")


@pytest.mark.parametrize("name", NAMES)
def test_numbers_have_bounds(name: str) -> None:
    for path, schema in numeric(inlined(name)):
        types = schema["type"]
        if "maximum" not in schema:
            assert any(one in types for one in READ_AS_EXPRESSIONS), f"{name}{path}: {schema}"
        else:
            assert schema["maximum"] in TABLE and schema["minimum"] in (0, 1, limits.LOWEST), f"{name}{path}"
