"""Make changes to values, fields, and members: `set`, `add`, and `remove`."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Label, Span
from rulewright.ruleset.compose.anchors import Place
from rulewright.ruleset.compose.change import Item, Member, Patch, Setting
from rulewright.ruleset.compose.conflicts import alike
from rulewright.ruleset.compose.workspace import Composing, above, shown
from rulewright.ruleset.documents.kinds import PACK, SECTIONS
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.source.nodes import MappingEntry, Node, ScalarNode, named, plain, step_id
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import SequenceNode as List

READ_BEFORE = ("pack", "version", "format", "extends", "requires", "conflicts", "after")
"""Keys of a pack that are read before changes are made."""


TEXTS = ("messages", "prompts")
"""Sections whose entries are texts for players."""


class Changing(Composing):
    """Makes the changes of `set`, `add`, and `remove`."""

    def _fixed(self, place: Place, span: Span) -> bool:
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

    def _is_step(self, place: Place) -> bool:
        return bool(place.path) and isinstance(self.anchors.node(above(place)), List)

    def _reachable(self, patch: Patch, place: Place, span: Span) -> bool:
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

    def set_value(self, patch: Patch, whole: Place, setting: Setting) -> None:
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

    def _texts(self, place: Place, key: ScalarNode) -> Place:
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

    def _was(self, patch: Patch, place: Place, setting: Setting, old: Node | None) -> None:
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

    def add_member(self, patch: Patch, whole: Place, member: Member) -> None:
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

    def add_item(self, patch: Patch, whole: Place, item: Item) -> None:
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

    def remove_member(self, patch: Patch, whole: Place, member: Member) -> None:
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

    def remove_whole(self, patch: Patch, place: Place) -> None:
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

    def _without_empty_section(self, place: Place) -> None:
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


def _up(place: Place, levels: int) -> Place:
    """Return the place this many levels up."""
    return Place(place.id, place.document, place.path[: len(place.path) - levels])
