"""Parse strings of the effect language into trees of `language.ast`.

The parser is permissive; a rejected string is a mistake of form, with a message that says what to write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path
from typing import Any

import attrs
import lark
from attrs import frozen
from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken
from lark.grammar import Rule, Terminal
from lark.lark import PostLex

from rulewright.ruleset.common.limits import too_large, whole
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.syntax_errors import (
    EXPECTED,
    KEYWORDS,
    Mistake,
    Start,
    character_mistake,
    indentation_mistake,
    mistake_of,
    not_in_a_sentence,
    not_whole,
    number_mistake,
)

# ---- Build syntax nodes from grammar rules, bottom up; used by `language.parser`
#
# Words of the text are Lark's tokens. Absent optional parts are None.

class BadError(Exception):
    """A text that the grammar accepts and the language rejects."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.message)
        self.mistake = mistake


class Build:
    """One method for each rule of the grammar: it receives the rule's range in the text and its built parts."""

    def effect(self, start: int, end: int, items: list[Any]) -> list[s.Statement]:
        return _flat(items)

    def line(self, start: int, end: int, items: list[Any]) -> list[s.Statement]:
        return items

    def suite(self, start: int, end: int, items: list[Any]) -> tuple[s.Statement, ...]:
        return tuple(_flat(items))

    def if_(self, start: int, end: int, items: list[Any]) -> s.IfElseBlock:
        condition, body, *rest = items
        otherwise = rest.pop() or ()
        cases = ((condition, body), *rest)
        return s.IfElseBlock(start, end, cases, otherwise)

    def else_if(self, start: int, end: int, items: list[Any]) -> tuple[Any, Any]:
        return (items[0], items[1])

    def each(self, start: int, end: int, items: list[Any]) -> s.EachBlock:
        return s.EachBlock(start, end, _name(items[0]), items[1], items[2])

    def repeat_times(self, start: int, end: int, items: list[Any]) -> s.RepeatBlock:
        return s.RepeatBlock(start, end, items[0], items[2], items[3])

    def repeat_while(self, start: int, end: int, items: list[Any]) -> s.RepeatBlock:
        return s.RepeatBlock(start, end, None, items[0], items[1])

    def block(self, start: int, end: int, items: list[Any]) -> s.PhraseBlock:
        return s.PhraseBlock(start, end, *items)

    def let(self, start: int, end: int, items: list[Any]) -> s.Let:
        return s.Let(start, end, _name(items[0]), items[1])

    def assign(self, start: int, end: int, items: list[Any]) -> s.Assignment:
        target, op, value = items
        return s.Assignment(start, end, target, str(op), value)  # type: ignore[arg-type]  # the grammar has three

    def phrase(self, start: int, end: int, items: list[Any]) -> s.Phrase:
        *parts, adverb, given, result = items
        words = " ".join(str(adverb).split()) if adverb is not None else ""
        return s.Phrase(start, end, tuple(parts), given or (), _name(result) if result else None, words)

    def with_(self, start: int, end: int, items: list[Any]) -> tuple[Any, ...]:
        return tuple(items)

    def named(self, start: int, end: int, items: list[Any]) -> tuple[s.NameNode, s.Expression]:
        return (_name(items[0]), items[1])

    def to_word(self, start: int, end: int, items: list[Any]) -> s.NameNode:
        return s.NameNode(start, start + 2, "to")

    def range_(self, start: int, end: int, items: list[Any]) -> s.RangeNode | s.Where:
        low, high, condition = items
        return s.ranged(low, high, condition)

    def any_number(self, start: int, end: int, items: list[Any]) -> s.AnyNumber:
        return s.AnyNumber(start, end)

    def item_in(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "in", items[0], items[1], False)

    def item_in_where(self, start: int, end: int, items: list[Any]) -> s.Where:
        base = s.Comparison(items[0].start, items[1].end, "in", items[0], items[1], False)
        return s.Where(start, end, base, items[2])

    def where(self, start: int, end: int, items: list[Any]) -> s.Where:
        return s.Where(start, end, items[0], items[1])

    item_where = where

    def extreme(self, start: int, end: int, items: list[Any]) -> s.WithExtreme:
        lowest = str(items[1]).split()[-1] in ("fewest", "least", "lowest")
        return s.WithExtreme(start, end, items[0], items[2], lowest)

    item_extreme = extreme

    def quantified(self, start: int, end: int, items: list[Any]) -> s.Quantified:
        word: Any = str(items[0])
        return s.Quantified(start, end, word, _name(items[1]), items[2], items[3])

    def total(self, start: int, end: int, items: list[Any]) -> s.TotalOver:
        return s.TotalOver(start, end, items[0], items[1])

    def highest(self, start: int, end: int, items: list[Any]) -> s.HighestOver:
        return s.HighestOver(start, end, items[1], items[2], str(items[0]) == "lowest")

    def or_(self, start: int, end: int, items: list[Any]) -> s.Logic:
        return s.Logic(start, end, "or", items[0], items[1])

    def and_(self, start: int, end: int, items: list[Any]) -> s.Logic:
        return s.Logic(start, end, "and", items[0], items[1])

    def negation(self, start: int, end: int, items: list[Any]) -> s.Negation:
        return s.Negation(start, end, items[0])

    def compare(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        op: Any = str(items[1])
        return s.Comparison(start, end, op, items[0], items[2], False)

    def is_(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "is", items[0], items[1], False)

    def is_not(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "is", items[0], items[1], True)

    def is_empty(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "empty", items[0], None, False)

    def is_not_empty(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "empty", items[0], None, True)

    def in_(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "in", items[0], items[1], False)

    def not_in(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "in", items[0], items[1], True)

    def has(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "has", items[0], items[1], False)

    def has_no(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "has", items[0], items[1], True)

    def binary(self, start: int, end: int, items: list[Any]) -> s.Arithmetic:
        op: Any = str(items[1])
        return s.Arithmetic(start, end, op, items[0], items[2])

    def negative(self, start: int, end: int, items: list[Any]) -> s.Arithmetic:
        zero = s.NumberNode(start, start, 0)
        return s.Arithmetic(start, end, "-", zero, items[1])

    def end_of(self, start: int, end: int, items: list[Any]) -> s.EndOf:
        word: Any = str(items[0])
        return s.EndOf(start, end, word, items[1], items[2])

    def of(self, start: int, end: int, items: list[Any]) -> s.Of:
        return s.Of(start, end, items[0], _name(items[2]))

    def your(self, start: int, end: int, items: list[Any]) -> s.Of:
        return s.Of(start, end, s.NameNode(start, start + 4, "you"), _name(items[0]))

    def every(self, start: int, end: int, items: list[Any]) -> s.Every:
        return s.Every(start, end, _name(items[0]))

    def at(self, start: int, end: int, items: list[Any]) -> s.At:
        return s.At(start, end, items[0], items[1])

    def call(self, start: int, end: int, items: list[Any]) -> s.CallOf:
        arguments = tuple(item for item in items[1:] if item is not None)
        return s.CallOf(start, end, _name(items[0]), arguments)

    def group(self, start: int, end: int, items: list[Any]) -> s.Expression:
        return items[0]  # type: ignore[no-any-return]  # by the grammar

    def name(self, start: int, end: int, items: list[Any]) -> s.NameNode:
        return _name(items[0])

    def number(self, start: int, end: int, items: list[Any]) -> s.NumberNode:
        text = str(items[0])
        number = whole(text)
        if number is None:
            message = too_large(text)
            raise BadError(Mistake("RW413", start, end, message) if message else not_whole(text, start, end))
        return s.NumberNode(start, end, number)

    def pattern(self, start: int, end: int, items: list[Any]) -> list[s.Part]:
        return items

    def word(self, start: int, end: int, items: list[Any]) -> s.WordNode:
        text = str(items[0])
        stem, _, suffix = text.partition("(")
        forms = (stem, stem + suffix.rstrip(")")) if suffix else (text,)
        if set(forms) & KEYWORDS:
            keyword = next(form for form in forms if form in KEYWORDS)
            raise BadError(Mistake("RW406", start, end, *not_in_a_sentence(keyword)))
        return s.WordNode(start, end, text, forms)

    def hole(self, start: int, end: int, items: list[Any]) -> s.Hole:
        name, *types = [str(item) for item in items if item is not None]
        type_ = " ".join(types).replace(" | ", "|")
        return s.Hole(start, end, name, type_ or "number")


def _name(token: Any) -> s.NameNode:
    start = token.start_pos
    return s.NameNode(start, start + len(token), str(token))


def _flat(items: list[Any]) -> list[s.Statement]:
    out: list[s.Statement] = []
    for item in items:
        if isinstance(item, list):
            out.extend(item)
        else:
            out.append(item)
    return out


# ---- Parse strings of the effect language with Lark into trees of `language.ast`, or report the mistake
#
# `effect.lark` is the grammar. Making its LALR tables takes half a second, so they are shipped in
# `effect.json`, as `python -m rulewright.tools.generate grammar` writes them. Those of another grammar
# or version of Lark are not used. Nodes are built while parsing, one method of `Build` for each rule.

MAX_DEPTH = 150
"""Maximum depth of a tree; a sum of n terms has depth n."""
TAB = 8
"""Columns of indentation for a tab."""
GRAMMAR = Path(__file__).with_name("effect.lark")
TABLES = Path(__file__).with_name("effect.json")
_BUILD = Build()


def parse_text(start: Start, text: str, source: str) -> Any:
    """Return the tree that `Build` makes of a text, or its first `Mistake`.

    `source` is the text as the grammar expects it: an effect ends with a line break, anything else has none.
    """
    try:
        part = _parser().parse(source, start=start)
    except UnexpectedCharacters as error:
        return character_mistake(text, error.pos_in_stream or 0)
    except UnexpectedToken as error:
        return mistake_of(start, text, error.pos_in_stream or 0, str(error.token), error.token.type)
    except _OddIndentError:
        return indentation_mistake(text)
    assert isinstance(part, _Part)
    if part.depth > MAX_DEPTH:
        message = f"this text nests more than {MAX_DEPTH} operations"
        return Mistake("RW401", 0, len(text), message, "move a part of it to a function or a verb")
    return part.bad or part.value


@cache
def _parser() -> Lark:
    """Return the parser with the shipped tables; it may be shared by threads."""
    kept = json.loads(TABLES.read_text("utf-8"), object_hook=_with_numbers)
    if kept["digest"] != digest():
        return made()
    parser: Lark = _Parser._load_from_dict(  # type: ignore[no-untyped-call]  # what Lark's own stand-alone parsers use
        kept["data"], kept["memo"], postlex=_Indents()
    )
    return parser


def made() -> Lark:
    """Make the parser from the grammar."""
    return _Parser(
        GRAMMAR.read_text("utf-8"),
        parser="lalr",
        lexer="contextual",
        start=["effect", "expression", "pattern"],
        postlex=_Indents(),
        maybe_placeholders=True,
    )


def digest() -> str:
    """Return the digest of what the tables depend on: the grammar, and the version of Lark."""
    return blake2b(f"{lark.__version__}\n{GRAMMAR.read_text('utf-8')}".encode(), digest_size=16).hexdigest()


def _with_numbers(entries: dict[str, Any]) -> dict[Any, Any]:
    """Return entries with the numbers that JSON made texts of."""
    return {int(key) if key.isdecimal() else key: value for key, value in entries.items()}


class _OddIndentError(Exception):
    """A line whose indentation matches no line above it."""


class _Indents(PostLex):
    """Put `_INDENT` and `_DEDENT` after line breaks.

    Lark's `Indenter` keeps the levels in attributes, so threads that shared a parser would disturb each other.
    """

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        levels = [0]
        for token in stream:
            yield token
            if token.type != "_NL":
                continue
            line = token.rpartition("\n")[2]
            level = line.count(" ") + TAB * line.count("\t")
            if level > levels[-1]:
                levels.append(level)
                yield Token.new_borrow_pos("_INDENT", "", token)
            while level < levels[-1]:
                levels.pop()
                yield Token.new_borrow_pos("_DEDENT", "", token)
            if level != levels[-1]:
                raise _OddIndentError


@frozen(repr=False)
class _Part(Record):
    """What a rule makes of its range of the text, and the depth of that as a tree.

    `bad` is the first mistake found by `Build`. Parsing goes on: a word that cannot follow takes precedence.
    """

    value: Any
    start_pos: int
    end_pos: int
    depth: int
    bad: Mistake | None


class _Parser(Lark):
    """Lark with callbacks that get all symbols of a rule, since a range begins and ends with any of them."""

    def _prepare_callbacks(self) -> None:
        self._callbacks = {rule: _callback(rule) for rule in self.rules}


def _callback(rule: Rule) -> Callable[[list[Any]], Any]:
    """Return the function that makes one part of the symbols of a rule.

    Keywords and signs without a name are left out, absent optional symbols are None. Helper rules of repetitions
    give lists, which are spliced.
    """
    absent = rule.options.empty_indices or (False,) * len(rule.expansion)
    symbols = iter(enumerate(rule.expansion))
    parts: list[tuple[int, bool]] = []
    """The place of each symbol, or -1 for an absent one, and whether it is spliced."""
    for missing in absent:
        if missing:
            parts.append((-1, False))
            continue
        place, symbol = next(symbols)
        if not (isinstance(symbol, Terminal) and symbol.filter_out):
            parts.append((place, not symbol.is_term and symbol.name.startswith("_")))
    name = str(rule.alias or rule.origin.name)
    if rule.options.expand1 and not rule.alias and len(parts) == len(rule.expansion) == 1:
        return itemgetter(0)
    make = None if name.startswith("_") else getattr(_BUILD, name)

    def built(symbols: list[Any]) -> _Part:
        start, end, depth, bad = symbols[0].start_pos, symbols[-1].end_pos, 0, None
        for symbol in symbols:
            if symbol.__class__ is _Part:
                depth, bad = max(depth, symbol.depth), bad or symbol.bad
        value: Any = None
        if bad is None:
            items: list[Any] = []
            for place, spliced in parts:
                if place < 0:
                    items.append(None)
                elif spliced:
                    items.extend(symbols[place].value)
                else:
                    symbol = symbols[place]
                    items.append(symbol.value if symbol.__class__ is _Part else symbol)
            try:
                value = make(start, end, items) if make else items
            except BadError as error:
                bad = error.mistake
        return _Part(value, start, end, depth + (make is not None), bad)

    return built


# ------------------------------------------------------------------ Find misspelt keywords: `wher`, `tims`, `totl`
#
# A guess is verified: with the keyword instead of the word, the text must parse, at least up to the end of
# the line.

_WORD = re.compile(r"(?<![\w-])[a-z][a-z-]*(?![\w-])")
_KEYWORDS = KEYWORDS | {"div", "mod"}


def meant_keyword(start: Start, text: str, begin: int, end: int) -> tuple[int, int, str] | None:
    """Return the last word of a range that must be a keyword, as its range and the keyword; None if none must."""
    for found in reversed(list(_WORD.finditer(text, begin, end))):
        for keyword in _near(found[0]):
            respelt = text[: found.start()] + keyword + text[found.end() :]
            tree = parse_text(start, respelt, as_source(start, respelt))
            line_end = respelt.find("\n", found.start())
            if not isinstance(tree, Mistake) or (0 <= line_end < tree.start):
                return found.start(), found.end(), keyword
    return None


def _near(word: str) -> Iterator[str]:
    """Yield the keywords that a word may be meant for, the nearest first; a keyword is meant as it is."""
    rest = set() if word in _KEYWORDS else set(_KEYWORDS)
    while (keyword := nearest(word, rest)) is not None:
        yield keyword
        rest.discard(keyword)


def with_keyword(start: Start, text: str, mistake: Mistake) -> Mistake:
    """Return the mistake, or one about a misspelt keyword that caused it, on the same line."""
    line = text.rfind("\n", 0, mistake.start) + 1
    found = meant_keyword(start, text, line, max(mistake.end, mistake.start + 1))
    if found is None:
        return mistake
    begin, end, near = found
    return Mistake("RW408", begin, end, f"`{text[begin:end]}` is not expected here", f"did you mean `{near}`?")


def as_source(start: Start, text: str) -> str:
    """Return a text as the grammar expects it: an effect ends with a line break, anything else has none."""
    return text + "\n" if start == "effect" else re.sub(r"\s", " ", text)


# ---- Parser

MAX_LENGTH = 20_000
"""Maximum length of a string of the effect language, in characters."""
MAX_NESTING = 40
"""Maximum nesting of brackets and blocks."""
MOST_KEPT = 4096
"""Size of the cache of trees: packs repeat the same strings. Trees are frozen, and independent of files."""


def parse_effect(text: str) -> tuple[s.Statement, ...] | Mistake:
    """Parse an effect into its statements; blank text is a mistake."""
    found = _parse("effect", text)
    return found if isinstance(found, Mistake) else tuple(found)


def parse_expression(text: str) -> s.Expression | Mistake:
    """Parse one expression: a condition, an amount, or a reference."""
    return _parse("expression", text)  # type: ignore[no-any-return]  # as this start gives


def parse_pattern(text: str) -> tuple[s.Part, ...] | Mistake:
    """Parse the sentence of a verb as written in its declaration."""
    found = _parse("pattern", text)
    return found if isinstance(found, Mistake) else tuple(found)


@lru_cache(maxsize=MOST_KEPT)
def _parse(start: Start, text: str) -> Any:
    if len(text) > MAX_LENGTH:
        return Mistake("RW401", 0, len(text), f"this text has {len(text)} characters; the limit is {MAX_LENGTH}")
    if _nesting(text) > MAX_NESTING:
        return Mistake("RW401", 0, len(text), f"brackets or blocks are nested more than {MAX_NESTING} levels deep")
    if not text.strip():
        return Mistake("RW402", 0, len(text), "this text is empty; expected " + EXPECTED[start])
    found = parse_text(start, text, as_source(start, text))
    if not isinstance(found, Mistake):
        return found
    return number_mistake(text, found) or with_keyword(start, text, found)


def _nesting(text: str) -> int:
    depth = deepest = 0
    for character in text:
        if character in "([":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]":
            depth -= 1
    indents = {len(line) - len(line.lstrip()) for line in text.splitlines() if line.strip()}
    return max(deepest, len(indents))


# ---- The parts of an effect: blocks `part LABEL:`, which house rules can change by their name

WORD = "part"


@frozen(repr=False)
class LabelledPart(Record):
    """A part: its label, and the range of its sentences in the effect."""

    label: s.NameNode
    start: int
    end: int


@lru_cache(maxsize=256)
def parts_of(effect: str) -> tuple[LabelledPart, ...]:
    """Return the parts of an effect, in their order; none if it has a mistake."""
    if f"{WORD} " not in effect:
        return ()
    tree = parse_effect(effect)
    return () if isinstance(tree, Mistake) else tuple(parts_in(tree))


def parts_in(tree: Any) -> Iterator[LabelledPart]:
    if isinstance(tree, tuple):
        for item in tree:
            yield from parts_in(item)
    elif isinstance(tree, s.SyntaxNode):
        label = label_of(tree)
        if label is not None and isinstance(tree, s.PhraseBlock) and tree.body:
            yield LabelledPart(label, tree.body[0].start, tree.body[-1].end)
        for one in attrs.fields(type(tree)):
            yield from parts_in(getattr(tree, one.name))


def label_of(node: s.SyntaxNode) -> s.NameNode | None:
    """Return the label of a part; None for anything else."""
    if not isinstance(node, s.PhraseBlock) or len(node.phrase.items) != 2:
        return None
    word, label = node.phrase.items
    if isinstance(word, s.NameNode) and word.text == WORD and isinstance(label, s.NameNode):
        return label
    return None


def sentences_of(effect: str, part: LabelledPart) -> str:
    """Return the sentences of a part as an effect of their own, without their indentation."""
    line = effect.rfind("\n", 0, part.start) + 1
    indent = effect[line : part.start]
    text = effect[part.start : part.end]
    if indent.strip():  # on the line of the label
        return text
    return "\n".join(row.removeprefix(indent) for row in text.split("\n"))
