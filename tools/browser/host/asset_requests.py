"""The requests about what a table's page loads: the pack's own colours, and its pictures."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from rulewright.ruleset.program.faces import Picture
from rulewright.tools.browser.host.requests import Host, Request
from rulewright.tools.faces.looks import pack_styles


def _styles(host: Host, request: Request) -> Any:
    """Return the style sheet of the pack's own colours."""
    return pack_styles(host.table(request).rules.faces.program)


def _picture(host: Host, request: Request) -> Any:
    """Return a picture of the pack as base64, with its media type; None for anything else."""
    pictures = host.table(request).rules.pictures
    found = pictures.read(Picture(str(request["pack"]), str(request["path"])))
    return [b64encode(found[0]).decode(), found[1]] if found is not None else None


ASSET_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {"styles": _styles, "picture": _picture}
