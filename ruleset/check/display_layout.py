"""The `layout` of a pack -> how its table is shown: every name is looked up, and shown once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruleset.common.diagnostic import Diagnostic, Label
from ruleset.common.nearest import nearest
from ruleset.common.span import Span
from ruleset.declare.declarations import Declared, Named
from ruleset.language.types import Type
from ruleset.program import nodes as p
from ruleset.source.reader import Mapping, Scalar, Sequence
from ruleset.source.yaml_access import texts_of


def table_layout(
    declared: Declared, poisoned: frozenset[str]
) -> tuple[p.TableLayout | None, tuple[Diagnostic, ...]]:
    """The layout of a pack, if it has one."""
    first, *others = declared.layouts.values() if declared.layouts else (None,)
    if first is None:
        return None, ()
    reading = _Reading(declared, poisoned)
    for other in others:
        label = Label(first.span, "the first one")
        reading.report("RW332", other.span, "a pack has one layout, and this is another", "make them one", label)
    return reading.layout(first), tuple(reading.found)


class _Reading:
    def __init__(self, declared: Declared, poisoned: frozenset[str]) -> None:
        self.declared = declared
        self.poisoned = poisoned
        self.found: list[Diagnostic] = []
        self.seen: dict[str, Span] = {}

    def report(self, code: str, span: Span, message: str, hint: str | None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def layout(self, named: Named) -> p.TableLayout:
        groups = []
        for group in _items(named.body, "groups"):
            placed = tuple(self._placed(item) for item in _items(group, "show"))
            name = group.get("name") if isinstance(group, Mapping) else None
            texts = texts_of(name) if name is not None else ()
            groups.append(p.LayoutGroup(texts, tuple(one for one in placed if one is not None)))
        hidden = [item for item in _items(named.body, "hidden") if isinstance(item, Scalar) and self._known(item)]
        self.seen = {}
        untold = [item for item in _items(named.body, "untold") if isinstance(item, Scalar) and self._known(item)]
        return p.TableLayout(
            tuple(groups), tuple(item.text for item in hidden), tuple(item.text for item in untold)
        )

    def _placed(self, item: Any) -> p.Placed | None:
        if isinstance(item, Scalar):
            return p.Placed(item.text, "") if self._known(item) else None
        if not isinstance(item, Mapping) or not item.entries:
            return None
        entry = item.entries[0]
        if not self._known(entry.key):
            return None
        if isinstance(entry.value, Mapping):
            return self._of_definitions(entry.key, entry.value)
        if not isinstance(entry.value, Scalar):
            return None
        if entry.key.text not in self.declared.zones:
            message = f"`{entry.key.text}` is no zone, and only the cards of a zone can be told in several forms"
            self.report("RW333", entry.value.span, message, f"write only `{entry.key.text}`")
            return None
        return p.Placed(entry.key.text, entry.value.text)  # type: ignore[arg-type]  # one of the words of the schema

    def _of_definitions(self, key: Scalar, told: Mapping) -> p.Placed | None:
        """A zone that each definition of a kind has, told in one piece; else a finding."""
        declared = self.declared
        zone = declared.zones.get(key.text)
        kind = declared.kinds.get(zone[1].of) if zone is not None and zone[1].scope == "definition" else None
        if kind is None:
            message = f"there is not one `{key.text}` for each definition of a kind"
            self.report("RW334", told.span, message, f"write only `{key.text}`, or a form such as `count`")
            return None
        of, field = told.get("of"), told.get("with")
        if isinstance(of, Scalar):
            fitting = [
                name
                for name, (_, info) in declared.lists.items()
                if info.scope == "game" and info.of.one == Type("definition", kind.key)
            ]
            if of.text not in fitting:
                near = nearest(of.text, fitting)
                hint = f"did you mean `{near}`?" if near else f"declare it in `lists`, as `{{of: {kind.key}}}`"
                self.report("RW334", of.span, f"`{of.text}` is no list of definitions of `{kind.key}`", hint)
                return None
        if isinstance(field, Scalar) and field.text not in kind.fields:
            near = nearest(field.text, list(kind.fields))
            hint = f"did you mean `{near}`?" if near else f"its fields: {', '.join(kind.fields)}"
            self.report("RW334", field.span, f"the kind `{kind.key}` has no field `{field.text}`", hint)
            return None
        return p.Placed(
            key.text,
            "",
            of.text if isinstance(of, Scalar) else "",
            field.text if isinstance(field, Scalar) else "",
        )

    def _known(self, name: Scalar) -> bool:
        """Whether this can be shown, and is shown for the first time; else a finding."""
        word = name.text
        declared = self.declared
        known = (*declared.zones, *declared.tracks, *declared.lists, "score")
        if word not in known:
            if word not in self.poisoned:
                near = nearest(word, known)
                hint = f"did you mean `{near}`?" if near else "a layout lists zones, tracks and lists"
                self.report("RW330", name.span, f"there is no zone, track or list `{word}`", hint)
            return False
        if word in self.seen:
            label = Label(self.seen[word], "first here")
            self.report("RW331", name.span, f"`{word}` is listed twice", "leave one of them out", label)
            return False
        self.seen[word] = name.span
        return True


def _items(node: Any, key: str) -> Iterator[Any]:
    found = node.get(key) if isinstance(node, Mapping) else None
    if isinstance(found, Sequence):
        yield from found.items
