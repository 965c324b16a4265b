"""`rulewright balance`: weigh the definitions of a pack in paired games."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from ruleset.common.nearest import nearest
from ruleset.common.terminal_text import json_text
from tools.common.display_texts import PackTexts
from tools.common.errors import CLEAN, FINDINGS, INTERRUPTED, Failure, Usage
from tools.common.output import say, say_data
from tools.common.progress import Progress
from tools.common.seats import RANDOM
from tools.packs import loading
from tools.packs.pack_set import with_more
from tools.simulation.execution.collector import ResultCollector
from tools.simulation.execution.local import cores, play_all
from tools.simulation.protocol import C, Work

if TYPE_CHECKING:
    from ruleset.program.nodes import Program
    from ruleset.table.nodes import TableProgram
    from tools.balance.output.report import Names
    from tools.balance.study import Study

NEEDED = ("numpy", "scipy", "altair", "vl_convert")
"""Modules of the extra."""
ENDINGS = (".html", ".md", ".json")


@frozen
class Arguments:
    """The arguments of the command. `seconds` is the budget; with `worlds`, the time does not matter."""

    pack: str
    players: int | None
    bot: str | None
    kinds: tuple[str, ...]
    options: tuple[str, ...]
    seed: int
    budget: float
    worlds: int | None
    jobs: int | None
    cluster: str | None
    form: str
    output: str | None
    as_json: bool
    versus: str | None = None
    check: bool = False
    expect: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


def balance(arguments: Arguments) -> int:
    """Weigh the definitions and show the report."""
    if arguments.expect:
        raise Usage("--expect requires --check")
    from tools.balance.output.report import report

    sides = 1 if arguments.versus is None else 2
    found, names = _studied(arguments, with_more(arguments.pack, arguments.more), sides)
    data = report(found, names)
    if arguments.versus is not None and not found.interrupted:
        from tools.balance.changes import changes
        from tools.balance.output.change_report import change_report

        other, other_names = _studied(arguments, arguments.versus, sides)
        data["change"] = change_report(changes(found, other), found, other, (names, other_names))
    _show(arguments, data)
    return INTERRUPTED if found.interrupted else CLEAN


def _studied(arguments: Arguments, pack: str, sides: int) -> tuple[Study, Names]:
    """Weigh the definitions of a pack, in its share of the time. `sides` is the number of packs in all."""
    from tools.balance.groups import first_groups
    from tools.balance.study import NothingToWeighError, Request, study

    program = loading.compile_pack(pack).program
    players = program.least_players if arguments.players is None else arguments.players
    table, _ = loading.table_noted(program, players, arguments.options)
    request = Request(
        table, seated_bot(arguments.bot, program), _kinds(arguments.kinds, program), arguments.seed,
        arguments.budget / sides, arguments.jobs or cores(), arguments.worlds, first_groups(program.expected),
    )  # fmt: skip
    try:
        return study(request, Runner(arguments, f"{pack}: " if sides > 1 else "")), names_of(table, program)
    except NothingToWeighError as error:
        raise Failure(f"there is nothing to weigh in {program.pack}: {error}", FINDINGS) from None


class Runner:
    """Plays work in processes or on a cluster, with progress."""

    def __init__(self, arguments: Arguments, of: str, unit: str = "paired game") -> None:
        self._arguments = arguments
        self._of = of
        self._unit = unit

    def __call__(self, work: Work[C], what: str) -> tuple[C, bool]:
        """See `tools.balance.study.Run`."""
        with Progress(work.games, unit=self._unit, about=self._of + what) as progress:
            collector = ResultCollector(work, progress)
            if self._arguments.cluster is None:
                interrupted = play_all(work, self._arguments.jobs or cores(), collector)
            else:
                from tools.simulation.execution.dask_cluster import play_on_cluster

                interrupted = play_on_cluster(work, self._arguments.cluster, collector)
        return collector.counts, interrupted


def ready(arguments: Arguments) -> None:
    """Refuse to begin if the extra is not installed, or the file cannot be written."""
    _installed()
    if arguments.output is not None:
        _writable(Path(arguments.output))


def _installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Usage(f"balance requires the package {missing[0]}; install it with: pip install 'rulewright[lab]'")


def _writable(file: Path) -> None:
    if file.suffix.lower() not in ENDINGS:
        raise Usage(f"-o requires a file name that ends in {', '.join(ENDINGS)}, not {str(file)!r}")
    if file.is_dir():
        raise Usage(f"-o {file} is a folder; name a file")
    if not file.parent.is_dir():
        raise Usage(f"-o {file}: folder {file.parent} not found")


def _text(name: str, data: dict[str, object]) -> str:
    """Return the text of a file, by the end of its name."""
    if name.lower().endswith(".html"):
        from tools.balance.output.page import html

        return html(data)
    if name.lower().endswith(".md"):
        from tools.balance.output.markdown import markdown

        return markdown(data)
    return json_text(data) + "\n"


def seated_bot(given: str | None, program: Program) -> str:
    """Return the bot in all seats: the named one, else the first of the pack, else empty for random players."""
    known = [bot.key for bot in program.bots]
    if given is None:
        return known[0] if known else ""
    if given == RANDOM:
        return ""
    if given not in known:
        near = nearest(given, (RANDOM, *known))
        hint = (
            f"did you mean {near}?"
            if near
            else "balance needs thousands of games, so bots that search are too slow"
        )
        raise Usage(f"unknown bot {given!r}: expected {', '.join((RANDOM, *known))}; {hint}")
    return given


def _kinds(given: tuple[str, ...], program: Program) -> tuple[str, ...]:
    known = [kind.key for kind in program.kinds]
    for kind in given:
        if kind not in known:
            near = nearest(kind, known)
            hint = f"; did you mean {near}?" if near else ""
            raise Usage(f"unknown kind {kind!r}: expected {', '.join(known)}{hint}")
    return given


def names_of(table: TableProgram, program: Program) -> Names:
    from tools.balance.output.report import Names

    texts = PackTexts(table, program)
    language = program.languages[0] if "en" not in program.languages and program.languages else "en"
    return Names(
        lambda one: texts.definition(language, one.kind, one.key) or one.key,
        lambda kind: texts.text(language, f"kind/{kind}") or kind,
        lambda group: dict(group.names).get(language) or next((name for _, name in group.names), group.key),
        lambda key: texts.text(language, key) or "",
    )


def _show(arguments: Arguments, data: dict[str, object]) -> None:
    """Print the report, and write it to a file if one is named."""
    from tools.balance.output.markdown import markdown

    if arguments.output is not None:
        Path(arguments.output).write_text(_text(arguments.output, data), encoding="utf-8")
    if arguments.as_json:
        say_data(data)
    elif arguments.form == "markdown":
        for line in markdown(data).splitlines():
            say(line)
    else:
        from tools.balance.output.terminal import parts
        from tools.common import plain_table

        plain_table.write(parts(data), sys.stdout)
        if arguments.output is not None:
            say(f"wrote {arguments.output}")
