"""Fragments of packs on top of a small game, for tests of what documentation shows."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import Stages, Wrong

ROOT = Path(__file__).parents[2]
LANTERNS = "tests/docs/lanterns.yaml"
STEP = "round: sample\nsteps:\n  - id: sample\n    turns: players\n"
SEPARATOR = re.compile(r"^---\n", re.MULTILINE)


def with_fragment(base: str, fragment: str) -> Loaded:
    """A pack (a file or a folder) with a fragment; documents of the pack that the fragment declares anew make room.

    A fragment is documents, keys of a step, or a list of steps.
    """
    if re.match(r"- ", fragment):
        fragment = "round: sample\nsteps:\n" + _indented(fragment, 2)
    elif re.match(r"(do|when|options):", fragment):
        fragment = STEP + _indented(fragment, 4)
    if re.search(r"^change: ", fragment, re.MULTILINE) or re.search(r"^extends: ", fragment, re.MULTILINE):
        return _on_top(base, fragment)
    declared = {_first_line(document) for document in SEPARATOR.split(fragment)}
    files: list[tuple[str, bytes]] = []
    for name, text in _base(base):
        kept = (document for document in SEPARATOR.split(text) if _first_line(document) not in declared)
        files.append((name, "---\n".join(kept).encode()))
    files.append(("fragment.yaml", fragment.encode()))
    return load_files(PackFiles(ROOT, tuple(files)))


def _on_top(base: str, fragment: str) -> Loaded:
    """A pack that changes the base, made of a fragment; it has a head of its own if it has none."""
    if not re.search(r"^extends: ", fragment, re.MULTILINE):
        game = re.search(r"^pack: ([a-z-]+)", "\n".join(text for _, text in _base(base)), re.MULTILINE)
        assert game is not None
        fragment = f'pack: house-rules\nversion: 1.0.0\nextends: {{{game[1]}: "*"}}\n---\n{fragment}'
    files = tuple((name, text.encode()) for name, text in _base(base))
    return load_files(PackFiles(ROOT, files), more=[PackFiles(ROOT, (("fragment.yaml", fragment.encode()),))])


def wrong_scenarios(loaded: Loaded) -> list[Wrong]:
    """Play all scenarios of a pack; return what does not hold in them."""
    assert loaded.program is not None and loaded.program.scenarios
    stages = Stages(loaded.program, loaded.program.scenarios)
    return [wrong for one in loaded.program.scenarios for wrong in perform(stages, one).wrong]


def with_effect(effect: str) -> Loaded:
    """The little game with an effect in it, done in a player's turn; `p` is the next player."""
    return with_fragment(LANTERNS, f"do: |\n  let p = next(you)\n{_indented(effect, 2)}")


def with_expression(expression: str) -> Loaded:
    """The little game with an expression in it, read in a player's turn."""
    return with_effect(f"let sampled = {expression}")


def _base(base: str) -> list[tuple[str, str]]:
    if base == "none":
        return []
    place = ROOT / base
    assert place.exists(), f"there is no {base}"
    paths = sorted(place.rglob("*.yaml")) if place.is_dir() else [place]
    return [(path.name, path.read_text("utf-8")) for path in paths if "scenarios" not in path.parts]


def _first_line(document: str) -> str:
    """The line that names a document, without what stands around it."""
    lines = (line for line in document.splitlines() if line.strip() and not line.startswith("#"))
    return next(lines, "")


def _indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}".rstrip() + "\n" for line in text.rstrip("\n").split("\n"))
