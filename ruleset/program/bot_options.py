"""What bots prefer: patterns of the keys of options, and which options they can mean.

The key of an option is that of the thing that it is (`gem`, `seat-1`, `3`); of a menu it is the name of the branch,
and behind a colon the keys of its members (`buy:gem`, `give:gem,seat-1`). In a pattern `*` stands for any part of a
key; a branch alone means its options whatever their members.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, product

from attrs import frozen

from ruleset.common.record import Record

ANY = "*"
MOST_TOLD = 2_000
"""So many keys of a choice are looked at for one that was perhaps meant."""

Domain = tuple[str, ...] | None
"""The keys that something can have; None: those of all numbers."""


@frozen(repr=False)
class Preference(Record):
    """What a pattern says. `members` are the patterns behind its colon; None means any members, or none."""

    head: str
    members: tuple[str, ...] | None


@frozen(repr=False)
class Way(Record):
    """Options of one sort: those of one branch of a menu or, with an empty `branch`, those of another choice."""

    branch: str
    members: tuple[Domain, ...]

    def offers(self) -> Iterator[str]:
        """The keys of its options; of numbers none."""
        if not all(self.members):
            return
        for members in product(*(domain or () for domain in self.members)):
            joined = ",".join(members)
            yield f"{self.branch}:{joined}" if self.branch and members else self.branch or joined


def preference(text: str) -> Preference:
    """What a text under `prefer` says."""
    head, colon, rest = text.partition(":")
    return Preference(head, tuple(rest.split(",")) if colon and rest != ANY else None)


def fits(pattern: str, key: str) -> bool:
    """Whether a key is one that a pattern means."""
    return pattern == key or (ANY in pattern and _expression(pattern).fullmatch(key) is not None)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split(ANY))), re.DOTALL)


def fits_number(pattern: str, number: int | None) -> bool:
    """The same of a number; of None, those that the pattern does not name."""
    return set(pattern) == {ANY} or (number is not None and pattern == str(number))


def number_of(pattern: str) -> int | None:
    """The number that a pattern names."""
    return int(pattern) if re.fullmatch(r"0|-?[1-9][0-9]{0,9}", pattern) else None


def can_mean(one: Preference, way: Way) -> bool:
    """Whether a preference means some of these options."""
    if not way.branch:
        return one.members is None and _among(one.head, way.members[0])
    if not fits(one.head, way.branch):
        return False
    if one.members is None:
        return all(domain is None or domain for domain in way.members)
    return len(one.members) == len(way.members) and all(map(_among, one.members, way.members))


def _among(pattern: str, domain: Domain) -> bool:
    if domain is None:
        return set(pattern) == {ANY} or number_of(pattern) is not None
    return any(fits(pattern, key) for key in domain)


def covers(one: Preference, other: Preference) -> bool:
    """Whether a preference means all that another means: then nothing is left for one that stands behind it."""
    if not fits(one.head, other.head):
        return False
    if one.members is None or other.members is None:
        return one.members is None
    return len(one.members) == len(other.members) and all(map(fits, one.members, other.members))


def some_keys(ways: Iterable[Way]) -> list[str]:
    """Keys of options, for hints: not more than anybody looks at."""
    return list(islice((key for way in ways for key in way.offers()), MOST_TOLD))
