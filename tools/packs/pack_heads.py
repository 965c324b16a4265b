"""Read the `pack.yaml` of packs, or say why it cannot be read."""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.common.regular_files import read_regular
from rulewright.ruleset.packs import Head, head_of
from rulewright.ruleset.source.pack_files import PACK_FILE, pack_file
from rulewright.ruleset.source.reader import Document, decode, read
from rulewright.tools.packs.discovery import LARGEST, Finder, FoundPack, shorter


class Unreadable(Exception):  # noqa: N818 - about a pack
    """A `pack.yaml` that does not say which pack it is; the message says why, and where."""


def read_head(root: Path) -> tuple[Document, ...]:
    """Return the documents of a pack's `pack.yaml`, of which the first is that of the pack. Raises Unreadable."""
    place = pack_file(root) or root / PACK_FILE
    try:
        reading = read(place.name, decode(read_regular(place, LARGEST)))
    except OSError as error:
        raise Unreadable(f"{place.name}: {error.strerror or error}") from None
    first = reading.documents[:1]
    if head_of(first) is None:
        found = next(iter(reading.diagnostics), None)
        if found is None:
            raise Unreadable(f"{place.name} does not begin with `pack: NAME`")
        raise Unreadable(f"{found.span}: {found.message} ({found.code})")
    return reading.documents


def all_heads(finder: Finder) -> tuple[list[tuple[FoundPack, Head | None]], list[str]]:
    """Return all packs that have a name, and troubles: for each `pack.yaml` that cannot be read, its finding.

    Packs of one name are in order of precedence. A pack may have a name, and still not be readable.
    """
    found, troubles = finder.folders_of_packs()
    heads: list[tuple[FoundPack, Head | None]] = []
    for one in found:
        head: Head | None = None
        try:
            head = head_of(read_head(one.root))
        except Unreadable as why:
            troubles.append(f"{shorter(one.root)} cannot be read: {why}")
        if one.pack:
            heads.append((one, head))
    return heads, troubles
