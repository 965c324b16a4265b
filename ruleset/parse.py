"""Strings of the effect language -> trees of `syntax`.

The parser is permissive; what it refuses is a mistake of form, and gets a message that says what to write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any, Literal

from attrs import frozen
from lark import Lark, Token, Transformer, Tree, UnexpectedCharacters, UnexpectedInput, v_args
from lark.exceptions import VisitError
from lark.indenter import DedentError, Indenter

from ruleset import syntax as s

Start = Literal["effect", "expression", "pattern"]

MAX_LENGTH = 20_000
"""Characters in one string of the effect language."""
MAX_NESTING = 40
"""Brackets and blocks inside each other."""
MAX_DEPTH = 150
"""Levels of a tree; a sum of many terms has as many."""


@frozen
class Mistake:
    """Why a string is not of the effect language; offsets are characters of the string."""

    code: str
    start: int
    end: int
    message: str
    hint: str | None = None


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


def _parse(start: Start, text: str) -> Any:
    if len(text) > MAX_LENGTH:
        return Mistake("RW401", 0, len(text), f"this text has {len(text)} characters; at most {MAX_LENGTH} are read")
    if _nesting(text) > MAX_NESTING:
        return Mistake("RW401", 0, len(text), f"brackets or blocks are nested more than {MAX_NESTING} deep")
    if not text.strip():
        return Mistake("RW402", 0, len(text), "this text is empty; expected " + _EXPECTED[start])
    source = text + "\n" if start == "effect" else re.sub(r"\s", " ", text)
    try:
        tree = _parser().parse(source, start=start)
        if _depth(tree) > MAX_DEPTH:
            message = f"this text has more than {MAX_DEPTH} operations inside of each other"
            return Mistake("RW401", 0, len(text), message, "divide it: a part of it can be a function or a verb")
        return _Build().transform(tree)
    except DedentError:
        return _indentation(text)
    except VisitError as error:
        if isinstance(error.orig_exc, _Bad):
            return error.orig_exc.mistake
        raise
    except UnexpectedInput as error:
        return _mistake(start, text, error)


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


@cache
def _parser() -> Lark:
    grammar = (resources.files("ruleset") / "effect.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=["effect", "expression", "pattern"],
        postlex=_Indent(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


_EXPECTED = {
    "effect": "an effect, such as `draw 2` or `lose 1 coin`",
    "expression": "an expression, such as `count(hand)` or `coins >= 3`",
    "pattern": "a sentence, such as `draw(s) <n>`",
}

_KEYWORDS = frozenset(
    ["and", "or", "not", "is", "in", "has", "where", "of", "then", "as", "if", "else", "each", "repeat", "times", "while", "when", "otherwise", "with", "over", "let", "total", "highest", "lowest", "any", "no", "your", "every", "empty"]
)


def _mistake(start: Start, text: str, error: UnexpectedInput) -> Mistake:
    at = min(max(error.pos_in_stream or 0, 0), len(text))
    if isinstance(error, UnexpectedCharacters):
        return _character(text, at)
    token = getattr(error, "token", None)
    word = str(token) if token is not None and token.type != "$END" else ""
    if token is not None and token.type == "_INDENT":
        return _too_deep(text, at)
    if not word.strip() or (token is not None and token.type.startswith("_")):
        return _early_end(text, at if token is not None and token.type == "_NL" else len(text.rstrip()))
    end = min(at + len(word), len(text))
    if word == "," or (word == "and" and start == "effect"):
        return Mistake("RW403", at, end, f"`{word}` cannot join effects", _THEN)
    mistake = _first_try(text, at, end, word)
    if mistake is not None:
        return mistake
    before = re.search(r"(any|no|total|highest|lowest)\s+$", text[:at])
    if before is not None and before.start() > 0:
        at, word = before.start(), before[1]
        end = at + len(word)
    if word in ("any", "no", "total", "highest", "lowest"):
        hint = f"put the part that begins with `{word}` in parentheses"
        return Mistake("RW404", at, end, f"`{word}` cannot follow here without parentheses", hint)
    if word == "=":
        hint = "compare with `is`; `=` only sets a value, after `let` or a track"
        return Mistake("RW405", at, end, "`=` does not compare", hint)
    if start == "pattern":
        hint = "reserved words cannot stand in a sentence: " + " ".join(sorted(_KEYWORDS))
        return Mistake("RW406", at, end, f"`{word}` cannot stand in the sentence of a verb", hint)
    if word == ":":
        hint = "a block follows `if`, `each`, `repeat`, `may` or `choose one`; elsewhere leave the `:` out"
        return Mistake("RW407", at, end, "`:` is not expected here", hint)
    if start == "expression" and (token is not None and token.type in ("NAME", "INT", "FUNC")):
        hint = "one expression is expected here; join conditions with `and` or `or`"
        return Mistake("RW408", at, end, f"`{word}` is one word too many", hint)
    if word in _KEYWORDS:
        return Mistake("RW409", at, end, f"`{word}` cannot stand here; it is a reserved word", _KEYWORD_HINTS.get(word))
    brackets = "arguments with comparisons or `and` need parentheses" if word in ("<", ">", "<=", ">=") else None
    return Mistake("RW408", at, end, f"`{word}` is not expected here", brackets)


_THEN = "write `then` between effects: `draw 1 then lose 1 coin`"


def _first_try(text: str, at: int, end: int, word: str) -> Mistake | None:
    """What newcomers write, and what it is in this language; `word` is where reading stopped."""
    line_start = text.rfind("\n", 0, at) + 1
    line, before = text[line_start:].split("\n", 1)[0], text[line_start:at]
    whose = re.search(r"(?<![\w-])(my|our|his|her|their|its)\s+$", before)
    if whose is not None and re.match(r"[a-z]", word):
        start = line_start + whose.start(1)
        hint = f"write `your {word}`" if whose[1] == "my" else f"say whose: `p's {word}`, `it's {word}` or `your {word}`"
        return Mistake("RW408", start, start + len(whose[1]), f"`{whose[1]}` says not clearly whose", hint)
    if text[:line_start].rstrip().endswith(":") and not before.strip():
        message = "this line must stand deeper than the one above, which ends with `:`"
        return Mistake("RW411", at, end, message, "indent it by two spaces more")
    gain = re.match(r"\+\s*(\d+)\s+([a-z][a-z-]*)", text[at:])
    if gain is not None and re.search(r"(^|then|:)\s*$", before):
        hint = f"write the name of what changes first: `{gain[2]} += {gain[1]}`"
        return Mistake("RW408", at, at + gain.end(), "an effect cannot begin with `+`", hint)
    everybody = re.match(r"\s*(each|every)\s+(?:(other)\s+)?players?\s+(?!in\b)([^:]*)", line)
    if everybody is not None:
        start, stop = (line_start + place for place in everybody.span())
        hint = f"write `each p in {'others' if everybody[2] else 'players'}: p {everybody[3].strip()}`"
        start += len(line) - len(line.lstrip())
        return Mistake("RW408", start, stop, f"`{everybody[1]}` needs a name and a list: `each NAME in LIST: …`", hint)
    opened = re.match(r"\s*(if|else if|each|repeat)(?![\w-])[^:]*$", before)
    if opened is not None and word == "then":
        return Mistake("RW411", at, end, f"`{opened[1]}` has `:` before its effect, not `then`", "write `:` instead of `then`")
    if opened is not None and ":" not in line and re.match(r"[a-z]", word) and word not in _KEYWORDS:
        return Mistake("RW411", at, end, "a `:` is missing before this", f"write `{line[:at - line_start].strip()}: …`")
    if word == ")" and text.count(")") > text.count("("):
        return Mistake("RW411", at, end, "this `)` closes no bracket", "remove it, or write its `(`")
    return None


def _too_deep(text: str, at: int) -> Mistake:
    """A line that is indented though no `:` above opens a block."""
    line = re.compile(r"[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(\S+)").match(text, at)
    start, end = line.span(1) if line is not None else (at, at)
    hint = "begin it where the line above begins; only what belongs to a `:` stands deeper"
    return Mistake("RW412", start, end, "this line stands deeper than the one above, which opens no block", hint)


_KEYWORD_HINTS = {
    "then": "`then` joins two effects on one line; both sides must be effects",
    "where": "`where` follows a list: `cards in hand where cost > 2`",
    "or": "conditions in a sentence need parentheses",
    "and": "conditions in a sentence need parentheses",
    "is": "conditions in a sentence need parentheses",
    "as": "`as NAME` ends a sentence",
    "else": "`else:` stands at the indentation of its `if`",
}


def _character(text: str, at: int) -> Mistake:
    character = text[at : at + 1]
    if character.isupper():
        word = re.match(r"[\w-]+", text[at:])
        name = word.group() if word else character
        return Mistake("RW410", at, at + len(name), f"`{name}` has a capital letter", f"write `{name.lower()}`")
    if character == "_":
        return Mistake("RW410", at, at + 1, "names have no underscore", "write `-` between the words of a name")
    if character in "'’\"“”":
        hint = "text for players goes into `text`, `name` or `log`; a possessive is written `p's hand`"
        return Mistake("RW410", at, at + 1, f"`{character}` cannot stand here", hint)
    if character in "{}":
        hint = "an effect is a sentence, or lines under `|`; it has no braces"
        return Mistake("RW410", at, at + 1, f"`{character}` is not of the effect language", hint)
    if character in "!=&;":
        hint = {"!": "write `is not`", "&": "write `and`", ";": _THEN, "=": "write `is`"}[character]
        return Mistake("RW410", at, at + 1, f"`{character}` is not of the effect language", hint)
    if character == ",":
        return Mistake("RW403", at, at + 1, "`,` cannot join effects", _THEN)
    if character == ":":
        hint = "a block follows `if`, `each`, `repeat`, `may` or `choose one`; elsewhere leave the `:` out"
        return Mistake("RW407", at, at + 1, "`:` is not expected here", hint)
    if character.isalpha():
        letters = next(found for found in re.finditer(r"[\w-]+", text) if found.start() <= at < found.end())
        start, name = letters.start(), letters.group()
        hint = "words of rules have the letters a to z; what players read goes into `name` and `text`"
        return Mistake("RW410", start, start + len(name), f"`{name}` has the letter `{character}`", hint)
    return Mistake("RW410", at, at + 1, f"`{character}` is not expected here")


def _early_end(text: str, at: int) -> Mistake:
    line = text[:at].rsplit("\n", 1)[-1]
    if line.rstrip().endswith(":"):
        return Mistake("RW411", at, at, "a block is missing after `:`", "write an effect on the same line, or indented below")
    if re.match(r"\s*(if|each|repeat|may|choose one)\b", line) and ":" not in line:
        return Mistake("RW411", at, at, "a `:` is missing", "end the line with `:` and indent what follows")
    if text.count("(") > text.count(")"):
        start = text.rfind("(")
        return Mistake("RW411", start, start + 1, "this bracket is not closed", "write `)` where it ends")
    last = re.search(r"(\S+)\s*$", text[:at])
    word = f"`{last[1]}`" if last is not None else "the last word"
    return Mistake("RW411", at, at, "the sentence ends too early", f"something must follow {word}")


def _indentation(text: str) -> Mistake:
    depths = [0]
    offset = 0
    for line in text.splitlines(keepends=True):
        depth = len(line) - len(line.lstrip(" \t"))
        if line.strip():
            if depth > depths[-1]:
                depths.append(depth)
            while depth < depths[-1]:
                depths.pop()
            if depth != depths[-1]:
                hint = "indent each block by the same number of spaces"
                return Mistake("RW412", offset, offset + depth, "this line's indentation fits no block above it", hint)
        offset += len(line)
    return Mistake("RW412", 0, len(text), "the indentation fits no block")


class _Bad(Exception):
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
        return s.Of(meta.start_pos, meta.end_pos, s.Name(meta.start_pos, meta.start_pos + 4, "you"), _name(items[0]))

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
            raise _Bad(Mistake("RW413", meta.start_pos, meta.end_pos, message))
        return s.Number(meta.start_pos, meta.end_pos, int(text))

    def pattern(self, meta: Any, items: list[Any]) -> list[s.Part]:
        return items

    def word(self, meta: Any, items: list[Any]) -> s.Word:
        text = str(items[0])
        stem, _, suffix = text.partition("(")
        forms = (stem, stem + suffix.rstrip(")")) if suffix else (text,)
        if set(forms) & _KEYWORDS:
            hint = "reserved words cannot stand in a sentence: " + " ".join(sorted(_KEYWORDS))
            message = f"`{text}` is a reserved word and cannot stand in the sentence of a verb"
            raise _Bad(Mistake("RW406", meta.start_pos, meta.end_pos, message, hint))
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
