"""What there is to say about packs, as the writers of reports get it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from attrs import field, frozen

from ruleset.catalogue import entry
from ruleset.diagnostic import Diagnostic, Findings, Suppressed

Format: TypeAlias = Literal["full", "concise", "json", "github", "junit", "sarif"]
Style: TypeAlias = Callable[[str, str], str]
"""Gets each piece of a text with its kind (`render.KINDS`) and returns it dressed."""


def _ordered(items: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return Findings(tuple(items)).items


@frozen
class PackReport:
    """One pack: the files that were asked about, by their shown paths, and what was found.

    `sources` holds the texts of files by path; findings may lie in files that were not asked about.
    """

    name: str
    files: tuple[str, ...]
    findings: tuple[Diagnostic, ...] = field(converter=_ordered)
    suppressed: tuple[Suppressed, ...] = ()
    sources: Mapping[str, str] = field(factory=dict)
    cases: tuple[tuple[str, str, tuple[Diagnostic, ...]], ...] = ()
    """What was tried, if not each file: a title, a file, and what was found."""
    owners: Mapping[str, str] = field(factory=dict)
    """Which pack a file belongs to, where several are combined."""


@frozen
class Report:
    """All packs of one run. `strict` tells that warnings count as errors; `version` is that of the program."""

    packs: tuple[PackReport, ...]
    strict: bool = False
    version: str = ""

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        return _ordered(item for pack in self.packs for item in pack.findings)

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        return tuple(item for pack in self.packs for item in pack.suppressed)

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


def many(number: int, what: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
