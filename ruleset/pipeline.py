"""The order of the passes: from the files of a pack to its program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from pathlib import Path

from attrs import define, evolve, field, frozen

from ruleset.check.checker import Depth, check
from ruleset.check.defeated_changes import defeats
from ruleset.check.idle_changes import same_again
from ruleset.check.strangers import skipped, without
from ruleset.check.texts import check_texts
from ruleset.common.diagnostic import Diagnostic
from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.compose.composer import Composed, compose, recheck
from ruleset.compose.namespaces import Known, Renamed, knowing, scoped
from ruleset.declare.check_definitions import check_instances
from ruleset.declare.declarations import Declared
from ruleset.declare.declare import declare
from ruleset.findings.causes import Omitted, Unchecked, bounded, is_error, joined, ordered, rules_wrong
from ruleset.findings.skipped import Skipped
from ruleset.findings.suppressions import suppress
from ruleset.loaded import Loaded
from ruleset.packs.manifest import Head
from ruleset.packs.misspelt import misspelt
from ruleset.packs.resolve import Order, Resolved, head_of, resolve
from ruleset.program.nodes import Texts
from ruleset.schema.check_documents import KERNEL, check_shapes, spelt
from ruleset.schema.respell import known_kinds
from ruleset.source.format_upgrade import modernised, too_new
from ruleset.source.pack_files import PACK_FILE, PACK_FILES, PackFiles, pack_root, read_pack
from ruleset.source.reader import Document, read
from ruleset.source.reader import Mapping as Block
from ruleset.source.yaml_access import texts_of


def load(path: str | Path, covering: bool = False) -> Loaded:
    """The pack in a folder, or the pack that a file belongs to. A missing pack is a finding too.

    `covering` as for `check`. Raises TypeError if `path` is neither a string nor a Path.
    """
    if not isinstance(path, str | Path):
        raise TypeError(f"the path of a pack is a str or a Path, not {type(path).__name__}")
    path = Path(path)
    root = pack_root(path)
    if root is None:
        span = Span(path.as_posix(), 1, 1, 1, 1)
        message = f"no `{PACK_FILE}` here or in a folder above"
        hint = f"a pack is a folder with a `{PACK_FILE}` that begins with `pack: NAME`"
        return Loaded("", None, (Diagnostic("RW603", span, message, hint),), {})
    return load_files(read_pack(root), covering)


Find = Callable[[str], PackFiles | None]
"""Gives the files of a pack by its name."""


def nothing(name: str) -> PackFiles | None:
    """Finds no pack."""
    return None


def load_files(
    files: PackFiles,
    covering: bool = False,
    playable: bool = True,
    more: Sequence[PackFiles] = (),
    find: Find = nothing,
    lints: bool = False,
    depth: Depth = "rules first",
    known: Sequence[str] = (),
    order: Order = (),
) -> Loaded:
    """The passes, one after the other; each goes on with what the one before could read.

    `more` are packs that are combined with it; `find` gives those that they need, by name. `known` are names of
    other packs, of which one could be meant where an optional pack is not there. `covering`, `playable`, and
    `depth` as for `check`; the first two change no finding. With `lints` there are warnings, too, about what a
    whole pack without errors lacks, and what nothing in it uses (`ruleset.check.lints`). `order` as for `resolve`.
    If there are errors, a misspelt declaration may be behind them (`ruleset.check.misspelt_names`).
    """
    loaded = _load(files, covering, playable, more, find, lints, depth, known, order)
    if not loaded.errors or depth == "all":
        return loaded
    from ruleset.check.misspelt_names import suppose

    def again(change: Callable[[PackFiles], PackFiles]) -> Loaded:
        def changed(name: str) -> PackFiles | None:
            one = find(name)
            return None if one is None else change(one)

        return _load(
            change(files), False, False, [change(one) for one in more], changed, False, "rules", known, order
        )

    return suppose(loaded, again)


def _load(
    files: PackFiles,
    covering: bool,
    playable: bool,
    more: Sequence[PackFiles],
    find: Find,
    lints: bool,
    depth: Depth,
    nearby: Sequence[str] = (),
    order: Order = (),
) -> Loaded:
    packs = _Packs(find)
    for one in (files, *more):
        packs.read(one)
    resolved = packs.resolve(order)
    found, sources = packs.found, packs.sources
    together = [packs.by_name[head.pack] for head in resolved.order if head.pack in packs.by_name]
    read = together or [packs.first]
    found.extend(resolved.findings)
    found.extend(misspelt(resolved.order, {pack.name: pack.documents for pack in read}, nearby))
    good: dict[str, tuple[Document, ...]] = {}
    faulty: list[Document] = []
    kinds = _kinds(read)
    astray = any(pack.astray(kinds) for pack in read)
    stopped = packs.unread or astray or any(is_error(finding) for finding in resolved.findings)
    for pack in read:  # where a pack is missing, so may be the kinds that it declares
        named, mistakes = known_kinds(pack.documents, KERNEL, kinds) if not stopped else (pack.documents, ())
        found.extend(mistakes)
        sound, wrong, mistakes = check_shapes(named)
        good[pack.name] = sound
        faulty.extend(wrong)
        found.extend(mistakes)
    broken = [document for pack in read for document in pack.broken]
    unread = [text for pack in read for text in pack.unread]
    everything = [document for pack in read for document in (*pack.documents, *pack.broken)]
    name = "+".join(pack.name for pack in read)
    owners = {path: pack.name for pack in read for path, _ in pack.files.files} if len(read) > 1 else {}
    if stopped:
        left = sum(document.kind != "pack" for pack in read for document in pack.documents) if astray else 0
        found, suppressed = suppress(sources, everything, found)
        findings, omitted = bounded(ordered(found, sources))
        omitted = joined(packs.omitted, omitted)
        return Loaded(name, None, findings, sources, tuple(suppressed), owners=owners, omitted=omitted,
                      unchecked=(("document", left),) if left else ())  # fmt: skip
    documents = good[read[0].name]
    composed = Composed(documents)
    renamed: Renamed = {}
    known: Known = resolved.sees
    if not resolved.order:  # without the pack's own document, which has a finding, nobody can change anything
        documents = tuple(document for document in documents if document.kind != "change")
        composed = Composed(documents)
    elif len(read) > 1 or any(document.kind == "change" for document in documents):
        known = knowing(good, resolved)
        names = scoped(good, resolved, known)
        renamed = names.renamed
        composed = compose(names.packs, resolved, renamed)
        found.extend(composed.findings)
        documents, wrong, mistakes = recheck(composed)
        faulty.extend(wrong)
        found.extend(mistakes)
    begun = Declared(
        woven=composed.woven, inserts=composed.inserts, owners=owners, seen=dict(known), renamed=renamed,
        stands_after=resolved.stands_after,
    )  # fmt: skip
    declared, poisoned, mistakes = declare(documents, (*faulty, *broken), unread, begun, sources.values())
    declared = evolve(declared, pack=name)
    declared.texts.update(_titles(read, name, declared.texts))
    found.extend(mistakes)
    declared, mistakes = check_instances(declared, documents, poisoned)
    found.extend(mistakes)
    found.extend(check_texts(documents, declared, poisoned))
    if depth == "rules first" and rules_wrong(found, sources):
        depth = "rules"
    checked = check(declared, poisoned, covering, playable, depth)
    left_out: tuple[Skipped, ...] = ()
    if len(read) > 1 and depth != "rules" and not rules_wrong((*found, *checked.findings), sources):

        def alone(names: frozenset[str]) -> Sequence[Diagnostic] | None:
            first, *others = (pack.files for pack in read if pack.name in names)
            loaded = _load(first, False, False, others, nothing, False, "rules first")
            return None if loaded.unchecked else loaded.findings

        left_out, pardoned = skipped(checked.findings, declared, sources, resolved, composed.deeds, alone)
        if left_out:
            declared = without(declared, left_out)
            checked = check(declared, poisoned, covering, playable, depth, pardoned)
    declared = evolve(declared, texts=checked.texts)
    program = checked.program
    found.extend(checked.findings)
    if len(read) > 1 and not any(map(is_error, found)):
        idle = {one.span: one for one in same_again(composed.deeds, composed.numbered, declared)}
        defeated = defeats(composed, declared, program.references)
        found.extend((*idle.values(), *(one for one in defeated if one.span not in idle)))
    if lints and not checked.unread and not poisoned and not any(is_error(finding) for finding in found):
        from ruleset.check.lints import lint

        found.extend((*checked.doubts, *lint(program, declared, checked.introduced, checked.walks)))
    unchecked = _unchecked(declared) if depth != "all" and rules_wrong(found, sources) else ()
    found = composed.explained(found, sources, owners)
    reasons = composed.explained([one.finding for one in left_out], sources, owners)
    left_out = tuple(evolve(one, finding=why) for one, why in zip(left_out, reasons, strict=True))
    found, suppressed = suppress(sources, everything, found, lints=lints)
    findings, omitted = bounded(ordered(found, sources))
    omitted = joined(packs.omitted, omitted)
    clean = not omitted and not any(is_error(finding) for finding in findings)
    if clean and checked.unread:  # a program that lacks part of its rules must never be played
        raise AssertionError(f"left out without a finding: {checked.unread[0].span}")
    sound_program = program if clean else None
    return Loaded(
        name, sound_program, findings, sources, tuple(suppressed), declared, program.references,
        composed=composed, heads=resolved.order, owners=owners, unchecked=unchecked,
        omitted=omitted, skipped=left_out,
    )  # fmt: skip


def _kinds(read: Sequence[_Pack]) -> tuple[str, ...]:
    """The kinds that packs declare, also where the rest of the document cannot be read."""
    sections = (document.root.get("kinds") for pack in read for document in (*pack.documents, *pack.broken))
    return tuple(entry.key.text for section in sections if isinstance(section, Block) for entry in section.entries)


def _unchecked(declared: Declared) -> Unchecked:
    """All that depends on the rules."""
    sorts: dict[str, Sized] = {
        "scenario": declared.scenarios,
        "bot": declared.bots,
        "prompt": declared.prompts,
        "layout": declared.layouts,
    }
    return tuple((what, len(of)) for what, of in sorts.items() if of)


def _titles(read: Sequence[_Pack], name: str, texts: Mapping[str, Texts]) -> dict[str, Texts]:
    """What players call packs that are combined: the game's name with theirs, and what each says of itself."""
    if len(read) < 2:
        return {}
    roots = [document.root for pack in read for document in pack.documents if document.kind == "pack"]
    titles: dict[str, Texts] = {}
    for field_, between, end in (("name", " + ", ""), ("text", " ", ".text")):
        said = [dict(texts_of(node)) for root in roots if (node := root.get(field_)) is not None]
        tongues = [tongue for tongue, _ in texts.get(f"pack/{read[0].name}{end}", ())]
        first = tongues[0] if tongues else ""
        together = {tongue: [one.get(tongue) or one.get(first, "") for one in said] for tongue in tongues}
        titles[f"pack/{name}{end}"] = tuple((tongue, between.join(all_)) for tongue, all_ in together.items())
    return titles


@frozen(repr=False)
class _Pack(Record):
    """A pack as read. `name` is empty where nothing declares it."""

    name: str
    files: PackFiles
    head: Head | None
    documents: tuple[Document, ...]
    broken: tuple[Document, ...]
    unread: tuple[str, ...]

    def astray(self, kinds: Sequence[str]) -> bool:
        """Whether the pack needs others that it does not name, since its own document is broken or missing."""
        head = self.head
        if head is not None and (head.extends or all(document.kind != "pack" for document in self.broken)):
            return False
        if any(document.kind != "pack" and document.root.get("pack") is not None for document in self.documents):
            return False  # the pack's own document begins with another key, and is reported later
        known = {*KERNEL, *kinds}
        return any(document.kind == "change" or document.kind not in known for document in self.documents)


@define(repr=False)
class _Packs(Record):
    """The packs that are read, and what is wrong with their files."""

    find: Find
    asked: list[_Pack] = field(factory=list)
    by_name: dict[str, _Pack] = field(factory=dict)
    found: list[Diagnostic] = field(factory=list)
    sources: dict[str, str] = field(factory=dict)
    omitted: Omitted = ()
    """Findings about the text of files that are too many to be kept."""
    unread: bool = False
    """Whether a pack is written in a format that is not known here."""

    @property
    def first(self) -> _Pack:
        return self.asked[0]

    def read(self, files: PackFiles) -> None:
        """Reads a pack that is asked for."""
        self.asked.append(self._pack(files))

    def resolve(self, order: Order) -> Resolved:
        """The order of the packs, after reading those that they need."""
        return resolve([pack.head for pack in self.asked if pack.head is not None], self._head, order)

    def _head(self, name: str) -> Head | None:
        if name not in self.by_name:
            files = self.find(name)
            return self._pack(files).head if files is not None else None
        return self.by_name[name].head

    def _pack(self, files: PackFiles) -> _Pack:
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
        modern, mistakes = modernised(documents) if not new else ((), ())  # of a new format nothing is known
        found.extend(mistakes)
        head = head_of([*map(spelt, documents), *broken])
        pack = _Pack(name, files, head, modern, tuple(broken), tuple(unread))
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
    """The name of the pack: exactly one document declares it."""
    packs = [document for document in documents if document.kind == "pack"]
    for extra in packs[1:]:
        place = extra.root.entries[0].key.span
        found.append(Diagnostic("RW606", place, "a pack is declared once", "remove this document"))
    if not packs and any(document.root.get("pack") is not None for document in documents):
        return ""  # the key that stands first in its place has its own finding
    own = {name for name, _ in files.files if name.rpartition("/")[2] in PACK_FILES}
    if not packs and any(is_error(item) and item.span.path in own for item in found):
        return ""  # so has the line that keeps the document from being read
    if not packs:
        name = files.files[0][0] if files.files else PACK_FILE
        hint = "begin `pack.yaml` with `pack: NAME`"
        found.append(Diagnostic("RW605", Span(name, 1, 1, 1, 1), "no document declares the pack", hint))
        return ""
    first = packs[0].root.entries[0].value
    return getattr(first, "text", "")
