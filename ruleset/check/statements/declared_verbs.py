"""Kernel verbs that name declarations: windows, claims, hooks, modifiers; and `proceed`."""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, Scope
from rulewright.ruleset.check.statements.arguments import (
    argument,
    moment_of,
    nobody_to,
    remember,
    source_of,
    values_given,
)
from rulewright.ruleset.check.statements.verb_registry import BlockCall, Code, Done, VerbCall, block, verb
from rulewright.ruleset.check.texts import event_values, shown_values
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.documents.rules import Claim, Hook, Modifier, Window
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import BOOLEAN, NONE, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

Category = Literal["window", "claim"]


@verb("open")
def open_window(expressions: ExpressionChecker, call: VerbCall) -> Done:
    code, _, inner = _open(expressions, call)
    return code, inner


@block("open-block")
def open_block(expressions: ExpressionChecker, call: BlockCall) -> Code:
    reads = evolve(call.scope, reading=True)
    opening = VerbCall(call.match, call.node.phrase, call.seat, reads, call.scope, call.text)
    code, cancelled, inner = _open(expressions, opening)
    body = call.branch("not cancelled", call.node.body, inner)
    otherwise = call.branch("otherwise", call.node.otherwise or (), inner)
    stands = t.Binary("==", t.Count(p.ListVar(cancelled)), t.Const(0))
    return (*code, t.If(stands, body, otherwise))


def _open(expressions: ExpressionChecker, call: VerbCall) -> tuple[Code, int, Scope]:
    """Return code that opens a window, the variable with the list of cancelling players, and the scope after it."""
    window, arguments = _named(expressions, call, "window")
    name = call.node.result.text if call.node.result is not None else "cancelled"
    cancelled = call.outer.unit.variable(name, PLAYER, True)
    after = call.outer.bind(name, Bound(cancelled, PLAYER.list)) if call.node.result is not None else call.outer
    if window is None:
        return (), cancelled, after
    before = call.outer.unit.variable("cancelled before", PLAYER, True)
    at = expressions.context.source(f"window/{window}", call.span())
    code: Code = (p.OpenWindow(window, arguments, cancelled, before, at),)
    return code, cancelled, after


@verb("cancel")
def cancel(expressions: ExpressionChecker, call: VerbCall) -> Done:
    window = _named_in(expressions, call, "window")
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("cancel", "p cancels …"))
    if window is None or call.seat is None:
        return (), call.outer
    return (p.AppendTo(p.cancelled_list(window), None, call.seat, source_of(expressions, call)),), call.outer


@verb("claim")
def claim(expressions: ExpressionChecker, call: VerbCall) -> Done:
    claim, arguments = _named(expressions, call, "claim")
    name = call.node.result.text if call.node.result is not None else "stood"
    result = call.scope.unit.variable(name, BOOLEAN)
    after = call.outer.bind(name, Bound(result, BOOLEAN)) if call.node.result is not None else call.outer
    if claim is None:
        return (), after
    at = expressions.context.source(f"claim/{claim}", call.span())
    return (p.CallUnit(f"claim/{claim}", arguments, result, at),), after


def _named_in(expressions: ExpressionChecker, call: VerbCall, category: Category) -> str | None:
    """Return the window or claim that a sentence names."""
    item = call.items[0]
    group = expressions.context.declared.all_of(Window if category == "window" else Claim)
    word = item.text if isinstance(item, s.NameNode) else ""
    span = call.span(item)
    if word not in group:
        if word not in expressions.context.poisoned:
            near = nearest(word, list(group))
            hint = f"did you mean `{near}`?" if near else f"declare it with `{category}: NAME`"
            shown = call.text.says(item.start, item.end)
            expressions.context.report("RW420", span, f"there is no {category} `{shown}`", hint)
        return None
    expressions.context.used.add(f"{category}/{word}")
    expressions.context.refer(f"{category}/{word}", span)
    return word


def _named(
    expressions: ExpressionChecker, call: VerbCall, category: Category
) -> tuple[str | None, tuple[t.Expr | t.List, ...]]:
    """Return the window or claim that a sentence opens, and its arguments; None after a finding."""
    word = _named_in(expressions, call, category)
    if word is None:
        return None, ()
    if call.seat is None:
        span = call.text.span(call.items[0].start, call.items[0].end)
        done = nobody_to("claim", "p claims …") if category == "claim" else nobody_to("open a window", "p opens …")
        expressions.context.report("RW422", span, *done)
        return None, ()
    key, alone = f"{category}/{word}", f"{'open' if category == 'window' else 'claim'} {word}"
    values = values_given(expressions, call, key, alone)
    if values is None:
        return None, ()
    arguments: list[t.Expr | t.List] = [call.seat]
    for name, value in values.items():
        expressions.context.record_maybe_none(key, name, value)
        arguments.extend(argument(value))
    return word, tuple(arguments)


@verb("start")
def start(expressions: ExpressionChecker, call: VerbCall) -> Done:
    what, when = call.items
    modifiers = expressions.context.declared.all_of(Modifier)
    word = what.text if isinstance(what, s.NameNode) else ""
    if word not in modifiers:
        if word in expressions.context.poisoned:
            return (), call.outer
        near = nearest(word, list(modifiers))
        hint = f"did you mean `{near}`?" if near else "declare it with `modifier: NAME`"
        expressions.context.report("RW420", call.span(what), f"there is no modifier `{word}`", hint)
        return (), call.outer
    moment = moment_of(expressions, call, when)
    if not moment:
        return (), call.outer
    at = source_of(expressions, call)
    expressions.context.refer(f"modifier/{word}", call.span(what))
    standing = modifiers[word].while_
    if standing is not None:
        message = f"`{word}` cannot be started: it is active as long as its `while` holds"
        hint = "leave this sentence out, or remove `while` from the modifier"
        label = Label(standing.span, "its condition")
        expressions.context.report("RW460", call.span(what), message, hint, label)
        return (), call.outer
    return (p.ChangeTrack(p.modifier_track(word, moment), (), t.Const(1), at),), call.outer


@verb("await")
def await_hook(expressions: ExpressionChecker, call: VerbCall) -> Done:
    item = call.items[0]
    word = item.text if isinstance(item, s.NameNode) else ""
    span = call.span(item)
    named = expressions.context.declared.all_of(Hook).get(word)
    if named is None:
        _no_hook(expressions, call, word, item)
        return (), call.outer
    expressions.context.refer(f"hook/{word}", span)
    expressions.context.used.add(f"await/{word}")
    if not named.waits:
        label = Label(named.span, "the hook is declared here")
        hint = "add `waits: true` to the hook, or leave this sentence out"
        message = f"`{word}` waits for nobody: it happens every time"
        expressions.context.report("RW443", span, message, hint, label)
        return (), call.outer
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("await it", "p awaits …"))
        return (), call.outer
    return (p.ChangeTrack(p.hook_track(word), (call.seat,), t.Const(1), source_of(expressions, call)),), call.outer


def _no_hook(expressions: ExpressionChecker, call: VerbCall, word: str, item: s.SyntaxNode) -> None:
    if word in expressions.context.poisoned:
        return
    hooks = expressions.context.declared.all_of(Hook)
    near = nearest(word, [key for key, named in hooks.items() if named.waits]) or nearest(word, list(hooks))
    hint = f"did you mean `{near}`?" if near else "declare it with `hook: NAME` and `waits: true`"
    shown = call.text.says(item.start, item.end)
    expressions.context.report("RW420", call.span(item), f"there is no hook `{shown}`", hint)


@verb("proceed")
def proceed(expressions: ExpressionChecker, call: VerbCall) -> Done:
    if call.scope.original is None:
        hint = "`proceed` belongs in the `around` of a change, where it runs the original effect"
        expressions.context.report("RW434", call.span(), "there is no original effect to proceed with", hint)
        return (), call.outer
    span, body = call.scope.original
    expressions.context.proceed_count[span] += 1
    code, given = body()
    expressions.context.proceeded_code[span] = (*expressions.context.proceeded_code.get(span, ()), *code)
    return code, call.outer.lend(given)


# ---- The kernel verb that writes the pack's own lines into the log: `announce`

@verb("announce")
def announce(expressions: ExpressionChecker, call: VerbCall) -> Done:
    item = call.items[0]
    word = item.text if isinstance(item, s.NameNode) else ""
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
