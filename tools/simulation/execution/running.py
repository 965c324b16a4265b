"""Play work to its end or to an interrupt, here or on a cluster, with progress."""

from __future__ import annotations

import os
import time
from contextlib import AbstractContextManager
from typing import Generic

from attrs import frozen

from rulewright.interpreter.backends.factory import AUTO
from rulewright.interpreter.backends.native.toolchain import (
    NONE,
    VARIABLE,
    NoCompiler,
    find_compiler,
    find_quick_compiler,
)
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.output import warn
from rulewright.tools.common.progress import ProgressSink
from rulewright.tools.simulation.execution.dispatch import ResultCollector, Writer
from rulewright.tools.simulation.execution.local import cores, play_all
from rulewright.tools.simulation.protocol import C, Work

NATIVE = "native"
ADVICE = "omit --backend to use the fastest that works"


def check_backend(backend: str) -> None:
    """Raise Usage if a backend is not available here. Warns if the compiler that the user names is not there."""
    if backend == NATIVE:
        from rulewright.interpreter.backends.native.module import NoNativeError, compiler

        try:
            compiler()
        except NoNativeError as error:
            raise Usage(f"--backend native is not available: {error}; {ADVICE}") from None
    if backend == AUTO and os.environ.get(VARIABLE, NONE).strip() not in ("", NONE):
        found = find_compiler()
        if isinstance(found, NoCompiler):
            warn(f"{found.reason}; the walker plays the games, which is slower")


@frozen
class ExecutionPlace:
    """Where games are played: by `jobs` workers (None: one per core), or on a Dask cluster. Raises Usage."""

    jobs: int | None = None
    cluster: str | None = None

    def __attrs_post_init__(self) -> None:
        if self.cluster is not None and self.jobs is not None:
            raise Usage("--jobs cannot be used with --cluster, which has its own workers; omit one of them")

    @property
    def workers(self) -> int:
        """The number of workers on this machine."""
        return self.jobs or cores()

    def quicker(self, backend: str) -> str | None:
        """Return the backend that will take over from the first one during a run, if any."""
        if backend != AUTO or self.cluster is not None or not isinstance(find_quick_compiler(), NoCompiler):
            return None
        return NATIVE

    def play(self, work: Work[C], collector: ResultCollector[C]) -> bool:
        """Play all games; return whether the run was interrupted. Raises Failure if workers keep crashing."""
        if self.cluster is None:
            return play_all(work, self.workers, collector)
        from rulewright.tools.simulation.execution.dask_cluster import play_on_cluster

        return play_on_cluster(work, self.cluster, collector)


@frozen
class FinishedRun(Generic[C]):
    """What was counted, in how many seconds; `failure` ended the run early, and `interrupted` is then true, too.

    All games before number `written` have their rows in the file of the run, if there is one.
    """

    counts: C
    interrupted: bool
    seconds: float
    backend: str | None
    failure: Failure | None = None
    written: int = 0


def run(
    work: Work[C], place: ExecutionPlace, progress: AbstractContextManager[ProgressSink], file: Writer | None = None
) -> FinishedRun[C]:
    """Play work with progress, and write its rows into a file. Raises Failure if nothing was counted."""
    began, failure = time.perf_counter(), None
    with progress as sink:
        collector = ResultCollector(work, sink, file)
        try:
            interrupted = place.play(work, collector)
            if file is not None and (collector.written or not interrupted):
                file.finish()
            elif file is not None:
                file.leave()
        except Failure as error:
            if not collector.counts.games:
                raise
            failure, interrupted = error, True
    seconds = time.perf_counter() - began
    return FinishedRun(collector.counts, interrupted, seconds, collector.backend, failure, collector.written)
