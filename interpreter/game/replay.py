"""Events of a game as they are recorded, with who sees which card, and replays of journals.

`Recorder` gets the events of every game, live or replayed, and has the last word on who sees what of each. A replay
gives the answers of a journal to a game one by one, up to the first that does not fit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Protocol, TypeVar

from attrs import evolve

from rulewright.interpreter.game.journal import Divergence, Journal, JournalEntry, JournalError
from rulewright.interpreter.game.messages import DIVERGENCE, JOURNAL
from rulewright.interpreter.state.decision_slots import cards_of_answer
from rulewright.interpreter.state.events import Event, RawEvent, from_raw
from rulewright.interpreter.state.frames import card_axis
from rulewright.interpreter.state.patience import TimeUsedUp, time_limit
from rulewright.interpreter.views.decision import Decision, resolve
from rulewright.interpreter.views.knowledge import Folding, Knowledge, zone_contents
from rulewright.interpreter.views.refusals import Refusal, spoken
from rulewright.interpreter.views.view import Result
from rulewright.interpreter.views.visibility import SeatSight
from rulewright.ruleset.table.nodes import TableProgram

# ---- Record the events of a run, and fold them into knowledge
#
# - An answer that names cards is seen by the seats that know all of these cards in their places, a private answer
#   by its seat alone, if it knows them. So a seat that
#   chooses a card it does not see learns nothing, and a seat that knows the card does. A seat that knows some of
#   the chosen cards reads which, and of backs for the others.
# - A change of a card's own track is stored with the card, seen by the seats that see the card in its place.
# - In a message or step that names cards, a seat reads those that it knows in their places, and of backs for the
#   others.

OF_EVENT = 40
"""The memory of an event without numbers, in numbers."""


class TooMuchTold(JournalError):  # noqa: N818 - nothing need be wrong with the rules
    """The events of a journal exceed the room for them."""

    def __init__(self) -> None:
        super().__init__(spoken(JOURNAL, "memory"))


class Recorder(list[RawEvent]):
    """The events of one run, which begins in `state` with `knowledge`.

    `room` bounds the total of numbers and cards in all events, plus `OF_EVENT` for each; TooMuchTold is raised
    beyond it. It decreases by what the events use.
    """

    def __init__(
        self, program: TableProgram, state: Sequence[int], knowledge: Knowledge, room: int = sys.maxsize
    ) -> None:
        super().__init__()
        self.room = room
        self._program = program
        self._state = state
        self._folding = Folding(program, zone_contents(program, state), knowledge, self._pointed_at)
        self._each: dict[int, tuple[tuple[int, ...], ...]] = {}
        """`Event.each` of the events that have it, by their places."""

    @property
    def knowledge(self) -> Knowledge:
        """The knowledge of the seats after the events so far."""
        return self._folding.result()

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far, with what each seat sees of them."""
        each = self._each
        return tuple(
            evolve(from_raw(raw), each=each[place]) if place in each else from_raw(raw)
            for place, raw in enumerate(self)
        )

    def append(self, raw: RawEvent) -> None:
        """Add one event."""
        kind, numbers, cards, audience, sees, at = raw
        groups: list[tuple[int, ...]] = []
        if kind == "answered":
            site = self._program.sites[numbers[1]]
            named = cards_of_answer(site, cards)
            if named:
                own = sees if site.private else -1
                sees = self._seers(named, numbers[0]) & own
                if site.of == "card":
                    each = (self._seers((card,), numbers[0]) & own if card >= 0 else sees for card in cards)
                    groups = [tuple(each)]
        elif kind == "changed":
            axis = card_axis(self._program, self._program.tracks[numbers[0]])
            if axis is not None:
                card = axis.member(numbers[1])
                cards, sees = (card,), sees & self._seers((card,))
        elif kind in ("announced", "reached") and cards:
            own = sees
            sees &= self._seers(cards)
            groups = [tuple(self._seers((card,)) & own for card in group) for group in self._values(raw)]
        if any(mask != sees for group in groups for mask in group):
            self._each[len(self)] = tuple(groups)
        self.room -= OF_EVENT + len(numbers) + len(cards)
        if self.room < 0:
            raise TooMuchTold
        raw = (kind, numbers, cards, audience, sees, at)
        self._folding.add(raw)
        super().append(raw)

    def extend(self, raws: Iterable[RawEvent]) -> None:
        """Add several events of one moment."""
        for raw in raws:
            self.append(raw)

    def _pointed_at(self, seat: int) -> frozenset[int]:
        return SeatSight(self._program, self._state, None, seat).pointed_at()

    def _values(self, raw: RawEvent) -> Iterator[tuple[int, ...]]:
        """Iterate over the cards of each value that an event gives to its text."""
        _, numbers, cards, _, _, at = raw
        for (_, of), count in zip(self._program.sources[at].values, numbers[1:], strict=False):
            if of == "card":
                yield cards[:count]
                cards = cards[count:]

    def _seers(self, cards: Sequence[int], chooser: int = -1) -> int:
        """Return the mask of seats that know all of these cards in their present places.

        A bag has no places: which of its cards `chooser` has chosen, no other seat can tell that looks at them.
        """
        masks = list(self._folding.masks)
        for card in cards if chooser >= 0 else ():
            zone = self._state[self._program.layout.places + card]
            if zone >= 0 and self._program.zones[zone].order == "bag":
                masks[card] &= 1 << chooser
        known = Knowledge(tuple(masks), ())
        mask = 0
        for seat in range(self._program.seats):
            sight = SeatSight(self._program, self._state, known, seat)
            if all(sight.sees(card) for card in cards):
                mask |= 1 << seat
        return mask


# ---- Replay

class ReplayTarget(Protocol):
    """The part of a game (`game.Game`) that replaying needs."""

    @property
    def program(self) -> TableProgram: ...
    @property
    def decisions(self) -> Sequence[Decision]: ...
    @property
    def result(self) -> Result | None: ...
    def apply(self, seat: int, keys: Sequence[str]) -> object: ...


Game = TypeVar("Game", bound=ReplayTarget)


def replayed(journal: Journal, start: Callable[[], Game], upto: int | None, patience: float | None) -> Game:
    """Return the game that `start` begins, after the first `upto` entries. See `Game.replay`."""
    try:
        with time_limit(patience):
            game = start()
            for _ in replay_steps(journal, game, upto):
                pass
            return game
    except TimeUsedUp as error:
        raise too_long(error) from None


def too_long(error: TimeUsedUp) -> JournalError:
    """Return the error for a journal that takes too long."""
    return JournalError(f"replaying this journal takes too long: {error}; a larger `patience` allows more")


def replay_steps(journal: Journal, game: ReplayTarget, upto: int | None = None) -> Iterator[JournalEntry]:
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


def _diverge(game: ReplayTarget, number: int, entry: JournalEntry, own: Decision | None) -> None:
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
