"""Fill in the pages of a replay for one reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rulewright.tools.browser.drawing.eyes import SPECTATOR, WITNESS
from rulewright.tools.browser.host.pages import CLIENT_WORDS, Notice, Tool, emblems_of, safe
from rulewright.tools.browser.host.replay import ReplayedGame, Turn
from rulewright.tools.browser.words import words_of
from rulewright.tools.pages.environment import page

MARKS = 16
"""Turns with a name on the time line; of more only every second, third, and so on has one."""
SCRIPT_WORDS = ("decision-of", "play", "stop")
VIEW_KEYS = {WITNESS: "all", SPECTATOR: "public"}
"""How an address names the views that are no seats; seats are counted from 1."""


@frozen
class Watching:
    """How a replay is read: its address, the name of its file, the views to choose from, the view, and the place.

    `branch` says whether a new table may be opened from here; `whole` asks for the log from the start.
    """

    at: str
    file: str
    views: tuple[int, ...]
    view: int
    answers: int
    whole: bool
    branch: bool
    tools: tuple[Tool, ...]
    result: str = ""


@frozen
class Mark:
    """A turn on the time line: where it is, from 0 to 100, and its name; empty if there is no room for it."""

    place: str
    name: str
    edge: str


def fragment(game: ReplayedGame, watching: Watching) -> str:
    """Return the part of the page that changes."""
    words = words_of(game.rules.language)
    answers = max(0, min(watching.answers, len(game.entries)))
    found = game.draw(answers, watching.view, watching.whole)
    turns = game.turns()
    turn = [one for one in turns if one.at <= answers][-1]
    return page(
        "replay.html",
        t=found.drawing,
        w=words,
        at=watching.at,
        tools=watching.tools,
        notices=[Notice(game.trouble, True)] if game.trouble else [],
        client_words={key: words[key] for key in CLIENT_WORDS},
        watching=watching,
        chosen=found.chosen,
        asked=game.asked(answers) if watching.view == WITNESS else watching.view,
        answered=answers < len(game.entries),
        because=game.because(answers, watching.view),
        step=answers,
        total=len(game.entries),
        turn=turn,
        turns=[one.at for one in turns],
        marks=_marks(turns, len(game.entries)),
        views=[_view(game, words, seat) for seat in watching.views],
        view=view_key(watching.view),
        saved=None,
        sought=(),
        rehearsal=None,
        whole=False,
        speed=None,
        speeds={},
        script_words={key: words[key] for key in SCRIPT_WORDS},
    )


def whole_page(game: ReplayedGame, watching: Watching) -> str:
    """Return a whole page."""
    rules = game.rules
    return page(
        "replay_page.html",
        language=rules.language,
        title=game.title,
        pack=rules.program.pack,
        w=words_of(rules.language),
        emblems=emblems_of(rules),
        at=watching.at,
        fragment=safe(fragment(game, watching)),
    )


def branch_form(
    game: ReplayedGame, watching: Watching, kinds: Sequence[tuple[str, str]], seats: Sequence[tuple[str, str]]
) -> str:
    """Return the form of a table that goes on from a moment of the game."""
    words = words_of(game.rules.language)
    answers = max(0, min(watching.answers, len(game.entries)))
    return page(
        "branch.html", w=words, at=watching.at, kinds=kinds, seats=seats, answers=answers, total=len(game.entries)
    )


def view_key(seat: int) -> str:
    """Return how an address names a view."""
    return VIEW_KEYS.get(seat) or str(seat + 1)


def _view(game: ReplayedGame, words: dict[str, str], seat: int) -> dict[str, Any]:
    """Return a button for a view: its key, its short text, and its name."""
    if seat == WITNESS:
        return {"key": view_key(seat), "text": words["everything"], "name": words["everything"]}
    if seat == SPECTATOR:
        return {"key": view_key(seat), "text": words["spectator"], "name": words["spectator"]}
    name = game.names[seat] or words["seat"].format(n=seat + 1)
    return {"key": view_key(seat), "text": str(seat + 1), "name": name}


def _marks(turns: Sequence[Turn], total: int) -> list[Mark]:
    every = -(-len(turns) // MARKS)
    found = []
    for number, turn in enumerate(turns):
        share = 100 * turn.at / total if total else 0.0
        edge = "start" if share < 2 else "end" if share > 98 else "middle"
        found.append(Mark(f"{share:.3f}%", turn.short if number % every == 0 else "", edge))
    return found
