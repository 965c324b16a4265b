"""Write table programs as canonical JSON: equal programs give equal text.

A node (a frozen attrs object) is an object with one key, its class, whose value is the list of its fields in order;
a tuple is an array; strings, integers, booleans, and null are themselves. A hash of this text
names a program.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any, TypeAlias

import attrs

from rulewright.ruleset.common import span
from rulewright.ruleset.common.span import NOWHERE
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.ruleset.table.origin import Origin

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

REGISTRY: dict[str, type[Any]] = {
    name: thing
    for module in (span, t)
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
