"""Compose the documents of a game and the packs on top of it into one set.

All documents are loaded before the first change, so `every KIND where …` also finds definitions of other packs.
Changes are made in the order of the packs, and within a pack in the order of its files. Two packs that set the same
thing conflict, unless one comes after the other (`ruleset.packs`); then neither change is made. Remedies
are only proposed if a trial shows that they work.

Inserts around sentences are not written into them; `woven` records them by the place of the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Self

from attrs import evolve, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import DocumentPlace, Patch
from rulewright.ruleset.compose.conflicts import DONE, Composed, Deed, Key, Pair, members, shown
from rulewright.ruleset.compose.every import EveryResolver
from rulewright.ruleset.compose.namespaces import WORD
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.packs import Resolved, fits, is_range, no_range, reordered, unfit
from rulewright.ruleset.schema.check_documents import Checked, check_body, check_shapes
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import named, part
from rulewright.ruleset.source.reader import Document

# ---- Report conflicts between packs: what each does at a place, and which `after` settles it

WIDEST = 40
"""Limit of characters of a value that are shown."""
MOST_NAMED = 6
"""Limit of packs that one message names, and of places that it shows."""
MOST_TRIED = 24
"""Limit of pack orders that are tried in one run; untried orders are not proposed."""


@frozen(repr=False)
class Clash(Record):
    """All conflicts at one place: deeds of two or more packs, in the order of the packs."""

    pairs: tuple[Pair, ...]
    deeds: tuple[Deed, ...]

    @property
    def packs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(deed.pack for deed in self.deeds))


Order = tuple[str, tuple[str, ...]]
"""A pack, and the packs after which it comes."""
Tried = Callable[[Clash, str, Sequence[str]], bool]
"""Whether a clash is settled, without other errors, if one pack comes after others."""


def told(pairs: Iterable[Pair], resolved: Resolved, tried: Tried) -> Iterator[Diagnostic]:
    """Yield a finding for each place at which packs conflict."""
    left = MOST_TRIED
    for clash in clashes(pairs, resolved):
        first, *_, last = clash.deeds
        if len(clash.packs) == 1:
            message, label = f"`{last.place.id}` is changed twice", Label(first.span, "first here")
            yield Diagnostic("RW623", last.span, message, "keep one of them", (label,))
            continue
        sound: list[Order] = []
        for later, others in _orders(clash.packs)[: max(left, 0)]:
            left -= 1
            if tried(clash, later, others):
                sound.append((later, others))
            if sound and len(clash.packs) > 2:
                break  # of many orders, one that works is enough
        yield _finding(clash, sound, resolved)


def clashes(pairs: Iterable[Pair], resolved: Resolved) -> tuple[Clash, ...]:
    """Group conflicts by place; a conflict between a thing and a part of it is at the place of the thing."""
    places: dict[object, list[Pair]] = {}
    for one, two in pairs:
        path = min(one.place.bare, two.place.bare, key=len)
        places.setdefault((one.place.document, path, one.pack == two.pack and two.key), []).append((one, two))
    ranks = {head.pack: rank for rank, head in enumerate(resolved.order)}
    found = []
    for group in places.values():
        deeds = {deed.key: deed for pair in group for deed in pair}
        found.append(Clash(tuple(group), tuple(sorted(deeds.values(), key=lambda deed: ranks[deed.pack]))))
    return tuple(found)


def _orders(packs: tuple[str, ...]) -> list[Order]:
    """Return the orders in which one pack comes after the others: last name first."""
    return [(later, tuple(pack for pack in packs if pack != later)) for later in reversed(packs)]


def _finding(clash: Clash, sound: list[Order], resolved: Resolved) -> Diagnostic:
    by_pack = {pack: [deed for deed in clash.deeds if deed.pack == pack] for pack in clash.packs}
    clauses: list[str] = []
    known = ""
    for pack, deeds in list(by_pack.items())[:MOST_NAMED]:
        more = f" (and {len(deeds) - 1} more)" if len(deeds) > 1 else ""
        clauses.append(f"`{pack}` {_does(deeds[0], known)}{more}")
        known = deeds[0].place.id
    if len(by_pack) > MOST_NAMED:
        clauses.append(f"{len(by_pack) - MOST_NAMED} more packs change it")
    message = ", ".join(clauses[:-1]) + f", and {clauses[-1]}"
    last = by_pack[clash.packs[-1]][0]
    others = [deed for deed in clash.deeds if deed is not last][:MOST_NAMED]
    labels = [Label(deed.span, f"`{deed.pack}` {_briefly(deed)} here") for deed in others]
    labels += (
        Label(need.span, f"this applies to versions `{need.versions}`; `{other}` has version {version}")
        for pack in clash.packs
        for other in clash.packs
        for need, version in unfit(resolved, pack, other)
    )
    return Diagnostic("RW623", last.span, message, _hint(clash, sound), tuple(labels))


def _does(deed: Deed, known: str) -> str:
    """Describe a deed: `sets X to 3`. The place named before is `it`."""
    place, holder, word = deed.place.id, deed.place.id.rpartition(".")[0], deed.place.bare[-1:]
    what = "it" if place == known else f"`{place}`"
    if deed.action == "set":
        said = f"sets {what} to {_value(deed)}"
    elif deed.action == "add" and deed.new is not None and word and _is_item(deed):
        said = f"adds {_short(word[0])} to `{holder}`" if what != "it" else "adds it"
    elif deed.action == "add":
        said = f"adds {what} as {_value(deed)}"
    elif deed.action == "remove":
        said = f"removes {what}"
    else:
        said = f"inserts something {deed.action} {what}"
    return f"{said} with {_short(deed.every)}" if deed.every else said


def _is_item(deed: Deed) -> bool:
    """Whether an item was added to a list."""
    assert deed.new is not None
    return deed.place.bare[-1] in (named(deed.new), shown(deed.new))


def _briefly(deed: Deed) -> str:
    verb = {"set": "sets it", "add": "adds it", "remove": "removes it"}
    return verb.get(deed.action, f"inserts something {deed.action} it")


def _value(deed: Deed) -> str:
    return _short(shown(deed.new))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return f"`{text if len(text) <= WIDEST else text[: WIDEST - 1].rstrip() + '…'}`"


def _hint(clash: Clash, sound: list[Order]) -> str:
    """Describe how to settle a clash, proposing only orders that were tried and work."""
    both = "both" if len(clash.packs) == 2 else "all of them"
    whole = any(deed.action == "remove" and not deed.place.bare for deed in clash.deeds)
    how = "`remove`" if whole else "`set`"
    third = f"a third pack that comes after {both} can decide with {how}"
    if not sound:
        which = "none of them" if len(clash.packs) > 2 else "neither"
        return f"{which} can come after the other{'s' * (len(clash.packs) > 2)}: remove one; {third}"
    later, others = sound[0]
    hint = f"say which comes later: `after: [{', '.join(others)}]` in the pack.yaml of `{later}`"
    if len(clash.packs) == 2 and len(sound) == 2:
        hint += ", or the reverse"
    return f"{hint}; {third}"


# ---- Composer

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

    def _places(self, patch: Patch) -> list[DocumentPlace]:
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

    def _gone(self, patch: Patch) -> tuple[DocumentPlace, Deed] | None:
        """Find the place that a change names if it was removed, and the deed that removed it."""
        as_declared = type(self)(self.packs, self.resolved, self.renamed)
        for state in (self.seen_by(patch), as_declared):
            place = state.anchors.find(patch.id) or state.effect(patch.id)
            cause = self.deeds.cause(place, "") if place is not None else None
            if place is not None and cause is not None:
                return place, cause
        return None

    def _changes_nothing(self, patch: Patch, place: DocumentPlace, gone: Deed) -> None:
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

    def _apply(self, patch: Patch, place: DocumentPlace) -> None:
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


# ---- Label findings in one pack that a change by another pack caused

SAID = ("option", "zone", "track", "list", "enumeration")
"""Sorts of declarations that scenarios name at their beginning."""
OF_NAMES = ("RW204", "RW309", "RW315", "RW420", "RW423", "RW430")
"""Findings about unknown names, which a pack may have removed."""
OF_SCENARIOS = ("RW702", "RW704")
"""The same for options and positions in scenarios, or a pack changed the possible values."""
OF_BOTS = ("RW340", "RW341")
"""The same for ids of choices and keys of options, which consist of names."""
OF_SHAPES = ("RW201", "RW202", "RW203", "RW204", "RW205", "RW206", "RW207", "RW208", "RW209", "RW210")
"""Findings about the shape of a document, which a pack may have changed."""


def explained(
    composed: Composed, findings: Sequence[Diagnostic], sources: Mapping[str, str], owners: Mapping[str, str]
) -> list[Diagnostic]:
    """Add labels to findings in one pack that another pack caused: the other pack, and the place of its change.

    `owners` maps files to packs.
    """
    if not findings:
        return []
    gone = {deed.place.path[-1] if deed.place.path else deed.place.id.partition("/")[2]: deed
            for deed in composed.deeds if deed.action == "remove"}  # fmt: skip
    left_out = {word: deed for deed in composed.deeds if deed.action == "set"
                for word in set(members(deed.old)) - set(members(deed.new))}  # fmt: skip
    told: list[Diagnostic] = []
    for finding in findings:
        deed, does = None, "removes"
        if finding.code in OF_NAMES:
            word = _words(finding.span, sources)
            deed, other = gone.get(word), left_out.get(word)
            if deed is None and other is not None and other.pack != owners.get(finding.span.path):
                deed, does = other, "no longer contains"
        elif finding.code in OF_BOTS and gone:
            parts = re.split(r"[.:,]", _words(finding.span, sources))
            deed = next((gone[part] for part in parts if part in gone), None)
        elif finding.code in OF_SCENARIOS:
            deed, does = _of_scenario(composed, finding, sources, owners.get(finding.span.path))
        if deed is None and finding.code in OF_SHAPES:
            deed, does = _cause(composed, finding.span), "changes"
        if deed is not None:
            label = Label(deed.span, f"`{deed.pack}` {does} it here")
            finding = evolve(finding, labels=(*finding.labels, label))
        told.append(finding)
    return told


def _of_scenario(
    composed: Composed, finding: Diagnostic, sources: Mapping[str, str], owner: str | None
) -> tuple[Deed | None, str]:
    """Find another pack's change of an option, zone, or track in a scenario, or of a word that it uses."""
    line = sources.get(finding.span.path, "").split("\n")[finding.span.line - 1]
    before = line[: finding.span.end_column - 1]
    words = [_words(finding.span, sources), *reversed(WORD.findall(before))]
    for word in dict.fromkeys(words):  # the nearest first: the value, then the keys before it
        for deed in (one for one in reversed(composed.deeds) if one.pack != owner):
            sort, _, name = deed.place.id.partition("/")
            gone = deed.action == "remove" and word in (name, deed.place.id.rpartition(".")[2])
            other = sort in SAID and name.partition(".")[0] == word and deed.action in ("set", "remove", "add")
            if gone or other:
                return deed, DONE[deed.action] if gone or deed.action != "add" else "changes"
    return None, ""


def _cause(composed: Composed, span: Span) -> Deed | None:
    """Return the last change around a place that was made from another file."""
    documents = composed.numbered
    for deed in reversed(composed.deeds):
        document, path = documents.get(deed.place.document), deed.place.path[:-1]
        if document is None or span.path != document.path or span.path == deed.span.path:
            continue
        holder, around = part(document.root, path), part(document.root, path[:-1])
        key = around.key(path[-1]) if path and isinstance(around, Block) else None
        if (key is not None and key.span == span) or (holder is not None and span.within(holder.span)):
            return deed
    return None


def _words(span: Span, sources: Mapping[str, str]) -> str:
    """Return the text at a place; empty if it spans several lines."""
    lines = sources.get(span.path, "").split("\n")
    if span.line != span.end_line or span.line > len(lines):
        return ""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]
