"""What a pack changes in another one, as it is written; `compose.change` says what it means."""

from __future__ import annotations

from ruleset.documents.reading import Keyed, Titled, Written, named_words, number, raw
from ruleset.source.nodes import Node, Scalar


class WasTo(Written):
    """A new value, with what it was before."""

    was: Node | None = raw()
    to: Node | None = raw()


class ChangeDocument(Titled):
    """A change of what another pack says."""

    matches: int | None = number()
    only_with: tuple[Keyed[Scalar], ...] = named_words()
    set: Node | None = raw()
    add: Node | None = raw()
    remove: Node | None = raw()
    before: Node | None = raw()
    after: Node | None = raw()
    around: Node | None = raw()
