"""Sites for mistakes: each `key: value` of a document with its schema, and each sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from attrs import frozen

from rulewright.ruleset.language.syntax_errors import KEYWORDS
from rulewright.ruleset.language.vocabulary import SENTENCES
from rulewright.ruleset.schema.registry import _applying, properties, validator_of
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode, plain
from rulewright.ruleset.source.reader import Document
from tests.recall.subjects import APART, TEXTS, Reference, Source, Subject

WORD = re.compile(r"[a-z][a-z0-9-]*")
_MANY = 40


def all_properties(schema: Any) -> set[str]:
    """Return every key that occurs anywhere in the schema."""
    names: set[str] = set()
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, Mapping):
            known = part.get("properties")
            if isinstance(known, Mapping):
                names.update(known)
            stack += part.values()
        elif isinstance(part, list):
            stack += part
    return names


@frozen
class Site:
    """One `key: value` of a document."""

    document: Document
    source: Source
    holder: MappingNode
    entry: MappingEntry
    path: tuple[str, ...]
    """The keys from the document's root to this one; lists add `[]`."""
    known: tuple[str, ...]
    """The keys that the schema knows in this mapping."""
    outer: tuple[str, ...]
    """The keys that the schema knows in the mapping around it."""
    required: bool
    types: tuple[str, ...]
    """The JSON types that the value may have; none means any."""
    choices: tuple[Any, ...]
    least: int | None
    most: int | None

    @property
    def structural(self) -> bool:
        """Whether the key is one of the format, and not a name that the author chose."""
        return self.entry.key.text in self.known

    @property
    def number(self) -> int:
        return next(at for at, one in enumerate(self.holder.entries) if one is self.entry)

    @property
    def apart(self) -> bool:
        return self.document.kind in APART

    @property
    def key_start(self) -> int:
        return self.source.range(self.entry.key)[0]

    @property
    def end(self) -> int:
        return self.source.range(self.entry.value)[1]


@cache
def sites(subject: Subject) -> tuple[Site, ...]:
    """Every key of a pack."""
    found: list[Site] = []
    for document in subject.documents:
        schema = subject.schema(document.kind)
        walk = _Walk(document, subject.sources[document.path], validator_of(schema, None), found)
        walk.node(document.root, schema, (), ())
    return tuple(found)


@frozen
class _Walk:
    document: Document
    source: Source
    validator: Any
    found: list[Site]

    def node(self, node: Node, schema: Any, path: tuple[str, ...], outer: tuple[str, ...]) -> None:
        if isinstance(node, SequenceNode):
            inner = self._said(schema, node, "items")
            for item in node.items:
                self.node(item, inner[0] if inner else {}, (*path, "[]"), outer)
        if not isinstance(node, MappingNode):
            return
        instance = plain(node)
        known = properties(schema, instance, self.validator)
        required = {key for one in self._said(schema, node, "required") for key in one}
        others = [one for one in self._said(schema, node, "additionalProperties") if isinstance(one, dict)]
        for entry in node.entries:
            key = entry.key.text
            inside = known.get(key, others[0] if others else {})
            bounds = [
                [one for one in self._said(inside, entry.value, word) if isinstance(one, int)]
                for word in ("minimum", "maximum")
            ]
            types = [[one] if isinstance(one, str) else one for one in self._said(inside, entry.value, "type")]
            choices = self._said(inside, entry.value, "enum")
            self.found.append(
                Site(
                    self.document, self.source, node, entry, (*path, key), tuple(known), outer, key in required,
                    tuple(types[0]) if types else (), tuple(choices[0]) if choices else (),
                    bounds[0][0] if bounds[0] else None, bounds[1][0] if bounds[1] else None,
                )
            )  # fmt: skip
            self.node(entry.value, inside, (*path, key), tuple(known))

    def _said(self, schema: Any, node: Node, word: str) -> list[Any]:
        """What the parts of a schema that apply to a node say under a keyword."""
        return [part[word] for part in _applying(schema, plain(node), self.validator, 0) if word in part]


# ------------------------------------------------------------------ sentences

@frozen
class Sentence:
    """A scalar in the effect language, and what its words are."""

    source: Source
    line: int
    start: int
    end: int
    apart: bool
    references: tuple[Reference, ...]
    """Those of one word."""
    locals: tuple[tuple[str, str, int], ...]
    """Uses of local names: the word, `player` or nothing for its type, its offset."""
    words: tuple[tuple[str, int], ...]
    """Words of the language and of verbs."""


@cache
def sentences(subject: Subject) -> tuple[Sentence, ...]:
    """The sentences and expressions of a pack in which something is named."""
    vocabulary = _vocabulary(subject)
    by_path: dict[str, list[Reference]] = {}
    for reference in subject.references:
        by_path.setdefault(reference.path, []).append(reference)
    found: list[Sentence] = []
    for document in subject.documents:
        source = subject.sources[document.path]
        near = by_path.get(document.path, [])
        for scalar in _scalars(document.root):
            start, end = source.range(scalar)
            inside = [one for one in near if start <= one.start and one.end <= end]
            whole = any((start, end) == (one.start, one.end) for one in inside)
            if not inside or whole or scalar.style in ("single", "double"):
                continue
            found.append(_sentence(document, source, start, end, inside, vocabulary, _bound(subject, document)))
    return tuple(found)


def _scalars(node: Node) -> Iterator[ScalarNode]:
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _scalars(item)
    else:
        for entry in node.entries:
            if entry.key.text not in TEXTS:
                yield from _scalars(entry.value)


def _sentence(
    document: Document, source: Source, start: int, end: int, inside: list[Reference], vocabulary: frozenset[str],
    bound: dict[str, str],
) -> Sentence:  # fmt: skip
    text = source.text[start:end]
    code = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), text)
    single = tuple(one for one in inside if WORD.fullmatch(source.text[one.start : one.end]))
    taken = {one.start for one in single}
    named = dict.fromkeys(re.findall(r"(?:\bas|\blet) ([a-z][a-z0-9-]*)", code), "")
    for word, of in re.findall(r"\b(?:each|any|no) ([a-z][a-z0-9-]*) in ([a-z-]+)", code):
        named[word] = "player" if of in ("players", "others", "all-players") else ""
    uses: list[tuple[str, str, int]] = []
    words: list[tuple[str, int]] = []
    known = bound | named
    for word in WORD.finditer(code):
        at = start + word.start()
        before = code[: word.start()].rstrip().rpartition(" ")[2].rpartition("\n")[2]
        if at in taken or (word[0] == "s" and code[word.start() - 1] == "'"):
            continue
        if word[0] in known:
            if before not in ("as", "let", "each", "any", "no") and word[0] not in vocabulary:
                uses.append((word[0], known[word[0]], at))
        elif word[0] in vocabulary:
            words.append((word[0], at))
    line = source.line(start)
    return Sentence(source, line, start, end, document.kind in APART, single, tuple(uses), tuple(words))


def _bound(subject: Subject, document: Document) -> dict[str, str]:
    """The parameters that a document gives its sentences, and whether each is a player."""
    found: dict[str, str] = {}
    declared = subject.loaded.declared
    if document.kind == "verb":
        first = document.root.entries[0].value
        verbs = [verb for verb in declared.verbs.values() if verb.span == first.span]
        found |= {name: type_.name for verb in verbs for name, type_ in verb.holes}
    takes = document.root.get("takes")
    if isinstance(takes, MappingNode):
        found |= {
            entry.key.text: entry.value.text for entry in takes.entries if isinstance(entry.value, ScalarNode)
        }
    if document.kind in declared.kinds:
        for effect in declared.kinds[document.kind].effects.values():
            found |= {name: type_.name for name, type_ in effect.parameters}
    return {name: "player" if type_ == "player" else "" for name, type_ in found.items()}


@cache
def _vocabulary(subject: Subject) -> frozenset[str]:
    """The words of the language, and those of all verbs."""
    patterns = [sentence.pattern for sentence in SENTENCES]
    patterns += [verb.text for verb in subject.loaded.declared.verbs.values()]
    plain_words = [re.sub(r"<[^>]*>", " ", pattern) for pattern in patterns]
    plain_words = [re.sub(r"\(([a-z]*)\)", ending, text) for text in plain_words for ending in ("", r"\1")]
    return frozenset(KEYWORDS | {word for text in plain_words for word in WORD.findall(text)})


@cache
def known_words(subject: Subject) -> frozenset[str]:
    """Every word that means something somewhere: a misspelling must not be one."""
    keys = {key for document in subject.documents for key in all_properties(subject.schema(document.kind))}
    return frozenset(_vocabulary(subject) | subject.names | keys)
