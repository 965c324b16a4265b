"""`rulewright validate`: what is wrong with packs, or with some files of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ruleset.diagnostic import Diagnostic
from ruleset.files import PackFiles
from ruleset.render import Format, counts, render
from tools import packs
from tools.failure import CLEAN, FINDINGS, Usage
from tools.style import style_for


def validate(paths: Sequence[str], form: Format = "full") -> int:
    """Prints the findings about what the paths ask for; the exit code says whether there are errors."""
    findings: list[Diagnostic] = []
    sources: dict[str, str] = {}
    names: list[str] = []
    files = elsewhere = 0
    targets = packs.targets(paths)
    for target in targets:
        read = packs.read(target.root)
        places = _places(target, read)
        checked = packs.check(read)
        own = [item for item in checked.findings if not places or _touches(item, places)]
        findings.extend(own)
        elsewhere += counts(checked.findings)[0] - counts(own)[0]
        sources.update(checked.sources)
        names.append(checked.pack or packs.shown(target.root))
        files += len(read.files)
    style = style_for(sys.stdout)
    sys.stdout.write(render(findings, sources, form, style))
    if form == "full":
        if not findings:
            what = ", ".join(names) or "no pack"
            line = f"{what}: no findings in {files} {'file' if files == 1 else 'files'}"
            if any(target.parts for target in targets):
                line = f"{', '.join(paths)}: no findings"
            sys.stdout.write((style("clean", line) if style else line) + "\n")
        if elsewhere:
            sys.stdout.write(f"({_errors(elsewhere)} elsewhere in {', '.join(names)})\n")
    return FINDINGS if counts(findings)[0] else CLEAN


def _errors(number: int) -> str:
    return "1 error" if number == 1 else f"{number} errors"


def _places(target: packs.Target, read: PackFiles) -> tuple[str, ...]:
    """The parts of a target as the pack's files are named in findings."""
    shown = packs.shown(target.root)
    lead = "" if shown == "." else f"{shown}/"
    known = [name for name, _ in read.files] + [item.span.path for item in read.found]
    places = tuple(f"{lead}{part}" for part in target.parts)
    for place, part in zip(places, target.parts, strict=True):
        if not any(_within(name, place) for name in known):
            what = "holds none" if place.endswith("/") else "is none"
            raise Usage(f"{target.root / part} {what} of the pack's rules, which are its *.yaml files")
    return places


def _touches(item: Diagnostic, places: Sequence[str]) -> bool:
    """Whether a finding is in one of the places, or involves one."""
    paths = [item.span.path, *(label.span.path for label in item.labels)]
    return any(_within(path, place) for path in paths for place in places)


def _within(path: str, place: str) -> bool:
    return path == place or (place.endswith("/") and path.startswith(place))
