"""The components of Rattus Cartus: cards, decks, and ways of choosing the buildings.

Cards are small ints. A population card is ``5 * class + nuns``, a building card ``5 * type + copy - 1``. Each class
has two building types, `class` and `class + 6`. Sections (§) and rulings (A) are those of the rules reference.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

CLASSES = range(6)  # Peasantry, Bourgeoisie, Church, Chivalry, Magic, Royalty (§1)

# The building types (§7.3): those of the first-game set, one of each class, then the other one of each class.
FARM, MARKET, MONASTERY, CASTLE, TENT, PALACE = CLASSES
BREWERY, OFFICE, HOSPITAL, WATCHTOWER, PIPERS_HUT, TREASURY = range(6, 12)

# Hand cards without a class: everything from JOKER upwards is not a population card, and everything from
# SAFE_CONDUCT upwards may not be committed (A37).
JOKER, SWORD, FLUTE, SAFE_CONDUCT, GOLD = range(30, 55, 5)

# The special cards, each with the building type that brings it into the game (§3, step 6) and gives it out (§7.3).
SPECIALS = {SWORD: CASTLE, FLUTE: PIPERS_HUT, SAFE_CONDUCT: OFFICE, GOLD: TREASURY}
TAKEN = {MARKET: JOKER, **{building: card for card, building in SPECIALS.items()}}
AWARDS = {SWORD: "sword", FLUTE: "flute", SAFE_CONDUCT: "safe_conduct", GOLD: "gold"}

NUNS_PER_CLASS = (4,) * 4 + (3,) * 2 + (2,) * 2 + (1,) * 2 + (0,) * 4  # A4
POPULATION = tuple(5 * klass + nuns for klass in CLASSES for nuns in NUNS_PER_CLASS)
COPIES = 5

# Supply actions by copy, as (draw, rats, look): §11.
SUPPLIES = ((4, 0, 0), (2, 1, 0), (2, 0, 1), (0, 2, 0), (0, 1, 1))

RESERVE = {2: 10, 3: 12, 4: 6, 5: 6}  # §3, step 8
ROW = {2: 2, 3: 2, 4: 3, 5: 3}

# Supplies of §2; the VP tokens are worth 1 each (A2).
DECKS = {JOKER: 15, SWORD: 12, FLUTE: 12, SAFE_CONDUCT: 12, GOLD: 15}
VP_TOKENS = 20
STARTING_RATS, HAND, NUN_ROW = 10, 5, 5

# What is counted for the whole table since it leaves no trace at the end: rats moved by Flutes, Safe-conducts
# played, cards given up to Watchtowers, cards discarded in Hospitals, cards drawn in Breweries.
HAPPENINGS = ("flute_rats", "postponed", "extorted", "treated", "brewed")

WAYS = ("first-game", "listed", "agreed", "types-drawn", "cards-drawn")


class Options(NamedTuple):
    """What the table settles before the game.

    `buildings` is one of `WAYS`. `copies`, for `listed`, says of each class how many of its five cards are of the
    first-game type. `fewest_rats`: if all are eliminated, those with fewest rats count as the survivors (A29).
    """

    buildings: str = "first-game"
    copies: tuple[int, ...] = (COPIES,) * 6
    fewest_rats: bool = False


FIRST_GAME = Options()


def choose_buildings(rng: Random, options: Options) -> list[int]:
    """Choose the 30 building cards, five of each class (§3.1)."""
    if options.buildings == "first-game":
        return list(range(30))
    chosen: list[int] = []
    for klass in CLASSES:
        first = range(5 * klass, 5 * klass + COPIES)
        other = range(first.start + 30, first.stop + 30)
        if options.buildings == "listed":
            of_first = options.copies[klass]
            chosen += rng.sample(first, of_first) + rng.sample(other, COPIES - of_first)
        elif options.buildings == "types-drawn":
            chosen += rng.choice((first, other))
        elif options.buildings in ("agreed", "cards-drawn"):
            chosen += rng.sample([*first, *other], COPIES)
        else:
            raise ValueError(f"the building cards are chosen by one of {', '.join(WAYS)}")
    return chosen


def copies_of(text: str) -> tuple[int, ...]:
    """Read six numbers from 0 to 5, such as 5,3,0,2,5,1. Raises ValueError."""
    copies = tuple(int(word) for word in text.split(","))
    if len(copies) != len(CLASSES) or not all(0 <= number <= COPIES for number in copies):
        raise ValueError(text)
    return copies
