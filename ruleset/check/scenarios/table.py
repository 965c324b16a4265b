"""The table of a scenario: players, options, and the point at which it enters the game."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.check.scenarios.positions import Positions
from rulewright.ruleset.check.scenarios.rules_known import MARKS
from rulewright.ruleset.common.listing import players_between
from rulewright.ruleset.common.whole_numbers import number_hint, whole
from rulewright.ruleset.documents.play import Given
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.option_sets import names_of, wrong_names
from rulewright.ruleset.source.nodes import Node, Scalar, Sequence


def players_of(context: Context, node: Node | None) -> tuple[str, ...]:
    """Return the names of the players, in the order of their seats."""
    names: list[str] = []
    if isinstance(node, Scalar) and isinstance(node.value, int):
        names = [f"seat-{number + 1}" for number in range(node.value)]
    for item in node.items if isinstance(node, Sequence) else ():
        assert isinstance(item, Scalar)
        if item.text in names:
            context.report("RW701", item.span, f"two players are called `{item.text}`", "rename one of them")
        elif item.text in MARKS or _taken(context, item.text):
            message = f"`{item.text}` already has a meaning, so it cannot be the name of a player"
            context.report("RW701", item.span, message, "choose another name")
        names.append(item.text)
    least, most = context.declared.players
    if node is not None and not least <= len(names) <= most:
        message = f"the game is for {players_between(least, most)}, not {len(names)}"
        context.report("RW701", node.span, message)
    return tuple(names)


def _taken(context: Context, word: str) -> bool:
    """Whether the rules use this name."""
    d = context.declared
    groups = (d.zones, d.tracks, d.lists, d.values, d.options, d.functions, d.definitions, d.kinds, d.plurals)
    return any(word in group for group in groups) or d.member(word) is not None


def options_of(
    context: Context, given: tuple[Keyed[Node], ...], code: str = "RW702"
) -> tuple[tuple[str, str], ...]:
    """Return the options of a table with their choices. Findings have the code."""
    chosen: list[tuple[str, str]] = []
    for entry in given:
        option = context.options.get(entry.key.text)
        listed = entry.value.items if isinstance(entry.value, Sequence) else ()
        words = ", ".join(one.text for one in listed if isinstance(one, Scalar))
        word = entry.value.text if isinstance(entry.value, Scalar) else words
        if option is None:
            hint = meant(entry.key.text, context.options, "options")
            context.report(code, entry.key.span, f"there is no option `{entry.key.text}`", hint)
            continue
        if option.some:
            chosen.extend(_some(context, option, entry.value, word, code))
            continue
        number = whole(word)
        if option.members and word not in option.members:
            hint = meant(word, option.members, "choices")
            context.report(code, entry.value.span, f"`{option.key}` has no choice `{word}`", hint)
        elif not option.members and (number is None or not option.low <= number <= option.high):
            message = f"`{option.key}` takes a number from {option.low} to {option.high}, not `{word}`"
            context.report(code, entry.value.span, message, number_hint(word) if number is None else None)
        else:
            chosen.append((option.key, word))
    return tuple(chosen)


def _some(context: Context, option: p.Option, node: Node, words: str, code: str) -> Iterator[tuple[str, str]]:
    """Check the choice of an option that names definitions."""
    d = context.declared.definitions
    names = names_of(words)
    wrong = wrong_names(option, names, [name for name, one in d.items() if one.kind == option.of])
    if wrong is not None:
        context.report(code, node.span, *wrong)
        return
    yield option.key, ", ".join(names) or "none"


def entry_of(positions: Positions, sources: frozenset[str], given: Given | None) -> tuple[str, str]:
    """Return the source at which the game is entered, and the player whose turn it is."""
    phase, turn = (given.phase, given.turn) if given is not None else (None, None)
    if turn is not None:
        positions.player(turn)
    who = turn.text if turn is not None else ""
    if phase is None:
        return "", who
    for name in (f"phase/{phase.text}", f"round/{phase.text}", f"step/{phase.text}"):
        if name in sources:
            return name, who
    names = [name.partition("/")[2] for name in sources if name.startswith(("phase/", "round/"))]
    hint = meant(phase.text, sorted(names), "phases and rounds")
    positions.context.report("RW703", phase.span, f"the game has no phase, round or step `{phase.text}`", hint)
    return "", who
