"""Read YAML text as nodes, each with its exact place: the first pass.

Only the parser's events are used, and none of its constructors, so that no value is guessed: scalars follow the
core schema of YAML 1.2, keys are always text, duplicate keys are an error, and tags and merge keys are rejected.
Input is bounded, since a file may be hostile: its size, number of nodes, depth, and expansion of aliases.

A file is split at its `---` lines and each document is parsed separately, so that an error affects no other
document.

Invariant: the root of a `Document` has at least one key.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.limits import FILE_BYTES
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode, SequenceNode
from rulewright.ruleset.source.yaml_errors import NO_DIRECTIVES, Problems
from rulewright.ruleset.source.yaml_events import FORBIDDEN, LOADERS, Builder, FileBudget
from rulewright.ruleset.source.yaml_scalars import YamlText


@frozen(repr=False)
class Document(Record):
    """One definition. Its first key is its kind: in `kind: name` the kind is `kind`."""

    path: str
    root: MappingNode
    kind: str
    span: Span
    called: str = ""
    """Another name for a verb that shares its words with a verb of a pack unknown to its own pack."""
    older: bool = False
    """Whether its pack is in an older format, in which scopes of tracks and lists meant something else."""


@frozen(repr=False)
class Reading(Record):
    """The result of reading a file. `broken` contains the readable parts of documents with errors.

    A broken document tells which name it meant to declare, so that uses of the name are not reported as well; the
    rest of its content is unreliable. `unread` contains the texts of all documents of which some part was skipped.
    """

    documents: tuple[Document, ...]
    broken: tuple[Document, ...]
    diagnostics: tuple[Diagnostic, ...]
    unread: tuple[str, ...] = ()
    more: int = 0
    """Number of findings beyond the limit."""


def decode(data: bytes) -> str:
    """Decode the bytes of a file. Bytes that are not UTF-8 become lone surrogates, which `read` reports."""
    return data.decode("utf-8", errors="surrogateescape")


def read_documents(path: str, text: str) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """Return the complete documents of a file and its findings."""
    reading = read(path, text)
    return reading.documents, reading.diagnostics


def read(path: str, text: str, loader: Any = LOADERS[0]) -> Reading:
    """Read as much of a file as possible. All of `LOADERS` give the same result."""
    source = YamlText(path, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) * 4 > FILE_BYTES and len(text.encode("utf-8", "surrogatepass")) > FILE_BYTES:
        return Reading((), (), (_too_large(source),))
    problems = Problems([])
    budget = FileBudget()
    unreadable = _forbidden(source, problems)
    documents: list[Document] = []
    broken: list[Document] = []
    unread: list[str] = []
    chunks = list(reversed(list(_chunks(source.text))))
    while chunks:
        start, end = chunks.pop()
        if bisect_left(unreadable, start) < bisect_left(unreadable, end):
            unread.append(source.text[start:end])
            continue
        directive = _DIRECTIVE.match(source.text, start, end)
        if directive:
            span = source.span(directive.start(1), directive.end(1))
            problems.add(Diagnostic("RW125", span, *NO_DIRECTIVES))
            continue
        before, known = problems.serious, problems.twice
        builder = Builder(source, start, problems, budget)
        root = builder.build(source.text[start:end], loader)
        if builder.rest is not None:
            chunks.append((builder.rest, end))
        if problems.serious != before or problems.twice != known:
            unread.append(source.text[start:end])
        if root is None or (isinstance(root, ScalarNode) and not root.text and root.style == "plain"):
            continue
        if isinstance(root, MappingNode) and root.entries:
            document = Document(path, root, root.entries[0].key.text, root.span)
            (documents if problems.serious == before else broken).append(document)
        elif problems.serious == before:
            what = {ScalarNode: "a text", SequenceNode: "a list", MappingNode: "an empty mapping"}[type(root)]
            message = f"expected `key: value` lines, found {what}"
            hint = "begin the document with the key that names its kind: `kind: name`"
            problems.add(Diagnostic("RW117", root.span, message, hint))
    return Reading(tuple(documents), tuple(broken), tuple(problems.items), tuple(unread), problems.more)


# ------------------------------------------------------------------ text

_MARKER = re.compile(r"^(?:---(?=[ \t\n]|\Z)|(\.\.\.[ \t]*(?:#[^\n]*)?(?:\n|\Z)))", re.MULTILINE)
_DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*(%[^\n]*)")


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for marker in _MARKER.finditer(text):
        if marker.start() > start:
            yield start, marker.start()
        start = marker.end() if marker[1] else marker.start()
    if start < len(text):
        yield start, len(text)


def _too_large(source: YamlText) -> Diagnostic:
    return Diagnostic(
        "RW119",
        source.span(0, 0),
        f"this file is larger than {FILE_BYTES // 1024} KiB, the limit for one file",
        "split it into several files; file names do not matter, except `pack.yaml`",
    )


def _forbidden(source: YamlText, problems: Problems) -> list[int]:
    """Report invisible characters and invalid UTF-8, once per line. Return all their offsets."""
    places: list[int] = []
    lines: set[int] = set()
    for found in FORBIDDEN.finditer(source.text):
        place, code = found.start(), ord(found[0])
        places.append(place)
        line, _ = source.position(place)
        if line in lines:
            continue
        lines.add(line)
        span = source.span(place, place + 1)
        if 0xDC80 <= code <= 0xDCFF:
            message = f"the byte 0x{code - 0xDC00:02X} is not UTF-8 text"
            problems.add(Diagnostic("RW121", span, message, "save the file with the encoding UTF-8"))
        else:
            message = f"the invisible character U+{code:04X} is not allowed in a file"
            problems.add(Diagnostic("RW120", span, message, "delete it and type the text around it again"))
    return places
