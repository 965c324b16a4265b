"""Steps of scenarios: answers, expectations in between, and facts at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.ruleset.check.flow.results import named
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.check.scenarios.facts import FactChecker
from rulewright.ruleset.check.scenarios.positions import Positions
from rulewright.ruleset.check.scenarios.rules_known import MARKS, RulesKnown
from rulewright.ruleset.documents.flow import Winner
from rulewright.ruleset.documents.play import Scenario
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.program.scenario import (
    Answer,
    Asks,
    Fact,
    Facts,
    Items,
    Offers,
    Reads,
    Refused,
    Results,
    Sees,
    Step,
    Until,
    Wins,
)
from rulewright.ruleset.source.nodes import Mapping, Node, Scalar, Sequence

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

    def steps(self, document: Scenario) -> Iterator[Step]:
        """Yield all steps in order."""
        for entry in document.when:
            if entry.key.text == "then":
                yield from self._facts(entry.value)
            elif entry.key.text in MARKS:
                yield from self._expected(entry.key, entry.value)
            elif self.positions.player(entry.key) and isinstance(entry.value, Mapping):
                yield from self._answers(entry.key.text, entry.value)
        if document.then is not None:
            yield from self._facts(document.then)

    def _answers(self, player: str, node: Mapping) -> Iterator[Answer]:
        for entry in node.entries:
            if self._choice(entry.key):
                yield Answer(player, entry.key.text, self._offered(entry.value))

    def _choice(self, name: Scalar) -> bool:
        """Whether the id of a choice in the game ends with this name; otherwise report it."""
        asked = self.rules.choices
        if any(ends_like(key, name.text) for key in asked):
            return True
        names = [key.rpartition(".")[2] for key in asked]
        self.context.report(
            "RW705", name.span, f"no choice is called `{name.text}`", meant(name.text, [*asked, *names], "choices")
        )
        return False

    def _offered(self, node: Node) -> Items:
        """Read options as a scenario names them. Playing checks whether they are offered."""
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Scalar) and self.rules.whole:
                self._option(item)
        return self.positions.items(node)

    def _option(self, item: Scalar) -> None:
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

    def _expected(self, mark: Scalar, node: Node) -> Iterator[Step]:
        if mark.text == "until":
            if isinstance(node, Scalar):
                if self._choice(node):
                    yield Until("", node.text, node.span)
            elif isinstance(node, Mapping):
                entry = node.entries[0]
                if (
                    self.positions.player(entry.key)
                    and isinstance(entry.value, Scalar)
                    and self._choice(entry.value)
                ):
                    yield Until(entry.key.text, entry.value.text, entry.value.span)
        elif mark.text == "wins":
            yield self._wins(node)
        elif mark.text == "result":
            yield from self._result(node)
        elif mark.text == "asks":
            yield from self._asks(node)
        elif isinstance(node, Mapping):
            for entry in node.entries:
                if not self.positions.player(entry.key):
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
        return Wins(tuple(item.text for item in named if self.positions.player(item)), node.span)

    def _result(self, node: Node) -> Iterator[Results]:
        winners = tuple(self.context.declared.all_of(Winner).values())
        name = node.text if isinstance(node, Scalar) else ""
        if name in self.context.poisoned:
            return
        if not named(winners):
            message = "this game has no named results: it has one `winner` document at most, and none with a `when`"
            self.context.report("RW708", node.span, message, "check who wins: `wins: PLAYER`")
        elif name not in (names := ["none", *(winner.key for winner in winners)]):
            self.context.report("RW708", node.span, f"no result is called `{name}`", meant(name, names, "results"))
        else:
            yield Results(name if name != "none" else "", node.span)

    def _asks(self, node: Node) -> Iterator[Asks]:
        if isinstance(node, Scalar):
            if node.text != "none":
                message = "expected the players who are asked, each with a choice"
                self.context.report("RW705", node.span, message, "write `asks: none`, or `asks: {PLAYER: CHOICE}`")
            yield Asks((), node.span)
        elif isinstance(node, Mapping):
            pairs = [(entry.key, entry.value) for entry in node.entries if isinstance(entry.value, Scalar)]
            good = [
                (who.text, what.text) for who, what in pairs if self.positions.player(who) and self._choice(what)
            ]
            yield Asks(tuple(good), node.span)

    def _sees(self, player: str, node: Mapping) -> Iterator[Step]:
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
        hidden = isinstance(node, Scalar) and node.text == "?"
        items = positions.numbers(name, node) if number and not hidden else positions.items(node)
        return Reads(player, name, owner, items)

    def _facts(self, node: Node) -> Iterator[Step]:
        facts: list[Fact] = []
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Scalar):
                facts.extend(self.facts.facts(item))
            elif isinstance(item, Mapping):
                if facts:
                    yield Facts(tuple(facts))
                    facts = []
                yield from self._expected(item.entries[0].key, item.entries[0].value)
        if facts:
            yield Facts(tuple(facts))


def ends_like(key: str, words: str) -> bool:
    """Whether the id of a choice ends with these words: `supplies.supply.source` with `supply.source`."""
    return key == words or key.endswith(f".{words}")
