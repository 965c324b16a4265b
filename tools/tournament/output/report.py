"""The result of a tournament as data: what `--json` prints, and what the other formats show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools import VERSION
from rulewright.tools.simulation.output.simulate_report import endless, failures, rounded, run_of
from rulewright.tools.tournament.games import Endings, Tournament, where
from rulewright.tools.tournament.pairing import Score
from rulewright.tools.tournament.ratings import Estimate
from rulewright.tools.tournament.standings import standings

Report = dict[str, Any]


def report(
    work: Tournament, found: Endings, replay: Callable[[tuple[str, ...], int], str],
    backend: str, seconds: float, interrupted: bool,
) -> Report:  # fmt: skip
    """Return the result; `replay` returns the command that shows a game of these seats, by its number."""
    program, schedule, made = work.program, work.schedule, standings(work, found)
    names = [one.bot for one in made.ranked]
    return {
        "pack": program.pack,
        "version": program.version,
        "hash": program_hash(program),
        "rulewright": VERSION,
        "players": program.seats,
        "options": dict(program.options),
        **run_of(work.seed, backend, work.games, found.games, seconds, interrupted),
        "arrangements": len(schedule.arrangements),
        "games_each": work.worlds * len(schedule.arrangements),
        "timed": any(bot.startswith("search:") and bot.endswith("s") for bot in work.bots),
        "bots": [
            {
                "rank": rank,
                "bot": one.bot,
                "rating": _estimate(one.rating),
                "ahead_of_next": one.ahead and _estimate(one.ahead),
                **_score(one.score),
            }
            for rank, one in enumerate(made.ranked, 1)
        ],
        "pairings": [
            {"bot": names[one], "against": names[other], **_score(score)}
            for one, row in enumerate(made.table)
            for other, score in enumerate(row)
            if score is not None
        ],
        "faults": [_placed(work, one, replay) for one in failures(found.faults, str)],
        "endless": [_placed(work, one, replay) for one in endless(found.faults, str)],
    }


def _estimate(found: Estimate) -> Report:
    """Return an estimate in tenths of points: smaller parts are noise, and may differ between machines."""
    return {"mean": _tenths(found.mean), "low": _tenths(found.low), "high": _tenths(found.high)}


def _tenths(number: float) -> float:
    return round(number, 1) + 0.0  # no negative zero


def _score(score: Score) -> Report:
    decided = score.won + score.lost
    low, high = score.interval
    return {
        "won": score.won,
        "lost": score.lost,
        "undecided": score.undecided,
        "share": rounded(score.share) if decided else None,
        "low": rounded(low),
        "high": rounded(high),
    }


def _placed(work: Tournament, fault: Report, replay: Callable[[tuple[str, ...], int], str]) -> Report:
    """Replace the number of an item by that of its game, and say how to replay it."""
    seats, game = next(where(work, fault["first"]))
    return {**fault, "first": game, "replay": replay(seats, game)}
