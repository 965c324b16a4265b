"""Positions of scenarios: cards in zones, values of tracks, and members of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.hints import meant
from rulewright.ruleset.common.diagnostic import Label, Span
from rulewright.ruleset.common.limits import HIGHEST, LOWEST, MOST_AT_ONCE, WHOLE, number_hint, too_large, whole
from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.documents.play import Given as GivenDocument
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.scenario import Given, ListGiven, ScenarioItems, TrackGiven, ZoneGiven
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

REST, ELIMINATED = "rest", "eliminated"


class Positions:
    """Checks the contents of `given`. `players` are those of the scenario."""

    def __init__(self, context: CheckContext, players: tuple[str, ...]) -> None:
        self.context = context
        self.declared = context.declared
        self.players = players
        self._rest: ScalarNode | None = None
        """The zone that gets the rest."""

    def report(self, code: str, span: Span, message: str, hint: str | None = None) -> None:
        self.context.report(code, span, message, hint)

    def player(self, name: ScalarNode) -> bool:
        """Whether the scenario has a player of this name; otherwise report it."""
        if name.text in self.players:
            return True
        self.report(
            "RW701", name.span, f"there is no player `{name.text}`", meant(name.text, self.players, "players")
        )
        return False

    def copy(self, word: str) -> bool:
        """Whether a word names one copy of a card: `bell-2`."""
        definition = self.declared.definitions.get(word.rpartition("-")[0])
        return definition is not None and word not in self.declared.definitions

    def eliminated(self, given: GivenDocument) -> tuple[tuple[str, str], ...]:
        """Return the players who are out of the game, each with the moment until whose end, or empty.

        The pack's own zone or track of that name comes first.
        """
        if self._declares(ELIMINATED):
            return ()
        found = [(name, moment) for name, moment in _out(given.eliminated) if self.player(name)]
        turn = given.turn.text if given.turn is not None else ""
        for name, moment in found:
            if name.text == turn:
                message = f"`{turn}` is out of the game, so it cannot be their turn"
                self.report("RW704", name.span, message, "name another player under `turn`")
            if moment is not None and p.away_list(moment.text) not in self.context.needs:
                message = f"no rule of this game eliminates a player until the {moment.text} ends"
                hint = "players who are out for good are a list, without moments"
                self.report("RW704", moment.span, message, hint)
        if found and len({name.text for name, _ in found}) == len(self.players):
            self.report("RW704", found[-1][0].span, "all players are out of the game", "leave somebody in the game")
        return tuple((name.text, moment.text if moment is not None else "") for name, moment in found)

    def _declares(self, name: str) -> bool:
        d = self.declared
        return any(name in group for group in (d.zones, d.tracks, d.lists))

    def given(self, given: MappingNode) -> Iterator[Given]:
        """Yield the position at the start of the scenario."""
        for entry in given.entries:
            if entry.key.text in ("phase", "turn") or (
                entry.key.text == ELIMINATED and not self._declares(ELIMINATED)
            ):
                continue
            if entry.key.text in self.players:
                if not isinstance(entry.value, MappingNode):
                    hint = f"write, for example, `{entry.key.text}: {{hand: 3 cards}}`"
                    self.report("RW704", entry.value.span, "expected the zones and tracks of this player", hint)
                    continue
                for inner in entry.value.entries:
                    yield from self._placed(inner.key, inner.value, entry.key.text)
            else:
                yield from self._placed(entry.key, entry.value, "")

    def _placed(self, name: ScalarNode, node: Node, player: str) -> Iterator[Given]:
        d, key = self.declared, name.text
        scope: tuple[str, ...] = ()
        if key in d.zones:
            scope = () if d.zones[key][1].scope == "game" else (d.zones[key][1].scope,)
        elif key in d.lists:
            scope = () if d.lists[key][1].scope == "game" else (d.lists[key][1].scope,)
        elif key in d.tracks:
            scope = d.tracks[key][1].scope
        elif key == "score":
            scope = ("player",)
        else:
            groups = [*d.zones, *d.tracks, *d.lists, *([] if player else self.players)]
            if key not in self.context.poisoned:
                message = f"there is no zone, track or list `{key}`"
                self.report("RW704", name.span, message, meant(key, groups, "there are"))
            return
        if player and "player" not in scope:
            hint = f"write `{key}: …` directly under `given`"
            self.report("RW704", name.span, f"`{key}` belongs to the game, not to a player", hint)
            return
        if not player and "player" in scope:
            self.report(
                "RW704", name.span, f"each player has a `{key}`", f"write `{self.players[0]}: {{{key}: …}}`"
            )
            return
        if key in d.zones:
            yield from self._zone(key, node, player)
        elif key in d.lists:
            if scope and not player:
                yield from self._members(key, node)
            else:
                yield ListGiven(key, player, self._listed(key, node))
        else:
            yield from self._track(key, node, scope, (player,) if player else ())

    def _zone(self, key: str, node: Node, player: str) -> Iterator[Given]:
        if self.declared.zones[key][1].scope == "definition":
            yield from self._piles(key, node)
            return
        yield from self._cards_of(key, key, node, player)

    def _cards_of(self, instance: str, zone: str, node: Node, player: str) -> Iterator[Given]:
        """Read the cards of one zone: all of them, or the top ones."""
        if isinstance(node, ScalarNode) and node.text == REST and not self._is_card(REST):
            if self._rest is not None:
                label = Label(self._rest.span, "already here")
                message = "only one zone can be `rest`: it gets all that is left"
                self.context.report("RW704", node.span, message, "say what one of them holds", label)
            self._rest = self._rest or node
            yield ZoneGiven(instance, player, ScenarioItems((), node.span), False, True)
            return
        if not isinstance(node, MappingNode):
            yield ZoneGiven(instance, player, self._cards(node, zone), False)
            return
        for entry in node.entries:
            if entry.key.text != "top":
                message = f"expected `top`, found `{entry.key.text}`"
                self.report("RW704", entry.key.span, message, "write `{top: [first, second]}`")
                continue
            yield ZoneGiven(instance, player, self._cards(entry.value, zone), True)

    def _piles(self, key: str, node: Node) -> Iterator[Given]:
        """Read the zones of definitions, by the names of the definitions."""
        kind = self.declared.zones[key][1].of
        if not isinstance(node, MappingNode):
            hint = f"write `{key}: {{NAME: 3 cards}}`"
            self.report("RW704", node.span, f"each `{kind}` has its own `{key}`", hint)
            return
        for entry in node.entries:
            names = self._of_scope(kind)
            if entry.key.text not in names:
                near = meant(entry.key.text, names, "there are")
                self.report("RW704", entry.key.span, f"there is no `{kind}` called `{entry.key.text}`", near)
                continue
            yield from self._cards_of(f"{key}/{entry.key.text}", key, entry.value, "")

    def _of_scope(self, scope: str) -> list[str]:
        """Return the members of an enumeration, or the definitions of a kind."""
        d, kind = self.declared, p.scope_kind(scope)
        members = d.enumerations.get(kind)
        return list(members[1]) if members else [name for name, one in d.definitions.items() if one.kind == kind]

    def _member(self, scope: str, name: ScalarNode) -> bool:
        """Whether a scope has this member: of an enumeration, a definition, or copies of a card; or report it."""
        names, of = self._of_scope(scope), p.scope_kind(scope)
        one_copy = scope.endswith(p.EACH_CARD) and self.copy(name.text) and self._kind_of(name.text) == of
        if name.text in names or one_copy or name.text in self.context.poisoned:
            return True
        hint = meant(name.text, names, "there are")
        self.report("RW704", name.span, f"there is no `{of}` called `{name.text}`", hint)
        return False

    def _members(self, key: str, node: Node) -> Iterator[Given]:
        scope = self.declared.lists[key][1].scope
        if not isinstance(node, MappingNode):
            of = p.scope_kind(scope)
            self.report(
                "RW704", node.span, f"each `{of}` has its own `{key}`", f"write `{{{of.upper()}: [member, …]}}`"
            )
            return
        for entry in node.entries:
            if self._member(scope, entry.key):
                yield ListGiven(key, entry.key.text, self._listed(key, entry.value))

    def _listed(self, key: str, node: Node) -> ScenarioItems:
        """Read the members of a list; players are those of the scenario."""
        if self.declared.lists[key][1].of == NUMBER:
            return self.numbers(key, node)
        items = self.items(node)
        if self.declared.lists[key][1].of == PLAYER:
            for item in node.items if isinstance(node, SequenceNode) else (node,):
                if isinstance(item, ScalarNode) and item.text != "none":
                    self.player(item)
        return items

    def _track(self, key: str, node: Node, scope: tuple[str, ...], index: tuple[str, ...]) -> Iterator[Given]:
        if len(index) < len(scope):
            of = p.scope_kind(scope[len(index)])
            if not isinstance(node, MappingNode):
                message = f"`{key}` has one value for each `{of}`"
                self.report("RW704", node.span, message, f"write `{{{of}: value}}`")
                return
            for entry in node.entries:
                if self._member(scope[len(index)], entry.key):
                    yield from self._track(key, entry.value, scope, (*index, entry.key.text))
            return
        several = isinstance(node, SequenceNode) and bool(scope) and scope[-1].endswith(p.EACH_CARD)
        values = node.items if several and isinstance(node, SequenceNode) else (node,)
        found = [one for one in values if isinstance(one, ScalarNode)]
        if len(found) < len(values) or not found:
            self.report("RW704", node.span, f"`{key}` takes one value here", f"write, for example, `{key}: 3`")
            return
        given = [value for one in found if (value := self._value(key, one)) is not None]
        if len(given) == len(found):
            yield TrackGiven(key, index, tuple(given), several, node.span)

    def _value(self, key: str, node: ScalarNode) -> str | None:
        """Return a value of a track, or a member of a list of numbers; None after a finding."""
        d = self.declared
        type_ = d.tracks[key][1].of if key in d.tracks else NUMBER
        if type_ == NUMBER:
            low, high = (d.tracks[key][1].low, d.tracks[key][1].high) if key in d.tracks else (LOWEST, HIGHEST)
            good = isinstance(node.value, int) and not isinstance(node.value, bool) and low <= node.value <= high
            expected = f"expected a number from {low} to {high}"
            if good:
                return str(node.value)
            if not isinstance(node.value, int):
                expected = number_hint(node.text) or expected
        elif type_ == BOOLEAN:
            good, expected = isinstance(node.value, bool), "expected `true` or `false`"
        elif type_ == PLAYER:
            good = node.text in (*self.players, "none")
            expected = f"expected {listed([*self.players, 'none'], 'or')}"
        else:
            names = self._of_scope(type_.of) or list(d.definitions)
            names += ["none"] if d.tracks[key][1].can_be_none else []
            of_any = type_.of not in d.kinds
            one_copy = type_.name == "card" and self.copy(node.text)
            one_copy = one_copy and (of_any or self._kind_of(node.text) == type_.of)
            good = node.text in names or one_copy or node.text in self.context.poisoned
            expected = f"expected {listed(names, 'or')}"
        if not good:
            self.report("RW704", node.span, f"`{key}` cannot be `{node.text}`", expected)
        return node.text if good else None

    def numbers(self, key: str, node: Node) -> ScenarioItems:
        """Read numbers that a track or a list of numbers can hold; report others."""
        found: list[str] = []
        for item in node.items if isinstance(node, SequenceNode) else (node,):
            if isinstance(item, ScalarNode) and item.text == "none":
                continue
            if not isinstance(item, ScalarNode):
                self.report("RW704", item.span, f"`{key}` holds numbers", "write a number, or a list: `[3, 5]`")
            elif (number := self._value(key, item)) is not None:
                found.append(number)
        return ScenarioItems(tuple(found), node.span)

    def _is_card(self, name: str) -> bool:
        d = self.declared
        return name in d.definitions or name in d.kinds or name in d.plurals

    def _kind_of(self, name: str) -> str:
        """Return the kind that the name of a card belongs to; empty if it can be any."""
        d = self.declared
        name = d.plurals.get(name, name)
        definition = d.definitions.get(name) or d.definitions.get(name.rpartition("-")[0])
        return name if name in d.kinds else definition.kind if definition is not None else ""

    def _cards(self, node: Node, zone: str) -> ScenarioItems:
        """Read cards by definition, kind, or copy, each with an optional number."""
        d = self.declared
        accepts = d.zones[zone][1].accepts
        known = {*d.definitions, *d.kinds, *d.plurals, "card", "cards"}
        for item in node.items if isinstance(node, SequenceNode) else (node,):
            if not isinstance(item, ScalarNode) or item.text == "none":
                continue
            words = item.text.removeprefix("any ").split()
            name = words[-1]
            counted = bool(whole(words[0]) is not None or too_large(words[0]) or number_hint(words[0]))
            if len(words) > 1 + counted:
                parts = ", ".join(re.findall(r"(?:[0-9]+ )?[^ ,]+", item.text))
                message = "expected the name of one card, with a number before it or none"
                self.report("RW704", item.span, message, f"separate names with commas: `[{parts}]`")
                continue
            if name in self.context.poisoned:
                continue
            if name not in known and not self.copy(name):
                message = f"there is no card `{name}`"
                self.report("RW704", item.span, message, meant(name, sorted(known), "cards"))
                continue
            kind = self._kind_of(name)
            if kind and accepts and kind not in accepts:
                message = f"`{name}` is of kind `{kind}`, but `{zone}` accepts only {listed(accepts)}"
                self.report("RW704", item.span, message)
        return self.items(node)

    def items(self, node: Node) -> ScenarioItems:
        """Read a name, or a list of names, each with an optional number."""
        nodes = node.items if isinstance(node, SequenceNode) else (node,)
        words = tuple(item.text for item in nodes if isinstance(item, ScalarNode))
        for item in nodes:
            if not isinstance(item, ScalarNode):
                hint = "write a name, or a list of names: `[bell, 2 lantern]`"
                self.report("RW704", item.span, "expected names", hint)
                continue
            word = item.text.removeprefix("any ").partition(" ")[0]
            if too_large(word) or (whole(word) or 0) > MOST_AT_ONCE:
                self.report("RW704", item.span, f"{word} is too large; the limit is {MOST_AT_ONCE:,}")
            elif WHOLE.fullmatch(word) is None and number_hint(word) is not None:
                self.report("RW704", item.span, f"`{word}` is not a whole number", number_hint(word))
        return ScenarioItems(words, node.span)


def _out(node: Node | None) -> Iterator[tuple[ScalarNode, ScalarNode | None]]:
    """Yield the names under `eliminated`, each with the moment until whose end, if it has one."""
    if isinstance(node, MappingNode):
        yield from ((one.key, one.value) for one in node.entries if isinstance(one.value, ScalarNode))
    for item in node.items if isinstance(node, SequenceNode) else (node,):
        if isinstance(item, ScalarNode) and item.text != "none":
            yield item, None
