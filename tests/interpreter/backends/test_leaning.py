"""Bots that leave options out, and answers that apply in some decisions only; alike on every backend."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import evolve

from interpreter.backends.factory import AUTO
from interpreter.backends.policies.policies import BotError, policies
from interpreter.backends.policies.ranking_player import RankedPlayer
from interpreter.batch.batch import stepping_many
from interpreter.batch.native_batch import native_many
from interpreter.state.chance import Stream
from ruleset.table.nodes import UNRANKED, BotAnswer, BotInfo, Bots, Ranking
from tests.interpreter import compilers
from tests.interpreter.backends.test_ranked import SEED, alike, table
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.many_beside import compare

PROGRAM = table()
FOUND = -2


def site(choice: str) -> int:
    return next(number for number, one in enumerate(PROGRAM.sites) if one.key == choice)


def about(key: str) -> Ranking:
    """Ranks the cards of a definition."""
    faces = sorted({card.face for card in PROGRAM.cards if card.definition == key})
    return Ranking(True, 0, tuple((face, FOUND) for face in faces), UNRANKED)


class Table:
    """Two seats with a bot whose answers at all choices of `pick` are given."""

    def __init__(self, *answers: tuple[str, str, int]) -> None:
        rankings = tuple(about(key) for key, _, _ in answers)
        choices = ("pick.one", "pick.two", "pick.few", "pick.spare", "pick.gifts")
        bot = BotInfo(
            "leaning",
            tuple(
                BotAnswer(site(choice), -1, number, otherwise, chance)  # type: ignore[arg-type]  # a word of the test
                for choice in choices
                for number, (_, otherwise, chance) in enumerate(answers)
            ),
            rankings,
        )
        known = PROGRAM.bots
        assert known is not None
        self.program = evolve(PROGRAM, bots=evolve(known, bots=(*known.bots, bot)))
        self.player = RankedPlayer(self.program, ("leaning", "leaning"))
        self.state = [0] * PROGRAM.layout.cells
        self.cards: dict[str, list[int]] = {}
        for number, card in enumerate(PROGRAM.cards):
            self.state[PROGRAM.layout.places + number] = -1  # in no zone: seen, and no two are equal
            self.cards.setdefault(card.definition, []).append(number)

    def answer(self, options: Sequence[int], number: int, stream: Stream, choice: str = "pick.one") -> list[int]:
        return list(self.player.among(self.state, 0, site(choice), options, number, number, stream))


def test_what_is_avoided_is_left_out() -> None:
    at = Table(("apple", "avoid", 1))
    apple, pear, quince = (at.cards[key][0] for key in ("apple", "pear", "quince"))
    chosen = {at.answer([apple, pear, quince], 1, Stream(draw))[0] for draw in range(100)}
    assert chosen == {pear, quince}


def test_it_is_taken_if_too_few_others_remain() -> None:
    at = Table(("apple", "avoid", 1))
    apple, other, pear = *at.cards["apple"][:2], at.cards["pear"][0]
    assert at.answer([apple], 1, Stream(1)) == [apple]
    chosen = {tuple(at.answer([apple, other, pear], 2, Stream(draw), "pick.two")) for draw in range(100)}
    assert chosen == {(apple, other), (apple, pear), (other, pear)}


def test_the_answers_after_it_choose_among_the_others() -> None:
    at = Table(("apple", "avoid", 1), ("apple", "", 1), ("pear", "", 1))
    apple, pear, quince = (at.cards[key][0] for key in ("apple", "pear", "quince"))
    stream = Stream(1)
    assert at.answer([apple, quince, pear], 1, stream) == [pear]
    assert stream.place == Stream(1).place


def test_two_can_be_avoided() -> None:
    at = Table(("apple", "avoid", 1), ("pear", "avoid", 1))
    apple, pear, quince = (at.cards[key][0] for key in ("apple", "pear", "quince"))
    assert {at.answer([apple, pear, quince], 1, Stream(draw))[0] for draw in range(50)} == {quince}
    assert {at.answer([apple, pear], 1, Stream(draw))[0] for draw in range(50)} == {pear}


@pytest.mark.parametrize("chance", [2, 4])
def test_an_answer_with_a_chance_applies_when_it_draws_nothing(chance: int) -> None:
    """It draws one number below its chance, and applies for 0; otherwise the next answer counts."""
    at = Table(("apple", "", chance), ("pear", "", 1))
    apple, pear = at.cards["apple"][0], at.cards["pear"][0]
    for draw in range(200):
        expected = pear if Stream(draw).below(chance) else apple
        assert at.answer([pear, apple], 1, Stream(draw)) == [expected]


@pytest.mark.parametrize("chance", [0, -1])
def test_a_chance_below_one_is_refused(chance: int) -> None:
    bot = BotInfo("never", (BotAnswer(0, -1, 0, "", chance),), (about("apple"),))
    with pytest.raises(BotError, match="'never' answers with what is not there"):
        policies(evolve(PROGRAM, bots=Bots((bot,), (), (), ())), ("never", "never"))


LEANINGS = [
    (("apple", "avoid", 1),),
    (("apple", "avoid", 1), ("pear", "", 3), ("quince", "avoid", 2)),
    (("quince", "", 2), ("apple", "none", 4)),
    (("apple", "avoid", 1), ("pear", "avoid", 1)),
]


@pytest.mark.parametrize("answers", LEANINGS, ids=range(len(LEANINGS)))
@pytest.mark.parametrize("seated", [("leaning", "leaning"), ("leaning", "")])
def test_every_backend_plays_them_alike(answers: tuple[tuple[str, str, int], ...], seated: tuple[str, str]) -> None:
    alike(Table(*answers).program, seated, 40)


@needs_compiler
def test_other_bots_can_be_seated_for_the_next_games() -> None:
    program, every = Table(("apple", "avoid", 1)).program, range(PROGRAM.layout.cells)
    many = native_many(program, every, ("leaning", "leaning"), by=compilers.quick())
    many.play(SEED, 0, 3)
    many.seat(policies(program, ("picky", "leaning")))
    expected = stepping_many(program, every, AUTO, ("picky", "leaning")).play(SEED, 0, 20)
    compare(many.play(SEED, 0, 20), expected)
