"""Players who are out have no turns and are not asked, even if a list has them (language.md, turns)."""

from __future__ import annotations

from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import Stages
from tests.positions import Table
from tests.small_packs import pack_in, started, turns

HEAD = """\
pack: exodus
players: 4
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 1, starts: shelf}}
zones: {shelf: {order: row}}
tracks:
  marks: {scope: player}
  starter: player
  rounds: number
---
gem: ruby
name: Ruby
---
setup: leaving
steps:
  - id: leave
    do: |
      starter = first of players
      eliminate starter
---
window: farewell
asks: all-players
options: {wave: marks += 1, go: eliminate next(you)}
---
round: turn
turns-from: first of players
until: true
steps:
  - id: act
STEP
---
finish: end
---
winner: one
among: players
"""
OPTIONS = "options: {stay: marks += 1, push: {do: marks += 1 then eliminate next(you)}}"


def begun(*step: str, seats: int = 4, text: str = HEAD) -> Table:
    """The first player has left in the set-up; then the step happens once."""
    lines = "\n".join(f"    {line}" for line in step)
    return started(text.replace("STEP", lines), seats)


def marks(table: Table) -> list[int]:
    return [table.number("marks", seat) for seat in range(table.program.seats)]


def test_turns_pass_over_who_left_before_the_step() -> None:
    table = begun("turns: all-players", "options: {stay: marks += 1, rest: marks += 2}")
    turns(table, (1, "stay"), (2, "rest"), (3, "stay"))
    assert marks(table) == [0, 1, 2, 1] and table.asked == []


def test_turns_pass_over_who_leaves_during_the_step() -> None:
    table = begun("turns: all-players", OPTIONS)
    turns(table, (1, "push"), (3, "stay"))
    assert marks(table) == [0, 1, 0, 1] and table.asked == []


def test_turns_without_a_question() -> None:
    assert marks(begun("turns: all-players", "do: marks += 1")) == [0, 1, 1, 1]


def test_one_player_who_is_out() -> None:
    table = begun("turns: starter", OPTIONS)
    assert table.asked == [] and table.game.result is not None


def test_turns_that_go_round() -> None:
    """Nobody is eliminated in this step, so only the test before each turn finds who is out."""
    options = "options: {stay: marks += 1, rest: marks += 2}"
    table = begun("turns: all-players", "until: (total marks over players) > 3", options)
    turns(table, (1, "stay"), (2, "stay"), (3, "stay"), (1, "stay"))
    assert marks(table) == [0, 2, 1, 1] and table.asked == []


def test_a_queue() -> None:
    options = "options: {stay: {do: marks += 1, then: leave the queue}, push: eliminate next(you)}"
    table = begun("queue: all-players", options)
    turns(table, (1, "stay"), (2, "push"))
    assert marks(table) == [0, 1, 0, 0] and table.asked == []


def test_a_window() -> None:
    """The first player is out before, and the third is sent away by the second."""
    table = begun("do: open farewell")
    turns(table, (1, "go"), (3, "wave"))
    assert marks(table) == [0, 0, 0, 1] and table.asked == []


def test_a_window_for_all_at_once() -> None:
    """Three are asked. The second sends the third away, whose answer does nothing then."""
    text = HEAD.replace("asks: all-players\n", "asks: all-players\norder: together\n")
    table = begun("do: open farewell", text=text)
    assert [seat for seat, _ in table.asked] == [1, 2, 3]
    for seat, option in ((1, "go"), (2, "wave"), (3, "wave")):
        table.answer(seat, "farewell.reaction", option)
    assert marks(table) == [0, 0, 0, 1]


def test_choices_at_the_same_time() -> None:
    """Three choose; the second sends the third away, who gets nothing for the choice."""
    text = HEAD.replace("tracks:\n", "values: {prizes: [2, 5]}\ntracks:\n")
    step = ("together: all-players", "choose: {prize: {number: 1, from: prizes}}",
            "do: |", "  marks += prize", "  if prize is 5: eliminate next(you)")  # fmt: skip
    table = begun(*step, text=text)
    assert [seat for seat, _ in table.asked] == [1, 2, 3]
    for seat, option in ((1, "5"), (2, "2"), (3, "2")):
        table.answer(seat, "turn.act.prize", option)
    assert marks(table) == [0, 5, 0, 2]


def test_who_is_asked_to_doubt_a_claim() -> None:
    claim = "---\nclaim: tale\nproof: shelf\nchallenge: {asks: all-players}\nwhen-true: marks += 1\n"
    text = HEAD.replace("---\nround: turn\n", f"{claim}---\nround: turn\n")
    table = begun("do: claim tale as stands", text=text)
    turns(table, (1, "pass"), (2, "pass"), (3, "pass"))
    assert table.asked == []


def test_a_round_begins_with_the_next_player() -> None:
    """The starting player left in the set-up: the second player has the first turn."""
    text = HEAD.replace("turns-from: first of players", "turns-from: starter")
    table = begun("options: {stay: marks += 1, rest: marks += 2}", text=text)
    turns(table, (1, "stay"))
    assert marks(table) == [0, 1, 0, 0]


def test_each_has_players_who_left_before() -> None:
    """`all-players` has the first player, too; the third is sent away by the second, and is passed over."""
    body = (
        "do: |", "  each p in all-players:", "    p's marks += 1", "    if p is next(starter): eliminate next(p)",
    )  # fmt: skip
    assert marks(begun(*body)) == [1, 1, 0, 1]


def test_each_has_them_where_it_asks() -> None:
    """As above, in code that asks a player meanwhile."""
    body = (
        "do: |", "  each p in all-players:", "    p's marks += 1", "    if p is next(starter): eliminate next(p)",
        "    may nod: marks += 10",
    )  # fmt: skip
    table = begun(*body)
    for _ in range(3):
        turns(table, (1, "nod"))
    assert marks(table) == [1, 31, 0, 1]


def test_no_test_where_nobody_leaves() -> None:
    """A game that eliminates nobody pays nothing: its table is that of a step for the players in the game."""
    text = HEAD.replace("      eliminate starter\n", "").replace("go: eliminate next(you)", "go: marks += 3")
    table = begun("turns: all-players", "do: marks += 1", text=text)
    assert "living" not in repr([one.tree for one in table.program.segments])


SCENARIO = """\
---
scenario: Who is out has no turn
players: [ann, ben, cam]
given: {phase: turn, eliminated: [ann, cam], shelf: [ruby], starter: ann}
then:
  - ann's marks is 0 and ben's marks is 110 and cam's marks is 0
"""


def test_a_position_with_players_who_are_out() -> None:
    """The game eliminates nobody, but players are out in the position: ben has the turn of ann."""
    text = HEAD.replace("      eliminate starter\n", "").replace("go: eliminate next(you)", "go: marks += 3")
    text = text.replace("turns-from: first of players", "turns-from: starter").replace("players: 4", "players: 3")
    steps = "    do: marks += 100\n  - id: stroll\n    turns: all-players\n    do: marks += 10"
    program = pack_in(text.replace("STEP", steps) + SCENARIO)
    stages = Stages(program, program.scenarios)
    wrong = perform(stages, program.scenarios[0]).wrong
    assert not wrong, wrong
