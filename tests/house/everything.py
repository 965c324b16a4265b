"""Check all properties of the shipped house rules, with many random games.

`python -m tests.house.everything [NAMES…] [--players N] [--games N]`

Each pack alone and each two together, with every number of players: contract, secrecy, lock-step and equal
playouts; then random games over all options and numbers of players, without a rule error.
"""

from __future__ import annotations

import argparse
import sys
import time

from rulewright.tools.cli import run
from tests.house.shipped import alone, keeps, pairs, seats_of


def main() -> int:
    """Tells what was tried as it goes; 1 if games failed. What the suites refuse is an assertion."""
    given = argparse.ArgumentParser()
    given.add_argument("names", nargs="*", help="RULES or RULES+MORE; without any, all")
    given.add_argument("--players", type=int, help="only tables of so many")
    given.add_argument("--games", type=int, default=5000)
    given.add_argument("--jobs", default="1")
    asked = given.parse_args()
    failed = 0
    for names in asked.names or [*alone(), *pairs()]:
        begun = time.perf_counter()
        for seats in [asked.players] if asked.players else seats_of(names):
            for tried in keeps(names, seats, 1):
                print(f"{names}, {seats} players: {tried}", flush=True)
        print(f"{names}: {time.perf_counter() - begun:.0f} s", flush=True)
        if asked.games:
            players = f"{min(seats_of(names))}-{max(seats_of(names))}"
            more = ["-n", str(asked.games), "--every-option", "--players", players, "--jobs", asked.jobs]
            failed |= run(["simulate", names, *more])
    return failed


if __name__ == "__main__":
    sys.exit(main())
