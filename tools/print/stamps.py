"""Draw pages of a PDF on other pages.

Each card is typeset once, on a page of its own, and drawn on the sheets for each copy.
A page that is drawn becomes a form XObject (PDF 1.7, section 8.10) and is no page any more. Its texts can still be
selected and searched on the sheets. Fonts, pictures, and colours are those of the whole document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

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
