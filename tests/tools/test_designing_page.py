"""docs/designing.md works, from its first line to its last; `pages` tells what its listings are.

One kind of listing is this page's own: ```` ```console long ````, simulations of so many games that only few of them
are played here, which must tell of the same things. `ALL_GAMES=1 pytest tests/tools/test_designing_page.py` plays
them all. Whole suites of scenarios are run without the shipped files that the page does not show: their own test has
them.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.tools.harness import CONTENT, ROOT, Run
from tests.tools.pages import Shown, commands, in_a_shell, listings, lost_links, missing, without_pace, write

PAGE = ROOT / "docs" / "designing.md"
FEW = "20"
"""How many games stand for a long simulation."""
COUNT = re.compile(r"\b(\d+) scenarios\b")
SEPARATOR = "\n---\n"
TITLE = re.compile(r"^scenario:", re.MULTILINE)


def test_the_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the page says is done in a new folder, and goes as it says."""
    monkeypatch.setenv("COLUMNS", "100")
    all_games = bool(os.environ.get("ALL_GAMES"))
    found = listings(PAGE)
    assert {listing.kind for listing in found} == {"yaml", "diff", "console", "sh"}
    for listing in found:
        if listing.kind in ("yaml", "diff"):
            write(listing, ("my-rattus", "fewer-rats"))
        elif listing.kind == "sh":
            for line in listing.text.splitlines():
                in_a_shell(run, line.partition("  #")[0], listing.place)
        else:
            for shown in commands(listing):
                compare(run, shown, listing.place, listing.more == "long", all_games)


def compare(run: Run, shown: Shown, place: str, long: bool, all_games: bool) -> None:
    """Runs a command and compares; lines of a long simulation, of few games, need not be neighbours."""
    arguments, lines = shown.arguments, shown.lines
    few = long and not all_games
    if few:
        at = arguments.index("-n") + 1
        arguments = (*arguments[:at], FEW, *arguments[at + 1 :])
    aside: list[tuple[Path, str]] = []
    if arguments[0] == "test" and "-k" not in arguments:
        lines, aside = set_aside(Path(arguments[1]), lines, place)
    ran = run(*arguments, typed=shown.typed)
    for path, text in aside:
        path.write_text(text, "utf-8")
    command = f"{place}: rulewright {shlex.join(arguments)}"
    assert ran.code == shown.code, f"{command}: exit code {ran.code}\n{ran.out}{ran.err}"
    if few:
        said = {heading(line) for line in ran.out.splitlines()}
        absent = [line for line in lines if line.strip() != "…" and heading(line) not in said]
        assert not absent, f"{command}: {absent}\n{ran.out}"
    else:
        apart = tuple(part for line in lines for part in ("…", line, "…")) if long else lines
        lost = missing(apart, ran.out + ran.err)
        assert lost is None, f"{command} does not print\n{lost}\nbut\n{ran.out}{ran.err}"


def heading(line: str) -> str:
    """What a line of a table is about, or a line of prose without its numbers."""
    words = re.split(r" {2,}", line.strip())
    return re.sub(r"[\d.,]+", "0", without_pace(words[0] if len(words) > 1 else line.strip()))


def set_aside(pack: Path, lines: tuple[str, ...], place: str) -> tuple[tuple[str, ...], list[tuple[Path, str]]]:
    """Blanks shipped scenarios that the page neither changes nor shows; the lines with the number of those left.

    Returns the files as they were, too.
    """
    shown = "\n".join(lines)
    aside: list[tuple[Path, str]] = []
    total = kept = 0
    for path in sorted((pack / "scenarios").rglob("*.yaml")):
        text, shipped = path.read_text("utf-8"), CONTENT / path.relative_to(pack)
        original = shipped.read_text("utf-8").split(SEPARATOR) if shipped.exists() else []
        wanted = {int(line) for line in re.findall(rf"{re.escape(str(path))}:(\d+)", shown)}
        left: list[str] = []
        at, some = 1, 0
        for document in text.split(SEPARATOR):
            after = at + document.count("\n") + 2
            known = document in original or f"{document}\n" in original
            keep = not known or bool(wanted & set(range(at, after)))
            left.append(document if keep else "#" + document.count("\n") * "\n#")
            at, some = after, some + keep
        total, kept = total + len(TITLE.findall(text)), kept + some
        if some < len(left):
            aside.append((path, text))
            if some:
                path.write_text("\n#\n".join(left) if some == 1 else SEPARATOR.join(left), "utf-8")
            else:
                path.unlink()
    counts = {int(found[1]) for found in COUNT.finditer(shown)}
    assert counts == {total}, f"{place}: the pack has {total} scenarios"
    return tuple(COUNT.sub(f"{kept} scenario{'' if kept == 1 else 's'}", line) for line in lines), aside


def test_links_lead_somewhere() -> None:
    assert not lost_links(PAGE)
