"""Single mistakes, by class: each is one small edit of one file, and all are deterministic.

What would be another valid pack by design is left out, each time with the reason in its planter.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from attrs import frozen

from tests.recall.sites import Site, known_words
from tests.recall.subjects import Source, Subject


@frozen
class Mistake:
    """A planted mistake. `changes` are `(start, end, new)` in the file's text, in order and apart from each other.

    `lines` are the lines of the changed text that are right for the first finding.
    """

    pack: str
    klass: str
    what: str
    path: str
    line: int
    changes: tuple[tuple[int, int, str], ...]
    lines: frozenset[int]
    apart: bool
    old: str
    new: str
    only_use: tuple[str, int] = ("", 0)
    """The file and line of the one use of a misspelt declaration: either may be the one that is wrong."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}: {self.old!r} -> {self.new!r}"

    def planted(self, text: str) -> str:
        """The file with the mistake."""
        for start, end, new in reversed(self.changes):
            text = text[:start] + new + text[end:]
        return text


Planter = Callable[[Subject], Iterator[Mistake]]
PLANTERS: dict[str, dict[str, Planter]] = {}
"""Class -> what is done -> the planter."""


def planter(klass: str, what: str) -> Callable[[Planter], Planter]:
    def keep(planter: Planter) -> Planter:
        PLANTERS.setdefault(klass, {})[what] = planter
        return planter

    return keep


def mistakes(subject: Subject, klass: str) -> Iterator[tuple[str, list[Mistake]]]:
    """All mistakes of a class in a pack, by what is done."""
    for what, planter in PLANTERS[klass].items():
        yield what, list(planter(subject))


def slip(subject: Subject, word: str, at: int) -> str:
    """A misspelling that is no word of the pack or the language: letters swapped, left out or doubled."""
    chance = random.Random(f"{subject.name}/{word}/{at}")
    known = known_words(subject)
    ways: list[str] = []
    for place in range(1, len(word)):
        ways.append(word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :] if place > 1 else "")
        ways.append(word[:place] + word[place + 1 :])
        ways.append(word[:place] + word[place] + word[place:])
    chance.shuffle(ways)
    endings = ("", "s", "es")
    for one in (*ways, word + "x", word + "qu"):
        sound = one and one != word and not one.startswith("-") and not one.endswith("-") and "--" not in one
        if sound and not any(one + end in known or one.removesuffix(end or " ") in known for end in endings):
            return one
    raise AssertionError(word)


def change_of(
    subject: Subject, klass: str, what: str, source: Source, apart: bool, start: int, end: int, new: str,
    *lines: int,
) -> Mistake:  # fmt: skip
    """A mistake with one change; its own lines are right for a finding, and `lines` besides."""
    old = source.text[start:end]
    first = source.line(start)
    own = range(first, first + new.rstrip("\n").count("\n") + 1)
    return Mistake(
        subject.name, klass, what, source.path, first, ((start, end, new),), frozenset((*own, *lines)), apart,
        old, new,
    )  # fmt: skip


def at_key(subject: Subject, klass: str, what: str, site: Site, new: str) -> Mistake:
    start, end = site.source.range(site.entry.key)
    return change_of(subject, klass, what, site.source, site.apart, start, end, new)


def at_value(subject: Subject, klass: str, what: str, site: Site, new: str) -> Mistake:
    start, end = site.source.range(site.entry.value)
    return change_of(subject, klass, what, site.source, site.apart, start, end, new, site.entry.key.span.line)
