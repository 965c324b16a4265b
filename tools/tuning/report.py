"""The result of a tuning: as data, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from rulewright.tools import VERSION
from rulewright.tools.common.output import Table, Text, many
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.simulation.output.simulate_report import rounded
from rulewright.tools.simulation.statistics import Difference
from rulewright.tools.tuning.numbers import Number, expressions
from rulewright.tools.tuning.search import Found, Request

Report = dict[str, Any]
_TITLES = {"win": "wins, points of 100", "lead": "points ahead", "score": "score"}


@frozen
class Tuned:
    """What was tuned, what was found, and by which measure (`win` or `lead`) it is judged."""

    request: Request
    numbers: tuple[Number, ...]
    found: Found
    measure: str

    @property
    def better(self) -> bool:
        """Whether the interval of the gain is above 0."""
        gain = self.found.gains.get(self.measure)
        return gain is not None and gain.low is not None and gain.low > 0


def report(tuned: Tuned) -> Report:
    """Return the result as data; `wrote` is the file that was written, and is filled in by the command."""
    request, found = tuned.request, tuned.found
    program = request.table.program
    free = request.table.free
    return {
        "pack": program.pack,
        "version": program.version,
        "rulewright": VERSION,
        "bot": request.table.bot,
        "players": program.seats,
        "options": dict(program.options),
        "against": [one or RANDOM for one in request.opponents],
        "seed": request.seed,
        "backend": found.backend,
        "interrupted": found.interrupted,
        "generations": found.generations,
        "candidates": found.candidates,
        "worlds_each": found.worlds,
        "worlds_compared": found.compared,
        "games": found.games,
        "numbers": [
            {"file": one.path, "line": one.line, "before": one.value, "after": value, "tuned": place in free}
            for place, (one, value) in enumerate(zip(tuned.numbers, found.values, strict=True))
        ],
        "expressions": [
            {"file": first.path, "line": first.line, "before": before, "after": after}
            for first, before, after in expressions(tuned.numbers, found.values)
        ],
        "judged_by": tuned.measure,
        "gain": {name: _gain(gain) for name, gain in found.gains.items()},
        "better": tuned.better,
        "wrote": None,
    }


def parts(report: Report, because: str) -> Iterator[str | Text | Table]:
    """Iterate over the parts of a report, for `plain_table.write`; `because` says what was written, or why not."""
    options = "".join(f", {key}={value}" for key, value in report["options"].items())
    yield Text(f"{report['bot']} of {report['pack']} {report['version']}", "bold")
    yield (
        f"{many(report['players'], 'player')}{options}, against {', '.join(report['against'])}, seed "
        f"{report['seed']}"
    )
    yield (
        f"{many(report['generations'], 'generation')} of {report['candidates']} candidates, "
        f"{many(report['games'], 'game')} on {report['backend']}"
    )
    changed = [one for one in report["expressions"] if one["before"] != one["after"]]
    if changed:
        yield ""
        for one in changed:
            yield f"- {one['line']}: {one['before']}"
            yield f"+ {one['line']}: {one['after']}"
        yield ""
        yield _gains(report["gain"])
        yield Text(
            f"Compared with the original in {report['worlds_compared']:,} other worlds, pair by pair.",
            "dim",
        )
    yield ""
    yield because


def _gains(gains: Report) -> Table:
    table = Table("gain", "mean", "95% interval")
    for name, gain in gains.items():
        if name != "win" and not (gain["mean"] or gain["high"]):  # a game without points
            continue
        factor = 100 if name == "win" else 1
        numbers = [gain[key] for key in ("mean", "low", "high")]
        mean, low, high = ("–" if one is None else f"{factor * one:+.2f}" for one in numbers)
        table.add_row(_TITLES[name], mean, f"{low} to {high}")
    return table


def _gain(gain: Difference) -> Report:
    return {"mean": rounded(gain.mean), "low": rounded(gain.low), "high": rounded(gain.high)}


def changed_numbers(numbers: Sequence[Number], values: Sequence[int]) -> int:
    """Return how many numbers have another value."""
    return sum(one.value != value for one, value in zip(numbers, values, strict=True))
