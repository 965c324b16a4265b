"""What packs have changed so far, and which of it conflicts.

Two packs conflict where both change the same thing and neither comes after the other, unless they do the same.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from ruleset.anchors import Place
from ruleset.dependencies import Resolved
from ruleset.diagnostic import Diagnostic, Label
from ruleset.nodes import Node, plain
from ruleset.patch import INSERTS
from ruleset.span import Span

Action = Literal["set", "add", "remove", "before", "after", "around"]


@frozen
class Deed:
    """One thing that a pack did: where, with what was there before and what is there now."""

    pack: str
    span: Span
    action: Action
    place: Place
    old: Node | None
    new: Node | None
    text: Node | None = None
    """What players read of the change."""


@frozen
class Deeds:
    """All that was done, in order."""

    resolved: Resolved
    all: list[Deed] = field(factory=list)
    _conflicts: list[tuple[Deed, Deed]] = field(factory=list, init=False)
    _by_document: dict[int, list[Deed]] = field(factory=dict, init=False)

    def note(self, deed: Deed) -> bool:
        """Takes in a deed; False if it conflicts with one before. What comes after both settles the conflict."""
        earlier = self._by_document.setdefault(deed.place.document, [])
        other = next((one for one in earlier if self._conflict(one, deed)), None)
        if other is not None:
            self._conflicts.append((other, deed))
            return False
        if deed.action in ("set", "remove"):
            self._conflicts[:] = [both for both in self._conflicts if not self._settles(deed, *both)]
        earlier.append(deed)
        self.all.append(deed)
        return True

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The conflicts that nothing settles."""
        return tuple(_told(one, two) for one, two in self._conflicts)

    def _settles(self, deed: Deed, one: Deed, two: Deed) -> bool:
        """Whether a deed has the last word where two conflict."""
        place = deed.place
        covered = all(
            (other.place.document, other.place.bare[: len(place.bare)]) == (place.document, place.bare)
            for other in (one, two)
        )
        return covered and {one.pack, two.pack} <= self.resolved.comes_after[deed.pack]

    def removal(self, id_: str) -> Deed | None:
        """Who removed what an id named."""
        removed = (one for one in self.all if one.action == "remove")
        return next((one for one in removed if id_ == one.place.id or id_.startswith(f"{one.place.id}.")), None)

    def before(self, place: Place, seen: frozenset[str], now: Node | None) -> Node | None:
        """What was at a place before packs changed it that are not among the seen ones."""
        for one in self._by_document.get(place.document, ()):
            if one.pack not in seen and one.place.bare == place.bare:
                return one.old
        return now

    def repeats(self, deed: Deed) -> bool:
        """Whether another pack did just the same before."""
        earlier = self._by_document.get(deed.place.document, ())
        return any(one.pack != deed.pack and _same(one, deed) for one in earlier)

    def _conflict(self, one: Deed, two: Deed) -> bool:
        if one.pack != two.pack and one.pack in self.resolved.comes_after[two.pack]:
            return False
        paths = one.place.bare, two.place.bare
        shorter = min(len(path) for path in paths)
        if paths[0][:shorter] != paths[1][:shorter]:
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
        return not _same(one, two)


def _same(one: Deed, two: Deed) -> bool:
    if one.place.bare != two.place.bare or one.action != two.action:
        return False
    values = [plain(deed.new) if deed.new is not None else None for deed in (one, two)]
    return bool(values[0] == values[1])


def _told(one: Deed, two: Deed) -> Diagnostic:
    what = two.place.id if len(two.place.bare) >= len(one.place.bare) else one.place.id
    if one.pack == two.pack:
        label = Label(one.span, "the first time")
        return Diagnostic("RW623", two.span, f"`{what}` is changed twice", "keep one of them", (label,))
    message = f"`{one.pack}` and `{two.pack}` both change `{what}`"
    hint = f"say who has the last word: `after: [{one.pack}]` in the pack.yaml of `{two.pack}`, or the reverse"
    return Diagnostic("RW623", two.span, message, hint, (Label(one.span, f"`{one.pack}` changes it here"),))
