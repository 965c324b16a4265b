"""What the page of a table loads: the pack's own colours, and its pictures."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import Any

from attrs import define
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulewright.tools.browser.server.site import Site
from rulewright.tools.browser.server.table import Refused

CACHED = {"cache-control": "private, max-age=60"}


@define
class AssetPages:
    """The handlers of what belongs to a table's page."""

    site: Site

    def routes(self) -> Sequence[Route]:
        """Return the addresses."""
        return [
            Route("/t/{token:str}/styles.css", self.styles, methods=["GET"]),
            Route("/t/{token:str}/pictures/{pack:str}/{path:path}", self.picture, methods=["GET"]),
        ]

    async def styles(self, request: Request) -> Response:
        """Send the style sheet of the pack's own colours."""
        table, _ = self.site.tables.find(request.path_params["token"])
        text = await self.site.tables.ask(table, "styles")
        return Response(text, media_type="text/css", headers=CACHED)

    async def picture(self, request: Request) -> Response:
        """Send a picture that a face of the pack shows. Its contents were checked; the type is that of its name."""
        table, _ = self.site.tables.find(request.path_params["token"])
        pack, path = request.path_params["pack"], request.path_params["path"]
        return picture_reply(await self.site.tables.ask(table, "picture", pack=pack, path=path))


def picture_reply(found: Any) -> Response:
    """Return a picture from the reply of a worker. Raises Refused if there is none."""
    if found is None:
        raise Refused("no such picture", 404)
    return Response(b64decode(found[0]), media_type=found[1], headers=CACHED)
