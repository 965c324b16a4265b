"""A quick yes is never wrong: whatever fits surely, the whole validator takes, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ruleset import instance_shape
from ruleset.files import PackFiles, read_pack
from ruleset.load import load_files
from ruleset.shape_quick import surely_fits
from tests.docs.listings import ROOT
from tests.ruleset.test_chunks import BAD, BASE

NAMES = st.sampled_from(["a", "b", "ab", "1"])
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(
                ["string", "integer", "boolean", "null", "number", ["string", "object"], "array"]
            ),
            "enum": st.lists(st.sampled_from(["a", "ab", 1, True, None]), min_size=1, max_size=3),
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(0, 2),
            "pattern": st.sampled_from(["^a", "b$", "^[ab]+$"]),
            "minimum": st.integers(0, 2),
            "maximum": st.integers(0, 2),
            "const": st.sampled_from(["a", 1]),
            "description": st.just("said"),
            "x-hint": st.just("hinted"),
        },
    )
    | st.booleans(),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", ["object", "string"]]),
            "properties": st.dictionaries(NAMES, inner, max_size=2),
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "1"]), inner, max_size=2),
            "additionalProperties": inner,
            "propertyNames": inner,
            "required": st.lists(NAMES, max_size=2, unique=True),
            "minProperties": st.integers(0, 2),
            "maxProperties": st.integers(0, 2),
            "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=1), max_size=1),
            "items": inner,
            "minItems": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "uniqueItems": st.booleans(),
            "not": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "if": st.just({"type": "array"}) | inner,
            "then": inner,
            "else": inner,
        },
    ),
    max_leaves=6,
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(["", "a", "ab", "b", 0, 1, 2, 1.0, True, False, None]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)


@given(SCHEMAS, VALUES)
def test_a_quick_yes_is_right(schema: Any, value: Any) -> None:
    if surely_fits(schema)(value):
        assert Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "maximum": 9}}}, {"a": 9}),
        ({"type": ["string", "object"], "minLength": 1, "minProperties": 1}, "text"),
        ({"items": {"enum": ["red", "green"]}, "type": "array"}, ["red", "red"]),
        ({"additionalProperties": False, "patternProperties": {"^[0-9]+$": True}}, {"2": None}),
    ],
)
def test_it_says_yes(schema: Any, value: Any) -> None:
    assert surely_fits(schema)(value)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_findings_are_the_same_without_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = PackFiles(Path(), (("base.yaml", BASE), (path.name, path.read_bytes())))
    quick = load_files(files).findings
    monkeypatch.setattr(instance_shape, "surely_fits", lambda schema: lambda value: False)
    assert load_files(files).findings == quick


def test_shipped_definitions_need_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """All cards of the shipped packs take the quick way but those whose effects are lists of steps."""
    asked: list[str] = []
    whole = instance_shape.check_shape

    def counted(document: Any, schema: Any) -> Any:
        asked.append(document.path)
        return whole(document, schema)

    monkeypatch.setattr(instance_shape, "check_shape", counted)
    packs = [path.parent for path in sorted((ROOT / "content").glob("*/pack.yaml"))]
    total = 0
    for pack in packs:
        files = read_pack(pack)
        total += len(files.files)
        load_files(files)
    assert len(asked) < total / 2
