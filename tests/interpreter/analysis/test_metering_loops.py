"""Fuel for loops that may ask, for long passes of loops, and for long calls, on all backends.

The packs are written as an author would write them.
"""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from interpreter.analysis.metered import Metered
from interpreter.analysis.metering import metered_program
from interpreter.backends.policies.random_player import play_out
from interpreter.backends.walker.backend import Walker
from interpreter.state.chance import Stream
from interpreter.state.rule_errors import RuleError
from ruleset.table.nodes import FUEL, Charge, TableProgram
from ruleset.table.traversal import everything
from tests import small_packs
from tests.interpreter import limits
from tests.interpreter.lockstep import builds_of, lockstep
from tests.interpreter.many_beside import same_many

HEAD = """\
pack: deep
languages: [en]
players: 2
kinds: {gem: {}}
tracks:
  steps: {at-least: 0, at-most: 1000000, at-bounds: stop}
components: {gems: {kind: gem, starts: heap}}
zones: {heap: {order: pile, seen-by: all}}
---
gem: ruby
name: ruby
copies: @
---
winner: all
among: players
---
function: near
takes: {one: gem card}
gives: number
is: count(heap where it is not one)
---
function: far
takes: {one: gem card}
gives: number
is: total near(it) over heap
---
"""
ROUND = "round: turn\nturns-from: first of players\nuntil: steps is 1000000\nsteps:\n"
REPEAT = "  - id: look\n    do: |\n      repeat 1000000 times:\n"
NEVER = "no a in heap where any b in heap where a is b"
"""Two loops, which go through all items and half of them; it does not hold."""
LONG = "no x in heap where any y in heap where any z in heap where x is y and y is z"
"""Three of them."""


def _may(indent: int, condition: str) -> str:
    """A sentence in which a player might be asked."""
    lines = (f"if {condition}:", "  may add:", "    steps += 1")
    return "".join(" " * indent + line + "\n" for line in lines)


def _asking(levels: int) -> str:
    """Loops inside each other, in the last of which a player might choose."""
    names = "abdefgh"[:levels]
    loops = "".join("  " * n + f"        each {name} in heap:\n" for n, name in enumerate(names))
    return ROUND + f"  - id: look\n    do: |\n{loops}" + _may(8 + 2 * levels, "steps > 9")


def _steps(count: int, condition: str) -> str:
    step = f"  - id: step-@\n    do: |\n      if {condition}: steps += 1\n"
    return ROUND + "".join(step.replace("@", str(number)) for number in range(count))


VERBS = "".join(
    f"verb: {name}\ndo: |\n" + _may(2, LONG) * 40 + (f"  {more}\n  {more}\n" if more else "") + "---\n"
    for name, more in (("rest", ""), ("sit-down", "rest"), ("lie-down", "sit-down"), ("fall-asleep", "lie-down"))
)
ALL = """\
  - id: look
    do: |
      repeat 1000000 times:
        each a in heap where any b in heap where b is not a and far(b) < 0:
          repeat while steps < 9:
            each c in heap:
              if any d in heap where far(d) < 0:
                may add:
                  steps += 1
              steps += total far(it) over heap
        if any a in heap where far(a) < 0: steps += 1
"""
PACKS = {
    "loops that ask": (80, _asking(5)),
    "seven loops that ask": (80, _asking(7)),
    "one turn": (23, ROUND + REPEAT + f"        if {NEVER}: steps += 1\n"),
    "a turn that asks": (15, ROUND + REPEAT + _may(8, LONG) * 40),
    "a long round": (15, _steps(200, LONG)),
    "verbs": (15, VERBS + ROUND + "  - {id: look, do: fall-asleep}\n"),
    "all loops": (60, ROUND + ALL),
}
"""Games in which nothing happens, for ever; how many cards they have, so that a loop is just below what is free."""


def lowered(name: str, cards: int = 0) -> TableProgram:
    usual, text = PACKS[name]
    return small_packs.lowered((HEAD + text).replace("@", str(cards or usual)))


@pytest.mark.parametrize("name", PACKS)
def test_fuel_pays_for_all_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the walker counts it, nodes that it evaluates: no more than the fuel pays for."""
    limit = 500
    limits.work(monkeypatch, limit)
    units = 100
    steps = limits.counted(monkeypatch, (units + 1) * limit)
    backend = Walker(lowered(name, 8 if "loops" in name else 3))  # so that one sentence is just below what is free
    state = backend.start(1)
    state[FUEL] = units
    with suppress(RuleError):
        backend.run(state)
    assert steps() > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKS)
def test_rules_without_an_end_use_up_the_fuel_in_seconds(name: str) -> None:
    """20,000 units of at most some ten thousand steps are seconds of the walker, and less of native code."""
    program = lowered(name)
    for backend in builds_of(program):
        state = backend.start(1)
        began = time.process_time()
        with pytest.raises(RuleError, match="fuel"):
            play_out(backend, state, Stream(1, 0))
        assert time.process_time() - began < 5, backend.name


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKS)
def test_every_backend_charges_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a few cards, and so little that is free that nearly all is charged."""
    limits.work(monkeypatch, 20)
    program = lowered(name, 3)
    assert lockstep(program, 1, 5, limit=40).errors == {"fuel": 1}
    same_many(program, 1, 5)


def test_the_fuel_of_a_loop_that_asks() -> None:
    """By hand: five lists of 80 cards. The innermost charges once for each time that it begins, so 1 + n // 1,024
    units where its 80 turns are n steps; each of those copies the list that is left, 80 members of 4 steps each.
    """
    program = metered_program(lowered("loops that ask"))
    charged = [part for part in everything(program.segments) if isinstance(part, Metered)]
    assert len(charged) == 5
    assert all(320 <= part.each < 600 for part in charged)


def test_short_loops_that_ask_are_free() -> None:
    """Two players, each asked once, are no long loop: not even a node is another one."""
    loop = ROUND + "  - id: look\n    do: |\n      each p in players:\n" + _may(8, "steps > 9")
    program = small_packs.lowered((HEAD + loop).replace("@", "5"))
    assert metered_program(program) is program


def test_what_is_charged_grows_with_the_pack() -> None:
    """The analysis adds no more charges than there are segments."""
    for name in PACKS:
        program = lowered(name)
        more = sum(isinstance(part, Charge) for part in everything(metered_program(program).segments))
        assert more <= 4 * len(program.segments) + 20
