"""The shipped house rules, alone and in pairs; `tests.house.everything` checks them in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.lower.reasons import lower_reasons
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.cli import run
from rulewright.tools.packs import loading as packs
from tests.house.shipped import alone, game_of, pairs, program_of, seats_of, table_of
from tests.interpreter.lockstep import lockstep
from tests.interpreter.many_beside import same_many
from tests.suites.contract import contract
from tests.suites.secrecy import secrecy

RIVAL = Path(__file__).parent / "rival"
"""House rules that set what one of the shipped ones sets."""


@pytest.mark.slow
@pytest.mark.parametrize("names", alone())
def test_suites(names: str) -> None:
    table, seats = table_of(names, min(seats_of(names))), min(seats_of(names))
    contract(table, 1, 11, "together")
    secrecy(table, 1, 12, "together", lower_reasons(program_of(names), seats))


@pytest.mark.slow
@pytest.mark.parametrize("names", pairs())
def test_two_together(names: str) -> None:
    seats = min(seats_of(names))
    lockstep(table_of(names, seats), 1, 13)
    same_many(table_of(names, seats), 4, 14)


@pytest.mark.slow
@pytest.mark.parametrize("names", alone())
def test_they_change_the_game(names: str) -> None:
    seats = min(seats_of(names))
    own, game = program_of(names), program_of(game_of(names))
    assert program_hash(lower(own, seats)) != program_hash(lower(game, seats))
    assert own.pack == f"{game_of(names)}+{names}"


@pytest.mark.slow
def test_the_order_on_the_command_line_means_nothing() -> None:
    for names in pairs():
        first, second = names.split("+")
        assert program_of(f"{second}+{first}") == program_of(names)


def test_two_that_conflict(capsys: pytest.CaptureFixture[str]) -> None:
    """Both set how many rats one begins with, and neither comes after the other."""
    assert run(["validate", str(RIVAL), "--with", "gentle-plague", "--format", "concise"]) == 1
    out = capsys.readouterr().out
    assert out.count("\n") == 2 and "were not checked because the rules have errors" in out
    assert "error RW623 `gentle-plague` sets `value/starting-rats` to `8`, and `rival` sets it to `12`" in out


def test_one_after_the_other_has_the_last_word(tmp_path: Path) -> None:
    text = (RIVAL / "pack.yaml").read_text("utf-8")
    (tmp_path / "pack.yaml").write_text(text.replace("languages:", "after: [gentle-plague]\nlanguages:"), "utf-8")
    (tmp_path / "rules.yaml").write_text((RIVAL / "rules.yaml").read_text("utf-8"), "utf-8")
    loaded = packs.load_pack_set(packs.read_pack_set(f"{tmp_path}+gentle-plague", scenarios=False))
    assert loaded.errors == 0 and loaded.program is not None
    value = next(value for value in loaded.program.values if value.key == "starting-rats")
    assert (value.by_players, value.default) == ((), (12,))
