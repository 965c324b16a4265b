"""Which packs a game with house rules consists of, and their order, from the heads of packs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from attrs import evolve, field, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Findings, Label, Span
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.documents.play import ChangeDocument
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode
from rulewright.ruleset.source.nodes import SequenceNode as Listed
from rulewright.ruleset.source.reader import Document

# ---- Records of what a pack's own document says about other packs

@frozen(repr=False)
class Need(Record):
    """A reference to another pack, with the allowed versions."""

    pack: str
    versions: str
    span: Span


@frozen(repr=False)
class Head(Record):
    """A pack's name, version, and references to other packs. A pack that extends none is a game.

    `span` is its name in `pack.yaml`. A pack without a version has version `0`.
    """

    pack: str
    version: str
    span: Span
    extends: tuple[Need, ...] = ()
    requires: tuple[Need, ...] = ()
    conflicts: tuple[Need, ...] = ()
    after: tuple[Need, ...] = ()


@frozen(repr=False)
class PackLink(Record):
    """A reference from one pack to another; `word` is its key, such as `extends`."""

    pack: Head
    word: str
    need: Need


# ---- Versions of packs and ranges of them: `">=1"`, `">=1.2,<2"`, `"==1.*"`, and `"*"` for any
#
# Ranges have the same meaning as for Python packages; the library `packaging` parses them. It is imported
# when the first range other than `*` is evaluated.

ANY = "*"
"""The range that includes all versions."""

WRITTEN = '`">=1"`, `">=1.2,<2"`, `"==1.*"`, or `"*"` for any version'
"""How ranges are written, for hints."""

Distance = Literal["too old", "too new", "none of these"]

_FORM = re.compile(r"([\^~=><!]*)\s*v?([0-9]+(?:\.[0-9]+)*)((?:\.[xX*])*)")


def is_range(versions: str) -> bool:
    """Whether a text is a range of versions. A bare number is not: it does not say if later ones are included."""
    if versions == ANY:
        return True
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return len(SpecifierSet(versions)) > 0
    except InvalidSpecifier:
        return False


def is_version(version: str) -> bool:
    """Whether a text is a version: numbers separated by dots."""
    return re.fullmatch(r"[0-9]+(\.[0-9]+)*", version) is not None


def within(version: str, versions: str) -> bool:
    """Whether a version is in a range. Raises ValueError if either argument is invalid."""
    if versions == ANY:
        return True
    from packaging.specifiers import SpecifierSet

    if not is_range(versions):
        raise ValueError(f"{versions!r} is no range of versions")
    if not is_version(version):
        raise ValueError(f"{version!r} is no version")
    return SpecifierSet(versions).contains(version)


def distance(version: str, versions: str) -> Distance:
    """Return the side of a range on which an excluded version is."""
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    here, sides = Version(version), set()
    for part in SpecifierSet(versions):
        if not part.contains(version):
            bound = Version(part.version.removesuffix(".*"))
            old = part.operator in (">", ">=") or (part.operator in ("==", "~=") and here < bound)
            new = part.operator in ("<", "<=") or (part.operator in ("==", "~=") and here > bound)
            sides.add("too old" if old else "too new" if new else "")
    if sides == {"too old"}:
        return "too old"
    return "too new" if sides == {"too new"} else "none of these"


def instead(versions: str) -> str:
    """Suggest a correction for a text that is not a range."""
    text = versions.strip()
    if text.casefold() in ("", "any", "all", "latest"):
        return 'write `"*"` for any version'
    found = _FORM.fullmatch(text)
    if found is None:
        parted = re.sub(r"(?<=[0-9*])\s+(?=[<>=!~])", ", ", text)
        if parted != text and is_range(parted):
            return f'separate bounds with commas: `"{parted}"`'
        return f"for example {WRITTEN}"
    sign, number, wild = found.groups()
    numbers = number.split(".")
    if not sign and not wild:
        return f'write `">={number}"` for this version and later ones, or `"=={number}"` for this version only'
    better = f"=={number}.*"
    if sign == "^":
        better = f">={number},<{int(numbers[0]) + 1}"
    elif sign in ("~", "~=") and not wild and len(numbers) > 1:
        better = f"~={number}.0" if len(numbers) == 2 else f"~={number}"
    elif sign in ("<", "<=", ">", ">="):
        better = f"{sign}{number}"
    elif sign in ("=", "=>", "=<") and not wild:
        better = f"{sign[::-1] if len(sign) == 2 else '=='}{number}"
    return f'write `"{better}"`' if is_range(better) else f"for example {WRITTEN}"


# ------------------------------------------------------------------ Findings about dependencies between packs

PLACES = (
    "packs are searched for next to this pack's folder, in the folders of RULEWRIGHT_PACKS, in your packs folder, "
    "in installed Python packages, and among the packs shipped with rulewright; `rulewright packs` lists them"
)
"""Where needed packs are searched."""

_VERBS = {"extends": "extends", "requires": "requires", "after": "comes after"}


def missing_pack(links: Sequence[PackLink]) -> Diagnostic:
    """Report a needed pack that does not exist."""
    first, *more = sorted(links, key=lambda link: link.need.span)
    message = f"{_clause(first)}, but no pack of that name was found"
    labels = tuple(Label(link.need.span, f"`{link.pack.pack}` requires it, too") for link in more)
    return Diagnostic("RW610", first.need.span, message, PLACES, labels)


def other_version(link: PackLink, there: Head) -> Diagnostic:
    """Report a needed pack that has the wrong version."""
    needed = f"`{link.pack.pack}` {_VERBS[link.word]} `{there.pack}` with version `{link.need.versions}`"
    if there.version == "0":
        message, label = f"{needed}, but it has no version", "this has no `version`"
        hint = f'give `{there.pack}` a `version`, such as `1.0.0`, or write `"*"` here for any version'
        return Diagnostic("RW611", link.need.span, message, hint, (Label(there.span, label),))
    side = distance(there.version, link.need.versions)
    message = f"{needed}, but {there.version} is {'not allowed' if side == 'none of these' else side}"
    hint = f"get a newer version of `{there.pack}`"
    if side != "too old":
        hint = f"get a version of `{link.pack.pack}` that is made for {there.version}"
        hint += "; if it works with this version, write a wider range here"
    return Diagnostic("RW611", link.need.span, message, hint, (_version_of(there),))


def no_range(need: Need) -> Diagnostic:
    """Report an invalid range of versions."""
    said = f"`{need.versions}` is" if need.versions.strip() else "this is"
    message = f"{said} not a valid range of versions for `{need.pack}`"
    return Diagnostic("RW612", need.span, message, instead(need.versions))


def circle_of_needs(links: Sequence[PackLink]) -> Diagnostic:
    """Report packs that extend or require one another in a cycle."""
    first = links[0]
    if len(links) == 1:
        message = f"`{first.pack.pack}` {_VERBS[first.word]} itself"
        return Diagnostic("RW613", first.need.span, message, "remove this line")
    message = f"`{first.pack.pack}` requires itself, through other packs: {_path(links)}"
    hint = "remove one of these; if only the order matters, use `after`"
    return Diagnostic("RW613", first.need.span, message, hint, _labels(links[1:]))


def circle_of_order(links: Sequence[PackLink]) -> Diagnostic:
    """Report packs that come after one another in a cycle."""
    at = min(number for number, link in enumerate(links) if link.word == "after")
    first, *more = turned = [*links[at:], *links[:at]]
    if not more:
        message = f"`{first.pack.pack}` comes after itself"
        return Diagnostic("RW614", first.need.span, message, "remove this line")
    message = f"`{first.pack.pack}` comes after itself, through other packs: {_path(turned)}"
    hint = "remove one of these: of two packs, only one can come later"
    return Diagnostic("RW614", first.need.span, message, hint, _labels(more))


def conflicting_packs(head: Head, need: Need, other: Head, brought: PackLink | None) -> Diagnostic:
    """Report two packs that cannot be combined."""
    if head.pack == other.pack:
        message = f"`{head.pack}` conflicts with itself, so it cannot be used"
        return Diagnostic("RW615", need.span, message, "remove this line")
    versions = "" if need.versions == ANY else f" in versions `{need.versions}`; this is {other.version}"
    message = f"`{head.pack}` cannot be combined with `{other.pack}`{versions}"
    return Diagnostic("RW615", need.span, message, "remove one of them", (_coming(other, brought),))


def two_games(games: Sequence[Head], brought: Mapping[str, PackLink | None]) -> Diagnostic:
    """Report several packs that extend no other: only one pack may be the game."""
    second = games[1]
    names = [f"`{game.pack}`" for game in games]
    message = f"{', '.join(names[:-1])} and {names[-1]} are {len(games)} games: none extends another pack"
    hint = 'name packs of one game; a pack that changes a game requires `extends: {GAME: "*"}`'
    links = {game.pack: brought.get(game.pack) for game in games}
    at = links[second.pack]
    labels = tuple(_coming(game, links[game.pack]) for game in games if game is not second)
    return Diagnostic("RW616", second.span if at is None else at.need.span, message, hint, labels)


def pack_named_twice(first: Head, second: Head) -> Diagnostic:
    """Report two packs with the same name at different places."""
    label = Label(first.span, "the other one")
    hint = "remove one of them; if they are different packs, rename one"
    return Diagnostic("RW617", second.span, f"two packs are called `{second.pack}`", hint, (label,))


# ------------------------------------------------------------------ parts

def _clause(link: PackLink) -> str:
    return f"`{link.pack.pack}` {_VERBS[link.word]} `{link.need.pack}`"


def _path(links: Sequence[PackLink]) -> str:
    """Describe a path through packs: `a` extends `b`, which requires `c`."""
    first, *more = links
    return ", which ".join([_clause(first), *(f"{_VERBS[link.word]} `{link.need.pack}`" for link in more)])


def _labels(links: Sequence[PackLink]) -> tuple[Label, ...]:
    return tuple(Label(link.need.span, _clause(link)) for link in links)


def _version_of(head: Head) -> Label:
    return Label(head.span, f"this is version {head.version}")


def _coming(head: Head, brought: PackLink | None) -> Label:
    """Label a pack with the reason for its presence."""
    if brought is None:
        return Label(head.span, f"`{head.pack}` is here")
    return Label(brought.need.span, f"{_clause(brought)}, so it is loaded, too")


# ---- Determine which packs a game with house rules consists of, and their order, from the heads of packs
#
# A head is what a pack's own document says about other packs. `extends` and `requires` add packs and make
# their names visible, `conflicts` excludes packs, and `after` only orders them. Nothing is read here: the
# caller provides heads.
#
# Invariant: the result does not depend on the order in which packs are named.

FindHead = Callable[[str], Head | None]
"""Finds the head of a pack by name; None if there is no such pack."""
Order = Sequence[tuple[str, str]]
"""Pairs of packs, the earlier first."""


@frozen(repr=False)
class Resolved(Record):
    """All packs that are needed together. If a finding is an error, the result is a best effort."""

    order: tuple[Head, ...]
    """The game first, then each pack once all that it needs and comes after are placed; ties are broken by name."""
    findings: tuple[Diagnostic, ...]
    sees: dict[str, frozenset[str]]
    """From a pack to itself and all packs that it extends or requires, transitively."""
    comes_after: dict[str, frozenset[str]]
    """From a pack to all packs that it sees or declares to come after, transitively, without itself."""
    stands_after: dict[str, frozenset[str]] = field(factory=dict)
    """As `comes_after`, plus orders stated by third packs. They order changes, but settle no conflict."""


# ------------------------------------------------------------------ reading heads

def head_of(documents: Sequence[Document]) -> Head | None:
    """Read the head from the `pack` document; None if there is none, or it has no name.

    Malformed parts are read as they were probably meant; the schema reports them.
    """
    for document in documents:
        name = document.root.entries[0].value
        if document.kind == "pack" and isinstance(name, ScalarNode) and name.text:
            root = document.root
            version = PackDocument.made_of(root).version
            said = version.text if version is not None and version.text else "0"
            needs = (tuple(_needs(root.get(key))) for key in ("extends", "requires", "conflicts", "after"))
            return Head(name.text, said, name.span, *needs)
    return None


def _needs(node: Node | None) -> Iterator[Need]:
    if isinstance(node, MappingNode):
        for entry in node.entries:
            value = entry.value
            sound = isinstance(value, ScalarNode) and isinstance(value.value, str)
            yield Need(entry.key.text, value.text if sound and isinstance(value, ScalarNode) else ANY, _span(entry))
    items = node.items if isinstance(node, Listed) else (node,) if isinstance(node, ScalarNode) else ()
    for item in items:
        if isinstance(item, ScalarNode) and item.text:
            yield Need(item.text, ANY, item.span)


def _span(entry: MappingEntry) -> Span:
    """Return the span of an entry, or only its key if the value begins or ends on another line."""
    key, value = entry.key.span, entry.value.span
    if key.path != value.path or key.line != value.line or value.line != value.end_line:
        return key
    return Span(key.path, key.line, key.column, value.end_line, value.end_column)


# ------------------------------------------------------------------ all that is needed

def resolve(asked: Sequence[Head], find: FindHead, order: Order = ()) -> Resolved:
    """Resolve the requested packs and everything they need; `find` provides the others by name.

    `order` contains pairs (earlier, later): the later pack comes after the earlier one as if it had declared
    `after`.
    """
    packs, found = _together(asked, find)
    needs = _Graph(tuple(_links(packs, ("extends", "requires"))))
    both = _Graph((*needs.links, *_links(packs, ("after",)), *_ordering(packs, order)))
    ordered = _Graph((*both.links, *_orders_of_others(packs, both)))
    circles = _circles(needs, packs, set())
    found += [circle_of_needs(circle) for circle in circles]
    circling = {name for name in packs if name in needs.reach(name)}
    found += [circle_of_order(circle) for circle in _circles(both, packs, circling)]
    brought = {name: needs.first_to(name) for name in packs if name not in {head.pack for head in asked}}
    games = sorted(name for name, head in packs.items() if not head.extends)
    if len(games) > 1:
        found.append(two_games([packs[name] for name in games], brought))
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


def _together(asked: Sequence[Head], find: FindHead) -> tuple[dict[str, Head], list[Diagnostic]]:
    """Collect all needed packs by name, and report problems with single references."""
    found: list[Diagnostic] = []
    packs: dict[str, Head] = {}
    for head in sorted(asked, key=lambda head: (head.pack, head.span)):
        first = packs.setdefault(head.pack, head)
        if first.span != head.span:
            found.append(pack_named_twice(first, head))
    missing: dict[str, list[PackLink]] = {}
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
    found += [missing_pack(links) for links in missing.values()]
    for head in packs.values():
        wrong = {need for _, needs in _references(head) for need in needs if not is_range(need.versions)}
        found += [no_range(need) for need in wrong]
        for link in _needed(head):
            named = packs.get(link.need.pack)
            if named is not None and not fits(named, link.need):
                found.append(other_version(link, named))
    return packs, found


def _references(head: Head) -> tuple[tuple[str, tuple[Need, ...]], ...]:
    """Return all references of a pack, by key."""
    return (
        ("extends", head.extends),
        ("requires", head.requires),
        ("conflicts", head.conflicts),
        ("after", head.after),
    )


def _needed(head: Head) -> list[PackLink]:
    return [PackLink(head, word, need) for word, needs in _references(head)[:2] for need in needs]


def _links(packs: dict[str, Head], words: Iterable[str]) -> Iterator[PackLink]:
    """Yield references between present packs with the given keys; for `after`, only if the version matches."""
    for head in packs.values():
        for word, needs in _references(head):
            for need in needs if word in words else ():
                if need.pack in packs and (word != "after" or fits(packs[need.pack], need)):
                    yield PackLink(head, word, need)


def _orders_of_others(packs: dict[str, Head], graph: _Graph) -> Iterator[PackLink]:
    """Yield the orders in which packs list others under `after`, for pairs that declare no order themselves.

    If two packs list a pair in different orders, neither counts.
    """
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
    links = {pair: PackLink(packs[pair[1]], "after", need) for pair, need in unsaid.items()}
    whole = _Graph((*graph.links, *links.values()))
    return (link for (early, late), link in links.items() if late not in whole.reach(early))


def _ordering(packs: dict[str, Head], order: Order) -> Iterator[PackLink]:
    """Yield links for an order that no pack declares."""
    for earlier, later in order:
        if earlier in packs and later in packs:
            yield PackLink(packs[later], "after", Need(earlier, ANY, packs[later].span))


def fits(head: Head, need: Need) -> bool:
    """Whether a pack has an allowed version; invalid versions and ranges are reported elsewhere and pass here."""
    if not is_range(need.versions) or not is_version(head.version):
        return True
    return within(head.version, need.versions)


def _conflicts(packs: dict[str, Head], brought: dict[str, PackLink | None]) -> list[Diagnostic]:
    found: dict[frozenset[str], Diagnostic] = {}
    for name, head in sorted(packs.items()):
        for need in head.conflicts:
            pair = frozenset((name, need.pack))
            if need.pack in packs and fits(packs[need.pack], need) and pair not in found:
                found[pair] = conflicting_packs(head, need, packs[need.pack], brought.get(need.pack))
    return list(found.values())


# ------------------------------------------------------------------ order

def reordered(resolved: Resolved, later: str, others: Iterable[str]) -> Resolved:
    """Return the same packs as if `later` came after `others`. None of these may come after `later`."""
    before = frozenset(others).union(*(resolved.comes_after[other] for other in others))
    comes_after = {
        pack: after | before if pack == later or later in after else after
        for pack, after in resolved.comes_after.items()
    }
    packs = {head.pack: head for head in resolved.order}
    return evolve(resolved, order=_ordered(packs, comes_after), comes_after=comes_after)


def unfit(resolved: Resolved, pack: str, other: str) -> Iterator[tuple[Need, str]]:
    """Yield `after` entries of a pack whose range excludes the present version of `other`, and that version."""
    heads = {head.pack: head for head in resolved.order}
    for need in heads[pack].after:
        if need.pack == other and not fits(heads[other], need):
            yield need, heads[other].version


def _by_names(link: PackLink) -> tuple[str, Span]:
    return (link.need.pack, link.need.span)


@frozen(repr=False)
class _Graph(Record):
    """A graph of packs and their references."""

    links: tuple[PackLink, ...]
    _from: dict[str, list[PackLink]] = field(init=False)

    @_from.default
    def _sorted(self) -> dict[str, list[PackLink]]:
        by_pack: dict[str, list[PackLink]] = {}
        for link in sorted(self.links, key=_by_names):
            by_pack.setdefault(link.pack.pack, []).append(link)
        return by_pack

    def reach(self, name: str) -> set[str]:
        """Return all packs reachable from a pack; itself only if there is a cycle."""
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            for link in self._from.get(waiting.pop(), ()):
                if link.need.pack not in reached:
                    reached.add(link.need.pack)
                    waiting.append(link.need.pack)
        return reached

    def first_to(self, name: str) -> PackLink | None:
        """Return the first reference to a pack, by place."""
        links = [link for link in self.links if link.need.pack == name]
        return min(links, key=lambda link: link.need.span, default=None)

    def way_back(self, name: str, without: set[str]) -> tuple[PackLink, ...] | None:
        """Return the shortest cycle through a pack, if there is one."""
        ways: list[tuple[PackLink, ...]] = [(link,) for link in self._from.get(name, ())]
        seen = set(without)
        for way in ways:  # grows during the iteration
            last = way[-1].need.pack
            if last == name:
                return way
            if last not in seen:
                seen.add(last)
                ways += [(*way, link) for link in self._from.get(last, ())]
        return None


def _circles(graph: _Graph, packs: Iterable[str], known: set[str]) -> list[tuple[PackLink, ...]]:
    """Return one cycle for each strongly connected component, except components of known packs."""
    found: list[tuple[PackLink, ...]] = []
    done = set(known)
    for name in sorted(packs):
        way = graph.way_back(name, known) if name not in done else None
        if way is not None:
            found.append(way)
            done |= {other for other in graph.reach(name) if name in graph.reach(other)}
    return found


def _ordered(packs: dict[str, Head], comes_after: dict[str, frozenset[str]]) -> tuple[Head, ...]:
    """Sort topologically, with ties broken by name. In a cycle, the first by name goes first."""
    left = sorted(packs.values(), key=lambda head: (bool(head.extends), head.pack))
    order: list[Head] = []
    placed: set[str] = set()
    while left:
        head = next((one for one in left if comes_after[one.pack] <= placed), left[0])
        left.remove(head)
        order.append(head)
        placed.add(head.pack)
    return tuple(order)


# ---- Find probably misspelt names of packs under `after`, `conflicts`, and `only-with`
#
# These keys refer to packs that may be absent, so an unknown name is not an error: it has no effect. A
# finding is reported only if a known pack has a similar name.

WITHOUT = {
    "after": "so this line has no effect",
    "conflicts": "so this line has no effect",
    "only-with": "so this change is never applied",
}
"""The consequence of an unknown name, by key."""


def misspelt(
    heads: Sequence[Head], documents: Mapping[str, Sequence[Document]], names: Iterable[str]
) -> Iterator[Diagnostic]:
    """Report similar names. `heads` and `documents` are the packs used together, `names` all other known packs."""
    known = {*names, *(head.pack for head in heads)}
    for head in heads:
        said = list(_said(head, documents.get(head.pack, ())))
        near_ones = known - {head.pack, *(name for _, name, _ in said)}
        for key, name, span in said:
            near = nearest(name, near_ones) if name not in known else None
            if near is not None:
                message = f"pack `{name}` not found, {WITHOUT[key]}"
                hint = (
                    f"did you mean `{near}`? If `{name}` exists elsewhere, allow this warning: "
                    f"`# rulewright: allow RW638: {name} is a pack`"
                )
                yield Diagnostic("RW638", span, message, hint)


def _said(head: Head, documents: Sequence[Document]) -> Iterator[tuple[str, str, Span]]:
    """Yield the optional packs that a pack names: key, name, and place."""
    for key, needs in (("after", head.after), ("conflicts", head.conflicts)):
        yield from ((key, need.pack, need.span) for need in needs)
    for document in documents:
        if document.kind == "change":
            for one in ChangeDocument.made_of(document.root).only_with:
                yield "only-with", one.key.text, one.key.span
