"""Series of games: what lasts, what begins as before, what seats know, and what is reported.

The packs are `tests/packs/rubber` and small ones. Expected values follow from their rules: a rubber deals two of
nine chips to each player, and a series ends with the second game that a player wins.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import read, write
from rulewright.interpreter.views.knowledge import Folding, initial, start_contents
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.playing.kept_rules import table_of
from tests.positions import Table, pack_of
from tests.small_packs import changed, findings, messages, pack_in

RUBBER = Path(__file__).parents[2] / "packs" / "rubber"
COINS = """\
pack: coins
players: 2
languages: [en, es]
kinds: {coin: {}}
components: {coins: {kind: coin, copies: 4, starts: bank}}
zones: {bank: {order: pile, seen-by: nobody}, hand: {scope: player, seen-by: owner}}
tracks:
  wins: {scope: player, lasts: series}
  lead: {name: {en: lead, es: ventaja}, log: {en: "The lead is {value}", es: "La ventaja es {value}"}, at-most: 9}
  games: {lasts: series, starts: 7}
messages:
  over: {en: Over, es: Fin}
---
coin: penny
name: Penny
---
round: turn
turns-from: first of players
until: lead > 4
steps:
  - id: act
    options:
      one: {name: one, do: lead += 1}
      five: {name: five, do: lead = 5}
---
finish: end
steps:
  - {id: count, do: first of players gains the game}
---
verb: gain(s) the game
do: score += lead
---
winner: best
among: players
order: [most score]
---
series: match
after-each-game: |
  each p in winners: p's wins += 1
  games += 1
until: games is 9
score: wins
"""


def series(text: str = COINS, seats: int = 2) -> Table:
    return Table.start(lower(pack_in(text), seats, series=True))


def rubber(seats: int = 3) -> TableProgram:
    return lower(pack_of(RUBBER), seats, series=True)


def events(table: Table) -> list[str]:
    return [event.kind for event in table.game.events()]


def test_a_series() -> None:
    """Two games, since `games` starts at 7 and the series ends at 9; the first player wins both."""
    table = series()
    table.answer(0, "turn.act.choice", "five")
    assert table.number("wins", 0) == 1 and table.number("games") == 8
    assert table.number("lead") == 0 and table.number("score", 0) == 0  # not of the series
    table.answer(0, "turn.act.choice", "one")
    table.answer(1, "turn.act.choice", "five")
    result = table.game.result
    assert result is not None and list(result.winners) == [0] and list(result.scores) == [2, 0]
    assert events(table).count("restarted") == events(table).count("series-ended") == 1
    assert events(table).count("ended") == 2


def test_a_single_game_ends_after_one_game() -> None:
    table = Table.start(lower(pack_in(COINS), 2))
    table.answer(0, "turn.act.choice", "five")
    result = table.game.result
    assert result is not None and list(result.scores) == [5, 0]
    assert table.number("wins", 0) == 0 and table.number("games") == 7
    assert "series-ended" not in events(table)


def test_a_pack_without_a_series_has_none_to_play() -> None:
    text = COINS[: COINS.index("---\nseries")].replace(", lasts: series", "").replace("lasts: series, ", "")
    with pytest.raises(TableError, match="coins has no series of games"):
        lower(pack_in(text), 2, series=True)


def test_criteria_and_ties_of_a_series() -> None:
    """The fewest wins count; and if nobody may share, a tie of two has no winner."""
    table = series(COINS + "order: [fewest wins]\n")
    for _ in range(2):
        table.answer(0, "turn.act.choice", "five")
    result = table.game.result
    assert result is not None and list(result.winners) == [1]
    tied = changed(COINS, "score: wins", "score: 1\nties: nobody")
    table = series(tied)
    for _ in range(2):
        table.answer(0, "turn.act.choice", "five")
    assert table.game.result is not None and list(table.game.result.winners) == []


def test_scores_of_a_series_are_counted_before_any_is_given() -> None:
    """Each score is 10 more than that of the other player in the last game: 5 and 0 points make 10 and 15."""
    table = series(changed(COINS, "score: wins", "score: 10 + (total score over others)"))
    for _ in range(2):
        table.answer(0, "turn.act.choice", "five")
    assert table.game.result is not None and list(table.game.result.scores) == [10, 15]


def test_stop_leaves_only_the_effect() -> None:
    """`stop` after a game leaves what is done there, and the next game begins; so in `finish`."""
    table = series(changed(COINS, "  games += 1\n", "  games += 1\n  stop\n"))
    table.answer(0, "turn.act.choice", "five")
    assert table.game.result is None and table.asked == [(0, "turn.act.choice")]
    stopping = changed(COINS, "do: first of players gains the game", "do: stop")
    table = series(stopping)
    table.answer(0, "turn.act.choice", "five")
    assert [table.number("wins", seat) for seat in (0, 1)] == [1, 1]  # no score, and both win


def test_who_is_out_plays_the_next_game() -> None:
    """Who is eliminated in a game is among the players after it, and in the next one."""
    text = changed(COINS, "five: {name: five, do: lead = 5}", "out: {name: out, do: lead = 5 then eliminate you}")
    text = changed(text, "each p in winners: p's wins += 1", "each p in players: p's wins += 1")
    table = series(text)
    table.answer(0, "turn.act.choice", "out")
    assert [table.number("wins", seat) for seat in (0, 1)] == [1, 1]
    assert table.asked == [(0, "turn.act.choice")] and table.number("in-game", 0) == 1


def random_series(seed: int) -> Game:
    """A series of three players, who choose at random."""
    game, chance = Game.start(rubber(), seed), Random(seed)
    while game.result is None:
        decision = game.decisions[0]
        game.apply(decision.seat, [chance.choice(decision.options).key])
    return game


def test_chance_goes_on() -> None:
    """The games of a series are dealt differently: two hands are equal in 1 of 36 deals."""
    other = 0
    for seed in range(20):
        dealt = [event.cards for event in random_series(seed).events() if event.kind == "moved"]
        deals = [dealt[first] for first in range(0, len(dealt), 6)]  # three hands are dealt, three chips are shown
        assert len(deals) >= 2 and all(len(cards) == 2 for cards in deals)
        other += deals[0] != deals[1]
    assert other > 10


def test_seats_forget_the_game_before() -> None:
    """With the next game, all cards lie as before a first one, and all seats know that."""
    program, told = rubber(), random_series(3).events()
    last = max(number for number, event in enumerate(told) if event.kind == "restarted")
    contents = start_contents(program)
    folding = Folding(program, [list(cards) for cards in contents], initial(program))
    for event in told[: last + 1]:
        folding.add((event.kind, event.numbers, event.cards, event.audience, event.sees, event.at))
    assert folding.result() == initial(program)
    assert folding.contents == contents


def test_a_saved_series_goes_on() -> None:
    game = Game.start(rubber(), 5)
    while game.result is None:
        decision = game.decisions[0]
        game.apply(decision.seat, [option.key for option in decision.options[: decision.least]])
        again = Game.replay(read(write(game.journal), table_of))
        assert again.hash == game.hash
    while game.undo():
        pass
    assert game.hash == Game.start(rubber(), 5).hash


@pytest.mark.parametrize(
    ("before", "now", "message"),
    [
        ("games += 1\nuntil", "lead += 1\nuntil", "`lead` starts over with the next game, so this change is lost"),
        (
            "games += 1\nuntil", "shuffle bank\n  games += 1\nuntil",
            "in the next game, all cards begin where they begin in a first one, so this is lost",
        ),
        ("games += 1\nuntil", "end game\nuntil", "the game has ended already when this is done"),
        ("do: first of players gains the game", "do: end game", "the game has ended already when this is done"),
        ("do: first of players gains the game", "do: gain the game", None),
        ("games += 1\nuntil", "gain the game\nuntil", None),
        ("series: match\n", "series: first\nuntil: true\nscore: 1\n---\nseries: match\n",
         "a game has only one `series`, and this is another"),
        ("lasts: series, starts: 7}", "lasts: series, starts: 7}\n  bids: {lasts: round, starts: lead}",
         "`lead` cannot be the start of a track that starts over"),
        ("score: wins\n", "", "`series` requires `score`"),
        ("until: games is 9\n", "", "`series` requires `until`"),
    ],
)  # fmt: skip
def test_findings(before: str, now: str, message: str | None) -> None:
    found = messages(changed(COINS, before, now))
    if message is None:  # no player acts there
        assert "RW422" in [one.code for one in findings(changed(COINS, before, now))]
    else:
        assert found == [message]


def test_nothing_can_last_without_a_series() -> None:
    found = messages(COINS[: COINS.index("---\nseries")])
    what = "this pack has no series of games for which `{}` could last"
    assert found == [what.format("wins"), what.format("games")]


@pytest.mark.parametrize(
    ("language", "begins", "lead", "wins"),
    [
        ("en", "The next game begins", "The lead is 1.", "Player 1 wins the series."),
        ("es", "Empieza la partida siguiente", "La ventaja es 1.", "Jugador 1 gana la serie."),
    ],
)
def test_the_log(language: str, begins: str, lead: str, wins: str) -> None:
    """The lead of the second game is counted from 0 and not from the 5 of the first."""
    table = series()
    for option in ("five", "one", "five"):
        table.answer(table.asked[0][0], "turn.act.choice", option)
    chronicle = Chronicle(table.program, PackTexts(table.program, pack_in(COINS)), language, None)
    told = [line.text for line in [*chronicle.tell(table.game.events()), *chronicle.rest()]]
    place = told.index(begins)
    assert any(lead in line for line in told[place:]), told
    assert wins in told[-1] or wins.lower() in told[-1].lower()
