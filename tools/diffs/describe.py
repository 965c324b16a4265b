"""Describe differences: choose a group, a sentence, and a reason for each.

Nothing is left out. Differences that the sheet need not show are `quiet`: the same text in another language, an
order that follows from additions, code that the reason explains in words. If no sentence fits, the fallback names
the id.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.documents.flow import Award
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.tools.common.document_kinds import TOOLS_KIND_OF, ToolsKind
from rulewright.tools.diffs.compare import Difference, Side, new_deeds
from rulewright.tools.diffs.messages import GROUPS, say
from rulewright.tools.diffs.names import SEEN, Context, Names, Said, wording
from rulewright.tools.diffs.sentences import said


@frozen
class Description:
    """The description of a difference. `reason` is the text of the change that caused it, `deed` that change."""

    difference: Difference
    group: str
    said: Said
    rank: int
    deed: Deed | None = None
    reason: str = ""

    def sentence(self, language: str, things: str = "", many: int = 1) -> str:
        """Return the sentence; `things` are joined names if it covers `many` things."""
        values = {**self.said.values, "thing": things or self.said.thing, "n": many}
        return say(language, self.said.key, values)


def tell(base: Side, other: Side, found: tuple[Difference, ...], language: str) -> tuple[Description, ...]:
    """Return all descriptions, ordered by group and then by the course of the game."""
    of_thing: dict[str, tuple[Difference, ...]] = {}
    for one in found:
        of_thing[one.thing.id] = (*of_thing.get(one.thing.id, ()), one)
    context = Context(base, other, Names(base, other, language), new_deeds(base, other), of_thing)
    play = _play(base, other)
    tellings = [
        Description(one, _group(context, one), how, _rank(one, play), context.deed(one), context.reason(one))
        for one in found
        for how in said(context, one)
    ]
    return tuple(sorted(tellings, key=lambda telling: (GROUPS.index(telling.group), telling.rank)))


# ------------------------------------------------------------------ groups

def _of_tools(sort: str) -> ToolsKind:
    return TOOLS_KIND_OF.get(sort, ToolsKind(sort))


def _group(context: Context, found: Difference) -> str:
    sort, path = found.thing.sort, found.path
    group = _of_tools(sort).group
    if wording(found):
        others = context.of_thing[found.thing.id]
        if path[:1] != ("text",) or all(wording(one) for one in others):
            return "words"
    if sort in ("pack", "option"):
        return "game"
    if sort == "message":
        return "words"
    if (path and path[-1] in SEEN) or path[:1] == ("reveals",):
        return "sees"
    if found.change in ("added", "removed") and not path and not found.woven and _helps(found):
        return "small"
    if sort == "value":
        return _used(context, found.thing.key)
    if sort == "setup" or (path[-1:] == ("starts",) and sort in ("track", "component")):
        return "set-up"
    if group == "end" or (path[:1] == ("until",) and sort == "round"):
        return "end"
    if group == "course":
        return "course"
    known = (*context.other.loaded.declared.kinds, *context.base.loaded.declared.kinds)
    return "cards" if sort in known else "components"


def _helps(found: Difference) -> bool:
    """Whether a thing only serves other rules, judging by its texts."""
    says = found.thing.says
    waits = isinstance(says, Hook) and says.waits and says.text is None
    helper = _of_tools(found.thing.sort).helps and says.text is None and says.name is None
    return found.thing.sort == "function" or waits or helper


def _used(context: Context, value: str) -> str:
    """Choose the group of a number by its uses: set-up, end, or course."""
    sorts: set[str] = set()
    for reference in context.other.loaded.references:
        if reference.what == f"value/{value}":
            sorts.add(_around(context.other, reference.span))
    for thing in context.other.things.values():
        prizes = says.prizes if isinstance(says := thing.says, Award) else None
        sorts |= {"award"} if isinstance(prizes, ScalarNode) and prizes.text == value else set()
    if sorts and sorts <= {"setup", "track", "component"}:
        return "set-up"
    return "end" if sorts and all(_of_tools(one).group == "end" for one in sorts) else "course"


def _around(side: Side, span: Span) -> str:
    """Return the sort of the innermost thing around a place."""
    around = [thing for thing in side.things.values() if span.within(thing.node.span)]
    return min(around, key=lambda thing: thing.node.span.end_line - thing.node.span.line).sort if around else ""


def _play(base: Side, other: Side) -> dict[str, int]:
    """Return the position of each phase and award in the game; removed ones keep their old position."""
    places: dict[str, int] = {}
    for side in (base, other):
        number = 0
        for thing in side.things.values():
            for key, sort in (("phases", "phase"), ("awards", "award")):
                listed = thing.node.get(key) if isinstance(thing.node, Block) else None
                for item in getattr(listed, "items", ()):
                    number += 1
                    places[f"{sort}/{getattr(item, 'text', '')}"] = number
    return places


def _rank(found: Difference, play: Mapping[str, int]) -> int:
    sort = found.thing.sort
    if sort in ("phase", "award"):
        return 10 + play.get(found.thing.id, 900)
    first = {"pack": 0, "value": 1, "setup": 2, "track": 3, "round": 4, "finish": 5, "winner": 2000}
    return first.get(sort, 1000)
