"""Tests that take `backend` run on every backend."""

from __future__ import annotations

import pytest

from tests.small_packs import BACKENDS


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    assert isinstance(request.param, str)
    return request.param
