"""A worker process: it reads requests as JSON from its input, and writes replies to its output.

A frame is the length of its JSON text in bytes (four bytes, big-endian) and the text. The server sends one request
at a time and stops a worker that takes too long; a worker ends when its input is closed. What a pack does wrong is
a reply with `failed`, never a traceback.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from interpreter.game.game import RuleFault
from interpreter.game.journal import Divergence, JournalError
from tools.browser.host.asset_requests import ASSET_REQUESTS
from tools.browser.host.lobby_requests import LOBBY_REQUESTS
from tools.browser.host.requests import TABLE_REQUESTS, Host
from tools.common.errors import Failure

LONGEST = 64 * 1024 * 1024
"""Bytes of a frame."""
MEMORY = 3 * 1024 * 1024 * 1024
"""Bytes of address space of a worker, where the system can bound it."""
REQUESTS = {**TABLE_REQUESTS, **LOBBY_REQUESTS, **ASSET_REQUESTS}
_HEAD = 4


def send(stream: BinaryIO, data: Any) -> None:
    """Write one frame."""
    text = json.dumps(data, separators=(",", ":")).encode()
    stream.write(len(text).to_bytes(_HEAD, "big") + text)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one frame; None at the end of the stream."""
    head = stream.read(_HEAD)
    if len(head) < _HEAD:
        return None
    size = int.from_bytes(head, "big")
    if size > LONGEST:
        return None
    text = stream.read(size)
    return json.loads(text) if len(text) == size else None


def answered(host: Host, request: dict[str, Any]) -> dict[str, Any]:
    """Carry out a request, and return the reply: its result, or why it failed."""
    language = str(request.get("language", "en"))
    try:
        return {"result": REQUESTS[str(request["do"])](host, request)}
    except Failure as failure:
        return {"failed": failure.told(language), "report": failure.report, "code": "refused"}
    except RuleFault as fault:
        return {"failed": fault.told(language), "code": "rule-error"}
    except (Divergence, JournalError) as error:
        return {"failed": error.spoken.text(language) if not isinstance(error.spoken, str) else error.spoken,
                "code": "journal"}  # fmt: skip
    except MemoryError:
        return {"failed": "the rules use too much memory", "code": "limit"}
    except Exception as error:  # rules and packs can fail in any way; the worker goes on with its other tables
        if os.environ.get("RULEWRIGHT_DEBUG", "") not in ("", "0"):
            raise
        return {"failed": f"this cannot be done ({type(error).__name__})", "code": "fault"}


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes our input
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints goes to the standard error stream, not between the frames
    sys.stdout = sys.stderr
    _bound_memory()
    host = Host()
    with suppress(BrokenPipeError):
        while (request := receive(incoming)) is not None:
            send(outgoing, answered(host, request))


def _bound_memory() -> None:
    if sys.platform != "linux":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


if __name__ == "__main__":
    main()
