"""Lines of the log about answers, and names in them: votes, prices, and what options are chosen with.

Expected lines come from the texts of the packs here and from `docs/reference/language.md`.
"""

from __future__ import annotations

import pytest

from rulewright.ruleset.lower.lowering import lower
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.display.game_log import Chronicle
from tests.positions import Table
from tests.small_packs import pack_in

ENDING = """\
---
finish: end
---
winner: one
among: players
"""
VOTE = """\
pack: vote
players: 3
languages: [en, es]
lists: {ayes: {of: player}}
---
window: hands
asks: players
%s
options: {aye: add you to ayes}
---
round: turn
turns-from: first of players
steps: [{id: ask, do: open hands}]
until: count(ayes) > 1
---
prompts:
  hands.reaction.pass: {en: nay, es: no}
  hands.reaction.pass.log: {en: "{seat} {count, plural, one {votes} other {vote}} nay", es: "{seat}: no"}
"""


def log(text: str, *answers: tuple[int, str], reader: int | None = 0) -> list[str]:
    """The lines of the log in English after these answers, for a reader or for a spectator."""
    program = pack_in(text + ENDING)
    table = Table.start(lower(program, 3, {}))
    for seat, key in answers:
        table.answer(seat, table.asked[0][1], key)
    chronicle = Chronicle(table.program, PackTexts(table.program, program), "en", reader)
    told = [*chronicle.tell(table.game.events()), *chronicle.rest()]
    return [line.text for line in told if line.sort == "text"]


def test_a_pass_with_a_name_is_counted() -> None:
    answers = (0, "aye"), (1, "pass"), (2, "pass")
    assert log(VOTE % "", *answers) == ["You choose aye.", "Player 2 and Player 3 vote nay."]


SHED = """\
pack: sheds
players: 3
enumerations: {good: [grain, clay]}
kinds: {shed: {fields: {cost: {per: good, type: 0 to 5, default: 0}}}}
components: {sheds: {kind: shed, copies: 1, starts: box}}
zones: {box: {order: bag}, yard: {order: row}}
tracks: {turns: number}
---
shed: barn
name: "%s"
cost: {grain: 2, clay: 1}
---
shed: silo
name: "%s"
cost: {grain: 1, clay: 3}
---
round: turn
turns-from: first of players
steps: [{id: act, do: "move box to yard\\nturns += 1\\nmay wait: turns += 1"}]
until: turns > 0
"""


@pytest.mark.parametrize(
    ("barn", "silo", "line"),
    [
        ("Barn ({cost})", "Silo ({cost})", "Barn (2 grain, 1 clay) and Silo (1 grain, 3 clay)"),
        ("Barn for {cost} (new)", "Silo", "Barn for 2 grain, 1 clay (new) and Silo"),
        ("Barn (2 grain, 1 clay)", "Silo, big", "Barn (2 grain, 1 clay) and Silo (big)"),
        ("Barn, old ({cost})", "Silo", "Barn (old) (2 grain, 1 clay) and Silo"),
    ],
)
def test_commas_in_names_of_cards(barn: str, silo: str, line: str) -> None:
    assert log(SHED % (barn, silo))[0] == f"{line} go from the box to the yard."


def test_commas_of_values_where_a_name_counts() -> None:
    name = "{count, plural, one {Barn ({cost})} other {Barns ({cost})}}"
    assert log(SHED % (name, "Silo"))[0].startswith("Barn (2 grain, 1 clay) and Silo go")


PICK = """\
pack: pick
players: 3
languages: [en, es]
tracks: {turns: number}
---
round: turn
turns-from: first of players
steps:
  - id: act
    options:
      gather:
        each: {friend: others, n: 1 to 3}
        do: turns += n
until: turns > 5
---
prompts:
  turn.act.choice.gather.log: "{seat} gathers {n, plural, one {# log} other {# logs}} with {friend}"
"""


def test_a_line_among_the_prompts_shows_what_is_chosen() -> None:
    told = log(PICK, (0, "gather:seat-2,3"), (1, "gather:seat-1,1"))
    assert told[0] == "Player 1 gathers 3 logs with Player 2."
    assert "Player 2 gathers 1 log with you." in told or "Player 2 gathers 1 log with Player 1." in told


@pytest.mark.parametrize("reader", [0, 1, None])
def test_votes_are_said_when_all_have_answered(reader: int | None) -> None:
    text = (VOTE % "order: together").replace(
        "prompts:", 'prompts:\n  hands.reaction.aye.log: "{you, select, yes {You vote} other {{seat} votes}} aye"'
    )
    text = text.replace('nay", es', 'nay{you, select, yes {!} other {}}", es')
    told = log(text, (1, "pass"), (0, "aye"), reader=reader)
    assert not told, "until the last has answered"
    ann = "You vote aye." if reader == 0 else "Player 1 votes aye."
    ben = "You and Player 3 vote nay!" if reader == 1 else "Player 2 and Player 3 vote nay."
    told = log(text, (1, "pass"), (0, "aye"), (2, "pass"), reader=reader)
    assert told == [ann, ben.replace("!", "!")]


def test_votes_without_lines_are_not_said() -> None:
    text = VOTE % "order: together"
    text = text[: text.index("  hands.reaction.pass.log")] + '  hands.reaction.pass.log: ""\n'
    answers = (0, "aye"), (1, "pass"), (2, "pass")
    told = log(text, *answers)
    assert told == ["You choose aye.", "Player 2 has chosen.", "Player 3 has chosen."]
    assert log(text + '  hands.reaction.aye.log: ""\n', *answers) == []


BID = """\
pack: bids
players: 3
kinds: {mask: {}}
components: {masks: {kind: mask, copies: 3, starts: bag}}
zones: {bag: {order: pile, seen-by: nobody}, held: {scope: player, seen-by: owner}}
tracks: {turns: {log: ""}, points: {scope: player, log: "{seat} has {count}"}}
---
mask: fox
---
setup: deal
steps: [{id: deal, do: "each p in players: move top of bag to p's held"}]
---
window: bids
asks: players
order: together
%s
options:
  bid:
    each: {friend: others, n: 1 to 3, hidden: held}
    log: "{seat} bids {n, select, other {{n}}} with {friend} and {hidden}"
    do: points += n
---
claim: fox
proof: held where it is fox
challenge: {asks: others, order: together}
when-true: reveal shown
---
round: turn
turns-from: first of players
steps: [{id: ask, do: "turns += 1\\nopen bids\\nclaim fox"}]
until: turns > 1
---
prompts:
  bids.reaction.pass.log: "{seat} bids nothing"
  fox.challenge.challenge.log: "{seat} doubts it"
  fox.challenge.pass.log: "{seat} believes it"
"""


def test_secret_answers_show_what_was_chosen() -> None:
    text = BID % ""
    answers = (0, "bid:seat-3,2,fox"), (1, "pass"), (2, "bid:seat-2,3,fox"), (1, "pass"), (2, "challenge")
    told = [line for line in log(text, *answers) if "draw" not in line]
    assert told[0].startswith("Player 1 bids 2 with Player 3 and fox ·")
    assert told[1:4] == [
        "Player 2 bids nothing.",
        "Player 3 bids 3 with Player 2 and a card · has 3.",
        "Player 2 believes it.",
    ]
    assert told[4].startswith("Player 3 doubts it")


def test_a_reaction_that_is_not_carried_out_is_not_said() -> None:
    answers = (0, "pass"), (1, "bid:seat-1,1,fox"), (2, "bid:seat-2,3,fox")
    told = log(BID % "first: true", *answers)
    assert [line for line in told if "bids" in line][:2] == [
        "Player 1 bids nothing.",
        "Player 2 bids 1 with Player 1 and a card · has 1.",
    ]
    assert not any("Player 3 bids" in line for line in told)
