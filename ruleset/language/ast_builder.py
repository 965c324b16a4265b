"""Build syntax nodes from grammar rules, bottom up; used by `language.grammar`.

Words of the text are Lark's tokens. Absent optional parts are None.
"""

from __future__ import annotations

from typing import Any

from rulewright.ruleset.common.whole_numbers import too_large, whole
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.number_mistakes import not_whole
from rulewright.ruleset.language.syntax_errors import KEYWORDS, Mistake, not_in_a_sentence


class BadError(Exception):
    """A text that the grammar accepts and the language rejects."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.message)
        self.mistake = mistake


class Build:
    """One method for each rule of the grammar: it receives the rule's range in the text and its built parts."""

    def effect(self, start: int, end: int, items: list[Any]) -> list[s.Statement]:
        return _flat(items)

    def line(self, start: int, end: int, items: list[Any]) -> list[s.Statement]:
        return items

    def suite(self, start: int, end: int, items: list[Any]) -> tuple[s.Statement, ...]:
        return tuple(_flat(items))

    def if_(self, start: int, end: int, items: list[Any]) -> s.IfElseBlock:
        condition, body, *rest = items
        otherwise = rest.pop() or ()
        cases = ((condition, body), *rest)
        return s.IfElseBlock(start, end, cases, otherwise)

    def else_if(self, start: int, end: int, items: list[Any]) -> tuple[Any, Any]:
        return (items[0], items[1])

    def each(self, start: int, end: int, items: list[Any]) -> s.EachBlock:
        return s.EachBlock(start, end, _name(items[0]), items[1], items[2])

    def repeat_times(self, start: int, end: int, items: list[Any]) -> s.RepeatBlock:
        return s.RepeatBlock(start, end, items[0], items[2], items[3])

    def repeat_while(self, start: int, end: int, items: list[Any]) -> s.RepeatBlock:
        return s.RepeatBlock(start, end, None, items[0], items[1])

    def block(self, start: int, end: int, items: list[Any]) -> s.PhraseBlock:
        return s.PhraseBlock(start, end, *items)

    def let(self, start: int, end: int, items: list[Any]) -> s.Let:
        return s.Let(start, end, _name(items[0]), items[1])

    def assign(self, start: int, end: int, items: list[Any]) -> s.Assignment:
        target, op, value = items
        return s.Assignment(start, end, target, str(op), value)  # type: ignore[arg-type]  # the grammar has three

    def phrase(self, start: int, end: int, items: list[Any]) -> s.Phrase:
        *parts, adverb, given, result = items
        words = " ".join(str(adverb).split()) if adverb is not None else ""
        return s.Phrase(start, end, tuple(parts), given or (), _name(result) if result else None, words)

    def with_(self, start: int, end: int, items: list[Any]) -> tuple[Any, ...]:
        return tuple(items)

    def named(self, start: int, end: int, items: list[Any]) -> tuple[s.Name, s.Expression]:
        return (_name(items[0]), items[1])

    def to_word(self, start: int, end: int, items: list[Any]) -> s.Name:
        return s.Name(start, start + 2, "to")

    def range_(self, start: int, end: int, items: list[Any]) -> s.Range | s.Where:
        low, high, condition = items
        return s.ranged(low, high, condition)

    def any_number(self, start: int, end: int, items: list[Any]) -> s.AnyNumber:
        return s.AnyNumber(start, end)

    def item_in(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "in", items[0], items[1], False)

    def item_in_where(self, start: int, end: int, items: list[Any]) -> s.Where:
        base = s.Comparison(items[0].start, items[1].end, "in", items[0], items[1], False)
        return s.Where(start, end, base, items[2])

    def where(self, start: int, end: int, items: list[Any]) -> s.Where:
        return s.Where(start, end, items[0], items[1])

    item_where = where

    def extreme(self, start: int, end: int, items: list[Any]) -> s.WithExtreme:
        lowest = str(items[1]).split()[-1] in ("fewest", "least", "lowest")
        return s.WithExtreme(start, end, items[0], items[2], lowest)

    item_extreme = extreme

    def quantified(self, start: int, end: int, items: list[Any]) -> s.Quantified:
        word: Any = str(items[0])
        return s.Quantified(start, end, word, _name(items[1]), items[2], items[3])

    def total(self, start: int, end: int, items: list[Any]) -> s.TotalOver:
        return s.TotalOver(start, end, items[0], items[1])

    def highest(self, start: int, end: int, items: list[Any]) -> s.HighestOver:
        return s.HighestOver(start, end, items[1], items[2], str(items[0]) == "lowest")

    def or_(self, start: int, end: int, items: list[Any]) -> s.Logic:
        return s.Logic(start, end, "or", items[0], items[1])

    def and_(self, start: int, end: int, items: list[Any]) -> s.Logic:
        return s.Logic(start, end, "and", items[0], items[1])

    def negation(self, start: int, end: int, items: list[Any]) -> s.Negation:
        return s.Negation(start, end, items[0])

    def compare(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        op: Any = str(items[1])
        return s.Comparison(start, end, op, items[0], items[2], False)

    def is_(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "is", items[0], items[1], False)

    def is_not(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "is", items[0], items[1], True)

    def is_empty(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "empty", items[0], None, False)

    def is_not_empty(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "empty", items[0], None, True)

    def in_(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "in", items[0], items[1], False)

    def not_in(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "in", items[0], items[1], True)

    def has(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "has", items[0], items[1], False)

    def has_no(self, start: int, end: int, items: list[Any]) -> s.Comparison:
        return s.Comparison(start, end, "has", items[0], items[1], True)

    def binary(self, start: int, end: int, items: list[Any]) -> s.Arithmetic:
        op: Any = str(items[1])
        return s.Arithmetic(start, end, op, items[0], items[2])

    def negative(self, start: int, end: int, items: list[Any]) -> s.Arithmetic:
        zero = s.Number(start, start, 0)
        return s.Arithmetic(start, end, "-", zero, items[1])

    def end_of(self, start: int, end: int, items: list[Any]) -> s.EndOf:
        word: Any = str(items[0])
        return s.EndOf(start, end, word, items[1], items[2])

    def of(self, start: int, end: int, items: list[Any]) -> s.Of:
        return s.Of(start, end, items[0], _name(items[2]))

    def your(self, start: int, end: int, items: list[Any]) -> s.Of:
        return s.Of(start, end, s.Name(start, start + 4, "you"), _name(items[0]))

    def every(self, start: int, end: int, items: list[Any]) -> s.Every:
        return s.Every(start, end, _name(items[0]))

    def at(self, start: int, end: int, items: list[Any]) -> s.At:
        return s.At(start, end, items[0], items[1])

    def call(self, start: int, end: int, items: list[Any]) -> s.CallOf:
        arguments = tuple(item for item in items[1:] if item is not None)
        return s.CallOf(start, end, _name(items[0]), arguments)

    def group(self, start: int, end: int, items: list[Any]) -> s.Expression:
        return items[0]  # type: ignore[no-any-return]  # by the grammar

    def name(self, start: int, end: int, items: list[Any]) -> s.Name:
        return _name(items[0])

    def number(self, start: int, end: int, items: list[Any]) -> s.Number:
        text = str(items[0])
        number = whole(text)
        if number is None:
            message = too_large(text)
            raise BadError(Mistake("RW413", start, end, message) if message else not_whole(text, start, end))
        return s.Number(start, end, number)

    def pattern(self, start: int, end: int, items: list[Any]) -> list[s.Part]:
        return items

    def word(self, start: int, end: int, items: list[Any]) -> s.Word:
        text = str(items[0])
        stem, _, suffix = text.partition("(")
        forms = (stem, stem + suffix.rstrip(")")) if suffix else (text,)
        if set(forms) & KEYWORDS:
            keyword = next(form for form in forms if form in KEYWORDS)
            raise BadError(Mistake("RW406", start, end, *not_in_a_sentence(keyword)))
        return s.Word(start, end, text, forms)

    def hole(self, start: int, end: int, items: list[Any]) -> s.Hole:
        name, *types = [str(item) for item in items if item is not None]
        type_ = " ".join(types).replace(" | ", "|")
        return s.Hole(start, end, name, type_ or "number")


def _name(token: Any) -> s.Name:
    start = token.start_pos
    return s.Name(start, start + len(token), str(token))


def _flat(items: list[Any]) -> list[s.Statement]:
    out: list[s.Statement] = []
    for item in items:
        if isinstance(item, list):
            out.extend(item)
        else:
            out.append(item)
    return out
