"""Measure what a pack expects of games between bots, and judge it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Literal

import numpy as np
from attrs import define, frozen
from scipy import stats

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.scenario import Expectation, ExpectedBounds, ExpectedTable, What
from rulewright.ruleset.program.settled import Constants
from rulewright.ruleset.program.tables import option_numbers
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools import VERSION
from rulewright.tools.balance.estimates import LEVEL, Ends, Weighed, usual, usual_wins
from rulewright.tools.balance.interventions import LeaningPlayer
from rulewright.tools.balance.output.markdown import markdown
from rulewright.tools.balance.output.report import ReportNames, report
from rulewright.tools.balance.sample import Choices, ShareEstimate, WatchedGames, as_they_are
from rulewright.tools.balance.study import NothingToWeighError, Study, StudyRequest, StudyRunner, study
from rulewright.tools.balance.subjects import StudyGrouping, Subject
from rulewright.tools.common.output import StyledText, escaped, many
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.simulation.statistics import wilson

# ---- Which definitions a table has: a pack may leave some out, or give them no cards

def present(program: Program, table: TableProgram) -> Callable[[str], bool]:
    """Return whether a table has a definition, given as `KIND/NAME`."""
    constants = Constants(program, table.seats, option_numbers(program, table.options))
    of = {one.key: one.kind for one in program.definitions}
    supplied = {of[one.definition] for one in program.supplies}
    cards = {(card.kind, card.definition) for card in table.cards}
    found = {
        f"{one.kind}/{one.key}"
        for number, one in enumerate(program.definitions)
        if constants.in_game(number) and (one.kind not in supplied or (one.kind, one.key) in cards)
    }
    return found.__contains__


# ---- Measures what a pack expects of the games at one table, and nothing else, in a given time

USUAL = 0.9
"""The share of games that must have a usual length."""
MOST_GAMES = 20_000
"""Games that are played as they are, at most."""
PILOT = 10
"""Watched games whose pace decides how many follow."""
WATCHED = (40, 5_000)
"""Fewest and most watched games."""
UNTIMED = {"games": 5_000, "choices": 300}
"""Games that are played as they are, and watched games, if the time does not count."""
GAMES: tuple[What, ...] = ("first-seat-wins", "no-winner", "several-winners", "mean-length", "usual-length")
"""Expectations of whole games."""
WEIGHTS = {"games": 1, "choices": 3, "study": 6}
"""How the time is shared by what must be measured."""

PARTS: dict[What, str] = {
    **dict.fromkeys(GAMES, "games"),
    "offered-in-games": "choices",
    "chosen-when-offered": "choices",
    "none-stands-out": "study",
}
"""What must be measured for each expectation."""

Measured = ShareEstimate
"""A measured number with its 95 % interval, of so many games or decisions."""


class AllGames:
    """The ends of games as they are."""

    def __init__(self, parts: Sequence[Ends]) -> None:
        kept = [~part.failed for part in parts]
        self._winners = np.concatenate(
            [part.winners[:, one] for part, one in zip(parts, kept, strict=True)], axis=1
        ).astype(np.int64)
        self._lengths = np.concatenate([part.decisions[one] for part, one in zip(parts, kept, strict=True)])
        self.count = len(self._lengths)
        self.failed = sum(int(part.failed.sum()) for part in parts)

    def first_seat(self) -> Measured:
        """Return the share of games that the first seat wins; a shared win counts by its part.

        Wilson's interval is that of whole wins. Parts of wins spread less, so it is never too narrow.
        """
        number = np.maximum(1, self._winners.sum(axis=0))
        return self._share(float((self._winners[0] / number).sum()))

    def no_winner(self) -> Measured:
        return self._share(int((self._winners.sum(axis=0) == 0).sum()))

    def several_winners(self) -> Measured:
        return self._share(int((self._winners.sum(axis=0) > 1).sum()))

    def share_of_lengths(self, low: int | None, high: int | None) -> Measured:
        """Return the share of games with a number of decisions within bounds."""
        inside = np.ones(self.count, dtype=bool)
        if low is not None:
            inside &= self._lengths >= low
        if high is not None:
            inside &= self._lengths <= high
        return self._share(int(inside.sum()))

    def mean_length(self) -> Measured:
        """Return the mean number of decisions, with its t interval."""
        mean = float(self._lengths.mean())
        if self.count < 2:
            return Measured(mean, 0.0, math.inf, self.count)
        error = float(self._lengths.std(ddof=1)) / math.sqrt(self.count)
        half = float(stats.t.ppf(1 - LEVEL / 2, self.count - 1)) * error
        return Measured(mean, mean - half, mean + half, self.count)

    def _share(self, number: float) -> Measured:
        return Measured(number / self.count, *wilson(number, self.count), self.count)


@frozen
class CheckRequest:
    """What is measured at one table, by which bot (empty: random players), and for how long.

    `seconds`, `jobs`, and `worlds` are as in `tools.balance.study.Request`.
    """

    program: TableProgram
    expected: ExpectedTable
    bot: str
    seed: int
    seconds: float
    jobs: int
    worlds: int | None = None


@frozen
class Measurements:
    """What was measured; None is what is not expected. `nothing` says why nothing could be weighed."""

    games: AllGames | None
    choices: Choices | None
    study: Study | None
    nothing: str
    interrupted: bool


@define
class _Time:
    """The time that is left, shared by the parts that are still to come."""

    parts: list[str]
    ends: float

    def take(self, part: str) -> float:
        """Return the seconds for the next part."""
        weights = sum(WEIGHTS[one] for one in self.parts)
        self.parts.remove(part)
        return max(0.0, self.ends - time.monotonic()) * WEIGHTS[part] / weights


def weight(expected: ExpectedTable) -> int:
    """Return how much of the time a table needs, compared with others."""
    return sum(WEIGHTS[part] for part in _parts(expected))


def _parts(expected: ExpectedTable) -> list[str]:
    """Return what must be measured."""
    wanted = {PARTS[one.what] for one in expected.expectations}
    return [part for part in WEIGHTS if part in wanted]


def measure(request: CheckRequest, run: StudyRunner) -> Measurements:
    """Measure what is expected. After an interrupt, what was played so far counts."""
    parts = _parts(request.expected)
    clock = _Time(list(parts), time.monotonic() + request.seconds)
    games = _games(request, clock.take("games")) if "games" in parts else None
    choices, interrupted = None, False
    if "choices" in parts:
        choices, interrupted = _choices(request, clock.take("choices"), run)
    found, nothing = None, ""
    if "study" in parts and not interrupted:
        try:
            found = study(_study(request, clock.take("study")), run)
            interrupted = found.interrupted
        except NothingToWeighError as error:
            nothing = str(error)
    return Measurements(games, choices, found, nothing, interrupted)


def _games(request: CheckRequest, seconds: float) -> AllGames:
    timed = request.worlds is None
    player = LeaningPlayer(request.program, request.bot, (), request.seed)
    most, limit = (MOST_GAMES, seconds) if timed else (UNTIMED["games"], math.inf)
    return AllGames(as_they_are(player, most, limit))


def _choices(request: CheckRequest, seconds: float, run: StudyRunner) -> tuple[Choices, bool]:
    """Watch as many games as there is time for."""
    first = PILOT if request.worlds is None else UNTIMED["choices"]
    since = time.monotonic()
    found, interrupted = run(WatchedGames(request.program, request.bot, request.seed, first), "watching")
    if request.worlds is not None or interrupted:
        return found, interrupted
    spent = max(1e-6, time.monotonic() - since)
    number = max(WATCHED[0], min(WATCHED[1], int((seconds - spent) * first / spent * request.jobs))) - first
    rest = WatchedGames(request.program, request.bot, request.seed, number, first)
    more, interrupted = run(rest, "watching")
    found.merge(more)
    return found, interrupted


def _study(request: CheckRequest, seconds: float) -> StudyRequest:
    ids = [key for one in request.expected.expectations if one.what == "none-stands-out" for key in one.ids]
    kinds = tuple(dict.fromkeys(key.partition("/")[0] for key in ids))
    return StudyRequest(
        request.program, request.bot, kinds, request.seed, seconds, request.jobs, request.worlds,
        StudyGrouping(request.expected.groups),
    )  # fmt: skip


# ---- Whether what was measured keeps to what a pack expects

Result = Literal["held", "failed", "not decided"]
Unit = Literal["share", "decisions", "points", "wins"]
"""Shares and wins are fractions of 1."""


@frozen
class Verdict:
    """The result of one expectation, for one definition (`id`: `KIND/NAME`) or, with an empty `id`, for all games.

    It failed if the whole interval is beyond the bounds (`low`, `high`), and held if all of it is within them.
    `why` says why nothing was measured.
    """

    expectation: Expectation
    id: str
    result: Result
    unit: Unit
    low: float | None
    high: float | None
    measured: Measured | None
    why: str = ""


def judged(low: float | None, high: float | None, measured: Measured | None) -> Result:
    """Return the result for bounds (None: no bound) and a measured number with its interval."""
    if measured is None or not measured.of:
        return "not decided"
    if (low is not None and measured.high < low) or (high is not None and measured.low > high):
        return "failed"
    if (low is None or measured.low >= low) and (high is None or measured.high <= high):
        return "held"
    return "not decided"


def verdicts(
    expectations: Sequence[Expectation], found: Measurements, there: Callable[[str], bool]
) -> tuple[Verdict, ...]:
    """Return the results. Definitions that are not `there`, since the table does not have them, are left out."""
    return tuple(verdict for one in expectations for verdict in _verdicts(one, found, there))


def _verdicts(one: Expectation, found: Measurements, there: Callable[[str], bool]) -> Iterator[Verdict]:
    if one.what in GAMES:
        yield _of_games(one, found)
        return
    ids = [name for name in one.ids if there(name)]
    if not ids:
        yield Verdict(one, "", "not decided", "share", None, None, None, "this table has no such definition")
    elif one.what == "none-stands-out":
        yield from _standing_out(one, ids, found)
    else:
        low, high = _shares(one.bounds)
        for name in ids:
            if found.choices is None:
                yield Verdict(one, name, "not decided", "share", low, high, None, "no game was watched")
                continue
            offered = one.what == "offered-in-games"
            measured = found.choices.offered_in(name) if offered else found.choices.of(name).share()
            why = "" if measured.of else "never offered"
            result = judged(low, high, measured)
            yield Verdict(one, name, result, "share", low, high, measured if measured.of else None, why)


def _shares(bounds: ExpectedBounds) -> tuple[float | None, float | None]:
    """Return bounds in percent as fractions."""
    return tuple(None if one is None else one / 100 for one in (bounds.low, bounds.high))  # type: ignore[return-value]  # two of them


def _of_games(one: Expectation, found: Measurements) -> Verdict:
    games = found.games
    if games is None or not games.count:
        return Verdict(one, "", "not decided", "share", None, None, None, "no game came to an end")
    if one.what == "mean-length":
        low, high = one.bounds.low, one.bounds.high
        mean = games.mean_length()
        return Verdict(one, "", judged(low, high, mean), "decisions", low, high, mean)
    if one.what == "usual-length":
        inside = games.share_of_lengths(one.bounds.low, one.bounds.high)
        return Verdict(one, "", judged(USUAL, None, inside), "share", USUAL, None, inside)
    measured = {
        "first-seat-wins": games.first_seat,
        "no-winner": games.no_winner,
        "several-winners": games.several_winners,
    }[one.what]()
    low_share, high_share = _shares(one.bounds)
    result = judged(low_share, high_share, measured)
    return Verdict(one, "", result, "share", low_share, high_share, measured)


def _standing_out(one: Expectation, ids: Sequence[str], found: Measurements) -> Iterator[Verdict]:
    """Iterate over the verdicts: each definition is compared with those of its group, ignored ones included."""
    study = found.study
    if study is None:
        why = found.nothing or "nothing was weighed"
        yield Verdict(one, "", "not decided", "points", None, None, None, why)
        return
    unit: Unit = "wins" if study.measure == "win" else "points"
    together: dict[tuple[str, str], list[Weighed]] = {}
    for each in study.weighed:
        together.setdefault((each.subject.kind, each.group), []).append(each)
    of = {each.subject.name: (each, group) for group in together.values() for each in group}
    for name in ids:
        if name not in of:
            yield Verdict(one, name, "not decided", unit, None, None, None, "too rarely offered to be weighed")
            continue
        each, group = of[name]
        bounds = usual([other.taken.by_measure[study.measure] for other in group])
        if bounds is None:
            why = f"only {len(group)} could be weighed"
            yield Verdict(one, name, "not decided", unit, None, None, None, why)
            continue
        measured = _effect(each, study.measure)
        result = judged(*bounds, measured)
        if each.stands_out in ("strong", "weak") and result != "failed":  # it is apart in wins
            wins = [other.taken.by_measure["win"] for other in group if "win" in other.taken.by_measure]
            low, high = usual_wins(wins, study.request.program.seats)
            yield Verdict(one, name, "failed", "wins", low, high, _effect(each, "win"))
            continue
        if each.stands_out not in ("strong", "weak") and result == "failed":  # as one of so many, or unplayed
            result = "not decided"
        yield Verdict(one, name, result, unit, *bounds, measured)


def _effect(one: Weighed, measure: str) -> Measured:
    found = one.taken.by_measure[measure]
    return Measured(found.mean, found.low, found.high, one.taken.worlds)


# ---- What became of expectations as data: what `--check --json` prints, and what the other formats show

Report = dict[str, Any]
RESULTS: tuple[Result, ...] = ("failed", "not decided", "held")
"""The results, the worst first."""
_UNITS = {"mean-length": "decisions", "usual-length": "decisions"}


@frozen
class CheckedTable:
    """One document, what was measured at its table, and what follows. `text` is what the document says of it."""

    request: CheckRequest
    found: Measurements
    verdicts: tuple[Verdict, ...]
    names: ReportNames
    text: str = ""


def check_report(tables: Sequence[CheckedTable], left_out: int) -> Report:
    """Return the results; what could not be measured is null. `left_out` documents were not reached."""
    results = [verdict.result for table in tables for verdict in table.verdicts]
    first = tables[0].request.program
    return {
        "pack": first.pack,
        "version": first.version,
        "rulewright": VERSION,
        "seed": tables[0].request.seed,
        "interrupted": bool(left_out) or any(table.found.interrupted for table in tables),
        **{result.replace(" ", "_"): results.count(result) for result in RESULTS},
        "tables": [_table(table) for table in tables],
    }


def _table(table: CheckedTable) -> Report:
    request, found, program = table.request, table.found, table.request.program
    return {
        "expect": request.expected.key,
        "text": harmless(table.text) or None,
        "players": program.seats,
        "options": dict(program.options),
        "bot": request.bot or RANDOM,
        "hash": program_hash(program),
        "games": {
            "as_they_are": found.games.count if found.games else None,
            "watched": found.choices.games if found.choices else None,
            "comparison_each": found.study.worlds if found.study else None,
            "failed": sum(one.failed for one in (found.games, found.choices, found.study) if one),
        },
        "expectations": [_expectation(one, table.names) for one in table.verdicts],
        "ignored": [
            {"id": key, "name": _name(key, table.names), "reason": harmless(reason)}
            for key, reason in request.expected.ignored
        ],
        "report": None if found.study is None else report(found.study, table.names),
    }


def _expectation(one: Verdict, names: ReportNames) -> Report:
    return {
        "code": one.expectation.what,
        "about": one.expectation.about or None,
        "id": one.id or None,
        "name": _name(one.id, names) if one.id else None,
        "expected": expected(one.expectation),
        "result": one.result,
        "unit": one.unit,
        "at_least": one.low,
        "at_most": one.high,
        "measured": None if one.measured is None else _measured(one.measured),
        "why": one.why or None,
    }


def _measured(one: Measured) -> Report:
    return {"value": one.value, "low": one.low, "high": one.high, "of": one.of}


def _name(key: str, names: ReportNames) -> str:
    kind, _, word = key.partition("/")
    return harmless(names.definition(Subject(kind, word)))


def expected(one: Expectation) -> str:
    """Return a threshold as a document says it."""
    if one.what == "none-stands-out":
        return "none far from the others"
    low, high, unit = one.bounds.low, one.bounds.high, _UNITS.get(one.what, "%")
    if low is not None and high is not None:
        return f"{low} to {high} {unit}"
    return f"at least {low} {unit}" if low is not None else f"at most {high} {unit}"


# ---- What became of expectations, for the terminal and as Markdown

_STYLES = {"failed": "bold red", "not decided": "yellow", "held": ""}


@frozen
class ExpectationLine:
    """One line about an expectation: what it is about, and what was found."""

    result: str
    code: str
    about: str
    expected: str
    found: str
    several: bool = False

    @property
    def said(self) -> str:
        """What was expected and found, in words."""
        return f"expected {self.expected}{'; ' if self.several else ', found '}{self.found}"


def parts(report: Report) -> Iterator[str | StyledText]:
    """Iterate over the parts of the report, for `output.write`."""
    yield StyledText(f"Expectations of {report['pack']} {report['version']}", "bold")
    for table in report["tables"]:
        yield ""
        yield StyledText(table["expect"], "bold")
        if table["text"] is not None:
            yield StyledText(table["text"])
        for line in lines(table):
            about = f" {line.about}" if line.about else ""
            yield StyledText(
                f"{line.result:<11} {line.code}{about}: {line.said}",
                _STYLES[line.result],
            )
        yield from (
            StyledText(f"ignored     {one['name']} ({one['id']}): {one['reason']}", "dim")
            for one in table["ignored"]
        )
        yield StyledText(how(table, report["seed"]), "dim")
    yield ""
    yield summary(report)


def markdown_of_check(report: Report) -> str:
    """Return the results as Markdown; after them the reports of tables whose definitions were weighed."""
    rows = "\n".join(_markdown(report)) + "\n"
    weighed = [markdown(table["report"]) for table in report["tables"] if table["report"] is not None]
    return "\n".join([rows, *weighed])


def _markdown(report: Report) -> Iterator[str]:
    yield f"# Expectations of {escaped(report['pack'])} {escaped(report['version'])}"
    yield ""
    yield summary(report)
    for table in report["tables"]:
        yield ""
        yield f"## {escaped(table['expect'])}"
        yield ""
        if table["text"] is not None:
            yield escaped(table["text"])
            yield ""
        yield "| | expectation | expected | found |"
        yield "| --- | --- | --- | --- |"
        for line in lines(table):
            result = f"**{line.result}**" if line.result == "failed" else line.result
            about = f" {escaped(line.about)}" if line.about else ""
            yield f"| {result} | {line.code}{about} | {line.expected} | {escaped(line.found)} |"
        for one in table["ignored"]:
            yield f"| ignored | {escaped(one['name'])} | | {escaped(one['reason'])} |"
        yield ""
        yield escaped(how(table, report["seed"]))


def summary(report: Report) -> str:
    """Return how many expectations held, in a sentence."""
    failed, open_, held = (report[result.replace(" ", "_")] for result in RESULTS)
    said = f"{many(failed, 'expectation')} failed, {open_} not decided, {held} held."
    if open_:
        said += " What is not decided needs more games: raise --budget."
    return said + (" Interrupted: not everything was played." if report["interrupted"] else "")


def how(table: Report, seed: int) -> str:
    """Return how the numbers of a table were found."""
    games, options = table["games"], ", ".join(f"{key}={value}" for key, value in table["options"].items())
    played = [
        f"{games[key]:,} {what}"
        for key, what in (
            ("as_they_are", "games as they are"),
            ("watched", "games watched"),
            ("comparison_each", "worlds for each definition"),
        )
        if games[key] is not None
    ]
    failed = f"; {games['failed']:,} games did not end, or ended with a rule error" if games["failed"] else ""
    at = f"{many(table['players'], 'player')}{', ' + options if options else ''}"
    return f"{at}; bot {table['bot']}, seed {seed}; {', '.join(played)}{failed}"


def lines(table: Report) -> Iterator[ExpectationLine]:
    """Iterate over the lines of a table: those that held are one line for each expectation."""
    for _, group in groupby(table["expectations"], lambda one: (one["code"], one["about"])):
        own = list(group)
        for result in RESULTS:
            same = [one for one in own if one["result"] == result]
            if result == "held" and len(same) > 1:
                yield _several(same)
            else:
                yield from (
                    ExpectationLine(result, one["code"], _about(one), one["expected"], _found(one)) for one in same
                )


def _several(same: Sequence[Report]) -> ExpectationLine:
    """Return the line of several definitions, with the one that is nearest to a bound."""
    nearest = min(same, key=_room)
    found = f"{len(same)} definitions keep to it, nearest {nearest['name']}: {_found(nearest)}"
    return ExpectationLine("held", nearest["code"], nearest["about"], nearest["expected"], found, True)


def _room(one: Report) -> float:
    """Return how far an interval is from the nearest bound."""
    rooms: list[float] = []
    if one["at_least"] is not None:
        rooms.append(one["measured"]["low"] - one["at_least"])
    if one["at_most"] is not None:
        rooms.append(one["at_most"] - one["measured"]["high"])
    return min(rooms)


def _about(one: Report) -> str:
    """Return what an expectation is about: a definition with its name, and the kind or group that says it."""
    if one["id"] is None:
        return one["about"] or ""
    return f"{one['id']} ({one['name']})"


def _found(one: Report) -> str:
    if one["measured"] is None:
        return f"nothing: {one['why']}"
    value, low, high = (one["measured"][key] for key in ("value", "low", "high"))
    of = f"of {one['measured']['of']:,}"
    if one["unit"] == "share":
        what = "decisions" if one["code"] == "chosen-when-offered" else "games"
        inside = "" if one["code"] != "usual-length" else f"; {one['at_least']:.0%} must have that length"
        return f"{value:.1%} ({low:.1%} to {high:.1%}) {of} {what}{inside}".replace("%", " %")
    if one["unit"] == "decisions":
        return f"{value:.1f} decisions ({low:.1f} to {high:.1f}), the mean {of} games"
    scale, unit = (100, "percentage points of wins") if one["unit"] == "wins" else (1, "points")
    value, low, high, least, most = (scale * x for x in (value, low, high, one["at_least"], one["at_most"]))
    return f"{value:+.1f} {unit} ({low:+.1f} to {high:+.1f}); usual is {least:+.1f} to {most:+.1f}"
