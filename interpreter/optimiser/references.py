"""What a value can refer to: cards of some faces in some zones, a number worked out from them, or neither.

These are the values of the analysis in `card_flow`.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from attrs import evolve, frozen

Faces = int
"""A set of faces: bit f is face f."""


class NotKeptError(Exception):
    """The cards of a table cannot be kept by class. The message says why."""


@frozen
class Ref:
    """A card, or the members of a list of cards.

    `stale` are the faces whose cards may have left their zone since, so that only the card itself could tell where
    it is. `distinct`: no card is in the list twice. `top`: it is certainly the top card of its zone, if any card.
    """

    faces: Faces
    zones: int
    stale: Faces = 0
    distinct: bool = True
    top: bool = False

    def joined(self, other: Ref) -> Ref:
        """Return a reference to what either refers to."""
        return Ref(
            self.faces | other.faces,
            self.zones | other.zones,
            self.stale | other.stale,
            self.distinct and other.distinct,
            self.top and other.top,
        )


@frozen
class Coded:
    """A number worked out from a card, such as the number of an option of a menu, or an address."""

    ref: Ref


class Number(Enum):
    """The value of a number that has nothing to do with cards."""

    NUMBER = 0


NUMBER = Number.NUMBER
Value = Ref | Coded | Number | None
"""None is none, or what is never reached: it can be a card as well as a number."""
NO_CARD = Ref(0, 0)


def join(one: Value, other: Value) -> Value:
    """Return a value for either of two values. Raises NotKeptError if one is a card and the other a number."""
    if one is None or one == other:
        return other
    match one, other:
        case _, None:
            return one
        case Ref(), Ref():
            return one.joined(other)
        case Coded(first), Coded(second):
            return Coded(first.joined(second))
        case (Coded(), Number()) | (Number(), Coded()):
            return one if isinstance(one, Coded) else other
    raise NotKeptError("a rule uses a card as a number")


def one_of(value: Value) -> Value:
    """Return a member of a list with these members."""
    return evolve(value, distinct=True, top=False) if isinstance(value, Ref) else value


def not_distinct(value: Value) -> Value:
    """Return a list with these members, perhaps with one of them twice."""
    if isinstance(value, Coded):
        return Coded(evolve(value.ref, distinct=False))
    return evolve(value, distinct=False, top=False) if isinstance(value, Ref) else value


def card_in(value: Value) -> Ref | None:
    """Return the card that a value is, or is worked out from."""
    return value.ref if isinstance(value, Coded) else value if isinstance(value, Ref) else None


State = dict[Any, Value]
"""The values of a unit's slots, of lists that loops go through, and of the open answers (`ANSWER`)."""
ANSWER = "answer"


def joined(one: State, other: State) -> State:
    """Return a state for either of two states."""
    return {key: join(one.get(key), other.get(key)) for key in {**one, **other}}
