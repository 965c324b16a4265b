"""Generate the reference of commands from their definitions in `tools.cli`.

`python -m rulewright.tools.generate.cli_reference` updates `docs/reference/cli.md`, `--check` compares. The page is
written by hand except between `<!-- begin NAME -->` and `<!-- end -->`. The format does not depend on the
version of Click.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from rulewright.tools.cli import cli
from rulewright.tools.generate import pages

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"
_NAMED = re.compile(r"(?<![`\w-])(--[a-z][a-z-]*|RULEWRIGHT_[A-Z_]+)(?![\w`])")
_LARGEST = 1_000_000
"""A limit above this is only there for the size of a machine's numbers, and is not shown."""


def commands() -> dict[str, click.Command]:
    """All visible commands by name, in alphabetical order."""
    return {name: command for name, command in sorted(cli.commands.items()) if not command.hidden}


def part(name: str) -> str:
    """Generate a part of the page."""
    return {"list": _list, "commands": _sections}[name]()


def _list() -> str:
    rows = ((f"[`{name}`](#rulewright-{name})", _first(command)) for name, command in commands().items())
    return pages.table(("command", "what it does"), rows)


def _sections() -> str:
    return "\n".join(_section(name, command) for name, command in commands().items())


def _section(name: str, command: click.Command) -> str:
    parts = [f"### `rulewright {name}`\n", f"```text\n{_usage(name, command)}\n```\n"]
    parts += [f"{paragraph}\n" for paragraph in _paragraphs(command.help)]
    rows = list(_rows(command))
    parts += [pages.table(("option", "meaning"), rows)] if rows else []
    parts += [f"{paragraph}\n" for paragraph in _paragraphs(command.epilog)]
    return "\n".join(parts)


def _usage(name: str, command: click.Command) -> str:
    words = ["rulewright", name]
    words += ["[OPTIONS]"] if any(isinstance(one, click.Option) for one in command.params) else []
    for argument in command.params:
        if isinstance(argument, click.Argument):
            word = argument.metavar or str(argument.name).upper()
            more = "..." if argument.nargs == -1 else ""
            words.append(f"{word}{more}" if argument.required else f"[{word}]{more}")
    return " ".join(words)


def _first(command: click.Command) -> str:
    """The first sentence of the help text."""
    whole = next(_paragraphs(command.help), "")
    return re.split(r"(?<=[.;:]) ", whole, maxsplit=1)[0].rstrip(".;:") + "."


def _paragraphs(text: str | None) -> Iterator[str]:
    """The paragraphs of a help text; one that Click must not wrap becomes a listing."""
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield f"```text\n{paragraph.removeprefix(chr(8)).strip(chr(10))}\n```"
        elif paragraph.strip():
            yield _prose(" ".join(paragraph.split()))


def _prose(text: str) -> str:
    """Put names of options and variables in backticks."""
    return _NAMED.sub(r"`\1`", text)


def _rows(command: click.Command) -> Iterator[tuple[str, str]]:
    """A row for each visible option."""
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            names = ", ".join(f"`{name}`" for name in sorted((*option.opts, *option.secondary_opts), key=len))
            value = _value(option)
            written = f"{names} `{value}`" if value else names
            facts = [_prose(option.help or ""), *_facts(option)]
            yield written.replace("|", "\\|"), " ".join(filter(None, facts)).replace("|", "\\|")


def _value(option: click.Option) -> str:
    """What follows the name of an option; nothing for a switch."""
    if option.is_flag:
        return ""
    if option.metavar:
        return option.metavar
    if isinstance(option.type, click.Choice):
        return "|".join(map(str, option.type.choices))
    return "NUMBER" if isinstance(option.type, click.types.IntParamType) else option.type.name.upper()


def _facts(option: click.Option) -> Iterator[str]:
    """The range and the default of an option."""
    if isinstance(option.type, click.IntRange):
        low, high = option.type.min, option.type.max
        if high is not None and high < _LARGEST:
            yield f"From {low} to {high}."
        elif low is not None and low > 0:
            yield f"At least {low}."
    if option.show_default and isinstance(option.default, str | int | float):  # releases of Click differ in "none"
        yield f"Default: `{option.default}`."


def generated() -> str:
    """The page with updated parts."""
    return pages.renewed(REFERENCE.read_text("utf-8"), part)


def main(arguments: Sequence[str]) -> int:
    """Update the page; with `--check`, only report whether it is up to date."""
    return pages.update("rulewright.tools.generate.cli_reference", {REFERENCE: generated}, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
