"""What there is to say about packs, as the writers of reports get it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from attrs import field, frozen

from ruleset.common.diagnostic import Diagnostic, Suppressed
from ruleset.common.record import Record
from ruleset.findings.catalogue import entry
from ruleset.findings.causes import Omitted, Unchecked, joined, unchecked_note
from ruleset.findings.skipped import Skipped, notes

Style: TypeAlias = Callable[[str, str], str]
"""Gets each piece of a text with its kind (`render.KINDS`) and returns it dressed."""


def _once(items: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings without repetitions."""
    return tuple(dict.fromkeys(items))


@frozen(repr=False)
class PackReport(Record):
    """One pack: the files that were asked about, by their shown paths, and what was found.

    Findings are in the order in which they are reported (`causes.ordered`). `sources` holds the texts of files by
    path; findings may be in files that were not asked about.
    """

    name: str
    files: tuple[str, ...]
    findings: tuple[Diagnostic, ...] = field(converter=_once)
    suppressed: tuple[Suppressed, ...] = ()
    sources: Mapping[str, str] = field(factory=dict)
    cases: tuple[tuple[str, str, tuple[Diagnostic, ...]], ...] = ()
    """What was tried, if not each file: a title, a file, and what was found."""
    owners: Mapping[str, str] = field(factory=dict)
    """Which pack a file belongs to, where several are combined."""
    unchecked: Unchecked = ()
    """What was not checked because the rules have errors."""
    omitted: Omitted = ()
    """How many findings are left out, of files that have too many."""
    skipped: tuple[Skipped, ...] = ()
    """What no longer applies under packs that its author does not know."""


@frozen(repr=False)
class Report(Record):
    """All packs of one run. `strict` tells that warnings count as errors; `version` is that of the program."""

    packs: tuple[PackReport, ...]
    strict: bool = False
    version: str = ""

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        return _once(item for pack in self.packs for item in pack.findings)

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        return tuple(item for pack in self.packs for item in pack.suppressed)

    @property
    def omitted(self) -> Omitted:
        return joined(*(pack.omitted for pack in self.packs))

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        return tuple(item for pack in self.packs for item in pack.skipped)

    @property
    def counts(self) -> tuple[int, int]:
        """How many errors and warnings there are, with those that are left out."""
        errors, warnings = counts(self.findings)
        for _, more_errors, more_warnings in self.omitted:
            errors, warnings = errors + more_errors, warnings + more_warnings
        return errors, warnings

    @property
    def unchecked(self) -> Unchecked:
        total: dict[str, int] = {}
        for what, number in (one for pack in self.packs for one in pack.unchecked):
            total[what] = total.get(what, 0) + number
        return tuple(total.items())

    @property
    def notes(self) -> tuple[str, ...]:
        """What the findings do not say: how many are left out, what was not checked, and what is skipped."""
        parts = [
            f"…and {many(errors + warnings, 'more finding')} in {path}; repair these first"
            for path, errors, warnings in self.omitted
        ]
        several = len(self.packs) > 1
        for pack in self.packs:
            line = unchecked_note(pack.unchecked)
            told = [*([line] if line else []), *notes(pack.skipped)]
            parts.extend(f"{pack.name}: {one}" if several else one for one in told)
        return tuple(parts)

    @property
    def owners(self) -> dict[str, str]:
        return {path: name for pack in self.packs for path, name in pack.owners.items()}

    @property
    def sources(self) -> dict[str, str]:
        return {path: text for pack in self.packs for path, text in pack.sources.items()}


def counts(findings: Iterable[Diagnostic]) -> tuple[int, int]:
    """How many errors and warnings there are."""
    severities = [entry(item.code).severity for item in findings]
    return severities.count("error"), severities.count("warning")


def many(number: int, what: str, several: str = "") -> str:
    """`1 error`, `2 errors`, `12,000 games`; `several` is a plural that takes more than an `s`."""
    return f"1 {what}" if number == 1 else f"{number:,} {several or f'{what}s'}"
