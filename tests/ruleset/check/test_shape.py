"""The structure of the checker: objects that share a context, and functions found in tables."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MODULES = sorted((ROOT / "ruleset/check").rglob("*.py"))
BASES = ("Record", "Protocol", "Exception")
BY_NAME = {
    "ruleset/check/context.py": "the state of an object is all its attributes",
    "ruleset/check/declarations/definitions.py": "what a unit writes is kept apart, list by list",
    "ruleset/check/bots.py": "who sees what of a zone, track or list has the same names in all three",
}
"""Modules that read attributes whose names are computed, each with the reason."""


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


def computed(node: ast.AST) -> bool:
    """Whether a node reads an attribute whose name is not written there."""
    read = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"
    return read and isinstance(node, ast.Call) and not isinstance(node.args[1], ast.Constant)


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_no_class_extends_another(path: Path) -> None:
    classes = [node for node in nodes(path) if isinstance(node, ast.ClassDef)]
    assert {ast.unparse(base) for one in classes for base in one.bases} <= set(BASES)


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_nothing_is_found_by_a_computed_name(path: Path) -> None:
    assert any(map(computed, nodes(path))) == (shown(path) in BY_NAME)


@pytest.mark.parametrize("path", [*MODULES, *sorted((ROOT / "ruleset/declare").rglob("*.py"))], ids=shown)
def test_no_frozen_record_holds_a_set_that_can_change(path: Path) -> None:
    for one in nodes(path):
        frozen = isinstance(one, ast.ClassDef) and any("frozen" in ast.unparse(d) for d in one.decorator_list)
        for field in one.body if frozen and isinstance(one, ast.ClassDef) else ():
            if isinstance(field, ast.AnnAssign):
                assert not ast.unparse(field.annotation).startswith("set["), ast.unparse(field)
