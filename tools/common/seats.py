"""Kinds of seats: `human`, `random`, `greedy`, `search`, or the name of a bot of the pack.

`greedy:40` gives the number of playouts per answer; `search:2000` the number of worlds per decision, and
`search:0.2s` the seconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.tools.common.errors import Usage

if TYPE_CHECKING:
    from rulewright.interpreter.search.tree_search import Effort

HUMAN, RANDOM, GREEDY, SEARCH = "human", "random", "greedy", "search"
KINDS = (HUMAN, RANDOM, GREEDY, SEARCH)
MOST_PLAYOUTS = 100_000
MOST_WORLDS = 1_000_000
MOST_SECONDS = 60.0
_TAKES = {
    GREEDY: f"1 to {MOST_PLAYOUTS:,} playouts ({GREEDY}:40)",
    SEARCH: f"1 to {MOST_WORLDS:,} worlds ({SEARCH}:2000) or up to {MOST_SECONDS:g} seconds ({SEARCH}:0.2s)",
}


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
    return seat.partition(":")[0] in _TAKES


def bots_of(seats: Sequence[str]) -> tuple[str, ...]:
    """Return the pack's bot of each seat; empty for other seats."""
    return tuple("" if seat in KINDS or searches(seat) else seat for seat in seats)


def effort(seat: str) -> Effort | None:
    """Return how long a seat searches for each decision; None for seats that do not."""
    kind, _, number = seat.partition(":")
    if kind not in _TAKES:
        return None
    from rulewright.interpreter.search.tree_search import ITERATIONS, PLAYOUTS, Effort

    if number.endswith("s"):
        return Effort(MOST_WORLDS, float(number[:-1]))
    default = PLAYOUTS if kind == GREEDY else ITERATIONS
    return Effort(int(number) if number else default, flat=kind == GREEDY)


_WHOLE = re.compile(r"[0-9]{1,8}")
_SECONDS = re.compile(r"[0-9]{1,2}(\.[0-9]{1,3})?s")


def _check(seat: str, kinds: Sequence[str]) -> None:
    kind, colon, number = seat.partition(":")
    if kind not in kinds:
        from rulewright.ruleset.common.nearest import nearest

        *most, last = kinds
        near = nearest(kind, kinds)
        hint = f"did you mean {near}?" if near else f"for example --seats {','.join(kinds[:2])}"
        known = f"{', '.join(most)}{',' if len(most) > 1 else ''} or {last}"
        raise Usage(f"unknown seat {seat!r}: expected {known}; {hint}")
    if not colon:
        return
    if kind not in _TAKES:
        raise Usage(f"{kind} takes no number, found {seat!r}; only {GREEDY} and {SEARCH} take one")
    timed = kind == SEARCH and _SECONDS.fullmatch(number)
    whole = _WHOLE.fullmatch(number) and 1 <= int(number) <= (MOST_PLAYOUTS if kind == GREEDY else MOST_WORLDS)
    if not (whole or (timed and 0 < float(number[:-1]) <= MOST_SECONDS)):
        raise Usage(f"{kind} takes {_TAKES[kind]}; found {seat!r}")
