"""Positions of scenarios: cards in zones, values of tracks, and members of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleset.check.context import Context
from ruleset.check.hints.near_hint import meant
from ruleset.common.diagnostic import Label
from ruleset.common.listing import listed
from ruleset.common.span import Span
from ruleset.documents.play import Given as GivenDocument
from ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from ruleset.program import nodes as p
from ruleset.program.scenario import Given, Items, ListGiven, TrackGiven, ZoneGiven
from ruleset.source.reader import Mapping, Node, Scalar, Sequence

MOST_AT_ONCE = 10_000
"""Limit of cards under one name, in a position or an answer."""
REST, ELIMINATED = "rest", "eliminated"
COUNT = re.compile(r"(?:any )?([0-9]+)(?: |\Z)")


class Positions:
    """Checks the contents of `given`. `players` are those of the scenario."""

    def __init__(self, context: Context, players: tuple[str, ...]) -> None:
        self.context = context
        self.declared = context.declared
        self.players = players
        self._rest: Scalar | None = None
        """The zone that gets the rest."""

    def report(self, code: str, span: Span, message: str, hint: str | None = None) -> None:
        self.context.report(code, span, message, hint)

    def player(self, name: Scalar) -> bool:
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

    def given(self, given: Mapping) -> Iterator[Given]:
        """Yield the position at the start of the scenario."""
        for entry in given.entries:
            if entry.key.text in ("phase", "turn") or (
                entry.key.text == ELIMINATED and not self._declares(ELIMINATED)
            ):
                continue
            if entry.key.text in self.players:
                if not isinstance(entry.value, Mapping):
                    hint = f"write, for example, `{entry.key.text}: {{hand: 3 cards}}`"
                    self.report("RW704", entry.value.span, "expected the zones and tracks of this player", hint)
                    continue
                for inner in entry.value.entries:
                    yield from self._placed(inner.key, inner.value, entry.key.text)
            else:
                yield from self._placed(entry.key, entry.value, "")

    def _placed(self, name: Scalar, node: Node, player: str) -> Iterator[Given]:
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
        if isinstance(node, Scalar) and node.text == REST and not self._is_card(REST):
            if self._rest is not None:
                label = Label(self._rest.span, "already here")
                message = "only one zone can be `rest`: it gets all that is left"
                self.context.report("RW704", node.span, message, "say what one of them holds", label)
            self._rest = self._rest or node
            yield ZoneGiven(instance, player, Items((), node.span), False, True)
            return
        if not isinstance(node, Mapping):
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
        if not isinstance(node, Mapping):
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
        d = self.declared
        members = d.enumerations.get(scope)
        return list(members[1]) if members else [name for name, one in d.definitions.items() if one.kind == scope]

    def _members(self, key: str, node: Node) -> Iterator[Given]:
        scope = self.declared.lists[key][1].scope
        members = self.declared.enumerations.get(scope, (None, ()))[1]
        if not isinstance(node, Mapping):
            of, form = (scope, scope.upper()) if members else ("card", "CARD")
            self.report("RW704", node.span, f"each {of} has its own `{key}`", f"write `{{{form}: [member, …]}}`")
            return
        for entry in node.entries:
            name = entry.key.text
            if members:
                if name in members:
                    yield ListGiven(key, name, self._listed(key, entry.value))
                else:
                    hint = meant(name, members, "there are")
                    self.report("RW704", entry.key.span, f"there is no {scope} `{name}`", hint)
                continue
            if not self.copy(name) and name not in self.declared.definitions:
                hint = meant(name, self.declared.definitions, "cards")
                self.report("RW704", entry.key.span, f"there is no card `{name}`", hint)
                continue
            yield ListGiven(key, name, self._listed(key, entry.value))

    def _listed(self, key: str, node: Node) -> Items:
        """Read the members of a list; players are those of the scenario."""
        items = self.items(node)
        if self.declared.lists[key][1].of == PLAYER:
            for item in node.items if isinstance(node, Sequence) else (node,):
                if isinstance(item, Scalar) and item.text != "none":
                    self.player(item)
        return items

    def _track(self, key: str, node: Node, scope: tuple[str, ...], index: tuple[str, ...]) -> Iterator[Given]:
        if len(index) < len(scope):
            if not isinstance(node, Mapping):
                message = f"`{key}` has one value for each `{scope[len(index)]}`"
                self.report("RW704", node.span, message, f"write `{{{scope[len(index)]}: value}}`")
                return
            for entry in node.entries:
                members = self.declared.enumerations.get(scope[len(index)])
                if members is not None and entry.key.text not in members[1]:
                    hint = meant(entry.key.text, members[1], "one of")
                    message = f"`{entry.key.text}` is not a member of `{scope[len(index)]}`"
                    self.report("RW704", entry.key.span, message, hint)
                    continue
                yield from self._track(key, entry.value, scope, (*index, entry.key.text))
            return
        if not isinstance(node, Scalar):
            self.report("RW704", node.span, f"`{key}` takes one value here", f"write, for example, `{key}: 3`")
            return
        if self._value(key, node):
            yield TrackGiven(key, index, node.text, node.span)

    def _value(self, key: str, node: Scalar) -> bool:
        """Whether a track can have this value; otherwise report it."""
        d = self.declared
        type_ = d.tracks[key][1].of if key in d.tracks else NUMBER
        if type_ == NUMBER:
            low, high = (d.tracks[key][1].low, d.tracks[key][1].high) if key in d.tracks else (-(2**31), 2**31 - 1)
            good = isinstance(node.value, int) and not isinstance(node.value, bool) and low <= node.value <= high
            expected = f"a number from {low} to {high}"
        elif type_ == BOOLEAN:
            good, expected = isinstance(node.value, bool), "`true` or `false`"
        elif type_ == PLAYER:
            good, expected = node.text in (*self.players, "none"), listed([*self.players, "none"], "or")
        elif type_.name == "enumeration":
            good = node.text in d.enumerations[type_.of][1]
            expected = listed(d.enumerations[type_.of][1], "or")
        else:
            good, expected = True, ""
        if not good:
            self.report("RW704", node.span, f"`{key}` cannot be `{node.text}`", f"expected {expected}")
        return good

    def _is_card(self, name: str) -> bool:
        d = self.declared
        return name in d.definitions or name in d.kinds or name in d.plurals

    def _kind_of(self, name: str) -> str:
        """Return the kind that the name of a card belongs to; empty if it can be any."""
        d = self.declared
        name = d.plurals.get(name, name)
        definition = d.definitions.get(name) or d.definitions.get(name.rpartition("-")[0])
        return name if name in d.kinds else definition.kind if definition is not None else ""

    def _cards(self, node: Node, zone: str) -> Items:
        """Read cards by definition, kind, or copy, each with an optional number."""
        d = self.declared
        accepts = d.zones[zone][1].accepts
        known = {*d.definitions, *d.kinds, *d.plurals, "card", "cards"}
        for item in node.items if isinstance(node, Sequence) else (node,):
            if not isinstance(item, Scalar) or item.text == "none":
                continue
            name = item.text.rpartition(" ")[2]
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

    def items(self, node: Node) -> Items:
        """Read a name, or a list of names, each with an optional number."""
        nodes = node.items if isinstance(node, Sequence) else (node,)
        words = tuple(item.text for item in nodes if isinstance(item, Scalar))
        for item in nodes:
            if not isinstance(item, Scalar):
                hint = "write a name, or a list of names: `[bell, 2 lantern]`"
                self.report("RW704", item.span, "expected names", hint)
                continue
            number = COUNT.match(item.text)
            if number is not None and (len(number[1]) > 6 or int(number[1]) > MOST_AT_ONCE):
                self.report("RW704", item.span, f"this number is too large; the limit is {MOST_AT_ONCE:,}")
        return Items(words, node.span)


def _out(node: Node | None) -> Iterator[tuple[Scalar, Scalar | None]]:
    """Yield the names under `eliminated`, each with the moment until whose end, if it has one."""
    if isinstance(node, Mapping):
        yield from ((one.key, one.value) for one in node.entries if isinstance(one.value, Scalar))
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, Scalar) and item.text != "none":
            yield item, None
