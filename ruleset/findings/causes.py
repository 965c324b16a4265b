"""Order, bound, and group findings, so that causes are reported before their consequences.

While the rules have errors, scenarios, bots, prompts, layouts, faces, and expectations are not checked: most
findings about them would be consequences of errors in the rules. The number of documents left out is reported
instead (`Unchecked`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, get_args

from attrs import define, field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Findings, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.findings.catalogue import entry

Unchecked = tuple[tuple[str, int], ...]
"""Documents that were not checked because the rules have errors, as (category, count)."""

_APART = {"prompts": 1, "layout": 2, "face": 2, "bot": 3, "scenario": 4, "expect": 5}
"""The kinds of documents that depend on the rules without any rule depending on them, in order of reporting."""
_CODES = {"RW323": 1, "RW33": 2, "RW39": 2, "RW34": 3, "RW73": 5, "RW7": 4}
"""Codes about such documents; the finding may be in a document of another kind."""
_STAGES = {"RW13": 5, "RW1": 0, "RW2": 1, "RW60": 0, "RW61": 0, "RW64": 0, "RW62": 2, "RW316": 4, "RW320": 4}
_DECLARING = frozenset(
    ["RW126", "RW301", "RW302", "RW303", "RW304", "RW305", "RW307", "RW310", "RW312", "RW313", "RW314", "RW317"]
)
"""Codes of missing or faulty declarations: every use of such a name may cause further findings."""
_DOCUMENT = re.compile(r"^(?:---[ \t]*(?:#[^\n]*)?\n|\A)(?:[ \t]*(?:#[^\n]*)?\n)*([a-z-]+)", re.MULTILINE)


def ordered(findings: Iterable[Diagnostic], sources: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Sort findings without duplicates: those of the rules first, in the order of the passes, then by place."""
    documents = Documents(sources)
    places = Findings(tuple(findings)).items
    return tuple(sorted(places, key=lambda item: (documents.rank(item), _stage(item.code))))


def is_error(finding: Diagnostic) -> bool:
    """Whether a finding prevents playing the game."""
    return entry(finding.code).severity == "error"


def rules_wrong(findings: Iterable[Diagnostic], sources: Mapping[str, str]) -> bool:
    """Whether the rules have an error, that is, anything except what no rule depends on."""
    documents = Documents(sources)
    return any(is_error(item) and not documents.rank(item) for item in findings)


def _stage(code: str) -> int:
    if code in _DECLARING:
        return 2
    found = [stage for lead, stage in _STAGES.items() if code.startswith(lead)]
    return found[0] if found else 3


@define(repr=False)
class Documents(Record):
    """An index of the kinds of documents. It is read from the text alone, so broken documents are included."""

    sources: Mapping[str, str]
    _known: dict[str, tuple[list[int], list[str]]] = field(factory=dict)

    def rank(self, finding: Diagnostic) -> int:
        """Return 0 for a finding about the rules, more for one about documents that depend on them."""
        by_code = [rank for lead, rank in _CODES.items() if finding.code.startswith(lead)]
        return by_code[0] if by_code else _APART.get(self.kind(finding.span), 0)

    def kind(self, span: Span) -> str:
        """Return the first key of the document around a place; empty if there is none."""
        lines, kinds = self._of(span.path)
        at = bisect_right(lines, span.line) - 1
        return kinds[at] if at >= 0 else ""

    def start(self, span: Span) -> int:
        """Return the first line of the document around a place."""
        lines, _ = self._of(span.path)
        at = bisect_right(lines, span.line) - 1
        return lines[at] if at >= 0 else 1

    def _of(self, path: str) -> tuple[list[int], list[str]]:
        if path not in self._known:
            text = self.sources.get(path, "").replace("\r\n", "\n").replace("\r", "\n")
            lines: list[int] = []
            kinds: list[str] = []
            line = last = 0
            for found in _DOCUMENT.finditer(text):
                line, last = line + text.count("\n", last, found.start()), found.start()
                lines.append(line + 1)
                kinds.append(found[1])
            self._known[path] = lines, kinds
        return self._known[path]


def unchecked_note(unchecked: Unchecked) -> str:
    """Describe in one line how many documents were not checked; empty if all were."""
    parts = [f"{number} {what}" if number == 1 else f"{number} {what}s" for what, number in unchecked]
    if not parts:
        return ""
    one = len(unchecked) == 1 and unchecked[0][1] == 1
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"{listed} {'was' if one else 'were'} not checked because the rules have errors"


# ------------------------------------------------------------------ bounds

MOST_IN_FILE = 100
"""Limit of reported findings per file."""
MOST_IN_ALL = 1_000
"""Limit of reported findings for a pack and the packs that it needs."""

Omitted = tuple[tuple[str, int, int], ...]
"""Unreported findings, as (file, errors, warnings)."""


def bounded(findings: Iterable[Diagnostic]) -> tuple[tuple[Diagnostic, ...], Omitted]:
    """Return the findings within the limits, and the number of the others by file."""
    kept: list[Diagnostic] = []
    of_file: dict[str, int] = {}
    omitted: dict[str, list[int]] = {}
    for finding in findings:
        path = finding.span.path
        of_file[path] = of_file.get(path, 0) + 1
        if of_file[path] <= MOST_IN_FILE and len(kept) < MOST_IN_ALL:
            kept.append(finding)
        else:
            omitted.setdefault(path, [0, 0])[not is_error(finding)] += 1
    return tuple(kept), tuple((path, errors, warnings) for path, (errors, warnings) in omitted.items())


def joined(*parts: Omitted) -> Omitted:
    """Add up, by file, the unreported findings of several passes."""
    total: dict[str, tuple[int, int]] = {}
    for path, errors, warnings in (one for part in parts for one in part):
        before = total.get(path, (0, 0))
        total[path] = before[0] + errors, before[1] + warnings
    return tuple((path, errors, warnings) for path, (errors, warnings) in total.items())


# ------------------------------------------------------------------ groups

_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|[0-9]+")
_MOST_ALIKE = 9
"""Similar findings that are listed one by one; if there are more, they form a group."""

Group = tuple[Diagnostic, ...]


def groups(findings: Iterable[Diagnostic], sources: Mapping[str, str]) -> tuple[Group, ...]:
    """Group findings with the same text at several places.

    Hints that list what is known may differ: they leave out what a place has already. Findings with nearly the same
    text are also grouped if there are more than `_MOST_ALIKE` of them: in one document of the rules, or in all
    documents that no rule depends on, where one mistake in the rules has many consequences.
    """
    documents = Documents(sources)
    same: dict[object, list[Diagnostic]] = {}
    order: dict[Diagnostic, int] = {}
    for finding in findings:
        order.setdefault(finding, len(order))
        hint = None if (finding.hint or "").startswith("known ") else finding.hint
        same.setdefault((finding.code, finding.message, hint), []).append(finding)
    alike: dict[object, list[list[Diagnostic]]] = {}
    for group in same.values():
        first = group[0]
        place = () if documents.rank(first) else (first.span.path, documents.start(first.span))
        form = (first.code, _QUOTED.sub("", first.message), *place)
        alike.setdefault(form, []).append(group)
    out: list[Group] = []
    for several in alike.values():
        if len(several) <= _MOST_ALIKE:
            out.extend(tuple(group) for group in several)
        else:
            out.append(tuple(sorted((finding for group in several for finding in group), key=order.__getitem__)))
    return tuple(sorted(out, key=lambda group: order[group[0]]))


# ---- Name the invisible character that is the reason for a finding
#
# Most invisible characters may be part of texts for players: a no-break space, a soft hyphen, a mark of
# direction. In rules they make another word of a word. So only a finding about a place that contains one
# reports it.

_INVISIBLE = re.compile(
    r"[\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202f\u205f-\u2064"
    r"\u206a-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0]"
)
_OF_TEXTS = frozenset(["RW120", "RW325", "RW326", "RW327"])
"""Codes about texts for players, which may contain such characters, and of findings that name one already."""


def named(found: Iterable[Diagnostic], sources: Mapping[str, str]) -> list[Diagnostic]:
    """Replace errors at places with an invisible character by one finding for each such character."""
    out: list[Diagnostic] = []
    lines: dict[str, list[str]] = {}
    seen: set[Span] = set()
    for finding in found:
        told = None
        if finding.code not in _OF_TEXTS and is_error(finding):
            told = _named(finding.span, sources, lines)
        if told is None:
            out.append(finding)
        elif told.span not in seen:
            seen.add(told.span)
            out.append(told)
    return out


def _named(span: Span, sources: Mapping[str, str], lines: dict[str, list[str]]) -> Diagnostic | None:
    text = sources.get(span.path, "")
    if span.line != span.end_line or not _INVISIBLE.search(text):
        return None
    if span.path not in lines:
        lines[span.path] = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    line = lines[span.path][span.line - 1]
    char = _INVISIBLE.search(line, span.column - 1, max(span.end_column - 1, span.column))
    if char is None:
        return None
    import unicodedata

    called = unicodedata.name(char[0], "").lower()
    message = f"the invisible character U+{ord(char[0]):04X} ({called}) is not allowed in rules"
    place = Span(span.path, span.line, char.start() + 1, span.line, char.end() + 1)
    return Diagnostic("RW120", place, message, "delete it and type the text around it again")


# ---- Parts of packs that no longer apply because of packs unknown to their authors, and notes about them
#
# `ruleset.check.house_rules.strangers` finds what is skipped, and why.

Category = Literal["scenario", "bot line", "prompt", "layout line", "face line", "expect line"]
"""Scenarios and prompts are skipped as a whole; elsewhere only the affected line is skipped."""

CATEGORIES: tuple[Category, ...] = get_args(Category)
MOST_REASONS = 3
"""Limit of changes named in one line."""


@frozen(repr=False)
class Skipped(Record):
    """A skipped part of a pack.

    `name` is the title of a scenario or the key of another document; `finding` is the error. `by` are
    the packs that cause it, several if it cannot be narrowed down. `at` is the change, or the name of the pack if
    no single change is known; `reason` describes it.
    """

    category: Category
    name: str
    source: str
    span: Span
    pack: str
    finding: Diagnostic
    by: tuple[str, ...]
    reason: str
    at: Span

    def matches(self, words: str) -> bool:
        """See `Scenario.matches`."""
        return words.lower() in f"{self.name} {self.source}".lower()


def notes(of: Iterable[Skipped]) -> Iterator[str]:
    """Yield a line for each pack: how much of it is skipped, and why."""
    by_pack: dict[str, list[Skipped]] = {}
    for one in of:
        by_pack.setdefault(one.pack, []).append(one)
    for pack, several in by_pack.items():
        counted = [(category, sum(one.category == category for one in several)) for category in CATEGORIES]
        parts = [f"{number} {category}{'s' * (number > 1)}" for category, number in counted if number]
        listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
        reasons = list(dict.fromkeys(one.reason for one in several))
        more = "; …" if len(reasons) > MOST_REASONS else ""
        yield f"{listed} of {pack} skipped: {'; '.join(reasons[:MOST_REASONS])}{more}"
