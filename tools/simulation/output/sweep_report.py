"""Format the result of games at many tables, as JSON data and as tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.tools.common.plain_table import Table, Text, many
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
    wins_of,
)
from rulewright.tools.simulation.sweep import Sweep, Swept
from rulewright.tools.simulation.tally import Fault


def sweep_report(sweep: Sweep, swept: Swept, replay: Callable[[int], str]) -> Report:
    """Return the result as data. `replay` returns the command that shows a game."""
    faults: dict[Failed, Fault] = {}
    for tally in swept.tallies.values():
        for failed, fault in tally.faults.items():
            known = faults.setdefault(failed, Fault(0, fault.first))
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
    table = Table("players", "games", "failed", "decisions", "no winner", "wins by seat")
    for entry in result["by_players"]:
        wins = "  ".join(percent(seat["share"]) for seat in entry["wins"])
        table.add_row(
            str(entry["players"]), f"{entry['games']:,}", f"{entry['failed']:,}",
            number(entry["decisions"]["mean"], 1), f"{entry['no_winner']:,}", wins,
        )  # fmt: skip
    parts.append(table)
    if any("results" in entry for entry in result["by_players"]):
        table = Table("players", "result", "games", "share")
        for entry in result["by_players"]:
            for one in entry["results"]:
                row = one["result"] or NO_RESULT, f"{one['games']:,}", percent(one["share"])
                table.add_row(str(entry["players"]), *row)
        parts += ["", table]
    if result["by_option"]:
        table = Table("option", "games", "failed", "decisions")
        for entry in result["by_option"]:
            table.add_row(
                f"{entry['option']}={entry['value']}", f"{entry['games']:,}", f"{entry['failed']:,}",
                number(entry["decisions"]["mean"], 1),
            )  # fmt: skip
        parts += ["", table]
    for entry in result["refused"]:
        parts.append(Text(f"{games_in_words(entry['games'])} not played: {entry['reason']}", "yellow"))
    return parts
