"""Make a PDF of a page. Nothing but our own style sheets and fonts is read, and nothing is random.

weasyprint is imported here and nowhere else: it needs the library Pango, which not every computer has.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from attrs import define, field

from rulewright.ruleset.program.faces import Picture
from rulewright.ruleset.source.pictures import drawing_steps
from rulewright.tools.common.errors import Usage
from rulewright.tools.faces.picture_files import PictureFiles
from rulewright.tools.pages.environment import STATIC
from rulewright.tools.print.stamps import Stamps, draw_stamps

BASE = "https://static.invalid/"
"""The address that stands for our static folder while a page is typeset. No such host can exist (RFC 2606)."""
MOST_STEPS = 5_000_000
"""Limit of steps of drawing for a document: characters of its pages, and the steps of each picture on them."""
_PICTURE = re.compile(re.escape(f'"{BASE}pictures/') + r'\d+"')
_KINDS = {".woff2": "font/woff2", ".css": "text/css", ".svg": "image/svg+xml"}
_WITHOUT = (
    "printing requires the library Pango, which was not found; install it (Debian and Ubuntu: apt install "
    "libpango-1.0-0 libpangoft2-1.0-0; macOS: brew install pango; other systems: "
    "https://doc.courtbouillon.org/weasyprint/stable/first_steps.html), then try again"
)


class RefusedError(ValueError):
    """An address that a page may not refer to."""


def pdf(documents: Sequence[str], pictures: Pictures, stamps: Stamps | None = None) -> bytes:
    """Typeset documents, one after the other. The same documents give the same bytes. Raises Usage without Pango,
    or for more than `MOST_STEPS` of drawing.

    `stamps` are pages that are drawn on others.
    """
    _check_steps(documents, pictures)
    weasyprint = _weasyprint()

    def fetch(url: str, *_: Any, **__: Any) -> Any:
        data, kind = pictures.files.get(url) or own_file(url)
        return weasyprint.urls.URLFetcherResponse(url, data, {"Content-Type": kind})

    parsed = (weasyprint.HTML(string=html, base_url=BASE, url_fetcher=fetch) for html in documents)
    made = [one.render() for one in parsed]
    whole = made[0].copy([page for one in made for page in one.pages])

    def finish(_document: Any, made: Any) -> None:
        draw_stamps(made, stamps or {})

    data: bytes = whole.write_pdf(finisher=finish, pdf_identifier=b"rulewright")
    return data


def _check_steps(documents: Sequence[str], pictures: Pictures) -> None:
    """Raise Usage if drawing takes too many steps. Each picture counts as often as it is shown."""
    shown = (pictures.steps[found[1:-1]] for html in documents for found in _PICTURE.findall(html))
    steps = sum(map(len, documents)) + sum(shown)
    if steps > MOST_STEPS:
        raise Usage(
            f"printing this takes {steps:,} steps of drawing (at most {MOST_STEPS:,}); print fewer cards (--only), "
            "shorten their texts, or simplify their pictures"
        )


@define
class Pictures:
    """The pictures of a pack that its pages show, by the address that stands for them while a page is typeset."""

    source: PictureFiles
    files: dict[str, tuple[bytes, str]] = field(init=False, factory=dict)
    steps: dict[str, int] = field(init=False, factory=dict)
    """The steps of drawing each address once."""
    _addresses: dict[Picture, str] = field(init=False, factory=dict)

    def address(self, picture: Picture) -> str:
        """Return the address of a picture; "" if it cannot be used by now."""
        known = self._addresses.get(picture)
        if known is None:
            found = self.source.read(picture)
            known = f"{BASE}pictures/{len(self.files)}" if found is not None else ""
            self._addresses[picture] = known
            if found is not None:
                self.files[known] = found
                self.steps[known] = drawing_steps(found[0], picture.path)
        return known


def own_file(url: str) -> tuple[bytes, str]:
    """Return a file of our static folder by its address, and its media type. Refuses everything else."""
    parts = urlsplit(url)
    path = (STATIC / unquote(parts.path).lstrip("/")).resolve()
    inside = url.startswith(BASE) and path.is_relative_to(STATIC.resolve())
    if not inside or path.suffix not in _KINDS or not path.is_file():
        raise RefusedError(f"printed pages refer to nothing outside of the package: {url!r}")
    return path.read_bytes(), _KINDS[path.suffix]


def _weasyprint() -> Any:
    try:
        import weasyprint
        import weasyprint.urls
    except OSError as error:  # cffi: the library is not there
        raise Usage(_WITHOUT) from error
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")  # else fonts say when they were made, in every file anew
    for name in ("weasyprint", "fontTools"):
        log = logging.getLogger(name)
        log.handlers[:] = [logging.NullHandler()]
        log.propagate = False
    return weasyprint
