"""What packs have changed so far, and which of it conflicts.

Two packs conflict where both change the same thing and neither comes after the other, unless they do the same. What
a pack overrules that comes after both is no conflict.

Deeds that conflict are kept, so that each pack's conflicts are found whatever the others do. They are not carried
out: the game is then the same whichever pack comes first (`ruleset.compose.composer` composes again without them).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.compose.anchors import Place
from ruleset.compose.change import INSERTS
from ruleset.compose.equality import alike
from ruleset.packs.resolve import Resolved
from ruleset.source.nodes import Node, Scalar

Action = Literal["set", "add", "remove", "before", "after", "around"]
Key = tuple[str, Span, Action, str]
"""What tells deeds apart, however often they are done anew."""


@frozen(repr=False)
class Deed(Record):
    """One thing that a pack did: where, with what was there before and what is there now."""

    pack: str
    span: Span
    action: Action
    place: Place
    old: Node | None
    new: Node | None
    text: Node | None = None
    """What players read of the change."""
    every: str = ""
    """How the change names it, if that is `every KIND where …`."""
    depth: int = 0
    """How many words of the place lead to what the change names; the others lead on from there."""

    @property
    def key(self) -> Key:
        return (self.pack, self.span, self.action, self.place.id)


Pair = tuple[Deed, Deed]
"""Two deeds that conflict, in the order of the packs."""


@frozen(repr=False)
class Deeds(Record):
    """All that was done, in order. `without` are deeds that are not carried out, since they conflict."""

    resolved: Resolved
    renamed: Mapping[str, Mapping[str, str]] = field(factory=dict)
    without: frozenset[Key] = frozenset()
    noted: list[Deed] = field(factory=list, init=False)
    """All deeds, carried out or not."""
    _done: list[Deed] = field(factory=list, init=False)
    _pairs: list[Pair] = field(factory=list, init=False)
    _by_document: dict[int, list[Deed]] = field(factory=dict, init=False)

    def note(self, deed: Deed) -> bool:
        """Takes in a deed; False if it is not to be carried out."""
        earlier = self._by_document.setdefault(deed.place.document, [])
        clashing = [(one, deed) for one in earlier if self._conflict(one, deed)]
        self._pairs.extend(clashing)
        self.noted.append(deed)
        earlier.append(deed)
        if clashing or deed.key in self.without:
            return False
        self._done.append(deed)
        return True

    def yields(self, deed: Deed) -> bool:
        """Whether an equal value of a stranger stays: it is a text such as `(5)`, and this one a number.

        Where only a number can be, the text is an error. It must not depend on names whether that is found.
        """
        if not isinstance(deed.new, Scalar) or isinstance(deed.new.value, str):
            return False
        return any(
            one.place == deed.place and isinstance(one.new, Scalar) and isinstance(one.new.value, str)
            for one in self._by_document.get(deed.place.document, ())
            if one.action == "set" and one.pack not in self.resolved.comes_after[deed.pack]
        )

    def clash(self, one: Deed, two: Deed) -> None:
        """Takes in a deed and one that it leaves no place for."""
        self._pairs.append((one, two))

    @property
    def all(self) -> tuple[Deed, ...]:
        """What was done, with what later packs overrule; of what conflicts only what was carried out."""
        live = {deed.key for pair in self.conflicts() for deed in pair}
        done = {deed.key for deed in self._done}
        return tuple(deed for deed in self.noted if deed.key in done or deed.key not in live)

    def conflicts(self) -> tuple[Pair, ...]:
        """The conflicts that nothing settles."""
        settled = self._settled()
        return tuple(pair for pair in self._pairs if not any(deed.key in settled for deed in pair))

    def void(self) -> frozenset[Key]:
        """Deeds that are not to be carried out: they conflict, or would if a later pack did not overrule them."""
        return frozenset({deed.key for pair in self.conflicts() for deed in pair} | self._settled())

    def _settled(self) -> set[Key]:
        """Deeds that would conflict, but that a pack overrules which comes after theirs."""
        deeds = {deed.key: deed for pair in self._pairs for deed in pair}
        return {key for key, deed in deeds.items() if self._overruled(deed)}

    def _overruled(self, deed: Deed) -> bool:
        """Whether a pack that comes after it has the last word there."""
        for one in self._by_document.get(deed.place.document, ()):
            covers = one.place.bare == deed.place.bare[: len(one.place.bare)] and one.action in ("set", "remove")
            same = one.place.bare == deed.place.bare and one.action == "add"
            if (covers or same) and deed.pack in self.resolved.comes_after[one.pack]:
                return True
        return False

    def removal(self, id_: str) -> Deed | None:
        """Who removed what an id named."""
        removed = (one for one in self._done if one.action == "remove")
        return next((one for one in removed if id_ == one.place.id or id_.startswith(f"{one.place.id}.")), None)

    def cause(self, place: Place, pack: str) -> Deed | None:
        """What another pack last did to a place, or to something around it."""
        found = None
        for one in self._done:
            around = one.place.document == place.document and one.place.bare == place.bare[: len(one.place.bare)]
            if around and one.pack != pack and one.action not in INSERTS:
                found = one
        return found

    def before(self, place: Place, seen: frozenset[str], now: Node | None) -> Node | None:
        """What was at a place before packs changed it that are not among the seen ones."""
        for one in self._by_document.get(place.document, ()):
            if one.pack not in seen and one.place.bare == place.bare and one.action not in INSERTS:
                return one.old
        return now

    def repeats(self, deed: Deed) -> bool:
        """Whether another pack did just the same before."""
        earlier = self._by_document.get(deed.place.document, ())
        return any(one.pack != deed.pack and self._same(one, deed) for one in earlier)

    def _conflict(self, one: Deed, two: Deed) -> bool:
        if one.pack != two.pack and one.pack in self.resolved.comes_after[two.pack]:
            return False
        paths = one.place.bare, two.place.bare
        shorter = min(len(path) for path in paths)
        if paths[0][:shorter] != paths[1][:shorter]:
            return False
        if one.pack != two.pack and (_moot(one, two) or _moot(two, one)):
            return False
        inserts = [deed for deed in (one, two) if deed.action in INSERTS]
        if len(inserts) == 1:
            (insert,) = inserts
            other = two if insert is one else one
            if other.action == "remove":
                return len(other.place.bare) <= len(insert.place.bare)
            return other.action == "set" and len(other.place.bare) < len(insert.place.bare)
        if inserts:
            return False
        if one.pack == two.pack:
            return paths[0] == paths[1] and one.action == two.action
        return not self._same(one, two)

    def _same(self, one: Deed, two: Deed) -> bool:
        """Whether two packs do the same to one thing."""
        if one.place.bare != two.place.bare or one.action != two.action:
            return False
        mine, yours = (self.renamed.get(deed.pack, {}) for deed in (one, two))
        return alike(one.new, two.new, one.place.bare, mine, yours)


def _moot(deed: Deed, removal: Deed) -> bool:
    """Whether a removal makes no difference to another deed: that removes a part of what is gone, or is one of
    `every …`, which speaks of what there is."""
    if removal.action != "remove" or len(removal.place.bare) > len(deed.place.bare):
        return False
    return deed.action == "remove" or (bool(deed.every) and len(removal.place.bare) <= deed.depth)

