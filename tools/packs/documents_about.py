"""Find the documents about a declaration, also those that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.source.reader import read


def documents_about(sources: Mapping[str, str], key: str) -> list[Span]:
    """Return the places of documents that name a key or id, from the first line to the last.

    They name it after their kind (`bell` in `charm: bell`), which may be unknown; changes name an id. A document
    that is not valid YAML may also name it as an entry of a section, or as a name for players.
    """
    word = rf"[\"']?(?<![\w-]){re.escape(key)}(?![\w-])[\"']?"
    ways = (rf"^[\w-]+:\s*{word}\s*(?:#.*)?$", rf"{word}\s*:(?=\s|$)", rf"\bname:.*{word}")
    named = re.compile("|".join(ways), re.MULTILINE | re.IGNORECASE)
    found: list[Span] = []
    for path, text in sources.items():
        reading, lines = read(path, text), text.replace("\r\n", "\n").replace("\r", "\n")
        for document in reading.documents:
            first = document.root.entries[0].value
            if isinstance(first, ScalarNode) and first.text == key:
                found.append(document.span)
        for unread in filter(named.search, reading.unread):
            line = lines.count("\n", 0, lines.index(unread)) + 1
            found.append(Span(path, line, 1, line + unread.count("\n"), len(unread.rpartition("\n")[2]) + 1))
    return found
