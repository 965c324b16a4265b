"""Frames between the server and its processes.

A frame is the length of a JSON text in bytes (four bytes, big-endian) and the text.
"""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO

HEAD = 4
LONGEST = 64 * 1024 * 1024
"""Bytes of a frame."""
MEMORY = 3 * 1024 * 1024 * 1024
"""Bytes of address space of a process, where the system can bound it."""


def send(stream: BinaryIO, data: Any) -> None:
    """Write one frame."""
    stream.write(framed(data))
    stream.flush()


def framed(data: Any) -> bytes:
    """Return a frame."""
    text = json.dumps(data, separators=(",", ":")).encode()
    return len(text).to_bytes(HEAD, "big") + text


def receive(stream: BinaryIO) -> Any:
    """Read one frame; None at the end of the stream."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    size = int.from_bytes(head, "big")
    if size > LONGEST:
        return None
    text = stream.read(size)
    return json.loads(text) if len(text) == size else None


def bound_memory(most: int | None = MEMORY) -> None:
    """Bound the address space of this process and of those that it starts; None removes the bound."""
    if sys.platform != "linux":
        return
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard if most is None else most, hard))
