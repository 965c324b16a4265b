"""`rulewright validate`: report the findings in packs, or in some of their files.

For files, the whole pack is checked. The report has the findings in these files, and those elsewhere that the files
cause: findings with a label in these files (the place of a declaration), and findings that are absent or worded
differently when the pack is checked without these files. After removing a declaration, check the whole pack, since
the file no longer shows what is missing. A line counts the errors that are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from attrs import evolve, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Suppressed
from rulewright.ruleset.findings.catalogue import entry
from rulewright.ruleset.findings.render import counts, render_report
from rulewright.ruleset.findings.report import PackReport, Report
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools import VERSION
from rulewright.tools.common.errors import CLEAN, FINDINGS, Usage
from rulewright.tools.common.output import harmless, many, say, style_for
from rulewright.tools.packs import discovery, loading
from rulewright.tools.packs.findings_cache import CachedFindings
from rulewright.tools.packs.pack_set import PackSet, names_of


def validate(
    paths: Sequence[str],
    form: str = "full",
    strict: bool = False,
    more: Sequence[str] = (),
    of_shipped: bool = False,
) -> int:
    """Print the findings about the paths, each checked together with `more` packs.

    Without paths, check the pack or packs here; `of_shipped` adds the shipped packs.

    Return 1 if there are errors or, with `strict`, any findings.
    """
    targets: list[loading.CheckTarget] = []
    asked: list[_Asked] = []
    for several in ([path] for path in paths) if any("+" in path for path in paths) else [paths]:
        first, *others = names_of(several[0]) if several else ("",)
        for target in loading.targets([first] if others else several, of_shipped and not asked):
            targets.append(target)
            asked.append(_asked(target, (*others, *more)))
    discovery.report(target.root for target in targets)
    report = Report(tuple(one.report for one in asked), strict, VERSION)
    style = style_for(sys.stdout)
    sys.stdout.write(render_report(report, form, style))
    errors, warnings = report.counts
    if form == "full":
        names = ", ".join(one.report.name for one in asked) or "no packs"
        if not report.findings:
            line = f"{names}: no findings in {many(sum(len(one.report.files) for one in asked), 'file')}"
            if any(target.parts for target in targets):
                line = f"{', '.join(paths)}: no findings"
            line = harmless(line)
            sys.stdout.write((style("clean", line) if style else line) + "\n")
        if report.suppressed:
            say(f"{many(len(report.suppressed), 'warning')} allowed by comments")
        elsewhere = sum(one.elsewhere for one in asked)
        if elsewhere:
            say(f"{many(elsewhere, 'more error')} in other files of {names}")
    return FINDINGS if errors or (strict and warnings) else CLEAN


@frozen
class _Asked:
    """The report about a pack, and the number of errors left out."""

    report: PackReport
    elsewhere: int


def _asked(target: loading.CheckTarget, more: Sequence[str]) -> _Asked:
    read = loading.read(target.root)
    others = [loading.read(loading.find(name)) for name in more]
    places = _places(target, read)
    together = loading.pack_set_of((read, *others))
    checked = loading.check(together)
    files = [name for one in together.asked for name, _ in one.files]
    findings, suppressed = own(checked, together)
    if places:
        findings = _caused(checked, together, places)
        suppressed = tuple(item for item in suppressed if _touches(item.finding, places))
        files = [name for name in files if _any_within(name, places)]
    elsewhere = counts(checked.findings)[0] - counts(findings)[0]
    name = checked.pack or loading.shown(target.root)
    omitted = tuple(one for one in checked.omitted if not places or _any_within(one[0], places))
    left_out = tuple(one for one in checked.skipped if not places or _any_within(one.span.path, places))
    report = PackReport(
        name, tuple(files), findings, suppressed, checked.sources, (), checked.owners, checked.unchecked,
        omitted, left_out,
    )  # fmt: skip
    return _Asked(report, elsewhere)


def _places(target: loading.CheckTarget, read: PackFiles) -> tuple[str, ...]:
    """Return the parts of a target as paths in findings."""
    shown = loading.shown(target.root)
    lead = "" if shown == "." else f"{shown}/"
    known = [name for name, _ in read.files] + [item.span.path for item in read.found]
    places = tuple(f"{lead}{part}" for part in target.parts)
    for place, part in zip(places, target.parts, strict=True):
        if not any(_within(name, place) for name in known):
            what = "has no" if place.endswith("/") else "is not a"
            raise Usage(f"{target.root / part} {what} rules file; rules files end in .yaml or .yml")
    return places


def own(checked: CachedFindings, together: PackSet) -> tuple[tuple[Diagnostic, ...], tuple[Suppressed, ...]]:
    """Return all errors, and the warnings about named packs; other packs' warnings are for their authors."""
    if not together.needed:
        return checked.findings, checked.suppressed
    own = [name for one in together.asked for name, _ in one.files]
    kept = (item for item in checked.findings if entry(item.code).severity == "error" or _touches(item, own))
    return tuple(kept), tuple(item for item in checked.suppressed if _touches(item.finding, own))


def _caused(checked: CachedFindings, together: PackSet, places: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Return the findings in the places, and those elsewhere that disappear without the files in these places."""
    touching = {item for item in checked.findings if _touches(item, places)}
    if len(touching) < len(checked.findings):
        first, *more = together.asked
        rest = tuple((name, data) for name, data in first.files if not _any_within(name, places))
        without = loading.check(evolve(together, asked=(evolve(first, files=rest), *more)), "all")
        before = {_told(item) for item in without.findings}
        touching.update(item for item in checked.findings if _told(item) not in before)
    return tuple(item for item in checked.findings if item in touching)


def _told(item: Diagnostic) -> tuple[object, ...]:
    """Identify a finding, ignoring parts that may vary, such as the suggested name."""
    return item.code, item.span, item.message


def _touches(item: Diagnostic, places: Sequence[str]) -> bool:
    """Whether a finding or one of its labels is in one of the places."""
    return any(_any_within(span.path, places) for span in (item.span, *(label.span for label in item.labels)))


def _any_within(path: str, places: Sequence[str]) -> bool:
    return any(_within(path, place) for place in places)


def _within(path: str, place: str) -> bool:
    return path == place or (place.endswith("/") and path.startswith(place))
