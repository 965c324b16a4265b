"""Preferences of bots: patterns of option keys, and the options that they can match.

The key of an option is the key of its value (`gem`, `seat-1`, `3`); for a menu it is the name of the branch, and
after a colon the keys of its members (`buy:gem`, `give:gem,seat-1`). In a pattern, `*` matches any part of a key; a
bare branch matches its options with any members.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, product

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.types import Type

ANY = "*"
MOST_TOLD = 2_000
"""Limit of option keys that are searched for a similar one."""

Domain = tuple[str, ...] | None
"""The possible keys of a value; None for numbers."""


@frozen(repr=False)
class Preference(Record):
    """A parsed pattern. `members` are the patterns after its colon; None matches any members, or none."""

    head: str
    members: tuple[str, ...] | None


@frozen(repr=False)
class OptionPart(Record):
    """What a member of options is: its name, its type and, for cards and definitions, its possible kinds."""

    name: str
    type: Type
    kinds: tuple[str, ...]


@frozen(repr=False)
class OptionWay(Record):
    """Options of one kind: those of a menu's branch or, with an empty `branch`, those of another choice."""

    branch: str
    members: tuple[Domain, ...]
    parts: tuple[OptionPart, ...] = ()
    """One for each member."""

    def offers(self) -> Iterator[str]:
        """Yield the keys of its options; none if a member is a number."""
        if not all(self.members):
            return
        for members in product(*(domain or () for domain in self.members)):
            joined = ",".join(members)
            yield f"{self.branch}:{joined}" if self.branch and members else self.branch or joined


def preference(text: str) -> Preference:
    """Parse a text under `prefer`."""
    head, colon, rest = text.partition(":")
    return Preference(head, tuple(rest.split(",")) if colon and rest != ANY else None)


def fits(pattern: str, key: str) -> bool:
    """Whether a pattern matches a key."""
    return pattern == key or (ANY in pattern and _expression(pattern).fullmatch(key) is not None)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split(ANY))), re.DOTALL)


def fits_number(pattern: str, number: int | None) -> bool:
    """Whether a pattern matches a number; None is any number that the pattern does not name."""
    return set(pattern) == {ANY} or (number is not None and pattern == str(number))


def number_of(pattern: str) -> int | None:
    """Return the number that a pattern names, or None."""
    return int(pattern) if re.fullmatch(r"0|-?[1-9][0-9]{0,9}", pattern) else None


def can_mean(one: Preference, way: OptionWay) -> bool:
    """Whether a preference matches some of these options."""
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
    """Whether a preference matches all that `other` matches, so that `other` has no effect after it."""
    if not fits(one.head, other.head):
        return False
    if one.members is None or other.members is None:
        return one.members is None
    return len(one.members) == len(other.members) and all(map(fits, one.members, other.members))


def some_keys(ways: Iterable[OptionWay]) -> list[str]:
    """Return keys of options for hints, up to a limit."""
    return list(islice((key for way in ways for key in way.offers()), MOST_TOLD))
