"""Documents -> documents whose shape is right, and those whose shape is not, with findings."""

from __future__ import annotations

from collections.abc import Iterable

from ruleset.diagnostic import Diagnostic
from ruleset.document import Document

Checked = tuple[tuple[Document, ...], tuple[Document, ...], tuple[Diagnostic, ...]]


def check_shapes(documents: Iterable[Document]) -> Checked:
    """The documents without findings of shape, the documents with some, and the findings."""
    return tuple(documents), (), ()
