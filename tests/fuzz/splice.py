"""Splice packs: insert lines, blocks, values, and documents of one pack into another.

A number gives a pack: `spliced(7)` is the same on every machine.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache

from tests.fuzz.changes import shipped
from tests.fuzz.inputs import ROOT
from tests.fuzz.oracle import Files

_ENTRY = re.compile(r"^( *(?:- )?)([\w-]+):(?: +(.*))?$")
_NUMBERS = ("0", "1", "-1", "2", "9", "100", "20001", "2147483647", "3000000000")
_SMALL = ("tests/packs", "content/tutorial")
_LARGE = ("coup", "dominion", "rattus-cartus")


@cache
def _small() -> tuple[Files, ...]:
    folders = [*sorted((ROOT / _SMALL[0]).iterdir()), *(ROOT / name for name in _SMALL[1:])]
    lanterns = (("pack.yaml", (ROOT / "tests" / "docs" / "lanterns.yaml").read_bytes()),)
    found = [lanterns]
    for folder in folders:
        paths = sorted(folder.rglob("*.yaml"))
        found.append(tuple((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths))
    return tuple(files for files in found if files)


@cache
def _large() -> tuple[Files, ...]:
    games = []
    for folder in (ROOT / "content" / name for name in _LARGE):
        paths = sorted(folder.rglob("*.yaml"))
        games.append(tuple((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths))
    return (*games, *shipped())


@cache
def _packs() -> tuple[tuple[Files, ...], tuple[float, ...]]:
    """Return all packs with their weights: the share of a pack is inversely proportional to its size.

    The time that a pack takes grows with its size, so each has about the same share of the time.
    """
    packs = (*_small(), *_large())
    return packs, tuple(1 / sum(len(data) for _, data in files) for files in packs)


@cache
def _others() -> tuple[str, ...]:
    """The texts that parts are taken from."""
    return tuple(data.decode("utf-8") for files in (*_small(), *_large()) for _, data in files)


@cache
def _values() -> dict[str, tuple[str, ...]]:
    """What packs say behind a key on its line."""
    found: dict[str, dict[str, None]] = {}
    for text in _others():
        for line in text.split("\n"):
            entry = _ENTRY.match(line)
            if entry and entry[3]:
                found.setdefault(entry[2], {})[entry[3]] = None
    return {key: tuple(values) for key, values in found.items()}


def spliced(seed: int) -> Files:
    """The pack of a number."""
    chance = random.Random(seed)
    packs, weights = _packs()
    (pack,) = chance.choices(packs, weights)
    files = {name: data.decode("utf-8") for name, data in pack}
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
        name = chance.choice(list(files))
        change = chance.choice(_CHANGES)
        documents = re.split(r"(?m)^---\n", files[name])
        files[name] = "---\n".join(change(chance, documents))
    return tuple((name, text.encode("utf-8")) for name, text in files.items())


# ------------------------------------------------------------------ changes of documents

Change = Callable[[random.Random, list[str]], list[str]]


def _twice(chance: random.Random, documents: list[str]) -> list[str]:
    """A document stands twice, perhaps under another name."""
    text = chance.choice(documents)
    if chance.randrange(2):
        text = re.sub(r"\A([\w-]+: *[\w-]+)", r"\1-too", text)
    return [*documents[:-1], _ended(documents[-1]), text]


def _swapped(chance: random.Random, documents: list[str]) -> list[str]:
    one, other = (chance.randrange(len(documents)) for _ in range(2))
    found = [_ended(text) for text in documents]
    found[one], found[other] = found[other], found[one]
    return found


def _without(chance: random.Random, documents: list[str]) -> list[str]:
    place = chance.randrange(len(documents))
    return [*documents[:place], *documents[place + 1 :]] or documents


def _foreign(chance: random.Random, documents: list[str]) -> list[str]:
    """A document of another pack."""
    text = chance.choice(re.split(r"(?m)^---\n", chance.choice(_others())))
    return [*documents[:-1], _ended(documents[-1]), text]


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


# ------------------------------------------------------------------ changes of lines

def _in_lines(change: Callable[[random.Random, list[str]], None]) -> Change:
    """A change of the lines of one document."""

    def changed(chance: random.Random, documents: list[str]) -> list[str]:
        place = chance.randrange(len(documents))
        lines = documents[place].split("\n")
        change(chance, lines)
        return [*documents[:place], "\n".join(lines), *documents[place + 1 :]]

    return changed


def _lines_of_another(chance: random.Random, lines: list[str]) -> None:
    """Some lines of any pack, indented as it is where they come to stand."""
    source = chance.choice(_others()).split("\n")
    start = chance.randrange(len(source))
    taken = source[start : start + chance.randint(1, 5)]
    place = chance.randrange(len(lines))
    by = _indent(lines[place]) - _indent(taken[0])
    lines[place : place + chance.randrange(2)] = [_indented(line, by) for line in taken]


def _value_of_another(chance: random.Random, lines: list[str]) -> None:
    """What another pack says behind the same key."""
    entries = [(n, entry) for n, line in enumerate(lines) if (entry := _ENTRY.match(line)) and entry[3]]
    if entries:
        number, entry = chance.choice(entries)
        lines[number] = f"{entry[1]}{entry[2]}: {chance.choice(_values().get(entry[2], ('0',)))}"


def _block_moved(chance: random.Random, lines: list[str]) -> None:
    """A line with what is indented below it goes elsewhere, or stands twice."""
    start, end = _block(chance, lines)
    block = lines[start:end]
    if chance.randrange(2):
        del lines[start:end]
    place = chance.randrange(len(lines) + 1)
    by = _indent(lines[place]) - _indent(block[0]) if place < len(lines) else 0
    lines[place:place] = [_indented(line, by) for line in block]


def _block_indented(chance: random.Random, lines: list[str]) -> None:
    start, end = _block(chance, lines)
    by = chance.choice((-4, -2, 2, 4))
    lines[start:end] = [_indented(line, by) for line in lines[start:end]]


def _block_nested(chance: random.Random, lines: list[str]) -> None:
    """A block inside itself, over and over: deep, and often still a pack."""
    start, end = _block(chance, lines)
    block = lines[start:end]
    for level in range(1, chance.choice((2, 4, 12))):
        lines[end:end] = [_indented(line, 2 * level) for line in block]
        end += len(block)


def _word_of_this(chance: random.Random, lines: list[str]) -> None:
    """A word is replaced by another word of the same document."""
    words = [(n, found) for n, line in enumerate(lines) for found in re.finditer(r"[\w-]+", line)]
    if words:
        number, found = chance.choice(words)
        lines[number] = lines[number][: found.start()] + chance.choice(words)[1][0] + lines[number][found.end() :]


def _number(chance: random.Random, lines: list[str]) -> None:
    numbers = [(n, found) for n, line in enumerate(lines) for found in re.finditer(r"\b\d+\b", line)]
    if numbers:
        number, found = chance.choice(numbers)
        lines[number] = lines[number][: found.start()] + chance.choice(_NUMBERS) + lines[number][found.end() :]


def _block(chance: random.Random, lines: list[str]) -> tuple[int, int]:
    start = chance.randrange(len(lines))
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > _indent(lines[start])):
        end += 1
    return start, end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _indented(line: str, by: int) -> str:
    return " " * max(0, _indent(line) + by) + line.lstrip(" ") if line.strip() else line


_CHANGES: tuple[Change, ...] = (
    *(_twice, _swapped, _without, _foreign, _foreign),
    *(_in_lines(_lines_of_another), _in_lines(_value_of_another), _in_lines(_value_of_another)),
    *(_in_lines(_block_moved), _in_lines(_block_indented), _in_lines(_block_nested)),
    *(_in_lines(_word_of_this), _in_lines(_word_of_this), _in_lines(_number)),
)
