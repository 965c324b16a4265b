"""Smaller limits for tests, read when code is generated or a game begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulewright.interpreter.backends.walker import expressions as walker_values
from rulewright.interpreter.backends.walker import statements as walker_statements

_ANSWERS = ("backends.policies", "backends.native.module")


def most_answers(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """How often bots may be asked in a game, on every backend."""
    for module in _ANSWERS:
        monkeypatch.setattr(f"rulewright.interpreter.{module}.MOST_ANSWERS", most)


def work(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """What one unit of fuel pays for, and what is free, on every backend."""
    monkeypatch.setattr("rulewright.interpreter.analysis.nodes.WORK", steps)
    monkeypatch.setattr("rulewright.interpreter.analysis.nodes.FREE", steps)


def counted(monkeypatch: pytest.MonkeyPatch, most: int = 2**31) -> Callable[[], int]:
    """Counts the nodes that walkers evaluate from now on; gives what tells how many. Raises AssertionError
    where there are too many, since what nothing bounds may never end.
    """
    steps = 0

    def counting(evaluate: Callable[..., Any]) -> Callable[..., Any]:
        def one_more(*arguments: Any) -> Any:
            nonlocal steps
            steps += 1
            assert steps <= most, "too many steps"
            return evaluate(*arguments)

        return one_more

    evaluating = ((walker_values, "_NUMBERS"), (walker_values, "_LISTS"), (walker_statements, "_STATEMENTS"))
    for module, name in evaluating:
        monkeypatch.setattr(module, name, {kind: counting(one) for kind, one in getattr(module, name).items()})
    return lambda: steps
