"""Sentences: find the verb, check the arguments, and build the code."""

from __future__ import annotations

import re
from functools import cached_property

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope, Text
from rulewright.ruleset.check.statements.arguments import TAKING, argument, fresh, gives_result, takes_nothing
from rulewright.ruleset.check.statements.hooks.movement import with_hooks
from rulewright.ruleset.check.statements.sentence_match import Match, Sentences, Verb, pattern_text, verbs_of
from rulewright.ruleset.check.statements.unknown_sentence import knows_verb, report_unknown
from rulewright.ruleset.check.statements.verb_registry import VERBS, Code, Done, VerbCall
from rulewright.ruleset.check.statements.verb_results import taken_result
from rulewright.ruleset.check.statements.verbs import (  # noqa: F401  (they register)
    cards,
    choice,
    declared,
    messages,
    player,
    showing,
)
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.declare.declarations import VerbDeclared
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import PLAYER
from rulewright.ruleset.language.vocabulary import SENTENCES
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

_MOVING = ("move", "move-some")
"""The sentences that move cards."""


class SentenceChecker:
    """Checks sentences without a block."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        self.context = expressions.context
        self.expressions = expressions

    @cached_property
    def sentences(self) -> Sentences:
        """All verbs without a block."""
        return Sentences(verbs_of(self.context.declared, False))

    def check(self, node: s.Phrase, scope: Scope, text: Text) -> Done:
        """Return the code of a sentence, and the scope with the name that it gives."""
        matches = self.sentences.match(node.items)
        if self.context.declared.owners:
            matches = [one for one in matches if knows_verb(self.context, one.verb, text)]
        if not matches:
            report_unknown(
                self.context, node, scope, text, lambda found: self._fitting(found, node, scope, text)[0]
            )
            # An unknown word may be a name that the sentence was meant to introduce.
            known = set(self.expressions.names.hints.known(scope))
            words = {item.text for item in node.items if isinstance(item, s.Name)}
            return (), _without(node, scope.losing(*(words - known)))
        if len(matches) > 1:
            matches = self._by_types(matches, node, scope, text)
            if not matches:
                return (), _without(node, scope)
        code, after = self._apply(matches[0], node, scope, text)
        return code, _without(node, after)

    def _by_types(self, matches: list[Match], node: s.Phrase, scope: Scope, text: Text) -> list[Match]:
        """Return the match whose arguments have the right types; report several.

        If none has, return one match, which then reports findings: one that needs a lost name, if there is one,
        else the first without a subject, which is likelier than a subject that is not the name of a player.
        """
        fitting, unsure = self._fitting(matches, node, scope, text)
        if len(fitting) == 1 or any(candidate.verb.key in self.context.clashing for candidate in fitting):
            return fitting[:1]
        if not fitting:
            return unsure[:1] or [min(matches, key=lambda one: one.subject is not None)]
        labels = [
            Label(candidate.verb.span, f"`{candidate.verb.text}`")
            for candidate in fitting
            if isinstance(candidate.verb, VerbDeclared)
        ]
        readings = " and ".join(f"`{pattern_text(candidate.verb)}`" for candidate in fitting)
        span = text.span(node.start, node.end)
        self.context.report(
            "RW426", span, f"this sentence matches {readings}", "change the words of one of the verbs", *labels
        )
        return []

    def _fitting(
        self, matches: list[Match], node: s.Phrase, scope: Scope, text: Text
    ) -> tuple[list[Match], list[Match]]:
        """Return the matches whose arguments have the right types, and those for which lost names hide this."""
        fitting: list[Match] = []
        unsure: list[Match] = []
        for candidate in matches:
            with self.context.trial(scope.unit) as trial:
                self.context.trying = True
                self._apply(candidate, node, scope, text)
                if trial.clean:
                    (fitting if trial.whole else unsure).append(candidate)
        return fitting, unsure

    def _apply(self, found: Match, node: s.Phrase, scope: Scope, text: Text) -> Done:
        seat = scope.you
        inner = scope.to_read()
        if found.subject is not None:
            value = self.expressions.check(found.subject, inner, text, PLAYER)
            if value is None:
                return (), scope
            if isinstance(value.node, t.Expr) and value.node != scope.you:
                seat = self.context.present(value, text.span(found.subject.start, found.subject.end))
                inner = evolve(inner, subject=text.says(found.subject.start, found.subject.end))
        if node.adverb and not self._adverb(found.verb, node, text) and node.result is not None:
            inner = inner.losing(node.result.text)
        if isinstance(found.verb, VerbDeclared):
            span = text.span(node.start, node.end)
            self.context.refer(f"verb/{found.verb.key}", span)
            code = self._call(found, node, seat, inner, text, span)
            return taken_result(self.context, found.verb, node, code, scope, text) if code else ((), scope)
        if node.given and found.verb.key not in TAKING:
            takes_nothing(self.context, found.verb, node, text)
        if found.verb.named == "must" and node.result is None:
            span = text.span(node.end, node.end)
            hint = "the result needs a name: end the sentence with `as NAME`"
            self.context.report("RW437", span, "the sentence ends too early; expected `as`", hint)
            return (), scope
        if node.result is not None:
            if found.verb.named == "no":
                span = text.span(node.result.start, node.result.end)
                message = f"`{pattern_text(found.verb)}` gives no result to name"
                self.context.report("RW437", span, message, f"remove `as {node.result.text}`")
                return (), scope
            if not gives_result(node.result, scope):
                fresh(self.context, node.result, scope, text)
        code, after = VERBS[found.verb.key](self.expressions, VerbCall(found, node, seat, inner, scope, text))
        if found.verb.key in _MOVING and self.context.moving:
            code = with_hooks(self.context, code, seat, scope, text.span(node.start, node.end))
        if node.result is not None:
            name, span = node.result.text, text.span(node.result.start, node.result.end)
            self.context.introduce(scope.unit.key, after.names.get(name), name, span, found.verb.named == "must")
        return code, after

    def _adverb(self, verb: Verb, node: s.Phrase, text: Text) -> bool:
        """Whether the sentence takes its adverb, which is not also the name of a zone; otherwise report it."""
        found = list(re.finditer(r"\s+".join(node.adverb.split()), text.says(node.start, node.end)))[-1]
        span = text.span(node.start + found.start(), node.start + found.end())
        noun = node.adverb.removeprefix("in ")
        d = self.context.declared
        if noun in d.zones or noun in d.lists or noun in d.tracks:
            message = f"at the end of a sentence, `{node.adverb}` is an adverb, but the pack also declares `{noun}`"
            self.context.report("RW421", span, message, f"choose another name for `{noun}`")
        elif isinstance(verb, VerbDeclared) or node.adverb not in verb.adverbs:
            message = f"`{pattern_text(verb)}` cannot be done `{node.adverb}`"
            taking = [pattern_text(one) for one in SENTENCES if node.adverb in one.adverbs]
            hint = f"remove it; only {listed(taking)} can end with `{node.adverb}`"
            self.context.report("RW447", span, message, hint)
        else:
            return True
        return False

    def _call(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, text: Text, span: Span
    ) -> Code:
        verb = found.verb
        assert isinstance(verb, VerbDeclared)
        self.context.used.add(verb.key)
        types = dict(verb.holes)
        arguments: list[t.Expr | t.List] = [seat if seat is not None else t.Const(-1)]
        if node.given:
            hint = f"put all arguments into the sentence: `{verb.text}`"
            self.context.report("RW437", span, "a verb of a pack takes no `with`", hint)
            return ()
        if node.result is not None and verb.gives is None:
            name = node.result.text
            hint = f"remove `as {name}`, or give the verb a result: `gives: {{{name}: TYPE}}`"
            self.context.report("RW437", span, f"`{verb.text}` gives no result to name", hint)
            return ()
        for hole, item in found.filled:
            value = self.expressions.check(item, scope, text, types[hole.name])
            if value is None:
                return ()
            self.context.record_maybe_none(f"verb/{verb.key}", hole.name, value)
            arguments.extend(argument(value))
        at = self.context.source(f"verb/{verb.key}", span)
        return (p.CallVerb(verb.key, tuple(arguments), at),)


def _without(node: s.Phrase, scope: Scope) -> Scope:
    """Return the scope after a sentence; its result is lost if the sentence did not give it."""
    if node.result is None or node.result.text in scope.names:
        return scope
    return scope.losing(node.result.text)
