"""The print page over HTTP: what is asked for is printed, and nothing else.

Counts are worked out by hand.
"""

from __future__ import annotations

import asyncio
import html
import io
import json
import re
import struct
import sys
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pypdfium2
import pytest

from rulewright.tools.browser.desk import press
from rulewright.tools.browser.host import limits
from rulewright.tools.browser.server import desk_pages
from rulewright.tools.browser.words import words_of
from tests.browser.served import Served, serving, stream

PACK = """\
pack: gates
version: 1.0.0
format: 3
players: 2 to 4
languages: [en, es]
name: {en: "Gates <i>", es: Puertas}
kinds: {gem: {}, charm: {}}
components: {gems: {kind: gem, starts: row}, charms: {kind: charm, copies: 2, starts: row}}
zones: {row: {order: row, seen-by: all}}
---
gem: ruby
name: {en: "Ruby <img src=x>", es: Rubí}
copies: 3 * count(all-players)
---
gem: opal
copies: 5
---
charm: bell
---
finish: end
awards: []
---
winner: first
among: players
order: [most score]
---
round: turn
steps:
  - id: end
    do: end game
"""
"""For four players twelve rubies, five opals, and two bells: 19 cards on three sheets of nine."""
Case = Callable[[Served], Awaitable[None]]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "gates"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    return folder


def served(case: Case, *packs: Path, **settings: Any) -> None:
    async def whole() -> None:
        async with serving(packs=packs, **settings) as server:
            await case(server)

    asyncio.run(whole())


def told(reply: httpx.Response) -> str:
    """What a preview says, without marks."""
    assert reply.status_code == 200, reply.text
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", reply.text)).split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "said", "pages"),
    [
        ({}, "19 cards on 3 sheets", 3),
        ({"lang": "es"}, "19 cartas en 3 hojas", 3),
        ({"backs": "1"}, "19 cards on 3 sheets", 6),
        ({"players": "2"}, "13 cards on 2 sheets", 2),  # six rubies
        ({"players": "2", "bleed": "3"}, "13 cards on 2 sheets", 2),  # eight on a sheet
        ({"once": "1"}, "3 cards on 1 sheet", 1),
        ({"only": ["gem/opal"]}, "5 cards on 1 sheet", 1),
        ({"only": ["gem/opal", "charm/"]}, "7 cards on 1 sheet", 1),
        ({"only": "charm/bell", "once": "1"}, "1 card on 1 sheet", 1),
        ({"size": "44 × 63", "paper": "letter"}, "19 cards on 2 sheets", 2),  # 4 × 4 on letter, 6 × 3 across: 18
        ({"what": "tabletop-simulator"}, "19 cards from 2 images", 4),  # each kind has a back of its own
        ({"what": "tabletop-simulator", "backs": "1", "bleed": "nonsense"}, "19 cards from 2 images", 4),
    ],
)
def test_what_is_asked_for_is_printed(
    pack: Path, asked: dict[str, Any], said: str, pages: int
) -> None:
    async def case(server: Served) -> None:
        query = {"pack": str(pack), "lang": "en", **asked}
        shown = await server.client.get("/print/preview", params=query)
        assert told(shown).startswith(said)
        assert (f"1 of {pages}" in told(shown) or f"1 de {pages}" in told(shown)) == (pages > 1)
        file = await server.client.get("/print/file", params=query)
        assert file.status_code == 200
        if asked.get("what") is None:
            assert file.headers["content-disposition"] == 'attachment; filename="gates-cards.pdf"'
            assert len(pypdfium2.PdfDocument(file.content)) == pages

    served(case, pack)


@pytest.mark.slow
def test_pictures_are_those_of_the_pages(pack: Path) -> None:
    """A4 is 297 / 210 times as high as wide; Letter 279.4 / 215.9. A changed file has another address."""

    async def case(server: Served) -> None:
        addresses = []
        for paper, high in (("a4", 1414), ("letter", 1294)):
            query = {"pack": str(pack), "paper": paper, "n": "2"}
            shown = await server.client.get("/print/preview", params=query)
            found = re.search(r'<img class="print-sheet" src="([^"]+)" width="1000" height="(\d+)"', shown.text)
            assert found is not None
            assert abs(int(found[2]) - high) <= 1
            addresses.append(html.unescape(found[1]))
            picture = await server.client.get(addresses[-1])
            assert picture.headers["content-type"] == "image/png"
            width, height = struct.unpack(">II", picture.content[16:24])
            assert (abs(width - 1000) <= 1, abs(height - high) <= 1) == (True, True)
        assert (await server.client.get(addresses[0].replace("&n=2", "&n=4"))).status_code == 404
        (pack / "pack.yaml").write_text(PACK.replace("copies: 5", "copies: 6"), encoding="utf-8")
        shown = await server.client.get("/print/preview", params={"pack": str(pack), "paper": "a4", "n": "2"})
        assert told(shown).startswith("20 cards on 3 sheets")
        assert addresses[0].partition("&of=")[2] not in shown.text
        shown = await server.client.get("/print/preview", params={"pack": str(pack), "paper": "a4", "n": "99"})
        assert "3 of 3" in told(shown), "a number that is too high is the last page"

    served(case, pack)


@pytest.mark.slow
def test_an_archive_for_tabletop_simulator(pack: Path) -> None:
    async def case(server: Served) -> None:
        query = {"pack": str(pack), "what": "tabletop-simulator"}
        files = [await server.client.get("/print/file", params=query) for _ in range(2)]
        assert files[0].content == files[1].content, "the same input gives the same bytes"
        assert "gates-tabletop-simulator.zip" in files[0].headers["content-disposition"]
        with zipfile.ZipFile(io.BytesIO(files[0].content)) as archive:
            images = [f"gates-deck-{number}{back}.png" for number in (1, 2) for back in ("", "-back")]
            assert archive.namelist() == ["gates-deck.json", *images]
            saved = json.loads(archive.read("gates-deck.json"))
        gems, charms = saved["ObjectStates"]
        assert gems["DeckIDs"] == [100] * 12 + [101] * 5
        assert charms["DeckIDs"] == [200] * 2
        assert gems["CustomDeck"]["1"]["FaceURL"] == images[0]

    served(case, pack)


def test_a_rule_book(pack: Path) -> None:
    async def case(server: Served) -> None:
        query = {"pack": str(pack), "what": "rules", "lang": "en", "language": "es"}
        file = await server.client.get("/print/file", params=query)
        assert 'filename="gates-rules.pdf"' in file.headers["content-disposition"]
        document = pypdfium2.PdfDocument(file.content)
        assert "Contenido de la caja" in "".join(page.get_textpage().get_text_range() for page in document)
        many = words_of("en")["print-page-one" if len(document) == 1 else "print-page-n"].format(n=len(document))
        assert told(await server.client.get("/print/preview", params=query)).startswith(many)

    served(case, pack)


def test_the_form_keeps_what_was_asked_for(pack: Path) -> None:
    async def case(server: Served) -> None:
        query = {"pack": str(pack), "size": "44x63", "backs": "1", "players": "3", "only": ["gem/opal", "charm/"]}
        shown = (await server.client.get("/print", params=query)).text
        chosen = re.findall(r'<input type="(?:checkbox|radio)"[^>]*? checked|<input[^>]*?checked>', shown)
        values = {re.search(r'value="([^"]*)"', one)[1] for one in chosen}  # type: ignore[index]
        assert values == {"cards", "a4", "1", "gem/opal", "charm/"}
        assert 'name="size" value="44x63"' in shown
        assert "<option selected>3</option>" in shown
        assert "Ruby &lt;img src=x&gt;" in shown
        assert "<img src=x>" not in shown
        assert " style=" not in shown

    served(case, pack)


LONG = PACK.replace("gem: opal\n", f"gem: opal\ntext: {'lantern ' * 400}\n")


def test_texts_that_do_not_fit_are_named_with_their_place(pack: Path) -> None:
    (pack / "pack.yaml").write_text(LONG, encoding="utf-8")
    line = LONG[: LONG.index("gem: opal")].count("\n") + 1

    async def case(server: Served) -> None:
        for language, said in (
            ("en", "The text of opal is too long"),
            ("es", "El texto de opal es demasiado largo"),
        ):
            reply = await server.client.get("/print/preview", params={"pack": str(pack), "lang": language})
            assert said.lower() in told(reply).lower()
            assert f"pack.yaml:{line}" in told(reply)
            assert str(pack.parent) not in told(reply)

    served(case, pack)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"size": "big"}, "The size must be width and height in mm"),
        ({"bleed": "11"}, "The bleed must be a number from 0 to 10"),
        ({"size": "200x200", "bleed": "10"}, "does not fit on"),
        ({"only": "gem/pearl"}, "gem/pearl not found among the cards"),
        ({"players": "9"}, "players"),
        ({"option:nothing": "1"}, "nothing"),
    ],
)
def test_what_cannot_be_printed_is_said_in_the_preview(
    pack: Path, asked: dict[str, str], said: str
) -> None:
    async def case(server: Served) -> None:
        query = {"pack": str(pack), "lang": "en", **asked}
        preview = await server.client.get("/print/preview", params=query)
        assert said in told(preview)
        assert 'role="alert"' in preview.text
        assert (await server.client.get("/print/file", params=query)).status_code == 422
        assert (await server.client.get("/print", params=query)).status_code == 200

    served(case, pack)


def test_a_pack_with_mistakes_shows_them_and_the_form_stays(pack: Path) -> None:
    (pack / "pack.yaml").write_text(PACK.replace("end game", "ennd game"), encoding="utf-8")

    async def case(server: Served) -> None:
        query = {"pack": str(pack), "lang": "en"}
        assert "did you mean `end`?" in told(await server.client.get("/print/preview", params=query))
        assert (await server.client.get("/print/form", params=query)).status_code == 204
        assert words_of("en")["print-no-form"] in told(await server.client.get("/print", params=query))
        (pack / "pack.yaml").write_text(PACK, encoding="utf-8")
        assert "print-size" in (await server.client.get("/print/form", params=query)).text

    served(case, pack)


# ------------------------------------------------------------------ limits

def test_without_pango_the_preview_says_what_to_install(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    class Missing:
        """Finds weasyprint, which then does not find its library."""

        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "weasyprint":
                raise OSError("cannot load library 'libpango-1.0-0'")

    for name in [name for name in sys.modules if name.partition(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("sys.meta_path", [Missing, *sys.meta_path])

    async def case(server: Served) -> None:
        assert "library Pango" in told(await server.client.get("/print/preview", params={"pack": str(pack)}))
        assert (await server.client.get("/print", params={"pack": str(pack)})).status_code == 200

    served(case, pack)


def test_printing_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    def spinning(*_: object) -> None:
        while True:
            pass

    monkeypatch.setitem(limits.KINDS, "/print/preview", 0.2)
    monkeypatch.setattr(press, "printed", spinning)

    async def case(server: Served) -> None:
        assert words_of("en")["too-long"] in told(
            await server.client.get("/print/preview", params={"pack": str(pack), "lang": "en"})
        )

    served(case, pack)


@pytest.mark.slow
def test_results_are_bounded(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    monkeypatch.setattr(press, "LARGEST", 1_000)

    async def case(server: Served) -> None:
        for what in ("cards", "rules", "tabletop-simulator"):
            query = {"pack": str(pack), "lang": "en", "what": what}
            preview = await server.client.get("/print/preview", params=query)
            assert words_of("en")["print-too-large"] in told(preview)
            assert (await server.client.get("/print/file", params=query)).status_code == 422

    served(case, pack)


def test_requests_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch, pack: Path) -> None:
    monkeypatch.setattr(desk_pages, "MOST_WAITING", 2)

    async def case(server: Served) -> None:
        query = {"pack": str(pack), "lang": "en", "once": "1"}
        parts = ("preview", "file", "file", "preview", "form")
        replies = await asyncio.gather(*(server.client.get(f"/print/{part}", params=query) for part in parts))
        assert [reply.status_code for reply in replies] == [200, 200, 429, 200, 200]
        assert words_of("en")["print-busy"] in told(replies[3])
        assert told(await server.client.get("/print/preview", params=query)).startswith("3 cards")

    served(case, pack)


@pytest.mark.parametrize("address", ["", "/form", "/preview", "/picture", "/file", "/events"])
def test_only_packs_of_this_server_are_printed_for_its_owner(
    pack: Path, address: str
) -> None:
    async def other(server: Served) -> None:
        for query in ({"pack": str(pack)}, {"pack": "/etc"}, {"pack": "coup", "more": str(pack)}, {"pack": "\0"}):
            reply = await server.client.get(f"/print{address}", params=query)
            assert reply.status_code == 422, query
            assert "is not one of the packs of this server" in html.unescape(reply.text)

    async def guest(server: Served) -> None:
        assert (await server.client.get(f"/print{address}", params={"pack": "coup"})).status_code == 403

    served(other)
    served(guest, key="the-key")


def test_the_page_is_told_of_saves_of_its_packs(pack: Path) -> None:
    async def case(server: Served) -> None:
        async with stream(server, f"/print/events?pack={pack}") as events:
            await events.settled()
            assert events.status == 200
            (pack / "pack.yaml").write_text(PACK.replace("copies: 5", "copies: 6"), encoding="utf-8")
            for _ in range(100):
                if b"event: saved" in events.data:
                    break
                await asyncio.sleep(0.05)
            assert b"event: saved" in events.data

    served(case, pack)


def test_a_picture_that_was_saved_is_printed(pack: Path) -> None:
    """The rules are the same as before; only the picture beside them has changed."""
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="{}"/></svg>'
    )
    text = PACK.replace("---\ngem: ruby", "---\nface: gem\npicture: {ruby: ruby.svg}\n---\ngem: ruby")
    (pack / "pack.yaml").write_text(text, encoding="utf-8")

    async def case(server: Served) -> None:
        made = []
        for colour in ("#ff0000", "#00ff00", "#00ff00"):
            (pack / "ruby.svg").write_text(drawing.format(colour), encoding="utf-8")
            made.append((await server.client.get("/print/file", params={"pack": str(pack), "once": "1"})).content)
        assert made[0] != made[1] == made[2]

    served(case, pack)
