"""The words of the pages: every language has the same ones, and each is used."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from rulewright.tools.browser import words
from rulewright.tools.browser.words import LANGUAGES, words_of
from rulewright.tools.commands import serve
from rulewright.tools.common import seats
from rulewright.tools.pages.environment import FOLDER
from rulewright.tools.playing import kept_rules

BROWSER = Path(words.__file__).parent
MADE = ("balance-stage-", "balance-what-", "bots-", "choose-", "step-")
"""Beginnings of keys that are put together from parts."""


@cache
def sources() -> str:
    """All that can name a key: the code of the server, templates, and scripts."""
    files = [*BROWSER.rglob("*.py"), Path(serve.__file__), Path(seats.__file__)]
    files += [*(FOLDER / "templates").glob("*.html"), *(FOLDER / "static").glob("*.js")]
    return "\n".join(path.read_text("utf-8") for path in sorted(files))


def blanks(text: str) -> set[str]:
    """The values that a text leaves room for."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_have_the_same_words_with_the_same_blanks(language: str) -> None:
    english, other = words_of("en"), words_of(language)
    assert set(other) == set(english)
    assert [key for key in english if blanks(other[key]) != blanks(english[key])] == []


@pytest.mark.parametrize("key", sorted(words_of("en")))
def test_every_word_is_used(key: str) -> None:
    stem = key.removesuffix("-text")
    quoted = any(f"{mark}{one}{mark}" in sources() for mark in "\"'" for one in (key, stem))
    assert quoted or key.startswith(MADE) or re.search(rf"\bw\.{re.escape(key)}\b", sources())


def test_every_word_that_is_named_is_there() -> None:
    named = {*re.findall(r'\bw(?:ords)?\["([a-z-]+)"\]', sources()), *re.findall(r"\bw\.([a-z]+)\b", sources())}
    assert named <= {*words_of("en"), *kept_rules.WORDS["en"]}
