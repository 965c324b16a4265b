"""Make changes to values, fields, and members: `set`, `add`, and `remove`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

from attrs import evolve, frozen

from rulewright.ruleset.common.diagnostic import Label, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import (
    FLOW,
    AddedItem,
    AddedMember,
    DocumentPlace,
    Insertion,
    Patch,
    SetValue,
    part_of,
)
from rulewright.ruleset.compose.conflicts import (
    DONE,
    Composing,
    Deed,
    Insert,
    Key,
    Weave,
    above,
    alike,
    part_span,
    shown,
)
from rulewright.ruleset.documents.kinds import PACK, SECTIONS
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.packs import Resolved
from rulewright.ruleset.source.nodes import (
    Around,
    MappingEntry,
    Node,
    ScalarNode,
    inserted,
    named,
    part,
    plain,
    step_id,
)
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.source.reader import Document

READ_BEFORE = ("pack", "version", "format", "extends", "requires", "conflicts", "after")
"""Keys of a pack that are read before changes are made."""


TEXTS = ("messages", "prompts")
"""Sections whose entries are texts for players."""


class Changing(Composing):
    """Makes the changes of `set`, `add`, and `remove`."""

    def _fixed(self, place: DocumentPlace, span: Span) -> bool:
        """Whether a place cannot be changed (names, and keys read before changes); then report it."""
        document = self.documents[place.document]
        if document is None or not place.path:
            return False
        if place.path == (document.kind,) or (place.path[-1] == "id" and self._is_step(above(place))):
            hint = "remove it and declare a new one"
            self.report("RW624", span, f"the name of `{place.id.rpartition('.')[0]}` cannot be changed", hint)
            return True
        if document.kind == "pack" and place.path[0] in READ_BEFORE:
            hint = "only `players`, `languages`, texts, and sections of a pack can be changed"
            self.report("RW624", span, f"`{place.path[0]}` of a pack cannot be changed", hint)
            return True
        return False

    def _is_step(self, place: DocumentPlace) -> bool:
        return bool(place.path) and isinstance(self.anchors.node(above(place)), List)

    def _reachable(self, patch: Patch, place: DocumentPlace, span: Span) -> bool:
        """Whether a value can be put at a place, creating missing mappings; otherwise report it."""
        missing = 0
        while self.anchors.node(_up(place, missing)) is None:
            missing += 1
        found = self.anchors.node(_up(place, missing))
        if missing == 0 or isinstance(found, Block):
            return True
        cause = self.in_the_way(patch, place, span)
        if cause is None:
            return False
        what = ".".join(place.id.split(".")[:-missing])
        if isinstance(found, List):
            message, hint = f"`{what}` has no `{place.path[-missing]}`", "to add members to a list, use `add`"
        else:
            message, hint = f"`{what}` is a single value, without fields", "name the field itself"
        self.report("RW624", span, message, hint, *cause)
        return False

    def set_value(self, patch: Patch, whole: DocumentPlace, setting: SetValue) -> None:
        """Set a field, or the whole if the path is empty."""
        place, span = self.below(whole, setting.path), setting.key.span
        if self._fixed(place, span):
            return
        if self._is_step(place) and step_id(setting.value) != place.path[-1]:
            hint = f"keep `id: {place.path[-1]}`, or set only its fields"
            self.report("RW624", setting.value.span, f"the name of `{place.id}` cannot be changed", hint)
            return
        if not place.path:
            hint = "name its fields: `set: {FIELD: VALUE}`"
            self.report("RW624", span, f"`{whole.id}` is not a single value", hint)
            return
        if not self._reachable(patch, self._texts(place, setting.key), span):
            return
        old = self.anchors.node(place)
        self._was(patch, place, setting, old)
        deed = self.deed(patch, setting.value.span, "set", place, old, setting.value)
        deed = evolve(deed, was=setting.was is not None)
        if self.deeds.note(deed) and not self.deeds.yields(deed):
            self.put(place, setting.value, evolve(setting.key, text=place.path[-1]))

    def _texts(self, place: DocumentPlace, key: ScalarNode) -> DocumentPlace:
        """Return the same place, after turning a text in one language above it into a text in several."""
        text = self.anchors.node(above(place)) if place.path else None
        keys = ("name", "text", "log", "because")
        texts = len(place.path) > 1 and (place.path[-2] in keys or place.path[0] in TEXTS)
        if isinstance(text, ScalarNode) and texts:
            language = self._language()
            said = MappingEntry(ScalarNode(language, language, text.span), text)
            self.put(above(place), Block((said,), text.span), key)
        return place

    def _language(self) -> str:
        """Return the first language of the game."""
        packs = (one.root for one in self.documents if one is not None and one.kind == PACK.key)
        languages = next((PackDocument.made_of(root).languages for root in packs), ())
        return languages[0].text if languages else "en"

    def _was(self, patch: Patch, place: DocumentPlace, setting: SetValue, old: Node | None) -> None:
        """Report that a value differs from `was`, unless the difference comes from a pack unknown to the author."""
        if setting.was is None:
            return
        found = self.deeds.before(place, self.resolved.sees[patch.pack], old)
        if found is not None and alike(found, setting.was, place.bare):
            return
        what = ".".join(setting.path) or patch.target.text
        now = f"found `{shown(found)}`" if found is not None else "found none"
        message = f"expected `{shown(setting.was)}` for `{what}`, {now}"
        labels = (Label(found.span, "the current value"),) if found is not None else ()
        hint = "check that the change is still right, then write the current value after `was`"
        self.report("RW622", setting.was.span, message, hint, *labels)

    def add_member(self, patch: Patch, whole: DocumentPlace, member: AddedMember) -> None:
        """Add a key to a field, or to the whole."""
        around, span = self.below(whole, member.path), member.key.span
        place = self._texts(around.below((member.word,)), member.key)
        if isinstance(self.anchors.node(around), List):
            cause = self.in_the_way(patch, around, span)
            if cause is not None:
                hint = "write a list of members: `add: {FIELD: [MEMBER]}`"
                self.report("RW624", span, f"`{around.id}` is a list", hint, *cause)
            return
        if not self._reachable(patch, place, span):
            return
        old = self.anchors.node(place)
        deed = self.deed(patch, span, "add", place, old, member.value)
        if not self.deeds.note(deed):
            return
        if old is None and not self._fixed(place, span):
            self.put(place, member.value, evolve(member.key, text=member.word, value=member.word))
        elif old is not None and not self.deeds.repeats(deed):
            label = Label(old.span, "here")
            self.report("RW628", span, f"`{place.id}` already exists", "to change it, use `set`", label)

    def add_item(self, patch: Patch, whole: DocumentPlace, item: AddedItem) -> None:
        """Add an item to a list."""
        place, new = self.below(whole, item.path), item.value
        around = self.anchors.node(place)
        if around is not None and not isinstance(around, List):
            cause = self.in_the_way(patch, place, new.span)
            if cause is not None:
                hint = "to replace it, use `set`"
                self.report("RW624", new.span, f"`{place.id}` is not a list", hint, *cause)
            return
        if self._fixed(place, new.span) or not self._reachable(patch, place, new.span):
            return
        items = around.items if around is not None else ()
        word = new.text if isinstance(new, ScalarNode) else shown(new)
        deed = self.deed(patch, new.span, "add", place.below((word,)), None, new)
        if not self.deeds.note(deed):
            return
        there = next((one for one in items if plain(one) == plain(new)), None)
        if there is None:
            span = around.span if around is not None else new.span
            self.put(place, List((*items, new), span), evolve(item.key, text=place.path[-1]))
        elif not self.deeds.repeats(deed):
            label = Label(there.span, "here")
            self.report("RW628", new.span, f"`{word}` is already in `{place.id}`", "remove it here", label)

    def remove_member(self, patch: Patch, whole: DocumentPlace, member: AddedMember) -> None:
        """Remove a member of a list, or a key of a field or of the whole."""
        around, span = self.below(whole, member.path), member.key.span
        place = self.below(around, (member.word,))
        if self._fixed(place, span):
            return
        holder, old = self.anchors.node(around), self.anchors.node(place)
        deed = self.deed(patch, span, "remove", place, old, None)
        if not self.deeds.note(deed):
            return
        if isinstance(holder, List) and any(named(item) == member.word for item in holder.items):
            kept = tuple(item for item in holder.items if named(item) != member.word)
            self.put(around, evolve(holder, items=kept))
        elif isinstance(holder, Block) and old is not None:
            self.put(place, None)
        elif not self.deeds.repeats(deed):
            cause = self.in_the_way(patch, place, span)
            if cause is not None:
                message = f"`{around.id}` has no `{member.word}` to remove"
                self.report("RW625", span, message, "`rulewright show` lists what exists", *cause)

    def remove_whole(self, patch: Patch, place: DocumentPlace) -> None:
        """Remove the target of the change."""
        document, old = self.documents[place.document], self.anchors.node(place)
        if self._fixed(place, patch.span):
            return
        if document is not None and document.kind == "pack" and not place.path:
            self.report("RW624", patch.span, "the game itself cannot be removed", "remove parts of it")
            return
        deed = self.deed(patch, patch.span, "remove", place, old, None)
        if not self.deeds.note(deed):
            return
        if old is None and not self.deeds.repeats(deed):
            hint = "`rulewright show` lists what exists"
            self.report("RW625", patch.span, f"there is no `{place.id}` to remove", hint)
        elif place.path:
            self.put(place, None)
            self._without_empty_section(place)
        else:
            self.documents[place.document] = None

    def _without_empty_section(self, place: DocumentPlace) -> None:
        """Remove a section if its last entry was removed."""
        document = self.documents[place.document]
        section = self.anchors.node(above(place))
        if document is None or len(place.path) != 2 or place.path[0] not in SECTIONS:
            return
        if isinstance(section, Block) and not section.entries:
            if len(document.root.entries) > 1:
                self.put(above(place), None)
            else:
                self.documents[place.document] = None


def _up(place: DocumentPlace, levels: int) -> DocumentPlace:
    """Return the place this many levels up."""
    return DocumentPlace(place.id, place.document, place.path[: len(place.path) - levels])


# ---- The expressions of documents that changes can put others around

_KEYS = {
    "award": ("when", "sum", "majority", "rank", "at-least", "alone", "shared"),
    "claim": ("proof", "asks"),
    "function": ("is", "cases"),
    "modifier": ("while", "is", "when"),
    "winner": ("when", "among"),
    "series": ("until", "score"),
    "window": ("asks",),
    "round": ("turns-from", "until"),
}
"""Keys with expressions, by the kind of the document."""
_OF_STEPS = (
    "when", "unless", "turns", "until", "queue", "together", "from", "while", "among", "by", "first-in",
    "chosen-by",
)  # fmt: skip
"""Keys of steps and options with expressions."""
_WITH_STEPS = (*FLOW, "series", "verb", "hook", "window", "claim")


def expression_at(place: DocumentPlace, document: Document, own: Collection[str]) -> DocumentPlace | None:
    """Return the place of the expression that an id names: that of a function is what it gives.

    `own` are the expressions that the kind of a definition declares.
    """
    if document.kind == "function" and place.path in ((), ("is",), ("cases",)):
        key = next((one for one in ("is", "cases") if document.root.get(one) is not None), "")
        whole = place.id.removesuffix(f".{key}") if place.path else place.id
        return evolve(place, id=whole, path=(key,), bare=(key,)) if key else None
    last = place.path[-1] if place.path else ""
    known = last in _KEYS.get(document.kind, ()) or (len(place.path) == 1 and last in own)
    of_step = last in _OF_STEPS and document.kind in _WITH_STEPS and place.path[-2:-1] != ("options",)
    return place if (known or of_step) and _is_expression(part(document.root, place.path)) else None


def _is_expression(node: Node | None) -> bool:
    return isinstance(node, ScalarNode) and node.text != "otherwise"


BODIES = ("do", "then", "when-true", "when-false")
"""Keys of sentences, besides the effects of kinds."""
LISTED = {"phase": ("round", "phases"), "award": ("finish", "awards")}
"""Documents that other documents list: the kind of those, and the key of the list."""


@frozen(repr=False)
class PendingWeave(Record):
    """Sentences to weave in after all other changes, so that they surround the final body."""

    pack: str
    id: str
    word: Insertion | Literal["set"]
    key: ScalarNode
    node: Node


class Inserting(Changing):
    """Makes the changes of `before`, `after`, and `around`."""

    def __init__(
        self,
        packs: Mapping[str, Sequence[Document]],
        resolved: Resolved,
        renamed: Mapping[str, Mapping[str, str]],
        without: frozenset[Key] = frozenset(),
    ) -> None:
        super().__init__(packs, resolved, renamed, without)
        self.to_weave: list[PendingWeave] = []

    def insert(self, patch: Patch, place: DocumentPlace, word: Insertion, key: ScalarNode, node: Node) -> None:
        """Insert something before, after, or around a place; sentences are only recorded."""
        document = self.documents[place.document]
        expression = self._expression(place, document) if document is not None else None
        place = expression or place
        deed = evolve(self.deed(patch, key.span, word, place, None, node), wraps=expression is not None)
        if document is None or not self.deeds.note(deed):
            return
        if expression is not None and not (word == "around" and isinstance(node, ScalarNode)):
            hint = "write `around: …` with an expression in which `proceed` is the one that was there"
            self.report("RW624", key.span, f"cannot insert this {word} `{place.id}`: it is an expression", hint)
            return
        ordered = self.resolved.stands_after[patch.pack]
        self.inserts.append(Insert(patch.pack, place.id, word, key.span, node, ordered))
        holder = part(document.root, place.path[:-1]) if place.path else None
        if expression is not None or self.part(place) is not None:
            self.to_weave.append(PendingWeave(patch.pack, place.id, word, key, node))
        elif isinstance(holder, List):
            if self._are_steps(word, node):
                self._insert_step(place, word, node)
        elif not place.path and document.kind == "phase" and word == "around" and isinstance(node, Block):
            if self._are_steps(word, node):
                self._around_steps(patch, place, document, node)
        elif not place.path and document.kind in ("phase", "award") and not isinstance(node, ScalarNode):
            self._insert_documents(patch, place, document, word, node)
        elif (document.kind == "award" and not place.path) or self._body(place, document) is not None:
            self.to_weave.append(PendingWeave(patch.pack, place.id, word, key, node))
        else:
            message = f"cannot insert anything {word} `{place.id}`"
            hint = "`before`, `after`, and `around` are for steps, phases, awards, verbs, effects, and reactions; "
            hint += "`around` is also for expressions"
            effects = () if place.path else self._effects(document.kind)
            named_effects = [one for one in effects if document.root.get(one) is not None] or effects
            if named_effects:
                hint = f"name the effect: `change: {place.id}.{named_effects[0]}`"
            self.report("RW624", key.span, message, hint)

    # -------------------------------------------------------------- steps, phases, awards

    def _are_steps(self, word: Insertion, node: Node) -> bool:
        """Whether everything that is put at a step is a step; otherwise report it."""
        for one in node.items if isinstance(node, List) else (node,):
            if not isinstance(one, Block):
                said = "`{id: NAME, when: CONDITION}`" if word == "around" else "`{id: NAME, do: SENTENCES}`"
                self.report("RW624", one.span, f"expected a step {word} this step", f"write {said}")
                return False
            steps = one.key("steps")
            if word == "around" and steps is not None:
                hint = "remove `steps`: the step that it is around becomes its only one"
                self.report("RW624", steps.span, "a step around another cannot have `steps`", hint)
                return False
        return True

    def _insert_step(self, place: DocumentPlace, word: Insertion, node: Node) -> None:
        document = self.documents[place.document]
        assert document is not None
        place = _with_what_is_around(place, document)
        if word == "around":
            step = part(document.root, place.path)
            assert step is not None and isinstance(node, Block)
            self.put(place, _holding(node, (step,), of_one=True))
            return
        new = node.items if isinstance(node, List) else (node,)
        steps = part(document.root, place.path[:-1])
        assert isinstance(steps, List)
        before, after = (new, ()) if word == "before" else ((), new)
        self.put(above(place), inserted(steps, place.path[-1], before, after))

    def _around_steps(self, patch: Patch, place: DocumentPlace, document: Document, node: Block) -> None:
        """Put a step around all steps of a phase."""
        steps = document.root.get("steps")
        if isinstance(steps, List):
            self.put(place.below(("steps",)), List((_holding(node, steps.items, of_one=False),), node.span))
        else:
            cause = self.in_the_way(patch, place.below(("steps",)), node.span)
            if cause is not None:
                self.report("RW624", node.span, f"`{place.id}` has no steps", "another change removes them", *cause)

    def _insert_documents(
        self, patch: Patch, place: DocumentPlace, document: Document, word: Insertion, node: Node
    ) -> None:
        """Insert phases or awards before or after another, as documents of their own."""
        if word == "around":
            hint = "write sentences that contain `proceed`"
            self.report("RW624", node.span, "expected sentences around an award", hint)
            return
        name = document.root.entries[0].value
        kind, section = LISTED[document.kind]
        new: list[Node] = []
        for one in node.items if isinstance(node, List) else (node,):
            id_ = one.get("id") if isinstance(one, Block) else None
            if not isinstance(one, Block) or not isinstance(id_, ScalarNode):
                hint = f"add `id: NAME`; the other keys are those of a `{document.kind}`"
                self.report("RW624", one.span, f"this {document.kind} has no id", hint)
                continue
            head = MappingEntry(evolve(id_, text=document.kind, value=document.kind), id_)
            rest = tuple(entry for entry in one.entries if entry.key.text != "id")
            made = Document(document.path, Block((head, *rest), one.span), document.kind, one.span)
            self.add(patch.pack, made)
            self.changed.add(len(self.documents) - 1)
            self.anchors.note(len(self.documents) - 1, made)
            new.append(id_)
        for number, holder in enumerate(self.documents):
            names = holder.root.get(section) if holder is not None and holder.kind == kind else None
            if isinstance(names, List) and isinstance(name, ScalarNode) and name.text in map(named, names.items):
                self._insert_step(
                    DocumentPlace(place.id, number, (section, name.text)), word, List(tuple(new), node.span)
                )

    # -------------------------------------------------------------- sentences

    def weave(self) -> None:
        """Insert the recorded sentences. Those at places that a later pack has removed are dropped."""
        for one in self.to_weave:
            place = self.anchors.find(one.id) or self.effect(one.id)
            document = self.documents[place.document] if place is not None else None
            if place is None or document is None:
                continue
            effect = self.part(place)
            body = effect or self._expression(place, document) or self._body(place, document)
            if body is not None:
                self._weave(body, one, place.path[-1] if effect is not None else "")
            elif not place.path and document.kind == "award":
                self._weave_award(document, one.word, one.node)

    def effect(self, id_: str) -> DocumentPlace | None:
        """Return the place of an effect that a definition may take from its kind, or of a part of one."""
        whole, _, word = id_.rpartition(".")
        place = (self.anchors.find(whole) or self.effect(whole)) if "/" in whole else None
        document = self.documents[place.document] if place is not None else None
        if place is None or document is None:
            return None
        if place.path:
            taken = self._default_effect(document.kind, place.path[-1]) if self._missing(place) else None
            return place.below((word,)) if isinstance(taken, ScalarNode) and part_of(taken, word) else None
        return place.below((word,)) if word in self._effects(document.kind) else None

    def _missing(self, place: DocumentPlace) -> bool:
        return len(place.path) == 1 and self.anchors.node(place) is None

    def part(self, place: DocumentPlace) -> DocumentPlace | None:
        """Return the place of the effect whose part a place is; None if it is no part."""
        document = self.documents[place.document]
        if document is None or len(place.path) < 1:
            return None
        effect = DocumentPlace(place.id.rpartition(".")[0], place.document, place.path[:-1], place.bare[:-1])
        body = self._body(effect, document)
        node = self.anchors.node(effect) if effect.path else None
        if node is None and len(effect.path) == 1:
            node = self._default_effect(document.kind, effect.path[-1])
        there = isinstance(node, ScalarNode) and part_of(node, place.path[-1]) is not None
        return effect if body == effect and there else None

    def change_part(self, patch: Patch, place: DocumentPlace) -> None:
        """Set or remove a part, and insert before, after, and around it."""
        old = self.anchors.node(place)
        for setting in patch.settings:
            if setting.path:
                hint = "it has no fields; write `set: SENTENCES`"
                self.report("RW624", setting.key.span, f"`{place.id}` is a part of an effect", hint)
                continue
            self._was(patch, place, setting, old)
            deed = self.deed(patch, setting.value.span, "set", place, old, setting.value)
            self._put_instead(evolve(deed, was=setting.was is not None), setting.key, setting.value)
        if patch.whole:
            nothing = ScalarNode("do nothing", "do nothing", patch.span)
            self._put_instead(self.deed(patch, patch.span, "remove", place, old, None), patch.target, nothing)
        for key in [one.key for one in (*patch.added, *patch.removed)] + [one.key for one in patch.items]:
            hint = "parts can be changed with `set`, `remove: true`, `before`, `after`, and `around`"
            self.report("RW624", key.span, f"`{place.id}` is a part of an effect", hint)
        for word, key, node in patch.inserts:
            self.insert(patch, place, word, key, node)

    def _put_instead(self, deed: Deed, key: ScalarNode, node: Node) -> None:
        if self.deeds.note(deed):
            ordered = self.resolved.stands_after[deed.pack]
            self.inserts.append(Insert(deed.pack, deed.place.id, "set", deed.span, node, ordered))
            self.to_weave.append(PendingWeave(deed.pack, deed.place.id, "set", key, node))

    def _weave_award(self, document: Document, word: Insertion | Literal["set"], node: Node) -> None:
        """Weave sentences around the name of an award in the list of awards."""
        name = document.root.entries[0].value
        for holder in self.documents:
            listed = holder.root.get("awards") if holder is not None and holder.kind == "finish" else None
            for item in listed.items if isinstance(listed, List) else ():
                if isinstance(name, ScalarNode) and named(item) == name.text:
                    self._note_weave(item.span, word, node)

    def _body(self, place: DocumentPlace, document: Document) -> DocumentPlace | None:
        """Return the sentences at a place: those of a verb or reaction, or an effect of a definition."""
        if document.kind in (*SECTIONS, "pack"):
            return None
        node = self.anchors.node(place)
        if isinstance(node, Block) and node.get("do") is not None:
            return place.below(("do",))
        last = place.path[-1] if place.path else ""
        if len(place.path) == 1 and last in self._effects(document.kind):
            return place
        if last == "then" and place.path[-3:-2] == ("options",):  # `then` of an option names an exit, not sentences
            return None
        option = len(place.path) > 1 and place.path[-2] == "options" and isinstance(node, ScalarNode)
        return place if node is not None and (last in BODIES or option) else None

    def _expression(self, place: DocumentPlace, document: Document) -> DocumentPlace | None:
        """Return the place of an expression that others can be put around."""
        own = part(self.kind(document.kind), ("expressions",))
        return expression_at(place, document, own.keys() if isinstance(own, Block) else ())

    def _effects(self, kind: str) -> tuple[str, ...]:
        """Return the effects that a kind declares."""
        effects = part(self.kind(kind), ("effects",))
        return effects.keys() if isinstance(effects, Block) else ()

    def _weave(self, place: DocumentPlace, one: PendingWeave, label: str = "") -> None:
        key, word = one.key, one.word
        body = self.anchors.node(place)
        document = self.documents[place.document]
        assert document is not None
        if body is None:  # the definition takes it from its kind
            body = self._default_effect(document.kind, place.path[-1])
            gone = self.deeds.cause(place, one.pack)
            if body is None and gone is not None and one.pack in self.resolved.comes_after[gone.pack]:
                return  # a later pack has removed all of it
            if body is None:
                message = f"`{place.id}` is empty, so nothing can be inserted {word} it"
                labels = [Label(gone.span, f"`{gone.pack}` {DONE[gone.action]} it here")] if gone else []
                self.report("RW624", key.span, message, f"write it with `set: {{{place.path[-1]}: …}}`", *labels)
                return
            body = evolve(body, span=key.span)
            self.put(place, body, evolve(key, text=place.path[-1], value=place.path[-1]))
        else:
            body = self._own(place, key, body, document)
        for span in dict.fromkeys(text.span for text in _texts(body)):
            self._note_weave(part_span(span, label) if label else span, word, one.node)

    def _own(self, place: DocumentPlace, key: ScalarNode, body: Node, document: Document) -> Node:
        """Give a body its own place if an alias shares it: weaves are keyed by place."""
        spans = list(_spans(document.root))
        shared = [one for one in _texts(body) if spans.count(one.span) > 1]
        if not shared:
            return body
        for one in shared:
            if one.span in self.woven:
                self.woven[key.span] = self.woven[one.span]
        if isinstance(body, List) and shared != [body]:
            items = (evolve(item, span=key.span) if item in shared else item for item in body.items)
            own: Node = evolve(body, items=tuple(items))
        else:
            own = evolve(body, span=key.span)
        self.put(place, own)
        return own

    def _default_effect(self, kind: str, effect: str) -> Node | None:
        return part(self.kind(kind), ("effects", effect, "default"))

    def _note_weave(self, span: Span, word: Insertion | Literal["set"], node: Node) -> None:
        weave = self.woven.get(span, Weave())
        if word == "set":
            self.woven[span] = evolve(weave, instead=node)
            return
        there: tuple[Node, ...] = getattr(weave, word)
        if node not in there:
            nodes = {word: (*there, node)}
            self.woven[span] = evolve(weave, **nodes)  # type: ignore[arg-type]  # `instead` is set above


def _spans(node: Node) -> Iterator[Span]:
    yield node.span
    if isinstance(node, Block):
        for entry in node.entries:
            yield from _spans(entry.value)
    elif isinstance(node, List):
        for item in node.items:
            yield from _spans(item)


def _holding(step: Block, steps: tuple[Node, ...], of_one: bool) -> Around:
    """Return a step with other steps inside."""
    key = ScalarNode("steps", "steps", step.span)
    return Around((*step.entries, MappingEntry(key, List(steps, step.span))), step.span, of_one)


def _with_what_is_around(place: DocumentPlace, document: Document) -> DocumentPlace:
    """Return the place of a step, or of the outermost step that packs have put around it alone.

    The next insert goes outside that.
    """
    holder = part(document.root, place.path[:-2])
    while isinstance(holder, Around) and holder.of_one:
        place = above(above(place))
        holder = part(document.root, place.path[:-2])
    return place


def _texts(body: Node) -> tuple[Node, ...]:
    """Return a body, or the bodies of copies if it is a list of those and not of steps."""
    if isinstance(body, List) and not all(isinstance(item, Block) for item in body.items):
        return body.items
    return (body,)
