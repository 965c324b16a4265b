"""Values, fields and members: what changes set, add and remove."""

from __future__ import annotations

from attrs import evolve

from ruleset.anchors import Place
from ruleset.composing import Composing, above, shown
from ruleset.conflicts import Deed
from ruleset.diagnostic import Label
from ruleset.nodes import Entry, Node, Scalar, plain
from ruleset.nodes import Mapping as Block
from ruleset.nodes import Sequence as List
from ruleset.nodes_edit import named
from ruleset.patch import Member, Patch, Setting
from ruleset.span import Span


class Changing(Composing):
    """Makes the changes of `set`, `add` and `remove`."""

    def _reachable(self, patch: Patch, place: Place, span: Span) -> bool:
        """Whether something can stand at a place: the parts before its last one are there, or can be made."""
        around = above(place)
        node = self.anchors.node(around) if place.path else None
        if not place.path or isinstance(node, Block):
            return True
        if node is None and around.path and self._reachable(patch, around, span):
            return True
        message = f"`{place.id.rpartition('.')[0]}` has no parts"
        if not isinstance(node, List | Scalar):
            return False
        self.report("RW624", span, message, "name the field itself")
        return False

    def set_value(self, patch: Patch, whole: Place, setting: Setting) -> None:
        place = whole.below(setting.path)
        document = self.documents[place.document]
        if document is not None and place.path == (document.kind,):
            hint = "remove it and declare another"
            self.report("RW624", setting.key.span, f"the name of `{whole.id}` cannot be changed", hint)
            return
        if not self._reachable(patch, self._texts(place, setting.key), setting.key.span):
            return
        old = self.anchors.node(place)
        deed = Deed(patch.pack, setting.value.span, "set", place, old, setting.value, patch.text)
        self._was(patch, place, setting, old)
        if self.deeds.note(deed):
            self.put(place, setting.value, evolve(setting.key, text=place.path[-1] if place.path else ""))
            if old is not None and old.span in self.woven:  # what others put around it stays around it
                self.woven[setting.value.span] = self.woven.pop(old.span)

    def _texts(self, place: Place, key: Scalar) -> Place:
        """The same place, after a text of one language above it was made a text of several."""
        text = self.anchors.node(above(place)) if place.path else None
        if isinstance(text, Scalar) and len(place.path) > 1 and place.path[-2] in ("name", "text"):
            language = self._language()
            said = Entry(Scalar(language, language, text.span), text)
            self.put(above(place), Block((said,), text.span), key)
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
        self.report("RW622", setting.was.span, message, hint, *labels)

    def add_member(self, patch: Patch, whole: Place, member: Member) -> None:
        place = whole.below(member.path)
        around = self.anchors.node(place)
        if isinstance(around, Scalar) and member.value is not None:
            around = self.anchors.node(above(self._texts(place.below((member.word,)), member.name)))
        if member.value is None:
            self.add_item(patch, whole, Entry(evolve(member.name, text=".".join(member.path)), member.name))
            return
        if not isinstance(around, Block) and around is not None:
            hint = "add members: `add: {FIELD: [MEMBER]}`"
            self.report("RW624", member.name.span, f"`{place.id}` is a list", hint)
            return
        target = place.below((member.word,))
        old = self.anchors.node(target)
        deed = Deed(patch.pack, member.name.span, "add", target, old, member.value, patch.text)
        if not self.deeds.note(deed):
            return
        if old is not None and not self.deeds.repeats(deed):
            label = Label(old.span, "it is here")
            message = f"`{target.id}` is there already"
            self.report("RW628", member.name.span, message, "change it with `set`", label)
            return
        self.put(target, member.value, evolve(member.name, text=member.word, value=member.word))

    def add_item(self, patch: Patch, whole: Place, entry: Entry) -> None:
        """One more item of a list."""
        path = tuple(entry.key.text.split(".")) if entry.key.text else ()
        place, item = whole.below(path), entry.value
        around = self.anchors.node(place)
        if around is not None and not isinstance(around, List):
            self.report("RW624", item.span, f"`{place.id}` is not a list", "give it a new value with `set`")
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
                self.report("RW628", item.span, f"`{word}` is in `{place.id}` already", "remove it here", label)
            return
        span = around.span if around is not None else item.span
        self.put(place, List((*items, item), span), evolve(entry.key, text=path[-1] if path else ""))

    def remove_member(self, patch: Patch, whole: Place, member: Member) -> None:
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
                self.put(place, evolve(around, items=kept))
                return
        elif isinstance(around, Block) and around.get(member.word) is not None:
            self.put(target, None)
            return
        if not self.deeds.repeats(Deed(patch.pack, span, "remove", target, None, None)):
            self.report("RW625", span, f"`{place.id}` has no `{member.word}` to remove", "see `rulewright show`")

    def remove_whole(self, patch: Patch, place: Place) -> None:
        assert patch.whole is not None
        old = self.anchors.node(place)
        if self.deeds.note(Deed(patch.pack, patch.span, "remove", place, old, None, patch.text)):
            if place.path:
                self.put(place, None)
            else:
                self.documents[place.document] = None


def _same(one: Node | None, other: Node) -> bool:
    return one is not None and _bare(plain(one)) == _bare(plain(other))


def _bare(value: object) -> object:
    return " ".join(value.split()) if isinstance(value, str) else value
