"""Format the result of games at many tables, as JSON data and as tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.tools.common.output import StyledText, TextTable, many
from rulewright.tools.simulation.columns import Failed
from rulewright.tools.simulation.output.simulate_report import (
    NO_RESULT,
    Report,
    endless,
    failures,
    games_in_words,
    left_out,
    measured,
    number,
    percent,
    results_of,
    rounded,
    wins_of,
)
from rulewright.tools.simulation.statistics import FEWEST
from rulewright.tools.simulation.sweep import Sweep, Swept
from rulewright.tools.simulation.tally import CountedFault
from rulewright.tools.simulation.versus import ComparedNumber, NumberName, PairedComparison, TableDifferences


def sweep_report(sweep: Sweep, swept: Swept, replay: Callable[[int], str]) -> Report:
    """Return the result as data. `replay` returns the command that shows a game."""
    faults: dict[Failed, CountedFault] = {}
    for tally in swept.tallies.values():
        for failed, fault in tally.faults.items():
            known = faults.setdefault(failed, CountedFault(0, fault.first))
            known.games += fault.games
            known.first = min(known.first, fault.first)
    failed_games = swept.failed
    return {
        "cases": len(sweep.cases.played),
        "possible_cases": sweep.cases.possible,
        "games": swept.games,
        "failed": failed_games,
        **left_out(swept.failures, failed_games),
        "faults": failures(faults, replay),
        "endless": endless(faults, replay),
        "failed_games": [_failed(sweep, game) for game in failed_games],
        "refused": [{"reason": reason, "games": games} for reason, games in sorted(swept.refused.items())],
        "by_players": [
            {
                "players": players,
                "games": tally.games,
                "failed": tally.failures,
                "endless": tally.endless,
                "decisions": measured(tally.decisions),
                "no_winner": tally.no_winner,
                "wins": wins_of(tally),
                **results_of(sweep.results, tally),
            }
            for players, tally in sorted(swept.tallies.items())
        ],
        "by_option": [
            {
                "option": key,
                "value": value,
                "games": share.games,
                "failed": share.failed,
                "decisions": measured(share.decisions),
            }
            for (key, value), share in sorted(swept.shares.items())
        ],
    }


def _failed(sweep: Sweep, game: int) -> Report:
    case = sweep.case_of(game)
    return {"game": game, "players": case.players, "options": dict(one.split("=", 1) for one in case.options)}


def sweep_tables(result: Report) -> list[Any]:
    """Return the tables to print."""
    cases, possible = result["cases"], result["possible_cases"]
    tables = many(cases, "combination")
    which = "" if cases == possible else f", a random sample of {possible:,}"
    parts: list[Any] = [f"{tables} of players and options{which}", ""]
    table = TextTable("players", "games", "failed", "decisions", "no winner", "wins by seat")
    for entry in result["by_players"]:
        wins = "  ".join(percent(seat["share"]) for seat in entry["wins"])
        table.add_row(
            str(entry["players"]), f"{entry['games']:,}", f"{entry['failed']:,}",
            number(entry["decisions"]["mean"], 1), f"{entry['no_winner']:,}", wins,
        )  # fmt: skip
    parts.append(table)
    if any("results" in entry for entry in result["by_players"]):
        table = TextTable("players", "result", "games", "share")
        for entry in result["by_players"]:
            for one in entry["results"]:
                row = one["result"] or NO_RESULT, f"{one['games']:,}", percent(one["share"])
                table.add_row(str(entry["players"]), *row)
        parts += ["", table]
    if result["by_option"]:
        table = TextTable("option", "games", "failed", "decisions")
        for entry in result["by_option"]:
            table.add_row(
                f"{entry['option']}={entry['value']}", f"{entry['games']:,}", f"{entry['failed']:,}",
                number(entry["decisions"]["mean"], 1),
            )  # fmt: skip
        parts += ["", table]
    for entry in result["refused"]:
        parts.append(StyledText(f"{games_in_words(entry['games'])} not played: {entry['reason']}", "yellow"))
    return parts


# ---- Format the differences between two tables that played the same games, as JSON data and as a table

_ALWAYS = ("win", "result", "score", "game")
"""Groups of numbers that are shown even without a difference."""
METHOD = "Holm"


def versus_report(comparison: PairedComparison, differences: TableDifferences) -> Report:
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


def _entry(one: ComparedNumber) -> Report:
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


def title(name: NumberName) -> str:
    """Return the label of a number: `score, seat 1`."""
    what = {"win": "games won", "score": "score", "result": f"result {name.what}", "chosen": f"{name.what} chosen"}
    text = what.get(name.group, name.what)
    return f"{text}, seat {name.seat + 1}" if name.seat >= 0 else text


def versus_parts(result: Report, first: str, second: str) -> list[Any]:
    """Return the table and notes to print. `first` and `second` name the two tables."""
    table = TextTable("mean per game", first, second, "difference", "95% interval", "")
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
    return ["", table, "", *(StyledText(note, "dim") for note in notes)]
