"""`rulewright balance`: weigh the definitions of a pack in paired games."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.terminal_text import json_text
from rulewright.tools.balance.checking import (
    CheckedTable,
    CheckRequest,
    check_report,
    markdown_of_check,
    measure,
    parts,
    present,
    verdicts,
    weight,
)
from rulewright.tools.balance.output.report import (
    EXTRA,
    chosen_field,
    chosen_kinds,
    missing_package,
    names_of,
    seated_bot,
)
from rulewright.tools.common import output
from rulewright.tools.common.errors import CLEAN, FINDINGS, INTERRUPTED, Failure, Usage, check_replaceable
from rulewright.tools.common.output import say, say_data
from rulewright.tools.common.progress import Progress
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.simulation.execution.local import cores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulewright.ruleset.program.nodes import Program
    from rulewright.ruleset.program.scenario import ExpectedTable
    from rulewright.tools.balance.output.report import ReportNames
    from rulewright.tools.balance.study import Runner, Study


ENDINGS = (".html", ".md", ".json")


@frozen
class BalanceArguments:
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
    free: str | None = None
    versus: str | None = None
    check: bool = False
    expect: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


def balance(arguments: BalanceArguments) -> int:
    """Weigh the definitions and show the report."""
    if arguments.expect:
        raise Usage("--expect requires --check")
    from rulewright.tools.balance.output.report import report

    sides = 1 if arguments.versus is None else 2
    pack = with_more(arguments.pack, arguments.more)
    program = loading.compile_pack(pack).program
    free = None if arguments.free is None else chosen_field(arguments.free, program)
    found, names = _studied(arguments, pack, program, sides)
    data, interrupted = report(found, names), found.interrupted
    if free is not None and not interrupted:
        data["free"], interrupted = _free(arguments, program, free, found)
    if arguments.versus is not None and not interrupted:
        from rulewright.tools.balance.output.sentences import change_report, changes

        changed = loading.compile_pack(arguments.versus).program
        other, other_names = _studied(arguments, arguments.versus, changed, sides)
        data["change"] = change_report(changes(found, other), found, other, (names, other_names))
        interrupted = other.interrupted
    data["interrupted"] = interrupted
    _show(arguments, data)
    return INTERRUPTED if interrupted else CLEAN


def _studied(arguments: BalanceArguments, pack: str, program: Program, sides: int) -> tuple[Study, ReportNames]:
    """Weigh the definitions of a pack, in its share of the time. `sides` is the number of packs in all."""
    from rulewright.tools.balance.study import NothingToWeighError, StudyRequest, study
    from rulewright.tools.balance.subjects import first_groups

    players = program.least_players if arguments.players is None else arguments.players
    table, _ = loading.table_noted(program, players, arguments.options)
    request = StudyRequest(
        table, seated_bot(arguments.bot, program), chosen_kinds(arguments.kinds, program), arguments.seed,
        arguments.budget / sides, arguments.jobs or cores(), arguments.worlds, first_groups(program.expected),
    )  # fmt: skip
    try:
        return study(request, runner(arguments, f"{pack}: " if sides > 1 else "")), names_of(table, program)
    except NothingToWeighError as error:
        raise Failure(f"there is nothing to weigh in {program.pack}: {error}", FINDINGS) from None


def _free(
    arguments: BalanceArguments, program: Program, field: str, found: Study
) -> tuple[dict[str, object], bool]:
    """Weigh the definitions of the first pack where a number of them is 0; also tell whether that was stopped."""
    from rulewright.tools.balance.output.report import free_report
    from rulewright.tools.balance.study import without_cost

    worth, interrupted = without_cost(found, program, arguments.options, field, runner(arguments, ""))
    return free_report(field, worth), interrupted


def runner(arguments: BalanceArguments, of: str, unit: str = "paired game") -> Runner:
    """Return what plays in processes or on a cluster, with progress. `of` begins the name of what is played."""
    from rulewright.tools.balance.study import Runner

    def progress(games: int, what: str) -> Progress:
        return Progress(games, unit=unit, about=of + what)

    return Runner(arguments.jobs or cores(), progress, arguments.cluster)


def ready(arguments: BalanceArguments) -> None:
    """Refuse to begin if the extra is not installed, or the file cannot be written."""
    _installed()
    if arguments.output is not None:
        _writable(Path(arguments.output))


_EARLIER = {
    ".html": rb".*<title>Balance of ",
    ".md": rb"# (Balance|Expectations) of ",
    ".json": rb'\s*\{.*"rulewright":',
}
"""How each report begins, by the ending of its file."""


def _installed() -> None:
    missing = missing_package()
    if missing is not None:
        raise Usage(f"balance requires the package {missing}; install it with: pip install '{EXTRA}'")


def _writable(file: Path) -> None:
    if file.suffix.lower() not in ENDINGS:
        raise Usage(f"-o requires a file name that ends in {', '.join(ENDINGS)}, not {str(file)!r}")
    if file.is_dir():
        raise Usage(f"-o {file} is a folder; name a file")
    if not file.parent.is_dir():
        raise Usage(f"-o {file}: folder {file.parent} not found")
    check_replaceable(file, "-o", _EARLIER[file.suffix.lower()])


def _text(name: str, data: dict[str, object]) -> str:
    """Return the text of a file, by the end of its name."""
    if name.lower().endswith(".html"):
        from rulewright.tools.balance.output.page import html

        return html(data)
    if name.lower().endswith(".md"):
        from rulewright.tools.balance.output.markdown import markdown

        return markdown(data)
    return json_text(data) + "\n"


def _show(arguments: BalanceArguments, data: dict[str, object]) -> None:
    """Print the report, and write it to a file if one is named."""
    from rulewright.tools.balance.output.markdown import markdown

    if arguments.output is not None:
        Path(arguments.output).write_text(_text(arguments.output, data), encoding="utf-8")
    if arguments.as_json:
        say_data(data)
    elif arguments.form == "markdown":
        for line in markdown(data).splitlines():
            say(line)
    else:
        from rulewright.tools.balance.output.markdown import parts
        from rulewright.tools.common import output as plain_table

        plain_table.write(parts(data), sys.stdout)
        if arguments.output is not None:
            say(f"wrote {arguments.output}")


# ---- `rulewright balance --check`: compare games with what a pack expects of them

def check(arguments: BalanceArguments) -> int:
    """Play the table of each document, and say what held. The exit code is 1 if anything failed."""
    _refuse(arguments)
    program = loading.compile_pack(with_more(arguments.pack, arguments.more)).program
    chosen = _documents(program, arguments.expect)
    tables: list[CheckedTable] = []
    ends = time.monotonic() + arguments.budget
    while len(tables) < len(chosen) and not (tables and tables[-1].found.interrupted):
        expected, *later = chosen[len(tables) :]
        share = weight(expected) / sum(map(weight, (expected, *later)))
        seconds = max(0.0, ends - time.monotonic()) * share
        tables.append(_checked(arguments, program, expected, seconds))
    data = check_report(tables, len(chosen) - len(tables))
    _show_check(arguments, data)
    if data["interrupted"]:
        return INTERRUPTED
    return FINDINGS if data["failed"] else CLEAN


def _refuse(arguments: BalanceArguments) -> None:
    """Refuse arguments that mean nothing to a check."""
    if arguments.kinds:
        raise Usage("--kind cannot be used with --check: the pack's expect documents say what is checked")
    if arguments.versus is not None:
        raise Usage("--versus cannot be used with --check: check each pack by itself")
    if arguments.output is not None and arguments.output.lower().endswith(".html"):
        raise Usage("--check writes .md or .json, not .html")


def _documents(program: Program, wanted: Sequence[str]) -> tuple[ExpectedTable, ...]:
    """Return the documents that are asked for: all that expect anything, or those that are named."""
    known = {one.key: one for one in program.expected if one.expectations}
    if not known:
        raise Usage(
            f"{program.pack} has no expect document; begin with: rulewright new expect NAME --in {program.pack}"
        )
    for key in wanted:
        if key not in known:
            near = nearest(key, known)
            hint = f"; did you mean {near}?" if near else ""
            raise Usage(f"unknown expect document {key!r}: expected {', '.join(known)}{hint}")
    return tuple(one for key, one in known.items() if not wanted or key in wanted)


def _checked(
    arguments: BalanceArguments, program: Program, expected: ExpectedTable, seconds: float
) -> CheckedTable:
    """Measure one table. What the command line says replaces what the document says."""
    players = arguments.players or expected.players or program.least_players
    options = {**dict(expected.options), **loading.chosen(arguments.options)}
    table = loading.table(program, players, [f"{key}={value}" for key, value in options.items()])
    request = CheckRequest(
        table, expected, seated_bot(arguments.bot or expected.bot or None, program), arguments.seed, seconds,
        arguments.jobs or cores(), arguments.worlds,
    )  # fmt: skip
    found = measure(request, runner(arguments, f"{expected.key}: ", unit="game"))
    judged = verdicts(expected.expectations, found, present(program, table))
    names = names_of(table, program)
    return CheckedTable(request, found, judged, names, names.text(f"expect/{expected.key}.text"))


def _show_check(arguments: BalanceArguments, data: dict[str, object]) -> None:
    if arguments.output is not None:
        text = markdown_of_check(data) if arguments.output.lower().endswith(".md") else json_text(data) + "\n"
        Path(arguments.output).write_text(text, encoding="utf-8")
    if arguments.as_json:
        say_data(data)
    elif arguments.form == "markdown":
        for line in markdown_of_check(data).splitlines():
            say(line)
    else:
        output.write(parts(data), sys.stdout)
        if arguments.output is not None:
            say(f"wrote {arguments.output}")
