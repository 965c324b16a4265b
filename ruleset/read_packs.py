"""Read the requested packs and the packs that they need, and determine their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.findings.causes import Omitted, is_error
from rulewright.ruleset.packs.manifest import Head
from rulewright.ruleset.packs.resolve import Order, Resolved, head_of, resolve
from rulewright.ruleset.schema.check_documents import KERNEL, spelt
from rulewright.ruleset.source.format_upgrade import modernised, too_new
from rulewright.ruleset.source.nodes import Mapping as Block
from rulewright.ruleset.source.pack_files import PACK_FILE, PACK_FILES, PackFiles
from rulewright.ruleset.source.reader import Document, read

Find = Callable[[str], PackFiles | None]
"""Finds the files of a pack by its name."""


@frozen(repr=False)
class Pack(Record):
    """A pack as read. `name` is empty if no document declares it."""

    name: str
    files: PackFiles
    head: Head | None
    documents: tuple[Document, ...]
    broken: tuple[Document, ...]
    unread: tuple[str, ...]

    def astray(self, kinds: Sequence[str]) -> bool:
        """Whether the pack needs others that it does not name.

        Its own document is broken or missing, or lacks `extends`: then it has no `players` either.
        """
        head = self.head
        if head is not None and (head.extends or self._is_game()):
            return False
        if any(document.kind != "pack" and document.root.get("pack") is not None for document in self.documents):
            return False  # the pack's own document begins with another key, which is reported later
        known = {*KERNEL, *kinds}
        return any(document.kind == "change" or document.kind not in known for document in self.documents)

    def _is_game(self) -> bool:
        """Whether the pack's own document can be read, and has `players`, or nothing changes another pack."""
        if any(document.kind == "pack" for document in self.broken):
            return False
        own = next((document.root for document in self.documents if document.kind == "pack"), None)
        changes = any(document.kind == "change" for document in self.documents)
        return own is None or PackDocument.made_of(own).players is not None or not changes


@define(repr=False)
class Packs(Record):
    """The packs read so far, and findings about their files."""

    find: Find
    asked: list[Pack] = field(factory=list)
    by_name: dict[str, Pack] = field(factory=dict)
    found: list[Diagnostic] = field(factory=list)
    sources: dict[str, str] = field(factory=dict)
    omitted: Omitted = ()
    """Findings about texts of files beyond the limit."""
    unread: bool = False
    """Whether a pack has an unknown format."""

    @property
    def first(self) -> Pack:
        return self.asked[0]

    def read(self, files: PackFiles) -> None:
        """Read a requested pack."""
        self.asked.append(self._pack(files))

    def resolve(self, order: Order) -> Resolved:
        """Read the packs that are needed, and determine the order of all."""
        return resolve([pack.head for pack in self.asked if pack.head is not None], self._head, order)

    def _head(self, name: str) -> Head | None:
        if name not in self.by_name:
            files = self.find(name)
            return self._pack(files).head if files is not None else None
        return self.by_name[name].head

    def _pack(self, files: PackFiles) -> Pack:
        found = self.found
        found.extend(files.found)
        documents: list[Document] = []
        broken: list[Document] = []
        unread: list[str] = []
        for name, data in files.files:
            text = _decode(name, data, found)
            if text is None:
                continue
            self.sources[name] = text
            reading = read(name, text)
            documents.extend(reading.documents)
            broken.extend(reading.broken)
            unread.extend(reading.unread)
            found.extend(reading.diagnostics)
            if reading.more:
                self.omitted = (*self.omitted, (name, reading.more, 0))
        name = _packs([*documents, *broken], files, found)
        new = too_new([*documents, *broken])
        self.unread = self.unread or bool(new)
        found.extend(new)
        modern, mistakes = modernised(documents) if not new else ((), ())  # unknown formats are not interpreted
        found.extend(mistakes)
        head = head_of([*map(spelt, documents), *broken])
        pack = Pack(name, files, head, modern, tuple(broken), tuple(unread))
        if head is not None:
            self.by_name.setdefault(head.pack, pack)
        return pack


def _decode(name: str, data: bytes, found: list[Diagnostic]) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        span = Span(name, line, column, line, column + 1)
        found.append(Diagnostic("RW604", span, "this file is not UTF-8", "save it as UTF-8"))
        return None


def _packs(documents: Sequence[Document], files: PackFiles, found: list[Diagnostic]) -> str:
    """Return the name of the pack, which exactly one document must declare."""
    packs = [document for document in documents if document.kind == "pack"]
    for extra in packs[1:]:
        place = extra.root.entries[0].key.span
        found.append(Diagnostic("RW606", place, "a pack is declared once", "remove this document"))
    if not packs and any(document.root.get("pack") is not None for document in documents):
        return ""  # the key that comes first instead is reported elsewhere
    own = {name for name, _ in files.files if name.rpartition("/")[2] in PACK_FILES}
    if not packs and any(is_error(item) and item.span.path in own for item in found):
        return ""  # and so is the error that keeps the document from being read
    if not packs:
        name = files.files[0][0] if files.files else PACK_FILE
        hint = "begin `pack.yaml` with `pack: NAME`"
        found.append(Diagnostic("RW605", Span(name, 1, 1, 1, 1), "no document declares the pack", hint))
        return ""
    first = packs[0].root.entries[0].value
    return getattr(first, "text", "")


def kinds_of(read: Sequence[Pack]) -> tuple[str, ...]:
    """Return the kinds that packs declare, even in documents that are otherwise unreadable."""
    sections = (document.root.get("kinds") for pack in read for document in (*pack.documents, *pack.broken))
    return tuple(entry.key.text for section in sections if isinstance(section, Block) for entry in section.entries)
