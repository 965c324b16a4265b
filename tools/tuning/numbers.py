"""The numbers in a bot's document: what a designer wrote, and where its digits are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
from attrs import frozen

from rulewright.ruleset.documents.play import BotDocument
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.reader import read_documents
from rulewright.tools.common.text_edit import Edit, Text, applied


@frozen
class Number:
    """A number in a `when` or a `score` of a bot.

    Its digits are the characters `start` to `end` of the file's text. `expression` is the string that it is in,
    which begins at `scalar` in the file, and `place` is where it begins in that.
    """

    path: str
    line: int
    start: int
    end: int
    value: int
    expression: str
    scalar: int
    place: int

    @property
    def alone(self) -> bool:
        """Whether the expression is nothing but this number."""
        return self.expression.strip() == str(self.value)


def numbers_of(files: PackFiles, bot: str) -> tuple[Number, ...]:
    """Return the numbers of a bot of a pack, in the order of the file. Each is there once, also behind aliases."""
    found: dict[tuple[str, int], Number] = {}
    for path, text, document in _bots(files):
        if document.key == bot:
            for scalar in _expressions(document):
                found.update(((path, one.start), one) for one in _in(scalar, text, path))
    return tuple(found[key] for key in sorted(found))


def declares(files: PackFiles, bot: str) -> str | None:
    """Return the file of a pack that declares a bot, as its path is shown."""
    return next((path for path, _, document in _bots(files) if document.key == bot), None)


def edited(raw: str, numbers: Sequence[Number], values: Sequence[int]) -> str:
    """Return the text of a file with other values of its numbers; all else stays as it is."""
    return applied(raw, [Edit(n.start, n.end, str(value)) for n, value in zip(numbers, values, strict=True)])


def expressions(numbers: Sequence[Number], values: Sequence[int]) -> list[tuple[Number, str, str]]:
    """Return each expression with its first number, as it is and with other values, on one line."""
    found: dict[tuple[str, int], list[tuple[Number, int]]] = {}
    for number, value in zip(numbers, values, strict=True):
        found.setdefault((number.path, number.scalar), []).append((number, value))
    shown: list[tuple[Number, str, str]] = []
    for own in found.values():
        first = own[0][0]
        places = [Edit(n.place, n.place + len(str(n.value)), str(value)) for n, value in own]
        shown.append((first, _one_line(first.expression), _one_line(applied(first.expression, places))))
    return shown


def _one_line(text: str) -> str:
    return " ".join(text.split())


def with_values(files: PackFiles, numbers: Sequence[Number], values: Sequence[int]) -> PackFiles:
    """Return the files of a pack with other values of numbers."""
    changed = {number.path for number in numbers}

    def data_of(path: str, data: bytes) -> bytes:
        if path not in changed:
            return data
        own = [(n, value) for n, value in zip(numbers, values, strict=True) if n.path == path]
        return edited(data.decode("utf-8"), [n for n, _ in own], [value for _, value in own]).encode("utf-8")

    return attrs.evolve(files, files=tuple((path, data_of(path, data)) for path, data in files.files))


def _bots(files: PackFiles) -> Iterator[tuple[str, Text, BotDocument]]:
    """Iterate over the bots of a pack, each with its file and the text of that."""
    for path, data in files.files:
        raw = data.decode("utf-8", "replace")
        for document in read_documents(path, raw)[0] if "bot" in raw else ():
            name = document.root.entries[0].value
            if document.kind == "bot" and isinstance(name, ScalarNode):
                yield path, Text(raw), BotDocument.read(name, document.root)


def _expressions(bot: BotDocument) -> Iterator[ScalarNode]:
    """Iterate over the conditions and scores of a bot's answers."""
    for answer in bot.answers:
        scores = answer.score.entries if isinstance(answer.score, MappingNode) else ()
        found = [answer.when, answer.score, *(entry.value for entry in scores)]
        yield from (one for one in found if isinstance(one, ScalarNode))


def _in(scalar: ScalarNode, text: Text, path: str) -> Iterator[Number]:
    """Iterate over the numbers of an expression whose digits are in the file as they are."""
    tree = parse_expression(scalar.text)
    for node in () if isinstance(tree, Mistake) else _numbers(tree):
        span = scalar.span_of(node.start, node.end)
        start, end = text.begin(span), text.end(span)
        if text.raw[start:end] == scalar.text[node.start : node.end] == str(node.value):
            first = text.begin(scalar.span)
            yield Number(path, span.line, start, end, node.value, scalar.text, first, node.start)


def _numbers(tree: Any) -> Iterator[s.Number]:
    if isinstance(tree, tuple):
        for item in tree:
            yield from _numbers(item)
    elif isinstance(tree, s.Number):
        yield tree
    elif isinstance(tree, s.Node):
        for one in attrs.fields(type(tree)):
            yield from _numbers(getattr(tree, one.name))
