"""Tournaments: all bots against all others, in balanced seats, with ratings and reports."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, product
from typing import Any

import choix
import numpy as np
import numpy.typing as npt
from attrs import define, field, frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.batch.batch import Stop
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools import VERSION
from rulewright.tools.common.output import StyledText, TextTable, escaped
from rulewright.tools.common.seats import searches
from rulewright.tools.simulation.columns import Failed, columns_of
from rulewright.tools.simulation.output.simulate_report import (
    endless,
    failures,
    fault_parts,
    games_in_words,
    heading,
    rounded,
    run_of,
)
from rulewright.tools.simulation.players import PlayedTable, TablePlayer, player
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import Z_95, wilson
from rulewright.tools.simulation.tally import CountedFault

# ---- Two players at one table: how they share its seats, and who of them won a game

NOBODY, WON, LOST, SHARED, FAILED = range(5)
"""How a game ended for the first of two players: nobody won, it won, the other won, both won, or a rule failed."""


@frozen
class PairingScore:
    """Decided games that the first player won and lost, and games that were shared, failed, or did not end."""

    won: int
    lost: int
    undecided: int

    @property
    def share(self) -> float:
        """The share of the decided games that the first player won; 0 without any."""
        return self.won / (self.won + self.lost) if self.won + self.lost else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson)."""
        return wilson(self.won, self.won + self.lost)

    def __add__(self, other: PairingScore) -> PairingScore:
        return PairingScore(self.won + other.won, self.lost + other.lost, self.undecided + other.undecided)


def arrangements(players: int) -> Iterator[tuple[bool, ...]]:
    """Iterate over the seats of the first player: half of them; if their number is odd, one more or less."""
    for seats in product((True, False), repeat=players):
        if abs(2 * sum(seats) - players) <= players % 2:
            yield seats


def endings(seats: Sequence[bool], winners: Sequence[Sequence[int]], failed: Sequence[int]) -> bytes:
    """Return how each game ended, as a byte.

    `seats` are those of the first player. `winners` has 1 or 0 for each seat and game, `failed` is not 0 for games
    that a rule ended. A game is won if all its winners are on one side.
    """
    ours = theirs = 0
    for own, column in zip(seats, winners, strict=True):
        bits = int.from_bytes(array("B", column).tobytes(), "little")
        ours, theirs = (ours | bits, theirs) if own else (ours, theirs | bits)
    found = bytearray((ours * WON | theirs * LOST).to_bytes(len(failed), "little"))
    if any(failed):
        for game, fault in enumerate(failed):
            if fault:
                found[game] = FAILED
    return bytes(found)


def counted(found: bytes) -> PairingScore:
    """Count endings."""
    won, lost = found.count(WON), found.count(LOST)
    return PairingScore(won, lost, len(found) - won - lost)


# ---- The games of a tournament, numbered so that an interrupted one has about as many of each pairing

BLOCK = 200
"""Worlds of a block if no bot searches; a call of native code plays at most so many games."""


@frozen
class PairingWorlds:
    """Worlds `first` to `end` - 1 of a pairing (two numbers of bots) in one arrangement of the seats.

    `seats` are those of the first of the two.
    """

    pairing: tuple[int, int]
    seats: tuple[bool, ...]
    first: int
    end: int

    def at(self) -> tuple[int, ...]:
        """Return the bot in each seat."""
        one, other = self.pairing
        return tuple(one if own else other for own in self.seats)


@frozen(slots=False)
class Schedule:
    """All pairings of `bots` bots, in all arrangements of `players` seats, in worlds 0 to `worlds` - 1.

    Items are numbered by block of worlds, then by pairing, arrangement, and world.
    """

    bots: int
    players: int
    worlds: int
    block: int = BLOCK

    @cached_property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        return tuple(combinations(range(self.bots), 2))

    @cached_property
    def arrangements(self) -> tuple[tuple[bool, ...], ...]:
        return tuple(arrangements(self.players))

    @property
    def items(self) -> int:
        return len(self.pairings) * len(self.arrangements) * self.worlds

    def parts(self, first: int, end: int) -> Iterator[PairingWorlds]:
        """Iterate over the parts of items `first` to `end` - 1."""
        each = len(self.arrangements)
        while first < end:
            block, rest = divmod(first, len(self.pairings) * each * self.block)
            size = min(self.block, self.worlds - block * self.block)
            place, world = divmod(rest, size)
            count = min(size - world, end - first)
            start = block * self.block + world
            yield PairingWorlds(self.pairings[place // each], self.arrangements[place % each], start, start + count)
            first += count


@define
class Endings:
    """How games ended: bytes of `pairing.endings` by the first of consecutive items.

    `faults` are the rule errors, each with the number of its games and the first item.
    """

    parts: dict[int, bytes] = field(factory=dict)
    faults: dict[Failed, CountedFault] = field(factory=dict)
    games: int = 0

    def merge(self, other: Endings) -> None:
        """Add other items."""
        self.parts |= other.parts
        self.games += other.games
        for failed, fault in other.faults.items():
            self.fault(failed, fault.games, fault.first)

    def fault(self, failed: Failed, games: int, first: int) -> None:
        """Count games that a rule error ended."""
        known = self.faults.setdefault(failed, CountedFault(0, first))
        known.games += games
        known.first = min(known.first, first)


@frozen
class Tournament:
    """All `bots` (kinds of seats) against all others at a table, in `worlds` worlds of each arrangement of seats.

    World g is game g of the seed, in all pairings.
    """

    program: TableProgram
    bots: tuple[str, ...]
    worlds: int
    seed: int
    backend: str = AUTO

    @property
    def schedule(self) -> Schedule:
        """The games in their order. If a bot searches, each world is played by all pairings before the next."""
        return Schedule(len(self.bots), self.program.seats, self.worlds, 1 if self.slow else BLOCK)

    @property
    def games(self) -> int:
        return self.schedule.items

    @property
    def slow(self) -> bool:
        return any(map(searches, self.bots))

    def empty(self) -> Endings:
        return Endings()

    def player(self) -> TournamentPlayer:
        return TournamentPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)

    def seated(self, part: PairingWorlds) -> tuple[str, ...]:
        """Return the kinds of seats of a part."""
        return tuple(self.bots[bot] for bot in part.at())

    def scores(self, found: Endings) -> dict[tuple[int, int], PairingScore]:
        """Return the score of each pairing."""
        schedule = self.schedule
        scores = dict.fromkeys(schedule.pairings, PairingScore(0, 0, 0))
        for first, how in found.parts.items():
            begun = 0
            for part in schedule.parts(first, first + len(how)):
                behind = begun + part.end - part.first
                scores[part.pairing] += counted(how[begun:behind])
                begun = behind
        return scores


class TournamentPlayer:
    """Plays the games of a tournament, with a player for each set of seats."""

    def __init__(self, work: Tournament) -> None:
        self._work = work
        self._schedule = work.schedule
        self._columns = columns_of(work.program, tracks=False)
        self._players: dict[Sequence[str], TablePlayer] = {}
        self._preparing = False
        self._backend = ""

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Endings]:
        """See `TablePlayer.play`."""
        found, pieces, done = Endings(), list[bytes](), first
        for part in self._schedule.parts(first, end):
            seats = self._work.seated(part)
            playing = self._player(seats)
            results = playing.play(part.first, part.end - part.first, stop)
            pieces.append(endings(part.seats, self._columns.all(results).winners, results.faults))
            for game, failed in self._columns.failed(results):
                found.fault(failed, 1, done + game - part.first)
            done += results.count
            self._note(seats, playing.many.name)
            if results.count < part.end - part.first or stop():
                break
        if done > first:
            found.parts[first], found.games = b"".join(pieces), done - first
        return BatchResult(first, done, found, self._backend)

    def prepare(self) -> bool:
        """See `TablePlayer.prepare`."""
        self._preparing = True
        return True in [playing.many.prepare() for playing in self._players.values()]

    def _player(self, seats: tuple[str, ...]) -> TablePlayer:
        if seats not in self._players:
            made = player(
                PlayedTable(self._work.program, seats, self._work.seed, self._work.backend), self._columns.addresses
            )
            if self._preparing:
                made.many.prepare()
            self._players[seats] = made
        return self._players[seats]

    def _note(self, seats: Sequence[str], backend: str) -> None:
        """Note the backend of the games that take the time: those with a seat that searches, if there are any."""
        if not (self._backend and self._work.slow) or any(map(searches, seats)):
            self._backend = backend


def where(work: Tournament, item: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Iterate over the seats and the number of the game of an item."""
    for part in work.schedule.parts(item, item + 1):
        yield work.seated(part), part.first


# ---- Ratings on the Elo scale, by the model of Bradley and Terry (1952)
#
# The model gives each player a number; a player that is 400 above another wins 10 of 11 decided games against
# it. The mean of all players is 1500.

POINTS = 400 / math.log(10)
"""Points of rating for a unit of the model, the natural logarithm of the odds."""
MEAN = 1500.0
EXTRA = 0.5
"""Games that each of two players is taken to have won against the other, besides those played.

Without them, a player that wins or loses every game would have no finite rating.
"""
_ROUNDS = 10_000
"""Maximum number of iterations; tables in which each player wins every game against the next take a few dozen."""


@frozen
class RatingEstimate:
    """A number with its 95 % interval, in points of rating."""

    mean: float
    low: float
    high: float


@frozen(eq=False)
class Ratings:
    """The ratings of players by their numbers, with the covariance of their errors."""

    _points: npt.NDArray[np.float64]
    _covariance: npt.NDArray[np.float64]

    def of(self, player: int) -> RatingEstimate:
        return _estimate(float(self._points[player]), float(self._covariance[player, player]))

    def difference(self, one: int, other: int) -> RatingEstimate:
        """Return by how much the rating of one player is above that of another.

        Its interval is that of the difference: the errors of two ratings depend on each other.
        """
        c = self._covariance
        variance = c[one, one] + c[other, other] - 2 * c[one, other]
        return _estimate(float(self._points[one] - self._points[other]), float(variance))


def rated(won: Sequence[Sequence[int]], extra: float = EXTRA) -> Ratings:
    """Return the ratings of players; `won[i][j]` is the number of games that player i won against player j.

    The errors are those of the maximum likelihood, from its second derivatives, and take all games as independent.
    """
    games = np.array(won, dtype=np.float64)
    games += extra * (1.0 - np.eye(len(won)))
    found = choix.ilsr_pairwise_dense(games, max_iter=_ROUNDS)
    share = 1.0 / (1.0 + np.exp(found[None, :] - found[:, None]))
    weights = (games + games.T) * share * (1.0 - share)
    information = np.diag(weights.sum(axis=1)) - weights
    # The sum of ratings is fixed, so any information about it serves: it is taken off again.
    free = np.full(information.shape, 1.0 / len(won))
    covariance = np.linalg.inv(information + free) - free
    return Ratings(MEAN + POINTS * (found - found.mean()), POINTS**2 * covariance)


def _estimate(mean: float, variance: float) -> RatingEstimate:
    half = Z_95 * math.sqrt(max(0.0, variance))
    return RatingEstimate(mean, mean - half, mean + half)


# ---- The result of a tournament: who won how often against whom, and the ratings

@frozen
class Standing:
    """A bot with its rating, and its score against all others.

    `ahead` is by how much its rating is above that of the next bot; None for the last.
    """

    bot: str
    rating: RatingEstimate
    ahead: RatingEstimate | None
    score: PairingScore


@frozen
class Standings:
    """The bots, the best first. `table[i][j]` is the score of bot i against bot j; None against itself."""

    ranked: tuple[Standing, ...]
    table: tuple[tuple[PairingScore | None, ...], ...]


def standings(work: Tournament, found: Endings) -> Standings:
    """Return the standings after the games that were played."""
    bots = range(len(work.bots))
    scores = work.scores(found)
    table = [[_from(scores, one, other) for other in bots] for one in bots]
    ratings = rated([[score.won if score else 0 for score in row] for row in table])
    order = sorted(bots, key=lambda bot: (-round(ratings.of(bot).mean, 6), bot))
    following = (*order[1:], None)
    ranked = tuple(
        Standing(
            work.bots[bot],
            ratings.of(bot),
            None if below is None else ratings.difference(bot, below),
            sum((score for score in table[bot] if score), PairingScore(0, 0, 0)),
        )
        for bot, below in zip(order, following, strict=True)
    )
    return Standings(ranked, tuple(tuple(table[one][other] for other in order) for one in order))


def _from(scores: dict[tuple[int, int], PairingScore], one: int, other: int) -> PairingScore | None:
    """Return a score as the first bot sees it."""
    if one == other:
        return None
    if one < other:
        return scores[one, other]
    seen = scores[other, one]
    return PairingScore(seen.lost, seen.won, seen.undecided)


# ---- The result of a tournament as data: what `--json` prints, and what the other formats show

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
                "rating": _estimate_data(one.rating),
                "ahead_of_next": one.ahead and _estimate_data(one.ahead),
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


def _estimate_data(found: RatingEstimate) -> Report:
    """Return an estimate in tenths of points: smaller parts are noise, and may differ between machines."""
    return {"mean": _tenths(found.mean), "low": _tenths(found.low), "high": _tenths(found.high)}


def _tenths(number: float) -> float:
    return round(number, 1) + 0.0  # no negative zero


def _score(score: PairingScore) -> Report:
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

def parts(report: Report) -> Iterator[str | StyledText | TextTable]:
    """Iterate over the parts of a report, for `output.write`."""
    yield from heading(report)
    yield ""
    yield table("", rating_titles(), rating_rows(report))
    yield ""
    yield table("won against", cross_titles(report), cross_rows(report))
    yield ""
    yield from (StyledText(line, "dim") for line in method(report))


def table(first: str, titles: list[str], rows: list[list[str]]) -> TextTable:
    made = TextTable(first, *titles)
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
