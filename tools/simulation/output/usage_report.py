"""Format the counts of used cards, options, effects, and steps, as JSON data and as tables.

What goes with a choice is estimated with the extra `lab`; without it, the counts are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rulewright.interpreter.counting import EFFECT, MEASURES
from rulewright.tools.common.output import StyledText, TextTable
from rulewright.tools.simulation.output.simulate_report import Report, number, percent
from rulewright.tools.simulation.statistics import wilson
from rulewright.tools.simulation.usage import CHOSEN, DONE, OFFERED, UsageCounts

if TYPE_CHECKING:
    from rulewright.tools.simulation.effects import Effect

INSTALL = "pip install 'rulewright[lab]'"
_NOTE = (
    "share: chosen, of all decisions that offered it. score, wins, rank: how much more a seat had for each time "
    "that it chose this, compared with the same seat in games with as many offers; ± gives the 95% interval. Wins "
    "are in percentage points; a lower rank is better. This is a correlation, not necessarily a cause. *: "
    "significant among all {comparisons} comparisons (Benjamini and Hochberg, false discovery rate 5%)."
)
_WITHOUT = f"Effects on wins, score, and rank are estimated with the packages of: {INSTALL}"


def usage_report(usage: UsageCounts, known: Iterable[str] = ()) -> Report:
    """Return the counts as data. Effects and steps come in the order of `known`, then by name.

    What was never offered or carried out is left out. Choices are sorted by the size of their effect, significant
    ones first: on the score or, in games without scores, on wins.
    """
    order = {name: place for place, name in enumerate(known)}
    done = sorted(usage.done, key=lambda name: (order.get(name, len(order)), name))
    estimates = _estimates(usage)
    choices = [
        _choice(usage, choice, estimates.get(choice) if estimates is not None else None) for choice in usage.rows
    ]
    measure = "score" if any(any(one) for one in usage.points.values()) or _scored(choices) else "win"
    choices.sort(key=lambda entry: _by_size(entry, measure))
    awards: dict[str, list[int]] = {}
    for (award, seat), (points,) in sorted(usage.points.items()):
        of_seats = awards.setdefault(award, [])
        of_seats += [0] * (seat + 1 - len(of_seats))
        of_seats[seat] += points
    return {
        "games": usage.games,
        "estimated": estimates is not None,
        "choices": choices,
        "performed": [_done(name, usage.done[name], usage.games) for name in done if name.startswith(DONE)],
        "awards": [
            {
                "name": award,
                "points": sum(points),
                "mean": _mean(sum(points), usage.games),
                "by_seat": [_mean(one, usage.games) for one in points],
            }
            for award, points in sorted(awards.items(), key=lambda item: (order.get(item[0], len(order)), item[0]))
            if any(points)
        ],
        "owned": _owned(usage),
    }


def _estimates(usage: UsageCounts) -> dict[Any, dict[str, Effect]] | None:
    """Return the effects of each choice; None if the packages for it are missing."""
    if find_spec("scipy") is None or find_spec("numpy") is None:
        return None
    from rulewright.tools.simulation.effects import estimated

    return {one.choice: one.by_measure for one in estimated(usage)}


def _scored(choices: Sequence[Report]) -> bool:
    return any(entry["score"] and entry["score"]["mean"] for entry in choices)


def _by_size(entry: Report, measure: str) -> tuple[bool, float, float, str, str]:
    effect = entry[measure] or {"mean": 0.0, "significant": False}
    size = -abs(effect["mean"])
    return not effect["significant"], size, -entry["share"], entry["name"], entry["decision"]


def _choice(usage: UsageCounts, choice: Any, effects: dict[str, Effect] | None) -> Report:
    offered, chosen = usage.total(choice, OFFERED), usage.total(choice, CHOSEN)
    low, high = wilson(chosen, offered)
    found = {measure: (effects or {}).get(measure) for measure in MEASURES}
    return {
        "name": choice.what,
        "definition": choice.defined,
        "decision": choice.site,
        "offered": offered,
        "chosen": chosen,
        "share": _rounded(chosen / offered),
        "share_low": _rounded(low),
        "share_high": _rounded(high),
        "chosen_per_game": _mean(chosen, usage.games),
        **{measure: None if effect is None else _effect(effect) for measure, effect in found.items()},
    }


def _effect(effect: Effect) -> Report:
    numbers = {name: _rounded(getattr(effect, name)) for name in ("mean", "low", "high")}
    return {**numbers, "p": float(f"{effect.p:.3g}"), "significant": effect.significant}


def _done(name: str, counts: Sequence[int], games: int) -> Report:
    times, with_it = counts
    low, high = wilson(with_it, games)
    return {
        "name": name,
        "times": times,
        "per_game": _mean(times, games),
        "games": with_it,
        "share_of_games": _mean(with_it, games),
        "low": _rounded(low),
        "high": _rounded(high),
    }


def _owned(usage: UsageCounts) -> list[Report]:
    """Return how many cards of each definition all seats had at the end, and how often its effects happened."""
    copies: dict[str, int] = {}
    for (name, _), (cards,) in usage.owned.items():
        copies[name] = copies.get(name, 0) + cards
    used: dict[str, int] = {}
    for name, (times, _games) in usage.done.items():
        if name.startswith(EFFECT):
            definition = name.removeprefix(EFFECT).partition(".")[0]
            used[definition] = used.get(definition, 0) + times
    return [
        {
            "name": name,
            "copies": copies[name],
            "per_game": _mean(copies[name], usage.games),
            "used": used.get(name.partition("/")[2], 0),
        }
        for name in sorted(copies)
    ]


def _mean(total: int, count: int) -> float | None:
    return _rounded(total / count) if count else None


def _rounded(number: float) -> float:
    return round(number, 6)


# ------------------------------------------------------------------ tables

def usage_tables(result: Report) -> Sequence[Any]:
    """Return the tables to print."""
    measures = [one for one in ("score", "win", "rank") if any(entry[one] for entry in result["choices"])]
    if not any(entry["score"] and entry["score"]["mean"] for entry in result["choices"]):
        measures = [one for one in measures if one != "score"]
    parts: list[Any] = []
    for decision in dict.fromkeys(entry["decision"] for entry in result["choices"]):
        entries = [entry for entry in result["choices"] if entry["decision"] == decision]
        parts += ["", _choices(decision, entries, measures)]
    if parts and result["estimated"]:
        comparisons = sum(entry[one] is not None for entry in result["choices"] for one in MEASURES)
        parts.append(StyledText(_NOTE.format(comparisons=f"{comparisons:,}"), "dim"))
    elif parts:
        parts.append(StyledText(_WITHOUT, "dim"))
    if result["performed"]:
        parts += ["", _performed(result["performed"])]
    if result["awards"]:
        parts += ["", _awards(result["awards"])]
    if result["owned"]:
        parts += ["", _cards(result["owned"])]
    return parts


def _choices(decision: str, entries: Sequence[Report], measures: Sequence[str]) -> TextTable:
    named = {"score": "score", "rank": "rank", "win": "wins"}
    table = TextTable(decision, "offered", "share", *(named[one] for one in measures))
    for entry in entries:
        name = entry["name"].removeprefix(f"{decision}/")
        counts = f"{entry['offered']:,}", percent(entry["share"])
        table.add_row(name, *counts, *(_told(entry[one], one) for one in measures))
    return table


def _told(effect: Report | None, measure: str) -> str:
    if effect is None:
        return "–"
    factor, digits = (100, 1) if measure == "win" else (1, 2)
    half = factor * (effect["high"] - effect["low"]) / 2
    return f"{factor * effect['mean']:+.{digits}f} ±{half:.{digits}f}{'*' if effect['significant'] else ' '}"


def _performed(entries: Sequence[Report]) -> TextTable:
    table = TextTable("performed", "times", "per game", "in games", "95% interval")
    for entry in entries:
        between = f"{percent(entry['low'])} – {percent(entry['high'])}"
        share = percent(entry["share_of_games"])
        table.add_row(entry["name"], f"{entry['times']:,}", number(entry["per_game"]), share, between)
    return table


def _awards(entries: Sequence[Report]) -> TextTable:
    seats = max(len(entry["by_seat"]) for entry in entries)
    table = TextTable("points from", "per game", *(f"seat {seat}" for seat in range(1, seats + 1)))
    for entry in entries:
        each = [number(mean) for mean in entry["by_seat"]]
        table.add_row(entry["name"], number(entry["mean"]), *each, *[""] * (seats - len(each)))
    return table


def _cards(entries: Sequence[Report]) -> TextTable:
    table = TextTable("owned at the end", "per game", "effects performed")
    for entry in entries:
        table.add_row(entry["name"], number(entry["per_game"]), f"{entry['used']:,}")
    return table
