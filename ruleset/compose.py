"""The documents of a game and of the packs on top of it -> one set of documents, with what each pack changed.

All documents are there before the first change is made, so that `every KIND where …` also finds what other packs
bring. Changes are made in the order of the packs, and within a pack in the order of its files. Two packs that set
the same thing conflict, unless one comes after the other (`ruleset.dependencies`).

What is put around sentences is not written into them: `woven` says it, by the place of the sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, field, frozen

from ruleset.anchors import Anchors, Place
from ruleset.collecting import SECTIONS
from ruleset.conflicts import Deed, Deeds
from ruleset.dependencies import Resolved, within
from ruleset.diagnostic import Diagnostic, Label
from ruleset.document import Document
from ruleset.kernel_shape import Checked, check_shapes
from ruleset.nodes import Entry, Node, Scalar, plain
from ruleset.nodes import Mapping as Block
from ruleset.nodes import Sequence as List
from ruleset.nodes_edit import inserted, named, part, replaced
from ruleset.patch import Insertion, Member, Patch, Setting, patch_of
from ruleset.select import Fields, read_condition
from ruleset.span import Span
from ruleset.weave import Insert, Weave

BODIES = ("do", "then", "when-true", "when-false")
"""Keys of sentences, beside the effects of kinds."""


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
        """Findings about names that a pack removed tell which pack, and where."""
        gone = {deed.place.path[-1] if deed.place.path else deed.place.id.partition("/")[2]: deed
                for deed in self.deeds if deed.action == "remove"}  # fmt: skip
        told: list[Diagnostic] = []
        for finding in findings:
            deed = gone.get(_words(finding.span, sources)) if gone else None
            if deed is not None and finding.code in ("RW309", "RW420", "RW423", "RW315", "RW430"):
                label = Label(deed.span, f"`{deed.pack}` removes it here")
                finding = evolve(finding, labels=(*finding.labels, label))
            told.append(finding)
        return told


def compose(packs: Mapping[str, Sequence[Document]], resolved: Resolved) -> Composed:
    """The documents of all packs, by pack, with their changes made. The order is that of `resolved`."""
    return _Composer(packs, resolved).run()


def recheck(composed: Composed) -> Checked:
    """All documents, after the shape of those that changed was checked again; findings name who changed them."""
    good: list[Document] = []
    tainted: list[Document] = []
    found: list[Diagnostic] = []
    changed = {id(document) for document in composed.changed}
    for document, number in zip(composed.documents, composed.places, strict=True):
        if id(document) not in changed:
            good.append(document)
            continue
        right, wrong, findings = check_shapes([document])
        good.extend(right)
        tainted.extend(wrong)
        deeds = [deed for deed in composed.deeds if deed.place.document == number]
        for finding in findings:
            if deeds and not any(finding.span.path == deed.span.path for deed in deeds):
                label = Label(deeds[-1].span, f"`{deeds[-1].pack}` changes it here")
                finding = evolve(finding, labels=(*finding.labels, label))
            found.append(finding)
    return tuple(good), tuple(tainted), tuple(found)


class _Composer:
    def __init__(self, packs: Mapping[str, Sequence[Document]], resolved: Resolved) -> None:
        self.resolved = resolved
        self.versions = {head.pack: head.version for head in resolved.order}
        self.documents: list[Document | None] = []
        self.owners: list[str] = []
        self.patches: list[Patch] = []
        for number, head in enumerate(resolved.order):
            for document in packs.get(head.pack, ()):
                if document.kind == "change":
                    self.patches.append(patch_of(head.pack, document))
                elif number and document.kind == "pack":
                    for section in _sections(document):
                        self._add(head.pack, section)
                else:
                    self._add(head.pack, document)
        self.anchors = Anchors(self.documents)
        self.changed: set[int] = set()
        self.found: list[Diagnostic] = []
        self.deeds = Deeds(resolved)
        self.woven: dict[Span, Weave] = {}
        self.inserts: list[Insert] = []

    def _add(self, pack: str, document: Document) -> None:
        self.documents.append(document)
        self.owners.append(pack)

    def run(self) -> Composed:
        for patch in self.patches:
            if self._wanted(patch):
                for place in self._places(patch):
                    self._apply(patch, place)
        documents = tuple(document for document in self.documents if document is not None)
        numbers = tuple(number for number, document in enumerate(self.documents) if document is not None)
        again = (self.documents[number] for number in sorted(self.changed))
        changed = tuple(document for document in again if document is not None)
        found = (*self.found, *self.deeds.findings)
        return Composed(documents, changed, found, self.woven, tuple(self.deeds.all), tuple(self.inserts), numbers)

    def _report(self, code: str, span: Span, message: str, hint: str | None = None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    # -------------------------------------------------------------- what is changed

    def _wanted(self, patch: Patch) -> bool:
        """Whether all packs are there that the change is only made with."""
        return all(
            pack in self.versions and within(self.versions[pack], versions)
            for pack, versions, _ in patch.only_with
        )

    def _places(self, patch: Patch) -> list[Place]:
        if patch.sort:
            return self._every(patch)
        place = self.anchors.find(patch.id)
        if place is not None:
            return [place]
        gone = self.deeds.removal(patch.id)
        if gone is not None:
            label = Label(gone.span, f"`{gone.pack}` removes it here")
            message = f"`{patch.pack}` changes `{patch.id}`, which `{gone.pack}` removes"
            hint = f"the two packs do not combine; declare `after: [{gone.pack}]` and change something else"
            self._report("RW623", patch.span, message, hint, label)
            return []
        near = self.anchors.nearest(patch.id)
        hint = f"did you mean `{near}`?" if near else self._there(patch.id.partition("/")[0])
        self._report("RW620", patch.span, f"there is no `{patch.id}` to change", hint)
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
            self._report("RW620", patch.span, f"no pack has a document of the kind `{patch.sort}`", hint)
            return []
        defaults = self._defaults(patch.sort)
        fields = {place: self._fields(place, defaults) for place in places}
        if patch.where:
            known = dict.fromkeys(defaults)
            for one in fields.values():
                known |= dict.fromkeys(one)
            condition = read_condition(patch.target, patch.offset, tuple(name for name in known if name != "it"))
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
            self._report("RW621", patch.span, message, hint)
            return []
        return places

    def _defaults(self, kind: str) -> dict[str, object]:
        """The fields of a kind that its definitions need not say, and those that they do (without a value)."""
        place = self.anchors.find(f"kind/{kind}")
        node = self.anchors.node(place) if place is not None else None
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

    # -------------------------------------------------------------- changes

    def _apply(self, patch: Patch, place: Place) -> None:
        if patch.whole is not None:
            self._remove_whole(patch, place)
            return
        for setting in patch.settings:
            self._set(patch, place, setting)
        for member in patch.added:
            self._add_member(patch, place, member)
        for entry in patch.items:
            self._add_item(patch, place, entry)
        for member in patch.removed:
            self._remove_member(patch, place, member)
        for word, key, node in patch.inserts:
            self._insert(patch, place, word, key, node)

    def _put(self, place: Place, new: Node | None, key: Scalar | None = None) -> None:
        """Another node at a place; None removes it."""
        document = self.documents[place.document]
        assert document is not None
        if place.path and part(document.root, place.path[:-1]) is None:
            assert key is not None
            self._put(_above(place), Block((), key.span), evolve(key, text=place.path[-2], value=place.path[-2]))
            document = self.documents[place.document]
            assert document is not None
        root = replaced(document.root, place.path, new, key)
        assert isinstance(root, Block)
        self.documents[place.document] = evolve(document, root=root)
        self.changed.add(place.document)

    def _reachable(self, patch: Patch, place: Place, span: Span) -> bool:
        """Whether something can stand at a place: the parts before its last one are there, or can be made."""
        above = _above(place)
        node = self.anchors.node(above) if place.path else None
        if not place.path or isinstance(node, Block):
            return True
        if node is None and above.path and self._reachable(patch, above, span):
            return True
        message = f"`{'.'.join(place.path[:-1])}` of this has no parts"
        if not isinstance(node, List | Scalar):
            return False
        self._report("RW624", span, message, "name the field itself")
        return False

    def _set(self, patch: Patch, whole: Place, setting: Setting) -> None:
        place = whole.below(setting.path)
        document = self.documents[place.document]
        if document is not None and place.path == (document.kind,):
            hint = "remove it and declare another"
            self._report("RW624", setting.key.span, f"the name of `{whole.id}` cannot be changed", hint)
            return
        if not self._reachable(patch, self._texts(place, setting.key), setting.key.span):
            return
        old = self.anchors.node(place)
        deed = Deed(patch.pack, setting.value.span, "set", place, old, setting.value, patch.text)
        self._was(patch, place, setting, old)
        if self.deeds.note(deed):
            self._put(place, setting.value, evolve(setting.key, text=place.path[-1] if place.path else ""))
            if old is not None and old.span in self.woven:  # what others put around it stays around it
                self.woven[setting.value.span] = self.woven.pop(old.span)

    def _texts(self, place: Place, key: Scalar) -> Place:
        """The same place, after a text of one language above it was made a text of several."""
        above = self.anchors.node(_above(place)) if place.path else None
        if isinstance(above, Scalar) and len(place.path) > 1 and place.path[-2] in ("name", "text"):
            language = self._language()
            english = Entry(Scalar(language, language, above.span), above)
            self._put(_above(place), Block((english,), above.span), key)
        return place

    def _language(self) -> str:
        """The first language of the game."""
        root = self.documents[0].root if self.documents and self.documents[0] is not None else None
        found = root.get("languages") if root is not None else None
        first = found.items[0] if isinstance(found, List) and found.items else None
        return first.text if isinstance(first, Scalar) else "en"

    def _was(self, patch: Patch, place: Place, setting: Setting, old: Node | None) -> None:
        """Tells the author that a value is no longer what it was, unless a pack they do not know made it so."""
        if setting.was is None:
            return
        found = self.deeds.before(place, self.resolved.sees[patch.pack], old)
        if _same(found, setting.was):
            return
        what = ".".join(setting.path) or patch.target.text
        now = f"now it is `{shown(found)}`" if found is not None else "now there is none"
        message = f"`{what}` was `{shown(setting.was)}` when this was written; {now}"
        labels = (Label(found.span, "the value now"),) if found is not None else ()
        hint = "see whether the change is still right, then write the new value behind `was`"
        self._report("RW622", setting.was.span, message, hint, *labels)

    def _add_member(self, patch: Patch, whole: Place, member: Member) -> None:
        place = whole.below(member.path)
        around = self.anchors.node(place)
        if isinstance(around, Scalar) and member.value is not None:
            around = self.anchors.node(_above(self._texts(place.below((member.word,)), member.name)))
        if member.value is None:
            self._add_item(patch, whole, Entry(evolve(member.name, text=".".join(member.path)), member.name))
            return
        if not isinstance(around, Block) and around is not None:
            hint = "add members: `add: {FIELD: [MEMBER]}`"
            self._report("RW624", member.name.span, f"`{place.id}` is a list", hint)
            return
        target = place.below((member.word,))
        old = self.anchors.node(target)
        deed = Deed(patch.pack, member.name.span, "add", target, old, member.value, patch.text)
        if not self.deeds.note(deed):
            return
        if old is not None and not self.deeds.repeats(deed):
            label = Label(old.span, "it is here")
            message = f"`{target.id}` is there already"
            self._report("RW628", member.name.span, message, "change it with `set`", label)
            return
        self._put(target, member.value, evolve(member.name, text=member.word, value=member.word))

    def _add_item(self, patch: Patch, whole: Place, entry: Entry) -> None:
        """One more item of a list."""
        path = tuple(entry.key.text.split(".")) if entry.key.text else ()
        place, item = whole.below(path), entry.value
        around = self.anchors.node(place)
        if around is not None and not isinstance(around, List):
            self._report("RW624", item.span, f"`{place.id}` is not a list", "give it a new value with `set`")
            return
        items = around.items if isinstance(around, List) else ()
        word = item.text if isinstance(item, Scalar) else str(plain(item))
        deed = Deed(patch.pack, item.span, "add", place.below((word,)), None, item, patch.text)
        if not self.deeds.note(deed):
            return
        there = next((one for one in items if plain(one) == plain(item)), None)
        if there is not None:
            if not self.deeds.repeats(deed):
                label = Label(there.span, "it is here")
                self._report("RW628", item.span, f"`{word}` is in `{place.id}` already", "remove it here", label)
            return
        span = around.span if around is not None else item.span
        self._put(place, List((*items, item), span), evolve(entry.key, text=path[-1] if path else ""))

    def _remove_member(self, patch: Patch, whole: Place, member: Member) -> None:
        place = whole.below(member.path)
        around = self.anchors.node(place)
        target = place.below((member.word,))
        span = member.name.span
        gone = self.anchors.node(target)
        if not self.deeds.note(Deed(patch.pack, span, "remove", target, gone, None, patch.text)):
            return
        if isinstance(around, List):
            kept = tuple(item for item in around.items if named(item) != member.word)
            if len(kept) < len(around.items):
                self._put(place, evolve(around, items=kept))
                return
        elif isinstance(around, Block) and around.get(member.word) is not None:
            self._put(target, None)
            return
        if not self.deeds.repeats(Deed(patch.pack, span, "remove", target, None, None)):
            self._report("RW625", span, f"`{place.id}` has no `{member.word}` to remove", "see `rulewright show`")

    def _remove_whole(self, patch: Patch, place: Place) -> None:
        assert patch.whole is not None
        old = self.anchors.node(place)
        if self.deeds.note(Deed(patch.pack, patch.span, "remove", place, old, None, patch.text)):
            if place.path:
                self._put(place, None)
            else:
                self.documents[place.document] = None

    # -------------------------------------------------------------- inserts

    def _insert(self, patch: Patch, place: Place, word: Insertion, key: Scalar, node: Node) -> None:
        document = self.documents[place.document]
        if document is None:
            return
        deed = Deed(patch.pack, key.span, word, place, None, node, patch.text)
        if not self.deeds.note(deed):
            return
        ordered = self.resolved.comes_after[patch.pack]
        self.inserts.append(Insert(patch.pack, place.id, word, key.span, node, ordered))
        above = part(document.root, place.path[:-1]) if place.path else None
        if isinstance(above, List):
            self._insert_step(place, word, node)
        elif not place.path and document.kind in ("phase", "award") and isinstance(node, Block | List):
            self._insert_document(patch, place, document, word, node)
        elif not place.path and document.kind == "award":
            self._weave_award(document, word, node)
        else:
            body = self._body(place, document)
            if body is None:
                message = f"nothing can be put {word} `{place.id}`"
                hint = "this is for steps, phases, awards, verbs, effects and reactions; use `set` or `add`"
                self._report("RW624", key.span, message, hint)
            else:
                self._weave(body, key, word, node)

    def _insert_step(self, place: Place, word: str, node: Node) -> None:
        new = node.items if isinstance(node, List) else (node,)
        document = self.documents[place.document]
        assert document is not None
        if word == "around":
            step = part(document.root, place.path)
            assert step is not None and isinstance(node, Block)
            self._put(place, _holding(node, (step,)))
            return
        root = inserted(document.root, place.path, new if word == "before" else (), new if word == "after" else ())
        assert isinstance(root, Block)
        self.documents[place.document] = evolve(document, root=root)
        self.changed.add(place.document)

    def _insert_document(self, patch: Patch, place: Place, document: Document, word: str, node: Node) -> None:
        """A phase before or after another, an award before or after another, or what a phase's steps stand in."""
        if word == "around" and isinstance(node, Block) and document.kind == "phase":
            steps = document.root.get("steps")
            assert isinstance(steps, List)
            self._put(place.below(("steps",)), List((_holding(node, steps.items),), node.span))
            return
        name = document.root.entries[0].value
        holders = ("round", "phases") if document.kind == "phase" else ("finish", "awards")
        new: list[Node] = []
        for one in node.items if isinstance(node, List) else (node,):
            id_ = one.get("id") if isinstance(one, Block) else None
            if not isinstance(one, Block) or not isinstance(id_, Scalar):
                hint = f"begin it with `id: NAME`; the rest is that of a `{document.kind}`"
                self._report("RW624", one.span, f"this {document.kind} has no id", hint)
                continue
            head = Entry(evolve(id_, text=document.kind, value=document.kind), id_)
            rest = tuple(entry for entry in one.entries if entry.key.text != "id")
            made = Document(document.path, Block((head, *rest), one.span), document.kind, one.span)
            self._add(patch.pack, made)
            self.changed.add(len(self.documents) - 1)
            self.anchors.note(len(self.documents) - 1, made)
            new.append(id_)
        assert isinstance(name, Scalar)
        for number, holder in enumerate(self.documents):
            listed = holder.root.get(holders[1]) if holder is not None and holder.kind == holders[0] else None
            if isinstance(listed, List) and any(named(item) == name.text for item in listed.items):
                anchor = Place(place.id, number, (holders[1], name.text))
                self._insert_step(anchor, word, List(tuple(new), node.span))

    def _weave_award(self, document: Document, word: str, node: Node) -> None:
        """Sentences around an award: they are woven around its name in the list of awards."""
        name = document.root.entries[0].value
        for holder in self.documents:
            listed = holder.root.get("awards") if holder is not None and holder.kind == "finish" else None
            for item in listed.items if isinstance(listed, List) else ():
                if isinstance(name, Scalar) and named(item) == name.text:
                    self._note_weave(item.span, word, node)

    def _body(self, place: Place, document: Document) -> Place | None:
        """The sentences that a place means: those of a verb or reaction, or an effect of a definition."""
        node = self.anchors.node(place)
        if isinstance(node, Block) and node.get("do") is not None and document.kind not in SECTIONS:
            return place.below(("do",))
        if not place.path:
            return None
        last = place.path[-1]
        if len(place.path) == 1 and last in self._effects(document.kind):
            return place
        option = len(place.path) > 1 and place.path[-2] == "options" and isinstance(node, Scalar)
        return place if node is not None and (last in BODIES or option) else None

    def _effects(self, kind: str) -> tuple[str, ...]:
        place = self.anchors.find(f"kind/{kind}")
        node = self.anchors.node(place) if place is not None else None
        effects = node.get("effects") if isinstance(node, Block) else None
        return effects.keys() if isinstance(effects, Block) else ()

    def _weave(self, place: Place, key: Scalar, word: str, node: Node) -> None:
        body = self.anchors.node(place)
        document = self.documents[place.document]
        assert document is not None
        if body is None:  # the definition has it from its kind
            body = self._default_effect(document.kind, place.path[-1])
            if body is None:
                message = f"`{place.id}` says nothing that something could be put {word}"
                self._report("RW624", key.span, message, f"give it one: `set: {{{place.path[-1]}: …}}`")
                return
            body = evolve(body, span=key.span)
            self._put(place, body, evolve(key, text=place.path[-1], value=place.path[-1]))
        elif sum(span == body.span for span in _spans(document.root)) > 1:  # an alias names it, too
            body = evolve(body, span=key.span)
            self._put(place, body)
        bodies = body.items if isinstance(body, List) and not _steps(body) else (body,)
        for one in bodies:  # one for each copy
            self._note_weave(one.span, word, node)

    def _default_effect(self, kind: str, effect: str) -> Node | None:
        place = self.anchors.find(f"kind/{kind}")
        node = self.anchors.node(place) if place is not None else None
        return part(node, ("effects", effect, "default"))

    def _note_weave(self, span: Span, word: str, node: Node) -> None:
        weave = self.woven.get(span, Weave())
        if word == "before":
            weave = evolve(weave, before=(*weave.before, node))
        elif word == "after":
            weave = evolve(weave, after=(*weave.after, node))
        else:
            weave = evolve(weave, around=(*weave.around, node))
        self.woven[span] = weave


def _words(span: Span, sources: Mapping[str, str]) -> str:
    """The text at a place on one line."""
    lines = sources.get(span.path, "").split("\n")
    if span.line != span.end_line or span.line > len(lines):
        return ""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]


def _above(place: Place) -> Place:
    return Place(place.id, place.document, place.path[:-1])


def _spans(node: Node) -> Iterator[Span]:
    yield node.span
    if isinstance(node, Block):
        for entry in node.entries:
            yield from _spans(entry.value)
    elif isinstance(node, List):
        for item in node.items:
            yield from _spans(item)


def _holding(step: Block, steps: tuple[Node, ...]) -> Block:
    """A step with other steps inside."""
    key = Scalar("steps", "steps", step.span)
    return evolve(step, entries=(*step.entries, Entry(key, List(steps, step.span))))


def _steps(node: List) -> bool:
    return all(isinstance(item, Block) for item in node.items)


def _sections(document: Document) -> Iterator[Document]:
    """What a pack on top of a game declares in its `pack.yaml`, each section as a document of its own."""
    for entry in document.root.entries:
        if entry.key.text in SECTIONS:
            yield evolve(document, root=evolve(document.root, entries=(entry,)), kind=entry.key.text)


def _same(one: Node | None, other: Node) -> bool:
    return one is not None and _bare(plain(one)) == _bare(plain(other))


def _bare(value: object) -> object:
    return " ".join(value.split()) if isinstance(value, str) else value


def shown(node: Node | None) -> str:
    """A node in one line, as an author would write it."""
    if node is None:
        return "nothing"
    if isinstance(node, Scalar):
        return " then ".join(line.strip() for line in node.text.strip().splitlines())
    if isinstance(node, List):
        return "[" + ", ".join(shown(item) for item in node.items) + "]"
    return "{" + ", ".join(f"{entry.key.text}: {shown(entry.value)}" for entry in node.entries) + "}"
