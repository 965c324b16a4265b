"""Report sentences that match no verb, and suggest corrections."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Scope, Text
from rulewright.ruleset.check.statements.sentence_match import Match, Verb, furthest, match, near_verb, verbs_of
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.declare.declarations import VerbDeclared
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.near_keywords import meant_keyword
from rulewright.ruleset.program import nodes as p

_MOST_NAMED = 3
"""Verbs that a hint names."""


def knows_verb(context: Context, verb: Verb, text: Text) -> bool:
    """Whether a verb is built in, or known to the pack of the text."""
    return not isinstance(verb, VerbDeclared) or context.declared.visible(text.scalar.span, verb.span)


def report_unknown(
    context: Context, node: s.Phrase, scope: Scope, text: Text, fitting: Callable[[list[Match]], list[Match]]
) -> None:
    """Report where the best attempt failed. `fitting` returns the matches whose arguments have the right types."""
    verbs = verbs_of(context.declared, False)
    if context.declared.owners:
        unknown = [one.verb for one in match(node.items, verbs) if not knows_verb(context, one.verb, text)]
        if unknown:
            _strange_verb(context, unknown[0], node, text)
            return
        verbs = [verb for verb in verbs if knows_verb(context, verb, text)]
    words = [item.text if isinstance(item, s.Name) else "" for item in node.items]
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


def meant_in(text: Text, item: s.Node) -> str | None:
    """Return the keyword that an item must be for the effect to parse, if it ends or replaces the sentence."""
    begin, end = item.start + text.offset, item.end + text.offset
    found = meant_keyword("effect", text.scalar.text, begin, end)
    return found[2] if found is not None and found[:2] == (begin, end) and found[2] in _STRUCTURE else None


_STRUCTURE = frozenset(["as", "div", "each", "else", "if", "mod", "otherwise", "repeat", "then", "with"])
"""Keywords that cannot be part of a sentence as names are."""


def _no_verb(context: Context, node: s.Phrase, words: list[str], verbs: list[Verb], text: Text) -> None:
    """Report a sentence whose verb is unknown, and name the nearest verbs of the pack."""
    first = node.items[0]
    said = {word.rstrip("s") for word in words if word}
    verb_words = {verb: {form for part in verb.parts if isinstance(part, s.Word) for form in part.forms}
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
    message = f"unknown verb `{shown}`" if isinstance(first, s.Name) else f"a sentence cannot begin with `{shown}`"
    context.report("RW425", text.span(first.start, first.end), message, hint)


def _strange_verb(context: Context, verb: Verb, node: s.Phrase, text: Text) -> None:
    """Report a sentence with a verb of a pack that this pack does not build on."""
    assert isinstance(verb, VerbDeclared)
    pack = context.declared.owners.get(verb.span.path, "")
    message = f"this sentence is a verb of `{pack}`, which this pack does not require"
    hint = f"add `{pack}` to `requires` in the pack.yaml of this pack"
    label = Label(verb.span, "declared here")
    context.report("RW425", text.span(node.start, node.end), message, hint, label)


def _first_try(context: Context, node: s.Phrase, words: list[str], scope: Scope, text: Text) -> bool:
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


def _negative(context: Context, node: s.Phrase, text: Text) -> bool:
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


def _article(context: Context, node: s.Phrase, words: list[str], text: Text) -> bool:
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
    context: Context, node: s.Phrase, words: list[str], scope: Scope
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


def _said_of_one(context: Context, word: str) -> str:
    """Return the form of a verb that follows a player: `loses` for `lose`."""
    for verb in verbs_of(context.declared, False):
        first = verb.parts[0]
        if isinstance(first, s.Word) and word in first.forms:
            return first.forms[-1]
    return word
