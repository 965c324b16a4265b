"""Uploaded journals: what they show, what hostile ones cannot do, and games that go on from them."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from interpreter.game import program_check
from interpreter.game.game import Game
from interpreter.game.journal import Journal, header_of, write
from ruleset.table.canonical import from_json, program_hash
from ruleset.table.nodes import TableProgram
from tests.browser.replays import GAMES, asking, journal, opened, opening, table
from tests.fuzz import journals as fuzzing
from tests.tools.playing.test_hostile_journals import endless, growing
from tools.browser.host.requests import Host
from tools.browser.host.worker import answered
from tools.common import untrusted

GOOD = 30
"""Answers of a good journal."""


def refused(data: bytes, words: str, file: str = "game.journal") -> str:
    """A journal that is refused with one clear line, and nothing is kept of it."""
    host = Host()
    reply = answered(host, opening(data, file))
    assert set(reply) <= {"failed", "report", "code", "took"}, reply
    said: str = reply["failed"]
    assert words in said and said.isprintable() and len(said) < 600
    assert answered(host, asking("replay_step"))["result"] == {"missing": True}
    return said


def of_program(program: TableProgram) -> bytes:
    """A journal without answers."""
    return write(Journal(header_of(program, 1), program, ())).encode()


def rewritten(data: bytes, *changes: tuple[str, str]) -> bytes:
    """A journal with other texts in its program, and the hash that belongs to them."""
    lines = data.decode().split("\n")
    for before, now in changes:
        assert before in lines[1]
        lines = [line.replace(before, now) for line in lines]
    head = json.loads(lines[0])
    head["program"] = program_hash(from_json(json.loads(lines[1])))
    return "\n".join([json.dumps(head), *lines[1:]]).encode()


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


def test_a_journal_of_a_pack_that_is_not_there_is_shown_by_its_keys() -> None:
    data = rewritten(journal(table("coup", GOOD)), ('"coup"', '"nowhere"'))
    host, reply = opened(data)
    assert reply["result"]["title"] == "nowhere"
    for at in range(0, GOOD, 7):
        for view in (-2, -1, 0, 1):
            assert "<html" in answered(host, asking("replay_page", view, at))["result"]


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


def test_a_program_of_another_journal_is_refused() -> None:
    one, other = journal(table("coup", 4)).decode().split("\n"), journal(table("dominion", 4)).decode().split("\n")
    refused("\n".join([one[0], *other[1:]]).encode(), "cannot be replayed")


def test_endless_rules_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "SECONDS", 0.7)
    refused(of_program(endless()), "takes too long")


def test_rules_that_take_all_memory_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_check, "check_growth", lambda program: None)
    monkeypatch.setattr(untrusted, "BYTES", 100 * 1024 * 1024)
    refused(of_program(growing()), "takes too much memory")


MARKUP = "<script>alert(1)</script>"
EVIL = f"{MARKUP}\\u0007\\u202e'\\\" onload=x"


def test_texts_of_a_journal_are_shown_as_text() -> None:
    data = rewritten(
        journal(table("coup", GOOD)),
        *(('"coup"', f'"{EVIL}"'), ('"influence"', f'"{EVIL}"'), ('"duke"', f'"{EVIL} d"')),
    )
    host, reply = opened(data)
    assert "result" in reply, reply
    for view in (-2, 0):
        html = answered(host, asking("replay_page", view, 20))["result"]
        assert MARKUP not in html and "&lt;script&gt;" in html
        assert "\x07" not in html and "\u202e" not in html
        assert "' onload" not in html.replace("&#39; onload", "").replace("&#34; onload", "")


def test_mutated_journals_end_in_a_message_or_a_page() -> None:
    chance = random.Random(5)
    shown = 0
    for _ in range(12):
        host, reply = opened(fuzzing.mutant(chance).encode("utf-8", "surrogatepass"))
        if "failed" in reply:
            assert reply["code"] in ("refused", "rule-error", "journal") and reply["failed"].isprintable()
            continue
        for view in (-2, -1, 0):
            again = answered(host, asking("replay_page", view, 3))
            shown += "<html" in again.get("result", "")
            assert "result" in again or again["code"] == "refused"
    assert shown


# ------------------------------------------------------------------ going on


def started(host: Host, request: dict[str, Any], seats: int) -> dict[str, Any]:
    """A table as the server opens it from a moment of an upload."""
    given = answered(host, request)["result"]
    spec = {**given["spec"], "seats": [["random", ""]] * seats}
    opened = {"do": "open", "table": "1", "spec": spec, "entries": given["lines"], "program": given["program"]}
    assert "result" in answered(host, {**opened, "language": "en"})
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


def test_a_branch_keeps_the_number_of_the_game_and_the_program_of_the_journal() -> None:
    program = from_json(json.loads(rewritten(journal(table("coup", 1)), ('"coup"', '"nowhere"')).split(b"\n")[1]))
    game = Game.start(program, 9, game=4)
    for _ in range(6):
        decision = game.decisions[0]
        game.apply(decision.seat, [decision.options[0].key] * max(1, decision.least))
    host, _ = opened(write(game.journal).encode())
    started(host, asking("replay_start", at=6), program.seats)
    branch = host.tables["1"].course.game
    assert (branch.journal, branch.hash) == (game.journal, game.hash)
    assert branch.journal.header.game == 4 and branch.program.pack == "nowhere"


def test_the_form_of_a_branch_offers_the_bots_of_the_pack() -> None:
    host, _ = opened(journal(table("coup", GOOD)))
    html = answered(host, asking("replay_branch", at=7, branch=True))["result"]
    assert html.count('name="kind"') == 2 and 'value="truthful"' in html and 'name="at" value="7"' in html
    assert html.count('value="human" selected') == 1
