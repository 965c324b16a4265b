"""A few games, watched decision by decision: what is offered where, and how the lead changes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from attrs import define, field, frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import RankedPlayer, play_out
from rulewright.interpreter.batch.batch import Stop, bots_stream, never
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.view import scores_so_far
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.estimates import Ends, Numbers
from rulewright.tools.balance.interventions import LeaningPlayer
from rulewright.tools.simulation.columns import Failed
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import wilson
from rulewright.tools.simulation.usage import Watcher


@frozen
class Sample:
    """What was seen in `games` games.

    `offered` and `chosen` count by site and definition (`lantern/tall`) in how many decisions it was offered and
    chosen. `lead_changes` counts how often another seat took the lead, by the scores during all games; None if only
    the end of a game counts scores.
    """

    games: int = 0
    offered: Counter[tuple[int, str]] = field(factory=Counter)
    chosen: Counter[tuple[int, str]] = field(factory=Counter)
    lead_changes: int | None = None


class WatchingPlayer(RankedPlayer):
    """A player that counts what it is offered."""

    def __init__(self, program: TableProgram, seated: Sequence[str]) -> None:
        super().__init__(program, seated)
        self.offered: Counter[tuple[int, str]] = Counter()
        self.chosen: Counter[tuple[int, str]] = Counter()
        self.lead_changes = 0
        self.scored = False
        """Whether any scores were seen."""
        self._watcher = Watcher(program)
        self._program = program
        self._leader = -1

    def among(
        self,
        state: Sequence[int],
        seat: int,
        site: int,
        options: Sequence[int],
        least: int,
        most: int,
        stream: Stream,
    ) -> Sequence[int]:
        """See `RandomPlayer.among`."""
        answer = super().among(state, seat, site, options, least, most, stream)
        if self.differ(state, site, options, least, most):
            self.offered.update((site, name) for name in self._watcher.things(state, seat, site, options))
            self.chosen.update((site, name) for name in self._watcher.things(state, seat, site, answer))
            self._look(scores_so_far(self._program, state))
        return answer

    def begin(self) -> None:
        """Begin a game, in which nobody leads."""
        self._leader = -1

    def _look(self, scores: Sequence[int]) -> None:
        """Count a change if a seat has taken the lead from another one. A tie changes nothing."""
        self.scored |= any(scores)
        best = max(scores, default=0)
        leaders = [seat for seat, score in enumerate(scores) if score == best]
        if len(leaders) == 1 and leaders[0] != self._leader:
            self.lead_changes += self._leader >= 0
            self._leader = leaders[0]


def watched(program: TableProgram, bot: str, seed: int, games: int, stop: Callable[[int], bool]) -> Sample:
    """Play games between bots (empty: random players) and watch them; games with a rule error do not count.

    `stop` says before each game, by the number of games so far, whether to stop.
    """
    backend, player, played = make(program), WatchingPlayer(program, (bot,) * program.seats), 0
    for game in range(games):
        if stop(game):
            break
        player.begin()
        try:
            play_out(backend, backend.start(seed, game), bots_stream(seed, game), player)
        except RuleError:
            continue
        played += 1
    return Sample(played, player.offered, player.chosen, player.lead_changes if player.scored else None)


# ---- How often definitions are offered and chosen, with the game as the unit of chance
#
# The decisions of a game depend on each other: whoever likes a definition takes it again and again. So
# intervals are those of as many independent decisions as would give the spread that was seen between games.

@frozen
class ShareEstimate:
    """A share with its 95 % interval, of `of` games or decisions."""

    value: float
    low: float
    high: float
    of: int


@define
class ChoiceTally:
    """Sums over the games that offer a definition: of decisions that offer it (o), and that choose it (c)."""

    games: int = 0
    offered: int = 0
    chosen: int = 0
    offered_squares: int = 0
    chosen_squares: int = 0
    products: int = 0

    def add(self, offered: int, chosen: int) -> None:
        """Add a game."""
        self.merge(ChoiceTally(1, offered, chosen, offered * offered, chosen * chosen, offered * chosen))

    def merge(self, other: ChoiceTally) -> None:
        self.games += other.games
        self.offered += other.offered
        self.chosen += other.chosen
        self.offered_squares += other.offered_squares
        self.chosen_squares += other.chosen_squares
        self.products += other.products

    def share(self) -> ShareEstimate:
        """Return the share of decisions that choose it (a ratio estimate, with Wilson's interval)."""
        if not self.offered:
            return ShareEstimate(0.0, 0.0, 1.0, 0)
        share = self.chosen / self.offered
        size = self._independent(share)
        return ShareEstimate(share, *wilson(share * size, size), self.offered)

    def _independent(self, share: float) -> float:
        """Return as how many independent decisions those of the games count: not fewer than there are games."""
        rest = self.chosen_squares - 2 * share * self.products + share * share * self.offered_squares
        variance = rest * self.games / max(1, self.games - 1) / self.offered**2
        if share in (0.0, 1.0) or variance <= 0:
            return self.games
        return min(self.offered, max(self.games, share * (1 - share) / variance))


@define
class Choices:
    """The tallies of definitions (`lantern/tall`) in `games` games; `failed` ended with a rule error."""

    games: int = 0
    failed: int = 0
    by_name: dict[str, ChoiceTally] = field(factory=dict)

    def merge(self, other: Choices) -> None:
        self.games += other.games
        self.failed += other.failed
        for name, tally in other.by_name.items():
            self.of(name).merge(tally)

    def of(self, name: str) -> ChoiceTally:
        """Return the tally of a definition."""
        return self.by_name.setdefault(name, ChoiceTally())

    def offered_in(self, name: str) -> ShareEstimate:
        """Return the share of games that offer a definition."""
        games, ended = self.of(name).games, self.games - self.failed
        return ShareEstimate(games / ended if ended else 0.0, *wilson(games, ended), ended)


@frozen
class WatchedGames:
    """Games `start` to `start + games` - 1 of a seed, watched decision by decision."""

    program: TableProgram
    bot: str
    seed: int
    games: int
    start: int = 0
    slow: bool = False

    def empty(self) -> Choices:
        return Choices()

    def player(self) -> ChoicesPlayer:
        return ChoicesPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(self.games, first + most)


class ChoicesPlayer:
    """Plays and counts the games of `WatchedGames`."""

    def __init__(self, work: WatchedGames) -> None:
        self._work = work
        self._backend = make(work.program)
        self._player = WatchingPlayer(work.program, (work.bot,) * work.program.seats)

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Choices]:
        """See `Player.play`."""
        found, done = Choices(), first
        while done < end and not (stop() and done > first):
            self._one(self._work.start + done, found)
            done += 1
        return BatchResult(first, done, found, self._backend.name)

    def _one(self, game: int, found: Choices) -> None:
        player, seed = self._player, self._work.seed
        player.begin()
        player.offered, player.chosen = Counter(), Counter()
        found.games += 1
        try:
            play_out(self._backend, self._backend.start(seed, game), bots_stream(seed, game), player)
        except RuleError:
            found.failed += 1
            return
        offered, chosen = _by_name(player.offered), _by_name(player.chosen)
        for name, count in offered.items():
            found.of(name).add(count, chosen[name])

    def prepare(self) -> bool:
        """See `Player.prepare`."""
        return False


def _by_name(counts: Counter[tuple[int, str]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (_, name), count in counts.items():
        found[name] += count
    return found


# ---- The games as they are: who wins from which seat, how long they take, and how close they are

MOST = 5000
"""Games that are summed up."""


@frozen
class Seat:
    """A seat's wins, shared ones included, its share of the games with the 95 % interval, and its mean score.

    A shared win counts by its part in the share. Wilson's interval is that of whole wins, which is not narrower.
    """

    wins: int
    share: float
    low: float
    high: float
    score: float


@frozen
class Summary:
    """What happened in `games` games that ended.

    `lengths` are the 5th, 50th, and 95th percentile of the decisions of a game; `margin` is by how much the best
    score is ahead of the second on average.
    """

    games: int
    failed: int
    seats: tuple[Seat, ...]
    no_winner: int
    shared: int
    lengths: tuple[int, int, int]
    mean_length: float
    margin: float | None
    reasons: tuple[tuple[Failed, int], ...] = ()
    """Why games failed, with the number of games."""


def summed_up(player: LeaningPlayer | None, games: int, seconds: float, stop: Stop = never) -> Summary:
    """Play `games` games in which no seat leans, or as many as fit into the time, and sum them up.

    Without a player there are none.
    """
    return _summary(as_they_are(player, games, seconds, stop) if player is not None else [])


def as_they_are(player: LeaningPlayer, games: int, seconds: float, stop: Stop = never) -> list[Ends]:
    """Play `games` games in which no seat leans, or as many as fit into the time, and return their ends."""
    began, parts, played, size = time.monotonic(), list[Ends](), 0, 1
    while played < games and not stop() and (not played or time.monotonic() - began < seconds):
        end = min(games, played + size)
        found = player.as_is(played, end, stop)
        if found is None:
            break
        parts.append(found)
        played, size = end, 2 * size
    return parts


def _summary(found: list[Ends]) -> Summary:
    if not found:
        return Summary(0, 0, (), 0, 0, (0, 0, 0), 0.0, None)
    kept = [~part.failed for part in found]
    scores, winners = (
        np.concatenate([values[:, one] for values, one in zip(many, kept, strict=True)], axis=1)
        for many in ([part.scores for part in found], [part.winners for part in found])
    )
    lengths = np.concatenate([part.decisions[one] for part, one in zip(found, kept, strict=True)])
    games, failed = len(lengths), sum(int(part.failed.sum()) for part in found)
    reasons = tuple(Counter(why for part in found for why in part.why if why is not None).items())
    if not games:
        return Summary(0, failed, (), 0, 0, (0, 0, 0), 0.0, None, reasons)
    won = winners.sum(axis=0)
    parts = winners / np.maximum(1, won)
    seats = tuple(_seat(*one, games) for one in zip(winners, parts, scores, strict=True))
    low, middle, high = (int(value) for value in np.percentile(lengths, (5, 50, 95)))
    return Summary(
        games, failed, seats, int((won == 0).sum()), int((won > 1).sum()), (low, middle, high),
        float(lengths.mean()), _margin(scores), reasons,
    )  # fmt: skip


def _seat(won: Numbers, parts: npt.NDArray[np.float64], scores: Numbers, games: int) -> Seat:
    part = float(parts.sum())
    return Seat(int(won.sum()), part / games, *wilson(part, games), float(scores.mean()))


def _margin(scores: Numbers) -> float | None:
    """Return the mean lead of the best score; None if there are no scores, or only one seat."""
    if len(scores) < 2 or not scores.any():
        return None
    ordered = np.sort(scores, axis=0)
    return float((ordered[-1] - ordered[-2]).mean())
