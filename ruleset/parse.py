"""Strings of the effect language -> trees of `syntax`.

The parser is permissive; what it refuses is a mistake of form, and gets a message that says what to write.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import lark
from lark import Lark, Token, Transformer, Tree, UnexpectedInput, v_args
from lark.exceptions import VisitError
from lark.indenter import DedentError, Indenter

from ruleset import effect_tables
from ruleset import syntax as s
from ruleset.mistakes import EXPECTED, KEYWORDS, Mistake, Start, indentation_mistake, mistake_of

MAX_LENGTH = 20_000
"""Characters in one string of the effect language."""
MAX_NESTING = 40
"""Brackets and blocks inside each other."""
MAX_DEPTH = 150
"""Levels of a tree; a sum of many terms has as many."""
MOST_KEPT = 4096
"""Strings whose trees are kept: cards say the same things again and again. Trees are frozen, and know no file."""


class _Indent(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types: list[str] = []  # noqa: RUF012 - the base class declares it so
    CLOSE_PAREN_types: list[str] = []  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


def parse_effect(text: str) -> tuple[s.Statement, ...] | Mistake:
    """The statements of an effect; blank text is a mistake."""
    found = _parse("effect", text)
    return found if isinstance(found, Mistake) else tuple(found)


def parse_expression(text: str) -> s.Expression | Mistake:
    """One expression: a condition, an amount, a reference."""
    return _parse("expression", text)  # type: ignore[no-any-return]


def parse_pattern(text: str) -> tuple[s.Part, ...] | Mistake:
    """The sentence of a verb, as its declaration writes it."""
    found = _parse("pattern", text)
    return found if isinstance(found, Mistake) else tuple(found)


@lru_cache(maxsize=MOST_KEPT)
def _parse(start: Start, text: str) -> Any:
    if len(text) > MAX_LENGTH:
        return Mistake(
            "RW401", 0, len(text), f"this text has {len(text)} characters; at most {MAX_LENGTH} are read"
        )
    if _nesting(text) > MAX_NESTING:
        return Mistake("RW401", 0, len(text), f"brackets or blocks are nested more than {MAX_NESTING} deep")
    if not text.strip():
        return Mistake("RW402", 0, len(text), "this text is empty; expected " + EXPECTED[start])
    source = text + "\n" if start == "effect" else re.sub(r"\s", " ", text)
    try:
        tree = ready_parser().parse(source, start=start)
        if _depth(tree) > MAX_DEPTH:
            message = f"this text has more than {MAX_DEPTH} operations inside of each other"
            return Mistake("RW401", 0, len(text), message, "divide it: a part of it can be a function or a verb")
        return _Build().transform(tree)
    except DedentError:
        return indentation_mistake(text)
    except VisitError as error:
        if isinstance(error.orig_exc, _BadError):
            return error.orig_exc.mistake
        raise
    except UnexpectedInput as error:
        return mistake_of(start, text, error)


def _depth(tree: Tree[Token]) -> int:
    deepest, rest = 0, [(tree, 1)]
    while rest:
        branch, level = rest.pop()
        deepest = max(deepest, level)
        rest.extend((child, level + 1) for child in branch.children if isinstance(child, Tree))
    return deepest


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


def _grammar() -> str:
    return (resources.files("ruleset") / "effect.lark").read_text(encoding="utf-8")


def grammar_digest() -> str:
    """A digest of the grammar's text."""
    return hashlib.blake2b(_grammar().encode(), digest_size=16).hexdigest()


def lark_series() -> str:
    """The installed lark without its patch level: tables of another series may have another form."""
    return ".".join(lark.__version__.split(".")[:2])


def build_parser() -> Lark:
    """The parser, built from the grammar. `effect_tables` holds what this builds."""
    return Lark(
        _grammar(),
        parser="lalr",
        lexer="contextual",
        start=["effect", "expression", "pattern"],
        postlex=_Indent(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


@cache
def ready_parser() -> Lark:
    """The parser from its tables: to build it would take most of the time of checking."""
    if lark_series() != effect_tables.LARK:
        return build_parser()
    loading: Any = Lark  # lark types this for its own generator of parsers only
    loaded: Lark = loading._load_from_dict(effect_tables.DATA, effect_tables.MEMO, postlex=_Indent())
    return loaded


class _BadError(Exception):
    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.message)
        self.mistake = mistake


def _node(build: Callable[..., Any]) -> Any:
    return v_args(meta=True)(build)


@v_args(meta=True)
class _Build(Transformer[Token, Any]):
    """Lark's tree, bottom up, into ours."""

    def effect(self, meta: Any, items: list[Any]) -> list[s.Statement]:
        return _flat(items)

    def line(self, meta: Any, items: list[Any]) -> list[s.Statement]:
        return items

    def suite(self, meta: Any, items: list[Any]) -> tuple[s.Statement, ...]:
        return tuple(_flat(items))

    def if_(self, meta: Any, items: list[Any]) -> s.IfElseBlock:
        condition, body, *rest = items
        otherwise = rest.pop() or ()
        cases = ((condition, body), *rest)
        return s.IfElseBlock(meta.start_pos, meta.end_pos, cases, otherwise)

    def else_if(self, meta: Any, items: list[Any]) -> tuple[Any, Any]:
        return (items[0], items[1])

    def each(self, meta: Any, items: list[Any]) -> s.EachBlock:
        return s.EachBlock(meta.start_pos, meta.end_pos, _name(items[0]), items[1], items[2])

    def repeat_times(self, meta: Any, items: list[Any]) -> s.RepeatBlock:
        return s.RepeatBlock(meta.start_pos, meta.end_pos, items[0], items[1], items[2])

    def repeat_while(self, meta: Any, items: list[Any]) -> s.RepeatBlock:
        return s.RepeatBlock(meta.start_pos, meta.end_pos, None, items[0], items[1])

    def block(self, meta: Any, items: list[Any]) -> s.PhraseBlock:
        return s.PhraseBlock(meta.start_pos, meta.end_pos, *items)

    def let(self, meta: Any, items: list[Any]) -> s.Let:
        return s.Let(meta.start_pos, meta.end_pos, _name(items[0]), items[1])

    def assign(self, meta: Any, items: list[Any]) -> s.Assignment:
        target, op, value = items
        return s.Assignment(meta.start_pos, meta.end_pos, target, str(op), value)  # type: ignore[arg-type]

    def phrase(self, meta: Any, items: list[Any]) -> s.Phrase:
        *parts, given, result = items
        return s.Phrase(meta.start_pos, meta.end_pos, tuple(parts), given or (), _name(result) if result else None)

    def with_(self, meta: Any, items: list[Any]) -> tuple[Any, ...]:
        return tuple(items)

    def named(self, meta: Any, items: list[Any]) -> tuple[s.Name, s.Expression]:
        return (_name(items[0]), items[1])

    def any_number(self, meta: Any, items: list[Any]) -> s.AnyNumber:
        return s.AnyNumber(meta.start_pos, meta.end_pos)

    def item_in(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "in", items[0], items[1], False)

    def item_in_where(self, meta: Any, items: list[Any]) -> s.Where:
        base = s.Comparison(items[0].start, items[1].end, "in", items[0], items[1], False)
        return s.Where(meta.start_pos, meta.end_pos, base, items[2])

    def where(self, meta: Any, items: list[Any]) -> s.Where:
        return s.Where(meta.start_pos, meta.end_pos, items[0], items[1])

    item_where = where

    def extreme(self, meta: Any, items: list[Any]) -> s.WithExtreme:
        lowest = str(items[1]).split()[-1] in ("fewest", "least", "lowest")
        return s.WithExtreme(meta.start_pos, meta.end_pos, items[0], items[2], lowest)

    item_extreme = extreme

    def quantified(self, meta: Any, items: list[Any]) -> s.Quantified:
        word: Any = str(items[0])
        return s.Quantified(meta.start_pos, meta.end_pos, word, _name(items[1]), items[2], items[3])

    def total(self, meta: Any, items: list[Any]) -> s.TotalOver:
        return s.TotalOver(meta.start_pos, meta.end_pos, items[0], items[1])

    def highest(self, meta: Any, items: list[Any]) -> s.HighestOver:
        return s.HighestOver(meta.start_pos, meta.end_pos, items[1], items[2], str(items[0]) == "lowest")

    def or_(self, meta: Any, items: list[Any]) -> s.Logic:
        return s.Logic(meta.start_pos, meta.end_pos, "or", items[0], items[1])

    def and_(self, meta: Any, items: list[Any]) -> s.Logic:
        return s.Logic(meta.start_pos, meta.end_pos, "and", items[0], items[1])

    def negation(self, meta: Any, items: list[Any]) -> s.Negation:
        return s.Negation(meta.start_pos, meta.end_pos, items[0])

    def compare(self, meta: Any, items: list[Any]) -> s.Comparison:
        op: Any = str(items[1])
        return s.Comparison(meta.start_pos, meta.end_pos, op, items[0], items[2], False)

    def is_(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "is", items[0], items[1], False)

    def is_not(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "is", items[0], items[1], True)

    def is_empty(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "empty", items[0], None, False)

    def is_not_empty(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "empty", items[0], None, True)

    def in_(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "in", items[0], items[1], False)

    def not_in(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "in", items[0], items[1], True)

    def has(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "has", items[0], items[1], False)

    def has_no(self, meta: Any, items: list[Any]) -> s.Comparison:
        return s.Comparison(meta.start_pos, meta.end_pos, "has", items[0], items[1], True)

    def binary(self, meta: Any, items: list[Any]) -> s.Arithmetic:
        op: Any = str(items[1])
        return s.Arithmetic(meta.start_pos, meta.end_pos, op, items[0], items[2])

    def negative(self, meta: Any, items: list[Any]) -> s.Arithmetic:
        zero = s.Number(meta.start_pos, meta.start_pos, 0)
        return s.Arithmetic(meta.start_pos, meta.end_pos, "-", zero, items[1])

    def end_of(self, meta: Any, items: list[Any]) -> s.EndOf:
        word: Any = str(items[0])
        return s.EndOf(meta.start_pos, meta.end_pos, word, items[1], items[2])

    def of(self, meta: Any, items: list[Any]) -> s.Of:
        return s.Of(meta.start_pos, meta.end_pos, items[0], _name(items[2]))

    def your(self, meta: Any, items: list[Any]) -> s.Of:
        return s.Of(
            meta.start_pos, meta.end_pos, s.Name(meta.start_pos, meta.start_pos + 4, "you"), _name(items[0])
        )

    def every(self, meta: Any, items: list[Any]) -> s.Every:
        return s.Every(meta.start_pos, meta.end_pos, _name(items[0]))

    def at(self, meta: Any, items: list[Any]) -> s.At:
        return s.At(meta.start_pos, meta.end_pos, items[0], items[1])

    def call(self, meta: Any, items: list[Any]) -> s.CallOf:
        arguments = tuple(item for item in items[1:] if item is not None)
        return s.CallOf(meta.start_pos, meta.end_pos, _name(items[0]), arguments)

    def group(self, meta: Any, items: list[Any]) -> s.Expression:
        return items[0]  # type: ignore[no-any-return]

    def name(self, meta: Any, items: list[Any]) -> s.Name:
        return _name(items[0])

    def number(self, meta: Any, items: list[Any]) -> s.Number:
        text = str(items[0])
        if len(text) > 10 or int(text) > 2**31 - 1:
            message = f"{text} is too large a number; at most {2**31 - 1}"
            raise _BadError(Mistake("RW413", meta.start_pos, meta.end_pos, message))
        return s.Number(meta.start_pos, meta.end_pos, int(text))

    def pattern(self, meta: Any, items: list[Any]) -> list[s.Part]:
        return items

    def word(self, meta: Any, items: list[Any]) -> s.Word:
        text = str(items[0])
        stem, _, suffix = text.partition("(")
        forms = (stem, stem + suffix.rstrip(")")) if suffix else (text,)
        if set(forms) & KEYWORDS:
            hint = "reserved words cannot stand in a sentence: " + " ".join(sorted(KEYWORDS))
            message = f"`{text}` is a reserved word and cannot stand in the sentence of a verb"
            raise _BadError(Mistake("RW406", meta.start_pos, meta.end_pos, message, hint))
        return s.Word(meta.start_pos, meta.end_pos, text, forms)

    def hole(self, meta: Any, items: list[Any]) -> s.Hole:
        name, *types = [str(item) for item in items if item is not None]
        type_ = " ".join(types).replace(" | ", "|")
        return s.Hole(meta.start_pos, meta.end_pos, name, type_ or "number")


def _name(token: Token) -> s.Name:
    start = token.start_pos or 0
    return s.Name(start, start + len(token), str(token))


def _flat(items: list[Any]) -> list[s.Statement]:
    out: list[s.Statement] = []
    for item in items:
        if isinstance(item, list):
            out.extend(item)
        elif not isinstance(item, Token) and not isinstance(item, Tree):
            out.append(item)
    return out
