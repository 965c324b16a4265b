"""Packs on top of the little game of the language reference, written in a test."""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles

ROOT = Path(__file__).parents[2]
LANTERNS = ROOT / "tests/docs/lanterns.yaml"


def files_of(pack: str, text: str, head: str = "") -> PackFiles:
    """A pack on top of the game. `head` is more of its `pack.yaml`."""
    about = f'pack: {pack}\nversion: 1.0.0\nextends: {{lanterns: "*"}}\n{head}\n'
    return PackFiles(ROOT / pack, ((f"{pack}/pack.yaml", about.encode()), (f"{pack}/rules.yaml", text.encode())))


def game() -> PackFiles:
    """The little game."""
    return PackFiles(ROOT, (("lanterns.yaml", LANTERNS.read_bytes()),))


def together(**packs: str) -> Loaded:
    """The game with packs on top. `a="…"` is the text of the pack `a`; a text may begin with lines for its head,
    which end in a line `...`."""
    more = []
    for pack, text in packs.items():
        head, mark, rules = text.partition("...\n")
        more.append(files_of(pack.replace("_", "-"), rules if mark else text, head if mark else ""))
    return load_files(game(), more=more)


def codes(loaded: Loaded) -> list[str]:
    return [finding.code for finding in loaded.findings]
