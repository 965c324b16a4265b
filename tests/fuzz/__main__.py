"""Run the fuzzer from the command line, or try its failures again.

`python -m tests.fuzz [--minutes 10] [--seed N] [--out FOLDER] [FOLDER…]`

With `--splice [--packs 20000]` packs are spliced together, and those that pass are played; each may take 10 seconds
and 1 GB.

Ctrl-C ends it early; what was found until then is kept. Exit codes: 0 nothing found, 1 failures, 2 wrong use.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.oracle import check
from tests.fuzz.run import Tally, any_seed, fuzz, until, write, write_one
from tests.fuzz.splicing import Splicing, TooLongError, bounded

TOLD = 5.0
"""Seconds between two reports about spliced packs."""


def main(arguments: Sequence[str]) -> int:
    """Runs rounds until the time is up, telling how it goes."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, help="of the first round; each round has the next")
    parser.add_argument("--out", type=Path, default=Path("fuzz-failures"), help="where failing packs are written")
    parser.add_argument("again", nargs="*", type=Path, metavar="FOLDER", help="failing packs to try again instead")
    parser.add_argument("--splice", action="store_true", help="splice packs, and play those that pass")
    parser.add_argument("--packs", type=int, default=20_000, help="how many packs to splice")
    given = parser.parse_args(arguments)
    if given.again:
        return again(given.again, given.splice)
    first = any_seed() if given.seed is None else given.seed
    tally, began = Tally(), time.monotonic()
    if given.splice:
        return _spliced(given, first)
    print(f"seed {first}, {given.minutes:g} minutes; Ctrl-C ends it early", flush=True)
    try:
        for number in fuzz(tally, first, until(given.minutes)):
            ends = ", ".join(f"{count} {end}" for end, count in tally.ends.most_common())
            minutes = (time.monotonic() - began) / 60
            print(f"{minutes:5.1f} min  round {number}: {tally.packs} packs ({ends}), "
                  f"{len(tally.failures)} failures", flush=True)  # fmt: skip
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    return _ended(tally, given.out, "")


def _spliced(given: argparse.Namespace, first: int) -> int:
    """Try packs by their numbers, from the seed on; each failure is written as soon as it is found."""
    splicing, told = Splicing(), time.monotonic()
    failures, written = splicing.tally.failures, 0
    print(f"seed {first}, {given.packs} packs; Ctrl-C ends it early", flush=True)
    try:
        for number in splicing.run(first, given.packs):
            for place in list(failures)[written:]:
                print(f"pack {number}: {place} ({write_one(splicing.tally, place, given.out)})", flush=True)
            written = len(failures)
            if time.monotonic() - told > TOLD:
                told = time.monotonic()
                ends = ", ".join(f"{count} {end}" for end, count in splicing.tally.ends.most_common())
                print(f"pack {number}: {splicing.tally.packs} packs ({ends}), "
                      f"{len(failures)} failures", flush=True)  # fmt: skip
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    return _ended(splicing.tally, given.out, "--splice ")


def _ended(tally: Tally, out: Path, how: str) -> int:
    folders = write(tally, out)
    print(f"{tally.packs} packs, {len(folders)} different failures")
    for folder, place in zip(folders, tally.failures, strict=True):
        print(f"{place}: try `python -m tests.fuzz {how}{folder}` ({folder}/report.txt)")
    return 1 if folders else 0


def again(folders: Sequence[Path], splice: bool = False) -> int:
    """Tries packs that have failed."""
    failed = 0
    for folder in folders:
        pack = folder / "pack" if (folder / "pack").is_dir() else folder
        paths = sorted(path for path in pack.rglob("*") if path.is_file())
        try:
            files = tuple((path.relative_to(pack).as_posix(), path.read_bytes()) for path in paths)
            print(f"{folder}: {(bounded if splice else check)(files)}")
        except (Exception, TooLongError):
            failed += 1
            print(f"{folder}:\n{traceback.format_exc()}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
