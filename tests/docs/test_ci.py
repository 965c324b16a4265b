"""The listings of docs/how-to/check-in-ci.md: their YAML fits our action and hook, their commands run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.tools import cli
from tests.docs.listings import ROOT

TEXT = (ROOT / "docs" / "how-to" / "check-in-ci.md").read_text("utf-8")
LISTINGS = re.findall(r"^```([^\n]+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def of(kind: str) -> list[str]:
    found = [text for name, text in LISTINGS if name == kind]
    assert found
    return found


def test_all_listings_are_tested() -> None:
    assert {name for name, _ in LISTINGS} == {"sh", "yaml pre-commit", "yaml workflow"}


@pytest.mark.parametrize("text", of("yaml workflow"))
def test_workflows_use_the_action_as_it_is(text: str) -> None:
    steps = yaml.safe_load(text)["jobs"]["validate"]["steps"]
    (ours,) = [step for step in steps if step["uses"].startswith("OWNER/rulewright@")]
    assert set(ours["with"]) <= set(ACTION["inputs"])
    assert all(isinstance(value, str) for value in ours["with"].values())
    uploaded = [step["with"]["sarif_file"] for step in steps if "upload-sarif" in step["uses"]]
    assert uploaded == [ours["with"].get("sarif-file")] * len(uploaded)


def test_the_inputs_and_outputs_are_told() -> None:
    for name in (*ACTION["inputs"], *ACTION["outputs"]):
        assert re.search(rf"`{name}`|{name}:", TEXT), f"docs/how-to/check-in-ci.md does not tell of {name}"


@pytest.mark.slow
def test_the_hook_is_ours() -> None:
    (text,) = of("yaml pre-commit")
    ((wanted,),) = [repo["hooks"] for repo in yaml.safe_load(text)["repos"]]
    (ours,) = HOOKS
    assert wanted["id"] == ours["id"]
    assert run([*shlex.split(ours["entry"])[1:], *wanted["args"]]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", [line for text in of("sh") for line in text.splitlines()])
def test_commands(command: str) -> None:
    program, *arguments = shlex.split(command.partition(" > ")[0])
    assert program == "rulewright"
    assert run(arguments) == 0


def run(arguments: list[str]) -> int:
    return cli.run(arguments)


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.chdir(ROOT)


def test_every_format_is_told() -> None:
    from rulewright.ruleset.findings.render import FORMATS

    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == list(FORMATS)
