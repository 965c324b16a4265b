"""For all tests: a cache folder of this run, a fixed seed for random inputs, a guard of imports."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")

FOLDERS = {"ruleset", "interpreter", "tools", "schemas", "content"}


class NoSecondCopy(MetaPathFinder):
    """Folders of the package that are imported without its name would be loaded a second time, silently."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name in FOLDERS:
            raise ImportError(f"{name} is imported as rulewright.{name}")


sys.meta_path.insert(0, NoSecondCopy())


@pytest.fixture(scope="session", autouse=True)
def cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All workers of a run share it. Tests of the cache itself, and of commands, have caches of their own."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEWRIGHT_CACHE", str(shared / "rulewright-cache"))
        patch.setenv("RULEWRIGHT_SAVES", str(shared / "rulewright-games"))
        yield
