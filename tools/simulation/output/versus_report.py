"""Format the differences between two tables that played the same games, as JSON data and as a table."""

from __future__ import annotations

from typing import Any

from rulewright.tools.common.plain_table import Table, Text, many
from rulewright.tools.simulation.output.simulate_report import Report, rounded
from rulewright.tools.simulation.statistics import FEWEST
from rulewright.tools.simulation.versus import Compared, Comparison, Differences, Name

_ALWAYS = ("win", "result", "score", "game")
"""Groups of numbers that are shown even without a difference."""
METHOD = "Holm"


def versus_report(comparison: Comparison, differences: Differences) -> Report:
    """Return the differences (`second` minus `first`) as data, with 95% intervals of paired differences."""
    return {
        "pairs": comparison.pairs,
        "left_out": comparison.games - comparison.pairs,
        "comparisons": len(differences.compared),
        "method": METHOD,
        "differences": [_entry(one) for one in differences.compared],
        "only_first": [title(name) for name in differences.only_first],
        "only_second": [title(name) for name in differences.only_second],
    }


def _entry(one: Compared) -> Report:
    difference = one.difference
    low, high = difference.low, difference.high
    return {
        "name": title(one.name),
        "group": one.name.group,
        "seat": one.name.seat + 1 or None,
        "first": rounded(one.first),
        "second": rounded(one.second),
        "difference": rounded(difference.mean),
        "low": rounded(low),
        "high": rounded(high),
        "p": rounded(difference.p),
        "apart": low is not None and high is not None and (low > 0 or high < 0),
        "stands": one.stands,
    }


def title(name: Name) -> str:
    """Return the label of a number: `score, seat 1`."""
    what = {"win": "games won", "score": "score", "result": f"result {name.what}", "chosen": f"{name.what} chosen"}
    text = what.get(name.group, name.what)
    return f"{text}, seat {name.seat + 1}" if name.seat >= 0 else text


def versus_parts(result: Report, first: str, second: str) -> list[Any]:
    """Return the table and notes to print. `first` and `second` name the two tables."""
    table = Table("mean per game", first, second, "difference", "95% interval", "")
    hidden = 0
    for entry in result["differences"]:
        if not entry["apart"] and entry["group"] not in _ALWAYS:
            hidden += 1
            continue
        between = "–" if entry["low"] is None else f"{entry['low']:+.3f} to {entry['high']:+.3f}"
        mark = "**" if entry["stands"] else "*" if entry["apart"] else ""
        table.add_row(
            entry["name"], f"{entry['first']:.3f}", f"{entry['second']:.3f}", f"{entry['difference']:+.3f}",
            between, mark, style="bold" if entry["stands"] else None,
        )  # fmt: skip
    count = result["comparisons"]
    notes = [
        f"Paired by game: {many(result['pairs'], 'pair')}, {many(count, 'comparison')}.",
        "*: the interval excludes 0; so does that of about 1 in 20 numbers that do not differ.",
        f"**: also significant when all {count} comparisons are considered ({METHOD}'s method, 5% level).",
    ]
    if result["pairs"] < FEWEST:
        notes[1:] = [f"Nothing is claimed with fewer than {FEWEST} pairs; play more games with -n."]
    if hidden:
        differ = "number shows" if hidden == 1 else "numbers show"
        said = "" if result["pairs"] < FEWEST else f" {differ} no difference beyond chance"
        notes.append(f"{hidden} more{said}; see --json.")
    if result["left_out"]:
        notes.append(f"{many(result['left_out'], 'pair')} left out, because one of the two games failed.")
    for names, where in ((result["only_first"], first), (result["only_second"], second)):
        if names:
            notes.append(f"Only in {where}: {'; '.join(names)}.")
    return ["", table, "", *(Text(note, "dim") for note in notes)]
