"""What is on the pages of a PDF, for tests: texts, sizes, and places in millimetres."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

MM = 25.4 / 72


def texts(path: Path) -> list[str]:
    """The text of each page, with single spaces."""
    document = pypdfium2.PdfDocument(path)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def sizes(path: Path) -> list[tuple[float, float]]:
    """The size of each page."""
    document = pypdfium2.PdfDocument(path)
    return [(round(width * MM, 1), round(height * MM, 1)) for width, height in map(_size, document)]


def _size(page: pypdfium2.PdfPage) -> tuple[float, float]:
    width, height = page.get_size()
    return width, height


def middles(path: Path, page: int, word: str) -> list[tuple[float, float]]:
    """The middles of all places of a word on a page (from 1), from the top left."""
    document = pypdfium2.PdfDocument(path)
    one = document[page - 1]
    text = one.get_textpage()
    found = []
    searcher = text.search(word)
    while (at := searcher.get_next()) is not None:
        boxes = [text.get_charbox(at[0] + n) for n in range(at[1])]
        left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
        top = sum(box[1] + box[3] for box in boxes) / len(boxes) / 2
        found.append((round((left + right) / 2 * MM, 1), round((one.get_size()[1] - top) * MM, 1)))
    return found


def strokes(path: Path, page: int) -> set[tuple[float, float, float, float]]:
    """The straight lines of the first stroked path on a page: x1, y1, x2, y2."""
    one = pypdfium2.PdfDocument(path)[page - 1]
    height = one.get_size()[1]
    for item in one.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=4):
        count = raw.FPDFPath_CountSegments(item.raw)
        points = [_point(item, n, height) for n in range(count)]
        if count >= 8 and count % 2 == 0:
            return {(*points[n], *points[n + 1]) for n in range(0, count, 2)}
    return set()


def _point(item: pypdfium2.PdfObject, number: int, height: float) -> tuple[float, float]:
    from ctypes import byref, c_float

    x, y = c_float(), c_float()
    raw.FPDFPathSegment_GetPoint(raw.FPDFPath_GetPathSegment(item.raw, number), byref(x), byref(y))
    found = item.get_matrix().on_point(x.value, y.value)
    return round(found[0] * MM, 1), round((height - found[1]) * MM, 1)
