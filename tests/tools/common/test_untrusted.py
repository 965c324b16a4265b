"""Limits of time and memory inside of others: each holds until its end, and none outlives it."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from rulewright.tools.browser.host import worker
from rulewright.tools.browser.host.requests import Host
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.host.worker import answered
from rulewright.tools.common.untrusted import TimeLimitReached, bounded
from tests.browser.ponds import POND

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no timers of processor time")


def work(seconds: float) -> None:
    """Use processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_the_outer_limit_goes_on_after_the_inner_one() -> None:
    began = time.process_time()
    with pytest.raises(TimeLimitReached), bounded(0.3):
        with bounded(5):
            work(0.1)
        work(2)
    assert 0.25 < time.process_time() - began < 0.6, "0.3 s all together"


def test_the_outer_limit_ends_first() -> None:
    began = time.process_time()
    with pytest.raises(TimeLimitReached), bounded(0.2), bounded(5):
        work(2)
    assert time.process_time() - began < 0.5


def test_the_inner_limit_ends_first() -> None:
    with bounded(5):
        began = time.process_time()
        with pytest.raises(TimeLimitReached), bounded(0.1):
            work(2)
        assert time.process_time() - began < 0.4
        work(0.3)  # the outer limit has not ended


def test_the_outer_limit_is_not_swallowed_by_who_expects_the_inner_one() -> None:
    began = time.process_time()
    with pytest.raises(TimeLimitReached), bounded(0.2):
        with pytest.raises(TimeLimitReached), bounded(5):
            work(2)
        work(2)
    assert time.process_time() - began < 0.5


def test_three_limits() -> None:
    with bounded(5):
        with pytest.raises(TimeLimitReached), bounded(0.3):
            for _ in range(10):
                with bounded(1):
                    work(0.1)
        work(0.1)


def test_a_limit_comes_again_if_something_swallows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python only tells of what is raised in a finaliser, and goes on."""

    class Closing:
        def __del__(self) -> None:
            work(0.3)

    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: told.append(what.exc_type))
    with pytest.raises(TimeLimitReached), bounded(0.1):
        Closing()
        work(10)
    assert told == [TimeLimitReached]
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_nothing_is_left_of_limits() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with bounded(5):
        inside = signal.getsignal(signal.SIGPROF)
        with bounded(1):
            assert signal.getsignal(signal.SIGPROF) is not inside
        assert signal.getsignal(signal.SIGPROF) is inside
        left, _ = signal.getitimer(signal.ITIMER_PROF)
        assert 3 < left < 5.1
    assert signal.getsignal(signal.SIGPROF) is before
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_memory_is_limited_by_the_smaller_limit_and_given_back() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    with bounded(5):
        outer = resource.getrlimit(resource.RLIMIT_AS)
        with bounded(5):
            assert resource.getrlimit(resource.RLIMIT_AS)[0] <= outer[0]
        assert resource.getrlimit(resource.RLIMIT_AS) == outer
        with pytest.raises(MemoryError):
            bytearray(outer[0])
        with pytest.raises(TimeLimitReached), bounded(0.05):
            work(1)
        assert resource.getrlimit(resource.RLIMIT_AS) == outer
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_request_is_limited_after_its_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request replays answers within limits of its own; what follows has what is left of the request's time."""
    file = tmp_path / "pack.yaml"
    file.write_text(POND, encoding="utf-8")
    host = Host()
    spec = {"pack": str(tmp_path), "seats": [["human", ""]] * 2, "seed": 1, "language": "en"}
    assert "result" in answered(host, {"do": "open", "table": "1", "language": "en", "spec": spec})
    file.write_text(POND.replace("gain 2 coins", "gain 3 coins"), encoding="utf-8")
    monkeypatch.setattr(HostedTable, "adopt", lambda _table, _other: work(6))
    monkeypatch.setattr(worker, "seconds_of", lambda _: 1.0)
    began = time.process_time()
    reply = answered(host, {"do": "renew", "table": "1", "language": "en"})
    assert reply["code"] == "limit"
    assert time.process_time() - began < 2
