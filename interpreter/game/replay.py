"""Replays of journals: the answers are given to a game one by one, up to the first that does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Protocol, TypeVar

from rulewright.interpreter.game.journal import Divergence, Entry, Journal, JournalError
from rulewright.interpreter.game.messages import DIVERGENCE, JOURNAL
from rulewright.interpreter.state.patience import TooLong, time_limit
from rulewright.interpreter.views.decision import Decision, resolve
from rulewright.interpreter.views.recorder import TooMuchTold
from rulewright.interpreter.views.refusals import Refusal, spoken
from rulewright.interpreter.views.view import Result
from rulewright.ruleset.table.nodes import TableProgram


class Playing(Protocol):
    """The part of a game (`game.Game`) that replaying needs."""

    @property
    def program(self) -> TableProgram: ...
    @property
    def decisions(self) -> Sequence[Decision]: ...
    @property
    def result(self) -> Result | None: ...
    def apply(self, seat: int, keys: Sequence[str]) -> object: ...


Game = TypeVar("Game", bound=Playing)


def replayed(journal: Journal, start: Callable[[], Game], upto: int | None, patience: float | None) -> Game:
    """Return the game that `start` begins, after the first `upto` entries. See `Game.replay`."""
    try:
        with time_limit(patience):
            game = start()
            for _ in replay_steps(journal, game, upto):
                pass
            return game
    except TooLong as error:
        raise too_long(error) from None
    except TooMuchTold:
        raise JournalError(spoken(JOURNAL, "memory")) from None


def too_long(error: TooLong) -> JournalError:
    """Return the error for a journal that takes too long."""
    return JournalError(f"replaying this journal takes too long: {error}; a larger `patience` allows more")


def replay_steps(journal: Journal, game: Playing, upto: int | None = None) -> Iterator[Entry]:
    """Give the entries to a game one by one. Yields each after it was applied."""
    for number, entry in enumerate(journal.entries[:upto]):
        decision = next((one for one in game.decisions if one.seat == entry.seat), None)
        if decision is None or decision.choice != entry.choice:
            _diverge(game, number, entry, decision)
        elif decision.digest != entry.digest:
            missing = [key for key in entry.keys if key not in {option.key for option in decision.options}]
            if missing:
                why = spoken(DIVERGENCE, "not-offered", key=repr(missing[0]))
            else:
                why = spoken(DIVERGENCE, "others")
            raise Divergence(number, entry, why, game.program.sources[decision.at])
        else:
            values = resolve(decision, entry.keys)
            if isinstance(values, Refusal):
                raise Divergence(number, entry, values.spoken(), game.program.sources[decision.at])
            game.apply(entry.seat, entry.keys)
            yield entry


def _diverge(game: Playing, number: int, entry: Entry, own: Decision | None) -> None:
    program = game.program
    if game.result is not None:
        why = spoken(DIVERGENCE, "over")
    elif own is not None:
        why = spoken(DIVERGENCE, "instead", choice=own.choice)
    else:
        asked = [
            spoken(DIVERGENCE, "asked", seat=f"seat-{one.seat + 1}", choice=one.choice) for one in game.decisions
        ]
        others = (
            reduce(lambda first, last: spoken(DIVERGENCE, "and", first=first, last=last), asked) if asked else ""
        )
        why = spoken(DIVERGENCE, "not-asked", others=others)
    asking = own or next(iter(game.decisions), None)
    at = asking.at if asking else next((site.at for site in program.sites if site.key == entry.choice), -1)
    raise Divergence(number, entry, why, program.sources[at] if at >= 0 else None)
