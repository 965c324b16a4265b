"""The structure of the checker: objects that share a context, and functions found in tables."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[3]
MODULES = sorted((ROOT / "ruleset/check").rglob("*.py"))
BASES = ("Record", "Protocol", "Exception")
BY_NAME = {
    "ruleset/check/context.py": "the state of an object is all its attributes",
    "ruleset/check/declarations/definitions.py": "what a unit writes is kept apart, list by list",
    "ruleset/check/house_rules/idle_code.py": "code is rebuilt without some of its attributes",
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


def test_no_class_extends_another() -> None:
    classes = [(path, node) for path in MODULES for node in nodes(path) if isinstance(node, ast.ClassDef)]
    bases = [f"{shown(path)}: {ast.unparse(base)}" for path, one in classes for base in one.bases]
    assert len(bases) > 30 and [one for one in bases if one.split(": ")[1] not in BASES] == []


def test_nothing_is_found_by_a_computed_name() -> None:
    assert {shown(path) for path in MODULES if any(map(computed, nodes(path)))} == set(BY_NAME)


def test_no_frozen_record_holds_a_set_that_can_change() -> None:
    found, looked = [], 0
    for path in (*MODULES, *sorted((ROOT / "ruleset/declare").rglob("*.py"))):
        for one in nodes(path):
            frozen = isinstance(one, ast.ClassDef) and any("frozen" in ast.unparse(d) for d in one.decorator_list)
            for field in one.body if frozen and isinstance(one, ast.ClassDef) else ():
                if isinstance(field, ast.AnnAssign):
                    looked += 1
                    if ast.unparse(field.annotation).startswith("set["):
                        found.append(f"{shown(path)}: {ast.unparse(field)}")
    assert found == [] and looked > 100
