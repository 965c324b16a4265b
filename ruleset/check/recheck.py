"""Check units again when it becomes known that a parameter can be nothing.

That is known only when every call has been read. Few parameters can be nothing, so only the units that take them
are checked again, at their original position among all units: all numbers stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attrs import define, field

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p

Made = TypeVar("Made", p.Unit, p.Function)

_LISTS = ("sources", "references", "conditions", "introduced", "doubts")
_NEW = (
    "used", "readers", "maybe_none_seen", "needs_seen", "needs_asked", "inserted_code", "proceed_count", "points",
    "texts",
)  # fmt: skip
"""Collections that units write and do not read; each unit gets its own while it is checked."""
_NEW_SLOTS: tuple[Any, ...] = tuple(vars(Context)[name] for name in _NEW)
"""Slot descriptors of `_NEW`. Setting them directly is faster: `Context` checks whether an attribute may be set."""
_SAME = ("used", "readers", "proceed_count", "texts")
"""Members of `_NEW` that must be equal after a second check; otherwise everything is checked again."""


@define(repr=False)
class _Job(Record):
    """A unit, its check function, and what that wrote: start and length in each list, and additions to `_NEW`."""

    check: Callable[[], Any]
    first: Any
    made: Any
    starts: tuple[int, ...]
    counts: tuple[int, ...]
    written: dict[str, Any]


@define(repr=False)
class Rechecker(Record):
    """The units of a pack during checking, by the taker of their parameters (`verb/draw`, `effect/play`)."""

    context: Context
    discarding: bool = False
    """Whether the units being checked are not part of the program and are dropped."""
    _jobs: dict[str, list[_Job]] = field(factory=dict, init=False)
    _discarded: set[str] = field(factory=set, init=False)

    def check(self, taker: str, check: Callable[[], Made]) -> Made:
        """Check a unit. `check` may be called again."""
        if self.discarding:
            self._discarded.add(taker)
            return check()
        starts = self._lengths()
        made, written = self._apart(check)
        for name, new in written.items():
            if new:
                getattr(self.context, name).update(new)
        counts = tuple(map(int.__sub__, self._lengths(), starts))
        self._jobs.setdefault(taker, []).append(_Job(check, made, made, starts, counts, written))
        return made

    def settled(self) -> bool:
        """Check units again until `maybe_none` no longer grows; for packs without findings so far.

        Return False if everything must be checked again with the context's new `maybe_none`: a unit has findings,
        or writes something other than before, so that later units would have other numbers.
        """
        context, fitting = self.context, True
        while new := context.maybe_none_seen - context.maybe_none:
            context.maybe_none |= new
            takers = dict.fromkeys(sorted(taker for taker, _ in new))
            fitting &= self._discarded.isdisjoint(takers)
            jobs = [job for taker in takers for job in self._jobs.get(taker, ())]
            fitting &= self._all_again(sorted(jobs, key=lambda job: job.starts, reverse=True))
            if context.found or context.unread:
                return False
        return fitting

    def latest(self, made: Iterable[Made]) -> list[Made]:
        """Return these units as they were last checked."""
        new = {id(job.first): job.made for jobs in self._jobs.values() for job in jobs if job.made is not job.first}
        return [new.get(id(one), one) for one in made]

    def _all_again(self, jobs: list[_Job]) -> bool:
        """Check units again, last one first, so that each list is cut and reassembled only once.

        Return False if one of the new results cannot replace the old one.
        """
        context, fitting = self.context, True
        tails: list[tuple[list[Any], ...]] = []
        for job in jobs:
            before = self._cut(job.starts)
            tails.append(before)
            made, written = self._apart(job.check)
            new = self._cut(job.starts)
            context.maybe_none_seen |= written["maybe_none_seen"]
            fits = tuple(map(len, new)) == job.counts and all(written[one] == job.written[one] for one in _SAME)
            fitting &= fits
            if fits:
                job.made = made
                context.inserted_code.update(written["inserted_code"])
                context.points.update(written["points"])
                for old, count, own in zip(before, job.counts, new, strict=True):
                    old[:count] = own
        for tail in reversed(tails):
            for name, end in zip(_LISTS, tail, strict=True):
                getattr(context, name).extend(end)
        return fitting

    def _apart(self, check: Callable[[], Made]) -> tuple[Made, dict[str, Any]]:
        """Check a unit; return it and everything that it added to sets and dictionaries."""
        context = self.context
        outer = [slot.__get__(context) for slot in _NEW_SLOTS]
        for slot, value in zip(_NEW_SLOTS, outer, strict=True):
            slot.__set__(context, type(value)())
        made = check()
        written = {name: getattr(context, name) for name in _NEW}
        for slot, value in zip(_NEW_SLOTS, outer, strict=True):
            slot.__set__(context, value)
        return made, written

    def _cut(self, starts: tuple[int, ...]) -> tuple[list[Any], ...]:
        """Truncate the lists to these lengths and return the tails."""
        ends = []
        for name, start in zip(_LISTS, starts, strict=True):
            of = getattr(self.context, name)
            ends.append(of[start:])
            del of[start:]
        return tuple(ends)

    def _lengths(self) -> tuple[int, ...]:
        context = self.context
        return tuple([len(getattr(context, name)) for name in _LISTS])
