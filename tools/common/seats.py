"""Kinds of seats: `human`, `random`, `greedy`, or the name of a bot of the pack.

`greedy:40` gives the number of playouts per answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.common.errors import Usage

HUMAN, RANDOM, GREEDY = "human", "random", "greedy"
KINDS = (HUMAN, RANDOM, GREEDY)
MOST_PLAYOUTS = 100_000


def parse(text: str | None, kinds: Sequence[str] = KINDS) -> tuple[str, ...]:
    """Parse `human,greedy:40,random`; empty for None. Raises Usage for an unknown kind."""
    seats = words(text)
    for seat in seats:
        _check(seat, kinds)
    return seats


def words(text: str | None) -> tuple[str, ...]:
    """Return the seats as written; empty for None."""
    return () if text is None else tuple(part.strip() for part in text.split(","))


def seated(seats: Sequence[str], players: int, otherwise: Sequence[str]) -> tuple[str, ...]:
    """Return the seats of a table; by default one of `otherwise[0]`, the rest `otherwise[1]`."""
    if not seats:
        return (otherwise[0], *(otherwise[1],) * (players - 1))
    if len(seats) != players:
        raise Usage(f"--seats names {_many(len(seats), 'seat')}, but there are {_many(players, 'player')}")
    return tuple(seats)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def searches(seat: str) -> bool:
    """Whether a seat searches, so that it needs its knowledge of the game."""
    return seat.partition(":")[0] == GREEDY


def bots_of(seats: Sequence[str]) -> tuple[str, ...]:
    """Return the pack's bot of each seat; empty for other seats."""
    return tuple("" if seat in KINDS or searches(seat) else seat for seat in seats)


def playouts(seat: str) -> int | None:
    """Return a greedy seat's playouts per answer; None for other seats."""
    kind, _, number = seat.partition(":")
    if kind != GREEDY:
        return None
    if number:
        return int(number)
    from interpreter.search.greedy import PLAYOUTS

    return PLAYOUTS


def _check(seat: str, kinds: Sequence[str]) -> None:
    kind, colon, number = seat.partition(":")
    if kind not in kinds:
        from ruleset.common.nearest import nearest

        *most, last = kinds
        near = nearest(kind, kinds)
        hint = f"did you mean {near}?" if near else f"for example --seats {','.join(kinds[:2])}"
        known = f"{', '.join(most)}{',' if len(most) > 1 else ''} or {last}"
        raise Usage(f"unknown seat {seat!r}: expected {known}; {hint}")
    if not colon:
        return
    if kind != GREEDY:
        raise Usage(f"{kind} takes no number, found {seat!r}; only {GREEDY} takes one: playouts per answer")
    if not (number.isascii() and number.isdigit() and len(number) < 9 and 1 <= int(number) <= MOST_PLAYOUTS):
        raise Usage(f"{GREEDY} takes 1 to {MOST_PLAYOUTS:,} playouts, for example {GREEDY}:40; found {seat!r}")
