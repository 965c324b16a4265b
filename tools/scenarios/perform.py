"""Playing a scenario: its steps one after the other, until one does not go as it says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import define, field, frozen

from interpreter.backends.walker.backend import Walker
from interpreter.backends.walker.expressions import Scope
from interpreter.game.game import Game, RuleFault
from interpreter.state.events import Event
from interpreter.state.position import is_called
from interpreter.state.rule_errors import RuleError
from interpreter.views.decision import Decision, Refusal
from interpreter.views.visibility import value_key
from ruleset.check.scenarios.happenings import ends_like
from ruleset.common.span import Span
from ruleset.language.types import Type
from ruleset.program.scenario import (
    Answer,
    Asks,
    Fact,
    Facts,
    Items,
    Offers,
    Reads,
    Refused,
    Scenario,
    Sees,
    Side,
    Until,
    Wins,
)
from ruleset.table.nodes import Source, TableProgram
from tools.scenarios.stage import Staged, StageError, Stages, expanded

MOST_ANSWERS = 2_000
_WHY = {
    "absent": "it reads something of `none`: no card or player is there",
    "zero-division": "it divides by 0",
    "overflow": "a number in it is too large",
    "fuel": "it takes too long to work out",
    "stack": "its calls are nested too deeply",
}
"""Why a condition has no value, by the code of the rule error."""
LEAST_HARM = ("decline", "pass")
"""Options that a player takes who does as little as possible."""


@frozen
class Wrong:
    """Something that is not as the scenario says: where it says so, what is the case instead.

    `details` are lines about values; `rule` is the rule that brought it about, as far as that can be told.
    """

    span: Span
    message: str
    details: tuple[str, ...] = ()
    rule: Source | None = None


@frozen
class Outcome:
    """What came of a scenario: it holds if nothing is wrong. `events` is everything that happened."""

    scenario: Scenario
    wrong: tuple[Wrong, ...]
    events: tuple[Event, ...] = ()
    table: TableProgram | None = None


class _Stop(Exception):  # noqa: N818 - ends a scenario, which is no fault of ours
    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.message)
        self.wrong = wrong


def perform(stages: Stages, scenario: Scenario, backend: str = "walker") -> Outcome:
    """Plays a scenario on a backend."""
    try:
        staged = stages.stage(scenario)
    except StageError as error:
        return Outcome(scenario, (Wrong(error.span, str(error), (), error.source),))
    try:
        game = Game.start(staged.table, scenario.seed, backend)
    except RuleFault as fault:
        return Outcome(scenario, (_faulty(fault, scenario.span),), table=staged.table)
    performance = _Performance(staged, game)
    try:
        for step in scenario.steps:
            _STEPS[type(step)](performance, step)
    except _Stop as stop:
        performance.wrong.append(stop.wrong)
    except RuleFault as fault:
        performance.wrong.append(_faulty(fault, scenario.span))
    return Outcome(scenario, tuple(performance.wrong), game.events(), staged.table)


def _faulty(fault: RuleFault, span: Span) -> Wrong:
    return Wrong(span, f"the rules fail: {fault.told()}", (), fault.source)


@define
class _Performance:
    """A scenario under way."""

    staged: Staged
    game: Game
    wrong: list[Wrong] = field(factory=list)
    _walker: Walker = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._walker = Walker(self.staged.table)

    @property
    def players(self) -> tuple[str, ...]:
        return self.staged.scenario.players

    def seat(self, player: str) -> int:
        return self.players.index(player)

    # -------------------------------------------------------------- answers

    def decision(self, player: str, choice: str, span: Span) -> Decision:
        """The open decision of a player at a choice; ends the scenario if there is none."""
        seat = self.seat(player)
        for one in self.game.decisions:
            if one.seat == seat and ends_like(one.choice, choice):
                return one
        raise _Stop(Wrong(span, f"{player} is not asked `{choice}`", (self.asking(),)))

    def asking(self) -> str:
        """Who is asked at present, in words."""
        if self.game.result is not None:
            return "the game is over"
        asked = ", ".join(f"{self.players[one.seat]} at `{one.choice}`" for one in self.game.decisions)
        return f"asked at this point: {asked}"

    def answer(self, step: Answer) -> None:
        decision = self.decision(step.player, step.choice, step.items.span)
        refused = self.game.apply(decision.seat, self.keys(decision, step.items))
        if isinstance(refused, Refusal):
            offered = f"offered: {', '.join(self.names(decision)) or 'nothing'}"
            source = self.staged.table.sources[decision.at]
            raise _Stop(Wrong(step.items.span, f"the answer is refused: {refused.message}", (offered,), source))

    def refused(self, step: Refused) -> None:
        answer = step.answer
        decision = self.decision(answer.player, answer.choice, answer.items.span)
        before = self.game.hash
        for word in answer.items.words:
            if not self.exists(decision, word):
                raise _Stop(Wrong(answer.items.span, f"`{word}` is nothing that could be chosen here or elsewhere"))
        keys = self.keys(decision, answer.items, unknown=True)
        if not isinstance(self.game.apply(decision.seat, keys), Refusal):
            raise _Stop(Wrong(answer.items.span, f"{answer.player} may answer this", (), self._source(decision)))
        assert self.game.hash == before, "a refusal changes nothing"

    def until(self, step: Until) -> None:
        for _ in range(MOST_ANSWERS):
            for one in self.game.decisions:
                if ends_like(one.choice, step.choice) and step.player in ("", self.players[one.seat]):
                    return
            if self.game.result is not None:
                break
            one = self.game.decisions[0]
            self.game.apply(one.seat, _least(one))
        never = f"{step.player} is never asked" if step.player else "nobody is ever asked"
        raise _Stop(Wrong(step.span, f"{never} `{step.choice}`", (self.asking(),)))

    def _source(self, decision: Decision) -> Source:
        return self.staged.table.sources[decision.at]

    def names(self, decision: Decision) -> list[str]:
        """The options of a decision as a scenario would name them, with how many there are of each."""
        return [
            self._shown(option.key) if option.count == 1 else f"{option.count} {self._shown(option.key)}"
            for option in decision.options
        ]

    def _shown(self, key: str) -> str:
        """An option as a scenario would name it."""
        bare = _bare(key).replace(":", " ", 1)
        return re.sub(r"seat-(\d+)", lambda found: self.players[int(found[1]) - 1], bare)

    def keys(self, decision: Decision, items: Items, unknown: bool = False) -> list[str]:
        """The option keys that are meant. What means none, or several, ends the scenario, if not `unknown`."""
        left = Counter({option.key: option.count for option in decision.options})
        whole = list(left.elements())
        if items.words == ("all",):
            return whole
        if items.words == ("none",):
            return []
        found: list[str] = []
        for word in items.words:
            several = re.fullmatch(r"(\d+) (.+)", word)
            some = re.fullmatch(r"any (\d+)", word)
            number, name = (int(some[1]), "") if some else (int(several[1]), several[2]) if several else (1, word)
            fitting = [key for key in left.elements() if not name or self.means(key, name)]
            if unknown and len(fitting) < number:
                return [*found, name or word]
            if len(fitting) < number:
                offered = f"offered: {', '.join(self.names(decision)) or 'nothing'}"
                message = f"`{word}` is not offered to {self.players[decision.seat]}"
                raise _Stop(Wrong(items.span, message, (offered,), self._source(decision)))
            if not several and not some and len(set(fitting)) > 1:
                exact = [key for key in fitting if name in (key, _bare(key))]
                fitting = exact or fitting
                if len(set(fitting)) > 1:
                    options = ", ".join(dict.fromkeys(fitting))
                    raise _Stop(Wrong(items.span, f"`{word}` could be {options}"))
            found += fitting[:number]
            left -= Counter(fitting[:number])
        return found

    def exists(self, decision: Decision, word: str) -> bool:
        """Whether a name means something in this game, though it may not be offered."""
        table = self.staged.table
        name = re.sub(r"^(any )?\d+ ?", "", word)
        branches = {branch.key for branch in table.sites[decision.site].branches}
        first, _, rest = name.partition(" ")
        name = rest if first in branches and rest else name
        known = {"", "all", "none", *branches, *self.players}
        known.update(member for one in table.enumerations for member in one.members)
        known.update(member for _, members in table.definitions for member in members)
        cards = range(len(table.cards))
        words = {*name.replace(",", " ").split()} - known
        return not words or name.startswith("place-") or any(is_called(table, card, name) for card in cards)

    def means(self, key: str, name: str) -> bool:
        """Whether an option is meant by a name: its key, the key without places, its branch, its member, the
        definition or kind of its card."""
        shown, name = self._shown(key).replace(",", " "), name.replace(",", " ")
        branch, _, member = shown.partition(" ") if ":" in key else ("", "", shown)
        if name in (key, shown, branch, member) or (name.startswith("place-") and key.endswith(f"@{name}")):
            return True
        word = name.removeprefix(f"{branch} ")
        cards = (number for number, card in enumerate(self.staged.table.cards) if card.key == member)
        return any(is_called(self.staged.table, number, word) for number in cards)

    # -------------------------------------------------------------- what must hold

    def facts(self, step: Facts) -> None:
        self.wrong.extend(wrong for fact in step.facts if (wrong := self._untrue(fact)) is not None)

    def _untrue(self, fact: Fact) -> Wrong | None:
        failed = ""
        try:
            if self._value(fact.unit, fact):
                return None
        except RuleError as error:
            failed = _WHY.get(error.code, f"rule error {error.code}")
        told = [(side.text, self._told(side, fact)) for side in fact.sides]
        details = tuple(f"`{text}` is {value}" for text, value in told if value not in (text, ""))
        message = f"this does not hold: {fact.text}"
        return Wrong(fact.span, message, (failed, *details) if failed else details, self._cause(fact.reads))

    def _value(self, unit: str, fact: Fact) -> Any:
        arguments: list[int] = list(range(len(self.players)))
        table, state = self.staged.table, self.game.state
        for name in fact.cards:
            alike = [number for number, card in enumerate(table.cards) if card.key == name]
            if len(alike) != 1:
                raise _Stop(Wrong(fact.span, f"there {'is no card' if not alike else 'are several'} `{name}`"))
            arguments += [alike[0], state[table.layout.places + alike[0]]]
        return self._walker.code.call(self.staged.functions[unit], arguments, Scope(state, None))

    def _told(self, side: Side, fact: Fact) -> str:
        """The value of one side of a comparison; empty if it has none."""
        try:
            value = self._value(side.unit, fact)
        except RuleError:
            return ""
        if isinstance(value, tuple):
            return ", ".join(self._named(side.type, one) for one in value) or "empty"
        return self._named(side.type, 0 if value is None else value)

    def _named(self, type_: Type, value: int) -> str:
        table = self.staged.table
        if type_.name == "player":
            return self.players[value] if value >= 0 else "none"
        if type_.name == "card":
            return table.cards[value].key if value >= 0 else "none"
        if type_.name == "zone":
            return table.zones[value].key
        if type_.name == "boolean":
            return "true" if value else "false"
        return value_key(table, type_.of or type_.name, value)

    def _cause(self, reads: frozenset[str]) -> Source | None:
        """The rule that last changed one of the things that are read, else the rule that acted last."""
        table = self.staged.table
        events = self.game.events()
        for event in reversed(events):
            if event.kind == "changed" and f"track/{table.tracks[event.numbers[0]].key}" in reads:
                return table.sources[event.at]
            if event.kind == "moved":
                zones = {table.zones[number].zone for number in event.numbers[:2] if number >= 0}
                if any(f"zone/{zone}" in reads for zone in zones):
                    return table.sources[event.at]
        acted = [event for event in events if event.at >= 0 and event.kind not in ("reached", "covered")]
        return table.sources[acted[-1].at] if acted else None

    def offers(self, step: Offers) -> None:
        seat = self.seat(step.player)
        own = [one for one in self.game.decisions if one.seat == seat]
        if not own:
            raise _Stop(Wrong(step.items.span, f"{step.player} is not asked", (self.asking(),)))
        left = Counter({option.key: option.count for option in own[0].options})
        missing = []
        for word in step.items.words:
            several = re.fullmatch(r"(\d+) (.+)", word)
            name = several[2] if several else word
            fitting = [key for key in left if self.means(key, name)]
            exact = [key for key in fitting if name in (key, _bare(key), self._shown(key))]
            meant = (exact or fitting)[:1]
            if not meant or (several and left[meant[0]] != int(several[1])):
                missing.append(word)
            for key in meant:
                del left[key]
        if missing or left:
            details = [f"offered: {', '.join(self.names(own[0])) or 'nothing'}"]
            if missing:
                details.append(f"missing: {', '.join(missing)}")
            if left:
                details.append(f"not expected: {', '.join(map(self._shown, left))}")
            message = f"other options are offered to {step.player}"
            self.wrong.append(Wrong(step.items.span, message, tuple(details), self._source(own[0])))

    def asks(self, step: Asks) -> None:
        asked = [(self.players[one.seat], one.choice) for one in self.game.decisions]
        wanted = dict(step.asked)
        same = len(asked) == len(wanted) and all(
            who in wanted and ends_like(choice, wanted[who]) for who, choice in asked
        )
        if not same:
            self.wrong.append(Wrong(step.span, "others are asked", (self.asking(),)))

    def wins(self, step: Wins) -> None:
        result = self.game.result
        if result is None:
            raise _Stop(Wrong(step.span, "the game is not over", (self.asking(),)))
        winners = [self.players[seat] for seat in result.winners]
        if sorted(winners) != sorted(step.players):
            points = ", ".join(f"{who} {score}" for who, score in zip(self.players, result.scores, strict=True))
            details = (f"the winner is {', '.join(winners) or 'nobody'}", f"points: {points}")
            self.wrong.append(Wrong(step.span, "somebody else has won", details))

    def sees(self, step: Sees) -> None:
        key = f"{step.zone}/{self.seat(step.owner) + 1}" if step.owner else step.zone
        zone = self.game.view(self.seat(step.player)).zone(key)
        ordered = next(one.order for one in self.staged.table.zones if one.key == key) != "bag"
        seen = ["?" if card is None else card for card in zone.cards]
        if zone.size is None:  # how many there are, and in which order, is not seen
            ordered = False
            if len(list(expanded(step.items))) != len(seen):  # more than the top: all that the seat remembers
                seen += [card for card, count in zone.known for _ in range(count)]
        elif not ordered:  # what is known of a bag without being seen
            for card in (card for card, count in zone.known for _ in range(count)):
                seen[seen.index("?")] = card
        wanted = list(expanded(step.items))
        same = len(seen) == len(wanted) and all(
            a == b or (b != "?" and a != "?" and self.means(a, b))
            for a, b in (zip(seen, wanted, strict=True) if ordered else _paired(seen, wanted, self.means))
        )
        if not same:
            details = (f"{step.player} sees: {', '.join(seen) or 'nothing'}",)
            whose = f"{step.owner}'s {step.zone}" if step.owner else step.zone
            message = f"{step.player} sees something else in `{whose}`"
            self.wrong.append(
                Wrong(step.items.span, message, details, self._cause(frozenset((f"zone/{step.zone}",))))
            )

    def reads(self, step: Reads) -> None:
        view = next((one for one in self.game.view(self.seat(step.player)).tracks if one.key == step.track), None)
        value = None if view is None else view.values[self.seat(step.owner) if step.owner else 0]
        shown = "?" if value is None else self._shown(str(value))
        if [shown] != list(step.items.words):
            details = (f"{step.player} sees {shown}",)
            message = f"{step.player} sees something else as `{step.track}`"
            rule = self._cause(frozenset((f"track/{step.track}",)))
            self.wrong.append(Wrong(step.items.span, message, details, rule))


_STEPS: dict[type, Callable[[_Performance, Any], None]] = {
    Answer: _Performance.answer,
    Refused: _Performance.refused,
    Until: _Performance.until,
    Facts: _Performance.facts,
    Offers: _Performance.offers,
    Asks: _Performance.asks,
    Wins: _Performance.wins,
    Sees: _Performance.sees,
    Reads: _Performance.reads,
}


def _bare(key: str) -> str:
    """An option's key without the places of cards."""
    return re.sub(r"@[^,:]*", "", key)


def _least(decision: Decision) -> list[str]:
    """An answer that takes as little as possible."""
    for option in decision.options:
        if option.key in LEAST_HARM:
            return [option.key]
    whole = [option.key for option in decision.options for _ in range(option.count)]
    return whole[: decision.least]


def _paired(
    seen: Sequence[str], wanted: Sequence[str], means: Callable[[str, str], bool]
) -> Iterable[tuple[str, str]]:
    """The cards of a bag beside those that are expected, equal ones together."""
    rest = list(wanted)
    for card in sorted(seen, key=lambda one: one not in wanted):
        fitting = [one for one in rest if one == card] or [one for one in rest if means(card, one)] or rest
        one = fitting[0]
        rest.remove(one)
        yield card, one
