"""Records of changes to other packs as written; `compose.change` interprets them."""

from __future__ import annotations

from rulewright.ruleset.documents.reading import Keyed, Titled, Written, named_words, number, raw
from rulewright.ruleset.source.nodes import Node, Scalar


class WasTo(Written):
    """A new value with the old one."""

    was: Node | None = raw()
    to: Node | None = raw()


class ChangeDocument(Titled):
    """A change to another pack."""

    matches: int | None = number()
    only_with: tuple[Keyed[Scalar], ...] = named_words()
    set: Node | None = raw()
    add: Node | None = raw()
    remove: Node | None = raw()
    before: Node | None = raw()
    after: Node | None = raw()
    around: Node | None = raw()
