"""The fast validator accepts only documents that the full validator accepts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ruleset.declare import check_definitions as instance_shape
from ruleset.pipeline import load_files
from ruleset.schema import check_documents as kernel_shape
from ruleset.schema.fast_validator import surely_fits
from ruleset.source.pack_files import PackFiles, read_pack
from tests.docs.listings import ROOT
from tests.ruleset.test_chunks import BAD, BASE
from tools.packs.loading import load_pack_set, pack_set_of

NAMES = st.sampled_from(["a", "b", "ab", "1"])
DECIDED = st.sampled_from(
    [
        {"type": "array"},
        {"type": ["string", "object"]},
        {"type": "integer"},
        {"not": {"required": ["a"]}},
        {"required": ["a", "b"]},
        {"enum": ["a", "b"]},
        {"enum": ["a", 1]},
        {"type": "string", "pattern": "^a"},
        {"anyOf": [{"required": ["a"]}, {"not": {"pattern": "b"}}]},
    ]
)
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
            "not": inner | st.fixed_dictionaries({"required": st.lists(NAMES, max_size=2, unique=True)}),
            "dependentSchemas": st.dictionaries(NAMES, inner, max_size=1),
            "$ref": st.sampled_from(["#/$defs/a", "#/$defs/b"]),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "if": DECIDED | inner,
            "then": inner,
            "else": inner,
        },
    ),
    max_leaves=6,
)
DEFINITIONS = st.fixed_dictionaries({"a": SCHEMAS, "b": SCHEMAS}).filter(lambda made: "$ref" not in repr(made))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(["", "a", "ab", "b", 0, 1, 2, 1.0, True, False, None]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.slow
@given(SCHEMAS, DEFINITIONS, VALUES)
@example({"enum": ["a"], "maxLength": 0}, {}, "a")
def test_a_quick_yes_is_right(schema: Any, definitions: Any, value: Any) -> None:
    if isinstance(schema, dict):
        schema = {**schema, "$defs": definitions}
    if surely_fits(schema)(value):
        assert Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "maximum": 9}}}, {"a": 9}),
        ({"type": ["string", "object"], "minLength": 1, "minProperties": 1}, "text"),
        ({"items": {"enum": ["red", "green"]}, "type": "array"}, ["red", "red"]),
        ({"additionalProperties": False, "patternProperties": {"^[0-9]+$": True}}, {"2": None}),
        ({"if": {"not": {"required": ["a"]}}, "then": {"required": ["b"]}}, {"b": 1}),
        ({"if": {"anyOf": [{"required": ["a"]}, {"type": "null"}]}, "else": False, "then": {"type": "null"}}, None),
        ({"not": {"enum": ["a", "b"]}}, "ab"),
        ({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": {"minProperties": 2}}}, {"a": 1, "b": 2}),
        ({"$defs": {"a": {"items": {"$ref": "#/$defs/a"}, "type": "array"}}, "$ref": "#/$defs/a"}, [[], [[]]]),
        ({"const": 1}, 1),
        ({"uniqueItems": True}, ["1", 1]),
    ],
)
def test_it_says_yes(schema: Any, value: Any) -> None:
    assert surely_fits(schema)(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"$defs": {"a": {"type": "string"}}, "$ref": "#/$defs/a"}, 1),
        ({"$defs": {"a": {"items": {"$ref": "#/$defs/a"}, "type": "array"}}, "$ref": "#/$defs/a"}, [[], [1]]),
        ({"$defs": {"a": True}, "$ref": "#/$defs/a", "type": "string"}, 1),
        ({"const": 1}, True),
        ({"const": "a"}, "b"),
        ({"uniqueItems": True}, [1, 1]),
        ({"if": {"pattern": "^a"}, "then": {"pattern": "b$"}}, "ac"),
        ({"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}, {"b": 1}),
    ],
)
def test_it_does_not_say_yes(schema: Any, value: Any) -> None:
    assert not Draft202012Validator(schema).is_valid(value)
    assert not surely_fits(schema)(value)


SOME = [pytest.param(one, marks=pytest.mark.long if number % 5 else ()) for number, one in enumerate(BAD)]


@pytest.mark.slow
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_findings_are_the_same_without_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = PackFiles(Path(), (("base.yaml", BASE), (path.name, path.read_bytes())))
    quick = load_files(files).findings
    monkeypatch.setattr(instance_shape, "surely_fits", lambda schema: lambda value: False)
    monkeypatch.setattr(kernel_shape, "fits", lambda document: False)
    assert load_files(files).findings == quick


PACKS = sorted(path.parent for place in ("content", "tests/packs") for path in (ROOT / place).glob("*/pack.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_a_good_pack_needs_nothing_more(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else whoever checks it would wait for `jsonschema`."""

    def asked(document: Any, schema: Any) -> Any:
        raise AssertionError(f"{document.span} does not surely fit")

    monkeypatch.setattr(instance_shape, "check_spelling", asked)
    monkeypatch.setattr(kernel_shape, "check_spelling", asked)
    assert load_pack_set(pack_set_of([read_pack(pack)])).errors == 0


@pytest.mark.slow
def test_a_good_pack_imports_little() -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom ruleset.pipeline import load\n"
        f"errors = load(Path({str(ROOT / 'content' / 'rattus-cartus')!r})).errors\n"
        "print(errors, {'jsonschema', 'lark'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (told.stdout, told.stderr) == ("0 set()\n", "")
