"""What changes put before, after and around steps, phases, awards and sentences."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from ruleset.anchors import Place
from ruleset.changing import Changing
from ruleset.collecting import SECTIONS
from ruleset.composing import above
from ruleset.conflicts import Deed
from ruleset.document import Document
from ruleset.nodes import Around, Entry, Node, Scalar
from ruleset.nodes import Mapping as Block
from ruleset.nodes import Sequence as List
from ruleset.nodes_edit import inserted, named, part
from ruleset.patch import Insertion, Patch
from ruleset.span import Span
from ruleset.weave import Insert, Weave

BODIES = ("do", "then", "when-true", "when-false")
"""Keys of sentences, beside the effects of kinds."""


class Inserting(Changing):
    """Makes the changes of `before`, `after` and `around`."""

    def insert(self, patch: Patch, place: Place, word: Insertion, key: Scalar, node: Node) -> None:
        document = self.documents[place.document]
        if document is None:
            return
        deed = Deed(patch.pack, key.span, word, place, None, node, patch.text)
        if not self.deeds.note(deed):
            return
        ordered = self.resolved.comes_after[patch.pack]
        self.inserts.append(Insert(patch.pack, place.id, word, key.span, node, ordered))
        holder = part(document.root, place.path[:-1]) if place.path else None
        if isinstance(holder, List):
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
                self.report("RW624", key.span, message, hint)
            else:
                self._weave(body, key, word, node)

    def _insert_step(self, place: Place, word: str, node: Node) -> None:
        new = node.items if isinstance(node, List) else (node,)
        document = self.documents[place.document]
        assert document is not None
        place = _with_what_is_around(place, document)
        if word == "around":
            step = part(document.root, place.path)
            assert step is not None and isinstance(node, Block)
            self.put(place, _holding(node, (step,), of_one=True))
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
            self.put(place.below(("steps",)), List((_holding(node, steps.items, of_one=False),), node.span))
            return
        name = document.root.entries[0].value
        holders = ("round", "phases") if document.kind == "phase" else ("finish", "awards")
        new: list[Node] = []
        for one in node.items if isinstance(node, List) else (node,):
            id_ = one.get("id") if isinstance(one, Block) else None
            if not isinstance(one, Block) or not isinstance(id_, Scalar):
                hint = f"begin it with `id: NAME`; the rest is that of a `{document.kind}`"
                self.report("RW624", one.span, f"this {document.kind} has no id", hint)
                continue
            head = Entry(evolve(id_, text=document.kind, value=document.kind), id_)
            rest = tuple(entry for entry in one.entries if entry.key.text != "id")
            made = Document(document.path, Block((head, *rest), one.span), document.kind, one.span)
            self.add(patch.pack, made)
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
        if len(place.path) == 1 and last in self.effects(document.kind):
            return place
        option = len(place.path) > 1 and place.path[-2] == "options" and isinstance(node, Scalar)
        return place if node is not None and (last in BODIES or option) else None

    def effects(self, kind: str) -> tuple[str, ...]:
        """The effects that a kind declares."""
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
                self.report("RW624", key.span, message, f"give it one: `set: {{{place.path[-1]}: …}}`")
                return
            body = evolve(body, span=key.span)
            self.put(place, body, evolve(key, text=place.path[-1], value=place.path[-1]))
        elif sum(span == body.span for span in _spans(document.root)) > 1:  # an alias names it, too
            body = evolve(body, span=key.span)
            self.put(place, body)
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


def _spans(node: Node) -> Iterator[Span]:
    yield node.span
    if isinstance(node, Block):
        for entry in node.entries:
            yield from _spans(entry.value)
    elif isinstance(node, List):
        for item in node.items:
            yield from _spans(item)


def _holding(step: Block, steps: tuple[Node, ...], of_one: bool) -> Around:
    """A step with other steps inside."""
    key = Scalar("steps", "steps", step.span)
    return Around((*step.entries, Entry(key, List(steps, step.span))), step.span, of_one)


def _with_what_is_around(place: Place, document: Document) -> Place:
    """The place of a step, or of what packs have put around it alone: what comes next is put outside of that."""
    holder = part(document.root, place.path[:-2])
    while isinstance(holder, Around) and holder.of_one:
        place = above(above(place))
        holder = part(document.root, place.path[:-2])
    return place


def _steps(node: List) -> bool:
    return all(isinstance(item, Block) for item in node.items)
