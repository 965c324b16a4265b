"""Lower bots to the ranks of options, as numbers, and their conditions and scores, as functions.

Bots are lowered last, after everything that the game reaches, so that the game's own numbers and its hash are the
same with and without bots.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ruleset.language.types import sort_named
from rulewright.ruleset.lower.context import LoweringContext
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.bot_options import Preference, fits, fits_number, number_of, preference
from rulewright.ruleset.table import nodes as t

Keys = tuple[str, ...]


def lower_bots(lowering: LoweringContext) -> t.Bots | None:
    """Lower the bots of a table, after everything else; None if there are none."""
    layout, program = lowering.layout, lowering.program
    if not program.bots:
        return None
    tables, lists, functions = len(layout.tables), len(layout.lists), len(lowering.function_code)
    parts = _Parts(lowering)
    bots = tuple(_Bot(lowering, bot, parts).info() for bot in program.bots)
    more = lowering.function_code[functions:]
    return t.Bots(
        bots,
        tuple(layout.tables[tables:]),
        tuple(layout.lists[lists:]),
        tuple(one for one in more if one is not None),
    )


class _Parts:
    """The possible values of options, by type, each with its keys."""

    def __init__(self, lowering: LoweringContext) -> None:
        self._lowering = lowering
        self._known: dict[str, list[tuple[int, Keys]]] = {}

    def of(self, kind: str) -> list[tuple[int, Keys]]:
        """Return those of a type as named by `Site.of`; for cards, the faces."""
        if kind not in self._known:
            self._known[kind] = self._found(kind)
        return self._known[kind]

    def _found(self, kind: str) -> list[tuple[int, Keys]]:
        layout = self._lowering.layout
        if kind == "card":
            return sorted({card.face: (card.key, card.definition) for card in layout.cards}.items())
        if kind == "seat":
            return [(seat, (f"seat-{seat + 1}",)) for seat in range(layout.seats)]
        if kind in layout.enumerations:
            return [(number, (key,)) for number, key in enumerate(layout.enumerations[kind])]
        return [(number, (one.key,)) for number, one in enumerate(self._lowering.program.definitions)]


class _Bot:
    """The lowering of one bot."""

    def __init__(self, lowering: LoweringContext, bot: p.Bot, parts: _Parts) -> None:
        self.lowering = lowering
        self.bot = bot
        self.parts = parts
        self.rankings: list[t.Ranking | t.Score] = []

    def info(self) -> t.BotInfo:
        answers = tuple(
            self._answer(answer, number, site)
            for number, site in enumerate(self.lowering.sites)
            for answer in self.bot.answers
            if fits(answer.choice, site.key)
        )
        return t.BotInfo(self.bot.key, answers, tuple(self.rankings))

    def _answer(self, answer: p.BotRule, number: int, site: t.Site) -> t.BotAnswer:
        condition = self.lowering.function(answer.condition) if answer.condition else -1
        wanted = [(preference(text), -2 - rank) for rank, text in enumerate(answer.prefer)]
        if answer.scores is not None:
            first = self._scored(site, answer.scores)
        else:
            first = self._menu(site, wanted) if site.of == "menu" else self._plain(site.of, wanted)
        return t.BotAnswer(number, condition, first, answer.otherwise)

    # -------------------------------------------------------------- how options are scored

    def _scored(self, site: t.Site, scores: Sequence[p.BotScore]) -> int:
        """Return the first ranking of a site whose options have scores."""
        if site.of != "menu":
            plain = self._score(site.key, "", scores, (site.of,), (0,))
            return self._add(t.Ranking(False, 0, (), t.UNRANKED)) if plain == t.UNRANKED else plain
        place, cases = self._reserve(), []
        for number, branch in enumerate(site.branches):
            score = self._score(site.key, branch.key, scores, branch.members, branch.radix)
            if score != t.UNRANKED:
                cases.append((number, score))
        self.rankings[place] = t.Ranking(False, len(site.branches), tuple(cases), t.UNRANKED)
        return place

    def _score(
        self, choice: str, branch: str, scores: Sequence[p.BotScore], kinds: Keys, radix: tuple[int, ...]
    ) -> int:
        """Return the ranking that scores options whose members have these types; UNRANKED if there is none."""
        units = [self.lowering.units[one.unit] for one in scores if (one.choice, one.branch) == (choice, branch)]
        for unit in units:
            sorts = tuple(sort_named(one.type) for one in unit.variables[1 : unit.parameters])
            if sorts == kinds:
                parts = tuple((kind == "card", size) for kind, size in zip(kinds, radix, strict=True))
                return self._add(t.Score(self.lowering.function(unit.key), parts))
        return t.UNRANKED

    def _add(self, ranking: t.Ranking | t.Score) -> int:
        self.rankings.append(ranking)
        return len(self.rankings) - 1

    # -------------------------------------------------------------- how options are ranked

    def _plain(self, of: str, wanted: Sequence[tuple[Preference, int]]) -> int:
        """Return the first ranking of a site whose options all have the same type."""
        place = self._reserve()
        patterns = tuple(((one.head,), rank) for one, rank in wanted if one.members is None)
        self._level(place, (of,), (0,), patterns)
        return place

    def _menu(self, site: t.Site, wanted: Sequence[tuple[Preference, int]]) -> int:
        """Return the first ranking of a menu, by branch; later rankings are by its members."""
        place, cases = self._reserve(), []
        for number, branch in enumerate(site.branches):
            every = ("*",) * len(branch.members)
            patterns = [
                (every if one.members is None else one.members, rank)
                for one, rank in wanted
                if fits(one.head, branch.key)
            ]
            fitting = tuple(one for one in patterns if len(one[0]) == len(branch.members))
            if fitting:
                cases.append((number, self._following(branch.members, branch.radix, fitting)))
        self.rankings[place] = t.Ranking(False, len(site.branches), tuple(cases), t.UNRANKED)
        return place

    def _following(self, kinds: Keys, radix: tuple[int, ...], patterns: tuple[tuple[Keys, int], ...]) -> int:
        """Return what follows for patterns that match all parts so far: a rank, or the ranking by the next part."""
        if not patterns:
            return t.UNRANKED
        if not kinds:
            return patterns[0][1]
        place = self._reserve()
        self._level(place, kinds, radix, patterns)
        return place

    def _level(
        self, place: int, kinds: Keys, radix: tuple[int, ...], patterns: tuple[tuple[Keys, int], ...]
    ) -> None:
        """Fill the ranking by the first of the remaining parts; each pattern has a word for each part."""
        known: dict[tuple[tuple[Keys, int], ...], int] = {}

        def following(fitting: tuple[tuple[Keys, int], ...]) -> int:
            rest = tuple((words[1:], rank) for words, rank in fitting)
            if rest not in known:
                known[rest] = self._following(kinds[1:], radix[1:], rest)
            return known[rest]

        otherwise, cases = t.UNRANKED, []
        if kinds[0] == "number":
            otherwise = following(tuple(one for one in patterns if fits_number(one[0][0], None)))
            for number in sorted({n for n in (number_of(one[0][0]) for one in patterns) if n is not None}):
                cases.append((number, following(tuple(p for p in patterns if fits_number(p[0][0], number)))))
        else:
            for part, keys in self.parts.of(kinds[0]):
                fitting = tuple(one for one in patterns if any(fits(one[0][0], key) for key in keys))
                if fitting:
                    cases.append((part, following(fitting)))
        self.rankings[place] = t.Ranking(kinds[0] == "card", radix[0], tuple(cases), otherwise)

    def _reserve(self) -> int:
        """Reserve the number of a ranking that is filled in later: rankings that follow it have greater numbers."""
        return self._add(t.Ranking(False, 0, (), t.UNRANKED))
