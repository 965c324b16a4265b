"""Who sits where: `human`, `random`, `greedy` with how many playouts it makes for each answer (`greedy:40`), or a
bot of the pack by its name.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.common.errors import Usage

HUMAN, RANDOM, GREEDY = "human", "random", "greedy"
KINDS = (HUMAN, RANDOM, GREEDY)
MOST_PLAYOUTS = 100_000


def parse(text: str | None, kinds: Sequence[str] = KINDS) -> tuple[str, ...]:
    """The seats of `human,greedy:40,random`; none of None. A wrong one is a failure that says so."""
    seats = words(text)
    for seat in seats:
        _check(seat, kinds)
    return seats


def words(text: str | None) -> tuple[str, ...]:
    """The seats as they are written; none of None."""
    return () if text is None else tuple(part.strip() for part in text.split(","))


def seated(seats: Sequence[str], players: int, otherwise: Sequence[str]) -> tuple[str, ...]:
    """Who sits where at a table; without a wish the first of `otherwise`, then the other."""
    if not seats:
        return (otherwise[0], *(otherwise[1],) * (players - 1))
    if len(seats) != players:
        raise Usage(f"--seats names {len(seats)} seats, but {players} play")
    return tuple(seats)


def searches(seat: str) -> bool:
    """Whether a seat tries its answers, and so has to know what it may know."""
    return seat.partition(":")[0] == GREEDY


def bots_of(seats: Sequence[str]) -> tuple[str, ...]:
    """For each seat the bot of the pack that sits there; empty where there is another."""
    return tuple("" if seat in KINDS or searches(seat) else seat for seat in seats)


def playouts(seat: str) -> int | None:
    """How many playouts a greedy seat makes for each answer; None of other seats."""
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
        hint = f"did you mean {near}?" if near else f"write --seats {','.join(kinds)}"
        raise Usage(f"a seat is {', '.join(most)} or {last}, not {seat!r}; {hint}")
    if not colon:
        return
    if kind != GREEDY:
        raise Usage(f"{kind} takes no number, as in {seat!r}; only {GREEDY} does: its playouts for each answer")
    if not (number.isascii() and number.isdigit() and len(number) < 9 and 1 <= int(number) <= MOST_PLAYOUTS):
        raise Usage(f"{GREEDY} takes from 1 to {MOST_PLAYOUTS:,} playouts, as {GREEDY}:40, not {seat!r}")
