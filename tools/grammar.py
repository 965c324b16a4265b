"""`python -m tools.grammar`: writes the parsers' tables, so that no run has to build them from the grammar.

`ruleset/effect.lark` is the grammar; `effect_tables.py` (for Lark) and `quick_tables.py` (for `parse_quick`) are made
from it and never edited. They note which grammar they were made from, and with which version of lark. `--check` only
tells whether they are fresh.
"""

from __future__ import annotations

import sys
from pathlib import Path
from pprint import pformat
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_analysis import Shift

from ruleset import effect_tables, quick_tables
from ruleset.parse_lark import build_parser, grammar_digest, lark_series

_FOLDER = Path(__file__).parent.parent / "ruleset"
_HEAD = '''"""The parser's tables, made from `effect.lark` by `python -m tools.grammar`. Not to be edited."""

from typing import Any

# fmt: off
# ruff: noqa
'''


def tables_text() -> str:
    """The module that holds Lark's tables of the grammar as it is now."""
    data, memo = build_parser().memo_serialize([TerminalDef, Rule])
    plain: dict[str, Any] = dict(data)
    plain["options"] = {**data["options"], "postlex": None}
    notes = f'GRAMMAR = "{grammar_digest()}"\nLARK = "{lark_series()}"\n'
    return f"{_HEAD}{notes}DATA: Any = {_literal(plain)}\nMEMO: Any = {_literal(memo)}\n"


def quick_text() -> str:
    """The module that holds the tables of `parse_quick`; what they mean is said there."""
    parser: Any = build_parser()
    rules = [_rule(rule) for rule in parser.rules]
    numbers = {rule: number for number, rule in enumerate(parser.rules)}
    table = parser.parser.parser._parse_table
    actions = {
        state: {
            symbol: target if action is Shift else -1 - numbers[target]
            for symbol, (action, target) in sorted(row.items())
        }
        for state, row in sorted(table.states.items())
    }
    scanners: dict[str, int] = {}
    lexers = {state: scanners.setdefault(_scanner(lexer), len(scanners)) for state, lexer in _lexers(parser)}
    parts = {
        "STARTS": dict(table.start_states),
        "ENDS": dict(table.end_states),
        "IGNORED": sorted(parser.ignore_tokens),
        "RULES": rules,
        "LEXERS": [lexers[state] for state in actions],
        "ACTIONS": list(actions.values()),
    }
    assert list(actions) == list(range(len(actions)))
    lines = [f"{name}: Any = {_literal(value)}\n" for name, value in parts.items()]
    lines.append("SCANNERS: Any = [\n" + "".join(f"    {text},\n" for text in scanners) + "]\n")
    return f'{_HEAD}GRAMMAR = "{grammar_digest()}"\n' + "".join(lines)


def _lexers(parser: Lark) -> list[tuple[int, Any]]:
    """The lexer of each state of the parser."""
    connected: Any = parser.parser.lexer
    return sorted(connected.lexer.lexers.items())


def _scanner(lexer: Any) -> str:
    """The expression that finds the next word, and what words are more than what they look like."""
    (expression,) = lexer.scanner._mres
    special = {
        kind: {one.pattern.value: one.name for one in sorted(words.scanner.terminals, key=lambda one: one.name)}
        for kind, words in sorted(lexer.callback.items())
    }
    return repr((expression.pattern, special))


def _rule(rule: Any) -> tuple[Any, ...]:
    """Origin, size, the method of `Build` (none: a list), whether a single part stands for itself, and the parts.

    A part is its index, or None where something optional is absent; lists are spliced.
    """
    absent = rule.options.empty_indices or (False,) * len(rule.expansion)
    symbols = iter(enumerate(rule.expansion))
    parts: list[int | None] = []
    for missing in absent:
        if missing:
            parts.append(None)
            continue
        index, symbol = next(symbols)
        if not (symbol.is_term and symbol.filter_out):
            parts.append(index)
    name = rule.alias or str(rule.origin.name)
    single = rule.options.expand1 and not rule.alias
    return str(rule.origin.name), len(rule.expansion), "" if name.startswith("_") else name, single, tuple(parts)


def _literal(value: Any) -> str:
    return pformat(value, width=110, compact=True, sort_dicts=False)


def main() -> None:
    """Writes the tables, or checks them."""
    if "--check" not in sys.argv[1:]:
        (_FOLDER / "effect_tables.py").write_text(tables_text(), encoding="utf-8")
        (_FOLDER / "quick_tables.py").write_text(quick_text(), encoding="utf-8")
    elif not is_fresh():
        sys.exit("the tables in ruleset/ are stale: run `python -m tools.grammar`")


def is_fresh() -> bool:
    """Whether the tables were made from the grammar as it is now."""
    return bool(grammar_digest() == effect_tables.GRAMMAR == quick_tables.GRAMMAR)


if __name__ == "__main__":
    main()
