"""How often what a pack defines is used, counted from what seats are asked and what happens.

Things are named by text keys, the same at every table of a pack, so counts of different tables merge:

- `lantern/tall`: a definition. It is *offered* in a decision in which one of its cards, or itself, could be
  chosen in the sight of the seat, and *chosen* where it was;
- `supply.act/pass`: an option of a menu, or a number or member where the rules ask for one;
- `effect/tall.light`: an effect is *performed*; `step/supply.act` is reached; `award/classes` gives points.

Only answers with an alternative count. A decision counts once for a thing, however many alike were in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from tools.simulation.statistics import Clusters, Numbers

DONE = ("effect/", "step/", "phase/", "round/")
"""How the names of things begin that are carried out; awards begin with `award/`, all others can be chosen."""


@define
class GameUse:
    """What was used in one game. `choices` has, per thing and seat, in how many decisions it was offered and
    chosen; `done` how often an effect or a step was carried out; `points` what seats got from awards. `taken` are
    options of menus, each with how often it was taken, also where there was no other.
    """

    choices: dict[tuple[str, int], list[int]] = field(factory=dict)
    done: dict[str, int] = field(factory=dict)
    points: dict[str, list[int]] = field(factory=dict)
    taken: dict[str, int] = field(factory=dict)


@define
class Choice:
    """A thing that can be chosen, over many games."""

    offered: int = 0
    chosen: int = 0
    games: int = 0
    """Games in which it was chosen."""
    taken: int = 0
    """How often an option of a menu was taken, also where there was no other."""
    won: Clusters = field(factory=Clusters)
    """Of decisions in which it was chosen, and in which it was not: those of seats that won."""

    def merge(self, other: Choice) -> None:
        self.offered += other.offered
        self.chosen += other.chosen
        self.games += other.games
        self.taken += other.taken
        self.won.merge(other.won)


@define
class Usage:
    """What was used in many games; parts merge to the whole in any order."""

    games: int = 0
    choices: dict[str, Choice] = field(factory=dict)
    done: dict[str, Numbers] = field(factory=dict)
    """Per game in which it happened at all."""
    points: dict[str, Numbers] = field(factory=dict)
    """Per game and award, of all seats together."""

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
