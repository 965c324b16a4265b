"""Functions in a layout: their values on the table, and who sees them.

What is expected is worked out by hand from cards and coins of the pack `figures`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.search.determinise import redeal
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.common.output import FULL as MARKS
from rulewright.tools.display.table_content import TablePart, sheet_of
from rulewright.tools.packs.naming import ShownFunctions, shown_functions
from tests.positions import Table, pack_of
from tests.small_packs import pack_in
from tests.tools.harness import Run

FIGURES = Path(__file__).parents[2] / "packs" / "figures"
NO = False


def functions_of(table: Table) -> ShownFunctions:
    found = shown_functions(pack_of(FIGURES), table.program)
    assert found is not None
    return found


def begun() -> Table:
    """Rubies are worth 3, opals 2; the first player has 4 coins, the others 2."""
    table = Table.start(lower(pack_of(FIGURES), 3))
    held = {"hand/1": ["ruby", "opal"], "hand/2": ["opal"], "hand/3": ["ruby", "ruby"]}
    return table.arrange(zones=held, tracks={("coins", 0): 4, ("rounds",): 1}, rest={"gem": "box"})


@pytest.mark.usefixtures("machine_code")
def test_values_for_each_seat() -> None:
    table = begun()
    shown = functions_of(table)
    wealth = [[5, None, None], [None, 2, None], [None, None, 6]]
    for seat in range(3):
        assert shown.values(table.game.state, seat) == {
            "left": [5],
            "wealth": wealth[seat],
            "rich": [True, NO, NO],
            "ratio": [3, "", ""],
        }


def parts(table: Table, seat: int, language: str) -> dict[str, TablePart]:
    program = pack_of(FIGURES)
    narrator = Narrator(table.program, language, PackTexts(table.program, program), seat)
    values = functions_of(table).values(table.game.state, seat)
    return sheet_of(narrator, MARKS, table.game.view(seat), program.table_layout, values).parts


def test_the_table_shows_them() -> None:
    table = begun()
    seen = parts(table, 0, "en")
    assert (seen["line/left"].name, seen["line/left"].texts) == ("Rounds left", ("5",))
    assert seen["row/wealth"].texts == (f"5 {MARKS.only}", "?", "?")
    assert seen["row/rich"].texts == ("yes", "no", "no")
    assert seen["row/ratio"].texts == ("3", MARKS.dash, MARKS.dash)
    spanish = parts(table, 1, "es")
    assert (spanish["line/left"].name, spanish["row/rich"].name) == ("Rondas que quedan", "Rico")
    assert spanish["row/rich"].texts == ("sí", "no", "no")
    assert spanish["row/wealth"].texts == ("?", f"2 {MARKS.only}", "?")


def test_they_depend_on_nothing_hidden() -> None:
    """In worlds that a seat cannot tell apart they are the same for it."""
    program, differ = lower(pack_of(FIGURES), 3), 0
    shown = shown_functions(pack_of(FIGURES), program)
    assert shown is not None
    backend = Walker(program)
    for seed in range(12):
        game, stream = Game.start(program, seed), Stream(seed)
        for seat in range(3):
            other = redeal(backend, game.state, game.knowledge, seat, stream).state
            assert shown.values(game.state, seat) == shown.values(other, seat)
            differ += shown.values(game.state, (seat + 1) % 3) != shown.values(other, (seat + 1) % 3)
    assert differ > 5


def test_the_program_is_the_same_with_and_without_them() -> None:
    text = (FIGURES / "pack.yaml").read_text("utf-8")
    plain = pack_in(text.replace(", left,", ",").replace("wealth, rich, ratio, ", ""))
    assert program_hash(lower(plain, 2)) == program_hash(lower(pack_of(FIGURES), 2))
    assert shown_functions(plain, lower(plain, 2)) is None


def test_another_pack_shows_nothing() -> None:
    other = pack_in((FIGURES / "pack.yaml").read_text("utf-8").replace("rounds += 1", "rounds += 2"))
    assert shown_functions(other, lower(pack_of(FIGURES), 2)) is None


def test_play_shows_them(run: Run) -> None:
    ran = run("play", str(FIGURES), "--seats", "human,random", "--seed", "2", "--lang", "en", typed="earn\n")
    assert "Rounds left  6" in ran.out
    assert "Wealth" in ran.out
