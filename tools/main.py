"""Where the console command begins."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # it is there without the time that `signal` takes to import
import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


SELDOM = 50_000
"""New objects after which Python looks for circles. Nearly all that commands make at first stays; with Python's own
number their start takes longer by a fifteenth.
"""


def main() -> NoReturn:
    """The console command. SIGTERM ends it as Ctrl-C does, also while it imports what it needs."""
    gc.set_threshold(SELDOM)
    try:
        if _signal.getsignal(_signal.SIGTERM) == _signal.SIG_DFL:
            _signal.signal(_signal.SIGTERM, _signal.default_int_handler)
        from tools.cli import run

        code = run(sys.argv[1:])
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 makes a RuntimeError of what interrupts the making of a class, as imports make them.
        if not isinstance(error, KeyboardInterrupt) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        print("rulewright: interrupted", file=sys.stderr)
        code = 130
    # All is done and told: nothing is left to stop, and the exit code says what came of it.
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    _signal.signal(_signal.SIGTERM, _signal.SIG_IGN)
    gc.freeze()  # as in `cli`
    sys.exit(code)
