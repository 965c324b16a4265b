"""Find probably misspelt names of packs under `after`, `conflicts`, and `only-with`.

These keys refer to packs that may be absent, so an unknown name is not an error: it has no effect. A finding is
reported only if a known pack has a similar name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.documents.changes import ChangeDocument
from rulewright.ruleset.packs.manifest import Head
from rulewright.ruleset.source.reader import Document

WITHOUT = {
    "after": "so this line has no effect",
    "conflicts": "so this line has no effect",
    "only-with": "so this change is never applied",
}
"""The consequence of an unknown name, by key."""


def misspelt(
    heads: Sequence[Head], documents: Mapping[str, Sequence[Document]], names: Iterable[str]
) -> Iterator[Diagnostic]:
    """Report similar names. `heads` and `documents` are the packs used together, `names` all other known packs."""
    known = {*names, *(head.pack for head in heads)}
    for head in heads:
        said = list(_said(head, documents.get(head.pack, ())))
        near_ones = known - {head.pack, *(name for _, name, _ in said)}
        for key, name, span in said:
            near = nearest(name, near_ones) if name not in known else None
            if near is not None:
                message = f"pack `{name}` not found, {WITHOUT[key]}"
                hint = (
                    f"did you mean `{near}`? If `{name}` exists elsewhere, allow this warning: "
                    f"`# rulewright: allow RW638: {name} is a pack`"
                )
                yield Diagnostic("RW638", span, message, hint)


def _said(head: Head, documents: Sequence[Document]) -> Iterator[tuple[str, str, Span]]:
    """Yield the optional packs that a pack names: key, name, and place."""
    for key, needs in (("after", head.after), ("conflicts", head.conflicts)):
        yield from ((key, need.pack, need.span) for need in needs)
    for document in documents:
        if document.kind == "change":
            for one in ChangeDocument.made_of(document.root).only_with:
                yield "only-with", one.key.text, one.key.span
