"""Questions show each seat the values that follow from its own secrets, and no others.

Each option of the turn computes a number and asks with it. Player 1 is asked; both players have a hidden purse, and
a hand that only they see. Expected numbers are worked out by hand.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from rulewright.interpreter.game.seat_eyes import ShownValues
from tests.positions import Table, hand
from tests.small_packs import Course, started

THEIRS = "(first of others)'s purse"
NUMBERS = {
    "direct": ("let due = purse", 4),
    "least": ("let due = min(3, purse)", 3),
    "function": ("let due = twice(you)", 8),
    "nested-function": ("let due = more(you, 1)", 9),
    "card": ("choose 1 gem from hand as plan\nlet due = plan's weight", 2),
    "cards": ("choose exactly 2 gems from hand as plans\nlet due = total weight over plans", 3),
    "result": ("weigh (purse) as due", 1),
    "counted": ("count up to (purse) as due", 4),
    "stopped": ("tell by (purse) as due", 7),
    "copied": ("let first-due = purse\nlet due = first-due + 1", 5),
    "everybodys": ("let due = fame", 6),
    "theirs": (f"let due = {THEIRS}", None),
    "mixture": (f"let due = purse + {THEIRS}", None),
    "chosen-purse": (f"let due = twice-if({THEIRS})", None),
    "their-function": ("let due = twice(first of others)", None),
    "their-nested-function": ("let due = more((first of others), 1)", None),
    "their-result": (f"weigh ({THEIRS}) as due", None),
    "their-count": (f"count up to ({THEIRS}) as due", None),
    "their-stop": (f"tell by ({THEIRS}) as due", None),
    "their-cards": ("let due = total weight over (first of others)'s hand", None),
    "nobodys": ("let due = vow", None),
    "drawn": ("pick 1 gem from (first of others)'s hand at random as drawn\nlet due = drawn's weight", None),
    "rich-players": ("let due = count(players where it's purse > 2)", None),
    "more-of-both": (f"let due = max(purse, {THEIRS})", None),
    "all-purses": ("let due = total purse over players", None),
}
"""Sentences that make a number `due`, and what player 1 reads of it."""

QUESTIONS = {
    "rest": ("settle (1)", 1),
    "argument": ("settle (purse)", 4),
    "whoever": ("settle for (you)", 4),
    "whoever-else": ("settle for (first of others)", None),
    "their-argument": (f"settle ({THEIRS})", None),
    "their-branch": (f"if {THEIRS} > 2: settle (1)\nelse: settle (2)", None),
    "own-branch": ("if purse > 2: settle (1)\nelse: settle (2)", 1),
    "their-place": (f"each k in 1 to 9 where k > 0: tested k by ({THEIRS})", None),
    "their-first-round": (f"each k in 1 to 9 where k > {THEIRS}: settle (k)", None),
    "their-nested-branch": (f"if fame > 2:\n  if {THEIRS} > 2: settle (1)\n  else: settle (2)", None),
    "their-loop": (f"each k in 1 to 9:\n  if {THEIRS} is k: settle (k)", None),
}
"""Sentences that ask in a verb, and what player 1 reads of its number."""

PACK = Course((Path(__file__).parent / "purses.yaml").read_text("utf-8"), until="rounds > 3")


def _pack(*names: str) -> str:
    """The game with these options alone."""
    chosen = {name: (NUMBERS | QUESTIONS)[name][0] for name in names}
    asking = {name: f"{text}\nchoose 1 hue from hue as tint" for name, text in chosen.items() if name in NUMBERS}
    options = "\n".join(f"  {name}: |\n{indent(text, '    ')}" for name, text in (chosen | asking).items())
    prompts = "\n".join(["---", "prompts:", *(f'  turn.act.{name}.tint: "{{due}}"' for name in asking)])
    return PACK.text(act=f"options:\n{options}") + (prompts if asking else "")


def _asked(pack: str, name: str, purse: int, vow: int, theirs: list[str]) -> Table:
    """Player 1 has been asked after an option; what player 2 has, and nobody sees, is given."""
    table = started(pack)
    table.arrange(
        zones={hand(0): ["1", "2"], hand(1): theirs},
        tracks={("purse", 0): 4, ("purse", 1): purse, ("vow",): vow, ("fame", 0): 6},
    )
    table.answer(0, "turn.act.choice", name)
    if table.decision.choice.endswith(".plan"):
        table.answer(0, table.decision.choice, "2")
    return table


def _shown(table: Table) -> int | None:
    """The number in the question as its seat reads it."""
    one = table.decision
    assert one.choice.endswith(".tint")
    shown = ShownValues(table.program, table.game.state, table.game.knowledge, one.seat)
    (value,) = shown.question.values()
    return None if value.values is None else value.values[0]


CASES = tuple(name for name in NUMBERS | QUESTIONS if name != "rest")
OTHERS = ((1, 0, ["1", "2"]), (2, 5, ["3", "3"]), (3, 8, ["4", "1"]))


@pytest.mark.parametrize("name", CASES)
def test_a_seat_reads_what_follows_from_its_own_secrets(name: str) -> None:
    assert _shown(_asked(_pack("rest", name), name, *OTHERS[0])) == (NUMBERS | QUESTIONS)[name][1]


@pytest.mark.parametrize("name", CASES)
def test_a_seat_reads_nothing_of_the_secrets_of_others(name: str) -> None:
    """What player 2 has changes nothing that player 1 reads; neither do other uses of the same verbs."""
    for pack in (_pack("rest", name), _pack(*CASES)):
        assert len({_shown(_asked(pack, name, *one)) for one in OTHERS}) == 1


def test_a_seat_reads_what_was_announced_to_all() -> None:
    announced = f"let due = {THEIRS}\n        announce told"
    pack = _pack("rest", "theirs").replace(f"let due = {THEIRS}", announced)
    assert [_shown(_asked(pack, "theirs", *one)) for one in OTHERS] == [1, 2, 3]


def test_all_know_who_is_asked() -> None:
    """Player 2, who has more in the purse, is asked: both know that `due` is player 2, seat 1."""
    asked = "let due = first of (players where it's purse > 4)\n        due chooses 1 hue from hue as shade"
    pack = _pack("rest", "theirs").replace(f"let due = {THEIRS}", asked)
    table = _asked(pack, "theirs", 5, 0, ["1", "2"])
    table.answer(1, "turn.act.theirs.shade", "red")
    assert _shown(table) == 1
