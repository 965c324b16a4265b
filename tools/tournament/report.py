"""The result of a tournament as data: what `--json` prints, and what the other formats show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools import VERSION
from rulewright.tools.common.output import Table, Text, escaped
from rulewright.tools.simulation.output.simulate_report import (
    endless,
    failures,
    fault_parts,
    games_in_words,
    heading,
    rounded,
    run_of,
)
from rulewright.tools.tournament.games import Endings, Score, Tournament, where
from rulewright.tools.tournament.ratings import Estimate, standings

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


# ------------------------------------------------------------------ Standings for the terminal

def parts(report: Report) -> Iterator[str | Text | Table]:
    """Iterate over the parts of a report, for `plain_table.write`."""
    yield from heading(report)
    yield ""
    yield table("", rating_titles(), rating_rows(report))
    yield ""
    yield table("won against", cross_titles(report), cross_rows(report))
    yield ""
    yield from (Text(line, "dim") for line in method(report))


def table(first: str, titles: list[str], rows: list[list[str]]) -> Table:
    """Return a table with rows."""
    made = Table(first, *titles)
    for row in rows:
        made.add_row(*row)
    return made


def rating_titles() -> list[str]:
    """Return the titles of the ratings, without that of the bots."""
    return ["rating", "95% interval", "ahead of next", "won", "lost", "else", "share"]


def rating_rows(report: Report) -> list[list[str]]:
    """Return a row for each bot."""
    rows = []
    for one in report["bots"]:
        rating, ahead = one["rating"], one["ahead_of_next"]
        gap = f"{ahead['mean']:.0f} ({ahead['low']:.0f} to {ahead['high']:.0f})" if ahead else "–"
        between = f"{rating['low']:.0f} to {rating['high']:.0f}"
        numbers = (f"{one[key]:,}" for key in ("won", "lost", "undecided"))
        rows.append([_named(one), f"{rating['mean']:.0f}", between, gap, *numbers, _share(one)])
    return rows


def cross_titles(report: Report) -> list[str]:
    """Return the titles of the cross table: the ranks of the opponents."""
    return [str(one["rank"]) for one in report["bots"]]


def cross_rows(report: Report) -> list[list[str]]:
    """Return for each bot its share of the decided games against each, with the interval."""
    shares = {(one["bot"], one["against"]): one for one in report["pairings"]}
    bots = report["bots"]
    return [
        [_named(one), *(_with_interval(shares.get((one["bot"], other["bot"]))) for other in bots)] for one in bots
    ]


def method(report: Report) -> list[str]:
    """Return how the numbers were found, sentence by sentence."""
    each, arranged = report["games_each"], report["arrangements"]
    asked = "were asked for" if report["interrupted"] else "were played"
    timed = ["A search for some time is as good as the machine is fast: these games cannot be repeated exactly."]
    return [
        f"{each:,} games of each pairing {asked}: the same {each // arranged:,} worlds in {arranged} arrangements "
        "of the seats, in which each bot sits in each seat equally often.",
        "share: of the decided games, which only one of the two won; else: shared, won by nobody, failed, or "
        "endless. Intervals are 95 % (Wilson's for shares).",
        "rating: Bradley–Terry on the Elo scale, mean 1500; 400 more means 10 of 11 decided games. Each pairing "
        "counts half a game more for both, so that all ratings are finite.",
        *(timed if report["timed"] else []),
    ]  # fmt: skip


def _named(one: Report) -> str:
    return f"{one['rank']} {one['bot']}"


def _share(one: Report) -> str:
    return "–" if one["share"] is None else f"{one['share']:.1%}"


def _with_interval(one: Report | None) -> str:
    if one is None:
        return ""
    return "–" if one["share"] is None else f"{one['share']:.0%} ({100 * one['low']:.0f}–{100 * one['high']:.0f})"


# ---- Standings as Markdown, for pull requests and job summaries

def lines(report: Report) -> Iterator[str]:
    """Iterate over the lines of a report."""
    yield f"# Tournament of {escaped(harmless(report['pack']))} {report['version']}"
    yield ""
    options = "".join(f", {key}={value}" for key, value in report["options"].items())
    yield escaped(harmless(f"{report['players']} players, seed {report['seed']}{options}."))
    if report["interrupted"]:
        yield f"**Interrupted: {report['games']:,} of {games_in_words(report['asked'])} finished.**"
    yield ""
    yield from _table(["bot", *rating_titles()], rating_rows(report))
    yield ""
    yield from _table(["won against", *cross_titles(report)], cross_rows(report))
    yield ""
    yield from (f"- {escaped(line)}" for line in method(report))
    faults = [one.plain.strip() for one in fault_parts([*report["faults"], *report["endless"]])]
    yield from (f"- {escaped(harmless(line))}" for line in faults)


def _table(titles: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(titles)} |"
    yield f"| --- |{' ---: |' * (len(titles) - 1)}"
    yield from (f"| {' | '.join(escaped(harmless(cell)) for cell in row)} |" for row in rows)
