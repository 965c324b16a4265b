"""Whole games count the same on every backend, and what an onlooker sees who plays them step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.native.module import generate_playing
from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.counting import (
    GROUPS,
    MEASURES,
    MOMENTS,
    NUMBERS,
    STRATA,
    WIN,
    CountedUse,
    Counts,
    EndAddresses,
    Folder,
    GameGrouping,
    counted,
    empty_counts,
    end_of,
    moments,
    row_number,
    with_starter,
)
from rulewright.ruleset.table.nodes import TableProgram
from tests.content.test_packs import LONG, all_packs, table_of, tables
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.counted_beside import altered, check_cells, same_counts
from tests.interpreter.programs_random import random_program
from tests.interpreter.programs_rich import rich_program
from tests.small_packs import lowered

PACKS = Path(__file__).parents[2] / "packs"
CONTENT = Path(__file__).parents[3] / "content"
SEED = 5
HEAD = "pack: small\nplayers: 2\n"


def small(text: str) -> TableProgram:
    return lowered(HEAD + text)


# ------------------------------------------------------------------ all ways to count agree

@needs_compiler
@pytest.mark.slow
@all_packs
def test_all_packs_count_what_an_onlooker_sees(pack: Path) -> None:
    for one, seats in tables(pack):
        program = table_of(one, seats)
        check_cells(program, same_counts(program, 3 if pack.name in LONG else 15, SEED), SEED)


@needs_compiler
@pytest.mark.parametrize("name", ["bluff", "edicts", "crates"])
def test_a_pack_counts_what_an_onlooker_sees(name: str) -> None:
    program = table_of(PACKS / name, 2)
    assert check_cells(program, same_counts(program, 8, SEED), SEED) > 200


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "bots"),
    [
        (PACKS / "orchard", ("picky", "")),
        (PACKS / "orchard", ("careful", "picky", "idle")),
        (CONTENT / "coup", ("truthful", "", "truthful")),
        (CONTENT / "dominion", ("big-money", "smithy-money")),
        (CONTENT / "rattus-cartus", ("townsman", "townsman", "")),
    ],
)
def test_bots_are_counted(pack: Path, bots: tuple[str, ...]) -> None:
    program = table_of(pack, len(bots))
    assert check_cells(program, same_counts(program, 4, SEED, bots), SEED, bots) > 0


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("make", [rich_program, random_program])
@pytest.mark.parametrize("seed", range(18))
def test_random_programs_count_alike(make: Callable[[int], TableProgram], seed: int) -> None:
    same_counts(make(seed), 8, SEED)


OFTEN = (
    "---\ntracks: {{turns: {{of: number}}}}\n---\nround: turn\nturns-from: first of players\n"
    "until: turns >= {times}\nsteps: [{{id: act, options: {{left: turns += 1, right: turns += 1}}}}]\n"
)
TIMES = (128, 600)


@needs_compiler
@pytest.mark.parametrize("times", TIMES)
def test_long_games_overflow_no_byte(times: int) -> None:
    """A seat is asked often at one site: with one bit of a byte set, and more often than a byte can count."""
    program = small(OFTEN.format(times=2 * times))
    results = same_counts(program, 3, SEED)
    assert check_cells(program, results, SEED) == 3 * 2 * 2 * times


EQUAL = (
    "kinds: {coin: {}}\ncomponents: {coins: {kind: coin, copies: 4, starts: bank, home: bank}}\n"
    "zones: {bank: {seen-by: all, order: bag}, purse: {scope: player, seen-by: all}}\n---\ncoin: groat\n---\n"
    "tracks: {turns: {of: number}}\n---\nround: turn\nturns-from: first of players\nuntil: turns >= 3\nsteps:\n"
    "  - id: take\n    do: |\n      choose 2 coin from bank as taken\n      turns += 1\n"
    "  - id: rest\n    options: {sit: do nothing, lie: do nothing}\n"
)
"""Two of four equal coins must be chosen: that is no choice."""


@needs_compiler
def test_equal_cards_are_no_choice() -> None:
    program = small(EQUAL)
    assert check_cells(program, same_counts(program, 4, SEED), SEED) == 4 * 3 * 2


TALL = (
    "---\ntracks: {{turns: {{of: number}}, gained: {{of: number, scope: player}}}}\n---\nround: turn\n"
    "turns-from: first of players\nuntil: turns >= 4\nsteps:\n  - id: act\n    options:\n"
    "      gain: turns += 1 then you's gained += 1\n      lose: turns += 1 then you's gained -= 1\n"
    "---\nfinish: end\nawards: [gains]\n---\naward: gains\nname: Gains\nsum: gained * {most}\n---\n"
    "winner: one\namong: players\norder: [most score]\n"
)
"""Each seat has two turns, and gains or loses this many points in each."""
SCORES = (300_000_000, 2**30)
"""A short sum of native code holds a few of the first, and none of two of the second, which only fit below 0."""
MANY = 4000
"""Games of which some are in one group."""


@needs_compiler
@pytest.mark.parametrize("most", SCORES)
def test_large_scores_are_added_up(most: int) -> None:
    counts = same_counts(small(TALL.format(most=most)), MANY, SEED).counts
    assert counts is not None
    chosen_score = len(MOMENTS) + 3 * MEASURES.index("score") + 1
    sums = [row[chosen_score] for rows in counts.rows.values() for row in rows.values()]
    assert min(sums) < -(2**31), "scores that no short sum can hold"


FOLD = "offers[i] = takes[i] = 0;\n    }\n  for (int i = 0; i < G->touches"
MUTANTS = [
    ("G->takes[first + 0] += taken[0];", "G->takes[first + 0] += offered[0];"),
    ("G->offers[first + 0] += offered[0];", "G->offers[first + 0] += 2 * offered[0];"),
    ("seat * RW_BLOCKS + first, uses = 0;", "first, uses = 0;"),
    ("uses |= rw_used(offers[i]) << 8 * i;", "uses |= rw_used(takes[i]) << 8 * i;"),
    ("(((word & ~high) + ~high | word) & high)", "(((word & ~high) + ~high) & high)"),
    ("0x0102040810204080ull >> 56", "0x0102040810204081ull >> 56"),
    ("if (RW_RARE(RW_SHARED || G->spills))", "if (RW_RARE(RW_SHARED))"),
    ("if (RW_RARE(RW_SHARED || G->spills))", "if (RW_RARE(G->spills))"),
    ("if (G->spilled[at] || rw_shares", "if (rw_shares"),
    ("burden + most > RW_LARGEST", "burden > RW_LARGEST"),
    ("G->burden += most;", "G->burden += RW_WIN_UNIT;"),
    ("if (most < -(long long)scores[seat])", "if (0)"),
    ("small[2] = score + measured[2];", "small[2] = score + measured[3];"),
    ("int stratum = o <= RW_FEW ? o - 1 : RW_FEW;", "int stratum = RW_FEW;"),
    ("for (int j = 0; j < 4; j++) small[j] = 0;", ""),
    ("{ G->row_numbers[G->row_count++] = number; continue; }", "continue;"),
    ("(offered + 1) / 2 - 1 + chosen", "(offered + 1) / 2 - 1"),
    ("rank += won[i] > won[seat] ||", "rank += won[i] < won[seat] ||"),
    ("winners += won[seat];", "winners += 0;"),
    ("row[4] += games * o * o;", "row[4] += games * o;"),
    ("row[5] += games * o * c;", "row[5] += games * c * c;"),
    ("row[8 + 3 * i] += sum * o;", "row[8 + 3 * i] += sum * c;"),
    ("+ rw_owner[zone]]++;", "+ rw_owner[zone]] = 1;"),
    ("sums[0] += S[RW_DONE_AT + i];", "sums[0] += S[RW_DONE_AT + i] > 0;"),
    ("chosen > offered; offered++) chosen -= offered + 1;", "chosen > offered; offered++) chosen -= offered;"),
    ("count, apart) == 1) return;", "count, apart) == 0) return;"),
    ("if (rw_owner[zone] < 0) continue;", "if (rw_owner[zone] < 1) continue;"),
    ("if (!cell[0]) G->touched[G->touches++] = place;", ""),
    (FOLD, FOLD.replace("offers[i] = takes[i] = 0;", ";")),
    ("RW_DECIDED(before, seat, site, options, count, least == most && most > 1, out, number);", ""),
    ("&& rw_in_sight(G, seat,", "&& !rw_in_sight(G, seat,"),
    ("rw_spill(G, at);\n    G->asked[at] = 1;", "G->asked[at] = 1;"),
    ("int use = rw_lowest(uses), place", "int use = rw_lowest(uses) & 31, place"),
    ("if (uses_shown) rw_show_uses(G);", ""),
    ("RW_STRATA && o > rw_strata[stratum]", "RW_STRATA && o >= rw_strata[stratum]"),
]
"""Slips in the C that counts."""


def _small() -> Iterator[tuple[TableProgram, int]]:
    """Tables that show each slip, with numbers of games."""
    for text in (EQUAL, *(OFTEN.format(times=2 * times) for times in TIMES)):
        yield small(text), 12
    for most in SCORES:
        yield small(TALL.format(most=most)), MANY
    for name in ("edicts", "orchard", "bluff", "crates", "tides", "wards"):
        yield table_of(PACKS / name, 2), 60


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), MUTANTS)
def test_slips_in_the_c_are_caught(old: str, new: str) -> None:
    for program, games in _small():
        counting = counted(program)
        source = generate_playing(counting.program, counting)
        if old in source.text:
            try:
                same_counts(program, games, SEED, source=altered(source, old, new))
            except (AssertionError, OverflowError, KeyError):
                return
    raise AssertionError("every table counts alike")


# ------------------------------------------------------------------ what is counted

def test_uses_are_what_options_mean() -> None:
    """Cards and definitions are apart at each site; seats are not counted, numbers are, up to a bound."""
    program = small(
        "kinds: {gem: {}}\n"
        "components: {gems: {kind: gem, copies: 2, starts: bank, home: bank}}\n"
        "zones: {bank: {seen-by: all}, purse: {scope: player, seen-by: all}}\n---\ngem: ruby\n---\ngem: opal\n---\n"
        "round: turn\nturns-from: first of players\nuntil: bank is empty\nsteps:\n"
        "  - id: take\n    options:\n      one: {each: {prize: bank}, do: move prize to purse}\n"
        "      none: do nothing\n"
        "  - id: bid\n    do: |\n"
        "      choose 1 number from 1 to 3 as bid\n      choose 1 player from players as other\n"
    )
    uses = counted(program).uses
    assert uses is not None
    take = "turn.take.choice"
    options = {CountedUse(take, f"{take}/{branch}", False) for branch in ("one", "none")}
    cards = {CountedUse(take, f"gem/{gem}", True) for gem in ("ruby", "opal")}
    assert {use for use in uses.uses if use.site == take} == options | cards
    numbers = [use.what for use in uses.uses if use.site == "turn.bid.bid"]
    assert numbers == [f"turn.bid.bid/{number}" for number in (*range(NUMBERS), "other")]
    assert not any(use.site.endswith("other") for use in uses.uses), "seats are no use"


def test_an_end_is_measured() -> None:
    """Two winners share a win; winners come first, then points decide."""
    end = EndAddresses((0, 1, 2, 3), (4, 5, 6, 7))
    measured = end.measured([0, 1, 1, 0, 9, 3, 5, 9], 4)
    assert measured == [(0, 9, 3), (WIN // 2, 3, 2), (WIN // 2, 5, 1), (0, 9, 3)]
    assert EndAddresses((), ()).measured([], 2) == [(0, 0, 1), (0, 0, 1)]


def test_rows_of_equal_games() -> None:
    assert moments(2, 3, 1, (10, 7, 3)) == [2, 2, 2, 6, 18, 6, 10, 10, 30, 7, 7, 21, 3, 3, 9]


def test_each_number_of_offers_has_one_stratum() -> None:
    strata = [row_number(2, offers) - 2 * (len(STRATA) + 1) for offers in (1, 2, 8, 9, 12, 13, 128, 129, 20_000)]
    assert strata == [0, 1, 7, 8, 8, 9, 15, 16, 16]


@pytest.mark.parametrize(("first", "games"), [(0, 3), (7, 31), (0, 32), (100, 1000)])
def test_groups_are_successive_and_about_equal(first: int, games: int) -> None:
    grouping = GameGrouping(first, games)
    groups = [grouping.of(game) for game in range(first, first + games)]
    assert groups == sorted(groups) and groups[0] == 0 and groups[-1] < GROUPS
    sizes = [groups.count(group) for group in set(groups)]
    assert max(sizes) - min(sizes) <= 1
    for game in range(first, first + games):
        assert grouping.end(game) == first + sum(one <= grouping.of(game) for one in groups)


def test_parts_merge_in_any_order() -> None:
    program = table_of(PACKS / "edicts", 2)
    counting, grouping = counted(program), GameGrouping(0, 60)

    def play(first: int, count: int) -> Counts:
        many = stepping_many(program, (), AUTO, (), Folder(counting, grouping))
        found = many.play(SEED, first, count).counts
        assert found is not None
        return found

    merged = empty_counts(counting)
    for first in (40, 0, 20):
        merged.merge(play(first, 20))
    assert merged == play(0, 60)


# ------------------------------------------------------------------ who began

def test_the_first_turn_tells_who_began() -> None:
    program = table_of(CONTENT / "dominion", 3)
    noted = with_starter(program)
    track = next(track for track in program.tracks if track.key == "starting-player")
    many = stepping_many(noted.program, (noted.starter, track.address), AUTO)
    starters, kept = many.play(SEED, 0, 30).cells
    assert {*starters} == {1, 2, 3}
    assert [one - 1 for one in starters] == list(kept)


def test_a_seat_that_is_asked_first_began() -> None:
    """Turns within a step begin nothing by themselves: the first question tells."""
    program = small(
        "---\ntracks: {turns: {of: number}}\n---\nround: day\nuntil: turns >= 4\nsteps:\n"
        "  - id: act\n    turns: players\n    options: {left: turns += 1, right: turns += 1}\n"
    )
    noted = with_starter(program)
    assert {*stepping_many(noted.program, (noted.starter,), AUTO).play(SEED, 0, 5).cells[0]} == {1}


def test_noting_who_began_changes_nothing() -> None:
    program = table_of(PACKS / "stalls", 3)
    cells, noted = range(program.layout.stack), with_starter(program).program
    played, same = (stepping_many(one, cells, AUTO).play(SEED, 0, 10) for one in (program, noted))
    assert played == same
    assert end_of(noted) == end_of(program)
