"""Format the result of a simulation, as JSON data and as tables. Seats count from 1."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulewright.ruleset.common.limits import MOST_ANSWERS
from rulewright.tools.common import output
from rulewright.tools.common.output import StyledText, TextTable, many, say_data
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.simulation.columns import CountedTable, Failed
from rulewright.tools.simulation.statistics import ENDLESS, Numbers, wilson
from rulewright.tools.simulation.tally import CountedFault, GameTally

Report = dict[str, Any]
NO_RESULT = "(none)"
"""The line of games that no `winner` decided."""


def report(table: CountedTable, seats: Sequence[str], tally: GameTally, replay: Callable[[int], str]) -> Report:
    """Return the result of one table as data; statistics without observations are null.

    `seats` has the player of each seat, by default random. `replay` returns the command that shows a game.
    """
    return {
        "pack": table.pack,
        "version": table.version,
        "players": table.columns.seats,
        "options": dict(table.options),
        **({"series": True} if table.series else {}),
        "seats": list(seats or (RANDOM,) * table.columns.seats),
        "games": tally.games,
        "failed": tally.failed,
        **left_out(tally.failures, tally.failed),
        "faults": failures(tally.faults, replay),
        "endless": endless(tally.faults, replay),
        "decisions": tally.decisions.total,
        "wins": wins_of(tally),
        "no_winner": tally.no_winner,
        "shared_wins": tally.shared,
        **starts_of(tally),
        **results_of(table.columns.results, tally),
        "length": {"decisions": measured(tally.decisions)},
        "scores": [{"seat": n + 1, **measured(score)} for n, score in enumerate(tally.scores)],
        "tracks": _tracks(table, tally),
    }


def left_out(failures: int, failed: Sequence[int]) -> Report:
    """Return how many failed games are not listed, if any."""
    more = failures - len(failed)
    return {"failed_left_out": more} if more else {}


def failures(faults: Mapping[Failed, CountedFault], replay: Callable[[int], str]) -> list[Report]:
    """Return the failed rules, ordered by the first game in which each failed."""
    return [{"code": failed.code, **_fault(failed, fault, replay)} for failed, fault in _sorted(faults, False)]


def endless(faults: Mapping[Failed, CountedFault], replay: Callable[[int], str]) -> list[Report]:
    """Return the decisions at which endless games were stopped, ordered by the first of these games."""
    return [_fault(failed, fault, replay) for failed, fault in _sorted(faults, True)]


def _sorted(faults: Mapping[Failed, CountedFault], without_end: bool) -> list[tuple[Failed, CountedFault]]:
    found = sorted(faults.items(), key=lambda item: (item[1].first, item[0].code))
    return [(failed, fault) for failed, fault in found if (failed.code == ENDLESS) == without_end]


def _fault(failed: Failed, fault: CountedFault, replay: Callable[[int], str]) -> Report:
    return {
        "rule": failed.rule or None,
        "place": failed.place or None,
        "games": fault.games,
        "first": fault.first,
        "replay": replay(fault.first),
    }


def wins_of(tally: GameTally) -> list[Report]:
    """Return the wins of each seat, shared ones included, as a share of the games that ended."""
    found = []
    for seat, wins in enumerate(tally.wins):
        low, high = wilson(wins, tally.finished)
        share = wins / tally.finished if tally.finished else None
        found.append(
            {"seat": seat + 1, "wins": wins, "share": rounded(share), "low": rounded(low), "high": rounded(high)}
        )
    return found


def starts_of(tally: GameTally) -> Report:
    """Return how many games each seat began, and the wins by place in the order of turns, if it is known."""
    games = sum(tally.began)
    if not games:
        return {}
    by_turn = []
    for place, wins in enumerate(tally.turn_wins):
        low, high = wilson(wins, games)
        shares = {"share": rounded(wins / games), "low": rounded(low), "high": rounded(high)}
        by_turn.append({"place": place + 1, "wins": wins, **shares})
    return {"began": tally.began, "by_turn": by_turn}


def results_of(names: Sequence[str], tally: GameTally) -> Report:
    """Return how often each named result was the end of a game; nothing where results have no names.

    Games that no `winner` decided come last, as None.
    """
    counted: dict[str | None, int] = {name: tally.results[name] for name in names}
    if (rest := tally.finished - sum(counted.values())) > 0:
        counted[None] = rest
    found = []
    for name, games in counted.items():
        low, high = wilson(games, tally.finished)
        share = games / tally.finished if tally.finished else None
        shares = {"share": rounded(share), "low": rounded(low), "high": rounded(high)}
        found.append({"result": name, "games": games, **shares})
    return {"results": found} if names else {}


def measured(numbers: Numbers) -> Report:
    """Return the mean, standard error, and range of a series of numbers."""
    return {
        "mean": rounded(numbers.mean),
        "standard_error": rounded(numbers.standard_error),
        "min": numbers.low if numbers.count else None,
        "max": numbers.high if numbers.count else None,
    }


def _tracks(table: CountedTable, tally: GameTally) -> list[Report]:
    if not tally.cells:
        return []
    return [
        {
            "track": column.track,
            "of": list(column.members),
            "seat": column.seat + 1,
            "mean": rounded(total / tally.finished),
        }
        for column, total in zip(table.columns.columns, tally.cells, strict=True)
    ]


def run_of(seed: int, backend: str, asked: int, games: int, seconds: float, interrupted: bool) -> Report:
    """Return the data that all runs have: `games` of the `asked` games were played in `seconds` seconds."""
    return {
        "seed": seed,
        "backend": backend,
        "asked": asked,
        "interrupted": interrupted,
        "games": games,
        "seconds": round(seconds, 3),
        "games_per_second": rate(games, seconds),
    }


def rate(count: int, seconds: float) -> float | None:
    """Return the number per second; None without a duration."""
    return round(count / seconds, 6) if seconds else None


def rounded(number: float | None) -> float | None:
    """Round to six places, so that equal results give equal text."""
    return None if number is None else round(number, 6)


# ------------------------------------------------------------------ tables

def show(result: Report, parts: Sequence[Any], faults: Sequence[Report], as_json: bool) -> None:
    """Print a result as JSON, or its parts as text."""
    if as_json:
        say_data(result)
    else:
        output.write(parts, sys.stdout)
        output.write_long(fault_parts(faults), sys.stdout)


def heading(result: Report) -> list[Any]:
    """Return the lines about the table and the speed."""
    options = "".join(f", {key}={value}" for key, value in result["options"].items())
    players = many(result["players"], "player")
    series = ", series of games" if result.get("series") else ""
    what = f"{result['pack']} {result['version']}: {players}, seed {result['seed']}{options}{series}"
    return [StyledText(what, "bold"), *pace(result)]


def pace(result: Report) -> list[Any]:
    """Return the lines about the number of games, the time, an interrupt, and the output file."""
    speed = f"{games_in_words(result['games'])} in {result['seconds']:,.1f} s on {result['backend']}"
    parts: list[Any] = [f"{speed}: {result['games_per_second'] or 0:,.0f} games/s"]
    if result["interrupted"]:
        parts.append(
            StyledText(
                f"Interrupted: {result['games']:,} of {games_in_words(result['asked'])} finished.", "bold red"
            )
        )
    if "out" in result:
        file, games = result["out"]["file"], result["out"]["games"]
        which = f" (games 0 to {games - 1:,})" if result["interrupted"] and games > 1 else ""
        parts.append(f"Wrote {games_in_words(games)}{which} to {file}")
    return parts


def table_parts(result: Report) -> list[Any]:
    """Return the tables of wins and scores by seat, and of tracks."""
    length = result["length"]["decisions"]
    mean = number(length["mean"], 1)
    per_game = f", {mean} per game ({length['min']} to {length['max']})" if length["mean"] else ""
    parts: list[Any] = [f"{many(result['decisions'], 'decision')}{per_game}", ""]
    scored = any((one["min"], one["max"]) != (0, 0) for one in result["scores"])  # else a game without points
    table = TextTable(
        "seat", "wins", "share", "95% interval", *(("score", "± s.e.", "min", "max") if scored else ())
    )
    random = set(result["seats"]) == {RANDOM}
    for kind, won, points in zip(result["seats"], result["wins"], result["scores"], strict=True):
        least, most = _collector(points["min"]), _collector(points["max"])
        told = (number(points["mean"]), number(points["standard_error"], 3), least, most)
        table.add_row(
            str(won["seat"]) if random else f"{won['seat']} {kind}", str(won["wins"]), percent(won["share"]),
            f"{percent(won['low'])} – {percent(won['high'])}",
            *(told if scored else ()),
        )  # fmt: skip
    parts.append(table)
    parts += _start_parts(result)
    notes = [f"{games_in_words(result['no_winner'])} without a winner"] if result["no_winner"] else []
    notes += [f"{games_in_words(result['shared_wins'])} with several winners"] if result["shared_wins"] else []
    if notes:
        parts.append(StyledText("; ".join(notes), "dim"))
    if "results" in result:
        parts += ["", _result_table(result)]
    used = {(entry["track"], *entry["of"]) for entry in result["tracks"] if entry["mean"]}
    if used:
        tracks = [entry for entry in result["tracks"] if (entry["track"], *entry["of"]) in used]
        parts += ["", _track_table(result["players"], tracks)]
    return parts


def _start_parts(result: Report) -> list[Any]:
    """Return who began: a line if it was always the same seat, else a table of wins in the order of turns."""
    began = result.get("began", ())
    always = [seat for seat, games in enumerate(began, 1) if games]
    if not always or result["players"] < 2:
        return []
    if len(always) == 1:
        return [StyledText(f"Seat {always[0]} always started.", "dim")]
    table = TextTable("turn order", "wins", "share", "95% interval")
    for one in result["by_turn"]:
        place = "starts" if one["place"] == 1 else f"then {one['place']}"
        between = f"{percent(one['low'])} – {percent(one['high'])}"
        table.add_row(place, str(one["wins"]), percent(one["share"]), between)
    return ["", table]


def _result_table(result: Report) -> TextTable:
    table = TextTable("result", "games", "share", "95% interval")
    for one in (one for one in result["results"] if one["games"]):
        between = f"{percent(one['low'])} – {percent(one['high'])}"
        table.add_row(one["result"] or NO_RESULT, f"{one['games']:,}", percent(one["share"]), between)
    return table


def _track_table(players: int, tracks: Sequence[Report]) -> TextTable:
    table = TextTable("mean at the end", *(f"seat {seat}" for seat in range(1, players + 1)))
    rows: dict[tuple[str, ...], list[str]] = {}
    for entry in tracks:
        rows.setdefault((entry["track"], *entry["of"]), []).append(number(entry["mean"]))
    for key, means in rows.items():
        table.add_row(" ".join(key), *means)
    return table


def fault_parts(faults: Sequence[Report]) -> list[Any]:
    """Return the rules that failed and the places where games did not end, each with a command that shows it."""
    parts: list[Any] = []
    for fault in faults:
        where = "".join(f" {word} {what}" for word, what in (("in", fault["rule"]), ("at", fault["place"])) if what)
        games, first = games_in_words(fault["games"]), f"first: game {fault['first']}"
        if "code" in fault:
            parts.append(StyledText(f"{games} failed ({first}): rule error {fault['code']}{where}", "red"))
        else:
            asked = f"stopped after {MOST_ANSWERS:,} decisions, the last{where}"
            parts.append(StyledText(f"{games} did not end ({first}): {asked}", "red"))
        if fault.get("why"):
            parts.append(StyledText(f"  {fault['why']}", "red"))
        parts.append(StyledText(f"  {fault['replay']}", "red"))
    return parts


def games_in_words(count: int) -> str:
    """Format a number of games: `1 game`, `2 games`."""
    return "1 game" if count == 1 else f"{count:,} games"


def number(value: float | None, digits: int = 2) -> str:
    """Format a number; a dash for None."""
    return "–" if value is None else f"{value:.{digits}f}"


def _collector(value: int | None) -> str:
    return "–" if value is None else str(value)


def percent(share: float | None) -> str:
    """Format a share as a percentage; a dash for None."""
    return "–" if share is None else f"{100 * share:.1f}%"
