"""Documents -> declarations: every name that a pack declares, with its type or signature.

The shape of each document has been checked; a document with findings only poisons its name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Any

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.limits import HIGHEST, LOWEST, MOST_DEFINITIONS, number_hint
from rulewright.ruleset.declare.collector import Collecting, broken, near_hint
from rulewright.ruleset.declare.declarations import (
    Declared,
    DefinitionDeclared,
    FunctionDeclared,
    KindDeclared,
    VerbDeclared,
    defined,
)
from rulewright.ruleset.declare.sections import Sections, remembered
from rulewright.ruleset.documents.kinds import KIND_OF, PACK, SECTIONS, SINGLES, sections_of
from rulewright.ruleset.documents.reading import Titled
from rulewright.ruleset.documents.rules import Claim, FunctionDocument, VerbDocument, Window
from rulewright.ruleset.documents.sections import ComponentEntry, DefinitionDocument, KindEntry
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_pattern
from rulewright.ruleset.language.syntax_errors import NOT_NAMES, Mistake
from rulewright.ruleset.language.types import RESERVED, Type
from rulewright.ruleset.source.nodes import Node, ScalarNode, SequenceNode, is_every, numbers_of, words_of
from rulewright.ruleset.source.reader import Document

# ---- Read the values of a field that `each` of a component lists

Domain = list[tuple[str, int, str]]
"""The values of a field: its name, the value, and the word for it in names of definitions."""


def too_many(what: str) -> tuple[str, str]:
    """Return the message and hint about more definitions than a pack can have."""
    return f"{what}; a pack has at most {MOST_DEFINITIONS:,} definitions", "list fewer values"


def values_of_each(to: Collecting, kind: KindDeclared, name: ScalarNode, node: Node) -> Domain | None:
    """Return the values of a field, or None after a finding that leaves none."""
    declared = kind.fields.get(name.text)
    if declared is None:
        if name.text not in to.poisoned:
            message = f"`{kind.key}` has no field `{name.text}`"
            to.report("RW311", name.span, message, near_hint(name.text, kind.fields))
        return None
    if declared.derived:
        message = f"`{name.text}` is worked out from other fields, so `each` cannot list its values"
        to.report("RW338", name.span, message, "remove it here")
        return None
    if declared.per:
        message = f"`{name.text}` has one value for each `{declared.per}`, so `each` cannot list its values"
        to.report("RW315", name.span, message, "write a document for each definition")
        return None
    if declared.type.name == "enumeration":
        return _members(to, declared.type, name, node)
    return _numbers(to, kind, name, node)


def _members(to: Collecting, type_: Type, name: ScalarNode, node: Node) -> Domain:
    """Return the members of an enumeration that a list names; report others."""
    members = to.out.enumerations[type_.of][1]
    if is_every(node):
        return [(name.text, number, word) for number, word in enumerate(members)]
    found = []
    for item in node.items if isinstance(node, SequenceNode) else (node,):
        word = item.text if isinstance(item, ScalarNode) else ""
        if word in members:
            found.append((name.text, members.index(word), word))
        elif word not in to.poisoned:
            hint = near_hint(word, members) or "one of: " + ", ".join(members)
            to.report("RW315", item.span, f"`{word}` is not a {type_.of}", hint)
    return found


def _numbers(to: Collecting, kind: KindDeclared, name: ScalarNode, node: Node) -> Domain | None:
    """Return the numbers that a list names, or all of the field's range."""
    low, high = kind.ranges.get(name.text, (LOWEST, HIGHEST))
    if is_every(node) and name.text in kind.ranges:
        if high - low >= MOST_DEFINITIONS:
            to.report("RW213", node.span, *too_many(f"`{name.text}` has {high - low + 1:,} values"))
            return None
        return [(name.text, number, str(number)) for number in range(low, high + 1)]
    for item in node.items if isinstance(node, SequenceNode) else ():
        value = item.value if isinstance(item, ScalarNode) else None
        if not isinstance(value, int) or not low <= value <= high:
            hint = number_hint(item.text) if isinstance(item, ScalarNode) and not isinstance(value, int) else None
            to.report("RW315", item.span, f"expected {low} to {high} for `{name.text}`, found {value}", hint)
    numbers = numbers_of(node)
    if not numbers:
        message = f"these are not values of `{name.text}`"
        hint = "write a list: `[1, 2, 3]`; `all` is for enumerations and ranges such as `1 to 9`"
        to.report("RW315", node.span, message, hint)
    return [(name.text, number, str(number)) for number in numbers]


# ---- Declare

def declare(
    documents: Iterable[Document],
    faulty: Iterable[Document],
    unread: Iterable[str] = (),
    begun: Declared | None = None,
    texts: Iterable[str] = (),
) -> tuple[Declared, frozenset[str], tuple[Diagnostic, ...]]:
    """Return all declarations of the documents, the poisoned names, and the findings.

    A poisoned name is one whose declaration had findings; uses of it are not reported.

    `faulty` are documents with findings of shape, `unread` the texts of files that could not be read: their words
    may be declared there. `begun` has the owners of files. `texts` are the texts of all files. If a whole section
    is broken (`zones: plenty`), their words are poisoned, since the section may declare them.
    """
    collector = _Collector()
    collector.out = begun or Declared()
    for text in unread:
        words = _words(text)
        collector.poisoned.update(words, (f"{word}s" for word in words), (f"verb {word}" for word in words))
        collector.poisoned.update(broken(word) for word in words if word in SINGLES)
    faulty = tuple(faulty)
    if any(map(_nameless, faulty)):
        for text in texts:
            collector.poisoned.update(_words(text))
    out, found = collector.run(tuple(documents), faulty)
    return out, frozenset(collector.poisoned), found


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text)


def _nameless(document: Document) -> bool:
    """Whether a section in a broken document, or the `add` of a change, declares unknown names."""
    nameless = (*SECTIONS, "add") if document.kind == "change" else SECTIONS
    return any(
        entry.key.text in nameless and isinstance(entry.value, ScalarNode) for entry in document.root.entries
    )


class _Collector(Sections):
    def __init__(self) -> None:
        super().__init__()
        self._same_words: Counter[str] = Counter()
        """The number of verbs with each id, which is made of their words."""

    def run(
        self, documents: tuple[Document, ...], faulty: tuple[Document, ...]
    ) -> tuple[Declared, tuple[Diagnostic, ...]]:
        for document in (*documents, *faulty):
            self.files.setdefault(document.path, len(self.files))
            if document.older:
                self.older.add(document.path)
        for document in faulty:
            self._poison(document)
        sections: dict[str, list[tuple[ScalarNode, Any]]] = {}
        others: list[Document] = []
        for document in documents:
            if document.kind in SECTIONS or document.kind == PACK.key:
                for kind, mapping in sections_of(document.root):
                    entries = [(one.key, kind.record.read(one.key, one.value)) for one in mapping.entries]
                    self.out.written.extend((kind.key, record) for _, record in entries)
                    sections.setdefault(kind.key, []).extend(entries)
                if document.kind == PACK.key:
                    self._pack(document)
                else:
                    said = Titled.read(document.root.entries[0].key, document.root)
                    self.out.written.append((document.kind, said))
            else:
                others.append(document)
        for key, entry in sections.get("kinds", []):
            self.out.kinds.setdefault(key.text, self._begun(key, entry))
        for section in SECTIONS:
            for key, entry in sections.get(section, []):
                if self._name(section, key):
                    self.entry(section, key, entry)
        for zone, source in self.refills:
            if source.text not in self.out.zones and source.text not in self.poisoned:
                message = f"there is no zone `{source.text}` to refill `{zone}` from"
                self.report("RW309", source.span, message, near_hint(source.text, self.out.zones))
        for document in others:
            if document.kind not in SINGLES:
                self._definition(document)
        for component in self.out.all_of(ComponentEntry).values():
            self._made(component)
        for component in self.out.all_of(ComponentEntry).values():
            self._name_others(component)
        for document in others:
            if document.kind in SINGLES:
                self._single(document)
        pack, version, players, languages = self.pack
        out = evolve(self.out, pack=pack, version=version, players=players, languages=languages)
        return out, tuple(self.found)

    @staticmethod
    def _begun(key: ScalarNode, entry: KindEntry) -> KindDeclared:
        """Create a kind before its fields are known, which may name other kinds."""
        plural = entry.plural.text if entry.plural is not None else key.text + "s"
        abstract = entry.cards is not None and entry.cards.text == "false"
        kind = KindDeclared(key.text, key.span, {}, {}, {}, {}, {}, {}, plural, abstract, entry.when)
        return evolve(kind, remembers=entry.remembers.text) if entry.remembers is not None else kind

    # -------------------------------------------------------------- definitions

    def _definition(self, document: Document) -> None:
        kind = self.out.kinds.get(document.kind)
        first = document.root.entries[0]
        said = DefinitionDocument.read(first.value, document.root) if isinstance(first.value, ScalarNode) else None
        plural = said.plural.text if said is not None and said.plural is not None else None
        if said is not None:
            self.out.written.append((document.kind, said))
        if kind is None:
            keys = [entry.key.text for entry in document.root.entries]
            of_kernel = [key for key in keys if key in SECTIONS or key in SINGLES or key == "pack"]
            if document.kind not in self.poisoned:
                hint = near_hint(document.kind, [*self.out.kinds, *SINGLES, *SECTIONS, "pack"])
                if hint is None:
                    kinds = ", ".join(f"`{kind}`" for kind in [*list(self.out.kinds)[:5], "verb", "phase", "award"])
                    hint = f"a document begins with one of: {kinds}, …"
                if of_kernel:
                    hint = f"the first key of a document is its kind: move `{of_kernel[0]}` to the top"
                self.report("RW310", first.key.span, f"there is no kind `{document.kind}`", hint)
            if of_kernel:
                self.poisoned.update(words_of(document.root))
            if said is not None:
                self.poisoned.update((said.key, plural or said.key + "s"))
            return
        if said is None or not isinstance(first.value, ScalarNode) or not self._name("definitions", first.value):
            return
        if len(self.out.definitions) >= MOST_DEFINITIONS:
            if not any(one.code == "RW213" for one in self.found):
                message = f"a pack has at most {MOST_DEFINITIONS:,} definitions; this one and the rest are not read"
                self.report("RW213", first.key.span, message)
            return
        key = said.key
        self.out.definitions[key] = defined(kind, document.root, said)
        if said.remembers and kind.remembers:
            self._hiding(said.remembers)
            self.out.remembered[key] = remembered(key, kind.remembers, self._takes(said.remembers), said.remembers)
        self._texts(f"{kind.key}/{key}", said.name)
        self._texts(f"{kind.key}/{key}.text", said.text)
        self.out.plurals.setdefault(plural or key + "s", key)

    def _made(self, component: ComponentEntry) -> None:
        """Declare the definitions that a component generates: one per combination, or one if its kind has none."""
        kind = self.out.kinds.get(component.kind.text) if component.kind is not None else None
        if kind is None:
            return
        if not component.each:
            if any(d.kind == kind.key for d in self.out.definitions.values()):
                return
            self._of_component(component, kind, kind.key, ())
            self.out.plurals.setdefault(kind.plural, kind.key)
            return
        domains: list[Domain] = []
        for each in component.each:
            domain = values_of_each(self, kind, each.key, each.value)
            if domain is None:
                self.poisoned.update(one.key.text for one in component.each if one.key.text not in kind.fields)
                return
            domains.append(domain)
        made = prod(map(len, domains))
        if made + len(self.out.definitions) > MOST_DEFINITIONS:
            sizes = " × ".join(f"{len(domain):,}" for domain in domains)
            what = f"`each` makes {made:,} definitions" + (f" ({sizes})" if len(domains) > 1 else "")
            self.report("RW213", component.place("each"), *too_many(what))
            return
        for combination in product(*domains):
            key = "-".join(word for _, _, word in combination)
            if key in self.out.definitions:  # numbers of another component
                key = f"{component.key}-{key}"
            values = tuple((name, number) for name, number, _ in combination)
            self._of_component(component, kind, key, values)

    def _of_component(
        self, component: ComponentEntry, kind: KindDeclared, key: str, made: tuple[tuple[str, int], ...]
    ) -> None:
        node = component.node
        self.out.definitions[key] = DefinitionDeclared(key, kind.key, component.span, node, component, {}, made)
        self._texts(f"{kind.key}/{key}", component.name)

    def _name_others(self, component: ComponentEntry) -> None:
        """Give a name that shows fields to those cards of the component that have documents without a name."""
        kind = self.out.kinds.get(component.kind.text) if component.kind is not None else None
        if kind is None or not component.names_cards:
            return
        for key, definition in self.out.definitions.items():
            own = f"{kind.key}/{key}"
            if definition.kind == kind.key and not definition.made and own not in self.out.texts:
                self._texts(own, component.name)

    # -------------------------------------------------------------- verbs, functions, flow

    def _single(self, document: Document) -> None:
        first = document.root.entries[0]
        if not isinstance(first.value, ScalarNode):
            return
        kind = KIND_OF[document.kind]
        says: Any = kind.record.read(first.value, document.root)
        self.out.written.append((kind.key, says))
        if isinstance(says, VerbDocument):
            self._verb(first.value, document, says)
            return
        if not self._name(kind.key, first.value):
            self.poisoned.add(broken(kind.key))
            return
        key = first.value.text
        if isinstance(says, FunctionDocument):
            takes = self._takes(says.takes)
            self._hiding(says.takes)
            type_ = self.type_of(says.gives) if says.gives is not None else None
            self.out.functions[key] = FunctionDeclared(key, says.span, takes, type_, says)
            self._texts(f"{kind.key}/{key}", says.name)
            return
        self.out.records.setdefault(kind.record, {})[key] = says
        if isinstance(says, Window | Claim):
            self.out.takes[f"{kind.key}/{key}"] = self._takes(says.takes)
            self._hiding(says.takes)
        self._texts(f"{kind.key}/{key}", says.name)
        self._texts(f"{kind.key}/{key}.text", says.text)

    def _verb(self, sentence: ScalarNode, document: Document, says: VerbDocument) -> None:
        parts = parse_pattern(sentence.text)
        if isinstance(parts, Mistake):
            span = sentence.span_of(parts.start, parts.end)
            self.report(parts.code, span, parts.message, parts.hint)
            self._poison_verb(sentence.text)
            return
        if not isinstance(parts[0], s.WordNode):
            self.report(
                "RW312", sentence.span_of(parts[0].start, parts[0].end), "a verb's sentence must begin with a word"
            )
            return
        holes: list[tuple[str, Type]] = []
        for part in parts:
            if isinstance(part, s.Hole):
                own = part.name in RESERVED or part.name in NOT_NAMES
                if part.name in dict(holes) or own:
                    span = sentence.span_of(part.start, part.end)
                    why = "is a word of the language" if own else "is already the name of another hole"
                    hint = "choose another name for this hole"
                    self.report("RW317", span, f"`{part.name}` {why}", hint)
                elif (hidden := self._declared(part.name)) is not None:
                    span = sentence.span_of(part.start, part.end)
                    message = f"`{part.name}` is declared by the pack, and this hole would hide it"
                    label = Label(hidden, "declared here")
                    self.report("RW317", span, message, "choose another name for this hole", label)
                shown = sentence.text[part.start : part.end]
                begin = part.start + max(shown.rfind(part.type), 0)
                end = begin + len(part.type) if shown.rfind(part.type) >= 0 else part.end
                named = self.out.type_text(part.type, sentence.span)
                type_ = self.type_of(sentence, named, sentence.span_of(begin, end))
                if type_ is None:
                    self._poison_verb(sentence.text)
                    return
                holes.append((part.name, type_))
        key = document.called or "-".join(part.forms[0] for part in parts if isinstance(part, s.WordNode))
        self._same_words[key] += 1
        if self._same_words[key] > 1:
            key = f"{key}#{self._same_words[key]}"
        gives = self._takes(says.gives)
        self._hiding(says.gives)
        for one in says.gives:
            if one.key.text in dict(holes):
                message, hint = f"`{one.key.text}` is already the name of a hole", "choose another name"
                self.report("RW317", one.key.span, message, hint)
        result = gives[0] if gives else None
        self.out.verbs[key] = VerbDeclared(key, sentence.span, parts, tuple(holes), says, sentence.text, result)
        self._texts(f"verb/{key}.text", says.text)
