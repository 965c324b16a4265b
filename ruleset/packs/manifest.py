"""Records of what a pack's own document says about other packs."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span


@frozen(repr=False)
class Need(Record):
    """A reference to another pack, with the allowed versions."""

    pack: str
    versions: str
    span: Span


@frozen(repr=False)
class Head(Record):
    """A pack's name, version, and references to other packs. A pack that extends none is a game.

    `span` is its name in `pack.yaml`. A pack without a version has version `0`.
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
    """A reference from one pack to another; `word` is its key, such as `extends`."""

    pack: Head
    word: str
    need: Need
