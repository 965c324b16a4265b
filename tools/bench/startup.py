"""How long `rulewright validate` takes on a shipped pack, next to a bare Python that imports what it is made of.

Run it with the Python to measure: `python -m tools.bench.startup [runs]`. The three are run in turns, so that
whatever else the machine does is shared between them. Cold has an empty cache folder each time, warm a filled
one; compiled bytecode is there in all three, as after any first run, also where the environment forbids to
write it. Medians are compared.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BARE = "import click, lark, jsonschema, yaml, attrs"
COLD_AT_MOST, WARM_AT_MOST = 3.0, 1.5


def main(runs: int = 20) -> int:
    """Prints the ratios; 1 when one is above what we promise."""
    root = Path(__file__).parent.parent.parent
    packs = sorted(folder for folder in (root / "content").iterdir() if folder.is_dir())
    command = [sys.executable, "-m", "tools.cli", "validate", f"content/{packs[-1].name}"]
    times: dict[str, list[float]] = {"bare": [], "cold": [], "warm": []}
    with tempfile.TemporaryDirectory() as place:
        warm = str(Path(place, "warm"))
        bytecode = str(Path(place, "bytecode"))

        def timed(command: list[str], cache: str) -> float:
            return _timed(command, root, {"RULEWRIGHT_CACHE": cache, "PYTHONPYCACHEPREFIX": bytecode})

        timed(command, warm)
        timed([sys.executable, "-c", BARE], warm)
        for run in range(runs):
            times["bare"].append(timed([sys.executable, "-c", BARE], warm))
            times["cold"].append(timed(command, str(Path(place, f"cold-{run}"))))
            times["warm"].append(timed(command, warm))
    medians = {kind: statistics.median(found) for kind, found in times.items()}
    print(f"bare imports      {1000 * medians['bare']:6.0f} ms  (median of {runs}; {BARE})")
    passed = True
    for kind, most in (("cold", COLD_AT_MOST), ("warm", WARM_AT_MOST)):
        ratio = medians[kind] / medians["bare"]
        passed = passed and ratio <= most
        verdict = "" if ratio <= most else "  TOO SLOW"
        print(f"validate, {kind} {1000 * medians[kind]:10.0f} ms  {ratio:.2f} x bare, at most {most}{verdict}")
    return 0 if passed else 1


def _timed(command: list[str], folder: Path, settings: dict[str, str]) -> float:
    environment = {**os.environ, "RULEWRIGHT_NO_CACHE": "", "PYTHONDONTWRITEBYTECODE": "", **settings}
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main(*(int(argument) for argument in sys.argv[1:2])))
