"""Sentences with a block: `may`, `choose one`, `open`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from attrs import evolve

from rulewright.ruleset.check.condition_trace import record_condition
from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope, Text
from rulewright.ruleset.check.shown_values import naming_options, prompt_values
from rulewright.ruleset.check.statements.arguments import TAKING, nobody_to, takes_nothing
from rulewright.ruleset.check.statements.last_resort import OTHERWISE, with_last_resort
from rulewright.ruleset.check.statements.sentence_match import match, near_verb, pattern_text, verbs_of
from rulewright.ruleset.check.statements.unknown_sentence import meant_in
from rulewright.ruleset.check.statements.verb_registry import BLOCKS, BlockCall, Branch, Code, block
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.syntax_errors import not_a_label
from rulewright.ruleset.language.types import PLAYER, Type
from rulewright.ruleset.language.vocabulary import Sentence
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

_MAY = re.compile(r"([^:]*?[ ])?may[ ]+(?=\S)")
"""Matches the start of a block with `may`."""


def check_block(
    expressions: ExpressionChecker, node: s.PhraseBlock, scope: Scope, text: Text, branch: Branch
) -> Code:
    """Return the code of a sentence with a block. `branch` checks statements that may not be reached."""
    context = expressions.context
    matches = match(node.phrase.items, verbs_of(context.declared, True))
    if not matches:
        _unknown_block(context, node, text)
        return ()
    found = matches[0]
    assert isinstance(found.verb, Sentence)
    if node.phrase.given and found.verb.key not in TAKING:
        takes_nothing(context, found.verb, node.phrase, text)
    if node.phrase.result is not None and found.verb.named == "no":
        result = node.phrase.result
        message = f"`{pattern_text(found.verb)}` gives no result to name"
        hint = f"remove `as {result.text}`"
        context.report("RW437", text.span(result.start, result.end), message, hint)
    seat = scope.you
    if found.subject is not None:
        value = expressions.check(found.subject, evolve(scope, reading=True), text, PLAYER)
        if value is None:
            return ()
        seat = context.present(value, text.span(found.subject.start, found.subject.end))
    if seat is None:
        message, hint = nobody_to("choose", "p may …:")
        context.report("RW422", text.span(node.start, node.end), message, hint)
        return ()
    at = context.source(scope.unit.key, text.span(node.start, node.end))
    return BLOCKS[found.verb.key](expressions, BlockCall(found, node, seat, scope, text, at, branch))


def _unknown_block(context: Context, node: s.PhraseBlock, text: Text) -> None:
    """Report a block that does not begin with a verb."""
    may = _MAY.match(text.says(node.phrase.start, node.phrase.end))
    if may is not None:
        _no_label(context, evolve(node.phrase, start=node.phrase.start + may.end()), node, text, may[0])
        return
    hint = "a block begins with `if`, `each`, `repeat`, `may LABEL`, `choose one` or `open WINDOW`"
    if match(node.phrase.items, verbs_of(context.declared, False)):
        hint = "this sentence takes no block: remove the `:`"
    at: s.Node = node.phrase
    keyword = meant_in(text, node.phrase.items[0])
    near = near_verb(node.phrase.items, verbs_of(context.declared, True))
    if keyword is not None:
        at, hint = node.phrase.items[0], f"did you mean `{keyword}`?"
    elif near is not None:
        at, hint = node.phrase.items[near[0]], f"did you mean `{near[1]}`? Its sentence is {near[2]}, then `:`"
    message = f"`{text.says(node.phrase.start, node.phrase.end)}` cannot begin a block"
    context.report("RW425", text.span(at.start, at.end), message, hint)


def _no_label(context: Context, label: s.Node, block: s.PhraseBlock, text: Text, before: str = "") -> None:
    """Report a label that is not one word; `before` is the text before the label."""
    end = block.body[0].start if block.body else block.end
    effect = text.says(end, block.body[-1].end) if block.body else ""
    said = text.says(label.start, label.end)
    if block.condition is not None:
        said += f" when {text.says(block.condition.start, block.condition.end)}"
    message, hint = not_a_label(said, effect)
    context.report("RW446", text.span(label.start, label.end), message, hint.replace("`", f"`{before}", 1))


@block("choose-one")
def choose_one(expressions: ExpressionChecker, call: BlockCall) -> Code:
    branches: list[p.Branching] = []
    labels: dict[str, Span] = {}
    last: dict[str, Span] = {}
    for line in call.node.body:
        label = line.phrase.items[0] if isinstance(line, s.PhraseBlock) and len(line.phrase.items) == 1 else None
        if isinstance(line, s.PhraseBlock) and not (
            isinstance(label, s.Name) and call.text.says(line.phrase.start, line.phrase.end) == label.text
        ):
            _no_label(expressions.context, line.phrase, line, call.text)
            continue
        if not isinstance(line, s.PhraseBlock) or not isinstance(label, s.Name):
            hint = "write each option as `label: effect` or `label when condition: effect`"
            expressions.context.report("RW425", call.span(line), "expected an option of the menu", hint)
            continue
        condition = None
        if isinstance(line.condition, s.Name) and line.condition.text == OTHERWISE:
            last[label.text] = call.span(line.condition)
        elif line.condition is not None:
            test, reading = line.condition, evolve(call.scope, reading=True)
            check = partial(expressions.check, test, reading, call.text, Type("boolean"))
            checked = record_condition(expressions.context, call.text, test, check)
            condition = checked.node if checked is not None and isinstance(checked.node, t.Expr) else None
        span = call.span(label)
        before = labels.setdefault(label.text, span)
        if before is not span:
            message = f"this menu has two options called `{label.text}`"
            hint = "rename one: players, bots and scenarios choose an option by its name"
            expressions.context.report("RW453", span, message, hint, Label(before, "the other option"))
        body = call.branch(f"option {label.text}", line.body, call.scope)
        option = expressions.context.source(call.scope.unit.key, call.span(line))
        branches.append(p.Branching(label.text, (), (), (), (), condition, body, option))
    prompt = expressions.context.prompt(call.scope.unit.choice("choice", call.scope.prefix), branches)
    return (_menu(expressions, call, prompt, with_last_resort(expressions.context, branches, last)),)


def _menu(
    expressions: ExpressionChecker, call: BlockCall, prompt: p.Prompt, branches: Sequence[p.Branching]
) -> p.Menu:
    """Return a menu with the values that its texts show."""
    scope = evolve(call.scope, you=call.seat)
    named = naming_options(expressions, prompt, branches, scope)
    return p.Menu(prompt, call.seat, named, call.at, prompt_values(expressions, prompt, scope))


@block("may")
def may(expressions: ExpressionChecker, call: BlockCall) -> Code:
    label = call.match.filled[0][1]
    if not isinstance(label, s.Name):
        _no_label(expressions.context, label, call.node, call.text, "may ")
        return ()
    if label.text == p.DECLINE:
        span = call.span(label)
        message = f"`{p.DECLINE}` is already the name of the other option"
        expressions.context.report("RW453", span, message, "choose another label")
    body = call.branch(label.text, call.node.body, call.scope)
    otherwise = call.branch("otherwise", call.node.otherwise or (), call.scope)
    perform = p.Branching(label.text, (), (), (), (), None, body, call.at)
    decline = p.Branching(p.DECLINE, (), (), (), (), None, otherwise, call.at)
    prompt = expressions.context.prompt(call.scope.unit.choice(label.text, call.scope.prefix), (perform, decline))
    return (_menu(expressions, call, prompt, (perform, decline)),)


@block("part")
def part(expressions: ExpressionChecker, call: BlockCall) -> Code:
    """Report a part without a label; those with one are no calls (`StatementChecker`)."""
    _no_label(expressions.context, call.match.filled[0][1], call.node, call.text, "part ")
    return ()
