"""Pages of a PDF as PNG, always the same bytes for the same page and release of PDFium."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

MM_PER_INCH = 25.4


def png_pages(pdf: bytes, dots_per_inch: int) -> Iterator[bytes]:
    """Yield each page as a PNG file."""
    import pypdfium2  # imported late: only images need it

    document = pypdfium2.PdfDocument(pdf)
    try:
        for number in range(len(document)):
            bitmap = document[number].render(scale=dots_per_inch / 72, rev_byteorder=True, no_smoothtext=False)
            yield _png(bitmap.width, bitmap.height, bitmap.n_channels, bitmap.stride, bytes(bitmap.buffer))
    finally:
        document.close()


def _png(width: int, height: int, channels: int, stride: int, pixels: bytes) -> bytes:
    """Encode rows of red, green, blue, and possibly unused bytes (PNG specification, sections 5 and 11.2)."""
    rows = bytearray()
    for row in range(height):
        line = pixels[row * stride : row * stride + width * channels]
        if channels == 4:
            short = bytearray(width * 3)
            short[0::3], short[1::3], short[2::3] = line[0::4], line[1::4], line[2::4]
            line = bytes(short)
        rows += b"\0" + line
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, *zip(*parts, strict=True)))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
