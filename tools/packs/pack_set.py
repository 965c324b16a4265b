"""Packs that are used together: a game, and house rules on top of it.

`GAME+RULES+MORE` names several, as `--with` does; other packs that they need are found by name. Nothing is parsed
if no pack needs another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from rulewright.ruleset.source.pack_files import PACK_FILES, PackFiles
from rulewright.tools.common.errors import Usage

if TYPE_CHECKING:
    from rulewright.ruleset.packs import Head

_NEEDS = re.compile(rb"\b(?:extends|requires)\b")
"""A pack without one of these words needs no other."""
_ORDER = re.compile(rb"^(?:after|conflicts)[ \t]*:", re.MULTILINE)
"""Without one of these keys, a pack's head names no optional packs."""
_CHANGES = re.compile(rb"^only-with[ \t]*:", re.MULTILINE)
"""Without this key, no change names optional packs."""


@frozen
class PackSet:
    """The named packs, and the packs that they need, by name."""

    asked: tuple[PackFiles, ...]
    needed: dict[str, PackFiles]
    known: tuple[str, ...] = ()
    """The names of all packs that can be found, if one of these refers to optional packs."""

    @property
    def files(self) -> tuple[PackFiles, ...]:
        return (*self.asked, *self.needed.values())


def names_of(text: str) -> tuple[str, ...]:
    """Split `GAME+RULES` into names; an existing path may contain a `+`."""
    return (text,) if "+" not in text or Path(text).exists() else tuple(text.split("+"))


def with_more(text: str, more: Sequence[str]) -> str:
    """Combine a pack with those that `--with` adds."""
    return "+".join((text, *more))


def together(asked: Sequence[PackFiles], find: Callable[[str, Sequence[PackFiles]], PackFiles | None]) -> PackSet:
    """Add all packs that these need; `find` returns a pack by name, searching from those read so far."""
    needed: dict[str, PackFiles] = {}
    roots: dict[Path, None] = {}
    for files in asked:
        if files.root.resolve() in roots:
            raise Usage(f"{files.root} is named twice; name it once")
        roots[files.root.resolve()] = None
    if not any(_needs(files) for files in asked):
        return PackSet(tuple(asked), needed)
    known = {name for files in asked for name, _ in _heads(files)}
    waiting = list(asked)
    while waiting:
        for _, wanted in _heads(waiting.pop()):
            for name in wanted:
                if name in known:
                    continue
                known.add(name)
                found = find(name, (*asked, *needed.values()))
                if found is not None:
                    needed[name] = found
                    waiting.append(found)
    return PackSet(tuple(asked), needed)


def speaks_of_optional(files: PackFiles) -> bool:
    """Whether a pack on top of another refers to optional packs, judging by its words."""
    heads = (data for name, data in files.files if name.rpartition("/")[2] in PACK_FILES)
    changes = (data for _, data in files.files)
    return _needs(files) and (any(map(_ORDER.search, heads)) or any(map(_CHANGES.search, changes)))


def _needs(files: PackFiles) -> bool:
    return any(name.rpartition("/")[2] in PACK_FILES and _NEEDS.search(data) for name, data in files.files)


def _heads(files: PackFiles) -> list[tuple[str, tuple[str, ...]]]:
    """Return the name of a pack, and the names of those that it needs."""
    head = head_in(files)
    if head is None:
        return []
    return [(head.pack, tuple(need.pack for need in (*head.extends, *head.requires)))]


def head_in(files: PackFiles) -> Head | None:
    """Return a pack's references to others, if its own document can be read."""
    from rulewright.ruleset.packs import head_of
    from rulewright.ruleset.source.reader import decode, read

    name, data = next(((name, data) for name, data in files.files if name.endswith(PACK_FILES)), ("", b""))
    reading = read(name, decode(data))
    return head_of([*reading.documents, *reading.broken])
