"""The shelf of a loaded pack: its declarations as cards, with what is needed to name and to find them."""

from __future__ import annotations

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.reader import read_documents
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.display.card import Shelf
from rulewright.tools.packs.declarations import declarations
from rulewright.tools.packs.references import mentions
from rulewright.tools.packs.source_excerpts import SourceIndex


def shelf_of(loaded: Loaded, folder: str = "") -> Shelf:
    """Prepare a loaded pack for making cards; `folder` is the prefix of the paths of its files."""
    documents = loaded.composed.documents
    if not loaded.owners:  # everything that can be read, even with findings
        read = (read_documents(path, text)[0] for path, text in loaded.sources.items())
        documents = tuple(document for one in read for document in one)
    items = declarations(documents, loaded.declared)
    found = mentions(loaded.declared, items, loaded.references)
    texts, book = None, None
    if loaded.program is not None:
        texts = PackTexts(SmallestTable(loaded.program.least_players), loaded.program)
        book = SourceIndex(loaded.program, loaded.sources, texts.worked_out)
    return Shelf(loaded.declared, loaded.sources, items, found, folder, texts, book)
