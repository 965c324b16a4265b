"""Hints that name a replacement: applying it to the bad source repairs that place.

A replacement is a quoted text after `did you mean`, `write`, `quote it`, or `put it in quotes`. It goes where the
finding is, or to a place around it (`places`). Then these lines must have no finding that they did not have before.
Hints with a placeholder (`NAME`, `…`) are left out. `NOT_APPLIED` lists those that cannot be applied, with reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from tests.ruleset.test_chunks import BAD, files_of, loaded, whole

NAMED = re.compile(r"(?:did you mean|write|quote it:|put it in quotes:|leave out `[^`]*`:|parentheses:) `([^`]+)`")
PLACEHOLDER = re.compile(r"…|\.\.\.|\b[A-Z]{2,}\b")

NOT_APPLIED = {
    ("a-broken-line-hides-no-other-mistake", "}"): "the line has a second mistake",
    ("allow-an-error", "draw"): "the comment then allows an error that is not there",
    ("allow-an-unknown-code", "RW503"): "the comment allows a warning that is not there",
    ("bot-prefers-what-is-never-offered", "*"): "explains the form that follows it",
    ("copies-and-definitions", "d's casters"): "the line has a second mistake: d is no copy",
    ("filter-field-or-argument", "it's cost"): "the line has a second mistake of the same sort",
    ("first-try-minus-rat", "rat -= 1"): "the track is called `rats`",
    ("hardly-meant", "repeat count(others) times:"): "replaces the head of a block",
    ("line-without-a-key", "key: value"): "any key and value",
    ("line-without-a-key-before-a-comment", "key: value"): "any key and value",
    ("list-as-a-key", "key: value"): "any key and value",
    ("whose-my-hand", "your purse"): "no player acts in this function",
    ("document-without-a-separator", "---"): "goes on a line of its own, above",
    ("lines-without-a-block-sign-before-a-colon", "do: |"): "goes after the key, one line above",
    ("loop-without-a-block-sign", "do: |"): "goes after the key; the effect moves to the next line",
    ("loop-without-a-block-sign-below-its-key", "do: |"): "goes after the key, one line above",
    ("menu-label-with-a-sign", "card: draw 1"): "the next label has the same mistake",
    ("misspelt-first-word-and-another", "toss"): "the line has a second mistake",
    ("modifier-until-what-does-not-end", "until the turn ends"): "one of three sentences",
    ("option-of-definitions-chosen", "herbal"): "one of a list that is marked as a whole",
    ("scenario-position-impossible", "hand"): "the line has a second mistake: a player is missing",
    ("scenario-position-impossible", "spell"): "the line has a second mistake: the zone takes no such card",
    ("seen-and-hidden", "seen-by: nobody"): "changes another key of the line",
    ("times-where-nothing-is-repeated", "*"): "lacks the second factor",
    ("track-starts-outside", "starts: 1"): "adds a key to the mapping",
    ("track-starts-outside", "at-most: 2000000"): "adds a key to the mapping",
    ("unknown-escape", "\\\\"): "the repaired text is missing in a language",
    ("unknown-zone-of-a-component", "bank"): "the zone takes no such card",
    ("track-of-a-range-starts-outside-it", "starts: 1"): "goes beside `of`, as another key",
}
"""Replacements that are not the whole repair, by source and text."""


@frozen
class Advice:
    """A finding, and the replacement that its hint names."""

    finding: Diagnostic
    text: str


def advices(path: Path) -> Iterator[Advice]:
    for finding in loaded(path).findings:
        named = NAMED.search(finding.hint or "")
        if named is not None and not PLACEHOLDER.search(named[1]) and finding.span.path == path.name:
            yield Advice(finding, named[1])


def places(code: str, text: str, line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What may be replaced: the marked place, a `key: value`, the place and the next word, the sentence."""
    yield start, end
    key = line.find(f"{text.partition(' ')[0]} ")
    if re.match(r"[\w-]+: ", text) and key >= 0:
        yield key, len(line)
    if not code.startswith("RW4"):
        return
    after = re.compile(r"[ ][\w-]+").match(line, end)
    if after is not None:
        yield start, after.end()
    around = re.search(r"(?:top|bottom|first|last) of \Z", line[:start])
    belonging = re.compile(r"'s [\w-]+").match(line, end)
    if around is not None and belonging is not None:
        yield around.start(), belonging.end()
    value = re.compile(r"[ ]*(?:- )?(?:[\w-]+: )?(?=[^ ])").match(line)
    yield 0 if value is None else min(value.end(), start), len(line)
    for opened in re.finditer(r"(?<=: )", line):
        yield opened.start(), len(line)


def applied(files: PackFiles, path: str, at: Span, text: str, place: tuple[int, int]) -> PackFiles:
    """The files with a text in the place of another. What has a `: ` becomes a block, as the pages on YAML say."""
    data = dict(files.files)[path].decode()
    lines = data.split("\n")
    line = lines[at.line - 1]
    begin, end = place
    rest = line[end:] if at.line == at.end_line else lines[at.end_line - 1][at.end_column - 1 :]
    if text.startswith("{") and line[begin - 1 : begin] == "{":
        text = text.strip("{}")
    new = line[:begin] + text + rest
    key = re.match(r"([ ]*(?:- )?)([\w-]+:) (?![|{\[\"'])(.*: .*|.*:)$", new)
    if key is not None and line.startswith(key[1] + key[2]) and not text.startswith(key[2]):
        new = f"{key[1]}{key[2]} |\n{' ' * len(key[1])}  {key[3]}"
    lines[at.line - 1 : at.end_line] = [new]
    files_now = tuple((name, "\n".join(lines).encode() if name == path else one) for name, one in files.files)
    return evolve(files, files=files_now)


def left(path: Path, advice: Advice, place: tuple[int, int], before: set[tuple[str, str, int]]) -> list[Diagnostic]:
    """What is found on the lines of the finding, and was not found before."""
    at = advice.finding.span
    result = load_files(applied(files_of(path), path.name, at, advice.text, place), lints=whole(path))
    around = range(at.line, at.end_line + 2)
    new = (one for one in result.findings if _known(one) not in before)
    return [one for one in new if one.span.path == path.name and one.span.line in around]


def _known(finding: Diagnostic) -> tuple[str, str, int]:
    return finding.code, finding.message, finding.span.line


def repairs(path: Path, advice: Advice) -> bool:
    at = advice.finding.span
    line = path.read_text(encoding="utf-8").split("\n")[at.line - 1]
    end = at.end_column - 1 if at.line == at.end_line else len(line)
    findings = [_known(one) for one in loaded(path).findings]
    findings.remove(_known(advice.finding))
    possible = places(advice.finding.code, advice.text, line, at.column - 1, end)
    return any(not left(path, advice, place, set(findings)) for place in possible)


PARTS = 12


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.slow
def test_what_a_hint_names_repairs_the_source(part: int) -> None:
    wrong = [
        (path.stem, advice.finding.hint, NOT_APPLIED.get((path.stem, advice.text)))
        for path in BAD[part::PARTS]
        for advice in advices(path)
        if repairs(path, advice) == ((path.stem, advice.text) in NOT_APPLIED)
    ]
    assert wrong == []


def test_every_exception_is_a_replacement_of_a_source() -> None:
    excepted = {stem for stem, _ in NOT_APPLIED}
    named = {(path.stem, advice.text) for path in BAD if path.stem in excepted for advice in advices(path)}
    assert set(NOT_APPLIED) <= named
