"""What the words of the language mean, on the tiny packs of `tests/packs`.

Expected values come from the text of those packs, read with `docs/reference/language.md`, or from arithmetic.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.views.refusals import Refusal
from tests.positions import Table, hand, of, program_of

PACKS = Path(__file__).parents[1] / "packs"

ACT = "turn.act.choice"


def begin(pack: str, seats: int = 2) -> Table:
    return Table.start(program_of(PACKS / pack, seats))


def numbers(table: Table, track: str) -> list[int]:
    """The values of a track kept for players, by seat."""
    return [table.number(track, seat) for seat in range(table.program.seats)]


# ------------------------------------------------------------------ claims (bluff)

DOUBT, LOSES, REACTS = "role.challenge", "lose-influence.given-up", "block-theft.reaction"
HONEST, LIAR = ["baron", "thief"], ["guard", "guard"]


def bluffing(a: list[str], b: list[str], c: list[str] | None = None) -> tuple[Table, list[int]]:
    """The turn of a player who holds the roles `a`; clockwise from him the others hold theirs. Two coins each."""
    held = [a, b] if c is None else [a, b, c]
    table = begin("bluff", len(held))
    first = table.asked[0][0]
    seats = [(first + step) % len(held) for step in range(len(held))]
    lost = {of(seat, "lost"): ["guard"] * (2 - len(roles)) for seat, roles in zip(seats, held, strict=True)}
    zones = {of(seat, "influence"): roles for seat, roles in zip(seats, held, strict=True)}
    table.arrange(zones={**zones, **lost})
    return table, seats


def coins(table: Table, seats: list[int]) -> list[int]:
    return [table.number("coins", seat) for seat in seats]


def loses(table: Table, seat: int, role: str) -> None:
    """The seat gives up a role: it is asked which, unless it has only one."""
    if table.asked == [(seat, LOSES)]:
        table.answer(seat, LOSES, role)
    else:
        assert table.count(of(seat, "influence")) == 0


def influence(table: Table, seats: list[int]) -> list[int]:
    return [table.count(of(seat, "influence")) for seat in seats]


def test_a_claim_that_nobody_doubts_stands() -> None:
    """Clockwise, each of the others may doubt it; a lie pays when nobody does."""
    table, (a, b, c) = bluffing(LIAR, HONEST, HONEST)
    table.answer(a, ACT, "tax")
    assert table.asked == [(b, DOUBT)]
    table.answer(b, DOUBT, "pass")
    assert table.asked == [(c, DOUBT)]
    table.answer(c, DOUBT, "pass")
    assert coins(table, [a, b, c]) == [5, 2, 2]
    assert influence(table, [a, b, c]) == [2, 2, 2]
    assert table.asked == [(b, ACT)]


def test_who_doubts_the_truth_loses_a_card_and_the_claimant_replaces_the_shown_one() -> None:
    table, (a, b, c) = bluffing(HONEST, ["thief", "guard"], LIAR)
    court = table.count("court")
    table.answer(a, ACT, "tax")
    table.answer(b, DOUBT, "challenge")
    assert table.asked == [(b, LOSES)], "C is not asked any more, A not what to show; who loses a card chooses it"
    before = sorted([*table.cards("court"), "baron"])
    table.answer(b, LOSES, "guard")
    assert table.cards(of(b, "lost")) == ["guard"] and table.cards(of(b, "influence")) == ["thief"]
    assert influence(table, [a, b, c]) == [2, 1, 2] and table.count("court") == court
    (drawn,) = set_minus(table.cards(of(a, "influence")), ["thief"])
    assert sorted([*table.cards("court"), drawn]) == before, "the baron went into the court"
    assert coins(table, [a, b, c]) == [5, 2, 2], "the claim stands"


def set_minus(cards: list[str], others: list[str]) -> list[str]:
    left = list(cards)
    for other in others:
        left.remove(other)
    return left


def test_who_is_caught_in_a_lie_loses_a_card_and_gets_nothing() -> None:
    table, (a, b, c) = bluffing(LIAR, HONEST, HONEST)
    table.answer(a, ACT, "tax")
    table.answer(b, DOUBT, "pass")
    table.answer(c, DOUBT, "challenge")
    assert table.asked == [(a, LOSES)]
    table.answer(a, LOSES, "guard")
    assert influence(table, [a, b, c]) == [1, 2, 2]
    assert coins(table, [a, b, c]) == [2, 2, 2]
    assert table.asked == [(b, ACT)]


def stealing(a: list[str], b: list[str], c: list[str]) -> tuple[Table, list[int]]:
    """A claims to be a thief and takes from B."""
    table, seats = bluffing(a, b, c)
    table.arrange(tracks={("coins", seats[1]): 1})
    table.answer(seats[0], ACT, f"steal:seat-{seats[1] + 1}")
    return table, seats


def passes(table: Table, *seats: int) -> None:
    for seat in seats:
        table.answer(seat, DOUBT, "pass")


def test_a_theft_that_is_not_blocked() -> None:
    """Only the victim is asked whether to block; two coins, or what there is."""
    table, (a, b, c) = stealing(HONEST, HONEST, HONEST)
    passes(table, b, c)
    assert table.asked == [(b, REACTS)] and table.options == ["block", "pass"]
    table.answer(b, REACTS, "pass")
    assert coins(table, [a, b, c]) == [3, 0, 2]


def test_a_block_that_nobody_doubts() -> None:
    """It is a claim of its own: clockwise from the blocker all others may doubt it, the thief too."""
    table, (a, b, c) = stealing(LIAR, HONEST, HONEST)
    passes(table, b, c)
    table.answer(b, REACTS, "block")
    passes(table, c, a)
    assert coins(table, [a, b, c]) == [2, 1, 2]
    assert influence(table, [a, b, c]) == [2, 2, 2]


def test_a_block_that_is_doubted_and_true() -> None:
    table, (a, b, c) = stealing(HONEST, LIAR, HONEST)
    passes(table, b, c)
    table.answer(b, REACTS, "block")
    table.answer(c, DOUBT, "challenge")
    assert table.asked == [(c, LOSES)]
    table.answer(c, LOSES, "thief")
    assert influence(table, [a, b, c]) == [2, 2, 1]
    assert "guard" in table.cards(of(b, "influence")), "the other one"
    assert coins(table, [a, b, c]) == [2, 1, 2]


def test_a_block_that_is_doubted_and_false() -> None:
    """The blocker loses a card, and the theft takes place."""
    table, (a, b, c) = stealing(LIAR, HONEST, HONEST)
    passes(table, b, c)
    table.answer(b, REACTS, "block")
    passes(table, c)
    table.answer(a, DOUBT, "challenge")
    table.answer(b, LOSES, "baron")
    assert influence(table, [a, b, c]) == [2, 1, 2]
    assert coins(table, [a, b, c]) == [3, 0, 2]


def test_a_theft_that_is_doubted() -> None:
    """True: the victim who doubted loses a card and may block nevertheless. False: no window is opened."""
    table, (a, b, c) = stealing(HONEST, HONEST, HONEST)
    table.answer(b, DOUBT, "challenge")
    table.answer(b, LOSES, "baron")
    assert table.asked == [(b, REACTS)]
    table, (a, b, c) = stealing(LIAR, HONEST, HONEST)
    table.answer(b, DOUBT, "challenge")
    table.answer(a, LOSES, "guard")
    assert table.asked == [(b, ACT)]
    assert coins(table, [a, b, c]) == [2, 1, 2]


def test_who_loses_the_last_card_is_out() -> None:
    """No turns, no questions, no window for a victim who is out."""
    table, (a, b, c) = stealing(HONEST, ["guard"], HONEST)
    table.answer(b, DOUBT, "challenge")
    loses(table, b, "guard")
    assert numbers(table, "in-game")[b] == 0
    assert table.asked == [(c, ACT)], "B cannot block and has no turn"
    assert [key for key in table.options if key.startswith("steal")] == [f"steal:seat-{a + 1}"]
    assert coins(table, [a, b, c]) == [2, 1, 2], "nothing is taken from who is out"
    table.answer(c, ACT, "tax")
    assert table.asked == [(a, DOUBT)]


def test_a_liar_who_loses_the_last_card_is_out_and_the_turn_passes() -> None:
    table, (a, b, c) = bluffing(["guard"], HONEST, HONEST)
    table.answer(a, ACT, "tax")
    table.answer(b, DOUBT, "challenge")
    loses(table, a, "guard")
    assert coins(table, [a, b, c]) == [2, 2, 2]
    assert table.asked == [(b, ACT)]
    table.answer(b, ACT, "income")
    table.answer(c, ACT, "income")
    assert table.asked == [(b, ACT)]


@pytest.mark.parametrize("honest", [True, False])
def test_the_last_one_in_the_game_wins_at_once(honest: bool) -> None:
    """`end game` leaves the rest of the action undone: the coins of a true tax are not paid any more."""
    table, (a, b) = bluffing(["baron"] if honest else ["guard"], ["thief"])
    table.answer(a, ACT, "tax")
    table.answer(b, DOUBT, "challenge")
    loser, winner = (b, a) if honest else (a, b)
    result = table.game.result
    assert result is not None and result.winners == (winner,)
    assert [result.alive[winner], result.alive[loser]] == [True, False]
    assert coins(table, [a, b]) == [2, 2]


def test_what_was_paid_stays_paid_and_options_have_their_conditions() -> None:
    """Seven coins, or it is not offered; no claim, so nobody may doubt it."""
    table, (a, b, c) = bluffing(LIAR, HONEST, HONEST)
    assert not any(key.startswith("oust") for key in table.options)
    table.arrange(tracks={("coins", a): 7})
    table.answer(a, ACT, f"oust:seat-{c + 1}")
    assert table.asked == [(c, LOSES)] and coins(table, [a, b, c]) == [0, 2, 2]


# ------------------------------------------------------------------ effects of cards (echo)

PLAY, PLAYED, DOUBLED = "turn.play", "turn.play.played", "echo.play.doubled"


def casting(mine: list[str], lying: list[str], twin_first: bool = False) -> Table:
    """The first turn of seat 0, who holds some cards, with others in play. `twin_first` says which of two equal
    cards has the lower number.
    """
    zones = {hand(0): mine, of(0, "in-play"): lying}
    table = begin("echo")
    table.arrange(zones=dict(reversed(zones.items())) if twin_first else zones)
    table.answer(0, PLAY, "perform")
    return table


@pytest.mark.parametrize("twin_first", [False, True])
def test_this_means_the_card_itself_and_not_its_twin(twin_first: bool) -> None:
    """A feast that is played trashes itself, for a spark; its twin in play stays."""
    table = casting(["feast"], ["feast"], twin_first)
    if table.asked == [(0, PLAYED)]:
        table.answer(0, PLAYED, "feast")
    assert table.cards("trash") == ["feast"]
    assert table.cards(of(0, "in-play")) == ["feast"]
    assert numbers(table, "sparks") == [1, 0]


@pytest.mark.parametrize("twin_first", [False, True])
def test_a_card_that_is_played_twice_is_trashed_once(twin_first: bool) -> None:
    """Echo plays a feast twice: a spark each time, but the second time it is in the trash already."""
    table = casting(["echo", "feast", "spark"], ["feast"], twin_first)
    table.answer(0, PLAYED, "echo")
    table.answer(0, DOUBLED, "feast")
    assert table.cards("trash") == ["feast"]
    assert table.cards(of(0, "in-play")) == ["feast", "echo"]
    assert numbers(table, "sparks") == [2, 0]


def test_an_echo_may_play_an_echo_twice() -> None:
    """Each of its two resolutions doubles another spark: 2 * 2 * 2 sparks."""
    table = casting(["echo", "echo", "spark", "spark", "feast"], [])
    table.answer(0, PLAYED, "echo")
    table.answer(0, DOUBLED, "echo")
    table.answer(0, DOUBLED, "spark")
    assert numbers(table, "sparks") == [4, 0]
    table.answer(0, DOUBLED, "spark")
    assert numbers(table, "sparks") == [8, 0]
    assert table.cards(hand(0)) == ["feast"]


def test_what_is_optional_may_be_declined() -> None:
    table = begin("echo")
    table.answer(0, PLAY, "decline")
    assert table.asked == [(1, PLAY)] and table.count(hand(0)) == 5


# ------------------------------------------------------------------ choosing together (sealed)

BID, OFFER = "bidding.bid.card", "bidding.offer.extra"
BIDS = {0: ["1", "2", "3", "4"], 1: ["9", "2", "3", "4"], 2: ["9", "5", "6", "7"]}


def bidding() -> Table:
    return begin("sealed", 3).arrange(zones={hand(seat): cards for seat, cards in BIDS.items()})


def test_the_order_of_simultaneous_answers_does_not_matter() -> None:
    table, hashes = bidding(), set()
    assert table.asked == [(0, BID), (1, BID), (2, BID)]
    for turn in permutations(range(3)):
        copy = table.clone()
        for seat in turn:
            copy.answer(seat, BID, BIDS[seat][0])
        assert copy.asked == [(0, OFFER), (1, OFFER), (2, OFFER)]
        hashes.add(copy.game.hash)
    assert len(hashes) == 1


def test_simultaneous_answers_are_hidden_until_all_are_in() -> None:
    """Whatever one answered, the others have the same view and have read the same; that he answered they see."""
    table = bidding()
    copies = {card: table.clone() for card in BIDS[2]}
    before = len(table.game.events())
    for card, copy in copies.items():
        copy.answer(2, BID, card)
        assert copy.asked == [(0, BID), (1, BID)], "one answer each"
        assert isinstance(copy.game.apply(2, [card]), Refusal)
    for other in (0, 1):
        assert len({copy.game.view(other).digest for copy in copies.values()}) == 1
        assert {copy.game.events(other, before) for copy in copies.values()} == {()}
        view = copies["9"].game.view(other)
        assert [(one.seat, one.answered) for one in view.asked] == [(0, False), (1, False), (2, True)]
        assert view.zone(of(2, "bid")).size == 0 and view.zone(hand(2)).size == 4, "nothing has moved yet"


def test_how_many_one_answers_is_hidden_too() -> None:
    """`number: 0 to 1`: giving none looks like giving one, until all have answered."""
    table = bidding()
    for seat in range(3):
        table.answer(seat, BID, BIDS[seat][0])
    none, one = table.clone(), table.clone()
    none.answer(0, OFFER)
    one.answer(0, OFFER, "2")
    for other in (1, 2):
        assert none.game.view(other).digest == one.game.view(other).digest
        assert none.game.events(other) == one.game.events(other)
    for copy, extra in ((none, 0), (one, 1)):
        copy.answer(1, OFFER)
        copy.answer(2, OFFER)
        assert copy.number("rounds") == 1 and copy.count("spent") == 3 + extra


def test_all_of_the_best_win() -> None:
    """`players with most`: bids of 1, 9 and 9; then 1 + 4, 9 and 9 + 5."""
    table = bidding()
    for seat in range(3):
        table.answer(seat, BID, BIDS[seat][0])
    alone = table.clone()
    for seat in range(3):
        table.answer(seat, OFFER)
        alone.answer(seat, OFFER, *{0: ["4"], 1: [], 2: ["5"]}[seat])
    assert (numbers(table, "wins"), numbers(alone, "wins")) == ([0, 1, 1], [0, 0, 1])


# ------------------------------------------------------------------ what seats know (scry)

PEEK, BURY = "turn.act.peek.choice", "turn.act.bury.offered"


def scrying(deck: list[str], hands: tuple[list[str], list[str]] = (["0"], ["0"])) -> Table:
    """Seat 0's turn with this deck, its top last; the other omens are buried, and nobody knows a thing."""
    table = begin("scry")
    return table.arrange(zones={"deck": deck, hand(0): hands[0], hand(1): hands[1]}, rest={"omen": "buried"})


def backs(table: Table, seat: int, zone: str) -> tuple[tuple[str | None, ...], dict[str, int]]:
    """The cards of a zone as a seat sees them, and what it knows of those it does not see."""
    view = table.game.view(seat).zone(zone)
    return view.cards, dict(view.known)


def peeked(deck: list[str]) -> Table:
    table = scrying(deck)
    table.answer(0, ACT, "peek")
    table.answer(0, PEEK, "keep")
    return table


def test_who_looks_at_the_top_knows_these_places() -> None:
    table = peeked(["1", "1", "2", "3"])
    assert backs(table, 0, "deck") == ((None, None, "2", "3"), {})
    assert backs(table, 1, "deck") == ((None,) * 4, {})


def test_after_a_shuffle_only_the_composition_is_known() -> None:
    table = peeked(["1", "1", "2", "3"])
    table.answer(1, ACT, "shuffle")
    assert backs(table, 0, "deck") == ((None,) * 4, {"2": 1, "3": 1})
    assert backs(table, 1, "deck") == ((None,) * 4, {})


def test_a_known_card_is_known_where_it_goes() -> None:
    """Seat 1 draws what seat 0 knew on top; seat 1 knows it because it sees its hand."""
    table = peeked(["1", "1", "2", "3"])
    table.answer(1, ACT, "draw")
    assert backs(table, 0, "deck") == ((None, None, "2"), {})
    assert backs(table, 0, hand(1)) == ((None, None), {"3": 1})
    assert backs(table, 1, hand(1)) == (("0", "3"), {})


@pytest.mark.parametrize(
    ("deck", "left", "drawn"),
    [
        (["1", "1", "2", "3"], {}, {}),  # any of four may have gone: neither is certain to be left
        (["1", "1", "3", "3"], {"3": 1}, {}),  # at least one of the two is left
        (["3", "3"], {"3": 1}, {"3": 1}),  # one of the two went
        (["1", "3", "3"], {"3": 1}, {}),
    ],
)
def test_a_move_that_one_does_not_see_lowers_the_bounds(
    deck: list[str], left: dict[str, int], drawn: dict[str, int]
) -> None:
    """Seat 0 knows two cards of a shuffled deck, of which another seat draws one."""
    table = peeked(deck)
    table.answer(1, ACT, "shuffle")
    table.answer(0, ACT, "visit:altar@place-1")
    table.answer(1, ACT, "draw")
    assert backs(table, 0, "deck") == ((None,) * (len(deck) - 1), left)
    assert backs(table, 0, hand(1)) == ((None, None), drawn)


def test_what_is_buried_is_known_to_who_buried_it() -> None:
    """From the hand: the owner knows which; from the deck after a look: the looker. The others know neither."""
    table = scrying(["1", "1", "2", "3"], (["2", "3"], ["0"]))
    known = table.count("buried")
    table.answer(0, ACT, "bury")
    table.answer(0, BURY, "3")
    assert backs(table, 0, "buried") == ((None,) * (known + 1), {"3": 1})
    assert backs(table, 1, "buried") == ((None,) * (known + 1), {})
    table = scrying(["1", "1", "2", "3"])
    table.answer(0, ACT, "peek")
    table.answer(0, PEEK, "bury")
    assert backs(table, 0, "buried")[1] == {"3": 1} and backs(table, 1, "buried")[1] == {}
    assert backs(table, 0, "deck") == ((None, None, "2"), {})


def test_events_show_a_look_to_the_looker_alone() -> None:
    table = scrying(["1", "1", "2", "3"])
    before = len(table.game.events())
    table.answer(0, ACT, "peek")
    own, other = (
        [event.cards for event in table.game.events(seat, before) if event.kind == "revealed"] for seat in (0, 1)
    )
    assert [[table.program.cards[card].key for card in cards] for cards in own] in ([["2", "3"]], [["3", "2"]])
    assert other in ([], [(-1, -1)])


# ------------------------------------------------------------------ lists kept for cards (scry)

def visit(table: Table, seat: int, altar: int) -> None:
    table.answer(seat, ACT, f"visit:altar@place-{altar}")


def pilgrims(table: Table) -> list[list[int]]:
    """The list of each altar, from left to right."""
    return [table.listed("pilgrims", altar) for altar in table.numbered("altars")]


def visits(table: Table) -> list[str]:
    """The altars that may be visited, without the marks of their pilgrims."""
    return [key.partition("@")[2].partition("+")[0] for key in table.options if key.startswith("visit:")]


def test_a_list_belongs_to_its_card_and_keeps_its_order() -> None:
    """The first pilgrim of an altar gets two; a second one gets nothing and empties it."""
    table = begin("scry")
    visit(table, 0, 1)
    assert (pilgrims(table), numbers(table, "faith")) == ([[0], [], []], [2, 0])
    visit(table, 1, 2)
    assert (pilgrims(table), numbers(table, "faith")) == ([[0], [1], []], [2, 2])
    assert visits(table) == ["place-2", "place-3"], "not where one is already"
    visit(table, 0, 2)
    assert (pilgrims(table), numbers(table, "faith")) == ([[0], [], []], [2, 2])
    visit(table, 1, 3)
    assert (pilgrims(table), numbers(table, "faith")) == ([[0], [], [1]], [2, 4])
    visit(table, 0, 2)
    assert (pilgrims(table), numbers(table, "faith")) == ([[0], [0], [1]], [4, 4]), "first: it was emptied"


def test_a_list_does_not_follow_seats_but_time() -> None:
    """Seat 1 was at the altar before seat 0, and stays the first."""
    table = begin("scry")
    visit(table, 0, 1)
    visit(table, 1, 3)
    visit(table, 0, 3)
    assert numbers(table, "faith") == [2, 2]


# ------------------------------------------------------------------ hooks and modifiers (hooks)

def test_hooks_stand_before_and_after_a_verb() -> None:
    """Envy before each earning, dust after one of at least two; ten greed before the step that counts."""
    table = begin("hooks")
    table.answer(0, ACT, "earn-one")
    assert (numbers(table, "greed"), numbers(table, "dust")) == ([10, 1], [0, 0])
    assert table.count("purse/1") == 1
    table.answer(1, ACT, "earn-two")
    assert (numbers(table, "greed"), numbers(table, "dust")) == ([11, 11], [0, 2])
    assert table.count("purse/2") == 2
    table.answer(0, ACT, "buy")
    assert numbers(table, "greed") == [21, 11], "the hook of a step, without the verb"


def test_before_is_before_and_after_is_after() -> None:
    table = begin("hooks")
    changes = table.answer(0, ACT, "earn-two")
    told = [
        table.program.tracks[event.numbers[0]].key if event.kind == "changed" else event.kind
        for event in changes
        if event.kind in ("changed", "moved")
    ]
    assert told == ["greed", "moved", "dust", "greed", "turns"]


def test_a_hook_may_stand_in_for_a_verb() -> None:
    """With fewer than two coins in the bank nothing is earned."""
    table = begin("hooks")
    table.arrange(zones={"purse/2": ["coin"] * 9})
    table.answer(0, ACT, "earn-one")
    assert (table.count("bank"), table.count("purse/1")) == (1, 0)
    assert table.number("dust", 0) == 100
    table = begin("hooks").arrange(zones={"purse/2": ["coin"] * 8})
    table.answer(0, ACT, "earn-one")
    assert (table.count("purse/1"), table.number("dust", 0)) == (1, 0), "two are enough"


def test_a_modifier_ends_with_the_turn() -> None:
    """Started twice: 3 - 2; in the next turn 3 again."""
    table = begin("hooks")
    table.answer(0, ACT, "haggle")
    table.answer(1, ACT, "buy")
    table.answer(0, ACT, "buy")
    assert numbers(table, "bought") == [1 + 3, 3]


# ------------------------------------------------------------------ loops (piles)

def test_each_does_it_for_every_card_of_the_list() -> None:
    """`each s in stones in hand: move s to rubble`: the list is fixed when the loop begins."""
    table = begin("piles")
    table.arrange(zones={hand(0): ["stone"] * 3})
    table.answer(0, ACT, "crush")
    assert (table.count(hand(0)), table.count("rubble")) == (0, 3)


# ------------------------------------------------------------------ piles that refill (piles)

def leaves(tree: int, litter: int) -> Table:
    """Seat 0's turn with so many leaves on the tree and in the litter, seat 1 holding the others."""
    zones = {"tree": ["leaf"] * tree, "litter": ["leaf"] * litter, hand(0): []}
    return begin("piles").arrange(zones=zones, rest={"leaf": hand(1)})


def test_a_pile_that_refills_when_needed_gives_what_is_there_first() -> None:
    table = leaves(2, 3)
    first = sorted(table.cards("tree"))
    table.answer(0, ACT, "gather")  # four
    drawn = table.cards(hand(0))
    assert len(drawn) == 4 and set_minus(drawn, first)
    assert (table.count("tree"), table.count("litter")) == (1, 0)


def test_a_pile_that_refills_when_needed_waits_until_it_is_needed() -> None:
    table = leaves(4, 2)
    table.answer(0, ACT, "gather")
    assert (table.count(hand(0)), table.count("tree"), table.count("litter")) == (4, 0, 2)
    table.answer(1, ACT, "quarry")
    table.answer(0, ACT, "gather")
    assert (table.count(hand(0)), table.count("tree"), table.count("litter")) == (6, 0, 0)


def test_with_nothing_to_refill_from_one_takes_what_there_is() -> None:
    table = leaves(3, 0)
    table.answer(0, ACT, "gather")
    assert (table.count(hand(0)), table.count("tree")) == (3, 0)


def test_a_pile_that_refills_at_once_does_so_when_its_last_card_is_taken() -> None:
    table = begin("piles")
    table.arrange(zones={"quarry": ["stone"] * 2, "rubble": ["stone"] * 3})
    table.answer(0, ACT, "quarry")
    assert (table.count(hand(0)), table.count("quarry"), table.count("rubble")) == (2, 3, 0)


def test_a_pile_that_could_not_refill_at_once_does_so_when_needed() -> None:
    """One stone is left and none in the rubble; two thrown there later come back with the next draw."""
    table = begin("piles")
    table.arrange(zones={"quarry": ["stone"], hand(1): ["stone"] * 2, hand(0): ["stone"] * 2, "rubble": []})
    table.answer(0, ACT, "quarry")
    assert (table.count(hand(0)), table.count("quarry")) == (3, 0)
    table.answer(1, ACT, "crush")
    assert (table.count("quarry"), table.count("rubble")) == (0, 2)
    table.answer(0, ACT, "quarry")
    assert (table.count(hand(0)), table.count("quarry"), table.count("rubble")) == (5, 0, 0)


# ------------------------------------------------------------------ rules that fail, and turns that end (piles)

def line_of(pack: str, text: str) -> int:
    """The line of a pack that says this."""
    lines = (PACKS / pack / "pack.yaml").read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize(("option", "code"), [("burn", "bounds"), ("ratio", "zero-division")])
def test_a_rule_that_fails_leaves_the_game_as_it_was(option: str, code: str) -> None:
    """Heat 3: burning makes it 6 of at most 5, and the ratio divides by 3 - 3."""
    table = begin("piles").arrange(tracks={("heat", 0): 3})
    game = table.game
    before = (game.state, game.knowledge, game.events(), game.decisions, [game.view(seat) for seat in (0, 1)])
    with pytest.raises(RuleFault) as raised:
        game.apply(0, [option])
    source = raised.value.source
    assert raised.value.code == code and source is not None
    assert source.span.path.endswith("piles/pack.yaml") and source.span.line == line_of("piles", f"{option}:")
    assert f":{source.span.line}:" in str(raised.value)
    assert before == (game.state, game.knowledge, game.events(), game.decisions, [game.view(s) for s in (0, 1)])
    assert game.undo() is False, "it is not an answer that could be taken back"
    table.answer(0, ACT, "quarry")
    assert table.asked == [(1, ACT)] and table.count(hand(0)) == 2


def test_division_rounds_down() -> None:
    """10 div (0 - 3), and 10 div (5 - 3)."""
    table = begin("piles").arrange(tracks={("heat", 1): 5})
    table.answer(0, ACT, "ratio")
    table.answer(1, ACT, "ratio")
    assert numbers(table, "sum") == [-4, 5]


def test_end_turn_leaves_all_that_is_left_of_the_turn() -> None:
    """The rest of the effect, and the steps that follow in the same turn: a round with `turns-from` is one turn."""
    table = begin("piles")
    table.answer(0, ACT, "skip")
    assert numbers(table, "sum") == [1, 0]
    assert table.number("turns") == 0, "the step that counts turns was skipped too"
    assert table.asked == [(1, ACT)], "the next player has the turn"
    table.answer(1, ACT, "quarry")
    assert table.number("turns") == 1


# ------------------------------------------------------------------ leaving things (exits)

PICK, WAIT = "morning.walk.pick.choice", "evening.wait.choice"


def test_end_turn_leaves_the_steps_of_one_seat() -> None:
    """Seat 0 does not rest; the turns of the others come as ever."""
    table = begin("exits", 3)
    table.answer(0, PICK, "turn")
    table.answer(1, PICK, "go-on")
    assert table.asked == [(2, PICK)]
    assert (numbers(table, "steps"), numbers(table, "tail")) == ([1, 1, 0], [0, 1, 0])


def test_end_phase_leaves_all_turns_and_later_steps() -> None:
    table = begin("exits", 3)
    table.answer(0, PICK, "go-on")
    table.answer(1, PICK, "phase")
    assert table.asked == [(0, WAIT)], "the next phase"
    assert (numbers(table, "tail"), table.number("after-phase")) == ([1, 0, 0], 0)


def test_end_round_leaves_the_later_phases() -> None:
    """The next round begins with the first seat; the third one is the last (`until: rounds >= 3`)."""
    table = begin("exits", 3)
    for number in (1, 2, 3):
        assert (table.asked, table.number("rounds")) == ([(0, PICK)], number)
        table.answer(0, PICK, "round")
    assert table.game.result is not None and table.number("after-phase") == 0


def test_stop_leaves_the_loop_and_nothing_else() -> None:
    table = begin("exits", 3)
    table.answer(0, PICK, "gather")
    assert (table.count(of(0, "bowl")), table.count("heap")) == (2, 4)
    assert numbers(table, "tail") == [1, 0, 0], "the step after it was taken"


def test_a_queue_may_be_left_or_joined_again() -> None:
    """Who goes to the end is asked after the others; who leaves is asked no more."""
    table = begin("exits", 3)
    table.answer(0, PICK, "phase")
    for seat, option in ((0, "again"), (1, "leave"), (2, "again"), (0, "leave")):
        table.answer(seat, WAIT, option)
    assert table.asked == [(2, WAIT)] and table.options == ["leave", "close"]
    table.answer(2, WAIT, "leave")
    assert (table.asked, table.number("rounds")) == ([(0, PICK)], 2)
    assert numbers(table, "steps") == [110, 10, 110]


def test_a_step_may_be_left_by_all() -> None:
    table = begin("exits", 3)
    table.answer(0, PICK, "phase")
    table.answer(0, WAIT, "close")
    assert (table.asked, table.number("rounds")) == ([(0, PICK)], 2)


# ------------------------------------------------------------------ names, windows, waiting answers (crates)

PACK, DOCK = "turn.pack.crate", "turn.pack.choice"
FOUR = ["1", "2", "2", "3"]


def crates() -> Table:
    return begin("crates", 3).arrange(zones={hand(seat): FOUR for seat in range(3)})


@pytest.mark.parametrize(
    ("option", "chosen"), [("one", ["2"]), ("ship", ["2", "2"]), ("ship", ["1", "3"]), ("ship", [])]
)
def test_a_name_follows_the_cards_that_its_sentences_move(option: str, chosen: list[str]) -> None:
    """`move load to dock`, then `move load to sea`: one card or several."""
    table = crates()
    table.answer(0, ACT, option)
    table.answer(0, f"turn.act.{option}.load", *chosen)
    assert (table.cards("dock"), table.cards("sea")) == ([], chosen)
    assert table.cards(hand(0)) == set_minus(FOUR, chosen)


def test_a_card_that_left_its_place_otherwise_stays_where_it_is() -> None:
    """`move`: "Cards that have meanwhile left the place where they were referred to stay where they are." """
    table = crates()
    table.answer(0, ACT, "storm")
    table.answer(0, "turn.act.storm.kept", "3")
    assert (table.cards("dock"), table.cards("sea")) == ([], FOUR)


def test_each_skips_a_card_that_has_left_its_place() -> None:
    """The first time round all four go to the dock."""
    table = crates()
    table.answer(0, ACT, "haul")
    assert sorted(table.cards("dock")) == FOUR
    assert numbers(table, "hauls") == [1, 0, 0]


@pytest.mark.parametrize(
    ("answers", "luck", "hauls"),
    [(["grab"], [0, 10, 0], 100), (["pass", "grab"], [0, 0, 10], 100), (["pass", "pass"], [0, 0, 0], 0)],
)
def test_a_window_for_the_first_closes_with_him(
    answers: list[str], luck: list[int], hauls: int
) -> None:
    """Clockwise from who opened it, who learns whether somebody reacted."""
    table = crates()
    table.answer(0, ACT, "salvage")
    for seat, option in enumerate(answers, 1):
        table.answer(seat, "salvage.reaction", option)
    assert [choice for _, choice in table.asked] == [PACK] * 3, "nobody else is asked"
    assert (numbers(table, "luck"), table.number("hauls", 0)) == (luck, hauls)


def test_a_window_for_all_asks_all() -> None:
    table = crates()
    table.answer(0, ACT, "cheer")
    table.answer(1, "cheer.reaction", "shout")
    table.answer(2, "cheer.reaction", "shout")
    assert numbers(table, "luck") == [0, 1, 1]


def test_sealed_answers_stay_hidden_until_it_is_their_turn() -> None:
    """While seat 0 carries out its own, it cannot tell which card seat 1 has chosen."""
    table = crates()
    table.answer(0, ACT, "cheer")
    table.answer(1, "cheer.reaction", "pass")
    table.answer(2, "cheer.reaction", "pass")
    table.answer(0, PACK, "1")
    table.answer(2, PACK, "3")
    copies = {card: table.clone() for card in ("1", "2", "3")}
    for card, copy in copies.items():
        copy.answer(1, PACK, card)
        assert copy.asked == [(0, DOCK)]
    table.answer(1, PACK)
    for other in (0, 2):
        assert len({copy.game.view(other).digest for copy in [table, *copies.values()]}) == 1
        assert len({copy.game.events(other) for copy in copies.values()}) == 1
    for card, copy in copies.items():
        for seat in range(3):
            copy.answer(seat, DOCK, "dock")
        assert copy.cards("dock") == ["1", card, "3"]
