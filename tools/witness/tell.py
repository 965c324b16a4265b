"""Describe a witness in one line: the facts, the choice, and the outcome in each order of the packs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.tools.common.output import many
from rulewright.tools.scenarios.performance import bare, with_players
from rulewright.tools.witness.duo import Answered, Difference
from rulewright.tools.witness.facts import SHOWN, Facts, Sort, Subject
from rulewright.tools.witness.orders import OnlyOne
from rulewright.tools.witness.search import Searched

MOST_BEFORE = 3
"""Limit of displayed facts of the position."""
_HELD = (Sort.TRACK, Sort.COUNT, Sort.LIST)
_QUOTED = re.compile(r"`([^`]+)`")


def told(found: Searched | OnlyOne, first: str, second: str, message: str) -> str:
    """Describe the result of a search for a witness of two packs; `message` is that of the finding."""
    if isinstance(found, OnlyOne):
        return f"there is no game where `{found.earlier}` comes first: {found.why}"
    if found.difference is None:
        if found.alike:
            return "none: the rules are the same in both orders"
        return f"no difference seen in {many(found.positions, 'position')}"
    return _difference(found.difference, first, second, message)


def best(difference: Difference, message: str) -> list[Subject]:
    """Sort the differences for display: first what the finding names, and what belongs to the choosers."""
    named = _named(message)
    own = {answer.seat for answer in answers(difference)} or {0}
    names = {difference.table.names[seat] for seat in own}
    return sorted(
        difference.after[0],
        key=lambda one: (
            one.sort is not Sort.FAILURE, one.key == "in-game", one.key not in named, one.sort,
            one.owner not in names, not one.owner, one.owner, one.words,
        ),
    )  # fmt: skip


def _named(message: str) -> set[str]:
    """Return the names in a message, whole and in parts."""
    return {word for text in _QUOTED.findall(message) for word in (text, *re.split(r"[/.]", text))}


def answers(difference: Difference) -> tuple[Answered, ...]:
    """Return what is chosen; empty at the deal."""
    if not difference.moments:
        return ()
    return difference.moments[-1].answers(difference.table.programs[0])


def _difference(difference: Difference, first: str, second: str, message: str) -> str:
    subjects = best(difference, message)
    subject = subjects[0]
    one, two = (after[subject] for after in difference.after)
    ends = f"where `{first}` comes first", f"where `{second}` comes first"
    if subject.sort is Sort.SEEN:
        return f"{subject.words}, seen by {one} {ends[0]}, by {two} {ends[1]}"
    lead = _lead(difference, subjects, message)
    if subject.sort is Sort.FAILURE:
        failing = (one, ends[0]) if one else (two, ends[1])
        same = f"the rules fail ({one}) {ends[0]}, and fail ({two}) {ends[1]}"
        return f"{lead}{same}" if one and two else f"{lead}the rules fail ({failing[0]}) {failing[1]} only"
    if subject.sort is Sort.RESULT:
        return f"{lead}the winner is {one or 'not known yet'} {ends[0]}, {two or 'not known yet'} {ends[1]}"
    if subject.sort is Sort.ASKED:
        return f"{lead}asked are {one} {ends[0]}, {two} {ends[1]}"
    if subject.sort is Sort.OFFERED:
        return lead + _offers(subject, one, two, ends)
    return f"{lead}{subject.words} is {_short(one)} {ends[0]}, {_short(two)} {ends[1]}"


def _lead(difference: Difference, subjects: Sequence[Subject], message: str) -> str:
    """Describe the position and the choice made in it."""
    table = difference.table
    about = [many(len(table.names), "player")] if len(table.names) > 2 or table.options else []
    about += [f"{key} {value}" for key, value in table.options]
    at = f" ({', '.join(about)})" if about else ""
    if not difference.moments:
        return f"after the deal{at}, "
    chosen = " and ".join(
        f"{table.names[one.seat]} chooses {chosen_words(one, table.names)}" for one in answers(difference)
    )
    before: Facts = difference.before
    position = [
        f"{one.words} is {_short(before[one])}"
        for one in subjects
        if one in before and one.sort in _HELD and (one == subjects[0] or one.key in _named(message))
    ]
    held = f"{', '.join(position[:MOST_BEFORE])}{at}; " if position else f"{at.strip()} " if at else ""
    return f"{held}{chosen}: "


def chosen_words(answer: Answered, names: Sequence[str]) -> str:
    """Format an answer for readers."""
    keys = [bare(with_players(key, names)) for key in answer.keys]
    return ", ".join(f"`{key}`" for key in keys) or "nothing"


def _offers(subject: Subject, one: str, two: str, ends: tuple[str, str]) -> str:
    who = f"{subject.owner} at {subject.words}"
    if not one or not two:
        return f"{subject.owner} is asked at {subject.words} only {ends[0] if one else ends[1]}"
    each = [set(re.sub(r"^\d+ to \d+ of ", "", text).split(", ")) for text in (one, two)]
    more = sorted(each[0] - each[1]), sorted(each[1] - each[0])
    parts = [
        f"{', '.join(f'`{option}`' for option in options[:MOST_BEFORE])} {end} only"
        for options, end in zip(more, ends, strict=True)
        if options
    ]
    if not parts:
        return f"{who} is offered {_short(one)} {ends[0]}, {_short(two)} {ends[1]}"
    return f"{who} is offered {', and '.join(parts)}"


def _short(text: str) -> str:
    text = text or "none"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
