"""Scenarios: a position of a game, what is chosen in it, and what must hold. Checked, not yet played.

`scenarios.checker` makes them; what a table has to know (which card `gem-3` is, what is offered) is found out
when they are played. Conditions and their two sides are units of the program that nothing in the game reaches.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.language.types import Type


@frozen(repr=False)
class Side(Record):
    """One side of a comparison: its words, the unit that gives its value, and of which type that is."""

    text: str
    unit: str
    type: Type


@frozen(repr=False)
class Fact(Record):
    """A condition that must hold. `unit` gives whether it does; it takes the players, then `cards` by name.

    `sides` are what a comparison compares. `reads` are the zones, tracks and lists of which it speaks:
    `zone/hand`, `track/coins`, `list/arrivals`.
    """

    text: str
    span: Span
    unit: str
    cards: tuple[str, ...]
    sides: tuple[Side, ...]
    reads: frozenset[str]


@frozen(repr=False)
class Items(Record):
    """Options or cards as a scenario names them: `perform`, `bell`, `2 coin`, `any 3`, `all`, `none`."""

    words: tuple[str, ...]
    span: Span


@frozen(repr=False)
class Answer(Record):
    """A player answers a choice, named by the end of its id."""

    player: str
    choice: str
    items: Items


@frozen(repr=False)
class Refused(Record):
    """An answer that must be refused."""

    answer: Answer


@frozen(repr=False)
class Until(Record):
    """Goes on until a choice is asked; of this player, if there is one."""

    player: str
    choice: str
    span: Span


@frozen(repr=False)
class Facts(Record):
    """Conditions that must hold at this point."""

    facts: tuple[Fact, ...]


@frozen(repr=False)
class Offers(Record):
    """Exactly these options are offered to a player."""

    player: str
    items: Items


@frozen(repr=False)
class Asks(Record):
    """Exactly these players are asked, each at a choice."""

    asked: tuple[tuple[str, str], ...]
    span: Span


@frozen(repr=False)
class Wins(Record):
    """The game is over, and these have won."""

    players: tuple[str, ...]
    span: Span


@frozen(repr=False)
class Sees(Record):
    """The cards of a zone, as a player sees them; `?` is one that they do not see."""

    player: str
    zone: str
    owner: str
    items: Items


@frozen(repr=False)
class Reads(Record):
    """The value of a track, as a player sees it; `?` when they do not."""

    player: str
    track: str
    owner: str
    items: Items


Step: TypeAlias = Answer | Refused | Until | Facts | Offers | Asks | Wins | Sees | Reads


@frozen(repr=False)
class ZoneGiven(Record):
    """What lies in a zone: exactly this, or this on top (topmost first). `owner` is a player, or empty."""

    zone: str
    owner: str
    items: Items
    top: bool


@frozen(repr=False)
class TrackGiven(Record):
    """The value of a track, for these members of its scope, in order. A player is named by name."""

    track: str
    index: tuple[str, ...]
    value: str
    span: Span


@frozen(repr=False)
class ListGiven(Record):
    """The members of a list; `index` is a player or card, or empty."""

    list: str
    index: str
    items: Items


Given: TypeAlias = ZoneGiven | TrackGiven | ListGiven


@frozen(repr=False)
class Scenario(Record):
    """`options` are chosen by hand, the rest is the default. `entry` is the source of the phase, round or step
    at which the game is entered (`phase/supplies`, `round/day`, `step/supplies.supply`), empty for its beginning;
    `turn` the player whose turn it is there, or empty.
    """

    title: str
    span: Span
    source: str
    players: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: int
    entry: str
    turn: str
    given: tuple[Given, ...]
    steps: tuple[Step, ...]

    def matches(self, words: str) -> bool:
        """Whether its title or source has these words in it, with capitals or without."""
        return words.lower() in f"{self.title} {self.source}".lower()
