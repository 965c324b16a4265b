"""What the cards of kinds look like, as far as a pack says it. Nothing here affects play."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rulewright.ruleset.common.record import Record

Place = Literal["top-left", "top-right", "bottom-left", "bottom-right"]
COLOURS = (
    "amber", "green", "violet", "blue", "red", "teal", "orange", "indigo", "olive", "pink", "jade", "azure",
)  # fmt: skip
"""Names of the tones 1 to 12. A colour that a pack gives as `#rrggbb` becomes a tone of that pack."""
NEUTRAL = "grey"
SYMBOLS = (
    "diamond", "sun", "clover", "lattice", "shield", "star", "waves", "chevrons", "moon", "pillars", "drop",
    "rings", "checks", "coin", "heart", "crown", "blade", "leaf", "book", "bolt", "spade",
)  # fmt: skip
"""Names of the marks `mark-0`, `mark-1`, … of `tools/pages/static/sprite.svg`."""


@frozen(repr=False)
class Picture(Record):
    """A picture file: its pack, and its path in the folder of that pack."""

    pack: str
    path: str


@frozen(repr=False)
class FaceCorner(Record):
    """A field or expression of a kind in a corner of its cards, with a symbol or a picture beside the value."""

    place: Place
    field: str
    symbol: str = ""
    picture: Picture | None = None


@frozen(repr=False)
class FaceColours(Record):
    """The colours and symbols of a field's members, by their keys. A colour is a name, or `#rrggbb`."""

    field: str
    colours: tuple[tuple[str, str], ...] = ()
    symbols: tuple[tuple[str, str], ...] = ()


@frozen(repr=False)
class CardFace(Record):
    """What the cards of a kind look like. None and empty mean: as without a face.

    `colour` is for all cards, `definitions` for single ones; `pictures` are by definition, only files that exist.
    `size` is in tenths of a millimetre. The back is a colour or a picture.
    """

    kind: str
    corners: tuple[FaceCorner, ...] | None
    members: tuple[FaceColours, ...]
    colour: str
    definitions: tuple[tuple[str, str], ...]
    pictures: tuple[tuple[str, Picture], ...]
    size: tuple[int, int] | None
    back: str | Picture
