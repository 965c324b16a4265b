"""Translate errors of JSON Schema (2020-12) into findings in an author's words, at exact places.

For `if`/`then`, errors are those of the branch that applies; for `anyOf` and `oneOf`, those of the branch that fits
best. Each place gets one finding, the one that explains the others: an unknown key that resembles a missing
required key hides that the latter is missing.

Two keywords are our own: `x-message` replaces the message, and `x-hint` gives the hint. Each is a text or a mapping
from keywords (`pattern`, `required`, ...) to texts. A plain text does not apply to missing and unknown keys.
`{key}` and `{value}` are filled in.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Mapping as Table
from collections.abc import Sequence as Items
from copy import deepcopy
from typing import Any

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.limits import number_hint
from rulewright.ruleset.common.nearest import listed, nearest, slips
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.schema.registry import Schema, branches, is_unknown, own_text, properties, validator_of
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode, plain
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.reader import Document

# ---- Word what a schema expects and what was found, for designers

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "`key: value` lines",
    "null": "nothing",
}
_LONGEST = 40


def expected_types(types: Iterable[str]) -> str:
    """Describe JSON types: `text or a list`."""
    names = list(types)
    if "number" in names and "integer" in names:
        names.remove("integer")
    return listed([_TYPES.get(name, name) for name in names], "or", quoted=False)


def describe(node: Node) -> str:
    """Describe a node: `the text "x"`, `the number 3`, `a list`."""
    if isinstance(node, MappingNode):
        return "`key: value` lines"
    if isinstance(node, SequenceNode):
        return "a list"
    value = node.value
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"`{node.text}`"
    if isinstance(value, int | float):
        return f"the number {node.text}"
    if not value:
        return "an empty text"
    line, *more = node.text.split("\n")
    short = len(line) > _LONGEST or any(more)
    return f'the text "{line[:_LONGEST].rstrip()}{"..." if short else ""}"'


def type_hint(types: Items[str], node: Node) -> str | None:
    """Suggest what to write so that the value has one of the types."""
    if not isinstance(node, ScalarNode):
        if isinstance(node, SequenceNode) and "string" in types and node.items:
            return "write one text, without `[`, `]`, or `- `"
        return "begin each item with `- `" if isinstance(node, MappingNode) and list(types) == ["array"] else None
    value = node.value
    if value is None:
        return "write a value after the `:`, or remove the key"
    if "integer" in types and (not isinstance(value, str) or "string" not in types):
        return number_hint(node.text)
    if "string" in types and not isinstance(value, str):
        return f'put it in quotes: `"{node.text}"`'
    if "array" in types:
        return f"write a list: `[{node.text}]`" if "\n" not in node.text else "begin each item with `- `"
    if "boolean" in types and isinstance(value, str) and value.casefold() in ("yes", "on", "no", "off"):
        return f"write `{'true' if value.casefold() in ('yes', 'on') else 'false'}`"
    return None


def of_value(error: Any, place: str, node: Node) -> tuple[str, str, str | None]:
    """Return the code, message, and hint of an error about one value."""
    keyword, wanted, schema, value = error.validator, error.validator_value, error.schema, error.instance
    if keyword == "type":
        types = [wanted] if isinstance(wanted, str) else list(wanted)
        return (
            "RW203",
            f"expected {expected_types(types)} for {place}, found {describe(node)}",
            type_hint(types, node),
        )
    if keyword in ("enum", "const"):
        choices = [written(one) for one in (wanted if keyword == "enum" else [wanted])]
        near = nearest(value, [one for one in choices if isinstance(one, str)]) if isinstance(value, str) else None
        hint = f"did you mean `{near}`?" if near else None
        return "RW204", f"expected {listed(choices, 'or')} for {place}, found {describe(node)}", hint
    if keyword == "pattern":
        hint = example_of(schema, None) or f"it must match the regular expression `{wanted}`"
        message = f"{describe(node)} is not a valid value for {place}"
        return "RW205", message.replace("value for this key", "key"), hint
    if keyword in _BOUNDS:
        return "RW206", f"expected {_range(schema)} for {place}, found {describe(node)}", None
    if keyword in _LENGTHS:
        unit = {"Items": "item", "Length": "character", "Properties": "entry"}[keyword[3:]]
        return (
            "RW207",
            f"{place} has {_many(len(value), unit)}; expected {_length(schema, keyword, unit)}",
            None,
        )
    if keyword in ("items", "unevaluatedItems") and isinstance(node, SequenceNode):
        most = len(schema.get("prefixItems", ()))
        return "RW207", f"{place} has {_many(len(value), 'item')}; expected at most {_many(most, 'item')}", None
    if keyword == "contains":
        return "RW207", f"{place} lacks a required item", example_of(wanted, None)
    if keyword == "not":
        together = wanted.get("required") if isinstance(wanted, Table) else None
        if together and len(together) > 1:
            return "RW209", f"{listed(together, 'and')} cannot be used together", "keep one of them"
        if together:
            return "RW209", f"`{together[0]}` is not allowed here", "remove it"
        if wanted == {}:
            return "RW209", f"{place} is not allowed here", "remove it"
    return "RW210", f"{describe(node)} is not allowed for {place}", None


_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_LENGTHS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")


def _range(schema: Schema) -> str:
    low = schema.get("minimum")
    high = schema.get("maximum")
    if "exclusiveMinimum" in schema:
        low = f"more than {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema:
        high = f"less than {schema['exclusiveMaximum']}"
    step = f"a multiple of {schema['multipleOf']}" if "multipleOf" in schema else None
    if low is not None and high is not None and not isinstance(low, str) and not isinstance(high, str):
        words: list[str | None] = [f"{low} to {high}", step]
    else:
        words = [
            f"at least {low}" if isinstance(low, int | float) else low,
            f"at most {high}" if isinstance(high, int | float) else high,
            step,
        ]
    return ", ".join(word for word in words if word)


def _length(schema: Schema, keyword: str, unit: str) -> str:
    low, high = schema.get(f"min{keyword[3:]}"), schema.get(f"max{keyword[3:]}")
    if low is not None and high is not None:
        return _many(low, unit) if low == high else f"{low} to {_many(high, unit)}"
    if low is not None:
        return f"at least {_many(low, unit)}"
    return f"at most {_many(high or 0, unit)}"


def _many(number: int, unit: str) -> str:
    plural = "entries" if unit == "entry" else f"{unit}s"
    return f"{number or 'no'} {unit if number == 1 else plural}"


def written(value: Any) -> str:
    """Write a schema's constant as in YAML."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def filled(text: str, key: str, value: Any) -> str:
    """Fill in `{key}`, `{value}`, and `{version}` (the value with three numbers) in a schema's own text."""
    if "{version}" in text:
        text = text.replace("{version}", ".".join([*re.findall(r"[0-9]+", str(value)), "0", "0", "0"][:3]))
    shown = "this" if isinstance(value, dict | list) else "nothing" if value is None else written(value)
    return text.replace("{key}", key).replace("{value}", shown)


def example_of(schema: Any, key: str | None) -> str | None:
    """Return a hint from the schema's `x-hint` or examples."""
    if not isinstance(schema, Table):
        return None
    hint = schema.get("x-hint")
    if isinstance(hint, str):
        return hint
    examples = schema.get("examples")
    if isinstance(examples, list) and examples and isinstance(examples[0], str | int | bool):
        shown = written(examples[0])
        return f"for example `{key}: {shown}`" if key else f"for example `{shown}`"
    return None


def expected_kind(errors: list[Any]) -> list[str] | None:
    """Return what a branch expects if the value has the wrong type or is not in its enumeration; else None."""
    for error in errors:
        if error.relative_path:
            continue
        if error.validator == "type":
            types = error.validator_value
            return [expected_types([types] if isinstance(types, str) else types)]
        if error.validator in ("enum", "const"):
            values = error.validator_value if error.validator == "enum" else [error.validator_value]
            return [f"`{written(one)}`" for one in values]
        if error.validator in ("anyOf", "oneOf"):
            kinds = [expected_kind(inner) for inner in branches(error).values()]
            if all(kind is not None for kind in kinds):
                return [word for kind in kinds if kind for word in kind]
    return None


# ---- Find out whether an unknown key would be known one level further in or out

_NO_KEY = "no-such-key"


def is_misplaced(whole: Any, path: Sequence[str | int], key: str, validator: Any) -> bool:
    """Whether the key of the mapping at `path` would be known if it was indented differently, in `whole`."""
    before = _unknown(validator, whole)
    for moved, nonsense in _moved(whole, path, key):
        known = _unknown(validator, moved)
        if known < before and _unknown(validator, nonsense) > known:  # a mapping that takes any key proves nothing
            return True
    return False


def _unknown(validator: Any, value: Any) -> int:
    """Count the errors about unknown keys, and the unknown keys in them."""
    return sum(error.message.count("'") for error in _all(validator.iter_errors(value)) if is_unknown(error))


def _all(errors: Any) -> Iterator[Any]:
    for error in errors:
        yield error
        yield from _all(error.context or ())


def _moved(whole: Any, path: Sequence[str | int], key: str) -> Iterator[tuple[Any, Any]]:
    """Yield the document with the key moved outwards and inwards, each also with an impossible key instead."""
    targets = [path[:-1]] if path and isinstance(path[-1], str) else [path[:-2]] if len(path) > 1 else []
    holder = _at(whole, path)
    before = list(holder)[: list(holder).index(key)]
    if before and isinstance(holder[before[-1]], dict):
        targets.append((*path, before[-1]))
    for target in targets:
        if not isinstance(_at(whole, target), dict) or key in _at(whole, target):
            continue
        copies = deepcopy(whole), deepcopy(whole)
        for copied, name in zip(copies, (key, _NO_KEY), strict=True):
            _at(copied, target)[name] = _at(copied, path).pop(key)
        yield copies


def _at(whole: Any, path: Sequence[str | int]) -> Any:
    for part in path:
        whole = whole[part]
    return whole


# ------------------------------------------------------------------ Correct misspelt keys in documents
#
# A misspelling is reported where it is found. The corrected document needs no further findings: a misspelt
# section declares its names, and a misspelt kind its definitions.

def respelt(document: Document, meant: Mapping[Span, str]) -> Document:
    """Replace the keys at the given places."""
    root = _node(document.root, meant)
    assert isinstance(root, Block)
    return evolve(document, root=root, kind=root.entries[0].key.text)


def _node(node: Node, meant: Mapping[Span, str]) -> Node:
    if isinstance(node, SequenceNode):
        return evolve(node, items=tuple(_node(item, meant) for item in node.items))
    if isinstance(node, ScalarNode):
        return node
    return evolve(node, entries=tuple(_entry(entry, meant) for entry in node.entries))


def _entry(entry: MappingEntry, meant: Mapping[Span, str]) -> MappingEntry:
    word = meant.get(entry.key.span)
    key = entry.key if word is None else ScalarNode(word, word, entry.key.span, entry.key.style)
    return MappingEntry(key, _node(entry.value, meant))


def known_kinds(
    documents: Iterable[Document], kernel: Iterable[str], kinds: Iterable[str], unread: Collection[str]
) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """Correct misspelt first keys, and report them.

    A document that has another known first key among its keys has its first line elsewhere, and is left alone; so
    is one whose kind occurs in an `unread` text, which may declare it.
    """
    first = frozenset((*kernel, *kinds))
    out: list[Document] = []
    found: list[Diagnostic] = []
    for document in documents:
        key = document.root.entries[0].key
        near = nearest(document.kind, first) if document.kind not in first else None
        declared = re.compile(rf"(?<![\w-]){re.escape(document.kind)}(?![\w-])")
        if near is None or first.intersection(document.root.keys()) or any(map(declared.search, unread)):
            out.append(document)
            continue
        found.append(Diagnostic("RW310", key.span, f"there is no kind `{key.text}`", f"did you mean `{near}`?"))
        out.append(respelt(document, {key.span: near}))
    return tuple(out), tuple(found)


# ---- Explain

def check_shape(document: Document, schema: Schema, registry: Any = None) -> tuple[Diagnostic, ...]:
    """Report where a document violates its schema. `registry` (of `referencing`) contains other schemas."""
    return _Check(document, validator_of(schema, registry)).run()


def check_spelling(document: Document, schema: Schema) -> Spelt:
    """Check the shape as `check_shape` does, but correct misspelt keys, and check their contents as well."""
    keys: list[Diagnostic] = []
    while True:
        checking = _Check(document, validator_of(schema, None))
        findings = checking.run()
        if not checking.meant:
            return Spelt(document, tuple(keys), findings)
        keys.extend(finding for finding in findings if finding.span in checking.meant)
        document = respelt(document, checking.meant)


@frozen(repr=False)
class Spelt(Record):
    """A document with corrected keys, the findings about these keys, and all other findings."""

    document: Document
    keys: tuple[Diagnostic, ...]
    others: tuple[Diagnostic, ...]


_RANKS = {"RW201": 0, "RW202": 1, "RW209": 2, "RW203": 3, "RW204": 4, "RW205": 5, "RW210": 9}
"""If a place has several findings, the one with the lowest rank is kept."""
_OTHER_RANK = 6


@frozen(repr=False)
class _Check(Record):
    document: Document
    validator: Any
    findings: dict[Span, Diagnostic] = field(factory=dict)
    meant: dict[Span, str] = field(factory=dict)
    """Misspelt keys, by place, and the keys that are probably meant."""

    def run(self) -> tuple[Diagnostic, ...]:
        self._errors(self.validator.iter_errors(plain(self.document.root)))
        return tuple(sorted(self.findings.values(), key=lambda finding: finding.span))

    def _errors(self, errors: Iterable[Any]) -> None:
        """Report errors: unknown keys, then required keys that none of them resembles, then the others."""
        unknown: list[Any] = []
        rest: list[Any] = []
        meant: dict[tuple[Any, ...], set[str]] = {}
        lacking: dict[tuple[Any, ...], tuple[Any, dict[str, None]]] = {}
        for error in errors:
            if is_unknown(error):
                unknown.append(error)
            elif error.validator == "required":
                _, keys = lacking.setdefault(tuple(error.absolute_path), (error, {}))
                keys.update(dict.fromkeys(key for key in error.validator_value if key not in error.instance))
            else:
                rest.append(error)
        for error in unknown:
            path = tuple(error.absolute_path)
            _, keys = lacking.get(path, (error, {}))
            meant.setdefault(path, set()).update(self._unknown(error, keys))
        for path, (error, keys) in lacking.items():
            self._missing(error, [key for key in keys if key not in meant.get(path, ())])
        for error in rest:
            if error.validator == "dependentRequired":
                self._dependent(error, meant.get(tuple(error.absolute_path), set()))
            else:
                self._error(error)

    def _error(self, error: Any) -> None:
        keyword = error.validator
        if keyword in ("anyOf", "oneOf") and own_text(error, "x-message", keyword) is None:
            self._alternatives(error)
        elif "propertyNames" in error.schema_path:
            self._key_form(error)
        elif keyword == "false":
            self._forbidden(error)
        elif keyword == "uniqueItems":
            self._repeated(error)
        else:
            node, span = self._node(error.absolute_path), self._span(error.absolute_path)
            code, message, hint = of_value(error, self._place(error), node)
            if keyword == "maxProperties" and isinstance(node, MappingNode):
                extra = node.entries[error.validator_value].key
                if extra.span.line > span.line and isinstance(error.absolute_path[-1], int):
                    span, hint = extra.span, f"begin another item before it: `- {extra.text}: …`"
            self._report(code, span, error, message, hint)

    def _report(
        self,
        code: str,
        span: Span,
        error: Any,
        message: str,
        hint: str | None,
        *,
        labels: tuple[Label, ...] = (),
        key: str | None = None,
    ) -> None:
        """Keep a finding, with the schema's own texts if any, unless its place already has a better one."""
        known = self.findings.get(span)
        rank = _RANKS.get(code, _OTHER_RANK)
        if known is not None and rank >= _RANKS.get(known.code, _OTHER_RANK):
            return
        if key is None:
            key = next((part for part in reversed(error.absolute_path) if isinstance(part, str)), "")
        own = own_text(error, "x-message", error.validator)
        told = own_text(error, "x-hint", error.validator)
        message = message if own is None else filled(own, key, error.instance)
        if told is not None and not (hint or "").startswith("did you mean"):
            hint = filled(told, key, error.instance)
        self.findings[span] = Diagnostic(code, span, message, hint, labels)

    # -------------------------------------------------------------- keys

    def _unknown(self, error: Any, lacking: Iterable[str]) -> set[str]:
        """Report keys that the schema does not know. Return the keys that they probably mean.

        Of `lacking`, the required keys that are missing, even those of two letters can be meant.
        """
        node = self._node(error.absolute_path)
        if not isinstance(node, MappingNode):
            return set()
        present = node.keys()
        known = properties(error.schema, error.instance, self.validator)
        free = sorted(set(known).difference(present))
        patterns = error.schema.get("patternProperties", {})
        meant: set[str] = set()
        strangers: list[ScalarNode] = []
        for entry in node.entries:
            name = entry.key.text
            if name in known or any(re.search(pattern, name) for pattern in patterns):
                continue
            if error.validator == "unevaluatedProperties" and repr(name) not in error.message:
                continue
            near = nearest(name, free) or next((key for key in lacking if _one_slip(name, key)), None)
            if near is None:
                strangers.append(entry.key)
                continue
            meant.add(near)
            self.meant[entry.key.span] = near
            message = f"{self._owner(error.absolute_path)} has no key `{name}`"
            self._report("RW201", entry.key.span, error, message, f"did you mean `{near}`?", key=name)
        for keys in [strangers] if len(strangers) > 2 else [[key] for key in strangers]:  # many are one mistake
            names = [key.text for key in keys]
            hint = f"known keys: {listed(free, 'and')}" if free else None
            holder = next((part for part in reversed(error.absolute_path) if isinstance(part, str)), None)
            if holder is not None and any(" " in name for name in names):
                hint = f"several lines of effect need `|` after the key: write `{holder}: |`"
            elif is_misplaced(plain(self.document.root), list(error.absolute_path), names[0], self.validator):
                hint = "is it indented too little or too much?"
            message = f"{self._owner(error.absolute_path)} has no key{'s' * (len(keys) > 1)} {listed(names, 'and')}"
            self._report("RW201", keys[0].span, error, message, hint, key=names[0])
        return meant

    def _missing(self, error: Any, keys: list[str]) -> None:
        if not keys:
            return
        owner = self._owner(error.absolute_path)
        message = f"{owner} requires {listed(keys, 'and')}"
        known = properties(error.schema, error.instance, self.validator)
        hint = next((text for key in keys if (text := example_of(known.get(key), key))), None)
        self._report("RW202", self._key_span(error.absolute_path), error, message, hint, key=keys[0])

    def _key_form(self, error: Any) -> None:
        node = self._node(error.absolute_path)
        name = error.instance
        key = node.key(name) if isinstance(node, MappingNode) else None
        if key is not None:
            code, message, hint = of_value(error, "this key", key)
            self._report(code, key.span, error, message, hint, key=name)

    def _forbidden(self, error: Any) -> None:
        """Report a key whose schema is `false`."""
        *path, key = error.absolute_path
        message = f"{self._owner(path)} cannot have `{key}` here"
        self._report("RW201", self._key_span([*path, key]), error, message, "remove it")

    def _dependent(self, error: Any, meant: set[str]) -> None:
        for name, needed in error.validator_value.items():
            absent = [key for key in needed if key not in error.instance and key not in meant]
            if name in error.instance and absent:
                words = listed(absent, "and")
                span = self._key_span([*error.absolute_path, name])
                self._report("RW209", span, error, f"`{name}` requires {words}", f"add {words}")

    # -------------------------------------------------------------- values

    def _repeated(self, error: Any) -> None:
        node = self._node(error.absolute_path)
        seen: dict[str, Node] = {}
        for item in node.items if isinstance(node, SequenceNode) else ():
            first = seen.setdefault(repr(plain(item)), item)
            if first is not item:
                message = f"{describe(item)} appears twice in {self._place(error)}"
                labels = (Label(first.span, "first here"),)
                self._report("RW208", item.span, error, message, "remove one of them", labels=labels)

    def _alternatives(self, error: Any) -> None:
        """Report the errors of the branch that fits best; if none accepts the type, name all expected types."""
        errors = branches(error)
        kinds = {index: expected_kind(inner) for index, inner in errors.items()}
        fitting = [index for index, kind in kinds.items() if kind is None]
        if fitting:
            self._errors(errors[min(fitting, key=lambda index: (_shallowest(errors[index]), index))])
            return
        wanted = [word for kind in kinds.values() if kind for word in kind]
        node = self._node(error.absolute_path)
        expected = listed(wanted, "or", quoted=False)
        code, message = "RW203", f"expected {expected} for {self._place(error)}, found {describe(node)}"
        if not wanted:
            code, message = "RW210", f"{describe(node)} is not allowed for {self._place(error)}"
        self._report(code, self._span(error.absolute_path), error, message, None)

    # -------------------------------------------------------------- places

    def _node(self, path: Any) -> Node:
        node: Node = self.document.root
        for part in path:
            if isinstance(node, MappingNode):
                node = node.get(part) or node
            elif isinstance(node, SequenceNode):
                node = node.items[part]
        return node

    def _span(self, path: Any) -> Span:
        """Return the place of a value; if it spans several lines, that of its key or its first line."""
        node = self._node(path)
        if isinstance(node, ScalarNode) or node.span.line == node.span.end_line:
            return node.span
        return self._key_span(path)

    def _key_span(self, path: Any) -> Span:
        """Return the place of the key of a value; for the document and for items of lists, their first key."""
        node = self._node(path)
        if path and isinstance(path[-1], str):
            holder = self._node(list(path)[:-1])
            key = holder.key(path[-1]) if isinstance(holder, MappingNode) else None
            if key is not None:
                return key.span
        if isinstance(node, MappingNode) and node.entries:
            return node.entries[0].key.span
        if isinstance(node, SequenceNode) and node.items and node.span.line != node.span.end_line:
            return node.items[0].span
        return node.span

    def _owner(self, path: Any) -> str:
        """Describe the owner of a key or item."""
        key = next((part for part in reversed(path) if isinstance(part, str)), None)
        return f"`{self.document.kind}`" if key is None else f"`{key}`"

    def _place(self, error: Any) -> str:
        """Describe the value that has the error."""
        path = error.absolute_path
        if not path:
            return "the document"
        return f"`{path[-1]}`" if isinstance(path[-1], str) else f"item {path[-1] + 1} of {self._owner(path)}"


def _one_slip(word: str, other: str) -> bool:
    """Return whether two words that share a letter differ by one typing slip."""
    return not set(word).isdisjoint(other) and slips(word, other, 1) == 1


def _shallowest(errors: list[Any]) -> tuple[int, int]:
    """Sort key of branches: first those that failed at the greatest depth, then those with fewer errors."""
    return -min(len(error.relative_path) for error in errors), len(errors)
