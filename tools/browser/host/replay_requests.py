"""The requests about replays: of tables, and of journals that were uploaded or saved.

A journal comes from outside: it is read and replayed within the limits of `tools.common.untrusted`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from rulewright.interpreter.backends.policies import bot_keys
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import Divergence, Journal, entry_line
from rulewright.interpreter.views.names import words as as_words
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.scenario import Picture
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.browser.drawing.eyes import SPECTATOR, WITNESS
from rulewright.tools.browser.host.lobby import LINK, pack_cards
from rulewright.tools.browser.host.packs import Rules, rules_of
from rulewright.tools.browser.host.replay import ReplayedGame, TimelineTurn
from rulewright.tools.browser.host.requests import (
    CLIENT_WORDS,
    Host,
    Notice,
    Request,
    Tool,
    emblems_of,
    look,
    safe,
)
from rulewright.tools.browser.host.spec import packed, placed, player_name
from rulewright.tools.browser.words import bot_name, words_of
from rulewright.tools.common.player_messages import problem
from rulewright.tools.common.seats import GREEDY, HUMAN, RANDOM, SEARCH
from rulewright.tools.common.untrusted import TimeBudget, blamed, bounded
from rulewright.tools.faces import PictureFiles, pack_styles
from rulewright.tools.pages.environment import page
from rulewright.tools.playing.kept_rules import compiled_of
from rulewright.tools.playing.save_file import journal_of

# ------------------------------------------------------------------ Fill in the pages of a replay for one reader

MARKS = 16
"""Turns with a name on the time line; of more only every second, third, and so on has one."""
SCRIPT_WORDS = ("decision-of", "play", "stop")
VIEW_KEYS = {WITNESS: "all", SPECTATOR: "public"}
"""How an address names the views that are no seats; seats are counted from 1."""


@frozen
class ReplayReader:
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


def fragment(game: ReplayedGame, watching: ReplayReader) -> str:
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


def whole_page(game: ReplayedGame, watching: ReplayReader) -> str:
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
    game: ReplayedGame, watching: ReplayReader, kinds: Sequence[tuple[str, str]], seats: Sequence[tuple[str, str]]
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


def _marks(turns: Sequence[TimelineTurn], total: int) -> list[Mark]:
    every = -(-len(turns) // MARKS)
    found = []
    for number, turn in enumerate(turns):
        share = 100 * turn.at / total if total else 0.0
        edge = "start" if share < 2 else "end" if share > 98 else "middle"
        found.append(Mark(f"{share:.3f}%", turn.short if number % every == 0 else "", edge))
    return found


# ---- Replay requests

LONGEST_FILE = 80
"""Characters of the name of an uploaded file."""
MISSING = {"missing": True}
"""The reply if this worker does not have a journal (any more): it has to be given again."""


# ------------------------------------------------------------------ opening

def _open(host: Host, request: Request) -> Any:
    """Replay a journal and keep it. Raises Usage, JournalError and RuleFault."""
    file, language = file_name(str(request["file"])), str(request["language"])
    budget = TimeBudget(bool(request.get("own")))
    with blamed(file):
        with budget.bounded():
            journal, _ = journal_of(b64decode(str(request["data"])), file)
        with budget.bounded():
            rules = _rules(journal.program, request)
            journal = evolve(journal, program=rules.program)
            game, trouble = _played(journal, rules, file, language)
            play = journal.header.play
            kinds = tuple(map(player_name, play.seats)) if play is not None else ()
            replayed = ReplayedGame(rules, game, ("",) * rules.program.seats, kinds, trouble)
            fragment(replayed, _watching({**request, "views": [SPECTATOR]}))
    host.replays.keep(str(request["replay"]), replayed)
    return {"seats": rules.program.seats, "title": replayed.title}


def file_name(text: str) -> str:
    """Return the name of an uploaded file without its folder, for messages."""
    return harmless(text.replace("\\", "/").rpartition("/")[2])[:LONGEST_FILE] or "journal"


def _played(journal: Journal, rules: Rules, file: str, language: str) -> tuple[Game, str]:
    """Return the game of a journal, as far as it can be replayed, and why not further. Raises RuleFault."""
    try:
        return Game.replay(journal, patience=None), ""
    except Divergence as wrong:
        game = Game.replay(journal, wrong.number, patience=None)
        return game, problem("not-to-its-end", file=file, why=wrong.spoken).text(language)


def _folders(request: Request) -> dict[str, Path]:
    """Return the folders of the packs that are known here, by their names."""
    cards = pack_cards([str(one) for one in request["packs"]], str(request["language"]))
    return {card.pack: Path(card.path) for card in cards}


def _rules(program: TableProgram, request: Request) -> Rules:
    """Return the rules of a journal. It has no pictures, so these are those of packs that are known here."""
    assert program.origin is not None, "it was read from a journal"
    rules = rules_of(program, compiled_of(program.origin), str(request["language"]))
    folders = _folders(request)
    known = frozenset(one for one in rules.pictures.known if one.pack in folders)
    return evolve(rules, pictures=PictureFiles(folders, known))


# ------------------------------------------------------------------ reading

@contextmanager
def _replayed(host: Host, request: Request) -> Iterator[ReplayedGame | None]:
    """Give the replay of a table, or of a journal within limits; None if the journal has to be given again."""
    if "table" in request:
        table = host.table(request)
        name, state = f"table {request['table']}", (table.epoch, table.course.answers, id(table.rules))
        game = host.replays.get(name, state)
        if game is None:
            copied = table.course.game.clone()
            game = host.replays.keep(
                name, ReplayedGame(table.rules, copied, table.spec.names, table.spec.kinds), state
            )
        yield game
        return
    found = host.replays.get(str(request["replay"]))
    if found is None:
        yield None
        return
    with blamed(file_name(str(request["file"]))), bounded():
        yield found


def _watching(request: Request) -> ReplayReader:
    views = tuple(int(one) for one in request["views"])
    view = int(request.get("view", views[0]))
    return ReplayReader(
        str(request.get("address", "")), str(request.get("file", "")), views, view if view in views else views[0],
        int(request.get("at", 0)), bool(request.get("whole")), bool(request.get("branch")),
        tuple(Tool(*one) for one in request.get("tools", ())), str(request.get("result", "")),
    )  # fmt: skip


def _page(host: Host, request: Request) -> Any:
    """Return a whole page of a replay."""
    with _replayed(host, request) as game:
        return MISSING if game is None else whole_page(game, _watching(request))


def _step(host: Host, request: Request) -> Any:
    """Return the part of a page of a replay that changes."""
    with _replayed(host, request) as game:
        return MISSING if game is None else fragment(game, _watching(request))


def _look(host: Host, request: Request) -> Any:
    """Return a definition in full."""
    with _replayed(host, request) as game:
        if game is None:
            return MISSING
        face = str(request["kind"]), str(request["definition"])
        return look(game.rules, face, str(request["address"]))


def _styles(host: Host, request: Request) -> Any:
    """Return the style sheet of the pack's own colours."""
    with _replayed(host, request) as game:
        return MISSING if game is None else pack_styles(game.rules.faces.program)


def _picture(host: Host, request: Request) -> Any:
    """Return a picture of the pack as base64, with its media type; None for anything else."""
    with _replayed(host, request) as game:
        if game is None:
            return MISSING
        found = game.rules.pictures.read(Picture(str(request["pack"]), str(request["path"])))
        return [b64encode(found[0]).decode(), found[1]] if found is not None else None


# ------------------------------------------------------------------ going on

def _branch(host: Host, request: Request) -> Any:
    """Return the form of a table that goes on from a moment."""
    with _replayed(host, request) as game:
        if game is None:
            return MISSING
        words = words_of(game.rules.language)
        bots = bot_keys(game.rules.program)
        kinds = [(HUMAN, words["person-here"]), (LINK, words["person-link"])]
        kinds += [(bot, words["bot"].format(name=as_words(bot))) for bot in bots]
        kinds += [(bot, words["bot"].format(name=bot_name(bot, words))) for bot in (SEARCH, GREEDY, RANDOM)]
        known = {kind for kind, _ in kinds}
        played = [kind.partition(":")[0] for kind in game.kinds] or [next(iter(bots), RANDOM)] * len(game.names)
        if HUMAN not in played:
            played[max(0, game.asked(min(int(request["at"]), len(game.entries))))] = HUMAN
        seats = [(kind if kind in known else RANDOM, name) for kind, name in zip(played, game.names, strict=True)]
        return branch_form(game, _watching(request), kinds, seats)


def _start(host: Host, request: Request) -> Any:
    """Return what a table needs that goes on from a moment of an uploaded journal."""
    with _replayed(host, request) as game:
        if game is None:
            return MISSING
        program, header = game.rules.program, game.game.journal.header
        assert program.origin is not None, "it was read from a journal"
        folders = _folders(request)
        packs = [str(folders.get(name, "")) for name, _ in program.origin.asked]
        spec: Mapping[str, Any] = {
            "pack": packs[0], "more": packs[1:], "seed": header.seed, "game": header.game, "series": header.series,
            "scenario": header.scenario if header.scenario >= 0 else None,
            "options": [f"{key}={value}" for key, value in header.options], "language": game.rules.language,
        }  # fmt: skip
        lines = [entry_line(entry) for entry in game.entries[: max(0, int(request["at"]))]]
        files = packed(placed(program.origin, folders))
        return {"spec": spec, "lines": lines, "program": program_hash(program), "files": files}


REPLAY_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {
    "replay_open": _open, "replay_page": _page, "replay_step": _step, "replay_look": _look,
    "replay_styles": _styles, "replay_picture": _picture,
    "replay_branch": _branch, "replay_start": _start,
}  # fmt: skip
