"""Scenarios that begin at steps which a house rule has put something around, or inside turns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.harness import ROOT, Run

PACKS = ROOT / "tests" / "packs"
HOUSE = """\
pack: house
version: 1.0.0
extends: {entries: "*"}
---
change: step/act.count
around: {id: rarely, when: rounds < 3}
---
change: step/act.draw
around: {id: more, while: count(box) > 2}
---
change: step/begin.deal
around: {id: seldom, unless: count(players) is 3}
"""
SCENARIOS = """\
scenario: The condition around a step is not asked where a game begins at the step
players: [ann, ben]
given: {phase: act.count, rounds: 4}
then: [rounds is 6]
---
scenario: The while around a step goes on
players: [ann, ben]
given: {phase: act.draw, box: [2 ruby], ann: {hand: none}, ben: {hand: rest}}
then: [count(ann's hand) is 1 and count(box) is 1]
---
scenario: A wrapped step of the set-up
players: [ann, ben, cam]
given: {phase: begin.deal, box: [9 gem], tray: rest, bush: none}
then: [count(box) is 2]                     # 9 - 6, and one that is drawn
---
scenario: In a round of turns, the turn is that of the round, and all three count
players: [ann, ben, cam]
given: {phase: act.count, turn: ben}
then: [rounds is 3]                         # once: then it is no longer less than 3
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_PACKS", str(PACKS))
    folder = tmp_path / "house"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "pack.yaml").write_text(HOUSE, "utf-8")
    (folder / "scenarios" / "some.yaml").write_text(SCENARIOS, "utf-8")
    return folder


def test_games_begin_at_wrapped_steps(run: Run, house: Path) -> None:
    ran = run("test", str(house))
    assert ran.code == 0, ran.out + ran.err
    assert "entries+house: 4 passed" in ran.out


def test_a_step_inside_a_queue_cannot_be_entered(run: Run, house: Path) -> None:
    text = HOUSE.replace("{id: rarely, when: rounds < 3}", "{id: rarely, queue: players}")
    (house / "pack.yaml").write_text(text, "utf-8")
    ran = run("test", str(house))
    assert ran.code == 1
    assert "a game cannot be entered at `act.count`: the step around it is a queue" in ran.out


TURNS = """\
pack: fair
version: 0.1.0
format: 3
players: 2 to 4
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 9, starts: box, home: box}}
zones: {box: {order: pile}, hand: {scope: player}}
tracks:
  days: {}
  bids: {}
  coins: {scope: player}
  late: {scope: player}
  leader: player
  energy: {lasts: turn, starts: 3}
---
setup: begin
steps: [{id: lead, do: leader = first of players}]
---
round: day
until: days >= 2
phases: [work, sell]
---
phase: work
steps:
  - id: dawn
    do: "each p in players: p's late += 1"
  - id: act
    turns: clockwise(leader)
    steps:
      - id: earn
        do: coins += 10
      - id: choose
        options:
          wait: EXTRA
          take: move top of box to hand
      - id: after
        do: coins += energy
  - id: dusk
    do: leader = next(leader)
---
phase: sell
steps:
  - id: bid
    turns: clockwise(leader)
    until: bids >= 5
    steps:
      - id: say
        options:
          more: bids += 1
          jump: bids += 3
  - id: visit
    turns: players
    steps:
      - id: host
        turns: players where it is not you
        steps: [{id: give, options: {one: coins += 1, two: coins += 2}}]
  - id: few
    turns: players where it is not leader
    steps: [{id: tip, options: {one: coins += 100, two: coins += 200}}]
  - id: duel
    turns: players where it is not leader
    until: bids >= 5
    steps: [{id: blow, options: {one: bids += 2, two: bids += 3}}]
  - id: end
    do: days += 1 then bids = 0
---
winner: all
among: players
"""
BEGINNINGS = {
    "the others before Ben are passed over once, and what comes before the step in his turn": """\
players: [ann, ben, cam]
given: {phase: work.act.choose, turn: ben, leader: ann, energy: 1}
when:
  - asks: {ben: work.act.choose.choice}
  - ben: {choice: wait}
  - cam: {choice: take}
  - then: ["ann's coins is 0 and ben's coins is 1 and cam's coins is 13", leader is ben, "ann's late is 0"]
  - ben: {choice: jump}
  - cam: {choice: jump}
  - asks: {ben: sell.visit.host.give.choice}
""",
    "without a turn it is the first one's": """\
players: [ann, ben, cam]
given: {phase: work.act.choose, leader: cam}
then:
  - asks: {cam: work.act.choose.choice}
  - cam's coins is 0
""",
    "the step with the turns begins with Cam": """\
players: [ann, ben, cam]
given: {phase: work.act, turn: cam, leader: ben}
when:
  - cam: {choice: wait}
  - ann: {choice: wait}
  - then: ["cam's coins is 13 and ann's coins is 13 and ben's coins is 0", leader is cam]
  - asks: {cam: sell.bid.say.choice}
""",
    "turns that go round come back to those who were passed over": """\
players: [ann, ben, cam]
given: {phase: sell.bid.say, turn: cam, leader: ben}
when:
  - cam: {choice: more}
  - ann: {choice: more}
  - ben: {choice: more}
  - cam: {choice: more}
  - ann: {choice: more}
  - asks: {ben: sell.visit.host.give.choice}
""",
    "turns that go round, entered as a whole": """\
players: [ann, ben, cam]
given: {phase: sell.bid, turn: cam, leader: ben, bids: 1}
when:
  - cam: {choice: jump}
  - ann: {choice: jump}
  - asks: {ben: sell.visit.host.give.choice}
""",
    "of turns inside turns, the inner one is meant, and the outer ones begin with the first": """\
players: [ann, ben, cam]
given: {phase: sell.visit.host.give, turn: cam, leader: ann}
when:
  - cam: {choice: two}
  - ann: {choice: one}
  - cam: {choice: one}
  - asks: {ann: sell.visit.host.give.choice}
""",
}
for place in ("sell.duel", "sell.duel.blow"):
    BEGINNINGS[f"turns that go round at {place} begin with the first where Ann has none"] = f"""\
players: [ann, ben, cam]
given: {{phase: {place}, turn: ann, leader: ann}}
when:
  - ben: {{choice: two}}
  - cam: {{choice: one}}
then:
  - days is 1
"""


def turns(
    run: Run, tmp_path: Path, scenario: str, extra: str = "energy -= 0", pack: str = TURNS
) -> str:
    folder = tmp_path / "fair"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "pack.yaml").write_text(pack.replace("EXTRA", extra), "utf-8")
    (folder / "scenarios" / "one.yaml").write_text(f"scenario: Turns\n{scenario}", "utf-8")
    return run("test", str(folder)).out


@pytest.mark.parametrize("what", BEGINNINGS)
def test_games_begin_inside_turns(run: Run, tmp_path: Path, what: str) -> None:
    out = turns(run, tmp_path, BEGINNINGS[what])
    assert "fair: 1 passed" in out, out


def test_games_begin_inside_turns_where_there_are_extra_turns(run: Run, tmp_path: Path) -> None:
    scenario = """\
players: [ann, ben, cam]
given: {phase: work.act.choose, turn: ben, leader: ann, energy: 1}
when:
  - ben: {choice: wait}
  - then: [extra-turn, ben's coins is 11]          # 1, and 10 in the extra turn
  - ben: {choice: take}
  - cam: {choice: take}
  - then: ["ann's coins is 0 and ben's coins is 14 and cam's coins is 13"]
"""
    out = turns(run, tmp_path, scenario, "'if not extra-turn: take another turn'")
    assert "fair: 1 passed" in out, out


def test_a_player_without_a_turn_there_is_reported(run: Run, tmp_path: Path) -> None:
    scenario = "players: [ann, ben]\ngiven: {phase: sell.few.tip, turn: ann, leader: ann}\nthen: [days is 1]\n"
    out = turns(run, tmp_path, scenario)
    assert "ann has no turn at `sell.few.tip`" in out
    assert "hint: name another player under `turn`" in out


LASTING = """\
pack: lasting
version: 0.1.0
format: 3
players: 2 to 4
enumerations: {colour: [red, blue]}
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 9, starts: box, home: box}}
zones: {box: {order: pile}, hand: {scope: player}}
tracks:
  actor: {of: player, starts: you, lasts: turn}
  energy: {starts: 3, lasts: turn}
  favourite: {of: player, scope: player, starts: you, lasts: turn}
  fame: {scope: [player, colour], starts: 2, lasts: turn}
  daily: {of: player, starts: none, lasts: round}
  first: {of: player, starts: none}
lists:
  paid: {of: number, at-most: 9, lasts: turn}
---
setup: begin
steps: [{id: spend, do: energy = 9 then actor = first of players then add 7 to paid}]
---
round: day
until: energy is 99
TURNS
phases: [work]
---
phase: work
steps:
  - id: act
    turns: STEP
    steps:
      - id: earn
        do: energy += 100
      - id: choose
        options: {wait: energy -= 0, take: move top of box to hand}
---
winner: all
among: players
"""
STEP_TURNS = LASTING.replace("TURNS\n", "").replace("STEP", "clockwise(first of players)")
ROUND_TURNS = LASTING.replace("TURNS", "turns-from: first of players").replace("    turns: STEP\n", "")
BEGUN = {
    "in a step with turns, the turn that is named": (
        STEP_TURNS,
        """\
given: {phase: work.act.choose, turn: ben}
when:
  - then: ["actor is ben", "energy is 3", "ann's favourite is ben and cam's favourite is ben", "count(paid) is 0"]
  - ben: {choice: wait}
  - then: ["actor is cam", "energy is 103", "ann's favourite is cam"]
""",
    ),
    "in a step with turns, the first turn": (
        STEP_TURNS,
        """\
given: {phase: work.act.choose}
then: ["actor is ann", "energy is 3", "ben's favourite is ann"]
""",
    ),
    "in a round of turns": (
        ROUND_TURNS,
        """\
given: {phase: work.act.choose, turn: cam}
when:
  - then: ["actor is cam", "energy is 3", "ann's favourite is cam", "count(paid) is 0"]
  - cam: {choice: wait}
  - then: ["actor is ann", "energy is 103"]
""",
    ),
    "at a phase in a round of turns": (
        ROUND_TURNS,
        """\
given: {phase: work, turn: cam}
then: ["actor is cam", "energy is 103"]
""",
    ),
    "what the position names stays, and only that": (
        STEP_TURNS,
        """\
given:
  phase: work.act.choose
  turn: ben
  actor: cam
  energy: 1
  paid: [5, 6]
  ann: {favourite: none, fame: {blue: 7}}
when:
  - then: ["actor is cam", "energy is 1", "count(paid) is 2", "ann's favourite is none", "ben's favourite is ben"]
  - then: ["ann's fame[blue] is 7 and ann's fame[red] is 2 and ben's fame[blue] is 2"]
  - ben: {choice: wait}
  - then: ["actor is cam", "energy is 103", "count(paid) is 0", "ann's favourite is cam", "ann's fame[blue] is 2"]
""",
    ),
    "what the position names stays where the whole step is entered": (
        STEP_TURNS,
        """\
given: {phase: work.act, turn: ben, energy: 1, paid: [5], ann: {favourite: none}}
when:
  - then: ["actor is ben", "energy is 101", "count(paid) is 1", "ann's favourite is none", "cam's favourite is ben"]
  - ben: {choice: wait}
  - then: ["energy is 103", "count(paid) is 0", "ann's favourite is cam"]
""",
    ),
    "the whole step, without a turn": (
        STEP_TURNS,
        """\
given: {phase: work.act, actor: cam}
when:
  - then: ["actor is cam", "energy is 103"]
  - ann: {choice: wait}
  - then: ["actor is ben"]
""",
    ),
    "the whole phase, whose turns begin later": (
        STEP_TURNS,
        """\
given: {phase: work, daily: cam, energy: 1}
when:
  - then: ["actor is ann", "daily is cam", "energy is 103"]
""",
    ),
    "a value that a round keeps": (
        STEP_TURNS,
        """\
given: {phase: work.act.choose, turn: ben, daily: cam}
when:
  - ben: {choice: wait}
  - then: ["daily is cam"]
  - cam: {choice: wait}
  - then: ["daily is none"]                         # Ann has the first turn of the next round
""",
    ),
}


@pytest.mark.parametrize("extra", ["", "take another turn"])
@pytest.mark.parametrize("what", BEGUN)
def test_what_lasts_a_turn_begins_with_a_position(
    run: Run, tmp_path: Path, what: str, extra: str
) -> None:
    pack, scenario = BEGUN[what]
    if extra:  # nobody takes one, but turns are built otherwise where somebody could
        pack = pack.replace("energy -= 0, ", f"'if energy is 98: {extra}', ")
    out = turns(run, tmp_path, f"players: [ann, ben, cam]\n{scenario}", pack=pack)
    assert "1 passed" in out, out
