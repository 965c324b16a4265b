"""A cache folder for native libraries of this run, and a fixed seed for random inputs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")


@pytest.fixture(scope="session", autouse=True)
def cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All workers of a run share it. Tests of the cache itself, and of commands, have caches of their own."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEWRIGHT_CACHE", str(shared / "rulewright-cache"))
        patch.setenv("RULEWRIGHT_SAVES", str(shared / "rulewright-games"))
        yield
