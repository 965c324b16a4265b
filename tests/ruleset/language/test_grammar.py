"""The parser's tables are those of the grammar."""

from __future__ import annotations

import re

from ruleset.language.lark_parser import build_parser, ready_parser
from tools.generate.parser_tables import is_fresh


def test_the_tables_are_fresh() -> None:
    """If not: `python -m tools.generate.parser_tables`."""
    assert is_fresh()


def test_the_tables_parse_what_the_grammar_parses() -> None:
    text = "each p in others where count(p's hand) > 2:\n  p may pay: coins -= 1 then draw 2\n"
    built = build_parser().parse(text, start="effect").pretty()
    assert built.count("phrase") == 2
    assert re.sub(r"\s+", " ", ready_parser().parse(text, start="effect").pretty()) == re.sub(r"\s+", " ", built)
