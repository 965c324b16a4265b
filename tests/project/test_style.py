"""Check the style of documentation, messages, schemas, and texts, and the first line of each module."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import yaml
from attrs import frozen

from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import read_documents

ROOT = Path(__file__).parents[2]
STYLE = ROOT / "tests" / "style"
PACKAGES = ("ruleset", "interpreter", "tools")
LONGEST = 100
"""Limit of characters of the first line of a module's docstring."""
VAGUE = re.compile(r"\b(whoever|somebody|nobody|tells|told)\b", re.IGNORECASE)
"""Words that replace a noun in the first line of a module."""


@frozen
class Phrase:
    """A banned phrase with the reason and the replacement. `pattern` also matches across line breaks."""

    phrase: str
    reason: str
    instead: str
    pattern: re.Pattern[str]


@frozen
class Passage:
    """A text for readers, with the line on which it starts."""

    line: int
    text: str


@cache
def phrases() -> tuple[Phrase, ...]:
    entries = yaml.safe_load((STYLE / "banned_phrases.yaml").read_text("utf-8"))
    return tuple(Phrase(**entry, pattern=_pattern(entry["phrase"])) for entry in entries)


def _pattern(phrase: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, phrase.split()))
    return re.compile(rf"(?<![\w-]){words}(?![\w-])", re.IGNORECASE)


@cache
def exceptions() -> dict[str, str]:
    """Paths, or folders that end in `/`, whose texts are still to be rewritten, with the reason."""
    return yaml.safe_load((STYLE / "not_yet.yaml").read_text("utf-8")) or {}


def _covers(place: str, path: str) -> bool:
    return path == place or (place.endswith("/") and path.startswith(place))


def _excused(path: str) -> bool:
    return any(_covers(place, path) for place in exceptions())


def stale(places: Iterable[str], found: dict[str, list[str]]) -> list[str]:
    """Exceptions whose files have no banned phrase, or that name no file at all."""
    unclean = [path for path, lines in found.items() if lines]
    return [place for place in places if not any(_covers(place, path) for path in unclean)]


# ------------------------------------------------------------------ what is read

def of_markdown(path: Path) -> Iterator[Passage]:
    """The whole page; of the changelog only the newest section."""
    text = path.read_text("utf-8")
    if path.name == "CHANGELOG.md":
        text = "\n## ".join(text.split("\n## ")[:2])
    yield Passage(1, text)


def of_module(path: Path) -> Iterator[Passage]:
    """String constants: docstrings and messages."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Passage(node.lineno, node.value)


def of_schema(path: Path) -> Iterator[Passage]:
    """Titles and descriptions."""
    text = path.read_text("utf-8")
    rest = [json.loads(text)]
    while rest:
        node = rest.pop()
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("title", "description") and isinstance(value, str):
                    at = text.find(json.dumps(value, ensure_ascii=False))
                    yield Passage(text.count("\n", 0, max(at, 0)) + 1, value)
            rest += node.values()
        elif isinstance(node, list):
            rest += node


def of_pack(path: Path) -> Iterator[Passage]:
    """English texts for players, and titles of scenarios."""
    rest: list[Node] = [document.root for document in read_documents(shown(path), path.read_text("utf-8"))[0]]
    while rest:
        node = rest.pop()
        if isinstance(node, SequenceNode):
            rest += node.items
        elif isinstance(node, MappingNode):
            for entry in node.entries:
                if entry.key.text in ("en", "scenario") and isinstance(entry.value, ScalarNode):
                    yield Passage(entry.value.span.line, entry.value.text)
                rest.append(entry.value)


@cache
def files() -> dict[str, list[Passage]]:
    """All texts, by path."""
    skipped = {".venv", ".git", "node_modules", "tests"}
    pages = [path for path in ROOT.rglob("*.md") if not skipped & set(path.relative_to(ROOT).parts)]
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    schemas = (ROOT / "schemas").glob("*.json")
    packs = [path for folder in ("content", "tools/starter") for path in (ROOT / folder).rglob("*.yaml")]
    found = {
        **{path: [*of_markdown(path)] for path in pages},
        **{path: [*of_module(path)] for path in modules},
        **{path: [*of_schema(path)] for path in schemas},
        **{path: [*of_pack(path)] for path in packs},
    }
    return {shown(path): passages for path, passages in found.items()}


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def problems(path: str, passages: list[Passage]) -> list[str]:
    """A line for each banned phrase: `path:line: "phrase" (reason); write: replacement`."""
    found: list[tuple[int, str]] = []
    for passage in passages:
        lowered = passage.text.lower()
        for one in phrases():
            if one.phrase.split()[0].lower() not in lowered:
                continue  # to search for the pattern takes much longer
            for match in one.pattern.finditer(passage.text):
                line = passage.line + passage.text.count("\n", 0, match.start())
                found.append((line, f'{path}:{line}: "{one.phrase}" ({one.reason}); write: {one.instead}'))
    return [said for _, said in sorted(found)]


@cache
def problems_of_files() -> dict[str, list[str]]:
    return {path: problems(path, passages) for path, passages in sorted(files().items())}


# ------------------------------------------------------------------ phrases

def test_no_banned_phrases() -> None:
    found = [line for path, lines in problems_of_files().items() if not _excused(path) for line in lines]
    assert not found, "\n".join(["phrases of tests/style/banned_phrases.yaml:", *found])


def test_each_phrase_has_a_reason_and_a_replacement() -> None:
    for one in phrases():
        assert one.reason and one.instead, one.phrase
        assert one.pattern.search(one.phrase)
        assert not one.pattern.search(one.instead), f"{one.phrase}: the replacement has the phrase itself"


def test_phrases_are_found_across_lines_and_with_their_line() -> None:
    page = [Passage(1, "First line.\nAll cards but\nfor one, Whatever they are.\n")]
    assert [line.partition(" (")[0] for line in problems("page.md", page)] == [
        'page.md:2: "but for"',
        'page.md:3: "whatever"',
    ]


def test_parts_of_words_are_not_phrases() -> None:
    assert problems("page.md", [Passage(1, "This is toldable; one maybe; renewed.")]) == []


def test_each_exception_is_still_needed() -> None:
    found = stale(exceptions(), problems_of_files())
    assert not found, "\n".join(["remove these lines from tests/style/not_yet.yaml:", *found])


def test_exceptions_for_clean_or_missing_files_are_stale() -> None:
    lines = {"content/a.yaml": ['content/a.yaml:1: "but for"'], "tools/b.py": []}
    assert stale(["content/", "content/a.yaml", "tools/", "tools/b.py", "content", "content/c.yaml"], lines) == [
        "tools/",
        "tools/b.py",
        "content",
        "content/c.yaml",
    ]


# ------------------------------------------------------------------ modules

def first_lines() -> dict[Path, str]:
    """The first line of each module that is not empty: those of the packages, and the tests."""
    paths = [path for folder in (*PACKAGES, "tests") for path in (ROOT / folder).rglob("*.py")]
    texts = {path: path.read_text("utf-8").lstrip() for path in sorted(paths)}
    return {path: first_line(text) for path, text in texts.items() if text}


def first_line(text: str) -> str:
    """The first line of the docstring at the head of a module."""
    said = re.match(r'r?"""(.*?)(?:"""|$)', text, re.MULTILINE)
    return said[1] if said else ""


def wrong(line: str) -> str:
    """Return what is wrong with the first line of a module; empty if nothing is."""
    if not re.fullmatch(r"\S.*\.", line):
        return "expected one sentence on one line"
    if len(line) > LONGEST:
        return f"expected at most {LONGEST} characters, found {len(line)}"
    found = [match[0] for one in (VAGUE, *(one.pattern for one in phrases())) if (match := one.search(line))]
    return f"write something plainer for `{found[0]}`" if found else ""


def test_each_module_says_in_one_line_what_it_does() -> None:
    found = [f"{shown(path)}: {why}: {line}" for path, line in first_lines().items() if (why := wrong(line))]
    assert not found, "\n".join(["first lines of modules:", *found])


def test_first_lines_that_are_not_plain() -> None:
    assert first_line('"""One.\n\nMore."""\n') == first_line('"""One."""\n') == "One."
    assert first_line("import ast\n") == ""
    assert wrong("Statistics of many games.") == ""
    assert wrong("") == wrong("Two lines of") == "expected one sentence on one line"
    assert wrong("A" * LONGEST + ".") == f"expected at most {LONGEST} characters, found {LONGEST + 1}"
    assert wrong("Somebody is asked.") == "write something plainer for `Somebody`"
    assert wrong("All cards but for one.") == "write something plainer for `but for`"
