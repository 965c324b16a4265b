"""Pages of a PDF as PNG, always the same bytes for the same page and release of PDFium."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

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
