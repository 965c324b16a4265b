"""The words of the application's pages, in every language of the interface (`texts/LANGUAGE.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path

import yaml

from rulewright.interpreter.views.names import words
from rulewright.tools.common.seats import GREEDY, RANDOM, SEARCH

LANGUAGES = ("en", "es")
NAMES = {"en": "English", "es": "Español"}
"""Languages in their own words; others are named by their code."""
FOLDER = Path(__file__).parent / "texts"


@cache
def words_of(language: str) -> dict[str, str]:
    """Return the words of a language by key; English for an unknown one."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    texts: dict[str, str] = yaml.safe_load((FOLDER / f"{known}.yaml").read_text("utf-8"))
    return texts


def bot_name(kind: str, texts: Mapping[str, str]) -> str:
    """Name the bot that plays a seat, by the kind of the seat (`tools.common.seats`)."""
    key = kind.partition(":")[0]
    named = {GREEDY: "greedy", RANDOM: "random", SEARCH: "searching"}
    return texts[named[key]] if key in named else words(key)


# ------------------------------------------------------------------ The name of what a page shows

def digest(text: str) -> str:
    """Return a short hash of a text: a page and the server tell by it whether they show the same."""
    return blake2b(text.encode(), digest_size=9).hexdigest()
