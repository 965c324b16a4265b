"""Standings for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.tools.common.plain_table import Table, Text
from rulewright.tools.simulation.output.simulate_report import heading

Report = dict[str, Any]


def parts(report: Report) -> Iterator[str | Text | Table]:
    """Iterate over the parts of a report, for `plain_table.write`."""
    yield from heading(report)
    yield ""
    yield table("", rating_titles(), rating_rows(report))
    yield ""
    yield table("won against", cross_titles(report), cross_rows(report))
    yield ""
    yield from (Text(line, "dim") for line in method(report))


def table(first: str, titles: list[str], rows: list[list[str]]) -> Table:
    """Return a table with rows."""
    made = Table(first, *titles)
    for row in rows:
        made.add_row(*row)
    return made


def rating_titles() -> list[str]:
    """Return the titles of the ratings, without that of the bots."""
    return ["rating", "95% interval", "ahead of next", "won", "lost", "else", "share"]


def rating_rows(report: Report) -> list[list[str]]:
    """Return a row for each bot."""
    rows = []
    for one in report["bots"]:
        rating, ahead = one["rating"], one["ahead_of_next"]
        gap = f"{ahead['mean']:.0f} ({ahead['low']:.0f} to {ahead['high']:.0f})" if ahead else "–"
        between = f"{rating['low']:.0f} to {rating['high']:.0f}"
        numbers = (f"{one[key]:,}" for key in ("won", "lost", "undecided"))
        rows.append([_named(one), f"{rating['mean']:.0f}", between, gap, *numbers, _share(one)])
    return rows


def cross_titles(report: Report) -> list[str]:
    """Return the titles of the cross table: the ranks of the opponents."""
    return [str(one["rank"]) for one in report["bots"]]


def cross_rows(report: Report) -> list[list[str]]:
    """Return for each bot its share of the decided games against each, with the interval."""
    shares = {(one["bot"], one["against"]): one for one in report["pairings"]}
    bots = report["bots"]
    return [
        [_named(one), *(_with_interval(shares.get((one["bot"], other["bot"]))) for other in bots)] for one in bots
    ]


def method(report: Report) -> list[str]:
    """Return how the numbers were found, sentence by sentence."""
    each, arranged = report["games_each"], report["arrangements"]
    asked = "were asked for" if report["interrupted"] else "were played"
    timed = ["A search for some time is as good as the machine is fast: these games cannot be repeated exactly."]
    return [
        f"{each:,} games of each pairing {asked}: the same {each // arranged:,} worlds in {arranged} arrangements "
        "of the seats, in which each bot sits in each seat equally often.",
        "share: of the decided games, which only one of the two won; else: shared, won by nobody, failed, or "
        "endless. Intervals are 95 % (Wilson's for shares).",
        "rating: Bradley–Terry on the Elo scale, mean 1500; 400 more means 10 of 11 decided games. Each pairing "
        "counts half a game more for both, so that all ratings are finite.",
        *(timed if report["timed"] else []),
    ]  # fmt: skip


def _named(one: Report) -> str:
    return f"{one['rank']} {one['bot']}"


def _share(one: Report) -> str:
    return "–" if one["share"] is None else f"{one['share']:.1%}"


def _with_interval(one: Report | None) -> str:
    if one is None:
        return ""
    return "–" if one["share"] is None else f"{one['share']:.0%} ({100 * one['low']:.0f}–{100 * one['high']:.0f})"
