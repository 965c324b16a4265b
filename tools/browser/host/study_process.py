"""The process of one balance study: a request comes in, and progress and a report go out, as frames.

Each frame is an object with `progress`, `report`, or `failed`; the last two end the process. An interrupt after the
first frame stops the study, and what was played is reported. A process whose server is gone ends with the next
progress that it tells.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from rulewright.ruleset.common.terminal_text import json_text
from rulewright.tools.balance.output.report import chosen_kinds, names_of, seated_bot
from rulewright.tools.browser.host.limits import OPENING, bound_memory, receive, send
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.errors import Failure, Usage
from rulewright.tools.common.untrusted import TimeLimitReached, bounded
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.simulation.execution.dispatch import handled
from rulewright.tools.simulation.execution.local import cores

if TYPE_CHECKING:
    from rulewright.tools.balance.output.report import ReportNames
    from rulewright.tools.balance.study import Runner, Study
    from rulewright.tools.balance.study import StudyRequest as Asked

EVERY = 0.25
"""Seconds between two reports of progress."""
STEADY = 0.05
"""The share of the games that must be done before their pace says how long the others take."""
NICE = 5
"""How much the games of a study stand back behind those of people at tables."""
WITHOUT = "without"
"""The stage in which the game is played without house rules, to see what they do."""
FREE = "free"
"""The stage in which each definition is weighed at no cost."""
FREE_TABLE = 4.0
"""Seconds of a processor that a definition takes there, about: it has a table of its own, which is compiled."""
Tell = Callable[[dict[str, Any]], None]


@define
class Follower:
    """Tells how far some games of a study are, and how much time the whole study still needs.

    `until` is when its time is up. `last` means that nothing follows these games; the others leave time for those.
    """

    tell: Tell
    what: str
    games: int
    until: float
    last: bool
    clock: Callable[[], float] = time.monotonic
    _done: int = field(init=False, default=0)
    _began: float = field(init=False, default=0.0)
    _told: float = field(init=False, default=0.0)

    def __enter__(self) -> Follower:
        self._began = self.clock()
        self._say()
        return self

    def __exit__(self, *_: object) -> None:
        """The next games, or the report, follow."""

    def played(self, backend: str) -> None:
        """See `Progress.played`: the backend of a study does not change."""

    def done(self, games: int) -> None:
        """See `Progress.done`."""
        self._done = games
        self.tick()

    def tick(self) -> None:
        """See `Progress.tick`. Progress is sent also if nothing has changed, to notice that the server is gone."""
        if self.clock() - self._told >= EVERY:
            self._say()

    def note(self, text: str) -> None:
        """See `Progress.note`: a process that was lost concerns nobody, since its games are played again."""

    def _say(self) -> None:
        self._told = self.clock()
        self.tell({"what": self.what, "done": self._done, "games": self.games, "left": self._left()})

    def _left(self) -> float:
        """Return the seconds that the study still needs: what was planned, as long as its pace is not known."""
        now = self.clock()
        planned, passed = max(0.0, self.until - now), now - self._began
        if self._done < self.games * STEADY:
            return planned
        own = (self.games - self._done) * passed / self._done
        return own if self.last else max(own, planned)


def reported(request: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Play a study and return its report. Raises Failure, and KeyboardInterrupt if nothing was played."""
    tell(_stage("preparing"))
    from rulewright.tools.balance.output.page import html_and_fragment
    from rulewright.tools.balance.output.report import report
    from rulewright.tools.balance.study import NothingToWeighError

    with bounded(OPENING):
        asked, names = _asked(request, request["more"])
        without = _asked(request, ()) if request["versus"] else None
    until = time.monotonic() + float(request["seconds"])
    tell(_stage("watching", float(request["seconds"])))
    try:
        # A study takes interrupts; another one would stop the report. One between studies is passed on.
        early = Event()
        with handled(lambda *_: early.set(), signal.SIGINT):
            playing = StudyRun(tell, until, early)
            found = playing.study(asked, last=without is None and not request["free"])
            data = report(found, names)
            if request["free"] and not data["interrupted"]:
                began = time.monotonic()
                data |= _at_no_cost(request, found, playing)
                playing = evolve(playing, until=until + time.monotonic() - began)
            if without is not None and not data["interrupted"]:
                tell(_stage(WITHOUT, max(0.0, playing.until - time.monotonic())))
                data |= _compared(without, (found, names), playing)
            tell(_stage("reporting"))
            bound_memory(None)  # the library that draws reserves far more than it uses
            file, fragment = html_and_fragment(data)
    except NothingToWeighError as error:
        words = words_of(str(request["language"]))
        raise Usage(words["balance-hurried" if error.hurried else "balance-nothing"]) from None
    texts = {"data": json_text(data) + "\n", "file": file, "fragment": fragment}
    return {**texts, "hash": data["hash"], "pack": data["pack"]}


def _asked(request: Mapping[str, Any], more: Sequence[str]) -> tuple[Asked, ReportNames]:
    """Return what is weighed, of the pack with some house rules, and the names in its report. Raises Failure.

    Options and kinds that only the house rules bring are left out where these are.
    """
    from rulewright.tools.balance.study import StudyRequest
    from rulewright.tools.balance.subjects import first_groups

    program = loading.compile_pack(with_more(request["pack"], more)).program
    options, kinds = request["options"], request["kinds"]
    if more != request["more"]:
        known = {option.key for option in program.options}
        options = [one for one in options if str(one).partition("=")[0] in known]
        kinds = [one for one in kinds if any(kind.key == one for kind in program.kinds)]
    table = loading.table(program, int(request["players"]), [str(one) for one in options])
    seconds = float(request["seconds"]) / (2 if request["versus"] else 1)
    asked = StudyRequest(
        table, seated_bot(request["bot"], program), chosen_kinds(kinds, program), int(request["seed"]), seconds,
        cores(), None, first_groups(program.expected),
    )  # fmt: skip
    return asked, names_of(table, program)


@frozen
class StudyRun:
    """Plays the studies of a request until their time is up. An interrupt that came `early` stops the next one."""

    tell: Tell
    until: float
    early: Event

    def study(self, asked: Asked, last: bool, stage: str = "") -> Study:
        """Play a study; all of it is one stage if that has a name. Nothing is played after the last one."""
        from rulewright.tools.balance.study import TOGETHER_RUN, study

        return study(asked, self.runner(stage, TOGETHER_RUN if last else ""))

    def runner(self, stage: str, last: str) -> Runner:
        """Return what plays work as a stage, or with its own name. `last` is the name of the last work."""
        from rulewright.tools.balance.study import Runner

        def follower(games: int, what: str) -> Follower:
            if self.early.is_set():
                self.early.clear()
                signal.raise_signal(signal.SIGINT)
            return Follower(self.tell, stage or what, games, self.until, what == last)

        return Runner(cores(), follower)


def _at_no_cost(request: Mapping[str, Any], found: Study, playing: StudyRun) -> dict[str, Any]:
    """Return what a report says of definitions at no cost. This takes time besides that of the study."""
    from rulewright.tools.balance.output.report import free_report
    from rulewright.tools.balance.study import without_cost

    field, options = str(request["free"]), [str(one) for one in request["options"]]
    left = FREE_TABLE * len(found.weighed) / cores() + max(0.0, playing.until - time.monotonic())
    playing.tell(_stage(FREE, left))
    program = loading.compile_pack(with_more(request["pack"], request["more"])).program
    if playing.early.is_set():
        return {"interrupted": True}
    run = evolve(playing, until=time.monotonic() + left).runner(
        FREE, "" if request["versus"] else f"without {field}"
    )
    worth, interrupted = without_cost(found, program, options, field, run)
    return {"free": free_report(field, worth), "interrupted": interrupted}


def _compared(
    without: tuple[Asked, ReportNames], now: tuple[Study, ReportNames], playing: StudyRun
) -> dict[str, Any]:
    """Return what a report says of the game without house rules; nothing if too little of it was played."""
    from rulewright.tools.balance.output.sentences import change_report, changes
    from rulewright.tools.balance.study import NothingToWeighError

    (asked, names), (after, own) = without, now
    try:
        before = playing.study(asked, last=True, stage=WITHOUT)
    except (NothingToWeighError, KeyboardInterrupt) as error:
        return {"interrupted": isinstance(error, KeyboardInterrupt)}
    change = change_report(changes(before, after), before, after, (names, own))
    return {"change": change, "interrupted": before.interrupted}


def _stage(what: str, left: float | None = None) -> dict[str, Any]:
    """Return the progress of a stage that counts no games."""
    return {"what": what, "done": 0, "games": 0, "left": left}


def answered(request: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Return the last frame: the report, or why there is none."""
    language = str(request["language"])
    words = words_of(language)
    try:
        return {"report": reported(request, tell)}
    except Failure as failure:
        return {"failed": failure.told(language), "details": failure.report}
    except KeyboardInterrupt:
        return {"failed": words["balance-stopped-early"]}
    except TimeLimitReached:
        return {"failed": words["too-long"]}
    except (MemoryError, RecursionError):
        return {"failed": words["too-much-memory"]}
    except BrokenPipeError:
        raise
    except Exception as error:  # rules and packs can fail in any way
        if os.environ.get("RULEWRIGHT_DEBUG", "") not in ("", "0"):
            raise
        return {"failed": words["not-done"].format(error=type(error).__name__)}


def main() -> None:
    """Answer the one request."""
    if sys.platform == "win32":  # the only signal that can be sent to one process
        signal.signal(signal.SIGBREAK, lambda *_: signal.raise_signal(signal.SIGINT))
    elif hasattr(os, "nice"):
        os.nice(NICE)
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints goes to the standard error stream, not between the frames
    sys.stdout = sys.stderr
    bound_memory()
    with suppress(BrokenPipeError):
        request = receive(incoming)
        if request is not None:
            send(outgoing, answered(request, lambda progress: send(outgoing, {"progress": progress})))


if __name__ == "__main__":
    main()
