"""Fill in the pages of a table for one reader, from the models of `tools.browser.drawing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from rulewright.tools.browser.digest import digest
from rulewright.tools.browser.host.packs import Rules
from rulewright.tools.browser.host.spec import SPEEDS
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.words import words_of
from rulewright.tools.display.decision_texts import LeftOutTexts
from rulewright.tools.faces.tones import Emblem
from rulewright.tools.pages.environment import page

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
class Setting:
    """What the server knows and the game does not: the reader's address, tools, and notices."""

    at: str
    tools: tuple[Tool, ...] = ()
    notices: tuple[Notice, ...] = ()
    whole: bool = False
    """Whether the log is shown from the start."""
    saved: Mapping[str, Any] | None = None
    """What became of a save of the pack: see `tools.browser.host.renewing`."""
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


def fragment(table: HostedTable, seat: int, setting: Setting) -> str:
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


def whole_page(table: HostedTable, content: str, setting: Setting) -> str:
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


def curtain(table: HostedTable, seat: int, setting: Setting) -> str:
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


def result(table: HostedTable, seat: int, setting: Setting) -> str:
    """Return the page of a finished game."""
    return page(
        "result.html", w=words_of(table.rules.language), t=table.draw(seat), at=setting.at, again=setting.again,
        emblems=emblems_of(table.rules), language=table.rules.language, title=table.title,
    )  # fmt: skip
