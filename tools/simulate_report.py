"""The result of a simulation: as data, which `--json` prints, and as tables. Seats count from 1."""

from __future__ import annotations

from typing import Any

from ruleset.table import TableProgram
from tools.batch import Batch
from tools.statistics import Numbers, wilson
from tools.tally import Columns, Tally

Report = dict[str, Any]


def report(batch: Batch, tally: Tally, seconds: float, interrupted: bool) -> Report:
    """The result as data; numbers that nothing was counted for are null."""
    program, decisions = batch.program, tally.decisions
    return {
        "pack": program.pack,
        "version": program.version,
        "players": program.seats,
        "options": dict(program.options),
        "seed": batch.seed,
        "backend": batch.backend,
        "asked": batch.games,
        "interrupted": interrupted,
        "games": tally.games,
        "failed": tally.failed,
        "faults": _faults(program, tally),
        "decisions": decisions.total,
        "seconds": round(seconds, 3),
        "games_per_second": _rounded(tally.games / seconds if seconds else None),
        "decisions_per_second": _rounded(decisions.total / seconds if seconds else None),
        "wins": [_wins(seat, wins, tally.finished) for seat, wins in enumerate(tally.wins)],
        "no_winner": tally.no_winner,
        "shared_wins": tally.shared,
        "length": _range(decisions),
        "scores": [{"seat": n + 1, **_measured(score)} for n, score in enumerate(tally.scores)],
        "tracks": _tracks(batch, tally),
    }


def _faults(program: TableProgram, tally: Tally) -> list[Report]:
    found = sorted(tally.faults.items(), key=lambda item: (item[1].first, item[0]))
    faults = []
    for (code, at), fault in found:
        source = program.sources[at] if 0 <= at < len(program.sources) else None
        faults.append(
            {
                "code": code,
                "rule": source.name or None if source else None,
                "place": str(source.span) if source and source.span.path else None,
                "games": fault.games,
                "first": fault.first,
            }
        )
    return faults


def _wins(seat: int, wins: int, games: int) -> Report:
    low, high = wilson(wins, games)
    share = wins / games if games else None
    return {
        "seat": seat + 1,
        "wins": wins,
        "share": _rounded(share),
        "low": _rounded(low),
        "high": _rounded(high),
    }


def _measured(numbers: Numbers) -> Report:
    return {
        "mean": _rounded(numbers.mean),
        "standard_error": _rounded(numbers.standard_error),
        "min": numbers.low if numbers.count else None,
        "max": numbers.high if numbers.count else None,
    }


def _range(numbers: Numbers) -> Report:
    measured = _measured(numbers)
    return {"decisions": {key: measured[key] for key in ("mean", "min", "max")}}


def _tracks(batch: Batch, tally: Tally) -> list[Report]:
    columns = Columns(batch.program).columns
    if not tally.cells:
        return []
    return [
        {
            "track": column.track,
            "of": list(column.members),
            "seat": column.seat + 1,
            "mean": _rounded(total / tally.finished),
        }
        for column, total in zip(columns, tally.cells, strict=True)
    ]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


# ------------------------------------------------------------------ tables


def show(result: Report) -> None:
    """Prints the result for people."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    options = "".join(f", {key}={value}" for key, value in result["options"].items())
    what = f"{result['pack']} {result['version']}: {result['players']} players, seed {result['seed']}{options}"
    console.print(Text(what, "bold"))
    console.print(_speed(result))
    if result["interrupted"]:
        console.print(Text(f"Interrupted: {result['games']} of {result['asked']} games were finished.", "bold red"))
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("seat", "wins", "share", "95% interval", "score", "± s.e.", "min", "max"):
        table.add_column(title, justify="left" if title == "seat" else "right")
    for won, scored in zip(result["wins"], result["scores"], strict=True):
        table.add_row(
            str(won["seat"]), str(won["wins"]), _percent(won["share"]),
            f"{_percent(won['low'])} – {_percent(won['high'])}",
            _number(scored["mean"]), _number(scored["standard_error"], 3),
            _whole(scored["min"]), _whole(scored["max"]),
        )  # fmt: skip
    console.print()
    console.print(table)
    notes = [f"{_games(result['no_winner'])} without a winner"] if result["no_winner"] else []
    notes += [f"{_games(result['shared_wins'])} with several winners"] if result["shared_wins"] else []
    if notes:
        console.print(Text("; ".join(notes), "dim"))
    if result["tracks"]:
        console.print()
        console.print(_track_table(result))
    _show_faults(console, result)


def _speed(result: Report) -> str:
    length = result["length"]["decisions"]
    mean = _number(length["mean"], 1)
    per_game = f", {mean} a game ({length['min']} to {length['max']})" if length["mean"] else ""
    return (
        f"{result['games']:,} games in {result['seconds']:,.1f} s on {result['backend']}: "
        f"{result['games_per_second'] or 0:,.0f} games/s\n{result['decisions']:,} decisions{per_game}"
    )


def _track_table(result: Report) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("at the end, on average")
    for seat in range(1, result["players"] + 1):
        table.add_column(f"seat {seat}", justify="right")
    rows: dict[tuple[str, ...], list[str]] = {}
    for entry in result["tracks"]:
        rows.setdefault((entry["track"], *entry["of"]), []).append(_number(entry["mean"]))
    for key, means in rows.items():
        table.add_row(" ".join(key), *means)
    return table


def _show_faults(console: Any, result: Report) -> None:
    from rich.text import Text

    for fault in result["faults"]:
        where = "".join(f" {word} {what}" for word, what in (("in", fault["rule"]), ("at", fault["place"])) if what)
        message = f"{_games(fault['games'])} failed, first game {fault['first']}: rule error {fault['code']}{where}"
        console.print(Text(message, "red"))


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number:,} games"


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _whole(value: int | None) -> str:
    return "–" if value is None else str(value)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}%"
