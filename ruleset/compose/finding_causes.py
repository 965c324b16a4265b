"""Label findings in one pack that a change by another pack caused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.compose.composed import Composed
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.compose.renaming import WORD
from rulewright.ruleset.compose.workspace import DONE, members
from rulewright.ruleset.source.node_edit import part
from rulewright.ruleset.source.nodes import Mapping as Block

SAID = ("option", "zone", "track", "list", "enumeration")
"""Sorts of declarations that scenarios name at their beginning."""
OF_NAMES = ("RW204", "RW309", "RW315", "RW420", "RW423", "RW430")
"""Findings about unknown names, which a pack may have removed."""
OF_SCENARIOS = ("RW702", "RW704")
"""The same for options and positions in scenarios, or a pack changed the possible values."""
OF_BOTS = ("RW340", "RW341")
"""The same for ids of choices and keys of options, which consist of names."""
OF_SHAPES = ("RW201", "RW202", "RW203", "RW204", "RW205", "RW206", "RW207", "RW208", "RW209", "RW210")
"""Findings about the shape of a document, which a pack may have changed."""


def explained(
    composed: Composed, findings: Sequence[Diagnostic], sources: Mapping[str, str], owners: Mapping[str, str]
) -> list[Diagnostic]:
    """Add labels to findings in one pack that another pack caused: the other pack, and the place of its change.

    `owners` maps files to packs.
    """
    if not findings:
        return []
    gone = {deed.place.path[-1] if deed.place.path else deed.place.id.partition("/")[2]: deed
            for deed in composed.deeds if deed.action == "remove"}  # fmt: skip
    left_out = {word: deed for deed in composed.deeds if deed.action == "set"
                for word in set(members(deed.old)) - set(members(deed.new))}  # fmt: skip
    told: list[Diagnostic] = []
    for finding in findings:
        deed, does = None, "removes"
        if finding.code in OF_NAMES:
            word = _words(finding.span, sources)
            deed, other = gone.get(word), left_out.get(word)
            if deed is None and other is not None and other.pack != owners.get(finding.span.path):
                deed, does = other, "no longer contains"
        elif finding.code in OF_BOTS and gone:
            parts = re.split(r"[.:,]", _words(finding.span, sources))
            deed = next((gone[part] for part in parts if part in gone), None)
        elif finding.code in OF_SCENARIOS:
            deed, does = _of_scenario(composed, finding, sources, owners.get(finding.span.path))
        if deed is None and finding.code in OF_SHAPES:
            deed, does = _cause(composed, finding.span), "changes"
        if deed is not None:
            label = Label(deed.span, f"`{deed.pack}` {does} it here")
            finding = evolve(finding, labels=(*finding.labels, label))
        told.append(finding)
    return told


def _of_scenario(
    composed: Composed, finding: Diagnostic, sources: Mapping[str, str], owner: str | None
) -> tuple[Deed | None, str]:
    """Find another pack's change of an option, zone, or track in a scenario, or of a word that it uses."""
    line = sources.get(finding.span.path, "").split("\n")[finding.span.line - 1]
    before = line[: finding.span.end_column - 1]
    words = [_words(finding.span, sources), *reversed(WORD.findall(before))]
    for word in dict.fromkeys(words):  # the nearest first: the value, then the keys before it
        for deed in (one for one in reversed(composed.deeds) if one.pack != owner):
            sort, _, name = deed.place.id.partition("/")
            gone = deed.action == "remove" and word in (name, deed.place.id.rpartition(".")[2])
            other = sort in SAID and name.partition(".")[0] == word and deed.action in ("set", "remove", "add")
            if gone or other:
                return deed, DONE[deed.action] if gone or deed.action != "add" else "changes"
    return None, ""


def _cause(composed: Composed, span: Span) -> Deed | None:
    """Return the last change around a place that was made from another file."""
    documents = composed.numbered
    for deed in reversed(composed.deeds):
        document, path = documents.get(deed.place.document), deed.place.path[:-1]
        if document is None or span.path != document.path or span.path == deed.span.path:
            continue
        holder, around = part(document.root, path), part(document.root, path[:-1])
        key = around.key(path[-1]) if path and isinstance(around, Block) else None
        if (key is not None and key.span == span) or (holder is not None and span.within(holder.span)):
            return deed
    return None


def _words(span: Span, sources: Mapping[str, str]) -> str:
    """Return the text at a place; empty if it spans several lines."""
    lines = sources.get(span.path, "").split("\n")
    if span.line != span.end_line or span.line > len(lines):
        return ""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]
