"""Tables of a pack that has mistakes or is gone open under their rules and with their names."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from rulewright.tools.browser.host import worker
from rulewright.tools.browser.host.requests import Host
from rulewright.tools.browser.host.spec import packed, unpacked
from rulewright.tools.browser.server.site import ServerSite
from rulewright.tools.browser.server.store import FORMAT, Store
from rulewright.tools.packs import loading
from tests.browser.ponds import POND, opened, serving, soon

NAMED = POND.replace("coins: {scope: player}", "coins: {scope: player, name: {en: shiny shells, es: conchas}}")
SCENARIO = (
    NAMED
    + """\
---
scenario: two jobs
players: [ann, ben]
when:
  - ann: {choice: work}
  - then: ["ann's coins is 2"]
  - ben: {choice: work}
then:
  - turns is 2
"""
)

Break = Callable[[Path], None]


def a_mistake(file: Path) -> None:
    file.write_text(file.read_text("utf-8").replace("fish += 1", "fsh += 1"), "utf-8")


def half_a_file(file: Path) -> None:
    file.write_text("pack: [", "utf-8")


def an_empty_file(file: Path) -> None:
    file.write_text("", "utf-8")


def another_pack(file: Path) -> None:
    file.write_text("pack: other\nplayers: 1\n---\nwinner: all\namong: players\n", "utf-8")


def no_folder(file: Path) -> None:
    shutil.rmtree(file.parent)


BREAKS = (a_mistake, half_a_file, an_empty_file, another_pack, no_folder)
LONG_BREAKS = tuple(pytest.param(one, marks=pytest.mark.browser) for one in BREAKS[1:])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "pond-of-the-names" / "pack.yaml"
    made.parent.mkdir()
    made.write_text(NAMED, "utf-8")
    return made


def answered(client: httpx.Client, at: str, key: str) -> str:
    stamp = re.search(r'data-stamp="([^"]+)"', client.get(at).text)
    assert stamp is not None
    reply = client.post(f"{at}/answer", data={"stamp": stamp[1], "keys": key})
    assert reply.status_code == 200, reply.text
    return reply.text


def in_force(client: httpx.Client, at: str) -> None:
    """The table has its title and names, and the game goes on by its rules: work gives two coins."""
    reply = client.get(at)
    assert reply.status_code == 200
    assert "<title>Pond" in reply.text
    before = shells(client, at)
    assert 'data-option="angle"' in reply.text
    assert "shiny shells" in answered(client, at, "work"), "it is shown by keys"
    assert shells(client, at) == before + 2


def shells(client: httpx.Client, at: str) -> int:
    found = client.get(f"{at}/state.json").json()["tracks"]
    return next(int(one["values"][0]) for one in found if one["key"] == "coins")


@pytest.mark.parametrize("wrong", BREAKS)
def test_a_worker_opens_a_table_with_its_names(file: Path, wrong: Break) -> None:
    spec = {"pack": str(file.parent), "seats": [["human", ""]] * 2, "seed": 1, "language": "en"}
    request = {"do": "open", "table": "1", "language": "en", "spec": spec}
    first = worker.answered(Host(), request)["result"]
    wrong(file)
    host = Host()
    again = worker.answered(host, {**request, "program": first["program"], "files": first["files"]})["result"]
    assert (again["program"], again["files"]) == (first["program"], ""), "the same rules, and files that are known"
    assert again["folders"] == first["folders"], "they are watched for the repair"
    table = host.tables["1"]
    assert table.title == "Pond"
    assert table.rules.naming.texts.name("en", "track", "coins") == "shiny shells"


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [a_mistake, *LONG_BREAKS])
def test_a_server_starts_while_the_pack_is_broken(file: Path, tmp_path: Path, wrong: Break) -> None:
    store = tmp_path / "tables.sqlite"
    with serving(file.parent, store=store) as client:
        at = opened(client, str(file.parent), ("human", "random"), speed="0")
        answered(client, at, "work")
    wrong(file)
    with serving(*([file.parent] if file.parent.exists() else []), store=store) as client:
        in_force(client, at)
        assert client.get("/").status_code == 200, "the lobby, too"
        file.parent.mkdir(exist_ok=True)
        file.write_text(NAMED.replace("gain 2 coins", "gain 9 coins"), "utf-8")
        soon(lambda: client.get(at), "goes on by the new rules")
        assert shells(client, at) == 18, "twice, and for nine now"


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [a_mistake, no_folder])
def test_a_worker_is_killed_while_the_pack_is_broken(file: Path, wrong: Break) -> None:
    sites: list[ServerSite] = []
    with serving(file.parent, sites=sites) as client:
        at = opened(client, str(file.parent), ("human", "random"), speed="0")
        answered(client, at, "work")
        wrong(file)
        soon(lambda: client.get(at), "mistake in the saved files" if wrong is a_mistake else "cannot be played")
        killed(sites[0])
        in_force(client, at)
        file.parent.mkdir(exist_ok=True)
        file.write_text(NAMED, "utf-8")
        soon(lambda: client.get(at), "data-stamp", without="mistake in the saved files")


def killed(site: ServerSite) -> None:
    """All workers of tables end without a warning."""
    workers = site.tables.workers
    for one in (*(workers.of(number) for number in range(workers.count)), workers.desk):
        if one.pid is not None:
            os.kill(one.pid, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [a_mistake, pytest.param(no_folder, marks=pytest.mark.browser)])
def test_a_table_of_a_scenario(file: Path, tmp_path: Path, wrong: Break) -> None:
    file.write_text(SCENARIO, "utf-8")
    store = tmp_path / "tables.sqlite"
    sites: list[ServerSite] = []
    with serving(file.parent, store=store, sites=sites) as client:
        reply = client.post("/scenarios/open", data={"pack": str(file.parent), "number": "0"})
        assert reply.status_code == 303, reply.text
        at = reply.headers["location"]
        client.post(f"{at}/next-step", follow_redirects=True)
        wrong(file)
        killed(sites[0])
        page = client.get(at).text
        assert "shiny shells" in page and "two jobs" in page
        assert shells(client, at) == 2
    with serving(*([file.parent] if file.parent.exists() else []), store=store) as client:
        page = client.post(f"{at}/face", data={"seat": "0"}).text
        assert "shiny shells" in page and "two jobs" in page, "its steps are known, too"
        client.post(f"{at}/next-step", follow_redirects=True)
        assert client.get(f"{at}/state.json").json()["tracks"][0]["values"][:2] == [2, 2]


@pytest.mark.slow
def test_old_rules_that_were_kept_have_their_old_names(file: Path, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite"
    with serving(file.parent, store=store) as client:
        at = opened(client, str(file.parent), ("human", "random"), speed="0")
        answered(client, at, "angle")
        text = file.read_text("utf-8")
        file.write_text(text.replace("      angle: fish += 1\n", "").replace("shiny shells", "doubloons"), "utf-8")
        soon(lambda: client.get(at), "The new rules change this game")
        client.post(f"{at}/keep", follow_redirects=True)
    with serving(file.parent, store=store) as client:
        in_force(client, at)


@pytest.mark.slow
def test_texts_that_were_saved_last_are_those_that_are_kept(file: Path, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite"
    with serving(file.parent, store=store) as client:
        at = opened(client, str(file.parent), ("human", "random"), speed="0")
        answered(client, at, "work")
        file.write_text(NAMED.replace("shiny shells", "doubloons"), "utf-8")
        soon(lambda: client.get(at), "doubloons")
    no_folder(file)
    with serving(store=store) as client:
        assert "doubloons" in client.get(at).text


# ------------------------------------------------------------------ what is stored

@pytest.mark.slow
def test_files_are_stored_once_for_all_tables_of_a_pack(file: Path, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite"
    with serving(file.parent, store=store) as client:
        tables = [opened(client, str(file.parent), ("human", "random"), speed="0") for _ in range(3)]
        file.write_text(NAMED.replace("gain 2 coins", "gain 3 coins"), "utf-8")
        soon(lambda: client.get(tables[2]), "goes on by the new rules")
        for at in tables[1:]:
            soon(lambda at=at: client.get(at), "goes on by the new rules")
        soon(lambda: client.get(tables[0]), "goes on by the new rules")
    connection = sqlite3.connect(store)
    (count,) = connection.execute("SELECT count(*) FROM files").fetchone()
    connection.close()
    assert count == 1, "what no table needs any more is dropped"


def test_packed_files_are_the_same_when_unpacked(file: Path) -> None:
    (file.parent / "bytes.yaml").write_bytes(b"# \xff\x00\xe9\n")
    packs = loading.read_pack_set(str(file.parent))
    again = unpacked(packed(packs))
    assert [one.files for one in again.files] == [one.files for one in packs.files]
    assert [one.pictures for one in again.files] == [one.pictures for one in packs.files]
    assert packed(again) == packed(packs)


@pytest.mark.parametrize("text", ["x", "AAAA", "eJw=", packed(loading.read_pack_set("tutorial"))[:-40]])
def test_damaged_files_are_no_files(text: str) -> None:
    with pytest.raises(ValueError):
        unpacked(text)


OLD = """
CREATE TABLE tables (id INTEGER PRIMARY KEY, spec TEXT NOT NULL, program TEXT NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0, place TEXT NOT NULL DEFAULT '', over INTEGER NOT NULL DEFAULT 0);
CREATE TABLE programs (hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE readers (token TEXT PRIMARY KEY, of INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE,
  seats TEXT NOT NULL, owner INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE answers (of INTEGER NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  line TEXT NOT NULL, PRIMARY KEY (of, number)) WITHOUT ROWID;
INSERT INTO tables VALUES
  (3, '{"pack": "tutorial", "seats": [["human", ""], ["random", ""]]}', 'h', 0, 'Turn 1', 0);
INSERT INTO programs VALUES ('h', '{}');
INSERT INTO readers VALUES ('token', 3, '[0]', 1);
PRAGMA user_version=1;
"""


def test_a_file_of_the_first_format_is_read_and_becomes_one_of_the_last(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(OLD)
    connection.close()
    path.chmod(0o600)
    for _ in range(2):
        store = Store(path)
        (table,) = store.open()
        store.close()
        assert (table.id, table.rules.hash, table.rules.files, table.place) == (3, "h", "", "Turn 1")
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "files" in tables and "programs" not in tables
    connection.close()


def test_a_file_of_the_first_format_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(OLD)
    connection.close()

    def refused(_path: Path) -> sqlite3.Connection:
        raise PermissionError("read-only")

    store = Store(path, refused)
    (table,) = store.open()
    store.close()
    assert table.rules.hash == "h" and store.trouble
