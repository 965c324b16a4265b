"""The view of one seat: the only way from a state to a player.

Seed, chance cells, places of hidden cards, raw card numbers and the full hash never enter a view. Two states that
are equal for a seat give equal views, so views can be compared and hashed (`digest`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

from attrs import evolve, frozen

from rulewright.interpreter.state.events import Event, covered, size_seen
from rulewright.interpreter.state.frames import card_axis
from rulewright.interpreter.views.decision import Decision, asked, decision, without_values
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.visibility import Mark, SeatSight
from rulewright.ruleset.table.nodes import (
    ORDERED,
    OUTCOME,
    OVER,
    SEALED,
    STATUS,
    ListInfo,
    TableProgram,
    TrackInfo,
    ZoneInfo,
)


@frozen
class ZoneView:
    """A zone: `size` if the seat may know it, and `cards` in order, None for a back (of a bag by face, backs last).
    Without a size, `cards` holds at most the top card of a pile, if the seat knows which it is.

    `known` counts how many cards of a key are among the backs at least; without a size, among all other cards.
    `marks` is parallel to `cards`: the marks of each card (see `SeatSight.marks`).
    """

    key: str
    zone: str
    owner: int
    size: int | None
    cards: tuple[str | None, ...]
    known: tuple[tuple[str, int], ...]
    marks: tuple[tuple[Mark, ...], ...]


@frozen
class TrackView:
    """A track: values that the seat sees, else None; ranks of arrival (0 the first) where kept and seen."""

    key: str
    scope: tuple[str, ...]
    values: tuple[int | str | None, ...]
    arrival: tuple[int | None, ...]


@frozen
class ListView:
    """A list of the state, one tuple per member of its scope."""

    key: str
    scope: str
    items: tuple[tuple[str, ...], ...]


@frozen
class AskedView:
    """A seat that is asked at present, its choice, and whether it has answered."""

    seat: int
    choice: str
    answered: bool


@frozen
class Result:
    """The result of a game: points, seats still in the game, winners. Scores are 0 where the game keeps none.

    `name` is the name of the `winner` document that has decided, where a game has several results; else empty.
    """

    scores: tuple[int, ...]
    alive: tuple[bool, ...]
    winners: tuple[int, ...]
    name: str = ""


@frozen
class View:
    """Everything a seat may know of a state."""

    seat: int
    zones: tuple[ZoneView, ...]
    tracks: tuple[TrackView, ...]
    lists: tuple[ListView, ...]
    decision: Decision | None
    asked: tuple[AskedView, ...]
    result: Result | None

    @property
    def digest(self) -> str:
        """A hash of the view: equal views have equal digests, in every process."""
        return blake2b(repr(self).encode(), digest_size=16).hexdigest()

    def zone(self, key: str) -> ZoneView:
        """Return the zone with this key."""
        return next(zone for zone in self.zones if zone.key == key)

    def track(self, key: str) -> TrackView:
        """Return the track with this key."""
        return next(track for track in self.tracks if track.key == key)


def view(program: TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int) -> View:
    """Return the state as one seat sees it."""
    own = decision(program, state, seat, knowledge)
    seen = view_without_decision(SeatSight(program, state, knowledge, seat))
    return evolve(seen, decision=without_values(own)) if own is not None else seen


def view_without_decision(sight: SeatSight) -> View:
    """Return what a sight shows, without the decision of its seat."""
    program, state = sight.program, sight.state
    return View(
        seat=sight.seat,
        zones=tuple(_zone(sight, number, zone) for number, zone in enumerate(program.zones)),
        tracks=tuple(_track(sight, track) for track in program.tracks if _shown(program, track)),
        lists=tuple(_list(sight, info) for info in program.state_lists if _shown(program, info)),
        decision=None,
        asked=tuple(AskedView(s, program.sites[site].key, done) for s, site, done in asked(program, state)),
        result=result(program, state),
    )


def result(program: TableProgram, state: Sequence[int]) -> Result | None:
    """Return the result of a finished game, from the tracks `score`, `in-game` and `winner`; else None."""
    if state[STATUS] != OVER:
        return None
    seats = range(program.seats)
    scores = scores_so_far(program, state)
    alive = _per_seat(program, state, "in-game", 1)
    winner = _per_seat(program, state, "winner", 0)
    names, number = outcomes(program), next((state[t.address] for t in program.tracks if t.key == OUTCOME), -1)
    name = names[number] if 0 <= number < len(names) else ""
    return Result(scores, tuple(bool(alive[s]) for s in seats), tuple(s for s in seats if winner[s]), name)


def scores_so_far(program: TableProgram, state: Sequence[int]) -> tuple[int, ...]:
    """Return the score of each seat at present; many games count points at their end only."""
    return _per_seat(program, state, "score", 0)


def outcomes(program: TableProgram) -> tuple[str, ...]:
    """Return the names of the results of a game, in the order of their numbers; empty if results have no names."""
    return next((one.members for one in program.enumerations if one.key == OUTCOME), ())


def _per_seat(program: TableProgram, state: Sequence[int], key: str, default: int) -> tuple[int, ...]:
    for track in program.tracks:
        if track.key == key and track.count == program.seats:
            return tuple(state[track.address : track.address + track.count])
    return (default,) * program.seats


def _zone(sight: SeatSight, number: int, zone: ZoneInfo) -> ZoneView:
    cards = sight.cards(number)
    seen = {card for card in cards if sight.sees(card)}
    if zone.order == "bag":
        cards.sort(key=lambda card: _bag_rank(sight, card, card in seen))
    known: list[tuple[int, int]] = []
    if sight.knowledge is not None:
        known = sorted(sight.knowledge.known(number, sight.seat).items())
    counts = _named(sight, known)
    if not sight.in_mask(size_seen(zone)):
        return _uncounted(sight, zone, cards, seen, known)
    marks = tuple(sight.marks(card) for card in cards)
    shown = marks if any(marks) else ()
    return ZoneView(zone.key, zone.zone, zone.owner, len(cards), _keys(sight, cards, seen), counts, shown)


def _uncounted(
    sight: SeatSight, zone: ZoneInfo, cards: Sequence[int], seen: set[int], known: Sequence[tuple[int, int]]
) -> ZoneView:
    """View a zone whose size is hidden from the seat: the top of a pile, and counts of other cards it remembers.

    Their places are left out, since they would reveal how many cards are between them.
    """
    top = [card for card in cards[-1:] if card in seen] if zone.order == "pile" else []
    least = Counter(dict(known))
    least.update(sight.program.cards[card].face for card in seen.difference(top))
    remembered = _named(sight, sorted(least.items()))
    return ZoneView(zone.key, zone.zone, zone.owner, None, _keys(sight, top, seen), remembered, ())


def _named(sight: SeatSight, known: Sequence[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
    """Replace faces by the keys of their cards."""
    faces = {card.face: card.key for card in sight.program.cards} if known else {}
    return tuple((faces[face], count) for face, count in known)


def _bag_rank(sight: SeatSight, card: int, seen: bool) -> tuple[bool, int, str]:
    """Return the sort key of a bag's card: face and marks if it is seen, marks alone for a back."""
    return (not seen, sight.program.cards[card].face if seen else 0, repr(sight.marks(card)))


def _keys(sight: SeatSight, cards: Sequence[int], seen: set[int]) -> tuple[str | None, ...]:
    return tuple(sight.program.cards[card].key if card in seen else None for card in cards)


def _track(sight: SeatSight, track: TrackInfo) -> TrackView:
    seen = [sight.in_mask(mask) for mask in track.seen]
    values = tuple(sight.track_value(track, i) if seen[i] else None for i in range(track.count))
    if track.arrival < 0:
        return TrackView(track.key, track.scope, values, ())
    stamps = [sight.state[track.arrival + i] for i in range(track.count)]
    order = sorted({stamp for stamp, shown in zip(stamps, seen, strict=True) if shown})
    ranks = tuple(order.index(stamps[i]) if seen[i] else None for i in range(track.count))
    return TrackView(track.key, track.scope, values, ranks)


def _shown(program: TableProgram, info: TrackInfo | ListInfo) -> bool:
    """Return whether views list a track or list by itself: it is not secret, and not a mark of cards."""
    return card_axis(program, info) is None and not info.key.startswith(SEALED)


def _list(sight: SeatSight, info: ListInfo) -> ListView:
    return ListView(info.key, info.scope, tuple(sight.list_names(info, i) for i in range(info.count)))


# ------------------------------------------------------------------ What a spectator sees: only what all seats see
#
# A spectator is one more seat, with the number `program.seats`. It is in a mask if all seats are in it.

LEARN_ORDER = 5
"""The place of the mask of the seats that learn an order, in the numbers of a move with `ORDERED`."""


def with_spectator(program: TableProgram) -> TableProgram:
    """Return a program for the eyes of a spectator; it cannot be played."""
    seats = program.seats
    zones = tuple(
        evolve(one, sees=_wider(one.sees, seats), top=_wider(one.top, seats), sizes=_wider(one.sizes, seats))
        for one in program.zones
    )
    tracks = tuple(
        evolve(
            one,
            seen=tuple(_wider(mask, seats) for mask in one.seen),
            changes=tuple(_wider(mask, seats) for mask in one.changes),
        )
        for one in program.tracks
    )
    return evolve(program, zones=zones, tracks=tracks)


def spectator_sight(program: TableProgram, state: Sequence[int], knowledge: Knowledge) -> SeatSight:
    """Return the sight of a spectator. `program` is that of `with_spectator`.

    What all seats remember only in number, the spectator does not.
    """
    masks = tuple(_wider(mask, program.seats) for mask in knowledge.masks)
    return SeatSight(program, state, Knowledge(masks, ()), program.seats)


def spectator_view(program: TableProgram, state: Sequence[int], knowledge: Knowledge) -> View:
    """Return the view of a spectator. `program` is that of `with_spectator`."""
    return view_without_decision(spectator_sight(program, state, knowledge))


def for_spectator(event: Event, seats: int) -> Event:
    """Return an event that a spectator can read by `state.events.redact`."""
    numbers = event.numbers
    if event.kind == "moved" and len(numbers) > LEARN_ORDER and numbers[3] & ORDERED:
        learns = _wider(numbers[LEARN_ORDER], seats)
        numbers = (*numbers[:LEARN_ORDER], learns, *numbers[LEARN_ORDER + 1 :])
    each = tuple(tuple(_wider(mask, seats) for mask in masks) for masks in event.each)
    audience, sees = _wider(event.audience, seats), _wider(event.sees, seats)
    return evolve(event, numbers=numbers, audience=audience, sees=sees, each=each)


def _wider(mask: int, seats: int) -> int:
    everyone = (1 << seats) - 1
    return everyone | 1 << seats if mask & everyone == everyone else mask & everyone


# ---- What a witness sees: everything. Only for games without secrets, such as replays of finished games
#
# A witness is one more seat, with the number `program.seats`, as a spectator is, but it
# is in every mask. The functions for the views of spectators make those of a witness, too, from its program.

def with_witness(program: TableProgram) -> TableProgram:
    """Return a program for the eyes of a witness; it cannot be played."""
    everyone = (1 << program.seats + 1) - 1
    zones = tuple(evolve(one, sees=everyone, top=everyone, sizes=everyone) for one in program.zones)
    tracks = tuple(
        evolve(one, seen=(everyone,) * len(one.seen), changes=(everyone,) * len(one.changes))
        for one in program.tracks
    )
    return evolve(program, zones=zones, tracks=tracks)


def for_witness(event: Event) -> Event | None:
    """Return what at least one seat reads of an event; None if no seat hears of it."""
    if not event.audience:
        return None
    return evolve(event, each=()) if event.sees or event.kind == "changed" else covered(event, -1)
