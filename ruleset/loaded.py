"""The result of loading a pack: its program, or its errors."""

from __future__ import annotations

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Suppressed
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.conflicts import Composed
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.findings.causes import Omitted, Skipped, Unchecked, is_error
from rulewright.ruleset.packs import Head
from rulewright.ruleset.program.nodes import Program, Reference


@frozen(repr=False)
class Loaded(Record):
    """A pack after all passes. `program` is None if there are errors; `sources` maps paths to texts of files.

    `suppressed` are warnings that comments in the pack allow; they are not among the findings.
    """

    pack: str
    program: Program | None
    findings: tuple[Diagnostic, ...]
    sources: dict[str, str]
    suppressed: tuple[Suppressed, ...] = ()
    declared: Declared = field(factory=Declared)
    """All declarations that could be read, even if there are errors."""
    references: tuple[Reference, ...] = ()
    composed: Composed = field(factory=Composed)
    """All documents as declared, with the changes made to them by other packs."""
    heads: tuple[Head, ...] = ()
    """The packs, the game first."""
    owners: dict[str, str] = field(factory=dict)
    """From a file to its pack, if there are several packs."""
    unchecked: Unchecked = ()
    """Documents that were not checked because the rules have errors."""
    omitted: Omitted = ()
    """Numbers of unreported findings, for files with too many."""
    skipped: tuple[Skipped, ...] = ()
    """Parts of packs that no longer apply because of unknown packs; the program does not contain them."""

    @property
    def errors(self) -> int:
        """The number of errors, including unreported ones."""
        return sum(map(is_error, self.findings)) + sum(errors for _, errors, _ in self.omitted)
