"""Parse effects with Lark itself: the reference for `language.lalr`."""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, Tree, UnexpectedCharacters, UnexpectedInput
from lark.indenter import DedentError

from ruleset.language.ast_builder import BadError, Build
from ruleset.language.lalr import MAX_DEPTH
from ruleset.language.syntax_errors import Mistake, Start, character_mistake, indentation_mistake, mistake_of
from tools.generate.parser_tables import build_parser


def parse_by_lark(start: Start, text: str, source: str) -> Any:
    """What `Build` makes of a text, or the `Mistake` in it; `source` is the text as the grammar wants it."""
    try:
        tree = _parser().parse(source, start=start)
        if _depth(tree) > MAX_DEPTH:
            message = f"this text nests more than {MAX_DEPTH} operations"
            return Mistake("RW401", 0, len(text), message, "move a part of it to a function or a verb")
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


@cache
def _parser() -> Lark:
    return build_parser()


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
