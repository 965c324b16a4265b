"""Skip scenarios, bots, prompts, and so on that no longer apply because of unknown packs.

A house rule that removes a card leaves scenarios of the game that name it. That is not a mistake: the author of the
game could not know, and the author of the house rule cannot change the game's files. Such a scenario is left out of
the program and reported as skipped, with the change that caused it. Errors in the rules themselves remain errors,
and so do those in a pack that knows the others (`Resolved.comes_after`).

The test is exact: strangers cause an error if it disappears when the pack is checked together with only those packs
that it knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.play import BotDocument, Expect, FaceDocument, ScenarioDocument
from rulewright.ruleset.documents.reading import Declaring
from rulewright.ruleset.findings.causes import Category, Documents, Skipped, is_error
from rulewright.ruleset.packs import Head, Resolved

OWN = ("RW332",)
"""Errors that no change of another pack excuses: each of two packs has a layout."""

Alone = Callable[[frozenset[str]], Iterable[Diagnostic] | None]
"""Checks only these packs; returns the findings, or None if their rules have errors."""


def skipped(
    findings: Sequence[Diagnostic],
    declared: Declared,
    sources: Mapping[str, str],
    resolved: Resolved,
    deeds: Sequence[Deed],
    alone: Alone,
) -> tuple[tuple[Skipped, ...], frozenset[Diagnostic]]:
    """Return what is skipped, one entry for each document or line, and all findings that this explains."""
    documents = Documents(sources)
    waiting: dict[str, list[Diagnostic]] = {}
    for finding in findings:
        pack = declared.owners.get(finding.span.path)
        pardonable = is_error(finding) and documents.rank(finding) and finding.code not in OWN
        if pack is not None and pardonable:
            waiting.setdefault(pack, []).append(finding)
    found: dict[tuple[Category, str, Span], Skipped] = {}
    explained: set[Diagnostic] = set()
    for head in resolved.order:
        known = resolved.comes_after[head.pack] | {head.pack}
        strangers = {one.pack: one for one in resolved.order if one.pack not in known}
        there = alone(known) if strangers and head.pack in waiting else None
        if there is None:
            continue
        own = {(finding.code, finding.span) for finding in there}
        theirs = [deed for deed in deeds if deed.pack in strangers]
        for finding in waiting[head.pack]:
            if (finding.code, finding.span) in own:
                continue
            category, name, source, span = _about(finding, declared, documents.kind(finding.span))
            by, reason, at = _cause(finding, theirs, strangers, sources)
            explained.add(finding)
            one = Skipped(category, name, source, span, head.pack, finding, by, reason, at)
            found.setdefault((category, name, span), one)
    return tuple(found.values()), frozenset(explained)


def without(declared: Declared, left_out: Iterable[Skipped]) -> Declared:
    """Return the declarations without skipped scenarios and prompts."""
    skipped = {one.span for one in left_out if one.category == "scenario"}
    prompts = {one.name for one in left_out if one.category == "prompt"}
    scenarios = {key: one for key, one in declared.all_of(ScenarioDocument).items() if one.span not in skipped}
    return evolve(
        declared,
        records={**declared.records, ScenarioDocument: scenarios},
        prompts={key: one for key, one in declared.prompts.items() if key not in prompts},
    )


# ------------------------------------------------------------------ subjects

def _about(finding: Diagnostic, declared: Declared, kind: str) -> tuple[Category, str, str, Span]:
    """Return the category, name, source, and place of the item that a finding is in."""
    span = finding.span
    for scenario in declared.all_of(ScenarioDocument).values():
        if _inside(span, scenario):
            source = scenario.source.text if scenario.source is not None else ""
            return "scenario", scenario.key, source, scenario.span
    for bot in declared.all_of(BotDocument).values():
        if _inside(span, bot):
            return "bot line", bot.key, "", span
    prompt = next((key for key, (place, _) in declared.prompts.items() if place == span), None)
    if prompt is not None:
        return "prompt", prompt, "", span
    face = next((one for one in declared.all_of(FaceDocument).values() if _inside(span, one)), None)
    if face is not None:
        return "face line", face.key, "", span
    expect = next((one for one in declared.all_of(Expect).values() if _inside(span, one)), None)
    if expect is not None:
        return "expect line", expect.key, "", span
    return "layout line", kind or "layout", "", span


def _inside(span: Span, record: Declaring) -> bool:
    whole, title = record.node.span, record.span
    return span.path == whole.path and min(whole.line, title.line) <= span.line <= whole.end_line


# ------------------------------------------------------------------ causes

def _cause(
    finding: Diagnostic, deeds: Sequence[Deed], strangers: Mapping[str, Head], sources: Mapping[str, str]
) -> tuple[tuple[str, ...], str, Span]:
    """Guess the cause of a finding from the names in it: the packs, a description, and a place."""
    words = {*_marked(finding.span, sources), *_quoted(finding.message)}
    unquoted = set(re.findall(r"[\w-]{5,}", finding.message))
    sought = (("remove", "removes", words, 1), ("set", "changes", words, 2), ("set", "changes", unquoted, 1))
    for action, verb, words, parts in sought:
        about = [deed for deed in deeds if deed.action == action and words & set(_names(deed)[-parts:])]
        if about:
            deed = max(about, key=lambda deed: len(words & set(_names(deed))))
            return (deed.pack,), f"{deed.pack} {verb} {deed.place.id} ({_place(deed.span)})", deed.span
    if len(strangers) == 1:
        (head,) = strangers.values()
        return (head.pack,), f"{head.pack} changes something that it uses", head.span
    names = tuple(sorted(strangers))
    said = f"{', '.join(names[:-1])} or {names[-1]} changes something that it uses"
    return names, said, strangers[names[0]].span


def _names(deed: Deed) -> list[str]:
    """Return the names in the place of a change, without its category. For a set value, the last is its field."""
    names = re.split(r"[/.]", deed.place.id)[1:]
    return names if names[-1:] == list(deed.place.path[-1:]) else [*names, *deed.place.path[-1:]]


def _marked(span: Span, sources: Mapping[str, str]) -> list[str]:
    """Return the words at a place on one line."""
    lines = sources.get(span.path, "").split("\n")
    if span.line != span.end_line or span.line > len(lines):
        return []
    return re.findall(r"[\w-]+", lines[span.line - 1][span.column - 1 : span.end_column - 1])


def _quoted(message: str) -> list[str]:
    return [word for quoted in re.findall(r"`([^`]*)`", message) for word in re.findall(r"[\w-]+", quoted)]


def _place(span: Span) -> str:
    return f"{span.path}:{span.line}"
