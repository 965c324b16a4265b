"""Hostile journals: no internal error, no terminal escapes, limited time and memory."""

from __future__ import annotations

import json
import random
import resource
import time
from pathlib import Path

import pytest
from attrs import evolve

from interpreter.game import journal as journals
from interpreter.game import program_check
from interpreter.game.game import Game
from interpreter.game.journal import Journal, header_of
from ruleset.table import nodes as t
from ruleset.table.nodes import TableProgram
from tests.fuzz import journals as fuzzing
from tests.interpreter.game.test_program_check import HOSTILE, main_with, program
from tests.tools.harness import Run
from tools.common import untrusted
from tools.common.errors import Usage

COMMANDS = (("replay", "x"), ("play", "--resume", "x", "--without-names"))


def save(table: TableProgram, file: str = "x") -> None:
    Path(file).write_text(journals.write(Journal(header_of(table, 1), table, ())), "utf-8")


def refused(run: Run, words: str) -> None:
    for command in COMMANDS:
        ran = run(*command, typed="q\n")
        assert ran.code == 2, ran
        assert ran.err.startswith("rulewright: x cannot be replayed: ")
        assert words in ran.err
        assert ran.err.count("\n") == 1


def endless() -> TableProgram:
    """A branch leads back for ever, and nothing charges fuel."""
    own = program().procedures[program().entry].entry
    again, over = t.Tree((), t.Goto(own)), t.Tree((), t.Finish())
    return main_with(t.Tree((), t.Branch(t.Const(1), again, over)))


def with_function(*body: t.Stmt) -> TableProgram:
    """The game calls one function, which has a list in slot 0."""
    slots = (t.Slot("list", 10, False, -1), t.Slot("number", 0, False, -1))
    function = t.Function("hostile", 0, slots, body, 0)
    return evolve(main_with(t.Tree((t.Do(0, ()),), t.Finish())), functions=(function,), bots=None)


def growing() -> TableProgram:
    """A list that doubles: thirty times would be more than most machines have."""
    doubled = t.SetList(0, t.Concat(t.LocalList(0), t.LocalList(0)))
    return with_function(t.SetList(0, t.Items((t.Const(1),))), *(doubled for _ in range(30)))


@pytest.mark.slow
def test_a_program_that_never_ends_is_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "SECONDS", 0.7)
    save(endless())
    began = time.process_time()
    refused(run, "its program takes too long; on a slow machine, set RULEWRIGHT_PATIENCE=60 to allow 60 seconds")
    assert time.process_time() - began < 5
    monkeypatch.setenv("RULEWRIGHT_PATIENCE", "1")
    monkeypatch.setattr(untrusted, "SECONDS", 1000.0)
    refused(run, "its program takes too long")


@pytest.mark.slow
def test_many_entries_allow_no_more_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "SECONDS", 0.7)
    game = Game.start(program(), 1)
    decision = game.decisions[0]
    game.apply(decision.seat, [option.key for option in decision.options][: decision.least])
    entries = game.journal.entries * 2_000
    Path("x").write_text(journals.write(Journal(header_of(endless(), 1), endless(), entries)), "utf-8")
    began = time.process_time()
    refused(run, "its program takes too long")
    assert time.process_time() - began < 5


def test_reading_and_replaying_share_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(seconds: float) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    monkeypatch.setattr(untrusted, "SECONDS", 0.4)
    budget = untrusted.Budget()
    with budget.bounded():
        work(0.3)
    with pytest.raises(Usage, match="takes too long"), untrusted.blamed("x"), budget.bounded():
        work(0.3)


def test_a_program_that_takes_all_memory_is_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_check, "check_growth", lambda program: None)  # which refuses it at once
    monkeypatch.setattr(untrusted, "BYTES", 100 * 1024 * 1024)
    save(growing())
    refused(run, "its program takes too much memory")


def test_what_only_shows_when_it_runs_is_the_journals_fault(run: Run) -> None:
    save(with_function(t.SetCell(t.Const(8), t.Table(0, t.Const(10**6)))))
    refused(run, "its program cannot be run (IndexError)")


@pytest.mark.parametrize("name", ["jump to itself", "recursion", "fuel", "depth", "cells"])
def test_a_program_that_cannot_be_right_is_refused(run: Run, name: str) -> None:
    make, words = HOSTILE[name]
    save(make())
    refused(run, words)


def test_limits_of_size(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save(program())
    monkeypatch.setattr(journals, "MAX_HISTORY", 10)
    with Path("x").open("a") as file:
        file.write('["x",0,[],""]\n')
    refused(run, "too many entries for a state of this size")
    monkeypatch.setattr(journals, "MAX_ENTRIES", 0)
    refused(run, "this journal has 1 entry; the limit is 0")
    monkeypatch.setattr(journals, "MAX_ENTRIES", 1)
    monkeypatch.setattr(journals, "MAX_PROGRAM", 1000)
    refused(run, "characters; the limit is 1,000")


def test_what_is_known_of_cards_counts_as_history(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save(table := program())
    monkeypatch.setattr(journals, "MAX_HISTORY", table.layout.cells + 2 * len(table.cards) - 1)
    with Path("x").open("a") as file:
        file.write('["x",0,[],""]\n')
    refused(run, "too many entries for a state of this size")


ESCAPE = "\x1b[31mred\x07\u202e"


def test_no_text_of_a_journal_acts_on_the_terminal(run: Run) -> None:
    """Names, keys, prompts, places of rules; the header, and what is wrong with it."""
    own = program()
    sites = tuple(
        evolve(
            site,
            prompt=(("en", ESCAPE),),
            branches=tuple(evolve(branch, key=branch.key + ESCAPE) for branch in site.branches),
        )
        for site in own.sites
    )
    sources = tuple(evolve(source, name=source.name + ESCAPE) for source in own.sources)
    cards = tuple(evolve(card, key=card.key + ESCAPE) for card in own.cards)
    zones = tuple(evolve(zone, key=zone.key + ESCAPE, zone=zone.zone + ESCAPE) for zone in own.zones)
    odd = evolve(own, pack=ESCAPE, version=ESCAPE, sites=sites, sources=sources, cards=cards, zones=zones)
    save(odd)
    for command in COMMANDS:
        ran = run(*command, typed="?\nv\nl all\nwhy\n1\nu\n1\nq\n")
        assert ran.code == 0, ran.err
        assert "red" in ran.out
        assert "\x1b" not in ran.out + ran.err
        assert "\u202e" not in ran.out + ran.err
    ran = run("play", "--resume", "x", typed="q\n")
    assert (ran.code, "\x1b" in ran.err) == (2, False)
    header, rest = Path("x").read_text("utf-8").split("\n", 1)
    for change in ({"more" + ESCAPE: 1}, {"journal": ESCAPE}, {"semantics": ESCAPE}):
        Path("x").write_text(json.dumps(json.loads(header) | change) + "\n" + rest, "utf-8")
        ran = run("replay", "x")
        assert (ran.code, "\x1b" in ran.err) == (2, False)


@pytest.mark.slow
def test_mutants_of_journals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Always the same ones; `python -m tests.fuzz --journals 10000` tries more."""
    monkeypatch.setattr(fuzzing, "PACKS", ("bazaar", "bluff"))
    monkeypatch.setattr(fuzzing, "SHIPPED", ())
    fuzzing.bases.cache_clear()
    fuzzing.pool.cache_clear()
    tried = fuzzing.Tried()
    for _ in fuzzing.fuzz(1, 24, tried, 1):
        pass
    fuzzing.bases.cache_clear()
    fuzzing.pool.cache_clear()
    assert {fault for _, fault in tried.failures.values()} == set()
    assert tried.ends.total() == 24
    assert len(tried.ends) >= 2, "some are refused, and some are not"


def test_a_mutant_may_copy_what_is_nested_deep() -> None:
    """This number nests a part of its program 400 levels deep, then copies it, which Python's own limit forbids."""
    assert fuzzing.mutant(random.Random(203390)).startswith('{"journal": 1')


@pytest.mark.slow
def test_making_a_mutant_takes_nothing_of_its_workers_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a worker is measured by its peak, which must be that of the commands."""

    def large(chance: random.Random) -> str:
        return str(len(bytearray(1 << 29)))

    monkeypatch.setattr(fuzzing, "mutant", large)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert fuzzing.made_apart(1) == str(1 << 29)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024
