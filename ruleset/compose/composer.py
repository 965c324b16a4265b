"""Compose the documents of a game and the packs on top of it into one set.

All documents are loaded before the first change, so `every KIND where …` also finds definitions of other packs.
Changes are made in the order of the packs, and within a pack in the order of its files. Two packs that set the same
thing conflict, unless one comes after the other (`ruleset.packs.resolve`); then neither change is made. Remedies
are only proposed if a trial shows that they work.

Inserts around sentences are not written into them; `woven` records them by the place of the sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.versions import is_range
from rulewright.ruleset.compose.anchors import Place
from rulewright.ruleset.compose.change import Patch
from rulewright.ruleset.compose.composed import Composed
from rulewright.ruleset.compose.conflict_findings import Clash, told
from rulewright.ruleset.compose.conflicts import Deed, Key, Pair
from rulewright.ruleset.compose.every import EveryResolver
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.packs.resolve import Resolved, fits, reordered
from rulewright.ruleset.packs.resolve_errors import no_range
from rulewright.ruleset.schema.check_documents import Checked, check_body, check_shapes
from rulewright.ruleset.source.reader import Document

MOST_PASSES = 8
"""Limit of passes: composing again without conflicting changes may reveal further conflicts."""
Renamed = Mapping[str, Mapping[str, str]]
"""Pack -> renamed words of its texts (`ruleset.compose.namespaces`)."""


def compose(packs: Mapping[str, Sequence[Document]], resolved: Resolved, renamed: Renamed) -> Composed:
    """Compose the documents of all packs, by pack, and make their changes in the order of `resolved`."""
    made = _composed(packs, resolved, renamed)
    pairs = made.deeds.conflicts()
    if not pairs:
        return made.result()
    wrong = made.wrong()
    trials: dict[tuple[str, tuple[str, ...]], frozenset[object]] = {}

    def tried(clash: Clash, later: str, others: Sequence[str]) -> bool:
        order = (later, tuple(others))
        if order not in trials:
            trials[order] = _composed(packs, reordered(resolved, later, others), renamed).wrong()
        return trials[order] <= wrong and not trials[order].intersection(map(_pair_key, clash.pairs))

    return made.result(told(pairs, resolved, tried))


def _composed(packs: Mapping[str, Sequence[Document]], resolved: Resolved, renamed: Renamed) -> _Composer:
    """Make all changes except conflicting ones, so that the order of the packs makes no difference."""
    without: frozenset[Key] = frozenset()
    for _ in range(MOST_PASSES):
        made = _Composer(packs, resolved, renamed, without).run()
        void = made.deeds.void() | without
        if void == without:
            break
        without = void
    return made


def _pair_key(pair: Pair) -> frozenset[Key]:
    return frozenset(deed.key for deed in pair)


def recheck(composed: Composed) -> Checked:
    """Check changed documents and woven inserts again; return all documents, and the findings."""
    good: list[Document] = []
    faulty: list[Document] = []
    found: list[Diagnostic] = []
    changed = {id(document) for document in composed.changed}
    for document in composed.documents:
        if id(document) not in changed:
            good.append(document)
            continue
        right, wrong, findings = check_shapes([document])
        good.extend(right)
        faulty.extend(wrong)
        found.extend(findings)
    inserts = {id(node): (word, node) for one in composed.woven.values() for word, node in one.inserts()}
    found.extend(finding for word, node in inserts.values() for finding in check_body(word, node))
    return tuple(good), tuple(faulty), tuple(found)


class _Composer(EveryResolver):
    def run(self) -> Self:
        for patch in self.patches:
            self.make(patch)
        self.weave()
        return self

    def make(self, patch: Patch) -> None:
        """Make one change if all packs in its `only-with` are present."""
        if self._wanted(patch):
            for place in self._places(patch):
                self.depth = len(place.bare)
                self._apply(patch, place)

    def result(self, more: Iterable[Diagnostic] = ()) -> Composed:
        """Return the result; `more` are findings about conflicts."""
        documents = tuple(document for document in self.documents if document is not None)
        numbers = tuple(number for number, document in enumerate(self.documents) if document is not None)
        again = (self.documents[number] for number in sorted(self.changed))
        changed = tuple(document for document in again if document is not None)
        found = (*self.found, *more)
        return Composed(documents, changed, found, self.woven, self.deeds.all, tuple(self.inserts), numbers)

    def wrong(self) -> frozenset[object]:
        """Return all errors and conflicts, with keys that do not depend on the order of the packs."""
        result = self.result()
        found = (*result.findings, *recheck(result)[2])
        places = {(finding.code, finding.span) for finding in found if is_error(finding)}
        return frozenset({*places, *map(_pair_key, self.deeds.conflicts())})

    # -------------------------------------------------------------- targets

    def _wanted(self, patch: Patch) -> bool:
        """Whether all packs in the change's `only-with` are present."""
        wrong = [no_range(need) for need in patch.only_with if not is_range(need.versions)]
        self.found.extend(wrong)
        heads = {head.pack: head for head in self.resolved.order}
        there = (need.pack in heads and fits(heads[need.pack], need) for need in patch.only_with)
        return not wrong and all(there)

    def _places(self, patch: Patch) -> list[Place]:
        if patch.sort:
            return self.every(patch)
        place = self.anchors.find(patch.id) or self.effect(patch.id)
        if place is not None:
            return [place]
        gone = self._gone(patch)
        if gone is not None:
            self._changes_nothing(patch, *gone)
            return []
        near = self.anchors.nearest(patch.id)
        hint = f"did you mean `{near}`?" if near else self._there(patch.id.partition("/")[0])
        self.report("RW620", patch.span, f"there is no `{patch.id}` to change", hint)
        return []

    def _gone(self, patch: Patch) -> tuple[Place, Deed] | None:
        """Find the place that a change names if it was removed, and the deed that removed it."""
        as_declared = type(self)(self.packs, self.resolved, self.renamed)
        for state in (self.seen_by(patch), as_declared):
            place = state.anchors.find(patch.id) or state.effect(patch.id)
            cause = self.deeds.cause(place, "") if place is not None else None
            if place is not None and cause is not None:
                return place, cause
        return None

    def _changes_nothing(self, patch: Patch, place: Place, gone: Deed) -> None:
        """Report a change of something that an earlier pack removed.

        A change that only removes more of it is ignored.
        """
        others = (*patch.settings, *patch.added, *patch.items, *patch.inserts)
        if gone.action == "remove" and gone.pack != patch.pack and not others:
            return
        if gone.pack != patch.pack and gone.pack not in self.resolved.comes_after[patch.pack]:
            self.deeds.clash(gone, self.deed(patch, patch.span, "set", place, None, None))
            return
        does = "removes" if gone.action == "remove" else "replaces"
        message = f"`{patch.pack}` changes `{patch.id}`, which `{gone.pack}` {does}"
        hint = f"`{patch.pack}` comes after `{gone.pack}`, so this change has no target: remove it"
        hint = hint if gone.pack != patch.pack else "remove one of the two changes"
        self.report("RW623", patch.span, message, hint, Label(gone.span, f"`{gone.pack}` {does} it here"))

    def _there(self, sort: str) -> str:
        """List the ids of a sort."""
        ids = [f"`{place.id}`" for place in self.anchors.of(sort)]
        if not ids:
            return "`rulewright show` lists all targets"
        return "known: " + ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "")

    def _apply(self, patch: Patch, place: Place) -> None:
        if self.part(place) is not None:
            self.change_part(patch, place)
            return
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
