"""Arguments and exit codes shared by the benchmarks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from rulewright.tools.common.bots import asked_for
from rulewright.tools.common.errors import Failure
from rulewright.tools.common.output import harmless


def arguments(module: str, about: str | None, rounds: int) -> argparse.ArgumentParser:
    """Return the parser of a benchmark of games, with the common arguments."""
    first_line = (about or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog=f"python -m rulewright.tools.bench.{module}", description=first_line)
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--rounds", type=int, default=rounds)
    return parser


def ended(compare: Callable[[], bool]) -> int:
    """Return the exit code: 0 if all limits are met, 1 if not, 2 or more if the comparison fails."""
    try:
        with asked_for():
            return 0 if compare() else 1
    except Failure as failure:
        sys.stderr.write(failure.report)
        print(harmless(failure.message), file=sys.stderr)
        return max(failure.code, 2)  # a pack with errors could not be measured
