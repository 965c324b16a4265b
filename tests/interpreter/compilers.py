"""The compilers used by tests of native code: a fast one for most, the machine's for some.

With RULEWRIGHT_CC in the environment both are the one that it names; where it says `none`, native code is not
tried. Otherwise there has to be a compiler, for the package that brings one is among those of the tests.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shlex
from functools import cache
from unittest import mock

import pytest

from rulewright.interpreter.backends.native.module import compiler
from rulewright.interpreter.backends.native.toolchain import NONE, VARIABLE, WHEEL, Compiler

WANTED = os.environ.get(VARIABLE, "").strip() != NONE
"""Whether native code is tried."""

needs_compiler = pytest.mark.skipif(not WANTED, reason=f"{VARIABLE} is {NONE}")


@cache
def usual() -> Compiler:
    """The compiler of this machine. Raises NoNativeError where there is none."""
    return compiler()


@cache
def quick_command() -> str:
    """The command of the compiler of the wheel, for the environment; else that of the usual one, or `none`."""
    if not WANTED:
        return NONE
    if os.environ.get(VARIABLE) or importlib.util.find_spec(WHEEL) is None:
        return shlex.join(usual().command)
    wheel = importlib.import_module(WHEEL)
    libraries = str(wheel.tcc_lib_dir())
    own = libraries if os.name == "nt" else os.path.join(libraries, "tcc")
    return shlex.join((str(wheel.tcc_bin_path()), "-B", own))


@cache
def quick() -> Compiler:
    """The compiler of the wheel, which takes milliseconds and does not optimise; without it the usual one."""
    with mock.patch.dict(os.environ, {VARIABLE: quick_command()}):
        return compiler()
