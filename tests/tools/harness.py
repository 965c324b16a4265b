"""What the tests of commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent.parent
CONTENT = ROOT / "content" / "rattus-cartus"


@frozen
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]
