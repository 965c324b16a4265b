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
    from rulewright.interpreter.backends.factory import make
    from rulewright.interpreter.game.game import Game, RuleFault
    from rulewright.interpreter.state.backend import Backend
    from rulewright.interpreter.state.events import Event
    from rulewright.interpreter.state.rule_errors import RuleError
    from rulewright.interpreter.views.decision import Decision
    from rulewright.interpreter.views.refusals import Refusal
    from rulewright.interpreter.views.view import Result, View

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
    "Backend": "rulewright.interpreter.state.backend",
    "Decision": "rulewright.interpreter.views.decision",
    "Event": "rulewright.interpreter.state.events",
    "Game": "rulewright.interpreter.game.game",
    "Refusal": "rulewright.interpreter.views.refusals",
    "Result": "rulewright.interpreter.views.view",
    "RuleError": "rulewright.interpreter.state.rule_errors",
    "RuleFault": "rulewright.interpreter.game.game",
    "View": "rulewright.interpreter.views.view",
    "make": "rulewright.interpreter.backends.factory",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
