"""The kinds of documents and the sections of a pack."""

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
"""From a section to the word for its entries in ids."""
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
"""Groups that have a namespace of their own."""
SAID = ("window", "claim", "modifier", "hook", "messages")
"""Those of `OWN_SPACES` whose names appear in effects."""
