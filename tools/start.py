"""Where the console command begins: with a short simulation that is quick, or with the command line as it is."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


SELDOM = 50_000
"""New objects after which Python looks for circles. Nearly all that commands make at first stays; with Python's own
number their start takes longer by a fifteenth.
"""


def main() -> NoReturn:
    """The console command."""
    gc.set_threshold(SELDOM)
    code = quickly(sys.argv[1:])
    if code is None:
        from tools.cli import main as command

        command()
    gc.freeze()  # as in `cli`
    sys.exit(code)


def quickly(arguments: Sequence[str]) -> int | None:
    """Does what can be done quickly, and gives its exit code; None where nothing was done."""
    if arguments[:1] != ["simulate"]:
        return None
    from tools.failure import BROKEN_PIPE, INTERRUPTED
    from tools.quick import simulate
    from tools.streams import ready

    ready()
    try:
        code = simulate(arguments[1:])
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print("rulewright: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError:
        return None
