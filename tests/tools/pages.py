"""Run the pages of the documentation from the first line to the last, in one folder.

What a listing is, its fence says:

- ```` ```yaml FILE ````: the whole text of a file, which is written; `FILE, at the end`: what is added to it;
- ```` ```diff FILE ````: lines of a file that change, in parts between which `…` stands;
- ```` ```console ````: commands behind `$ `, with `# exit code 1` if it is not 0, and what they print, where `…`
  alone on a line stands for what the page leaves out; behind `> ` stands what is typed;
- ```` ```sh ````: commands whose output is not shown, and copies of shipped files.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.request import urlopen

from attrs import frozen

from tests.tools.harness import ROOT, Run

AT_THE_END = ", at the end"
_PIECE = re.compile(r"^## ([^\n]+)$|^```(\S+)(?: ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r" +# exit code (\d)$")
_PACE = re.compile(r"in [\d.,]+ s on \w+: [\d.,]+ games/s")
_PROGRESS = re.compile(r"[\d,]+ of [\d,]+ games?(, .*)?$")
_FAR = re.compile(r"seen in [\d,]+ positions?")
_SET_UP = (". .venv/bin/activate", "mkdir games && cd games")


@frozen
class Listing:
    """A listing: its kind, what else its fence says, its text, its place, and the heading under which it stands."""

    kind: str
    more: str
    text: str
    place: str
    section: str


@frozen
class Shown:
    """A command of a page: its arguments, its exit code, what is typed, and lines of what it prints."""

    arguments: tuple[str, ...]
    code: int
    typed: str
    lines: tuple[str, ...]


def listings(page: Path) -> list[Listing]:
    """All listings of a page, in order."""
    text = page.read_text("utf-8")
    found: list[Listing] = []
    section = ""
    for piece in _PIECE.finditer(text):
        line = text.count("\n", 0, piece.start()) + 1
        section = piece[1] or section
        if not piece[1]:
            found.append(Listing(piece[2], piece[3] or "", piece[4], f"{page.name}:{line}", section))
    return found


def commands(listing: Listing) -> Iterator[Shown]:
    """The commands of a `console` listing."""
    for part in re.split(r"^\$ ", listing.text, flags=re.MULTILINE)[1:]:
        first, *lines = part.splitlines()
        code = _CODE.search(first)
        program, *arguments = shlex.split(_CODE.sub("", first))
        assert program == "rulewright", f"{listing.place}: {first}"
        typed = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
        told = tuple(line for line in lines if not line.startswith("> "))
        yield Shown(tuple(arguments), int(code[1]) if code else 0, typed, told)


def write(listing: Listing, folders: tuple[str, ...]) -> None:
    """Writes a file of one of these folders, adds to it, or changes lines of it."""
    path = Path(listing.more.removesuffix(AT_THE_END))
    assert path.parts and path.parts[0] in folders, f"{listing.place}: the listing does not say its file"
    if listing.kind == "diff":
        _change(path, listing)
    elif listing.more.endswith(AT_THE_END):
        path.write_text(path.read_text("utf-8") + listing.text, "utf-8")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(listing.text, "utf-8")


def _change(path: Path, listing: Listing) -> None:
    """Takes the lines of each part of a diff out of a file and puts its others there."""
    whole = path.read_text("utf-8")
    for part in _blocks(tuple(listing.text.splitlines())):
        old, new = ("".join(f"{line[1:]}\n" for line in part or () if line[0] in sides) for sides in (" -", " +"))
        assert part is None or whole.count(old) == 1, (
            f"{listing.place}: {path} has no such lines, or has them twice"
        )
        whole = whole.replace(old, new) if part else whole
    path.write_text(whole, "utf-8")


def in_a_shell(run: Run, line: str, place: str) -> None:
    """A line without output: a command of ours, a copy of what is shipped, or a line of the set-up.

    The folder of the reader, `games`, stands beside `content`.
    """
    program, *arguments = shlex.split(line)
    if program == "rulewright" and arguments[0] == "serve":
        served(arguments, Path.cwd())
    elif program == "rulewright":
        ran = run(*arguments, typed="q\n")
        assert ran.code == 0, f"{place}: {line}: {ran.out}{ran.err}"
    elif program == "cp":
        *sources, target = (argument for argument in arguments if argument != "-r")
        for source in sources:
            _copy(ROOT / source.removeprefix("../"), Path(target), place)
    elif program == "python3":
        assert line in (ROOT / "README.md").read_text("utf-8"), f"{place}: {line}"
    else:
        assert line in _SET_UP, f"{place}: {line}"


def served(arguments: Sequence[str], folder: Path) -> None:
    """`rulewright serve` says where it is, and answers there. It runs on its own: it never ends by itself."""
    command = [sys.executable, "-m", "rulewright", *arguments, "--no-open", "--port", "0", "--data", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as server:
        assert server.stdout is not None
        try:
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address is not None
            with urlopen(address[0], timeout=30) as reply:
                assert reply.status == 200
        finally:
            server.kill()


def _copy(source: Path, folder: Path, place: str) -> None:
    """A file or a folder goes into a folder that is there, as `cp -r` has it."""
    assert folder.is_dir() and source.is_relative_to(ROOT / "content"), place
    if source.is_dir():
        shutil.copytree(source, folder / source.name, dirs_exist_ok=True)
    else:
        shutil.copy(source, folder)


def compare(run: Run, shown: Shown, place: str) -> None:
    """Runs a command and compares its exit code and what it prints."""
    ran = run(*shown.arguments, typed=shown.typed)
    command = f"{place}: rulewright {shlex.join(shown.arguments)}"
    assert ran.code == shown.code, f"{command}: exit code {ran.code}\n{ran.out}{ran.err}"
    lost = missing(shown.lines, ran.out + without_places(ran.err))
    assert lost is None, f"{command} does not print\n{lost}\nbut\n{ran.out}{ran.err}"


def without_places(err: str) -> str:
    """Return stderr without lines that depend on this run: progress, and which packs hide shipped ones."""
    lines = [line for line in err.splitlines(True) if not _PROGRESS.match(line)]
    return "".join(line for line in lines if not line.endswith(", not the shipped pack\n"))


def without_pace(line: str) -> str:
    """A line without how quick a simulation was, or how far a search came in its time."""
    return _FAR.sub("seen in so many positions", _PACE.sub("", line.rstrip()))


def missing(shown: tuple[str, ...], printed: str) -> str | None:
    """The first block of shown lines, between two `…`, that does not come next in what was printed."""
    lines = [without_pace(line).removeprefix("> ") for line in printed.splitlines()]
    at, apart = 0, False
    for block in _blocks(tuple(without_pace(line) for line in shown)):
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
