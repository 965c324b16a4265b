"""What the estimates say about each definition: its rank among its kind, and whether it stands out."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from attrs import frozen

from rulewright.ruleset.program.scenario import FEWEST_WEIGHED
from rulewright.tools.balance.estimates import MANY, Estimate, Estimates, beyond, difference_of, standing
from rulewright.tools.balance.subjects import NO_GROUPS, Grouping, Subject

OUTLYING = 3.5
"""Robust distances from the median of a kind from which a definition stands out (Iglewicz and Hoaglin, 1993)."""
WORTH = 0.4
"""A definition can stand out, too, if taking it matters by so much of an even share of wins: 20 percentage points
of two seats."""
APART, BEHIND = 0.2, 0.04
"""By how much more of an even share than each other one the strongest must win, and the weakest must lose: one of
them must be the strongest, but none has to cost so many wins. These are indifference zones (Bechhofer, Annals of
Mathematical Statistics 25, 1954)."""
FEWEST = FEWEST_WEIGHED
"""Definitions of a kind or group, for one of them to stand out."""
HARDLY = 0.01
"""A bot that chooses less than this share of what it is offered does not show what that is worth."""
MATTER_OF_COURSE = 0.95
"""Share of what is offered that is taken as a matter of course."""
_SPREAD = 1.4826
"""Turns a median absolute deviation into the standard deviation of a normal distribution."""


@frozen
class Weighed:
    """A definition at the choice that matters most to its group, or to its kind.

    `rank` is 1 for the strongest of its group, of `of`. `stands_out` is `strong`, `weak`, or empty; `unplayed` for
    what would be weak, if the bot did not hardly ever choose it among others of its group that it does choose: that
    says more of the bot. `group` is empty for definitions in no group.
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


def weighed(
    compared: Sequence[Compared], measure: str, grouping: Grouping = NO_GROUPS, seats: int = 2
) -> tuple[Weighed, ...]:
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
        out = _standing_out([one for _, one, _ in own], [estimate for _, _, estimate in own], seats)
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


def _standing_out(own: Sequence[Compared], estimates: Sequence[Estimate], seats: int) -> list[str]:
    """Return what `Weighed.stands_out` says of each definition of a group."""
    wins = apart([one.effect_on("win") for one in own], seats)
    known = not unplayed(own)
    return [
        "unplayed" if (by or also) == "weak" and known and unplayed([one]) else by or also
        for one, by, also in zip(own, outliers(estimates), wins, strict=True)
    ]


def unplayed(own: Sequence[Compared]) -> bool:
    """Return whether the bot hardly ever chose definitions that it was offered."""
    return sum(one.chosen for one in own) < HARDLY * sum(one.offered for one in own)


def usual(estimates: Sequence[Estimate]) -> tuple[float, float] | None:
    """Return the bounds outside of which an estimate stands out among these; None for fewer than `FEWEST`."""
    if len(estimates) < FEWEST:
        return None
    middle = median(one.mean for one in estimates)
    spread = _SPREAD * median(abs(one.mean - middle) for one in estimates)
    return middle - OUTLYING * spread, middle + OUTLYING * spread


def outliers(estimates: Sequence[Estimate]) -> list[str]:
    """Return for each estimate whether it stands out among them: `strong`, `weak`, or empty.

    It must be significantly further from the median than the spread of the kind explains, as one of so many.
    """
    bounds = usual(estimates)
    if bounds is None:
        return [""] * len(estimates)
    low, high = bounds
    sides = ["strong" if one.mean > high else "weak" if one.mean < low else "" for one in estimates]
    ends = {"strong": high, "weak": low}
    values = [beyond(one, ends[side], MANY).p if side else 1.0 for one, side in zip(estimates, sides, strict=True)]
    return [side if stands else "" for side, stands in zip(sides, standing(values), strict=True)]


def usual_wins(wins: Sequence[Estimate], seats: int) -> tuple[float, float]:
    """Return the bounds outside of which the weakest or the strongest of at least two is apart from the others."""
    own = sorted(one.mean for one in wins)
    return min(-WORTH / seats, own[1] - BEHIND / seats), max(WORTH / seats, own[-2] + APART / seats)


def apart(wins: Sequence[Estimate | None], seats: int) -> list[str]:
    """Return for each effect on wins whether it is apart from all others: `strong`, `weak`, or empty.

    This finds one that a wide spread of the others hides from `outliers`. Whole intervals must be beyond `WORTH`,
    and the difference to the next one beyond `APART` or `BEHIND`.
    """
    found, known = [""] * len(wins), [(one, place) for place, one in enumerate(wins) if one is not None]
    if len(known) < FEWEST:
        return found
    known.sort(key=lambda each: each[0].mean)
    (worst, last), (before, _), *_, (second, _), (best, first) = known
    ahead, behind = difference_of(second, best).low * seats, difference_of(worst, before).low * seats
    if best.low * seats > WORTH and ahead > APART:
        found[first] = "strong"
    if worst.high * seats < -WORTH and behind > BEHIND:
        found[last] = "weak"
    return found
