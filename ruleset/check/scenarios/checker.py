"""Scenario documents -> checked scenarios: who plays, where the game is entered, what lies where, what must hold.

What depends on a table (how many copies of a card there are, which options are offered) is for those who play them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from attrs import frozen

from ruleset.check.context import Context
from ruleset.check.expressions.checker import ExpressionChecker
from ruleset.check.near_hint import meant
from ruleset.check.scenarios.positions import Positions
from ruleset.check.scope import Bound, Scope, Text, Unit
from ruleset.common.record import Record
from ruleset.declare.declarations import Named
from ruleset.language import ast as s
from ruleset.language.parser import parse_expression
from ruleset.language.syntax_errors import Mistake
from ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from ruleset.program import nodes as p
from ruleset.program.option_sets import names_of, wrong_names
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
    Step,
    Until,
    Wins,
)
from ruleset.program.traversal import Walks, everything
from ruleset.source.reader import Mapping, Node, Scalar, Sequence
from ruleset.table import nodes as t

MARKS = ("then", "until", "offers", "refuses", "asks", "wins", "sees")
"""First words of steps that are no players; no player can have such a name."""
_NUMBER_OF = re.compile(r"^(?:any )?\d+(?: |\Z)")
"""How many of an option there are: `2 coin`, `any 3`."""
_KEY = re.compile(r"-?\d+|(?:seat|place)-\d+|true|false")
"""Numbers, and the keys of seats and places."""
_MENUS = (p.Menu, p.MenuTogether)
COPY = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[0-9]+")


def check_scenarios(
    context: Context,
    expressions: ExpressionChecker,
    documents: Collection[Named],
    code: Iterable[p.Unit],
    walks: Walks,
    playable: bool = True,
) -> tuple[tuple[Scenario, ...], tuple[p.Unit, ...]]:
    """The scenarios without findings, and the units of their conditions. Findings go to the context.
    `code` is all code of the game that can ask.

    Without `playable`, what only those who play them ask for is left out: the sides of comparisons, which have no
    findings of their own, and what conditions read.
    """
    if not documents:
        return (), ()
    scenarios: list[Scenario] = []
    units: list[p.Unit] = []
    cards = context.declared
    game = _Game(
        frozenset(source.name for source in context.sources),
        tuple(sorted(key.removeprefix("prompt/") for key in context.used if key.startswith("prompt/"))),
        playable,
        frozenset(_options(code, walks)),
        frozenset(["", "all", "none", "card", "cards", *cards.kinds, *cards.definitions, *cards.plurals]),
        not context.unread,
    )
    for number, named in enumerate(documents):
        before = len(context.found)
        checking = _Checking(context, expressions, named, number, game)
        scenario = checking.scenario()
        if len(context.found) == before:
            scenarios.append(scenario)
            units.extend(checking.units)
            if not scenario.steps:
                hint = "say under `then` what must hold"
                context.report("RW706", named.span, "nothing is chosen here, and nothing must hold", hint)
    return tuple(scenarios), tuple(units)


@frozen(repr=False)
class _Game(Record):
    """What all scenarios of a pack share: names of sources, ids of choices, and whether somebody may play them."""

    sources: frozenset[str]
    choices: tuple[str, ...]
    playable: bool
    options: frozenset[str]
    """The keys of all options of menus."""
    names: frozenset[str]
    """What a choice may offer besides: cards by their definitions and kinds, and the words for all and none."""
    whole: bool
    """Whether all code of the game could be read, so that all options are known."""


class _Checking(Positions):
    """One scenario."""

    def __init__(
        self, context: Context, expressions: ExpressionChecker, named: Named, number: int, game: _Game
    ) -> None:
        super().__init__(context)
        self.game = game
        assert isinstance(named.body, Mapping)
        self.expressions = expressions
        self.named = named
        self.body: Mapping = named.body
        self.number = number
        self.units: list[p.Unit] = []

    def scenario(self) -> Scenario:
        self.players = self._players()
        given = self.body.get("given")
        entry, turn = self._entry(given if isinstance(given, Mapping) else None)
        source = self.body.get("source")
        seed = self.body.get("seed")
        steps = list(self._steps())
        return Scenario(
            self.named.key,
            self.named.span,
            source.text if isinstance(source, Scalar) else "",
            self.players,
            self._options(),
            int(seed.text) if isinstance(seed, Scalar) else 1,
            entry,
            turn,
            tuple(self.given(given)) if isinstance(given, Mapping) else (),
            tuple(steps),
        )

    # -------------------------------------------------------------- the table

    def _players(self) -> tuple[str, ...]:
        node = self.body.get("players")
        names: list[str] = []
        if isinstance(node, Scalar):
            names = [f"seat-{number + 1}" for number in range(int(node.text))]
        for item in node.items if isinstance(node, Sequence) else ():
            assert isinstance(item, Scalar)
            if item.text in names:
                self.report("RW701", item.span, f"two players are called `{item.text}`", "give each a name")
            elif item.text in MARKS or self._taken(item.text):
                message = f"`{item.text}` means something already"
                self.report("RW701", item.span, message, "call the player otherwise")
            names.append(item.text)
        least, most = self.declared.players
        if node is not None and not least <= len(names) <= most:
            allowed = str(least) if least == most else f"{least} to {most}"
            self.report("RW701", node.span, f"the game is for {allowed} players, not {len(names)}")
        return tuple(names)

    def _taken(self, word: str) -> bool:
        d = self.declared
        groups = (d.zones, d.tracks, d.lists, d.values, d.options, d.functions, d.definitions, d.kinds, d.plurals)
        return any(word in group for group in groups) or d.member(word) is not None

    def _options(self) -> tuple[tuple[str, str], ...]:
        node = self.body.get("options")
        chosen: list[tuple[str, str]] = []
        for entry in node.entries if isinstance(node, Mapping) else ():
            option = self.context.options.get(entry.key.text)
            listed = entry.value.items if isinstance(entry.value, Sequence) else ()
            words = ", ".join(one.text for one in listed if isinstance(one, Scalar))
            word = entry.value.text if isinstance(entry.value, Scalar) else words
            if option is None:
                hint = meant(entry.key.text, self.context.options, "options")
                self.report("RW702", entry.key.span, f"there is no option `{entry.key.text}`", hint)
                continue
            if option.some:
                chosen.extend(self._some(option, entry.value, word))
                continue
            number = int(word) if re.fullmatch(r"-?\d+", word) else None
            if option.members and word not in option.members:
                self.report(
                    "RW702", entry.value.span, f"`{word}` is no choice", meant(word, option.members, "choices")
                )
            elif not option.members and (number is None or not option.low <= number <= option.high):
                self.report("RW702", entry.value.span, f"this is a number from {option.low} to {option.high}")
            else:
                chosen.append((option.key, word))
        return tuple(chosen)

    def _some(self, option: p.Option, node: Node, words: str) -> Iterator[tuple[str, str]]:
        """The choice of an option that names definitions."""
        d = self.declared.definitions
        names = names_of(words)
        wrong = wrong_names(option, names, [name for name, one in d.items() if one.kind == option.of])
        if wrong is not None:
            self.report("RW702", node.span, *wrong)
            return
        yield option.key, ", ".join(names) or "none"

    def _entry(self, given: Mapping | None) -> tuple[str, str]:
        """The source at which the game is entered, and whose turn it is."""
        phase, turn = (given.get("phase"), given.get("turn")) if given is not None else (None, None)
        if isinstance(turn, Scalar):
            self.player(turn)
        who = turn.text if isinstance(turn, Scalar) else ""
        if not isinstance(phase, Scalar):
            return "", who
        sources = self.game.sources
        for name in (f"phase/{phase.text}", f"round/{phase.text}", f"step/{phase.text}"):
            if name in sources:
                return name, who
        names = [name.partition("/")[2] for name in sources if name.startswith(("phase/", "round/"))]
        hint = meant(phase.text, sorted(names), "phases and rounds")
        self.report("RW703", phase.span, f"the game has no phase, round or step `{phase.text}`", hint)
        return "", who

    # -------------------------------------------------------------- what happens

    def _steps(self) -> Iterator[Step]:
        when, then = self.body.get("when"), self.body.get("then")
        for item in when.items if isinstance(when, Sequence) else ():
            assert isinstance(item, Mapping)
            entry = item.entries[0]
            if entry.key.text == "then":
                yield from self._facts(entry.value)
            elif entry.key.text in MARKS:
                yield from self._expected(entry.key, entry.value)
            elif self.player(entry.key) and isinstance(entry.value, Mapping):
                yield from self._answers(entry.key.text, entry.value)
        if then is not None:
            yield from self._facts(then)

    def _answers(self, player: str, node: Mapping) -> Iterator[Answer]:
        for entry in node.entries:
            if self._choice(entry.key):
                yield Answer(player, entry.key.text, self._offered(entry.value))

    def _choice(self, name: Scalar) -> bool:
        """Whether the game has a choice whose id ends like this."""
        asked = self.game.choices
        if any(ends_like(key, name.text) for key in asked):
            return True
        names = [key.rpartition(".")[2] for key in asked]
        self.report(
            "RW705", name.span, f"no choice is called `{name.text}`", meant(name.text, [*asked, *names], "choices")
        )
        return False

    def _offered(self, node: Node) -> Items:
        """Options as a scenario names them. Whether they are offered is for those who play it."""
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Scalar) and self.game.whole:
                self._option(item)
        return self.items(node)

    def _option(self, item: Scalar) -> None:
        """Reports an option that no choice can have: it names no branch, player, card, member, or number."""
        d = self.declared
        name = _NUMBER_OF.sub("", item.text)
        if name in self.game.options:
            return
        first, _, rest = name.partition(" ")
        parts = re.split(r"[ ,]+", (rest if first in self.game.options else name).strip())
        known = self.game.names
        for part in parts:
            one = part.partition("@")[0] if "@" in part else part
            sure = one in known or one.removesuffix("s") in known or d.member(one) is not None
            if sure or one in self.players or self.copy(one) or _KEY.fullmatch(one) or one in self.context.poisoned:
                continue
            message = f"no choice offers `{one}`: no option, card, player, or member is called that"
            names = sorted((self.game.options | known | set(self.players)) - {""})
            self.report("RW705", item.span, message, meant(one, names, "options"))
            return

    def _expected(self, mark: Scalar, node: Node) -> Iterator[Step]:
        if mark.text == "until":
            if isinstance(node, Scalar):
                if self._choice(node):
                    yield Until("", node.text, node.span)
            elif isinstance(node, Mapping):
                entry = node.entries[0]
                if self.player(entry.key) and isinstance(entry.value, Scalar) and self._choice(entry.value):
                    yield Until(entry.key.text, entry.value.text, entry.value.span)
        elif mark.text == "wins":
            yield self._wins(node)
        elif mark.text == "asks":
            yield from self._asks(node)
        elif isinstance(node, Mapping):
            for entry in node.entries:
                if not self.player(entry.key):
                    continue
                if mark.text == "offers":
                    yield Offers(entry.key.text, self._offered(entry.value))
                elif mark.text == "sees" and isinstance(entry.value, Mapping):
                    yield from self._sees(entry.key.text, entry.value)
                elif isinstance(entry.value, Mapping):
                    yield from map(Refused, self._answers(entry.key.text, entry.value))

    def _wins(self, node: Node) -> Wins:
        nodes = node.items if isinstance(node, Sequence) else (node,)
        named = [item for item in nodes if isinstance(item, Scalar) and item.text != "none"]
        return Wins(tuple(item.text for item in named if self.player(item)), node.span)

    def _asks(self, node: Node) -> Iterator[Asks]:
        if isinstance(node, Scalar):
            if node.text != "none":
                self.report("RW705", node.span, "who is asked?", "write `asks: none`, or `asks: {PLAYER: CHOICE}`")
            yield Asks((), node.span)
        elif isinstance(node, Mapping):
            pairs = [(entry.key, entry.value) for entry in node.entries if isinstance(entry.value, Scalar)]
            good = [(who.text, what.text) for who, what in pairs if self.player(who) and self._choice(what)]
            yield Asks(tuple(good), node.span)

    def _sees(self, player: str, node: Mapping) -> Iterator[Step]:
        d = self.declared
        for entry in node.entries:
            name, _, owner = entry.key.text.partition(" of ")
            if name in d.zones:
                scope: tuple[str, ...] = (d.zones[name][1].scope,)
            elif name in d.tracks:
                scope = d.tracks[name][1].scope or ("game",)
            else:
                hint = meant(name, [*d.zones, *d.tracks], "zones and tracks")
                self.report("RW704", entry.key.span, f"there is no zone or track `{name}`", hint)
                continue
            if scope not in (("game",), ("player",)):
                self.report("RW704", entry.key.span, f"there is a `{name}` for each {scope[-1]}")
            elif owner and (scope == ("game",) or owner not in self.players):
                hint = meant(owner, self.players, "players") if scope == ("player",) else f"write `{name}` alone"
                self.report("RW704", entry.key.span, f"`{owner}` has no `{name}`", hint)
            else:
                owner = owner or (player if scope == ("player",) else "")
                items = self.items(entry.value)
                yield Sees(player, name, owner, items) if name in d.zones else Reads(player, name, owner, items)

    # -------------------------------------------------------------- conditions

    def _facts(self, node: Node) -> Iterator[Step]:
        facts: list[Fact] = []
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Scalar):
                facts.extend(self._fact(item))
            elif isinstance(item, Mapping):
                if facts:
                    yield Facts(tuple(facts))
                    facts = []
                yield from self._expected(item.entries[0].key, item.entries[0].value)
        if facts:
            yield Facts(tuple(facts))

    def _fact(self, scalar: Scalar) -> Iterator[Fact]:
        tree = parse_expression(scalar.text)
        if isinstance(tree, Mistake):
            self.report(tree.code, scalar.span_of(tree.start, tree.end), tree.message, tree.hint)
            return
        tree = self.declared.tree(tree, scalar.span)
        for part in _conjuncts(tree):
            fact = self._condition(part, scalar)
            if fact is not None:
                yield fact

    def _condition(self, tree: s.Expression, scalar: Scalar) -> Fact | None:
        text = Text(scalar)
        words = scalar.text[tree.start : tree.end]
        cards = tuple(sorted({word for word in COPY.findall(words) if self.copy(word)}))
        key = f"scenario/{self.number}/{len(self.units)}"
        found = self._unit(key, tree, text, cards, BOOLEAN)
        if found is None:
            return None
        span = scalar.span_of(tree.start, tree.end)
        if not self.game.playable:
            return Fact(words, span, key, cards, (), frozenset())
        reads = frozenset(_reads(self.units[-1]))
        sides: list[Side] = []
        for side in (tree.left, tree.right) if isinstance(tree, s.Comparison) else ():
            if side is None:
                continue
            given = self._unit(f"{key}.{len(sides)}", side, text, cards, None)
            if given is not None:
                sides.append(Side(scalar.text[side.start : side.end], f"{key}.{len(sides)}", given))
        return Fact(words, span, key, cards, tuple(sides), reads)

    def _unit(
        self, key: str, tree: s.Expression, text: Text, cards: tuple[str, ...], of: Type | None
    ) -> Type | None:
        """Makes the unit of an expression; gives its type."""
        unit = Unit(key)
        names = {name: Bound(unit.variable(name, PLAYER), PLAYER) for name in self.players}
        for name in cards:
            kind = self.declared.definitions[name.rpartition("-")[0]].kind
            type_ = Type("card", kind)
            variable, place = unit.variable(name, type_), unit.variable(f"{name} place", NUMBER)
            names[name] = Bound(variable, type_, False, place)
        parameters = len(unit.variables)
        before = len(self.context.found)
        # A fact looks at a pile as it lies, so the ends of one that refills can be read.
        value = self.expressions.check(tree, Scope(unit, names, reading=False), text, of)
        if value is None:
            if of is None:
                del self.context.found[before:]  # a side that means nothing alone is not shown
            return None
        at = self.context.source(key, text.span(tree.start, tree.end))
        self.units.append(p.Unit(key, parameters, tuple(unit.variables), (t.Give(value.node),), at))
        return value.type


def _options(units: Iterable[p.Unit], walks: Walks) -> Iterator[str]:
    """The keys of the options of all menus."""
    for unit in units:
        for node in walks.these(unit, _MENUS):
            yield from (branch.key for branch in node.branches)


def ends_like(key: str, words: str) -> bool:
    """Whether the id of a choice ends with these words: `supplies.supply.source` with `supply.source`."""
    return key == words or key.endswith(f".{words}")


def _conjuncts(tree: s.Expression) -> Iterator[s.Expression]:
    if isinstance(tree, s.Logic) and tree.op == "and":
        yield from _conjuncts(tree.left)
        yield from _conjuncts(tree.right)
    else:
        yield tree


def _reads(unit: p.Unit) -> Iterator[str]:
    node: Any
    for node in (part for statement in unit.body for part in everything(statement)):
        if isinstance(node, p.TrackAt):
            yield f"track/{node.track}"
        elif isinstance(node, p.ZoneAt):
            yield f"zone/{node.zone}"
        elif isinstance(node, p.ListAt):
            yield f"list/{node.list}"
