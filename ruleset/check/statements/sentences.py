"""Sentences: find the verb, check the arguments, and build the code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext, record_condition
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope, TextPart
from rulewright.ruleset.check.statements import (  # noqa: F401  (they register)
    card_verbs,
    choice_verbs,
    declared_verbs,
)
from rulewright.ruleset.check.statements.arguments import (
    TAKING,
    argument,
    fresh,
    gives_result,
    nobody_to,
    taken_result,
    takes_nothing,
)
from rulewright.ruleset.check.statements.hooks import with_hooks
from rulewright.ruleset.check.statements.verb_registry import (
    BLOCKS,
    VERBS,
    BlockCall,
    Branch,
    Code,
    Done,
    SentenceIndex,
    SentenceMatch,
    Verb,
    VerbCall,
    block,
    furthest,
    match,
    near_verb,
    pattern_text,
    verbs_of,
)
from rulewright.ruleset.check.texts import naming_options, prompt_values
from rulewright.ruleset.common.diagnostic import Label, Span
from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.declare.declarations import VerbDeclared
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import meant_keyword
from rulewright.ruleset.language.syntax_errors import not_a_label
from rulewright.ruleset.language.types import PLAYER, Type
from rulewright.ruleset.language.vocabulary import SENTENCES, Sentence
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

# ---- Report sentences that match no verb, and suggest corrections

_MOST_NAMED = 3
"""Verbs that a hint names."""


def knows_verb(context: CheckContext, verb: Verb, text: TextPart) -> bool:
    """Whether a verb is built in, or known to the pack of the text."""
    return not isinstance(verb, VerbDeclared) or context.declared.visible(text.scalar.span, verb.span)


def report_unknown(
    context: CheckContext,
    node: s.Phrase,
    scope: Scope,
    text: TextPart,
    fitting: Callable[[list[SentenceMatch]], list[SentenceMatch]],
) -> None:
    """Report where the best attempt failed. `fitting` returns the matches whose arguments have the right types."""
    verbs = verbs_of(context.declared, False)
    if context.declared.owners:
        unknown = [one.verb for one in match(node.items, verbs) if not knows_verb(context, one.verb, text)]
        if unknown:
            _strange_verb(context, unknown[0], node, text)
            return
        verbs = [verb for verb in verbs if knows_verb(context, verb, text)]
    words = [item.text if isinstance(item, s.NameNode) else "" for item in node.items]
    span = text.span(node.start, node.end)
    if any(f"verb {word}" in context.poisoned for word in ("", *words[:2])):
        return
    if _first_try(context, node, words, scope, text):
        return
    if len(words) == 1 and (words[0] in scope.names or words[0] in context.declared.tracks):
        context.report("RW425", span, f"`{words[0]}` alone does nothing", f"write `{words[0]} += 1` to change it")
        return
    miss = furthest(node.items, verbs)
    near = near_verb(node.items, verbs, fitting) if context.seeking() else None
    if miss is None or (near is not None and miss.item <= near[0]):
        if near is not None:
            index, word, sentence = near
            item = node.items[index]
            hint = f"did you mean `{word}`? Its sentence is {sentence}"
            message = f"unknown verb `{words[index]}`"
            context.report("RW425", text.span(item.start, item.end), message, hint)
            return
        _no_verb(context, node, words, verbs, text)
        return
    hint = f"the sentence is {miss.sentence}"
    last = node.items[-1]
    inside = isinstance(last, s.Comparison) and last.op == "in"
    if miss.expected == "`from`" and inside and isinstance(last, s.Comparison) and last.right is not None:
        start = last.left.end + text.says(last.left.end, last.right.start).find("in")
        context.report("RW425", text.span(start, start + 2), "expected `from`, found `in`", hint)
        return
    if miss.item >= len(node.items):
        message = f"the sentence ends too early; expected {miss.expected}"
        context.report("RW425", text.span(node.items[-1].end, node.items[-1].end), message, hint)
        return
    item = node.items[miss.item]
    shown = text.says(item.start, item.end)
    message = f"expected {miss.expected}, found `{shown}`"
    keyword = meant_in(text, item)
    if keyword is not None:
        message, hint = f"`{shown}` is not expected here", f"did you mean `{keyword}`?"
    elif not miss.expected:
        message, hint = f"the sentence should end before `{shown}`", f"{hint}; join effects with `then`"
    context.report("RW425", text.span(item.start, item.end), message, hint)


def meant_in(text: TextPart, item: s.SyntaxNode) -> str | None:
    """Return the keyword that an item must be for the effect to parse, if it ends or replaces the sentence."""
    begin, end = item.start + text.offset, item.end + text.offset
    found = meant_keyword("effect", text.scalar.text, begin, end)
    return found[2] if found is not None and found[:2] == (begin, end) and found[2] in _STRUCTURE else None


_STRUCTURE = frozenset(["as", "div", "each", "else", "if", "mod", "otherwise", "repeat", "then", "with"])
"""Keywords that cannot be part of a sentence as names are."""


def _no_verb(context: CheckContext, node: s.Phrase, words: list[str], verbs: list[Verb], text: TextPart) -> None:
    """Report a sentence whose verb is unknown, and name the nearest verbs of the pack."""
    first = node.items[0]
    said = {word.rstrip("s") for word in words if word}
    verb_words = {verb: {form for part in verb.parts if isinstance(part, s.WordNode) for form in part.forms}
                  for verb in verbs if isinstance(verb, VerbDeclared)}  # fmt: skip
    alike = {
        verb: (-len(said & {form.rstrip("s") for form in forms}), abs(len(verb.parts) - len(words)))
        for verb, forms in verb_words.items()
    }
    near = sorted(alike, key=lambda verb: alike[verb])[:_MOST_NAMED]
    own = f"the nearest verbs of the pack are {listed(verb.text for verb in near)}" if len(near) > 1 else ""
    own = f"the nearest verb of the pack is `{near[0].text}`" if len(near) == 1 else own
    hint = own or "declare it with `verb: …`, or see the sentences of the language reference"
    shown = text.says(first.start, first.end)
    message = (
        f"unknown verb `{shown}`" if isinstance(first, s.NameNode) else f"a sentence cannot begin with `{shown}`"
    )
    context.report("RW425", text.span(first.start, first.end), message, hint)


def _strange_verb(context: CheckContext, verb: Verb, node: s.Phrase, text: TextPart) -> None:
    """Report a sentence with a verb of a pack that this pack does not build on."""
    assert isinstance(verb, VerbDeclared)
    pack = context.declared.owners.get(verb.span.path, "")
    message = f"this sentence is a verb of `{pack}`, which this pack does not require"
    hint = f"add `{pack}` to `requires` in the pack.yaml of this pack"
    label = Label(verb.span, "declared here")
    context.report("RW425", text.span(node.start, node.end), message, hint, label)


def _first_try(context: CheckContext, node: s.Phrase, words: list[str], scope: Scope, text: TextPart) -> bool:
    """Suggest corrections for sentences that newcomers expect to exist; return whether there was one."""
    span = text.span(node.start, node.end)
    for word, item, after in zip(words, node.items, words[1:], strict=False):
        if word in ("my", "our", "his", "her", "their", "its") and after:
            hint = f"say whose: `p's {after}`, `it's {after}` or `your {after}`"
            hint = f"write `your {after}`" if word == "my" else hint
            message = f"`{word}` does not say whose this is"
            context.report("RW425", text.span(item.start, item.end), message, hint)
            return True
    if words[0] in ("each", "all", "every", "everybody", "everyone") and len(words) > 2:
        among, rest = _crowd(context, node, words, scope)
        verb = words[len(words) - len(rest)]
        does = _said_of_one(context, verb) + text.says(rest[0].end, node.end) if rest else "…"
        hint = f"write `each p in {among}: p {does}`"
        context.report("RW425", span, "a sentence has one subject", hint)
        return True
    at = words.index("may") if "may" in words[:2] else len(words)
    if at < len(words) - 1:
        who, label = (f"{words[0]} " if at and words[0] != "you" else ""), words[at + 1] or "do-it"
        effect = text.says(node.items[at + 1].start, node.end)
        hint = f"write `{who}may {label}: {who}{effect}`"
        context.report("RW425", span, "`may` needs a label of one word and a `:` before the effect", hint)
        return True
    if _negative(context, node, text) or _article(context, node, words, text):
        return True
    if isinstance(node.items[0], s.Arithmetic) and len(words) > 1 and words[1]:
        sign = "-=" if node.items[0].op == "-" else "+="
        amount = text.says(node.items[0].start, node.items[0].end)
        hint = f"write `{words[1]} {sign} {amount.lstrip('-+ ')}`"
        context.report("RW425", span, "an effect cannot begin with a number", hint)
        return True
    if "times" in words[1:] and "times" not in scope.names:
        item = node.items[words.index("times", 1)]
        hint = "`times` belongs to `repeat N times: …`; to multiply write `*`"
        context.report("RW425", text.span(item.start, item.end), "`times` can only follow `repeat`", hint)
        return True
    return False


def _negative(context: CheckContext, node: s.Phrase, text: TextPart) -> bool:
    """Report `take -1 coin`, which reads as `take` minus 1."""
    for place, item in enumerate(node.items):
        if not isinstance(item, s.Arithmetic) or item.op != "-" or item.left.start == item.left.end:
            continue
        items = (*node.items[:place], item.left, item.right, *node.items[place + 1 :])
        found = match(items, verbs_of(context.declared, False))
        if found:
            number = text.says(item.right.start, item.right.end)
            written = f"{text.says(node.start, item.left.end)} (-{number}){text.says(item.end, node.end)}"
            message = f"`{text.says(item.start, item.end)}` is a subtraction here"
            hint = f"a negative number needs parentheses: `{written}`"
            context.report("RW425", text.span(node.start, node.end), message, hint)
            return True
    return False


def _article(context: CheckContext, node: s.Phrase, words: list[str], text: TextPart) -> bool:
    """Report an article, as in `gain a lantern`."""
    for place, (word, item) in enumerate(zip(words, node.items, strict=True)):
        if word in ("a", "an", "the") and place + 1 < len(words):
            after = node.items[place + 1]
            if match((*node.items[:place], *node.items[place + 1 :]), verbs_of(context.declared, False)):
                written = text.says(node.start, item.start) + text.says(after.start, node.end)
                hint = f"leave out `{word}`: `{written}`"
                context.report("RW425", text.span(item.start, item.end), f"`{word}` is not expected here", hint)
                return True
    return False


_CROWD = ("each", "all", "every", "everybody", "everyone", "the", "other", "others", "player", "players")


def _crowd(
    context: CheckContext, node: s.Phrase, words: list[str], scope: Scope
) -> tuple[str, tuple[s.Expression, ...]]:
    """Return the list that the subject of `each guest draws 1` names, and the items after the subject."""
    d = context.declared
    for plural in (words[1], f"{words[1]}s"):
        if plural in d.lists and words[1] not in _CROWD:
            owner = p.scope_kind(d.lists[plural][1].scope)
            this = scope.names.get("this")
            mine = "this's " if this is not None and this.type.of == owner else f"{owner}'s "
            return ("" if owner in ("game", "player") else mine) + plural, node.items[2:]
    number = next((number for number, word in enumerate(words) if word not in _CROWD), len(words))
    return "others" if "others" in words or "other" in words else "players", node.items[number:]


def _said_of_one(context: CheckContext, word: str) -> str:
    """Return the form of a verb that follows a player: `loses` for `lose`."""
    for verb in verbs_of(context.declared, False):
        first = verb.parts[0]
        if isinstance(first, s.WordNode) and word in first.forms:
            return first.forms[-1]
    return word


# ---- Sentences

_MOVING = ("move", "move-some")
"""The sentences that move cards."""


class SentenceChecker:
    """Checks sentences without a block."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        self.context = expressions.context
        self.expressions = expressions

    @cached_property
    def sentences(self) -> SentenceIndex:
        """All verbs without a block."""
        return SentenceIndex(verbs_of(self.context.declared, False))

    def check(self, node: s.Phrase, scope: Scope, text: TextPart) -> Done:
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
            words = {item.text for item in node.items if isinstance(item, s.NameNode)}
            return (), _without(node, scope.losing(*(words - known)))
        if len(matches) > 1:
            matches = self._by_types(matches, node, scope, text)
            if not matches:
                return (), _without(node, scope)
        code, after = self._apply(matches[0], node, scope, text)
        return code, _without(node, after)

    def _by_types(
        self, matches: list[SentenceMatch], node: s.Phrase, scope: Scope, text: TextPart
    ) -> list[SentenceMatch]:
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
        self, matches: list[SentenceMatch], node: s.Phrase, scope: Scope, text: TextPart
    ) -> tuple[list[SentenceMatch], list[SentenceMatch]]:
        """Return the matches whose arguments have the right types, and those for which lost names hide this."""
        fitting: list[SentenceMatch] = []
        unsure: list[SentenceMatch] = []
        for candidate in matches:
            with self.context.trial(scope.unit) as trial:
                self.context.trying = True
                self._apply(candidate, node, scope, text)
                if trial.clean:
                    (fitting if trial.whole else unsure).append(candidate)
        return fitting, unsure

    def _apply(self, found: SentenceMatch, node: s.Phrase, scope: Scope, text: TextPart) -> Done:
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

    def _adverb(self, verb: Verb, node: s.Phrase, text: TextPart) -> bool:
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
        self, found: SentenceMatch, node: s.Phrase, seat: t.Expr | None, scope: Scope, text: TextPart, span: Span
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


# ---- Options of last resort (`when: otherwise`): offered only where no other option of their menu is

OTHERWISE = "otherwise"


def with_last_resort(
    context: CheckContext, branches: Sequence[p.Branching], last: Mapping[str, Span]
) -> tuple[p.Branching, ...]:
    """Give the options in `last` (their keys, and where they say so) the condition that no other is offered."""
    if not last:
        return tuple(branches)
    key, span = next(iter(last.items()))
    for other, again in list(last.items())[1:]:
        label = Label(span, f"`{key}` is offered if no other option is")
        message = f"`{other}` is a second option of last resort"
        context.report("RW455", again, message, "keep one of them, or give this one a condition of its own", label)
    offered = {branch.key: _offered(branch) for branch in branches if branch.key not in last}
    always = next((other for other, one in offered.items() if one == t.Const(1)), "")
    if always:
        message = f"`{key}` is never offered, since `{always}` always is"
        context.report("RW455", span, message, f"give `{always}` a condition, or remove `{key}`")
    some: t.Expr = t.Const(0)
    for one in offered.values():
        some = one if some == t.Const(0) else t.Or(some, one)
    alone = t.Not(some)
    context.conditions.append(p.Condition(alone, span, (p.Clause(alone, OTHERWISE, ()),)))
    return tuple(evolve(b, condition=alone) if b.key in last else b for b in branches)


def _offered(branch: p.Branching) -> t.Expr:
    """Return whether an option is offered, for any of its members."""
    offered: t.Expr = branch.condition if branch.condition is not None else t.Const(1)
    for variable, members in zip(reversed(branch.variables), reversed(branch.members), strict=True):
        offered = t.Exists(members, variable, offered)
    return offered


# ---- Sentences with a block: `may`, `choose one`, `open`

_MAY = re.compile(r"([^:]*?[ ])?may[ ]+(?=\S)")
"""Matches the start of a block with `may`."""


def check_block(
    expressions: ExpressionChecker, node: s.PhraseBlock, scope: Scope, text: TextPart, branch: Branch
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


def _unknown_block(context: CheckContext, node: s.PhraseBlock, text: TextPart) -> None:
    """Report a block that does not begin with a verb."""
    may = _MAY.match(text.says(node.phrase.start, node.phrase.end))
    if may is not None:
        _no_label(context, evolve(node.phrase, start=node.phrase.start + may.end()), node, text, may[0])
        return
    hint = "a block begins with `if`, `each`, `repeat`, `may LABEL`, `choose one` or `open WINDOW`"
    if match(node.phrase.items, verbs_of(context.declared, False)):
        hint = "this sentence takes no block: remove the `:`"
    at: s.SyntaxNode = node.phrase
    keyword = meant_in(text, node.phrase.items[0])
    near = near_verb(node.phrase.items, verbs_of(context.declared, True))
    if keyword is not None:
        at, hint = node.phrase.items[0], f"did you mean `{keyword}`?"
    elif near is not None:
        at, hint = node.phrase.items[near[0]], f"did you mean `{near[1]}`? Its sentence is {near[2]}, then `:`"
    message = f"`{text.says(node.phrase.start, node.phrase.end)}` cannot begin a block"
    context.report("RW425", text.span(at.start, at.end), message, hint)


def _no_label(
    context: CheckContext, label: s.SyntaxNode, block: s.PhraseBlock, text: TextPart, before: str = ""
) -> None:
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
            isinstance(label, s.NameNode) and call.text.says(line.phrase.start, line.phrase.end) == label.text
        ):
            _no_label(expressions.context, line.phrase, line, call.text)
            continue
        if not isinstance(line, s.PhraseBlock) or not isinstance(label, s.NameNode):
            hint = "write each option as `label: effect` or `label when condition: effect`"
            expressions.context.report("RW425", call.span(line), "expected an option of the menu", hint)
            continue
        condition = None
        if isinstance(line.condition, s.NameNode) and line.condition.text == OTHERWISE:
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
    if not isinstance(label, s.NameNode):
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
