"""Worlds that a reader cannot tell from that of a game, and what a reader sees and hears."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from attrs import define, evolve

from rulewright.interpreter.backends.walker.backend import walker_of
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.search.determinise import World, possible_world
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream as Chance
from rulewright.interpreter.state.events import Event, redact
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.view import View, for_spectator, spectator_view
from rulewright.ruleset.table.nodes import RNG, TableProgram
from rulewright.tools.browser.drawing.eyes import SPECTATOR
from rulewright.tools.browser.host.packs import Rules


def twin_of(game: Game, rules: Rules, reader: int, chance: Chance) -> World | None:
    """A world that the reader cannot tell from that of the game; a spectator is the seat after the last."""
    if reader != SPECTATOR:
        world = possible_world(walker_of(rules.program), game.state, game.knowledge, reader, chance)
    else:
        seats = game.program.seats
        everyone = (1 << seats) - 1
        wide = tuple(mask | 1 << seats if mask == everyone else mask for mask in game.knowledge.masks)
        engine: Any = _Engine(rules.public, walker_of(rules.program))
        world = possible_world(engine, game.state, Knowledge(wide, ()), seats, chance)
        if world is not None:
            masks = tuple(mask & everyone for mask in world.knowledge.masks)
            world = evolve(world, knowledge=Knowledge(masks, ()))
    if world is not None:
        world.state[RNG : RNG + 4] = game.state[RNG : RNG + 4]
    return world


@define
class _Engine:
    """A backend that plays a program and is asked about one with a spectator."""

    program: TableProgram
    backend: Backend

    def run(self, state: array[int]) -> None:
        self.backend.run(state)

    def answer(self, state: array[int], seat: int, values: Sequence[int]) -> None:
        self.backend.answer(state, seat, values)


def view_of(game: Game, rules: Rules, reader: int) -> View:
    return game.view(reader) if reader != SPECTATOR else spectator_view(rules.public, game.state, game.knowledge)


def events_of(game: Game, reader: int, since: int) -> tuple[Event, ...]:
    if reader != SPECTATOR:
        return game.events(reader, since)
    seats = game.program.seats
    read = (redact(for_spectator(event, seats), seats) for event in game.events(since=since))
    return tuple(event for event in read if event is not None)
