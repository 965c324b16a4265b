"""`python -m tools.grammar`: writes the parser's tables, so that no run has to build them from the grammar.

`ruleset/effect.lark` is the grammar; `ruleset/effect_tables.py` is made from it and never edited. It notes which
grammar it was made from, and with which version of lark. `--check` only tells whether it is fresh.
"""

from __future__ import annotations

import sys
from pathlib import Path
from pprint import pformat
from typing import Any

from lark.grammar import Rule
from lark.lexer import TerminalDef

from ruleset import effect_tables
from ruleset.parse import build_parser, grammar_digest, lark_series

TABLES = Path(__file__).parent.parent / "ruleset" / "effect_tables.py"
_HEAD = '''"""The parser's tables, made from `effect.lark` by `python -m tools.grammar`. Not to be edited."""

from typing import Any

# fmt: off
# ruff: noqa
'''


def tables_text() -> str:
    """The module that holds the tables of the grammar as it is now."""
    data, memo = build_parser().memo_serialize([TerminalDef, Rule])
    plain: dict[str, Any] = dict(data)
    plain["options"] = {**data["options"], "postlex": None}
    notes = f'GRAMMAR = "{grammar_digest()}"\nLARK = "{lark_series()}"\n'
    return f"{_HEAD}{notes}DATA: Any = {_literal(plain)}\nMEMO: Any = {_literal(memo)}\n"


def _literal(value: Any) -> str:
    return pformat(value, width=110, compact=True, sort_dicts=False)


def main() -> None:
    """Writes the tables, or checks them."""
    if "--check" not in sys.argv[1:]:
        TABLES.write_text(tables_text(), encoding="utf-8")
    elif not is_fresh():
        sys.exit("ruleset/effect_tables.py is stale: run `python -m tools.grammar`")


def is_fresh() -> bool:
    """Whether the tables were made from the grammar as it is now."""
    return bool(grammar_digest() == effect_tables.GRAMMAR)


if __name__ == "__main__":
    main()
