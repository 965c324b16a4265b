"""The result of composing: one set of documents, and what the packs changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.nodes import Node
from rulewright.ruleset.source.reader import Document

if TYPE_CHECKING:
    from rulewright.ruleset.compose.conflicts import Deed


# ---- Records of what packs on top of a game put around its sentences, steps, phases, and awards

@frozen(repr=False)
class Weave(Record):
    """The inserts before, after, and around sentences (or an award), in the order of the packs."""

    before: tuple[Node, ...] = ()
    after: tuple[Node, ...] = ()
    around: tuple[Node, ...] = ()
    instead: Node | None = None
    """The sentences that a pack has put in place of a part."""

    def inserts(self) -> Iterator[tuple[str, Node]]:
        """Iterate over the nodes, each with the key under which a change has it."""
        for key, nodes in (("before", self.before), ("after", self.after), ("around", self.around)):
            yield from ((key, node) for node in nodes)
        if self.instead is not None:
            yield "set", self.instead


def part_span(effect: Span, label: str) -> Span:
    """Return the place under which the inserts at a part are recorded: no other part or effect has it."""
    return evolve(effect, path=f"{effect.path}#{label}")


@frozen(repr=False)
class Insert(Record):
    """An insert `before`, `after`, or `around` an anchor, which is an id; `set` is in place of a part.

    `ordered` are packs that certainly come before it.
    """

    pack: str
    anchor: str
    word: str
    span: Span
    node: Node
    ordered: frozenset[str] = frozenset()


# ------------------------------------------------------------------ composed: the rest

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
