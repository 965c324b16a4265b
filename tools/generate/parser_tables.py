"""Write the parser's tables, so that they are not built from the grammar at run time.

Run `python -m tools.generate.parser_tables`; `--check` only reports whether the tables are up to date.
`ruleset/language/effect.lark` is the grammar, from which Lark builds the tables. `lalr_tables.py` holds them for
`language.lalr`, with a digest of the grammar, and is never edited by hand.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from pprint import pformat
from typing import Any

from lark import Lark
from lark.indenter import Indenter
from lark.parsers.lalr_analysis import Shift

from ruleset.language import lalr_tables
from ruleset.language.lalr import TAB

_FOLDER = Path(__file__).parents[2] / "ruleset" / "language"
_HEAD = '''"""Tables of the grammar's parser, made by `python -m tools.generate.parser_tables`. Not to be edited."""

from typing import Any

# fmt: off
# ruff: noqa - generated
'''


class _Indent(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types: list[str] = []  # noqa: RUF012 - the base class declares it so
    CLOSE_PAREN_types: list[str] = []  # noqa: RUF012 - as above
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = TAB


def build_parser() -> Lark:
    """Build Lark's parser of the grammar, which takes most of a second."""
    return Lark(
        _grammar(),
        parser="lalr",
        lexer="contextual",
        start=["effect", "expression", "pattern"],
        postlex=_Indent(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _grammar() -> str:
    return (_FOLDER / "effect.lark").read_text(encoding="utf-8")


def _grammar_digest() -> str:
    return hashlib.blake2b(_grammar().encode(), digest_size=16).hexdigest()


def tables_text() -> str:
    """Return the module with the tables, as documented in `language.lalr`."""
    parser: Any = build_parser()
    table = parser.parser.parser._parse_table
    order = _order(table)
    rules = {rule: number for number, rule in enumerate(parser.rules)}
    lexer = parser.parser.lexer.lexer
    lexers = lexer.lexers
    met = {one.name: one for lexer in lexers.values() for one in lexer.scanner.terminals}
    terminals = sorted(met.values(), key=_precedence)
    scanners: dict[str, int] = {}
    chosen = [scanners.setdefault(_scanner(lexers[state], terminals), len(scanners)) for state in order]
    actions = [
        {symbol: order[to] if kind is Shift else -1 - rules[to] for symbol, (kind, to) in sorted(row.items())}
        for row in (table.states[state] for state in order)
    ]
    parts = {
        "STARTS": repr({start: order[state] for start, state in sorted(table.start_states.items())}),
        "ENDS": repr({start: order[state] for start, state in sorted(table.end_states.items())}),
        "IGNORED": repr(sorted(parser.ignore_tokens)),
        "RULES": _rows(repr(_rule(rule)) for rule in rules),
        "TERMINALS": _rows(repr((one.name, one.pattern.to_regexp())) for one in terminals),
        "LEXERS": _literal(chosen),
        "SCANNERS": _rows(scanners),
        "ROOT": _scanner(lexer.root_lexer, sorted(lexer.root_lexer.scanner.terminals, key=_precedence)),
        "ACTIONS": _rows(map(repr, actions)),
    }
    lines = "".join(f"{name}: Any = {text}\n" for name, text in parts.items())
    return f'{_HEAD}GRAMMAR = "{_grammar_digest()}"\n{lines}'


def _order(table: Any) -> dict[Any, int]:
    """Number the parser's states in order of discovery; Lark's own numbers differ between runs."""
    order: dict[Any, int] = {}
    met = [state for _, state in sorted(table.start_states.items())]
    for state in met:
        if state not in order:
            order[state] = len(order)
            met.extend(to for _, (kind, to) in sorted(table.states[state].items()) if kind is Shift)
    return order


def _precedence(terminal: Any) -> tuple[Any, ...]:
    """Return a sort key: Lark tries the possible terminals in this order, and takes the first that matches."""
    return -terminal.priority, -terminal.pattern.max_width, -len(terminal.pattern.value), terminal.name


def _scanner(lexer: Any, terminals: list[Any]) -> str:
    """Return the possible next terminals, and the reserved words: `if` is not a `NAME`.

    Terminals are in the order of all terminals.
    """
    here = [one.name for one in lexer.scanner.terminals]
    assert here == [one.name for one in terminals if one.name in here], "lark has another order of terminals"
    reserved = {
        kind: {one.pattern.value: one.name for one in sorted(words.scanner.terminals, key=lambda one: one.name)}
        for kind, words in sorted(lexer.callback.items())
    }
    return repr((tuple(here), reserved))


def _rule(rule: Any) -> tuple[Any, ...]:
    """Return origin, size, method of `Build` (empty: a list; None: the part itself), and parts.

    A part is its index; -1 minus its index for a list to be spliced; None for an absent part.
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
            parts.append(-1 - index if not symbol.is_term and symbol.name.startswith("_") else index)
    method = str(rule.alias or rule.origin.name)
    if method.startswith("_"):
        method = ""
    itself = rule.options.expand1 and not rule.alias and len(parts) == len(rule.expansion) == 1
    return str(rule.origin.name), len(rule.expansion), None if itself else method, tuple(parts)


def _rows(texts: Iterable[str]) -> str:
    return "[\n" + "".join(f"    {text},\n" for text in texts) + "]"


def _literal(value: Any) -> str:
    return pformat(value, width=110, compact=True, sort_dicts=False)


def main() -> None:
    """Write the tables, or check them."""
    if "--check" not in sys.argv[1:]:
        (_FOLDER / "lalr_tables.py").write_text(tables_text(), encoding="utf-8")
    elif not is_fresh():
        sys.exit("ruleset/language/lalr_tables.py is stale: run `python -m tools.generate.parser_tables`")


def is_fresh() -> bool:
    """Whether the tables were generated from the current grammar."""
    return bool(_grammar_digest() == lalr_tables.GRAMMAR)


if __name__ == "__main__":
    main()
