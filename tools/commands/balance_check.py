"""`rulewright balance --check`: compare games with what a pack expects of them."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.terminal_text import json_text
from rulewright.tools.balance.asked import names_of, seated_bot
from rulewright.tools.balance.checking.measurements import CheckRequest, measure, weight
from rulewright.tools.balance.checking.presence import present
from rulewright.tools.balance.checking.verdicts import verdicts
from rulewright.tools.balance.output.check_report import CheckedTable, check_report
from rulewright.tools.balance.output.check_text import markdown_of_check, parts
from rulewright.tools.commands.balance import Arguments, runner
from rulewright.tools.common import plain_table
from rulewright.tools.common.errors import CLEAN, FINDINGS, INTERRUPTED, Usage
from rulewright.tools.common.output import say, say_data
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.simulation.execution.local import cores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulewright.ruleset.program.nodes import Program
    from rulewright.ruleset.program.scenario import ExpectedTable


def check(arguments: Arguments) -> int:
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
    _show(arguments, data)
    if data["interrupted"]:
        return INTERRUPTED
    return FINDINGS if data["failed"] else CLEAN


def _refuse(arguments: Arguments) -> None:
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


def _checked(arguments: Arguments, program: Program, expected: ExpectedTable, seconds: float) -> CheckedTable:
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


def _show(arguments: Arguments, data: dict[str, object]) -> None:
    if arguments.output is not None:
        text = markdown_of_check(data) if arguments.output.lower().endswith(".md") else json_text(data) + "\n"
        Path(arguments.output).write_text(text, encoding="utf-8")
    if arguments.as_json:
        say_data(data)
    elif arguments.form == "markdown":
        for line in markdown_of_check(data).splitlines():
            say(line)
    else:
        plain_table.write(parts(data), sys.stdout)
        if arguments.output is not None:
            say(f"wrote {arguments.output}")
