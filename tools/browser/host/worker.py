"""A worker process: it reads requests as frames from its input, and writes replies to its output.

The server sends one request at a time and stops a worker that takes too long; a worker ends when its input is
closed. What a pack does wrong is a reply with `failed`, never a traceback.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.game.journal import Divergence, JournalError
from rulewright.ruleset.program.scenario import Picture
from rulewright.tools.browser.host.balance_requests import BALANCE_PAGES
from rulewright.tools.browser.host.desk_requests import DESK_PAGES, DESK_REQUESTS
from rulewright.tools.browser.host.limits import bound_memory, receive, seconds_of, send, told
from rulewright.tools.browser.host.pages import reply_data, request_of
from rulewright.tools.browser.host.print_requests import PRINT_PAGES
from rulewright.tools.browser.host.replay_requests import REPLAY_REQUESTS
from rulewright.tools.browser.host.requests import (
    RENEWING_REQUESTS,
    TABLE_REQUESTS,
    Host,
    NotOpen,
    Request,
)
from rulewright.tools.common.errors import Failure
from rulewright.tools.common.untrusted import TimeLimitReached, bounded
from rulewright.tools.faces import pack_styles

# ---- The requests about what a table's page loads: the pack's own colours, and its pictures

def _styles(host: Host, request: Request) -> Any:
    """Return the style sheet of the pack's own colours."""
    return pack_styles(host.table(request).rules.faces.program)


def _picture(host: Host, request: Request) -> Any:
    """Return a picture of the pack as base64, with its media type; None for anything else."""
    pictures = host.table(request).rules.pictures
    found = pictures.read(Picture(str(request["pack"]), str(request["path"])))
    return [b64encode(found[0]).decode(), found[1]] if found is not None else None


ASSET_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {"styles": _styles, "picture": _picture}


# ---- Worker

SELDOM = 50_000
"""New objects between garbage collections."""
REQUESTS = {
    **TABLE_REQUESTS, **ASSET_REQUESTS, **REPLAY_REQUESTS, **DESK_REQUESTS, **RENEWING_REQUESTS,
}  # fmt: skip
PAGES = {**DESK_PAGES, **PRINT_PAGES, **BALANCE_PAGES}


def answered(host: Host, request: dict[str, Any]) -> dict[str, Any]:
    """Carry out a request within its limits, and return the reply: its result, or why it failed.

    A table at which something has failed is forgotten: the server opens it again with the answers that it has
    stored.
    """
    began = time.process_time()
    do = str(request["do"])
    try:
        with bounded(seconds_of(do)):
            page = PAGES.get(do)
            result = REQUESTS[do](host, request) if page is None else reply_data(page(host, request_of(request)))
            reply = {"result": result}
    except NotOpen as failure:
        reply = {"failed": failure.message, "code": "closed"}
    except Exception as error:  # rules and packs can fail in any way; the worker goes on with its other tables
        if not isinstance(error, Failure) and (do != "answer" or not isinstance(error, RuleFault)):
            host.tables.pop(str(request.get("table")), None)
        reply = _failed(error, str(request.get("language", "en")))
    return {**reply, "took": time.process_time() - began}


def _failed(error: Exception, language: str) -> dict[str, Any]:
    """Return the reply to a request that could not be carried out."""
    codes = (
        (Failure, "refused"), (RuleFault, "rule-error"), (Divergence | JournalError, "journal"),
        (TimeLimitReached | MemoryError | RecursionError, "limit"),
    )  # fmt: skip
    code = next((code for sort, code in codes if isinstance(error, sort)), "fault")
    report = {"report": error.report} if isinstance(error, Failure) else {}
    return {"failed": told(error, language), "code": code, **report}


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes our input
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints goes to the standard error stream, not between the frames
    sys.stdout = sys.stderr
    bound_memory()
    gc.freeze()  # what was imported stays; rules and tables are many objects, which are seldom looked through
    gc.set_threshold(SELDOM)
    host = Host()
    with suppress(BrokenPipeError):
        while (request := receive(incoming)) is not None:
            send(outgoing, answered(host, request))


if __name__ == "__main__":
    main()
