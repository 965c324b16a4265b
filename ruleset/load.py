"""The order of the passes: from the files of a pack to its program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import field, frozen

from ruleset.catalogue import entry
from ruleset.check import check
from ruleset.check_texts import check_texts
from ruleset.declare import declare
from ruleset.declared import Declared
from ruleset.diagnostic import Diagnostic, Findings, Suppressed
from ruleset.document import Document, read
from ruleset.files import PACK_FILE, PackFiles, pack_root, read_pack
from ruleset.instance_shape import check_instances
from ruleset.kernel_shape import check_shapes
from ruleset.program import Program, Reference
from ruleset.span import Span
from ruleset.suppress import suppress


@frozen
class Loaded:
    """A pack after all passes. `program` is None when there are errors; `sources` gives each file's text.

    `suppressed` are warnings that comments in the pack allow; they are not among the findings.
    """

    pack: str
    program: Program | None
    findings: tuple[Diagnostic, ...]
    sources: dict[str, str]
    suppressed: tuple[Suppressed, ...] = ()
    declared: Declared = field(factory=Declared)
    """All declarations that could be read, whatever the findings."""
    references: tuple[Reference, ...] = ()

    @property
    def errors(self) -> int:
        return sum(1 for finding in self.findings if is_error(finding))


def is_error(finding: Diagnostic) -> bool:
    return entry(finding.code).severity == "error"


def load(path: Path, covering: bool = False) -> Loaded:
    """The pack in a folder, or the pack that a file belongs to. A missing pack is a finding too.

    `covering` as for `check`.
    """
    root = pack_root(path)
    if root is None:
        span = Span(path.as_posix(), 1, 1, 1, 1)
        message = f"no `{PACK_FILE}` here or in a folder above"
        hint = f"a pack is a folder with a `{PACK_FILE}` that begins with `pack: NAME`"
        return Loaded("", None, (Diagnostic("RW603", span, message, hint),), {})
    return load_files(read_pack(root), covering)


def load_files(files: PackFiles, covering: bool = False, playable: bool = True) -> Loaded:
    """The passes, one after the other; each goes on with what the one before could read.

    `covering` and `playable` as for `check`: they change no finding.
    """
    found: list[Diagnostic] = list(files.found)
    documents: list[Document] = []
    broken: list[Document] = []
    unread: list[str] = []
    sources: dict[str, str] = {}
    for name, data in files.files:
        text = _decode(name, data, found)
        if text is None:
            continue
        sources[name] = text
        reading = read(name, text)
        documents.extend(reading.documents)
        broken.extend(reading.broken)
        unread.extend(reading.unread)
        found.extend(reading.diagnostics)
    pack = _packs([*documents, *broken], files, found)
    good, tainted, mistakes = check_shapes(documents)
    found.extend(mistakes)
    declared, mistakes = declare(good, (*tainted, *broken), unread)
    found.extend(mistakes)
    declared, mistakes = check_instances(declared, good)
    found.extend(mistakes)
    found.extend(check_texts(good, declared))
    program, mistakes = check(declared, covering, playable)
    found.extend(mistakes)
    found, suppressed = suppress(sources, (*documents, *broken), found)
    findings = Findings(tuple(found)).items
    clean = not any(is_error(finding) for finding in findings)
    sound = program if clean else None
    return Loaded(pack, sound, findings, sources, tuple(suppressed), declared, program.references)


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
    """The name of the pack: exactly one document declares it."""
    packs = [document for document in documents if document.kind == "pack"]
    for extra in packs[1:]:
        place = extra.root.entries[0].key.span
        found.append(Diagnostic("RW606", place, "a pack is declared once", "remove this document"))
    if not packs and any(document.root.get("pack") is not None for document in documents):
        return ""  # the key that stands first in its place has its own finding
    if not packs:
        name = files.files[0][0] if files.files else PACK_FILE
        hint = "begin `pack.yaml` with `pack: NAME`"
        found.append(Diagnostic("RW605", Span(name, 1, 1, 1, 1), "no document declares the pack", hint))
        return ""
    first = packs[0].root.entries[0].value
    return getattr(first, "text", "")
