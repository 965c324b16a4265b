"""Cache of findings between runs, in the user's cache folder (`interpreter.cache`).

The key of an entry covers everything that its findings depend on: the pack's files, our own code, Python. So
entries never become stale; the oldest are dropped. `interpreter.cache` limits their number.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from attrs import field, frozen

from rulewright.interpreter.cache import FINDINGS, fetch_entry, keep_entry
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span, Suppressed
from rulewright.ruleset.findings.causes import Omitted, Skipped, Unchecked
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools import VERSION

# ---- The state of this program's own files, for cache keys

SUFFIXES = (".py", ".c", ".lark", ".json")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder that contains `ruleset`, `interpreter`, `tools`, and `schemas`: a checkout, or the package."""


def own_files(*folders: str) -> list[tuple[str, int, int]]:
    """Return path below `ROOT`, modification time (ns), and size (bytes) of source files, sorted.

    Subfolders are included. Hashing the bytes would take longer than reading a small pack.
    """
    found: list[tuple[str, int, int]] = []
    waiting = list(folders)
    while waiting:
        folder = waiting.pop()
        try:
            entries = os.scandir(os.path.join(ROOT, folder))
        except FileNotFoundError:
            continue
        with entries:
            for entry in entries:
                if entry.name.endswith(SUFFIXES):
                    about = entry.stat()
                    found.append((f"{folder}/{entry.name}", about.st_mtime_ns, about.st_size))
                elif entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{folder}/{entry.name}")
    return sorted(found)


# ---- Findings cache

FORMAT = 6


@frozen
class CachedFindings:
    """The findings of a pack. `sources` has the text of each file that could be read."""

    pack: str
    findings: tuple[Diagnostic, ...]
    sources: dict[str, str]
    suppressed: tuple[Suppressed, ...] = ()
    owners: dict[str, str] = field(factory=dict)
    """The pack of each file, if several are combined."""
    unchecked: Unchecked = ()
    omitted: Omitted = ()
    skipped: tuple[Skipped, ...] = ()
    """As in `ruleset.loaded.Loaded`."""


def key_of(packs: Sequence[PackFiles], depth: str = "rules first", known: Sequence[str] = ()) -> str:
    """Return a key that changes whenever checking these packs together, to this depth, could find something else.

    `known` are names of other packs.
    """
    digest = blake2b(digest_size=20)

    def add(*parts: object) -> None:
        text = repr(parts).encode("utf-8", "surrogateescape")
        digest.update(len(text).to_bytes(8, "little") + text)

    add(FORMAT, depth, tuple(known), VERSION, sys.implementation.name, sys.version_info[:])
    for name, modified, size in own_files("ruleset", "schemas"):
        add(name, modified, size)
    for files in packs:
        add(len(files.files), files.found, files.pictures)
        for shown, data in files.files:
            add(shown, len(data))
            digest.update(data)
    return digest.hexdigest()


def fetch(key: str, packs: Sequence[PackFiles]) -> CachedFindings | None:
    """Return the entry of a key if there is a valid one."""
    body = fetch_entry(f"{key}{FINDINGS}")
    if body is None:
        return None
    try:
        entry = json.loads(body)
        findings = tuple(_finding(item) for item in entry["findings"])
        suppressed = tuple(
            Suppressed(_finding(item), reason, Span(*place)) for item, reason, place in entry["suppressed"]
        )
        unchecked = tuple((what, number) for what, number in entry["unchecked"])
        omitted = tuple((path, errors, warnings) for path, errors, warnings in entry["omitted"])
        sources = sources_of(packs)
        left_out = tuple(map(_skipped, entry["skipped"]))
        return CachedFindings(
            entry["pack"], findings, sources, suppressed, entry["owners"], unchecked, omitted, left_out
        )
    except (ValueError, TypeError, KeyError):
        return None


def store(key: str, checked: CachedFindings) -> None:
    """Store an entry; concurrent readers see the old or the new one, never a part."""
    entry = {
        "pack": checked.pack,
        "owners": checked.owners,
        "findings": [_data(item) for item in checked.findings],
        "unchecked": checked.unchecked,
        "omitted": checked.omitted,
        "skipped": [_skipped_data(item) for item in checked.skipped],
        "suppressed": [[_data(item.finding), item.reason, _place(item.comment)] for item in checked.suppressed],
    }
    body = json.dumps(entry, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    keep_entry(f"{key}{FINDINGS}", body)


def sources_of(packs: Sequence[PackFiles]) -> dict[str, str]:
    """Return the texts of the UTF-8 files, as the loader reads them."""
    sources: dict[str, str] = {}
    for name, data in (one for files in packs for one in files.files):
        try:
            sources[name] = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
    return sources


# ------------------------------------------------------------------ findings as data

def _data(item: Diagnostic) -> list[Any]:
    labels = [[_place(label.span), label.text] for label in item.labels]
    return [item.code, _place(item.span), item.message, item.hint, labels]


def _finding(data: list[Any]) -> Diagnostic:
    code, place, message, hint, labels = data
    return Diagnostic(code, Span(*place), message, hint, tuple(Label(Span(*where), text) for where, text in labels))


def _skipped_data(item: Skipped) -> list[Any]:
    about = [item.category, item.name, item.source, _place(item.span), item.pack]
    return [*about, _data(item.finding), item.by, item.reason, _place(item.at)]


def _skipped(data: list[Any]) -> Skipped:
    sort, name, source, place, pack, finding, by, reason, at = data
    return Skipped(sort, name, source, Span(*place), pack, _finding(finding), tuple(by), reason, Span(*at))


def _place(span: Span) -> list[str | int]:
    return [span.path, span.line, span.column, span.end_line, span.end_column]
