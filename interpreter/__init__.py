"""Runs table programs: chance, state, backends, and games with views, decisions and journals. The public names:

    game = Game.start(program, seed=1)              # a TableProgram of `ruleset`
    while game.result is None:
        decision = game.decisions[0]                # a Decision: who, what for, the options with stable keys
        game.apply(decision.seat, [option.key for option in decision.options[: decision.least]])

`Game` tells what happens and folds what the seats know; `make` gives a bare backend, for search and simulation. A
module is imported when one of its names is first asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of `typing` takes long to import
if TYPE_CHECKING:
    from interpreter.backend import Backend, make
    from interpreter.decision import Decision, Refusal
    from interpreter.errors import RuleError
    from interpreter.event import Event
    from interpreter.game import Game, RuleFault
    from interpreter.view import Result, View

__all__ = [
    "Backend",
    "Decision",
    "Event",
    "Game",
    "Refusal",
    "Result",
    "RuleError",
    "RuleFault",
    "View",
    "make",
]

_PLACES = {
    "Backend": "interpreter.backend",
    "Decision": "interpreter.decision",
    "Event": "interpreter.event",
    "Game": "interpreter.game",
    "Refusal": "interpreter.decision",
    "Result": "interpreter.view",
    "RuleError": "interpreter.errors",
    "RuleFault": "interpreter.game",
    "View": "interpreter.view",
    "make": "interpreter.backend",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
