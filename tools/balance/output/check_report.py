"""What became of expectations as data: what `--check --json` prints, and what the other formats show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.scenario import Expectation
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools import VERSION
from rulewright.tools.balance.checking.measurements import CheckRequest, Measured, Measurements
from rulewright.tools.balance.checking.verdicts import Result, Verdict
from rulewright.tools.balance.output.report import Names, report
from rulewright.tools.balance.subjects import Subject
from rulewright.tools.common.seats import RANDOM

Report = dict[str, Any]
RESULTS: tuple[Result, ...] = ("failed", "not decided", "held")
"""The results, the worst first."""
_UNITS = {"mean-length": "decisions", "usual-length": "decisions"}


@frozen
class CheckedTable:
    """One document, what was measured at its table, and what follows. `text` is what the document says of it."""

    request: CheckRequest
    found: Measurements
    verdicts: tuple[Verdict, ...]
    names: Names
    text: str = ""


def check_report(tables: Sequence[CheckedTable], left_out: int) -> Report:
    """Return the results; what could not be measured is null. `left_out` documents were not reached."""
    results = [verdict.result for table in tables for verdict in table.verdicts]
    first = tables[0].request.program
    return {
        "pack": first.pack,
        "version": first.version,
        "rulewright": VERSION,
        "seed": tables[0].request.seed,
        "interrupted": bool(left_out) or any(table.found.interrupted for table in tables),
        **{result.replace(" ", "_"): results.count(result) for result in RESULTS},
        "tables": [_table(table) for table in tables],
    }


def _table(table: CheckedTable) -> Report:
    request, found, program = table.request, table.found, table.request.program
    return {
        "expect": request.expected.key,
        "text": harmless(table.text) or None,
        "players": program.seats,
        "options": dict(program.options),
        "bot": request.bot or RANDOM,
        "hash": program_hash(program),
        "games": {
            "as_they_are": found.games.count if found.games else None,
            "watched": found.choices.games if found.choices else None,
            "comparison_each": found.study.worlds if found.study else None,
            "failed": sum(one.failed for one in (found.games, found.choices, found.study) if one),
        },
        "expectations": [_expectation(one, table.names) for one in table.verdicts],
        "ignored": [
            {"id": key, "name": _name(key, table.names), "reason": harmless(reason)}
            for key, reason in request.expected.ignored
        ],
        "report": None if found.study is None else report(found.study, table.names),
    }


def _expectation(one: Verdict, names: Names) -> Report:
    return {
        "code": one.expectation.what,
        "about": one.expectation.about or None,
        "id": one.id or None,
        "name": _name(one.id, names) if one.id else None,
        "expected": expected(one.expectation),
        "result": one.result,
        "unit": one.unit,
        "at_least": one.low,
        "at_most": one.high,
        "measured": None if one.measured is None else _measured(one.measured),
        "why": one.why or None,
    }


def _measured(one: Measured) -> Report:
    return {"value": one.value, "low": one.low, "high": one.high, "of": one.of}


def _name(key: str, names: Names) -> str:
    kind, _, word = key.partition("/")
    return harmless(names.definition(Subject(kind, word)))


def expected(one: Expectation) -> str:
    """Return a threshold as a document says it."""
    if one.what == "none-stands-out":
        return "none far from the others"
    low, high, unit = one.bounds.low, one.bounds.high, _UNITS.get(one.what, "%")
    if low is not None and high is not None:
        return f"{low} to {high} {unit}"
    return f"at least {low} {unit}" if low is not None else f"at most {high} {unit}"
