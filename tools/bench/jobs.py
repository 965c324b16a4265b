"""How much quicker `rulewright simulate` is in several processes than in one.

    python -m rulewright.tools.bench.jobs [PACK …] [--jobs 2] [--games 400000] [--rounds 5] [--option K=V]

Without a pack, the shipped games are measured. Both take turns playing the same games on native code that was built
before. The ratio is the median, over the rounds, of the games per second that the command itself reports; the
results must be equal. The exit code is 1 if two processes are less than 1.8 times as fast as one, or if the results
differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from rulewright.tools.bench import command
from rulewright.tools.bench.backends import games_of_their_own
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading

FIRST, SECONDS = 20_000, 8
"""Games to measure the speed of one process, and how long it plays then: each run begins with a single process."""
AT_LEAST = 0.9
"""Required speed-up per process."""
PACE = ("seconds", "games_per_second", "decisions_per_second")
"""Keys of results that may differ between two runs of the same games."""


def simulated(pack: str, games: int, jobs: int, options: Sequence[str]) -> dict[str, Any]:
    """Return the JSON result of a simulation. Raises Usage."""
    words = [sys.executable, "-m", "rulewright", "simulate", pack, "-n", str(games), "--jobs", str(jobs)]
    words += ["--backend", "native", "--json", *(word for option in options for word in ("--option", option))]
    ended = subprocess.run(words, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    if ended.returncode > 1:
        raise Usage(ended.stderr.strip())
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def without_pace(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without its timings."""
    return {key: value for key, value in result.items() if key not in PACE}


def main(arguments: Sequence[str]) -> int:
    """Print the comparison; return 1 if a limit is not met, 2 if it cannot be made."""
    parser = command.arguments("jobs", __doc__, 5)
    parser.add_argument("packs", nargs="*", metavar="PACK")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", type=int, help=f"as many as one process plays in {SECONDS} s by default")
    given = parser.parse_args(arguments)
    return command.ended(lambda: _all(given))


def _all(given: argparse.Namespace) -> bool:
    if given.rounds < 1 or given.jobs < 2 or (given.games is not None and given.games < given.jobs):
        raise Usage("there is nothing to compare without a round, two processes and games for both")
    found = [_compare(loading.look(name).root, given) for name in given.packs or games_of_their_own()]
    return all(found)


def _compare(root: Path, given: argparse.Namespace) -> bool:
    first = simulated(str(root), FIRST, 1, given.option)  # builds the library if necessary
    games = given.games or round(first["games_per_second"] * SECONDS)
    speeds: list[tuple[float, float]] = []
    for _ in range(given.rounds):
        one, several = (simulated(str(root), games, jobs, given.option) for jobs in (1, given.jobs))
        if without_pace(one) != without_pace(several):
            print(f"{root.name}: RESULTS DIFFER between 1 and {given.jobs} processes")
            return False
        speeds.append((one["games_per_second"], several["games_per_second"]))
    ratio = median(several / one for one, several in speeds)
    slow = ratio < AT_LEAST * given.jobs
    remark = f"  TOO SLOW: at least {AT_LEAST * given.jobs:g}" if slow else ""
    shown = " and ".join(f"{median(side):,.0f}" for side in zip(*speeds, strict=True))
    print(f"{root.name}: 1 and {given.jobs} processes: {shown} games/s, {ratio:.2f} x{remark}")
    return not slow


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
