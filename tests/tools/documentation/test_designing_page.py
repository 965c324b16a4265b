"""docs/tutorial/designers-first-hour.md works from the first line to the last.

One kind of listing is this page's own: ```` ```console long ````. Its command plays thousands of games; only a few
are played here, and the output must have the same lines, with other numbers. With `ALL_GAMES=1`, all are. Whole
suites of scenarios are run without the shipped files that the page does not show: their own test has them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from attrs import evolve

from tests.tools.harness import CONTENT, ROOT, Run
from tests.tools.pages import Shown, commands, compare, in_a_shell, listings, without_pace, write

PAGE = ROOT / "docs" / "tutorial" / "designers-first-hour.md"
FEW = {"-n": "20", "--worlds": "100"}
"""How many games, or worlds of a comparison, stand for many, by option."""
COUNT = re.compile(r"\b(?:(\d+) failed, )?(\d+) passed\b")
SEPARATOR = "\n---\n"
TITLE = re.compile(r"^scenario:", re.MULTILINE)


@pytest.mark.slow
def test_the_page(run: Run, machine_code: None, monkeypatch: pytest.MonkeyPatch) -> None:
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
                if listing.more == "long":
                    compare_long(run, shown, listing.place, all_games)
                else:
                    compare_some(run, shown, listing.place)


def compare_long(run: Run, shown: Shown, place: str, all_games: bool) -> None:
    """Compares a long simulation: all of it, or with few games; its lines need not be neighbours."""
    if all_games:
        apart = tuple(part for line in shown.lines for part in ("…", line, "…"))
        compare(run, evolve(shown, lines=apart), place)
        return
    option = next(one for one in FEW if one in shown.arguments)
    at = shown.arguments.index(option) + 1
    ran = run(*shown.arguments[:at], FEW[option], *shown.arguments[at + 1 :])
    said = {heading(line) for line in ran.out.splitlines()}
    absent = [line for line in shown.lines if line.strip() != "…" and heading(line) not in said]
    assert ran.code == shown.code and not absent, f"{place}: {absent}\n{ran.out}{ran.err}"


def compare_some(run: Run, shown: Shown, place: str) -> None:
    """Compares a command, of whole suites only with the scenarios that are the page's own."""
    lines, aside = shown.lines, list[tuple[Path, str]]()
    if shown.arguments[0] == "test" and "-k" not in shown.arguments:
        lines, aside = set_aside(Path(shown.arguments[1]), lines, place)
    compare(run, evolve(shown, lines=lines), place)
    for path, text in aside:
        path.write_text(text, "utf-8")


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
    counts = {int(found[1] or 0) + int(found[2]) for found in COUNT.finditer(shown)}
    assert counts == {total}, f"{place}: the pack has {total} scenarios"
    return tuple(COUNT.sub(lambda found: _counted(kept, int(found[1] or 0)), line) for line in lines), aside


def _counted(kept: int, failed: int) -> str:
    """The last line of a test of so many scenarios."""
    parts = ((failed, "failed"), (kept - failed, "passed"))
    return ", ".join(f"{number} {result}" for number, result in parts if number)
