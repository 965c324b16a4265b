"""Sentences: matching, arguments, and the code of each kernel verb."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from attrs import evolve

from ruleset.check.context import Context
from ruleset.check.expressions.checker import ExpressionChecker
from ruleset.check.expressions.values import cards_of
from ruleset.check.scope import Scope, Text, Value
from ruleset.check.statements.sentence_match import (
    Match,
    Sentences,
    Verb,
    furthest,
    match,
    near_verb,
    pattern_text,
    verbs_of,
)
from ruleset.common.diagnostic import Label
from ruleset.common.span import Span
from ruleset.declare.declarations import VerbDeclared
from ruleset.language import ast as s
from ruleset.language.syntax_errors import LOCAL_NOT_NAMES, reserved
from ruleset.language.types import CARD, NUMBER, PLAYER
from ruleset.program import nodes as p
from ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]
Done = tuple[Code, Scope]


TAKING = ("perform", "claim", "open", "open-block")
"""Sentences of the kernel that take what stands after `with`."""


class Phrases:
    """Checks sentences. Each kernel verb has a method of its name."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.expressions = ExpressionChecker(context)

    # implemented by Statements
    def block(self, statements: tuple[s.Statement, ...], scope: Scope, text: Text) -> Done:
        raise NotImplementedError

    def branch(self, name: str, statements: tuple[s.Statement, ...], scope: Scope, text: Text) -> Code:
        raise NotImplementedError

    def statement(self, node: s.Statement, scope: Scope, text: Text) -> Done:
        raise NotImplementedError

    def remember(self, name: str, value: Value, scope: Scope) -> Done:
        raise NotImplementedError

    # -------------------------------------------------------------- which verb

    @cached_property
    def _sentences(self) -> Sentences:
        return Sentences(verbs_of(self.context.declared, False))

    def phrase(self, node: s.Phrase, scope: Scope, text: Text) -> Done:
        """Code of a sentence, and the scope with the name it gives."""
        matches = self._sentences.match(node.items)
        if self.context.declared.owners:
            matches = [one for one in matches if self._knows_verb(one.verb, text)]
        if not matches:
            self._no_verb(node, scope, text)
            # A word that means nothing may be a name that was to be given.
            known = set(self.expressions.names.hints.known(scope))
            words = {item.text for item in node.items if isinstance(item, s.Name)}
            return (), _without(node, scope.losing(*(words - known)))
        if len(matches) > 1:
            matches = self._by_types(matches, node, scope, text)
            if not matches:
                return (), _without(node, scope)
        code, after = self._apply(matches[0], node, scope, text)
        return code, _without(node, after)

    def _knows_verb(self, verb: Verb, text: Text) -> bool:
        """Whether a verb is the kernel's, or one that the pack of the text knows."""
        return not isinstance(verb, VerbDeclared) or self.context.declared.visible(text.scalar.span, verb.span)

    def _strange_verb(self, verb: Verb, node: s.Phrase, text: Text) -> None:
        """Reports a sentence that is a verb of a pack which this one does not build on."""
        assert isinstance(verb, VerbDeclared)
        pack = self.context.declared.owners.get(verb.span.path, "")
        message = f"this sentence is a verb of `{pack}`, which this pack does not build on"
        hint = f"add `{pack}` to `requires` in the pack.yaml of this pack"
        label = Label(verb.span, "declared here")
        self.context.report("RW425", text.span(node.start, node.end), message, hint, label)

    def _by_types(self, matches: list[Match], node: s.Phrase, scope: Scope, text: Text) -> list[Match]:
        """The matches whose arguments have the right types; a finding when several have. When none has, one match:
        one that needs a name which is lost, if there is such a match, else the first, which then gives findings."""
        fitting: list[Match] = []
        unsure: list[Match] = []
        for candidate in matches:
            with self.context.trial(scope.unit) as trial:
                self.context.trying = True
                self._apply(candidate, node, scope, text)
                if trial.clean:
                    (fitting if trial.whole else unsure).append(candidate)
        if len(fitting) == 1 or any(candidate.verb.key in self.context.clashing for candidate in fitting):
            return fitting[:1]
        if not fitting:
            return unsure[:1] or matches[:1]
        labels = [
            Label(candidate.verb.span, f"`{candidate.verb.text}`")
            for candidate in fitting
            if isinstance(candidate.verb, VerbDeclared)
        ]
        readings = " and ".join(f"`{pattern_text(candidate.verb)}`" for candidate in fitting)
        span = text.span(node.start, node.end)
        self.context.report(
            "RW426", span, f"this sentence is both {readings}", "change the words of one of the verbs", *labels
        )
        return []

    def _no_verb(self, node: s.Phrase, scope: Scope, text: Text) -> None:
        """Says where the best attempt failed."""
        verbs = verbs_of(self.context.declared, False)
        if self.context.declared.owners:
            unknown = [one.verb for one in match(node.items, verbs) if not self._knows_verb(one.verb, text)]
            if unknown:
                self._strange_verb(unknown[0], node, text)
                return
            verbs = [verb for verb in verbs if self._knows_verb(verb, text)]
        words = [item.text if isinstance(item, s.Name) else "" for item in node.items]
        span = text.span(node.start, node.end)
        if any(f"verb {word}" in self.context.poisoned for word in ("", *words[:2])):
            return
        if self._first_try(node, words, scope, text):
            return
        if len(words) == 1 and (words[0] in scope.names or words[0] in self.context.declared.tracks):
            self.context.report(
                "RW425", span, f"`{words[0]}` alone does nothing", f"write `{words[0]} += 1` to change it"
            )
            return
        miss = furthest(node.items, verbs)
        near = near_verb(node.items, verbs) if self.context.seeking() else None
        if miss is None or (near is not None and miss.item <= near[0]):
            if near is not None:
                index, word, sentence = near
                item = node.items[index]
                hint = f"did you mean `{word}`? Its sentence is {sentence}"
                message = f"`{words[index]}` begins no sentence"
                self.context.report("RW425", text.span(item.start, item.end), message, hint)
                return
            first = node.items[0]
            hint = "sentences are those of the language reference and the verbs that the pack declares"
            self.context.report("RW425", text.span(first.start, first.end), "no sentence begins like this", hint)
            return
        hint = f"the sentence is {miss.sentence}"
        last = node.items[-1]
        inside = isinstance(last, s.Comparison) and last.op == "in"
        if miss.expected == "`from`" and inside and isinstance(last, s.Comparison) and last.right is not None:
            start = last.left.end + text.says(last.left.end, last.right.start).find("in")
            self.context.report("RW425", text.span(start, start + 2), "expected `from`, but found `in`", hint)
            return
        if miss.item >= len(node.items):
            message = f"the sentence ends too early; expected {miss.expected}"
            self.context.report("RW425", text.span(node.items[-1].end, node.items[-1].end), message, hint)
            return
        item = node.items[miss.item]
        shown = text.says(item.start, item.end)
        message = f"expected {miss.expected}, but found `{shown}`"
        if not miss.expected:
            message, hint = f"the sentence should end before `{shown}`", f"{hint}; another effect follows `then`"
        self.context.report("RW425", text.span(item.start, item.end), message, hint)

    def _first_try(self, node: s.Phrase, words: list[str], scope: Scope, text: Text) -> bool:
        """Says what to write instead of some sentences that newcomers expect to exist."""
        span = text.span(node.start, node.end)
        for word, item, after in zip(words, node.items, words[1:], strict=False):
            if word in ("my", "our", "his", "her", "their", "its") and after:
                hint = f"say whose: `p's {after}`, `it's {after}` or `your {after}`"
                hint = f"write `your {after}`" if word == "my" else hint
                message = f"`{word}` does not say whose this is"
                self.context.report("RW425", text.span(item.start, item.end), message, hint)
                return True
        if words[0] in ("each", "all", "every", "everybody", "everyone") and len(words) > 2:
            crowd = ("each", "all", "every", "everybody", "everyone", "the", "other", "others", "player", "players")
            pairs = zip(words, node.items, strict=True)
            rest = next((item.start for word, item in pairs if word not in crowd), node.end)
            among = "others" if "others" in words or "other" in words else "players"
            hint = f"write `each p in {among}: p {text.says(rest, node.end)}`"
            self.context.report("RW425", span, "a sentence has one subject", hint)
            return True
        at = words.index("may") if "may" in words[:2] else len(words)
        if at < len(words) - 1:
            who, label = (f"{words[0]} " if at and words[0] != "you" else ""), words[at + 1] or "do-it"
            effect = text.says(node.items[at + 1].start, node.end)
            hint = f"`may` takes a word for the choice, then a block: `{who}may {label}: {who}{effect}`"
            self.context.report("RW425", span, "what may be done is missing a `:`", hint)
            return True
        if isinstance(node.items[0], s.Arithmetic) and len(words) > 1 and words[1]:
            sign = "-=" if node.items[0].op == "-" else "+="
            amount = text.says(node.items[0].start, node.items[0].end)
            hint = f"write the name of what changes first: `{words[1]} {sign} {amount.lstrip('-+ ')}`"
            self.context.report("RW425", span, "an effect cannot begin with a number", hint)
            return True
        if "times" in words[1:] and "times" not in scope.names:
            item = node.items[words.index("times", 1)]
            hint = "`times` belongs to `repeat N times: …`; to multiply write `*`"
            self.context.report("RW425", text.span(item.start, item.end), "nothing is repeated here", hint)
            return True
        return False

    # -------------------------------------------------------------- arguments

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
        if isinstance(found.verb, VerbDeclared):
            span = text.span(node.start, node.end)
            self.context.refer(f"verb/{found.verb.key}", span)
            return self._call(found, node, seat, inner, text, span), scope
        if node.given and found.verb.key not in TAKING:
            self.takes_nothing(found.verb, node, text)
        handler: Callable[[Match, s.Phrase, t.Expr | None, Scope, Scope, Text], Done]
        handler = getattr(self, "_do_" + found.verb.key.replace("-", "_"))
        if found.verb.named == "must" and node.result is None:
            span = text.span(node.end, node.end)
            hint = "what is chosen needs a name: end the sentence with `as NAME`"
            self.context.report("RW437", span, "the sentence ends too early; expected `as`", hint)
            return (), scope
        if node.result is not None:
            if found.verb.named == "no":
                span = text.span(node.result.start, node.result.end)
                message = f"`{pattern_text(found.verb)}` gives nothing to name"
                self.context.report("RW437", span, message, f"leave `as {node.result.text}` out")
                return (), scope
            self.fresh(node.result, scope, text)
        code, after = handler(found, node, seat, inner, scope, text)
        if node.result is not None:
            name, span = node.result.text, text.span(node.result.start, node.result.end)
            self.context.introduce(scope.unit.key, after.names.get(name), name, span, found.verb.named == "must")
        return code, after

    def _call(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, text: Text, span: Span
    ) -> Code:
        verb = found.verb
        assert isinstance(verb, VerbDeclared)
        self.context.used.add(verb.key)
        types = dict(verb.holes)
        arguments: list[t.Expr | t.List] = [seat if seat is not None else t.Const(-1)]
        if node.result is not None or node.given:
            self.context.report(
                "RW437", span, "a pack's verb takes no `as` and no `with`", "write arguments into its sentence"
            )
            return ()
        for hole, item in found.filled:
            value = self.expressions.check(item, scope, text, types[hole.name])
            if value is None:
                return ()
            self.context.record_maybe_none(f"verb/{verb.key}", hole.name, value)
            arguments.extend(self.argument(value))
        at = self.context.source(f"verb/{verb.key}", span)
        return (p.CallVerb(verb.key, tuple(arguments), at),)

    def takes_nothing(self, verb: Verb, node: s.Phrase, text: Text) -> None:
        """Reports what is given to a sentence that takes nothing."""
        name = node.given[0][0]
        message = f"`{pattern_text(verb)}` takes no `{name.text}`"
        self.context.report("RW435", text.span(name.start, name.end), message, "leave `with …` out")

    def argument(self, value: Value) -> tuple[t.Expr | t.List, ...]:
        """What a value passes: cards take along the place where they were."""
        if value.type.name == "zone" and value.zone is not None:
            return (value.zone,)
        if value.type.name != "card":
            return (value.node,)
        if value.place is not None:
            return (value.node, value.place)
        if isinstance(value.node, t.Expr):
            place = p.PlaceOf(value.node)
            here = t.IfElse(t.Binary("<", value.node, t.Const(0)), t.Const(-1), place) if value.maybe else place
            return (value.node, here)
        return (value.node, t.Const(-1))

    def fresh(self, name: s.Name, scope: Scope, text: Text) -> bool:
        """Whether a new name hides nothing."""
        return self.new_name(name.text, text.span(name.start, name.end), scope)

    def new_name(self, word: str, span: Span, scope: Scope) -> bool:
        """Whether a new name is no word of the language and hides nothing; else a finding."""
        if word in LOCAL_NOT_NAMES:
            self.context.report("RW302", span, *reserved(word))
            return False
        if word in scope.names and word not in scope.lent:
            self.context.report("RW432", span, f"`{word}` already has a meaning here", "choose another name")
            return False
        d = self.context.declared
        for group in (d.zones, d.tracks, d.lists, d.values, d.options):
            if word in group:
                message = f"`{word}` is declared by the pack"
                label = Label(group[word][0], "declared here")
                self.context.report("RW432", span, message, "choose another name", label)
                return False
        return True

    def _cards(self, item: s.Expression, scope: Scope, text: Text) -> Value | None:
        """One card, several, or all of a zone, as a list."""
        value = self.expressions.check(item, evolve(scope, reading=False), text)
        if value is None:
            return None
        if value.type.name == "zone":
            return cards_of(value)
        if value.type.name == "none":
            return Value(t.Items(()), CARD.list)
        if value.type.name != "card":
            hint = "cards are a zone, `cards in …`, `top n of …`, or a name that a choice gave"
            if value.type.name == "definition":
                hint = "this names a sort of card; write `cards in ZONE where it is …`"
            message = f"expected cards, but this is a {value.type}"
            self.context.report("RW424", text.span(item.start, item.end), message, hint)
            return None
        if value.type.many:
            return value
        assert isinstance(value.node, t.Expr)
        items: t.List = t.Items((value.node,))
        if value.maybe:
            one = t.Items((value.node,))
            items = t.Choice(t.Binary("<", value.node, t.Const(0)), t.Items(()), one)
        return evolve(value, node=items, type=CARD.list)

    def _pool(self, found: Match, scope: Scope, text: Text, name: str = "pool") -> Value | None:
        """What is chosen from; the noun, when it names a kind or definition, narrows it."""
        given = {hole.name: item for hole, item in found.filled}
        base = self.expressions.listed(given[name], scope, text)
        noun = given.get("noun")
        if base is None:
            return None
        if noun is not None:
            return self.expressions.names.nouns.called(base, noun, scope, text)
        return base

    def _amount(self, found: Match, name: str, scope: Scope, text: Text) -> t.Expr | None:
        for hole, item in found.filled:
            if hole.name == name:
                value = self.expressions.check(item, scope, text, NUMBER)
                return value.node if value is not None and isinstance(value.node, t.Expr) else None
        return None

    def _here(self, node: s.Node, scope: Scope, text: Text) -> int:
        return self.context.source(scope.prefix or scope.unit.key, text.span(node.start, node.end))


def _without(node: s.Phrase, scope: Scope) -> Scope:
    """The scope after a sentence; its result is lost if the sentence did not give it."""
    if node.result is None or node.result.text in scope.names:
        return scope
    return scope.losing(node.result.text)
