"""Parse strings of the effect language into trees of `language.ast`, or report the mistake.

Runs the LALR(1) tables that Lark generates from the grammar (`language.lalr_tables`, written by
`tools.generate.parser_tables`, which explains rules and scanners). Lark's own parser first builds trees with lines
and columns, and takes many times as long; a test compares both, for valid strings and for mistakes.

For each state, `ACTIONS` maps a symbol to the next state, or to -1 minus the number of the rule to apply, and
`LEXERS` gives the number of a scanner: only words that can follow are searched.

A word belongs to the first of `TERMINALS` that matches and can follow. A single regular expression tries all
terminals at once. Its match can nearly always follow; if not, those that can are tried one by one. An expression
for each state would find the same, but compiling them takes longer than reading a pack. If no word that can follow
matches, `ROOT`, the scanner of all terminals, identifies the word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ruleset.language import lalr_tables
from ruleset.language.ast_builder import BadError, Build, Word
from ruleset.language.syntax_errors import Mistake, Start, character_mistake, indentation_mistake, mistake_of

MAX_DEPTH = 150
"""Maximum depth of a tree; a sum of n terms has depth n."""
TAB = 8
"""Columns of indentation for a tab."""

_BUILD = Build()
_RULES = [
    (origin, size, method and getattr(_BUILD, method), parts) for origin, size, method, parts in lalr_tables.RULES
]
_SAME = [origin if method is None else "" for origin, _, method, _ in lalr_tables.RULES]
"""For rules that only rename one symbol (a number is a sum is an expression), the new symbol; else ""."""
_IGNORED = frozenset(lalr_tables.IGNORED)
_BLANK = " \t"
"""Ignored in every state; no terminal begins with these."""
_FOLLOWING = [frozenset(following) for following, _ in lalr_tables.SCANNERS]

_ANY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in lalr_tables.TERMINALS))
_PATTERNS = dict(lalr_tables.TERMINALS)


@cache
def _terminal(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])


def _word(source: str, place: int, following: tuple[str, ...]) -> tuple[str, str, int]:
    """Try terminals one by one; return the kind, text, and end of the next word, or no kind if none matches."""
    for kind in following:
        found = _terminal(kind).match(source, place)
        if found is not None:
            return kind, found[0], found.end()
    return "", "", place


class _RefusedError(Exception):
    """A word that cannot follow: its offset, text, and kind."""

    def __init__(self, place: int, text: str, kind: str) -> None:
        super().__init__(text)
        self.place, self.text, self.kind = place, text, kind


def parse_text(start: Start, text: str, source: str) -> Any:
    """Return the tree that `Build` makes of a text, or its first `Mistake`.

    `source` is the text as the grammar expects it: an effect ends with a line break, anything else has none.
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
            number = lalr_tables.LEXERS[reading.states[-1]]
            begin = place
            found = any_word(source, begin)
            kind = (found.lastgroup or "") if found is not None else ""
            if found is not None and kind in _FOLLOWING[number]:
                word, place = found[0], found.end()
            else:
                kind, word, place = _word(source, begin, lalr_tables.SCANNERS[number][0])
                if not kind:
                    return _stranger(start, text, source, begin)
            if kind in _IGNORED:
                continue
            reserved = lalr_tables.SCANNERS[number][1]
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
        message = f"this text nests more than {MAX_DEPTH} operations"
        return Mistake("RW401", 0, len(text), message, "move a part of it to a function or a verb")
    return reading.bad or value


def _stranger(start: Start, text: str, source: str, place: int) -> Mistake:
    """Report a place where no word that can follow begins: there is another word, or none."""
    terminals, reserved = lalr_tables.ROOT
    kind, word, _ = _word(source, place, terminals)
    if not kind:
        return character_mistake(text, place)
    return mistake_of(start, text, place, word, reserved.get(kind, {}).get(word, kind))


class _Reading:
    """The stack of the parser: per symbol the state after it, its value, range, and depth as a tree."""

    def __init__(self, start: Start) -> None:
        self.states = [lalr_tables.STARTS[start]]
        self.last = lalr_tables.ENDS[start]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.depths: list[int] = []
        self.bad: Mistake | None = None
        """The first mistake found by `Build`. Parsing goes on: a word that cannot follow takes precedence."""

    def take(self, kind: str, word: str, start: int, end: int) -> None:
        """Apply the rules that end here, then push the word. Raises _RefusedError if it cannot follow."""
        while (action := lalr_tables.ACTIONS[self.states[-1]].get(kind, 0)) < 0:
            self._apply(-1 - action)
        if not action:  # 0 is a start state, which nothing leads to
            raise _RefusedError(start, word, kind)
        self.states.append(action)
        self.values.append(word)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(0)

    def end(self, place: int) -> tuple[Any, int]:
        """Apply the remaining rules; return the result and its depth as a tree."""
        while self.states[-1] != self.last:
            action = lalr_tables.ACTIONS[self.states[-1]].get("$END", 0)
            if not action:
                raise _RefusedError(place, "", "$END")
            self._apply(-1 - action)
        return self.values[-1], self.depths[-1]

    def _apply(self, rule: int) -> None:
        if same := _SAME[rule]:
            self.states[-1] = lalr_tables.ACTIONS[self.states[-2]][same]
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
        self.states.append(lalr_tables.ACTIONS[self.states[-1]][origin])
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(depth + 1 if method else depth)
