"""Generate parts of the language reference and the index of findings.

`python -m rulewright.tools.generate.language_reference` updates them, `--check` compares. The pages of `WRITTEN`
are written by hand except between `<!-- begin NAME -->` and `<!-- end -->`: those parts are generated from the
vocabulary table and the schemas of documents, which the checker uses.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

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
from rulewright.tools.generate import pages

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
WRITTEN = tuple(
    REFERENCE / name for name in ("language.md", "scenarios.md", "bots.md", "expectations.md", "house-rules.md")
)
FINDINGS = REFERENCE / "findings.md"
RULE_ERRORS = REFERENCE / "rule-errors.md"


def renewed(text: str) -> str:
    """Return a page with updated parts. Raises KeyError for an unknown part."""
    return pages.renewed(text, part)


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
    return pages.table(("written", "meaning", "example"), rows)


def _code(text: str) -> str:
    """Format code for a table cell, with escaped pipes and a mark for line breaks."""
    shown = text.replace("\n", " ⏎ ").replace("|", "\\|")
    return f"`{shown}`"


def _limits() -> str:
    rows = ((one.what, one.bound, _beyond(one)) for one in TABLE)
    return pages.table(("what", "limit", "beyond it"), rows)


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
    return f"{said}\n\n{pages.table(('key', 'meaning'), rows)}" if rows else f"{said}\n"


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
        "catalogue that the\nchecker uses (`python -m rulewright.tools.generate.language_reference`);\n"
        "`rulewright explain CODE` prints a part of it. Errors have to be repaired; "
        "warnings can be [allowed with a reason](language.md#allowing-a-warning). "
        "Where they are shown: [check-in-ci.md](../how-to/check-in-ci.md).\n"
    ]
    rows = (
        (f"[{one.code}](#{one.code.lower()})", f"`{one.name}`", one.severity, one.page.title) for one in entries
    )
    parts.append(pages.table(("code", "name", "severity", "what"), rows))
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
        "page, which is generated\n(`python -m rulewright.tools.generate.language_reference`).\n"
        "An answer that leads to a rule error has no effect: the game stays as it was before that answer.\n"
    ]
    parts.append(pages.table(("code", "what"), ((f"[`{one.code}`](#{one.code})", one.title) for one in ENTRIES)))
    for entry in ENTRIES:
        parts.append(f"## {entry.code}\n\n**{entry.title}** {entry.meaning}\n")
        parts.append(f"What to do: {entry.remedy}\n")
        parts.append(f"This pack raises it:\n\n````text\n{pack_of(entry)}````\n")
    return "\n".join(parts)


def main(arguments: Sequence[str]) -> int:
    """Update the pages; with `--check`, only report those that are out of date."""
    return pages.update("rulewright.tools.generate.language_reference", _PAGES, arguments)


def _written(path: Path) -> str:
    return renewed(path.read_text("utf-8"))


_PAGES: dict[Path, Callable[[], str]] = {
    **{path: partial(_written, path) for path in WRITTEN},
    FINDINGS: findings,
    RULE_ERRORS: rule_errors,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
