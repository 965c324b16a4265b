"""What loading a pack gives: its program, or what is wrong with it."""

from __future__ import annotations

from attrs import field, frozen

from ruleset.common.diagnostic import Diagnostic, Suppressed
from ruleset.common.record import Record
from ruleset.compose.composer import Composed
from ruleset.declare.declarations import Declared
from ruleset.findings.causes import Omitted, Unchecked, is_error
from ruleset.findings.skipped import Skipped
from ruleset.packs.manifest import Head
from ruleset.program.nodes import Program, Reference


@frozen(repr=False)
class Loaded(Record):
    """A pack after all passes. `program` is None when there are errors; `sources` gives each file's text.

    `suppressed` are warnings that comments in the pack allow; they are not among the findings.
    """

    pack: str
    program: Program | None
    findings: tuple[Diagnostic, ...]
    sources: dict[str, str]
    suppressed: tuple[Suppressed, ...] = ()
    declared: Declared = field(factory=Declared)
    """All declarations that could be read, whatever the findings."""
    references: tuple[Reference, ...] = ()
    composed: Composed = field(factory=Composed)
    """All documents as they were declared, with what packs on top of the game did to them."""
    heads: tuple[Head, ...] = ()
    """The packs, the game first."""
    owners: dict[str, str] = field(factory=dict)
    """Which pack a file belongs to, where there are several."""
    unchecked: Unchecked = ()
    """What was not checked because the rules have errors."""
    omitted: Omitted = ()
    """How many findings are left out, of files that have too many."""
    skipped: tuple[Skipped, ...] = ()
    """What no longer applies of packs that do not know all others; the program has none of it."""

    @property
    def errors(self) -> int:
        return sum(map(is_error, self.findings)) + sum(errors for _, errors, _ in self.omitted)
