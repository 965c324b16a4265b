"""Uploaded journals: what they show, what hostile ones cannot do, and games that go on from them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import write
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.browser.host.requests import Host
from rulewright.tools.browser.host.worker import answered
from rulewright.tools.common import untrusted
from rulewright.tools.playing import kept_rules
from tests import journals as hostile
from tests.browser.replays import GAMES, asking, journal, opened, opening, table
from tests.journals import POND
from tests.small_packs import lowered

GOOD = 30
"""Answers of a good journal."""
NAMED = POND.replace("tracks: {", 'name: "Small Pond"\ntracks: {').replace(
    "{scope: player}", '{scope: player, name: "shiny shells"}'
)
ANSWERS = tuple(
    f'["turn.act.choice",{turn % 2},["{"angle" if turn else "rest"}"],"db50e978584ae597"]' for turn in range(4)
)


def refused(data: bytes, words: str, file: str = "game.journal") -> str:
    """A journal that is refused with one clear line, and nothing is kept of it."""
    host = Host()
    reply = answered(host, opening(data, file))
    assert set(reply) <= {"failed", "report", "code", "took"}, reply
    said: str = reply["failed"]
    assert words in said and said.isprintable() and len(said) < 600
    assert answered(host, asking("replay_step"))["result"] == {"missing": True}
    return said


@pytest.mark.parametrize("pack", GAMES)
def test_a_journal_is_shown_with_the_names_of_its_pack(pack: str) -> None:
    live = table(pack, GOOD)
    host, reply = opened(journal(live))
    assert reply["result"]["seats"] == live.rules.program.seats
    assert reply["result"]["title"] == live.title
    html = answered(host, asking("replay_page", at=5))["result"]
    assert "game.journal" in html and 'data-step="5"' in html
    assert f'data-total="{live.course.answers}"' in html


def test_a_worker_that_has_lost_a_journal_says_so() -> None:
    for do in ("replay_page", "replay_step", "replay_look", "replay_branch", "replay_start", "replay_styles"):
        more = {"kind": "x", "definition": "y"}
        assert answered(Host(), asking(do, **more))["result"] == {"missing": True}


def test_a_journal_of_a_pack_that_is_not_there_is_shown_with_its_names() -> None:
    host, reply = opened(hostile.journal(NAMED, *ANSWERS).encode())
    assert reply["result"]["title"] == "Small Pond"
    for view in (-2, -1, 0, 1):
        html = answered(host, asking("replay_page", view, 3))["result"]
        assert "<html" in html and "shiny shells" in html.lower()


def test_a_journal_that_ends_in_another_game_is_shown_up_to_there() -> None:
    lines = journal(table("coup", GOOD)).decode().splitlines()
    entry = json.loads(lines[12])
    lines[12] = json.dumps(["elsewhere", *entry[1:]])
    host, reply = opened("\n".join(lines).encode() + b"\n")
    assert "result" in reply
    html = answered(host, asking("replay_step", at=99))["result"]
    assert 'data-total="10"' in html and "game.journal cannot be replayed to its end" in html


# ------------------------------------------------------------------ hostile ones

@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "fewer than two lines"),
        (b"\x00\xff\xfe" * 400, "it is not UTF-8 text"),
        (b"<html><script>alert(1)</script></html>\n<p>\n", "cannot be replayed"),
        (b'{"journal": 1}\n{}\n', "cannot be replayed"),
        (b"[" * 200_000 + b"\n" + b"[" * 200_000 + b"\n", "cannot be replayed"),
        (b"1" * (16 * 1024 * 1024 + 2), "cannot be replayed"),
    ],
    ids=["empty", "binary", "markup", "json", "nested", "large"],
)
def test_what_is_no_journal_is_refused(data: bytes, words: str) -> None:
    refused(data, words)


def test_the_name_of_a_file_is_harmless() -> None:
    said = refused(b"", "cannot be replayed", "../../\x1b[2J\u202e<b>x</b>\n::error::.journal")
    assert said.startswith("\ufffd[2J\ufffd<b>x") or "\x1b" not in said
    assert "/.." not in said


def test_packs_of_another_journal_are_refused() -> None:
    one, other = journal(table("coup", 4)).decode().split("\n"), journal(table("dominion", 4)).decode().split("\n")
    refused("\n".join([one[0], *other[1:]]).encode(), "cannot be replayed")


def test_packs_with_mistakes_are_refused() -> None:
    refused(hostile.journal(POND.replace("fish += 1", "fsh += 1")).encode(), "its packs have errors: RW")


def test_endless_rules_are_stopped() -> None:
    _, reply = opened(hostile.journal(hostile.BUSY, ANSWERS[0]).encode())
    assert reply["code"] == "rule-error" and "fuel" in reply["failed"], reply


def test_compiling_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    kept_rules.compiled_of.cache_clear()
    kept_rules._table.cache_clear()
    monkeypatch.setattr(untrusted, "SECONDS", 0.02)
    refused(journal(table("coup", 1)).replace(b'"seed":3', b'"seed":4'), "takes too long")


MARKUP = "<script>alert(1)</script>"
EVIL = f"{MARKUP}' onload=x"


def test_texts_of_a_journal_are_shown_as_text() -> None:
    text = NAMED.replace("Small Pond", EVIL).replace("shiny shells", f"{EVIL} d")
    host, reply = opened(hostile.journal(text, *ANSWERS).encode())
    assert "result" in reply, reply
    for view in (-2, 0):
        html = answered(host, asking("replay_page", view, 3))["result"]
        assert MARKUP not in html and "&lt;script&gt;" in html
        assert "' onload" not in html.replace("&#39; onload", "").replace("&#34; onload", "")


# ------------------------------------------------------------------ going on

def started(host: Host, request: dict[str, Any], seats: int) -> dict[str, Any]:
    """A table as the server opens it from a moment of an upload."""
    given = answered(host, request)["result"]
    spec = {**given["spec"], "seats": [["random", ""]] * seats}
    opened = {"do": "open", "table": "1", "spec": spec, "entries": given["lines"]}
    rules = {key: given[key] for key in ("program", "files")}
    assert "result" in answered(host, {**opened, **rules, "language": "en"})
    return given


@pytest.mark.slow
@pytest.mark.parametrize("pack", GAMES)
def test_a_branch_with_the_same_bots_gives_the_same_journal(pack: str) -> None:
    live = table(pack, GOOD)
    whole = journal(live)
    host, reply = opened(whole)
    given = started(host, asking("replay_start", at=GOOD // 2), reply["result"]["seats"])
    assert len(given["lines"]) == min(GOOD // 2, live.course.answers)
    branch = host.tables["1"]
    while branch.course.answers < live.course.answers and branch.bots(1):
        pass
    assert write(branch.course.game.journal).encode() == whole


def test_a_branch_keeps_the_number_of_the_game_and_the_packs_of_the_journal() -> None:
    game = Game.start(lowered(NAMED), 9, game=4)
    for turn in range(6):
        game.apply(turn % 2, "rest")
    host, _ = opened(write(game.journal).encode())
    started(host, asking("replay_start", at=6), 2)
    branch = host.tables["1"].course.game
    assert (branch.journal.header, branch.journal.entries) == (game.journal.header, game.journal.entries)
    assert (program_hash(branch.program), branch.hash) == (program_hash(game.program), game.hash)
    assert branch.journal.header.game == 4 and host.tables["1"].title == "Small Pond"


def test_the_form_of_a_branch_offers_the_bots_of_the_pack() -> None:
    host, _ = opened(journal(table("coup", GOOD)))
    html = answered(host, asking("replay_branch", at=7, branch=True))["result"]
    assert html.count('name="kind"') == 2 and 'value="truthful"' in html and 'name="at" value="7"' in html
    assert html.count('value="human" selected') == 1
