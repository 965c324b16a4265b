"""Format a comparison as a sheet, as terminal text or Markdown.

All effects of one change of a house rule are together, after its author's text. Equal sentences about several
things are merged.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from attrs import field, frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.common.output import escaped
from rulewright.tools.diffs.compare import Side
from rulewright.tools.diffs.describe import Description
from rulewright.tools.diffs.messages import GROUPS, WORDS, join
from rulewright.tools.diffs.names import Names, upper

WIDEST = 100


@frozen
class Line:
    """One change: the reason or the sentence, and details after a reason."""

    text: str
    details: tuple[str, ...] = ()


@frozen
class Sheet:
    """The contents of a sheet. `packs` are those that only the other side has, with version and reason."""

    title: str
    subtitles: tuple[str, ...]
    packs: tuple[tuple[str, str, str], ...]
    groups: tuple[tuple[str, tuple[Line, ...]], ...] = field(repr=False)
    nothing: str


def sheet(base: Side, other: Side, tellings: Sequence[Description], names: Names, title: str | None) -> Sheet:
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
    return Sheet(heading, tuple(subtitles), tuple(abouts), groups, words["same"])


def _called(side: Side, names: Names, pack: str) -> str:
    about = side.abouts.get(pack)
    return (names.text(about.name) if about is not None else "") or upper(pack.replace("-", " "))


def _reason(side: Side, names: Names, pack: str) -> str:
    about = side.abouts.get(pack)
    return names.text(about.text) if about is not None else ""


def _groups(tellings: Sequence[Description], language: str) -> dict[str, list[Line]]:
    """Group the lines; lines with the same reason are together, in the first of their groups."""
    groups: dict[str, list[Line]] = {group: [] for group in GROUPS}
    known: set[str] = set()
    for telling in tellings:
        if telling.reason:
            if telling.reason not in known:
                known.add(telling.reason)
                same = [one for one in tellings if one.reason == telling.reason and not one.said.quiet]
                groups[telling.group].append(Line(telling.reason, tuple(sentences(same, language))))
            continue
        if telling.said.quiet or telling.sentence(language) in known:
            continue
        same = [one for one in tellings if not one.reason and not one.said.quiet and _alike(one, telling)]
        known.update(one.sentence(language) for one in same)
        groups[telling.group].extend(map(Line, sentences(same, language)))
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

def as_text(found: Sheet, width: int) -> list[str]:
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


def as_markdown(found: Sheet) -> list[str]:
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
