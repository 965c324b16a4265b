"""The kinds of documents, and the sections of a pack."""

from __future__ import annotations

SORTS = {
    "enumerations": "enumeration",
    "options": "option",
    "values": "value",
    "kinds": "kind",
    "components": "component",
    "zones": "zone",
    "tracks": "track",
    "lists": "list",
    "messages": "message",
    "prompts": "prompt",
}
"""What an entry of a section is called in ids."""
SECTIONS = tuple(SORTS)
SINGLES = (
    "verb",
    "function",
    "setup",
    "round",
    "phase",
    "finish",
    "award",
    "winner",
    "hook",
    "modifier",
    "window",
    "claim",
    "layout",
    "bot",
    "change",
    "scenario",
)
OWN_SPACES = (
    "award",
    "winner",
    "hook",
    "components",
    "window",
    "claim",
    "modifier",
    "layout",
    "bot",
    "messages",
    "prompts",
    "scenario",
)
"""Groups whose names are looked up among themselves only."""
SAID = ("window", "claim", "modifier", "hook", "messages")
"""Those of them whose names are said in effects."""
