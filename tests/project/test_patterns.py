"""Patterns of schemas and code use no `$`, which would also match before a final line end."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulewright.ruleset.schema.registry import SUFFIX, inlined, read_schema

ROOT = Path(__file__).parents[2]
SCHEMAS = sorted(path.name.removesuffix(SUFFIX) for path in (ROOT / "schemas").glob(f"*{SUFFIX}"))
MODULES = sorted(path for package in ("ruleset", "interpreter", "tools") for path in (ROOT / package).rglob("*.py"))

# ------------------------------------------------------------------ schemas

VALID = (
    *("hand", "en", "pt-BR", "12", "default", "2 to 5", "1.20.3", "list of cards", "zone"),
    *("turn.act.buy.log", "verb/draw", "verb/draw#2", "step/day.go", "every gem where cost > 2", "gem/opal"),
)
"""Values that some pattern of the schemas takes."""


def patterns(schema: Any) -> Iterator[str]:
    """All patterns for values and keys, however deep. Those of `x-message` and `x-hint` are messages about them."""
    if isinstance(schema, list):
        for part in schema:
            yield from patterns(part)
    elif isinstance(schema, dict):
        for key, part in schema.items():
            if key == "pattern" and isinstance(part, str):
                yield part
            if key == "patternProperties":
                yield from part
            if key not in ("x-message", "x-hint", "examples", "enum", "const"):
                yield from patterns(part)


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_pattern_of_a_schema_takes_a_line_end(name: str) -> None:
    forms: list[Any] = [read_schema(name), inlined(name)]
    for pattern in {found for form in forms for found in patterns(form)}:
        taken = [value for value in VALID if re.search(pattern, value)]
        assert taken, f"{pattern}: add a value that it takes to VALID"
        for value in taken:
            assert not any(re.search(pattern, value + end) for end in ("\n", "\r\n", "\n\n")), (pattern, value)


def test_all_schemas_are_read() -> None:
    assert len(SCHEMAS) > 25
    found = {pattern for name in SCHEMAS for pattern in patterns(read_schema(name))}
    written = sum((ROOT / "schemas" / f"{name}{SUFFIX}").read_text("utf-8").count('"^') for name in SCHEMAS)
    assert len(found) >= 10 and written >= len(found)
    assert list(patterns({"$defs": {"x": {"patternProperties": {"^a$": {"pattern": "^b$"}}}}})) == ["^a$", "^b$"]


# ------------------------------------------------------------------ code

USES = ("compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


def ends(pattern: str | bytes) -> bool:
    """Whether a pattern has a `$` that is an anchor: not after a backslash, nor among the letters of a class."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    return "$" in re.sub(r"\[\^?\]?(?:\\.|[^\]\\])*\]", "", re.sub(r"\\[^\[\]]", "", text, flags=re.DOTALL))


def written(node: ast.expr, module: ModuleType) -> Iterator[str | bytes]:
    """The texts that a pattern is made of: literals, and names of the module, as far as these are texts."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str | bytes):
            yield part.value
        elif isinstance(part, ast.Name) and isinstance(getattr(module, part.id, None), str | bytes):
            yield getattr(module, part.id)


def uses(tree: ast.AST) -> Iterator[ast.expr]:
    """The first arguments of what is called of `re`, by its module's name or imported from it."""
    names = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "re"
        for name in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            called = ast.unparse(node.func)
            if called in names or called in {f"re.{use}" for use in USES}:
                yield node.args[0]


def test_code_has_no_pattern_with_a_dollar() -> None:
    found, count = [], 0
    for path in MODULES:
        text = path.read_text("utf-8")
        if not re.search(r"\bre\b", text):
            continue
        module = importlib.import_module("rulewright." + ".".join(path.relative_to(ROOT).with_suffix("").parts))
        for argument in uses(ast.parse(text)):
            count += 1
            found += [f"{path.name}:{argument.lineno}: {one!r}" for one in written(argument, module) if ends(one)]
    assert found == []
    assert count > 100


@pytest.mark.parametrize(("pattern", "has"), [
    ("a$", True), (b"a$", True), ("(a|$)b", True), (r"\\$", True), (r"\$", False), ("[$]", False), ("[^]$]", False),
    (r"[\]$]", False), ("[a]$", True), (r"\[$", True), (r"\Z", False),
])  # fmt: skip
def test_a_dollar_is_found(pattern: str | bytes, has: bool) -> None:
    assert ends(pattern) == has
