"""Tables of messages have the same keys and the same arguments in English and in Spanish."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rulewright.ruleset.table.message import argument_names, parse

ROOT = Path(__file__).parents[2]
SESSION = ("tools/playing", "tools/commands/play.py", "tools/commands/replay.py", "tools/common/untrusted.py")
"""What a player meets between the first table and the last line."""
ARGUMENTS_IN_ENGLISH = {
    "--watch with --resume", "missing PACK", "--players, --option, and --series",
    "--watch requires", "several scenarios match", "no scenario matches", "cannot be used with --resume",
    "error.span", "--overwrite requires",
}  # fmt: skip
"""Mistakes on the command line and in scenarios are in English, as the help of the command and all findings are."""


def modules() -> list[Path]:
    return sorted(path for package in ("interpreter", "tools") for path in (ROOT / package).rglob("*.py"))


def tables(path: Path) -> Iterator[tuple[int, dict[str, dict[str, str]]]]:
    """Yield the dictionaries with the keys `en` and `es` that hold messages, with their lines."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Dict):
            continue
        keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
        if sorted(map(str, keys)) == ["en", "es"] and all(isinstance(value, ast.Dict) for value in node.values):
            yield node.lineno, {str(key): messages(value) for key, value in zip(keys, node.values, strict=True)}


def messages(node: ast.expr) -> dict[str, str]:
    assert isinstance(node, ast.Dict)
    return {
        str(ast.literal_eval(key)): str(ast.literal_eval(value))
        for key, value in zip(node.keys, node.values, strict=True)
        if key is not None
    }


@cache
def found() -> list[tuple[Path, int, dict[str, dict[str, str]]]]:
    return [(path, line, table) for path in modules() for line, table in tables(path)]


def test_there_are_tables() -> None:
    assert len(found()) >= 15


def test_both_languages_have_the_same_messages() -> None:
    for path, line, table in found():
        assert table["en"].keys() == table["es"].keys(), f"{path}:{line}"


def test_both_languages_fill_in_the_same() -> None:
    for path, _, table in found():
        if "diffs" in path.parts:  # its Spanish asks for the numbers of more things
            continue
        for key, text in table["en"].items():
            if not re.search(r"\{[a-z]", text) or text == "{message}":
                continue
            allowed = arguments(text) | {"count"}  # a noun or a verb may need the number in one language alone
            assert arguments(table["es"][key]) <= allowed, f"{path}: {key}"


def arguments(text: str) -> frozenset[str]:
    return argument_names(parse(text))


def raised(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts that failures are raised with directly, instead of through a table."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
            continue
        failure = node.func.id in ("Usage", "Failure", "InUse", "NotWritable")
        if failure and not isinstance(node.args[0], ast.Call):
            yield node.lineno, ast.unparse(node.args[0])


def test_failures_of_a_session_are_in_both_languages() -> None:
    places = [ROOT / place for place in SESSION]
    paths = [path for place in places for path in ([place] if place.is_file() else place.glob("*.py"))]
    english = [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {text}"
        for path in paths
        for line, text in raised(path)
        if not any(known in text for known in ARGUMENTS_IN_ENGLISH)
    ]
    assert not english, "write a message of tools/common/player_messages.py:\n" + "\n".join(english)
