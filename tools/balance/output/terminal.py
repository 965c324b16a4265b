"""A report for the terminal: the headlines, and a short table for each kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.tools.balance.output.change_report import change_rows, change_sentences, change_title
from rulewright.tools.balance.output.markdown import (
    SAYS,
    definition_columns,
    free_rows,
    free_title,
    method,
    pair_rows,
    pair_unit,
)
from rulewright.tools.balance.output.sentences import by_group, headlines
from rulewright.tools.common.plain_table import Table, Text

Report = dict[str, Any]


def parts(report: Report) -> Iterator[str | Text | Table]:
    """Iterate over the parts of the report, for `plain_table.write`."""
    yield Text(f"Balance of {report['pack']} {report['version']}", "bold")
    yield ""
    if report["change"] is not None:
        yield from _change(report["change"])
        yield ""
    yield from (f"- {sentence}" for sentence in headlines(report))
    for _, group in by_group(report):
        own = list(group)
        yield ""
        columns = definition_columns(own, report, short=True)
        table = Table(own[0]["kind_name"], *(heading for heading, _ in columns))
        for place, one in enumerate(own):
            out = f" ({SAYS[one['stands_out']]})" if one["stands_out"] else ""
            table.add_row(f"{one['name']}{out}", *(cells[place] for _, cells in columns))
        yield table
    if report["free"] is not None:
        yield ""
        table = Table(free_title(report), "as it is", "at no cost")
        for one in free_rows(report):
            table.add_row(one["name"], one["usual"], one["free"])
        yield table
    if report["pairs"]:
        yield ""
        table = Table("pair", f"more together: {pair_unit(report)}", "")
        for one in pair_rows(report):
            table.add_row(one["name"], one["more"], one["says"])
        yield table
    yield ""
    yield from (Text(line, "dim") for line in method(report))


def _change(change: Report) -> Iterator[str | Text | Table]:
    yield Text(change_title(change), "bold")
    yield ""
    yield from (f"- {sentence}" for sentence in change_sentences(change))
    yield ""
    table = Table("", "before", "after", "difference", "rank")
    for one in change_rows(change):
        mark = " (changed)" if one["significant"] else ""
        table.add_row(f"{one['name']}{mark}", one["was"], one["is"], one["more"], one["ranks"])
    yield table
