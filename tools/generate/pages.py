"""Write generated pages, or check that they are up to date; shared by the generators of documentation."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

PART = re.compile(r"(<!-- begin ([a-z -]+) -->\n).*?(<!-- end -->)", re.DOTALL)
"""A generated part of a page that is otherwise written by hand."""


def renewed(text: str, part: Callable[[str], str]) -> str:
    """Return a page with updated parts, each generated from its name. Raises KeyError for an unknown part."""
    return PART.sub(lambda found: f"{found[1]}\n{part(found[2])}\n{found[3]}", text)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def update(module: str, pages: Mapping[Path, Callable[[], str]], arguments: Sequence[str]) -> int:
    """Write pages; with `--check`, only report those that are out of date. Returns the exit code of `module`."""
    if list(arguments) not in ([], ["--check"]):
        print(f"usage: python -m {module} [--check]", file=sys.stderr)
        return 2
    stale = 0
    for path, generate in pages.items():
        made = generate()
        if not arguments:
            path.write_text(made, "utf-8", newline="\n")
        elif not path.exists() or path.read_text("utf-8") != made:
            print(f"{path.name} is out of date; run `python -m {module}`", file=sys.stderr)
            stale = 1
    return stale
