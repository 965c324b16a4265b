"""Statistics of games of Rattus Cartus, by name."""

from __future__ import annotations

from .rattus_cartus_cards import AWARDS
from .rattus_cartus_end import Result


def figures(result: Result) -> dict[str, float]:
    """Return the statistics of one game; those of all seats together are means over the seats."""
    players = len(result.scores)
    values: dict[str, float] = {
        "score": sum(result.scores) / players,
        "highest_score": max(result.scores),
        "lowest_score": min(result.scores),
        "rats": sum(result.rats) / players,
        "most_rats": max(result.rats),
        "fewest_rats": min(result.rats),
        "tokens": sum(result.tokens) / players,
        "nuns": result.nuns,
        "eliminated": sum(result.eliminated) / players,
        "all_eliminated": float(all(result.eliminated)),
        "winners": len(result.winners),
        "shared_victory": float(len(result.winners) > 1),
        "rounds": result.rounds,
        "decisions": result.decisions,
        "reshuffles": result.reshuffles,
        "influence": sum(result.influence) / players,
        "hand": sum(result.hand) / players,
    }
    nobody = [0] * players
    for award in ("classes", "population", *AWARDS.values()):
        points = result.points.get(award, nobody)
        values[f"points_{award}"] = sum(points) / players
        values[f"most_points_{award}"] = max(points)
    values.update(result.happenings)
    for seat in range(players):
        values[f"score_seat_{seat}"] = result.scores[seat]
        values[f"win_seat_{seat}"] = float(seat in result.winners)
    return values
