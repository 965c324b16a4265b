"""The random policy for references to cards that are kept by class (`class_zones`)."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.policies.random_player import RandomPlayer
from interpreter.backends.python.playing.class_zones import ClassZones


class ClassPlayer(RandomPlayer):
    """The random policy for all seats of one program over classes."""

    def __init__(self, zones: ClassZones) -> None:
        super().__init__(zones.program)
        self._zones = zones
        first, room = zones.kept.first, zones.mask + 1
        faces = [self.faces[card] for card in first] + [0] * (room - len(first))
        self.faces = faces * len(zones.program.zones)
        """By reference."""

        self._alone = tuple(copies == 1 for copies in zones.kept.copies)

    def zone_of(self, _state: Sequence[int], card: int) -> int:
        return self._zones.zone_of(card)

    def keys(self, _state: Sequence[int], cards: Sequence[int]) -> list[tuple[int, int]]:
        """Return the same as `RandomPlayer.keys`: equal cards in an order are different options."""
        zone_of, mask = self._zones.zone_of, self._zones.mask
        bags, faces, alone = self.bags, self.faces, self._alone
        found = []
        for place, card in enumerate(cards):
            zone = zone_of(card)
            if zone >= 0 and bags[zone]:
                found.append((zone, faces[card]))
            else:
                found.append((-1, card & mask) if alone[card & mask] else (-2, place))
        return found
