"""Tones: colours of kinds and members, all of one weight and with enough contrast for text.

A tone is a hue in OKLCH (Ottosson 2020, "A perceptual color space for image processing"). Lightness and chroma are
fixed for each role; lightness moves until every pair in `PAIRS` has its contrast (WCAG 2.2, 1.4.3 and 1.4.11).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from zlib import crc32

from attrs import frozen

HUES = (78.0, 148.0, 308.0, 252.0, 22.0, 195.0, 50.0, 280.0, 115.0, 350.0, 170.0, 240.0)
"""The hues of the tones 1 to 12, in degrees: neighbours differ clearly."""
TONES = len(HUES)
Role = tuple[float, float]
LIGHT: dict[str, Role] = {"ink": (0.43, 0.105), "fill": (0.48, 0.105), "wash": (0.95, 0.03), "line": (0.8, 0.07)}
DARK: dict[str, Role] = {"ink": (0.85, 0.085), "fill": (0.43, 0.08), "wash": (0.305, 0.04), "line": (0.48, 0.06)}
GROUNDS = {"light": "#fffdf9", "dark": "#25272c"}
"""The paper of cards."""
PAIRS = (("ink", "wash", 4.5), ("ink", "ground", 4.5), ("fill", "white", 4.9))
_STEP, _GREY, _GREY_HUE = 0.005, 0.12, 80.0
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def tone(hue: float | None, dark: bool = False) -> dict[str, str]:
    """Return the colours of a tone by role, as `#rrggbb`. Without a hue the tone is neutral."""
    ground = GROUNDS["dark" if dark else "light"]
    grey = _GREY if hue is None else 1.0
    values = {role: [light, chroma * grey] for role, (light, chroma) in (DARK if dark else LIGHT).items()}
    fixed = {"ground": ground, "white": "#ffffff"}

    def colour(role: str) -> str:
        return fixed.get(role) or _srgb(values[role][0], values[role][1], _GREY_HUE if hue is None else hue)

    for role, against, ratio in PAIRS:
        while contrast(colour(role), colour(against)) < ratio:
            lighter = _luminance(colour(role)) > _luminance(colour(against))
            values[role][0] += _STEP if lighter else -_STEP
    return {role: colour(role) for role in values}


def rules(hues: Mapping[str, float | None], scope: str = "", dark: bool = False, indent: str = "") -> Iterator[str]:
    """Yield a line of CSS for each tone. `scope` is a selector that precedes theirs."""
    for name, hue in hues.items():
        values = "; ".join(f"--tone-{role}: {value}" for role, value in tone(hue, dark).items())
        first = ":root, " if name == "0" and not scope else ""
        yield f'{indent}{first}{scope}[data-tone="{name}"] {{ {values}; }}'


def hue_of(colour: str) -> float | None:
    """Return the hue of `#rrggbb` in degrees; None for a grey. Raises ValueError for other texts."""
    if not _COLOUR.fullmatch(colour):
        raise ValueError(f"expected a colour such as #b8860b, found {colour!r}")
    red, green, blue = (_linear(channel) for channel in _channels(colour))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short
    return None if math.hypot(a, b) < 0.02 else math.degrees(math.atan2(b, a)) % 360


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2, "contrast ratio")."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _srgb(light: float, chroma: float, hue: float) -> str:
    """Convert OKLCH to `#rrggbb`, with less chroma if the colour would be outside of sRGB."""
    while True:
        a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
        long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
        middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
        short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
        rgb = (
            4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
        )
        if chroma <= 0 or all(-1e-4 <= channel <= 1.0001 for channel in rgb):
            break
        chroma -= 0.002
    return "#" + "".join(f"{round(_curve(min(max(channel, 0.0), 1.0)) * 255):02x}" for channel in rgb)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> Iterator[float]:
    return (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _curve(channel: float) -> float:
    return 12.92 * channel if channel <= 0.0031308 else float(1.055 * channel ** (1 / 2.4) - 0.055)


# ---- Emblems: ornaments of petals around a mark, in place of a picture
#
# The numbers come from the CRC of a definition's key, so that a card looks the same in every process and
# release.

SHAPES = 6
"""The number of petal shapes (`petal-1` to `petal-6` of the sprite)."""
COUNTS = (4, 5, 6, 8, 7, 3)


@frozen
class Emblem:
    """Petals of one shape over those of another, in a full circle each, and possibly a ring around them.

    The petals below are turned by half of the angle between two petals. `turns` are in degrees.
    """

    over: int
    under: int
    count: int
    ring: bool

    @property
    def name(self) -> str:
        """A name that only equal emblems have."""
        return f"{self.over}{self.under}{self.count}{'r' if self.ring else ''}"

    @property
    def turns(self) -> tuple[str, ...]:
        """The angles of the petals above."""
        return tuple(f"{360 * number / self.count:.4g}" for number in range(self.count))

    @property
    def turns_under(self) -> tuple[str, ...]:
        """The angles of the petals below."""
        return tuple(f"{360 * (number + 0.5) / self.count:.4g}" for number in range(self.count))


def emblem_of(key: str) -> Emblem:
    """Return the emblem of a definition."""
    number = crc32(key.encode())
    over, under = 1 + number % SHAPES, 1 + number // SHAPES % SHAPES
    if over == under:
        under = 1 + under % SHAPES
    return Emblem(over, under, COUNTS[number // 36 % len(COUNTS)], bool(number // 216 % 2))
