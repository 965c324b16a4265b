"""Records of what a pack's own document says about other packs."""

from __future__ import annotations

import re
from typing import Literal

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record


@frozen(repr=False)
class Need(Record):
    """A reference to another pack, with the allowed versions."""

    pack: str
    versions: str
    span: Span


@frozen(repr=False)
class Head(Record):
    """A pack's name, version, and references to other packs. A pack that extends none is a game.

    `span` is its name in `pack.yaml`. A pack without a version has version `0`.
    """

    pack: str
    version: str
    span: Span
    extends: tuple[Need, ...] = ()
    requires: tuple[Need, ...] = ()
    conflicts: tuple[Need, ...] = ()
    after: tuple[Need, ...] = ()


@frozen(repr=False)
class Link(Record):
    """A reference from one pack to another; `word` is its key, such as `extends`."""

    pack: Head
    word: str
    need: Need


# ---- Versions of packs and ranges of them: `">=1"`, `">=1.2,<2"`, `"==1.*"`, and `"*"` for any
#
# Ranges have the same meaning as for Python packages; the library `packaging` parses them. It is imported
# when the first range other than `*` is evaluated.

ANY = "*"
"""The range that includes all versions."""

WRITTEN = '`">=1"`, `">=1.2,<2"`, `"==1.*"`, or `"*"` for any version'
"""How ranges are written, for hints."""

Distance = Literal["too old", "too new", "none of these"]

_FORM = re.compile(r"([\^~=><!]*)\s*v?([0-9]+(?:\.[0-9]+)*)((?:\.[xX*])*)")


def is_range(versions: str) -> bool:
    """Whether a text is a range of versions. A bare number is not: it does not say if later ones are included."""
    if versions == ANY:
        return True
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return len(SpecifierSet(versions)) > 0
    except InvalidSpecifier:
        return False


def is_version(version: str) -> bool:
    """Whether a text is a version: numbers separated by dots."""
    return re.fullmatch(r"[0-9]+(\.[0-9]+)*", version) is not None


def within(version: str, versions: str) -> bool:
    """Whether a version is in a range. Raises ValueError if either argument is invalid."""
    if versions == ANY:
        return True
    from packaging.specifiers import SpecifierSet

    if not is_range(versions):
        raise ValueError(f"{versions!r} is no range of versions")
    if not is_version(version):
        raise ValueError(f"{version!r} is no version")
    return SpecifierSet(versions).contains(version)


def distance(version: str, versions: str) -> Distance:
    """Return the side of a range on which an excluded version is."""
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    here, sides = Version(version), set()
    for part in SpecifierSet(versions):
        if not part.contains(version):
            bound = Version(part.version.removesuffix(".*"))
            old = part.operator in (">", ">=") or (part.operator in ("==", "~=") and here < bound)
            new = part.operator in ("<", "<=") or (part.operator in ("==", "~=") and here > bound)
            sides.add("too old" if old else "too new" if new else "")
    if sides == {"too old"}:
        return "too old"
    return "too new" if sides == {"too new"} else "none of these"


def instead(versions: str) -> str:
    """Suggest a correction for a text that is not a range."""
    text = versions.strip()
    if text.casefold() in ("", "any", "all", "latest"):
        return 'write `"*"` for any version'
    found = _FORM.fullmatch(text)
    if found is None:
        parted = re.sub(r"(?<=[0-9*])\s+(?=[<>=!~])", ", ", text)
        if parted != text and is_range(parted):
            return f'separate bounds with commas: `"{parted}"`'
        return f"for example {WRITTEN}"
    sign, number, wild = found.groups()
    numbers = number.split(".")
    if not sign and not wild:
        return f'write `">={number}"` for this version and later ones, or `"=={number}"` for this version only'
    better = f"=={number}.*"
    if sign == "^":
        better = f">={number},<{int(numbers[0]) + 1}"
    elif sign in ("~", "~=") and not wild and len(numbers) > 1:
        better = f"~={number}.0" if len(numbers) == 2 else f"~={number}"
    elif sign in ("<", "<=", ">", ">="):
        better = f"{sign}{number}"
    elif sign in ("=", "=>", "=<") and not wild:
        better = f"{sign[::-1] if len(sign) == 2 else '=='}{number}"
    return f'write `"{better}"`' if is_range(better) else f"for example {WRITTEN}"
