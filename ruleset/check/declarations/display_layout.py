"""Check the `layout` of a pack: every name must exist, and appear only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.ruleset.check.bots import Sight
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.play import LayoutDocument, PileDisplay
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import ScalarNode, texts_of


def table_layout(
    declared: Declared, poisoned: frozenset[str], sight: Sight, functions: Sequence[p.Function]
) -> tuple[p.TableLayout | None, tuple[Diagnostic, ...]]:
    """Return the layout of a pack, or None, and the findings. `sight` decides who may see a function."""
    if not declared.all_of(LayoutDocument):
        return None, ()
    first, *others = declared.all_of(LayoutDocument).values()
    reading = _Reading(declared, poisoned, sight, {one.unit.key: one.unit for one in functions})
    for other in others:
        label = Label(first.span, "the first one")
        message = "a pack has only one `layout`, and this is another"
        reading.report("RW332", other.span, message, "merge them", label)
    return reading.layout(first), tuple(reading.found)


class _Reading:
    def __init__(
        self, declared: Declared, poisoned: frozenset[str], sight: Sight, functions: Mapping[str, p.Unit]
    ) -> None:
        self.declared = declared
        self.poisoned = poisoned
        self.sight = sight
        self.functions = functions
        self.found: list[Diagnostic] = []
        self.seen: dict[str, Span] = {}

    def report(self, code: str, span: Span, message: str, hint: str | None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def layout(self, layout: LayoutDocument) -> p.TableLayout:
        groups = []
        for group in layout.groups:
            placed = tuple(self._placed(item) for item in group.show)
            texts = texts_of(group.name) if group.name is not None else ()
            groups.append(p.LayoutGroup(texts, tuple(one for one in placed if one is not None)))
        hidden = [item for item in layout.hidden if self._known(item)]
        self.seen = {}
        untold = [item for item in layout.untold if self._known(item)]
        return p.TableLayout(
            tuple(groups), tuple(item.text for item in hidden), tuple(item.text for item in untold)
        )

    def _placed(self, item: ScalarNode | Keyed[ScalarNode | PileDisplay]) -> p.Placed | None:
        if isinstance(item, ScalarNode) and item.text in self.declared.functions:
            return self._function(item) if self._first(item) else None
        if isinstance(item, ScalarNode):
            return p.Placed(item.text, "") if self._known(item) else None
        if item.key.text not in self.declared.functions and not self._known(item.key):
            return None
        if isinstance(item.value, PileDisplay):
            return self._of_definitions(item.key, item.value)
        if item.key.text not in self.declared.zones:
            message = f"`{item.key.text}` is not a zone, and only zones can be shown in several forms"
            self.report("RW333", item.value.span, message, f"write only `{item.key.text}`")
            return None
        return p.Placed(item.key.text, item.value.text)  # type: ignore[arg-type]  # one of the words of the schema

    def _function(self, name: ScalarNode) -> p.Placed | None:
        """Place the values of a function for the players who may see all that it reads, or report a finding."""
        function, unit = self.declared.functions[name.text], self.functions.get(name.text)
        gives, takes = function.gives or BOOLEAN, [type_ for _, type_ in function.takes]
        if gives not in (NUMBER, BOOLEAN) or takes not in ([], [PLAYER]):
            message = f"`{name.text}` cannot be shown: it takes or gives something else"
            hint = "a layout shows functions of a player, or without parameters, that give a number or a condition"
            self.report("RW362", name.span, message, hint)
            return None
        if unit is None:  # it has a finding of its own
            return None
        hidden = self.sight.unseen_in(unit, ())
        if hidden is not None and (not takes or self.sight.unseen_in(unit, (0,)) is not None):
            message = f"`{name.text}` cannot be shown: it uses {hidden}, which players cannot see"
            self.report("RW362", name.span, message, "use only what everybody sees, or what its player sees")
            return None
        return p.Placed(
            name.text,
            "",
            shown="game" if not takes else "all" if hidden is None else "owner",
            boolean=gives == BOOLEAN,
        )

    def _of_definitions(self, key: ScalarNode, told: PileDisplay) -> p.Placed | None:
        """Place the zones of a kind's definitions as one group, or report a finding."""
        declared = self.declared
        zone = declared.zones.get(key.text)
        kind = declared.kinds.get(zone[1].of) if zone is not None and zone[1].scope == "definition" else None
        if kind is None:
            message = f"`{key.text}` is not a zone that each definition of a kind has"
            self.report("RW334", told.node.span, message, f"write only `{key.text}`, or a form such as `count`")
            return None
        of, field = told.of, told.with_
        if of is not None:
            fitting = [
                name
                for name, (_, info) in declared.lists.items()
                if info.scope == "game" and info.of.one == Type("definition", kind.key)
            ]
            if of.text not in fitting:
                near = nearest(of.text, fitting)
                declare = f"declare it under `lists`: `{of.text}: {{of: {kind.key}}}`"
                message = f"`{of.text}` is not a list of definitions of kind `{kind.key}`"
                self.report("RW334", of.span, message, f"did you mean `{near}`?" if near else declare)
                return None
        if field is not None and field.text not in kind.fields:
            near = nearest(field.text, list(kind.fields))
            hint = f"did you mean `{near}`?" if near else f"it has {listed(kind.fields)}"
            self.report("RW334", field.span, f"the kind `{kind.key}` has no field `{field.text}`", hint)
            return None
        return p.Placed(
            key.text,
            "",
            of.text if of is not None else "",
            field.text if field is not None else "",
        )

    def _known(self, name: ScalarNode) -> bool:
        """Whether a name exists and appears for the first time; otherwise report it."""
        word = name.text
        declared = self.declared
        known = (*declared.zones, *declared.tracks, *declared.lists, "score")
        if word not in known:
            if word not in self.poisoned:
                near = nearest(word, (*known, *declared.functions))
                hint = f"did you mean `{near}`?" if near else "a layout names zones, tracks and lists"
                self.report("RW330", name.span, f"there is no zone, track or list `{word}`", hint)
            return False
        return self._first(name)

    def _first(self, name: ScalarNode) -> bool:
        """Whether a name appears for the first time; otherwise report it."""
        word = name.text
        if word in self.seen:
            label = Label(self.seen[word], "first here")
            self.report("RW331", name.span, f"`{word}` is listed twice", "remove one of them", label)
            return False
        self.seen[word] = name.span
        return True
