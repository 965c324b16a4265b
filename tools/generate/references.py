"""Generate the references of the language, of findings and rule errors, and of commands.

The pages of `WRITTEN` and `COMMANDS` are written by hand except between `<!-- begin NAME -->` and `<!-- end -->`:
those parts are generated from the vocabulary table and the schemas of documents, which the checker uses, and from
the definitions in `tools.cli`. The others are generated whole. The format does not depend on the version of Click.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from rulewright.interpreter.state.rule_errors import ENTRIES, pack_of
from rulewright.ruleset.common.limits import TABLE, Limit
from rulewright.ruleset.findings.catalogue import CATALOGUE
from rulewright.ruleset.language.vocabulary import (
    EXPRESSIONS,
    FUNCTIONS,
    SENTENCES,
    STATEMENTS,
    WORDS,
    LanguageForm,
    Sentence,
)
from rulewright.ruleset.schema.registry import inline, read_schema
from rulewright.tools.cli import cli

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
WRITTEN = tuple(
    REFERENCE / name for name in ("language.md", "scenarios.md", "bots.md", "expectations.md", "house-rules.md")
)
COMMANDS = REFERENCE / "cli.md"
PART = re.compile(r"(<!-- begin ([a-z -]+) -->\n).*?(<!-- end -->)", re.DOTALL)
"""A generated part of a page that is otherwise written by hand."""


def renewed(text: str, part: Callable[[str], str]) -> str:
    """Return a page with updated parts, each generated from its name. Raises KeyError for an unknown part."""
    return PART.sub(lambda found: f"{found[1]}\n{part(found[2])}\n{found[3]}", text)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def part(name: str) -> str:
    """Generate one part, such as `sentences` or `document zones`."""
    if name.startswith("document "):
        return _document(name.removeprefix("document "))
    return _PARTS[name]()


# ------------------------------------------------------------------ the vocabulary

def _sentence(sentence: Sentence) -> str:
    pattern = re.sub(r"<any: any>", "any number of", sentence.pattern)
    named = {"must": " as NAME", "may": " [as NAME]"}.get(sentence.named, "")
    block = ": …" if sentence.block else ""
    asks = " *Asks a player.*" if sentence.suspends else ""
    return f"#### `{pattern}{named}{block}`\n\n{sentence.text}{asks}\n\n{_example(sentence.example)}\n"


def _example(text: str) -> str:
    """Format an example as a listing; the tests check the examples in the table."""
    return f"```text\n{text}\n```"


def _sentences(wanted: Callable[[Sentence], bool]) -> str:
    return "\n".join(_sentence(sentence) for sentence in SENTENCES if wanted(sentence))


def _forms(forms: Iterable[LanguageForm]) -> str:
    rows = ((_code(form.form), form.text, _code(form.example)) for form in forms)
    return _table(("written", "meaning", "example"), rows)


def _code(text: str) -> str:
    """Format code for a table cell, with escaped pipes and a mark for line breaks."""
    shown = text.replace("\n", " ⏎ ").replace("|", "\\|")
    return f"`{shown}`"


def _limits() -> str:
    rows = ((one.what, one.bound, _beyond(one)) for one in TABLE)
    return _table(("what", "limit", "beyond it"), rows)


def _beyond(limit: Limit) -> str:
    """Name what happens beyond a limit: while the game runs, or as soon as the pack is read."""
    return f"the rule error [`{limit.error}`](rule-errors.md#{limit.error})" if limit.error else "a finding"


# ------------------------------------------------------------------ documents

def _document(kind: str) -> str:
    """Describe the keys of a kind of document, from its schema; for a section, those of one entry."""
    whole = read_schema(kind)
    entry = whole.get("$defs", {}).get("entry")
    rows = list(_rows(_local(entry or whole, kind), kind))
    said = f"{whole['$defs']['section']['description']} {entry['description']}" if entry else whole["description"]
    return f"{said}\n\n{_table(('key', 'meaning'), rows)}" if rows else f"{said}\n"


COMMON = ("name", "text", "source")
"""Keys that are explained once for all documents."""


def _rows(shape: dict[str, Any], kind: str, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield a row for each key, followed by rows for keys of nested mappings, with their path."""
    required = shape.get("required", ())
    for key, value in shape.get("properties", {}).items():
        if not before and key in COMMON and (kind, key) != ("options", "text"):
            continue
        path = f"{before}{key}"
        yield f"`{path}`{' **needed**' if key in required else ''}", _meaning(inline(value, kind))
        inside = _local(value, kind)
        yield from _rows(inside, kind, f"{path}.")
        entries = inside.get("additionalProperties")
        if isinstance(entries, dict):
            yield from _rows(_local(entries, kind), kind, f"{path}.NAME.")
        yield from _rows(inside.get("items", {}), kind, f"{path}.")


def _local(shape: dict[str, Any], kind: str) -> dict[str, Any]:
    """Resolve a reference within the same file; references to other files stay as they are."""
    reference = str(shape.get("$ref", ""))
    if reference.startswith("#/$defs/"):
        found: dict[str, Any] = read_schema(kind)["$defs"][reference.removeprefix("#/$defs/")]
        return found
    return shape


def _meaning(value: dict[str, Any]) -> str:
    text = str(value.get("description", ""))
    choices = value.get("enum")
    if choices and not all(f"`{choice}`" in text for choice in choices):
        text += " One of " + ", ".join(f"`{choice}`" for choice in choices) + "."
    return text.replace("|", "\\|")


_PARTS: dict[str, Callable[[], str]] = {
    "sentences": lambda: _sentences(lambda sentence: not sentence.block),
    "blocks": lambda: _sentences(lambda sentence: sentence.block),
    "statements": lambda: _forms(STATEMENTS),
    "expressions": lambda: _forms(EXPRESSIONS),
    "functions": lambda: _forms(FUNCTIONS),
    "words": lambda: _forms(WORDS),
    "limits": _limits,
    "list": lambda: _list(),
    "commands": lambda: _sections(),
}


# ------------------------------------------------------------------ findings

_GROUPS = {
    "RW1": "YAML, and comments that allow warnings",
    "RW2": "Shape: keys and values",
    "RW3": "Names and declarations",
    "RW4": "Sentences, expressions, types",
    "RW5": "Meaning",
    "RW6": "Packs and files",
    "RW7": "Scenarios",
}


def findings() -> str:
    """Generate the index of findings, with a section for each code, from the catalogue."""
    entries = sorted(CATALOGUE.values(), key=lambda entry: entry.code)
    parts = [
        "# Findings\n\nEverything that `rulewright validate` can find, by code. This page is generated from the "
        "catalogue that the\nchecker uses (`python -m rulewright.tools.generate language`);\n"
        "`rulewright explain CODE` prints a part of it. Errors have to be repaired; "
        "warnings can be [allowed with a reason](language.md#allowing-a-warning). "
        "Where they are shown: [check-in-ci.md](../how-to/check-in-ci.md).\n"
    ]
    rows = (
        (f"[{one.code}](#{one.code.lower()})", f"`{one.name}`", one.severity, one.page.title) for one in entries
    )
    parts.append(_table(("code", "name", "severity", "what"), rows))
    group = ""
    for entry in entries:
        if entry.code[:3] != group:
            group = entry.code[:3]
            parts.append(f"## {_GROUPS[group]}\n")
        page = entry.page
        what = f"`{entry.name}`, {entry.severity}. **{page.title}.** {page.explanation}"
        parts.append(f"### {entry.code}\n\n{what}\n")
        for word, example in (("Wrong", page.wrong), ("Right", page.right)):
            if example:
                shown = example.strip("\n")
                parts.append(f"{word}:\n\n````text\n{shown}\n````\n")
    return "\n".join(parts)


def rule_errors() -> str:
    """Generate the page of rule errors, with a section for each."""
    parts = [
        "# Rule errors\n\nWhat can go wrong while a game is played, although the pack has no findings. "
        "`rulewright test`, "
        "`play` and `simulate`\nreport it with the rule and its place; `rulewright explain CODE` prints a part "
        "of this "
        "page, which is generated\n(`python -m rulewright.tools.generate language`).\n"
        "An answer that leads to a rule error has no effect: the game stays as it was before that answer.\n"
    ]
    parts.append(_table(("code", "what"), ((f"[`{one.code}`](#{one.code})", one.title) for one in ENTRIES)))
    for entry in ENTRIES:
        parts.append(f"## {entry.code}\n\n**{entry.title}** {entry.meaning}\n")
        parts.append(f"What to do: {entry.remedy}\n")
        parts.append(f"This pack raises it:\n\n````text\n{pack_of(entry)}````\n")
    return "\n".join(parts)


# ------------------------------------------------------------------ commands

_NAMED = re.compile(r"(?<![`\w-])(--[a-z][a-z-]*|RULEWRIGHT_[A-Z_]+)(?![\w`])")
_LARGEST = 1_000_000
"""A limit above this is only there for the size of a machine's numbers, and is not shown."""


def commands() -> dict[str, click.Command]:
    """All visible commands by name, in alphabetical order."""
    return {name: command for name, command in sorted(cli.commands.items()) if not command.hidden}


def _list() -> str:
    rows = ((f"[`{name}`](#rulewright-{name})", _first_sentence(command)) for name, command in commands().items())
    return _table(("command", "what it does"), rows)


def _sections() -> str:
    return "\n".join(_section(name, command) for name, command in commands().items())


def _section(name: str, command: click.Command) -> str:
    parts = [f"### `rulewright {name}`\n", f"```text\n{_usage(name, command)}\n```\n"]
    parts += [f"{paragraph}\n" for paragraph in _paragraphs(command.help)]
    rows = list(_option_rows(command))
    parts += [_table(("option", "meaning"), rows)] if rows else []
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


def _first_sentence(command: click.Command) -> str:
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


def _option_rows(command: click.Command) -> Iterator[tuple[str, str]]:
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


# ------------------------------------------------------------------ the pages

def _page(path: Path) -> str:
    return renewed(path.read_text("utf-8"), part)


LANGUAGE: dict[Path, Callable[[], str]] = {
    **{path: partial(_page, path) for path in WRITTEN},
    REFERENCE / "findings.md": findings,
    REFERENCE / "rule-errors.md": rule_errors,
}
CLI: dict[Path, Callable[[], str]] = {COMMANDS: partial(_page, COMMANDS)}
