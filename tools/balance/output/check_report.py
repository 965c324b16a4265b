"""What became of expectations as data: what `--check --json` prints, and what the other formats show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from attrs import frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.scenario import Expectation
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools import VERSION
from rulewright.tools.balance.checking import CheckRequest, Measured, Measurements, Result, Verdict
from rulewright.tools.balance.output.markdown import markdown
from rulewright.tools.balance.output.report import Names, report
from rulewright.tools.balance.subjects import Subject
from rulewright.tools.common.output import Text, escaped, many
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


# ---- What became of expectations, for the terminal and as Markdown

_STYLES = {"failed": "bold red", "not decided": "yellow", "held": ""}


@frozen
class Line:
    """One line about an expectation: what it is about, and what was found."""

    result: str
    code: str
    about: str
    expected: str
    found: str
    several: bool = False

    @property
    def said(self) -> str:
        """What was expected and found, in words."""
        return f"expected {self.expected}{'; ' if self.several else ', found '}{self.found}"


def parts(report: Report) -> Iterator[str | Text]:
    """Iterate over the parts of the report, for `plain_table.write`."""
    yield Text(f"Expectations of {report['pack']} {report['version']}", "bold")
    for table in report["tables"]:
        yield ""
        yield Text(table["expect"], "bold")
        if table["text"] is not None:
            yield Text(table["text"])
        for line in lines(table):
            about = f" {line.about}" if line.about else ""
            yield Text(
                f"{line.result:<11} {line.code}{about}: {line.said}",
                _STYLES[line.result],
            )
        yield from (
            Text(f"ignored     {one['name']} ({one['id']}): {one['reason']}", "dim") for one in table["ignored"]
        )
        yield Text(how(table, report["seed"]), "dim")
    yield ""
    yield summary(report)


def markdown_of_check(report: Report) -> str:
    """Return the results as Markdown; after them the reports of tables whose definitions were weighed."""
    rows = "\n".join(_markdown(report)) + "\n"
    weighed = [markdown(table["report"]) for table in report["tables"] if table["report"] is not None]
    return "\n".join([rows, *weighed])


def _markdown(report: Report) -> Iterator[str]:
    yield f"# Expectations of {escaped(report['pack'])} {escaped(report['version'])}"
    yield ""
    yield summary(report)
    for table in report["tables"]:
        yield ""
        yield f"## {escaped(table['expect'])}"
        yield ""
        if table["text"] is not None:
            yield escaped(table["text"])
            yield ""
        yield "| | expectation | expected | found |"
        yield "| --- | --- | --- | --- |"
        for line in lines(table):
            result = f"**{line.result}**" if line.result == "failed" else line.result
            about = f" {escaped(line.about)}" if line.about else ""
            yield f"| {result} | {line.code}{about} | {line.expected} | {escaped(line.found)} |"
        for one in table["ignored"]:
            yield f"| ignored | {escaped(one['name'])} | | {escaped(one['reason'])} |"
        yield ""
        yield escaped(how(table, report["seed"]))


def summary(report: Report) -> str:
    """Return how many expectations held, in a sentence."""
    failed, open_, held = (report[result.replace(" ", "_")] for result in RESULTS)
    said = f"{many(failed, 'expectation')} failed, {open_} not decided, {held} held."
    if open_:
        said += " What is not decided needs more games: raise --budget."
    return said + (" Interrupted: not everything was played." if report["interrupted"] else "")


def how(table: Report, seed: int) -> str:
    """Return how the numbers of a table were found."""
    games, options = table["games"], ", ".join(f"{key}={value}" for key, value in table["options"].items())
    played = [
        f"{games[key]:,} {what}"
        for key, what in (
            ("as_they_are", "games as they are"),
            ("watched", "games watched"),
            ("comparison_each", "worlds for each definition"),
        )
        if games[key] is not None
    ]
    failed = f"; {games['failed']:,} games did not end, or ended with a rule error" if games["failed"] else ""
    at = f"{many(table['players'], 'player')}{', ' + options if options else ''}"
    return f"{at}; bot {table['bot']}, seed {seed}; {', '.join(played)}{failed}"


def lines(table: Report) -> Iterator[Line]:
    """Iterate over the lines of a table: those that held are one line for each expectation."""
    for _, group in groupby(table["expectations"], lambda one: (one["code"], one["about"])):
        own = list(group)
        for result in RESULTS:
            same = [one for one in own if one["result"] == result]
            if result == "held" and len(same) > 1:
                yield _several(same)
            else:
                yield from (Line(result, one["code"], _about(one), one["expected"], _found(one)) for one in same)


def _several(same: Sequence[Report]) -> Line:
    """Return the line of several definitions, with the one that is nearest to a bound."""
    nearest = min(same, key=_room)
    found = f"{len(same)} definitions keep to it, nearest {nearest['name']}: {_found(nearest)}"
    return Line("held", nearest["code"], nearest["about"], nearest["expected"], found, True)


def _room(one: Report) -> float:
    """Return how far an interval is from the nearest bound."""
    rooms: list[float] = []
    if one["at_least"] is not None:
        rooms.append(one["measured"]["low"] - one["at_least"])
    if one["at_most"] is not None:
        rooms.append(one["at_most"] - one["measured"]["high"])
    return min(rooms)


def _about(one: Report) -> str:
    """Return what an expectation is about: a definition with its name, and the kind or group that says it."""
    if one["id"] is None:
        return one["about"] or ""
    return f"{one['id']} ({one['name']})"


def _found(one: Report) -> str:
    if one["measured"] is None:
        return f"nothing: {one['why']}"
    value, low, high = (one["measured"][key] for key in ("value", "low", "high"))
    of = f"of {one['measured']['of']:,}"
    if one["unit"] == "share":
        what = "decisions" if one["code"] == "chosen-when-offered" else "games"
        inside = "" if one["code"] != "usual-length" else f"; {one['at_least']:.0%} must have that length"
        return f"{value:.1%} ({low:.1%} to {high:.1%}) {of} {what}{inside}".replace("%", " %")
    if one["unit"] == "decisions":
        return f"{value:.1f} decisions ({low:.1f} to {high:.1f}), the mean {of} games"
    scale, unit = (100, "percentage points of wins") if one["unit"] == "wins" else (1, "points")
    value, low, high, least, most = (scale * x for x in (value, low, high, one["at_least"], one["at_most"]))
    return f"{value:+.1f} {unit} ({low:+.1f} to {high:+.1f}); usual is {least:+.1f} to {most:+.1f}"
