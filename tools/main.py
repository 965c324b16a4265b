"""Entry point of the console command."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # available without the slow import of `signal`
import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


SELDOM = 50_000
"""New objects between garbage collections. Nearly all objects created at start stay in use.

With Python's default, starting takes a fifteenth longer.
"""


def main() -> NoReturn:
    """Run the console command. SIGTERM ends it as Ctrl-C does, even during imports."""
    gc.set_threshold(SELDOM)
    try:
        if _signal.getsignal(_signal.SIGTERM) == _signal.SIG_DFL:
            _signal.signal(_signal.SIGTERM, _signal.default_int_handler)
        from rulewright.tools.cli import run

        code = run(sys.argv[1:])
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 wraps an interrupt of a class creation, as in imports, in a RuntimeError.
        if not isinstance(error, KeyboardInterrupt) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        print("rulewright: interrupted", file=sys.stderr)
        code = 130
    # All work is done: ignore signals, so that the exit code is that of the command.
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    _signal.signal(_signal.SIGTERM, _signal.SIG_IGN)
    gc.freeze()  # as in `cli`
    sys.exit(code)
