"""Who sits where: `human`, `random`, or `greedy` with how many playouts it makes for each answer (`greedy:40`)."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.greedy import PLAYOUTS
from tools.failure import Usage

HUMAN, RANDOM, GREEDY = "human", "random", "greedy"
KINDS = (HUMAN, RANDOM, GREEDY)
MOST_PLAYOUTS = 100_000


def parse(text: str | None, kinds: Sequence[str] = KINDS) -> tuple[str, ...]:
    """The seats of `human,greedy:40,random`; none of None. A wrong one is a failure that says so."""
    if text is None:
        return ()
    seats = tuple(part.strip() for part in text.split(","))
    for seat in seats:
        _check(seat, kinds)
    return seats


def seated(seats: Sequence[str], players: int, otherwise: Sequence[str]) -> tuple[str, ...]:
    """Who sits where at a table; without a wish the first of `otherwise`, then the other."""
    if not seats:
        return (otherwise[0], *(otherwise[1],) * (players - 1))
    if len(seats) != players:
        raise Usage(f"--seats names {len(seats)} seats, but {players} play")
    return tuple(seats)


def playouts(seat: str) -> int | None:
    """How many playouts a greedy seat makes for each answer; None of other seats."""
    kind, _, number = seat.partition(":")
    if kind != GREEDY:
        return None
    return int(number) if number else PLAYOUTS


def _check(seat: str, kinds: Sequence[str]) -> None:
    kind, colon, number = seat.partition(":")
    if kind not in kinds:
        *most, last = kinds
        raise Usage(f"a seat is {', '.join(most)} or {last}, not {seat!r}; write --seats {','.join(kinds)}")
    if not colon:
        return
    if kind != GREEDY:
        raise Usage(f"{kind} takes no number, as in {seat!r}; only {GREEDY} does: its playouts for each answer")
    if not (number.isascii() and number.isdigit() and len(number) < 9 and 1 <= int(number) <= MOST_PLAYOUTS):
        raise Usage(f"{GREEDY} takes from 1 to {MOST_PLAYOUTS:,} playouts, as {GREEDY}:40, not {seat!r}")
