"""The documents of a game and of the packs on top of it -> one set of documents, with what each pack changed.

All documents are there before the first change is made, so that `every KIND where …` also finds what other packs
bring. Changes are made in the order of the packs, and within a pack in the order of its files. Two packs that set
the same thing conflict, unless one comes after the other (`ruleset.dependencies`).

What is put around sentences is not written into them: `woven` says it, by the place of the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from ruleset.anchors import Place
from ruleset.collecting import SECTIONS
from ruleset.conflicts import Deed
from ruleset.dependencies import Resolved, fits
from ruleset.dependencies_faults import no_range
from ruleset.diagnostic import Diagnostic, Label
from ruleset.document import Document
from ruleset.inserting import Inserting
from ruleset.kernel_shape import Checked, check_shapes
from ruleset.nodes import Mapping as Block
from ruleset.nodes import plain
from ruleset.nodes_edit import part
from ruleset.patch import Patch
from ruleset.select import Fields, read_condition
from ruleset.span import Span
from ruleset.versions import is_range
from ruleset.weave import Insert, Weave

OF_NAMES = ("RW204", "RW309", "RW315", "RW420", "RW423", "RW430")
"""Findings about names that mean nothing: perhaps a pack removed what they meant."""
OF_BOTS = ("RW340", "RW341")
"""The same about ids of choices and keys of options, which are made of names."""
OF_SHAPES = ("RW201", "RW202", "RW203", "RW204", "RW205", "RW206", "RW207", "RW208", "RW209", "RW210")
"""Findings about what a document says: perhaps a pack changed it."""


@frozen
class Composed:
    """`documents` are what the passes go on with; `changed` those of them whose shape is to be checked again."""

    documents: tuple[Document, ...] = ()
    changed: tuple[Document, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    woven: dict[Span, Weave] = field(factory=dict)
    deeds: tuple[Deed, ...] = ()
    inserts: tuple[Insert, ...] = ()
    places: tuple[int, ...] = ()
    """The number of each document while changes were made; `Deed.place` names documents by it."""

    def explained(self, findings: Sequence[Diagnostic], sources: Mapping[str, str]) -> list[Diagnostic]:
        """Findings in one pack that another one has caused tell which, and where it makes the change."""
        gone = {deed.place.path[-1] if deed.place.path else deed.place.id.partition("/")[2]: deed
                for deed in self.deeds if deed.action == "remove"}  # fmt: skip
        told: list[Diagnostic] = []
        for finding in findings:
            deed, does = None, "removes"
            if finding.code in OF_NAMES and gone:
                deed = gone.get(_words(finding.span, sources))
            elif finding.code in OF_BOTS and gone:
                parts = re.split(r"[.:,]", _words(finding.span, sources))
                deed = next((gone[part] for part in parts if part in gone), None)
            if deed is None and finding.code in OF_SHAPES:
                deed, does = self._cause(finding.span), "changes"
            if deed is not None:
                label = Label(deed.span, f"`{deed.pack}` {does} it here")
                finding = evolve(finding, labels=(*finding.labels, label))
            told.append(finding)
        return told

    def _cause(self, span: Span) -> Deed | None:
        """The last change of what stands around a place, where that is in another file."""
        documents = dict(zip(self.places, self.documents, strict=True)) if self.places else {}
        for deed in reversed(self.deeds):
            document, path = documents.get(deed.place.document), deed.place.path[:-1]
            if document is None or span.path != document.path or span.path == deed.span.path:
                continue
            holder, around = part(document.root, path), part(document.root, path[:-1])
            key = around.key(path[-1]) if path and isinstance(around, Block) else None
            if (key is not None and key.span == span) or (holder is not None and span.within(holder.span)):
                return deed
        return None


def compose(packs: Mapping[str, Sequence[Document]], resolved: Resolved) -> Composed:
    """The documents of all packs, by pack, with their changes made. The order is that of `resolved`."""
    return _Composer(packs, resolved).run()


def recheck(composed: Composed) -> Checked:
    """All documents, after the shape of those that changed was checked again."""
    good: list[Document] = []
    tainted: list[Document] = []
    found: list[Diagnostic] = []
    changed = {id(document) for document in composed.changed}
    for document in composed.documents:
        if id(document) not in changed:
            good.append(document)
            continue
        right, wrong, findings = check_shapes([document])
        good.extend(right)
        tainted.extend(wrong)
        found.extend(findings)
    return tuple(good), tuple(tainted), tuple(found)


class _Composer(Inserting):
    def run(self) -> Composed:
        for patch in self.patches:
            if self._wanted(patch):
                for place in self._places(patch):
                    self._apply(patch, place)
        self.weave()
        documents = tuple(document for document in self.documents if document is not None)
        numbers = tuple(number for number, document in enumerate(self.documents) if document is not None)
        again = (self.documents[number] for number in sorted(self.changed))
        changed = tuple(document for document in again if document is not None)
        found = (*self.found, *self.deeds.findings)
        return Composed(documents, changed, found, self.woven, tuple(self.deeds.all), tuple(self.inserts), numbers)

    # -------------------------------------------------------------- what is changed

    def _wanted(self, patch: Patch) -> bool:
        """Whether all packs are there that the change is only made with."""
        wrong = [no_range(need) for need in patch.only_with if not is_range(need.versions)]
        self.found.extend(wrong)
        heads = {head.pack: head for head in self.resolved.order}
        there = (need.pack in heads and fits(heads[need.pack], need) for need in patch.only_with)
        return not wrong and all(there)

    def _places(self, patch: Patch) -> list[Place]:
        if patch.sort:
            return self._every(patch)
        place = self.anchors.find(patch.id) or self.effect(patch.id)
        if place is not None:
            return [place]
        gone = self.deeds.removal(patch.id)
        if gone is not None:
            label = Label(gone.span, f"`{gone.pack}` removes it here")
            message = f"`{patch.pack}` changes `{patch.id}`, which `{gone.pack}` removes"
            hint = f"the two packs do not combine; declare `after: [{gone.pack}]` and change something else"
            self.report("RW623", patch.span, message, hint, label)
            return []
        near = self.anchors.nearest(patch.id)
        hint = f"did you mean `{near}`?" if near else self._there(patch.id.partition("/")[0])
        self.report("RW620", patch.span, f"there is no `{patch.id}` to change", hint)
        return []

    def _there(self, sort: str) -> str:
        """What ids of a sort there are."""
        ids = [f"`{place.id}`" for place in self.anchors.of(sort)]
        if not ids:
            return "`rulewright show` lists what there is"
        return "there are: " + ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "")

    def _every(self, patch: Patch) -> list[Place]:
        """The definitions that `every KIND where …` means."""
        places = list(self.anchors.of(patch.sort))
        seen = self.resolved.sees[patch.pack]
        if not places:
            sorts = sorted({document.kind for document in self.documents if document is not None})
            kinds = [kind for kind in sorts if kind not in ("pack", *SECTIONS)]
            hint = "there are: " + ", ".join(f"`{kind}`" for kind in kinds[:12])
            self.report("RW620", patch.span, f"no pack has a document of the kind `{patch.sort}`", hint)
            return []
        defaults = self._defaults(patch.sort)
        fields = {place: self._fields(place, defaults) for place in places}
        if patch.condition is not None:
            known = dict.fromkeys(defaults)
            for one in fields.values():
                known |= dict.fromkeys(one)
            condition = read_condition(patch.target, patch.condition, tuple(name for name in known if name != "it"))
            if isinstance(condition, Diagnostic):
                self.found.append(condition)
                return []
            chosen = []
            for place, one in fields.items():
                holds = condition.holds(one)
                if isinstance(holds, Diagnostic):
                    self.found.append(holds)
                    return []
                if holds:
                    chosen.append(place)
            places = chosen
        own = [place for place in places if self.owners[place.document] in seen]
        if (patch.matches is not None and len(own) != patch.matches) or not own:
            count = "nothing" if not own else f"{len(own)}"
            message = f"this matches {count}" + (f", and `matches` says {patch.matches}" if patch.matches else "")
            names = ", ".join(place.id.partition("/")[2] for place in own)
            hint = f"it matches {names}" if own else "look at the condition: `rulewright show` lists what there is"
            self.report("RW621", patch.span, message, hint)
            return []
        return places

    def _defaults(self, kind: str) -> dict[str, object]:
        """The fields of a kind that its definitions need not say, and those that they do (without a value)."""
        node = self.kind(kind)
        found: dict[str, object] = {}
        for group in ("fields", "effects", "expressions"):
            declared = node.get(group) if isinstance(node, Block) else None
            for entry in declared.entries if isinstance(declared, Block) else ():
                default = entry.value.get("default") if isinstance(entry.value, Block) else None
                found[entry.key.text] = plain(default) if default is not None else None
        return found

    def _fields(self, place: Place, defaults: dict[str, object]) -> Fields:
        node = self.anchors.node(place)
        said = plain(node) if isinstance(node, Block) else {}
        return {**defaults, **said, "it": place.id.partition("/")[2]}

    def _apply(self, patch: Patch, place: Place) -> None:
        if patch.whole:
            self.remove_whole(patch, place)
            return
        for setting in patch.settings:
            self.set_value(patch, place, setting)
        for member in patch.added:
            self.add_member(patch, place, member)
        for item in patch.items:
            self.add_item(patch, place, item)
        for member in patch.removed:
            self.remove_member(patch, place, member)
        for word, key, node in patch.inserts:
            self.insert(patch, place, word, key, node)


def _words(span: Span, sources: Mapping[str, str]) -> str:
    """The text at a place on one line."""
    lines = sources.get(span.path, "").split("\n")
    if span.line != span.end_line or span.line > len(lines):
        return ""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]
