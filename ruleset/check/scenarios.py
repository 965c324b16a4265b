"""Scenario documents -> checked scenarios: players, entry point, positions of cards, and facts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from attrs import frozen

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.flow.scoring import named
from rulewright.ruleset.check.hints import meant, report_syntax
from rulewright.ruleset.check.positions import Positions
from rulewright.ruleset.check.scope import Bound, Scope, TextPart, UnitDraft
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.limits import number_hint, whole
from rulewright.ruleset.common.nearest import players_between
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.documents.play import Given, ScenarioDocument
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.documents.rules import SeriesDocument, Winner
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
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
    Step,
    TrackRead,
    Until,
    Wins,
)
from rulewright.ruleset.program.tables import names_of, wrong_names
from rulewright.ruleset.program.traversal import Walks
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.table import nodes as t

# ---- The facts about the rules that scenarios are checked against

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


# ---- The table of a scenario: players, options, and the point at which it enters the game

def players_of(context: CheckContext, node: Node | None) -> tuple[str, ...]:
    """Return the names of the players, in the order of their seats."""
    names: list[str] = []
    if isinstance(node, ScalarNode) and isinstance(node.value, int):
        names = [f"seat-{number + 1}" for number in range(node.value)]
    for item in node.items if isinstance(node, SequenceNode) else ():
        assert isinstance(item, ScalarNode)
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


def _taken(context: CheckContext, word: str) -> bool:
    """Whether the rules use this name."""
    d = context.declared
    groups = (d.zones, d.tracks, d.lists, d.values, d.options, d.functions, d.definitions, d.kinds, d.plurals)
    return any(word in group for group in groups) or d.member(word) is not None


def options_of(
    context: CheckContext, given: tuple[Keyed[Node], ...], code: str = "RW702"
) -> tuple[tuple[str, str], ...]:
    """Return the options of a table with their choices. Findings have the code."""
    chosen: list[tuple[str, str]] = []
    for entry in given:
        option = context.options.get(entry.key.text)
        listed = entry.value.items if isinstance(entry.value, SequenceNode) else ()
        words = ", ".join(one.text for one in listed if isinstance(one, ScalarNode))
        word = entry.value.text if isinstance(entry.value, ScalarNode) else words
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


def _some(
    context: CheckContext, option: p.DeclaredOption, node: Node, words: str, code: str
) -> Iterator[tuple[str, str]]:
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


# ---- Conditions of scenarios: each becomes a unit that no code of the game calls

COPY = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[0-9]+")


class FactChecker:
    """Checks the facts of the scenario with this number. `units` collects the units of its conditions."""

    def __init__(self, expressions: ExpressionChecker, positions: Positions, playable: bool, number: int) -> None:
        self.context = expressions.context
        self.expressions = expressions
        self.positions = positions
        self.playable = playable
        self.number = number
        self.units: list[p.Unit] = []

    def facts(self, scalar: ScalarNode) -> Iterator[ScenarioFact]:
        """Split a condition into facts, one for each part joined by `and`."""
        tree = parse_expression(scalar.text)
        if isinstance(tree, Mistake):
            report_syntax(self.context, tree, TextPart(scalar))
            return
        tree = self.context.declared.tree(tree, scalar.span)
        for part in _conjuncts(tree):
            fact = self._fact(part, scalar)
            if fact is not None:
                yield fact

    def _fact(self, tree: s.Expression, scalar: ScalarNode) -> ScenarioFact | None:
        text = TextPart(scalar)
        words = scalar.text[tree.start : tree.end]
        cards = tuple(sorted({word for word in COPY.findall(words) if self.positions.copy(word)}))
        key = f"scenario/{self.number}/{len(self.units)}"
        found = self._unit(key, tree, text, cards, BOOLEAN)
        if found is None:
            return None
        span = scalar.span_of(tree.start, tree.end)
        if not self.playable:
            return ScenarioFact(words, span, key, cards, ())
        sides: list[ComparisonSide] = []
        for side in (tree.left, tree.right) if isinstance(tree, s.Comparison) else ():
            if side is None:
                continue
            given = self._unit(f"{key}.{len(sides)}", side, text, cards, None)
            if given is not None:
                sides.append(ComparisonSide(scalar.text[side.start : side.end], f"{key}.{len(sides)}", given))
        return ScenarioFact(words, span, key, cards, tuple(sides))

    def _unit(
        self, key: str, tree: s.Expression, text: TextPart, cards: tuple[str, ...], of: Type | None
    ) -> Type | None:
        """Add the unit of an expression and return its type; None after a finding."""
        unit = UnitDraft(key)
        names = {name: Bound(unit.variable(name, PLAYER), PLAYER) for name in self.positions.players}
        for name in cards:
            kind = self.context.declared.definitions[name.rpartition("-")[0]].kind
            type_ = Type("card", kind)
            variable, place = unit.variable(name, type_), unit.variable(f"{name} place", NUMBER)
            names[name] = Bound(variable, type_, False, place)
        parameters = len(unit.variables)
        before = len(self.context.found)
        # Facts only inspect piles, so the ends of a self-refilling pile may be read.
        value = self.expressions.check(tree, Scope(unit, names, reading=False), text, of)
        if value is None:
            if of is None:
                del self.context.found[before:]  # a side without a meaning of its own is not shown
            return None
        at = self.context.source(key, text.span(tree.start, tree.end))
        self.units.append(p.Unit(key, parameters, tuple(unit.variables), (t.Give(value.node),), at))
        return value.type


def _conjuncts(tree: s.Expression) -> Iterator[s.Expression]:
    if isinstance(tree, s.Logic) and tree.op == "and":
        yield from _conjuncts(tree.left)
        yield from _conjuncts(tree.right)
    else:
        yield tree


# ---- Steps of scenarios: answers, expectations in between, and facts at the end

_NUMBER_OF = re.compile(r"^(?:any )?\d+(?: |\Z)")
"""Matches the number of an option: `2 coin`, `any 3`."""
_KEY = re.compile(r"-?\d+|(?:seat|place)-\d+|true|false")
"""Matches numbers, and the keys of seats, places, and truth values."""


class HappeningChecker:
    """Checks the steps of one scenario."""

    def __init__(self, positions: Positions, rules: RulesKnown, facts: FactChecker) -> None:
        self.context = positions.context
        self.positions = positions
        self.rules = rules
        self.facts = facts

    def steps(self, document: ScenarioDocument) -> Iterator[Step]:
        """Yield all steps in order."""
        for entry in document.when:
            if entry.key.text == "then":
                yield from self._facts(entry.value)
            elif entry.key.text in MARKS:
                yield from self._expected(entry.key, entry.value)
            elif self.positions.player(entry.key) and isinstance(entry.value, MappingNode):
                yield from self._answers(entry.key.text, entry.value)
        if document.then is not None:
            yield from self._facts(document.then)

    def _answers(self, player: str, node: MappingNode) -> Iterator[ScenarioAnswer]:
        for entry in node.entries:
            if self._choice(entry.key):
                yield ScenarioAnswer(player, entry.key.text, self._offered(entry.value))

    def _choice(self, name: ScalarNode) -> bool:
        """Whether the id of a choice in the game ends with this name; otherwise report it."""
        asked = self.rules.choices
        if any(ends_like(key, name.text) for key in asked):
            return True
        names = [key.rpartition(".")[2] for key in asked]
        self.context.report(
            "RW705", name.span, f"no choice is called `{name.text}`", meant(name.text, [*asked, *names], "choices")
        )
        return False

    def _offered(self, node: Node) -> ScenarioItems:
        """Read options as a scenario names them. Playing checks whether they are offered."""
        for item in node.items if isinstance(node, SequenceNode) else (node,):
            if isinstance(item, ScalarNode) and self.rules.whole:
                self._option(item)
        return self.positions.items(node)

    def _option(self, item: ScalarNode) -> None:
        """Report an option that no choice can have: it names no branch, player, card, member, or number."""
        d = self.context.declared
        name = _NUMBER_OF.sub("", item.text)
        if name in self.rules.options:
            return
        first, _, rest = name.partition(" ")
        parts = re.split(r"[ ,]+", (rest if first in self.rules.options else name).strip())
        known = self.rules.names
        for part in parts:
            one = re.split("(?<=.)[@+]", part)[0]
            sure = one in known or one.removesuffix("s") in known or d.member(one) is not None
            if (
                sure
                or one in self.positions.players
                or self.positions.copy(one)
                or _KEY.fullmatch(one)
                or one in self.context.poisoned
            ):
                continue
            message = f"no choice offers `{one}`: it is not an option, card, player, or member"
            names = sorted((self.rules.options | known | set(self.positions.players)) - {""})
            self.context.report("RW705", item.span, message, meant(one, names, "options"))
            return

    def _expected(self, mark: ScalarNode, node: Node) -> Iterator[Step]:
        if mark.text == "until":
            if isinstance(node, ScalarNode):
                if self._choice(node):
                    yield Until("", node.text, node.span)
            elif isinstance(node, MappingNode):
                entry = node.entries[0]
                if (
                    self.positions.player(entry.key)
                    and isinstance(entry.value, ScalarNode)
                    and self._choice(entry.value)
                ):
                    yield Until(entry.key.text, entry.value.text, entry.value.span)
        elif mark.text == "wins":
            yield self._wins(node)
        elif mark.text == "result":
            yield from self._result(node)
        elif mark.text == "asks":
            yield from self._asks(node)
        elif isinstance(node, MappingNode):
            for entry in node.entries:
                if not self.positions.player(entry.key):
                    continue
                if mark.text == "offers":
                    yield OffersExactly(entry.key.text, self._offered(entry.value))
                elif mark.text == "sees" and isinstance(entry.value, MappingNode):
                    yield from self._sees(entry.key.text, entry.value)
                elif isinstance(entry.value, MappingNode):
                    yield from map(RefusedAnswer, self._answers(entry.key.text, entry.value))

    def _wins(self, node: Node) -> Wins:
        nodes = node.items if isinstance(node, SequenceNode) else (node,)
        named = [item for item in nodes if isinstance(item, ScalarNode) and item.text != "none"]
        return Wins(tuple(item.text for item in named if self.positions.player(item)), node.span)

    def _result(self, node: Node) -> Iterator[ExpectedResult]:
        winners = tuple(self.context.declared.all_of(Winner).values())
        name = node.text if isinstance(node, ScalarNode) else ""
        if name in self.context.poisoned:
            return
        if not named(winners):
            message = "this game has no named results: it has one `winner` document at most, and none with a `when`"
            self.context.report("RW708", node.span, message, "check who wins: `wins: PLAYER`")
        elif name not in (names := ["none", *(winner.key for winner in winners)]):
            self.context.report("RW708", node.span, f"no result is called `{name}`", meant(name, names, "results"))
        else:
            yield ExpectedResult(name if name != "none" else "", node.span)

    def _asks(self, node: Node) -> Iterator[Asks]:
        if isinstance(node, ScalarNode):
            if node.text != "none":
                message = "expected the players who are asked, each with a choice"
                self.context.report("RW705", node.span, message, "write `asks: none`, or `asks: {PLAYER: CHOICE}`")
            yield Asks((), node.span)
        elif isinstance(node, MappingNode):
            pairs = [(entry.key, entry.value) for entry in node.entries if isinstance(entry.value, ScalarNode)]
            good = [
                (who.text, what.text) for who, what in pairs if self.positions.player(who) and self._choice(what)
            ]
            yield Asks(tuple(good), node.span)

    def _sees(self, player: str, node: MappingNode) -> Iterator[Step]:
        d = self.context.declared
        for entry in node.entries:
            name, _, owner = entry.key.text.partition(" of ")
            if name in d.zones:
                scope: tuple[str, ...] = (d.zones[name][1].scope,)
            elif name in d.tracks:
                scope = d.tracks[name][1].scope or ("game",)
            else:
                hint = meant(name, [*d.zones, *d.tracks], "zones and tracks")
                self.context.report("RW704", entry.key.span, f"there is no zone or track `{name}`", hint)
                continue
            if scope not in (("game",), ("player",)):
                message = f"there is a `{name}` for each `{scope[-1]}`, which `sees` cannot check"
                self.context.report("RW704", entry.key.span, message)
            elif owner and (scope == ("game",) or owner not in self.positions.players):
                hint = (
                    meant(owner, self.positions.players, "players") if scope == ("player",) else f"write `{name}`"
                )
                self.context.report("RW704", entry.key.span, f"`{owner}` has no `{name}`", hint)
            else:
                owner = owner or (player if scope == ("player",) else "")
                yield self._seen(player, name, owner, entry.value)

    def _seen(self, player: str, name: str, owner: str, node: Node) -> Step:
        """Return what a player sees of a zone or track. A hidden number is `?`, as a hidden card is."""
        positions = self.positions
        if name in self.context.declared.zones:
            return Sees(player, name, owner, positions.items(node))
        number = self.context.declared.tracks[name][1].of == NUMBER
        hidden = isinstance(node, ScalarNode) and node.text == "?"
        items = positions.numbers(name, node) if number and not hidden else positions.items(node)
        return TrackRead(player, name, owner, items)

    def _facts(self, node: Node) -> Iterator[Step]:
        facts: list[ScenarioFact] = []
        for item in node.items if isinstance(node, SequenceNode) else (node,):
            if isinstance(item, ScalarNode):
                facts.extend(self.facts.facts(item))
            elif isinstance(item, MappingNode):
                if facts:
                    yield Facts(tuple(facts))
                    facts = []
                yield from self._expected(item.entries[0].key, item.entries[0].value)
        if facts:
            yield Facts(tuple(facts))


def ends_like(key: str, words: str) -> bool:
    """Whether the id of a choice ends with these words: `supplies.supply.source` with `supply.source`."""
    return key == words or key.endswith(f".{words}")


# ---- Scenario documents -> checked scenarios: players, entry point, positions of cards, and facts
#
# What depends on a table (the number of copies, the options on offer) is checked when a scenario is played.

_MENUS = (p.Menu, p.MenuTogether)
_UNKNOWN = re.compile(r"(?:nothing is called|there is no card|no choice offers) `([^`]*)`.*")
"""What is said of an unknown name in a condition, a position, and an answer."""


def check_scenarios(
    context: CheckContext,
    expressions: ExpressionChecker,
    documents: Collection[ScenarioDocument],
    code: Iterable[p.Unit],
    walks: Walks,
    playable: bool = True,
) -> tuple[tuple[Scenario, ...], tuple[p.Unit, ...]]:
    """Return the scenarios without findings, and the units of their conditions. Findings go to the context.

    `code` is all code of the game that can ask. Without `playable`, data needed only for playing is left out: the
    sides of comparisons, which have no findings of their own.
    """
    if not documents:
        return (), ()
    scenarios: list[Scenario] = []
    units: list[p.Unit] = []
    cards = context.declared
    rules = RulesKnown(
        frozenset(source.name for source in context.sources),
        tuple(sorted(key.removeprefix("prompt/") for key in context.used if key.startswith("prompt/"))),
        playable,
        frozenset(_options(code, walks)),
        frozenset(["", "all", "none", "card", "cards", *cards.kinds, *cards.definitions, *cards.plurals]),
        not context.unread,
    )
    first = len(context.found)
    for number, document in enumerate(documents):
        before = len(context.found)
        scenario, conditions = _scenario(expressions, document, number, rules)
        if len(context.found) == before:
            scenarios.append(scenario)
            units.extend(conditions)
            if not scenario.steps:
                message = "this scenario makes no choice and checks nothing"
                context.report("RW706", document.span, message, "add facts under `then`")
    context.found[first:] = _once(context.found[first:])
    return tuple(scenarios), tuple(units)


def _once(findings: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield findings, but those about an unknown name only in the words of the first of them: it is one mistake."""
    said: dict[str, str] = {}
    unknown = {one: found[1] for one in findings if (found := _UNKNOWN.fullmatch(one.message))}
    for one in sorted(unknown, key=lambda one: (one.span.path, one.span.line, one.span.column)):
        said.setdefault(unknown[one], one.message)
    yield from (one for one in findings if one not in unknown or said[unknown[one]] == one.message)


def _scenario(
    expressions: ExpressionChecker, document: ScenarioDocument, number: int, rules: RulesKnown
) -> tuple[Scenario, list[p.Unit]]:
    """Check one scenario; return it and the units of its conditions."""
    context, given = expressions.context, document.given
    positions = Positions(context, players_of(context, document.players))
    entry, turn = entry_of(positions, rules.sources, given)
    facts = FactChecker(expressions, positions, rules.playable, number)
    steps = tuple(HappeningChecker(positions, rules, facts).steps(document))
    out = positions.eliminated(given) if given is not None else ()
    scenario = Scenario(
        document.key,
        document.span,
        document.source.text if document.source is not None else "",
        positions.players,
        options_of(context, document.options),
        document.seed if document.seed is not None else 1,
        entry,
        turn,
        tuple(positions.given(given.node)) if given is not None else (),
        steps,
        out,
        document.series,
    )
    if document.series and not context.declared.all_of(SeriesDocument):
        hint = "add a document `series: NAME`, or remove this line"
        context.report("RW707", document.place("series"), "this pack has no series of games", hint)
    return scenario, facts.units


def _options(units: Iterable[p.Unit], walks: Walks) -> Iterator[str]:
    """Yield the keys of the options of all menus."""
    for unit in units:
        for node in walks.these(unit, _MENUS):
            yield from (branch.key for branch in node.branches)
