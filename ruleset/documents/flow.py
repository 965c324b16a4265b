"""Records of the course of a game: set-up, rounds, phases, its end, and a series of games."""

from __future__ import annotations

from rulewright.ruleset.documents.reading import (
    Keyed,
    Titled,
    Written,
    named_words,
    part,
    word,
    word_or_words,
    words,
)
from rulewright.ruleset.documents.steps import Body, Steps, effect, step_list
from rulewright.ruleset.source.nodes import Scalar


class Setup(Titled):
    """Steps before the first round."""

    steps: Steps | None = step_list()


class Phase(Titled):
    """A part of a round."""

    steps: Steps | None = step_list()


class Round(Titled):
    """Steps and phases that repeat until a condition holds."""

    turns_from: Scalar | None = word()
    steps: Steps | None = step_list()
    phases: tuple[Scalar, ...] = words(names="phase")
    until: Scalar | None = word()


class Finish(Titled):
    """What happens at the end of the game."""

    reveals: tuple[Scalar, ...] = words(names="zone")
    awards: tuple[Scalar, ...] = words(names="award")
    steps: Steps | None = step_list()


class Prize(Written):
    """The prize for having most alone, and the prize for each of several."""

    alone: Scalar | None = word()
    shared: Scalar | None = word()


class Award(Titled):
    """Points at the end of the game."""

    when: Scalar | None = word()
    for_each: tuple[Keyed[Scalar], ...] = named_words()
    sum: Scalar | None = word()
    majority: Scalar | None = word()
    rank: Scalar | None = word()
    at_least: Scalar | None = word()
    prize: Prize | None = part(Prize)
    prizes: Scalar | tuple[Scalar, ...] | None = word_or_words("value")
    ties: Scalar | None = word()


class OtherWinner(Written):
    """How the winners are chosen if nobody has won so far."""

    when: Scalar | None = word()
    among: Scalar | None = word()
    order: tuple[Scalar, ...] = words()
    ties: Scalar | None = word()


class Winner(Titled):
    """How the winners are chosen: candidates and criteria. Of several, the first whose condition holds decides."""

    when: Scalar | None = word()
    among: Scalar | None = word()
    order: tuple[Scalar, ...] = words()
    ties: Scalar | None = word()
    if_nobody: OtherWinner | None = part(OtherWinner)


class Series(Titled):
    """Games one after the other at one table: what follows each game, and when and how the series ends."""

    after_each_game: Body | None = effect()
    until: Scalar | None = word()
    score: Scalar | None = word()
    order: tuple[Scalar, ...] = words()
    ties: Scalar | None = word()
