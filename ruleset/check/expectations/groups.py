"""Groups of definitions that are weighed against each other."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.declarations.printed_conditions import PrintedConditions
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.documents.expectations import Expect, ExpectGroup
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.program.expectations import WeighedGroup
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.source.yaml_access import texts_of


class GroupChecker:
    """Checks the groups of expectations."""

    def __init__(self, context: Context, conditions: PrintedConditions) -> None:
        self._context = context
        self._conditions = conditions

    def groups(self, expect: Expect) -> tuple[WeighedGroup, ...]:
        """Return the groups of a document; those with findings are left out."""
        found: list[WeighedGroup] = []
        taken: dict[str, Keyed[ExpectGroup]] = {}
        for entry in expect.groups:
            group = self._group(entry)
            if group is None or self._overlaps(entry, group, taken):
                continue
            found.append(group)
            taken.update(dict.fromkeys(group.ids, entry))
        return tuple(found)

    def _group(self, entry: Keyed[ExpectGroup]) -> WeighedGroup | None:
        key, kind, where = entry.key, entry.value.kind, entry.value.where
        assert kind is not None and where is not None
        declared = self._context.declared
        if key.text in declared.kinds:
            message = f"`{key.text}` is a kind, so a group cannot have this name"
            self._context.report("RW736", key.span, message, "choose another name")
            return None
        if kind.text not in declared.kinds:
            unknown_kind(self._context, kind)
            return None
        members = self._conditions.fitting(kind.text, where)
        if members is None:
            return None
        if not members:
            message = f"the group is empty: no `{kind.text}` fits `{where.text}`"
            there = tuple(self._definitions(kind.text))
            hint = "change `where`" if there else f"the pack has no `{kind.text}`"
            self._context.report("RW736", where.span, message, hint)
            return None
        names = texts_of(entry.value.name) if entry.value.name is not None else ()
        return WeighedGroup(key.text, kind.text, names, tuple(f"{kind.text}/{one}" for one in members))

    def _definitions(self, kind: str) -> Iterator[str]:
        yield from (key for key, one in self._context.declared.definitions.items() if one.kind == kind)

    def _overlaps(
        self, entry: Keyed[ExpectGroup], group: WeighedGroup, taken: dict[str, Keyed[ExpectGroup]]
    ) -> bool:
        """Whether a definition is in an earlier group, too; then report it."""
        twice = [one for one in group.ids if one in taken]
        if twice:
            other = taken[twice[0]]
            both = [one.partition("/")[2] for one in twice if taken[one] is other]
            are = "is" if len(both) == 1 else "are"
            message = f"{listed(both)} {are} in the group `{other.key.text}`, too"
            hint = "change one `where`, so that each definition is in one group at most"
            where = entry.value.where
            label = Label(other.key.span, "the other group")
            self._context.report("RW736", where.span if where is not None else entry.key.span, message, hint, label)
        return bool(twice)


def unknown_kind(context: Context, kind: Scalar) -> None:
    """Report a kind that does not exist."""
    if kind.text not in context.poisoned:
        hint = meant(kind.text, context.declared.kinds, "kinds")
        context.report("RW733", kind.span, f"there is no kind `{kind.text}`", hint)
