"""Choose the definitions that `every KIND where …` means, from what the author of a change could know.

The condition is decided after the changes of the packs that the author's pack comes after, of those in the change's
`only-with`, and the earlier changes of the pack itself. Definitions of other packs are included as they declare
them. Changes by other packs do not count, so the names of packs decide nothing.
"""

from __future__ import annotations

from functools import cached_property
from typing import Self

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.compose.anchors import Place
from rulewright.ruleset.compose.change import Patch
from rulewright.ruleset.compose.inserts import Inserting
from rulewright.ruleset.compose.selector import Fields, read_condition
from rulewright.ruleset.documents.kinds import SECTIONS
from rulewright.ruleset.documents.sections import ExpressionEntry
from rulewright.ruleset.source.nodes import Mapping as Block
from rulewright.ruleset.source.nodes import plain

Chosen = tuple[str, ...]
"""Ids of definitions."""


class EveryResolver(Inserting):
    """Finds the definitions that `every` means. A view has the changes of only some packs."""

    view_of: Patch | None = None
    """The change whose author sees exactly this view; None for all packs together."""

    # implemented by the composer
    def make(self, patch: Patch) -> None:
        """Make one change."""
        raise NotImplementedError

    def every(self, patch: Patch) -> list[Place]:
        """Return the places of the chosen definitions that still exist."""
        number = id(patch)
        if number not in self.chosen:
            self.chosen[number] = self.seen_by(patch)._choice(patch, self)
        found = (self.anchors.find(id_) for id_ in self.chosen[number])
        return [place for place in found if place is not None]

    def seen_by(self, patch: Patch) -> Self:
        """Return all documents with the changes that the author of a change could know."""
        after = self.resolved.comes_after[patch.pack]
        known = {patch.pack, *after}
        if self.view_of is None:
            there = {need.pack for need in patch.only_with} & set(self.resolved.sees)
            known.update(there, *(self.resolved.comes_after[one] for one in there))
        made = {deed.pack for deed in self.deeds.noted}
        others = [one for one in self.patches if one.pack in known and one.pack != patch.pack]
        if made <= known and all(self._numbers[id(one)] < self._numbers[id(patch)] for one in others):
            return self
        view = type(self)(self.packs, self.resolved, self.renamed, self.deeds.without)
        view.view_of = patch
        view.patches = [one for one in self.patches if one.pack in known]  # the same records: `chosen` knows them
        view.chosen = {
            id(one): self.chosen[id(one)] for one in view.patches if one.pack in after and id(one) in self.chosen
        }
        numbers = self._numbers
        for one in view.patches:
            if one.pack != patch.pack:
                view.make(one)
        for one in view.patches:
            if one.pack == patch.pack and numbers[id(one)] < numbers[id(patch)]:
                view.make(one)
        return view

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """The position of each change in the order of changes."""
        return {id(one): number for number, one in enumerate(self.patches)}

    def _choice(self, patch: Patch, reporting: EveryResolver) -> Chosen:
        """Return the ids of the definitions for which the condition of a change holds."""
        places = list(self.anchors.of(patch.sort))
        seen = self.resolved.sees[patch.pack]
        if not places:
            sorts = sorted({document.kind for document in self.documents if document is not None})
            kinds = [kind for kind in sorts if kind not in ("pack", *SECTIONS)]
            hint = "known kinds: " + ", ".join(f"`{kind}`" for kind in kinds[:12])
            reporting.report("RW620", patch.span, f"no pack has a document of kind `{patch.sort}`", hint)
            return ()
        if patch.condition is not None:
            fits = self._fitting(patch, places)
            if isinstance(fits, Diagnostic):
                reporting.found.append(fits)
                return ()
            places = fits
        own = [place for place in places if self.owners[place.document] in seen]
        if (patch.matches is not None and len(own) != patch.matches) or not own:
            count = "nothing" if not own else f"{len(own)}"
            message = f"this matches {count}" + (f"; `matches` expects {patch.matches}" if patch.matches else "")
            names = ", ".join(place.id.partition("/")[2] for place in own)
            hint = f"it matches {names}" if own else "check the condition; `rulewright show` lists all definitions"
            reporting.report("RW621", patch.span, message, hint)
            return ()
        return tuple(place.id for place in places)

    def _fitting(self, patch: Patch, places: list[Place]) -> list[Place] | Diagnostic:
        assert patch.condition is not None
        known = self.resolved.comes_after[patch.pack] | {patch.pack} | {need.pack for need in patch.only_with}
        defaults = self._defaults(patch.sort)
        fields = {place: self._fields(place, defaults) for place in places}
        names = dict.fromkeys(defaults)
        for place, one in fields.items():
            if self.owners[place.document] in known:
                names |= dict.fromkeys(one)
        words = tuple(name for name in names if name != "it")
        condition = read_condition(patch.target, patch.condition, words, self._added(patch.sort, known))
        if isinstance(condition, Diagnostic):
            return condition
        chosen = []
        for place, one in fields.items():
            holds = condition.holds(one)
            if isinstance(holds, Diagnostic):
                return holds
            if holds:
                chosen.append(place)
        return chosen

    def _added(self, kind: str, known: frozenset[str]) -> dict[str, str]:
        """Return the fields that packs unknown to an author add to a kind, each with the first such pack."""
        found: dict[str, str] = {}
        for patch in self.all_patches:
            if patch.id == f"kind/{kind}" and patch.pack not in known:
                for member in patch.added:
                    if member.path in (("fields",), ("effects",), ("expressions",)):
                        found.setdefault(member.word, patch.pack)
        return found

    def _defaults(self, kind: str) -> dict[str, object]:
        """Return the fields of a kind with their defaults; None for fields without a default."""
        node = self.kind(kind)
        found: dict[str, object] = {}
        for group in ("fields", "effects", "expressions"):
            declared = node.get(group) if isinstance(node, Block) else None
            for entry in declared.entries if isinstance(declared, Block) else ():
                default = ExpressionEntry.made_of(entry.value).default
                found[entry.key.text] = plain(default) if default is not None else None
        return found

    def _fields(self, place: Place, defaults: dict[str, object]) -> Fields:
        node = self.anchors.node(place)
        said = plain(node) if isinstance(node, Block) else {}
        return {**defaults, **said, "it": place.id.partition("/")[2]}
