"""Play table programs: games with views, decisions, and journals.

Its names:

    game = Game.start(program, seed=1)              # a TableProgram of `ruleset`
    while game.result is None:
        decision = game.decisions[0]                # a Decision: its seat, its choice, options with stable keys
        game.apply(decision.seat, [option.key for option in decision.options[: decision.least]])

`Game` narrates and tracks the knowledge of each seat; `make` gives a bare backend for search and simulation. A
module is imported on the first use of one of its names.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the one in `typing` is slow to import
if TYPE_CHECKING:
    from interpreter.backends.factory import make
    from interpreter.game.game import Game, RuleFault
    from interpreter.state.backend_protocol import Backend
    from interpreter.state.events import Event
    from interpreter.state.rule_errors import RuleError
    from interpreter.views.decision import Decision
    from interpreter.views.refusals import Refusal
    from interpreter.views.view import Result, View

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
    "Backend": "interpreter.state.backend_protocol",
    "Decision": "interpreter.views.decision",
    "Event": "interpreter.state.events",
    "Game": "interpreter.game.game",
    "Refusal": "interpreter.views.refusals",
    "Result": "interpreter.views.view",
    "RuleError": "interpreter.state.rule_errors",
    "RuleFault": "interpreter.game.game",
    "View": "interpreter.views.view",
    "make": "interpreter.backends.factory",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
