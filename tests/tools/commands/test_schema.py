"""`rulewright schema`: a JSON Schema by which an editor judges every document of a pack."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from rulewright.ruleset.source.nodes import plain
from rulewright.ruleset.source.reader import read_documents
from rulewright.tools.scaffolding import ENTRY, SCHEMA
from tests.tools.harness import Run


def test_it_is_printed(run: Run, pack: Path) -> None:
    ran = run("schema", str(pack))
    assert (ran.code, ran.err) == (0, "")
    validator = jsonschema.Draft202012Validator(json.loads(ran.out))
    documents = read_documents("pack.yaml", (pack / "pack.yaml").read_text("utf-8"))[0]
    assert len(documents) > 3
    for document in documents:
        told = plain(document.root)
        assert validator.is_valid(told)
        assert not validator.is_valid({**told, "colr": 1}), document.kind
    assert [path.name for path in pack.iterdir()] == ["pack.yaml"]


def test_it_knows_what_house_rules_declare(run: Run, pack: Path) -> None:
    rules = pack.parent / "rules"
    rules.mkdir()
    (rules / "pack.yaml").write_text(
        'pack: rules\nversion: 0.1.0\nformat: 3\nextends: {sealed: ">=0"}\nlanguages: [en]\n---\n'
        "kinds: {lamp: {name: {en: lamp}}}\n",
        "utf-8",
    )
    assert '"lamp"' not in run("schema", str(pack)).out
    assert '"lamp"' in run("schema", str(pack), "--with", str(rules)).out
    assert '"lamp"' in run("schema", str(rules)).out


def test_it_is_written_for_an_editor(run: Run, pack: Path) -> None:
    ran = run("schema", str(pack), "--editor")
    assert (ran.code, ran.err) == (0, "")
    written = [pack / SCHEMA, pack / ".vscode" / "settings.json", pack / ".vscode" / ".gitignore"]
    assert [line.split() for line in ran.out.splitlines()] == [["Wrote", str(path)] for path in written]
    assert json.loads(written[0].read_text("utf-8")) == json.loads(run("schema", str(pack)).out)
    assert json.loads(written[1].read_text("utf-8")) == ENTRY
    assert run("validate", str(pack)).code == 0


@pytest.mark.parametrize(("kept", "told"), [("{}", True), (json.dumps({"tabs": 2} | ENTRY), False)])
def test_settings_are_left_as_they_are(run: Run, pack: Path, kept: str, told: bool) -> None:
    settings = pack / ".vscode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(kept, "utf-8")
    ran = run("schema", str(pack), "--editor")
    assert ran.code == 0 and settings.read_text("utf-8") == kept
    assert (json.dumps(ENTRY) in ran.out) is told


def test_a_pack_that_is_not_yours_is_left_alone(run: Run) -> None:
    ran = run("schema", "tutorial", "--editor")
    assert ran.code == 2 and "rulewright schema tutorial" in ran.err


def test_a_pack_with_errors_still_has_one(run: Run, pack: Path) -> None:
    """While somebody writes it, there are errors most of the time."""
    file = pack / "pack.yaml"
    file.write_text(file.read_text("utf-8") + "---\nverb: sing\ndo: draw the curtain\n", "utf-8")
    ran = run("schema", str(pack))
    assert ran.code == 1 and "has errors" in ran.err
    assert json.loads(ran.out)["type"] == "object"
