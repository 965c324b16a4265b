"""Make a PDF of a page. Nothing but our own style sheets and fonts is read, and nothing is random.

weasyprint is imported here and nowhere else: it needs the library Pango, which not every computer has.
"""

from __future__ import annotations

import logging
import os
import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from attrs import define, field, frozen

from rulewright.ruleset.program.scenario import Picture
from rulewright.ruleset.source.pictures import drawing_steps
from rulewright.tools.common.errors import Usage
from rulewright.tools.faces import PictureFiles
from rulewright.tools.pages.environment import STATIC

# ------------------------------------------------------------------ Draw pages of a PDF on other pages
#
# Each card is typeset once, on a page of its own, and drawn on the sheets for each copy. A page that is drawn
# becomes a form XObject (PDF 1.7, section 8.10) and is no page any more. Its texts can still be selected and
# searched on the sheets. Fonts, pictures, and colours are those of the whole document.

POINTS = 72 / 25.4
"""Points in a millimetre."""
ROUND = 1.0
"""Points around a page that its form may draw on: an edge that is also clipped would be blurred twice."""


@frozen
class Stamp:
    """A page that is drawn on another one, with its top left corner in millimetres. Pages count from 0."""

    page: int
    x: float
    y: float


Stamps = Mapping[int, Sequence[Stamp]]
"""What is drawn on a page, by its number."""


def draw_stamps(pdf: Any, stamps: Stamps) -> None:
    """Draw pages on others, and take them out of the document. `pdf` is a `pydyf.PDF` before it is written."""
    numbers = [*pdf.pages["Kids"][::3]]
    pages = [pdf.objects[number] for number in numbers]
    drawn = sorted({stamp.page for placed in stamps.values() for stamp in placed})
    if not drawn:
        return
    if max(stamps) != len(pages) - 1:  # the last page is a sheet, and none was broken in two
        raise ValueError(f"expected {max(stamps) + 1} pages, found {len(pages)}")
    forms = {number: _form(pdf, pages[number]) for number in drawn}
    resources = _resources(pdf, pages[drawn[0]], forms)
    for number, placed in stamps.items():
        content, page = _object(pdf, pages[number]["Contents"]), pages[number]
        page["Resources"] = resources
        heights = {one: pages[one]["MediaBox"][3] for one in {stamp.page for stamp in placed}}
        content.stream += (_drawing(stamp, heights[stamp.page]) for stamp in placed)
    pdf.pages["Kids"][:] = [part for n, number in enumerate(numbers) if n not in forms for part in (number, 0, "R")]
    pdf.pages["Count"] -= len(forms)


def _object(pdf: Any, reference: bytes) -> Any:
    """Return the object that a reference (`7 0 R`) names."""
    return pdf.objects[int(reference.split()[0])]


def _form(pdf: Any, page: Any) -> bytes:
    """Turn the content of a page into a form, and return its reference. The page itself is free."""
    content = _object(pdf, page["Contents"])
    left, low, right, high = map(float, page["MediaBox"])
    box = " ".join(f"{edge:.4f}" for edge in (left - ROUND, low - ROUND, right + ROUND, high + ROUND))
    content.extra = {
        "Type": "/XObject", "Subtype": "/Form", "BBox": f"[{box}]", "Resources": page["Resources"],
    }  # fmt: skip
    page.free, page.generation = "f", 65535
    reference: bytes = content.reference
    return reference


def _resources(pdf: Any, page: Any, forms: Mapping[int, bytes]) -> bytes:
    """Add the resources of pages on which forms are drawn: those of all pages, and the forms."""
    shared = _object(pdf, page["Resources"])
    dictionary = type(shared)
    named = {f"stamp{number}": reference for number, reference in forms.items()}
    made = dictionary({**shared, "XObject": dictionary({**shared["XObject"], **named})})
    pdf.add_object(made)
    reference: bytes = made.reference
    return reference


def _drawing(stamp: Stamp, height: float) -> str:
    """Return the operators that draw a form on a page. There, y grows downwards; in the form, upwards."""
    x, y = stamp.x * POINTS, stamp.y * POINTS + float(height)
    return f"q 1 0 0 -1 {x:.4f} {y:.4f} cm /stamp{stamp.page} Do Q"


# ---- Typesetter

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


def pdf(documents: Sequence[str], pictures: PagePictures, stamps: Stamps | None = None) -> bytes:
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


def _check_steps(documents: Sequence[str], pictures: PagePictures) -> None:
    """Raise Usage if drawing takes too many steps. Each picture counts as often as it is shown."""
    shown = (pictures.steps[found[1:-1]] for html in documents for found in _PICTURE.findall(html))
    steps = sum(map(len, documents)) + sum(shown)
    if steps > MOST_STEPS:
        raise Usage(
            f"printing this takes {steps:,} steps of drawing (at most {MOST_STEPS:,}); print fewer cards (--only), "
            "shorten their texts, or simplify their pictures"
        )


@define
class PagePictures:
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


# ---- Pages of a PDF as PNG, always the same bytes for the same page and release of PDFium

MM_PER_INCH = 25.4


def png_pages(pdf: bytes, dots_per_inch: int) -> Iterator[bytes]:
    """Yield each page as a PNG file."""
    import pypdfium2  # imported late: only images need it

    document = pypdfium2.PdfDocument(pdf)
    try:
        for number in range(len(document)):
            yield _drawn(document[number], dots_per_inch / 72, 9)
    finally:
        document.close()


def png_page(pdf: bytes, number: int, width: int) -> bytes:
    """Return one page (from 0) as a PNG file of this width in dots."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        page = document[number]
        return _drawn(page, width / page.get_size()[0], 4)
    finally:
        document.close()


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return the width and height of each page in millimetres."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        sizes = [document.get_page_size(number) for number in range(len(document))]
    finally:
        document.close()
    return [(width * MM_PER_INCH / 72, height * MM_PER_INCH / 72) for width, height in sizes]


def _drawn(page: Any, scale: float, effort: int) -> bytes:
    """Draw a page and encode it; `effort` is that of the compression, 1 to 9."""
    bitmap = page.render(scale=scale, rev_byteorder=True, no_smoothtext=False)
    pixels = bytes(bitmap.buffer)
    return _png((bitmap.width, bitmap.height), bitmap.n_channels, bitmap.stride, pixels, effort)


def _png(size: tuple[int, int], channels: int, stride: int, pixels: bytes, effort: int) -> bytes:
    """Encode rows of red, green, blue, and possibly unused bytes (PNG specification, sections 5 and 11.2)."""
    width, height = size
    rows = bytearray()
    for row in range(height):
        line = pixels[row * stride : row * stride + width * channels]
        if channels == 4:
            short = bytearray(width * 3)
            short[0::3], short[1::3], short[2::3] = line[0::4], line[1::4], line[2::4]
            line = bytes(short)
        rows += b"\0" + line
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), effort)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, *zip(*parts, strict=True)))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
