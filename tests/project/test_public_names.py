"""The packages' public names exist, and importing a package loads nothing that is slow to load."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from rulewright import interpreter, ruleset

SLOW = ("lark", "jsonschema", "yaml", "rich", "click", "attrs")


@pytest.mark.parametrize("package", [ruleset, interpreter], ids=lambda package: str(package.__name__))
def test_names_exist(package: ModuleType) -> None:
    for name in package.__all__:
        assert getattr(package, name) is not None
        assert name in dir(package)
        assert not isinstance(getattr(package, name), ModuleType), f"{name} is also the name of a module"
    with pytest.raises(AttributeError, match="has no attribute"):
        _ = package.nothing


@pytest.mark.parametrize("package", ["ruleset", "interpreter", "tools"])
def test_importing_a_package_is_cheap(package: str) -> None:
    code = f"import sys, {package}; print(*sorted(set({SLOW!r}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_what_they_are_for() -> None:
    from tests.docs.listings import LANTERNS, with_fragment

    program = with_fragment(LANTERNS, "").program
    assert isinstance(program, ruleset.Program)
    game = interpreter.Game.start(ruleset.lower_program(program, seats=2), seed=1)
    for _ in range(3):
        decision = game.decisions[0]
        keys = [option.key for option in decision.options[: decision.least]]
        assert not isinstance(game.apply(decision.seat, keys), interpreter.Refusal)
    with pytest.raises(ruleset.TableError):
        ruleset.lower_program(program, seats=9)
