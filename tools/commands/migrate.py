"""`rulewright migrate`: convert a pack in an older format, and report the changes.

The result is checked before it is written: it may have no findings that the pack did not have before. All files of
a pack are written, or none.
"""

from __future__ import annotations

import os
from pathlib import Path

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.source.format_upgrade import CURRENT, OLDEST, format_of, unreadable
from rulewright.ruleset.source.pack_files import PackFiles, pack_root
from rulewright.ruleset.source.reader import Document, read
from rulewright.tools.common.errors import CLEAN, FINDINGS, Usage
from rulewright.tools.common.output import many, say
from rulewright.tools.migrations import migrated
from rulewright.tools.packs import discovery, loading, rewriting
from rulewright.tools.scaffolding import has_schema, write_editor_files


def migrate(pack: str | None, check: bool, to: int | None) -> int:
    """Migrate a pack, or all packs in a folder.

    With `check`, only report what would be done; the exit code is 1 if there is anything to do.
    """
    wanted = CURRENT if to is None else to
    if not OLDEST <= wanted <= CURRENT:
        raise Usage(f"unknown format {wanted}; this version of rulewright knows formats {OLDEST} to {CURRENT}")
    return max([_migrate(root, check, wanted) for root in _roots(pack)], default=CLEAN)


def _roots(pack: str | None) -> list[Path]:
    """Return the folders of the selected packs. Shipped and installed packs are refused by name."""
    if pack is None:
        around = pack_root(Path())
        if around is None:
            raise Usage("missing PACK: go to the folder of the pack, or name its path: rulewright migrate PATH")
        return [around]
    if not os.path.exists(pack):
        found = loading.look(pack)
        if found.source in ("installed", "shipped"):
            raise Usage(f"{pack} is an installed pack; to rewrite it anyway, name the path of its folder")
        return [found.root]
    roots = [target.root for target in loading.targets([pack])]
    discovery.report(roots)
    return roots


def _migrate(root: Path, check: bool, wanted: int) -> int:
    """Migrate one pack."""
    files, shown = loading.read(root), loading.shown(root)
    name = root.resolve().name if shown == "." else shown
    texts = _texts(files)
    if isinstance(texts, Diagnostic):
        say(f"{texts.span.path}:{texts.span.line}: {texts.message}; {texts.hint}")
        return FINDINGS
    documents = [document for path, text in texts.items() for document in _read(path, text)]
    for finding in unreadable(documents):
        say(f"{finding.span.path}:{finding.span.line}: {finding.message}; {finding.hint}")
        return FINDINGS
    start = format_of(documents)
    if start > wanted:
        raise Usage(f"{name} is in format {start} and cannot be converted to the older format {wanted}")
    if start == wanted:
        say(f"{name}: already in format {start}; nothing to do")
        return CLEAN
    outcome = migrated(texts, start, wanted)
    for said in outcome.refused or outcome.done:
        say(str(said))
    if outcome.refused:
        say(f"{name}: nothing was written; fix the problems above first")
        return FINDINGS
    news = {path: text.encode("utf-8") for path, text in outcome.texts.items() if text != texts[path]}
    after, worse = rewriting.checked(files, news) if wanted == CURRENT else (None, None)
    if worse is not None:
        place = f"{worse.span.path}:{worse.span.line}"
        say(f"{name}: nothing was written, because the result would have a new finding: {place}: {worse.message}")
        return FINDINGS
    if check:
        say(f"{name}: {many(len(news), 'file')} would be rewritten; nothing was written")
        return FINDINGS
    rewriting.write(root, {path: (data, texts[path].encode("utf-8")) for path, data in news.items()})
    say(f"{name}: {many(len(news), 'file')} rewritten; the pack is now in format {wanted}")
    if after is not None and not after.errors and has_schema(root):
        write_editor_files(root, after.declared)
    return CLEAN


def _texts(files: PackFiles) -> dict[str, str] | Diagnostic:
    """Return the texts of all files unchanged, with byte order marks and line ends, or a finding."""
    if files.found:
        return files.found[0]
    texts: dict[str, str] = {}
    for path, data in files.files:
        try:
            texts[path] = data.decode("utf-8")
        except UnicodeDecodeError:
            return Diagnostic("RW604", Span(path, 1, 1, 1, 1), "this file is not UTF-8", "save it as UTF-8")
    return texts


def _read(path: str, text: str) -> tuple[Document, ...]:
    reading = read(path, text)
    return (*reading.documents, *reading.broken)
