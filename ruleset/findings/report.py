"""The findings of a run, as the writers of reports receive them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Suppressed
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.findings.catalogue import entry
from rulewright.ruleset.findings.causes import Omitted, Skipped, Unchecked, joined, notes, unchecked_note

Style: TypeAlias = Callable[[str, str], str]
"""Given the kind of a piece of text (`render.KINDS`) and the piece, returns it with colours or other markup."""


def _once(items: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Remove duplicate findings."""
    return tuple(dict.fromkeys(items))


@frozen(repr=False)
class PackReport(Record):
    """One pack: the checked files, by displayed path, and the findings.

    Findings are in reporting order (`causes.ordered`). `sources` maps paths to texts; findings may also be in files
    that were not requested.
    """

    name: str
    files: tuple[str, ...]
    findings: tuple[Diagnostic, ...] = field(converter=_once)
    suppressed: tuple[Suppressed, ...] = ()
    sources: Mapping[str, str] = field(factory=dict)
    cases: tuple[tuple[str, str, tuple[Diagnostic, ...]], ...] = ()
    """Units of checking other than files: title, file, and findings."""
    owners: Mapping[str, str] = field(factory=dict)
    """From a file to its pack, if several packs are combined."""
    unchecked: Unchecked = ()
    """Documents that were not checked because the rules have errors."""
    omitted: Omitted = ()
    """Numbers of unreported findings, for files with too many."""
    skipped: tuple[Skipped, ...] = ()
    """Parts that no longer apply because of packs unknown to their author."""


@frozen(repr=False)
class Report(Record):
    """All packs of one run. With `strict`, warnings count as errors; `version` is that of rulewright."""

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
        """The numbers of errors and warnings, including unreported ones."""
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
        """Additional lines: unreported findings, unchecked documents, and skipped parts."""
        parts = [
            f"…and {many(errors + warnings, 'more finding')} in {path}; fix these first"
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
    """Return the numbers of errors and warnings."""
    severities = [entry(item.code).severity for item in findings]
    return severities.count("error"), severities.count("warning")


def many(number: int, what: str, several: str = "") -> str:
    """Format a count: `1 error`, `2 errors`, `12,000 games`; `several` is the plural if it is irregular."""
    return f"1 {what}" if number == 1 else f"{number:,} {several or f'{what}s'}"


# ---- The formats of reports. The command line lists them without importing their writers

FORMATS: Mapping[str, str] = {
    "full": "full:full",
    "concise": "full:concise",
    "json": "json_format:as_json",
    "github": "full:github",
    "junit": "junit:junit",
    "sarif": "sarif:sarif",
}
"""From a format to `MODULE:FUNCTION` within `findings.render`. The function maps a report and a style to text."""
