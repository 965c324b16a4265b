"""Changes to packs with a known effect on the findings.

`python -m tests.ruleset.metamorphic` makes all of them in all packs; the suite makes a sample
(`test_metamorphic.py`).

- A local name is replaced by a local name of another body: that line gets a finding. Each load changes every body
  at one place, so this also shows that a mistake in one body hides none in another.
- The first word of each sentence is replaced by nonsense: each sentence gets a finding. So none is skipped.
- A verb is added that nothing uses, with sentences of several readings: no finding and no program changes.
- Files and documents are read in another order: the findings are the same.
- Every name that is the pack's own is another (`renamed.py`): there is no finding, and the play is the same.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import attrs
from attrs import evolve, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_effect
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import RESERVED
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.pack_files import PackFiles, read_pack
from rulewright.ruleset.source.reader import read
from tests.ruleset.renamed import played_otherwise

ROOT = Path(__file__).parents[2]
NONSENSE = "qqzz"
EFFECTS = frozenset(["do", "when-true", "when-false"])
"""Keys whose text is an effect, in documents of every kind; the effects of a kind are keys as well."""


def is_game(folder: Path) -> bool:
    """Whether the pack in a folder can be loaded alone."""
    return "\nextends:" not in (folder / "pack.yaml").read_text("utf-8")


SHIPPED = sorted(path.parent for path in ROOT.glob("content/*/pack.yaml") if is_game(path.parent))
SMALL = sorted(path.parent for path in ROOT.glob("tests/packs/*/pack.yaml"))


@frozen
class Change:
    """Text that takes the place of what a span covers."""

    span: Span
    text: str


@frozen
class Body:
    """An effect of a pack: its text with its place, and its sentences."""

    scalar: ScalarNode
    statements: tuple[s.Statement, ...]
    bound: frozenset[str]
    """Names that sentences of the body give."""
    used: frozenset[str]
    """All its words."""


@frozen
class Pack:
    files: PackFiles
    loaded: Loaded
    bodies: tuple[Body, ...]

    def changed(self, changes: list[Change]) -> PackFiles:
        """The files with some changes."""
        files = []
        for name, data in self.files.files:
            lines = data.decode("utf-8").split("\n")
            here = [change for change in changes if change.span.path == name]
            for change in sorted(here, key=lambda change: change.span, reverse=True):
                span, line = change.span, lines[change.span.line - 1]
                lines[span.line - 1] = line[: span.column - 1] + change.text + line[span.end_column - 1 :]
            files.append((name, "\n".join(lines).encode("utf-8")))
        return evolve(self.files, files=tuple(files))


@cache
def pack(folder: Path) -> Pack:
    """A pack without findings, with all its effects."""
    files = read_pack(folder)
    loaded = load_files(files)
    assert not loaded.findings, loaded.findings
    keys = EFFECTS | {effect for kind in loaded.declared.kinds.values() for effect in kind.effects}
    scalars = [
        scalar
        for name, data in files.files
        for document in read(name, data.decode("utf-8")).documents
        if document.kind not in ("scenario", "bot", "prompts")
        for scalar in _effects(document.root, keys)
    ]
    bodies = []
    for scalar in {scalar.span: scalar for scalar in scalars}.values():
        tree = parse_effect(scalar.text)
        assert not isinstance(tree, Mistake), scalar.span
        words = frozenset(node.text for node in nodes(tree) if isinstance(node, s.NameNode))
        bodies.append(Body(scalar, tuple(tree), frozenset(_given(tree)), words))
    return Pack(files, loaded, tuple(bodies))


def _effects(node: Node, keys: frozenset[str]) -> Iterator[ScalarNode]:
    if isinstance(node, SequenceNode):
        for item in node.items:
            yield from _effects(item, keys)
    if not isinstance(node, MappingNode):
        return
    for entry in node.entries:
        values = entry.value.items if isinstance(entry.value, SequenceNode) else (entry.value,)
        if entry.key.text in keys and all(isinstance(value, ScalarNode) for value in values):
            yield from (value for value in values if isinstance(value, ScalarNode))
        else:
            yield from _effects(entry.value, keys)


def nodes(tree: Any) -> Iterator[Any]:
    """All nodes of a tree, or of trees."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from nodes(item)
    elif isinstance(tree, s.SyntaxNode):
        yield tree
        for field in attrs.fields(type(tree)):
            yield from nodes(getattr(tree, field.name))


def _given(tree: Any) -> Iterator[str]:
    for node in nodes(tree):
        if isinstance(node, s.Phrase) and node.result is not None:
            yield node.result.text
        elif isinstance(node, s.Let | s.EachBlock):
            yield node.name.text


# ------------------------------------------------------------------ names of other bodies

def uses(body: Body) -> Iterator[s.NameNode]:
    """Where a name that the body gives is used."""
    givers: set[int] = set()
    for node in nodes(body.statements):
        if isinstance(node, s.Phrase):
            givers.update(id(name) for name in (node.result, *(name for name, _ in node.given)))
        elif isinstance(node, s.Let | s.EachBlock | s.Quantified | s.CallOf | s.Of):
            givers.add(id(node.name))
        elif isinstance(node, s.Every):
            givers.add(id(node.kind))
    for node in nodes(body.statements):
        if isinstance(node, s.NameNode) and node.text in body.bound and id(node) not in givers:
            yield node


@cache
def declared_words(folder: Path) -> frozenset[str]:
    """Every word that means something in all of a pack."""
    words = set(RESERVED)
    for name, data in pack(folder).files.files:
        for document in read(name, data.decode("utf-8")).documents:
            keys = " ".join(_keys(document.root))
            first = document.root.entries[0].value
            words.update(
                re.findall(r"[a-z0-9-]+", keys + " " + (first.text if isinstance(first, ScalarNode) else ""))
            )
            if document.kind in ("pack", "enumerations", "options", "kinds"):
                words.update(re.findall(r"[a-z0-9-]+", data.decode("utf-8")))
    return frozenset(words)


def _keys(node: Node) -> Iterator[str]:
    if isinstance(node, MappingNode):
        for entry in node.entries:
            yield entry.key.text
            yield from _keys(entry.value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _keys(item)


def names_of_others(folder: Path) -> Iterator[list[Change]]:
    """Batches of changes, at most one in each body: a use of a name becomes a name that only another body gives."""
    whole = pack(folder)
    local = [name for body in whole.bodies for name in sorted(body.bound) if name not in declared_words(folder)]
    batches: list[list[Change]] = []
    for body in whole.bodies:
        strange = [name for name in dict.fromkeys(local) if name not in body.used]
        if not strange:
            continue
        for number, use in enumerate(uses(body)):
            if number == len(batches):
                batches.append([])
            name = strange[(number + use.start) % len(strange)]
            batches[number].append(Change(body.scalar.span_of(use.start, use.end), name))
    yield from batches


def hidden(folder: Path, changes: list[Change]) -> list[str]:
    """The changed places without an error on their lines, and whether another order of the files changes that."""
    files = pack(folder).changed(changes)
    findings = load_files(files).findings
    lines = {(one.span.path, line) for one in findings for line in range(one.span.line, one.span.end_line + 1)}
    silent = [
        f"{change.span}: no finding for {change.text}"
        for change in changes
        if (change.span.path, change.span.line) not in lines
    ]
    if told(load_files(backwards(files)).findings) != told(findings):
        silent.append(f"{folder.name}: other findings in another order of the files")
    return silent


# ------------------------------------------------------------------ sentences without a meaning

def nonsense(folder: Path) -> list[Change]:
    """A change for each sentence that is not the head of a block."""
    changes = []
    for body in pack(folder).bodies:
        heads = {id(node.phrase) for node in nodes(body.statements) if isinstance(node, s.PhraseBlock)}
        for node in nodes(body.statements):
            if isinstance(node, s.Phrase) and id(node) not in heads and isinstance(node.items[0], s.NameNode):
                first = node.items[0]
                word = f"{NONSENSE}-{len(changes)}"
                changes.append(Change(body.scalar.span_of(first.start, first.end), word))
    return changes


# ------------------------------------------------------------------ a verb more

def with_a_verb(folder: Path) -> tuple[Loaded, Loaded]:
    """A pack with a verb that nothing says, in a file that comes last and in one that comes first."""
    whole = pack(folder)
    declared = whole.loaded.declared
    zones = (key for key, (_, one) in declared.zones.items() if one.scope in ("game", "player"))
    zone = next(zones, None)
    local = sorted({name for body in whole.bodies for name in body.bound} - declared_words(folder))
    body = "".join(
        f"  choose 1 card from {zone} as {name}\n  choose any number of cards from {zone} as {name}-more\n"
        f"  if {name} is not none:\n    move {name} to {zone}\n  move {name}-more to {zone}\n"
        for name in local or ["thing"]
    )
    body = body if zone is not None else "  do nothing\n"  # a pack without a zone has no cards to choose
    data = f"verb: {NONSENSE}(s) extra\ndo: |\n{body}".encode()
    files = whole.files.files
    last = load_files(evolve(whole.files, files=(*files, ("zz-extra.yaml", data))))
    first = load_files(evolve(whole.files, files=(("aa-extra.yaml", data), *files)))
    return last, first


def without_the_verb(loaded: Loaded) -> Any:
    """The program except the added verb. Numbers of sources, which shift, are replaced by the sources."""
    program = loaded.program
    assert program is not None
    units = tuple(unit for unit in program.units if not unit.key.startswith(NONSENSE))
    conditions = tuple(one for one in program.conditions if "extra.yaml" not in one.span.path)
    references = tuple(one for one in program.references if "extra.yaml" not in one.span.path)
    bare = evolve(program, units=units, conditions=conditions, references=references, sources=(), origin=None)
    return _apart(bare, program.sources)


def _apart(value: Any, sources: tuple[Any, ...]) -> Any:
    if isinstance(value, tuple):
        return tuple(_apart(item, sources) for item in value)
    if not attrs.has(type(value)) or isinstance(value, Span):
        return value
    fields = [(one.name, getattr(value, one.name)) for one in attrs.fields(type(value))]
    return (
        type(value).__name__,
        *((sources[at] if at >= 0 else at) if name == "at" else _apart(at, sources) for name, at in fields),
    )


# ------------------------------------------------------------------ another order

def backwards(files: PackFiles) -> PackFiles:
    """The files in the opposite order."""
    return evolve(files, files=tuple(reversed(files.files)))


def documents_apart(files: PackFiles, backwards: bool) -> PackFiles:
    """A file for each document, which stands there on the lines that it had; perhaps in the opposite order.

    Several `winner` documents stay together, since they have an order.
    """
    apart = []
    for name, data in files.files:
        line = 0
        for part in re.split(r"^---\n(?!winner: )", data.decode("utf-8"), flags=re.MULTILINE):
            apart.append((f"{name}#{len(apart)}", ("\n" * line + part).encode("utf-8")))
            line += part.count("\n") + 1
    return evolve(files, files=tuple(reversed(apart) if backwards else apart))


CLASHES = ("RW303", "RW314", "RW332", "RW335", "RW502", "RW606")
"""Two declarations clash, or call each other: reported at the one that is read later, or first."""


def told(findings: tuple[Diagnostic, ...]) -> Counter[tuple[str, Span | None, str]]:
    """The findings, whatever the order in which files were read."""
    return Counter(
        (one.code, None, "") if one.code in CLASHES else (one.code, one.span, one.message) for one in findings
    )


def declared_keys(loaded: Loaded) -> tuple[frozenset[str], ...]:
    """What a program has, whatever its order."""
    program = loaded.program
    assert program is not None
    units = tuple(one for one in program.units if not one.key.startswith("scenario/"))  # these are numbered
    groups: tuple[tuple[Any, ...], ...] = (units, program.definitions, program.zones, program.tracks,
                                           program.kinds, program.options, program.enumerations)  # fmt: skip
    return (*(frozenset(one.key for one in group) for group in groups),
            frozenset(one.unit.key for one in program.functions))  # fmt: skip


def changed_by_order(folder: Path) -> list[str]:
    """What is not the same when the documents are read in the opposite order."""
    whole = pack(folder)
    loaded = load_files(documents_apart(whole.files, True))
    wrong = [f"{folder.name}: {one.span} {one.message}" for one in loaded.findings]
    if not wrong and declared_keys(loaded) != declared_keys(whole.loaded):
        wrong.append(f"{folder.name}: another program")
    return wrong


def changed_by_a_verb(folder: Path) -> list[str]:
    """What is not the same with a verb that nothing says."""
    here = without_the_verb(pack(folder).loaded)
    wrong = []
    for more in with_a_verb(folder):
        wrong += [f"{folder.name}: {one.span} {one.message}" for one in more.findings]
        if not wrong and without_the_verb(more) != here:
            wrong.append(f"{folder.name}: another program")
    return wrong


def main() -> int:
    wrong: list[str] = []
    count = 0
    for folder in (*SHIPPED, *SMALL):
        for changes in (*names_of_others(folder), nonsense(folder)):
            count += len(changes)
            wrong += hidden(folder, changes)
        count += 4
        wrong += [*changed_by_a_verb(folder), *changed_by_order(folder), *played_otherwise(folder, 20)]
    print("\n".join(wrong) or f"{count} changes, all as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
