"""Registry of the kernel's verbs, and the arguments of their functions.

Each module `…_verbs` registers functions, one for each sentence of `ruleset.language.vocabulary`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from attrs import define, evolve, field, frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope, TextPart
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import Declared, VerbDeclared
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.vocabulary import SENTENCES, Sentence
from rulewright.ruleset.table import nodes as t

# ---- Match a sentence against the verb patterns of the kernel and of the pack
#
# Words are matched first; types choose between the remaining verbs. If none matches, the pattern that matched
# furthest tells what was expected, and where.

Verb = Sentence | VerbDeclared


@frozen(repr=False)
class SentenceMatch(Record):
    """A verb whose words match, with the subject, if any, and the arguments of the holes."""

    verb: Verb
    subject: s.Expression | None
    filled: tuple[tuple[s.Hole, s.Expression], ...]


@frozen(repr=False)
class Miss(Record):
    """The furthest point that any pattern reached: item number, expected text, and the quoted sentence."""

    item: int
    expected: str
    sentence: str


def pattern_text(verb: Verb) -> str:
    """Return the sentence of a verb as its declaration writes it; for kernel verbs without the types of holes."""
    if isinstance(verb, VerbDeclared):
        return verb.text
    text = re.sub(r"<([a-z]+): [a-z]+>", r"<\1>", verb.pattern).replace("<any>", "any number of")
    return text + " as <name>" if verb.named == "must" else text


def sentence_text(verb: Verb) -> str:
    """Quote the sentence of a verb, with an example for kernel verbs."""
    text = f"`{pattern_text(verb)}`"
    return f"{text}, such as `{verb.example}`" if isinstance(verb, Sentence) and not verb.block else text


_EXPECTED = {
    "cards": "cards or a zone",
    "place": "a zone",
    "noun": "a noun, such as `cards`",
    "list": "a list",
    "thing": "a player or card",
    "any": "`any number of`",
    "effect": "an effect, such as `card's play`",
    "exit": "`turn`, `phase`, `round` or `game`",
    "label": "a label of one word",
}


_PLAIN = ("number", "boolean", "player", "card", "zone")


def verbs_of(declared: Declared, block: bool) -> list[Verb]:
    """Return the verbs with or without a block; only kernel verbs have blocks."""
    kernel: list[Verb] = [sentence for sentence in SENTENCES if sentence.block == block]
    return kernel if block else [*kernel, *declared.verbs.values()]


class SentenceIndex:
    """Indexes verbs by first word and length, so that the number of verbs does not slow down matching."""

    def __init__(self, verbs: list[Verb]) -> None:
        self._verbs = verbs
        self._open: list[int] = []
        self._by_word: dict[tuple[int, str], list[int]] = {}
        for number, verb in enumerate(verbs):
            if not _first_forms(verb):
                self._open.append(number)
            for form in dict.fromkeys(_first_forms(verb)):
                self._by_word.setdefault((len(verb.parts), form), []).append(number)

    def match(self, items: tuple[s.Expression, ...]) -> list[SentenceMatch]:
        """Like the function `match`, for the indexed verbs; `from 1 to 6` is also tried as one list."""
        found = self._match(items)
        joined = _with_range(items) if not found else None
        return self._match(joined) if joined is not None else found

    def _match(self, items: tuple[s.Expression, ...]) -> list[SentenceMatch]:
        numbers = set(self._open)
        for shift, item in enumerate(items[:2]):
            numbers.update(self._by_word.get((len(items) - shift, getattr(item, "word", None) or ""), ()))
        return match(items, [self._verbs[number] for number in sorted(numbers)])


def match(items: tuple[s.Expression, ...], verbs: list[Verb]) -> list[SentenceMatch]:
    """Return all verbs whose words match the items, with or without a subject."""
    found: list[SentenceMatch] = []
    size = len(items)
    for verb in verbs:
        parts = verb.parts
        shift = size - len(parts)
        if shift not in (0, 1):
            continue
        first = parts[0]
        if isinstance(first, s.WordNode) and getattr(items[shift], "word", None) not in first.forms:
            continue
        filled = _fit(items[1:] if shift else items, parts)
        if filled is not None:
            found.append(SentenceMatch(verb, items[0] if shift else None, filled))
    return found


def _with_range(items: tuple[s.Expression, ...]) -> tuple[s.Expression, ...] | None:
    """Join the items of `from 1 to 6` into a range; None if there is none."""
    for place, low in enumerate(items[1:-2], 1):
        before, word, high = items[place - 1], items[place + 1], items[place + 2]
        if getattr(before, "word", None) == "from" and getattr(word, "word", None) == "to":
            end, condition = (high.base, high.condition) if isinstance(high, s.Where) else (high, None)
            return (*items[:place], s.ranged(low, end, condition), *items[place + 3 :])
    return None


def _fit(
    items: tuple[s.Expression, ...], parts: tuple[s.Part, ...]
) -> tuple[tuple[s.Hole, s.Expression], ...] | None:
    filled: list[tuple[s.Hole, s.Expression]] = []
    for item, part in zip(items, parts, strict=True):
        if isinstance(part, s.Hole):
            filled.append((part, item))
        elif not (isinstance(item, s.NameNode) and item.word in part.forms):
            return None
    return tuple(filled)


def furthest(items: tuple[s.Expression, ...], verbs: list[Verb]) -> Miss | None:
    """Return the point where the best attempt failed; None if not even a first word matches."""
    best: Miss | None = None
    for verb in verbs:
        for shift in (0, 1):
            reached = shift
            for part in verb.parts:
                if reached >= len(items):
                    break
                item = items[reached]
                if isinstance(part, s.WordNode) and not (isinstance(item, s.NameNode) and item.word in part.forms):
                    break
                if (
                    isinstance(part, s.Hole)
                    and isinstance(item, s.NameNode)
                    and item.text in _later_words(verb, part)
                ):
                    break
                reached += 1
            done = reached - shift
            if done == 0:
                continue
            expected = verb.parts[done] if done < len(verb.parts) else None
            says = f"`{expected.text}`" if isinstance(expected, s.WordNode) else _hole(expected) if expected else ""
            if expected is None and isinstance(verb, Sentence) and verb.named == "must":
                says = "`as`"
            if best is None or reached > best.item or (reached == best.item and not best.expected and says):
                best = Miss(reached, says, sentence_text(verb))
    return best


def _later_words(verb: Verb, hole: s.Hole) -> tuple[str, ...]:
    """Return the words that may directly follow a hole: finding one means that the hole was left empty."""
    behind = verb.parts[verb.parts.index(hole) + 1 :][:1]
    return behind[0].forms if behind and isinstance(behind[0], s.WordNode) else ()


def _hole(hole: s.Hole) -> str:
    if hole.type in _EXPECTED:
        return _EXPECTED[hole.type]
    if hole.type in _PLAIN:
        return f"a {hole.type}"
    of, _, noun = hole.type.removeprefix("list of ").rpartition(" ")
    kinds = listed((of or noun).split("|"), "or")
    one = f"card of kind {kinds}" if of else kinds
    return f"a list of {one}" if hole.type.startswith("list of ") else f"a {one}"


def near_verb(
    items: tuple[s.Expression, ...],
    verbs: list[Verb],
    fitting: Callable[[list[SentenceMatch]], list[SentenceMatch]] = list,
) -> tuple[int, str, str] | None:
    """Find an item that looks like a misspelt first word: its index, the intended word, and the sentence.

    Of several sentences with this word, it is the one that the other items fit; `fitting` compares their types.
    """
    firsts = {form for verb in verbs for form in _first_forms(verb)}
    for index, item in enumerate(items[:2]):
        if isinstance(item, s.NameNode) and not (index and isinstance(items[0], s.NumberNode)):
            near = nearest(item.text, firsts)
            if near is not None:
                alike = [verb for verb in verbs if near in _first_forms(verb)]
                meant = (*items[:index], evolve(item, text=near, said=""), *items[index + 1 :])
                word = _first_forms(alike[0])[0] if index == 0 else near
                return index, word, _best_sentence(meant, alike, fitting)
    return None


def _best_sentence(
    items: tuple[s.Expression, ...],
    verbs: list[Verb],
    fitting: Callable[[list[SentenceMatch]], list[SentenceMatch]],
) -> str:
    """Return the sentence that fits the items, or comes nearest to it. Its first word is among the items."""
    found = match(items, verbs)
    if len(found) > 1:
        found = fitting(found) or found
    if found:
        return sentence_text(found[0].verb)
    miss = furthest(items, verbs)
    return miss.sentence if miss is not None else sentence_text(verbs[0])


def _first_forms(verb: Verb) -> tuple[str, ...]:
    first = verb.parts[0]
    return first.forms if isinstance(first, s.WordNode) else ()


@define(repr=False)
class Earlier(Record):
    """Verbs indexed for `overlap`, by length and first word of their sentences."""

    _verbs: list[Verb] = field(factory=list)
    _by_word: dict[tuple[int, str], list[int]] = field(factory=dict)

    def add(self, verb: Verb) -> None:
        for form in dict.fromkeys(_first_forms(verb)):
            self._by_word.setdefault((len(verb.parts), form), []).append(len(self._verbs))
        self._verbs.append(verb)

    def overlapping(self, verb: Verb, words: dict[str, str]) -> Iterator[Verb]:
        """Yield the added verbs that share a possible sentence with the given verb, in the order of adding."""
        numbers = {n for form in _first_forms(verb) for n in self._by_word.get((len(verb.parts), form), ())}
        return (self._verbs[n] for n in sorted(numbers) if overlap(self._verbs[n], verb, words))


def overlap(one: Verb, other: Verb, words: dict[str, str]) -> bool:
    """Whether a sentence could be both. `words` maps the pack's names to the type that they have as an argument."""
    if len(one.parts) != len(other.parts):
        return False
    for a, b in zip(one.parts, other.parts, strict=True):
        if isinstance(a, s.WordNode) and isinstance(b, s.WordNode):
            if not set(a.forms) & set(b.forms):
                return False
        elif isinstance(a, s.Hole) and isinstance(b, s.Hole):
            if not _meet(a.type, b.type):
                return False
        else:
            word, hole = (a, b) if isinstance(a, s.WordNode) else (b, a)
            assert isinstance(word, s.WordNode) and isinstance(hole, s.Hole)
            if not any(_meet(words.get(form, "?"), hole.type) for form in word.forms):
                return False
    return True


_WIDE = {
    "cards": ("card", "cards", "zone", "list"),
    "list": ("list", "cards", "zone"),
    "thing": ("card", "player", "definition", "thing"),
    "place": ("zone", "place"),
}


def _meet(a: str, b: str) -> bool:
    one, other = _category(a), _category(b)
    if set(a.split("|")) & set(b.split("|")) or (one == other and one in (a, b)):
        return True
    return other in _WIDE.get(one, ()) or one in _WIDE.get(other, ())


def _category(type_: str) -> str:
    """Return the type without the kind: `card` for `person card`, `list` for every list."""
    return "list" if type_.startswith("list of ") else "card" if type_.endswith(" card") else type_


# ---- Verb registry

Code = tuple[t.Stmt, ...]
Done = tuple[Code, Scope]
"""The result of a sentence: its code, and the scope after it."""
Branch = Callable[[str, tuple[s.Statement, ...], Scope], Code]
"""Checks statements that may not be reached; takes their name, the statements, and their scope."""


@frozen(repr=False)
class VerbCall(Record):
    """A call of a kernel verb.

    `match` has the arguments of its holes, `seat` is the acting player. Arguments are checked in `scope`, where
    effects are forbidden and the subject is known; `outer` is the scope of the sentence, which can gain a name.
    """

    match: SentenceMatch
    node: s.Phrase
    seat: t.Expr | None
    scope: Scope
    outer: Scope
    text: TextPart

    @property
    def items(self) -> tuple[s.Expression, ...]:
        """The arguments of the holes, in order."""
        return tuple(item for _, item in self.match.filled)

    def item(self, name: str) -> s.Expression | None:
        """Return the argument of the hole of this name, or None."""
        return next((item for hole, item in self.match.filled if hole.name == name), None)

    def span(self, node: s.SyntaxNode | None = None) -> Span:
        """Return the place of a part of the sentence, or of all of it."""
        part = self.node if node is None else node
        return self.text.span(part.start, part.end)


@frozen(repr=False)
class BlockCall(Record):
    """A call of a kernel verb with a block. `at` is its source; the other fields are as in `VerbCall`."""

    match: SentenceMatch
    node: s.PhraseBlock
    seat: t.Expr
    scope: Scope
    text: TextPart
    at: int
    branch: Branch

    def span(self, node: s.SyntaxNode) -> Span:
        """Return the place of a part of the block."""
        return self.text.span(node.start, node.end)


VerbFunction = Callable[[ExpressionChecker, VerbCall], Done]
Block = Callable[[ExpressionChecker, BlockCall], Code]
VERBS: dict[str, VerbFunction] = {}
"""Functions of sentences without a block, by their keys in the vocabulary."""
BLOCKS: dict[str, Block] = {}
"""Functions of sentences with a block."""

Function = TypeVar("Function")


def verb(key: str) -> Callable[[VerbFunction], VerbFunction]:
    """Register the function of a sentence without a block.

    It returns the code and the scope after the sentence; after a finding, no code and `outer`.
    """
    return _registered(VERBS, key)


def block(key: str) -> Callable[[Block], Block]:
    """Register the function of a sentence with a block. It returns the code; none after a finding."""
    return _registered(BLOCKS, key)


def _registered(registry: dict[str, Function], key: str) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        assert key not in registry, f"two functions for `{key}`"
        registry[key] = function
        return function

    return register
