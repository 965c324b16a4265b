"""Parse strings of the effect language with Lark into trees of `language.ast`, or report the mistake.

`effect.lark` is the grammar. Making its LALR tables takes half a second, so they are shipped in `effect.json`, as
`python -m rulewright.tools.generate.grammar_tables` writes them. Those of another grammar or version of Lark are
not used. Nodes are built while parsing, one method of `Build` for each rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path
from typing import Any

import lark
from attrs import frozen
from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken
from lark.grammar import Rule, Terminal
from lark.lark import PostLex
from lark.lexer import TerminalDef

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.ast_builder import BadError, Build
from rulewright.ruleset.language.syntax_errors import (
    Mistake,
    Start,
    character_mistake,
    indentation_mistake,
    mistake_of,
)

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


def tables(parser: Lark) -> str:
    """Return a parser's tables as the text of a file."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"]["postlex"] = None  # given again where they are loaded
    return json.dumps({"digest": digest(), "data": data, "memo": memo}, separators=(",", ":")) + "\n"


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
