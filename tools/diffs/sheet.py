"""Format a comparison as a sheet, as terminal text or Markdown.

All effects of one change of a house rule are together, after its author's text. Equal sentences about several
things are merged.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.documents.rules import Award, Hook
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.tools.common.document_kinds import TOOLS_KIND_OF, ToolsKind
from rulewright.tools.common.output import escaped
from rulewright.tools.diffs.compare import DiffSide, RuleDifference, new_deeds
from rulewright.tools.diffs.names import (
    GROUPS,
    SEEN,
    WORDS,
    DiffNames,
    DiffSentence,
    SentenceContext,
    join,
    say,
    upper,
    wording,
)
from rulewright.tools.diffs.sentences import said

# ---- Describe differences: choose a group, a sentence, and a reason for each
#
# Nothing is left out. Differences that the sheet need not show are `quiet`: the same text in another
# language, an order that follows from additions, code that the reason explains in words. If no sentence fits,
# the fallback names the id.

@frozen
class Description:
    """The description of a difference. `reason` is the text of the change that caused it, `deed` that change."""

    difference: RuleDifference
    group: str
    said: DiffSentence
    rank: int
    deed: Deed | None = None
    reason: str = ""

    def sentence(self, language: str, things: str = "", many: int = 1) -> str:
        """Return the sentence; `things` are joined names if it covers `many` things."""
        values = {**self.said.values, "thing": things or self.said.thing, "n": many}
        return say(language, self.said.key, values)


def tell(
    base: DiffSide, other: DiffSide, found: tuple[RuleDifference, ...], language: str
) -> tuple[Description, ...]:
    """Return all descriptions, ordered by group and then by the course of the game."""
    of_thing: dict[str, tuple[RuleDifference, ...]] = {}
    for one in found:
        of_thing[one.thing.id] = (*of_thing.get(one.thing.id, ()), one)
    context = SentenceContext(base, other, DiffNames(base, other, language), new_deeds(base, other), of_thing)
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


def _group(context: SentenceContext, found: RuleDifference) -> str:
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


def _helps(found: RuleDifference) -> bool:
    """Whether a thing only serves other rules, judging by its texts."""
    says = found.thing.says
    waits = isinstance(says, Hook) and says.waits and says.text is None
    helper = _of_tools(found.thing.sort).helps and says.text is None and says.name is None
    return found.thing.sort == "function" or waits or helper


def _used(context: SentenceContext, value: str) -> str:
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


def _around(side: DiffSide, span: Span) -> str:
    """Return the sort of the innermost thing around a place."""
    around = [thing for thing in side.things.values() if span.within(thing.node.span)]
    return min(around, key=lambda thing: thing.node.span.end_line - thing.node.span.line).sort if around else ""


def _play(base: DiffSide, other: DiffSide) -> dict[str, int]:
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


def _rank(found: RuleDifference, play: Mapping[str, int]) -> int:
    sort = found.thing.sort
    if sort in ("phase", "award"):
        return 10 + play.get(found.thing.id, 900)
    first = {"pack": 0, "value": 1, "setup": 2, "track": 3, "round": 4, "finish": 5, "winner": 2000}
    return first.get(sort, 1000)


# ---- Sheet

WIDEST = 100


@frozen
class SheetLine:
    """One change: the reason or the sentence, and details after a reason."""

    text: str
    details: tuple[str, ...] = ()


@frozen
class ChangeSheet:
    """The contents of a sheet. `packs` are those that only the other side has, with version and reason."""

    title: str
    subtitles: tuple[str, ...]
    packs: tuple[tuple[str, str, str], ...]
    groups: tuple[tuple[str, tuple[SheetLine, ...]], ...] = field(repr=False)
    nothing: str


def sheet(
    base: DiffSide, other: DiffSide, tellings: Sequence[Description], names: DiffNames, title: str | None
) -> ChangeSheet:
    """Build the sheet of all descriptions that are not quiet."""
    words = WORDS[names.language]
    more = [pack for pack in other.versions if pack not in base.versions]
    called = [_called(other, names, pack) for pack in more]
    heading = harmless(title or join(called, names.language))
    game = next((pack for pack in other.versions if pack in base.versions), "")
    subtitles: list[str] = []
    if more and game:
        on_top = f"{_called(other, names, game)} {other.versions[game]}"
        subtitles.append(words["on-top"].format(game=on_top))
    elif not heading:
        heading = f"{_called(other, names, next(iter(other.versions), ''))}: {words['what-changes']}"
    for pack, version in other.versions.items():
        if base.versions.get(pack, version) != version:
            values = {"pack": _called(other, names, pack), "after": version, "before": base.versions[pack]}
            subtitles.append(words["versions"].format(**values))
    gone = [_called(base, names, pack) for pack in base.versions if pack not in other.versions]
    if gone:
        subtitles.append(words["without"].format(packs=join(gone, names.language)))
    abouts = [(_called(other, names, pack), other.versions[pack], _reason(other, names, pack)) for pack in more]
    groups = tuple(
        (words[f"group-{group}"], tuple(lines))
        for group, lines in _groups(tellings, names.language).items()
        if lines
    )
    return ChangeSheet(heading, tuple(subtitles), tuple(abouts), groups, words["same"])


def _called(side: DiffSide, names: DiffNames, pack: str) -> str:
    about = side.abouts.get(pack)
    return (names.text(about.name) if about is not None else "") or upper(pack.replace("-", " "))


def _reason(side: DiffSide, names: DiffNames, pack: str) -> str:
    about = side.abouts.get(pack)
    return names.text(about.text) if about is not None else ""


def _groups(tellings: Sequence[Description], language: str) -> dict[str, list[SheetLine]]:
    """Group the lines; lines with the same reason are together, in the first of their groups."""
    groups: dict[str, list[SheetLine]] = {group: [] for group in GROUPS}
    known: set[str] = set()
    for telling in tellings:
        if telling.reason:
            if telling.reason not in known:
                known.add(telling.reason)
                same = [one for one in tellings if one.reason == telling.reason and not one.said.quiet]
                groups[telling.group].append(SheetLine(telling.reason, tuple(sentences(same, language))))
            continue
        if telling.said.quiet or telling.sentence(language) in known:
            continue
        same = [one for one in tellings if not one.reason and not one.said.quiet and _alike(one, telling)]
        known.update(one.sentence(language) for one in same)
        groups[telling.group].extend(map(SheetLine, sentences(same, language)))
    return groups


def _alike(one: Description, two: Description) -> bool:
    """Whether two descriptions say the same of the same sort of things."""
    sorts = one.difference.thing.sort, two.difference.thing.sort
    return one.group == two.group and sorts[0] == sorts[1] and _sameness(one) == _sameness(two)


def _sameness(telling: Description) -> tuple[object, ...]:
    return telling.said.key, *sorted(telling.said.values.items())


def sentences(tellings: Sequence[Description], language: str) -> Iterator[str]:
    """Yield sentences; equal sentences about several things are merged."""
    done: list[Description] = []
    for telling in tellings:
        if any(_alike(one, telling) for one in done):
            continue
        done.append(telling)
        things = list(dict.fromkeys(one.said.thing for one in tellings if _alike(one, telling)))
        yield telling.sentence(language, join(things, language), len(things))


# ------------------------------------------------------------------ written

def as_text(found: ChangeSheet, width: int) -> list[str]:
    """Return lines for a terminal."""
    width = min(width, WIDEST)
    out = [found.title, "=" * len(found.title), *found.subtitles]
    for name, version, reason in found.packs:
        out += ["", *_wrapped(f"{name} {version}" + (f": {reason}" if reason else ""), "", width)]
    for heading, lines in found.groups:
        out += ["", heading, "-" * len(heading)]
        for line in lines:
            text = line.text + (f" ({line.details[0]})" if len(line.details) == 1 else "")
            out += _wrapped(text, "- ", width)
            for detail in line.details if len(line.details) > 1 else ():
                out += _wrapped(detail, "  - ", width)
    if not found.groups:
        out += ["", found.nothing]
    return out


def _wrapped(text: str, lead: str, width: int) -> list[str]:
    after = " " * len(lead)
    return textwrap.wrap(
        text, width, initial_indent=lead, subsequent_indent=after, break_on_hyphens=False, break_long_words=False
    )


def as_markdown(found: ChangeSheet) -> list[str]:
    """Return lines of Markdown."""
    out = [f"# {escaped(found.title)}"]
    for subtitle in found.subtitles:
        out += ["", f"*{escaped(subtitle)}*"]
    for name, version, reason in found.packs:
        out += ["", f"**{escaped(name)}** {version}" + (f": {escaped(reason)}" if reason else "")]
    for heading, lines in found.groups:
        out += ["", f"## {heading}", ""]
        for line in lines:
            text = line.text + (f" ({line.details[0]})" if len(line.details) == 1 else "")
            out.append(f"- {escaped(text)}")
            if len(line.details) > 1:
                out.extend(f"  - {escaped(detail)}" for detail in line.details)
    if not found.groups:
        out += ["", found.nothing]
    return out
