"""A pack that cannot be read is listed with the reason, and all pages of the other packs work."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import httpx
import pytest

from rulewright.tools.browser.host import packs
from rulewright.tools.browser.host.lobby import form_of
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.untrusted import TimeLimitReached
from rulewright.tools.packs import loading
from tests.browser.processes import running
from tests.browser.served import serving

PAGES = ("/", "/?pack=tutorial", "/gallery", "/gallery?pack=tutorial", "/scenarios", "/balance", "/print")
BROKEN = (
    (b"a-caf\xe9", b"pack: a-cafe\nversion: 1.0.0\n", "a-caf\ufffd", "the name of its folder is not UTF-8"),
    (b"a-latin", "pack: a-latin\nname: Caf\xe9\n".encode("latin-1"), "a-latin", "pack.yaml:2:10"),
    (b"a-list", b"- pack: a-list\n", "a-list", "pack.yaml:1:1"),
    (b"a-none", b"verb: rest\n", "a-none", "pack.yaml does not begin with `pack: NAME`"),
    (b"a-open", b"pack: a-open\nname: [a\n", "a-open", "RW"),
    (b"a-large", b"# " + b"x" * 1_100_000 + b"\npack: a-large\n", "a-large", "it is larger than 1048576 bytes"),
)


def test_a_broken_pack_is_listed_and_all_pages_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, text, _, _ in BROKEN:
        place = os.fsencode(tmp_path) + b"/" + folder
        os.mkdir(place)
        with open(place + b"/pack.yaml", "wb") as file:
            file.write(text)
    monkeypatch.chdir(tmp_path)

    async def looked() -> None:
        async with serving() as served:
            for address in PAGES:
                reply = await served.client.get(address)
                assert reply.status_code == 200, f"{address}: {reply.text}"
            text = (await served.client.get("/")).text
            for _, _, name, why in BROKEN:
                row = text.partition(f"/{name}</a></dt><dd>")[2].partition("</dd>")[0]
                assert why in row, f"{name}: {row}"
            for name in ("a-latin", "a-list", "a-open"):
                own = await served.client.get("/gallery", params={"pack": str(tmp_path / name)})
                assert own.status_code == 200, f"{name}: {own.text}"
                assert "pack.yaml" in own.text

    asyncio.run(looked())


FAULTS = (TimeLimitReached(), MemoryError(), RecursionError(), UnicodeEncodeError("utf-8", "", 0, 1, ""))


@pytest.mark.parametrize("error", FAULTS)
def test_the_lobby_names_the_pack_whose_form_fails(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise error

    async def looked() -> None:
        async with serving() as served:
            first = (await served.client.get("/?pack=tutorial")).text
            name = first.partition('id="form-title">')[2].partition("<")[0]
            assert name
            monkeypatch.setattr(f"{form_of.__module__}.form_of", failing)
            reply = await served.client.get("/?pack=tutorial")
            assert reply.status_code == 200
            alert = reply.text.partition('role="alert"')[2].partition("</p>")[0]
            assert alert.rpartition("<p>")[2].startswith(f"{name}: ")

    asyncio.run(looked())


@pytest.mark.parametrize(
    ("address", "function"),
    (("/?pack={pack}", "compile_pack_set"), ("/gallery?pack={pack}", "load_pack_set")),
)
@pytest.mark.parametrize("error", (TimeLimitReached(), MemoryError()))
def test_a_heavy_pack_is_tried_once_for_each_state_of_its_files(
    address: str, function: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[int]()

    def failing(*_: object, **__: object) -> None:
        tried.append(1)
        raise error

    place = tmp_path / "pack.yaml"
    place.write_text("pack: weighty\nversion: 1.0.0\n", "utf-8")

    async def looked() -> None:
        async with serving(packs=[tmp_path]) as served:
            monkeypatch.setattr(f"{loading.__name__}.{function}", failing)
            for count in (1, 1, 1, 2, 2):
                if count == 2 and len(tried) == 1:
                    place.write_text("pack: weighty\nversion: 1.0.1\n", "utf-8")
                reply = await served.client.get(address.format(pack="weighty"))
                assert reply.status_code in (200, 422)
                told = words_of("en")["too-long" if isinstance(error, TimeLimitReached) else "too-much-memory"]
                assert told in reply.text
                assert len(tried) == count
            monkeypatch.setattr(packs, "HEAVY", 60.0)
            for count in (3, 4):  # whatever came before may have used up the time of one that costs little
                place.write_text(f"pack: weighty\nversion: 1.0.{count}\n", "utf-8")
                await served.client.get(address.format(pack="weighty"))
                assert len(tried) == count

    monkeypatch.setattr(packs, "HEAVY", 0.0)
    asyncio.run(looked())


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="names of folders are not bytes there")
def test_a_server_starts_with_broken_packs(tmp_path: Path) -> None:
    folders = []
    for folder, text, _, _ in BROKEN:
        place = os.fsencode(tmp_path) + b"/" + folder
        os.mkdir(place)
        with open(place + b"/pack.yaml", "wb") as file:
            file.write(text)
        folders.append(os.fsdecode(place))
    with running(tmp_path / "data", *folders) as server:
        reply = httpx.get(f"{server.address}/?lang=en", timeout=60, trust_env=False)
        assert reply.status_code == 200
        for _, _, name, why in BROKEN:
            row = reply.text.partition(f"/{name}</a></dt><dd>")[2].partition("</dd>")[0]
            assert why in row, f"{name}: {row}"
        assert server.printed() == ""
