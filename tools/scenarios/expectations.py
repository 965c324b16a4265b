"""Check expectations of a scenario: conditions, options, who is asked, who wins, and what players see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from interpreter.backends.walker.expressions import Scope
from interpreter.state.rule_errors import RuleError
from interpreter.views.visibility import value_key
from ruleset.check.scenarios.happenings import ends_like
from ruleset.language.types import Type
from ruleset.program.scenario import Asks, Fact, Facts, Offers, Reads, Sees, Side, Wins
from ruleset.table.nodes import Source
from tools.scenarios.outcome import Stop, Wrong
from tools.scenarios.performance import Performance, bare
from tools.scenarios.stage import expanded

_WHY = {
    "absent": "it reads something of `none`: no card or player is there",
    "zero-division": "it divides by 0",
    "overflow": "a number in it is too large",
    "fuel": "it takes too long to work out",
    "stack": "its calls are nested too deeply",
}
"""Reasons why a condition has no value, by the code of the rule error."""


def facts(performance: Performance, step: Facts) -> None:
    """Check conditions that must hold now."""
    performance.wrong.extend(wrong for fact in step.facts if (wrong := _untrue(performance, fact)) is not None)


def _untrue(performance: Performance, fact: Fact) -> Wrong | None:
    failed = ""
    try:
        if _value(performance, fact.unit, fact):
            return None
    except RuleError as error:
        failed = _WHY.get(error.code, f"rule error {error.code}")
    told = [(side.text, _told(performance, side, fact)) for side in fact.sides]
    details = tuple(f"`{text}` is {value}" for text, value in told if value not in (text, ""))
    message = f"this does not hold: {fact.text}"
    return Wrong(fact.span, message, (failed, *details) if failed else details, _cause(performance, fact.reads))


def _value(performance: Performance, unit: str, fact: Fact) -> Any:
    arguments: list[int] = list(range(len(performance.players)))
    table, state = performance.staged.table, performance.game.state
    for name in fact.cards:
        alike = [number for number, card in enumerate(table.cards) if card.key == name]
        if len(alike) != 1:
            raise Stop(Wrong(fact.span, f"there {'is no card' if not alike else 'are several'} `{name}`"))
        arguments += [alike[0], state[table.layout.places + alike[0]]]
    return performance.walker.code.call(performance.staged.functions[unit], arguments, Scope(state, None))


def _told(performance: Performance, side: Side, fact: Fact) -> str:
    """Format the value of one side of a comparison; empty if it has none."""
    try:
        value = _value(performance, side.unit, fact)
    except RuleError:
        return ""
    if isinstance(value, tuple):
        return ", ".join(_named(performance, side.type, one) for one in value) or "empty"
    return _named(performance, side.type, 0 if value is None else value)


def _named(performance: Performance, type_: Type, value: int) -> str:
    table = performance.staged.table
    if type_.name == "player":
        return performance.players[value] if value >= 0 else "none"
    if type_.name == "card":
        return table.cards[value].key if value >= 0 else "none"
    if type_.name == "zone":
        return table.zones[value].key
    if type_.name == "boolean":
        return "true" if value else "false"
    return value_key(table, type_.of or type_.name, value)


def _cause(performance: Performance, reads: frozenset[str]) -> Source | None:
    """Return the rule that last changed something that is read, else the rule that acted last."""
    table = performance.staged.table
    events = performance.game.events()
    for event in reversed(events):
        if event.kind == "changed" and f"track/{table.tracks[event.numbers[0]].key}" in reads:
            return table.sources[event.at]
        if event.kind == "moved":
            zones = {table.zones[number].zone for number in event.numbers[:2] if number >= 0}
            if any(f"zone/{zone}" in reads for zone in zones):
                return table.sources[event.at]
    acted = [event for event in events if event.at >= 0 and event.kind not in ("reached", "covered")]
    return table.sources[acted[-1].at] if acted else None


def offers(performance: Performance, step: Offers) -> None:
    """Check that a player is offered exactly these options."""
    seat = performance.seat(step.player)
    own = [one for one in performance.game.decisions if one.seat == seat]
    if not own:
        raise Stop(Wrong(step.items.span, f"{step.player} is not asked", (performance.asking(),)))
    left = Counter({option.key: option.count for option in own[0].options})
    missing = []
    for word in step.items.words:
        several = re.fullmatch(r"(\d+) (.+)", word)
        name = several[2] if several else word
        fitting = [key for key in left if performance.means(key, name)]
        exact = [key for key in fitting if name in (key, bare(key), performance.shown(key))]
        meant = (exact or fitting)[:1]
        if not meant or (several and left[meant[0]] != int(several[1])):
            missing.append(word)
        for key in meant:
            del left[key]
    if missing or left:
        details = [f"offered: {', '.join(performance.names(own[0])) or 'nothing'}"]
        if missing:
            details.append(f"missing: {', '.join(missing)}")
        if left:
            details.append(f"not expected: {', '.join(map(performance.shown, left))}")
        message = f"other options are offered to {step.player}"
        performance.wrong.append(Wrong(step.items.span, message, tuple(details), performance.source(own[0])))


def asks(performance: Performance, step: Asks) -> None:
    """Check who is asked, and what."""
    asked = [(performance.players[one.seat], one.choice) for one in performance.game.decisions]
    wanted = dict(step.asked)
    same = len(asked) == len(wanted) and all(
        who in wanted and ends_like(choice, wanted[who]) for who, choice in asked
    )
    if not same:
        performance.wrong.append(Wrong(step.span, "others are asked", (performance.asking(),)))


def wins(performance: Performance, step: Wins) -> None:
    """Check who has won."""
    result = performance.game.result
    if result is None:
        raise Stop(Wrong(step.span, "the game is not over", (performance.asking(),)))
    winners = [performance.players[seat] for seat in result.winners]
    if sorted(winners) != sorted(step.players):
        points = ", ".join(f"{who} {score}" for who, score in zip(performance.players, result.scores, strict=True))
        details = (f"the winner is {', '.join(winners) or 'nobody'}", f"points: {points}")
        performance.wrong.append(Wrong(step.span, "somebody else has won", details))


def sees(performance: Performance, step: Sees) -> None:
    """Check what a player sees of a zone."""
    key = f"{step.zone}/{performance.seat(step.owner) + 1}" if step.owner else step.zone
    zone = performance.game.view(performance.seat(step.player)).zone(key)
    ordered = next(one.order for one in performance.staged.table.zones if one.key == key) != "bag"
    seen = ["?" if card is None else card for card in zone.cards]
    if zone.size is None:  # count and order are not visible
        ordered = False
        if len(list(expanded(step.items))) != len(seen):  # beyond the top: everything that the seat remembers
            seen += [card for card, count in zone.known for _ in range(count)]
    elif not ordered:  # cards of a bag that are known without being visible
        for card in (card for card, count in zone.known for _ in range(count)):
            seen[seen.index("?")] = card
    wanted = list(expanded(step.items))
    same = len(seen) == len(wanted) and all(
        a == b or (b != "?" and a != "?" and performance.means(a, b))
        for a, b in (zip(seen, wanted, strict=True) if ordered else _paired(seen, wanted, performance.means))
    )
    if not same:
        details = (f"{step.player} sees: {', '.join(seen) or 'nothing'}",)
        whose = f"{step.owner}'s {step.zone}" if step.owner else step.zone
        message = f"{step.player} sees something else in `{whose}`"
        performance.wrong.append(
            Wrong(step.items.span, message, details, _cause(performance, frozenset((f"zone/{step.zone}",))))
        )


def reads(performance: Performance, step: Reads) -> None:
    """Check a number as seen by a player."""
    tracks = performance.game.view(performance.seat(step.player)).tracks
    view = next((one for one in tracks if one.key == step.track), None)
    value = None if view is None else view.values[performance.seat(step.owner) if step.owner else 0]
    shown = "?" if value is None else performance.shown(str(value))
    if [shown] != list(step.items.words):
        details = (f"{step.player} sees {shown}",)
        message = f"{step.player} sees something else as `{step.track}`"
        rule = _cause(performance, frozenset((f"track/{step.track}",)))
        performance.wrong.append(Wrong(step.items.span, message, details, rule))


def _paired(
    seen: Sequence[str], wanted: Sequence[str], means: Callable[[str, str], bool]
) -> Iterable[tuple[str, str]]:
    """Pair the cards of a bag with the expected ones, equal ones first."""
    rest = list(wanted)
    for card in sorted(seen, key=lambda one: one not in wanted):
        fitting = [one for one in rest if one == card] or [one for one in rest if means(card, one)] or rest
        one = fitting[0]
        rest.remove(one)
        yield card, one
