"""Hostile journals: no internal error, no terminal escapes, limited time and memory."""

from __future__ import annotations

import json
import random
import time
import zlib
from base64 import b64encode
from pathlib import Path

import pytest

from rulewright.interpreter.game import journal as journals
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import entry_line
from rulewright.ruleset.source.pictures import Unfit, picture_bytes
from rulewright.ruleset.table import origin as origins
from rulewright.tools.common import untrusted
from rulewright.tools.common.errors import Usage
from rulewright.tools.packs import loading
from rulewright.tools.playing import kept_rules
from tests.journals import BUSY, POND, journal, origin_of
from tests.small_packs import changed, lowered
from tests.tools.harness import ROOT, Run

COMMANDS = (("replay", "x"), ("play", "--resume", "x"))


def save(text: str) -> None:
    Path("x").write_text(text, "utf-8")


def refused(run: Run, words: str) -> None:
    for command in COMMANDS:
        ran = run(*command, typed="q\n")
        assert ran.code == 2, ran
        assert ran.err.startswith("rulewright: x cannot be replayed: ")
        assert words in ran.err
        assert ran.err.count("\n") == 1


def of_shipped(name: str, answers: int = 0) -> str:
    """The journal of a shipped pack, after some answers."""
    program = loading.compile_pack(str(ROOT / "content" / name)).program
    game = Game.start(loading.table(program, program.least_players, ()), 1)
    for _ in range(answers):
        decision = game.decisions[0]
        game.apply(decision.seat, [option.key for option in decision.options][: decision.least])
    return journals.write(game.journal)


def resting(text: str, times: int = 1) -> str:
    """The first line of an answer to rest, which is the same in all ponds; then others, in turns."""
    game = Game.start(lowered(text), 1)
    for turn in range(times):
        game.apply(turn % 2, "rest")
    return "\n".join(map(entry_line, game.journal.entries))


# ------------------------------------------------------------------ time and memory

def test_compiling_counts_as_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_rules.compiled_of.cache_clear()
    kept_rules._table.cache_clear()
    monkeypatch.setattr(untrusted, "SECONDS", 0.02)
    save(of_shipped("coup"))
    refused(run, "its program takes too long; on a slow machine, set RULEWRIGHT_PATIENCE=60 to allow 60 seconds")


@pytest.mark.slow
def test_many_entries_allow_no_more_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "SECONDS", 1.0)
    long = changed(POND, "turns >= 8", "turns >= 100000")
    save(journal(long, *([resting(long, 2)] * 20_000)))
    began = time.process_time()
    refused(run, "its program takes too long")
    assert time.process_time() - began < 6


def test_reading_and_replaying_share_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(seconds: float) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    monkeypatch.setattr(untrusted, "SECONDS", 0.4)
    budget = untrusted.TimeBudget()
    with budget.bounded():
        work(0.3)
    with pytest.raises(Usage, match="takes too long"), untrusted.blamed("x"), budget.bounded():
        work(0.3)


def test_packs_that_take_all_memory_are_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "BYTES", 1024 * 1024)
    monkeypatch.setattr(origins, "MOST_BYTES", 2**28)  # more than a process has at hand
    save(journal(POND, line=packed(b" " * 2**27)))
    refused(run, "its program takes too much memory")


def test_rules_that_never_ask_run_out_of_fuel(run: Run) -> None:
    save(journal(BUSY, resting(POND)))
    for command in COMMANDS:
        ran = run(*command, typed="q\n")
        assert (ran.code, "fuel" in ran.err) == (1, True), ran


# ------------------------------------------------------------------ sizes

def test_limits_of_size(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save(journal(POND, '["x",0,[],""]'))
    monkeypatch.setattr(journals, "MAX_HISTORY", 10)
    refused(run, "too many entries for a state of this size")
    monkeypatch.setattr(journals, "MAX_ENTRIES", 0)
    refused(run, "this journal has 1 entry; the limit is 0")
    monkeypatch.setattr(journals, "MAX_ENTRIES", 1)
    monkeypatch.setattr(journals, "MOST_CHARACTERS", 100)
    refused(run, "the packs are larger than a saved game may be")


def test_what_is_known_of_cards_counts_as_history(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = of_shipped("coup", 1)
    program = loading.compile_pack("coup").program
    table = loading.table(program, program.least_players, ())
    monkeypatch.setattr(journals, "MAX_HISTORY", table.layout.cells + 2 * len(table.cards) - 1)
    save(text)
    refused(run, "too many entries for a state of this size")


def packed(data: bytes) -> str:
    return json.dumps(b64encode(zlib.compress(data, 9)).decode())


def test_a_bomb_is_not_unpacked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save(journal(POND, line=packed(b" " * (100 * 1024 * 1024))))
    monkeypatch.setattr(untrusted, "BYTES", 80 * 1024 * 1024)
    refused(run, "the packs are larger than a saved game may be")


def test_packs_that_are_too_large_are_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    origins.packed.cache_clear()
    monkeypatch.setattr(origins, "MOST_BYTES", 100)
    with pytest.raises(origins.PacksTooLarge):
        journal(POND + "# more\n")


def test_packs_of_a_journal_are_in_no_folder() -> None:
    """Of pictures it has only the names."""
    origin, _ = origins.unpacked(origins.packed(origin_of(POND))[0])
    for _, files in origin.asked:
        with pytest.raises(Unfit):
            picture_bytes(files.root, "x.png")


# ------------------------------------------------------------------ packs that cannot be right

FILE = {"pack.yaml": POND}


@pytest.mark.parametrize(
    "data",
    [
        None, 7, "x", [], {}, {"asked": []}, {"asked": [], "needed": []}, {"asked": {}, "needed": {}},
        {"asked": [["pond", FILE]], "needed": []}, {"asked": [["pond", [], []]], "needed": []},
        {"asked": [[7, FILE, []]], "needed": []}, {"asked": [["pond", {"pack.yaml": 7}, []]], "needed": []},
        {"asked": [["pond", {"pack.yaml": "\ud800"}, []]], "needed": []},
        {"asked": [["pond", {"../pack.yaml": POND}, []]], "needed": []},
        {"asked": [["pond", {"/etc/pack.yaml": POND}, []]], "needed": []},
        {"asked": [["../pond", FILE, []]], "needed": []}, {"asked": [["/pond", FILE, []]], "needed": []},
        {"asked": [["pond", FILE, [["x"] * 9]]], "needed": []},
        {"asked": [["pond", FILE, []]] * 101, "needed": []},
        {"asked": [["pond", {f"{n}.yaml": "" for n in range(2_001)}, []]], "needed": []},
    ],
    ids=lambda data: json.dumps(data)[:40],
)  # fmt: skip
def test_packs_of_another_form_are_refused(run: Run, data: object) -> None:
    save(journal(POND, line=packed(json.dumps(data).encode())))
    refused(run, "line 2: the packs cannot be read: ")


@pytest.mark.parametrize("line", ['""', '"x"', '"AAAA"', '"eJw="', "{}", packed(b"[" * 100_000), packed(b"\xff")])
def test_lines_that_are_no_packs_are_refused(run: Run, line: str) -> None:
    save(journal(POND, line=line))
    refused(run, "line 2: the packs cannot be read")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pack: [", "its packs have errors: RW1"),
        ("", "its packs have errors: RW605 pond/pack.yaml:1:1"),
        (changed(POND, "fish += 1", "fsh += 1"), "its packs have errors: RW"),
        (changed(POND, "players: 2\n", "players: 2\nextends: nowhere\n"), "its packs have errors: RW"),
        (changed(POND, "turns >= 8", "turns >= 99999999999999"), "its packs have errors: RW"),
        (changed(POND, "pack: pond", "pack: lake"), "line 2: these are other packs than the header says"),
    ],
)
def test_packs_with_errors_are_refused(run: Run, text: str, words: str) -> None:
    save(journal(text))
    refused(run, words)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"seats": 3}, "pond is for 2 players, not 3"),
        ({"seats": 10**9}, "pond is for 2 players"),
        ({"options": [["depth", "deep"]]}, "pond has no option depth"),
        ({"series": True}, "pond has no series of games"),
        ({"scenario": 0}, "another table"),
        ({"scenario": -2}, "another table"),
        ({"packs": "0" * 32}, "the file was changed"),
        ({"journal": 1}, "this journal is of an earlier version"),
    ],
)
def test_tables_that_the_packs_do_not_allow_are_refused(run: Run, header: dict[str, object], words: str) -> None:
    save(journal(POND, **header))
    refused(run, words)


# ------------------------------------------------------------------ texts, and mutants

ESCAPE = "\x1b[31mred\x07\u202e"
IN_YAML = r"\e[31mred\a\u202e"


def test_no_text_of_a_journal_acts_on_the_terminal(run: Run) -> None:
    """Names and texts of packs, and of what is wrong with them; the header."""
    names = f'name: "{IN_YAML}"\ntracks:'
    odd = changed(changed(POND, "tracks:", names), "version: 1.0.0", f'version: "{IN_YAML}"')
    save(journal(odd, version=ESCAPE))
    for command in COMMANDS:
        ran = run(*command, typed="?\nv\nl all\nwhy\n1\nu\n1\nq\n")
        assert "\x1b" not in ran.out + ran.err
        assert "\u202e" not in ran.out + ran.err
    wrong = changed(POND, "fish += 1", f'"{IN_YAML} += 1"')
    for text in (
        journal(wrong),
        journal(POND, more=ESCAPE),
        journal(POND, journal=ESCAPE),
        journal(POND, pack=ESCAPE),
    ):
        save(text)
        ran = run("replay", "x")
        assert (ran.code, "\x1b" in ran.err, "\u202e" in ran.err) == (2, False, False)


def test_mutants_of_journals(run: Run) -> None:
    """Bytes of packs and answers that are not what they were: no command ends in an internal error."""
    good = journal(POND, resting(POND, 6))
    ends = set()
    for seed in range(60):
        chance, data = random.Random(seed), bytearray(good.encode())
        for _ in range(chance.choice((1, 3, 20))):
            data[chance.randrange(len(data))] = chance.randrange(32, 127)
        Path("x").write_bytes(data)
        ends |= {run(*command, typed="q\n").code for command in COMMANDS}
    assert ends <= {0, 1, 2} and 2 in ends
