"""Rounds of fuzzing, each with its seed; failures are reduced and written to files."""

from __future__ import annotations

import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import define, field
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from tests.fuzz.changes import HOUSE_RULES
from tests.fuzz.inputs import PACKS
from tests.fuzz.oracle import Files, check

MOST_TRIES = 500
"""How often a failing pack is tried with less in it."""
ALL = PACKS | HOUSE_RULES
EXAMPLES = 150
"""Packs in one round. A failure ends its round: the next one looks for others."""


@define
class Failing:
    """A pack that failed, and how: at first the place, when it was made small the whole report."""

    files: Files
    report: str


@define
class Tally:
    """How far the packs came, and what failed, by the place that failed."""

    ends: Counter[str] = field(factory=Counter)
    failures: dict[str, Failing] = field(factory=dict)

    @property
    def packs(self) -> int:
        return self.ends.total()


def fuzz(
    tally: Tally,
    first_seed: int,
    going_on: Callable[[], bool],
    examples: int = EXAMPLES,
    packs: SearchStrategy[Files] = ALL,
) -> Iterator[int]:
    """Runs rounds while `going_on` says so, and gives the seed of each when it is over; the tally grows."""
    number = first_seed
    while going_on():
        _round(tally, number, going_on, examples, packs)
        yield number
        number += 1


def _round(
    tally: Tally, number: int, going_on: Callable[[], bool], examples: int, packs: SearchStrategy[Files]
) -> None:
    failing: list[Failing] = []

    @seed(number)
    @settings(
        max_examples=examples, database=None, deadline=None, phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck), print_blob=False,
    )  # fmt: skip
    @given(packs)
    def one(files: Files) -> None:
        if not failing and not going_on():
            return
        try:
            tally.ends[check(files)] += 1
        except Exception as error:
            failing.append(Failing(files, place_of(error)))
            raise

    try:
        one()
    except Exception:
        if not failing:
            raise
        found = failing[0]
        if found.report not in tally.failures:
            tally.failures[found.report] = smaller(found.files, found.report)


def place_of(error: BaseException) -> str:
    """The kind of an error and the innermost line of ours that it came through: failures of one cause."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)
    apart = ("site-packages", "/tests/fuzz/run")
    own = [frame for frame in frames if not any(part in frame.filename for part in apart)]
    last = own[-1] if own else frames[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def smaller(
    files: Files, place: str, checked: Callable[[Files], object] | None = None, tries: int = MOST_TRIES
) -> Failing:
    """What is left of a failing pack when files and lines that do not matter are taken out: it fails as before."""
    report = ""
    checked = checked or check

    def fails(left: Files) -> bool:
        nonlocal report, tries
        tries -= 1
        try:
            checked(left)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            if place_of(error) == place:
                report = traceback.format_exc()
                return True
        return False

    fails(files)
    for name, _ in files:
        left = tuple(one for one in files if one[0] != name)
        if left and tries > 0 and fails(left):
            files = left
    for at, (name, data) in enumerate(files):
        lines = data.split(b"\n")
        size = max(len(lines) // 2, 1)
        while size and tries > 0:
            start = 0
            while start < len(lines) and tries > 0:
                fewer = lines[:start] + lines[start + size :]
                left = (*files[:at], (name, b"\n".join(fewer)), *files[at + 1 :])
                if fails(left):
                    lines, files = fewer, left
                else:
                    start += size
            size //= 2
    return Failing(files, report)


def write(tally: Tally, folder: Path) -> list[Path]:
    """Writes each failing pack into a folder of its own; gives the folders."""
    return [write_one(tally, place, folder) for place in tally.failures]


def write_one(tally: Tally, place: str, folder: Path) -> Path:
    """Write the failing pack of a place into a folder of its own; return that folder."""
    failing = tally.failures[place]
    target = folder / f"failure-{list(tally.failures).index(place) + 1}"
    for name, data in failing.files:
        path = target / "pack" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (target / "report.txt").write_text(f"{place}\n\n{failing.report}", "utf-8", errors="replace")
    return target


def until(minutes: float) -> Callable[[], bool]:
    """True until so many minutes have passed."""
    end = time.monotonic() + 60 * minutes
    return lambda: time.monotonic() < end


def any_seed() -> int:
    """A seed for who wants none in particular."""
    return random.SystemRandom().randrange(1 << 32)
