"""Journals that were uploaded: kept in memory under unguessable tokens, and replayed in a worker."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections import OrderedDict
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.tools.browser.server.table import TOKEN_BYTES, Refused
from rulewright.tools.browser.server.workers import Workers

MOST_UPLOADS = 40
MOST_BYTES = 96 * 1024 * 1024
"""All uploads together; the oldest are forgotten."""


@frozen
class Upload:
    """A journal as it was uploaded: the name of its file, its bytes, and the language of its reader.

    `own`: it is a saved game of the user, which may be long.
    """

    token: str
    number: int
    file: str
    data: bytes = field(repr=False)
    language: str
    own: bool = False
    seats: int = 0


@define
class Uploads:
    """The journals that were uploaded. `packs` are those that the server was started with."""

    workers: Workers
    packs: tuple[str, ...]
    _kept: OrderedDict[str, Upload] = field(init=False, factory=OrderedDict)
    _next: int = field(init=False, default=0)

    async def add(self, file: str, data: bytes, language: str, own: bool = False) -> Upload:
        """Replay a journal, and keep it if that succeeds. Raises WorkerFailure."""
        self._next += 1
        upload = Upload(secrets.token_urlsafe(TOKEN_BYTES), self._next, file, data, language, own)
        found = await self._open(upload)
        kept = evolve(upload, seats=int(found["seats"]))
        self._kept[kept.token] = kept
        while len(self._kept) > MOST_UPLOADS or sum(len(one.data) for one in self._kept.values()) > MOST_BYTES:
            self._kept.popitem(last=False)
        return kept

    def find(self, token: str) -> Upload:
        """Return the upload with a token. Raises Refused."""
        for known, upload in self._kept.items():
            if secrets.compare_digest(known.encode(), token.encode()):
                return upload
        raise Refused("no such table", 404)

    async def ask(self, upload: Upload, do: str, **more: Any) -> Any:
        """Ask the worker of an upload, and give it the journal again if it has lost it. Raises WorkerFailure."""
        request = {**self._about(upload), "do": do, **more}
        worker = self.workers.of(upload.number)
        found = await worker.ask(request)
        if isinstance(found, dict) and found.get("missing"):
            await self._open(upload)
            found = await worker.ask(request)
        return found

    async def _open(self, upload: Upload) -> Any:
        data = b64encode(upload.data).decode("ascii")
        return await self.workers.of(upload.number).ask({**self._about(upload), "do": "replay_open", "data": data})

    def _about(self, upload: Upload) -> dict[str, Any]:
        return {
            "replay": upload.token, "file": upload.file, "language": upload.language, "packs": [*self.packs],
            "own": upload.own,
        }  # fmt: skip
