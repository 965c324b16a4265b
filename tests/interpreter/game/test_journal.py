"""Journals: replaying in other processes, damaged files, divergence; states as bytes, and their hash."""

from __future__ import annotations

import json
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.interpreter.game import journal as journals
from rulewright.interpreter.game.game import EncodingError, Game, decode_state, encode, state_hash
from rulewright.interpreter.game.journal import Divergence, Header, Journal, JournalEntry, JournalError, read, write
from rulewright.interpreter.state.chance import Stream
from rulewright.ruleset.table.nodes import Ask, Const, TableProgram
from rulewright.ruleset.table.origin import Origin, packed
from tests.interpreter.cellar import BURY, cellar
from tests.journals import origin_of, with_packs
from tests.suites.play import engine, random_play

ROOT = Path(__file__).parents[3]
PROGRAM = with_packs(cellar())


def known(header: Header, origin: Origin) -> TableProgram:
    """In place of a compiler: the packs of these journals are those of a program written by hand."""
    return PROGRAM


def finished(index: int = 0) -> Game:
    *_, game = random_play(engine(PROGRAM, "walker"), 17, index, Stream(17, index))
    return game


@pytest.mark.parametrize("index", range(3))
def test_a_journal_survives(index: int) -> None:
    game = finished(index)
    journal = read(write(game.journal), known)
    assert journal == game.journal
    again = Game.replay(journal)
    assert (again.hash, again.events(), again.knowledge) == (game.hash, game.events(), game.knowledge)
    assert again.result == game.result


def test_the_header_says_what_was_played() -> None:
    header = finished(2).journal.header
    assert (header.pack, header.version, header.seats) == ("cellar", "1.0", 3)
    assert (header.seed, header.game, header.options) == (17, 2, (("length", "short"),))
    assert PROGRAM.origin is not None and header.packs == packed(PROGRAM.origin)[1]
    assert (header.series, header.scenario) == (False, -1)


def test_replaying_a_part() -> None:
    game = finished()
    steps = [played.hash for played in random_play(engine(PROGRAM, "walker"), 17, 0, Stream(17, 0))]
    for upto in (0, 1, 12):
        assert Game.replay(game.journal, upto).hash == steps[upto]


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_other_processes_replay_it(tmp_path: Path, hash_seed: str) -> None:
    game, file = finished(), tmp_path / "game.jsonl"
    game.save(file)
    code = (
        "import sys; from rulewright.interpreter import Game; from tests.interpreter.cellar import cellar;"
        "game = Game.load(sys.argv[1], lambda header, origin: cellar());"
        "print(game.hash, *(game.view(seat).digest for seat in range(3)))"
    )
    command, seeded = [sys.executable, "-c", code, str(file)], {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, env=seeded, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [game.hash, *(game.view(seat).digest for seat in range(3))]


# ------------------------------------------------------------------ damage

@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda lines: lines.clear(), "fewer than two lines"),
        (lambda lines: lines.__delitem__(slice(1, None)), "fewer than two lines"),
        (lambda lines: lines.__setitem__(0, "not json"), "line 1 is not JSON"),
        (lambda lines: lines.__setitem__(0, "[]"), "line 1: not the header"),
        (lambda lines: lines.__setitem__(0, "[" * 90_000), "line 1 is not JSON"),
        (lambda lines: lines.__delitem__(1), "line 2: the packs cannot be read"),
        (lambda lines: lines.__setitem__(1, lines[1][:-40]), "line 2 is not JSON"),
        (lambda lines: lines.__setitem__(1, lines[1][:-6] + '"'), "line 2: the packs cannot be read"),
        (lambda lines: lines.__setitem__(1, "7"), "line 2: the packs cannot be read"),
        (lambda lines: lines.__setitem__(1, json.dumps(packed(origin_of("pack: other\n"))[0])), "was changed"),
        (lambda lines: lines.__setitem__(-1, lines[-1][:-5]), "may have been cut off"),
        (lambda lines: lines.insert(3, ""), "line 4 is not JSON"),
    ],
)
def test_damaged_files_are_refused(damage: Callable[[list[str]], object], words: str) -> None:
    lines = write(finished().journal).splitlines()
    damage(lines)
    with pytest.raises(JournalError, match=words):
        read("\n".join(lines) + "\n", known)


@pytest.mark.parametrize(
    ("line", "change", "words"),
    [
        (0, lambda data: data.update(journal=1), "this journal is of an earlier version"),
        (0, lambda data: data.update(journal=3), "journal format 3"),
        (0, lambda data: data.update(journal=True), "journal format True"),
        (0, lambda data: data.pop("seed"), "'seed' is missing"),
        (0, lambda data: data.update(seed="7"), "'seed' is missing or not of type int"),
        (0, lambda data: data.update(seed=True), "'seed'"),
        (0, lambda data: data.update(seed=2**64), "out of range"),
        (0, lambda data: data.update(version="2"), "other packs"),
        (0, lambda data: data.update(seats=4), "another table"),
        (0, lambda data: data.update(options=[["length"]]), "pair of strings"),
        (0, lambda data: data.update(packs="0" * 32), "the file was changed"),
        (0, lambda data: data.update(more=1), "unknown fields more"),
        (4, lambda data: data.pop(), "line 5: expected a choice id"),
        (4, lambda data: data.__setitem__(1, 3), "line 5: there is no seat 3"),
        (4, lambda data: data.__setitem__(1, True), "line 5: expected a choice id"),
        (4, lambda data: data.__setitem__(2, [1]), "line 5: option keys"),
        (4, lambda data: data.__setitem__(2, ["x"] * 20_000), "line 5: option keys"),
    ],
)
def test_headers_and_entries_of_other_forms_are_refused(
    line: int, change: Callable[[Any], object], words: str
) -> None:
    lines = write(finished().journal).splitlines()
    data = json.loads(lines[line])
    change(data)
    lines[line] = json.dumps(data)
    with pytest.raises(JournalError, match=words):
        read("\n".join(lines) + "\n", known)


def test_a_game_without_packs_is_not_saved() -> None:
    with pytest.raises(JournalError, match="its program was not compiled from packs"):
        write(Game.start(cellar(), 1).journal)


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(JournalError, match="UTF-8"):
        Game.load(file, known)
    with pytest.raises(JournalError, match="characters; the limit is 16,777,216"):
        read(" " * (journals.MAX_CHARACTERS + 1), known)


# ------------------------------------------------------------------ divergence

def with_entry(journal: Journal, number: int, **changes: Any) -> Journal:
    entries: list[JournalEntry] = list(journal.entries)
    entries[number] = evolve(entries[number], **changes)
    return evolve(journal, entries=tuple(entries))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"digest": "0" * 16}, "other options are offered"),
        ({"digest": "0" * 16, "keys": ("dragon",)}, "the option 'dragon' is not offered"),
        ({"choice": "turn.feast.cards"}, "instead"),
        ({"keys": ("rat",) * 30}, "is not offered|You chose rat 30 times"),
    ],
)
def test_divergence_names_entry_choice_seat_and_rule(changes: dict[str, Any], why: str) -> None:
    journal = finished().journal
    number = next(n for n, e in enumerate(journal.entries) if n > 5 and e.choice == "turn.bury.cards")
    with pytest.raises(Divergence, match=why) as caught:
        Game.replay(with_entry(journal, number, **changes))
    found = caught.value
    assert (found.number, found.seat) == (number, journal.entries[number].seat)
    assert found.source is not None and found.source.name == "turn/bury"
    assert "cellar.yaml:3:1" in str(found)


def test_another_seat_diverges() -> None:
    journal = finished().journal
    with pytest.raises(Divergence, match=r"this seat is not asked here; seat-1 is asked turn\.bury\.cards"):
        Game.replay(with_entry(journal, 0, seat=2))


def test_answers_after_the_end_diverge() -> None:
    journal = finished().journal
    longer = evolve(journal, entries=(*journal.entries, journal.entries[0]))
    with pytest.raises(Divergence, match="the game is over") as caught:
        Game.replay(longer)
    assert caught.value.number == len(journal.entries)


def changed_rules() -> TableProgram:
    """At most one card may be buried, not two."""
    segments = list(PROGRAM.segments)
    for number, segment in enumerate(segments):
        end = segment.tree.end
        if isinstance(end, Ask) and end.site == BURY:
            segments[number] = evolve(segment, tree=evolve(segment.tree, end=evolve(end, most=Const(1))))
    return evolve(PROGRAM, segments=tuple(segments))


def test_changed_rules_diverge_where_they_first_matter() -> None:
    journal = finished().journal
    with pytest.raises(Divergence) as caught:
        Game.replay(journal, program=changed_rules())
    assert caught.value.number == 0
    assert caught.value.choice == "turn.bury.cards"


# ------------------------------------------------------------------ states as bytes

def test_cells_are_little_endian() -> None:
    state = array("i", [1, -2, *[0] * (PROGRAM.layout.cells - 2)])
    data = encode(PROGRAM, state)
    assert data[36:44] == b"\x01\0\0\0\xfe\xff\xff\xff", "after a header of 36 bytes"
    assert decode_state(PROGRAM, data) == (state, None)


@pytest.mark.parametrize(
    ("cut", "words"),
    [(slice(0, 10), "too few"), (slice(1, None), "not a state"), (slice(0, -4), "wrong length")],
)
def test_other_bytes_are_refused(cut: slice, words: str) -> None:
    game = Game.start(PROGRAM, 4)
    with pytest.raises(EncodingError, match=words):
        decode_state(PROGRAM, encode(PROGRAM, game.state, game.knowledge)[cut])


def test_other_programs_are_refused() -> None:
    data = encode(PROGRAM, Game.start(PROGRAM, 4).state)
    with pytest.raises(EncodingError, match="belongs to program"):
        decode_state(evolve(PROGRAM, entry=PROGRAM.entry + 1), data)
    with pytest.raises(EncodingError, match="semantics version 1"):
        decode_state(evolve(PROGRAM, semantics=2), data)


def test_the_hash_is_of_every_cell() -> None:
    state = Game.start(PROGRAM, 4).state
    hashes = {state_hash(state)}
    for cell in range(len(state)):
        state[cell] += 1
        hashes.add(state_hash(state))
        state[cell] -= 1
    assert len(hashes) == len(state) + 1
