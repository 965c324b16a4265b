"""A report as Markdown, for pull requests and job summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.tools.balance.output.sentences import (
    amount,
    by_group,
    change_rows,
    change_sentences,
    change_title,
    effect,
    headlines,
)
from rulewright.tools.common.output import StyledText, TextTable, escaped, many

Report = dict[str, Any]
SAYS = {"strong": "too strong", "weak": "too weak", "unplayed": "weak, and hardly ever played"}
"""What is said of a definition that stands out."""
ENDS = 5
"""Pairs that are shown from each end of the list."""


def markdown(report: Report) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# Balance of {report['pack']} {report['version']}"
    if report["change"] is not None:
        yield from _change(report["change"])
        yield ""
        yield "## In short"
    yield ""
    yield from (f"- {escaped(sentence)}" for sentence in headlines(report))
    for _, group in by_group(report):
        own = list(group)
        yield ""
        yield f"## {escaped(own[0]['kind_name'].capitalize())}"
        yield ""
        yield from definition_rows(own, report)
    if report["free"] is not None:
        yield from _free(report)
    if report["pairs"]:
        yield from _pairs(report)
    yield ""
    yield "## How this was measured"
    yield ""
    yield from (f"- {escaped(line)}" for line in method(report))


def definition_rows(own: Sequence[Report], report: Report) -> Iterator[str]:
    """Iterate over the lines of the table of one kind."""
    columns = definition_columns(own, report)
    yield "| | | " + " | ".join(heading for heading, _ in columns) + " |"
    yield "| ---: | --- |" + " ---: |" * len(columns)
    for place, one in enumerate(own):
        out = f" **{SAYS[one['stands_out']]}**" if one["stands_out"] else ""
        cells = " | ".join(cells[place] for _, cells in columns)
        yield f"| {one['rank']} | {escaped(one['name'])}{out} | {cells} |"


def definition_columns(own: Sequence[Report], report: Report, short: bool = False) -> list[tuple[str, list[str]]]:
    """Return the columns of the table of one kind, without those in which nothing is said: heading and cells.

    A `short` table has only the effects, and how often they are taken.
    """
    measure = report["ranked_by"]
    unit = "wins" if measure == "win" else "points"
    columns = [
        ("points ahead", [points(one["taken"], report) for one in own]),
        ("wins, points of 100", [effect(one["taken"], "win", unit=False) for one in own]),
        (f"{unit}, as others play it", [effect(one["as_is"], measure, unit=False) for one in own]),
        ("correlation", [correlation(one) for one in own]),
        ("taken", [taken_share(one) for one in own]),
        ("games changed", [f"{one['taken']['changed']:.0%}" for one in own]),
    ]
    kept = [columns[0], columns[1], columns[4]] if short else columns
    return [(heading, cells) for heading, cells in kept if not {*cells} <= {"–", "0%"}]


def taken_share(one: Report) -> str:
    """Return how often something was taken when it was offered; `–` if it never was."""
    return f"{one['chosen'] / one['offered']:.0%}" if one["offered"] else "–"


def _free(report: Report) -> Iterator[str]:
    yield ""
    yield f"## {free_title(report)}"
    yield ""
    yield "| | as it is | at no cost |"
    yield "| --- | ---: | ---: |"
    for one in free_rows(report):
        yield f"| {escaped(one['name'])} | {one['usual']} | {one['free']} |"


def free_title(report: Report) -> str:
    """Return the heading of the section about definitions at no cost."""
    return f"With a {report['free']['field']} of 0"


def free_rows(report: Report) -> list[Report]:
    """Return what definitions are worth as they are and at no cost, as text; those that gain most come first."""
    measure, free = report["ranked_by"], report["free"]["definitions"]
    rows = [(one, free[one["id"]]) for one in report["definitions"] if one["id"] in free]

    def gain(row: tuple[Report, Report]) -> float:
        one, other = row
        return float(other[measure]["mean"] - one["taken"][measure]["mean"]) if measure in other else 0.0

    return [
        {"name": one["name"], "usual": effect(one["taken"], measure), "free": effect(other, measure)}
        for one, other in sorted(rows, key=gain, reverse=True)
    ]


def _pairs(report: Report) -> Iterator[str]:
    yield ""
    yield "## Pairs"
    yield ""
    yield f"| | more together than a usual pair: {pair_unit(report)} | |"
    yield "| --- | ---: | --- |"
    for one in pair_rows(report):
        yield f"| {escaped(one['name'])} | {one['more']} | {one['says']} |"


def pair_unit(report: Report) -> str:
    """Return the unit of the numbers of pairs."""
    return "percentage points of wins" if report["ranked_by"] == "win" else "points"


def pair_rows(report: Report) -> list[Report]:
    """Return the first and last pairs as text: those that belong together most, and least."""
    pairs = report["pairs"]
    shown = pairs if len(pairs) <= 2 * ENDS else [*pairs[:ENDS], *pairs[-ENDS:]]
    words = {"together": "belong together", "apart": "get in each other's way"}
    return [
        {
            "name": " and ".join(one["names"]),
            "more": amount(one["beyond"], report["ranked_by"], unit=False),
            "says": words[one["says"]] if one["says"] else "not certain",
            "certain": one["says"] is not None,
        }
        for one in shown
    ]


def _change(change: Report) -> Iterator[str]:
    yield ""
    yield f"## {escaped(change_title(change))}"
    yield ""
    yield from (f"- {escaped(sentence)}" for sentence in change_sentences(change))
    yield ""
    yield "| | before | after | difference | rank |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for one in change_rows(change):
        mark = " **changed**" if one["significant"] else ""
        yield f"| {escaped(one['name'])}{mark} | {one['was']} | {one['is']} | {one['more']} | {one['ranks']} |"


def points(one: Report, report: Report) -> str:
    """Return the effect on the lead; `–` in games without scores."""
    return "–" if report["ranked_by"] == "win" else effect(one, "lead", unit=False)


def correlation(one: Report) -> str:
    """Return what goes with taking it once more: points or, in games without scores, wins; `–` if unknown."""
    measure = "score" if "score" in one["observed"] else "win"
    return effect(one["observed"], measure, unit=measure == "win")


def method(report: Report) -> list[str]:
    """Return how the numbers were found, sentence by sentence."""
    games, options = report["games"], ", ".join(f"{key}={value}" for key, value in report["options"].items())
    return [
        f"{many(report['players'], 'player')}{', ' + options if options else ''}; all seats are played by "
        f"{report['bot']}, seed {report['seed']}, backend {report['backend']}.",
        f"{games['watched']:,} games were watched for what is offered and chosen, and {games['summed_up']:,} "
        "were played as they are.",
        f"{_comparison(report)} Means are over the games that ended differently; intervals are 95 %.",
        "The correlation is by how much the score of a seat is higher each time that it takes the definition, "
        "among seats to which it was offered as often: it may have taken it because it was ahead.",
        *([f"Pairs were played in {games['pairs_each']:,} worlds: a seat takes both, one, or none of the two."]
          if games["pairs_each"] else []),
        "Points are those by which a seat is ahead of the mean of the others. Significance is corrected for the "
        "number of comparisons (Benjamini–Hochberg).",
        f"rulewright {report['rulewright']}, rules {report['hash'][:16]}.",
    ]  # fmt: skip


def _comparison(report: Report) -> str:
    games = report["games"]
    if report["preliminary"]:
        return (
            f"Each way to take a definition was to be tried in {games['screening_each']:,} worlds, against the "
            "same seat avoiding it; the run was stopped before the best one was compared in other worlds."
        )
    return (
        f"Each way to take a definition was tried in {games['screening_each']:,} worlds; the best one was then "
        f"compared in {games['comparison_each']:,} other worlds with the same seat avoiding the definition."
    )


# ---- A report for the terminal: the headlines, and a short table for each kind

def parts(report: Report) -> Iterator[str | StyledText | TextTable]:
    """Iterate over the parts of the report, for `output.write`."""
    yield StyledText(f"Balance of {report['pack']} {report['version']}", "bold")
    yield ""
    if report["change"] is not None:
        yield from _change_on_terminal(report["change"])
        yield ""
    yield from (f"- {sentence}" for sentence in headlines(report))
    for _, group in by_group(report):
        own = list(group)
        yield ""
        columns = definition_columns(own, report, short=True)
        table = TextTable(own[0]["kind_name"], *(heading for heading, _ in columns))
        for place, one in enumerate(own):
            out = f" ({SAYS[one['stands_out']]})" if one["stands_out"] else ""
            table.add_row(f"{one['name']}{out}", *(cells[place] for _, cells in columns))
        yield table
    if report["free"] is not None:
        yield ""
        table = TextTable(free_title(report), "as it is", "at no cost")
        for one in free_rows(report):
            table.add_row(one["name"], one["usual"], one["free"])
        yield table
    if report["pairs"]:
        yield ""
        table = TextTable("pair", f"more together: {pair_unit(report)}", "")
        for one in pair_rows(report):
            table.add_row(one["name"], one["more"], one["says"])
        yield table
    yield ""
    yield from (StyledText(line, "dim") for line in method(report))


def _change_on_terminal(change: Report) -> Iterator[str | StyledText | TextTable]:
    yield StyledText(change_title(change), "bold")
    yield ""
    yield from (f"- {sentence}" for sentence in change_sentences(change))
    yield ""
    table = TextTable("", "before", "after", "difference", "rank")
    for one in change_rows(change):
        mark = " (changed)" if one["significant"] else ""
        table.add_row(f"{one['name']}{mark}", one["was"], one["is"], one["more"], one["ranks"])
    yield table
