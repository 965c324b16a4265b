"""`rulewright play --resume` without a name: list the saved games in the user's folder."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import say
from rulewright.tools.common.plain_table import write_long
from rulewright.tools.playing.games_folder import OFF, games_folder, saved_games, short
from rulewright.tools.playing.save_file import bytes_of, whole_lines

_WORDS = {
    "en": {
        "none": "No saved games in {folder}.",
        "off": "Games are not saved automatically, because {variable} is set.",
        "games": "Saved games in {folder}, newest first:",
        "answers": ("{n} answer", "{n} answers"),
        "open": "unfinished",
        "over": "finished",
        "unread": "cannot be read",
        "game": "game {n}",
    },
    "es": {
        "none": "No hay partidas guardadas en {folder}.",
        "off": "Las partidas no se guardan automáticamente, porque {variable} está definida.",
        "games": "Partidas guardadas en {folder}, la más reciente primero:",
        "answers": ("{n} respuesta", "{n} respuestas"),
        "open": "sin terminar",
        "over": "terminada",
        "unread": "no se puede leer",
        "game": "partida {n}",
    },
}


def list_games(language: str) -> int:
    """Print each game with its pack, date, seats, answers, state, and the command that resumes it."""
    words: Mapping[str, Any] = _WORDS[language]
    folder = games_folder()
    if folder is None:
        say(words["off"].format(variable=OFF))
        return CLEAN
    games = saved_games()
    if not games:
        say(words["none"].format(folder=folder))
        return CLEAN
    lines = [words["games"].format(folder=folder)]
    for place in games:
        lines += ["", *_told(place, language, words)]
    write_long(lines, sys.stdout)
    return CLEAN


def _told(place: Path, language: str, words: Mapping[str, Any]) -> list[str]:
    name = short(str(place))
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(place.stat().st_mtime))
    try:
        data, _ = whole_lines(bytes_of(str(place)))
        head = json.loads(data[: data.index(b"\n")])
        seats, play = [*head["play"]["seats"]], head["play"]
        if not all(isinstance(one, str) for one in (head["pack"], head["version"], *seats)):
            raise ValueError
    except (Usage, ValueError, TypeError, KeyError, RecursionError):
        return [harmless(f"  {name}  {date}  {words['unread']}")]
    count = data.count(b"\n") - 2
    answers = words["answers"][count != 1].format(n=count)
    state = words["over" if play["over"] is True else "open"]
    facts = [f"{head['pack']} {head['version']}", date, ", ".join(seats), answers, state]
    spoken = f" --lang {language}" if language != "en" else ""
    told = (f"  {' · '.join(facts)}", f"      rulewright play --resume {quote(name)}{spoken}")
    return [*map(harmless, told)]
