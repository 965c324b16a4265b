"""Edit a tree of nodes: select a part by a path of words and rebuild the tree around it.

Each word of a path is a key of a mapping or the id of a step in a list.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.source.nodes import Around, Entry, Mapping, Node, Scalar, Sequence

Path = tuple[str, ...]


def part(node: Node | None, path: Path) -> Node | None:
    """Return the node at a path, or None if there is none."""
    for word in path:
        if isinstance(node, Mapping):
            node = node.get(word)
        elif isinstance(node, Sequence):
            node = next((item for item in node.items if step_id(item) == word), None)
        else:
            return None
    return node


def bare_path(node: Node | None, path: Path) -> Path:
    """Return a path without the steps that house rules put around its target."""
    bare: list[str] = []
    for word in path:
        if isinstance(node, Around) and word == "steps":
            bare.pop()
        else:
            bare.append(word)
        node = part(node, (word,))
    return tuple(bare)


def replaced(node: Node, path: Path, new: Node | None, key: Scalar | None = None) -> Node:
    """Replace the part at a path, or remove it if `new` is None.

    A missing key is added at the end, spelt as `key`. All of the path except its last word must exist.
    """
    if not path:
        assert new is not None
        return new
    word, rest = path[0], path[1:]
    if isinstance(node, Mapping):
        old = next((entry for entry in node.entries if entry.key.text == word), None)
        if old is None:
            if new is None:
                return node
            assert not rest and key is not None
            return evolve(node, entries=(*node.entries, Entry(key, new)))
        if new is None and not rest:
            return evolve(node, entries=tuple(entry for entry in node.entries if entry is not old))
        changed = evolve(old, value=replaced(old.value, rest, new, key))
        return evolve(node, entries=tuple(changed if entry is old else entry for entry in node.entries))
    assert isinstance(node, Sequence)
    items: list[Node] = []
    for item in node.items:
        if step_id(item) != word:
            items.append(item)
        elif rest or new is not None:
            items.append(replaced(item, rest, new, key))
    return evolve(node, items=tuple(items))


def inserted(items: Sequence, name: str, before: tuple[Node, ...], after: tuple[Node, ...]) -> Sequence:
    """Insert items before and after the item of the given name."""
    found: list[Node] = []
    for item in items.items:
        found += (*before, item, *after) if named(item) == name else (item,)
    return evolve(items, items=tuple(found))


def step_id(node: Node) -> str | None:
    """Return the id of a step; None if the node has none."""
    found = node.get("id") if isinstance(node, Mapping) else None
    return found.text if isinstance(found, Scalar) else None


def named(node: Node) -> str | None:
    """Return the name of a list item: the text of a word, or the id of a step."""
    return node.text if isinstance(node, Scalar) else step_id(node)
