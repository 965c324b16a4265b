"""Generate a starter document of what games between bots are expected to be like."""

from __future__ import annotations

from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.play import BotDocument
from rulewright.tools.scaffolding.documents import Line, some, written


def expectation(declared: Declared, name: str) -> str:
    """Return a document with one threshold, and the other keys as comments."""
    kind = next(
        (key for key in declared.kinds if any(one.kind == key for one in declared.definitions.values())), ""
    )
    bots = ["random", *declared.all_of(BotDocument)]
    option = next(iter(declared.options), "")
    each = f"{{{kind}: at least 5 %}}"
    lines = [
        Line(f"expect: {name}", "`rulewright balance --check` plays this table"),
        Line(f"players: {declared.players[0]}"),
        Line("first-seat-wins: at most 60 %", "or `at least 40 %`, or `40 to 60 %`"),
        Line("no-winner: at most 5 %", "games without a winner", True),
        Line("mean-length: at most 100 decisions", "of a game, on average", True),
        Line("usual-length: 10 to 200 decisions", "of nine of ten games", True),
        Line(f"bot: {bots[-1]}", f"in all seats: {some(bots)}", True),
    ]
    if option:
        lines.append(Line(f"options: {{{option}: …}}", f"options: {some(declared.options)}", True))
    if kind:
        about = f"a kind, a group, or a definition, such as: {some(declared.kinds)}"
        lines.append(Line(f"chosen-when-offered: {each}", about, True))
        lines.append(
            Line(f"none-stands-out: {kind}", "no definition is far stronger or weaker than all others", True)
        )
    return written(lines, [])
