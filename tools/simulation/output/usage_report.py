"""Format the counts of used cards, options, effects, and steps, as JSON data and as tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from tools.common.plain_table import Table, Text
from tools.simulation.output.simulate_report import Report, number, percent
from tools.simulation.statistics import Numbers, wilson
from tools.simulation.usage import DONE, Choice, Usage


def usage_report(usage: Usage, known: Iterable[str], kinds: Collection[str]) -> Report:
    """Return the counts as data, also of `known` items that were never used. `kinds` are the pack's."""
    names = dict.fromkeys(known)
    # In an order of their own: that in which parts were merged is chance.
    names.update(dict.fromkeys(sorted({*usage.choices, *usage.done, *usage.points})))
    done = [name for name in names if name.startswith(DONE)]
    awards = [name for name in names if name.startswith("award/")]
    apart = {*done, *awards}
    chosen = {name: usage.choices.get(name, Choice()) for name in names if name not in apart}
    choices = [_choice(name, choice, usage.games, kinds) for name, choice in chosen.items()]
    choices.sort(key=lambda entry: (-(entry["share"] if entry["share"] is not None else -1.0), entry["name"]))
    return {
        "games": usage.games,
        "choices": choices,
        "performed": [_done(name, usage.done.get(name, Numbers()), usage.games) for name in done],
        "awards": [
            {"name": name, "mean": _mean(usage.points.get(name, Numbers()).total, usage.games)} for name in awards
        ],
    }


def _choice(name: str, choice: Choice, games: int, kinds: Collection[str]) -> Report:
    low, high = wilson(choice.chosen, choice.offered)
    tries, wins, other_tries, other_wins = choice.won.sums
    difference = choice.won.difference()
    return {
        "name": name,
        "definition": name.partition("/")[0] in kinds,
        "offered": choice.offered,
        "chosen": choice.chosen,
        "forced": max(choice.taken - choice.chosen, 0),
        "share": _mean(choice.chosen, choice.offered),
        "share_low": _rounded(low),
        "share_high": _rounded(high),
        "offered_per_game": _mean(choice.offered, games),
        "chosen_per_game": _mean(choice.chosen, games),
        "games_chosen": choice.games,
        "won_when_chosen": _mean(wins, tries),
        "won_when_not": _mean(other_wins, other_tries),
        "won_more": None if difference is None else _rounded(difference.mean),
        "low": None if difference is None or difference.low is None else _rounded(difference.low),
        "high": None if difference is None or difference.high is None else _rounded(difference.high),
    }


def _done(name: str, numbers: Numbers, games: int) -> Report:
    low, high = wilson(numbers.count, games)
    return {
        "name": name,
        "times": numbers.total,
        "per_game": _mean(numbers.total, games),
        "games": numbers.count,
        "share_of_games": _mean(numbers.count, games),
        "low": _rounded(low),
        "high": _rounded(high),
    }


def _mean(total: int, count: int) -> float | None:
    return _rounded(total / count) if count else None


def _rounded(number: float) -> float:
    return round(number, 6)


# ------------------------------------------------------------------ tables


def usage_tables(result: Report) -> Sequence[Any]:
    """Return the tables to print."""
    note = (
        "share: chosen, of all decisions that offered it. won more: the win rate of seats that chose it, minus "
        "that of seats that could have chosen it but did not, in percentage points; a correlation, not necessarily "
        "a cause."
    )
    if any(_forced(entry) for entry in result["choices"]):
        note += " forced: it was chosen only where there was no other option."
    parts: list[Any] = []
    for title, defined in (("definition", True), ("option", False)):
        entries = [entry for entry in result["choices"] if entry["definition"] == defined]
        parts += ["", _choices(title, entries)] if entries else []
    parts += [Text(note, "dim")] if parts else []
    if result["performed"]:
        parts += ["", _performed(result["performed"])]
    if result["awards"]:
        parts += ["", _awards(result["awards"])]
    return parts


def _choices(title: str, entries: Sequence[Report]) -> Table:
    table = Table(title, "offered", "chosen", "share", "won more")
    for entry in entries:
        counts = f"{entry['offered']:,}", f"{entry['chosen']:,}"
        share = "forced" if _forced(entry) else percent(entry["share"])
        table.add_row(entry["name"], *counts, share, _won_more(entry))
    return table


def _forced(entry: Report) -> bool:
    return not entry["offered"] and bool(entry["forced"])


def _won_more(entry: Report) -> str:
    if entry["low"] is None:
        return "–"
    return f"{_points(entry['won_more'])} ({_points(entry['low'])} to {_points(entry['high'])})"


def _performed(entries: Sequence[Report]) -> Table:
    table = Table("performed", "times", "per game", "in games", "95% interval")
    for entry in entries:
        between = f"{percent(entry['low'])} – {percent(entry['high'])}"
        share = percent(entry["share_of_games"])
        table.add_row(entry["name"], f"{entry['times']:,}", number(entry["per_game"]), share, between)
    return table


def _awards(entries: Sequence[Report]) -> Table:
    table = Table("points from", "per game")
    for entry in entries:
        table.add_row(entry["name"], number(entry["mean"]))
    return table


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"
