"""Find misspelt declarations: a used name without one, and a similar unused one.

Every use would be a finding, although the declaration is the cause. To verify a guess, the declaration is renamed
to the name that is used, and everything is loaded again. If the findings about that name disappear and no others
appear, one finding at the declaration replaces them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.documents.flow import Award, Phase
from rulewright.ruleset.documents.reading import Declaring
from rulewright.ruleset.documents.rules import Claim, Hook, Modifier, Window
from rulewright.ruleset.documents.sections import ComponentEntry
from rulewright.ruleset.findings.causes import Documents, is_error, ordered
from rulewright.ruleset.language.names import RESERVED
from rulewright.ruleset.language.syntax_errors import KEYWORDS
from rulewright.ruleset.source.pack_files import PackFiles

if TYPE_CHECKING:
    from rulewright.ruleset.declare.declarations import Declared
    from rulewright.ruleset.loaded import Loaded

_WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_RESERVED = RESERVED | KEYWORDS
_OF_DECLARATIONS = frozenset(["RW301", "RW302", "RW303", "RW313", "RW314", "RW317"])
"""Codes about a declaration itself: the names that they mark are not uses."""
_MOST_TRIED = 3
"""Guesses that are tried for one pack; each loads it once more."""
_MOST_LABELS = 2

Again = Callable[[Callable[[PackFiles], PackFiles]], "Loaded"]
"""Loads everything again after a change to each pack's files."""


@frozen(repr=False)
class Supposition(Record):
    """A declared name, its place, and the name that is used instead."""

    span: Span
    declared: str
    used: str


@define(repr=False)
class _Marked(Record):
    """The texts at places. Files are split into lines once, since there may be a place for each declaration."""

    sources: Mapping[str, str]
    _lines: dict[str, list[str]] = field(factory=dict)

    def at(self, span: Span) -> str:
        """Return the text at a place; empty if it spans several lines."""
        if span.path not in self.sources or span.line != span.end_line:
            return ""
        lines = self._lines.get(span.path)
        if lines is None:
            lines = self._lines[span.path] = _lines(self.sources[span.path].removeprefix("\ufeff"))
        line = lines[span.line - 1] if span.line <= len(lines) else ""
        return line[span.column - 1 : span.end_column - 1]


def suppose(loaded: Loaded, again: Again) -> Loaded:
    """Return `loaded` with one finding for a misspelt declaration instead of one for each use."""
    documents = Documents(loaded.sources)
    wrong = [item for item in loaded.findings if is_error(item) and not documents.rank(item)]
    if not wrong:
        return loaded
    marked = _Marked(loaded.sources)
    for one in _suppositions(wrong, loaded.declared, marked):
        tried = again(partial(_respelt, one=one))
        left = [item for item in tried.findings if is_error(item) and not documents.rank(item)]
        before = {(item.code, item.span.path, item.span.line) for item in wrong}
        after = {(item.code, item.span.path, item.span.line) for item in left}
        forms = {one.used, f"{one.used}s"}
        gone = [item for item in wrong if forms & _words(marked.at(item.span))]
        if gone and after <= before and len(left) + len(gone) <= len(wrong):
            found = [*(_moved(item, one) for item in tried.findings), _finding(one, gone, loaded.sources)]
            return evolve(
                loaded, findings=ordered(found, loaded.sources), suppressed=tried.suppressed, omitted=tried.omitted
            )
    return loaded


def _finding(one: Supposition, gone: Sequence[Diagnostic], sources: Mapping[str, str]) -> Diagnostic:
    number = _counted(sources)[one.used]
    times = "once" if number == 1 else f"{number} times"
    message = f"`{one.declared}` is declared here and never used; `{one.used}` is used {times} and never declared"
    labels = tuple(Label(item.span, "used here") for item in gone[:_MOST_LABELS])
    return Diagnostic("RW126", one.span, message, f"did you mean `{one.used}`?", labels)


def _suppositions(wrong: Sequence[Diagnostic], declared: Declared, marked: _Marked) -> Iterator[Supposition]:
    """Yield the most likely guesses first: those that would explain the most findings."""
    counted = _counted(marked.sources)
    known = dict(_names(declared, marked))
    every = known | dict(_of_verbs(declared, marked))
    names = {word: span for word, span in every.items() if counted[word] == 1}
    if not names:
        return
    votes: Counter[tuple[str, str]] = Counter()
    for item in wrong:
        if item.code in _OF_DECLARATIONS:
            continue
        words = _words(marked.at(item.span))
        for word in {*words, *(one.removesuffix("s") for one in words if one not in known)}:
            if word in known or word in _RESERVED or counted[word] + counted[f"{word}s"] < 2:
                continue
            near = nearest(word, names)
            if near is not None:
                votes[near, word] += 1
    for (near, word), _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_MOST_TRIED]:
        yield Supposition(names[near], near, word)


_RECORDS: tuple[type[Declaring], ...] = (ComponentEntry, Window, Claim, Phase, Award, Hook, Modifier)


def _names(declared: Declared, marked: _Marked) -> Iterator[tuple[str, Span]]:
    """Yield all names that the rules declare, except verbs, each with its exact place."""
    pairs = (
        declared.zones, declared.tracks, declared.lists, declared.values, declared.options, declared.enumerations,
    )  # fmt: skip
    records = (declared.kinds, declared.definitions, declared.functions)
    places: list[tuple[str, Span]] = [(key, one[0]) for group in pairs for key, one in group.items()]
    places += [(key, one.span) for group in records for key, one in group.items()]
    places += [(key, one.span) for record in _RECORDS for key, one in declared.all_of(record).items()]
    places += [*declared.messages.items()]
    for kind in declared.kinds.values():
        places += kind.places.items()
    for word, span in places:
        if marked.at(span) == word:
            yield word, span


def _of_verbs(declared: Declared, marked: _Marked) -> Iterator[tuple[str, Span]]:
    """Yield the words of verbs, each with its exact place."""
    for verb in declared.verbs.values():
        text = marked.at(verb.span)
        for found in _WORD.finditer(re.sub(r"<[^>]*>|\([^)]*\)", lambda part: " " * len(part[0]), text)):
            start = verb.span.column + found.start()
            span = evolve(verb.span, column=start, end_line=verb.span.line, end_column=start + len(found[0]))
            yield found[0], span


def _counted(sources: Mapping[str, str]) -> Counter[str]:
    """Count each word in the files, including texts for players and comments."""
    counted: Counter[str] = Counter()
    for text in sources.values():
        counted.update(_WORD.findall(text))
    return counted


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _respelt(files: PackFiles, one: Supposition) -> PackFiles:
    """Return a pack's files with one declaration renamed."""
    return evolve(files, files=tuple((name, _edited(data, one) if name == one.span.path else data)
                                     for name, data in files.files))  # fmt: skip


def _edited(data: bytes, one: Supposition) -> bytes:
    lines = _lines(data.decode("utf-8-sig"))
    line, start = lines[one.span.line - 1], one.span.column - 1
    lines[one.span.line - 1] = line[:start] + one.used + line[start + len(one.declared) :]
    return "\n".join(lines).encode()


def _moved(item: Diagnostic, one: Supposition) -> Diagnostic:
    """Translate the places of a finding in the changed text to the original text."""
    labels = tuple(evolve(label, span=_back(label.span, one)) for label in item.labels)
    return evolve(item, span=_back(item.span, one), labels=labels)


def _back(span: Span, one: Supposition) -> Span:
    shift = len(one.declared) - len(one.used)
    if span.path != one.span.path or one.span.line not in (span.line, span.end_line):
        return span
    starts = span.line == one.span.line and span.column > one.span.column
    ends = span.end_line == one.span.line and span.end_column > one.span.column
    return evolve(span, column=span.column + shift * starts, end_column=span.end_column + shift * ends)
