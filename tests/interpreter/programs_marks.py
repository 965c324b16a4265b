"""A game of one question about equal cards that marks or references may distinguish.

Seat 0 chooses. In what order they are offered depends on a card that it does not see, so that it differs in half of
the worlds. It gets a point for the lower one, card `FIRST`.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from attrs import evolve

from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import ListInfo, TableProgram, TrackInfo
from tests.interpreter.programs_builder import Builder, c, cards, cell, numbers, op, tree

FIRST, SECOND = 2, 3
GEM, COIN = 4, 5
"""Cards in a bag that all see."""
_CARDS = 6

MARKS: Mapping[str, tuple[tuple[str, int, tuple[int, ...]], ...]] = {
    "nothing": (),
    "a value": (("token", FIRST, (1,)),),
    "two values": (("token", FIRST, (1,)), ("token", SECOND, (2,))),
    "a value that nobody sees": (("secret", FIRST, (1,)),),
    "a pointer": (("ward", 0, (FIRST,)),),
    "two pointers": (("ward", 0, (FIRST,)), ("ward", 1, (SECOND,))),
    "a pointer that nobody sees": (("shade", 0, (FIRST,)),),
    "a list": (("runes", FIRST, (7,)),),
    "lists of two lengths": (("runes", FIRST, (7,)), ("runes", SECOND, (7, 8))),
    "two lists": (("runes", FIRST, (7, 9)), ("runes", SECOND, (7, 8))),
    "lists of two cards": (("ties", FIRST, (GEM,)), ("ties", SECOND, (COIN,))),
    "a place in a list": (("line", 0, (COIN, FIRST)),),
    "two places in a list": (("line", 0, (SECOND, FIRST)),),
}
"""What tells the two cards apart: entries of tracks and lists, by key and index, and what they hold."""
UNTOLD = ("nothing", "a value that nobody sees", "a pointer that nobody sees")
"""Marks that the seat does not see."""


def choosing(least: int = 1) -> TableProgram:
    b = Builder(2, (0, 1, 2, 2, 3, 4))
    hidden = b.zone("pile", (0, 1), sees=0b10)
    b.zone("bag", (FIRST, SECOND))
    b.zone("bag", (GEM, COIN))
    score = b.track((0, 0))
    for count in (_CARDS, _CARDS, 2, 2):
        b.track((0 if count == _CARDS else -1,) * count)
    for count in (_CARDS, _CARDS, 1):
        b.state_list(3, count)
    b.site("card")
    _, scoring = b.reserve(2)
    bottom = table.First(cards(hidden))
    options = table.Choice(op(bottom, "==", 0), numbers(FIRST, SECOND), numbers(SECOND, FIRST))
    lower = op(table.First(table.Answer(c(0))), "==", FIRST)
    made = b.game(
        [0],
        tree(table.Ask(0, numbers(0), 0, options, c(least), c(1), scoring, 0)),
        tree(table.Assign(score, c(0), lower, 0), table.CloseDecisions(), table.Finish()),
    )
    tracks = [
        ("score", ("player",), "number", 0b11),
        ("token", ("card",), "number", 0b11),
        ("secret", ("card",), "number", 0),
        ("ward", ("player",), "card", 0b11),
        ("shade", ("player",), "card", 0),
    ]
    lists = [("runes", "card", "number"), ("ties", "card", "card"), ("line", "game", "card")]
    return evolve(
        made,
        zones=tuple(evolve(zone, accepts=()) for zone in made.zones),
        tracks=tuple(
            evolve(track, key=key, scope=scope, of=of, seen=(seen,) * track.count)
            for track, (key, scope, of, seen) in zip(made.tracks, tracks, strict=True)
        ),
        state_lists=tuple(
            evolve(info, key=key, scope=scope, of=of)
            for info, (key, scope, of) in zip(made.state_lists, lists, strict=True)
        ),
    )


def mark(program: TableProgram, state: array[int], what: str) -> None:
    """Puts one of `MARKS` into a state."""
    infos: dict[str, TrackInfo | ListInfo] = {info.key: info for info in (*program.tracks, *program.state_lists)}
    for key, index, values in MARKS[what]:
        info = infos[key]
        if isinstance(info, TrackInfo):
            state[info.address + index] = values[0]
        else:
            address = info.address + index * (info.capacity + 1)
            state[address : address + 1 + len(values)] = array("i", [len(values), *values])


def asking_later() -> TableProgram:
    """A game in which a world that asks the same question may have come a round further than the true game.

    Seat 0 is asked for one of two cards if card 0 is at the bottom of a pile that it does not see, else it has no
    choice. Then the bottom goes to the top. Where the pile is the other way round, the game passes over the
    question, and asks it when one more round is counted.
    """
    b = Builder(1, (0, 1, 2, 3))
    hidden = b.zone("pile", (0, 1), sees=0)
    b.zone("bag", (FIRST, SECOND))
    rounds = b.track()
    b.site("card")
    asking, turning = b.reserve(2)
    bottom = table.First(cards(hidden))
    options = table.Choice(op(bottom, "==", 0), numbers(FIRST, SECOND), numbers(FIRST))
    again = op(cell(b.address(rounds)), "<", 3)
    made = b.game(
        [0],
        tree(table.Ask(0, numbers(0), 0, options, c(1), c(1), turning, 0)),
        tree(
            table.CloseDecisions(),
            table.Move(table.Items((bottom,)), c(hidden), False, None, 0),
            table.Change(rounds, c(0), c(1), 0),
            table.Branch(again, tree(table.Goto(asking)), tree(table.Finish())),
        ),
    )
    return evolve(made, zones=tuple(evolve(zone, accepts=()) for zone in made.zones))
