"""Bots that rank options: preferences on every backend, and which values they cannot read.

What is expected is worked out from the documents `bot` of the pack `orchard`, by the keys of the options alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.interpreter.backends.factory import AUTO, make
from rulewright.interpreter.backends.policies import BotError, RandomPlayer, RankedPlayer, bot_keys, policies
from rulewright.interpreter.batch.batch import stepping_many
from rulewright.interpreter.batch.factory import many_games, native_many
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.decision import Decision, decision, keys_of
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table.canonical import dumps, program_hash
from rulewright.ruleset.table.nodes import ASKED, ASKING, D_STATE, STATUS, BotAnswer, BotInfo, Bots, TableProgram
from rulewright.tools.packs import loading as packs
from tests.canonical import loads
from tests.interpreter import compilers
from tests.interpreter.compilers import needs_compiler
from tests.interpreter.limits import most_answers
from tests.interpreter.many_beside import compare
from tests.suites.secrecy import secrecy

TESTS = Path(__file__).parents[2]
ORCHARD, MEDALS, CIRCLE = TESTS / "packs" / "orchard", TESTS / "packs" / "medals", TESTS / "interpreter" / "circle"
CONTENT = TESTS.parent / "content"
SEED = 7


@cache
def pack(path: Path) -> p.Program:
    program = packs.load_pack_set(packs.read_pack_set(str(path))).program
    assert program is not None
    return program


@cache
def table(path: Path = ORCHARD, players: int = 2) -> TableProgram:
    return lower(pack(path), players)


class Table:
    """A game of the pack that has just begun, in which cards can be laid out."""

    def __init__(self, *seated: str, path: Path = ORCHARD, program: TableProgram | None = None) -> None:
        self.program = program or table(path, len(seated))
        self.player = RankedPlayer(self.program, seated)
        self.random = RandomPlayer(self.program)
        backend = make(self.program)
        self.state = backend.start(1)
        backend.run(self.state)
        self.stream = Stream(3)

    def cards(self, *keys: str) -> list[int]:
        """Different cards of these keys, in this order."""
        left = list(enumerate(self.program.cards))
        found = []
        for key in keys:
            found.append(next(pair for pair in left if pair[1].key == key))
            left.remove(found[-1])
        return [number for number, _ in found]

    def lay(self, zone: str, *keys: str) -> list[int]:
        """Makes these the cards of a zone, from the bottom to the top."""
        number, info = next((n, one) for n, one in enumerate(self.program.zones) if one.key == zone)
        cards = self.cards(*keys)
        held = self.state[info.address]
        self.state[info.address : info.address + held + 1] = array("i", [0] * (held + 1))
        self.state[info.address : info.address + len(cards) + 1] = array("i", [len(cards), *cards])
        for card in cards:
            self.state[self.program.layout.places + card] = number
        return cards

    def set(self, track: str, value: int, index: int = 0) -> None:
        info = next(one for one in self.program.tracks if one.key == track)
        self.state[info.address + index] = value

    def site(self, choice: str) -> int:
        return next(number for number, site in enumerate(self.program.sites) if site.key == choice)

    def answer(
        self, choice: str, options: Sequence[int], least: int = 1, most: int = 1, seat: int = 0
    ) -> list[int]:
        site, before = self.site(choice), self.state[:]
        chosen = self.player.among(self.state, seat, site, options, least, most, self.stream)
        assert self.state == before
        return list(chosen)

    def at_random(self, choice: str, options: Sequence[int], least: int = 1, most: int = 1) -> list[int]:
        """What the random policy answers with the draws that come next."""
        return list(self.random.drawn(self.state, self.site(choice), options, least, most, Stream(3, 0)))


def nothing_drawn(at: Table) -> bool:
    return at.stream.place == Stream(3).place


# ------------------------------------------------------------------ what is preferred

def test_the_best_is_taken_and_nothing_drawn() -> None:
    at = Table("picky", "")
    apple, quince, pear, other_pear = at.lay("barn", "apple", "quince", "pear", "pear")
    assert at.answer("pick.one", [apple, quince, pear, other_pear]) == [pear]
    assert at.answer("pick.one", [apple, quince]) == [apple]
    assert nothing_drawn(at)


def test_as_many_as_may_be_the_best_first() -> None:
    at = Table("picky", "")
    cards = at.lay("basket/1", "quince", "quince", "pear", "pear", "apple")
    assert at.answer("pick.few", cards, 1, 3) == cards[:3]
    assert at.answer("pick.few", cards, 1, 1) == cards[:1]
    assert at.answer("pick.few", cards[2:], 1, 3) == cards[2:4]
    assert nothing_drawn(at)


def test_the_rest_is_filled_up_at_random() -> None:
    at = Table("picky", "")
    apple, pear, quince, other_pear = at.lay("barn", "apple", "pear", "quince", "pear")
    others = [apple, pear, other_pear]
    expected = {quince, *at.at_random("pick.two", others, 1, 1)}
    assert set(at.answer("pick.two", [apple, pear, quince, other_pear], 2, 2)) == expected
    assert at.stream.place != Stream(3).place


def test_answers_are_in_the_order_of_the_options() -> None:
    at = Table("picky", "")
    cards = at.lay("basket/1", "pear", "apple", "quince", "pear")
    assert at.answer("pick.few", cards, 1, 3) == [cards[0], cards[2], cards[3]]


def test_without_anything_preferred_chance_decides_or_as_little_as_may_be_is_taken() -> None:
    at = Table("picky", "")
    cards = at.lay("basket/1", "apple", "pear", "apple")
    assert at.answer("pick.spare", cards, 0, 2) == at.answer("pick.gifts", cards, 0, 3) == []
    assert nothing_drawn(at)
    expected = at.at_random("pick.gifts", cards, 1, 1)
    assert at.answer("pick.gifts", cards, 1, 3) == expected
    at.stream = Stream(3)
    expected = at.at_random("pick.two", cards, 2, 3)
    assert at.answer("pick.two", cards, 2, 3) == expected, "no quince: as the random policy"


def test_of_copies_that_differ_each_has_a_name_and_all_have_one() -> None:
    at = Table("picky", "")
    crates = at.lay("yard", "chest-2", "chest-1", "chest-3")
    assert at.answer("grope.crate", crates) == [crates[2]]
    assert at.answer("grope.crate", crates[:2]) == [crates[0]], "equal ones in the order of the options"


def test_seats_members_definitions_and_numbers() -> None:
    at = Table("picky", "")
    assert at.answer("point.friend", [0, 1]) == [1]
    assert at.answer("point.hue", [0, 1, 2]) == [2]
    assert at.answer("point.hue", [1, 0]) == [0]
    definitions = dict(at.program.definitions)["definition"]
    ground = [definitions.index(name) for name in ("meadow", "slope")]
    assert at.answer("point.ground", ground) == [definitions.index("slope")]
    assert at.answer("point.size", [3, 1, 200]) == [200]
    assert at.answer("point.size", [3, 1, 199]) == [1]
    assert nothing_drawn(at)
    assert at.answer("point.size", [3, 199]) == at.at_random("point.size", [3, 199])


def test_menus() -> None:
    at = Table("picky", "", "")
    keep, sell, shout = 0, 1, 2
    assert at.answer("haggle.choice", [keep, sell, shout]) == [sell]
    assert at.answer("haggle.choice", [keep, shout]) == [keep]
    apple, pear = at.lay("basket/1", "apple", "pear")

    def swap(card: int, seat: int) -> int:
        return 2 * (card + len(at.program.cards) * seat)

    options = [swap(apple, 1), swap(apple, 2), swap(pear, 1), swap(pear, 2), 1]
    assert at.answer("day.barter.choice", options) == [swap(apple, 2)], "an apple or a pear for seat 3"
    assert at.answer("day.barter.choice", [*options, swap(pear, 0)]) == [swap(pear, 0)], "a pear for seat 1"
    assert at.answer("day.barter.choice", [options[0], options[2], 1]) == [1]
    assert nothing_drawn(at)


def test_the_first_answer_counts_that_fits() -> None:
    """With `careful`: by its secret, by its coins, by its pears, and else at random."""
    at = Table("careful", "")
    options = keep, sell, shout = [0, 1, 2]
    expected = at.at_random("haggle.choice", options)
    at.set("secret", 3)
    assert at.answer("haggle.choice", options) == [shout]
    at.set("secret", 1)
    at.set("coins", 4)
    assert at.answer("haggle.choice", options) == [sell], "6 div 3 is 2"
    at.lay("basket/1", "apple", "pear")
    assert at.answer("haggle.choice", [keep, shout]) == [keep], "what it would sell for is not offered"
    at.set("coins", 1)
    assert at.answer("haggle.choice", options) == [keep], "6 div 0 cannot be worked out"
    at.lay("basket/1", "apple")
    assert nothing_drawn(at)
    at.set("turns", 2)
    assert at.answer("haggle.choice", options) == expected, "`any` leaves out what stands behind it"


def test_patterns_of_choices() -> None:
    at = Table("careful", "")
    cards = at.lay("basket/1", "apple", "quince", "pear")
    assert at.answer("pick.gifts", cards, 0, 3) == cards, "of pick.* everything before turn 3"
    at.set("turns", 3)
    assert at.answer("pick.gifts", cards, 0, 3) == cards[:1], "then apples"
    assert at.answer("point.friend", [0, 1]) == [0]
    assert at.answer("point.size", [1, 200]) == [200]


def test_conditions_know_the_seat() -> None:
    at = Table("careful", "careful")
    at.set("secret", 9, 1)
    at.set("coins", 1, 0)
    assert at.answer("haggle.choice", [0, 1, 2], seat=1) == [2]
    at.lay("basket/1", "pear")
    assert at.answer("haggle.choice", [0, 1, 2], seat=0) == [0]


# ------------------------------------------------------------------ what a seat does not see

def test_cards_that_the_seat_does_not_see_have_no_rank() -> None:
    at = Table("picky", "")
    cards = at.lay("cellar", "apple", "pear", "quince")
    expected = at.at_random("grope.blind", cards)
    assert at.answer("grope.blind", cards) == expected, "whatever it prefers"


def test_of_a_pile_whose_top_is_seen_only_that_has_a_rank() -> None:
    at = Table("picky", "")
    pile = at.lay("ladder", "quince", "pear", "quince")
    assert at.answer("grope.rung", pile) == [pile[2]]
    pile = at.lay("ladder", "quince", "quince", "pear")
    at.stream = Stream(3)
    expected = at.at_random("grope.rung", pile)
    assert at.answer("grope.rung", pile) == expected


def test_the_hand_of_another_is_not_seen() -> None:
    at = Table("picky", "picky")
    hand = at.lay("basket/2", "apple", "pear", "quince")
    assert at.answer("pick.one", hand, seat=1) == [hand[1]]
    expected = at.at_random("pick.one", hand)
    assert at.answer("pick.one", hand, seat=0) == expected


@pytest.mark.slow
@pytest.mark.parametrize("path", [ORCHARD, MEDALS])
def test_what_bots_prefer_depends_on_nothing_hidden(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither ranks nor scores. The suite of secrecy compares them in twins; and finds it where a bot peeks."""
    assert secrecy(table(path), 4, 12, "walker").preferences > 500
    monkeypatch.setattr(RankedPlayer, "_sees", lambda *_: True)
    with pytest.raises(AssertionError, match=r"ranks .* in the twin"):
        secrecy(table(path), 20, 12, "walker")


# ------------------------------------------------------------------ beside an oracle that reads keys

def preferred(bot: p.Bot, open_: Decision, holds: Sequence[bool]) -> tuple[str, ...] | None:
    """What a bot answers by its document where no chance is needed; None where it is."""
    bare = [option.key.partition("@")[0].partition("+")[0] for option in open_.options for _ in range(option.count)]
    keys = [option.key for option in open_.options for _ in range(option.count)]
    for answer, condition in zip(bot.answers, holds, strict=True):
        if not condition or not fnmatchcase(open_.choice, answer.choice):
            continue
        ranks = [rank(key, answer.prefer) for key in bare]
        order = sorted((found, place) for place, found in enumerate(ranks) if found is not None)
        if order and len(order) < open_.least:
            return None
        if order:
            chosen = sorted(place for _, place in order[: open_.most])
            return tuple(keys[place] for place in chosen)
        if answer.otherwise:
            return () if answer.otherwise == "none" and not open_.least else None
    return None


def rank(key: str, prefer: Sequence[str]) -> int | None:
    words = key.replace(":", ",").split(",")
    if any(word.startswith(("unseen-", "place-")) for word in words):
        return None
    for number, text in enumerate(prefer):
        pattern = text if ":" in text or ":" not in key else f"{text}:*"
        copies = [key, *(key.replace(word, word.rpartition("-")[0]) for word in words if word.startswith("chest-"))]
        if any(fnmatchcase(one, pattern) or fnmatchcase(one, text) for one in copies):
            return number
    return None


@pytest.mark.parametrize("name", ["picky", "careful", "idle"])
def test_whole_games_beside_an_oracle_that_reads_keys(name: str) -> None:
    """At every decision where the document leaves nothing to chance."""
    program, told = table(players=3), 0
    bot = next(one for one in pack(ORCHARD).bots if one.key == name)
    player, backend = RankedPlayer(program, (name,) * 3), make(program)
    infos = {one.key: one for one in program.bots.bots} if program.bots is not None else {}
    for game in range(12):
        state, stream = backend.start(SEED, game), Stream(game)
        backend.run(state)
        while state[STATUS] == ASKING:
            for seat, slot in enumerate(player.slots):
                if state[slot + D_STATE] != ASKED:
                    continue
                values = player.choose(state, seat, stream)
                open_ = decision(program, state, seat)
                assert open_ is not None
                expected = preferred(bot, open_, conditions(player, bot, infos[name].answers, state, seat, open_))
                if expected is not None:
                    told += 1
                    assert keys_of(open_, values) == expected, open_
                backend.answer(state, seat, values)
            backend.run(state)
    assert told > 30


def conditions(
    player: RankedPlayer, bot: p.Bot, answers: Sequence[BotAnswer], state: Sequence[int], seat: int, open_: Decision
) -> list[bool]:
    """Which answers of a document hold: those for this choice stand in the same order in the table program."""
    own = iter([one for one in answers if one.site == open_.site])
    held = []
    for answer in bot.answers:
        fits = fnmatchcase(open_.choice, answer.choice)
        condition = next(own).condition if fits else -1
        held.append(fits and (condition < 0 or player._holds(condition, state, seat)))
    return held


# ------------------------------------------------------------------ every backend

def alike(program: TableProgram, seated: Sequence[str], games: int, backend: str = "walker") -> None:
    """Games with bots in Python, stepped through by a backend, and games in native code, which has bots of its own,
    are equal to the cell. Raises AssertionError.
    """
    every = range(program.layout.cells)
    expected = stepping_many(program, every, backend, seated).play(SEED, 0, games)
    if compilers.WANTED:
        compare(native_many(program, every, seated, by=compilers.quick()).play(SEED, 0, games), expected)


SEATED = [seated for n in (2, 3) for seated in product(("", "picky", "careful", "idle"), repeat=n) if any(seated)]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_all_seatings_play_alike_everywhere(part: int) -> None:
    for seated in SEATED[part::4]:
        alike(table(players=len(seated)), seated, 4)


@pytest.mark.parametrize("backend", ["walker", pytest.param("native", marks=needs_compiler)])
@pytest.mark.parametrize("seated", [("picky", "careful"), ("careful", "", "picky"), ("idle", "idle")])
def test_three_seatings_play_alike_everywhere(seated: tuple[str, ...], backend: str) -> None:
    alike(table(players=len(seated)), seated, 5, backend)


SHIPPED = [
    (path.parent, seats)
    for path in sorted(CONTENT.glob("*/pack.yaml"))
    if (path.parent / "bots").is_dir()
    for seats in (2, 4)
]


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(
    ("path", "seats"), SHIPPED, ids=lambda one: one.name if isinstance(one, Path) else str(one)
)
def test_shipped_bots_play_alike_everywhere(path: Path, seats: int) -> None:
    """Beside random seats and among themselves, to the cell."""
    program = table(path, seats)
    keys = bot_keys(program)
    for seated in (("", *keys, *[""] * seats)[:seats], (*keys, *keys, *keys, *keys)[:seats]):
        alike(program, seated, 12, AUTO)


def test_random_seats_play_as_without_bots() -> None:
    """A bot that nobody seated changes nothing; nor does one that has no answer for what is asked."""
    program = table()
    every = range(program.layout.cells)
    plain = stepping_many(evolve(program, bots=None), every, AUTO).play(SEED, 0, 10)
    compare(many_games(program, every, "walker", ("", "")).play(SEED, 0, 10), plain)
    silent = evolve(program, bots=Bots((BotInfo("silent", (), ()),), (), (), ()))
    compare(stepping_many(silent, every, AUTO, ("silent", "silent")).play(SEED, 0, 10), plain)


# ------------------------------------------------------------------ games without an end

@pytest.mark.parametrize("backend", ["walker", pytest.param("native", marks=needs_compiler)])
def test_bots_that_go_in_circles_are_stopped(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most_answers(monkeypatch, 300)
    endless = table(CIRCLE)
    every = range(endless.layout.cells)
    results = many_games(endless, every, backend, ("sleeper", "sleeper")).play(SEED, 0, 3)
    assert [results.codes[fault - 1] for fault in results.faults] == ["endless"] * 3
    assert list(results.places) == [endless.sites[0].at] * 3
    assert {*results.decisions, *(cell for column in results.cells for cell in column)} == {0}
    ended = many_games(endless, every, backend, ("sleeper", "ender")).play(SEED, 0, 3)
    assert (list(ended.faults), list(ended.decisions)) == ([0, 0, 0], [2, 2, 2])


@pytest.mark.parametrize("backend", ["walker", pytest.param("native", marks=needs_compiler)])
def test_all_answers_count_and_each_game_begins_anew(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The random seat ends half of the games in each of its turns, after an answer of the bot and its own."""
    most_answers(monkeypatch, 6)
    results = many_games(table(CIRCLE), (), backend, ("sleeper", "")).play(SEED, 0, 60)
    assert {*results.decisions} == {0, 2, 4, 6}
    assert [fault > 0 for fault in results.faults] == [not one for one in results.decisions]
    assert results.codes[max(results.faults) - 1] == "endless"


# ------------------------------------------------------------------ what they leave alone

@pytest.mark.slow
@pytest.mark.parametrize("path", [ORCHARD, *dict(SHIPPED)], ids=lambda path: path.name)
def test_bots_are_no_part_of_what_is_played(path: Path) -> None:
    program = pack(path)
    with_them, without = lower(program, 2), lower(evolve(program, bots=()), 2)
    assert program_hash(with_them) == program_hash(without)
    assert dumps(evolve(with_them, bots=None)) == dumps(without)
    assert evolve(with_them, bots=None) == without
    assert with_them.bots is not None and without.bots is None


def test_table_programs_keep_them() -> None:
    bare = evolve(table(), bots=None)
    for program in (table(), table(MEDALS), bare):
        assert loads(dumps(program)) == program
    assert '"Bots"' not in dumps(bare)


# ------------------------------------------------------------------ who sits there

def test_unknown_bots() -> None:
    with pytest.raises(BotError, match="there is no bot 'nobody'; the bots of orchard: picky, careful, idle"):
        policies(table(), ("nobody", ""))
    with pytest.raises(BotError, match="2 seats, not 1"):
        policies(table(), ("picky",))
    assert policies(table(), ("", "")) == policies(table(), ()) == ()
