"""Standings as Markdown, for pull requests and job summaries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.common.markdown_text import escaped
from rulewright.tools.simulation.output.simulate_report import fault_parts, games_in_words
from rulewright.tools.tournament.output.terminal import cross_rows, cross_titles, method, rating_rows, rating_titles

Report = dict[str, Any]


def lines(report: Report) -> Iterator[str]:
    """Iterate over the lines of a report."""
    yield f"# Tournament of {escaped(harmless(report['pack']))} {report['version']}"
    yield ""
    options = "".join(f", {key}={value}" for key, value in report["options"].items())
    yield escaped(harmless(f"{report['players']} players, seed {report['seed']}{options}."))
    if report["interrupted"]:
        yield f"**Interrupted: {report['games']:,} of {games_in_words(report['asked'])} finished.**"
    yield ""
    yield from _table(["bot", *rating_titles()], rating_rows(report))
    yield ""
    yield from _table(["won against", *cross_titles(report)], cross_rows(report))
    yield ""
    yield from (f"- {escaped(line)}" for line in method(report))
    faults = [one.plain.strip() for one in fault_parts([*report["faults"], *report["endless"]])]
    yield from (f"- {escaped(harmless(line))}" for line in faults)


def _table(titles: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(titles)} |"
    yield f"| --- |{' ---: |' * (len(titles) - 1)}"
    yield from (f"| {' | '.join(escaped(harmless(cell)) for cell in row)} |" for row in rows)
