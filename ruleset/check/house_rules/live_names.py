"""Which names the rules still use, and which change of a pack took the last use of a name away.

A use counts only if it can matter: not in a verb, function, or derived field that nothing uses, nor in code that a
hook replaces in all cases. All other code counts, since it may run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.compose.anchors import Place
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.program.nodes import Reference
from rulewright.ruleset.source.node_edit import part
from rulewright.ruleset.source.nodes import Mapping, Node, Scalar, Sequence, plain
from rulewright.ruleset.source.reader import Document

GIVES = ("is", "cases")
"""The keys of a derived field with its value."""


@frozen(repr=False)
class Replacement(Record):
    """A hook of a pack that replaces the code at a place in all cases."""

    pack: str
    span: Span
    place: Place


class LiveNames:
    """Finds the names with a use that counts: `function/fits`, `verb/draw`, `value/size`, `field/KIND.NAME`."""

    def __init__(
        self,
        documents: dict[int, Document],
        declared: Declared,
        references: Iterable[Reference],
        replacements: Iterable[Replacement],
    ) -> None:
        self._by_line: dict[tuple[str, int], list[tuple[Span, str | Replacement]]] = {}
        self._users: dict[str, set[str | Replacement]] = {}
        """For each name, what uses it: names, replacements of code with a use, and "" for anything else."""
        for one in replacements:
            document = documents.get(one.place.document)
            if document is not None:
                self._hold(one, part(document.root, one.place.path))
        for name, node in _holders(documents, declared):
            self._hold(name, node)
        for reference in references:
            self._users.setdefault(reference.what, set()).add(self._holder(reference.span))
        self.live = self._reach()

    def takers(self, name: str) -> Iterator[str | Replacement]:
        """Yield why a name has no use that counts: itself and the unused names that use it, and replacements."""
        waiting: list[str | Replacement] = [name]
        seen = set(waiting)
        while waiting:
            one = waiting.pop()
            yield one
            more = self._users.get(one, set()) - seen if isinstance(one, str) else set()
            seen |= more
            waiting += sorted(more, key=str)

    def _hold(self, holder: str | Replacement, node: Node | None) -> None:
        for scalar in _scalars(node):
            for line in range(scalar.span.line, scalar.span.end_line + 1):
                self._by_line.setdefault((scalar.span.path, line), []).append((scalar.span, holder))

    def _holder(self, span: Span) -> str | Replacement:
        """Return what holds a place: first the replacement of its code, else the name that it belongs to."""
        held = self._by_line.get((span.path, span.line), ())
        return next((holder for around, holder in held if span.within(around)), "")

    def _reach(self) -> frozenset[str]:
        uses: dict[str, list[str]] = {}
        for name, users in self._users.items():
            for user in users:
                if isinstance(user, str):
                    uses.setdefault(user, []).append(name)
        found: set[str] = set()
        waiting = [""]
        while waiting:
            new = [name for name in uses.get(waiting.pop(), ()) if name not in found]
            found.update(new)
            waiting += new
        return frozenset(found)


def _holders(documents: dict[int, Document], declared: Declared) -> Iterator[tuple[str, Node]]:
    """Yield what each verb, function, and derived field consists of."""
    verbs = {verb.span: key for key, verb in declared.verbs.items()}
    for document in documents.values():
        first = document.root.entries[0].value
        if document.kind == "function":
            name = f"function/{plain(first)}"
        elif document.kind == "verb" and first.span in verbs:
            name = f"verb/{verbs[first.span]}"
        else:
            yield from _derived(document, declared)
            continue
        for entry in document.root.entries[1:]:
            yield name, entry.value


def _derived(document: Document, declared: Declared) -> Iterator[tuple[str, Node]]:
    """Yield the values of the derived fields that a document declares."""
    for kind in declared.kinds.values() if document.kind in ("pack", "kinds") else ():
        for field, key in product(kind.fields, GIVES):
            value = part(document.root, ("kinds", kind.key, "fields", field, key))
            if value is not None:
                yield f"field/{kind.key}.{field}", value


def _scalars(node: Node | None) -> Iterator[Scalar]:
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield from _scalars(entry.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _scalars(item)
    elif isinstance(node, Scalar):
        yield node
