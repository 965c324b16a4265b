"""The kinds of documents and the sections of a pack: their records, and how their names are looked up.

A kind is the first key of its documents: `phase: NAME`. A section has entries, each with a name; it may also be in
the document of the pack. Their schemas are in `schemas/KEY.schema.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.documents.play import (
    BotDocument,
    ChangeDocument,
    Expect,
    FaceDocument,
    LayoutDocument,
    ScenarioDocument,
)
from rulewright.ruleset.documents.reading import Declaring
from rulewright.ruleset.documents.rules import (
    Award,
    Claim,
    FinishDocument,
    FunctionDocument,
    Hook,
    Modifier,
    Phase,
    Round,
    SeriesDocument,
    SetupDocument,
    VerbDocument,
    Window,
    Winner,
)
from rulewright.ruleset.documents.sections import (
    ComponentEntry,
    DefinitionDocument,
    EnumerationEntry,
    KindEntry,
    ListEntry,
    MessageEntry,
    OptionEntry,
    PackDocument,
    PromptEntry,
    TrackEntry,
    ValueEntry,
    ZoneEntry,
)
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode

Space = Literal["name", "own", "said", "step", "phrase"]
"""The namespace of a kind's names.

`name`: those of the pack. `own`: only the kind's. `said`: as `own`, and effects use the names. `step`: the course
of the game. `phrase`: the sentences of verbs.
"""


@frozen(repr=False)
class DocumentKind(Record):
    """A kind of document, or a section with named entries. `called` is the prefix of its ids."""

    key: str
    record: type[Declaring]
    called: str
    section: bool = False
    space: Space = "name"


def _section(key: str, record: type[Declaring], called: str, space: Space = "name") -> DocumentKind:
    return DocumentKind(key, record, called, True, space)


def _single(key: str, record: type[Declaring], space: Space = "name") -> DocumentKind:
    return DocumentKind(key, record, key, False, space)


PACK = _single("pack", PackDocument)
KINDS = (
    _section("enumerations", EnumerationEntry, "enumeration"),
    _section("options", OptionEntry, "option"),
    _section("values", ValueEntry, "value"),
    _section("kinds", KindEntry, "kind"),
    _section("components", ComponentEntry, "component", "own"),
    _section("zones", ZoneEntry, "zone"),
    _section("tracks", TrackEntry, "track"),
    _section("lists", ListEntry, "list"),
    _section("messages", MessageEntry, "message", "said"),
    _section("prompts", PromptEntry, "prompt", "own"),
    _single("verb", VerbDocument, "phrase"),
    _single("function", FunctionDocument),
    _single("setup", SetupDocument, "step"),
    _single("round", Round, "step"),
    _single("phase", Phase, "step"),
    _single("finish", FinishDocument, "step"),
    _single("award", Award, "own"),
    _single("winner", Winner, "own"),
    _single("series", SeriesDocument, "step"),
    _single("hook", Hook, "said"),
    _single("modifier", Modifier, "said"),
    _single("window", Window, "said"),
    _single("claim", Claim, "said"),
    _single("layout", LayoutDocument, "own"),
    _single("face", FaceDocument, "own"),
    _single("bot", BotDocument, "own"),
    _single("change", ChangeDocument),
    _single("expect", Expect, "own"),
    _single("scenario", ScenarioDocument, "own"),
)
"""All kinds of the kernel. The entries of sections are declared before documents, in this order."""

KIND_OF = {kind.key: kind for kind in (PACK, *KINDS)}
SORTS = {kind.key: kind.called for kind in KINDS if kind.section}
"""Section -> the prefix of its entries' ids."""
SECTIONS = tuple(SORTS)
SINGLES = tuple(kind.key for kind in KINDS if not kind.section)


_CALLED = {kind.called: kind for kind in (PACK, *KINDS)}


def record_of(called: str, key: ScalarNode, node: Node) -> Declaring:
    """Read the record for an id prefix; an unknown prefix means a definition of a pack's own kind."""
    kind = _CALLED.get(called)
    return (kind.record if kind is not None else DefinitionDocument).read(key, node)


def sections_of(root: MappingNode) -> Iterator[tuple[DocumentKind, MappingNode]]:
    """Yield the sections in a document."""
    for entry in root.entries:
        kind = KIND_OF.get(entry.key.text)
        if kind is not None and kind.section and isinstance(entry.value, MappingNode):
            yield kind, entry.value
