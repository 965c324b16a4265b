"""Which packs a game with house rules is made of, and in which order: from heads of packs to all that they need.

A head is what a pack's own document says about other packs. `extends` and `requires` bring packs along and make
their names visible, `conflicts` forbids them, `after` only orders. Nothing is read here: who calls gives the heads.

Invariant: the same packs give the same result, in whatever order they are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import evolve, field, frozen

from ruleset.common.diagnostic import Diagnostic, Findings
from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.common.versions import ANY, is_range, is_version, within
from ruleset.packs import resolve_errors as faults
from ruleset.packs.manifest import Head, Link, Need
from ruleset.source.reader import Document, Entry, Mapping, Node, Scalar
from ruleset.source.reader import Sequence as Listed

__all__ = ["Head", "Need", "Resolved", "head_of", "resolve", "within"]

Finding = Callable[[str], Head | None]
"""Gives the head of the pack of a name, or None where there is none."""
Order = Sequence[tuple[str, str]]
"""Pairs of packs, the earlier one first."""


@frozen(repr=False)
class Resolved(Record):
    """All packs that are needed together. With findings that are errors, it is as good as could be made."""

    order: tuple[Head, ...]
    """The game first, then each pack after all that it needs and comes after; of several the first by name."""
    findings: tuple[Diagnostic, ...]
    sees: dict[str, frozenset[str]]
    """Each pack -> itself and all that it extends or requires, and what these do."""
    comes_after: dict[str, frozenset[str]]
    """Each pack -> all that it sees or is declared to come after, and what these do, without itself."""
    stands_after: dict[str, frozenset[str]] = field(factory=dict)
    """The same, with the orders that other packs say. They decide what is done first, and settle no conflict."""


# ------------------------------------------------------------------ reading heads


def head_of(documents: Sequence[Document]) -> Head | None:
    """What the `pack` document says about other packs; None where there is none, or none with a name.

    What has the wrong shape is read as it was probably meant: the schema has a finding for it.
    """
    for document in documents:
        name = document.root.entries[0].value
        if document.kind == "pack" and isinstance(name, Scalar) and name.text:
            root = document.root
            version = root.get("version")
            said = version.text if isinstance(version, Scalar) and version.text else "0"
            needs = (tuple(_needs(root.get(key))) for key in ("extends", "requires", "conflicts", "after"))
            return Head(name.text, said, name.span, *needs)
    return None


def _needs(node: Node | None) -> Iterator[Need]:
    if isinstance(node, Mapping):
        for entry in node.entries:
            value = entry.value
            sound = isinstance(value, Scalar) and isinstance(value.value, str)
            yield Need(entry.key.text, value.text if sound and isinstance(value, Scalar) else ANY, _span(entry))
    items = node.items if isinstance(node, Listed) else (node,) if isinstance(node, Scalar) else ()
    for item in items:
        if isinstance(item, Scalar) and item.text:
            yield Need(item.text, ANY, item.span)


def _span(entry: Entry) -> Span:
    """A whole entry, or its key where the value begins on another line."""
    key, value = entry.key.span, entry.value.span
    if key.path != value.path or key.line != value.line or value.line != value.end_line:
        return key
    return Span(key.path, key.line, key.column, value.end_line, value.end_column)


# ------------------------------------------------------------------ all that is needed


def resolve(asked: Sequence[Head], find: Finding, order: Order = ()) -> Resolved:
    """The packs that are asked for with all that they need. `find` gives the others by name.

    `order` gives pairs of packs (earlier, later): the later one comes after the other as if it declared `after`.
    """
    packs, found = _together(asked, find)
    needs = _Graph(tuple(_links(packs, ("extends", "requires"))))
    both = _Graph((*needs.links, *_links(packs, ("after",)), *_ordering(packs, order)))
    ordered = _Graph((*both.links, *_orders_of_others(packs, both)))
    circles = _circles(needs, packs, set())
    found += [faults.circle(circle) for circle in circles]
    circling = {name for name in packs if name in needs.reach(name)}
    found += [faults.circle_of_order(circle) for circle in _circles(both, packs, circling)]
    brought = {name: needs.first_to(name) for name in packs if name not in {head.pack for head in asked}}
    games = sorted(name for name, head in packs.items() if not head.extends)
    if len(games) > 1:
        found.append(faults.two_games([packs[name] for name in games], brought))
    found += _conflicts(packs, brought)
    comes_after = {name: frozenset(both.reach(name) - {name}) for name in packs}
    stands_after = {name: frozenset(ordered.reach(name) - {name}) for name in packs}
    return Resolved(
        _ordered(packs, stands_after),
        Findings(tuple(found)).items,
        {name: frozenset(needs.reach(name) | {name}) for name in packs},
        comes_after,
        stands_after,
    )


def _together(asked: Sequence[Head], find: Finding) -> tuple[dict[str, Head], list[Diagnostic]]:
    """All packs that are needed, by name, and what is wrong with single needs."""
    found: list[Diagnostic] = []
    packs: dict[str, Head] = {}
    for head in sorted(asked, key=lambda head: (head.pack, head.span)):
        first = packs.setdefault(head.pack, head)
        if first.span != head.span:
            found.append(faults.twice(first, head))
    missing: dict[str, list[Link]] = {}
    waiting = list(packs.values())
    while waiting:
        head = waiting.pop()
        for link in _needed(head):
            name = link.need.pack
            if name not in packs and name not in missing:
                other = find(name)
                if other is not None and other.pack == name:
                    packs[name] = other
                    waiting.append(other)
            if name not in packs:
                missing.setdefault(name, []).append(link)
    found += [faults.missing(links) for links in missing.values()]
    for head in packs.values():
        wrong = {need for _, needs in _said(head) for need in needs if not is_range(need.versions)}
        found += [faults.no_range(need) for need in wrong]
        for link in _needed(head):
            named = packs.get(link.need.pack)
            if named is not None and not fits(named, link.need):
                found.append(faults.other_version(link, named))
    return packs, found


def _said(head: Head) -> tuple[tuple[str, tuple[Need, ...]], ...]:
    """All that a pack says about others, each with its key."""
    return (
        ("extends", head.extends),
        ("requires", head.requires),
        ("conflicts", head.conflicts),
        ("after", head.after),
    )


def _needed(head: Head) -> list[Link]:
    return [Link(head, word, need) for word, needs in _said(head)[:2] for need in needs]


def _links(packs: dict[str, Head], words: Iterable[str]) -> Iterator[Link]:
    """What packs that are there say about others that are there. For an order, these have to be of its versions."""
    for head in packs.values():
        for word, needs in _said(head):
            for need in needs if word in words else ():
                if need.pack in packs and (word != "after" or fits(packs[need.pack], need)):
                    yield Link(head, word, need)


def _orders_of_others(packs: dict[str, Head], graph: _Graph) -> Iterator[Link]:
    """The order in which packs name others behind `after`, where these say nothing of each other themselves. Where
    two packs name them in different orders, neither counts."""
    said: dict[tuple[str, str], Need] = {}
    for _, head in sorted(packs.items()):
        there = [need for need in head.after if need.pack in packs and fits(packs[need.pack], need)]
        for place, late in enumerate(there):
            for early in there[:place]:
                said.setdefault((early.pack, late.pack), evolve(early, span=late.span))
    unsaid = {
        pair: need
        for pair, need in said.items()
        if pair[0] != pair[1] and pair[0] not in graph.reach(pair[1]) and pair[1] not in graph.reach(pair[0])
    }
    links = {pair: Link(packs[pair[1]], "after", need) for pair, need in unsaid.items()}
    whole = _Graph((*graph.links, *links.values()))
    return (link for (early, late), link in links.items() if late not in whole.reach(early))


def _ordering(packs: dict[str, Head], order: Order) -> Iterator[Link]:
    """An order that no pack declares."""
    for earlier, later in order:
        if earlier in packs and later in packs:
            yield Link(packs[later], "after", Need(earlier, ANY, packs[later].span))


def fits(head: Head, need: Need) -> bool:
    """Whether a pack is of the versions; what is no version or no range has a finding of its own."""
    if not is_range(need.versions) or not is_version(head.version):
        return True
    return within(head.version, need.versions)


def _conflicts(packs: dict[str, Head], brought: dict[str, Link | None]) -> list[Diagnostic]:
    found: dict[frozenset[str], Diagnostic] = {}
    for name, head in sorted(packs.items()):
        for need in head.conflicts:
            pair = frozenset((name, need.pack))
            if need.pack in packs and fits(packs[need.pack], need) and pair not in found:
                found[pair] = faults.conflict(head, need, packs[need.pack], brought.get(need.pack))
    return list(found.values())


# ------------------------------------------------------------------ order


def reordered(resolved: Resolved, later: str, others: Iterable[str]) -> Resolved:
    """The same packs, if one of them said that it comes after others. None of these comes after it."""
    before = frozenset(others).union(*(resolved.comes_after[other] for other in others))
    comes_after = {
        pack: after | before if pack == later or later in after else after
        for pack, after in resolved.comes_after.items()
    }
    packs = {head.pack: head for head in resolved.order}
    return evolve(resolved, order=_ordered(packs, comes_after), comes_after=comes_after)


def unfit(resolved: Resolved, pack: str, other: str) -> Iterator[tuple[Need, str]]:
    """Where a pack says that it comes after another, but only after versions that are not there; and which is."""
    heads = {head.pack: head for head in resolved.order}
    for need in heads[pack].after:
        if need.pack == other and not fits(heads[other], need):
            yield need, heads[other].version


def _by_names(link: Link) -> tuple[str, Span]:
    return (link.need.pack, link.need.span)


@frozen(repr=False)
class _Graph(Record):
    """Packs and what each says about others."""

    links: tuple[Link, ...]
    _from: dict[str, list[Link]] = field(init=False)

    @_from.default
    def _sorted(self) -> dict[str, list[Link]]:
        by_pack: dict[str, list[Link]] = {}
        for link in sorted(self.links, key=_by_names):
            by_pack.setdefault(link.pack.pack, []).append(link)
        return by_pack

    def reach(self, name: str) -> set[str]:
        """All packs that a pack leads to: itself only where it leads back."""
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            for link in self._from.get(waiting.pop(), ()):
                if link.need.pack not in reached:
                    reached.add(link.need.pack)
                    waiting.append(link.need.pack)
        return reached

    def first_to(self, name: str) -> Link | None:
        """What brings a pack along, the first of it by place."""
        links = [link for link in self.links if link.need.pack == name]
        return min(links, key=lambda link: link.need.span, default=None)

    def way_back(self, name: str, without: set[str]) -> tuple[Link, ...] | None:
        """The shortest way from a pack back to it, if there is one."""
        ways: list[tuple[Link, ...]] = [(link,) for link in self._from.get(name, ())]
        seen = set(without)
        for way in ways:  # grows while we go through it
            last = way[-1].need.pack
            if last == name:
                return way
            if last not in seen:
                seen.add(last)
                ways += [(*way, link) for link in self._from.get(last, ())]
        return None


def _circles(graph: _Graph, packs: Iterable[str], known: set[str]) -> list[tuple[Link, ...]]:
    """One circle for each lot of packs that lead to one another, without those that are known to do so."""
    found: list[tuple[Link, ...]] = []
    done = set(known)
    for name in sorted(packs):
        way = graph.way_back(name, known) if name not in done else None
        if way is not None:
            found.append(way)
            done |= {other for other in graph.reach(name) if name in graph.reach(other)}
    return found


def _ordered(packs: dict[str, Head], comes_after: dict[str, frozenset[str]]) -> tuple[Head, ...]:
    """Each pack as soon as all that stand before it have come. In a circle the first by name goes first."""
    left = sorted(packs.values(), key=lambda head: (bool(head.extends), head.pack))
    order: list[Head] = []
    placed: set[str] = set()
    while left:
        head = next((one for one in left if comes_after[one.pack] <= placed), left[0])
        left.remove(head)
        order.append(head)
        placed.add(head.pack)
    return tuple(order)
