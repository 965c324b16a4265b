"""The requests of the print page: its form, the preview, pictures of pages, and the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from attrs import frozen

from rulewright.tools.browser.desk.press import (
    Print,
    PrintQuery,
    SelectableKind,
    about_asked,
    asked_of,
    file_of,
    selectable,
)
from rulewright.tools.browser.host.lobby import TableForm, form_of
from rulewright.tools.browser.host.pages import PageFile, PageReply, PageRequest
from rulewright.tools.browser.host.requests import Host
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.packs import loading
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.pages.environment import page

PREVIEW = 1000
"""The width of the picture of a page, in dots."""
SHOWN = 12
"""Cards with texts that do not fit, on a page."""
LONGEST_NAME = 60
_PARTS = {"name": "print-long-name", "text": "print-long-text", "foot": "print-long-foot"}


TEXTS = ("what", "paper", "size", "bleed", "backs", "once", "players", "language")
"""The fields of the form that have one value."""


def _compiled(host: Host, request: PageRequest) -> Compiled:
    return host.shelf.compiled(request.pack, request.more, scenarios=True)


def _asked(request: PageRequest, compiled: Compiled) -> PrintQuery:
    program, fields = compiled.program, request.fields
    asked = {key: fields.text(key) for key in TEXTS if key in fields}
    lists = {"options": fields.options, "only": fields.texts("only")}
    return asked_of({"language": request.language, **asked, **lists}, program.languages, program.most_players)


@frozen
class PrintForm:
    """The form: what the lobby knows of the pack, what was asked for so far, and the cards to choose from."""

    lobby: TableForm
    asked: PrintQuery
    kinds: tuple[SelectableKind, ...]

    @property
    def selected(self) -> int:
        """How many kinds and cards are selected."""
        return len(self.asked.only)


def _form(host: Host, request: PageRequest) -> PrintForm:
    """Return the form of a page. Raises Failure if the pack has errors."""
    compiled = _compiled(host, request)
    asked = _asked(request, compiled)
    known = {"pack": request.pack, "more": request.more, "options": dict(asked.options)}
    lobby = form_of(host.shelf, request.given, known, request.language)
    try:
        kinds = selectable(about_asked(compiled, asked), asked.only)
    except Usage:  # there is no such table: the preview says why
        kinds = ()
    return PrintForm(lobby, asked, kinds)


def _page(host: Host, request: PageRequest) -> PageReply:
    """Show the page; its preview follows. A pack with errors has only the names of its packs in the form."""
    values = request.values("/print")
    try:
        form = _form(host, request)
    except Failure:
        form = None
    return page("print_page.html", form=form, number=request.fields.number("n", 1), **values)


def _form_page(host: Host, request: PageRequest) -> PageReply:
    """Draw the form again; while the pack has errors, it stays as it is."""
    values = request.values("/print")
    try:
        return page("print_form.html", form=_form(host, request), **values)
    except Usage:
        raise
    except Failure:
        return None


def _printed(host: Host, request: PageRequest) -> Print:
    compiled = _compiled(host, request)
    asked = _asked(request, compiled)
    return host.press.printed(compiled, with_more(request.pack, request.more), asked, request.words)


def _preview(host: Host, request: PageRequest) -> PageReply:
    """Show what is printed, a page of it, and what does not fit; or why nothing is printed."""
    number, values = request.fields.number("n", 1), request.values("/print")
    try:
        made = _printed(host, request)
    except Failure as failure:
        told = {"notice": failure.told(request.language), "report": failure.report}
        return page("print_preview.html", p=None, number=number, **told, **values)
    number = max(1, min(len(made.sizes), number))
    width, height = made.sizes[number - 1]
    warnings = _warnings(made, request.words)
    others = {"n", "of", "lang"}
    asked = urlencode([(key, value) for key, value in request.fields.pairs if value and key not in others])
    return page(
        "print_preview.html", notice="", report="", p=made, number=number, warnings=warnings[:SHOWN],
        left=max(0, len(warnings) - SHOWN), width=PREVIEW, height=round(PREVIEW * height / width),
        told=_told(made, request.fields.text("what"), request.words),
        picture=f"/print/picture?{asked}&lang={request.language}&n={number}&of={made.hash}", **values,
    )  # fmt: skip


def _told(made: Print, what: str, words: Mapping[str, str]) -> str:
    """Return what is printed, as a sentence."""
    if what == "rules":
        return _many(len(made.sizes), words["print-page-one"], words["print-page-n"])
    cards = _many(made.made.cards, words["print-card-one"], words["print-card-n"])
    if what == "tabletop-simulator":
        images = _many(made.made.sheets, words["print-image-one"], words["print-image-n"])
        return words["print-from"].format(cards=cards, images=images)
    sheets = _many(made.made.sheets, words["print-sheet-one"], words["print-sheet-n"])
    return words["print-on"].format(cards=cards, sheets=sheets)


def _many(count: int, one: str, several: str) -> str:
    return one if count == 1 else several.format(n=count)


def _warnings(made: Print, words: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Return a sentence and a place for each card on which something has no room."""
    told = dict.fromkeys((face.place, face.name, parts) for face, parts in made.made.too_long)
    folder = f"{loading.shown(made.about.compiled.root)}/"
    return [
        (words[_PARTS[part]].format(name=name[:LONGEST_NAME]), place.removeprefix(folder))
        for place, name, parts in told
        for part in parts
    ]


def _picture(host: Host, request: PageRequest) -> PageReply:
    """Draw a page as PNG; nothing for a number that is none."""
    made = _printed(host, request)
    number = request.fields.number("n", 1) - 1
    if not 0 <= number < len(made.sizes):
        return None
    return PageFile(made.picture(number, PREVIEW), "image/png")


def _file(host: Host, request: PageRequest) -> PageReply:
    """Return a file to download."""
    made = _printed(host, request)
    name, kind, data = file_of(made, _asked(request, _compiled(host, request)).what, request.words)
    return PageFile(data, kind, name)


def _folders(_host: Host, request: PageRequest) -> list[str]:
    """Return the folders of a page's packs, and of the house rules that can be added to them."""
    name = request.cards[request.pack].pack
    beside = [card.path for card in request.cards.values() if name in card.extends]
    files = loading.read_pack_set(request.pack).files
    return [*dict.fromkeys([*(str(one.root.resolve()) for one in files), *beside])]


PRINT_PAGES: dict[str, Callable[[Host, PageRequest], Any]] = {
    "/print": _page, "/print/form": _form_page, "/print/preview": _preview, "/print/picture": _picture,
    "/print/file": _file, "print-folders": _folders,
}  # fmt: skip
