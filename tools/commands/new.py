"""`rulewright new`: create a starter pack or a document in one; overwrite only the schema for editors."""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from collections import Counter
from pathlib import Path, PurePosixPath
from shlex import quote

from attrs import evolve, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.regular_files import is_regular
from rulewright.ruleset.declare.kind_schemas import schema_text
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.language.types import NAME, RESERVED
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode, SequenceNode
from rulewright.ruleset.source.pack_files import APART, PACK_FILE, PACK_FILES, PackFiles, is_yaml, pack_root
from rulewright.ruleset.source.reader import Document, read_documents
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import many, say
from rulewright.tools.common.text_edit import Edit, FileText, applied, with_member
from rulewright.tools.packs import loading
from rulewright.tools.packs.declarations import PackDeclarations, declarations
from rulewright.tools.packs.pack_set import PackSet
from rulewright.tools.scaffolding import (
    ENTRIES,
    KERNEL,
    SCHEMA,
    bot,
    definition,
    entry,
    expectation,
    fresh_folder,
    has_schema,
    kernel,
    title,
    write_editor_files,
)

STARTER = Path(__file__).parents[1] / "starter"
"""The pack that new packs are copied from."""
LEFT_OUT = (".journal", ".pyc")
"""Endings of files that are made by playing a pack, or running Python in it."""


@frozen
class FileChange:
    """A file of a pack to be written, by its path inside the pack: a `new` file or a changed one."""

    path: str
    text: str
    new: bool = True


@frozen
class TargetPack:
    """The pack to write to, as read: `files` are its files, and `documents` their contents.

    `packs` has the packs that it needs, too; `loaded` and `items` are of all of them.
    """

    root: Path
    packs: PackSet
    loaded: Loaded
    documents: tuple[Document, ...]
    items: PackDeclarations

    @property
    def files(self) -> PackFiles:
        return self.packs.asked[0]

    def inside(self, path: str) -> str:
        """Return a path from a finding as a path inside the pack."""
        shown = loading.shown(self.root)
        return path if shown == "." else path.removeprefix(f"{shown}/")

    def shown(self, path: str) -> str:
        """Return a path inside the pack as findings show it."""
        shown = loading.shown(self.root)
        return path if shown == "." else f"{shown}/{path}"


def new(what: str, name: str, source: str | None, pack: str | None, game: str | None = None) -> int:
    """Create what is requested, and print the next steps."""
    if what == "house-rule":
        if game is None or source is not None or pack is not None:
            raise Usage("house-rule requires --for PACK, without --from and --in: new house-rule NAME --for PACK")
        from rulewright.tools.scaffolding import new_rules

        _check_name(name)
        return new_rules(name, game)
    if game is not None:
        raise Usage("--for is only used by `new house-rule`")
    if what == "pack":
        if pack is not None:
            raise Usage("--in cannot be used with `new pack`, which creates the pack in the current folder")
        return _new_pack(name, source)
    if source is not None:
        raise Usage("--from is only used by `new pack`")
    return _new_document(what, name, pack)


# ------------------------------------------------------------------ a pack

def _new_pack(name: str, source: str | None) -> int:
    _check_name(name)
    with fresh_folder(name) as folder:
        _copy(STARTER if source is None else loading.find(source), folder)
        _rename(folder, name, source is None)
        loaded = loading.load_pack_set(loading.pack_set_of([loading.read(folder)]))
        files = sum(1 for path in folder.rglob("*") if path.is_file())
        write_editor_files(folder, loaded.declared)
    copied = f", a copy of {source}" if source is not None else ""
    say(f"Created pack {name}{copied}: {many(files, 'file')} in {name}/")
    if source is not None:
        say(f"  {PACK_FILE} has the new name; change `name:` below it, too, which players see")
        if loaded.errors:
            say(f"  the copy has the same findings as {source}")
    shown = f"rulewright show --in {name}"
    _next(f"rulewright validate {name}", f"rulewright play {name}", f"rulewright serve {name}",
          f"rulewright simulate {name} -n 1000", f"rulewright test {name}", shown)  # fmt: skip
    return CLEAN


def _copy(root: Path, target: Path) -> None:
    """Copy the files of a pack, without links, hidden files, and generated files."""
    for place, folders, files in os.walk(root):
        folders[:] = [one for one in folders if not one.startswith((".", "__pycache__"))]
        into = target / Path(place).relative_to(root)
        into.mkdir(parents=True, exist_ok=True)
        for file in files:
            path = Path(place, file)
            left_out = file.startswith(".") or file.endswith(LEFT_OUT) or path.is_symlink()
            if not left_out and is_regular(path):
                shutil.copyfile(path, into / file)


def _rename(root: Path, name: str, starter: bool) -> None:
    """Put the new name into the `pack.yaml` of a copied pack, and nowhere else; for the starter also the title."""
    for path in sorted(path for path in root.rglob("*") if is_yaml(path.name)):
        text = FileText(path.read_text("utf-8"))
        edits: list[Edit] = []
        for document in read_documents(path.name, text.raw)[0]:
            first = document.root.entries[0].value
            if document.kind == "pack" and isinstance(first, ScalarNode):
                edits.append(Edit(text.begin(first.span), text.end(first.span), name))
                titles = PackDocument.read(first, document.root).name if starter else None
                for one in titles.entries if isinstance(titles, MappingNode) else ():
                    edits.append(Edit(text.begin(one.value.span), text.end(one.value.span), title(name)))
        if edits:
            path.write_text(applied(text.raw, edits), "utf-8", newline="")


# ------------------------------------------------------------------ a document

def _new_document(what: str, name: str, pack: str | None) -> int:
    place = _place(pack)
    declared = place.loaded.declared
    known = [*declared.kinds, *KERNEL, *ENTRIES]
    if what not in known:
        near = nearest(what, [*known, "pack"])
        own = ", ".join(declared.kinds) or "none"
        hint = f"; did you mean {near}?" if near else ""
        words = ", ".join([*KERNEL, *ENTRIES])
        raise Usage(
            f"unknown kind {what}: expected a kind of {place.loaded.pack} ({own}) or a word of the language "
            f"({words}){hint}"
        )
    if what == "scenario":
        if not name.strip() or not name.isprintable():
            raise Usage("invalid name of a scenario: expected one line that says what it tests")
    elif what != "face":  # it is named after a kind
        _check_name(name)
    if what in declared.kinds:
        path = _file_for(place, what, declared.kinds[what].plural, name)
        changes = [FileChange(path, definition(declared, place.items, what, name))]
    elif what in KERNEL:
        anchors = [item.id for sort in ("verb", "step") for item in place.items.items if item.sort == sort]
        file = name if what != "scenario" else _slug(name)
        path = _file_for(place, what, what if what.endswith("s") else f"{what}s", file)
        changes = _listed(place, what, name, path, _kernel(place, anchors, what, name))
    else:
        changes = [_with_entry(place, what, name)]
    changes.extend(_schema(place, _check(place, what, name, changes)))
    _write(place, changes)
    _tell(place, what, name, changes)
    return CLEAN


def _kernel(place: TargetPack, anchors: list[str], what: str, name: str) -> str:
    """Return a document of the kernel."""
    if what == "bot":
        return bot(place.loaded, name)
    if what == "expect":
        return expectation(place.loaded.declared, name)
    return kernel(place.loaded.declared, anchors, what, name)


def _place(pack: str | None) -> TargetPack:
    if pack is not None:
        found = loading.look(pack)
        root = found.root
        if found.source in ("installed", "shipped"):
            whose = "comes with rulewright" if found.source == "shipped" else f"belongs to the {found.where}"
            raise Usage(f"{pack} {whose}; copy it first: rulewright new pack NAME --from {pack}")
    else:
        around = pack_root(Path())
        if around is None:
            raise Usage("missing --in PACK: name the pack, or go to its folder")
        root = around
    packs = loading.pack_set_of([loading.read(root)])
    loaded = loading.load_pack_set(packs)
    own = {path for path, _ in packs.asked[0].files}
    read = [read_documents(path, text)[0] for path, text in loaded.sources.items() if path in own]
    documents = tuple(document for one in read for document in one)
    whole = loaded.composed.documents if loaded.owners else documents
    return TargetPack(root, packs, loaded, documents, declarations(whole, loaded.declared))


def _check_name(name: str) -> None:
    if not re.fullmatch(NAME, name):
        near = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        hint = f"; did you mean {near}?" if re.fullmatch(NAME, near) else ""
        raise Usage(f"invalid name {name!r}: a name has lowercase letters, digits, and single hyphens{hint}")
    if name in RESERVED:
        raise Usage(f"{name} is a reserved word of the language; choose another name")


def _file_for(place: TargetPack, kind: str, plural: str, name: str) -> str:
    """Return the path for a new document: next to others of its kind, in a file of its own."""
    if kind == "scenario":
        return f"{APART[0]}/{name}.yaml"
    count = Counter(document.path for document in place.documents)
    own = [document.path for document in place.documents if document.kind == kind]
    alone = [path for path in own if count[path] == 1]
    if alone:
        folder = place.inside(alone[-1]).rpartition("/")[0]
    elif own and place.inside(own[-1]) not in PACK_FILES:
        folder = str(PurePosixPath(place.inside(own[-1])).with_suffix(""))
    else:
        folder = plural
    return f"{folder}/{name}.yaml" if folder else f"{name}.yaml"


def _slug(sentence: str) -> str:
    """Return a short file name for a scenario."""
    plain = unicodedata.normalize("NFKD", sentence.lower()).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain)
    return "-".join(words[:8]) or "scenario"


def _listed(place: TargetPack, what: str, name: str, path: str, text: str) -> list[FileChange]:
    """Return the changes for a document of the kernel, including the list that must name a phase or award."""
    if what not in ("phase", "award"):
        return [FileChange(path, text)]
    holder, key = ("round", "phases") if what == "phase" else ("finish", "awards")
    holders = [document for document in place.documents if document.kind == holder]
    listing = next((one for one in holders if isinstance(one.root.get(key), SequenceNode)), None)
    if listing is not None:
        found = listing.root.get(key)
        assert isinstance(found, SequenceNode)
        changed = with_member(place.loaded.sources[listing.path], found, name)
        return [FileChange(path, text), FileChange(place.inside(listing.path), changed, False)]
    if holders:
        document = holders[0]
        changed = with_member(place.loaded.sources[document.path], document.root, f"{key}: [{name}]")
        return [FileChange(path, text), FileChange(place.inside(document.path), changed, False)]
    others = [one.root.entries[0].value for one in place.loaded.composed.documents if one.kind == holder]
    game = next((one.text for one in others if isinstance(one, ScalarNode)), None)
    if game is not None and place.packs.needed:
        return [FileChange(path, _with_document(text, f"change: {holder}/{game}\nadd: {{{key}: [{name}]}}\n"))]
    until = "until: true    # the game ends after a round in which this is true\n" if what == "phase" else ""
    return [FileChange(path, _with_document(text, f"{holder}: {name}-{holder}\n{key}: [{name}]\n{until}"))]


def _with_document(text: str, document: str) -> str:
    """Return the text of a file with a document added."""
    return f"{text.rstrip()}\n---\n{document}"


def _with_entry(place: TargetPack, what: str, name: str) -> FileChange:
    """Return the change for an entry of a section: in the existing section, or in a new document of `pack.yaml`."""
    section = ENTRIES[what]
    value = entry(place.loaded.declared, what, name)
    for document in place.documents:
        found = document.root.get(section) if document.kind in ("pack", section) else None
        if isinstance(found, MappingNode):
            text = with_member(place.loaded.sources[document.path], found, f"{name}: {value}")
            return FileChange(place.inside(document.path), text, False)
    file = next((file for file in PACK_FILES if place.shown(file) in place.loaded.sources), PACK_FILE)
    text = _with_document(place.loaded.sources[place.shown(file)], f"{section}:\n  {name}: {value}\n")
    return FileChange(file, text, False)


def _check(place: TargetPack, what: str, name: str, changes: list[FileChange]) -> Loaded:
    """Load the pack with the changes; refuse changes that cause new findings."""
    news = {place.shown(change.path): change.text.encode("utf-8") for change in changes}
    kept = [(path, news.pop(path, data)) for path, data in place.files.files]
    files = evolve(place.files, files=(*kept, *news.items()))
    after = loading.load_pack_set(evolve(place.packs, asked=(files,)))
    before = Counter(_told(item) for item in place.loaded.findings)
    found = [item for item in after.findings if not before[_told(item)]]
    if found:
        one = min(found, key=lambda item: (not is_error(item), item.span))
        where = next((f" ({label.span.path}:{label.span.line})" for label in one.labels), "")
        hint = f"; {one.hint}" if one.hint else ""
        only = place.items.by_id.get(f"{what}/{what}")
        if only is not None and only.made:
            hint = (
                f"; `{what}` is the only card of its kind, so rules that name the card would then mean the kind: "
                "create a kind for the new card first (rulewright new kind NAME)"
            )
        raise Usage(f"nothing was written, because {name} would cause a finding: {one.message}{where}{hint}")
    return after


def _schema(place: TargetPack, after: Loaded) -> list[FileChange]:
    """Return the change of the schema for editors, if there is one and it is outdated."""
    if after.errors or not has_schema(place.root):
        return []
    text = schema_text(after.declared)
    return [FileChange(SCHEMA, text, False)] if (place.root / SCHEMA).read_text("utf-8", "replace") != text else []


def _told(item: Diagnostic) -> tuple[str, str, str]:
    return item.code, item.message, item.span.path


def _write(place: TargetPack, changes: list[FileChange]) -> None:
    for change in changes:
        target = place.root / change.path
        try:
            if change.new:
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("x", encoding="utf-8", newline="") as file:
                    file.write(change.text)
            else:
                own = target.with_name(f".{target.name}.{os.getpid()}")
                own.write_text(change.text, "utf-8", newline="")
                os.replace(own, target)
        except FileExistsError:
            raise Usage(f"{place.shown(change.path)} already exists; choose another name") from None
        except OSError as error:
            raise Usage(f"cannot write {place.shown(change.path)}: {error.strerror or error}") from None


def _tell(place: TargetPack, what: str, name: str, changes: list[FileChange]) -> None:
    shown = loading.shown(place.root)
    for change in changes:
        done = "Created" if change.new else "Wrote" if change.path == SCHEMA else "Added to"
        say(f"{done} {place.shown(change.path)}")
    said = "" if shown == "." else f" --in {shown}"
    if what == "scenario":
        _next(f"rulewright test {shown} -k {quote(name)}", f"rulewright play {shown} --from {quote(name)}")
        return
    _next(
        f"rulewright validate {place.shown(changes[0].path)}",
        f"rulewright show {what}/{name}{said}",
        f"rulewright balance {shown} --check" if what == "expect" else f"rulewright play {shown} --watch",
    )


def _next(*commands: str) -> None:
    say("Next:")
    for command in commands:
        say(f"  {command}")
