"""The requests that a worker answers. Each is a method; arguments and results are JSON data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, define, field, frozen

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.game.journal import Divergence, write
from rulewright.interpreter.views.view import View
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.pack_files import pack_file
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.browser.desk.gallery import Desk
from rulewright.tools.browser.desk.press import Press
from rulewright.tools.browser.drawing.eyes import SPECTATOR
from rulewright.tools.browser.host.findings import findings
from rulewright.tools.browser.host.packs import PackShelf, Rules, folders
from rulewright.tools.browser.host.replay import Replays
from rulewright.tools.browser.host.spec import SPEEDS, TableSpec, packed, spec_of
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.words import digest, words_of
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.untrusted import bounded
from rulewright.tools.display.decision_texts import DecisionTexts, LeftOutTexts
from rulewright.tools.faces import Emblem
from rulewright.tools.packs.loading import PacksRefused
from rulewright.tools.pages.environment import page
from rulewright.tools.playing.kept_rules import WORDS, difference

# ---- Fill in the pages of a table for one reader, from the models of `tools.browser.drawing`

CLIENT_WORDS = (
    "choose", "done-some", "so-far", "so-far-one", "of-most", "taken", "none-chosen", "go-on",
)  # fmt: skip
"""Words that the script of the page needs."""


@frozen
class Tool:
    """A button in the bar: it posts to `name`, follows a link, or opens a dialog with the page `name`."""

    name: str
    icon: str
    label: str
    link: str = ""
    sheet: str = ""


@frozen
class Notice:
    """A line over the table, with buttons that post to an action."""

    text: str
    bad: bool = False
    actions: tuple[tuple[str, str], ...] = ()


@frozen
class PageSetting:
    """What the server knows and the game does not: the reader's address, tools, and notices."""

    at: str
    tools: tuple[Tool, ...] = ()
    notices: tuple[Notice, ...] = ()
    whole: bool = False
    """Whether the log is shown from the start."""
    saved: Mapping[str, Any] | None = None
    """What became of a save of the pack: see `tools.browser.host.requests`."""
    rehearsing: bool = False
    """Whether the reader steps through a scenario."""
    owner: bool = False
    """Whether this is the person who opened the table."""
    speed: int | None = None
    """Milliseconds between two answers of bots, if the reader can choose it."""
    again: str = ""
    """The address of the lobby's form for another game like this, for the person who opened the table."""
    sought: tuple[str, ...] = ()
    """The options that are marked: they play the card that the table was opened for."""


def fragment(table: HostedTable, seat: int, setting: PageSetting) -> str:
    """Return the part of a reader's page that changes."""
    words = words_of(table.rules.language)
    return page(
        "table.html",
        t=table.draw(seat, setting.whole),
        w=words,
        at=setting.at,
        tools=setting.tools,
        notices=setting.notices,
        saved=setting.saved,
        rehearsal=table.rehearsal() if setting.rehearsing else None,
        whole=setting.whole,
        speed=setting.speed,
        speeds=SPEEDS,
        sought=setting.sought,
        client_words={key: words[key] for key in CLIENT_WORDS},
    )


def whole_page(table: HostedTable, content: str, setting: PageSetting) -> str:
    """Return a whole page around a fragment."""
    return page(
        "table_page.html",
        language=table.rules.language,
        title=table.title,
        w=words_of(table.rules.language),
        pack=table.rules.program.pack,
        emblems=emblems_of(table.rules),
        at=setting.at,
        fragment=safe(content),
        seen=digest(content),
    )


def safe(content: str) -> Any:
    """Mark HTML that a template has made, so that it is not escaped again."""
    from markupsafe import Markup

    return Markup(content)


def emblems_of(rules: Rules) -> list[tuple[Emblem, int]]:
    """Return the emblems of all definitions, each once, with their marks."""
    known = {(one.kind, one.key) for one in rules.faces.program.definitions}
    known |= {(card.kind, card.definition) for card in rules.program.cards}
    faces = [rules.faces.of(kind, definition) for kind, definition in sorted(known)]
    return list({(face.emblem.name, face.mark): (face.emblem, face.mark) for face in faces if face.emblem}.values())


def curtain(table: HostedTable, seat: int, setting: PageSetting) -> str:
    """Return what hides a table until the next person has the screen to themselves."""
    name = table.reader(seat).eyes.names[seat]
    words = words_of(table.rules.language)
    return page("curtain.html", w=words, seat=seat, name=name, at=setting.at, title=table.title)


def look(rules: Rules, definition: tuple[str, str], at: str) -> str:
    """Return everything about a definition, by its kind and key: its face, fields, and source."""
    return page("look.html", w=words_of(rules.language), face=rules.faces.of(*definition), at=at)


def why(table: HostedTable, seat: int) -> str:
    """Return what a seat's decision does not offer, and why."""
    words = words_of(table.rules.language)
    own = table.course.asked(seat)
    reasons: Sequence[object] = ()
    known = True
    if own is not None:
        reader = table.reader(seat).eyes
        texts = LeftOutTexts(reader.narrator, reader.naming, reader.game, own)
        found = texts.found()
        known = found is not None
        reasons = texts.reasons(found or [])
    return page("why.html", w=words, reasons=reasons, known=known)


def result(table: HostedTable, seat: int, setting: PageSetting) -> str:
    """Return the page of a finished game."""
    return page(
        "result.html", w=words_of(table.rules.language), t=table.draw(seat), at=setting.at, again=setting.again,
        emblems=emblems_of(table.rules), language=table.rules.language, title=table.title,
    )  # fmt: skip


# ---- What a reader of a table sees, as JSON for other programs

VERSION = 1
"""Of the shape of this JSON: it grows with a change that a program would notice. New keys are no such change."""


def state(table: HostedTable, seat: int) -> dict[str, Any]:
    """Return the view of a seat, or of a spectator, and its open decision with the labels of the options."""
    reader = table.reader(seat)
    view: View = reader.eyes.view()
    seen = asdict(view)
    del seen["seat"], seen["decision"]  # they have forms of their own; parts of the view keep fields of these names
    return {
        "version": VERSION,
        "pack": table.rules.program.pack,
        "language": table.rules.language,
        "seat": None if seat == SPECTATOR else seat,
        "names": [*reader.eyes.names],
        "position": reader.chronicle.position.title,
        **seen,
        "decision": _decision(table, seat),
    }


def _decision(table: HostedTable, seat: int) -> dict[str, Any] | None:
    own = table.course.asked(seat)
    if own is None:
        return None
    eyes = table.reader(seat).eyes
    told = DecisionTexts(eyes.narrator, eyes.naming, eyes.game, own)
    return {
        "stamp": table.stamp(seat),
        "choice": own.choice,
        "question": told.question().strip(),
        "least": own.least,
        "most": own.most,
        "options": [
            {"key": option.key, "count": option.count, "label": label, "tells": told.brief(option)}
            for option, label in zip(told.decision.options, told.labels, strict=True)
        ],
    }


# ---- Requests

Request = Mapping[str, Any]
AT_ONCE = 40
"""Answers of bots in one request, so that other tables of the worker are not kept waiting."""


class NotOpen(Usage):
    """A request about a table that this worker does not have (any more)."""


@define
class Host:
    """The tables of one worker."""

    shelf: PackShelf = field(factory=PackShelf)
    tables: dict[str, HostedTable] = field(factory=dict)
    replays: Replays = field(factory=Replays)
    """Replays of tables, by their numbers, and of journals, by their tokens."""
    desk: Desk = field(factory=Desk)
    press: Press = field(factory=Press)

    # -------------------------------------------------------------- tables

    def open(self, request: Request) -> Any:
        """Start a table, or continue it with the answers of its journal and under the rules that it had."""
        spec = spec_of(request["spec"])
        files = str(request.get("files", ""))
        rules = self.shelf.under(spec, str(request.get("program", "")), files)
        table = HostedTable(spec, rules, int(request.get("epoch", 0)))
        table.recall(request.get("entries", ()))
        self.tables[str(request["table"])] = table
        kept = packed(rules.compiled.packs)
        return {
            **table.status(), "program": program_hash(rules.program), "folders": folders(rules.compiled),
            "files": "" if kept == files else kept,
        }  # fmt: skip

    def close(self, request: Request) -> Any:
        """Forget a table."""
        self.tables.pop(str(request["table"]), None)
        return {}

    def known(self, request: Request) -> Any:
        """Return whether this worker has a table."""
        return str(request["table"]) in self.tables

    def answer(self, request: Request) -> Any:
        """Answer for a person; the reply has the new lines of the journal, or why it was refused."""
        table, seat = self.table(request), int(request["seat"])
        before = table.course.answers
        refused = table.answer(seat, str(request["stamp"]), [str(key) for key in request["keys"]])
        if refused:
            return {"refused": refused}
        return self._changed(table, before)

    def bots(self, request: Request) -> Any:
        """Let bots answer, at most `most` times, and give a lone person's only answers."""
        table = self.table(request)
        before = table.course.answers
        table.bots(min(int(request["most"]), AT_ONCE))
        table.only_answers()
        return self._changed(table, before)

    def undo(self, request: Request) -> Any:
        """Take back the last answer of a seat."""
        table = self.table(request)
        return {"undone": table.undo(int(request["seat"])), "status": table.status()}

    def status(self, request: Request) -> Any:
        """Return what is going on at a table."""
        return self.table(request).status()

    def journal(self, request: Request) -> Any:
        """Return the journal of a table as text."""
        return write(self.table(request).course.game.journal)

    # -------------------------------------------------------------- pages

    def fragment(self, request: Request) -> Any:
        """Return the part of a page that changes."""
        table = self.table(request)
        return fragment(table, int(request["seat"]), _setting(request))

    def page(self, request: Request) -> Any:
        """Return a whole page; behind the curtain if `seat` is not at the screen."""
        table, setting = self.table(request), _setting(request)
        draw = curtain if request.get("curtain") else fragment
        content = draw(table, int(request["seat"]), setting)
        return whole_page(table, content, setting)

    def curtain(self, request: Request) -> Any:
        """Return what hides a table until the next person has the screen."""
        return curtain(self.table(request), int(request["seat"]), _setting(request))

    def state(self, request: Request) -> Any:
        """Return what a reader sees as JSON data."""
        return state(self.table(request), int(request["seat"]))

    def look(self, request: Request) -> Any:
        """Return a definition in full."""
        face = str(request["kind"]), str(request["definition"])
        return look(self.table(request).rules, face, _setting(request).at)

    def why(self, request: Request) -> Any:
        """Return what is not offered, and why."""
        return why(self.table(request), int(request["seat"]))

    def result(self, request: Request) -> Any:
        """Return the page of a finished game, as a seat or (-1) a spectator sees it."""
        return result(self.table(request), int(request.get("seat", SPECTATOR)), _setting(request))

    # -------------------------------------------------------------- inside

    def table(self, request: Request) -> HostedTable:
        """Return the table of a request. Raises Usage."""
        table = self.tables.get(str(request["table"]))
        if table is None:
            raise NotOpen("this table is not open")
        return table

    @staticmethod
    def _changed(table: HostedTable, before: int) -> dict[str, Any]:
        return {"entries": table.entries(before), "status": table.status()}


TABLE_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {
    name: getattr(Host, name)
    for name in (
        "open", "close", "known", "answer", "bots", "undo", "status", "journal", "fragment", "page", "curtain",
        "state", "look", "why", "result",
    )
}  # fmt: skip


def _setting(request: Request) -> PageSetting:
    given = request.get("setting", {})
    return PageSetting(
        str(given.get("at", "")),
        tuple(Tool(*one) for one in given.get("tools", ())),
        tuple(
            Notice(str(one["text"]), bool(one.get("bad")), tuple((a, b) for a, b in one.get("actions", ())))
            for one in given.get("notices", ())
        ),
        bool(given.get("whole")),
        given.get("saved"),
        bool(given.get("rehearsing")),
        bool(given.get("owner")),
        given.get("speed"),
        str(given.get("again", "")),
        tuple(given.get("sought", ())),
    )


# ---- A saved pack at a running table: go on under its rules, or say why not
#
# The reply has a `state`:
#
# - `unchanged`: the files are what the table plays; `same`: the same rules, perhaps other texts;
# - `fits`: the game goes on under the new rules; `gone-on`: it does, but only from the answer that no longer
#   fitted;
# - `differs`: an answer no longer fits; `broken`: the pack has mistakes; `unread`, `no-table`, `no-start`: the game
#   cannot be played by the new rules. In these states the old rules stay in force.

def _renew(host: Host, request: Request) -> Any:
    """Play a table by its pack as it is now.

    `known` are the seats whose answers the table's owner knows. With `program`, the game also goes on if answers do
    not fit, from the first of them, provided that these are the rules that the owner was asked about.
    """
    table = host.table(request)
    language = table.rules.language
    words = WORDS[language if language in WORDS else "en"]
    try:
        compiled = host.shelf.compiled(table.spec.pack, table.spec.more, table.spec.scenario is not None)
    except PacksRefused as refused:
        found = refused.found
        return {"state": "broken", "findings": findings(found.findings, found.sources), "lines": [words["broken"]]}
    except Failure as failure:
        return {"state": "unread", "lines": [words["unread"].format(why=_unread(table.spec, failure, language))]}
    try:
        rules = host.shelf.rules(table.spec)
    except Failure as failure:
        why = _no_table(table.spec, compiled.program, failure, language)
        return {"state": "no-table", "lines": [words["no-table"].format(why=why)]}
    if rules is table.rules:
        return {"state": "unchanged", "lines": [], **_state(table)}
    if program_hash(rules.program) == program_hash(table.rules.program):
        table.reword(rules)
        return {"state": "same", "lines": [words["same"]], **_state(table)}
    return _under(table, rules, request, words)


def _unread(spec: TableSpec, failure: Failure, language: str) -> str:
    """Say why packs cannot be read."""
    gone = next((one for one in (spec.pack, *spec.more) if pack_file(Path(one)) is None), None)
    if gone is None or not Path(gone).is_absolute():
        return _told(failure, language)
    return words_of(language)["no-pack-there"].format(folder=harmless(gone))


def _no_table(spec: TableSpec, program: Program, failure: Failure, language: str) -> str:
    """Say why packs cannot be played at a table."""
    least, most, seats = program.least_players, program.most_players, len(spec.seats)
    if least <= seats <= most:
        return _told(failure, language)
    return words_of(language)["pack-for-others"].format(least=least, most=most, n=seats)


def _told(failure: Failure, language: str) -> str:
    """Return a message in a language; one that is only there in English says so."""
    if not isinstance(failure.spoken, str):
        return failure.told(language)
    return words_of(language)["only-in-english"].format(why=failure.told(language))


def _under(table: HostedTable, rules: Rules, request: Request, words: dict[str, str]) -> dict[str, Any]:
    """Replay the journal under new rules, and adopt them if it fits or the owner goes on anyway."""
    lines = table.entries(0)
    accepted = str(request.get("program", "")) == program_hash(rules.program)
    try:
        other, wrong = _replayed(table, rules, lines)
    except RuleFault as fault:
        why = fault.spoken.text(rules.language)
        return {"state": "no-start", "lines": [words["no-start"].format(why=why)]}
    fitting = other.course.answers
    if wrong is not None and not accepted:
        journal = table.course.game.journal
        seat = journal.entries[fitting].seat
        names = table.reader(SPECTATOR).eyes.names
        revealing = seat in request.get("known", ())
        told = difference(journal, fitting, other.course.game, wrong, names, rules.language, revealing)
        return {"state": "differs", "lines": told, "fitting": fitting, "program": program_hash(rules.program)}
    if wrong is not None:
        other, _ = _replayed(table, rules, lines[:fitting])
    table.adopt(other)
    if wrong is not None:
        return {"state": "gone-on", "lines": [words["gone-on"].format(n=fitting + 1)], **_state(table)}
    return {"state": "fits", "lines": [words["fits"].format(n=fitting)], **_state(table)}


def _replayed(
    table: HostedTable, rules: Rules, lines: list[str]
) -> tuple[HostedTable, Divergence | RuleFault | None]:
    """Replay answers under other rules; return the table with those that fit, and why the next one does not."""
    other = HostedTable(table.spec, rules, table.epoch)
    try:
        with bounded():
            other.recall(lines)
    except (Divergence, RuleFault) as wrong:
        return other, wrong
    return other, None


def _state(table: HostedTable) -> dict[str, Any]:
    return {
        "status": table.status(), "program": program_hash(table.rules.program),
        "folders": folders(table.rules.compiled), "files": packed(table.rules.compiled.packs),
    }  # fmt: skip


RENEWING_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {"renew": _renew}
