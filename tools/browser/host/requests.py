"""The requests that a worker answers. Each is a method; arguments and results are JSON data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import asdict, define, field

from rulewright.interpreter.game.journal import write
from rulewright.interpreter.views.view import View
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.browser.desk.gallery import Desk
from rulewright.tools.browser.desk.press import Press
from rulewright.tools.browser.drawing.eyes import SPECTATOR
from rulewright.tools.browser.host import pages
from rulewright.tools.browser.host.kept_files import packed
from rulewright.tools.browser.host.packs import PackShelf, folders
from rulewright.tools.browser.host.pages import Notice, Setting, Tool
from rulewright.tools.browser.host.replay import Replays
from rulewright.tools.browser.host.spec import spec_of
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.common.errors import Usage
from rulewright.tools.display.decision_texts import DecisionTexts

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


# ------------------------------------------------------------------ requests: the rest

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
        return pages.fragment(table, int(request["seat"]), _setting(request))

    def page(self, request: Request) -> Any:
        """Return a whole page; behind the curtain if `seat` is not at the screen."""
        table, setting = self.table(request), _setting(request)
        draw = pages.curtain if request.get("curtain") else pages.fragment
        content = draw(table, int(request["seat"]), setting)
        return pages.whole_page(table, content, setting)

    def curtain(self, request: Request) -> Any:
        """Return what hides a table until the next person has the screen."""
        return pages.curtain(self.table(request), int(request["seat"]), _setting(request))

    def state(self, request: Request) -> Any:
        """Return what a reader sees as JSON data."""
        return state(self.table(request), int(request["seat"]))

    def look(self, request: Request) -> Any:
        """Return a definition in full."""
        face = str(request["kind"]), str(request["definition"])
        return pages.look(self.table(request).rules, face, _setting(request).at)

    def why(self, request: Request) -> Any:
        """Return what is not offered, and why."""
        return pages.why(self.table(request), int(request["seat"]))

    def result(self, request: Request) -> Any:
        """Return the page of a finished game, as a seat or (-1) a spectator sees it."""
        return pages.result(self.table(request), int(request.get("seat", SPECTATOR)), _setting(request))

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


def _setting(request: Request) -> Setting:
    given = request.get("setting", {})
    return Setting(
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
