"""What a pack's own document says about other packs, as records."""

from __future__ import annotations

from attrs import frozen

from ruleset.common.record import Record
from ruleset.common.span import Span


@frozen(repr=False)
class Need(Record):
    """One entry: another pack and which versions of it."""

    pack: str
    versions: str
    span: Span


@frozen(repr=False)
class Head(Record):
    """A pack's name and version, and what it says about others. A pack that extends none is a game.

    `span` is its name in its `pack.yaml`. The version is `0` where it has none.
    """

    pack: str
    version: str
    span: Span
    extends: tuple[Need, ...] = ()
    requires: tuple[Need, ...] = ()
    conflicts: tuple[Need, ...] = ()
    after: tuple[Need, ...] = ()


@frozen(repr=False)
class Link(Record):
    """What one pack says about another: `word` is the key under which the need stands."""

    pack: Head
    word: str
    need: Need
