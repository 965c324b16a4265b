"""A few games, watched decision by decision: what is offered where, and how the lead changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from attrs import field, frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies.players import RankedPlayer, play_out
from rulewright.interpreter.batch.batch import bots_stream
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.view import scores_so_far
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.simulation.usage_watch import Watcher


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
