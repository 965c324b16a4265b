"""Names, templates, and groups of each kind of document, for `diff` and `new`."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen


@frozen
class ToolsKind:
    """A kind of document, or what is in a section, by what one of them is called in ids.

    `names` are its names for players, by language; without any, `diff` does not tell of it. `group` is the part of
    the rules in which `diff` tells it. `helps`: it often only serves other rules. `alone`: it works though nothing
    names it.

    `begun` is what `new` says of it. `template` is what `new` writes after the name: for a document its lines, for
    an entry of a section its value. `NAME` stands for the key, `NAMES` and `TEXTS` for what players read. Documents
    that depend on the pack have a function of their own (`tools/scaffolding`).
    """

    called: str
    names: Mapping[str, str] = field(factory=dict)
    group: str = "components"
    helps: bool = False
    alone: bool = False
    begun: str = ""
    template: str = ""


TOOLS_KINDS = (
    ToolsKind("option", {"en": "choice", "es": "opción"}, template="{default: false, text: TEXTS}"),
    ToolsKind("value", {"en": "number", "es": "número"}, helps=True, template="1"),
    ToolsKind("enumeration", {"en": "set of names", "es": "grupo de nombres"}, template="[NAME-1, NAME-2]"),
    ToolsKind("kind", {"en": "kind", "es": "clase"}, template="{name: NAMES}"),
    ToolsKind("component", {"en": "supply", "es": "provisión"}, alone=True),
    ToolsKind("zone", {"en": "place", "es": "zona"}, template="{name: NAMES, order: bag, seen-by: all}"),
    ToolsKind(
        "track",
        {"en": "track", "es": "marcador"},
        helps=True,
        template="{name: NAMES, scope: player, at-least: 0}",
    ),
    ToolsKind("list", {"en": "list", "es": "lista"}, helps=True, template="{of: player, name: NAMES}"),
    ToolsKind("message", {"en": "line of the log", "es": "línea del registro"}, template="NAMES"),
    ToolsKind("prompt", alone=True),
    ToolsKind("verb", {"en": "rule", "es": "regla"}, group="course", helps=True, begun="a sentence of the pack"),
    ToolsKind(
        "function",
        {"en": "term", "es": "término"},
        group="course",
        helps=True,
        begun="a named expression",
    ),
    ToolsKind("phase", {"en": "phase", "es": "fase"}, group="course", begun="a part of a round"),
    ToolsKind(
        "setup",
        {"en": "set-up", "es": "preparación"},
        group="set-up",
        alone=True,
        begun="what is done before the game",
    ),
    ToolsKind("round", {"en": "round", "es": "ronda"}, group="course", alone=True),
    ToolsKind("finish", {"en": "end", "es": "final"}, group="end", alone=True),
    ToolsKind("award", {"en": "award", "es": "premio"}, group="end", begun="points at the end"),
    ToolsKind("winner", {"en": "victory", "es": "victoria"}, group="end", alone=True),
    ToolsKind(
        "series",
        {"en": "series", "es": "serie"},
        group="end",
        alone=True,
        template="name: NAMES\nuntil: any p in players where p's score >= 10\nscore: score",
        begun="games in a row",
    ),
    ToolsKind(
        "hook",
        {"en": "rule", "es": "regla"},
        group="course",
        helps=True,
        alone=True,
        begun="what also happens at a verb or step",
    ),
    ToolsKind(
        "modifier",
        {"en": "modifier", "es": "modificador"},
        group="course",
        helps=True,
        begun="what changes a function for a while",
    ),
    ToolsKind(
        "window",
        {"en": "reaction", "es": "reacción"},
        group="course",
        begun="a moment at which others may react",
    ),
    ToolsKind(
        "claim",
        {"en": "claim", "es": "afirmación"},
        group="course",
        begun="a statement that may be a lie",
    ),
    ToolsKind("layout", alone=True),
    ToolsKind("face", alone=True, begun="what the cards of a kind look like"),
    ToolsKind("bot", alone=True, begun="a player that chooses by preferences"),
    ToolsKind("expect", alone=True, begun="what games between bots are expected to be like"),
    ToolsKind("scenario", alone=True, begun="a test: what is chosen in a position, and what must hold then"),
)
TOOLS_KIND_OF = {kind.called: kind for kind in TOOLS_KINDS}
