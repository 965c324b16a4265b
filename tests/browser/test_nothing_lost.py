"""An answer is stored before it is acknowledged, and what is refused changes nothing."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import define

from rulewright.tools.browser.server import store as stores
from rulewright.tools.browser.server.store import FORMAT, Store
from rulewright.tools.browser.server.tables import RequestRefused, ServerTable, Vote
from rulewright.tools.browser.server.workers import LocalWorker
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.errors import Usage
from tests.browser import kills
from tests.browser.processes import COMMAND, ROOT, open_table, running, start
from tests.browser.served import Served, serving, stream

WORDS = words_of("en")
PEOPLE = [("human", "Ann"), ("human", "Ben")]


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_no_acknowledged_answer_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    done = kills.run(50, 1, tmp_path)
    assert not done.faults, done.faults
    assert done.count == 50
    assert done.acknowledged > 100


# ------------------------------------------------------------------ answers that are refused

def lines_in(file: Path, table: int = 1) -> list[str]:
    """The lines of a table in the file of a server that has ended."""
    connection = sqlite3.connect(file)
    try:
        rows = connection.execute("SELECT line FROM answers WHERE of = ? ORDER BY number", (table,))
        return [line for (line,) in rows]
    finally:
        connection.close()


def tokens_of(table: ServerTable) -> dict[int, str]:
    return {one.seats[0]: one.token for one in table.readers.values() if one.seats}


async def asked(served: Served, table: ServerTable) -> tuple[int, str, dict[str, Any]]:
    """A seat that decides, its token, and its decision."""
    for seat, token in tokens_of(table).items():
        decision = (await served.state(token))["decision"]
        if decision is not None:
            return seat, token, decision
    raise AssertionError("no player is asked")


def first_keys(decision: dict[str, Any]) -> list[str]:
    """Some answer to a decision."""
    every = [one["key"] for one in decision["options"] for _ in range(one["count"])]
    return every[: decision["least"] or min(1, decision["most"])]


Case = Callable[[Served, ServerTable], Awaitable[None]]


def at_a_table(case: Case, store: Path | None = None) -> None:
    """Carry out a case at a new table of two people, each with a link."""

    async def whole() -> None:
        async with serving(store) as served:
            await case(served, await served.open("coup", PEOPLE, (0, 1)))

    asyncio.run(whole())


async def refused(
    served: Served, table: ServerTable, token: str, form: dict[str, Any], status: int, said: str
) -> None:
    """A refusal says why, brings the table as it is now, and changes nothing."""
    before, at = [*table.lines], served.hosted(table).course.game.hash
    page = await served.client.post(f"/t/{token}/answer", data=form)
    assert page.status_code == status
    assert said in page.text
    if status == 409:
        assert '<div id="table"' in page.text
    told = await served.client.post(f"/t/{token}/answer", data=form, headers={"accept": "application/json"})
    assert (told.status_code, [*told.json()]) == (status, ["refused"])
    assert said in told.json()["refused"]
    assert table.lines == before
    assert served.hosted(table).course.game.hash == at


async def _double(served: Served, table: ServerTable) -> None:
    _, token, decision = await asked(served, table)
    form = {"stamp": decision["stamp"], "keys": first_keys(decision)}
    both = await asyncio.gather(*(served.client.post(f"/t/{token}/answer", data=form) for _ in range(5)))
    assert [reply.status_code for reply in both] == [200] * 5  # it was taken, whichever of them arrived first
    assert len(table.lines) == 1


def test_a_double_click_answers_once() -> None:
    at_a_table(_double)


async def _again(served: Served, table: ServerTable) -> None:
    """Whoever got no reply sends the same again, however long after, and hears that it was taken."""
    seat, token, decision = await asked(served, table)
    income, other = (option["key"] for option in decision["options"][:2])
    for count in (1, 1, 1):
        reply = await served.answer(token, decision["stamp"], [income])
        assert (reply.status_code, reply.json()) == (200, {"ok": True, "saved": False})
        assert len(table.lines) == count
    form = {"stamp": decision["stamp"], "keys": [other]}
    await refused(served, table, token, form, 409, f"{PEOPLE[1 - seat][1]} is asked")
    _, theirs, next_one = await asked(served, table)
    assert theirs != token
    await served.answer(theirs, next_one["stamp"], [income])
    lines = [*table.lines]
    assert len(lines) == 2
    await refused(served, table, token, form, 409, WORDS["refused-stale"])
    await served.client.post(f"/t/{theirs}/undo")
    assert (await served.answer(token, decision["stamp"], [income])).status_code == 200
    assert table.lines == lines
    assert table.vote is not None, "an answer that was there before ends no vote"
    for stamp in (decision["stamp"].replace(".0.", ".9."), ".0.", "x", "..", "0.-1.x", ""):
        await refused(served, table, token, {"stamp": stamp, "keys": [income]}, 409, WORDS["refused-stale"])


def test_an_answer_that_is_sent_again_is_taken_once() -> None:
    at_a_table(_again)


async def _stale(served: Served, table: ServerTable) -> None:
    seat, token, old = await asked(served, table)
    await served.answer(token, old["stamp"], first_keys(old))
    for _ in range(40):
        now, other, decision = await asked(served, table)
        if now == seat:
            break
        await served.answer(other, decision["stamp"], first_keys(decision))
    form = {"stamp": old["stamp"], "keys": [decision["options"][1]["key"]]}
    assert form["keys"] != first_keys(old)
    await refused(served, table, token, form, 409, WORDS["refused-stale"])
    form["stamp"] = decision["stamp"][:-1]
    await refused(served, table, token, form, 409, WORDS["refused-stale"])
    form = {"stamp": decision["stamp"], "keys": ["no-such-option"]}
    await refused(served, table, token, form, 409, "no-such-option")


def test_a_page_that_is_out_of_date_answers_nothing() -> None:
    at_a_table(_stale)


async def _closed(served: Served, table: ServerTable) -> None:
    seat, token, decision = await asked(served, table)
    other = tokens_of(table)[1 - seat]
    form = {"stamp": decision["stamp"], "keys": first_keys(decision)}
    said = f"{PEOPLE[1 - seat][1]} is not asked now; {PEOPLE[seat][1]} is asked."
    await refused(served, table, other, form, 409, said)
    await refused(served, table, other, {**form, "seat": str(seat)}, 403, "does not play that seat")
    for named in ("7", "-1", "x", "9" * 5000, ""):
        await refused(served, table, token, {**form, "seat": named}, 403, "does not play that seat")


def test_who_is_not_asked_answers_nothing() -> None:
    at_a_table(_closed)


async def _in_spanish(served: Served, _: ServerTable) -> None:
    table = await served.open("coup", PEOPLE, (0, 1), language="es")
    seat, token, decision = await asked(served, table)
    form = {"stamp": decision["stamp"], "keys": []}
    await refused(served, table, token, form, 409, "Elige 1; no has elegido ninguna.")
    keys = [option["key"] for option in decision["options"][:1] * 2]
    label = decision["options"][0]["label"]
    twice = f"Has elegido {label} dos veces, pero solo hay una."
    await refused(served, table, token, {**form, "keys": keys}, 409, twice)
    said = f"Ahora no decide {PEOPLE[1 - seat][1]}; decide {PEOPLE[seat][1]}."
    await refused(served, table, tokens_of(table)[1 - seat], form, 409, said)


def test_a_refusal_speaks_the_language_of_the_table() -> None:
    at_a_table(_in_spanish)


def seat_of(table: ServerTable, token: str) -> int:
    return next(seat for seat, one in tokens_of(table).items() if one == token)


async def _undone(served: Served, table: ServerTable) -> None:
    _, token, decision = await asked(served, table)
    form = {"stamp": decision["stamp"], "keys": first_keys(decision)}
    await served.answer(token, **form)
    assert len(table.lines) == 1
    others = [one for one in tokens_of(table).values() if one != token]
    await served.client.post(f"/t/{token}/undo")
    assert len(table.lines) == 1
    await served.client.post(f"/t/{others[0]}/agree", params={"wish": f"{table.epoch}.1.{seat_of(table, token)}"})
    assert table.lines == []
    await refused(served, table, token, form, 409, WORDS["refused-stale"])
    _, again, fresh = await asked(served, table)
    assert again == token
    assert fresh["stamp"] != decision["stamp"]
    await served.answer(token, fresh["stamp"], form["keys"])
    assert len(table.lines) == 1


def test_an_answer_from_before_an_undo_is_refused(tmp_path: Path) -> None:
    at_a_table(_undone, tmp_path / "tables.sqlite")
    assert len(lines_in(tmp_path / "tables.sqlite")) == 1


async def _wishes(served: Served, table: ServerTable) -> None:
    """Ann withdraws her wish, then Ben has one. Who agrees to the first does not agree to the second."""
    wishes = []
    for _ in range(2):
        seat, token, decision = await asked(served, table)
        await served.answer(token, decision["stamp"], first_keys(decision))
        wishes.append((token, seat))
    (ann, _), (ben, seat) = wishes
    lines = [*table.lines]
    await served.client.post(f"/t/{ann}/undo")
    assert table.vote is not None
    first, second = table.vote.wish, f"{table.epoch}.2.{seat}"
    await served.client.post(f"/t/{ann}/refuse", params={"wish": first})
    assert table.vote is None
    await served.client.post(f"/t/{ben}/undo")
    page = await served.client.get(f"/t/{ann}/fragment")
    assert f"/agree?wish={second}" in page.text
    for wish in (first, "", "0.0.0"):
        told = await served.client.post(f"/t/{ann}/agree", params={"wish": wish})
        assert WORDS["undo-gone"] in told.text
        assert table.lines == lines
    await served.client.post(f"/t/{ann}/agree", params={"wish": second})
    assert table.lines == lines[:1]


def test_who_agrees_to_an_undo_names_the_wish() -> None:
    at_a_table(_wishes)


async def _finished(served: Served, table: ServerTable) -> None:
    """A replay shows all hands, so nobody can go back into the game, not even by a wish of before its end."""
    while not table.over:
        _, token, decision = await asked(served, table)
        await served.answer(token, decision["stamp"], first_keys(decision))
    lines = [*table.lines]
    for token in tokens_of(table).values():
        told = await served.client.post(f"/t/{token}/undo")
        assert WORDS["undo-over"] in told.text
        assert (table.lines, table.vote) == (lines, None)
    table.vote = Vote(0, "wish", {tokens_of(table)[0]})
    told = await served.client.post(f"/t/{tokens_of(table)[1]}/agree", params={"wish": "wish"})
    assert WORDS["undo-over"] in told.text
    assert table.lines == lines


def test_no_undo_after_the_end() -> None:
    at_a_table(_finished)


async def _over(served: Served, table: ServerTable) -> None:
    for _ in range(2000):
        if table.over:
            break
        _, token, decision = await asked(served, table)
        await served.answer(token, decision["stamp"], first_keys(decision))
    await refused(served, table, token, {"stamp": decision["stamp"], "keys": []}, 409, "The game is over.")


def test_nothing_is_answered_after_the_end() -> None:
    at_a_table(_over)


async def _gone(served: Served, table: ServerTable) -> None:
    """A person whose connection breaks in the middle of an answer has answered."""
    _, token, decision = await asked(served, table)
    reader = table.reader(token)
    keys = first_keys(decision)
    answering = asyncio.create_task(
        served.site.tables.answer(table, reader, reader.seats[0], decision["stamp"], keys)
    )
    await asyncio.sleep(0)
    answering.cancel()
    for _ in range(200):
        await asyncio.sleep(0.001)
    assert len(table.lines) == served.hosted(table).course.answers == 1


def test_a_broken_connection_leaves_no_half_answer(tmp_path: Path) -> None:
    at_a_table(_gone, tmp_path / "tables.sqlite")
    assert len(lines_in(tmp_path / "tables.sqlite")) == 1


def test_nobody_hears_of_an_answer_before_it_is_on_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    free, commit = threading.Event(), Store._commit
    free.set()

    def waiting(store: Store, jobs: Any) -> None:
        assert free.wait(20)
        commit(store, jobs)

    async def case(served: Served, table: ServerTable) -> None:
        seat, token, decision = await asked(served, table)
        async with stream(served, f"/t/{tokens_of(table)[1 - seat]}/events") as other:
            before = await other.settled()
            free.clear()
            task = asyncio.create_task(served.answer(token, decision["stamp"], first_keys(decision)))
            await asyncio.sleep(0.2)
            assert not task.done()
            assert await other.settled() == before
            free.set()
            assert (await task).json() == {"ok": True, "saved": True}
            assert await other.settled() != before

    monkeypatch.setattr(Store, "_commit", waiting)
    at_a_table(case, tmp_path / "tables.sqlite")


# ------------------------------------------------------------------ files that cannot be written

@define
class Disk:
    """A disk that has room, or not."""

    full: bool = False


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """A disk that can be full: then writes of the store fail as SQLite fails."""
    made = Disk()
    commit = Store._commit

    def failing(store: Store, jobs: Any) -> None:
        if made.full:
            raise sqlite3.OperationalError("database or disk is full")
        commit(store, jobs)

    monkeypatch.setattr(Store, "_commit", failing)
    monkeypatch.setattr(stores, "RETRY", 0.05)
    yield made


async def _full(served: Served, table: ServerTable, disk: Disk) -> None:
    _, token, decision = await asked(served, table)
    disk.full = True
    reply = await served.answer(token, decision["stamp"], first_keys(decision))
    assert reply.json() == {"ok": True, "saved": False}
    page = (await served.client.get(f"/t/{token}")).text
    assert "This game is not being saved: database or disk is full." in page
    second = await served.open("tutorial", PEOPLE, (0, 1))
    for _ in range(5):
        _, token, decision = await asked(served, table)
        await served.answer(token, decision["stamp"], first_keys(decision))
    removed = await served.open("tutorial", PEOPLE, (0, 1))
    await served.site.tables.remove(removed)
    assert len(table.lines) == 6
    disk.full = False
    for _ in range(100):
        await asyncio.sleep(0.02)
        if not served.site.tables.store.trouble:
            break
    assert "not being saved" not in (await served.client.get(f"/t/{token}")).text
    _, token, decision = await asked(served, second)
    reply = await served.answer(token, decision["stamp"], first_keys(decision))
    assert reply.json() == {"ok": True, "saved": True}


def test_a_full_disk_is_announced_and_made_up_for(tmp_path: Path, disk: Disk) -> None:
    file = tmp_path / "tables.sqlite"

    async def whole() -> None:
        async with serving(file) as served:
            table = await served.open("coup", PEOPLE, (0, 1))
            await _full(served, table, disk)
            assert table.number == 1
            kept.extend(table.lines)

    kept: list[str] = []
    asyncio.run(whole())
    assert lines_in(file) == kept
    assert len(kept) == 6
    assert len(lines_in(file, 2)) == 1
    store = Store(file)
    assert [table.id for table in store.open()] == [1, 2]
    store.close()


def test_only_what_was_announced_is_lost(tmp_path: Path, disk: Disk) -> None:
    file, saved = tmp_path / "tables.sqlite", list[bool]()

    async def whole() -> None:
        async with serving(file) as served:
            table = await served.open("coup", PEOPLE, (0, 1))
            for number in range(6):
                disk.full = number >= 4
                _, token, decision = await asked(served, table)
                reply = await served.answer(token, decision["stamp"], first_keys(decision))
                saved.append(reply.json()["saved"])

    asyncio.run(whole())
    assert saved == [True, True, True, True, False, False]
    assert len(lines_in(file)) == 4


def test_a_folder_that_cannot_be_written_is_announced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file in the place of the folder: nobody can make a folder there, not even root."""
    (tmp_path / "data").write_text("a file")

    async def whole() -> None:
        monkeypatch.setattr(stores, "RETRY", 0.05)
        async with serving(tmp_path / "data" / "tables.sqlite") as served:
            table = await served.open("coup", PEOPLE, (0, 1))
            _, token, decision = await asked(served, table)
            assert "not being saved" in (await served.client.get(f"/t/{token}")).text
            reply = await served.answer(token, decision["stamp"], first_keys(decision))
            assert reply.json() == {"ok": True, "saved": False}
            (tmp_path / "data").unlink()
            for _ in range(100):
                await asyncio.sleep(0.02)
                if not served.site.tables.store.trouble:
                    break
            assert "not being saved" not in (await served.client.get(f"/t/{token}")).text
            assert len(table.lines) == 1

    asyncio.run(whole())
    assert len(lines_in(tmp_path / "data" / "tables.sqlite")) == 1


@pytest.mark.slow
def test_a_real_file_without_room(tmp_path: Path) -> None:
    """The operating system refuses to let the file grow (RLIMIT_FSIZE, with its signal ignored)."""
    limit = "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY)); "
    limit += "import os; os.execv(sys.argv[1], sys.argv[1:])"

    async def whole(address: str) -> int:
        async with httpx.AsyncClient(base_url=address, timeout=30) as client:
            for _ in range(30):
                opened = await open_table(client, "dominion", ["link", "link"], speed=0)
                page = (await client.get(opened.seats[0])).text
                if "This game is not being saved" in page:
                    told = (await client.get(f"{opened.seats[0]}/state.json")).json()
                    assert told["version"] == 1
                    return 1
        return 0

    with running(tmp_path / "data", before=[sys.executable, "-c", limit]) as server:
        assert asyncio.run(whole(server.address))
        assert "Traceback" not in server.printed()


# ------------------------------------------------------------------ files that are not ours

def damaged(file: Path) -> None:
    file.write_bytes(b"this is no database" * 100)


def newer(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE tables (later)")
    connection.execute(f"PRAGMA user_version={FORMAT + 1}")
    connection.close()


def of_others(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE recipes (name)")
    connection.close()


def torn(file: Path) -> None:
    store = Store(file)
    store.open()
    store.close()
    data = bytearray(file.read_bytes())
    data[len(data) // 4 :] = b"\x5a" * (len(data) - len(data) // 4)
    file.write_bytes(data)


@pytest.mark.parametrize("make", [damaged, newer, of_others, torn], ids=lambda make: make.__name__)
def test_a_file_that_is_not_ours_stays_as_it_is(make: Callable[[Path], None], tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    make(file)
    before = file.read_bytes()
    with pytest.raises(Usage, match=r"--data"):
        Store(file).open()
    assert file.read_bytes() == before


@pytest.mark.slow
def test_the_command_says_so_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_bytes(b"this is no database" * 100)
    ran = subprocess.run([*COMMAND, "--data", str(tmp_path)], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert ran.returncode == 2
    assert "move it away" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not ran.stdout


def test_a_second_server_does_not_get_the_file(tmp_path: Path) -> None:
    first = Store(tmp_path / "tables.sqlite")
    first.open()
    with pytest.raises(Usage, match="another server uses"):
        Store(tmp_path / "tables.sqlite").open()
    first.close()
    third = Store(tmp_path / "tables.sqlite")
    assert third.open() == []
    third.close()


@pytest.mark.slow
def test_a_second_process_is_refused_and_one_after_a_kill_is_not(tmp_path: Path) -> None:
    server = start(tmp_path / "data")
    ran = subprocess.run(
        [*COMMAND, "--data", str(tmp_path / "data")], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert ran.returncode == 2
    assert "another server uses" in ran.stderr
    server.kill()
    start(tmp_path / "data").kill()


# ------------------------------------------------------------------ tables that are removed

def test_a_removed_table_is_not_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that shows a table, and bots that play there, end with it; no worker keeps it."""
    asked, timed = list[str](), LocalWorker.timed

    async def noted(worker: LocalWorker, request: dict[str, Any]) -> Any:
        asked.append(request["do"])
        return await timed(worker, request)

    monkeypatch.setattr(LocalWorker, "timed", noted)

    async def whole() -> None:
        async with serving() as served:
            table = await served.open("coup", [("human", ""), ("random", ""), ("random", "")], speed=600)
            number, token = str(table.number), next(one.token for one in table.readers.values() if one.owner)
            async with stream(served, f"/t/{token}/events") as shown:
                await shown.settled()
                opened = asked.count("open")
                reply = await served.client.post(f"/t/{token}/remove")
                assert reply.status_code == 303
                await shown.settled()
                served.site.tables.drive(table)
                with pytest.raises(RequestRefused):
                    await served.site.tables.step(table)
                await asyncio.sleep(0)
            assert asked.count("open") == opened == 1
            assert number not in served.worker().host.tables
            assert not table.listeners
            for path in ("", "/fragment", "/events", "/state.json"):
                assert (await served.client.get(f"/t/{token}{path}")).status_code == 404

    asyncio.run(whole())


# ------------------------------------------------------------------ pages that are drawn twice at once

def test_a_stream_that_drew_the_curtain_draws_the_table_once_it_is_lifted() -> None:
    """The curtain of a stream can arrive after the reply of the button, and would hide the table again."""

    async def whole() -> None:
        async with serving() as served:
            table = await served.open("tutorial", [("human", ""), ("human", "")])
            owner = next(one for one in table.readers.values() if one.owner)
            async with stream(served, f"/t/{owner.token}/events") as shown:
                before = await shown.settled()
                assert b'id="curtain"' in before
                seat = table.shown(owner).seat
                reply = await served.client.post(f"/t/{owner.token}/face", data={"seat": seat})
                assert 'id="answer"' in reply.text
                assert b'id="answer"' in (await shown.settled()).removeprefix(before)

    asyncio.run(whole())
