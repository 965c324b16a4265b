"""Pairs of independent house rules with their verdicts: `python -m tests.house.catalogue`.

Each file in `pairs` says first of which game, whether the two conflict, and why; then come the two packs. The
verdicts were written from the rules of the language before any pair was combined. A pair conflicts if the result
depends on which pack comes first, or if one silently defeats the other. The findings must say so, and nothing else,
in either order of the command line and after either pack got another name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml
from attrs import evolve, frozen

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles, read_pack

ROOT = Path(__file__).parents[2]
PAIRS = Path(__file__).parent / "pairs"
VERDICTS = {"conflict": True, "combine": False}


@frozen
class Pair:
    """Two packs on a game. `conflicts`: what the findings about both together must say."""

    name: str
    game: str
    conflicts: bool
    kind: str
    packs: tuple[tuple[str, str], ...]
    """The name of each, and its text."""

    def renamed(self) -> Pair:
        """The same, with names in the opposite order."""
        first, second = sorted(name for name, _ in self.packs)
        others = {first: f"z-{first}", second: f"a-{second}"}
        packs = ((others[name], _named(text, others)) for name, text in self.packs)
        return Pair(self.name, self.game, self.conflicts, self.kind, tuple(packs))

    def turned(self) -> Pair:
        """The same, named in the opposite order on the command line."""
        return Pair(self.name, self.game, self.conflicts, self.kind, self.packs[::-1])


def _named(text: str, others: dict[str, str]) -> str:
    """A pack's text with other names of packs, where it speaks of packs."""
    for old, new in others.items():
        where = r"(?m)^((?:pack|after|requires|conflicts|only-with|extends):.*?)"
        text = re.sub(rf"{where}(?<![a-z-]){re.escape(old)}(?![a-z-])", rf"\g<1>{new}", text)
    return text


def pairs() -> Iterator[Pair]:
    """All pairs, by the names of their files."""
    for path in sorted(PAIRS.glob("*.yaml")):
        head, *documents = re.split(r"(?m)^---\n", path.read_text("utf-8"))
        about = yaml.safe_load(head)
        texts: list[tuple[str, str]] = []
        for document in documents:
            found = re.match(r"(?:#.*\n|\s*\n)*pack: ([a-z0-9-]+)\s*\n", document)
            if found:
                texts.append((found[1], document))
            else:
                name, text = texts[-1]
                texts[-1] = (name, f"{text}---\n{document}")
        yield Pair(path.stem, about["game"], VERDICTS[about["verdict"]], about["kind"], tuple(texts))


@cache
def game(name: str) -> PackFiles:
    """A shipped game without its scenarios, some of which are no longer so."""
    files = read_pack(ROOT / "content" / name)
    return PackFiles(files.root, tuple(one for one in files.files if "scenarios/" not in one[0]))


def loaded(pair: Pair) -> Loaded:
    """The two packs on their game."""
    more = [PackFiles(ROOT / name, ((f"{name}/pack.yaml", text.encode()),)) for name, text in pair.packs]
    return load_files(game(pair.game), more=more)


def found(pair: Pair) -> tuple[str, ...]:
    """The codes of all findings, sorted; without those of a change that does nothing also in its pack alone."""
    findings = loaded(pair).findings
    own: set[str] = set()
    if any(finding.code == "RW639" for finding in findings):
        alone = (evolve(pair, packs=(pack,)) for pack in pair.packs)
        own = {finding.message for one in alone for finding in loaded(one).findings if finding.code == "RW639"}
    return tuple(sorted(finding.code for finding in findings if finding.message not in own))


def main() -> int:
    """Prints what does not agree with its verdict; the exit code says whether anything does not."""
    missed = alarms = unsteady = 0
    conflicts = others = 0
    for pair in pairs():
        results = [found(one) for one in (pair, pair.turned(), pair.renamed())]
        conflicts += pair.conflicts
        others += not pair.conflicts
        missed += pair.conflicts and not results[0]
        alarms += not pair.conflicts and bool(results[0])
        unsteady += len(set(results)) > 1
        if len(set(results)) > 1 or bool(results[0]) != pair.conflicts:
            shown = "; ".join(" ".join(result) or "nothing" for result in dict.fromkeys(results))
            print(f"{pair.name} ({pair.kind}): {'conflict' if pair.conflicts else 'combine'}, found {shown}")
    print(f"{conflicts} that conflict, {missed} missed; {others} that combine, {alarms} false alarms; "
          f"{unsteady} depend on names or order")  # fmt: skip
    return 1 if missed or alarms or unsteady else 0


if __name__ == "__main__":
    sys.exit(main())
