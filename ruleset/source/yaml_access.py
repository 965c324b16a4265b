"""Read plain values from YAML nodes whose shape has been checked."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.source.nodes import Mapping, Node, Scalar, Sequence


def texts_of(node: Node) -> tuple[tuple[str, str], ...]:
    """Return a text for players as (language, text) pairs; a bare text is English."""
    if isinstance(node, Mapping):
        return tuple((e.key.text, e.value.text) for e in node.entries if isinstance(e.value, Scalar))
    return (("en", node.text),) if isinstance(node, Scalar) else ()


def text_of(node: Node | None, key: str) -> str | None:
    """Return the text of the scalar at a key, or None."""
    found = node.get(key) if isinstance(node, Mapping) else None
    return found.text if isinstance(found, Scalar) else None


def int_of(node: Mapping, key: str, default: int) -> int:
    found = node.get(key)
    return found.value if isinstance(found, Scalar) and isinstance(found.value, int) else default


def entries_of(node: Node, key: str) -> Iterator[tuple[Scalar, Node]]:
    found = node.get(key) if isinstance(node, Mapping) else None
    if isinstance(found, Mapping):
        for entry in found.entries:
            yield entry.key, entry.value


def numbers_of(node: Node) -> tuple[int, ...]:
    """Return the integers in a node, in order."""
    if isinstance(node, Sequence):
        return tuple(n for item in node.items for n in numbers_of(item))
    if isinstance(node, Scalar) and isinstance(node.value, int):
        return (int(node.value),)
    return ()


def is_every(node: Node) -> bool:
    """Whether a node is the word `all`."""
    return isinstance(node, Scalar) and node.text == "all"


def words_of(node: Node) -> Iterator[str]:
    """Yield every key and word in a node: names that a broken declaration may have meant to declare."""
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from words_of(item)
    else:
        for entry in node.entries:
            yield entry.key.text
            yield from words_of(entry.value)
