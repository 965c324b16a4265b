"""Causes before what follows from them: the order in which findings are reported, and what waits for the rules.

While the rules have errors, scenarios, bots, prompts, and layouts are not checked: most of what would be found in
them follows from the rules. How many of each were left out is reported instead (`Unchecked`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping

from attrs import define, field

from ruleset.common.diagnostic import Diagnostic, Findings
from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.findings.catalogue import entry

Unchecked = tuple[tuple[str, int], ...]
"""What was not checked because the rules have errors: sorts of documents, and how many there are of each."""

_APART = {"prompts": 1, "layout": 2, "bot": 3, "scenario": 4}
"""The kinds of documents that depend on the rules, and on which no rule depends, in the order of reports."""
_CODES = {"RW323": 1, "RW33": 2, "RW34": 3, "RW7": 4}
"""Codes about such documents, which may be in a document of another kind."""
_STAGES = {"RW13": 5, "RW1": 0, "RW2": 1, "RW60": 0, "RW61": 0, "RW64": 0, "RW62": 2, "RW316": 4, "RW320": 4}
_DECLARING = frozenset(
    ["RW126", "RW301", "RW302", "RW303", "RW304", "RW305", "RW307", "RW310", "RW312", "RW313", "RW314", "RW317"]
)
"""Codes of names whose declarations are wrong or missing: every use of such a name may follow from them."""
_DOCUMENT = re.compile(r"^(?:---[ \t]*(?:#[^\n]*)?\n|\A)(?:[ \t]*(?:#[^\n]*)?\n)*([a-z-]+)", re.MULTILINE)


def ordered(findings: Iterable[Diagnostic], sources: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """The findings without repetitions: those of the rules first, in the order of the passes, then by place."""
    documents = Documents(sources)
    places = Findings(tuple(findings)).items
    return tuple(sorted(places, key=lambda item: (documents.rank(item), _stage(item.code))))


def is_error(finding: Diagnostic) -> bool:
    """Whether a finding keeps the game from being played."""
    return entry(finding.code).severity == "error"


def rules_wrong(findings: Iterable[Diagnostic], sources: Mapping[str, str]) -> bool:
    """Whether there is an error in the rules: in anything but scenarios, bots, prompts, and layouts."""
    documents = Documents(sources)
    return any(is_error(item) and not documents.rank(item) for item in findings)


def _stage(code: str) -> int:
    if code in _DECLARING:
        return 2
    found = [stage for lead, stage in _STAGES.items() if code.startswith(lead)]
    return found[0] if found else 3


@define(repr=False)
class Documents(Record):
    """Which kind of document is where, read from the text alone: it is known of broken documents, too."""

    sources: Mapping[str, str]
    _known: dict[str, tuple[list[int], list[str]]] = field(factory=dict)

    def rank(self, finding: Diagnostic) -> int:
        """0 for a finding of the rules, more for one of what depends on them."""
        by_code = [rank for lead, rank in _CODES.items() if finding.code.startswith(lead)]
        return by_code[0] if by_code else _APART.get(self.kind(finding.span), 0)

    def kind(self, span: Span) -> str:
        """The first key of the document around a place; empty if there is none."""
        lines, kinds = self._of(span.path)
        at = bisect_right(lines, span.line) - 1
        return kinds[at] if at >= 0 else ""

    def start(self, span: Span) -> int:
        """The first line of the document around a place."""
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
    """A line that says how many documents were not checked; empty if all were."""
    parts = [f"{number} {what}" if number == 1 else f"{number} {what}s" for what, number in unchecked]
    if not parts:
        return ""
    one = len(unchecked) == 1 and unchecked[0][1] == 1
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"{listed} {'was' if one else 'were'} not checked because the rules have errors"


# ------------------------------------------------------------------ bounds

MOST_IN_FILE = 100
"""Findings that are reported of one file."""
MOST_IN_ALL = 1_000
"""Findings that are reported of one pack, with the packs that it needs."""

Omitted = tuple[tuple[str, int, int], ...]
"""Findings that are not reported, by file: how many errors and how many warnings."""


def bounded(findings: Iterable[Diagnostic]) -> tuple[tuple[Diagnostic, ...], Omitted]:
    """The first findings of each file, and how many are left out of which file."""
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
    """What several passes left out, added up by file."""
    total: dict[str, tuple[int, int]] = {}
    for path, errors, warnings in (one for part in parts for one in part):
        before = total.get(path, (0, 0))
        total[path] = before[0] + errors, before[1] + warnings
    return tuple((path, errors, warnings) for path, (errors, warnings) in total.items())


# ------------------------------------------------------------------ groups

_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|[0-9]+")
_MOST_ALIKE = 9
"""Findings of one form in one document that are shown one by one; if there are more, they are a group."""

Group = tuple[Diagnostic, ...]


def groups(findings: Iterable[Diagnostic], sources: Mapping[str, str]) -> tuple[Group, ...]:
    """The findings, with those together that say the same of several places.

    Those that say nearly the same are a group, too, if they are many and in one document.
    """
    documents = Documents(sources)
    same: dict[object, list[Diagnostic]] = {}
    order: dict[Diagnostic, int] = {}
    for finding in findings:
        order.setdefault(finding, len(order))
        same.setdefault((finding.code, finding.message, finding.hint), []).append(finding)
    alike: dict[object, list[list[Diagnostic]]] = {}
    for group in same.values():
        first = group[0]
        form = (first.code, _QUOTED.sub("", first.message), first.span.path, documents.start(first.span))
        alike.setdefault(form, []).append(group)
    out: list[Group] = []
    for several in alike.values():
        if len(several) <= _MOST_ALIKE:
            out.extend(tuple(group) for group in several)
        else:
            out.append(tuple(sorted((finding for group in several for finding in group), key=order.__getitem__)))
    return tuple(sorted(out, key=lambda group: order[group[0]]))
