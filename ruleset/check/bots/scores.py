"""Check the scores of a bot's answer: one for a choice, or one for each option of a menu."""

from __future__ import annotations

from collections.abc import Mapping as Map
from collections.abc import Sequence
from itertools import count

from attrs import evolve

from rulewright.ruleset.check.bots.reading import Reading
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.bot_options import Part, Way
from rulewright.ruleset.source.nodes import Mapping, Node, Scalar
from rulewright.ruleset.table import nodes as t

MOST_SHOWN = 3
"""Options that a hint names."""


def check_scores(
    reading: Reading, score: Node, choice: Scalar, choices: Map[str, Sequence[Way]], key: str
) -> tuple[p.Score, ...]:
    """Return the scores of an answer for the choices that it matches. Findings go to the context."""
    given = _given(reading, score, choice, choices)
    found: list[p.Score] = []
    numbers, known = count(), dict[tuple[str, tuple[Part, ...]], str | None]()
    for one, ways in choices.items():
        for branch, parts in _scorable(ways):
            text = given.get(branch)
            if text is None:
                continue
            if (branch, parts) not in known:
                known[branch, parts] = _unit(reading, text, f"{key}/{next(numbers)}", parts)
            unit = known[branch, parts]
            if unit is not None:
                found.append(p.Score(one, branch, unit))
    return tuple(found)


def _unit(reading: Reading, text: Scalar, key: str, parts: tuple[Part, ...]) -> str | None:
    """Add the unit of a score, and return its key; None after a finding."""
    unit = reading.unit(text, key, None, parts)
    if unit is not None:
        value = reading.units[-1].body[0]
        if isinstance(value, t.Give) and isinstance(value.value, t.Const) and value.value.value <= 0:
            message = "this score is never above 0, so nothing is chosen by it"
            reading.context.report("RW342", text.span, message, "remove it; without a score, later answers decide")
    return unit


def _given(reading: Reading, score: Node, choice: Scalar, choices: Map[str, Sequence[Way]]) -> dict[str, Scalar]:
    """Return the text of each score, by option; outside menus the option is empty."""
    context = reading.context
    ways = [way for found in choices.values() for way in found]
    options = [*dict.fromkeys(way.branch for way in ways if way.branch)]
    if isinstance(score, Scalar):
        if not ways or any(not way.branch for way in ways):
            return {"": score}
        shown = ", ".join(f"{one}: 1" for one in options[:MOST_SHOWN])
        hint = f"score its options by name: `score: {{{shown}}}`"
        context.report("RW360", score.span, f"`{choice.text}` is a menu, which needs a score for each option", hint)
        return {}
    given = score.entries if isinstance(score, Mapping) else ()
    if ways and not options and isinstance(score, Mapping):
        hint = "write one amount or condition, in which `it` is what is offered"
        context.report("RW360", score.span, f"`{choice.text}` is not a menu, so it has no options to name", hint)
        return {}
    for entry in given:
        if ways and entry.key.text not in options and not _lost(reading, entry.key, choice):
            message = f"`{choice.text}` never offers `{entry.key.text}`"
            context.report("RW341", entry.key.span, message, meant(entry.key.text, options, "it offers"))
    return {entry.key.text: entry.value for entry in given if isinstance(entry.value, Scalar)}


def _lost(reading: Reading, option: Scalar, choice: Scalar) -> bool:
    """Whether an unknown option follows from another finding."""
    return option.text in reading.context.poisoned or reading.context.incomplete(choice.text)


def _scorable(ways: Sequence[Way]) -> list[tuple[str, tuple[Part, ...]]]:
    """Return the options of a choice with their parts; where rules with one id differ, cards may be of any kind."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[Part, ...]] = {}
    for way in ways:
        form = way.branch, tuple((part.name, part.type.name) for part in way.parts)
        found[form] = tuple(map(_either, found[form], way.parts)) if form in found else way.parts
    return [(branch, parts) for (branch, _), parts in found.items()]


def _either(one: Part, other: Part) -> Part:
    kinds = (*one.kinds, *(kind for kind in other.kinds if kind not in one.kinds))
    return evolve(one, type=one.type if one.type == other.type else evolve(one.type, of=""), kinds=kinds)
