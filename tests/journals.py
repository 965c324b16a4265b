"""Journals for tests: of programs written by hand, and of small packs, right or wrong."""

from __future__ import annotations

import json
from pathlib import Path

from attrs import evolve

from rulewright.interpreter.game.journal import FORMAT
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.ruleset.table.origin import Origin, packed

POND = """\
pack: pond
version: 1.0.0
players: 2
tracks: {fish: {scope: player}, turns: number}
---
round: turn
turns-from: first of players
until: turns >= 8
steps:
  - id: act
    options:
      angle: fish += 1
      rest: do nothing
  - id: count
    do: turns += 1
"""
BUSY = POND.replace("do: turns += 1", "do: |\n      repeat while fish < 1:\n        turns = 0\n      turns += 1")
"""When the first player rests, the rules go round until their fuel is used up."""


def origin_of(text: str, name: str = "pond") -> Origin:
    """A pack of one file with this text, whether it can be read or not."""
    return Origin(((name, PackFiles(Path(name), ((f"{name}/pack.yaml", text.encode()),))),))


def with_packs(program: TableProgram) -> TableProgram:
    """A program written by hand, as if it had been compiled from a pack."""
    return evolve(program, origin=origin_of("pack: by-hand\n", program.pack))


def journal(text: str, *answers: str, line: str = "", **header: object) -> str:
    """A journal of a pack with this text, with other fields in its header. `line` is another second line."""
    own, digest = packed(origin_of(text))
    head = {
        "journal": FORMAT, "pack": "pond", "version": "1.0.0", "packs": digest, "seats": 2, "options": [],
        "series": False, "scenario": -1, "seed": 1, "game": 0,
    }  # fmt: skip
    return "\n".join([json.dumps(head | header), line or json.dumps(own), *answers, ""])
