"""Small picture files, made byte by byte."""

from __future__ import annotations

import struct
import zlib

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{}</svg>'


def svg(inside: str = '<circle cx="5" cy="5" r="4"/>') -> bytes:
    """A drawing with these elements."""
    return SVG.format(inside).encode()


def png(width: int = 2, height: int = 2, more: bytes = b"") -> bytes:
    """A grey picture; `more` comes after its end."""
    pixels = zlib.compress((b"\0" + b"\x80" * width) * height if width * height < 100 else b"")
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"") + more


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def jpeg(width: int = 2, height: int = 2, before: bytes = b"") -> bytes:
    """The beginning of a JPEG: a segment JFIF, the bytes before the start of frame, and the frame."""
    jfif = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0" + bytes(9)
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    return b"\xff\xd8" + jfif + before + frame + b"\xff\xd9"
