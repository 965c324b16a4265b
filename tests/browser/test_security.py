"""Hostile texts are only text, and requests from elsewhere change nothing."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import AsyncExitStack
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import define, field
from starlette.routing import Route

from rulewright.tools.browser.drawing import result
from rulewright.tools.browser.server import tables, watching
from rulewright.tools.browser.server.guards import HEADERS, LARGEST, PICTURES
from rulewright.tools.browser.server.tables import ServerTable
from tests.browser.served import ROOT, Served, serving, stream

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)></title></svg></select><!-- "
MARKUP += '" onclick="x" \' onfocus=\'x '
ADDRESS = "javascript:alert(1) //evil.example/x data:text/html,x &lt;b&gt; &#60;b&#62; {{ 7*7 }} {% raw %}"
LINES = "\nforged\n\tforged"
ACTING = "\u0007\u001b[31m\u009b2J\u202e\u2066\u200f\u2028\u2029\ufeff\u0085\rforged\nforged\t"
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
LONG = "w" * 3_000
NAME = '"><script>x</script>\u202e'
HARMLESS = "words"


# ------------------------------------------------------------------ packs with other texts

def quoted(text: str) -> str:
    return json.dumps(text).strip('"').replace("{", "(").replace("}", ")")


def disguised(pack: str, text: str, folder: Path) -> Path:
    """A copy of a shipped pack in which every English text begins with another one."""
    target = folder / pack
    shutil.copytree(ROOT / "content" / pack, target, ignore=shutil.ignore_patterns("*.md", "scenarios"))
    changed = 0
    for file in target.glob("*.yaml"):
        source = file.read_text("utf-8")
        for pattern, new in (
            (r'(?m)(?<=\{en: )"((?:[^"\\]|\\.)*)"', r'"%s \1"'),
            (r'(?m)(?<=\{en: )([^"{}\n]+?)(?=, es:|\})', r'"%s \1"'),
            (r'(?m)^( +en: )"((?:[^"\\]|\\.)*)"$', r'\1"%s \2"'),
            (r'(?m)^( +en: )([^"{|>#\n]+)$', r'\1"%s \2"'),
        ):
            with_text = new.replace("%s", quoted(text).replace("\\", r"\\"))
            source, count = re.subn(pattern, with_text, source)
            changed += count
        file.write_text(source, "utf-8")
    assert changed > 15
    return target


# ------------------------------------------------------------------ pages

@define
class Structure(HTMLParser):
    """The elements of a page with the names of their attributes, and scripts and styles inside of it."""

    tags: list[tuple[str, ...]] = field(factory=list)
    faults: list[str] = field(factory=list)

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.tags.append((tag, *(name for name, _ in attrs)))
        if tag == "style" or (tag == "script" and not (named.get("src") or "").startswith("/static/")):
            self.faults.append(f"{tag} without a file of the server")
        for name, value in attrs:
            if name == "style" or name.startswith("on"):
                self.faults.append(f"{tag} has {name}")
            outside = re.match(r"(?i)\s*(javascript|data|https?|//)", value or "")
            if name in ("href", "src", "action") and outside:
                self.faults.append(f"{tag} leads to {value}")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(("/", tag))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and data.strip():
            self.faults.append("a script inside of the page")

    def handle_comment(self, data: str) -> None:
        self.tags.append(("<!--", data))


def structure(text: str) -> list[tuple[str, ...]]:
    """The elements of a page. Raises AssertionError if there is a script, a style, or a link to elsewhere in it."""
    parser = Structure()
    parser.feed(text)
    parser.close()
    assert not parser.faults, parser.faults
    return parser.tags


async def pages(served: Served, pack: Path, answers: int) -> dict[str, str]:
    """All pages of a pack: of its form, and of a table at some moments, as text."""
    found: dict[str, str] = {}

    async def get(name: str, path: str) -> None:
        reply = await served.client.get(path)
        assert reply.status_code == 200, f"{path}: {reply.text[:3000]}"
        found[name] = reply.text

    await get("lobby", f"/?pack={pack}")
    await get("form", f"/form?pack={pack}")
    people = [("human", NAME), ("human", NAME)]
    table = await served.open(str(pack), people, (0, 1), speed=0)
    tokens = {one.seats: one.token for one in table.readers.values()}
    here = await served.open(str(pack), people)
    await get("curtain", f"/t/{next(iter(here.readers))}")
    await get("links", f"/t/{tokens[()]}/links")
    for number in range(answers):
        for seat in (0, 1):
            token = tokens[seat,]
            await get(f"page {number} of {seat}", f"/t/{token}")
            decision = (await served.state(token))["decision"]
            if decision is not None:
                await get(f"why {number} of {seat}", f"/t/{token}/why")
                every = [one["key"] for one in decision["options"] for _ in range(one["count"])]
                keys = every[: decision["least"] or min(1, decision["most"])]
                assert (await served.answer(token, decision["stamp"], keys)).status_code == 200
        if table.over:
            break
    await get("watching", f"/t/{tokens[()]}")
    for card in served.hosted(table).rules.program.cards[:3]:
        await get(f"look {card.definition}", f"/t/{tokens[()]}/look?face={card.kind}/{card.definition}")
    if table.over:
        await get("result", f"/t/{tokens[0,]}/result")
    return found


def drawn(pack: str, text: str, folder: Path, answers: int) -> dict[str, str]:
    async def whole() -> dict[str, str]:
        made = disguised(pack, text, folder)
        async with serving(packs=[made]) as served:
            return await pages(served, made, answers)

    return asyncio.run(whole())


def same_pages(pack: str, hostile: str, folder: Path, answers: int, patch: pytest.MonkeyPatch) -> dict[str, str]:
    """Draw a pack with hostile and with harmless texts, and compare the elements of all pages."""
    patch.setattr(result, "LONGEST", 10**9)  # long lines are left out, and hostile texts are longer
    for name in ("one", "other"):
        (folder / name).mkdir()
    one = drawn(pack, hostile, folder / "one", answers)
    other = drawn(pack, HARMLESS, folder / "other", answers)
    assert one.keys() == other.keys()
    for name, text in one.items():
        found = FORBIDDEN.search(text)
        assert found is None, f"{name}: {text[max(0, found.start() - 60) : found.end() + 20]!r}"
        for number, (a, b) in enumerate(zip(structure(text), structure(other[name]), strict=False)):
            assert a == b, f"{name}, element {number}: {a}, with harmless texts {b}"
        assert len(structure(text)) == len(structure(other[name])), name
    return one


def test_markup_in_texts_makes_no_element(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = same_pages("coup", MARKUP + ADDRESS + LINES, tmp_path, 4, monkeypatch)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in found["lobby"]


def test_characters_that_act_are_refused_in_a_pack_and_shown_nowhere(tmp_path: Path) -> None:
    pack = disguised("coup", ACTING, tmp_path)

    async def whole() -> None:
        async with serving(packs=[pack]) as served:
            for path in (f"/?pack={pack}", f"/form?pack={pack}", f"/changes?pack={pack}"):
                reply = await served.client.get(path)
                assert not FORBIDDEN.search(reply.text), path
                structure(reply.text)
            refused = await served.client.post("/tables", data={"pack": str(pack), "kind": ["human"] * 2})
            assert refused.status_code == 422
            assert "RW120" in refused.text
            assert not FORBIDDEN.search(refused.text)

    asyncio.run(whole())


def test_a_text_of_a_hundred_thousand_characters_is_drawn(tmp_path: Path) -> None:
    pack = disguised("tutorial", HARMLESS, tmp_path)
    file = pack / "pack.yaml"
    source = file.read_text("utf-8")
    file.write_text(source.replace("name: {en: ", f"name: {{en: {'w' * 100_000}", 1), "utf-8")

    async def whole() -> None:
        async with serving(packs=[pack]) as served:
            found = await pages(served, pack, 1)
            assert all(structure(text) for text in found.values())

    asyncio.run(whole())


@pytest.mark.slow
@pytest.mark.parametrize("pack", ["tutorial", "coup", "dominion", "rattus-cartus"])
@pytest.mark.parametrize("hostile", [MARKUP + LINES, ADDRESS + LONG])
def test_whole_games_with_hostile_texts(
    pack: str, hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = hostile if pack != "dominion" else hostile[:400]  # its files would be too large
    same_pages(pack, short, tmp_path, 60, monkeypatch)


# ------------------------------------------------------------------ headers, hosts, and origins

def routes(served: Served) -> list[Route]:
    inside: Any = served.app.app
    return [route for route in inside.routes if isinstance(route, Route)]


def places(served: Served, table: ServerTable, method: str) -> list[str]:
    """The addresses of a method, with the token of the table's owner."""
    token = next(iter(table.readers))
    found = [route.path for route in routes(served) if route.methods and method in route.methods]
    values = {"token": token, "pack": "coup", "path": "no.png"}
    return [re.sub(r"\{(\w+)(:\w+)?\}", lambda part: values.get(part[1], "x"), path) for path in found]


def at_a_table(case: Any, **settings: Any) -> None:
    async def whole() -> None:
        async with serving(**settings) as served:
            await case(served, await served.open("coup", [("human", ""), ("human", "")], (1,)))

    asyncio.run(whole())


async def _headers(served: Served, table: ServerTable) -> None:
    token = next(iter(table.readers))
    client = served.client
    replies = [await client.get(path) for path in places(served, table, "GET") if not path.endswith("/events")]
    replies += [await client.get(path) for path in ("/static/table.css", "/static/no.css", "/nowhere", "/t/x")]
    replies += [
        await client.post("/tables", data={"pack": "no-such-pack"}),
        await client.post("/tables", content=b"x" * (LARGEST + 1)),
        await client.post(f"/t/{token}/answer", data={"stamp": "x"}),
        await client.post("/tables", headers={"sec-fetch-site": "cross-site"}),
        await client.request("DELETE", f"/t/{token}"),
        await client.request("PUT", "/"),
        await client.get("/", headers={"host": "evil.example"}),
        await client.get("/", headers={"host": "[evil"}),
        await client.get(f"/t/{token}/look?face=no/such"),
    ]
    assert {200, 303, 403, 404, 405, 409, 413, 421, 422} <= {reply.status_code for reply in replies}
    for reply in replies:
        shown = f"{reply.request.method} {reply.request.url}: {reply.status_code}"
        assert reply.status_code < 500, shown
        picture = reply.headers.get("content-type", "").startswith("image/")
        policy = {"content-security-policy": PICTURES} if picture else {}
        for name, value in {**HEADERS, **policy}.items():
            assert reply.headers.get(name) == value, f"{shown}: {name}"
        if "html" in reply.headers.get("content-type", ""):
            structure(reply.text)
    async with stream(served, f"/t/{token}/events") as opened:
        await opened.settled()
        assert opened.status == 200


@pytest.mark.slow
def test_every_reply_has_the_headers() -> None:
    at_a_table(_headers)


def test_a_picture_that_is_opened_does_nothing() -> None:
    async def whole(served: Served, _table: ServerTable) -> None:
        reply = await served.client.get("/static/icon.svg")
        policy = reply.headers["content-security-policy"]
        assert reply.headers["content-type"] == "image/svg+xml"
        assert "default-src 'none'" in policy
        assert "sandbox" in policy
        assert "script-src" not in policy

    at_a_table(whole)


def test_the_policy_allows_nothing_from_elsewhere() -> None:
    policy = HEADERS["content-security-policy"]
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts.pop("default-src") == parts.pop("base-uri") == parts.pop("frame-ancestors") == "'none'"
    assert set(parts.values()) == {"'self'"}


FOREIGN: list[dict[str, str]] = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "origin": "http://localhost"},
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": ""},
    {"origin": "http://localhost:81"},
    {"origin": "http://localhost.evil.example"},
    {"origin": "http://[evil"},
    {"origin": "http://evil@localhost"},
    {"sec-fetch-site": "same-origin", "origin": "http://evil.example"},
]


async def _origins(served: Served, table: ServerTable) -> None:
    addresses = places(served, table, "POST")
    assert len(addresses) >= 10
    before = await _all_of(served, table)
    for address in addresses:
        for headers in FOREIGN:
            reply = await served.client.post(address, data={"pack": "coup", "kind": ["human"]}, headers=headers)
            assert reply.status_code == 403, f"{address} with {headers}: {reply.status_code}"
    assert await _all_of(served, table) == before
    own = {"sec-fetch-site": "same-origin", "origin": "http://localhost"}
    for headers in ({}, own, {"sec-fetch-site": "none"}):
        reply = await served.client.post(f"/t/{next(iter(table.readers))}/pause", headers=headers)
        assert reply.status_code == 200, headers


CROSS = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
)
"""Pages of other sites that load something of ours."""
LINKED = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


async def _links(served: Served, table: ServerTable) -> None:
    for address in (*places(served, table, "GET"), "/static/table.js"):
        for headers in CROSS:
            reply = await served.client.get(address, headers=headers)
            assert reply.status_code == 403, f"{address} with {headers}: {reply.status_code}"
    assert (await served.client.get("/", headers=LINKED)).status_code == 200
    for site in ("same-origin", "none"):
        assert (await served.client.get("/", headers={"sec-fetch-site": site})).status_code == 200


def test_other_sites_can_only_link_here() -> None:
    async def tried() -> None:
        async with serving() as served:
            await _links(served, await served.open("tutorial", [("human", "Ann"), ("human", "Ben")]))

    asyncio.run(tried())


async def _all_of(served: Served, table: ServerTable) -> tuple[object, ...]:
    """Everything that a change could change."""
    hosted = served.hosted(table)
    readers = tuple((one.token, one.seats, one.facing) for one in table.readers.values())
    numbers = tuple(one.number for one in served.site.tables)
    return (
        numbers, tuple(table.lines), table.epoch, table.paused, table.vote, readers, hosted.course.game.hash,
        hosted.epoch,
    )  # fmt: skip


def test_changes_from_elsewhere_are_refused() -> None:
    at_a_table(_origins)


async def _reading(served: Served, table: ServerTable) -> None:
    before = await _all_of(served, table)
    for path in places(served, table, "GET"):
        if path.endswith("/events"):
            async with stream(served, path) as opened:
                await opened.settled()
            head = await asyncio.wait_for(served.client.head(path), 5)
            assert (head.status_code, head.content) == (200, b""), path
            continue
        for query in ("", "?seat=0", "?lang=es&pack=coup&players=3"):
            for method in ("GET", "HEAD"):
                await served.client.request(method, f"{path}{query}")
    for path in {*places(served, table, "POST")} - {*places(served, table, "GET")}:
        reply = await served.client.get(path, params={"pack": "coup", "kind": "human", "seat": "0"})
        assert reply.status_code in (404, 405) or path in places(served, table, "GET"), path
    assert await _all_of(served, table) == before


@pytest.mark.slow
def test_reading_changes_nothing() -> None:
    at_a_table(_reading)


async def _watching(served: Served, table: ServerTable) -> None:
    spectator = next(one.token for one in table.readers.values() if not one.seats)
    owner = next(iter(table.readers))
    before = await _all_of(served, table)
    posts = [path for path in places(served, table, "POST") if f"/t/{owner}" in path]
    posts.remove(f"/t/{owner}/log")  # how much of the log is shown is each reader's own affair
    for path in posts:
        form = {"seat": "0", "stamp": "", "keys": "x"}
        reply = await served.client.post(path.replace(owner, spectator), data=form)
        assert reply.status_code in (403, 409), f"{path}: {reply.status_code}"
        for wrong in ("x", spectator[:-1], spectator + "A", spectator.swapcase(), "%00", "é"):
            reply = await served.client.post(path.replace(owner, wrong), data={"seat": "0"})
            assert reply.status_code == 404, f"{path}: {reply.status_code}"
    guest = next(one.token for one in table.readers.values() if one.seats == (1,))
    assert (await served.client.post(f"/t/{guest}/remove")).status_code == 403
    assert (await served.client.get(f"/t/{guest}/links")).status_code == 403
    assert await _all_of(served, table) == before


def test_spectators_and_strangers_change_nothing() -> None:
    at_a_table(_watching)


OTHERS = ["evil.example", "localhost.evil.example", "", "evil.example:80", "[::1", "127.0.0.2"]


def test_other_names_of_this_computer_are_refused() -> None:
    async def whole(served: Served, table: ServerTable) -> None:
        for method, path in (("GET", "/"), ("POST", "/tables"), ("GET", "/static/table.css")):
            for host in OTHERS:
                reply = await served.client.request(method, path, headers={"host": host})
                assert reply.status_code == 421, host
        assert (await served.client.get("/static/icon.svg", headers={"host": "LOCALHOST:8000"})).status_code == 200

    at_a_table(whole)


async def _key(served: Served, table: ServerTable) -> None:
    owner = next(iter(table.readers))
    for path in [*places(served, table, "GET"), "/?key=wrong", "/?key="]:
        if path.startswith(("/t/", "/replay/", "/static/")):  # these have tokens of their own, or no secrets
            continue
        refused = 404 if path.startswith("/replay/x") else 403  # an upload has a token of its own
        assert (await served.client.get(path)).status_code == refused, path
    assert (await served.client.post("/tables", data={"pack": "coup"})).status_code == 403
    assert (await served.client.get("/", params={"key": "schlüssel\u202e"})).status_code == 403
    cookie = {"cookie": "rulewright-key=schlüssel".encode()}
    assert (await served.client.get("/", headers=cookie)).status_code == 403  # type: ignore[arg-type]
    assert (await served.client.get(f"/t/{owner}")).status_code == 200
    entered = await served.client.get("/?key=the-key")
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert (await served.client.get("/")).status_code == 200


def test_the_lobby_of_an_open_server_needs_its_key() -> None:
    at_a_table(_key, key="the-key")


# ------------------------------------------------------------------ limits

async def _sizes(served: Served, table: ServerTable) -> None:
    token = next(iter(table.readers))

    async def chunks() -> Any:
        for _ in range(LARGEST // 1000 + 10):
            yield b"stamp=" + b"x" * 994

    form = {"content-type": "application/x-www-form-urlencoded"}
    for path in (f"/t/{token}/answer", "/tables"):
        assert (await served.client.post(path, content=b"x" * (LARGEST + 1), headers=form)).status_code == 413
        assert (await served.client.post(path, content=chunks(), headers=form)).status_code == 413
        for length in ("-1", "x", "9" * 30, "\u0661".encode()):
            reply = await served.client.post(path, content=b"", headers={**form, "content-length": length})
            assert reply.status_code == 400, length
    many = "&".join(f"keys={n}" for n in range(1500))
    assert (await served.client.post(f"/t/{token}/answer", content=many, headers=form)).status_code == 400
    broken = {"content-type": "multipart/form-data; boundary=x"}
    reply = await served.client.post(f"/t/{token}/answer", content=b"--x\r\nno header", headers=broken)
    assert reply.status_code < 500


def test_bodies_are_bounded() -> None:
    at_a_table(_sizes)


FORMS: list[dict[str, Any]] = [
    {},
    {"pack": ""},
    {"pack": "coup"},
    {"pack": "coup", "kind": ["nobody", "human"]},
    {"pack": "coup", "kind": ["human"] * 65},
    {"pack": "coup", "kind": ["human"]},
    {"pack": "coup", "kind": ["human"] * 2, "seed": "9" * 5000},
    {"pack": "coup", "kind": ["human"] * 2, "seed": "-1"},
    {"pack": "coup", "kind": ["human"] * 2, "seed": "\u00b2"},
    {"pack": "coup", "kind": ["human"] * 2, "scenario": "9" * 5000},
    {"pack": "coup", "kind": ["human"] * 2, "scenario": "99999"},
    {"pack": "coup", "kind": ["human"] * 2, "speed": "x"},
    {"pack": "coup", "kind": ["human"] * 2, "option:no-such": "1"},
    {"pack": "coup", "kind": ["human"] * 2, "option:with-inquisitor": "<b>"},
    {"pack": "coup", "kind": ["human"] * 2, "more": ["/etc", "../../etc"]},
    {"pack": "/etc/passwd", "kind": ["human"] * 2},
    {"pack": "../../../etc", "kind": ["human"] * 2},
    {"pack": "\x00", "kind": ["human"] * 2},
    {"pack": "x" * 10_000, "kind": ["human"] * 2},
]


@pytest.mark.slow
def test_a_form_that_makes_no_sense_opens_no_table() -> None:
    async def whole() -> None:
        async with serving() as served:
            for form in FORMS:
                reply = await served.client.post("/tables", data=form)
                assert reply.status_code == 422, f"{str(form)[:200]}: {reply.status_code}: {reply.text[:500]}"
                assert "root:" not in reply.text
                structure(reply.text)
                assert not [*served.site.tables]
                for path in ("/form", "/changes"):
                    again = await served.client.get(path, params=form)
                    assert again.status_code < 500

    asyncio.run(whole())


def test_names_are_bounded_and_harmless() -> None:
    async def whole() -> None:
        async with serving() as served:
            form = {"pack": "coup", "kind": ["human", "human"], "name": ["x" * 1000, "a\u202eb\nc"]}
            reply = await served.client.post("/tables", data=form)
            assert reply.status_code == 303
            names = next(iter(served.site.tables)).spec.names
            assert len(names[0]) == 24
            assert not FORBIDDEN.search("".join(names))

    asyncio.run(whole())


async def _streams(served: Served, table: ServerTable) -> None:
    token = next(iter(table.readers))
    async with stream(served, f"/t/{token}/events") as one, stream(served, f"/t/{token}/events") as other:
        await one.settled()
        await other.settled()
        reply = await served.client.get(f"/t/{token}/events")
        assert reply.status_code == 429
        assert (await served.client.get(f"/t/{token}")).status_code == 200
    assert not table.listeners
    async with stream(served, f"/t/{token}/events") as again:
        await again.settled()
        assert again.status == 200


def test_open_streams_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_STREAMS", 2)
    at_a_table(_streams)


async def _crowd(served: Served, table: ServerTable) -> None:
    owner, *others = table.readers
    async with AsyncExitStack() as crowd:
        for _ in range(3):
            await (await crowd.enter_async_context(stream(served, f"/t/{others[-1]}/events"))).settled()
        assert (await served.client.get(f"/t/{others[-1]}/events")).status_code == 429
        async with stream(served, f"/t/{owner}/events") as own:
            assert b"event: table" in await own.settled()


def test_streams_of_one_reader_do_not_keep_others_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_STREAMS", 3)
    at_a_table(_crowd)


def test_tables_are_bounded_also_if_opened_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def whole() -> None:
        monkeypatch.setattr(tables, "MOST_TABLES", 3)
        async with serving() as served:
            form = {"pack": "tutorial", "kind": ["human", "human"], "seed": "1"}
            replies = await asyncio.gather(*(served.client.post("/tables", data=form) for _ in range(6)))
            assert sorted(reply.status_code for reply in replies) == [303, 303, 303, 429, 429, 429]

    asyncio.run(whole())


def traversals() -> Iterator[str]:
    for start in ("/static/", "/static/vendor/"):
        for way in ("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "//", "....//"):
            for target in ("environment.py", "etc/passwd", "templates/table.html"):
                yield f"{start}{way * 6}{target}"
                yield f"{start}{way}{target}"


def test_only_static_files_are_served() -> None:
    async def whole(served: Served, _table: ServerTable) -> None:
        for path in traversals():
            url = httpx.URL("http://localhost").copy_with(raw_path=path.encode())
            reply = await served.client.send(httpx.Request("GET", url, headers={"host": "localhost"}))
            assert reply.status_code in (404, 405), f"{path}: {reply.status_code}"

    at_a_table(whole)
