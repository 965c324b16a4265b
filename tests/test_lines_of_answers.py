"""Lines of the log about answers, and names in them: votes, prices, and what options are chosen with.

Expected lines come from the texts of the packs here and from `docs/reference/language.md`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleset.lower.lowering import lower
from tests.positions import Table, written
from tools.common.display_texts import PackTexts
from tools.display.game_log import Chronicle

every_backend = pytest.mark.parametrize("backend", ["walker", "python", "native"])
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


def log(folder: Path, text: str, backend: str, *answers: tuple[int, str], reader: int | None = 0) -> list[str]:
    """The lines of the log in English after these answers, for a reader or for a spectator."""
    program = written(folder, text + ENDING)
    table = Table.start(lower(program, 3, {}), backend)
    for seat, key in answers:
        table.answer(seat, table.asked[0][1], key)
    chronicle = Chronicle(table.program, PackTexts(table.program, program), "en", reader)
    told = [*chronicle.tell(table.game.events()), *chronicle.rest()]
    return [line.text for line in told if line.sort == "text"]


@every_backend
def test_a_pass_with_a_name_is_counted(tmp_path: Path, backend: str) -> None:
    answers = (0, "aye"), (1, "pass"), (2, "pass")
    assert log(tmp_path, VOTE % "", backend, *answers) == ["You choose aye.", "Player 2 and Player 3 vote nay."]


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


@every_backend
@pytest.mark.parametrize(
    ("barn", "silo", "line"),
    [
        ("Barn ({cost})", "Silo ({cost})", "Barn (2 grain, 1 clay) and Silo (1 grain, 3 clay)"),
        ("Barn for {cost} (new)", "Silo", "Barn for 2 grain, 1 clay (new) and Silo"),
        ("Barn (2 grain, 1 clay)", "Silo, big", "Barn (2 grain, 1 clay) and Silo (big)"),
        ("Barn, old ({cost})", "Silo", "Barn (old) (2 grain, 1 clay) and Silo"),
    ],
)
def test_commas_in_names_of_cards(tmp_path: Path, backend: str, barn: str, silo: str, line: str) -> None:
    assert log(tmp_path, SHED % (barn, silo), backend)[0] == f"{line} go from the box to the yard."


@every_backend
def test_commas_of_values_where_a_name_counts(tmp_path: Path, backend: str) -> None:
    name = "{count, plural, one {Barn ({cost})} other {Barns ({cost})}}"
    assert log(tmp_path, SHED % (name, "Silo"), backend)[0].startswith("Barn (2 grain, 1 clay) and Silo go")


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


@every_backend
def test_a_line_among_the_prompts_shows_what_is_chosen(tmp_path: Path, backend: str) -> None:
    told = log(tmp_path, PICK, backend, (0, "gather:seat-2,3"), (1, "gather:seat-1,1"))
    assert told[0] == "Player 1 gathers 3 logs with Player 2."
    assert "Player 2 gathers 1 log with you." in told or "Player 2 gathers 1 log with Player 1." in told
