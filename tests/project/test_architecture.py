"""Rules for the code: the direction of imports, no word of any game, sizes of modules."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest

from rulewright.ruleset.schema.check_documents import KERNEL
from rulewright.ruleset.schema.registry import read_schema
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import Document, read_documents

ROOT = Path(__file__).parents[2]
PACKAGES = ("ruleset", "interpreter", "tools")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# ------------------------------------------------------------------ the direction of imports

MAY_IMPORT = {
    "ruleset": {"ruleset", "schemas"},
    "interpreter": {"interpreter", "ruleset"},
    "tools": {"tools", "interpreter", "ruleset"},
}
INTERPRETER_MAY_IMPORT = {
    "ruleset.table.nodes": "the program that it runs",
    "ruleset.table.canonical": "the generators ask what is in its code, and a state names its program by its hash",
    "ruleset.table.origin": "a saved game has the files of its packs, which another package compiles",
    "ruleset.table.message": "narration fills in texts with plurals",
    "ruleset.common.limits": "bounds that packs and games share",
    "ruleset.common.nearest": "a refusal names the option that was perhaps meant",
    "ruleset.common.regular_files": "a saved game is read from a regular file, and only so much of it",
    "ruleset.common.terminal_text": "names in a saved game may hold what acts on a terminal",
    "ruleset.table.reasons": "what a decision leaves out: nodes that are evaluated on a suspended game",
    "ruleset.common.diagnostic": "where the condition that leaves it out is written",
}
"""All that running games needs of `ruleset`; no text of a pack is read to play."""


@cache
def parsed(path: Path) -> tuple[tuple[str, ...], dict[str, int]]:
    """The modules that a module imports, wherever in it, and its functions that are too long.

    `from package import module` counts as the module; those of the package `rulewright` are named without it.
    """
    tree = ast.parse(path.read_text("utf-8"))
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += (unprefixed(name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{shown(path)}: imports are written with the package's name"
            found += (_module(unprefixed(node.module or ""), name.name) for name in node.names)
    return tuple(found), long_functions(shown(path), tree)


def unprefixed(module: str) -> str:
    assert module.split(".")[0] not in OWN - {"tests"}, f"{module} is imported without the package's name"
    return module.removeprefix("rulewright").removeprefix(".")


def imported(path: Path) -> tuple[str, ...]:
    return parsed(path)[0]


@cache
def _module(package: str, name: str) -> str:
    if not package:  # `from rulewright import schemas`
        return name
    folder = ROOT.joinpath(*package.split("."))
    return f"{package}.{name}" if (folder / f"{name}.py").exists() else package


OWN = {"ruleset", "interpreter", "tools", "tests", "schemas", "content"}


def may_import(path: Path, name: str) -> bool:
    package, other = path.relative_to(ROOT).parts[0], name.split(".")[0]
    if package == "interpreter" and other == "ruleset":
        return name in INTERPRETER_MAY_IMPORT
    return other not in OWN or other in MAY_IMPORT[package]


def test_imports_go_one_way() -> None:
    imports = [(path, name) for path in MODULES for name in imported(path)]
    assert len([name for _, name in imports if name.split(".")[0] in OWN]) > len(MODULES)
    assert [f"{shown(path)} imports {name}" for path, name in imports if not may_import(path, name)] == []


def test_the_list_of_imports_is_no_longer_than_needed() -> None:
    used = {name for path in MODULES if shown(path).startswith("interpreter/") for name in imported(path)}
    assert set(INTERPRETER_MAY_IMPORT) <= used


# ------------------------------------------------------------------ circles, and the order of folders

def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def graph() -> dict[str, frozenset[str]]:
    """Each module with those of ours that it imports, in functions and for types alone, too."""
    names = {name_of(path) for path in MODULES}
    return {name_of(path): frozenset(imported(path)) & names for path in MODULES}


def circles(edges: AbstractMapping[str, Iterable[str]]) -> list[set[str]]:
    """The sets of names that can all reach one another: for each name those that it reaches and that reach it."""
    reached = {name: _reached(edges, name) for name in edges}
    found = []
    for name in sorted(edges):
        circle = {other for other in reached[name] if name in reached[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def _reached(edges: AbstractMapping[str, Iterable[str]], name: str) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for other in edges.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def test_modules_import_each_other_in_no_circle() -> None:
    assert circles(graph()) == []


def test_a_circle_is_found() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["d"]}) == [{"b", "c"}, {"d"}]


LISTED = re.compile(r"^  ([a-z_]+)(?:\.py)?  +\S", re.MULTILINE)
FOLDERS = (*PACKAGES, "ruleset/check", "ruleset/check/statements")
"""The folders whose order the architecture page gives."""


def listed() -> dict[str, list[str]]:
    """The folders and modules of each of `FOLDERS`, in the order of the architecture page."""
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    found = {}
    for folder in FOLDERS:
        block = re.search(rf"^{folder}/\n((?:  .*\n)+)", page, re.MULTILINE)
        assert block is not None, f"docs/explanation/architecture.md does not list {folder}/"
        found[folder] = LISTED.findall(block[1])
    return found


def inside(folder: str, module: str) -> str | None:
    """The folder or module directly in a folder that a module belongs to."""
    above, name = folder.split("/"), module.split(".")
    return name[len(above)] if name[: len(above)] == above and len(name) > len(above) else None


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_page_lists_the_folders(folder: str) -> None:
    here = {inside(folder, name) for name in graph()} - {None, "starter"}
    assert sorted(listed()[folder]) == sorted(map(str, here))


NAMED = re.compile(r"`([a-z_]+(?:/[a-z_0-9]+)+(?:\.(?:py|c|md|json|yaml))?)/?`")


@cache
def places() -> set[str]:
    """The ends of the paths of all files and folders, with and without the `.py` of modules."""
    paths = [path.relative_to(ROOT) for path in ROOT.rglob("*") if not {".venv", ".git"} & set(path.parts)]
    names = {name for path in paths for name in (path.as_posix(), path.with_suffix("").as_posix())}
    return {"/".join(name.split("/")[number:]) for name in names for number in range(name.count("/") + 1)}


@pytest.mark.parametrize("page", ["docs/explanation/architecture.md", "CONTRIBUTING.md"])
def test_pages_name_modules_that_are_there(page: str) -> None:
    there = places()
    named = set(NAMED.findall((ROOT / page).read_text("utf-8")))
    assert len(named) > 20
    assert sorted(named - there) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_import_only_from_those_above_them(folder: str) -> None:
    order: dict[str | None, int] = {name: number for number, name in enumerate(listed()[folder])}
    for name, imports in graph().items():
        for other in imports:
            here, there = inside(folder, name), inside(folder, other)
            if here in order and there in order:
                assert order[there] <= order[here], f"{name} imports {other}, which is listed below it"


# ------------------------------------------------------------------ promise 1: no game in the code

OTHER_GAMES = """
    ambassador assassin brewery captain cellar contessa copper coup curse dominion duchy duke estate flute
    inquisitor kingdom militia moat monastery nun palace peasant peasantry plague premium province rat rattus
    safe-conduct sword throne treasury watchtower
"""
"""Words of games that are no pack here, or not yet."""

ALSO_ENGLISH = {
    "small words of English, which docstrings and messages need": """
        all an and at both each for from in instead is late later mine more most no
        nobody nothing of one onto other out own plus said the thing to two up what where who with
    """,
    "words of the kernel: of its language, its documents, its narration, and the nodes behind them": """
        action arrival begin block card challenge chosen claim count draw drawn each effect empty end
        enter entry fewest first gain game keep kept last listed look lose lost named order pass phase
        pile play player plural point prize random react reaction reveal round row shown shuffle split
        series starting supply take taken tied victory win winner won
    """,
    "what examples in messages call zones and verbs, since nearly every card game has them": """
        afterwards against aside attack bury buy coin cost deck discard hand pay role show swap
        victim worth
    """,
    "words of programming and statistics: classes, magic bytes, boxes of a terminal, standard errors, lexers": """
        acquire alike box class clear fill final holder limit magic mix need needed new played reserve safe
        set size special standard stock teller token type unused used value vary act attempt big
        character clean done forced library square target
    """,
    "plain English that a game with a stock of cards has as well: what fits, follows, is left, is free": """
        ahead can deal fit room follow free left long on open playing rank renew short starter suit
        turn wild
    """,
    "words of servers: ports of a computer, foreign keys, commits, exchanges, and what readers have agreed on": """
        agreed committed exchange foreign guarded port
    """,
    "names of the symbols on cards, which look like that": """
        diamond heart spade
    """,
    "names of commands": """
        tournament
    """,
}
"""Words that a pack uses and the code may use too, by the reason."""


def singular(word: str) -> str:
    """A word without the ending of its plural, good enough to compare words with."""
    word = word.lower()
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 2 else word


@cache
def words_of(text: str) -> tuple[str, ...]:
    """The words of a name or a text, singular: `starting-player`, `nextSeat` and `two_words` have two each."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    text = re.sub(r"\([a-z]+\)", "", text)  # the ending of a verb's word, as in `pass(es)`
    return tuple(singular(word) for word in re.findall(r"[^\W\d_]{2,}", text))


ALLOWED = {singular(word) for words in ALSO_ENGLISH.values() for word in words.split()}


HOLE = re.compile(r"<([^ >]+) [^>]*>")
"""A hole of a sentence: its name, which is the pack's, and its type, made of words that are declared elsewhere."""


@cache
def words_of_packs() -> dict[str, str]:
    """Every word that a pack of `content` gives as a name, and where it does so."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "content").rglob("*.yaml")):
        documents, _ = read_documents(shown(path), path.read_text("utf-8"))
        for document in documents:
            for scalar in names_of(document) if document.kind not in ("scenario", "layout", "expect") else ():
                for word in words_of(HOLE.sub(r"<\1>", scalar.text)):
                    found.setdefault(word, str(scalar.span))
    for word in OTHER_GAMES.replace("-", " ").split():
        found.setdefault(singular(word), "the list of other games' words")
    return found


def names_of(document: Document) -> Iterator[ScalarNode]:
    """What a document declares: its kind if the pack made it, its name, the names in it, display names."""
    first = document.root.entries[0]
    if document.kind == "change":  # what it changes is another pack's; only what it puts in is its own
        for word in ("add", "before", "after", "around"):
            node = document.root.get(word)
            if node is not None:
                yield from _declared(node, _words_of_schemas())
        return
    if document.kind not in KERNEL:
        yield first.key
    if isinstance(first.value, ScalarNode):
        yield first.value
    yield from _declared(document.root, _words_of_schemas())


def _declared(node: Node, known: frozenset[str]) -> Iterator[ScalarNode]:
    """Keys that no schema knows, members of lists of names, ids, sentences of verbs and display names."""
    if isinstance(node, SequenceNode):
        for item in node.items:
            yield from _declared(item, known)
    if not isinstance(node, MappingNode):
        return
    for entry in node.entries:
        if entry.key.text in ("prompts", "messages"):  # ids of choices, and of lines
            continue
        if entry.key.text not in known:
            yield entry.key
        if entry.key.text in ("id", "verb") and isinstance(entry.value, ScalarNode):
            yield entry.value
        if entry.key.text == "name":
            yield from _display(entry.value)
        elif entry.key.text not in ("text", "source"):
            yield from _declared(entry.value, known)
        if entry.key.text == "enumerations" and isinstance(entry.value, MappingNode):
            for members in entry.value.entries:
                yield from _scalars(members.value)
        elif entry.key.text == "one-of":
            yield from _scalars(entry.value)


def _scalars(node: Node) -> Iterator[ScalarNode]:
    """The texts of a list."""
    yield from (
        item for item in (node.items if isinstance(node, SequenceNode) else ()) if isinstance(item, ScalarNode)
    )


def _display(node: Node) -> Iterator[ScalarNode]:
    """A display name in English; the code is written in English."""
    if isinstance(node, MappingNode):
        english = node.get("en")
        if isinstance(english, ScalarNode):
            yield english
    elif isinstance(node, ScalarNode):
        yield node


@cache
def _words_of_schemas() -> frozenset[str]:
    """All keys that the kernel's documents know, in whatever place."""
    found = {"en", "es", "default", "by"}

    def collect(node: object) -> None:
        if isinstance(node, dict):
            properties = node.get("properties")
            found.update(properties if isinstance(properties, dict) else ())
            for value in node.values():
                collect(value)
        elif isinstance(node, list):
            for value in node:
                collect(value)

    for path in (ROOT / "schemas").glob("*.schema.json"):
        collect(read_schema(path.name.removesuffix(".schema.json")))
    return frozenset(found)


def texts_of_code(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each name, string and comment of a Python file; of other files each line."""
    if path.suffix != ".py":
        yield from enumerate(path.read_text("utf-8").splitlines(), 1)
        return
    for token in tokenize.tokenize(BytesIO(path.read_bytes()).readline):
        if token.type in (tokenize.NAME, tokenize.STRING, tokenize.COMMENT):
            for offset, line in enumerate(token.string.split("\n")):
                yield token.start[0] + offset, line


SOURCES = [*MODULES, ROOT / "ruleset" / "language" / "effect.lark", *sorted((ROOT / "schemas").glob("*.json"))]


def test_no_word_of_a_game_is_in_the_code() -> None:
    packs = words_of_packs()
    found = {
        f"{shown(path)}:{line}: `{word}`, which {packs[word]} declares"
        for path in SOURCES
        for line, text in texts_of_code(path)
        for word in words_of(text)
        if word in packs and word not in ALLOWED
    }
    assert not found, "\n".join(sorted(found))


def test_no_word_is_listed_that_no_pack_uses() -> None:
    unused = ALLOWED - set(words_of_packs())
    assert not unused, f"no pack declares {', '.join(sorted(unused))}"


def test_words_are_compared_without_their_plurals() -> None:
    assert [singular(word) for word in ("Boxes", "cities", "glass", "nuns", "has", "is")] == [
        "box", "city", "glass", "nun", "ha", "is",
    ]  # fmt: skip
    assert list(words_of("two_words oneWord first-player")) == ["two", "word", "one", "word", "first", "player"]


# ------------------------------------------------------------------ the size of modules and functions

MOST_LINES = 900
LONGER = {
    "ruleset/table/nodes.py": "the nodes of the table program, a few lines each; every backend is read beside it",
    "ruleset/program/nodes.py": "the nodes of the program, a few lines each",
}
"""Modules that may be longer, each with the reason."""


def test_modules_are_of_a_size_that_one_can_read() -> None:
    lines = {shown(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    long = {name: count for name, count in lines.items() if count > MOST_LINES}
    assert set(long) - set(LONGER) == set(), f"split them by concept: {long}"
    assert set(LONGER) - set(long) == set(), "they are no longer too long: take them off the list"


MOST_LINES_OF_FUNCTIONS = 60
LONGER_FUNCTIONS: dict[str, str] = {}
"""Functions that may be longer, each with the reason."""


def long_functions(name: str, tree: ast.AST) -> dict[str, int]:
    """The functions of a module that are too long, those inside of others counted with these, and their lines."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    sizes = ((f"{name}: {node.name}", (node.end_lineno or node.lineno) - node.lineno + 1) for node in functions)
    return {where: lines for where, lines in sizes if lines > MOST_LINES_OF_FUNCTIONS}


def test_functions_are_of_a_size_that_one_can_read() -> None:
    found = {where for path in MODULES for where in parsed(path)[1]}
    assert found - set(LONGER_FUNCTIONS) == set(), "divide them into steps that have names"
    assert set(LONGER_FUNCTIONS) - found == set(), "they are no longer too long: take them off the list"


def test_a_long_function_is_found() -> None:
    lines = ["    pass"] * (MOST_LINES_OF_FUNCTIONS - 1)
    short = "\n".join(["def short():", *lines])
    long = "\n".join(["async def long():", *lines, "    pass"])
    found = long_functions("a.py", ast.parse(f"{short}\n\n\n{long}\n"))
    assert found == {"a.py: long": MOST_LINES_OF_FUNCTIONS + 1}


# ------------------------------------------------------------------ findings depend on the packs alone

def test_no_pass_reads_a_clock() -> None:
    """Budgets of the checker count work: a busy machine finds what a quiet one finds."""
    clocks = re.compile(r"(?m)^\s*(?:import|from) (?:time|signal|datetime)\b")
    passes = [path for path in MODULES if shown(path).startswith("ruleset/")]
    assert len(passes) > 100
    assert [shown(path) for path in passes if clocks.search(path.read_text("utf-8"))] == []
