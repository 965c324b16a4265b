"""The words of the application's pages, in every language of the interface (`texts/LANGUAGE.yaml`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

LANGUAGES = ("en", "es")
FOLDER = Path(__file__).parent / "texts"


@cache
def words_of(language: str) -> dict[str, str]:
    """Return the words of a language by key; English for an unknown one."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    words: dict[str, str] = yaml.safe_load((FOLDER / f"{known}.yaml").read_text("utf-8"))
    return words
