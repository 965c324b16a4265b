"""docs/designing.md works, from its first line to its last.

The page is gone through in its order, in one folder. What a listing is, its fence says:

- ```` ```yaml FILE ````: the whole text of a file, which is written;
- ```` ```diff FILE ````: lines of a file that change;
- ```` ```console ````: commands behind `$ `, with `# exit code 1` if it is not 0, and what they print, where `…`
  alone on a line stands for what the page leaves out; behind `> ` stands what is typed;
- ```` ```console long ````: the same of simulations of so many games that only few of them are played here, which
  must tell of the same things. `ALL_GAMES=1 pytest tests/tools/test_designing_page.py` plays them all;
- ```` ```sh ````: commands whose output is not shown.

Whole suites of scenarios are run without the shipped files that the page does not show: their own test has them.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from tests.tools.harness import CONTENT, ROOT, Run

PAGE = ROOT / "docs" / "designing.md"
FENCE = re.compile(r"^```(\S+)(?: ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PACE = re.compile(r"in [\d.,]+ s on python: [\d.,]+ games/s")
CODE = re.compile(r" +# exit code (\d)$")
FEW = "20"
"""How many games stand for a long simulation."""
COUNT = re.compile(r"\b(\d+) scenarios\b")
SEPARATOR = "\n---\n"
TITLE = re.compile(r"^scenario:", re.MULTILINE)


@frozen
class Listing:
    """A listing: its kind, what else its fence says, its text and its line."""

    kind: str
    more: str
    text: str
    line: int


@frozen
class Shown:
    """A command of the page: its arguments, its exit code, what is typed, and lines of what it prints."""

    arguments: tuple[str, ...]
    code: int
    typed: str
    lines: tuple[str, ...]


def listings() -> list[Listing]:
    text = PAGE.read_text("utf-8")
    return [
        Listing(found[1], found[2] or "", found[3], text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
    ]


def commands(listing: Listing) -> Iterator[Shown]:
    """The commands of a `console` listing."""
    for part in re.split(r"^\$ ", listing.text, flags=re.MULTILINE)[1:]:
        first, *lines = part.splitlines()
        code = CODE.search(first)
        program, *arguments = shlex.split(CODE.sub("", first))
        assert program == "rulewright", f"{PAGE.name}:{listing.line}: {first}"
        typed = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
        told = tuple(line for line in lines if not line.startswith("> "))
        yield Shown(tuple(arguments), int(code[1]) if code else 0, typed, told)


def missing(shown: tuple[str, ...], printed: str) -> str | None:
    """The first block of shown lines, between two `…`, that does not come next in what was printed."""
    lines = [PACE.sub("", line.rstrip()) for line in printed.splitlines()]
    lines = [line.removeprefix("> ") for line in lines]
    at, apart = 0, False
    for block in _blocks(tuple(PACE.sub("", line.rstrip()) for line in shown)):
        if block is None:
            apart = True
            continue
        places = (place for place in range(at, len(lines)) if lines[place : place + len(block)] == block)
        place = next(places, None)
        if place is None or (place > at and not apart):
            return "\n".join(block)
        at, apart = place + len(block), False
    return None if apart or at == len(lines) or not shown else "(nothing), where more was printed: " + lines[at]


def _blocks(shown: tuple[str, ...]) -> Iterator[list[str] | None]:
    block: list[str] = []
    for line in shown:
        if line.strip() == "…":
            if block:
                yield block
            yield None
            block = []
        else:
            block.append(line)
    if block:
        yield block


def test_the_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the page says is done in a new folder, and goes as it says."""
    monkeypatch.setenv("COLUMNS", "100")
    all_games = bool(os.environ.get("ALL_GAMES"))
    found = listings()
    assert {listing.kind for listing in found} == {"yaml", "diff", "console", "sh"}
    for listing in found:
        place = f"{PAGE.name}:{listing.line}"
        if listing.kind == "yaml":
            path = Path(listing.more)
            assert path.parts[0] in ("my-rattus", "fewer-rats"), f"{place}: a listing in YAML says its file"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(listing.text, "utf-8")
        elif listing.kind == "diff":
            change(Path(listing.more), listing.text, place)
        elif listing.kind == "sh":
            for line in listing.text.splitlines():
                in_a_shell(run, line.partition("  #")[0], place)
        else:
            for shown in commands(listing):
                compare(run, shown, place, listing.more == "long", all_games)


def change(path: Path, text: str, place: str) -> None:
    """Takes the lines of a diff out of a file and puts its others there."""
    lines = text.splitlines()
    old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
    new = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
    whole = path.read_text("utf-8")
    assert whole.count(old) == 1, f"{place}: {path} has no such lines"
    path.write_text(whole.replace(old, new), "utf-8")


def in_a_shell(run: Run, line: str, place: str) -> None:
    """A line without output: a command of ours, or one of the set-up, which README has as well."""
    program, *arguments = shlex.split(line)
    if program == "rulewright":
        ran = run(*arguments, typed="q\n")
        assert ran.code == 0, f"{place}: {line}: {ran.out}{ran.err}"
    elif program == "python3":
        assert line in (ROOT / "README.md").read_text("utf-8"), f"{place}: {line}"
    else:
        assert line in (". .venv/bin/activate", "mkdir games && cd games"), f"{place}: {line}"


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
    return re.sub(r"[\d.,]+", "0", PACE.sub("", words[0] if len(words) > 1 else line.strip()))


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


def test_what_is_left_out_is_marked() -> None:
    """Of the comparison itself."""
    printed = "one\ntwo\nthree\n> four\n"
    for good in ("one\n…", "…\nfour", "one\n…\nthree\nfour", "…\ntwo\n…", "…", ""):
        assert missing(tuple(good.splitlines()), printed) is None, good
    for bad in ("one", "two\n…", "one\nthree\n…", "…\nthree\n…\ntwo\n…", "five\n…", "one\n…\nthree"):
        assert missing(tuple(bad.splitlines()), printed) is not None, bad


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", PAGE.read_text("utf-8"))
    assert targets
    for target in targets:
        path, _, anchor = target.partition("#")
        page = PAGE.parent / path if path else PAGE
        assert page.exists(), target
        anchors = {
            re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).strip().replace(" ", "-")
            for line in page.read_text("utf-8").splitlines()
            if line.startswith("#")
        }
        assert not anchor or anchor in anchors, target
