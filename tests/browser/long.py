"""Tests that take a minute or more each: `.ci/browser` runs them, and `.ci/run` does not."""

from __future__ import annotations

import os

import pytest

LONG = pytest.mark.skipif(not os.environ.get("RULEWRIGHT_LONG"), reason="a long test: .ci/browser runs it")
