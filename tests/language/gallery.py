"""Positions of `tests/packs/gallery`: some paintings in their places, all others in one zone."""

from __future__ import annotations

from pathlib import Path

from tests.positions import Table, hand, of, program_of

GALLERY = Path(__file__).parents[1] / "packs" / "gallery"
ACT = "turn.act.choice"
FACES = [f"{colour}-{worth}" for colour in ("red", "blue", "gold") for worth in range(1, 5)] * 2
PLACES = {
    "crate": "crate", "storage": "storage", "mine": hand(0), "wall": of(0, "wall"), "theirs": of(1, "wall")
}  # fmt: skip
"""The zones that a test names: `mine` is the hand of seat 0, `wall` its wall, `theirs` that of seat 1."""


def gallery(seats: int = 2, others: str = "", **zones: list[str]) -> Table:
    """Seat 0's turn with these paintings; all others are in the zone `others`, or in the last seat's hand."""
    placed: dict[str, list[str]] = {zone: [] for zone in (*PLACES.values(), *map(hand, range(seats)))}
    placed |= {PLACES[name]: cards for name, cards in zones.items()}
    left = list(FACES)
    for cards in zones.values():
        for card in cards:
            left.remove(card)
    placed[others or hand(seats - 1)] = left
    return Table.start(program_of(GALLERY, seats)).arrange(zones=placed)
