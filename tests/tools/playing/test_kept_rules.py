"""Journals keep all packs of a game, which are compiled once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import read, write
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.origin import packed, unpacked
from rulewright.tools.packs import loading
from rulewright.tools.playing.kept_rules import names_of, table_of

TEN = "cellar, market, militia, mine, moat, remodel, smithy, village, woodcutter, workshop"


def started(pack: str, *options: str) -> Game:
    program = loading.compile_pack(pack).program
    return Game.start(loading.table(program, program.least_players, options), 1)


@pytest.mark.parametrize(
    ("pack", "options"),
    [
        ("dominion", ("chosen=" + TEN,)), ("coup", ("with-inquisitor=true",)), ("rattus-cartus", ()),
        ("coup+court-notary", ()), ("court-notary", ()),
    ],
)  # fmt: skip
def test_a_game_is_the_same_by_the_packs_in_its_journal(pack: str, options: tuple[str, ...]) -> None:
    """Also of house rules that name no game: the packs that they need are in the journal, too."""
    game = started(pack, *options)
    journal = read(write(game.journal), table_of)
    assert program_hash(journal.program) == program_hash(game.program)
    assert (journal.header, Game.replay(journal).hash) == (game.journal.header, game.hash)
    paths = {source.span.path for source in journal.program.sources if source.span.path}
    names = {name for name, _ in (*journal.program.origin.asked, *journal.program.origin.needed)}  # type: ignore[union-attr]
    assert {path.partition("/")[0] for path in paths} <= names


def test_packs_are_compiled_once(tmp_path: Path) -> None:
    started("coup").save(tmp_path / "x")
    one, other = Game.load(tmp_path / "x", table_of), Game.load(tmp_path / "x", table_of)
    assert one.program is other.program
    assert one._walker is other._walker


def test_names_come_from_the_journal() -> None:
    journal = read(write(started("coup").journal), table_of)
    assert names_of(journal.program).texts.text("es", "pack/coup.text") != ""
    assert names_of(journal.program, "dominion").book is not None


def test_packs_survive_as_text() -> None:
    """Files in their order, to the byte, and the names of pictures; not the folders."""
    origin = started("court-notary").program.origin
    assert origin is not None
    again, digest = unpacked(packed(origin)[0])
    assert digest == packed(origin)[1] == packed(again)[1]
    packs = zip((*origin.asked, *origin.needed), (*again.asked, *again.needed), strict=True)
    for (name, before), (same, after) in packs:
        assert name == same and before.pictures == after.pictures
        assert [data for _, data in before.files] == [data for _, data in after.files]
        assert all(path.startswith(f"{name}/") for path, _ in after.files)
