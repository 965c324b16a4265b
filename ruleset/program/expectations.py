"""What games between bots are expected to be like, as a pack says it. Nothing here affects play."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rulewright.ruleset.common.record import Record

What = Literal[
    "first-seat-wins",
    "no-winner",
    "several-winners",
    "mean-length",
    "usual-length",
    "offered-in-games",
    "chosen-when-offered",
    "none-stands-out",
]
"""What is expected: the keys of documents."""

FEWEST_WEIGHED = 5
"""Definitions that are weighed against each other, for one of them to stand out."""


@frozen(repr=False)
class Bounds(Record):
    """The least and the greatest expected value: a percentage, or a number of decisions. None: no bound."""

    low: int | None
    high: int | None


@frozen(repr=False)
class Expectation(Record):
    """A threshold. `about` is the kind, group, or definition as written; empty if it is about whole games.

    `ids` are the definitions for which it holds, as `KIND/NAME`: without those that are ignored, or for which
    something else is said. For `none-stands-out` there are no bounds.
    """

    what: What
    about: str
    ids: tuple[str, ...]
    bounds: Bounds


@frozen(repr=False)
class WeighedGroup(Record):
    """Definitions of a kind (`ids`) that are weighed against each other, with the names of one of them."""

    key: str
    kind: str
    names: tuple[tuple[str, str], ...]
    ids: tuple[str, ...]


@frozen(repr=False)
class ExpectedTable(Record):
    """What is expected of the games at one table.

    Without `players`, there are as few as possible. `options` are those that differ from their defaults. `bot` is
    empty for the first bot of the pack. `ignored` are definitions, each with the reason.
    """

    key: str
    players: int | None
    options: tuple[tuple[str, str], ...]
    bot: str
    expectations: tuple[Expectation, ...]
    groups: tuple[WeighedGroup, ...]
    ignored: tuple[tuple[str, str], ...]
