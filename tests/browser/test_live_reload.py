"""Live reload over HTTP: saves are noticed, shown to owners only, and survive a restart."""

from __future__ import annotations

import re
import shutil
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.browser.ponds import POND, opened, serving, soon

HIDDEN = ("fsh", "RW4", "pack.yaml")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a pack; the name of its folder is long enough to be no other's."""
    made = tmp_path / "pond-of-the-test" / "pack.yaml"
    made.parent.mkdir()
    made.write_text(POND, encoding="utf-8")
    return made


def _save(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def _answer(client: httpx.Client, at: str, key: str) -> str:
    page = client.get(at).text
    if "curtain" in page and "data-stamp" not in page:
        seat = re.search(r'"seat": "(\d)"', page)
        assert seat is not None
        page = client.post(f"{at}/face", data={"seat": seat[1]}).text
    stamp = re.search(r'data-stamp="([^"]+)"', page)
    assert stamp is not None
    reply = client.post(f"{at}/answer", data={"stamp": stamp[1], "keys": key})
    assert reply.status_code == 200, reply.text
    return reply.text


def _coins(client: httpx.Client, at: str) -> list[int]:
    """The coins that the table's page shows, by seat."""
    page = client.get(at).text
    return [int(one) for one in re.findall(r"<dt>coins</dt><dd[^>]*>(\d+)", page)]


@pytest.mark.slow
def test_a_mistake_its_repair_and_who_is_told(file: Path) -> None:
    with serving(file.parent) as client:
        at = opened(client, str(file.parent), ("human", "link"))
        others = set(re.findall(r"/t/[\w-]+", client.get(f"{at}/links").text)) - {at}
        _save(file, "fish += 1", "fsh += 1")
        page = soon(lambda: client.get(at), "1 mistake in the saved files")
        assert "<mark>fsh</mark>" in page and "pack.yaml" in page
        for other in others:
            theirs = client.get(other).text
            assert "goes on under the rules as they were" in theirs
            assert not any(word in theirs for word in HIDDEN), "it shows source"
            assert client.post(f"{other}/go-on").status_code == 403
            assert client.post(f"{other}/hide-saved").status_code == 403
        hidden = client.post(f"{at}/hide-saved", follow_redirects=True).text
        assert "<mark>" not in hidden and "cannot be played" in hidden
        shown = client.post(f"{at}/show-saved", follow_redirects=True).text
        assert "<mark>fsh</mark>" in shown
        assert "data-stamp" in _answer(client, at, "angle"), "the game goes on under the old rules"
        _save(file, "fsh += 1", "fish += 1")
        soon(lambda: client.get(at), "data-stamp", without="in the saved files")
        soon(lambda: client.get(next(iter(others))), "table", without="goes on under the rules as they were")


@pytest.mark.slow
def test_new_rules_survive_a_restart(file: Path, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite"
    with serving(file.parent, store=store) as client:
        at = opened(client, str(file.parent), ("human", "human"))
        _answer(client, at, "work")
        _answer(client, at, "work")
        _answer(client, at, "work")
        _save(file, "    options:\n", "    when: turns is not 1\n    options:\n")
        page = soon(lambda: _faced(client, at), "The new rules change this game")
        assert "Answers that fit the new rules: 1." in page
        page = client.post(f"{at}/go-on", follow_redirects=True).text
        journal = client.get(f"{at}/journal").text.splitlines()
        answers = [line for line in journal if "turn.act.choice" in line and line.startswith("[")]
        assert len(answers) == 1
    with serving(file.parent, store=store) as client:
        again = client.get(f"{at}/journal").text.splitlines()
        assert again == journal, "the same program and the same answers"
        _answer(client, at, "rest")


@pytest.mark.slow
def test_old_rules_that_were_kept_survive_a_restart(file: Path, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite"
    with serving(file.parent, store=store) as client:
        at = opened(client, str(file.parent), ("human", "human"))
        _answer(client, at, "angle")
        journal = client.get(f"{at}/journal").text
        _save(file, "      angle: fish += 1\n", "")
        soon(lambda: _faced(client, at), "The new rules change this game")
        page = client.post(f"{at}/keep", follow_redirects=True).text
        assert "The new rules change" not in page
    with serving(file.parent, store=store) as client:
        assert client.get(f"{at}/journal").text == journal
        assert 'data-option="angle"' in _faced(client, at).text


def _faced(client: httpx.Client, at: str) -> httpx.Response:
    """The table as the second player sees it, with the curtain lifted."""
    return client.post(f"{at}/face", data={"seat": "1"})


@pytest.mark.slow
def test_saves_in_quick_succession(file: Path) -> None:
    """Whatever is saved last is played, however many saves there were before."""
    with serving(file.parent) as client:
        at = opened(client, str(file.parent), ("human", "random"))
        _answer(client, at, "work")
        for coins in range(3, 13):
            _save(file, f"gain {coins - 1} coins", f"gain {coins} coins")
            if coins % 3 == 0:
                _save(file, "fish += 1", "fsh += 1")
                time.sleep(0.02)
                _save(file, "fsh += 1", "fish += 1")
            time.sleep(0.05)
        until = time.monotonic() + 15
        while 12 not in _coins(client, at) and time.monotonic() < until:
            time.sleep(0.1)
        assert _coins(client, at)[0] == 12
        assert "in the saved files" not in client.get(at).text


@pytest.mark.slow
def test_a_folder_that_is_replaced(file: Path) -> None:
    with serving(file.parent) as client:
        at = opened(client, str(file.parent), ("human", "random"))
        _answer(client, at, "work")
        aside = file.parent.with_name("aside")
        file.parent.rename(aside)
        soon(lambda: client.get(at), "The saved pack cannot be played here")
        shutil.copytree(aside, file.parent)
        soon(lambda: client.get(at), "data-stamp", without="cannot be played")
        _save(file, "gain 2 coins", "gain 7 coins")
        until = time.monotonic() + 15
        while 7 not in _coins(client, at) and time.monotonic() < until:
            time.sleep(0.1)
        assert _coins(client, at)[0] == 7


@pytest.mark.slow
def test_the_gallery_is_told(file: Path) -> None:
    with serving(file.parent) as client:
        heard: list[str] = []

        def listen() -> None:
            with client.stream("GET", "/gallery/events", params={"pack": str(file.parent)}) as stream:
                for line in stream.iter_lines():
                    heard.append(line)
                    if line == "event: saved":
                        return

        thread = threading.Thread(target=listen)
        thread.start()
        until = time.monotonic() + 10
        while not heard and time.monotonic() < until:
            time.sleep(0.05)
        word = "fish"
        for mistake in ("fsh", "fshi", "fsih"):  # on a busy machine the first save may come before the watch begins
            time.sleep(0.3)
            _save(file, f"{word} += 1", f"{mistake} += 1")
            word = mistake
            thread.join(10)
            if not thread.is_alive():
                break
        assert "event: saved" in heard
        page = client.get("/gallery", params={"pack": str(file.parent)}).text
        assert "1 mistake in the saved files" in page and f"<mark>{word}</mark>" in page


@pytest.mark.slow
def test_a_finished_game_stays_as_it_was(file: Path) -> None:
    with serving(file.parent) as client:
        at = opened(client, str(file.parent), ("human", "human"))
        for _ in range(8):
            _answer(client, at, "work")
        assert client.get(f"{at}/result").status_code == 200
        _save(file, "gain 2 coins", "gain 3 coins")
        time.sleep(1.5)
        assert "new rules" not in client.get(at).text
