"""Names that effects and expressions give: they are not reserved, and hide nothing."""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Scope
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language.syntax_errors import LOCAL_NOT_NAMES, reserved


def new_name(context: Context, word: str, span: Span, scope: Scope) -> bool:
    """Whether a new name is not reserved and hides nothing; otherwise report it."""
    if word in LOCAL_NOT_NAMES:
        context.report("RW302", span, *reserved(word))
        return False
    if (word in scope.names and word not in scope.lent) or word in scope.remembered:
        context.report("RW432", span, f"`{word}` is already a name in this effect", "choose another name")
        return False
    d = context.declared
    for group in (d.zones, d.tracks, d.lists, d.values, d.options):
        if word in group:
            message = f"`{word}` is already declared by the pack"
            label = Label(group[word][0], "declared here")
            context.report("RW432", span, message, "choose another name", label)
            return False
    return True
