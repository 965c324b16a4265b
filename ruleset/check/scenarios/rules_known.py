"""What scenarios are held against: what the rules were found to ask and to offer."""

from __future__ import annotations

from attrs import frozen

from ruleset.common.record import Record

MARKS = ("then", "until", "offers", "refuses", "asks", "wins", "sees")
"""First words of steps that are no players; no player can have such a name."""


@frozen(repr=False)
class RulesKnown(Record):
    """What all scenarios of a pack are held against."""

    sources: frozenset[str]
    """The names of phases, rounds and steps, with their kinds."""
    choices: tuple[str, ...]
    """The ids of choices."""
    playable: bool
    """Whether somebody may play the scenarios."""
    options: frozenset[str]
    """The keys of all options of menus."""
    names: frozenset[str]
    """What a choice may offer besides: cards by their definitions and kinds, and the words for all and none."""
    whole: bool
    """Whether all code of the game could be read, so that all options are known."""
