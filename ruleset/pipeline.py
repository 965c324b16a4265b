"""Run the passes in order, from the files of a pack to its program.

Modules that only several packs need are imported where they are used, so that a pack alone is checked sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from rulewright.ruleset.check.checker import CheckedPack as CheckedRules
from rulewright.ruleset.check.checker import Depth, check
from rulewright.ruleset.check.texts import check_texts
from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.conflicts import Composed
from rulewright.ruleset.declare.declarations import Declared, woven
from rulewright.ruleset.declare.declare import declare
from rulewright.ruleset.declare.kind_schemas import check_instances
from rulewright.ruleset.documents.play import BotDocument, Expect, FaceDocument, LayoutDocument, ScenarioDocument
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.findings.causes import (
    Omitted,
    Skipped,
    Unchecked,
    bounded,
    is_error,
    joined,
    named,
    ordered,
    rules_wrong,
)
from rulewright.ruleset.findings.suppressions import suppress
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.packs import Head, Order, Resolved, head_of, misspelt, resolve
from rulewright.ruleset.program.nodes import Texts
from rulewright.ruleset.schema.check_documents import KERNEL, check_shapes, spelt
from rulewright.ruleset.schema.explain import known_kinds
from rulewright.ruleset.source.format_upgrade import modernised, unreadable
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import texts_of, words_of
from rulewright.ruleset.source.pack_files import PACK_FILE, PACK_FILES, PackFiles, pack_root, read_pack
from rulewright.ruleset.source.reader import Document, read
from rulewright.ruleset.table.origin import Origin

if TYPE_CHECKING:
    from rulewright.ruleset.compose.namespaces import Known, Renamed


# ---- Read the requested packs and the packs that they need, and determine their order

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
class PacksRead(Record):
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
        strange = unreadable([*documents, *broken])
        self.unread = self.unread or bool(strange)
        found.extend(strange)
        modern, mistakes = modernised(documents) if not strange else ((), ())  # other formats are not interpreted
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


# ---- Pipeline

def load(path: str | Path, covering: bool = False) -> Loaded:
    """Load the pack in a folder, or the pack of a file. A missing pack is reported as a finding.

    `covering` is passed to `check`. Raises TypeError if `path` is neither a string nor a Path.
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


def nothing(name: str) -> PackFiles | None:
    """Find no pack."""
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
    """Run all passes on the files of packs; each pass continues with what the previous one could read.

    `more` are packs that are combined with the first; `find` provides packs that these need, by name. `known` are
    names of other packs, to suggest for optional packs that are absent. `covering`, `playable`, and `depth` are
    passed to `check`; the first two affect no finding. `lints` adds warnings about what a pack without errors lacks
    or does not use (`ruleset.check.lints`). `order` is passed to `resolve`. If there are errors, misspelt
    declarations are considered as their cause (`ruleset.check.hints`).
    """
    loaded = _load(files, more, find, _Wanted(covering, playable, lints, depth), known, order)
    if not loaded.errors or depth == "all":
        return loaded
    from rulewright.ruleset.check.hints import suppose

    def again(change: Callable[[PackFiles], PackFiles]) -> Loaded:
        def changed(name: str) -> PackFiles | None:
            one = find(name)
            return None if one is None else change(one)

        others = [change(one) for one in more]
        return _load(change(files), others, changed, _Wanted(False, False, False, "rules"), known, order)

    return suppose(loaded, again)


@frozen(repr=False)
class _Shaped(Record):
    """The packs in order, and their documents, divided by whether they have the right shape."""

    resolved: Resolved
    read: tuple[Pack, ...]
    good: dict[str, tuple[Document, ...]]
    faulty: tuple[Document, ...]
    astray: bool
    """Whether a pack needs others that it does not name."""
    stopped: bool
    """Whether packs are missing or have an unknown format, so that no further pass can run."""

    @property
    def name(self) -> str:
        return "+".join(pack.name for pack in self.read)

    @property
    def owners(self) -> dict[str, str]:
        """From a file to its pack, if there are several packs."""
        files = ((path, pack.name) for pack in self.read for path, _ in pack.files.files)
        return dict(files) if len(self.read) > 1 else {}

    @property
    def everything(self) -> list[Document]:
        return [document for pack in self.read for document in (*pack.documents, *pack.broken)]


@frozen(repr=False)
class _Combined(Record):
    """The documents of all packs as one set, after their changes."""

    composed: Composed
    documents: tuple[Document, ...]
    faulty: tuple[Document, ...]
    renamed: Renamed
    known: Known


@frozen(repr=False)
class _Names(Record):
    """The declarations of the packs, and the names with reported problems."""

    declared: Declared
    poisoned: frozenset[str]


@frozen(repr=False)
class _Judged(Record):
    """The result of checking, and the parts of packs that were left out."""

    checked: CheckedRules
    declared: Declared
    left_out: tuple[Skipped, ...]


@frozen(repr=False)
class _Wanted(Record):
    """The options of checking."""

    covering: bool
    playable: bool
    lints: bool
    depth: Depth


def _load(
    files: PackFiles,
    more: Sequence[PackFiles],
    find: Find,
    wanted: _Wanted,
    nearby: Sequence[str] = (),
    order: Order = (),
) -> Loaded:
    packs = PacksRead(find)
    for one in (files, *more):
        packs.read(one)
    found, sources = packs.found, packs.sources
    shaped = _shape(packs, nearby, order, found)
    if shaped.stopped:
        return _stopped(packs, shaped, found)
    together = _put_together(shaped, found)
    names = _declare(shaped, together, sources, found)
    if wanted.depth == "rules first" and rules_wrong(found, sources):
        wanted = evolve(wanted, depth="rules")
    judged = _judge(shaped, together.composed, names, sources, wanted, found)
    found.extend(judged.checked.findings)
    found.extend(_doubts(shaped, together.composed, judged, wanted.lints and not names.poisoned, found))
    return _loaded(packs, shaped, together.composed, judged, wanted, found)


def _shape(packs: PacksRead, nearby: Sequence[str], order: Order, found: list[Diagnostic]) -> _Shaped:
    """Determine the order of the packs, and check the shapes of their documents; add to `found`."""
    resolved = packs.resolve(order)
    together = [packs.by_name[head.pack] for head in resolved.order if head.pack in packs.by_name]
    read = together or [packs.first]
    found.extend(resolved.findings)
    found.extend(misspelt(resolved.order, {pack.name: pack.documents for pack in read}, nearby))
    good: dict[str, tuple[Document, ...]] = {}
    faulty: list[Document] = []
    kinds = kinds_of(read)
    unread = [text for pack in read for text in pack.unread]
    astray = any(pack.astray(kinds) for pack in read)
    stopped = packs.unread or astray or any(is_error(finding) for finding in resolved.findings)
    for pack in read:  # if a pack is missing, so may be the kinds that it declares
        named, mistakes = (
            known_kinds(pack.documents, KERNEL, kinds, unread) if not stopped else (pack.documents, ())
        )
        found.extend(mistakes)
        good[pack.name], wrong, mistakes = check_shapes(named)
        faulty.extend(wrong)
        found.extend(mistakes)
    return _Shaped(resolved, tuple(read), good, tuple(faulty), astray, stopped)


def _stopped(packs: PacksRead, shaped: _Shaped, found: list[Diagnostic]) -> Loaded:
    """Report on packs that cannot be checked further."""
    documents = (document for pack in shaped.read for document in pack.documents)
    left = sum(document.kind != "pack" for document in documents) if shaped.astray else 0
    found, suppressed = suppress(packs.sources, shaped.everything, named(found, packs.sources))
    findings, omitted = bounded(ordered(found, packs.sources))
    return Loaded(
        shaped.name, None, findings, packs.sources, tuple(suppressed), owners=shaped.owners,
        omitted=joined(packs.omitted, omitted), unchecked=(("document", left),) if left else (),
    )  # fmt: skip


def _put_together(shaped: _Shaped, found: list[Diagnostic]) -> _Combined:
    """Combine the documents of all packs and apply their changes; add to `found`."""
    good, resolved = shaped.good, shaped.resolved
    documents = good[shaped.read[0].name]
    if not resolved.order:  # no changes apply without the pack's own document, whose absence is reported
        documents = tuple(document for document in documents if document.kind != "change")
    elif len(shaped.read) > 1 or any(document.kind == "change" for document in documents):
        from rulewright.ruleset.compose.composer import compose, recheck
        from rulewright.ruleset.compose.namespaces import knowing, scoped

        known = knowing(good, resolved)
        names = scoped(good, resolved, known)
        composed = compose(names.packs, resolved, names.renamed)
        found.extend(composed.findings)
        documents, wrong, mistakes = recheck(composed)
        found.extend(mistakes)
        return _Combined(composed, documents, (*shaped.faulty, *wrong), names.renamed, known)
    return _Combined(Composed(documents), documents, shaped.faulty, {}, resolved.sees)


def _declare(shaped: _Shaped, together: _Combined, sources: Mapping[str, str], found: list[Diagnostic]) -> _Names:
    """Declare all names of the packs; add to `found`."""
    composed, documents, name = together.composed, together.documents, shaped.name
    begun = Declared(
        woven=woven(composed.woven), inserts=composed.inserts, owners=shaped.owners, seen=dict(together.known),
        renamed=together.renamed, stands_after=shaped.resolved.stands_after,
        spoken=_languages(shaped.read),
        pictures={pack.name: {one.path: one for one in pack.files.pictures} for pack in shaped.read},
    )  # fmt: skip
    broken = [document for pack in shaped.read for document in pack.broken]
    unread = [text for pack in shaped.read for text in pack.unread]
    declared, poisoned, mistakes = declare(documents, (*together.faulty, *broken), unread, begun, sources.values())
    declared = evolve(declared, pack=name)
    declared.texts.update(_titles(shaped.read, name, declared.texts))
    found.extend(mistakes)
    declared, mistakes = check_instances(declared, documents, poisoned)
    found.extend(mistakes)
    heads = [document.root for pack in shaped.read[1:] for document in pack.documents if document.kind == "pack"]
    titles = [node for root in heads for key in ("name", "text") if (node := root.get(key)) is not None]
    found.extend(check_texts(declared, poisoned, titles))
    return _Names(declared, poisoned)


def _judge(
    shaped: _Shaped,
    composed: Composed,
    names: _Names,
    sources: Mapping[str, str],
    wanted: _Wanted,
    found: Sequence[Diagnostic],
) -> _Judged:
    """Check the rules, without parts that no longer apply because of packs unknown to their authors."""
    read, depth, declared, poisoned = shaped.read, wanted.depth, names.declared, names.poisoned
    checked = check(declared, poisoned, wanted.covering, wanted.playable, depth)
    left_out: tuple[Skipped, ...] = ()
    if len(read) > 1 and depth != "rules" and not rules_wrong((*found, *checked.findings), sources):
        from rulewright.ruleset.check.house_rules.strangers import skipped, without

        def alone(among: frozenset[str]) -> Sequence[Diagnostic] | None:
            first, *others = (pack.files for pack in read if pack.name in among)
            loaded = _load(first, others, nothing, _Wanted(False, False, False, "rules first"))
            return None if loaded.unchecked else loaded.findings

        left_out, pardoned = skipped(checked.findings, declared, sources, shaped.resolved, composed.deeds, alone)
        if left_out:
            declared = without(declared, left_out)
            checked = check(declared, poisoned, wanted.covering, wanted.playable, depth, pardoned)
    return _Judged(checked, evolve(declared, texts=checked.texts), left_out)


def _doubts(
    shaped: _Shaped, composed: Composed, judged: _Judged, lints: bool, found: Sequence[Diagnostic]
) -> Sequence[Diagnostic]:
    """Return warnings about changes without effect and, if requested, lints; none if there are errors."""
    checked, declared = judged.checked, judged.declared
    if any(map(is_error, found)):
        return ()
    doubts: list[Diagnostic] = []
    if len(shaped.read) > 1:
        from rulewright.ruleset.check.house_rules.defeated_changes import defeats
        from rulewright.ruleset.check.house_rules.idle_code import half_changed, same_again

        idle = {one.span: one for one in same_again(composed.deeds, composed.numbered, declared)}
        defeated = defeats(composed, declared, checked.program.references)
        doubts.extend((*idle.values(), *(one for one in defeated if one.span not in idle)))
        doubts.extend(half_changed(composed.deeds, declared))
    if lints and not checked.unread and not any(map(is_error, doubts)):
        from rulewright.ruleset.check.lints import lint

        documents = [pack.documents for pack in shaped.read]
        doubts.extend(checked.doubts)
        doubts.extend(lint(checked.program, declared, checked.introduced, checked.walks, documents))
    return doubts


def _loaded(
    packs: PacksRead,
    shaped: _Shaped,
    composed: Composed,
    judged: _Judged,
    wanted: _Wanted,
    found: Sequence[Diagnostic],
) -> Loaded:
    """Explain, suppress, sort, and bound the findings; include the program if there are no errors."""
    sources, owners, declared, checked = packs.sources, shaped.owners, judged.declared, judged.checked
    unchecked = _unchecked(declared) if wanted.depth != "all" and rules_wrong(found, sources) else ()
    left_out = judged.left_out
    if composed.deeds:
        from rulewright.ruleset.compose.composer import explained

        found = explained(composed, found, sources, owners)
        reasons = explained(composed, [one.finding for one in left_out], sources, owners)
        left_out = tuple(evolve(one, finding=why) for one, why in zip(left_out, reasons, strict=True))
    found, suppressed = suppress(sources, shaped.everything, named(found, sources), lints=wanted.lints)
    findings, omitted = bounded(ordered(found, sources))
    omitted = joined(packs.omitted, omitted)
    clean = not omitted and not any(is_error(finding) for finding in findings)
    if clean and checked.unread:  # a program that lacks part of its rules must never be played
        raise AssertionError(f"left out without a finding: {checked.unread[0].span}")
    program = evolve(checked.program, origin=_origin(packs)) if clean else None
    return Loaded(
        shaped.name, program, findings, sources, tuple(suppressed), declared,
        checked.program.references, composed=composed, heads=shaped.resolved.order, owners=owners,
        unchecked=unchecked, omitted=omitted, skipped=left_out,
    )  # fmt: skip


def _origin(packs: PacksRead) -> Origin:
    """Return the files of all packs that were read."""
    asked = {pack.name: pack.files for pack in packs.asked}
    needed = ((name, pack.files) for name, pack in packs.by_name.items() if name not in asked)
    return Origin(tuple(asked.items()), tuple(needed))


def _unchecked(declared: Declared) -> Unchecked:
    """Count the documents that depend on the rules, by category."""
    sorts: dict[str, Sized] = {
        "scenario": declared.all_of(ScenarioDocument),
        "bot": declared.all_of(BotDocument),
        "prompt": declared.prompts,
        "layout": declared.all_of(LayoutDocument),
        "face": declared.all_of(FaceDocument),
        "expectation": declared.all_of(Expect),
    }
    return tuple((what, len(of)) for what, of in sorts.items() if of)


def _languages(read: Sequence[Pack]) -> dict[str, tuple[str, ...]]:
    """Return the languages that packs declare, if there are several packs."""
    if len(read) < 2:
        return {}
    heads = [(pack.name, document.root) for pack in read for document in pack.documents if document.kind == "pack"]
    return {name: tuple(words_of(node)) for name, root in heads if (node := root.get("languages")) is not None}


def _titles(read: Sequence[Pack], name: str, texts: Mapping[str, Texts]) -> dict[str, Texts]:
    """Combine the names of packs, and their texts about themselves, into titles for players."""
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
