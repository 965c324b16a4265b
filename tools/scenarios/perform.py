"""Play a scenario step by step, until a step fails."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any

from attrs import define, field

from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.backends.walker.expressions import Environment
from rulewright.interpreter.game.endless import Cells
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.state.position import is_called
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.decision import Decision
from rulewright.interpreter.views.refusals import Refusal
from rulewright.interpreter.views.visibility import value_key
from rulewright.ruleset.check.scenarios import ends_like
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.program.scenario import (
    Asks,
    ComparisonSide,
    ExpectedResult,
    Facts,
    OffersExactly,
    RefusedAnswer,
    Scenario,
    ScenarioAnswer,
    ScenarioFact,
    ScenarioItems,
    Sees,
    TrackRead,
    Until,
    Wins,
)
from rulewright.ruleset.table.nodes import Source
from rulewright.tools.scenarios.stage import (
    ASKED,
    FAILED,
    ScenarioOutcome,
    Staged,
    StageError,
    Stages,
    Stop,
    Wrong,
    expanded,
    faulty,
)

# ---- Options as scenarios name them: `play bell` for `play:bell@place-2`, and players by their names

def bare(key: str) -> str:
    """Return the key of an option without the places of cards."""
    return re.sub(r"@[^,:]*", "", key)


def unmarked(key: str) -> str:
    """Return the key of an option without the places of cards, and without what distinguishes equal cards."""
    return re.sub(r"[@+][^,:]*", "", key)


def with_players(key: str, players: Sequence[str]) -> str:
    """Write the key of an option as a scenario does, with players by name, and with places and marks."""
    named = re.sub(r"seat-(\d+)", lambda found: players[int(found[1]) - 1], key)
    return named.replace(":", " ", 1)


@define
class Performance:
    """A scenario in progress, the errors so far, and the meaning of the words in its answers."""

    staged: Staged
    game: Game
    wrong: list[Wrong] = field(factory=list)
    walker: Walker = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.walker = Walker(self.staged.table)

    @property
    def players(self) -> tuple[str, ...]:
        """The players by seat."""
        return self.staged.scenario.players

    def seat(self, player: str) -> int:
        return self.players.index(player)

    def decision(self, player: str, choice: str, span: Span) -> Decision:
        """Return a player's open decision at a choice. Raises Stop if there is none."""
        seat = self.seat(player)
        for one in self.game.decisions:
            if one.seat == seat and ends_like(one.choice, choice):
                return one
        raise Stop(Wrong(span, f"{player} is not asked `{choice}`", (self.asking(),)))

    def asking(self) -> str:
        """Describe which players are asked."""
        if self.game.result is not None:
            return "the game is over"
        asked = ", ".join(f"{self.players[one.seat]} is asked `{one.choice}`" for one in self.game.decisions)
        return f"found: {asked}"

    def source(self, decision: Decision) -> Source:
        """Return the rule that asks."""
        return self.staged.table.sources[decision.at]

    def names(self, decision: Decision) -> list[str]:
        """Name the options of a decision as a scenario does, with their counts."""
        alike = Counter(unmarked(option.key) for option in decision.options)
        shown = [
            self.shown(option.key if alike[unmarked(option.key)] > 1 else unmarked(option.key))
            for option in decision.options
        ]
        counts = [option.count for option in decision.options]
        return [name if count == 1 else f"{count} {name}" for name, count in zip(shown, counts, strict=True)]

    def shown(self, key: str) -> str:
        """Name an option as a scenario does, without its place."""
        return with_players(bare(key), self.players)

    def keys(self, decision: Decision, items: ScenarioItems, unknown: bool = False) -> list[str]:
        """Return the meant option keys. Raises Stop for unknown (unless `unknown`) and ambiguous words."""
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
                raise Stop(Wrong(items.span, message, (offered,), self.source(decision), ASKED))
            if not several and not some and len(set(fitting)) > 1:
                exact = [key for key in fitting if name in (key, bare(key), self.shown(key))]
                fitting = exact or fitting
                if len(set(fitting)) > 1:
                    raise Stop(Wrong(items.span, *self._ambiguous(name, list(dict.fromkeys(fitting)))))
            found += fitting[:number]
            left -= Counter(fitting[:number])
        return found

    def exists(self, decision: Decision, word: str) -> bool:
        """Whether a name has a meaning in this game, even if it is not offered."""
        table = self.staged.table
        name = re.sub(r"^(any )?\d+ ?", "", word)
        options = table.sites[decision.site].branches
        branches = {branch.key for branch in options}
        first, _, rest = unmarked(name).partition(" ")
        name = rest if first in branches and rest else name
        known = {"", "all", "none", *branches, *self.players}
        known.update(member for one in table.enumerations for member in one.members)
        known.update(member for _, members in table.definitions for member in members)
        cards = range(len(table.cards))
        words = {*name.replace(",", " ").split()} - known
        if any("number" in one.members and first == one.key for one in options):
            words = {one for one in words if not re.fullmatch(r"-?\d+", one)}  # `when` may exclude any number
        return not words or name.startswith("place-") or any(is_called(table, card, name) for card in cards)

    def means(self, key: str, name: str) -> bool:
        """Whether a name means an option.

        It may be the option's key, the key without places or without marks, the branch, the member, or the
        definition or kind of its card.
        """
        name = name.replace(",", " ")
        marked, shown = (self.shown(one).replace(",", " ") for one in (key, unmarked(key)))
        branch, _, member = shown.partition(" ") if ":" in key else ("", "", shown)
        known = (key, marked, marked.removeprefix(f"{branch} "), shown, branch, member)
        if name in known or (name.startswith("place-") and key.endswith(f"@{name}")):
            return True
        word = name.removeprefix(f"{branch} ")
        cards = (number for number, card in enumerate(self.staged.table.cards) if card.key == member)
        return any(is_called(self.staged.table, number, word) for number in cards)

    def _ambiguous(self, name: str, keys: list[str]) -> tuple[str, tuple[str, ...]]:
        """Return message and details for a name that several options have: equal cards in a row, or others."""
        places = [re.search(r"@(place-\d+)\Z", key) for key in keys]
        if len({*map(bare, keys)}) > 1 or not all(places):
            return f"`{name}` is ambiguous: {', '.join(dict.fromkeys(map(self.shown, keys)))}", ()
        first = next(place[1] for place in places if place is not None)
        advice = f"write the place, such as `{first}`, or `1 {name}` for any"
        return f"several cards `{name}` are in this row", (advice,)


# ---- Check expectations of a scenario: conditions, options, who is asked, the result, what players see

_WHY = {
    "absent": "it reads a property of `none`, because no card or player is there",
    "zero-division": "it divides by 0",
    "overflow": "a number in it is too large",
    "fuel": "it takes too many steps",
    "stack": "its calls are nested too deeply",
}
"""Reasons why a condition has no value, by the code of the rule error."""


_CONTENTS = re.compile(r"\b(empty|has|in)\b")
"""Conditions about the cards of a zone; others compare the zone itself."""
_MOST_LISTED = 8


def facts(performance: Performance, step: Facts) -> None:
    """Check conditions that must hold now."""
    performance.wrong.extend(wrong for fact in step.facts if (wrong := _untrue(performance, fact)) is not None)


def _untrue(performance: Performance, fact: ScenarioFact) -> Wrong | None:
    failed = ""
    try:
        if _value(performance, fact.unit, fact):
            return None
    except RuleError as error:
        failed = _WHY.get(error.code, f"rule error {error.code}")
    values = [said for side in fact.sides if (said := _told(performance, side, fact))]
    details = [f"not evaluated: {failed}"] if failed else []
    details += [f"found: {' and '.join(values)}"] if values else []
    return Wrong(fact.span, f"expected: {fact.text}", tuple(details), _cause(performance, _read(performance, fact)))


def _read(performance: Performance, fact: ScenarioFact) -> set[int]:
    """Return the cells of the state that a condition reads."""
    state = Cells("i", performance.game.state)
    state.read = set()
    with suppress(RuleError):
        _value(performance, fact.unit, fact, state)
    return state.read


def _value(performance: Performance, unit: str, fact: ScenarioFact, cells: array[int] | None = None) -> Any:
    """Return the value of a condition or of one side of it, in the state of the game or in these `cells`."""
    arguments: list[int] = list(range(len(performance.players)))
    table, state = performance.staged.table, performance.game.state if cells is None else cells
    for name in fact.cards:
        alike = [number for number, card in enumerate(table.cards) if card.key == name]
        if len(alike) != 1:
            found = "no card is" if not alike else "several cards are"
            raise Stop(Wrong(fact.span, f"{found} called `{name}`"))
        arguments += [alike[0], state[table.layout.places + alike[0]]]
    return performance.walker.code.call(performance.staged.functions[unit], arguments, Environment(state, None))


def _told(performance: Performance, side: ComparisonSide, fact: ScenarioFact) -> str:
    """Say what one side of a comparison is or, for a zone, holds; empty if it has no value, or is the value."""
    try:
        value = _value(performance, side.unit, fact)
    except RuleError:
        return ""
    table = performance.staged.table
    if side.type.name == "zone" and _CONTENTS.search(fact.text):
        keys = [table.cards[card].key for card in read_list(performance.game.state, table.zones[value].address)]
        return f"`{side.text}` holds {_listed(keys)}" if keys else f"`{side.text}` is empty"
    if isinstance(value, tuple):
        said = ", ".join(_named(performance, side.type, one) for one in value) or "empty"
    else:
        said = _named(performance, side.type, 0 if value is None else value)
    return f"`{side.text}` is {said}" if said != side.text else ""


def _listed(keys: Sequence[str]) -> str:
    """List cards, equal ones with their number."""
    counted = [key if number == 1 else f"{number} {key}" for key, number in Counter(keys).items()]
    return ", ".join(counted[:_MOST_LISTED] + ["…"] * (len(counted) > _MOST_LISTED))


def _joined(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


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


def _cause(performance: Performance, cells: Collection[int]) -> Source | None:
    """Return the rule that last changed one of these cells: a track's value, or the size of a zone.

    None if it was no rule, but the position."""
    table = performance.staged.table
    for event in reversed(performance.game.events()):
        changed: tuple[int, ...] = ()
        if event.kind == "changed":
            changed = (table.tracks[event.numbers[0]].address + event.numbers[1],)
        elif event.kind == "moved":
            changed = tuple(table.zones[number].address for number in event.numbers[:2] if number >= 0)
        if any(cell in cells for cell in changed):
            return table.sources[event.at] if event.at >= 0 else None
    return None


def offers(performance: Performance, step: OffersExactly) -> None:
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
        details = []
        if missing:
            details.append(f"expected, but not offered: {', '.join(missing)}")
        if left:
            details.append(f"offered, but not expected: {', '.join(map(performance.shown, left))}")
        message = f"{step.player} is offered other options than expected"
        performance.wrong.append(Wrong(step.items.span, message, tuple(details), performance.source(own[0]), ASKED))


def asks(performance: Performance, step: Asks) -> None:
    """Check who is asked, and what."""
    asked = [(performance.players[one.seat], one.choice) for one in performance.game.decisions]
    wanted = dict(step.asked)
    same = len(asked) == len(wanted) and all(
        who in wanted and ends_like(choice, wanted[who]) for who, choice in asked
    )
    if not same:
        expected = " and ".join(f"{who} to be asked `{choice}`" for who, choice in step.asked)
        message = f"expected {expected or 'no player to be asked'}"
        performance.wrong.append(Wrong(step.span, message, (performance.asking(),)))


def wins(performance: Performance, step: Wins) -> None:
    """Check which players won."""
    result = performance.game.result
    if result is None:
        raise Stop(Wrong(step.span, "the game is not over", (performance.asking(),)))
    winners = [performance.players[seat] for seat in result.winners]
    if sorted(winners) != sorted(step.players):
        points = ", ".join(f"{who} {score}" for who, score in zip(performance.players, result.scores, strict=True))
        expected = f"{_joined(step.players)} to win" if step.players else "no winner"
        found = f"{_joined(winners)} won" if winners else "no player won"
        performance.wrong.append(Wrong(step.span, f"expected {expected}", (f"found: {found} (points: {points})",)))


def results(performance: Performance, step: ExpectedResult) -> None:
    """Check the name of the result."""
    result = performance.game.result
    if result is None:
        raise Stop(Wrong(step.span, "the game is not over", (performance.asking(),)))
    if result.name != step.name:
        expected = f"expected the result `{step.name}`" if step.name else "expected no result"
        found = f"found: `{result.name}`" if result.name else "found: no `winner` document decided"
        performance.wrong.append(Wrong(step.span, expected, (found,)))


def sees(performance: Performance, step: Sees) -> None:
    """Check what a player sees of a zone."""
    key = f"{step.zone}/{performance.seat(step.owner) + 1}" if step.owner else step.zone
    zone = performance.game.view(performance.seat(step.player)).zone(key)
    ordered, address = next(
        (one.order != "bag", one.address) for one in performance.staged.table.zones if one.key == key
    )
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
        whose = f"{step.owner}'s {step.zone}" if step.owner else step.zone
        hidden = " (`?` is a hidden card)" if "?" in seen else ""
        details = (f"found: {', '.join(seen) or 'no card'}{hidden}",)
        message = f"expected {step.player} to see in `{whose}`: {', '.join(step.items.words)}"
        performance.wrong.append(Wrong(step.items.span, message, details, _cause(performance, (address,))))


def reads(performance: Performance, step: TrackRead) -> None:
    """Check a number as seen by a player."""
    tracks = performance.game.view(performance.seat(step.player)).tracks
    view = next((one for one in tracks if one.key == step.track), None)
    value = None if view is None else view.values[performance.seat(step.owner) if step.owner else 0]
    shown = "?" if value is None else performance.shown(str(value))
    if [shown] != list(step.items.words):
        details = (f"found: {shown}",)
        message = f"expected {step.player} to see `{step.track}` as {', '.join(step.items.words)}"
        track = next(one for one in performance.staged.table.tracks if one.key == step.track)
        rule = _cause(performance, (track.address + (performance.seat(step.owner) if step.owner else 0),))
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


# ---- Perform

MOST_ANSWERS = 2_000
LEAST_HARM = ("decline", "pass")
"""Options chosen for a player who does as little as possible."""


def perform(stages: Stages, scenario: Scenario) -> ScenarioOutcome:
    """Play a scenario."""
    try:
        staged = stages.stage(scenario)
    except StageError as error:
        return ScenarioOutcome(scenario, (Wrong(error.span, str(error), (), error.source, FAILED),))
    try:
        game = Game.start(staged.table, scenario.seed)
    except RuleFault as fault:
        return ScenarioOutcome(scenario, (faulty(fault, scenario.span),), table=staged.table)
    performance = Performance(staged, game)
    if scenario.turn and not _reached(performance, scenario.entry):
        place = scenario.entry.partition("/")[2]
        message, hint = f"{scenario.turn} has no turn at `{place}`", "name another player under `turn`"
        return ScenarioOutcome(scenario, (Wrong(scenario.span, message, (hint,)),), game.events(), staged.table)
    try:
        for step in scenario.steps:
            STEPS[type(step)](performance, step)
    except Stop as stop:
        performance.wrong.append(stop.wrong)
    except RuleFault as fault:
        performance.wrong.append(faulty(fault, scenario.span))
    return ScenarioOutcome(scenario, tuple(performance.wrong), game.events(), staged.table)


def _reached(performance: Performance, entry: str) -> bool:
    """Whether the game has begun at its entry."""
    sources = performance.staged.table.sources
    return any(one.kind == "reached" and sources[one.at].name == entry for one in performance.game.events())


def _answer(performance: Performance, step: ScenarioAnswer) -> None:
    decision = performance.decision(step.player, step.choice, step.items.span)
    refused = performance.game.apply(decision.seat, performance.keys(decision, step.items))
    if isinstance(refused, Refusal):
        offered = f"offered: {', '.join(performance.names(decision)) or 'nothing'}"
        source = performance.staged.table.sources[decision.at]
        raise Stop(Wrong(step.items.span, f"the answer is refused: {refused.message}", (offered,), source, ASKED))


def _refused(performance: Performance, step: RefusedAnswer) -> None:
    answer = step.answer
    decision = performance.decision(answer.player, answer.choice, answer.items.span)
    before = performance.game.hash
    for word in answer.items.words:
        if not performance.exists(decision, word):
            raise Stop(Wrong(answer.items.span, f"unknown option `{word}`"))
    keys = performance.keys(decision, answer.items, unknown=True)
    if not isinstance(performance.game.apply(decision.seat, keys), Refusal):
        message = f"expected a refusal, but {answer.player} may choose this"
        raise Stop(Wrong(answer.items.span, message, (), performance.source(decision), ASKED))
    assert performance.game.hash == before, "a refusal changes nothing"


def _until(performance: Performance, step: Until) -> None:
    for _ in range(MOST_ANSWERS):
        for one in performance.game.decisions:
            if ends_like(one.choice, step.choice) and step.player in ("", performance.players[one.seat]):
                return
        if performance.game.result is not None:
            break
        one = performance.game.decisions[0]
        performance.game.apply(one.seat, _least(one))
    never = f"{step.player} is never asked" if step.player else "no player is ever asked"
    raise Stop(Wrong(step.span, f"{never} `{step.choice}`", (performance.asking(),)))


def _least(decision: Decision) -> list[str]:
    """Return an answer that chooses as little as possible."""
    for option in decision.options:
        if option.key in LEAST_HARM:
            return [option.key]
    whole = [option.key for option in decision.options for _ in range(option.count)]
    return whole[: decision.least]


STEPS: dict[type, Callable[[Performance, Any], None]] = {
    ScenarioAnswer: _answer,
    RefusedAnswer: _refused,
    Until: _until,
    Facts: facts,
    OffersExactly: offers,
    Asks: asks,
    Wins: wins,
    ExpectedResult: results,
    Sees: sees,
    TrackRead: reads,
}
"""How each step of a scenario is carried out. Raises Stop and RuleFault."""
