"""Smaller limits for tests: they are read where text is generated or a game begins."""

from __future__ import annotations

import pytest

_ANSWERS = ("playout", "random_policy", "seated_policy", "native.module")


def most_answers(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """How often bots may be asked in a game, on every backend."""
    for module in _ANSWERS:
        monkeypatch.setattr(f"interpreter.{module}.MOST_ANSWERS", most)


def work(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """What one unit of fuel pays for, and what is free, on every backend."""
    monkeypatch.setattr("interpreter.metered.WORK", steps)
    monkeypatch.setattr("interpreter.metered.FREE", steps)
