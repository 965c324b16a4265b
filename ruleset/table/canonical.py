"""Write table programs as canonical JSON: equal programs give equal text.

A node (a frozen attrs object) is an object with one key, its class, whose value is the list of its fields in order;
a tuple is an array; strings, integers, booleans, and null are themselves. A hash of this text
names a program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any, TypeAlias, TypeVar

import attrs
from attrs import evolve, fields

from rulewright.ruleset.common import diagnostic
from rulewright.ruleset.common.diagnostic import NOWHERE
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Node, TableProgram
from rulewright.ruleset.table.origin import Origin

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

REGISTRY: dict[str, type[Any]] = {
    name: thing
    for module in (diagnostic, t)
    for name, thing in vars(module).items()
    if isinstance(thing, type) and attrs.has(thing) and thing.__module__ == module.__name__
}
"""The classes that may be named in canonical text."""

_LATER = {TableProgram: 3, t.Source: 1, t.Site: 2, t.OptionBranch: 2, t.Reveal: 1, t.Move: 1, t.Emit: 1}
"""How many of the last fields of a class are omitted where they are empty, so that older hashes stay the same."""


def to_json(value: Any) -> Json:
    """Convert a tree of nodes, tuples, and plain values to JSON-serialisable data."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Origin):
        return None  # the program means the same without it
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    name = type(value).__name__
    if REGISTRY.get(name) is not type(value):
        raise TypeError(f"{name} is not a class of the table program")
    values = [to_json(getattr(value, field.name)) for field in attrs.fields(type(value))]
    for _ in range(_LATER.get(type(value), 0)):
        if values[-1]:
            break
        del values[-1]
    return {name: values}


def dumps(value: Any) -> str:
    """Return the canonical text, without spaces and in ASCII."""
    return json.dumps(to_json(value), separators=(",", ":"), ensure_ascii=True)


def program_hash(program: TableProgram) -> str:
    """Hash what a program does, as 32 hexadecimal digits. Ignores spans, prompts, names of packs, and bots."""
    for known, name in _recent:
        if known is program:
            return name
    bare = attrs.evolve(
        program,
        pack="",
        version="",
        sources=tuple(attrs.evolve(source, span=NOWHERE, pack="", values=()) for source in program.sources),
        sites=tuple(_asking(site) for site in program.sites),
        bots=None,
    )
    name = blake2b(dumps(bare).encode(), digest_size=16).hexdigest()
    _recent.insert(0, (program, name))
    del _recent[8:]
    return name


def _asking(site: t.Site) -> t.Site:
    """Return a site without its texts and what these show."""
    branches = tuple(attrs.evolve(branch, shows=(), slots=()) for branch in site.branches)
    return attrs.evolve(site, prompt=(), shows=(), branches=branches)


_recent: list[tuple[TableProgram, str]] = []
"""Hashes of the most recent programs, by identity, so that a program is hashed once for all its states."""


# ---- Traverse and rebuild trees of nodes by the attributes of their classes
#
# It handles the nodes of table programs and those that `program.nodes` and the generators add.

Code = TypeVar("Code")

_PLAIN = re.compile(r"(?:tuple|dict|int|str|bool|None|Operator|Type|Span|Literal|[\[\], |.]|'[^']*'|\"[^\"]*\")*")
"""Annotations of attributes without nodes."""


class _Parts(dict[Any, "tuple[str, ...] | None"]):
    """For each class the attributes that may contain nodes, in order; None if it is no class of nodes."""

    def __missing__(self, kind: Any) -> tuple[str, ...] | None:
        names = None
        if issubclass(kind, Node):
            names = tuple(one.name for one in fields(kind) if not _PLAIN.fullmatch(str(one.type)))
        self[kind] = names
        return names


_PARTS = _Parts()


def parts(node: Node) -> tuple[str, ...]:
    """Return the attributes of a node that may contain other nodes, in order."""
    return _PARTS[type(node)] or ()


def children(node: Any) -> list[Any]:
    """Return the direct children of a node."""
    found: list[Any] = []
    for name in _PARTS[type(node)] or ():
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple:
            for item in value:
                if _PARTS[type(item)] is not None:
                    found.append(item)
        elif _PARTS[kind] is not None:
            found.append(value)
    return found


def everything(node: object) -> Iterator[Any]:
    """Iterate over a node and all nodes below it, each before its children, in source order.

    Tuples are walked through; other values are skipped.
    """
    rest = [node]
    while rest:
        one: Any = rest.pop()
        kind = type(one)
        if kind is tuple:
            rest.extend(reversed(one))
        elif _PARTS[kind] is not None:
            yield one
            if _PARTS[kind]:
                inside = children(one)
                inside.reverse()
                rest.extend(inside)


def rebuild(node: Code, change: Callable[[Any], Any]) -> Code:
    """Return a copy of a node with `change` applied to its direct children; the same node if none changes."""
    news: dict[str, Any] = {}
    for name in _PARTS[type(node)] or ():
        value = getattr(node, name)
        if type(value) is tuple:
            new: Any = tuple([change(item) if _PARTS[type(item)] is not None else item for item in value])
            if any(one is not other for one, other in zip(new, value, strict=True)):
                news[name] = new
        elif _PARTS[type(value)] is not None:
            new = change(value)
            if new is not value:
                news[name] = new
    return evolve(node, **news) if news else node  # type: ignore[misc]  # all nodes are attrs records


def transform(node: Code, change: Callable[[Any], Any]) -> Code:
    """Return a node, or a tuple, with `change` applied to all nodes below it and then to itself."""
    if isinstance(node, tuple):
        parts_of_it = tuple(transform(part, change) for part in node)
        same = all(new is old for new, old in zip(parts_of_it, node, strict=True))
        return node if same else parts_of_it  # type: ignore[return-value]  # of the same sorts of nodes
    if _PARTS[type(node)] is None:
        return node
    return change(rebuild(node, lambda part: transform(part, change)))  # type: ignore[no-any-return]  # of its sort
