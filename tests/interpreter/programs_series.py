"""Series of games: a program by hand, and what makes a series of a random one."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random as Generator

from attrs import evolve

from rulewright.ruleset.lower.state_layout import cells_of_track
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import NextGame, TableProgram
from tests.interpreter.programs_builder import Builder, branch, c, cards, cell, numbers, op, tree, v


def in_series(program: TableProgram, later: int, lasting: Iterable[int], chance: Generator) -> TableProgram:
    """The program as that of a series, with cards and numbers of their own for games after the first one.

    `later` is the procedure that plays them, `lasting` are the tracks that they keep, beside one of the lists. The
    first four zones have room for all cards.
    """
    cards = [card for _, held in program.start for card in held]
    chance.shuffle(cards)
    start = tuple((zone, tuple(cards[zone::4])) for zone in range(4))
    tracks = tuple(tuple(chance.sample(track.start, track.count)) for track in program.tracks)
    lists = [chance.choice(program.state_lists)]
    return evolve(program, next_game=NextGame(later, start, tracks, _kept(program, lasting, lists)))


def _kept(
    program: TableProgram, tracks: Iterable[int], lists: Iterable[table.ListInfo]
) -> tuple[tuple[int, int], ...]:
    cells = [part for number in tracks for part in cells_of_track(program.tracks[number])]
    return tuple(sorted([*cells, *((one.address, one.count * (one.capacity + 1)) for one in lists)]))


def rubber() -> TableProgram:
    """Four games. The first one begins with a procedure of its own; each ends within a call that another one makes.
    In the last one there is nothing to choose, so no answer renews the fuel.

    What does not last is left behind in every sort of cells: slots of frames, zones, tracks, lists, an answer.
    """
    b = Builder(2, range(6))
    deck, hand = b.zone("pile", (0, 1, 2, 3)), b.zone("bag", (5, 4))
    games, points = b.track(), b.track((1, 2), arrival=True)
    played = cell(b.address(games))
    score = b.track((7, 0), arrival=True)
    lasting, log = b.state_list(20), b.state_list(9)
    site = b.site()
    ending = b.reserve_procedure()

    def game(first: int, *before: table.Stmt) -> int:
        """A procedure that asks for a number, keeps it in both lists, and ends the game."""
        begin, have, after = b.reserve(3)
        offered = table.Take(numbers(0, 1, 2), table.IfElse(op(played, "==", 3), c(1), c(3)), True)
        answer = op(table.First(table.Answer(c(1))), "+", op(played, "*", 10))
        trees = {
            begin: tree(*before, table.SetLocal(0, c(first)), table.Goto(have)),
            have: tree(table.Ask(site, numbers(1), 2, offered, c(1), c(1), after, 1)),
            after: tree(
                table.SetLocal(0, op(answer, "+", op(v(0), "*", 100))),
                table.Append(c(lasting), v(0), 20, 2),
                table.Append(c(log), op(table.Count(cards(deck)), "+", v(0)), 9, 3),
                table.Invoke(ending, (op(v(0), "+", 1),), begin, 4),
            ),
        }
        return b.procedure([0, 3, 0], trees, begin)

    setup = [table.SetCells(c(log), numbers(8, 8, 8)), table.Draw(c(deck), c(3), c(hand), False, 1, 5)]
    first = game(1, *setup)
    later = game(2, table.Shuffle(c(deck), 6), table.Draw(c(deck), c(1), c(hand), False, 1, 7))
    deeper, end = b.reserve(2)
    more = table.Branch(op(played, "<", 4), tree(table.Restart(9)), tree(table.Finish()))
    gain = [table.Change(track, op(played, "%", 2), c(3), 8) for track in (points, score)]
    body = [table.Change(games, c(0), c(1), 8), *gain]
    trees = {
        deeper: branch(op(v(0), ">", 0), tree(table.Invoke(ending, (c(0),), end, 8)), tree(*body, more)),
        end: tree(table.Return(c(3))),
    }
    b.procedure([0], trees, deeper, 1, ending)
    program = b.build(first)
    lists = [one for one in program.state_lists if one.address == lasting]
    start, tracks = ((deck, (5, 0, 1)), (hand, (4, 3))), ((0,), (5, 6), (0, 0))
    return evolve(program, next_game=NextGame(later, start, tracks, _kept(program, (games, score), lists)))
