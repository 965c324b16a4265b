"""Bots that leave options out, and answers that apply in some decisions only; alike on every backend."""

from __future__ import annotations

from typing import Literal

import pytest
from attrs import evolve

from rulewright.interpreter.backends.policies import BotError, policies
from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.batch.factory import native_many
from rulewright.interpreter.state.chance import Stream
from rulewright.ruleset.table.nodes import UNRANKED, BotAnswer, BotInfo, Bots, Ranking, TableProgram
from tests.interpreter import compilers
from tests.interpreter.backends.test_ranked import SEED, Table, alike, nothing_drawn, table
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.many_beside import compare

PROGRAM = table()
FOUND = -2
Answer = tuple[str, Literal["", "none", "any", "avoid"], int]
"""The key of the cards that it is about, what else it does, and its chance."""


def about(key: str) -> Ranking:
    """Ranks the cards of a definition."""
    faces = sorted({card.face for card in PROGRAM.cards if card.definition == key})
    return Ranking(True, 0, tuple((face, FOUND) for face in faces), UNRANKED)


def leaning(*answers: Answer) -> TableProgram:
    """The orchard with a bot that has these answers at all choices of `pick`."""
    own = tuple(
        BotAnswer(site, -1, number, otherwise, chance)
        for site, one in enumerate(PROGRAM.sites)
        if one.key.startswith("pick.")
        for number, (_, otherwise, chance) in enumerate(answers)
    )
    bot = BotInfo("leaning", own, tuple(about(key) for key, _, _ in answers))
    known = PROGRAM.bots
    assert known is not None
    return evolve(PROGRAM, bots=evolve(known, bots=(*known.bots, bot)))


class Picking(Table):
    """A game of it in which all cards are in no zone: so they are seen, and no two are equal."""

    def __init__(self, *answers: Answer) -> None:
        super().__init__("leaning", "leaning", program=leaning(*answers))
        for number in range(len(PROGRAM.cards)):
            self.state[PROGRAM.layout.places + number] = -1

    def picks(self, cards: list[int], draw: int = 3, count: int = 1) -> tuple[int, ...]:
        """What is picked, as the stream of a number has it."""
        self.stream = Stream(draw)
        return tuple(self.answer("pick.two" if count > 1 else "pick.one", cards, count, count))


def test_what_is_avoided_is_left_out() -> None:
    at = Picking(("apple", "avoid", 1))
    apple, pear, quince = at.cards("apple", "pear", "quince")
    assert {at.picks([apple, pear, quince], draw) for draw in range(100)} == {(pear,), (quince,)}


def test_it_is_taken_if_too_few_others_remain() -> None:
    at = Picking(("apple", "avoid", 1))
    apple, other, pear = at.cards("apple", "apple", "pear")
    assert at.picks([apple]) == (apple,)
    chosen = {at.picks([apple, other, pear], draw, 2) for draw in range(100)}
    assert chosen == {(apple, other), (apple, pear), (other, pear)}


def test_the_answers_after_it_choose_among_the_others() -> None:
    at = Picking(("apple", "avoid", 1), ("apple", "", 1), ("pear", "", 1))
    apple, pear, quince = at.cards("apple", "pear", "quince")
    assert at.picks([apple, quince, pear]) == (pear,) and nothing_drawn(at)


def test_two_can_be_avoided() -> None:
    at = Picking(("apple", "avoid", 1), ("pear", "avoid", 1))
    apple, pear, quince = at.cards("apple", "pear", "quince")
    assert {at.picks([apple, pear, quince], draw) for draw in range(50)} == {(quince,)}
    assert {at.picks([apple, pear], draw) for draw in range(50)} == {(pear,)}


@pytest.mark.parametrize("chance", [2, 4])
def test_an_answer_with_a_chance_applies_when_it_draws_nothing(chance: int) -> None:
    """It draws one number below its chance, and applies for 0; otherwise the next answer counts."""
    at = Picking(("apple", "", chance), ("pear", "", 1))
    apple, pear = at.cards("apple", "pear")
    for draw in range(200):
        assert at.picks([pear, apple], draw) == (pear if Stream(draw).below(chance) else apple,)


@pytest.mark.parametrize("chance", [0, -1])
def test_a_chance_below_one_is_refused(chance: int) -> None:
    bot = BotInfo("never", (BotAnswer(0, -1, 0, "", chance),), (about("apple"),))
    with pytest.raises(BotError, match="'never' answers with what is not there"):
        policies(evolve(PROGRAM, bots=Bots((bot,), (), (), ())), ("never", "never"))


LEANINGS: list[tuple[Answer, ...]] = [
    (("apple", "avoid", 1),),
    (("apple", "avoid", 1), ("pear", "", 3), ("quince", "avoid", 2)),
    (("quince", "", 2), ("apple", "none", 4)),
    (("apple", "avoid", 1), ("pear", "avoid", 1)),
]


@pytest.mark.parametrize("answers", LEANINGS, ids=range(len(LEANINGS)))
@pytest.mark.parametrize("seated", [("leaning", "leaning"), ("leaning", "")])
def test_every_backend_plays_them_alike(answers: tuple[Answer, ...], seated: tuple[str, str]) -> None:
    alike(leaning(*answers), seated, 40)


@needs_compiler
def test_other_bots_can_be_seated_for_the_next_games() -> None:
    program, every = leaning(("apple", "avoid", 1)), range(PROGRAM.layout.cells)
    many = native_many(program, every, ("leaning", "leaning"), by=compilers.quick())
    many.play(SEED, 0, 3)
    many.seat(policies(program, ("picky", "leaning")))
    expected = stepping_many(program, every, "walker", ("picky", "leaning")).play(SEED, 0, 20)
    compare(many.play(SEED, 0, 20), expected)
