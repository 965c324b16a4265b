"""Find the differences of two sides, thing by thing and part by part.

The order of keys does not matter. A part that only one side has is one difference, with any content. Steps are
matched by their ids, and those without an id by their contents.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import evolve, frozen

from rulewright.ruleset.documents.sections import ComponentEntry
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, Path, ScalarNode, plain, step_id
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.tools.diffs.sides import Side, Thing

Change = Literal["added", "removed", "changed", "inserted"]
IGNORED = ("source",)
"""Keys that do not concern players."""
IGNORED_OF_PACKS = ("version", "format", "extends", "requires", "conflicts", "after")
MOVING = ("phases", "awards")
"""Lists of names in the order of play."""


@frozen
class Difference:
    """A difference: `before` is the node on the base side, `after` the one on the other.

    For insertions, `word` is `before`, `after`, or `around`, and `anchors` are the neighbouring or surrounded
    steps.
    """

    change: Change
    thing: Thing
    path: Path
    before: Node | None
    after: Node | None
    word: str = ""
    anchors: tuple[str, ...] = ()
    woven: bool = False
    """Whether it is woven around sentences, not inserted into a list of steps."""
    was: Thing | None = None
    """The thing on the base side."""


def differences(base: Side, other: Side) -> tuple[Difference, ...]:
    """Return all differences, in the order of the other side's things; removed things come last."""
    found: list[Difference] = []
    for id_, thing in other.things.items():
        old = base.things.get(id_)
        if old is None:
            found.append(Difference("added", thing, (), None, thing.node))
        else:
            found.extend(_changed(base, other, old, thing))
        found.extend(_woven(base, other, thing))
    for id_, old in base.things.items():
        if id_ not in other.things:
            found.append(Difference("removed", old, (), old.node, None, was=old))
    return tuple(found)


def _changed(base: Side, other: Side, old: Thing, new: Thing) -> Iterator[Difference]:
    one, two = old.node, new.node
    if new.sort in other.loaded.declared.kinds and new.sort in base.loaded.declared.kinds:
        one, two = _filled(base, old, two), _filled(other, new, one)
    for found in _nodes(new, (), one, two):
        if new.sort == "pack" and found.path[:1] and found.path[0] in IGNORED_OF_PACKS:
            continue
        yield evolve(found, was=old)


def _filled(side: Side, thing: Thing, beside: Node) -> Node:
    """Add the kind's defaults to a definition, for keys that only the other side's definition has."""
    if not isinstance(thing.node, MappingNode) or not isinstance(beside, MappingNode):
        return thing.node
    defaults = dict(side.loaded.declared.kinds[thing.sort].defaults)
    copies = _copies(side, thing.sort)
    if copies is not None:
        defaults["copies"] = copies
    silent = [entry.key for entry in beside.entries if thing.node.get(entry.key.text) is None]
    more = tuple(MappingEntry(key, defaults[key.text]) for key in silent if key.text in defaults)
    return evolve(thing.node, entries=(*thing.node.entries, *more))


def _copies(side: Side, kind: str) -> Node | None:
    """Return the default number of copies from the component of a kind."""
    for thing in side.things.values():
        says = thing.says if thing.sort == "component" else None
        if isinstance(says, ComponentEntry) and says.kind is not None and says.kind.text == kind:
            copies = says.copies or ScalarNode(1, "1", thing.span)
            return copies if isinstance(copies, ScalarNode) else copies.node
    return None


def _woven(base: Side, other: Side, thing: Thing) -> Iterator[Difference]:
    """Yield inserts around the sentences of a thing that only one side has."""
    sides = [[one for one in side.woven if one.thing == thing.id] for side in (base, other)]
    keys = [[(one.path, one.insert.word, plain(one.insert.node)) for one in side] for side in sides]
    for one, key in zip(sides[0], keys[0], strict=True):
        if key not in keys[1]:
            yield Difference("removed", thing, one.path, one.insert.node, None, one.insert.word, woven=True)
    for one, key in zip(sides[1], keys[1], strict=True):
        if key not in keys[0]:
            yield Difference("inserted", thing, one.path, None, one.insert.node, one.insert.word, woven=True)


# ------------------------------------------------------------------ parts

def _nodes(thing: Thing, path: Path, one: Node, two: Node) -> Iterator[Difference]:
    if isinstance(one, MappingNode) and isinstance(two, MappingNode):
        yield from _mappings(thing, path, one, two)
    elif isinstance(one, List) and isinstance(two, List) and (_steps(one) or _steps(two)):
        yield from _lists(thing, path, one, two)
    elif plain(one) != plain(two):
        yield Difference("changed", thing, path, one, two)


def _mappings(thing: Thing, path: Path, one: MappingNode, two: MappingNode) -> Iterator[Difference]:
    for key in dict.fromkeys((*two.keys(), *one.keys())):
        if key in IGNORED:
            continue
        before, after = one.get(key), two.get(key)
        if before is not None and after is not None:
            yield from _nodes(thing, (*path, key), before, after)
        else:
            yield Difference("added" if before is None else "removed", thing, (*path, key), before, after)


def _steps(node: List) -> bool:
    return any(step_id(item) is not None for item in node.items)


def _lists(thing: Thing, path: Path, one: List, two: List) -> Iterator[Difference]:
    """Compare lists of steps: inserted, removed, changed, and reordered ones."""
    old, new = _keyed(one, two), _keyed(two, one)
    around = {name: _inside(node, old, new) for name, node in new.items() if name not in old}
    wrapped = {inner for names in around.values() for inner in names}
    opened = {name: _inside(node, new, old) for name, node in old.items() if name not in new}
    freed = {inner: name for name, names in opened.items() for inner in names}
    for name, node in new.items():
        if name in freed:
            found = _found(old[freed[name]], name)
            assert found is not None
            yield from _nodes(thing, (*path, name), found[1], node)
            continue
        if name in old:
            yield from _nodes(thing, (*path, name), old[name], node)
            continue
        if around[name]:
            yield Difference("inserted", thing, (*path, name), None, node, "around", tuple(around[name]))
            for inner in around[name]:
                found = _found(node, inner)
                assert found is not None
                where, deeper = found
                yield from _nodes(thing, (*path, name, *where), old[inner], deeper)
        else:
            word, anchor = _beside(name, list(new), old)
            yield Difference("inserted", thing, (*path, name), None, node, word, (anchor,) if anchor else ())
    for name, node in old.items():
        if name not in new and name not in wrapped:
            word = "around" if opened[name] else ""
            yield Difference("removed", thing, (*path, name), node, None, word, tuple(opened[name]))
    orders = [[name for name in names if name in old and name in new] for names in (old, new)]
    if orders[0] != orders[1]:
        yield Difference("changed", thing, path, one, two, "order", tuple(orders[1]))


def _keyed(items: List, others: List) -> dict[str, Node]:
    """Map ids to steps. Steps without an id get their number, or that of an equal step in the other list."""
    free = [(number, plain(item)) for number, item in enumerate(others.items, 1) if step_id(item) is None]
    found: dict[str, Node] = {}
    for number, item in enumerate(items.items, 1):
        name = step_id(item)
        if name is None:
            same = next((one for one in free if one[1] == plain(item)), None)
            if same is not None:
                free.remove(same)
            name = str(min(number, same[0]) if same is not None else number)
        while name in found:
            name += "'"
        found[name] = item
    return found


def _inside(node: Node, old: dict[str, Node], new: dict[str, Node]) -> list[str]:
    """Return the steps that are gone from a list and are now inside a new one."""
    return [name for name in old if name not in new and _found(node, name) is not None]


def _found(node: Node, name: str) -> tuple[Path, Node] | None:
    """Find a step inside another, at any depth."""
    if isinstance(node, List):
        for item in node.items:
            inner = step_id(item)
            if inner == name:
                return (name,), item
            deeper = _found(item, name)
            if deeper is not None:
                return ((inner, *deeper[0]) if inner is not None else deeper[0]), deeper[1]
    if isinstance(node, MappingNode):
        for key in ("steps", "do"):
            held = node.get(key)
            deeper = _found(held, name) if held is not None else None
            if deeper is not None:
                return (key, *deeper[0]), deeper[1]
    return None


def _beside(name: str, order: list[str], old: dict[str, Node]) -> tuple[str, str]:
    """Return the neighbour of a new step: after a step that existed before, or else before one."""
    at = order.index(name)
    earlier = [one for one in order[:at] if one in old]
    if earlier:
        return "after", earlier[-1]
    later = [one for one in order[at:] if one in old]
    return ("before", later[0]) if later else ("", "")
