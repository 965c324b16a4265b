"""The generated parser tables are up to date with the grammar."""

from __future__ import annotations

from ruleset.language import lalr_tables
from tools.generate import parser_tables


def test_the_tables_are_fresh() -> None:
    """If not: `python -m tools.generate.parser_tables`."""
    assert parser_tables.is_fresh()


def test_the_tables_are_what_is_made_of_the_grammar() -> None:
    with open(lalr_tables.__file__, encoding="utf-8") as file:
        assert file.read() == parser_tables.tables_text()
