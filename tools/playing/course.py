"""The course of a game: its answers, by people and bots, and what can be taken back.

Used by the terminal and by the browser application; neither shows nor saves anything.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from attrs import define, field, frozen

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import Journal
from rulewright.interpreter.game.replay import replay_steps
from rulewright.interpreter.views.decision import Answer, Decision, only_answer
from rulewright.interpreter.views.refusals import Refusal
from rulewright.tools.common.bots import SeatedBots
from rulewright.tools.common.seats import HUMAN


@frozen
class _Point:
    """A point to take back to: the number of answers, and the state of the bots."""

    answers: int
    bots: int
    seat: int


@define
class Course:
    """A game with its players. `seed` and `number` are those of the game."""

    game: Game
    seats: tuple[str, ...]
    seed: int
    number: int = 0
    bots: SeatedBots = field(init=False)
    answers: int = field(init=False, default=0)
    _points: list[_Point] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.bots = SeatedBots(self.game.program, self.seats)
        self.bots.sit(self.seed, self.number)

    @property
    def humans(self) -> list[int]:
        """The seats that people play."""
        return [seat for seat, kind in enumerate(self.seats) if kind == HUMAN]

    def recall(self, journal: Journal) -> None:
        """Replay a journal, advancing the bots as if the game had never been interrupted. Raises Divergence."""
        steps = replay_steps(journal, self.game)
        for entry in journal.entries:
            self.note(entry.seat)
            self.bots.passed(self.game, entry.seat)
            next(steps)
            self.answers += 1

    def asked(self, seat: int) -> Decision | None:
        """Return the open decision of a seat, or None."""
        return next((one for one in self.game.decisions if one.seat == seat), None)

    def bot(self) -> Decision | None:
        """Return the first open decision of a bot, or None."""
        return next((one for one in self.game.decisions if self.bots.plays(one.seat)), None)

    def play_bot(self, decision: Decision, limit: AbstractContextManager[None] | None = None) -> None:
        """Let a bot answer its open decision, within a limit of time. Raises RuleFault."""
        keys = self.bots.answer(self.game, decision, self.answers)
        with limit or nullcontext():
            refused = self.game.apply(decision.seat, keys)
        assert not isinstance(refused, Refusal), refused
        self.answers += 1

    def answer(
        self, seat: int, answer: Answer, limit: AbstractContextManager[None] | None = None, given: bool = False
    ) -> Refusal | None:
        """Answer for a person; return a refusal, which changes nothing. Raises RuleFault.

        `given`: the answer was the only one and is given for the person, so that it is not one to take back.
        """
        if not given:
            self._points.append(_Point(self.answers, self.bots.memory, seat))
        try:
            with limit or nullcontext():
                outcome = self.game.apply(seat, answer)
        except BaseException:
            self._forget(given)
            raise
        if isinstance(outcome, Refusal):
            self._forget(given)
            return outcome
        self.answers += 1
        return None

    def only_answer(self, decision: Decision) -> list[str] | None:
        """Return the answer to give for a person: the only one, if no other person learns from it."""
        return None if len(self.humans) > 1 else only_answer(decision)

    def note(self, seat: int) -> None:
        """Before an answer, note that a person's answer can be taken back, unless it is given for them."""
        decision = self.asked(seat)
        given = decision is not None and self.only_answer(decision) is not None
        if self.seats[seat] == HUMAN and not given:
            self._points.append(_Point(self.answers, self.bots.memory, seat))

    def can_undo(self, seat: int) -> bool:
        """Whether a seat has an answer to take back."""
        return any(point.seat == seat for point in self._points)

    def undo(self, seat: int) -> bool:
        """Return to before the last answer of a seat; False if it has none."""
        if not self.can_undo(seat):
            return False
        while self._points[-1].seat != seat:
            self._points.pop()
        point = self._points.pop()
        while self.answers > point.answers and self.game.undo():
            self.answers -= 1
        self.bots.recall(point.bots)
        return True

    def _forget(self, given: bool) -> None:
        if not given:
            self._points.pop()
