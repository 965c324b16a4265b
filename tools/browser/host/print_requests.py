"""The requests of the print page: its form, the preview, pictures of pages, and the files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from rulewright.tools.browser.desk.gallery import address
from rulewright.tools.browser.desk.press import (
    Print,
    PrintQuery,
    SelectableKind,
    about_asked,
    asked_of,
    file_of,
    selectable,
)
from rulewright.tools.browser.host.lobby import TableForm, admitted, form_of, games, pack_cards
from rulewright.tools.browser.host.requests import Host, Request, navigation
from rulewright.tools.browser.words import NAMES, words_of
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


@frozen
class PagePacks:
    """The packs of a page, with its words and languages. `given` are those of the server's command line."""

    given: tuple[str, ...]
    pack: str
    more: tuple[str, ...]
    language: str

    @property
    def words(self) -> dict[str, str]:
        return words_of(self.language)


def wanted_packs(request: Request) -> PagePacks:
    """Return the packs that a page asks for; without a wanted one, the first game."""
    given = tuple(str(one) for one in request["packs"])
    more = [str(one) for one in request["more"]]
    return PagePacks(given, *admitted(given, str(request["pack"]), more), str(request["language"]))


def _compiled(host: Host, packs: PagePacks) -> Compiled:
    return host.shelf.compiled(packs.pack, packs.more, scenarios=True)


def _asked(request: Request, compiled: Compiled) -> PrintQuery:
    program = compiled.program
    asked = {"language": request["language"], **request["asked"]}
    return asked_of(asked, program.languages, program.most_players)


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


def _form(host: Host, packs: PagePacks, request: Request) -> PrintForm:
    """Return the form of a page. Raises Failure if the pack has errors."""
    compiled = _compiled(host, packs)
    asked = _asked(request, compiled)
    known = {"pack": packs.pack, "more": packs.more, "options": dict(asked.options)}
    lobby = form_of(host.shelf, packs.given, known, packs.language)
    try:
        kinds = selectable(about_asked(compiled, asked), asked.only)
    except Usage:  # there is no such table: the preview says why
        kinds = ()
    return PrintForm(lobby, asked, kinds)


def _values(packs: PagePacks) -> dict[str, Any]:
    """Return what all parts of the page need."""
    return {
        "w": packs.words, "language": packs.language, "pack": packs.pack, "more": packs.more,
        "language_names": NAMES,
        "link": lambda to, **others: address(to, packs.pack, packs.more, packs.language, **others),
    }  # fmt: skip


def _page(host: Host, request: Request) -> Any:
    """Return the page; its preview follows. A pack with errors has only the names of its packs in the form."""
    packs = wanted_packs(request)
    cards = {card.path: card for card in pack_cards(packs.given, packs.language)}
    try:
        form = _form(host, packs, request)
    except Failure:
        form = None
    return page(
        "print_page.html", form=form, number=int(request["number"]), name=cards[packs.pack].name,
        nav=navigation(packs.words, "/print"), place=request["place"],
        games=games([*cards.values()]), **_values(packs),
    )  # fmt: skip


def _form_page(host: Host, request: Request) -> Any:
    """Return the form, drawn again; None while the pack has errors, so that the old form stays."""
    packs = wanted_packs(request)
    try:
        return page("print_form.html", form=_form(host, packs, request), **_values(packs))
    except Usage:
        raise
    except Failure:
        return None


def _printed(host: Host, packs: PagePacks, request: Request) -> Print:
    compiled = _compiled(host, packs)
    asked = _asked(request, compiled)
    return host.press.printed(compiled, with_more(packs.pack, packs.more), asked, packs.words)


def _preview(host: Host, request: Request) -> Any:
    """Return the preview: what is printed, the number of a page, and what does not fit; or why there is none."""
    packs, number = wanted_packs(request), int(request["number"])
    try:
        made = _printed(host, packs, request)
    except Failure as failure:
        told = {"notice": failure.told(packs.language), "report": failure.report}
        return page("print_preview.html", p=None, number=number, **told, **_values(packs))
    number = max(1, min(len(made.sizes), number))
    width, height = made.sizes[number - 1]
    warnings = _warnings(made, packs.words)
    return page(
        "print_preview.html", notice="", report="", p=made, number=number, warnings=warnings[:SHOWN],
        left=max(0, len(warnings) - SHOWN), width=PREVIEW, height=round(PREVIEW * height / width),
        told=_told(made, str(request["asked"].get("what", "")), packs.words),
        picture=f"/print/picture?{request['query']}&n={number}&of={made.hash}", **_values(packs),
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


def _picture(host: Host, request: Request) -> Any:
    """Return a page as PNG, in base64; None for a number that is none."""
    made = _printed(host, wanted_packs(request), request)
    number = int(request["number"]) - 1
    if not 0 <= number < len(made.sizes):
        return None
    return b64encode(made.picture(number, PREVIEW)).decode("ascii")


def _file(host: Host, request: Request) -> Any:
    """Return a file to download: its name, its media type, and its bytes in base64."""
    packs = wanted_packs(request)
    compiled = _compiled(host, packs)
    made = _printed(host, packs, request)
    name, kind, data = file_of(made, _asked(request, compiled).what, packs.words)
    return [name, kind, b64encode(data).decode("ascii")]


def _folders(host: Host, request: Request) -> Any:
    """Return the folders of a page's packs, and of the house rules that can be added to them."""
    packs = wanted_packs(request)
    cards = pack_cards(packs.given, "en")
    name = next(card.pack for card in cards if card.path == packs.pack)
    beside = [card.path for card in cards if name in card.extends]
    files = loading.read_pack_set(packs.pack).files
    return [*dict.fromkeys([*(str(one.root.resolve()) for one in files), *beside])]


PRINT_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {
    "print": _page, "print-form": _form_page, "print-preview": _preview, "print-picture": _picture,
    "print-file": _file, "print-folders": _folders,
}  # fmt: skip
