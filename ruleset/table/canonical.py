"""Write table programs as canonical JSON: equal programs give equal text.

A node (a frozen attrs object) is an object with one key, its class, whose value is the list of its fields in order;
a tuple is an array; strings, integers, booleans, and null are themselves. Reading is strict, and safe for untrusted
text: only classes of the registry are instantiated, and every field is checked against its declared type.
"""

from __future__ import annotations

import json
import types
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import attrs

from ruleset.common import span
from ruleset.common.span import NOWHERE
from ruleset.table import nodes as t
from ruleset.table.nodes import TableProgram

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

REGISTRY: dict[str, type[Any]] = {
    name: thing
    for module in (span, t)
    for name, thing in vars(module).items()
    if isinstance(thing, type) and attrs.has(thing) and thing.__module__ == module.__name__
}
"""The classes that may be named in canonical text."""

MAX_INTEGER = 2**63

_LATER = {TableProgram: 2, t.Source: 1, t.Site: 2, t.OptionBranch: 2, t.Reveal: 1, t.Move: 1, t.Emit: 1}
"""How many of the last fields of a class are omitted where they are empty: old programs lack them."""


class CanonicalError(ValueError):
    """The text is not canonical; the message says where and why."""


def to_json(value: Any) -> Json:
    """Convert a tree of nodes, tuples, and plain values to JSON-serialisable data."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    name = type(value).__name__
    if REGISTRY.get(name) is not type(value):
        raise TypeError(f"{name} is not a class of the table program")
    values = [to_json(getattr(value, field.name)) for field in attrs.fields(type(value))]
    for _ in range(_LATER.get(type(value), 0)):
        if values[-1]:
            break
        del values[-1]  # omitted, as before such values existed
    return {name: values}


def from_json(data: Json, expected: Any = TableProgram) -> Any:
    """Rebuild the tree given to `to_json`, checked against the expected type. Raises CanonicalError."""
    try:
        return _read(data, expected, _name(expected))
    except RecursionError:
        raise CanonicalError("the program is nested too deeply") from None


def dumps(value: Any) -> str:
    """Return the canonical text, without spaces and in ASCII."""
    return json.dumps(to_json(value), separators=(",", ":"), ensure_ascii=True)


def loads(text: str, expected: Any = TableProgram) -> Any:
    """Read the tree of a canonical text. Raises CanonicalError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CanonicalError(f"not JSON: {error}") from None
    return from_json(data, expected)


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

# ------------------------------------------------------------------ reading


def _read(data: Any, expected: Any, where: str) -> Any:
    origin = get_origin(expected)
    if origin in (Union, types.UnionType):
        return _read_union(data, get_args(expected), where)
    if origin is Literal:
        if data in get_args(expected) and not isinstance(data, bool):
            return data
    elif origin is tuple:
        return _read_tuple(data, get_args(expected), where)
    elif expected is type(None):
        if data is None:
            return None
    elif expected in (int, bool, str):
        if type(data) is expected and (expected is not int or abs(data) < MAX_INTEGER):
            return data
    else:
        return _read_node(data, expected, where)
    raise CanonicalError(f"{where}: expected {_name(expected)}, found {_found(data)}")


def _read_union(data: Any, members: tuple[Any, ...], where: str) -> Any:
    """Read a member of a union. Members differ in form, so the first that fits is the right one."""
    for member in members:
        if _fits(data, member):
            return _read(data, member, where)
    names = ", ".join(_name(member) for member in members)
    raise CanonicalError(f"{where}: expected one of {names}, found {_found(data)}")


def _fits(data: Any, expected: Any) -> bool:
    if expected is type(None):
        return data is None
    if expected in (int, bool, str):
        return type(data) is expected
    if get_origin(expected) is tuple:
        return isinstance(data, list)
    if get_origin(expected) in (Union, types.UnionType):
        return any(_fits(data, member) for member in get_args(expected))
    if not isinstance(data, dict) or len(data) != 1:
        return False
    found = REGISTRY.get(next(iter(data)))
    return found is not None and issubclass(found, expected)


def _read_tuple(data: Any, members: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise CanonicalError(f"{where}: expected a list, found {_found(data)}")
    if len(members) == 2 and members[1] is Ellipsis:
        return tuple(_read(item, members[0], f"{where}[{i}]") for i, item in enumerate(data))
    if len(data) != len(members):
        raise CanonicalError(f"{where}: expected {len(members)} items, found {len(data)}")
    return tuple(_read(item, of, f"{where}[{i}]") for i, (item, of) in enumerate(zip(data, members, strict=True)))


def _read_node(data: Any, expected: type[Any], where: str) -> Any:
    if not isinstance(data, dict) or len(data) != 1:
        raise CanonicalError(f"{where}: expected {_name(expected)}, found {_found(data)}")
    name, values = next(iter(data.items()))
    found = REGISTRY.get(name)
    if found is None or not issubclass(found, expected) or found.__subclasses__():
        raise CanonicalError(f"{where}: {name!r} is not a kind of {_name(expected)}")
    fields = _fields_of(name)
    if isinstance(values, list) and found is t.Source and len(values) == 2:
        values = [*values, ""]  # written before packs could be combined
    later = attrs.fields(found)[len(values) :] if isinstance(values, list) else ()
    if isinstance(values, list) and len(later) <= _LATER.get(found, 0):
        values = [*values, *(to_json(one.default) for one in later)]
    if not isinstance(values, list) or len(values) != len(fields):
        raise CanonicalError(f"{where}: {name} takes {len(fields)} fields")
    return found(*(_read(v, of, f"{where}.{key}") for v, (key, of) in zip(values, fields, strict=True)))


@cache
def _fields_of(name: str) -> tuple[tuple[str, Any], ...]:
    """Return a registered class's fields and their types. On demand, since it is slow and rarely needed."""
    kind = REGISTRY[name]
    hints = get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in attrs.fields(kind))


def _name(expected: Any) -> str:
    return expected.__name__ if isinstance(expected, type) else str(expected).replace("ruleset.table.nodes.", "")


def _found(data: Any) -> str:
    if isinstance(data, dict):
        return f"an object with {', '.join(map(repr, list(data)[:3]))}"
    return "a list" if isinstance(data, list) else repr(data)[:40]
