"""Generate the picture of the README from what the commands print.

`python -m rulewright.tools.generate.readme_picture` writes it, `--check` compares. `docs/picture.yaml` says what
its four panes show: a card, a finding in a misspelt copy of it, a table, and a simulation. The commands run on a
pseudo-terminal, so their colours are real; `terminal_svg` draws them. Requires a POSIX system.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from rich.ansi import AnsiDecoder
from rich.text import Text

from rulewright.tools.generate import pages
from rulewright.tools.generate.terminal_svg import Pane, picture

ROOT = Path(__file__).parents[2]
PLAN = ROOT / "docs" / "picture.yaml"
PICTURE = PLAN.with_suffix(".svg")
_PACE = re.compile(r" in [\d.,]+ s on .*")


def panes(plan: dict[str, Any], folder: Path) -> tuple[tuple[Pane, Pane], tuple[Pane, Pane]]:
    """Make the four panes, in two rows, in an empty folder."""
    shutil.copytree(ROOT / "content" / plan["game"], folder / plan["game"])
    left, right = plan["widths"]
    card, check, play, simulate = (plan[name] for name in ("card", "check", "play", "simulate"))
    answers = "".join(f"{answer}\n" for answer in play["answers"])
    table = last_question(run(play["command"], left, folder, answers), play["from"])
    simulated = results(run(simulate["command"], right, folder))
    path = folder / card["command"].split()[-1]
    text = path.read_text("utf-8")
    path.write_text(_replaced(text, *check["mistake"]), "utf-8")
    found = finding(run(check["command"], right, folder))
    return (
        (_pane(card, left, yaml_lines(text)), _pane(check, right, found)),
        (_pane(play, left, table), _pane(simulate, right, simulated)),
    )


def _pane(plan: dict[str, Any], columns: int, lines: Iterable[Text]) -> Pane:
    shown = (*prompt(plan["command"], columns), *lines)
    for line in shown:
        line.truncate(columns, overflow="ellipsis")
    return Pane(plan["caption"], columns, shown)


def _replaced(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"expected `{old}` once in the card")
    return text.replace(old, new)


def run(command: str, columns: int, folder: Path, typed: str = "") -> list[Text]:
    """Run a command with its standard output on a pseudo-terminal; return its lines in their colours."""
    _, *arguments = command.split()
    settings = {
        "COLUMNS": str(columns),
        "LC_ALL": "C.UTF-8",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "src"),
        "RULEWRIGHT_CACHE": str(folder / "cache"),
        "RULEWRIGHT_NO_SAVES": "1",
        "TERM": "xterm",
    }
    screen, terminal = os.openpty()
    words = [sys.executable, "-m", "rulewright", *arguments]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(words, stdin=pipe, stdout=terminal, stderr=nothing, cwd=folder, env=settings) as process:
        os.close(terminal)
        assert process.stdin is not None
        process.stdin.write(typed.encode())
        process.stdin.close()
        printed = b"".join(_chunks(screen))
    os.close(screen)
    return [_trimmed(line) for line in AnsiDecoder().decode(printed.decode().replace("\r\n", "\n"))]


def _chunks(screen: int) -> Iterator[bytes]:
    """Read a pseudo-terminal until its other side is closed, which Linux reports as an error."""
    while True:
        try:
            read = os.read(screen, 65536)
        except OSError:
            return
        if not read:
            return
        yield read


def _trimmed(line: Text) -> Text:
    line.rstrip()
    return line


def prompt(command: str, columns: int) -> Iterator[Text]:
    """The line in which a command is typed; its last option is on a line of its own if there is no room."""
    first, option, more = command.rpartition(" --") if len(command) + 2 > columns else (command, "", "")
    yield Text.assemble(("$ ", "dim"), (first, "bold"), (" \\" if option else "", "dim"))
    if option:
        yield Text(f"   {option}{more}", "bold")


def yaml_lines(text: str) -> Iterator[Text]:
    """Colour the keys of a YAML text."""
    for line in text.splitlines():
        shown = Text(line)
        shown.highlight_regex(r"^ *[\w-]+(?=:)", "cyan")
        yield shown


def finding(lines: Sequence[Text]) -> Sequence[Text]:
    """The first finding: the lines up to the first blank one."""
    return lines[: next(number for number, line in enumerate(lines) if not line.plain)]


def last_question(lines: Sequence[Text], start: str) -> list[Text]:
    """The last table, from a line on, and the question below it."""
    first = max(number for number, line in enumerate(lines) if line.plain == start)
    end = next(number for number in range(first, len(lines)) if lines[number].plain == ">")
    return [Text("…", "dim"), *lines[first : end + 1]]


def results(lines: Sequence[Text]) -> list[Text]:
    """All lines, without how long the simulation took and on what."""
    return [line[: found.start()] if (found := _PACE.search(line.plain)) else line for line in lines]


def generated() -> str:
    """Generate the picture."""
    plan = yaml.safe_load(PLAN.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        return picture(panes(plan, Path(folder)), plan["about"])


def main(arguments: Sequence[str]) -> int:
    """Write the picture; with `--check`, only report whether it is up to date."""
    return pages.update("rulewright.tools.generate.readme_picture", {PICTURE: generated}, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
