"""The facts about the rules that scenarios are checked against."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.record import Record

MARKS = ("then", "until", "offers", "refuses", "asks", "wins", "result", "sees")
"""First words of steps that are not players; a player cannot have such a name."""


@frozen(repr=False)
class RulesKnown(Record):
    """The facts about the rules that all scenarios of a pack are checked against."""

    sources: frozenset[str]
    """Names of phases, rounds, and steps, prefixed with their category."""
    choices: tuple[str, ...]
    """The ids of choices."""
    playable: bool
    """Whether the scenarios may be played."""
    options: frozenset[str]
    """The keys of all options of menus."""
    names: frozenset[str]
    """Other names that a choice may offer: definitions and kinds of cards, and the words for all and none."""
    whole: bool
    """Whether all code of the game could be read, so that all options are known."""
