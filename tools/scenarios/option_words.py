"""Options as scenarios name them: `play bell` for `play:bell@place-2`, and players by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence


def bare(key: str) -> str:
    """Return the key of an option without the places of cards."""
    return re.sub(r"@[^,:]*", "", key)


def unmarked(key: str) -> str:
    """Return the key of an option without the places of cards, and without what distinguishes equal cards."""
    return re.sub(r"[@+][^,:]*", "", key)


def with_players(key: str, players: Sequence[str]) -> str:
    """Write the key of an option as a scenario does, with players by name, and with places and marks."""
    named = re.sub(r"seat-(\d+)", lambda found: players[int(found[1]) - 1], key)
    return named.replace(":", " ", 1)
