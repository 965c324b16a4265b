"""Check bots: the choices that they answer, their preferences, scores, and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Mapping as Map
from itertools import count
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.hints import meant
from rulewright.ruleset.check.scope import Bound, CheckedExpression, FilterMember, Scope, UnitDraft
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.play import BotAnswerDocument, BotDocument
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.bot_options import (
    ANY,
    Domain,
    OptionPart,
    OptionWay,
    Preference,
    can_mean,
    covers,
    fits,
    preference,
    some_keys,
)
from rulewright.ruleset.program.traversal import Walks, children
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode
from rulewright.ruleset.table import nodes as t

# ---- Find the definitions that the members of a list can have, as far as its code determines

def possible(pool: t.List, declared: Declared) -> frozenset[str]:
    """Return the keys of the definitions that members of a list of cards or definitions can have."""
    if isinstance(pool, t.Filter):
        return possible(pool.items, declared) & _where(pool.condition, pool.slot, declared)
    if isinstance(pool, t.Take):
        return possible(pool.items, declared)
    if isinstance(pool, t.Concat):
        return possible(pool.left, declared) | possible(pool.right, declared)
    if isinstance(pool, p.DefinitionsOf):
        return _of_kinds([pool.kind], declared)
    if isinstance(pool, t.Cards) and isinstance(pool.zone, p.ZoneAt):
        accepts = declared.zones[pool.zone.zone][1].accepts
        return _of_kinds(accepts, declared) if accepts else frozenset(declared.definitions)
    return frozenset(declared.definitions)


def _where(condition: t.Expr, slot: int, declared: Declared) -> frozenset[str]:
    """Return the definitions for which a condition about the member in a slot can hold."""
    everything = frozenset(declared.definitions)
    it = p.Var(slot)
    match condition:
        case t.And(left, right):
            return _where(left, slot, declared) & _where(right, slot, declared)
        case t.Binary("==", p.DefinitionOf(card), t.Const(number)) if card == it:
            return frozenset([list(declared.definitions)[number]])
        case t.Binary("==", p.KindOf(item, _), t.Const(number)) if item == it:
            return _of_kinds([list(declared.kinds)[number]], declared)
    return everything


def _of_kinds(kinds: Iterable[str], declared: Declared) -> frozenset[str]:
    wanted = set(kinds)
    return frozenset(key for key, one in declared.definitions.items() if one.kind in wanted)


# ---- Find what a condition of a bot, or a function in a layout, reads that a seat does not see
#
# The analysis follows a condition into the functions that it calls, tracking which variables hold the bot's
# seat. Anything unknown before a game begins (the zone of a card, the card that a track points at) counts as
# unseen.

_OPEN = ("modifier/", "hook/")
"""Prefixes of built-in tracks that are derived from public events."""

You = frozenset[int]
"""The variables of a unit that hold the bot's own seat."""


class BotSight:
    """Decides what a seat sees in one pack."""

    def __init__(
        self, declared: Declared, units: Iterable[p.Unit], functions: Iterable[p.DeclaredFunction]
    ) -> None:
        self.declared = declared
        self._units = {unit.key: unit for unit in units}
        self._functions = {function.unit.key: function.unit for function in functions}
        self._looked: set[tuple[str, You]] = set()
        """Units that have been searched, or are being searched, with the variables that held the bot's seat."""

    def unseen(self, condition: t.Expr, you: int) -> str | None:
        """Describe something that a condition reads and the seat in this variable does not see, or return None."""
        self._looked.clear()
        return self._in(condition, frozenset({you}))

    def unseen_in(self, unit: p.Unit, yours: Iterable[int]) -> str | None:
        """Do the same for all code of a unit; `yours` are its variables that hold the seat."""
        self._looked.clear()
        found = (self._in(statement, frozenset(yours)) for statement in unit.body)
        return next((one for one in found if one is not None), None)

    def _in(self, node: Any, you: You) -> str | None:
        own = _READS.get(type(node))
        found: str | None = own(self, node, you) if own is not None else None
        if found is not None:
            return found
        if isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            return self._zone(node.items.zone, you, "size_seen_by", "the number of cards in ")
        if isinstance(node, t.Last) and isinstance(node.items, t.Cards) and self._shows_top(node.items.zone, you):
            return None
        for child in children(node):
            found = self._in(child, you)
            if found is not None:
                return found
        return None

    # -------------------------------------------------------------- zones, tracks, lists

    def _cards(self, node: t.Cards, you: You) -> str | None:
        return self._zone(node.zone, you, "seen_by", "the cards of ")

    def _zone(self, zone: t.Expr, you: You, who: str, what: str) -> str | None:
        if not isinstance(zone, p.ZoneAt):
            return f"{what}a zone that is only known during play"
        declared = self.declared.zones[zone.zone][1]
        if self._by(getattr(declared, who), zone.index if declared.scope == "player" else None, you):
            return None if zone.index is None else self._in(zone.index, you)
        return f"{what}`{zone.zone}`"

    def _shows_top(self, zone: t.Expr, you: You) -> bool:
        top = self._zone(zone, you, "top_seen_by", "") is None
        return top and isinstance(zone, p.ZoneAt) and self.declared.zones[zone.zone][1].order == "pile"

    def _track(self, node: p.TrackAt | p.ArrivalAt, you: You) -> str | None:
        declared = self.declared.tracks.get(node.track)
        if declared is None:
            return None if node.track in _KERNEL or node.track.startswith(_OPEN) else f"`{node.track}`"
        track = declared[1]
        if track.of.name == "card":
            return f"the card that `{node.track}` points at"
        owner = node.indices[track.scope.index("player")] if "player" in track.scope else None
        return None if self._by(track.seen_by, owner, you) else f"`{node.track}`"

    def _list(self, node: p.ListAt, _you: You) -> str | None:
        declared = self.declared.lists.get(node.list)
        holds_cards = declared is not None and declared[1].of.name == "card"
        return f"the cards that `{node.list}` points at" if holds_cards else None

    @staticmethod
    def _by(seen: str, owner: t.Expr | None, you: You) -> bool:
        """Whether the seat sees what an owner has; without an owner, it belongs to everybody."""
        return seen == "all" or (seen == "owner" and (owner is None or _is_you(owner, you)))

    # -------------------------------------------------------------- calls

    def _invocation(self, node: p.Invocation | p.InvocationList, you: You) -> str | None:
        if p.is_field_reader(node.function):  # the reader calls every function that changes the field, of any kind
            ending = f".{node.function.partition(' ')[0]}"
            changing = (unit for key, unit in self._functions.items() if key.endswith(ending))
            return self._first(changing, node.arguments, you)
        return self._first((self._functions.get(node.function),), node.arguments, you)

    def _worth(self, node: p.Worth, you: You) -> str | None:
        owners = (*self.declared.definitions, *(f"kind/{kind}" for kind in self.declared.kinds))
        units = (self._units.get(f"{owner}.{node.field}") for owner in owners)
        return self._first(units, (node.you, node.item), you)

    def _first(self, units: Iterable[p.Unit | None], arguments: Sequence[t.Expr | t.List], you: You) -> str | None:
        found = (self._unit(unit, arguments, you) for unit in units if unit is not None)
        return next((one for one in found if one is not None), None)

    def _unit(self, unit: p.Unit, arguments: Sequence[t.Expr | t.List], you: You) -> str | None:
        yours = frozenset(number for number, given in enumerate(arguments) if _is_you(given, you))
        if (unit.key, yours) in self._looked:
            return None
        self._looked.add((unit.key, yours))
        found = (self._in(statement, yours) for statement in unit.body)
        return next((one for one in found if one is not None), None)


def _is_you(node: t.Expr | t.List, you: You) -> bool:
    while isinstance(node, t.Present):
        node = node.operand
    return isinstance(node, p.Var) and node.variable in you


_KERNEL = ("score", "in-game", "winner")
_READS: dict[type, Any] = {
    t.Cards: BotSight._cards,
    p.TrackAt: BotSight._track,
    p.ArrivalAt: BotSight._track,
    p.ListAt: BotSight._list,
    p.Invocation: BotSight._invocation,
    p.InvocationList: BotSight._invocation,
    p.Worth: BotSight._worth,
}


# ---- Check the conditions and scores of bots, and turn each into a unit of its own

class BotReader:
    """Reads what bots work out; `units` are the results. What a seat does not see is a finding."""

    def __init__(self, context: CheckContext, expressions: ExpressionChecker, sight: BotSight) -> None:
        self.context = context
        self.units: list[p.Unit] = []
        self._expressions = expressions
        self._sight = sight

    def unit(
        self, text: ScalarNode, key: str, expected: Type | None, parts: Sequence[OptionPart] = ()
    ) -> str | None:
        """Add the unit of an expression about the seat and the parts of an option, and return its key.

        Without an `expected` type it is an amount or a condition. None after a finding.
        """
        unit, context = UnitDraft(key), self.context
        you = unit.variable("you", PLAYER)
        scope = _with_parts(Scope(unit, you=p.Var(you), reading=True), parts)
        noticed, before = len(context.found), set(context.maybe_none_seen)
        context.silent = True
        value = self._value(text, scope, expected)
        context.silent = False
        nothing = sorted(context.maybe_none_seen - before - context.maybe_none)
        context.maybe_none_seen -= set(nothing)
        if value is None or not isinstance(value.node, t.Expr) or len(context.found) > noticed:
            return None
        if nothing:
            function, name = nothing[0][0].partition("/")[2], nothing[0][1]
            message = f"this may be `none`, but `{function}` does not expect `none` as `{name}`"
            context.report("RW345", text.span, message, "pass a value that is never `none`, such as `you`")
            return None
        unseen = self._sight.unseen(value.node, you)
        if unseen is not None:
            message = f"a bot cannot use {unseen}: its seat cannot see this"
            context.report("RW344", text.span, message, "use only what the seat can see")
            return None
        self.units.append(p.Unit(key, 1 + len(parts), tuple(unit.variables), (t.Give(value.node),), -1))
        return key

    def _value(self, text: ScalarNode, scope: Scope, expected: Type | None) -> CheckedExpression | None:
        if expected is None:
            value = self._expressions.read(text, scope)
            if value is None or (value.type in (NUMBER, BOOLEAN) and not value.maybe):
                return value
            expected = BOOLEAN if value.type == BOOLEAN else NUMBER
        return self._expressions.read(text, scope, expected)


def _with_parts(scope: Scope, parts: Sequence[OptionPart]) -> Scope:
    """Add the parts of an option as parameters; `it` is the member, as in a filter."""
    for part in parts:
        variable = scope.unit.variable(part.name, part.type)
        if part.name == "it":
            scope = evolve(scope, member=FilterMember(variable, part.type, part.kinds))
        else:
            scope = scope.bind(part.name, Bound(variable, part.type))
    return scope


# ---- Check the scores of a bot's answer: one for a choice, or one for each option of a menu

MOST_SHOWN = 3
"""Options that a hint names."""


def check_scores(
    reading: BotReader, score: Node, choice: ScalarNode, choices: Map[str, Sequence[OptionWay]], key: str
) -> tuple[p.BotScore, ...]:
    """Return the scores of an answer for the choices that it matches. Findings go to the context."""
    given = _given(reading, score, choice, choices)
    found: list[p.BotScore] = []
    numbers, known = count(), dict[tuple[str, tuple[OptionPart, ...]], str | None]()
    for one, ways in choices.items():
        for branch, parts in _scorable(ways):
            text = given.get(branch)
            if text is None:
                continue
            if (branch, parts) not in known:
                known[branch, parts] = _unit(reading, text, f"{key}/{next(numbers)}", parts)
            unit = known[branch, parts]
            if unit is not None:
                found.append(p.BotScore(one, branch, unit))
    return tuple(found)


def _unit(reading: BotReader, text: ScalarNode, key: str, parts: tuple[OptionPart, ...]) -> str | None:
    """Add the unit of a score, and return its key; None after a finding."""
    unit = reading.unit(text, key, None, parts)
    if unit is not None:
        value = reading.units[-1].body[0]
        if isinstance(value, t.Give) and isinstance(value.value, t.Const) and value.value.value <= 0:
            message = "this score is never above 0, so nothing is chosen by it"
            reading.context.report("RW342", text.span, message, "remove it; without a score, later answers decide")
    return unit


def _given(
    reading: BotReader, score: Node, choice: ScalarNode, choices: Map[str, Sequence[OptionWay]]
) -> dict[str, ScalarNode]:
    """Return the text of each score, by option; outside menus the option is empty."""
    context = reading.context
    ways = [way for found in choices.values() for way in found]
    options = [*dict.fromkeys(way.branch for way in ways if way.branch)]
    if isinstance(score, ScalarNode):
        if not ways or any(not way.branch for way in ways):
            return {"": score}
        shown = ", ".join(f"{one}: 1" for one in options[:MOST_SHOWN])
        hint = f"score its options by name: `score: {{{shown}}}`"
        context.report("RW360", score.span, f"`{choice.text}` is a menu, which needs a score for each option", hint)
        return {}
    given = score.entries if isinstance(score, MappingNode) else ()
    if ways and not options and isinstance(score, MappingNode):
        hint = "write one amount or condition, in which `it` is what is offered"
        context.report("RW360", score.span, f"`{choice.text}` is not a menu, so it has no options to name", hint)
        return {}
    for entry in given:
        if ways and entry.key.text not in options and not _lost(reading, entry.key, choice):
            message = f"`{choice.text}` never offers `{entry.key.text}`"
            context.report("RW341", entry.key.span, message, meant(entry.key.text, options, "it offers"))
    return {entry.key.text: entry.value for entry in given if isinstance(entry.value, ScalarNode)}


def _lost(reading: BotReader, option: ScalarNode, choice: ScalarNode) -> bool:
    """Whether an unknown option follows from another finding."""
    return option.text in reading.context.poisoned or reading.context.incomplete(choice.text)


def _scorable(ways: Sequence[OptionWay]) -> list[tuple[str, tuple[OptionPart, ...]]]:
    """Return the options of a choice with their parts; where rules with one id differ, cards may be of any kind."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[OptionPart, ...]] = {}
    for way in ways:
        form = way.branch, tuple((part.name, part.type.name) for part in way.parts)
        found[form] = tuple(map(_either, found[form], way.parts)) if form in found else way.parts
    return [(branch, parts) for (branch, _), parts in found.items()]


def _either(one: OptionPart, other: OptionPart) -> OptionPart:
    kinds = (*one.kinds, *(kind for kind in other.kinds if kind not in one.kinds))
    return evolve(one, type=one.type if one.type == other.type else evolve(one.type, of=""), kinds=kinds)


# ---- Check bots: the choices that they answer, their preferences, and conditions
#
# Bots do not change the game: their conditions are units that no code of the game calls, and no sources are
# recorded for them. `lower.bots` handles what depends on a table, such as numbers of copies and players.

SEATED = ("human", "random", "greedy", "search")
"""Bots and players that every game has."""

_CHOOSING = (p.Choose, p.ChooseTogether, p.Menu, p.MenuTogether)

MOST_COPIES = 100
"""Assumed number of copies that differ, if it depends on the table."""

Choices = Mapping[str, tuple[OptionWay, ...]]
"""The choices of a game by id, and the options that they offer."""


@frozen(repr=False)
class CheckedGame(Record):
    """The checked parts of a pack that its bots depend on. `units` is all code that can ask."""

    units: tuple[p.Unit, ...]
    functions: tuple[p.DeclaredFunction, ...]
    definitions: tuple[p.Definition, ...]
    supplies: tuple[p.Supply, ...]
    walks: Walks


def check_bots(
    context: CheckContext, expressions: ExpressionChecker, documents: Iterable[BotDocument], game: CheckedGame
) -> tuple[tuple[p.Bot, ...], tuple[p.Unit, ...]]:
    """Return the bots and the units of their conditions. Findings go to the context."""
    documents = tuple(documents)
    if not documents:
        return (), ()
    sight = BotSight(context.declared, game.units, game.functions)
    reading = BotReader(context, expressions, sight)
    checking = _Checking(context, reading, _Offers(context.declared, game).choices(context.used))
    return tuple(checking.bot(bot) for bot in documents), tuple(reading.units)


def offers(program: p.Program, declared: Declared) -> Choices:
    """Return the choices of a pack without errors, and the options that they offer."""
    units = (*program.units, program.main)
    game = CheckedGame(units, program.functions, program.definitions, program.supplies, Walks())
    return _Offers(declared, game).choices(())


def choices_of(declared: Declared, game: CheckedGame, used: Iterable[str]) -> Choices:
    """Return the choices of a game, and the options that they offer; `used` are the texts that it has asked for."""
    return _Offers(declared, game).choices(used)


class _Offers:
    """The options that the choices of a game offer."""

    def __init__(self, declared: Declared, game: CheckedGame) -> None:
        self.declared = declared
        self.game = game
        self.cards = {supply.definition: supply.copies for supply in game.supplies}
        """Definitions that have cards, and their numbers of copies."""

    def choices(self, used: Iterable[str]) -> Choices:
        """Return all choices; choices without code, because of an error, have no known options."""
        asked = (key.removeprefix("prompt/") for key in used if key.startswith("prompt/"))
        found: dict[str, dict[OptionWay, None]] = {key: {} for key in sorted(asked)}
        for unit in self.game.units:
            for node in self.game.walks.these(unit, _CHOOSING):
                ways = found.setdefault(node.prompt.key, {})
                if isinstance(node, p.Choose | p.ChooseTogether):
                    ways[self._way("", ("it",), (node.of,), (node.pool,))] = None
                else:
                    for branch in node.branches:
                        ways[self._way(branch.key, branch.names, branch.member_types, branch.members)] = None
        return {key: tuple(ways) for key, ways in found.items()}

    def _way(
        self, branch: str, names: tuple[str, ...], types: tuple[Type, ...], members: tuple[t.List, ...]
    ) -> OptionWay:
        kinds = map(self._kinds, types, members)
        parts = tuple(OptionPart(name, of.one, kind) for name, of, kind in zip(names, types, kinds, strict=True))
        return OptionWay(branch, tuple(map(self._domain, types, members)), parts)

    def _kinds(self, type_: Type, pool: t.List) -> tuple[str, ...]:
        """Return the possible kinds of the members of a list of cards or definitions."""
        if type_.name not in ("card", "definition"):
            return ()
        there = {self.declared.definitions[key].kind for key in possible(pool, self.declared)}
        kinds = type_.of.split("|") if type_.of else self.declared.kinds
        return tuple(kind for kind in kinds if kind in there)

    def _domain(self, type_: Type, pool: t.List) -> Domain:
        """Return the possible keys of the members of a list."""
        if type_.name == "player":
            return tuple(f"seat-{number + 1}" for number in range(self.declared.players[1]))
        if type_.name == "enumeration":
            return self.declared.enumerations[type_.of][1]
        if type_.name not in ("card", "definition"):
            return None
        kinds = type_.of.split("|") if type_.of else list(self.declared.kinds)
        there = possible(pool, self.declared)
        fitting = [one for one in self.game.definitions if one.kind in kinds and one.key in there]
        if type_.name == "definition":
            return tuple(one.key for one in fitting)
        return tuple(key for one in fitting if one.key in self.cards for key in self._of_cards(one))

    def _of_cards(self, one: p.Definition) -> Iterator[str]:
        """Yield the keys of a definition's cards. If copies differ, each also has a key of its own."""
        yield one.key
        if any(len(values) > 1 for _, values in (*one.fields, *one.effects)):
            copies = self.cards[one.key]
            many = copies.value if isinstance(copies, t.Const) else MOST_COPIES
            yield from (f"{one.key}-{number + 1}" for number in range(many))


class _Checking:
    """Checks the bots of a pack one by one."""

    def __init__(self, context: CheckContext, reading: BotReader, choices: Choices) -> None:
        self.context = context
        self.reading = reading
        self.choices = choices

    def bot(self, bot: BotDocument) -> p.Bot:
        """Check one bot; parts with findings are left out."""
        if bot.key in SEATED:
            hint = f"choose another name; {listed(SEATED)} are the players that every game has"
            self.context.report("RW343", bot.span, f"`{bot.key}` is the name of a built-in player", hint)
        answers: list[p.BotRule] = []
        answered: dict[str, ScalarNode] = {}
        for number, answer in enumerate(bot.answers):
            answers.extend(self._answer(answer, f"bot/{bot.key}/{number}", answered))
        return p.Bot(bot.key, tuple(answers), bot.span)

    def _answer(
        self, answer: BotAnswerDocument, key: str, answered: dict[str, ScalarNode]
    ) -> Iterator[p.BotRule]:
        choice, when, rest = answer.choice, answer.when, answer.otherwise
        assert choice is not None
        meant_here = [one for one in self.choices if fits(choice.text, one)]
        if not meant_here:
            lost = set(choice.text.split(".")) & self.context.poisoned
            if not lost and not self.context.incomplete(choice.text):
                hint = meant(choice.text, self.choices, "choices")
                self.context.report("RW340", choice.span, f"there is no choice `{choice.text}`", hint)
            return
        if all(one in answered for one in meant_here):
            label = Label(answered[meant_here[0]].span, "answered here")
            message = f"this answer is never used: `{choice.text}` is always answered before it"
            self.context.report("RW342", choice.span, message, "move it up, or remove it", label)
        prefer = tuple(self._preferred(answer.prefer, choice, meant_here))
        scores = None
        if answer.score is not None:
            ways = {one: self.choices[one] for one in meant_here}
            scores = check_scores(self.reading, answer.score, choice, ways, key)
        condition = self.reading.unit(when, key, BOOLEAN) if when is not None else ""
        otherwise = rest.text if rest is not None else ""
        if when is None and (otherwise or ANY in prefer):
            for one in meant_here:
                answered.setdefault(one, choice)
        if condition is not None:
            yield p.BotRule(choice.text, prefer, otherwise, condition, scores)  # type: ignore[arg-type]  # one of the words of the schema

    # -------------------------------------------------------------- preferences

    def _preferred(
        self, preferred: tuple[ScalarNode, ...], choice: ScalarNode, choices: list[str]
    ) -> Iterator[str]:
        before: list[tuple[Preference, ScalarNode]] = []
        ways = tuple(dict.fromkeys(way for one in choices for way in self.choices[one]))
        for item in preferred:
            one = preference(item.text)
            if ways and not any(can_mean(one, way) for way in ways):
                self._never_offered(item, choice, ways)
                continue
            earlier = next((there for other, there in before if covers(other, one)), None)
            if earlier is not None:
                label = Label(earlier.span, f"`{earlier.text}` comes first")
                message = f"`{item.text}` is never used: an earlier preference covers all of it"
                self.context.report("RW342", item.span, message, "move it up, or remove it", label)
            before.append((one, item))
            yield item.text

    def _never_offered(self, item: ScalarNode, choice: ScalarNode, ways: tuple[OptionWay, ...]) -> None:
        lost = set(item.text.replace(":", ",").split(",")) & self.context.poisoned
        if not lost and not self.context.incomplete(choice.text):
            message = f"`{choice.text}` never offers `{item.text}`"
            self.context.report("RW341", item.span, message, _offered(item.text, ways))


def _offered(text: str, ways: tuple[OptionWay, ...]) -> str:
    """Return a hint for a preference that matches none of these options."""
    if text == "none":
        return "to choose as little as possible, use `otherwise: none`"
    branches = [way for way in ways if way.branch]
    head = preference(text).head
    several = next((way for way in branches if way.branch == head and len(way.members) > 1), None)
    if several is not None:
        shown = ",".join("*" * len(several.members))
        return f"`{head}` has {len(several.members)} parts; name each of them, or write `*`: `{head}:{shown}`"
    keys = some_keys(ways)
    behind = next((key for key in keys if key.partition(":")[2] == text), None)
    near = behind or nearest(text, [*keys, *(way.branch for way in branches)])
    if near is not None:
        return f"did you mean `{near}`?"
    return meant("", [*dict.fromkeys(way.branch for way in branches)] or keys, "it offers") or "it offers numbers"
