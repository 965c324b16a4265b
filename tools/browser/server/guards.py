"""What every request and every reply goes through: hosts, origins, sizes, and headers.

- The `Host` of a request must be one of ours while the server listens on this computer only: otherwise a foreign
  name that leads here would make other sites ours ("DNS rebinding").
- A change must come from our own pages: `Sec-Fetch-Site` or `Origin` says so in every browser. A request without
  either comes from no browser, and carries no cookie of one.
- Another site may link to our pages. It can load nothing else of ours, which could cost much work.
- Replies forbid scripts and styles inside pages, frames around them, and links that tell the address of a table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlsplit

from attrs import frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 64 * 1024
"""Bytes of a form."""
LARGEST_UPLOAD = 16 * 1024 * 1024
"""Bytes of an uploaded journal."""
UPLOADS = ("/replay",)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PICTURES = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The policy of SVG, which is a document of its own if somebody opens it: it may be drawn, and do nothing."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_SAFE = ("GET", "HEAD")


@frozen
class Guard:
    """Wraps the application. `hosts` are the allowed names of this server; none means all."""

    app: ASGIApp
    hosts: Collection[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on with a bounded body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        sending = _with_headers(send, str(scope["path"]))
        refused = self._refused(scope, headers)
        if refused is not None:
            await PlainTextResponse(refused[1], refused[0])(scope, receive, sending)
            return
        most = LARGEST_UPLOAD if scope["path"] in UPLOADS else LARGEST
        if int(headers.get("content-length") or 0) > most:
            await PlainTextResponse("the request is too large", 413)(scope, receive, sending)
            return
        await self.app(scope, _bounded(receive, most), sending)

    def _refused(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self.hosts and _name(host) not in self.hosts:
            return 421, f"this server is not called {host!r:.80}"
        length = headers.get("content-length")
        if length is not None and not (length.isascii() and length.isdecimal() and len(length) < 19):
            return 400, "the length of the request is not a number"
        if scope["method"] not in (*_SAFE, "POST"):
            return 405, "only GET and POST are understood"
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        foreign = site is not None and site not in ("same-origin", "none")
        if scope["method"] in _SAFE:
            whole = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
            if foreign and not whole:
                return 403, "another site may link to this, and not use it in its pages"
            return None
        if foreign:
            return 403, "the request came from another site, so it was not carried out"
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "the request came from another site, so it was not carried out"
        return None


class BodyTooLarge(Exception):  # noqa: N818 - about a request
    """A body is longer than allowed."""


def _bounded(receive: Receive, most: int) -> Receive:
    """Receive a body of bounded length, also without a declared one. Raises TooLarge."""
    got = 0

    async def receiving() -> Message:
        nonlocal got
        message = await receive()
        if message["type"] == "http.request":
            got += len(message.get("body", b""))
            if got > most:
                raise BodyTooLarge
        return message

    return receiving


def _name(host: str) -> str:
    """Return the host without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _with_headers(send: Send, path: str) -> Callable[[Message], Awaitable[None]]:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if headers.get("content-type", "").startswith("image/"):
                headers["content-security-policy"] = PICTURES
            if not path.startswith("/static/"):
                headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending
