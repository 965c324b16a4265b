"""Plant single mistakes and report how many are found.

`python -m tests.recall [--class C] [--pack P] [--sample N] [--list-missed]`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.recall.mistakes import PLANTERS
from tests.recall.report import HEAD, SAMPLE, Tally, row, sample, tallies
from tests.recall.subjects import names


def main(arguments: Sequence[str]) -> int:
    """Prints the table of classes, and on request what is behind its figures."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.recall", description="Plant single mistakes in the shipped packs."
    )
    parser.add_argument("--class", dest="classes", action="append", choices=list(PLANTERS), metavar="CLASS",
                        help=f"only this class (repeatable): {', '.join(PLANTERS)}")  # fmt: skip
    parser.add_argument("--pack", action="append", choices=names(), metavar="PACK", help="only this pack")
    parser.add_argument("--sample", type=int, default=SAMPLE, metavar="N",
                        help=f"mistakes of each sort in the rules of a pack (default {SAMPLE})")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="which mistakes are sampled (default 0)")
    parser.add_argument("--sorts", action="store_true", help="a line for each sort of mistake, too")
    parser.add_argument("--list-missed", action="store_true", help="list the mistakes that are not found")
    parser.add_argument("--list-harmless", action="store_true", help="list the mistakes that change nothing")
    parser.add_argument("--list-many", type=int, metavar="N", help="list mistakes with more than N findings")
    parser.add_argument("--list-astray", action="store_true", help="list mistakes whose first finding is elsewhere")
    given = parser.parse_args(arguments)
    planted = list(sample(given.classes or PLANTERS, given.pack or names(), given.sample, given.seed))
    found = tallies(planted)
    print(HEAD)
    for klass, tally in found.items():
        print(row(klass, tally))
        whats = dict.fromkeys(one.mistake.what for one in tally.outcomes) if given.sorts else ()
        for what in whats:
            part = Tally(klass, tuple(one for one in tally.outcomes if one.mistake.what == what))
            print(f"  {row('', part).strip():>60}  {what}")
    every = Tally("", tuple(one for tally in found.values() for one in tally.outcomes))
    print(row("all", every))
    for one in every.missed if given.list_missed else ():
        print(f"missed    {one.mistake.klass}: {one.mistake}")
    for one in every.harmless if given.list_harmless else ():
        print(f"harmless  {one.mistake.klass}: {one.mistake}")
    for one in every.counted:
        if given.list_many is not None and len(one.shown) > given.list_many:
            print(f"{len(one.shown):>5} findings  {one.mistake.klass}: {one.mistake}")
            for finding in one.shown[:4]:
                print(f"               {finding.span}: {finding.code} {finding.message}")
    for one in every.counted if given.list_missed else ():
        if one.tested:
            print(f"tested    {one.mistake.klass}: {one.mistake}")
    for one in every.counted if given.list_astray else ():
        if one.shown and not one.first_right:
            first = one.shown[0]
            print(f"astray    {one.mistake.klass}: {one.mistake} (lines {sorted(one.mistake.lines)})")
            print(f"          {first.span}: {first.code} {first.message}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
