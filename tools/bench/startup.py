"""`python -m rulewright.tools.bench.startup`: measure the time to the first finding and first game.

`validate` on a shipped pack is compared with a bare Python that imports its main dependencies: cold runs have an
empty cache folder each time, warm runs a filled one. A game is compared with a Python that does nothing: after an
edit of one file of a pack, with only the compiler check cached; and warm, after the same game was played and its
native code built. `--pack` is the pack of these games; the default is the one with the most rules.

The runs alternate, so that other load on the machine affects all of them, and medians are compared. Compiled
bytecode is always present, as after any first run, even if the environment forbids writing it.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from rulewright.tools.bench import command
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading

BARE = "import click, lark, jsonschema, yaml, attrs"
COLD_AT_MOST, WARM_AT_MOST = 3.0, 1.5
"""Limits relative to a bare Python with these imports."""
EDITED_AT_MOST, AGAIN_AT_MOST = 1000.0, 250.0
"""Limits in milliseconds, including the start of Python."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; return 1 if a limit is exceeded, 2 if they cannot be measured."""
    prog = "python -m rulewright.tools.bench.startup"
    parser = argparse.ArgumentParser(prog=prog, description="How long starting takes.")
    parser.add_argument("runs", type=int, nargs="?", default=20)
    parser.add_argument("--pack", help="a pack, for the games")
    given = parser.parse_args(arguments)
    return command.ended(lambda: _measure(given))


def _measure(given: argparse.Namespace) -> bool:
    if given.runs < 1:
        raise Usage("there is nothing to measure without a run")
    root = Path(__file__).parent.parent.parent
    pack = loading.find(given.pack) if given.pack else max(loading.shipped().values(), key=_rules)
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(root, Path(place))
        passed = [bench.findings(given.runs), bench.games(given.runs, pack.absolute())]
    return all(passed)


def _rules(pack: Path) -> int:
    return sum(file.stat().st_size for file in pack.rglob("*.yaml") if "scenarios" not in file.parts)


@frozen
class Bench:
    """Runs commands in `root`; temporary files go to `place`."""

    root: Path
    place: Path

    def findings(self, runs: int) -> bool:
        """Measure checking a pack; return whether the limits are met."""
        shipped = sorted(loading.shipped())
        checking = [sys.executable, "-m", "rulewright", "validate", f"content/{shipped[-1]}"]
        bare = [sys.executable, "-c", BARE]
        warm = self.place / "warm"
        for each in (checking, bare):
            self._timed(each, warm)
        times: dict[str, list[float]] = {"bare": [], "cold": [], "warm": []}
        for run in range(runs):
            times["bare"].append(self._timed(bare, warm))
            times["cold"].append(self._timed(checking, self.place / f"cold-{run}"))
            times["warm"].append(self._timed(checking, warm))
        medians = {kind: statistics.median(found) for kind, found in times.items()}
        print(f"bare imports      {medians['bare']:6.0f} ms  (median of {runs}; {BARE})")
        passed = True
        for kind, most in (("cold", COLD_AT_MOST), ("warm", WARM_AT_MOST)):
            ratio = medians[kind] / medians["bare"]
            passed = passed and ratio <= most
            verdict = "" if ratio <= most else "  TOO SLOW"
            print(f"validate, {kind} {medians[kind]:10.0f} ms  {ratio:.2f} x bare, at most {most}{verdict}")
        return passed

    def games(self, runs: int, pack: Path) -> bool:
        """Measure one game of a copy of a pack; return whether the limits are met."""
        copy = self.place / pack.name
        shutil.copytree(pack, copy)
        edited = max(copy.rglob("*.yaml"), key=lambda file: (_is_rules(file, copy), file.stat().st_size))
        nothing, compiler = [sys.executable, "-c", "pass"], self.place / "compiler"
        playing = [*_console(), "simulate", str(copy), "-n", "1"]
        kinds = {"text": playing, "json": [*playing, "--json"]}
        self._timed([*_console(), "doctor"], compiler)
        times: dict[str, list[float]] = {"nothing": [], "edited": [], "text": [], "json": []}
        for run in range(-1, runs):  # the first run writes bytecode
            with edited.open("ab") as file:
                file.write(b"\n# edited\n")
            cache = self.place / f"edited-{run}"
            shutil.copytree(compiler, cache)
            found = {"nothing": self._timed(nothing, cache), "edited": self._timed(playing, cache)}
            found.update({kind: self._timed(again, cache) for kind, again in kinds.items()})
            for kind, milliseconds in found.items() if run >= 0 else ():
                times[kind].append(milliseconds)
        medians = {kind: statistics.median(found) for kind, found in times.items()}
        print(f"python -c pass    {medians['nothing']:6.0f} ms  (median of {runs}; one game of {pack.name})")
        passed = self._told("game, edited", medians["edited"], medians["nothing"], EDITED_AT_MOST)
        for kind, title in (("text", "game, warm"), ("json", "game, warm, json")):
            passed &= self._told(title, medians[kind], medians["nothing"], AGAIN_AT_MOST)
        return passed

    def _told(self, title: str, median: float, nothing: float, most: float) -> bool:
        """Print a figure and its limit; return whether it is met."""
        well = median <= most
        ratio = f"{median - nothing:.0f} ms beyond it, {median / nothing:.1f} x; at most {most:.0f} ms"
        print(f"{title:<17} {median:6.0f} ms  {ratio}{'' if well else '  TOO SLOW'}")
        return well

    def _timed(self, words: Sequence[str], cache: Path) -> float:
        """Run a command with a cache folder; return the time in milliseconds."""
        environment = {
            **os.environ,
            "RULEWRIGHT_CACHE": str(cache),
            "RULEWRIGHT_NO_CACHE": "",
            "PYTHONPYCACHEPREFIX": str(self.place / "bytecode"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        began = time.perf_counter()
        ended = subprocess.run(words, cwd=self.root, env=environment, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - began
        if ended.returncode:
            raise Usage(f"{shlex.join(words)} ended with {ended.returncode}")
        return 1000 * seconds


def _is_rules(file: Path, pack: Path) -> bool:
    return file.name != "pack.yaml" and "scenarios" not in file.relative_to(pack).parts


def _console() -> list[str]:
    """Return the installed console command, or an equivalent."""
    script = Path(sys.executable).with_name("rulewright")
    return [str(script)] if script.exists() else [sys.executable, "-m", "rulewright"]


if __name__ == "__main__":
    sys.exit(main())
