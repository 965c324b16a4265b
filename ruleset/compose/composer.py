"""The documents of a game and of the packs on top of it -> one set of documents, with what each pack changed.

All documents are there before the first change is made, so that `every KIND where …` also finds what other packs
bring. Changes are made in the order of the packs, and within a pack in the order of its files. Two packs that set
the same thing conflict, unless one comes after the other (`ruleset.packs.resolve`); then neither change is made.
Each remedy that is proposed has been tried.

What is put around sentences is not written into them: `woven` says it, by the place of the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from attrs import evolve, field, frozen

from ruleset.common.diagnostic import Diagnostic, Label
from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.common.versions import is_range
from ruleset.compose.anchors import Place
from ruleset.compose.change import Patch
from ruleset.compose.conflict_findings import Clash, told
from ruleset.compose.conflicts import Deed, Key, Pair
from ruleset.compose.every import Choosing
from ruleset.compose.renaming import WORD
from ruleset.compose.weave import Insert, Weave
from ruleset.compose.workspace import DONE, members
from ruleset.findings.causes import is_error
from ruleset.packs.resolve import Resolved, fits, reordered
from ruleset.packs.resolve_errors import no_range
from ruleset.schema.check_documents import Checked, check_body, check_shapes
from ruleset.source.node_edit import part
from ruleset.source.nodes import Mapping as Block
from ruleset.source.reader import Document

SAID = ("option", "zone", "track", "list", "enumeration")
"""What scenarios name at their beginning."""
MOST_PASSES = 8
"""How often documents are composed anew because further conflicts came to light."""
OF_NAMES = ("RW204", "RW309", "RW315", "RW420", "RW423", "RW430")
"""Findings about names that mean nothing: perhaps a pack removed what they meant."""
OF_SCENARIOS = ("RW702", "RW704")
"""The same about options and positions in scenarios; or a pack changed which values there are."""
OF_BOTS = ("RW340", "RW341")
"""The same about ids of choices and keys of options, which are made of names."""
OF_SHAPES = ("RW201", "RW202", "RW203", "RW204", "RW205", "RW206", "RW207", "RW208", "RW209", "RW210")
"""Findings about what a document says: perhaps a pack changed it."""


@frozen(repr=False)
class Composed(Record):
    """`documents` are what the passes go on with; `changed` those of them whose shape is to be checked again."""

    documents: tuple[Document, ...] = ()
    changed: tuple[Document, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    woven: dict[Span, Weave] = field(factory=dict)
    deeds: tuple[Deed, ...] = ()
    inserts: tuple[Insert, ...] = ()
    places: tuple[int, ...] = ()
    """The number of each document while changes were made; `Deed.place` names documents by it."""

    @property
    def numbered(self) -> dict[int, Document]:
        """The documents by these numbers; of a pack alone none."""
        return dict(zip(self.places, self.documents, strict=True)) if self.places else {}

    def explained(
        self, findings: Sequence[Diagnostic], sources: Mapping[str, str], owners: Mapping[str, str]
    ) -> list[Diagnostic]:
        """Findings in one pack that another one has caused tell which, and where it makes the change.

        `owners` are the packs of files.
        """
        if not findings:
            return []
        gone = {deed.place.path[-1] if deed.place.path else deed.place.id.partition("/")[2]: deed
                for deed in self.deeds if deed.action == "remove"}  # fmt: skip
        left_out = {word: deed for deed in self.deeds if deed.action == "set"
                    for word in set(members(deed.old)) - set(members(deed.new))}  # fmt: skip
        told: list[Diagnostic] = []
        for finding in findings:
            deed, does = None, "removes"
            if finding.code in OF_NAMES:
                word = _words(finding.span, sources)
                deed, other = gone.get(word), left_out.get(word)
                if deed is None and other is not None and other.pack != owners.get(finding.span.path):
                    deed, does = other, "no longer names"
            elif finding.code in OF_BOTS and gone:
                parts = re.split(r"[.:,]", _words(finding.span, sources))
                deed = next((gone[part] for part in parts if part in gone), None)
            elif finding.code in OF_SCENARIOS:
                deed, does = self._of_scenario(finding, sources, owners.get(finding.span.path))
            if deed is None and finding.code in OF_SHAPES:
                deed, does = self._cause(finding.span), "changes"
            if deed is not None:
                label = Label(deed.span, f"`{deed.pack}` {does} it here")
                finding = evolve(finding, labels=(*finding.labels, label))
            told.append(finding)
        return told

    def _of_scenario(
        self, finding: Diagnostic, sources: Mapping[str, str], owner: str | None
    ) -> tuple[Deed | None, str]:
        """What another pack did to an option, zone or track that a scenario names, or to a word that it uses."""
        line = sources.get(finding.span.path, "").split("\n")[finding.span.line - 1]
        before = line[: finding.span.end_column - 1]
        words = [_words(finding.span, sources), *reversed(WORD.findall(before))]
        for word in dict.fromkeys(words):  # the nearest first: the value, then the keys in front of it
            for deed in (one for one in reversed(self.deeds) if one.pack != owner):
                sort, _, name = deed.place.id.partition("/")
                gone = deed.action == "remove" and word in (name, deed.place.id.rpartition(".")[2])
                other = sort in SAID and name.partition(".")[0] == word and deed.action in ("set", "remove", "add")
                if gone or other:
                    return deed, DONE[deed.action] if gone or deed.action != "add" else "changes"
        return None, ""

    def _cause(self, span: Span) -> Deed | None:
        """The last change of what stands around a place, where that is in another file."""
        documents = self.numbered
        for deed in reversed(self.deeds):
            document, path = documents.get(deed.place.document), deed.place.path[:-1]
            if document is None or span.path != document.path or span.path == deed.span.path:
                continue
            holder, around = part(document.root, path), part(document.root, path[:-1])
            key = around.key(path[-1]) if path and isinstance(around, Block) else None
            if (key is not None and key.span == span) or (holder is not None and span.within(holder.span)):
                return deed
        return None


Renamed = Mapping[str, Mapping[str, str]]
"""Each pack -> what some words of its texts are called (`ruleset.compose.namespaces`)."""


def compose(packs: Mapping[str, Sequence[Document]], resolved: Resolved, renamed: Renamed) -> Composed:
    """The documents of all packs, by pack, with their changes made. The order is that of `resolved`."""
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
    """All changes made, without those that conflict: then it makes no difference which pack comes first."""
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
    """All documents, after the shape of those that changed, and of what is woven around effects, was checked."""
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


class _Composer(Choosing):
    def run(self) -> Self:
        for patch in self.patches:
            self.make(patch)
        self.weave()
        return self

    def make(self, patch: Patch) -> None:
        """Makes one change, where all packs are there that it is only made with."""
        if self._wanted(patch):
            for place in self._places(patch):
                self.depth = len(place.bare)
                self._apply(patch, place)

    def result(self, more: Iterable[Diagnostic] = ()) -> Composed:
        """What came of it; `more` are the conflicts."""
        documents = tuple(document for document in self.documents if document is not None)
        numbers = tuple(number for number, document in enumerate(self.documents) if document is not None)
        again = (self.documents[number] for number in sorted(self.changed))
        changed = tuple(document for document in again if document is not None)
        found = (*self.found, *more)
        return Composed(documents, changed, found, self.woven, self.deeds.all, tuple(self.inserts), numbers)

    def wrong(self) -> frozenset[object]:
        """All errors, each as what tells it apart in whatever order the packs come."""
        result = self.result()
        found = (*result.findings, *recheck(result)[2])
        places = {(finding.code, finding.span) for finding in found if is_error(finding)}
        return frozenset({*places, *map(_pair_key, self.deeds.conflicts())})

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
        """Where that was which a change names, and what took it away."""
        as_declared = type(self)(self.packs, self.resolved, self.renamed)
        for state in (self.seen_by(patch), as_declared):
            place = state.anchors.find(patch.id) or state.effect(patch.id)
            cause = self.deeds.cause(place, "") if place is not None else None
            if place is not None and cause is not None:
                return place, cause
        return None

    def _changes_nothing(self, patch: Patch, place: Place, gone: Deed) -> None:
        """A change of what a pack before took away. What only removes more of it is none."""
        others = (*patch.settings, *patch.added, *patch.items, *patch.inserts)
        if gone.action == "remove" and gone.pack != patch.pack and not others:
            return
        if gone.pack != patch.pack and gone.pack not in self.resolved.comes_after[patch.pack]:
            self.deeds.clash(gone, self.deed(patch, patch.span, "set", place, None, None))
            return
        does = "removes" if gone.action == "remove" else "replaces"
        message = f"`{patch.pack}` changes `{patch.id}`, which `{gone.pack}` {does}"
        hint = f"`{patch.pack}` comes after `{gone.pack}`, so nothing is left to change: change something else"
        hint = hint if gone.pack != patch.pack else "leave out one of the two changes"
        self.report("RW623", patch.span, message, hint, Label(gone.span, f"`{gone.pack}` {does} it here"))

    def _there(self, sort: str) -> str:
        """What ids of a sort there are."""
        ids = [f"`{place.id}`" for place in self.anchors.of(sort)]
        if not ids:
            return "`rulewright show` lists what there is"
        return "there are: " + ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "")

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
