"""Choose the definitions that `every KIND where …` means, from what the author of a change could know.

The condition is decided after the changes of the packs that the author's pack comes after, of those in the change's
`only-with`, and the earlier changes of the pack itself. Definitions of other packs are included as they declare
them. Changes by other packs do not count, so the names of packs decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Self

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import DocumentPlace, Patch
from rulewright.ruleset.compose.edits import Inserting
from rulewright.ruleset.documents.kinds import SECTIONS
from rulewright.ruleset.documents.sections import ExpressionEntry
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import ScalarNode, plain

# ---- Evaluate `every KIND where CONDITION` in changes against the documents of definitions
#
# The condition is an expression of the effect language over the fields of the kind. It is evaluated before
# anything is declared: names are fields, and other words are members of enumerations, definitions, or tags.

Fields = Mapping[str, Any]
"""The entries of a definition as plain values; `it` is its name."""


class _WrongError(Exception):
    """The condition cannot be decided: place, message, and hint."""

    def __init__(self, node: s.SyntaxNode, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint


@frozen(repr=False)
class SelectorCondition(Record):
    """A parsed condition: `scalar` holds it from `offset` on."""

    scalar: ScalarNode
    offset: int
    tree: s.Expression
    known: tuple[str, ...]
    """The fields of the kind."""
    added: Mapping[str, str] = field(factory=dict)
    """Fields that the author does not know, each with the pack that adds it."""

    def holds(self, fields: Fields) -> bool | Diagnostic:
        """Whether it holds for a definition; a finding if it cannot be decided."""
        try:
            return bool(_value(self.tree, fields, self.known))
        except _WrongError as wrong:
            span = self.scalar.span_of(wrong.node.start + self.offset, wrong.node.end + self.offset)
            pack = self.added.get(wrong.node.text) if isinstance(wrong.node, s.NameNode) else None
            later = f"`{pack}` adds this field: add `after: [{pack}]` to the pack.yaml of this pack"
            hint = later if pack else wrong.hint
            return Diagnostic("RW627", span, wrong.message, hint)


def read_condition(
    scalar: ScalarNode, offset: int, known: tuple[str, ...], added: Mapping[str, str]
) -> SelectorCondition | Diagnostic:
    """Parse the condition in a scalar, from an offset. `known` and `added` are as in `SelectorCondition`."""
    tree = parse_expression(scalar.text[offset:])
    if isinstance(tree, Mistake):
        span = scalar.span_of(tree.start + offset, tree.end + offset)
        return Diagnostic(tree.code, span, tree.message, tree.hint)
    return SelectorCondition(scalar, offset, tree, known, added)


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def _value(node: s.Expression, fields: Fields, known: tuple[str, ...], must: bool = True) -> Any:
    """Return the value of an expression. With `must`, a word must be a field; otherwise it may stand for itself."""
    if isinstance(node, s.NumberNode):
        return node.value
    if isinstance(node, s.NameNode):
        return _word(node, fields, known, must)
    if isinstance(node, s.Of) and isinstance(node.owner, s.NameNode) and node.owner.text == "it":
        return _word(node.name, fields, known, True)
    if isinstance(node, s.Negation):
        return not _value(node.operand, fields, known)
    if isinstance(node, s.Logic):
        left = bool(_value(node.left, fields, known))
        if node.op == "and":
            return left and bool(_value(node.right, fields, known))
        return left or bool(_value(node.right, fields, known))
    if isinstance(node, s.Comparison):
        return _compared(node, fields, known) != node.negated
    hint = "use fields of the kind with `is`, `has`, `<`, `>`, `and`, `or`, and `not`"
    raise _WrongError(node, "targets are determined before a game, when this is not known", hint)


def _word(node: s.NameNode, fields: Fields, known: tuple[str, ...], must: bool) -> Any:
    word = node.text
    if word in ("true", "false"):
        return word == "true"
    if word == "none":
        return None
    if word == "it" or word in known:
        return fields.get(word)
    if not must:
        return word
    near = nearest(word, known)
    has = "known fields: " + ", ".join(known) if known else None
    raise _WrongError(node, f"the kind has no field `{word}`", f"did you mean `{near}`?" if near else has)


def _compared(node: s.Comparison, fields: Fields, known: tuple[str, ...]) -> bool:
    backwards = node.op == "in"
    left = _value(node.left, fields, known, not backwards)
    if node.op == "empty" or node.right is None:
        return not left
    right = _value(node.right, fields, known, backwards)
    if node.op == "is":
        return bool(left == right)
    if node.op in ("has", "in"):
        one, many = (left, right) if backwards else (right, left)
        return isinstance(many, list | dict) and any(one == item for item in many)
    if not isinstance(left, int) or not isinstance(right, int):
        return False  # without a number, the comparison does not hold
    return _COMPARED[node.op](left, right)


# ---- Every

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

    def every(self, patch: Patch) -> list[DocumentPlace]:
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

    def _fitting(self, patch: Patch, places: list[DocumentPlace]) -> list[DocumentPlace] | Diagnostic:
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

    def _fields(self, place: DocumentPlace, defaults: dict[str, object]) -> Fields:
        node = self.anchors.node(place)
        said = plain(node) if isinstance(node, Block) else {}
        return {**defaults, **said, "it": place.id.partition("/")[2]}
