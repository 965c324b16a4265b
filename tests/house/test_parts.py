"""Parts of effects (`part LABEL:`): house rules change sentences within an effect by name.

A game with a change has the same program as the game that is rewritten by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table.canonical import program_hash
from tests.positions import Table

ROOT = Path(__file__).parents[2]
GAME = """\
pack: quarry
version: 1.0.0
players: 2
kinds:
  gem:
    effects:
      play: {optional: true}
      spin: {default: "part whirl: marks += 1"}
components: {gems: {kind: gem, copies: 4, starts: shelf, home: shelf}}
zones: {shelf: {order: row}, purse: {scope: player}}
tracks:
  marks: {scope: player}
  coins: {scope: player, starts: 3}
  rounds: number
---
gem: ruby
play: |
  let before = coins
  coins += 1
  part pick:
    choose 1 gem from shelf as taken
    move taken to purse
  marks += 10
---
gem: opal
---
verb: pay(s) <n>
do: |
  if n > 1:
    part cost: coins -= n
  marks += n
---
round: turn
turns-from: first of players
until: rounds >= 5
steps:
  - id: act
    options:
      play: {each: {g: shelf where it is ruby}, do: perform g's play}
      pay: pay 2
      spin: {each: {g: shelf}, do: perform g's spin}
      skip: |
        part rest: marks += 100
  - id: count
    do: rounds += 1
---
finish: end
---
winner: one
among: players
"""
PICK = "  part pick:\n    choose 1 gem from shelf as taken\n    move taken to purse\n"
BARE = "  choose 1 gem from shelf as taken\n  move taken to purse\n"
CASES = {
    "around": (
        "change: gem/ruby.play.pick\naround: |\n  if before > 3: proceed",
        PICK,
        "  if before > 3:\n    choose 1 gem from shelf as taken\n    move taken to purse\n",
    ),
    "before and after": (
        "change: gem/ruby.play.pick\nbefore: marks += before\nafter: marks -= 1",
        PICK,
        "  marks += before\n" + BARE + "  marks -= 1\n",
    ),
    "set": ("change: gem/ruby.play.pick\nset: move purse to shelf", PICK, "  move purse to shelf\n"),
    "set what was known": (
        "change: verb/pay.cost\nset: {was: coins -= n, to: coins -= n + 1}",
        "part cost: coins -= n",
        "coins -= n + 1",
    ),
    "set and around": (
        "change: verb/pay.cost\nset: coins -= 2 * n\n---\n"
        "change: verb/pay.cost\naround: |\n  if coins > 2: proceed",
        "    part cost: coins -= n\n",
        "    if coins > 2: coins -= 2 * n\n",
    ),
    "remove": ("change: gem/ruby.play.pick\nremove: true", PICK, ""),
    "in an option": (
        "change: step/turn.act.skip.rest\nafter: marks += 5",
        "part rest: marks += 100",
        "marks += 100 then marks += 5",
    ),
    "in an effect of the kind": (
        "change: gem/opal.spin.whirl\nset: marks += 7",
        "gem: opal\n",
        "gem: opal\nspin: marks += 7\n",
    ),
    "in the whole effect": (
        "change: gem/ruby.play\nbefore: marks += 3\n---\nchange: gem/ruby.play.pick\nbefore: marks += 4",
        "  let before = coins\n  coins += 1\n" + PICK,
        "  marks += 3\n  let before = coins\n  coins += 1\n  marks += 4\n" + BARE,
    ),
}


def files(name: str, text: str) -> PackFiles:
    return PackFiles(ROOT / name, ((f"{name}/pack.yaml", text.encode()),))


def together(*rules: str, game: str = GAME) -> Loaded:
    """The game with packs `one`, `two`, …; a text may begin with lines for its head, which end in a line `...`."""
    more = []
    for name, text in zip(("one", "two", "three"), rules, strict=False):
        head, mark, rest = text.partition("...\n")
        about = f'pack: {name}\nversion: 1.0.0\nextends: {{quarry: "*"}}\n{head if mark else ""}---\n'
        more.append(files(name, about + (rest if mark else text)))
    return load_files(files("quarry", game), more=more)


def codes(loaded: Loaded) -> list[str]:
    return [finding.code for finding in loaded.findings]


def hash_of(loaded: Loaded) -> str:
    assert loaded.program is not None and loaded.findings == (), loaded.findings
    return program_hash(lower(loaded.program, 2))


def test_a_part_alone_changes_nothing() -> None:
    bare = GAME.replace(PICK, BARE)
    for label in ("cost", "rest", "whirl"):
        bare = bare.replace(f"part {label}: ", "")
    assert hash_of(together()) == hash_of(together(game=bare))


@pytest.mark.parametrize("case", CASES)
def test_as_by_hand(case: str) -> None:
    change, old, new = CASES[case]
    assert GAME.count(old) == 1
    assert hash_of(together(change)) == hash_of(together(game=GAME.replace(old, new))) != hash_of(together())


def test_what_is_played() -> None:
    """To pay 2 costs 2 and gives 2 marks; with the change it costs 3 where there are more than 2 coins."""
    change = "change: verb/pay.cost\naround: |\n  if coins > 2:\n    coins -= 1\n    proceed"
    for rules, coins in (((), (1, -1)), ((change,), (0, 0))):
        loaded = together(*rules)
        assert loaded.program is not None
        table = Table.start(lower(loaded.program, 2))
        for left in coins:
            table.answer(0, "turn.act.choice", "pay")
            assert table.number("coins", 0) == left
            table.answer(1, "turn.act.choice", "skip")
        assert table.number("marks", 0) == 4


def test_the_choices_keep_their_ids() -> None:
    """The choice in the part, in what is around it, and in what is set in its place."""
    plain = _choices(together())
    assert len([one for one in plain if "ruby" in one]) == 1
    assert _choices(together("change: gem/ruby.play.pick\naround: |\n  if coins > 3: proceed")) == plain
    assert _choices(together("change: gem/ruby.play.pick\nset: choose up to 1 gem from shelf as taken")) == plain


def _choices(loaded: Loaded) -> set[str]:
    assert loaded.program is not None, loaded.findings
    return {site.key for site in lower(loaded.program, 2).sites}


# ------------------------------------------------------------------ several packs

def test_conflicts() -> None:
    """Who sets or removes the whole, or the same part, conflicts; what is put around a part stays around it."""
    around = "change: verb/pay.cost\naround: |\n  if coins > 3: proceed"
    assert codes(together(around, "change: verb/pay\nset: {do: coins -= 1}")) == ["RW623"]
    assert codes(together(around, "change: verb/pay.cost\nremove: true")) == ["RW623"]
    one, same, two = (f"change: verb/pay.cost\nset: coins -= {n}" for n in ("1", "(1)", "2"))
    assert codes(together(one, two)) == ["RW623"]
    assert codes(together(one, same)) == []
    assert codes(together(one, "after: [one]\n...\n" + two)) == []
    wrapped = [together(around, two), together(two, around)]
    assert hash_of(wrapped[0]) == hash_of(wrapped[1])


def test_the_order_of_two_packs() -> None:
    """Both add to the coins, or one reads what the other writes."""
    one, two, none = (f"change: verb/pay.cost\nafter: coins {it}" for it in ("+= 1", "+= 2", "= 0"))
    assert codes(together(one, two)) == []
    assert codes(together(one, none)) == ["RW626"]
    assert codes(together("change: verb/pay.cost\nafter: do nothing")) == ["RW639"]


def test_a_label_is_no_word_of_another_pack() -> None:
    """A track of that name in one pack, and a part of the game that another pack changes."""
    track = (
        "tracks: {cost: {starts: 4}}\n---\nchange: verb/pay\nafter: marks += cost\n---\n"
        "change: verb/pay.cost\nafter: cost += 1"
    )
    change = "change: verb/pay.cost\nset: coins -= 1"
    assert codes(together(track, change)) == []


# ------------------------------------------------------------------ mistakes

@pytest.mark.parametrize(("change", "code"), [
    ("change: verb/pay.costs\nset: coins -= 1", "RW620"),
    ("change: verb/pay.cost\nset: {do: coins -= 1}", "RW624"),
    ("change: verb/pay.cost\nadd: [coins]", "RW624"),
    ("change: verb/pay.cost\nset: {was: coins -= 1, to: coins -= 2}", "RW622"),
    ("change: verb/pay.cost\naround: coins -= 1", "RW629"),
    ("change: gem/ruby.play.pick\nafter: move taken to shelf", "RW444"),
    ("change: gem/ruby.play.pick\nset: move taken to shelf", "RW420"),
])  # fmt: skip
def test_mistakes(change: str, code: str) -> None:
    assert codes(together(change)) == [code]
