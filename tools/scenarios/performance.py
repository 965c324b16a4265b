"""A scenario in progress: its game, its open decisions, and the options that its words mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from attrs import define, field

from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.state.position import is_called
from rulewright.interpreter.views.decision import Decision
from rulewright.ruleset.check.scenarios import ends_like
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.program.scenario import Items
from rulewright.ruleset.table.nodes import Source
from rulewright.tools.scenarios.outcome import ASKED, Stop, Wrong
from rulewright.tools.scenarios.stage import Staged

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


# ------------------------------------------------------------------ performance: the rest

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
        """Return the seat of a player."""
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

    def keys(self, decision: Decision, items: Items, unknown: bool = False) -> list[str]:
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
