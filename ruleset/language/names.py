"""What names look like, and which words nothing can be called."""

from __future__ import annotations

NAME = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
CHOICE = rf"{NAME}(\.{NAME})+"
"""The id of a choice: where it is asked, and its own name."""
RESERVED = frozenset(
    [
        "you",
        "it",
        "this",
        "players",
        "others",
        "all-players",
        "none",
        "true",
        "false",
        "cards",
        "card",
        "player",
        "number",
        "boolean",
        "zone",
        "list",
    ]
)
