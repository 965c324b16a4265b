"""Mutants of functions: one textual fault in the source, applied in all modules that use it."""

from __future__ import annotations

import inspect
import os
import sys
import textwrap
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import pytest

ONE_IN = 32
"""Of so many mutants one is tried; all are with ALL_MUTANTS in the environment, as `.ci/mutants` has it."""


needs_all = pytest.mark.skipif(
    not os.environ.get("ALL_MUTANTS"), reason="the same programs are compared in other tests; see .ci/mutants"
)


def sample(count: int) -> range:
    """The numbers of the mutants, of so many, that are tried."""
    return range(0, count, 1 if os.environ.get("ALL_MUTANTS") else ONE_IN)


def mutant(owner: Any, name: str, old: str, new: str) -> tuple[Any, Any]:
    """A function of a module or class, and what becomes of it where the first `old` in its source is `new`."""
    function = getattr(owner, name)
    source = textwrap.dedent(inspect.getsource(function))
    assert old in source, f"{name} does not hold {old!r} any more: write this mutant anew"
    source = source.replace(old, new, 1)
    if inspect.isclass(owner):
        source = source.replace("super()", f"super({owner.__name__}, self)")
    module = inspect.getmodule(owner) if inspect.isclass(owner) else owner
    names: dict[str, Any] = {}
    exec(compile(source, name, "exec"), vars(module), names)
    return function, names[name]


def modules_of(package: str) -> tuple[ModuleType, ...]:
    """All loaded modules of a package."""
    return tuple(module for name, module in sorted(sys.modules.items()) if name.startswith(f"{package}."))


def holders(modules: Sequence[ModuleType], function: Any) -> Iterator[tuple[dict[Any, Any], Any]]:
    """Where modules hold a function: their own names, and the tables among what they name, each with the key."""
    for module in modules:
        for key, value in list(vars(module).items()):
            if value is function:
                yield vars(module), key
            elif isinstance(value, dict):
                yield from ((value, entry) for entry, held in list(value.items()) if held is function)
