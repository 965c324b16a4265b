"""Upgrade documents of an older pack format, and report that the format is old.

Documents of an older format are read as if they had been rewritten. So the old format is reported once, real
mistakes are still found, and the old syntax alone causes no further findings. `tools.migrations` rewrites the files
themselves. What depends on the kinds of other packs is left to `declare`: scopes of tracks and lists
(`Document.older`).

Invariant: documents in the current format are returned unchanged, as the same objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode
from rulewright.ruleset.source.reader import Document

OLDEST, CURRENT = 2, 3
"""The oldest format that is read, and the current one, which is the default for packs that name none."""


def stated(documents: Sequence[Document]) -> ScalarNode | None:
    """Return the format number that a pack names, if it is an integer."""
    for document in documents:
        if document.kind == "pack":
            found = document.root.get("format")
            return found if isinstance(found, ScalarNode) and type(found.value) is int else None
    return None


def format_of(documents: Sequence[Document]) -> int:
    """Return the format of a pack."""
    says = stated(documents)
    return says.value if says is not None and isinstance(says.value, int) else CURRENT


def unreadable(documents: Sequence[Document]) -> tuple[Diagnostic, ...]:
    """Report a pack in a format that this version does not read; it is not checked any further."""
    says, number = stated(documents), format_of(documents)
    if says is None or OLDEST <= number <= CURRENT:
        return ()
    message = f"this pack uses format {says.text}; this version of rulewright "
    if number > CURRENT:
        message += f"supports formats up to {CURRENT}"
        return (Diagnostic("RW641", says.span, message, "install a newer version of rulewright"),)
    message += f"reads formats {OLDEST} and {CURRENT}"
    hint = "convert it first with `rulewright migrate` of an earlier version, which reads format 1"
    return (Diagnostic("RW642", says.span, message, hint),)


def modernised(documents: Sequence[Document]) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """Upgrade all documents to the current format, with a finding if they are in an older one."""
    says = stated(documents)
    if says is None or format_of(documents) >= CURRENT:
        return tuple(documents), ()
    message = f"this pack uses format {says.text}; the current format is {CURRENT}"
    found = Diagnostic("RW640", says.span, message, _hint(documents))
    return tuple(evolve(_unnumbered(document), older=True) for document in documents), (found,)


def _hint(documents: Sequence[Document]) -> str:
    """Return the command that upgrades the pack, with its folder as named in findings."""
    path = next((document.path for document in documents if document.kind == "pack"), "")
    folder = path.rpartition("/")[0]
    command = f"rulewright migrate {folder}" if folder else "rulewright migrate"
    return f"run `{command}`: it rewrites the pack and keeps comments and layout"


def _unnumbered(document: Document) -> Document:
    """Remove the `format` entry, which is reported separately."""
    given = document.root.get("format") if document.kind == "pack" else None
    if not isinstance(given, ScalarNode) or type(given.value) is not int:
        return document
    entries = tuple(entry for entry in document.root.entries if entry.value is not given)
    return evolve(document, root=MappingNode(entries, document.root.span))
