"""Links between the pages of this repository."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs.listings import ROOT

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_IN_CODE = re.compile(r"(`+)[^`].*?\1")
_ID = re.compile(r'<a id="([^"]+)">')
_FENCE = re.compile(r" *(`{3,})")


def pages() -> list[Path]:
    """All Markdown pages of the repository, without hidden folders."""
    found = (path for path in ROOT.rglob("*.md") if not _hidden(path))
    return sorted(found)


def sources() -> list[Path]:
    """All text files that may name a page of the documentation."""
    endings = {".md", ".py", ".yaml", ".yml", ".toml", ".json", ".c", ".h"}
    found = (path for path in ROOT.rglob("*") if path.suffix in endings and not _hidden(path))
    return sorted(path for path in found if path.is_file())


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(ROOT).parts[:-1])


def links(page: Path) -> list[str]:
    """The targets of a page's relative links, as written."""
    found = (match[1] for line in _prose(page) for match in _LINK.finditer(_IN_CODE.sub("", line)))
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def is_there(page: Path, target: str) -> bool:
    """Whether the file of a link exists and, if the link has an anchor, has that heading."""
    path, _, anchor = target.partition("#")
    there = page.parent / path if path else page
    return there.exists() and (not anchor or anchor in anchors(there.resolve()))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page: those that GitHub gives its headings, and the ones it sets itself."""
    found: set[str] = set()
    seen: Counter[str] = Counter()
    for line in _prose(page):
        found.update(_ID.findall(line))
        if re.match(r"#{1,6} ", line):
            slug = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
            found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
            seen[slug] += 1
    return frozenset(found)


def _prose(page: Path) -> Iterator[str]:
    """The lines of a page outside of its listings."""
    fence = ""
    for line in page.read_text("utf-8").splitlines():
        mark = _FENCE.match(line)
        if not fence and mark:
            fence = mark[1]
        elif fence and line.strip() == fence:
            fence = ""
        elif not fence:
            yield line
