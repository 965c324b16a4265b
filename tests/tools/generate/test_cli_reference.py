"""The reference of commands is up to date and lists all options, exit codes, and variables."""

from __future__ import annotations

import re
import shlex

import click
import pytest

from rulewright.tools.cli import cli
from rulewright.tools.common import errors
from rulewright.tools.generate import references
from tests.tools.harness import ROOT, Run

TEXT = references.COMMANDS.read_text("utf-8")


def test_the_page_is_up_to_date() -> None:
    assert references.CLI[references.COMMANDS]() == TEXT, "run `python -m rulewright.tools.generate commands`"


@pytest.mark.parametrize("name", cli.commands)
def test_every_option_has_a_row_in_its_section(name: str) -> None:
    section = re.search(rf"^### `rulewright {name}`\n(.*?)(?=^### |\Z)", TEXT, re.M | re.S)
    assert section is not None
    command = cli.commands[name]
    rows = re.findall(r"^\| (`-.*?) \| ", section[1], re.M)
    shown = [re.findall(r"`(--?[a-z-]+)`", row) for row in rows]
    assert shown == [sorted(one.opts, key=len) for one in command.params if isinstance(one, click.Option)]
    usage = section[1].split("```")[1]
    assert all(str(one.name).upper() in usage for one in command.params if isinstance(one, click.Argument))


def test_every_exit_code_is_listed() -> None:
    table = TEXT.split("## Exit codes")[1].split("## ")[0]
    public = {key: value for key, value in vars(errors).items() if key.isupper() and not key.startswith("_")}
    codes = {value for value in public.values() if isinstance(value, int)}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.M)} == codes


def test_every_environment_variable_is_listed() -> None:
    table = TEXT.split("## Environment variables")[1].split("## ")[0]
    listed = set(re.findall(r"^\| `(\w+)` \|", table, re.M))
    sources = [path for package in ("ruleset", "interpreter", "tools") for path in (ROOT / package).rglob("*.py")]
    read = {name for path in sources for name in re.findall(r"RULEWRIGHT_[A-Z_]+", path.read_text("utf-8"))}
    assert listed >= read - {"RULEWRIGHT_"} and len(read) > 8
    assert {name for name in listed if name.startswith("RULEWRIGHT_")} <= read


def test_the_examples(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (listing,) = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.M | re.S)
    for line in listing.splitlines():
        program, *arguments = shlex.split(line, comments=True)
        assert program == "rulewright"
        assert run(*arguments, typed="q\n").code == 0


def section_of(command: click.Command) -> str:
    return references._section("do", command)


def test_a_section() -> None:
    @click.command(epilog="In the end.")
    @click.argument("thing")
    @click.argument("more", nargs=-1)
    @click.option("-n", "--number", type=click.IntRange(1, 9), default=3, show_default=True, help="Or --kind a|b.")
    @click.option("--kind", type=click.Choice(["a", "b"]), help="A kind.")
    @click.option("--hidden", hidden=True, help="No.")
    def do() -> None:
        """Do it: at once.

        More about RULEWRIGHT_PACKS.

        \b
        a  b
          c
        """

    assert section_of(do) == (
        "### `rulewright do`\n\n```text\nrulewright do [OPTIONS] THING [MORE]...\n```\n\nDo it: at once.\n\n"
        "More about `RULEWRIGHT_PACKS`.\n\n```text\na  b\n  c\n```\n\n"
        "| option | meaning |\n| --- | --- |\n"
        "| `-n`, `--number` `NUMBER` | Or `--kind` a\\|b. From 1 to 9. Default: `3`. |\n"
        "| `--kind` `a\\|b` | A kind. |\n\nIn the end.\n"
    )
