"""What the estimates say about each definition: its rank among its kind, and whether it stands out."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from attrs import frozen

from ruleset.program.expectations import FEWEST_WEIGHED
from tools.balance.estimates import Estimate, Estimates, standing
from tools.balance.groups import NO_GROUPS, Grouping
from tools.balance.subjects import Subject

OUTLYING = 3.5
"""Robust distances from the median of a kind from which a definition stands out (Iglewicz and Hoaglin, 1993)."""
FEWEST = FEWEST_WEIGHED
"""Definitions of a kind or group, for one of them to stand out."""
MATTER_OF_COURSE = 0.95
"""Share of what is offered that is taken as a matter of course."""
_SPREAD = 1.4826
"""Turns a median absolute deviation into the standard deviation of a normal distribution."""


@frozen
class Weighed:
    """A definition at the choice that matters most to its group, or to its kind.

    `rank` is 1 for the strongest of its group, of `of`. `stands_out` is `strong`, `weak`, or empty. `group` is
    empty for definitions in no group.
    """

    subject: Subject
    choice: str
    taken: Estimates
    as_is: Estimates
    nobody: Estimates
    rank: int
    of: int
    significant: bool
    stands_out: str
    group: str = ""


@frozen
class Compared:
    """The estimates of a definition at a choice."""

    subject: Subject
    choice: str
    offered: int
    chosen: int
    taken: Estimates
    as_is: Estimates
    nobody: Estimates

    def effect_on(self, measure: str) -> Estimate | None:
        return self.taken.by_measure.get(measure)


def gateways(
    compared: Sequence[Compared], measure: str, grouping: Grouping = NO_GROUPS
) -> dict[tuple[str, str], str]:
    """Return, for each kind and group, the choice at which its definitions matter most: by their mean effect on it.

    The effect counts for as many games as it changes, so that a choice that hardly ever comes up does not win. A
    choice at which nearly everything is taken is no question to players: it wins only over others like it.
    """
    found: dict[tuple[tuple[str, str], str], list[Compared]] = {}
    for one in compared:
        if one.effect_on(measure) is not None:
            found.setdefault(((one.subject.kind, grouping.of(one.subject)), one.choice), []).append(one)
    best: dict[tuple[str, str], tuple[tuple[bool, float], str]] = {}
    for (group, choice), own in found.items():
        open_ = sum(one.chosen for one in own) < MATTER_OF_COURSE * sum(one.offered for one in own)
        effects = ((one.effect_on(measure), one.taken.share) for one in own)
        total = sum(abs(estimate.mean) * share for estimate, share in effects if estimate is not None)
        if group not in best or (open_, total) > best[group][0]:
            best[group] = (open_, total), choice
    return {group: choice for group, (_, choice) in best.items()}


def weighed(compared: Sequence[Compared], measure: str, grouping: Grouping = NO_GROUPS) -> tuple[Weighed, ...]:
    """Return the definitions by kind and group, the strongest first."""
    at = gateways(compared, measure, grouping)
    found: list[Weighed] = []
    kinds = list(dict.fromkeys(kind for kind, _ in at))
    for (kind, group), choice in sorted(at.items(), key=lambda e: (kinds.index(e[0][0]), grouping.place(e[0][1]))):
        own = [(e.mean, one, e) for one in compared
               if (one.subject.kind, grouping.of(one.subject), one.choice) == (kind, group, choice)
               and (e := one.effect_on(measure)) is not None]  # fmt: skip
        own.sort(key=lambda each: -each[0])
        stands = standing([estimate.p for _, _, estimate in own])
        out = outliers([estimate for _, _, estimate in own])
        for rank, ((_, one, _), significant, outlier) in enumerate(zip(own, stands, out, strict=True), 1):
            found.append(
                Weighed(
                    one.subject,
                    choice,
                    one.taken,
                    one.as_is,
                    one.nobody,
                    rank,
                    len(own),
                    significant,
                    outlier,
                    group,
                )
            )
    return tuple(found)


def usual(estimates: Sequence[Estimate]) -> tuple[float, float] | None:
    """Return the bounds outside of which an estimate stands out among these; None for fewer than `FEWEST`."""
    if len(estimates) < FEWEST:
        return None
    middle = median(one.mean for one in estimates)
    spread = _SPREAD * median(abs(one.mean - middle) for one in estimates)
    return middle - OUTLYING * spread, middle + OUTLYING * spread


def outliers(estimates: Sequence[Estimate]) -> list[str]:
    """Return for each estimate whether it stands out among them: `strong`, `weak`, or empty.

    The whole interval must be further from the median than the spread of the kind explains.
    """
    bounds = usual(estimates)
    if bounds is None:
        return [""] * len(estimates)
    low, high = bounds
    return ["strong" if one.low > high else "weak" if one.high < low else "" for one in estimates]
