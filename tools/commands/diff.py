"""`rulewright diff`: describe in sentences what changes for a player between two sets of packs.

`diffs.sheet` formats the sheet. The JSON has all differences, including those that no sheet shows (`"shown":
false`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.source.nodes import Node, plain
from rulewright.tools.common.consoles import HarmlessConsole
from rulewright.tools.common.display_texts import session_language
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import say, say_data
from rulewright.tools.diffs.compare import DiffSide, RuleDifference, differences
from rulewright.tools.diffs.names import DiffNames
from rulewright.tools.diffs.sheet import Description, as_markdown, as_text, sheet, tell
from rulewright.tools.packs.compared import side_of
from rulewright.tools.packs.pack_set import with_more

FORMAT = 1
"""The version of the JSON format."""
Form = Literal["text", "markdown", "json"]


def diff(base: str, other: str | None, more: Sequence[str], form: Form, language: str, title: str | None) -> int:
    """Print the differences of two sets of packs; without `other`, of one set with and without `more`."""
    if other is None and not more:
        raise Usage(f"nothing to compare {base} with: name another pack, or add house rules with --with PACK")
    one, two = side_of(base), side_of(with_more(other or base, more))
    language = session_language(two.loaded.declared.languages, language)
    found = differences(one, two)
    told = tell(one, two, found, language)
    names = DiffNames(one, two, language)
    if form == "json":
        say_data(data_of(one, two, told, names, title))
        return CLEAN
    shown = sheet(one, two, told, names, title)
    for line in as_markdown(shown) if form == "markdown" else as_text(shown, HarmlessConsole().width):
        say(line)
    return CLEAN


# ------------------------------------------------------------------ as data

def data_of(
    base: DiffSide, other: DiffSide, told: Sequence[Description], names: DiffNames, title: str | None
) -> dict[str, Any]:
    """Return the comparison as JSON data."""
    return {
        "version": FORMAT,
        "language": names.language,
        "title": sheet(base, other, told, names, title).title,
        "base": _packs(base),
        "other": _packs(other),
        "changes": [_change(base, other, telling, names) for telling in told],
    }


def _packs(one: DiffSide) -> dict[str, Any]:
    told = [{"pack": name, "version": version} for name, version in one.versions.items()]
    return {"named": one.named, "packs": told}


def _change(base: DiffSide, other: DiffSide, telling: Description, names: DiffNames) -> dict[str, Any]:
    found = telling.difference
    return {
        "change": found.change,
        "group": telling.group,
        "id": found.thing.id,
        "path": ".".join((*found.path, *([found.word] if found.woven else []))),
        "before": _plain(found.before),
        "after": _plain(found.after),
        "from": _place(base, _said_before(found)),
        "to": _place(other, _said_at(found, telling)),
        "reason": telling.reason or None,
        "sentence": telling.sentence(names.language),
        "shown": not telling.said.quiet,
    }


def _plain(node: Node | None) -> Any:
    return plain(node) if node is not None else None


def _said_before(found: RuleDifference) -> Span | None:
    """Return the place of the old state on the base side."""
    if found.change == "removed" and not found.path and not found.woven:
        return found.thing.span
    if found.before is not None:
        return found.before.span
    return found.was.span if found.was is not None else None


def _said_at(found: RuleDifference, telling: Description) -> Span | None:
    """Return the place of the new state on the other side; for a removal, the place of the removing change."""
    if found.after is not None:
        return found.thing.span if found.change == "added" and not found.path else found.after.span
    return telling.deed.span if telling.deed is not None else None


def _place(one: DiffSide, span: Span | None) -> dict[str, Any] | None:
    return {"pack": one.owner(span), "file": span.path, "line": span.line} if span is not None else None
