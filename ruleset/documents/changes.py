"""What a pack changes in another one, as it is written; `compose.change` says what it means."""

from __future__ import annotations

from ruleset.documents.reading import Keyed, Titled, named_words, raw, word
from ruleset.source.nodes import Node, Scalar


class ChangeDocument(Titled):
    """A change of what another pack says."""

    matches: Scalar | None = word()
    only_with: tuple[Keyed[Scalar], ...] = named_words()
    set: Node | None = raw()
    add: Node | None = raw()
    remove: Node | None = raw()
    before: Node | None = raw()
    after: Node | None = raw()
    around: Node | None = raw()
