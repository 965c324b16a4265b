"""Excerpts from a pack about its things: printed texts, fields, and rules as written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import takewhile
from textwrap import dedent
from typing import Any, TypeAlias

from attrs import define, field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.documents.rules import Step
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import read_documents
from rulewright.tools.common.display_texts import WorkedOut

Values: TypeAlias = tuple[int | tuple[int, ...], ...]
_NOTHING = ("", "0", "false", "none")
"""Values of fields that a page omits, unless the definition writes them."""


@frozen
class DefinitionPage:
    """A definition: its texts by language, its fields, its effects as written, and its place."""

    key: str
    kind: str
    text: p.Texts
    fields: tuple[tuple[str, str], ...]
    effects: tuple[tuple[str, str], ...]
    place: str


@define(slots=False)
class SourceIndex:
    """The program and the files of a pack, and the values of its derived fields at a table."""

    program: p.Program
    sources: dict[str, str]
    worked_out: WorkedOut = field(factory=dict)
    _read: dict[str, dict[Span, str]] = field(init=False, factory=dict)

    def written(self, at: int) -> str:
        """Return a rule as its author wrote it, without the indent; "" if it is in no file."""
        return self.excerpt(self.program.sources[at].span) if 0 <= at < len(self.program.sources) else ""

    def excerpt(self, span: Span) -> str:
        """Return the text of a place."""
        lines = self.sources.get(span.path, "").split("\n")[span.line - 1 : span.end_line]
        if not lines:
            return ""
        if len(lines) == 1:
            return lines[0][span.column - 1 : span.end_column - 1].strip()
        first = lines[0][span.column - 1 :].strip()
        last = lines[-1][: span.end_column - 1] if span.end_column > 1 else ""
        if first.rstrip("+-0123456789") in ("|", ">"):
            return dedent("\n".join([*lines[1:-1], last])).strip("\n ")
        return dedent("\n".join([" " * (span.column - 1) + first, *lines[1:-1], last])).strip("\n ")

    def rule(self, at: int) -> str:
        """Return the `do` of an option or step, by the place of its name; for a sentence, the sentence."""
        if not 0 <= at < len(self.program.sources):
            return ""
        span = self.program.sources[at].span
        found = self._rules(span.path).get(span)
        return self.excerpt(span) if found is None else found

    def place(self, at: int) -> str:
        """Return file and line of a rule."""
        span = self.program.sources[at].span if 0 <= at < len(self.program.sources) else None
        return f"{span.path}:{span.line}" if span is not None and span.path else ""

    def page(self, definition: str, copy: int = 0) -> DefinitionPage | None:
        """Return a definition, for one of its copies if these differ (counted from 1; 0 means all)."""
        numbered = next(((n, one) for n, one in enumerate(self.program.definitions) if one.key == definition), None)
        if numbered is None:
            return None
        number, found = numbered
        fields = self._fields(found.kind, (*found.fields, *self.worked_out.get(number, ())), copy)
        own = self._keys(found.span)
        if own.intersection(name for name, _ in fields):
            fields = [(name, value) for name, value in fields if name in own or value not in _NOTHING]
        effects = []
        for name, keys in found.effects:
            for nth, key in enumerate(keys, 1):
                if len(keys) > 1 and copy and (copy - 1) % len(keys) != nth - 1:
                    continue
                label = f"{name} {nth}" if len(keys) > 1 and not copy else name
                effects.append((label, self.written(self._units[key].at)))
        text = dict(self.program.texts).get(f"{found.kind}/{definition}.text", ())
        place = f"{found.span.path}:{found.span.line}" if found.span.path else ""
        return DefinitionPage(definition, found.kind, text, tuple(fields), tuple(effects), place)

    def derived(self, kind: str, definition: str) -> dict[str, str]:
        """Return the values of a definition's derived fields at the table."""
        for number, one in enumerate(self.program.definitions):
            if (one.kind, one.key) == (kind, definition):
                found = self._fields(kind, self.worked_out.get(number, ()), 0)
                return {name: value or "none" for name, value in found}
        return {}

    def branch(self, choice: str, key: str) -> int:
        """Return the source of an option of a menu, or -1."""
        return self._branches.get((choice, key), -1)

    # -------------------------------------------------------------- inside

    def _fields(self, kind: str, fields: Iterable[tuple[str, Values]], copy: int) -> list[tuple[str, str]]:
        """Return fields of a kind with their values as text."""
        found = next((one for one in self.program.kinds if one.key == kind), None)
        types = {one.key: one.type for one in found.fields} if found else {}
        per = {one.key: one.per for one in found.fields} if found else {}
        return [
            (name, self._per_member(per[name], types.get(name), values))
            if per.get(name)
            else (name, self._values(types.get(name), values, copy))
            for name, values in fields
        ]

    def _keys(self, span: Span) -> set[str]:
        """Return the keys that the document of a definition writes: its other fields have their defaults."""
        lines = self.sources.get(span.path, "").split("\n")[span.line - 1 :]
        document = takewhile(lambda line: line.rstrip() != "---", lines)
        return {line.partition(":")[0] for line in document if line[:1].isalpha()}

    def _values(self, type_: Any, values: Values, copy: int) -> str:
        if len(values) > 1 and copy:
            values = (values[(copy - 1) % len(values)],)
        return "; ".join(
            ", ".join(self._value(type_, one) for one in value)
            if isinstance(value, tuple)
            else self._value(type_, value)
            for value in values
        )

    def _per_member(self, of: str, type_: Any, values: Values) -> str:
        """Tell the values for the members of an enumeration: `2 red, 1 blue`."""
        members = next((one.members for one in self.program.enumerations if one.key == of), ())
        row = values[0] if values and isinstance(values[0], tuple) else ()
        told = [(self._value(type_, value), name) for name, value in zip(members, row, strict=False)]
        return ", ".join(f"{value} {name}" for value, name in told if value not in _NOTHING)

    def _value(self, type_: Any, value: int) -> str:
        if type_ is None or type_.name == "number":
            return str(value)
        if type_.name == "boolean":
            return "true" if value else "false"
        members = next((one.members for one in self.program.enumerations if one.key == type_.of), ())
        if type_.name == "enumeration" and 0 <= value < len(members):
            return members[value]
        if type_.name == "definition" and 0 <= value < len(self.program.definitions):
            return self.program.definitions[value].key
        return "none" if value < 0 else str(value)

    @cached_property
    def _units(self) -> dict[str, p.Unit]:
        return {unit.key: unit for unit in self.program.units}

    @cached_property
    def _branches(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = {}
        for unit in (*self.program.units, self.program.main):
            for statement in unit.body:
                for node in everything(statement):
                    if isinstance(node, p.Menu | p.MenuTogether):
                        found.update({(node.prompt.key, branch.key): branch.at for branch in node.branches})
        return found

    def _rules(self, path: str) -> dict[Span, str]:
        """Map the name of each option or step in a file to its `do`."""
        if path not in self._read:
            documents, _ = read_documents(path, self.sources.get(path, ""))
            self._read[path] = {span: text for document in documents for span, text in _rules(document.root)}
        return self._read[path]


def _rules(node: Node) -> Iterator[tuple[Span, str]]:
    for item in node.items if isinstance(node, SequenceNode) else ():
        yield from _rules(item)
    if not isinstance(node, MappingNode):
        return
    for entry in node.entries:
        value = entry.value
        does = Step.made_of(node).do if entry.key.text == "id" else value
        if isinstance(does, MappingNode):
            does = Step.made_of(does).do
        yield entry.key.span, does.text.strip() if isinstance(does, ScalarNode) else ""
        yield from _rules(value)
