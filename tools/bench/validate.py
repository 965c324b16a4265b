"""Measure how long `rulewright validate` takes, compared with `check-jsonschema`.

    python -m rulewright.tools.bench.validate [--files 1000] [--runs 5] [--keep FOLDER]

Writes a pack with that many definitions of 15 lines, like a game's cards, with effects to parse and check, and one
JSON Schema for them. Both programs take turns, so that other load on the machine affects both; medians are
compared. Nothing is cached: there is no cache of findings. Both must accept the files, and both must find the
mistake that is then put into one of them, to make the times meaningful.

`check-jsonschema` comes with `pip install 'rulewright[bench]'`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

AT_MOST = 0.5

PACK = """\
pack: bazaar
version: 1.0.0
format: 3
name: {en: Bazaar}
players: 2 to 4
languages: [en, es]
enumerations: {colour: [red, green, blue], class: [common, fine, rare], set: [first, second, third]}
kinds:
  trinket:
    fields: {worth: 0 to 9, colour: colour, class: class, sets: {type: list of set}}
    effects:
      gain: {optional: true}
      play: {}
zones:
  stock: {order: pile, seen-by: nobody, refill: {from: discard}}
  discard: {order: pile}
  row: {order: row}
  hand: {scope: player, order: bag, seen-by: owner}
  table: {scope: player, order: row}
tracks:
  coins: {scope: player, at-least: 0}
  fame: {scope: [player, colour], at-least: 0}
components:
  trinkets: {kind: trinket, starts: stock, home: discard}
---
verb: draw(s) <n>
do: move top n of stock to hand
---
verb: earn(s) <n> coin(s)
do: coins += n
---
verb: pay(s) <n> coin(s)
do: coins -= n
"""

TRINKET = """\
trinket: trinket-{number}
name: {{en: "Trinket {number}", es: "Baratija {number}"}}
colour: {colour}
class: {rank}
worth: {worth}
sets: [first, {set}]
source: rulebook, page {page}
copies: {copies}
text:
  en: Earn {worth} coins and draw {some}. With {some} coins you may draw {more} more for them. Number {number}.
  es: Gana {worth} monedas y roba {some}. Con {some} monedas puedes robar {more} más por ellas. Número {number}.
gain: earn {worth} coins then draw {some}
play: |
  pay {some} coins
  if count(hand) < {worth}: draw {more}
"""

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["trinket", "worth", "colour", "class", "play"],
    "additionalProperties": False,
    "properties": {
        "trinket": {"type": "string", "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"},
        "name": {"type": "object", "additionalProperties": {"type": "string"}},
        "copies": {"type": "integer", "minimum": 0},
        "source": {"type": "string"},
        "worth": {"type": "integer", "minimum": 0, "maximum": 9},
        "colour": {"enum": ["red", "green", "blue"]},
        "class": {"enum": ["common", "fine", "rare"]},
        "text": {"type": "object", "additionalProperties": {"type": "string"}},
        "gain": {"type": "string"},
        "play": {"type": "string"},
        "sets": {"type": "array", "items": {"type": "string"}},
    },
}


def write(root: Path, files: int) -> list[Path]:
    """Write the pack and the schema; return the paths of the definitions."""
    pack = root / "bazaar"
    (pack / "trinkets").mkdir(parents=True)
    (pack / "pack.yaml").write_text(PACK, "utf-8")
    (root / "schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    paths = []
    for number in range(files):
        path = pack / "trinkets" / f"trinket-{number}.yaml"
        path.write_text(trinket(number), "utf-8")
        paths.append(path)
    return paths


def trinket(number: int) -> str:
    """Return a definition with names and texts of its own; its effects combine small amounts, as in games."""
    return TRINKET.format(
        number=number,
        worth=number % 10,
        some=1 + number % 7,
        more=2 + number % 3,
        copies=1 + number % 2,
        page=1 + number // 10,
        colour=("red", "green", "blue")[number % 3],
        set=("second", "third")[number % 2],
        rank=("common", "fine", "rare")[number // 3 % 3],
    )


def main(arguments: Sequence[str]) -> int:
    """Print both times and their ratio; return 1 if it exceeds the limit."""
    prog = "python -m rulewright.tools.bench.validate"
    parser = argparse.ArgumentParser(prog=prog, description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="write the files here and keep them")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        root = given.keep or Path(scratch)
        paths = write(root, given.files)
        bench = _Bench(root, paths)
        problem = bench.check()
        if problem:
            print(problem, file=sys.stderr)
            return 2
        times = bench.measure(given.runs)
    ours, theirs = (statistics.median(found) for found in times)
    texts = [trinket(number) for number in range(given.files)]
    effects = {re.sub(r"^.*?(?=^gain)", "", text, flags=re.DOTALL | re.MULTILINE) for text in texts}
    lines = texts[0].count("\n")
    print(f"{given.files} files of {lines} lines, {len(effects)} of them with different effects")
    print(f"{given.runs} runs in turns, medians:")
    print(f"rulewright validate  {ours:7.2f} s  (syntax, schemas, names, types, meaning; no cache)")
    print(f"check-jsonschema     {theirs:7.2f} s  (one schema)")
    ratio = ours / theirs
    print(f"ratio                {ratio:7.2f}    at most {AT_MOST}{'' if ratio <= AT_MOST else '  TOO SLOW'}")
    return 0 if ratio <= AT_MOST else 1


class _Bench:
    """Both programs, applied to the files of a folder."""

    def __init__(self, root: Path, paths: Sequence[Path]) -> None:
        self.root, self.paths = root, paths
        program = [sys.executable, "-m"]
        self.ours = [*program, "rulewright", "validate", str(root / "bazaar")]
        self.theirs = [*program, "check_jsonschema", "--schemafile", str(root / "schema.json"), *map(str, paths)]

    def check(self) -> str:
        """Return a problem of the comparison, if any: both must accept the files, and reject a spoilt one."""
        spoilt = self.paths[len(self.paths) // 2]
        text = spoilt.read_text("utf-8")
        for wanted in (0, 1):
            for command in (self.ours, self.theirs):
                ran = self._run(command)
                if ran.returncode != wanted:
                    said = f"{ran.stdout[:2000]}{ran.stderr[:2000]}"
                    return f"{' '.join(command[1:5])} ended with {ran.returncode}, not {wanted}:\n{said}"
            spoilt.write_text(text.replace("worth: ", "worth: 1000", 1), "utf-8")
        spoilt.write_text(text, "utf-8")
        return ""

    def measure(self, runs: int) -> tuple[list[float], list[float]]:
        """Return the seconds of each run, ours and theirs."""
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(runs):
            for command, found in zip((self.ours, self.theirs), times, strict=True):
                began = time.perf_counter()
                self._run(command)
                found.append(time.perf_counter() - began)
        return times

    def _run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(self.root / "bytecode")}
        environment = {**os.environ, "RULEWRIGHT_NO_CACHE": "1", **bytecode}
        code = Path(__file__).parents[2]
        return subprocess.run(command, cwd=code, env=environment, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
