"""Strings of the effect language by the parser of Lark: what is wrong with them.

`parse` asks it about what `language.lalr` does not take, which are mistakes nearly always. The tables of the quick
parser are made from this one (`tools.generate.parser_tables`).
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Any

import lark
from lark import Lark, Token, Transformer, Tree, UnexpectedCharacters, UnexpectedInput
from lark.indenter import DedentError, Indenter

from ruleset.language import lark_tables as effect_tables
from ruleset.language.ast_builder import BadError, Build
from ruleset.language.lalr import MAX_DEPTH, TAB
from ruleset.language.syntax_errors import Mistake, Start, character_mistake, indentation_mistake, mistake_of


class _Indent(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types: list[str] = []  # noqa: RUF012 - the base class declares it so
    CLOSE_PAREN_types: list[str] = []  # noqa: RUF012 - as above
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = TAB


def parse_whole(start: Start, text: str, source: str) -> Any:
    """What `Build` makes of a text, or what is wrong with it; `source` is the text as the grammar wants it."""
    try:
        tree = ready_parser().parse(source, start=start)
        if _depth(tree) > MAX_DEPTH:
            message = f"this text has more than {MAX_DEPTH} operations inside of each other"
            return Mistake("RW401", 0, len(text), message, "divide it: a part of it can be a function or a verb")
        return _Builder().transform(tree)
    except DedentError:
        return indentation_mistake(text)
    except BadError as error:
        return error.mistake
    except UnexpectedCharacters as error:
        return character_mistake(text, error.pos_in_stream or 0)
    except UnexpectedInput as error:
        token = getattr(error, "token", None)
        return mistake_of(start, text, error.pos_in_stream or 0, str(token or ""), token.type if token else "")


class _Builder(Transformer[Token, Any]):
    """Lark's tree, bottom up, into ours."""

    build = Build()

    def __default__(self, data: Any, children: list[Any], meta: Any) -> Any:
        return getattr(self.build, data)(meta.start_pos, meta.end_pos, children)


def _depth(tree: Tree[Token]) -> int:
    deepest, rest = 0, [(tree, 1)]
    while rest:
        branch, level = rest.pop()
        deepest = max(deepest, level)
        rest.extend((child, level + 1) for child in branch.children if isinstance(child, Tree))
    return deepest


def _grammar() -> str:
    return (resources.files("ruleset.language") / "effect.lark").read_text(encoding="utf-8")


def grammar_digest() -> str:
    """A digest of the grammar's text."""
    return hashlib.blake2b(_grammar().encode(), digest_size=16).hexdigest()


def lark_series() -> str:
    """The installed lark without its patch level: tables of another series may have another form."""
    return ".".join(lark.__version__.split(".")[:2])


def build_parser() -> Lark:
    """The parser, built from the grammar. `language.lark_tables` holds what this builds."""
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
