"""Results with names: the first `winner` document whose condition holds decides.

What is expected of the pack `verdict` is worked out here from votes, sides and zeal at the end of each game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.views.narration import narrate
from rulewright.interpreter.views.view import outcomes
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import OUTCOME, TableProgram
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.packs import loading as packs
from tests.interpreter import compilers
from tests.interpreter.compilers import needs_compiler
from tests.positions import Table, pack_of
from tests.small_packs import lowered

VERDICT = Path(__file__).parents[2] / "packs" / "verdict"
GOAL, TURNS = 3, 6
SEED, GAMES = 5, 300


@cache
def table(players: int = 3, hung: str = "false") -> TableProgram:
    return lower(pack_of(VERDICT), players, {"hung": hung})


def address(program: TableProgram, key: str) -> int:
    return next(track.address for track in program.tracks if track.key == key)


def expected(crowns: int, mobs: int, zeal: list[int], hung: bool) -> tuple[str, list[int]]:
    """The result and the winners, by the rules: seat 1 is of the crown, all others are of the mob."""
    seats = range(len(zeal))
    if crowns >= GOAL:
        return "loyal", [0]
    if mobs >= GOAL - 1:
        least = min(zeal[1:])
        best = [seat for seat in seats[1:] if zeal[seat] == least]
        return "revolt", best if len(best) == 1 else []
    if crowns == mobs and not hung:
        zealous = [seat for seat in seats if zeal[seat] > 1]
        return "stalemate", zealous or [seat for seat in seats if zeal[seat] == max(zeal)]
    return "", []


@pytest.mark.parametrize("backend", ["walker", pytest.param("native", marks=needs_compiler)])
@pytest.mark.parametrize(("players", "hung"), [(2, "false"), (3, "false"), (3, "true"), (4, "false")])
def test_the_first_whose_condition_holds_decides(backend: str, players: int, hung: str) -> None:
    program = table(players, hung)
    every = range(program.layout.cells)
    many = {
        "walker": lambda: stepping_many(program, every, "walker"),
        "native": lambda: native_many(program, every, by=compilers.quick()),
    }[backend]()
    played = many.play(SEED, 0, GAMES)
    assert not any(played.faults)
    crowns, mobs, zeal, won = (address(program, key) for key in ("crowns", "mobs", "zeal", "winner"))
    names, outcome = outcomes(program), address(program, OUTCOME)
    assert names == ("loyal", "revolt", "stalemate")
    seen = Counter[str]()
    for game in range(GAMES):
        cells = [column[game] for column in played.cells]
        name, winners = expected(cells[crowns], cells[mobs], cells[zeal : zeal + players], hung == "true")
        assert (names[cells[outcome]] if cells[outcome] >= 0 else "") == name
        assert [seat for seat in range(players) if cells[won + seat]] == winners
        seen[name] += 1
    assert set(seen) == {"loyal", "revolt", "", *(() if hung == "true" else ("stalemate",))}


def ends() -> Iterator[tuple[str, Table]]:
    """Finished games, with what each ended with."""
    for crown, mob in ((3, 0), (0, 3), (0, 0), (1, 0)):
        at = Table.start(table())
        keys = iter(["crown"] * crown + ["mob"] * mob + ["abstain"] * TURNS)
        while at.game.decisions:
            (open_,) = at.game.decisions
            at.answer(open_.seat, open_.choice, next(keys))
        assert at.game.result is not None
        yield at.game.result.name, at


def test_games_say_the_name_of_their_result() -> None:
    found = {name: at.game.result for name, at in ends()}
    assert list(found) == ["loyal", "revolt", "stalemate", ""]
    assert [one.winners if one else None for one in found.values()] == [(0,), (), (0, 1, 2), ()]


def test_the_log_says_the_name_of_the_result() -> None:
    texts, told = PackTexts(table(), pack_of(VERDICT)), {}
    for name, at in ends():
        for language in ("en", "es"):
            lines = narrate(at.game.program, at.game.events(1), language, texts, 1)
            told[name, language] = lines[-1]
    assert told == {
        ("loyal", "en"): "The crown stands: Player 1 wins the game.",
        ("loyal", "es"): "La corona resiste: Jugador 1 gana la partida.",
        ("revolt", "en"): "The revolt succeeds: nobody wins the game.",
        ("revolt", "es"): "Triunfa la revuelta: nadie gana la partida.",
        ("stalemate", "en"): "A stalemate: you, Player 1 and Player 3 win the game.",
        ("stalemate", "es"): "Tablas: tú, Jugador 1 y Jugador 3 ganáis la partida.",
        ("", "en"): "Nobody wins the game.",
        ("", "es"): "Nadie gana la partida.",
    }


# ------------------------------------------------------------------ a single winner

def test_a_single_winner_without_a_condition_names_no_result() -> None:
    program = lower(packs.load_pack_set(packs.read_pack_set("tutorial")).program, 2)  # type: ignore[arg-type]  # no errors
    assert outcomes(program) == ()
    assert all(track.key != OUTCOME for track in program.tracks)


PLAIN = """\
pack: plain
players: 2
tracks: {coins: {scope: player}, rounds: number}
---
round: turn
turns-from: first of players
until: rounds > 1
steps: [{id: wait, do: rounds += 1}]
---
finish: end
---
winner: rich
among: players with most coins
"""


def test_a_condition_names_the_result_of_a_single_winner() -> None:
    plain, named = (lowered(text) for text in (PLAIN, f"{PLAIN}when: rounds > 1\n"))
    assert program_hash(plain) != program_hash(named)
    assert (outcomes(plain), outcomes(named)) == ((), ("rich",))
    at = Table.start(named)
    assert at.game.result is not None
    assert (at.game.result.name, at.game.result.winners) == ("rich", (0, 1))


def test_winners_in_two_files() -> None:
    other = b"winner: other\nwhen: rounds > 4\namong: players\n"
    files = PackFiles(Path("plain"), (("pack.yaml", PLAIN.encode()), ("more.yaml", other)))
    assert [one.code for one in load_files(files).findings if is_error(one)] == ["RW335"]
