"""Code reads documents through records (`ruleset.documents`), not by keys of YAML mappings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.ruleset.documents.kinds import KIND_OF
from rulewright.ruleset.documents.reading import Meaning, Written
from rulewright.ruleset.documents.sections import DefinitionDocument
from rulewright.ruleset.schema.registry import inlined, read_schema

ROOT = Path(__file__).parents[2]
READERS = ("ruleset/source/", "ruleset/schema/", "ruleset/documents/", "tools/browser/", "tools/pages/")
"""What makes nodes, judges their shape, or makes records of them; and what reads forms and JSON."""
NOT_YAML = {
    "ruleset/check/expressions/properties.py": "names of a scope",
    "ruleset/check/expressions/checker.py": "names of a scope",
    "ruleset/check/hints.py": "names of a scope",
    "ruleset/check/statements/sentences.py": "names of a scope",
    "ruleset/compose/namespaces.py": "JSON Schemas",
    "ruleset/declare/declare.py": "records by their sections",
    "ruleset/declare/kind_schemas.py": "JSON Schemas",
    "tools/generate/references.py": "JSON Schemas",
    "tools/generate/screenshots.py": "the plan of the pictures",
    "tools/simulation/output/simulate_report.py": "what a report says",
    "tools/simulation/runs.py": "what a run gives",
}
"""Modules in which all such calls are about something else."""
LEFT = {
    "ruleset/compose/anchors.py": 4,
    "ruleset/compose/edits.py": 4,
    "ruleset/pipeline.py": 4,
    "tools/diffs/sentences.py": 1,
}
"""What goes by paths, and what reads files before their shape was checked."""


def asked(text: str) -> Iterator[str]:
    """The calls of `.get("KEY")` in a module, but for variables of the environment."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                said = ast.unparse(node)
                if not said.startswith("os.environ"):
                    yield said


def test_hardly_any_code_asks_yaml_for_a_key() -> None:
    paths = sorted(path for package in ("ruleset", "tools") for path in (ROOT / package).rglob("*.py"))
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    found = {
        name: count
        for name, path in names.items()
        if not name.startswith(READERS) and (count := len(list(asked(path.read_text("utf-8")))))
    }
    assert sum(LEFT.values()) < 15
    assert {name: count for name, count in found.items() if name not in NOT_YAML} == LEFT
    assert NOT_YAML.keys() <= found.keys()


def test_a_call_is_counted() -> None:
    assert list(asked('a = node.get("do")\nb = table.get(a)\nc = os.environ.get("HOME")')) == ["node.get('do')"]


def keys_of(record: type[Written]) -> set[str]:
    return set(record.meanings)


@pytest.mark.parametrize("key", [one for one in KIND_OF if not KIND_OF[one].section])
def test_a_record_has_the_keys_of_its_schema(key: str) -> None:
    """The sections within the document of a pack, and what it says of other packs, are read elsewhere."""
    known = set(inlined(key)["properties"]) - {key, "format", "extends", "requires", "conflicts"}
    known -= {"after"} if key == "pack" else set()
    record = keys_of(KIND_OF[key].record)
    assert known - set(KIND_OF) <= record
    assert record - known <= {"name", "text", "source"}


def test_a_definition_has_the_keys_of_its_schema() -> None:
    assert keys_of(DefinitionDocument) == set(read_schema("definition")["properties"])


def test_a_kind_takes_no_name_that_is_taken() -> None:
    """A field of that name would be lost, and a document that begins with it would be of the built-in kind."""
    kinds = read_schema("kinds")["$defs"]
    built_in, own = kinds["section"]["propertyNames"]["allOf"]
    assert set(built_in["not"]["enum"]) == set(KIND_OF)
    assert set(kinds["new-key"]["not"]["enum"]) == keys_of(DefinitionDocument)
    parts = (kinds["entry"]["properties"][part] for part in ("fields", "effects", "expressions"))
    assert [own, *(part["propertyNames"] for part in parts)] == [{"$ref": "#/$defs/new-key"}] * 4


@pytest.mark.parametrize("key", [one for one in KIND_OF if KIND_OF[one].section])
def test_an_entry_has_the_keys_of_its_schema(key: str) -> None:
    """An entry that can be written as a mapping of keys; texts and members have names of their own as keys."""
    entry = inlined(key)["properties"][key]["additionalProperties"]
    for name in entry.get("properties", ()):
        assert name in keys_of(KIND_OF[key].record), f"{key}: {name}"


def test_what_is_missing_is_the_default() -> None:
    for record in (DefinitionDocument, *(kind.record for kind in KIND_OF.values())):
        for name, meaning in record.meanings.values():
            assert isinstance(meaning, Meaning)
            assert getattr(record, name) == meaning.default
