"""Check bots: the choices that they answer, their preferences, and conditions.

Bots do not change the game: their conditions are units that no code of the game calls, and no sources are recorded
for them. `lower.bots` handles what depends on a table, such as numbers of copies and players.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from rulewright.ruleset.check.bots.list_members import possible
from rulewright.ruleset.check.bots.reading import Reading
from rulewright.ruleset.check.bots.scores import check_scores
from rulewright.ruleset.check.bots.visibility import Sight
from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.play import Bot, BotAnswer
from rulewright.ruleset.language.types import BOOLEAN, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.bot_options import (
    ANY,
    Domain,
    Part,
    Preference,
    Way,
    can_mean,
    covers,
    fits,
    preference,
    some_keys,
)
from rulewright.ruleset.program.traversal import Walks
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.table import nodes as t

SEATED = ("human", "random", "greedy", "search")
"""Bots and players that every game has."""

_CHOOSING = (p.Choose, p.ChooseTogether, p.Menu, p.MenuTogether)

MOST_COPIES = 100
"""Assumed number of copies that differ, if it depends on the table."""

Choices = Mapping[str, tuple[Way, ...]]
"""The choices of a game by id, and the options that they offer."""


@frozen(repr=False)
class Game(Record):
    """The checked parts of a pack that its bots depend on. `units` is all code that can ask."""

    units: tuple[p.Unit, ...]
    functions: tuple[p.Function, ...]
    definitions: tuple[p.Definition, ...]
    supplies: tuple[p.Supply, ...]
    walks: Walks


def check_bots(
    context: Context, expressions: ExpressionChecker, documents: Iterable[Bot], game: Game
) -> tuple[tuple[p.Bot, ...], tuple[p.Unit, ...]]:
    """Return the bots and the units of their conditions. Findings go to the context."""
    documents = tuple(documents)
    if not documents:
        return (), ()
    sight = Sight(context.declared, game.units, game.functions)
    reading = Reading(context, expressions, sight)
    checking = _Checking(context, reading, _Offers(context.declared, game).choices(context.used))
    return tuple(checking.bot(bot) for bot in documents), tuple(reading.units)


def offers(program: p.Program, declared: Declared) -> Choices:
    """Return the choices of a pack without errors, and the options that they offer."""
    units = (*program.units, program.main)
    game = Game(units, program.functions, program.definitions, program.supplies, Walks())
    return _Offers(declared, game).choices(())


def choices_of(declared: Declared, game: Game, used: Iterable[str]) -> Choices:
    """Return the choices of a game, and the options that they offer; `used` are the texts that it has asked for."""
    return _Offers(declared, game).choices(used)


class _Offers:
    """The options that the choices of a game offer."""

    def __init__(self, declared: Declared, game: Game) -> None:
        self.declared = declared
        self.game = game
        self.cards = {supply.definition: supply.copies for supply in game.supplies}
        """Definitions that have cards, and their numbers of copies."""

    def choices(self, used: Iterable[str]) -> Choices:
        """Return all choices; choices without code, because of an error, have no known options."""
        asked = (key.removeprefix("prompt/") for key in used if key.startswith("prompt/"))
        found: dict[str, dict[Way, None]] = {key: {} for key in sorted(asked)}
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
    ) -> Way:
        kinds = map(self._kinds, types, members)
        parts = tuple(Part(name, of.one, kind) for name, of, kind in zip(names, types, kinds, strict=True))
        return Way(branch, tuple(map(self._domain, types, members)), parts)

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

    def __init__(self, context: Context, reading: Reading, choices: Choices) -> None:
        self.context = context
        self.reading = reading
        self.choices = choices

    def bot(self, bot: Bot) -> p.Bot:
        """Check one bot; parts with findings are left out."""
        if bot.key in SEATED:
            hint = f"choose another name; {listed(SEATED)} are the players that every game has"
            self.context.report("RW343", bot.span, f"`{bot.key}` is the name of a built-in player", hint)
        answers: list[p.BotAnswer] = []
        answered: dict[str, Scalar] = {}
        for number, answer in enumerate(bot.answers):
            answers.extend(self._answer(answer, f"bot/{bot.key}/{number}", answered))
        return p.Bot(bot.key, tuple(answers), bot.span)

    def _answer(self, answer: BotAnswer, key: str, answered: dict[str, Scalar]) -> Iterator[p.BotAnswer]:
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
            yield p.BotAnswer(choice.text, prefer, otherwise, condition, scores)  # type: ignore[arg-type]  # one of the words of the schema

    # -------------------------------------------------------------- preferences

    def _preferred(self, preferred: tuple[Scalar, ...], choice: Scalar, choices: list[str]) -> Iterator[str]:
        before: list[tuple[Preference, Scalar]] = []
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

    def _never_offered(self, item: Scalar, choice: Scalar, ways: tuple[Way, ...]) -> None:
        lost = set(item.text.replace(":", ",").split(",")) & self.context.poisoned
        if not lost and not self.context.incomplete(choice.text):
            message = f"`{choice.text}` never offers `{item.text}`"
            self.context.report("RW341", item.span, message, _offered(item.text, ways))


def _offered(text: str, ways: tuple[Way, ...]) -> str:
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
