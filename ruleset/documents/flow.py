"""The course of a game: set-up, rounds, phases, and its end with awards and winners."""

from __future__ import annotations

from ruleset.documents.reading import Keyed, Titled, Written, named_words, part, word, word_or_words, words
from ruleset.documents.steps import Steps, step_list
from ruleset.source.nodes import Scalar


class Setup(Titled):
    """What is done before the game begins."""

    steps: Steps | None = step_list()


class Phase(Titled):
    """A part of a round."""

    steps: Steps | None = step_list()


class Round(Titled):
    """What is repeated until the game ends."""

    turns_from: Scalar | None = word()
    steps: Steps | None = step_list()
    phases: tuple[Scalar, ...] = words(names="phase")
    until: Scalar | None = word()


class Finish(Titled):
    """What is done when the game has ended."""

    reveals: tuple[Scalar, ...] = words(names="zone")
    awards: tuple[Scalar, ...] = words(names="award")
    steps: Steps | None = step_list()


class Prize(Written):
    """What one player gets who has most, and what each of several gets."""

    alone: Scalar | None = word()
    shared: Scalar | None = word()


class Award(Titled):
    """Points for what players have in the end."""

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
    """Who wins if nobody has won."""

    when: Scalar | None = word()
    among: Scalar | None = word()
    order: tuple[Scalar, ...] = words()
    ties: Scalar | None = word()


class Winner(Titled):
    """Who wins: among whom, and by what."""

    among: Scalar | None = word()
    order: tuple[Scalar, ...] = words()
    ties: Scalar | None = word()
    if_nobody: OtherWinner | None = part(OtherWinner)
