"""The gallery: definitions with their texts, search and filters, details, and packs of others."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.tools.browser.desk.gallery import Desk, DeskPack, GalleryQuery, detail, gallery
from rulewright.tools.packs.loading import compile_pack, shipped
from tests.browser.ponds import POND, serving

SHIPPED = sorted(shipped())


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk()


def _pack(desk: Desk, name: str) -> DeskPack:
    return desk.pack(str(shipped()[name]), ())


def _ids(pack: DeskPack, **asked: Any) -> list[str]:
    return [one.id for group in gallery(pack, "en", GalleryQuery(**asked)).groups for one in group.items]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_definition_is_there_once_with_its_text(desk: Desk, name: str) -> None:
    program = compile_pack(str(shipped()[name])).program
    whole = gallery(_pack(desk, name), "en", GalleryQuery())
    items = [one for group in whole.groups for one in group.items]
    assert sorted(one.id for one in items) == sorted(f"{one.kind}/{one.key}" for one in program.definitions)
    texts = {f"{one.kind}/{one.key}": dict(dict(one.texts).get("text", ())) for one in program.definitions}
    for one in items:
        plain = " ".join(texts[one.id].get("en", "").split())
        if plain and "{" not in plain:
            assert " ".join(one.face.paragraphs) == plain
    assert (whole.whole, whole.shown) == (len(items), len(items))


def test_copies_are_those_of_the_game(desk: Desk) -> None:
    """`rulings.md` of the pack and its components: five copies of a building; 8 victory cards between two."""
    whole = gallery(_pack(desk, "rattus-cartus"), "en", GalleryQuery(kind="building"))
    assert {one.copies for group in whole.groups for one in group.items} == {5}
    cards = gallery(_pack(desk, "dominion"), "en", GalleryQuery(find="province"))
    assert [(one.id, one.copies) for group in cards.groups for one in group.items] == [("card/province", 8)]


def test_words_are_searched_in_names_texts_fields_and_files(desk: Desk) -> None:
    pack = _pack(desk, "rattus-cartus")
    assert _ids(pack, find="FARM") == ["building/farm"]
    assert _ids(pack, find="watchtower.yaml") == ["building/watchtower"]
    assert set(_ids(pack, find="take swords")) >= {"building/castle"}
    assert _ids(pack, find="nothing is called like this") == []


def test_filters_go_together(desk: Desk) -> None:
    pack = _pack(desk, "rattus-cartus")
    church = _ids(pack, kind="building", member="class/church")
    assert church == ["building/hospital", "building/monastery"]
    assert _ids(pack, kind="building", member="class/church", find="discard up to") == ["building/hospital"]
    filters = [one.value for one in gallery(pack, "en", GalleryQuery()).members]
    assert filters[:6] == [
        f"class/{name}" for name in ("peasantry", "bourgeoisie", "church", "chivalry", "magic", "royalty")
    ]


def test_a_definition_in_full(desk: Desk) -> None:
    found = detail(_pack(desk, "rattus-cartus"), "en", "building/watchtower")
    assert found is not None
    file = shipped()["rattus-cartus"] / "buildings" / "watchtower.yaml"
    written = file.read_text(encoding="utf-8")
    line = next(n for n, text in enumerate(written.splitlines(), 1) if text.startswith("building: watchtower"))
    assert found.place == f"buildings/watchtower.yaml:{line}"
    effects = {one.file: [line.before for line in one.lines] for one in found.effects}
    assert effects["premium"][0] in written and len(effects["premium"]) > 1
    assert any("step/resolving" in one.id for one in found.used_by)
    assert found.scenarios
    rulings = (shipped()["rattus-cartus"] / "rulings.md").read_text(encoding="utf-8")
    assert [one.number for one in found.rulings] == ["A15", "A40"]
    assert all(f"| {one.number} | {one.question} |" in rulings for one in found.rulings)


@pytest.mark.slow
def test_pages_of_the_gallery(tmp_path: Path) -> None:
    with serving() as client:
        page = client.get("/gallery", params={"pack": "tutorial", "lang": "es"})
        assert page.status_code == 200 and 'lang="es"' in page.text
        ids = re.findall(r'data-card="([^"]+)"', page.text)
        program = compile_pack("tutorial").program
        assert sorted(ids) == sorted(f"{one.kind}/{one.key}" for one in program.definitions)
        part = client.get("/gallery/cards", params={"pack": "tutorial", "find": "queen"})
        assert len(re.findall(r"data-card=", part.text)) == 4 and "<html" not in part.text
        shared = client.get("/gallery", params={"pack": "tutorial", "find": "queen", "card": f"{ids[0]}"})
        assert len(set(re.findall(r'id="card:([^"]+)"', shared.text))) == 4, "an address can be shared"
        assert "Play this card" in shared.text


@pytest.mark.slow
def test_only_packs_of_this_server_are_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "pack.yaml").write_text(POND, encoding="utf-8")
    with serving() as client:
        for path in ("/form", "/gallery", "/gallery/cards", "/gallery/events", "/scenarios", "/scenarios/outcomes"):
            for pack in (str(secret), "/etc", "../..", "tutorial+/etc"):
                reply = client.get(path, params={"pack": pack})
                assert reply.status_code == 422, (path, pack)
                assert "is not one of the packs of this server" in html.unescape(reply.text)
            reply = client.get(path, params={"pack": "tutorial", "more": str(secret)})
            assert reply.status_code == 422 or path == "/form", "the form ignores house rules that are not listed"
        for path in ("/gallery/play", "/gallery/plain", "/scenarios/open"):
            reply = client.post(path, data={"pack": str(secret), "card": "a/b", "number": "0"})
            assert reply.status_code == 422
        changes = client.get("/changes", params={"pack": "tutorial", "more": str(secret)})
        assert changes.status_code == 422
        form = {"pack": str(secret), "kind": ["human", "human"], "language": "en"}
        assert client.post("/tables", data=form, follow_redirects=False).status_code == 422
    with serving(secret) as client:
        assert client.get("/gallery", params={"pack": str(secret)}).status_code == 200


def test_the_desk_is_for_the_owner_of_the_server(tmp_path: Path) -> None:
    with serving(key="secret-key") as client:
        for path in ("/gallery", "/gallery/card", "/gallery/events", "/scenarios"):
            assert client.get(path).status_code == 403
        assert client.post("/gallery/play", data={"pack": "tutorial"}).status_code == 403


@pytest.mark.slow
def test_markup_in_a_pack_is_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    pack = (
        POND.replace("en: Pond", f"en: '{evil}'")
        + f"""\
---
kinds: {{charm: {{}}}}
---
charm: bell
name: {{en: '{evil}', es: x}}
text: {{en: '"{evil}', es: x}}
"""
    )
    (tmp_path / "pack.yaml").write_text(pack, encoding="utf-8")
    with serving(tmp_path) as client:
        page = client.get("/gallery", params={"pack": str(tmp_path), "find": '"><script>', "card": "charm/bell"})
        assert evil not in page.text and "<script>" not in page.text
        whole = client.get("/gallery", params={"pack": str(tmp_path), "card": "charm/bell"})
        assert evil not in whole.text and html.escape(f'"{evil}') in whole.text.replace("&#34;", "&quot;")
