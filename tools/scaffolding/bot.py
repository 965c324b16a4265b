"""Generate a valid starter bot, with the choices of the pack and the options of the first of them."""

from __future__ import annotations

from rulewright.ruleset.check.bots import offers
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.program.bot_options import ANY, Way, some_keys
from rulewright.tools.common.errors import Usage
from rulewright.tools.scaffolding.documents import Line, some, texts, titles, written

_MOST = 4
"""Scores for the options of a menu; the options without one have 0."""


def bot(loaded: Loaded, name: str) -> str:
    """Return the document. Raises Usage if the pack has errors, or no choices."""
    if loaded.program is None:
        raise Usage("a bot requires the choices of the pack, which are unknown while it has errors; fix them first")
    choices = offers(loaded.program, loaded.declared)
    if not choices:
        raise Usage("a bot requires at least one choice, and this pack asks players nothing yet")
    first, *others = sorted(choices, key=lambda key: (not key.endswith(".choice"), key))
    options = _options(choices[first])
    lines = [
        Line(f"bot: {name}", f"play against it with `--seats human,{name}`"),
        *map(Line, (*titles(loaded.declared, name), *texts(loaded.declared))),
        Line("answers:"),
        Line(f"  - choice: {first}", f"id of a choice, or a pattern, such as: {some([*others, repr(ANY)])}"),
        Line(f"    prefer: [{options[0]}]", f"options, best first, such as: {some(options)}"),
        Line("    # when: count(players) > 2", "only if this is true; `you` is the bot"),
        Line("    # otherwise: none", "if no option of `prefer` is offered: choose as little as allowed"),
        Line(f"  - choice: {first}", "counts if no answer above does"),
        _score(choices[first]),
    ]
    return written(lines, [])


def _score(ways: tuple[Way, ...]) -> Line:
    """Return a score for each option of a menu, the first ones best, or one for all things of another choice."""
    branches = [*dict.fromkeys(way.branch for way in ways if way.branch)]
    if not branches:
        return Line("    score: 1", "how good each thing is (`it`): a number or a condition; the best is chosen")
    scores = ", ".join(f"{branch}: {max(_MOST - place, 1)}" for place, branch in enumerate(branches[:_MOST]))
    about = "how good each option is: a number or a condition, with the names of its `each`; the best is chosen"
    return Line(f"    score: {{{scores}}}", about)


def _options(ways: tuple[Way, ...]) -> list[str]:
    """Return the keys of options as items of a YAML list; for a menu, the branches come first."""
    branches = [way.branch for way in ways if way.branch]
    keys = [*dict.fromkeys([*branches, *some_keys(ways)])]
    return [f'"{key}"' if "," in key else key for key in keys] or ['"*"']
