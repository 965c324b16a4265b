"""Pairs: in a market where two things are worth more together, and one is worth less with another.

Each player takes four of four goods, one each turn, at random. A hook counts nothing by itself and a line neither,
but each hook with a line is worth 10. A net is worth 5, unless the player has a basket, which is worth 5, too, but
takes the place of all nets.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from rulewright.interpreter.batch.batch import never
from rulewright.tools.balance.estimates import Ends, Moments
from rulewright.tools.balance.interventions import (
    AS_IS,
    Blocks,
    Both,
    DefinitionUse,
    LeaningPlayer,
    Pair,
    SynergyPairs,
    Together,
    both_of,
    leaning,
    paired,
)
from rulewright.tools.balance.study import Study, StudyRequest, study
from rulewright.tools.balance.subjects import DefinitionTrial, Subject
from rulewright.tools.packs import loading
from tests.tools.balance.test_study import whole

PACK = Path(__file__).parent / "harbour"
pytestmark = pytest.mark.slow


@cache
def harbour() -> Study:
    table = loading.table(loading.compile_pack(str(PACK)).program, 2, ())
    return study(StudyRequest(table, "", (), 1, 60.0, 1, 1500), whole)


def pair(first: str, second: str) -> Pair:
    return next(one for one in harbour().pairs if {s.key for s in one.subjects} == {first, second})


def test_what_needs_each_other_belongs_together() -> None:
    assert pair("hook", "line").says == "together"
    assert max(harbour().pairs, key=lambda one: one.beyond.mean) == pair("hook", "line")


def test_what_takes_the_place_of_another_gets_in_its_way() -> None:
    assert pair("net", "basket").says == "apart"
    assert min(harbour().pairs, key=lambda one: one.beyond.mean) == pair("net", "basket")


def test_all_pairs_of_a_choice_are_played() -> None:
    assert len(harbour().pairs) == 6
    assert harbour().paired == 1500


def test_the_result_does_not_depend_on_how_the_work_is_divided() -> None:
    program = harbour().request.program
    site = [one.key for one in program.sites].index("market.buy.bought")
    trials = tuple(DefinitionTrial(Subject("good", key), site) for key in ("hook", "line", "net"))
    work = SynergyPairs(
        program, "", trials, (DefinitionUse(0, 1),) * 3, ("",) * 3, "lead", Blocks(1, 60, 2, 7, 10), 1
    )
    expected = work.player().play(0, 60, never).counts
    assert expected.games == 60 and len(expected.found) == 3
    for size in (7, 20):
        found, player, first = work.empty(), work.player(), 0
        while first < 60:
            part = player.play(first, min(60, first + size), never)
            found.merge(part.counts)
            first = part.end
        assert found == expected


def test_a_seat_takes_one_and_avoids_the_other() -> None:
    """Who takes hooks and avoids lines catches nothing with them; who takes nets without baskets has 20."""
    program = harbour().request.program
    site = [one.key for one in program.sites].index("market.buy.bought")
    hook, line, net, basket = (
        DefinitionTrial(Subject("good", key), site) for key in ("hook", "line", "net", "basket")
    )
    always = DefinitionUse(0, 1)
    bots = [
        leaning(program, "", "hooks", [(hook, always)], [line]),
        leaning(program, "", "nets", [(net, always)], [basket]),
        leaning(program, "", "no hooks or nets", [], [hook, net, basket]),
        leaning(program, "", "first wins", [(net, always), (hook, always)], []),
    ]
    player = LeaningPlayer(program, "", bots, 1)
    for key, score in (("hooks", 0), ("nets", 20), ("no hooks or nets", 0), ("first wins", 20)):
        found = player.one_leaning(key, 1, 0, 20)
        assert found is not None
        assert set(found.scores[1]) == {score}


def test_certain_games_are_those_games() -> None:
    player = LeaningPlayer(harbour().request.program, "", (), 1)
    whole_range = player.one_leaning(AS_IS, 0, 0, 100)
    some = player.leaning_in(AS_IS, 0, [3, 5, 6, 50, 99])
    assert whole_range is not None and some is not None
    assert [list(row) for row in some.scores] == [
        [int(row[n]) for n in (3, 5, 6, 50, 99)] for row in whole_range.scores
    ]


def test_synergy_is_the_difference_of_differences() -> None:
    """In three games: 9 - 5 - 3 + 1 = 2 and 4 - 5 - 3 + 2 = -2; the third has a failed arm."""

    def arm(*scores: int, failed: bool = False) -> Ends:
        won = np.zeros((2, 3), dtype=np.int64)
        return Ends(
            np.array([scores, (0, 0, 0)]), won, np.zeros(3, dtype=np.int64), np.array([False, False, failed])
        )

    four = [arm(9, 4, 7), arm(5, 5, 7), arm(3, 3, 7, failed=True), arm(1, 2, 7)]
    found = both_of(four, 0, "score")
    assert found.synergy == Moments(2, 0, 8, 2)
    assert found.more == (Moments(2, 3, 17, 2), Moments(2, 7, 37, 2), Moments(2, 10, 68, 2)), "4 -1; 6 1; 8 2"


def test_without_worlds_there_are_no_pairs() -> None:
    program = harbour().request.program
    work = SynergyPairs(program, "", (), (), (), "lead", Blocks(1, 0, 2), 1)
    assert paired(work, Together()) == ()


def test_what_is_not_better_than_one_of_the_two_does_not_belong_together() -> None:
    """If both are as bad as the worse of two harmful ones, the second costs nothing: a floor, not a gain."""
    program = harbour().request.program
    goods = [Subject("good", key) for key in ("hook", "line", "net")]
    work = SynergyPairs(
        program,
        "",
        tuple(DefinitionTrial(one, 0) for one in goods),
        (DefinitionUse(0, 1),) * 3,
        ("",) * 3,
        "lead",
        Blocks(1, 60, 2),
        1,
    )
    sums = {(0, 1): 900, (0, 2): 0, (1, 2): -900}

    def says(*more: int) -> list[str]:
        """The sums of what both are worth more than one, the other, and neither."""
        three = [Moments(100, total, 10_000, 100) for total in more]
        both = {
            two: Both(Moments(100, total, 10_000, 100), (three[0], three[1], three[2]))
            for two, total in sums.items()
        }
        return [one.says for one in paired(work, Together(100, found=both))]

    assert says(900, 900, 900) == ["together", "", "apart"]
    for worse in ((0, 900, 900), (900, 0, 900), (900, 900, -900)):
        assert says(*worse) == ["", "", "apart"]


def test_pairs_are_within_a_group() -> None:
    program = harbour().request.program
    trials = tuple(DefinitionTrial(Subject("good", key), 0) for key in ("hook", "line", "net", "basket"))
    groups = ("fishing", "trade", "fishing", "trade")
    work = SynergyPairs(program, "", trials, (DefinitionUse(0, 1),) * 4, groups, "lead", Blocks(1, 0, 2), 1)
    assert work.pairs == ((0, 2), (1, 3))
    assert work.cost == 2 * 4 + 4 * 2
