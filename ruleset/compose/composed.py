"""The result of composing: one set of documents, and what the packs changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.compose.weave import Insert, Weave
from rulewright.ruleset.source.reader import Document

if TYPE_CHECKING:  # packs alone have no deeds, and begin sooner without these modules
    from rulewright.ruleset.compose.conflicts import Deed


@frozen(repr=False)
class Composed(Record):
    """The result of composing. `changed` are the documents whose shape must be checked again."""

    documents: tuple[Document, ...] = ()
    changed: tuple[Document, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    woven: dict[Span, Weave] = field(factory=dict)
    deeds: tuple[Deed, ...] = ()
    inserts: tuple[Insert, ...] = ()
    places: tuple[int, ...] = ()
    """For each document, its number while changes were made, as in `Deed.place`."""

    @property
    def numbered(self) -> dict[int, Document]:
        """The documents by these numbers; empty for a pack alone."""
        return dict(zip(self.places, self.documents, strict=True)) if self.places else {}
