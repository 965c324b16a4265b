"""A small pack around a snippet, for tests of findings."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.pictures import PictureFile

HEAD = "pack: sample\nplayers: 2 to 3\nlanguages: [en, es]\n"
BASE = """\
enumerations: {colour: [red, green]}
---
kinds:
  lantern: {fields: {colour: colour, oil: 0 to 9}, effects: {play: {takes: {victim: player}, optional: true}}}
  moth: {}
---
components:
  lanterns: {kind: lantern, each: {colour: all, oil: [0, 1, 2]}, copies: 2, starts: deck, home: discard}
  moths: {kind: moth, copies: 3, starts: deck, home: discard}
---
zones:
  deck: {order: pile, seen-by: nobody, refill: {from: discard}}
  discard: {order: pile}
  row: {order: row}
  hand: {scope: player, seen-by: owner}
---
tracks:
  sparks: {scope: player, at-least: 0}
  fame: {scope: [player, colour]}
  starter: player
  dusk: boolean
---
lists: {guests: {of: player}}
---
verb: draw(s) <n>
do: move top n of deck to hand
---
verb: lose(s) <n> spark(s)
do: sparks -= n
---
function: shine
takes: {who: player}
gives: number
is: count(who's hand)
"""
STEP = "round: round\nsteps:\n  - id: sample\n    turns: players\n"


PICTURES = tuple(
    PictureFile(f"pictures/{name}.png")
    for colour in ("red", "green")
    for name in (colour, *(f"{colour}-{number}" for number in range(3)))
)
"""A picture for each lantern, and for each of their colours."""


def findings_of(snippet: str, lints: bool = False) -> tuple[Diagnostic, ...]:
    """The findings of a pack with the snippet: documents, or keys of a step. `lints` as for `load_files`."""
    if re.match(r"(do|when):", snippet):
        snippet = STEP + "".join(f"    {line}\n" for line in snippet.split("\n"))
    head = "" if re.search(r"^pack:", snippet, re.MULTILINE) else HEAD
    files = [("pack.yaml", head), ("base.yaml", BASE), ("snippet.yaml", snippet)]
    encoded = tuple((name, text.encode()) for name, text in files)
    return load_files(PackFiles(Path(), encoded, (), PICTURES), lints=lints).findings
