"""The kernel verb that writes the pack's own lines into the log: `announce`."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope
from rulewright.ruleset.check.shown_values import event_values, shown_values
from rulewright.ruleset.check.statements.arguments import remember, values_given
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall, verb
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import NONE
from rulewright.ruleset.table import nodes as t


@verb("announce")
def announce(expressions: ExpressionChecker, call: VerbCall) -> Done:
    item = call.items[0]
    word = item.text if isinstance(item, s.Name) else ""
    messages = expressions.context.declared.messages
    if word not in messages:
        if word not in expressions.context.poisoned:
            near = nearest(word, list(messages))
            hint = f"did you mean `{near}`?" if near else "declare it in the section `messages`"
            shown = call.text.says(item.start, item.end)
            message = f"there is no message `{shown}`"
            expressions.context.report("RW420", call.span(item), message, hint)
        return (), call.outer
    expressions.context.used.add(f"message/{word}")
    expressions.context.refer(f"message/{word}", call.span(item))
    at = expressions.context.source(f"message/{word}", call.span())
    everybody, who = t.Const(-1), call.seat if call.seat is not None else t.Const(-1)
    given = _given(expressions, call, word)
    if given is None:
        return (), call.outer
    code, inner = given
    node = expressions.context.text_node(f"message/{word}")
    shows = shown_values(expressions, node, inner, ("seat", "you"), call.span())
    values = event_values(shows)
    expressions.context.give_values(at, values.types)
    told = t.Emit("announced", (who, *values.numbers), values.cards, everybody, everybody, at, values.members)
    return (*code, told), call.outer


def _given(expressions: ExpressionChecker, call: VerbCall, message: str) -> tuple[Code, Scope] | None:
    """Return code that computes the values of a message, and the scope in which its text is read.

    A message that takes values knows no other local names; one that takes none knows all names of the sentence.
    """
    values = values_given(expressions, call, f"message/{message}", f"announce {message}", spread=True)
    if not values:
        return None if values is None else ((), call.outer)
    code: Code = ()
    inner = evolve(call.outer, names={}, lost=frozenset())
    types = dict(expressions.context.takes[f"message/{message}"])
    for name, value in values.items():
        nothing = value.type == NONE
        kept, inner = remember(name, evolve(value, type=types[name], maybe=True) if nothing else value, inner)
        code += kept
    return code, inner
