"""Compare seats that take, avoid, or do not care about a definition, in the same worlds."""

from __future__ import annotations

from attrs import evolve, field, frozen

from rulewright.interpreter.batch.batch import Stop
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.blocks import FEW, Blocks, Part
from rulewright.tools.balance.evidence import Evidence
from rulewright.tools.balance.leaning_player import LeaningPlayer
from rulewright.tools.balance.leanings import Use, avoiding, taking
from rulewright.tools.balance.outcomes import Ends
from rulewright.tools.balance.subjects import Trial
from rulewright.tools.simulation.protocol import BatchResult


@frozen
class Interventions:
    """Worlds of each trial, with the use that is compared in each."""

    program: TableProgram
    bot: str
    trials: tuple[Trial, ...]
    uses: tuple[Use, ...]
    blocks: Blocks
    seed: int
    slow: bool = field(default=False)

    @property
    def games(self) -> int:
        return self.blocks.items

    @property
    def cost(self) -> float:
        """The games that are played for each world of a trial, those of all trials left out."""
        return 2 + 1 / FEW

    def empty(self) -> Evidence:
        return Evidence()

    def player(self) -> InterventionPlayer:
        return InterventionPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.blocks.reach(first, most)


class InterventionPlayer:
    """Plays and compares the worlds of trials."""

    def __init__(self, work: Interventions) -> None:
        self._work = work
        program, bot = work.program, work.bot
        bots = [
            bot_info
            for number, (trial, use) in enumerate(zip(work.trials, work.uses, strict=True))
            for bot_info in (
                avoiding(program, bot, f"{number} away", trial),
                taking(program, bot, f"{number} taken", trial, use),
            )
        ]
        self._player = LeaningPlayer(program, bot, bots, work.seed)

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Evidence]:
        """See `Player.play`."""
        found, done = Evidence(), first
        for part in self._work.blocks.parts(first, end):
            played = self._played(part, stop)
            if played is None:
                break
            as_is, away, taken, nobody = played
            found.of(part.trial, "taken").add(taken, away, part.seat)
            found.of(part.trial, "as is").add(as_is, away, part.seat)
            found.of(part.trial, "nobody").add(as_is.head(part.few), nobody, part.seat)
            for how, ends in (("avoided", away), ("taken", taken), ("nobody", nobody)):
                found.note(part.trial, how, ends)
            done += part.end - part.first
        return BatchResult(
            first, done, evolve(found, games=done - first, backend=self._player.backend), self._player.backend
        )

    def _played(self, part: Part, stop: Stop) -> tuple[Ends, Ends, Ends, Ends] | None:
        """Return the ends of the games as they are, avoided, taken, and avoided by all; None if it was stopped."""
        player, key = self._player, f"{part.trial} away"
        where = part.seat, part.first, part.end
        found = (
            player.as_is(part.first, part.end, stop),
            player.one_leaning(key, *where, stop),
            player.one_leaning(f"{part.trial} taken", *where, stop),
            player.play((key,) * self._work.program.seats, part.first, part.first + part.few, stop),
        )
        as_is, away, taken, nobody = found
        if as_is is None or away is None or taken is None or nobody is None:
            return None
        return as_is, away, taken, nobody

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False

