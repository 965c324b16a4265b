"""Strings of the effect language -> trees of `language.ast`, or what is wrong with them.

Runs the LALR(1) tables that Lark makes of the grammar (`language.lalr_tables`, written by
`tools.generate.parser_tables`, where rules and scanners are explained). Lark's own run of them makes trees with
lines and columns first, and takes many times as long; a test compares both, for good strings and for mistakes.

By the number of a state, `ACTIONS` has for each symbol the state to go to, or -1 minus the number of the rule to
apply, and `LEXERS` the number of a scanner: only words that can follow are looked for.

A word is of the first of `TERMINALS` that matches and can follow. One expression tries all of them at once. Nearly
always what it finds can follow; if not, those that can are tried one by one. An expression for each state would
find the same, but compiling so many takes longer than reading a pack. Where nothing that can follow matches,
`ROOT`, the scanner of all terminals, tells which word stands there instead.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ruleset.language import lalr_tables as tables
from ruleset.language.ast_builder import BadError, Build, Word
from ruleset.language.syntax_errors import Mistake, Start, character_mistake, indentation_mistake, mistake_of

MAX_DEPTH = 150
"""Levels of a tree; a sum of many terms has as many."""
TAB = 8
"""Columns of indentation that a tab stands for."""

_BUILD = Build()
_RULES = [(origin, size, method and getattr(_BUILD, method), parts) for origin, size, method, parts in tables.RULES]
_SAME = [origin if method is None else "" for origin, _, method, _ in tables.RULES]
"""Of the many rules that only say what one thing also is (a number is a sum is an expression): what it is."""
_IGNORED = frozenset(tables.IGNORED)
_BLANK = " \t"
"""Ignored in every state; no terminal of a word begins so."""
_FOLLOWING = [frozenset(following) for following, _ in tables.SCANNERS]

_ANY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in tables.TERMINALS))
_PATTERNS = dict(tables.TERMINALS)


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


class _RefusedError(Exception):
    """A word that cannot follow: where it begins, its text, its kind."""

    def __init__(self, place: int, text: str, kind: str) -> None:
        super().__init__(text)
        self.place, self.text, self.kind = place, text, kind


def parse_text(start: Start, text: str, source: str) -> Any:
    """What `Build` makes of a text, or the `Mistake` in it.

    `source` is the text as the grammar wants it: an effect ends in a line break, anything else has none.
    """
    reading = _Reading(start)
    any_word = _ANY.match
    indents = [0]
    place = 0
    try:
        while place < len(source):
            if source[place] in _BLANK:
                place += 1
                continue
            number = tables.LEXERS[reading.states[-1]]
            begin = place
            found = any_word(source, begin)
            kind = (found.lastgroup or "") if found is not None else ""
            if found is not None and kind in _FOLLOWING[number]:
                word, place = found[0], found.end()
            else:
                kind, word, place = _word(source, begin, tables.SCANNERS[number][0])
                if not kind:
                    return _stranger(start, text, source, begin)
            if kind in _IGNORED:
                continue
            reserved = tables.SCANNERS[number][1]
            if kind in reserved:
                kind = reserved[kind].get(word, kind)
            reading.take(kind, Word(word, begin), begin, place)
            if kind == "_NL":
                line = word[word.rindex("\n") + 1 :]
                depth = line.count(" ") + TAB * line.count("\t")
                if depth > indents[-1]:
                    indents.append(depth)
                    reading.take("_INDENT", "", begin, place)
                while depth < indents[-1]:
                    indents.pop()
                    reading.take("_DEDENT", "", begin, place)
                if depth != indents[-1]:
                    return indentation_mistake(text)
        for _ in indents[1:]:
            reading.take("_DEDENT", "", place, place)
        value, depth = reading.end(place)
    except _RefusedError as refused:
        return mistake_of(start, text, refused.place, refused.text, refused.kind)
    if depth > MAX_DEPTH:
        message = f"this text has more than {MAX_DEPTH} operations inside of each other"
        return Mistake("RW401", 0, len(text), message, "divide it: a part of it can be a function or a verb")
    return reading.bad or value


def _stranger(start: Start, text: str, source: str, place: int) -> Mistake:
    """What is wrong where no word that can follow begins: another word stands there, or none at all."""
    terminals, reserved = tables.ROOT
    kind, word, _ = _word(source, place, terminals)
    if not kind:
        return character_mistake(text, place)
    return mistake_of(start, text, place, word, reserved.get(kind, {}).get(word, kind))


class _Reading:
    """The stack of the parser: the state behind each symbol, its value, its range, its depth as a tree."""

    def __init__(self, start: Start) -> None:
        self.states = [tables.STARTS[start]]
        self.last = tables.ENDS[start]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.depths: list[int] = []
        self.bad: Mistake | None = None
        """What `Build` refused first. Reading goes on without values: a word that cannot follow is told instead."""

    def take(self, kind: str, word: str, start: int, end: int) -> None:
        """Applies the rules that end here and puts the word on the stack; an error when it cannot follow."""
        while (action := tables.ACTIONS[self.states[-1]].get(kind, 0)) < 0:
            self._apply(-1 - action)
        if not action:  # a start; nothing leads there
            raise _RefusedError(start, word, kind)
        self.states.append(action)
        self.values.append(word)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(0)

    def end(self, place: int) -> tuple[Any, int]:
        """Applies the rules that are left; gives what came out, and its depth as a tree."""
        while self.states[-1] != self.last:
            action = tables.ACTIONS[self.states[-1]].get("$END", 0)
            if not action:
                raise _RefusedError(place, "", "$END")
            self._apply(-1 - action)
        return self.values[-1], self.depths[-1]

    def _apply(self, rule: int) -> None:
        if same := _SAME[rule]:
            self.states[-1] = tables.ACTIONS[self.states[-2]][same]
            return
        origin, size, method, parts = _RULES[rule]
        values = self.values[-size:]
        start, end, depth = self.starts[-size], self.ends[-1], max(self.depths[-size:])
        for stack in (self.states, self.values, self.starts, self.ends, self.depths):
            del stack[-size:]
        value: Any = None
        if self.bad is None:
            items: list[Any] = []
            for part in parts:
                if part is None:
                    items.append(None)
                elif part < 0:
                    items.extend(values[-1 - part])
                else:
                    items.append(values[part])
            try:
                value = method(start, end, items) if method else items
            except BadError as error:
                self.bad = error.mistake
        self.states.append(tables.ACTIONS[self.states[-1]][origin])
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(depth + 1 if method else depth)
