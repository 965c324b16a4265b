"""The names of things at a table whose program is known already: from its pack, where it can be found."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from ruleset.table import TableProgram
from tools import packs
from tools.failure import Failure
from tools.labels import copy_notes
from tools.packs import Compiled
from tools.texts import PackTexts


@frozen
class Naming:
    """The texts of a table, and what is written on copies of cards that differ (`labels.copy_notes`)."""

    texts: PackTexts
    notes: Mapping[str, str] = field(factory=dict)


def naming(table: TableProgram, compiled: Compiled | None = None) -> Naming:
    """The names of a compiled pack, or none."""
    if compiled is None:
        return Naming(PackTexts(table))
    return Naming(PackTexts(table, compiled.program), copy_notes(compiled.program, compiled.sources))


def naming_of(table: TableProgram, pack: str | None) -> Naming:
    """The names from the pack that was asked for, or from the shipped one of the table's pack name."""
    if pack is not None:
        return naming(table, packs.compile_pack(pack))
    if table.pack not in packs.shipped():
        return naming(table)
    try:
        return naming(table, packs.compile_pack(str(packs.shipped()[table.pack])))
    except Failure:
        return naming(table)
