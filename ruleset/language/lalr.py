"""Good strings of the effect language -> trees of `language.ast`, without Lark. Most strings are good: they need no
more.

`language.lalr` runs the grammar's LALR(1) tables as Lark does, but makes our nodes at once where Lark makes trees
of its own, with lines and columns. At whatever is wrong with a string it gives None, and Lark has to tell
(`language.lark_parser`): so it decides nothing but how long reading takes. A test compares both.

The tables (`language.lalr_tables`) are made by `tools.generate.parser_tables`, where rules and scanners are
explained. By the number of a state, `ACTIONS` has for each symbol the state to go to, or -1 minus the number of the
rule to apply, and `LEXERS` the number of a scanner: only words that can follow are looked for.

A word is of the first of `TERMINALS` that matches and can follow. One expression tries all of them at once. Nearly
always what it finds can follow; if not, those that can are tried one by one. An expression for each state would
find the same, but compiling so many takes longer than reading a pack.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ruleset.language import lalr_tables as quick_tables
from ruleset.language.ast_builder import BadError, Build, Word
from ruleset.language.syntax_errors import Start

MAX_DEPTH = 150
"""Levels of a tree; a sum of many terms has as many."""
TAB = 8
"""Columns of indentation that a tab stands for."""

_BUILD = Build()
_RULES = [
    (origin, size, method and getattr(_BUILD, method), parts) for origin, size, method, parts in quick_tables.RULES
]
_SAME = [origin if method is None else "" for origin, _, method, _ in quick_tables.RULES]
"""Of the many rules that only say what one thing also is (a number is a sum is an expression): what it is."""
_IGNORED = frozenset(quick_tables.IGNORED)
_BLANK = " \t"
"""Ignored in every state; no terminal of a word begins so."""
_FOLLOWING = [frozenset(following) for following, _ in quick_tables.SCANNERS]

_ANY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in quick_tables.TERMINALS))
_PATTERNS = dict(quick_tables.TERMINALS)


@cache
def _terminal(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])


def _word(source: str, place: int, following: tuple[str, ...]) -> tuple[str, str, int]:
    """The kind of the next word, its text and its end, tried one by one; no kind if none of `following` matches."""
    for kind in following:
        found = _terminal(kind).match(source, place)
        if found is not None:
            return kind, found[0], found.end()
    return "", "", place


def parse_quick(start: Start, source: str) -> Any:
    """What `Build` makes of a string, which ends in a line break if it is an effect; None if it is not good."""
    reading = _Reading(start)
    any_word = _ANY.match
    indents = [0]
    place = 0
    try:
        while place < len(source):
            if source[place] in _BLANK:
                place += 1
                continue
            number = quick_tables.LEXERS[reading.states[-1]]
            begin = place
            found = any_word(source, begin)
            kind = (found.lastgroup or "") if found is not None else ""
            if found is not None and kind in _FOLLOWING[number]:
                text, place = found[0], found.end()
            else:
                kind, text, place = _word(source, begin, quick_tables.SCANNERS[number][0])
                if not kind:
                    return None
            if kind in _IGNORED:
                continue
            reserved = quick_tables.SCANNERS[number][1]
            if kind in reserved:
                kind = reserved[kind].get(text, kind)
            reading.take(kind, Word(text, begin), begin, place)
            if kind == "_NL":
                line = text[text.rindex("\n") + 1 :]
                depth = line.count(" ") + TAB * line.count("\t")
                if depth > indents[-1]:
                    indents.append(depth)
                    reading.take("_INDENT", None, begin, place)
                while depth < indents[-1]:
                    indents.pop()
                    reading.take("_DEDENT", None, begin, place)
                if depth != indents[-1]:
                    return None
        for _ in indents[1:]:
            reading.take("_DEDENT", None, place, place)
        return reading.end()
    except (KeyError, BadError):  # a word that cannot follow, or a part that is refused
        return None


class _Reading:
    """The stack of the parser: the state behind each symbol, its value, its range, its depth as a tree."""

    def __init__(self, start: Start) -> None:
        self.states = [quick_tables.STARTS[start]]
        self.last = quick_tables.ENDS[start]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.depths: list[int] = []

    def take(self, kind: str, value: Any, start: int, end: int) -> None:
        """Applies the rules that end here and puts the word on the stack; KeyError when it cannot follow."""
        while (action := quick_tables.ACTIONS[self.states[-1]][kind]) < 0:
            self._apply(-1 - action)
        self.states.append(action)
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(0)

    def end(self) -> Any:
        """Applies the rules that are left; gives what came out, or None where the tree is too deep."""
        while self.states[-1] != self.last:
            self._apply(-1 - quick_tables.ACTIONS[self.states[-1]]["$END"])
        return self.values[-1] if self.depths[-1] <= MAX_DEPTH else None

    def _apply(self, rule: int) -> None:
        if same := _SAME[rule]:
            self.states[-1] = quick_tables.ACTIONS[self.states[-2]][same]
            return
        origin, size, method, parts = _RULES[rule]
        values = self.values[-size:]
        start, end, depth = self.starts[-size], self.ends[-1], max(self.depths[-size:])
        for stack in (self.states, self.values, self.starts, self.ends, self.depths):
            del stack[-size:]
        items: list[Any] = []
        for part in parts:
            if part is None:
                items.append(None)
            elif part < 0:
                items.extend(values[-1 - part])
            else:
                items.append(values[part])
        self.states.append(quick_tables.ACTIONS[self.states[-1]][origin])
        self.values.append(method(start, end, items) if method else items)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(depth + 1 if method else depth)
