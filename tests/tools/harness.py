"""Shared helpers for tests of commands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent.parent
CONTENT = ROOT / "content" / "rattus-cartus"


@frozen
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


# ------------------------------------------------------------------ a small game to put texts into

GEMS = """\
pack: gates
version: 1.0.0
format: 3
players: 2
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 4, starts: row}}
"""
"""The beginning of `pack.yaml`, without names, zones and tracks."""
ENDING = """\
---
finish: end
awards: []
---
winner: first
among: players
order: [most score]
"""
"""Nothing is worth points; the highest score wins."""


def gates(*documents: str) -> str:
    """A whole small pack. The first of its documents goes on with `pack.yaml`."""
    return GEMS + "---\n".join(documents) + ENDING


# ------------------------------------------------------------------ texts that look like output of ours

FORGED = "forged-line"
"""What hostile texts write after a line end. No line begins with it unless the text brought its own line end."""
_ENDS = ("\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1e")
ALLOWED = f"x\n{FORGED}\n::error file=x::forged\n##[error]y\n=1+1\u200f\u061c"
"""What a sound pack can say, in quotes: line ends are the only control characters that are not findings."""
HOSTILE = (
    "x" + "".join(f"{end}{FORGED}{end}::error file=x::forged{end}##vso[task]y" for end in _ENDS)
    + "\x1b[31mred\x1b]0;title\x07\x9b2J\x00\x7f\t"
    + "\u202eleft\u2066\u2069\u200e\u200f\u061c\ufeff\ud800\udcff"
)  # fmt: skip
"""Everything that can be bad about a text."""
TYPED = HOSTILE.replace("\x00", "").replace("\ud800", "")
"""As much of it as can be an argument of a command, or the value of a variable."""
_COMMAND = re.compile(r"\s*::[A-Za-z]|.*##\w*\[")
_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def acts(char: str) -> bool:
    """Whether a character other than a line end does something where it is printed, by what Unicode says of it."""
    control = unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") and char != "\n"
    return control or unicodedata.bidirectional(char) in _TURNING or char in "\u061c\u200e\u200f\ufeff"


def forged(text: str) -> list[str]:
    """Lines that a text made: by its own line end, as a command for a build server, or with an acting character."""
    return [
        line
        for line in text.split("\n")
        if line.startswith(FORGED) or _COMMAND.match(line) or (not _plain(line) and any(map(acts, line)))
    ]


def _plain(line: str) -> bool:
    return line.isascii() and line.isprintable()
