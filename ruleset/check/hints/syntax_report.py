"""Report syntax errors of the effect language, with what the pack declares in mind."""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Text
from rulewright.ruleset.language.syntax_errors import EACH_NEEDS_LIST, Mistake, each_of
from rulewright.ruleset.program import nodes as p


def report_syntax(context: Context, mistake: Mistake, text: Text) -> None:
    """Report why a text cannot be parsed."""
    hint = mistake.hint
    if mistake.message == EACH_NEEDS_LIST:
        hint = _each_of_declared(context, text.says(mistake.start, mistake.end)) or hint
    context.report(mistake.code, text.span(mistake.start, mistake.end), mistake.message, hint)


def _each_of_declared(context: Context, line: str) -> str | None:
    """Suggest a loop for `each guest loses …` if the pack declares `guests`."""
    name, rest = each_of(line)
    declared = context.declared
    for word in (f"{name}s", name):
        if word in declared.lists:
            scope = declared.lists[word][1].scope
            whose = "this's " if p.scope_kind(scope) in declared.kinds else ""
            return f"write `each p in {whose}{word}: p {rest}`"
    return None
