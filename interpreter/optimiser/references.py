"""What a value can refer to: cards of some faces in some zones, or a number worked out from them.

These are the values of the analysis in `card_flow`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from attrs import evolve, frozen

from ruleset.table import nodes as t

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


NO_CARD = Ref(0, 0)


@frozen
class Coded:
    """A number worked out from a card, such as the number of an option of a menu, or an address.

    It is `by` times the card plus a remainder; `cards` are the cards by their remainders. `numbers` are the
    remainders of the same numbers worked out from something else, or None if they can be any. With `by` 0 the card
    cannot be had back.
    """

    by: int
    cards: tuple[tuple[int, Ref], ...]
    numbers: frozenset[int] | None = frozenset()

    @property
    def ref(self) -> Ref:
        """All the cards."""
        found = NO_CARD
        for _, ref in self.cards:
            found = ref if found == NO_CARD else found.joined(ref)
        return found

    def with_cards(self, change: Callable[[Ref], Ref]) -> Coded:
        """Return the number worked out from other cards."""
        return Coded(self.by, tuple((left, change(ref)) for left, ref in self.cards), self.numbers)

    def joined(self, other: Coded) -> Coded:
        """Return a number that is worked out from either."""
        cards = dict(self.cards)
        for left, ref in other.cards:
            cards[left] = ref.joined(cards[left]) if left in cards else ref
        numbers = None if self.numbers is None or other.numbers is None else self.numbers | other.numbers
        by = self.by if self.by == other.by else 0
        return Coded(by, tuple(sorted(cards.items(), key=lambda pair: pair[0])), numbers)

    def narrowed(self, left: int, holds: bool) -> Value:
        """Return the number if its remainder is, or is not, this one."""
        cards = tuple(pair for pair in self.cards if (pair[0] == left) == holds)
        numbers = self.numbers
        if numbers is not None:
            numbers = frozenset(one for one in numbers if (one == left) == holds)
        return Coded(self.by, cards, numbers) if cards else NUMBER

    def scaled(self, factor: int) -> Coded:
        """Return a multiple of the number."""
        numbers = None if self.numbers is None else frozenset(one * factor for one in self.numbers)
        return Coded(self.by * factor, tuple((left * factor, ref) for left, ref in self.cards), numbers)

    def added(self, amount: int) -> Coded:
        """Return the number plus a constant."""
        lefts = [left + amount for left, _ in self.cards]
        if not all(0 <= left < self.by for left in lefts) or self.numbers != frozenset():
            return Coded(0, self.cards, None)
        return Coded(self.by, tuple(zip(lefts, (ref for _, ref in self.cards), strict=True)))

    def divided(self, divisor: int) -> Value:
        """Return the quotient; None if it may be a card as well as a number."""
        if not self.by or self.by % divisor:
            return None
        cards = tuple((left // divisor, ref) for left, ref in self.cards)
        if self.by > divisor:
            return Coded(self.by // divisor, cards, frozenset() if self.numbers == frozenset() else None)
        return self.ref if self.numbers == frozenset() else None


class Number(Enum):
    """The value of a number that has nothing to do with cards."""

    NUMBER = 0


NUMBER = Number.NUMBER
Value = Ref | Coded | Number | None
"""None is none, or what is never reached: it can be a card as well as a number."""


def join(one: Value, other: Value) -> Value:
    """Return a value for either of two values. Raises NotKeptError if one is a card and the other a number."""
    if one is None or one == other:
        return other
    match one, other:
        case _, None:
            return one
        case Ref(), Ref():
            return one.joined(other)
        case Coded(), Coded():
            return one.joined(other)
        case Coded(by, cards), Number():
            return Coded(by, cards, None)
        case Number(), Coded(by, cards):
            return Coded(by, cards, None)
    raise NotKeptError("a rule uses a card as a number")


def one_of(value: Value) -> Value:
    """Return a member of a list with these members."""
    return evolve(value, distinct=True, top=False) if isinstance(value, Ref) else value


def not_distinct(value: Value) -> Value:
    """Return a list with these members, perhaps with one of them twice."""
    if isinstance(value, Coded):
        return value.with_cards(lambda ref: evolve(ref, distinct=False))
    return evolve(value, distinct=False, top=False) if isinstance(value, Ref) else value


def card_in(value: Value) -> Ref | None:
    """Return the card that a value is, or is worked out from."""
    return value.ref if isinstance(value, Coded) else value if isinstance(value, Ref) else None


LARGEST = 2**15
"""Most that a reference may be multiplied by: products stay within int32 (`kept_cards.MOST_REFERENCES`)."""


def worked_out(node: t.Binary, left: Value, right: Value) -> Value:
    """Return the value of arithmetic of which an operand is or has to do with a card; None if it makes no sense."""
    constant = node.right.value if isinstance(node.right, t.Const) else None
    match node.op, left, right:
        case "*", Ref(), Number() if constant is not None and 0 < constant < LARGEST:
            return Coded(constant, ((0, left),))
        case "*", Coded(by), Number() if constant is not None and 0 < constant * max(by, 1) < LARGEST:
            return left.scaled(constant)
        case "+", Coded(), _ if constant is not None:
            return left.added(constant)
        case "+" | "-", Ref() | Coded(), Number() | None:
            return Coded(0, ((0, card_in(left) or NO_CARD),), None)
        case "+", Number() | None, Ref() | Coded():
            return Coded(0, ((0, card_in(right) or NO_CARD),), None)
        case "%", Coded(), Number() if constant is not None:
            return NUMBER
        case "//", Coded(), Number() if constant is not None and constant > 0:
            return left.divided(constant)
    return None


State = dict[Any, Value]
"""The values of a unit's slots, of lists that loops go through, and of the open answers (`ANSWER`)."""
ANSWER = "answer"


def joined(one: State, other: State) -> State:
    """Return a state for either of two states."""
    if one == other:
        return dict(one)
    found = {**one, **other}
    for key, _ in one.items() ^ other.items():
        found[key] = join(one.get(key), other.get(key))
    return found
