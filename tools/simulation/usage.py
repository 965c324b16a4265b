"""Counts of used definitions, options, effects, steps, and awards.

Items are named by text keys that are the same at every table of a pack, so counts of different tables merge:

- `lantern/tall`: a definition. It is *offered* in a decision in which the seat sees that it, or one of its cards,
  can be chosen, and *chosen* if it was;
- `supply.act/pass`: an option of a menu, or a number or member if the rules ask for one;
- `effect/tall.light`: an effect is *performed*; `step/supply.act` is reached; `award/classes` gives points.

Only decisions with more than one possible answer count. A decision counts once for an item, even if several equal
ones were offered.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from tools.simulation.statistics import Clusters, Numbers

DONE = ("effect/", "step/", "phase/", "round/")
"""Prefixes of items that are carried out. Awards begin with `award/`; all other items can be chosen."""


@define
class GameUse:
    """The use in one game.

    `choices` has, by item and seat, in how many decisions the item was offered and chosen; `done` how often an
    effect or step was carried out; `points` the points of each seat by award; `taken` how often an option of a menu
    was taken, forced ones included.
    """

    choices: dict[tuple[str, int], list[int]] = field(factory=dict)
    done: dict[str, int] = field(factory=dict)
    points: dict[str, list[int]] = field(factory=dict)
    taken: dict[str, int] = field(factory=dict)


@define
class Choice:
    """The counts of an item that can be chosen, over many games."""

    offered: int = 0
    chosen: int = 0
    games: int = 0
    """The number of games in which it was chosen."""
    taken: int = 0
    """How often an option of a menu was taken, forced ones included."""
    won: Clusters = field(factory=Clusters)
    """The shares of decisions by seats that won: those in which it was chosen, and those in which it was not."""

    def merge(self, other: Choice) -> None:
        self.offered += other.offered
        self.chosen += other.chosen
        self.games += other.games
        self.taken += other.taken
        self.won.merge(other.won)


@define
class Usage:
    """The use in many games; parts merge in any order."""

    games: int = 0
    choices: dict[str, Choice] = field(factory=dict)
    done: dict[str, Numbers] = field(factory=dict)
    """By item: how often per game, over the games in which it happened."""
    points: dict[str, Numbers] = field(factory=dict)
    """By award: the points of all seats together, per game."""

    def add(self, use: GameUse, winners: Sequence[int]) -> None:
        self.games += 1
        sums: dict[str, list[int]] = {}
        for (thing, seat), (offered, chosen) in use.choices.items():
            won = int(seat in winners)
            total = sums.setdefault(thing, [0, 0, 0, 0])
            for place, count in enumerate((chosen, chosen * won, offered - chosen, (offered - chosen) * won)):
                total[place] += count
        for thing, (chose, chose_won, left, left_won) in sums.items():
            choice = self.choices.setdefault(thing, Choice())
            choice.offered += chose + left
            choice.chosen += chose
            choice.games += chose > 0
            choice.won.add(chose, chose_won, left, left_won)
        for thing, times in use.taken.items():
            self.choices.setdefault(thing, Choice()).taken += times
        for name, times in use.done.items():
            self.done.setdefault(name, Numbers()).add(times)
        for name, points in use.points.items():
            self.points.setdefault(name, Numbers()).add(sum(points))

    def merge(self, other: Usage) -> None:
        self.games += other.games
        for thing, choice in other.choices.items():
            self.choices.setdefault(thing, Choice()).merge(choice)
        for mine, theirs in ((self.done, other.done), (self.points, other.points)):
            for name, numbers in theirs.items():
                mine.setdefault(name, Numbers()).merge(numbers)
