"""The GitHub Action and the pre-commit hook: valid files, and commands that work."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema.validators import validator_for

from tests.tools.harness import ROOT, Run

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}
SCHEMA = json.loads((ROOT / "tests" / "data" / "github-action.json").read_text("utf-8"))


def test_the_action_fits_its_schema() -> None:
    validator = validator_for(SCHEMA)(SCHEMA)
    assert [error.message for error in validator.iter_errors(ACTION)] == []
    assert list(validator.iter_errors({**ACTION, "runs": {"using": "composite", "steps": [{"run": "ls"}]}}))


def test_every_input_reaches_a_step() -> None:
    text = json.dumps(ACTION["runs"])
    assert [name for name in ACTION["inputs"] if f"${{{{ inputs.{name} }}}}" not in text] == []
    for step in STEPS.values():
        assert "${{" not in step["run"], "an expression in a script would be run as part of it"


class Runner:
    """Runs a step as a runner does: its script by bash, its inputs in the environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output = folder / "output"
        self.summary = folder / "summary.md"
        self.tools = folder / "bin"
        self.tools.mkdir()
        command = self.tools / "rulewright"
        command.write_text(
            f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT / 'src'))} exec {shlex.quote(sys.executable)}"
            ' -m rulewright "$@"\n'
        )
        command.chmod(0o755)

    def __call__(self, name: str = "Validate", /, **inputs: str) -> tuple[int, str, dict[str, str]]:
        """Exit code, log and outputs of a step, by default of the one that checks the rules."""
        step = STEPS[name]
        given = {name: about.get("default", "") for name, about in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        environment = {**os.environ, "PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}"}
        for key, value in step["env"].items():
            name = value.removeprefix("${{ inputs.").removesuffix(" }}")
            environment[key] = given[name]
        self.output.write_text("")
        environment |= {
            "GITHUB_OUTPUT": str(self.output), "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_PATH": str(self.folder / "path"),
            "RUNNER_TEMP": str(self.folder),
        }  # fmt: skip
        script = self.folder / "script.sh"
        script.write_text(step["run"], "utf-8")
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        outputs = dict(line.split("=", 1) for line in self.output.read_text("utf-8").splitlines())
        return ran.returncode, ran.stdout + ran.stderr, outputs


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    (tmp_path / "runner").mkdir()
    return Runner(tmp_path / "runner")


def test_a_clean_pack_passes(runner: Runner, pack: Path) -> None:
    assert runner(path=str(pack)) == (0, "", {"exit-code": "0"})


@pytest.mark.slow
def test_findings_fail_and_are_annotations(runner: Runner, pack: Path) -> None:
    (pack / "a b.yaml").write_text("verb: rest(s)\ndo: rset\n", "utf-8")
    code, log, outputs = runner(path=f"\n{pack / 'a b.yaml'}\n", sarif_file="out.sarif", junit_file="out.xml")
    assert (code, outputs) == (1, {"exit-code": "1"})
    assert log.startswith("::error file=")
    (result,) = json.loads((runner.folder / "out.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert result["ruleId"] == "RW425"
    assert 'failures="1"' in (runner.folder / "out.xml").read_text("utf-8")


@pytest.mark.slow
def test_strict(runner: Runner, pack: Path) -> None:
    (pack / "more.yaml").write_text("verb: rest(s)\ndo: do nothing\ntext: so #it\n", "utf-8")
    assert runner(path=str(pack))[0] == 0
    assert runner(path=str(pack), strict="true")[0] == 1
    code, log, outputs = runner(path=str(pack), strict="yes")
    assert (code, outputs) == (2, {"exit-code": "2"})
    assert "strict must be true or false, not yes" in log


def test_a_wrong_path_is_a_wrong_use(runner: Runner) -> None:
    code, log, outputs = runner(path="nowhere", sarif_file="out.sarif")
    assert (code, outputs) == (2, {"exit-code": "2"})
    assert "nowhere not found: no such file or folder" in log
    assert not (runner.folder / "out.sarif").exists()


def test_paths_are_not_run(runner: Runner) -> None:
    assert runner(path="$(touch stolen)")[0] == 2
    assert runner(path="--strict")[0] == 2
    assert not (runner.folder / "stolen").exists()


# ------------------------------------------------------------------ expectations

PYTHON = """\
#!/bin/sh
echo "$0 $*" >> "$RUNNER_TEMP/called"
if [ "$1 $2" = "-m venv" ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi
"""
"""A Python that writes down how it is called, and makes environments with itself in them."""


@pytest.mark.parametrize(("balance", "extra"), [("", ""), ("\n  \n", ""), ("one\ntwo\n", "[lab]")])
def test_the_extra_is_installed_only_where_it_is_used(runner: Runner, balance: str, extra: str) -> None:
    python = runner.tools / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    assert runner("Install rulewright", balance=balance)[0] == 0
    *_, installed = (runner.folder / "called").read_text("utf-8").splitlines()
    assert installed == f"{runner.folder}/rulewright/bin/python -m pip install --quiet {ROOT}{extra}"
    assert (runner.folder / "path").read_text("utf-8") == f"{runner.folder}/rulewright/bin\n"


EXPECTED = "expect: {}\ntext: {{en: A <b>yard</b>}}\nmean-length: 8 to {} decisions\n"


@pytest.fixture
def yards(tmp_path: Path) -> tuple[str, str]:
    """A pack whose expectation holds, and one whose expectation fails: a game has eight decisions."""
    text = (ROOT / "tests" / "tools" / "balance" / "quarry" / "pack.yaml").read_text("utf-8")
    folders = []
    for name, most in (("good yard", 9), ("bad yard", 8)):
        folder = tmp_path / name
        folder.mkdir()
        expected = EXPECTED.format(name.partition(" ")[0], most)
        wrong = expected.replace("8 to 8", "at most 7")
        (folder / "pack.yaml").write_text(f"{text}---\n{wrong if most == 8 else expected}", "utf-8")
        folders.append(str(folder))
    return folders[0], folders[1]


@pytest.mark.slow
def test_expectations_go_to_the_summary_and_fail_the_step(runner: Runner, yards: tuple[str, str]) -> None:
    good, bad = yards
    code, log, outputs = runner("Check expectations", balance=f"{good}\n", balance_budget="2s")
    assert (code, outputs) == (0, {"balance-exit-code": "0"})
    summary = runner.summary.read_text("utf-8")
    assert "| held | mean-length | 8 to 9 decisions | 8.0 decisions (8.0 to 8.0)" in summary
    assert "A \\<b\\>yard\\</b\\>" in summary and "<b>" not in summary
    assert "::error" not in log
    runner.summary.write_text("what other steps wrote\n", "utf-8")
    code, log, outputs = runner("Check expectations", balance=f"\n{bad}\n{good}\n", balance_budget="2s")
    assert (code, outputs) == (1, {"balance-exit-code": "1"})
    summary = runner.summary.read_text("utf-8")
    assert summary.startswith("what other steps wrote\n# Expectations of quarry 1.0.0\n")
    assert summary.index("**failed** | mean-length | at most 7 decisions") < summary.index("| held | mean-length")
    assert f"::error::an expectation of {bad} failed; see the job summary\n" in log
    assert summary.removeprefix("what other steps wrote\n").splitlines()[0] in log


def test_a_pack_that_expects_nothing_is_a_wrong_use(runner: Runner, pack: Path) -> None:
    code, log, outputs = runner("Check expectations", balance=f"{pack}\n")
    assert (code, outputs) == (2, {"balance-exit-code": "2"})
    assert "sealed has no expect document" in log
    assert runner.summary.read_text("utf-8").strip() == ""


@pytest.mark.slow
def test_names_of_packs_are_not_run(runner: Runner) -> None:
    assert runner("Check expectations", balance="$(touch stolen)")[0] == 2
    assert runner("Check expectations", balance="--help")[0] == 2
    assert runner("Check expectations", balance="x", balance_budget="$(touch stolen)")[0] == 2
    assert not (runner.folder / "stolen").exists()


def test_expectations_are_checked_only_where_packs_are_named() -> None:
    assert STEPS["Check expectations"]["if"] == "inputs.balance != ''"


# ------------------------------------------------------------------ the hook

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def test_the_hook_checks_all_packs_below(run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (hook,) = HOOKS
    assert (hook["language"], hook["pass_filenames"], hook["always_run"]) == ("python", False, True)
    program, *arguments = [*shlex.split(hook["entry"]), *hook["args"]]
    assert program == "rulewright"
    repository = pack.parent / "repository"
    (repository / "packs").mkdir(parents=True)
    pack.rename(repository / "packs" / "sealed")
    monkeypatch.chdir(repository)
    assert run(*arguments).code == 0
    file = repository / "packs" / "sealed" / "more.yaml"
    file.write_text("verb: rest(s)\ndo: rset\n", "utf-8")
    ran = run(*arguments)
    assert ran.code == 1
    assert "packs/sealed/more.yaml:2:5" in ran.out
